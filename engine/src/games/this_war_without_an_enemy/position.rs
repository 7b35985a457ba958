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

use serde::Deserialize;
use serde_json::Value;

use crate::deck::CardSet;
use crate::event::Events;
use crate::numbered::Listed;
use crate::position::{ById, PositionError, among, by_seat, fields, seat_of, within};
use crate::seat::Seat;
use crate::setup::Setup;

use super::ThisWar;
use super::content::things::{AreaId, BlockId, CityId};
use super::content::{CardEvent, Content};
use super::frames::Frame;
use super::state::{Block, FREE, Flags, State, UNMARKED};

type Result<T> = std::result::Result<T, PositionError>;

/// The fields of a position.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Described {
    turn: Option<String>,
    phase: Phase,
    player_1: Option<String>,
    cards: ById<String>,
    hands: ById<Vec<String>>,
    discards: ById<Vec<String>>,
    decks: ById<Vec<String>>,
    blocks: ById<DescribedBlock>,
    sieges: ById<i64>,
    tactics: ById<String>,
    walls: bool,
    setup: bool,
}

impl Default for Described {
    fn default() -> Self {
        Self {
            turn: None,
            phase: Phase::Operations,
            player_1: None,
            cards: ById::new(),
            hands: ById::new(),
            discards: ById::new(),
            decks: ById::new(),
            blocks: ById::new(),
            sieges: ById::new(),
            tactics: ById::new(),
            walls: false,
            setup: false,
        }
    }
}

/// A phase that a position begins with.
#[derive(Copy, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Phase {
    Initiative,
    Events,
    Operations,
    Tactics,
    Battles,
    Sieges,
    Supply,
    Resolution,
    YearEnd,
}

/// The fields of a block.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DescribedBlock {
    at: String,
    strength: Option<i64>,
    by: Option<String>,
    #[serde(default)]
    moved: bool,
}

pub(super) fn read(game: &ThisWar, _: &Setup, position: &Value) -> Result<State> {
    let described: Described = fields(position)?;
    let phase = described.phase;
    let mut state = State::new(&game.content);
    state.walls = described.walls;
    turn(game, &mut state, &described)?;
    cards(game, &mut state, &described)?;
    blocks(game, &mut state, &described)?;
    sieges(game, &mut state, &described)?;
    for (side, path, id) in by_seat(&game.catalogue, "tactics", &described.tactics)? {
        let area = area_of(&game.content, &path, id)?;
        if !game.tactic_fits(&state, side, area) {
            return Err(PositionError::new(path, "the card's event can't work there"));
        }
        state.tactic[side.index()] = Some(area);
    }
    begins(&state, phase)?;
    state.frames.open(match phase {
        Phase::Initiative => Frame::Initiative,
        Phase::Events => Frame::OpEvents { done: 0 },
        Phase::Operations => Frame::Operations { done: 0 },
        Phase::Tactics => Frame::TacticalEvents { done: 0 },
        Phase::Battles => Frame::Battles,
        Phase::Sieges => Frame::Sieges,
        Phase::Supply => Frame::Supply { done: 0, area: 0 },
        Phase::Resolution => Frame::Resolution { city: 0 },
        Phase::YearEnd => Frame::YearEnd { done: 0 },
    });
    if phase == Phase::Initiative {
        state.cards = [None; 2];
    }
    let contested = AreaId::all(&game.content).find(|&area| state.contested(&game.content, area));
    let fought = matches!(phase, Phase::Tactics | Phase::Battles);
    if let Some(area) = contested.filter(|_| !fought) {
        let id = &game.content.areas[area].named.id;
        return Err(PositionError::new("blocks", format!("both sides stand in {id}: only before Battles")));
    }
    game.settle(&mut state, &mut Events::silent());
    Ok(state)
}

/// Refuses a phase that can't begin so.
fn begins(state: &State, phase: Phase) -> Result<()> {
    let cards = state.cards.iter().all(Option::is_some);
    if !matches!(phase, Phase::Initiative | Phase::YearEnd) && !cards {
        return Err(PositionError::new("cards", "the cards of the Turn are needed for this phase"));
    }
    if phase == Phase::Initiative && state.hands.iter().any(|hand| hand.is_empty()) {
        return Err(PositionError::new("hands", "each side needs a card to choose"));
    }
    if phase == Phase::YearEnd && state.turn != 1 {
        return Err(PositionError::new("turn", "the Year End comes after 1642-vi"));
    }
    Ok(())
}

