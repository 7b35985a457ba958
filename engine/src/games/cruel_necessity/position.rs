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

use serde::Deserialize;
use serde_json::Value;

use crate::numbered::{Listed, Numbered, SetOf};
use crate::position::{ById, PositionError, fields, within};
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
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Described {
    at: Point,
    item: Option<i64>,
    battle: Option<DescribedBattle>,
    current: Option<String>,
    zeal: Option<i64>,
    turn: Option<i64>,
    war: Option<i64>,
    tracks: ById<i64>,
    troubles: Option<String>,
    drm: ById<i64>,
    armies: ById<DescribedArmy>,
    fortresses: ById<(String, i64)>,
    revolts: ById<(String, i64)>,
    deviltry: Option<Vec<String>>,
    rewards: ById<Reward>,
    available: Option<Vec<String>>,
    achieved: Option<Vec<String>>,
    seen: Vec<String>,
    holding: Option<Vec<String>>,
    recovery: Vec<String>,
    removed: Vec<String>,
    hand: Vec<String>,
    battle_discard: Vec<String>,
    battle_out: Vec<String>,
    zeal_marker: Option<String>,
    flags: Vec<String>,
}

/// A point of a Game Turn at which a position begins.
#[derive(Copy, Clone, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "kebab-case")]
enum Point {
    #[default]
    Action,
    Turn,
    Reveal,
    Event,
    Battle,
    EndTimes,
}

/// The fields of an Army.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct DescribedArmy {
    area: Option<i64>,
    disordered: Option<bool>,
    markers: Option<i64>,
    counter: Option<String>,
}

/// The state of a reward that was found.
#[derive(Copy, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Reward {
    Waiting,
    Used,
}

/// The fields of a Battle.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DescribedBattle {
    army: String,
    #[serde(default = "first_sector")]
    sector: i64,
    line: ById<String>,
    #[serde(default)]
    boxes: ById<String>,
}

const fn first_sector() -> i64 {
    1
}

type Read<T> = Result<T, PositionError>;

fn fault<T>(field: impl Into<String>, expected: impl Into<String>) -> Read<T> {
    Err(PositionError::new(field, expected))
}

pub(super) fn read(game: &CruelNecessity, setup: &Setup, position: &Value) -> Read<State> {
    let described: Described = fields(position)?;
    let mut reader =
        Reader { content: &game.content, fields: &described, state: game.set_up(setup), fought: false };
    reader.time()?;
    reader.tracks()?;
    reader.units()?;
    reader.cards()?;
    reader.formations()?;
    reader.battle_cards()?;
    reader.flags()?;
    reader.flow()?;
    let (mut state, fought) = (reader.state, reader.fought);
    if fought {
        game.count(&mut state);
    }
    Ok(state)
}

struct Reader<'a> {
    content: &'a Content,
    fields: &'a Described,
    state: State,
    /// True if all sectors of the Battle are fought.
    fought: bool,
}

/// The place of an id among those that are known.
fn index(id: &str, path: &str, ids: &[&str]) -> Read<usize> {
    ids.iter()
        .position(|known| *known == id)
        .map_or_else(|| fault(path, format!("one of {} is expected", ids.join(", "))), Ok)
}

/// The thing of an id.
fn thing<T: Numbered>(id: &str, path: &str, ids: &[&str]) -> Read<T> {
    index(id, path, ids).map(T::new)
}

/// The things of a list of ids.
fn list<T: Numbered>(listed: &[String], field: &str, ids: &[&str]) -> Read<Vec<T>> {
    let read = |(place, id): (usize, &String)| thing(id, &format!("{field}[{place}]"), ids);
    listed.iter().enumerate().map(read).collect()
}

