//! A state from a described position: the setup's start with what is named changed, at a named point of a Game Turn.
//!
//! ```json
//! { "at": "action", "current": "25", "zeal": 3, "turn": 7, "war": 1,
//!   "tracks": { "ireland": 4 }, "troubles": "parliament", "drm": { "puritanism": 1 },
//!   "armies": { "north": { "area": 3, "disordered": true, "markers": -1, "counter": "north" } },
//!   "fortresses": { "hull": ["royalist", 2] },
//!   "revolts": { "uprising": ["west", 2] }, "deviltry": ["24"], "rewards": { "siege": "waiting" },
//!   "available": ["17"], "achieved": ["21"], "seen": ["2"],
//!   "holding": ["cromwell"], "recovery": ["rupert"], "removed": ["p-foot-1"],
//!   "hand": ["psalms"], "battle_discard": ["boye"], "battle_out": ["leveller-mutinies"],
//!   "zeal_marker": "north", "flags": ["oxford-permitted"] }
//! ```
//! `at` is `turn` (a new Game Turn begins), `reveal` (a card is due), `event` (from `item` of the current card, counted from 0),
//! `action` (the default) or `end-times`; or `battle`, with the lines as they stand before a sector (5: all are fought):
//! `"battle": { "army": "north", "sector": 5, "line": { "p-right-flank": "cromwell" }, "boxes": { "p-right-flank": "victory" } }`.

use serde_json::{Map, Value};

use crate::numbered::{Listed, Numbered, SetOf};
use crate::position::PositionError;
use crate::setup::Setup;

use super::CruelNecessity;
use super::actions::Target;
use super::catalogue::names::{SLOT_IDS, own_named, target_id};
use super::content::{
    ARMIES, ARMY_IDS, Arm, ArmyId, BattleCardId, CardId, CardKind, Content, CounterId, FORT_IDS, FormationId,
    FortId, Named, Op, RevoltId, RewardId, SECTORS, SectorId, SlotId, TRACK_IDS, TrackId, WEST, WarId,
};
use super::frames::{Frame, Phase};
use super::state::line::{Place, Stage, slots};
use super::state::{BOTTOM, Flags, Fort, RevoltArea, State, TOP};

/// Names of flags.
const FLAGS: [(&str, Flags); 13] = [
    ("oxford-permitted", Flags::OXFORD_PERMITTED),
    ("battle-won", Flags::WON_NOW),
    ("battle-won-before", Flags::WON_BEFORE),
    ("marker-placed", Flags::ZEAL_PLACED),
    ("desperate-parliament", Flags::DESPERATE_PARLIAMENT),
    ("desperate-puritanism", Flags::DESPERATE_PURITANISM),
    ("licence-next", Flags::LICENCE_NEXT),
    ("licence-now", Flags::LICENCE_NOW),
    ("immune", Flags::IMMUNE),
    ("settled-ireland", Flags::SETTLED_IRELAND),
    ("settled-scotland", Flags::SETTLED_SCOTLAND),
    ("struck", Flags::STRUCK),
    ("watched", Flags::WATCHED),
];

/// The fields of a position.
const FIELDS: [&str; 26] = [
    "at",
    "item",
    "battle",
    "current",
    "zeal",
    "turn",
    "war",
    "tracks",
    "troubles",
    "drm",
    "armies",
    "fortresses",
    "revolts",
    "deviltry",
    "rewards",
    "available",
    "achieved",
    "seen",
    "holding",
    "recovery",
    "removed",
    "hand",
    "battle_discard",
    "battle_out",
    "zeal_marker",
    "flags",
];

type Read<T> = Result<T, PositionError>;

fn fault<T>(field: impl Into<String>, expected: impl Into<String>) -> Read<T> {
    Err(PositionError::new(field, expected))
}

