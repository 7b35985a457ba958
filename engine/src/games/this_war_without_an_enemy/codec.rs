//! The canonical encoding of a state.

use crate::codec::{DecodeError, Reader, Writer};
use crate::deck::CardSet;
use crate::seat::Seat;

use super::content::Content;
use super::frames::Frame;
use super::state::{
    Block, Choosing, FREE, Fight, FightKind, NONE, POOL, Relief, Stage, State, UNMARKED, Verdict,
};

/// The greatest strength that a block can have.
const STRENGTH_BOUND: u8 = 5;
/// All flags.
const FLAGS: u16 = (1 << 14) - 1;
/// The greatest depth of the flow.
const DEPTH: usize = 8;

fn seat_of(seat: Seat) -> u8 {
    seat.index() as u8
}

pub(super) fn encode(content: &Content, state: &State, to: &mut Writer) {
    to.u8(state.turn);
    to.u8(seat_of(state.player1));
    for side in 0..2 {
        to.option(state.cards[side], Writer::u16);
        for set in [
            state.hands[side],
            state.decks[side],
            state.discards[side],
            state.played[side],
            state.removed[side],
            state.choosing[side].picks,
        ] {
            to.u64(set.0 as u64);
        }
        to.bool(state.choosing[side].committed);
        to.u8(state.tactic[side]);
        to.bool(state.mining[side]);
        to.u8(state.exempt[side]);
    }
    to.bool(state.walls);
    for (block, stir) in state.blocks.iter().zip(&state.stir).take(content.blocks.len()) {
        for value in [block.at, block.strength, block.by, block.began, block.via, block.seen, block.bag] {
            to.u8(value);
        }
        to.u16(block.flags);
        to.u8(stir[0]);
        to.u8(stir[1]);
    }
    for edge in 0..content.edges.len() {
        to.u8(state.crossed[edge]);
        to.u8(state.entered[edge]);
    }
    for city in 0..content.cities.len() {
        to.u8((state.siege[city] - FREE) as u8);
    }
    to.u16(state.resolved);
    state.short.iter().take(content.areas.len()).for_each(|&short| to.u8(short));
    to.option(state.last, |to, (place, up)| {
        to.u8(place);
        to.bool(up);
    });
    to.option(state.fight, encode_fight);
    let frames: Vec<Frame> = state.frames.iter().copied().collect();
    to.list(&frames, |to, frame| frame.encode(to));
    to.option(state.result, |to, result| {
        to.bool(result.major);
        to.u8(seat_of(result.winner));
    });
}

fn encode_fight(to: &mut Writer, fight: Fight) {
    let bytes = [
        fight.kind as u8,
        fight.stage as u8,
        fight.area,
        fight.city,
        seat_of(fight.attacker),
        u8::from(fight.swapped),
        fight.main,
        fight.relief as u8,
        fight.round,
        u8::from(fight.tried),
        fight.horse[0],
        fight.horse[1],
        u8::from(fight.guns),
        u8::from(fight.horse_only),
        u8::from(fight.withdrawn),
        u8::from(fight.waits),
        fight.owed,
        fight.force,
        u8::from(fight.breach),
        fight.ask,
        fight.stand[0],
        fight.stand[1],
        fight.well[0],
        fight.well[1],
        fight.hits[0],
        fight.hits[1],
        fight.hits[2],
        u8::from(fight.spill),
        seat_of(fight.struck),
        fight.goal,
    ];
    bytes.into_iter().for_each(|byte| to.u8(byte));
    to.option(fight.loser, |to, seat| to.u8(seat_of(seat)));
    for set in [fight.halves, fight.declared, fight.at_horse, fight.touched] {
        to.u64(set);
    }
}

/// Bounds of what is read.
struct Bounds {
    areas: u8,
    places: u8,
    cities: u8,
    blocks: u8,
    cards: u16,
    /// Blocks and Areas as sets.
    block_set: u64,
    area_set: u64,
}

type Read<T> = Result<T, DecodeError>;

impl Bounds {
    fn card_set(&self, from: &mut Reader<'_>) -> Read<CardSet> {
        let error = from.error("a set of cards");
        let set = from.u64()?;
        if self.cards < 64 && set >> self.cards != 0 { Err(error) } else { Ok(CardSet(set.into())) }
    }

    fn or_none(bound: u8, from: &mut Reader<'_>, expected: &'static str) -> Read<u8> {
        let error = from.error(expected);
        let value = from.u8()?;
        if value < bound || value == NONE { Ok(value) } else { Err(error) }
    }

    fn set(within: u64, from: &mut Reader<'_>, expected: &'static str) -> Read<u64> {
        let error = from.error(expected);
        let set = from.u64()?;
        if set & !within == 0 { Ok(set) } else { Err(error) }
    }
}

fn seat(from: &mut Reader<'_>) -> Read<Seat> {
    from.below(2, "a seat").map(Seat::new)
}

