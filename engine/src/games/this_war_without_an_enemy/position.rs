//! A state from a described position, at the start of a phase of a Turn.
//!
//! ```json
//! { "turn": "1643-i", "phase": "operations", "player_1": "royalist",
//!   "cards": { "royalist": "r-ap4-1", "parliament": "p-mining" },
//!   "hands": { "royalist": ["r-ap4-2"] }, "discards": {}, "decks": {},
//!   "blocks": { "r-charles": { "at": "oxfordshire", "strength": 3, "by": "gloucestershire" } },
//!   "sieges": { "oxford": 2 }, "tactics": { "royalist": "oxfordshire" }, "walls": true }
//! ```
//! Blocks that are not named are in the pool; `setup: true` starts from the set-up instead. `by` is the Area that a block came from
//! into a Contested Area. `phase` is initiative, events, operations, tactics, battles, sieges, supply, resolution or year-end.

use serde_json::{Map, Value};

use crate::deck::CardSet;
use crate::event::Events;
use crate::numbered::Listed;
use crate::position::PositionError;
use crate::seat::Seat;
use crate::setup::Setup;

use super::ThisWar;
use super::content::CardEvent;
use super::content::things::{AreaId, BlockId, CityId, Place};
use super::frames::Frame;
use super::state::{FREE, Flags, State, UNMARKED};

const FIELDS: [&str; 12] = [
    "turn", "phase", "player_1", "cards", "hands", "discards", "decks", "blocks", "sieges", "tactics",
    "walls", "setup",
];
const PHASES: [&str; 9] = [
    "initiative",
    "events",
    "operations",
    "tactics",
    "battles",
    "sieges",
    "supply",
    "resolution",
    "year-end",
];

type Fault = PositionError;

fn fault<T>(field: impl Into<String>, what: impl Into<String>) -> Result<T, Fault> {
    Err(Fault::new(field, what))
}

struct Reader<'a> {
    game: &'a ThisWar,
    fields: &'a Map<String, Value>,
}

pub(super) fn read(game: &ThisWar, _: &Setup, position: &Value) -> Result<State, Fault> {
    let Some(fields) = position.as_object() else { return fault("", "an object is expected") };
    if let Some(field) = fields.keys().find(|field| !FIELDS.contains(&field.as_str())) {
        return fault(field, format!("one of {} is expected", FIELDS.join(", ")));
    }
    let reader = Reader { game, fields };
    let mut state = State::new(&game.content);
    reader.turn(&mut state)?;
    reader.cards(&mut state)?;
    reader.blocks(&mut state)?;
    reader.sieges(&mut state)?;
    reader.tactics(&mut state)?;
    let phase = fields.get("phase").map_or(Some("operations"), Value::as_str);
    let phase = phase.filter(|phase| PHASES.contains(phase));
    let Some(phase) = phase else { return fault("phase", format!("one of {}", PHASES.join(", "))) };
    let cards = state.cards.iter().all(Option::is_some);
    if phase != "initiative" && phase != "year-end" && !cards {
        return fault("cards", "the cards of the Turn are needed for this phase");
    }
    if phase == "initiative" && state.hands.iter().any(|hand| hand.is_empty()) {
        return fault("hands", "each side needs a card to choose");
    }
    if phase == "year-end" && state.turn != 1 {
        return fault("turn", "the Year End comes after 1642-vi");
    }
    state.frames.open(match phase {
        "initiative" => Frame::Initiative,
        "events" => Frame::OpEvents { done: 0 },
        "operations" => Frame::Operations { done: 0 },
        "tactics" => Frame::TacticalEvents { done: 0 },
        "battles" => Frame::Battles,
        "sieges" => Frame::Sieges,
        "supply" => Frame::Supply { done: 0, area: 0 },
        "resolution" => Frame::Resolution { city: 0 },
        _ => Frame::YearEnd { done: 0 },
    });
    if phase == "initiative" {
        state.cards = [None; 2];
    }
    let contested = AreaId::all(&game.content).find(|&area| state.contested(&game.content, area));
    let fought = matches!(phase, "tactics" | "battles");
    if let Some(area) = contested.filter(|_| !fought) {
        let id = &game.content.areas[area].named.id;
        return fault("blocks", format!("both sides stand in {id}: only before Battles"));
    }
    game.settle(&mut state, &mut Events::silent());
    Ok(state)
}