pub(super) fn read(game: &CruelNecessity, setup: &Setup, position: &Value) -> Read<State> {
    let Some(fields) = position.as_object() else { return fault("", "an object is expected") };
    if let Some(field) = fields.keys().find(|field| !FIELDS.contains(&field.as_str())) {
        return fault(field, format!("one of {} is expected", FIELDS.join(", ")));
    }
    let mut reader = Reader { content: &game.content, fields, state: game.set_up(setup), fought: false };
    reader.time()?;
    reader.tracks()?;
    reader.units()?;
    reader.cards()?;
    reader.formations()?;
    reader.battle_cards()?;
    reader.flags()?;
    reader.flow()?;
    let (mut state, fought) = (reader.state, reader.fought);
    if state.frames.top() == Some(&Frame::Battle) && fought {
        game.count(&mut state);
    }
    Ok(state)
}

struct Reader<'a> {
    content: &'a Content,
    fields: &'a Map<String, Value>,
    state: State,
    /// True if all sectors of the Battle are fought.
    fought: bool,
}

fn number(value: &Value, path: &str, least: i64, most: i64) -> Read<i64> {
    match value.as_i64().filter(|number| (least..=most).contains(number)) {
        Some(number) => Ok(number),
        None => fault(path, format!("a number from {least} to {most} is expected")),
    }
}

fn index(value: &Value, path: &str, ids: &[&str]) -> Read<usize> {
    match value.as_str().and_then(|id| ids.iter().position(|known| *known == id)) {
        Some(index) => Ok(index),
        None => fault(path, format!("one of {} is expected", ids.join(", "))),
    }
}

/// The thing of an id.
fn thing<T: Numbered>(value: &Value, path: &str, ids: &[&str]) -> Read<T> {
    index(value, path, ids).map(T::new)
}

impl<'a> Reader<'a> {
    fn given(&self, field: &str, least: i64, most: i64) -> Read<Option<i64>> {
        self.fields.get(field).map(|value| number(value, field, least, most)).transpose()
    }

    /// The entries of an object by id.
    fn object(&self, field: &'static str) -> Read<Vec<(&'a String, &'a Value)>> {
        match self.fields.get(field) {
            None => Ok(Vec::new()),
            Some(Value::Object(entries)) => Ok(entries.iter().collect()),
            Some(_) => fault(field, "an object by id is expected"),
        }
    }

    /// The entries of a list of ids, as places in `ids`; `None` if the field is not given.
    fn places(&self, field: &'static str, ids: &[&str]) -> Read<Option<Vec<usize>>> {
        match self.fields.get(field) {
            None => Ok(None),
            Some(Value::Array(entries)) => {
                let read = |(place, value)| index(value, &format!("{field}[{place}]"), ids);
                entries.iter().enumerate().map(read).collect::<Read<Vec<usize>>>().map(Some)
            }
            Some(_) => fault(field, "a list of ids is expected"),
        }
    }

    /// The things of a list of ids; `None` if the field is not given.
    fn list<T: Numbered>(&self, field: &'static str, ids: &[&str]) -> Read<Option<Vec<T>>> {
        let places = self.places(field, ids)?;
        Ok(places.map(|places| places.into_iter().map(T::new).collect()))
    }

    fn time(&mut self) -> Read<()> {
        if let Some(turn) = self.given("turn", 1, 60)? {
            self.state.turn = turn as u8;
        }
        let [first, last] = [self.state.first, self.state.last].map(|war| war.index() as i64 + 1);
        if let Some(war) = self.given("war", first, last)? {
            self.state.war = WarId::new(war as usize - 1);
        }
        if let Some(zeal) = self.given("zeal", 0, self.content.numbers.zeal.max.into())? {
            self.state.zeal = zeal as u8;
        }
        Ok(())
    }

    fn tracks(&mut self) -> Read<()> {
        for (id, value) in self.object("tracks")? {
            let path = format!("tracks.{id}");
            let track: TrackId = thing(&Value::from(id.as_str()), &path, &TRACK_IDS)?;
            self.state.tracks[track] = number(value, &path, 0, 5)? as u8;
        }
        for (id, value) in self.object("drm")? {
            let path = format!("drm.{id}");
            let track: TrackId = thing(&Value::from(id.as_str()), &path, &TRACK_IDS)?;
            self.state.drm[track] = number(value, &path, -9, 9)? as i8;
        }
        if let Some(troubles) = self.fields.get("troubles") {
            self.state.troubles = index(troubles, "troubles", &TRACK_IDS[3..])? as u8;
        }
        for (column, name) in TRACK_IDS.iter().enumerate().take(3) {
            let both = self.state.tracks[column] == BOTTOM && self.state.tracks[column + 3] == TOP;
            if both && self.content.tracks[column].shared {
                return fault("tracks", format!("{name} and its opposite can't both be in their middle box"));
            }
        }
        Ok(())
    }