pub(super) fn decode(content: &Content, from: &mut Reader<'_>) -> Read<State> {
    let bounds = Bounds {
        areas: content.areas.len() as u8,
        places: content.places() as u8,
        cities: content.cities.len() as u8,
        blocks: content.blocks.len() as u8,
        cards: content.cards.len() as u16,
        block_set: content.of_side[0] | content.of_side[1],
        area_set: u64::MAX >> (64 - content.areas.len()),
    };
    let mut state = State::new(content);
    state.turn = from.below(content.turns.len() as u8, "a turn")?;
    state.player1 = seat(from)?;
    for side in 0..2 {
        state.cards[side] = from.option(|from| {
            let error = from.error("a card");
            from.u16().and_then(|card| if card < bounds.cards { Ok(card) } else { Err(error) })
        })?;
        state.hands[side] = bounds.card_set(from)?;
        state.decks[side] = bounds.card_set(from)?;
        state.discards[side] = bounds.card_set(from)?;
        state.played[side] = bounds.card_set(from)?;
        state.removed[side] = bounds.card_set(from)?;
        state.choosing[side] = Choosing { picks: bounds.card_set(from)?, committed: from.bool()? };
        state.tactic[side] = Bounds::or_none(bounds.areas, from, "an Area")?;
        state.mining[side] = from.bool()?;
        state.exempt[side] = from.below(7, "a number of exemptions")?;
    }
    state.walls = from.bool()?;
    for block in 0..content.blocks.len() {
        let error = from.error("a place");
        let at = Some(from.u8()?).filter(|&at| at < bounds.places || at == POOL).ok_or(error)?;
        let strength = from.below(content.blocks[block].strength + 1, "a strength")?;
        let by = Bounds::or_none(bounds.areas, from, "an Area")?;
        let began = Bounds::or_none(bounds.areas, from, "an Area")?;
        let via = Bounds::or_none(bounds.areas, from, "an Area")?;
        let seen = from.below(STRENGTH_BOUND, "a strength")?;
        let bag = from.below(bounds.blocks, "a bag")?;
        let error = from.error("flags");
        let flags = from.u16()?;
        if flags & !FLAGS != 0 {
            return Err(error);
        }
        state.blocks[block] = Block { at, strength, flags, by, began, via, seen, bag };
        state.stir[block] = [from.u8()?, from.u8()?];
    }
    state.count_places(content);
    for edge in 0..content.edges.len() {
        state.crossed[edge] = from.u8()?;
        state.entered[edge] = from.below(3, "a seat, or nobody")?;
    }
    for city in 0..content.cities.len() {
        state.siege[city] = FREE + from.below(content.marker_max() as u8 + 3, "a Siege Marker")? as i8;
        debug_assert!(state.siege[city] >= FREE && UNMARKED > FREE);
    }
    let error = from.error("a set of Cities");
    state.resolved = from.u16()?;
    if u32::from(state.resolved) >> bounds.cities != 0 {
        return Err(error);
    }
    for area in 0..content.areas.len() {
        state.short[area] = from.below(bounds.blocks, "a number of blocks short of supply")?;
    }
    state.last = from.option(|from| Ok((from.below(bounds.places, "a place")?, from.bool()?)))?;
    state.fight = from.option(|from| decode_fight(&bounds, from))?;
    for frame in from.list(DEPTH, |from| Frame::decode(content, from))? {
        state.frames.open(frame);
    }
    state.result = from.option(|from| Ok(Verdict { major: from.bool()?, winner: seat(from)? }))?;
    Ok(state)
}

fn decode_fight(bounds: &Bounds, from: &mut Reader<'_>) -> Read<Fight> {
    let kinds = [FightKind::Battle, FightKind::SallyBattle, FightKind::Sally, FightKind::Storm];
    let reliefs = [Relief::None, Relief::Unmarked, Relief::Maintained, Relief::Broken];
    let kind = kinds[usize::from(from.below(4, "a kind of fight")?)];
    let stage = Stage::ALL[usize::from(from.below(Stage::ALL.len() as u8, "a stage")?)];
    let area = from.below(bounds.areas, "an Area")?;
    let city = Bounds::or_none(bounds.cities, from, "a City")?;
    let mut fight = Fight::new(kind, stage, area, city, seat(from)?);
    fight.swapped = from.bool()?;
    fight.main = Bounds::or_none(bounds.areas, from, "an Area")?;
    fight.relief = reliefs[usize::from(from.below(4, "a relief")?)];
    fight.round = from.below(4, "a Round")?;
    fight.tried = from.bool()?;
    fight.horse = [from.u8()?, from.u8()?];
    fight.guns = from.bool()?;
    fight.horse_only = from.bool()?;
    fight.withdrawn = from.bool()?;
    fight.waits = from.bool()?;
    fight.owed = from.u8()?;
    fight.force = from.below(128, "events in force")?;
    fight.breach = from.bool()?;
    fight.ask = from.below(4, "a set of seats")?;
    for value in fight.stand.iter_mut().chain(&mut fight.well) {
        *value = Bounds::or_none(bounds.blocks, from, "a block")?;
    }
    for hits in &mut fight.hits {
        *hits = from.u8()?;
    }
    fight.spill = from.bool()?;
    fight.struck = seat(from)?;
    fight.goal = Bounds::or_none(bounds.areas.max(bounds.blocks), from, "a block or an Area")?;
    fight.loser = from.option(seat)?;
    fight.halves = Bounds::set(bounds.block_set, from, "a set of blocks")?;
    fight.declared = Bounds::set(bounds.block_set, from, "a set of blocks")?;
    fight.at_horse = Bounds::set(bounds.block_set, from, "a set of blocks")?;
    fight.touched = Bounds::set(bounds.area_set, from, "a set of Areas")?;
    Ok(fight)
}