fn area_of(content: &Content, path: &str, id: &str) -> Result<AreaId> {
    let ids = content.areas.iter().map(|area| area.named.id.as_str());
    among(ids, path, id, "the id of an Area").map(AreaId::new)
}

fn city_of(content: &Content, path: &str, id: &str) -> Result<CityId> {
    let ids = content.cities.iter().map(|city| city.named.id.as_str());
    among(ids, path, id, "the id of a City").map(CityId::new)
}

fn turn(game: &ThisWar, state: &mut State, described: &Described) -> Result<()> {
    let turns = game.content.turns.iter().map(|(name, _)| name.to_lowercase().replace(' ', "-"));
    let turns: Vec<String> = turns.collect();
    if let Some(turn) = &described.turn {
        let one_of = format!("one of {}", turns.join(", "));
        state.turn = among(turns.iter().map(String::as_str), "turn", turn, &one_of)? as u8;
    }
    if let Some(player) = &described.player_1 {
        state.player1 = seat_of(&game.catalogue, "player_1", player)?;
    }
    Ok(())
}

/// A card of a side that this game uses.
fn card_of(content: &Content, path: &str, id: &str, side: Seat) -> Result<u16> {
    let used = CardSet(content.first_deck[side.index()].0 | content.second_deck[side.index()].0);
    let ids = content.cards.iter().map(|card| card.named.id.as_str());
    let expected = "the id of a card of that side, used in this game,";
    let card = among(ids, path, id, expected)? as u16;
    if used.contains(card) {
        return Ok(card);
    }
    Err(PositionError::new(path, format!("`{id}`: {expected} is expected")))
}

/// Cards neither shown, in a hand nor laid aside are in the deck, but for a list of what is left of it.
fn cards(game: &ThisWar, state: &mut State, described: &Described) -> Result<()> {
    let content = &game.content;
    if state.turn >= 2 {
        for side in 0..2 {
            state.decks[side].0 |= content.second_deck[side].0;
        }
    }
    let mut taken = CardSet::default();
    let mut take = |state: &mut State, side: Seat, card: u16, path: &str| {
        if taken.contains(card) {
            return Err(PositionError::new(path, "a card stands in one place"));
        }
        taken.insert(card);
        state.decks[side.index()].remove(card);
        Ok(())
    };
    for (side, path, id) in by_seat(&game.catalogue, "cards", &described.cards)? {
        let card = card_of(content, &path, id, side)?;
        take(state, side, card, &path)?;
        state.cards[side.index()] = Some(card);
        let def = content.card(card);
        state.mining[side.index()] = def.event == Some(CardEvent::Mining);
        if def.event == Some(CardEvent::QuartermasterGeneral) {
            state.exempt[side.index()] = def.amount;
        }
    }
    for (field, lists) in [("hands", &described.hands), ("discards", &described.discards)] {
        for (side, path, list) in by_seat(&game.catalogue, field, lists)? {
            for (index, id) in list.iter().enumerate() {
                let path = format!("{path}[{index}]");
                let card = card_of(content, &path, id, side)?;
                take(state, side, card, &path)?;
                let set = if field == "hands" { &mut state.hands } else { &mut state.discards };
                set[side.index()].insert(card);
            }
        }
    }
    for (side, path, list) in by_seat(&game.catalogue, "decks", &described.decks)? {
        let mut left = CardSet::default();
        for (index, id) in list.iter().enumerate() {
            let path = format!("{path}[{index}]");
            let card = card_of(content, &path, id, side)?;
            if !state.decks[side.index()].contains(card) {
                return Err(PositionError::new(path, "a card stands in one place"));
            }
            left.insert(card);
        }
        state.played[side.index()].0 |= state.decks[side.index()].0 & !left.0;
        state.decks[side.index()] = left;
    }
    Ok(())
}