    fn units(&mut self) -> Read<()> {
        for (id, value) in self.object("armies")? {
            let path = format!("armies.{id}");
            let army: ArmyId = thing(&Value::from(id.as_str()), &path, &ARMY_IDS)?;
            let Some(fields) = value.as_object() else { return fault(path, "an object is expected") };
            for (field, value) in fields {
                let path = format!("{path}.{field}");
                let unit = &mut self.state.armies[army];
                match field.as_str() {
                    "area" => unit.area = number(value, &path, i64::from(army > WEST), 5)? as u8,
                    "disordered" => match value.as_bool() {
                        Some(disordered) => unit.disordered = disordered,
                        None => return fault(path, "true or false is expected"),
                    },
                    "markers" => unit.markers = number(value, &path, -9, 9)? as i8,
                    "counter" => {
                        let counters = &self.content.counters;
                        let ours: Vec<CounterId> = CounterId::all(self.content)
                            .filter(|&counter| counters[counter].army == army)
                            .collect();
                        let ids: Vec<&str> =
                            ours.iter().map(|&counter| counters[counter].named.id.as_str()).collect();
                        unit.counter = ours[index(value, &path, &ids)?];
                    }
                    _ => return fault(path, "one of area, disordered, markers, counter is expected"),
                }
            }
        }
        for (id, value) in self.object("fortresses")? {
            let path = format!("fortresses.{id}");
            let fort: FortId = thing(&Value::from(id.as_str()), &path, &FORT_IDS)?;
            let Some([owner, click]) = value.as_array().map(Vec::as_slice) else {
                return fault(path, "an owner and a click are expected");
            };
            let royalist = index(owner, &path, &["parliament", "royalist"])? == 1;
            let click = number(click, &path, 1, 5)? as u8;
            self.state.forts[fort] = Fort { royalist, click, fortified: 0 };
        }
        self.troubles_of_the_realm()
    }

    fn troubles_of_the_realm(&mut self) -> Read<()> {
        let numbers = &self.content.numbers;
        let revolts = ids(numbers.revolts.iter().map(|revolt| &revolt.named));
        for (id, value) in self.object("revolts")? {
            let path = format!("revolts.{id}");
            let revolt: RevoltId = thing(&Value::from(id.as_str()), &path, &revolts)?;
            let Some([region, area]) = value.as_array().map(Vec::as_slice) else {
                return fault(path, "a region and an area are expected");
            };
            let region = thing(region, &path, &ARMY_IDS[..2])?;
            let area = number(area, &path, 1, 5)? as u8;
            self.state.revolts[revolt] = Some(RevoltArea { region, area });
        }
        let markers = ids(numbers.deviltry.iter().map(|marker| &marker.named));
        if let Some(there) = self.list("deviltry", &markers)? {
            self.state.deviltry = there.into_iter().collect();
        }
        let rewards = ids(numbers.rewards.iter().map(|reward| &reward.named));
        for (id, value) in self.object("rewards")? {
            let path = format!("rewards.{id}");
            let reward: RewardId = thing(&Value::from(id.as_str()), &path, &rewards)?;
            self.state.found.insert(reward);
            if index(value, &path, &["waiting", "used"])? == 0 {
                self.state.waiting.insert(reward);
            }
        }
        Ok(())
    }