impl Reader<'_> {
    fn object(&self, field: &str) -> Result<Vec<(String, &Value)>, Fault> {
        match self.fields.get(field) {
            None => Ok(Vec::new()),
            Some(Value::Object(map)) => Ok(map.iter().map(|(key, value)| (key.clone(), value)).collect()),
            Some(_) => fault(field, "an object is expected"),
        }
    }

    fn flag(&self, field: &str) -> Result<bool, Fault> {
        match self.fields.get(field) {
            None => Ok(false),
            Some(value) => value.as_bool().map_or_else(|| fault(field, "true or false is expected"), Ok),
        }
    }

    fn side(path: &str, id: &str) -> Result<Seat, Fault> {
        match id {
            "royalist" => Ok(Seat::new(0)),
            "parliament" => Ok(Seat::new(1)),
            _ => fault(path, "royalist or parliament is expected"),
        }
    }

    fn area(&self, path: &str, id: &str) -> Result<AreaId, Fault> {
        let at = self.game.content.areas.iter().position(|area| area.named.id == id);
        at.map_or_else(|| fault(path, "the id of an Area is expected"), |at| Ok(AreaId::new(at)))
    }

    fn city(&self, path: &str, id: &str) -> Result<CityId, Fault> {
        let at = self.game.content.cities.iter().position(|city| city.named.id == id);
        at.map_or_else(|| fault(path, "the id of a City is expected"), |at| Ok(CityId::new(at)))
    }

    fn card(&self, path: &str, value: &Value, side: Seat) -> Result<u16, Fault> {
        let id = value.as_str().unwrap_or("");
        let content = &self.game.content;
        let used = CardSet(content.first_deck[side.index()].0 | content.second_deck[side.index()].0);
        let at = content.cards.iter().position(|card| card.named.id == id && card.side == side);
        match at.map(|at| at as u16).filter(|&at| used.contains(at)) {
            Some(card) => Ok(card),
            None => fault(path, "the id of a card of that side, used in this game, is expected"),
        }
    }

    fn turn(&self, state: &mut State) -> Result<(), Fault> {
        let turns: Vec<String> =
            self.game.content.turns.iter().map(|(name, _)| name.to_lowercase().replace(' ', "-")).collect();
        if let Some(value) = self.fields.get("turn") {
            let at = turns.iter().position(|turn| Some(turn.as_str()) == value.as_str());
            let Some(at) = at else { return fault("turn", format!("one of {}", turns.join(", "))) };
            state.turn = at as u8;
        }
        if let Some(value) = self.fields.get("player_1") {
            state.player1 = Self::side("player_1", value.as_str().unwrap_or(""))?;
        }
        state.walls = self.flag("walls")?;
        Ok(())
    }

    fn cards(&self, state: &mut State) -> Result<(), Fault> {
        if state.turn >= 2 {
            for side in 0..2 {
                state.decks[side].0 |= self.game.content.second_deck[side].0;
            }
        }
        let mut taken = CardSet::default();
        let mut take = |state: &mut State, side: Seat, card: u16, path: &str| {
            if taken.contains(card) {
                return fault(path, "a card stands in one place");
            }
            taken.insert(card);
            state.decks[side.index()].remove(card);
            Ok(())
        };
        for (id, value) in self.object("cards")? {
            let path = format!("cards.{id}");
            let side = Self::side(&path, &id)?;
            let card = self.card(&path, value, side)?;
            take(state, side, card, &path)?;
            state.cards[side.index()] = Some(card);
            let def = &self.game.content.card(card);
            state.mining[side.index()] = def.event == Some(CardEvent::Mining);
            if def.event == Some(CardEvent::QuartermasterGeneral) {
                state.exempt[side.index()] = def.amount;
            }
        }
        for field in ["hands", "discards"] {
            for (id, value) in self.object(field)? {
                let path = format!("{field}.{id}");
                let side = Self::side(&path, &id)?;
                let Some(list) = value.as_array() else { return fault(path, "a list of cards is expected") };
                for (index, value) in list.iter().enumerate() {
                    let path = format!("{path}[{index}]");
                    let card = self.card(&path, value, side)?;
                    take(state, side, card, &path)?;
                    let set = if field == "hands" { &mut state.hands } else { &mut state.discards };
                    set[side.index()].insert(card);
                }
            }
        }
        // Cards neither in a hand nor laid aside are in the deck, but for a list of what is left of it.
        for (id, value) in self.object("decks")? {
            let path = format!("decks.{id}");
            let side = Self::side(&path, &id)?;
            let Some(list) = value.as_array() else { return fault(path, "a list of cards is expected") };
            let mut left = CardSet::default();
            for (index, value) in list.iter().enumerate() {
                let path = format!("{path}[{index}]");
                let card = self.card(&path, value, side)?;
                if !state.decks[side.index()].contains(card) {
                    return fault(path, "a card stands in one place");
                }
                left.insert(card);
            }
            state.played[side.index()].0 |= state.decks[side.index()].0 & !left.0;
            state.decks[side.index()] = left;
        }
        Ok(())
    }

    fn blocks(&self, state: &mut State) -> Result<(), Fault> {
        let content = &self.game.content;
        if !self.flag("setup")? {
            for block in BlockId::all(content) {
                let entry = &mut state.blocks[block];
                (entry.at, entry.strength, entry.seen) = (Place::POOL, 0, 0);
            }
        }
        for (id, value) in self.object("blocks")? {
            let path = format!("blocks.{id}");
            let block = content.blocks.iter().position(|block| block.named.id == id);
            let Some(block) = block.map(BlockId::new) else {
                return fault(path, "the id of a block is expected");
            };
            let Some(fields) = value.as_object() else { return fault(path, "an object is expected") };
            let known = ["at", "strength", "by", "moved"];
            if let Some(field) = fields.keys().find(|field| !known.contains(&field.as_str())) {
                return fault(format!("{path}.{field}"), format!("one of {} is expected", known.join(", ")));
            }
            let at = fields.get("at").and_then(Value::as_str).unwrap_or("");
            let entry = &mut state.blocks[block];
            if at == "pool" {
                (entry.at, entry.strength, entry.seen) = (Place::POOL, 0, 0);
                continue;
            }
            let place = format!("{path}.at");
            entry.at = match content.areas.iter().position(|area| area.named.id == at) {
                Some(area) => Place::new(area),
                None => {
                    let city = self.city(&place, at)?;
                    if !content.cities[city].fortified {
                        return fault(place, "an Area, a Fortified City or pool is expected");
                    }
                    content.city_place(city)
                }
            };
            let most = u64::from(content.blocks[block].strength);
            let strength = fields.get("strength").map_or(Some(most), Value::as_u64);
            let strength = strength.filter(|strength| (1..=most).contains(strength));
            let Some(strength) = strength else {
                return fault(format!("{path}.strength"), format!("1 to {most} is expected"));
            };
            (entry.strength, entry.seen) = (strength as u8, strength as u8);
            if let Some(by) = fields.get("by") {
                let from = self.area(&format!("{path}.by"), by.as_str().unwrap_or(""))?;
                let way = content.as_area(entry.at).and_then(|at| content.way(from, at));
                let Some(way) = way else {
                    return fault(format!("{path}.by"), "a neighbour is expected");
                };
                entry.by = Some(from);
                entry.flags |= Flags::MOVED;
                // 7.6: by a border that both crossed, Player 2 was the last.
                let (entered, side) = (&mut state.entered[way.out], content.blocks[block].side);
                if *entered == 0 || side != state.player1 {
                    *entered = side.index() as u8 + 1;
                }
            }
            match fields.get("moved").map(Value::as_bool) {
                None | Some(Some(false)) => {}
                Some(Some(true)) => state.blocks[block].flags |= Flags::MOVED,
                Some(None) => return fault(format!("{path}.moved"), "true or false is expected"),
            }
        }
        state.count_places(content);
        // Blocks that came by a border that is not Contested have no trace of it.
        for area in AreaId::all(content) {
            if !state.contested(content, area) {
                for block in state.at(area) {
                    state.blocks[block].by = None;
                }
            }
        }
        Ok(())
    }

    fn sieges(&self, state: &mut State) -> Result<(), Fault> {
        let content = &self.game.content;
        state.siege = [FREE; super::state::CITIES];
        for id in CityId::all(content) {
            let city = &content.cities[id];
            let within = state.at(content.city_place(id));
            if within.is_empty() {
                continue;
            }
            let path = format!("blocks, {}", city.named.id);
            let sides = [0, 1].map(|side| within.meets(content.of_side[side]));
            if sides == [true, true] {
                return fault(path, "a City holds blocks of one side");
            }
            if (within & content.field()).count() > u32::from(city.size) {
                return fault(path, "more Infantry and Cavalry blocks than the City holds");
            }
            let enemy = Seat::new(u8::from(sides[0]));
            if state.out(content, city.area, enemy).is_empty() {
                return fault(path, "blocks are in a City only while enemies stand outside");
            }
            // With own blocks outside that did not come as a relief, the City is not Besieged.
            let own = state.out(content, city.area, enemy.other());
            let relief = own.iter().all(|block| state.blocks[block].by.is_some());
            if relief {
                state.siege[id] = UNMARKED;
                let field = state.out(content, city.area, enemy) & content.field();
                if field.count() >= u32::from(city.size) {
                    state.siege[id] = 0;
                }
            }
        }
        for (id, value) in self.object("sieges")? {
            let path = format!("sieges.{id}");
            let city = self.city(&path, &id)?;
            let most = content.marker_max() as u64;
            let value = value.as_u64().filter(|value| *value <= most);
            let Some(value) = value else { return fault(path, format!("0 to {most} is expected")) };
            if state.siege[city] < 0 {
                return fault(path, "no Siege with enough besiegers is there");
            }
            state.siege[city] = value as i8;
        }
        Ok(())
    }

    fn tactics(&self, state: &mut State) -> Result<(), Fault> {
        for (id, value) in self.object("tactics")? {
            let path = format!("tactics.{id}");
            let side = Self::side(&path, &id)?;
            let area = self.area(&path, value.as_str().unwrap_or(""))?;
            if !self.game.tactic_fits(state, side, area) {
                return fault(path, "the card's event can't work there");
            }
            state.tactic[side.index()] = Some(area);
        }
        Ok(())
    }
}