fn blocks(game: &ThisWar, state: &mut State, described: &Described) -> Result<()> {
    let content = &game.content;
    if !described.setup {
        for block in BlockId::all(content) {
            state.blocks[block] = Block::pooled(block);
        }
    }
    for (id, fields) in &described.blocks {
        let path = format!("blocks.{id}");
        let ids = content.blocks.iter().map(|block| block.named.id.as_str());
        let block = BlockId::new(among(ids, &path, id, "the id of a block")?);
        stand(content, state, (block, &path), fields)?;
    }
    state.count_places(content);
    // Blocks that came by a border that is not Contested have no trace of it.
    for area in AreaId::all(content).filter(|&area| !state.contested(content, area)).collect::<Vec<_>>() {
        state.at(area).iter().for_each(|block| state.blocks[block].by = None);
    }
    Ok(())
}

/// Puts a block where its fields say.
fn stand(
    content: &Content,
    state: &mut State,
    (block, path): (BlockId, &str),
    fields: &DescribedBlock,
) -> Result<()> {
    let entry = &mut state.blocks[block];
    if fields.at == "pool" {
        *entry = Block::pooled(block);
        return Ok(());
    }
    let place = format!("{path}.at");
    let area = content.areas.iter().position(|area| area.named.id == fields.at).map(AreaId::new);
    entry.at = match area {
        Some(area) => area.into(),
        None => {
            let city = city_of(content, &place, &fields.at)?;
            if !content.cities[city].fortified {
                return Err(PositionError::new(place, "an Area, a Fortified City or pool is expected"));
            }
            content.city_place(city)
        }
    };
    let most = i64::from(content.blocks[block].strength);
    let strength = within(1..=most, &format!("{path}.strength"), fields.strength.unwrap_or(most))? as u8;
    (entry.strength, entry.seen) = (strength, strength);
    entry.flags.set(Flags::MOVED, fields.moved || fields.by.is_some());
    if let Some(by) = &fields.by {
        let path = format!("{path}.by");
        let from = area_of(content, &path, by)?;
        let way = area.and_then(|area| content.way(from, area));
        let way = way.ok_or_else(|| PositionError::new(path, "a neighbour is expected"))?;
        entry.by = Some(from);
        // 7.6: by a border that both crossed, Player 2 was the last.
        let (entered, side) = (&mut state.entered[way.out], content.blocks[block].side);
        if *entered == 0 || side != state.player1 {
            *entered = side.index() as u8 + 1;
        }
    }
    Ok(())
}

fn sieges(game: &ThisWar, state: &mut State, described: &Described) -> Result<()> {
    let content = &game.content;
    state.siege = [FREE; super::state::CITIES];
    CityId::all(content).try_for_each(|city| besiege(content, state, city))?;
    for (id, &marker) in &described.sieges {
        let path = format!("sieges.{id}");
        let city = city_of(content, &path, id)?;
        let marker = within(0..=i64::from(content.marker_max()), &path, marker)?;
        if state.siege[city] < 0 {
            return Err(PositionError::new(path, "no Siege with enough besiegers is there"));
        }
        state.siege[city] = marker as i8;
    }
    Ok(())
}

/// The Siege of a City that follows from where blocks stand, if they can stand so.
fn besiege(content: &Content, state: &mut State, id: CityId) -> Result<()> {
    let city = &content.cities[id];
    let within = state.at(content.city_place(id));
    if within.is_empty() {
        return Ok(());
    }
    let refuse = |what: &str| Err(PositionError::new(format!("blocks, {}", city.named.id), what));
    let sides = [0, 1].map(|side| within.meets(content.of_side[side]));
    if sides == [true, true] {
        return refuse("a City holds blocks of one side");
    }
    if (within & content.field()).count() > u32::from(city.size) {
        return refuse("more Infantry and Cavalry blocks than the City holds");
    }
    let enemy = Seat::new(u8::from(sides[0]));
    let besiegers = state.out(content, city.area, enemy);
    if besiegers.is_empty() {
        return refuse("blocks are in a City only while enemies stand outside");
    }
    // With own blocks outside that did not come as a relief, the City is not Besieged.
    let own = state.out(content, city.area, enemy.other());
    if own.iter().all(|block| state.blocks[block].by.is_some()) {
        let enough = (besiegers & content.field()).count() >= u32::from(city.size);
        state.siege[id] = if enough { 0 } else { UNMARKED };
    }
    Ok(())
}