    fn cards(&mut self) -> Read<()> {
        let cards = ids(self.content.cards.iter().map(|card| &card.named));
        let mut achievements = SetOf::EMPTY;
        for field in ["available", "achieved"] {
            let Some(listed) = self.list::<CardId>(field, &cards)? else { continue };
            if let Some(&event) = listed.iter().find(|&&card| self.content.achievement(card).is_none()) {
                return fault(field, format!("card {} is no Achievement", event.index() + 1));
            }
            let set: SetOf<CardId> = listed.into_iter().collect();
            match field {
                "available" => self.state.available = set,
                _ => self.state.scored = set,
            }
            achievements |= set;
        }
        if self.state.available.count() > 3 || self.state.available.meets(self.state.scored) {
            return fault("available", "at most three cards, none of them achieved, are expected");
        }
        self.state.seen |= achievements | self.state.available | self.state.scored;
        if let Some(seen) = self.list::<CardId>("seen", &cards)? {
            self.state.seen |= seen.into_iter().collect();
        }
        if let Some(current) = self.fields.get("current") {
            let card: CardId = thing(current, "current", &cards)?;
            let deck = self.content.cards[card].deck;
            if self.content.achievement(card).is_some() || deck != self.state.war {
                return fault("current", "an Event card of the present war is expected");
            }
            self.state.current = Some(card);
            self.state.seen.insert(card);
        }
        Ok(())
    }

    fn formations(&mut self) -> Read<()> {
        let kinds = ids(self.content.formations.iter().map(|formation| &formation.named));
        if let Some(holding) = self.list::<FormationId>("holding", &kinds)? {
            own_named(self.content).for_each(|kind| self.state.pool[kind] = 0);
            for kind in holding {
                if own_named(self.content).all(|own| own != kind) {
                    return fault("holding", "Named units of Parliament are expected");
                }
                self.state.pool[kind] = 1;
            }
        }
        for kind in self.list::<FormationId>("recovery", &kinds)?.unwrap_or_default() {
            if !self.content.formations[kind].is_named {
                return fault("recovery", "Named units are expected");
            }
            self.state.pool[kind] = 0;
            self.state.recovery.insert(kind);
        }
        for kind in self.list::<FormationId>("removed", &kinds)?.unwrap_or_default() {
            if self.state.pool[kind] == 0 {
                return fault("removed", format!("no more of {} are in the pool", kinds[kind]));
            }
            self.state.pool[kind] -= 1;
        }
        Ok(())
    }