impl Reader<'_> {
    fn time(&mut self) -> Read<()> {
        if let Some(turn) = self.fields.turn {
            self.state.turn = within(1..=60, "turn", turn)? as u8;
        }
        let [first, last] = [self.state.first, self.state.last].map(|war| war.index() as i64 + 1);
        if let Some(war) = self.fields.war {
            self.state.war = WarId::new(within(first..=last, "war", war)? as usize - 1);
        }
        if let Some(zeal) = self.fields.zeal {
            self.state.zeal = within(0..=self.content.numbers.zeal.max.into(), "zeal", zeal)? as u8;
        }
        Ok(())
    }

    fn tracks(&mut self) -> Read<()> {
        for (id, &value) in &self.fields.tracks {
            let path = format!("tracks.{id}");
            let track: TrackId = thing(id, &path, &TRACK_IDS)?;
            self.state.tracks[track] = within(0..=5, &path, value)? as u8;
        }
        for (id, &value) in &self.fields.drm {
            let path = format!("drm.{id}");
            let track: TrackId = thing(id, &path, &TRACK_IDS)?;
            self.state.drm[track] = within(-9..=9, &path, value)? as i8;
        }
        if let Some(troubles) = &self.fields.troubles {
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
        for (id, fields) in &self.fields.armies {
            let path = format!("armies.{id}");
            let army: ArmyId = thing(id, &path, &ARMY_IDS)?;
            self.army(army, &path, fields)?;
        }
        for (id, (owner, click)) in &self.fields.fortresses {
            let path = format!("fortresses.{id}");
            let fort: FortId = thing(id, &path, &FORT_IDS)?;
            let royalist = index(owner, &path, &["parliament", "royalist"])? == 1;
            let click = within(1..=5, &path, *click)? as u8;
            self.state.forts[fort] = Fort { royalist, click, fortified: 0 };
        }
        self.troubles_of_the_realm()
    }

    fn army(&mut self, army: ArmyId, path: &str, fields: &DescribedArmy) -> Read<()> {
        let unit = &mut self.state.armies[army];
        if let Some(area) = fields.area {
            unit.area = within(i64::from(army > WEST)..=5, &format!("{path}.area"), area)? as u8;
        }
        if let Some(markers) = fields.markers {
            unit.markers = within(-9..=9, &format!("{path}.markers"), markers)? as i8;
        }
        unit.disordered = fields.disordered.unwrap_or(unit.disordered);
        if let Some(counter) = &fields.counter {
            let counters = &self.content.counters;
            let ours: Vec<CounterId> =
                CounterId::all(self.content).filter(|&counter| counters[counter].army == army).collect();
            let ids: Vec<&str> = ours.iter().map(|&counter| counters[counter].named.id.as_str()).collect();
            unit.counter = ours[index(counter, &format!("{path}.counter"), &ids)?];
        }
        Ok(())
    }

    fn troubles_of_the_realm(&mut self) -> Read<()> {
        let numbers = &self.content.numbers;
        let revolts = ids(numbers.revolts.iter().map(|revolt| &revolt.named));
        for (id, (region, area)) in &self.fields.revolts {
            let path = format!("revolts.{id}");
            let revolt: RevoltId = thing(id, &path, &revolts)?;
            let region = thing(region, &path, &ARMY_IDS[..2])?;
            let area = within(1..=5, &path, *area)? as u8;
            self.state.revolts[revolt] = Some(RevoltArea { region, area });
        }
        let markers = ids(numbers.deviltry.iter().map(|marker| &marker.named));
        if let Some(there) = &self.fields.deviltry {
            self.state.deviltry = list(there, "deviltry", &markers)?.into_iter().collect();
        }
        let rewards = ids(numbers.rewards.iter().map(|reward| &reward.named));
        for (id, &state) in &self.fields.rewards {
            let reward: RewardId = thing(id, &format!("rewards.{id}"), &rewards)?;
            self.state.found.insert(reward);
            if state == Reward::Waiting {
                self.state.waiting.insert(reward);
            }
        }
        Ok(())
    }

    fn cards(&mut self) -> Read<()> {
        let cards = ids(self.content.cards.iter().map(|card| &card.named));
        let mut achievements = SetOf::EMPTY;
        for (field, listed) in [("available", &self.fields.available), ("achieved", &self.fields.achieved)] {
            let Some(listed) = listed else { continue };
            let listed: Vec<CardId> = list(listed, field, &cards)?;
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
        self.state.seen |= list(&self.fields.seen, "seen", &cards)?.into_iter().collect();
        if let Some(current) = &self.fields.current {
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
        if let Some(holding) = &self.fields.holding {
            let holding: Vec<FormationId> = list(holding, "holding", &kinds)?;
            own_named(self.content).for_each(|kind| self.state.pool[kind] = 0);
            for kind in holding {
                if own_named(self.content).all(|own| own != kind) {
                    return fault("holding", "Named units of Parliament are expected");
                }
                self.state.pool[kind] = 1;
            }
        }
        for kind in list::<FormationId>(&self.fields.recovery, "recovery", &kinds)? {
            if !self.content.formations[kind].is_named {
                return fault("recovery", "Named units are expected");
            }
            self.state.pool[kind] = 0;
            self.state.recovery.insert(kind);
        }
        for kind in list::<FormationId>(&self.fields.removed, "removed", &kinds)? {
            if self.state.pool[kind] == 0 {
                return fault("removed", format!("no more of {} are in the pool", kinds[kind]));
            }
            self.state.pool[kind] -= 1;
        }
        Ok(())
    }

    fn battle_cards(&mut self) -> Read<()> {
        let cards = ids(self.content.battle_cards.iter().map(|card| &card.named));
        let given = self.fields;
        for (field, listed) in [
            ("hand", &given.hand),
            ("battle_discard", &given.battle_discard),
            ("battle_out", &given.battle_out),
        ] {
            for card in list::<BattleCardId>(listed, field, &cards)? {
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
        for (place, id) in self.fields.flags.iter().enumerate() {
            let flag = index(id, &format!("flags[{place}]"), &names)?;
            self.state.set(FLAGS[flag].1, true);
        }
        if let Some(target) = &self.fields.zeal_marker {
            let targets: Vec<String> = Target::all().map(|target| target_id(self.content, target)).collect();
            let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
            self.state.zeal_on = Some(Target::of(index(target, "zeal_marker", &targets)?));
            self.state.set(Flags::ZEAL_PLACED, true);
        }
        Ok(())
    }

    fn flow(&mut self) -> Read<()> {
        let at = self.fields.at;
        if self.state.turn == 0 && at != Point::Turn {
            self.state.turn = 1;
        }
        if self.state.current.is_none() && !matches!(at, Point::Turn | Point::Reveal) {
            return fault("current", "the Event card of the turn is expected");
        }
        match at {
            Point::Action => {
                self.state.frames.open(Frame::Turn { next: Phase::EndTimes });
                self.state.frames.open(Frame::Actions);
            }
            Point::Turn => {}
            Point::Reveal => {
                self.state.current = None;
                self.state.frames.open(Frame::Turn { next: Phase::Action });
                self.state.frames.open(Frame::Reveal);
            }
            Point::Event | Point::Battle => {
                let event = self.state.current.map(|card| self.content.cards[card].kind);
                let Some(CardKind::Event { list }) = event else {
                    return fault("current", "an Event card is expected");
                };
                let ops = &self.content.lists[list];
                let mut next = within(0..=ops.len() as i64, "item", self.fields.item.unwrap_or(0))? as u8;
                if at == Point::Battle {
                    let Some(battle) = ops.iter().position(|op| *op == Op::Battle) else {
                        return fault("current", "a card with a Battle is expected");
                    };
                    next = battle as u8 + 1;
                }
                self.state.frames.open(Frame::Turn { next: Phase::Action });
                self.state.frames.open(Frame::Items { list, next });
                if at == Point::Battle {
                    self.battle()?;
                    self.state.frames.open(Frame::Battle);
                }
            }
            Point::EndTimes => self.state.frames.open(Frame::Turn { next: Phase::EndTimes }),
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
        let Some(fields) = &self.fields.battle else {
            return fault("battle", "an object with army, sector, line and boxes is expected");
        };
        let kinds = ids(self.content.formations.iter().map(|formation| &formation.named));
        let army = thing(&fields.army, "battle.army", &ARMY_IDS[..2])?;
        let sector = within(1..=5, "battle.sector", fields.sector)? as usize - 1;
        self.fought = sector == SECTORS;
        self.state.battle.army = Some(army);
        self.state.battle.sector = SectorId::new(sector.min(SECTORS - 1));
        self.state.battle.stage = Stage::Before;
        for (slot, kind) in &fields.line {
            let path = format!("battle.line.{slot}");
            let slot: SlotId = thing(slot, &path, &SLOT_IDS)?;
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
        for (slot, place) in &fields.boxes {
            let path = format!("battle.boxes.{slot}");
            let slot: SlotId = thing(slot, &path, &SLOT_IDS)?;
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