    fn battle_cards(&mut self) -> Read<()> {
        let cards = ids(self.content.battle_cards.iter().map(|card| &card.named));
        for field in ["hand", "battle_discard", "battle_out"] {
            for card in self.list::<BattleCardId>(field, &cards)?.unwrap_or_default() {
                if !self.state.battle_deck.contains(card) {
                    return fault(field, format!("{} is in another pile", cards[card]));
                }
                self.state.battle_deck.remove(card);
                match field {
                    "hand" => self.state.battle_hand.insert(card),
                    "battle_discard" => self.state.battle_discard.insert(card),
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn flags(&mut self) -> Read<()> {
        let names: Vec<&str> = FLAGS.iter().map(|&(name, _)| name).collect();
        for flag in self.places("flags", &names)?.unwrap_or_default() {
            self.state.set(FLAGS[flag].1, true);
        }
        if let Some(target) = self.fields.get("zeal_marker") {
            let targets: Vec<String> = Target::all().map(|target| target_id(self.content, target)).collect();
            let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
            self.state.zeal_on = Some(Target::of(index(target, "zeal_marker", &targets)?));
            self.state.set(Flags::ZEAL_PLACED, true);
        }
        Ok(())
    }

    fn flow(&mut self) -> Read<()> {
        let points = ["action", "turn", "reveal", "event", "battle", "end-times"];
        let at = self.fields.get("at").map_or(Ok(0), |value| index(value, "at", &points))?;
        if self.state.turn == 0 && at != 1 {
            self.state.turn = 1;
        }
        if self.state.current.is_none() && matches!(at, 0 | 3 | 4 | 5) {
            return fault("current", "the Event card of the turn is expected");
        }
        match at {
            0 => {
                self.state.frames.open(Frame::Turn { next: Phase::EndTimes });
                self.state.frames.open(Frame::Actions);
            }
            1 => {}
            2 => {
                self.state.current = None;
                self.state.frames.open(Frame::Turn { next: Phase::Action });
                self.state.frames.open(Frame::Reveal);
            }
            3 | 4 => {
                let event = self.state.current.map(|card| self.content.cards[card].kind);
                let Some(CardKind::Event { list }) = event else {
                    return fault("current", "an Event card is expected");
                };
                let ops = &self.content.lists[list];
                let mut next = self.given("item", 0, ops.len() as i64)?.unwrap_or(0) as u8;
                if at == 4 {
                    let Some(battle) = ops.iter().position(|op| *op == Op::Battle) else {
                        return fault("current", "a card with a Battle is expected");
                    };
                    next = battle as u8 + 1;
                }
                self.state.frames.open(Frame::Turn { next: Phase::Action });
                self.state.frames.open(Frame::Items { list, next });
                if at == 4 {
                    self.battle()?;
                    self.state.frames.open(Frame::Battle);
                }
            }
            _ => self.state.frames.open(Frame::Turn { next: Phase::EndTimes }),
        }
        let unseen = self.state.unseen(self.content);
        let last = self.content.ends[self.state.war][1];
        let over = self.state.current == Some(last);
        if !unseen.contains(last) && !over {
            return fault("seen", "the last card of the present war is still to come");
        }
        Ok(())
    }

    fn battle(&mut self) -> Read<()> {
        let fields = match self.fields.get("battle") {
            Some(Value::Object(fields)) => fields,
            _ => return fault("battle", "an object with army, sector, line and boxes is expected"),
        };
        let known = ["army", "sector", "line", "boxes"];
        if let Some(field) = fields.keys().find(|field| !known.contains(&field.as_str())) {
            return fault(format!("battle.{field}"), format!("one of {} is expected", known.join(", ")));
        }
        let kinds = ids(self.content.formations.iter().map(|formation| &formation.named));
        let null = Value::Null;
        let army = thing(fields.get("army").unwrap_or(&null), "battle.army", &ARMY_IDS[..2])?;
        let sector = number(fields.get("sector").unwrap_or(&Value::from(1)), "battle.sector", 1, 5)?;
        let sector = sector as usize - 1;
        self.fought = sector == SECTORS;
        self.state.battle.army = Some(army);
        self.state.battle.sector = SectorId::new(sector.min(SECTORS - 1));
        self.state.battle.stage = Stage::Before;
        let Some(line) = fields.get("line").and_then(Value::as_object) else {
            return fault("battle.line", "formations by place are expected");
        };
        for (slot, kind) in line {
            let path = format!("battle.line.{slot}");
            let slot: SlotId = thing(&Value::from(slot.as_str()), &path, &SLOT_IDS)?;
            let kind: FormationId = thing(kind, &path, &kinds)?;
            let formation = &self.content.formations[kind];
            let fits =
                formation.royalist == slot.is_royalist() && (formation.arm == Arm::Foot) == slot.of_foot();
            let own_named = formation.is_named && !formation.royalist;
            if !fits || (self.state.pool[kind] == 0 && !own_named) {
                return fault(path, "a formation of this side and arm that is in its pool is expected");
            }
            self.state.pool[kind] = self.state.pool[kind].saturating_sub(1);
            self.state.battle.line[slot].kind = Some(kind);
        }
        if let Some(slot) = self.state.battle.empty(slots()) {
            return fault(format!("battle.line.{}", SLOT_IDS[slot]), "a formation is expected");
        }
        let boxes = match fields.get("boxes") {
            None => None,
            Some(Value::Object(boxes)) => Some(boxes),
            Some(_) => return fault("battle.boxes", "boxes by place are expected"),
        };
        for (slot, place) in boxes.into_iter().flatten() {
            let path = format!("battle.boxes.{slot}");
            let slot: SlotId = thing(&Value::from(slot.as_str()), &path, &SLOT_IDS)?;
            let place = index(place, &path, &["line", "victory", "draw", "defeat", "turned"])?;
            self.state.battle.line[slot].place = Place::ALL[place];
        }
        let unresolved = (0..sector).map(SectorId::new).flat_map(SectorId::slots);
        for slot in unresolved {
            if self.state.battle.line[slot].place == Place::Line {
                return fault(
                    format!("battle.boxes.{}", SLOT_IDS[slot]),
                    "its sector is fought: a box is expected",
                );
            }
        }
        Ok(())
    }
}

fn ids<'n>(named: impl Iterator<Item = &'n Named>) -> Vec<&'n str> {
    named.map(|named| named.id.as_str()).collect()
}

const _: () = assert!(ARMIES == ARMY_IDS.len());
