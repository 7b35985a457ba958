//! The canonical encoding of a state.

use crate::codec::{Coding, DecodeError, Flagged, Reader, Writer};
use crate::deck::CardSet;
use crate::flow::{Count, Frames, Side};
use crate::numbered::Listed;

use super::actions::Card;
use super::content::Content;
use super::content::things::{AreaId, BlockId, CityId, CitySet, Place};
use super::frames::{DEPTH, Frame};
use super::state::{Block, Choosing, FREE, Fight, Flags, State, Verdict};

/// A set of cards, of which there are at most 64.
enum Cards {}

impl Coding<Content> for Cards {
    type Value = CardSet;

    fn encode(value: &CardSet, to: &mut Writer) {
        to.u64(value.0 as u64);
    }

    fn decode(content: &Content, from: &mut Reader<'_>) -> Result<CardSet, DecodeError> {
        let error = from.error("a set of cards");
        let set = CardSet(from.u64()?.into());
        if set.0 >> content.cards.len() == 0 { Ok(set) } else { Err(error) }
    }
}

impl Coding<Content> for Flags {
    type Value = Self;

    fn encode(value: &Self, to: &mut Writer) {
        to.u16(value.bits());
    }

    fn decode(_: &Content, from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let error = from.error("flags");
        Self::from_bits(from.u16()?).ok_or(error)
    }
}

/// Cities in two bytes.
enum Cities {}

impl Coding<Content> for Cities {
    type Value = CitySet;

    fn encode(value: &CitySet, to: &mut Writer) {
        to.u16(value.bits() as u16);
    }

    fn decode(content: &Content, from: &mut Reader<'_>) -> Result<CitySet, DecodeError> {
        let error = from.error("a set of Cities");
        let set = CitySet::of_bits(from.u16()?.into());
        if (set - CityId::all(content).collect()).is_empty() { Ok(set) } else { Err(error) }
    }
}

crate::coded! {
    Choosing, of Content { picks: Cards, committed: bool }
    Block, of Content {
        at: Place,
        strength: u8,
        by: Option<AreaId>,
        began: Option<AreaId>,
        via: Option<AreaId>,
        seen: Count<5>,
        bag: BlockId,
        flags: Flags,
    }
    Verdict, of Content { major: bool, winner: Side }
}

fn put<K: Coding<Content>>(value: &K::Value, to: &mut Writer) {
    K::encode(value, to);
}

fn get<K: Coding<Content>>(content: &Content, from: &mut Reader<'_>) -> Result<K::Value, DecodeError> {
    K::decode(content, from)
}

pub(super) fn encode(content: &Content, state: &State, to: &mut Writer) {
    to.u8(state.turn);
    put::<Side>(&state.player1, to);
    for side in 0..2 {
        put::<Flagged<Card>>(&state.cards[side], to);
        for pile in [&state.hands, &state.decks, &state.discards, &state.played, &state.removed] {
            put::<Cards>(&pile[side], to);
        }
        put::<Choosing>(&state.choosing[side], to);
        put::<Option<AreaId>>(&state.tactic[side], to);
        to.bool(state.mining[side]);
        to.u8(state.exempt[side]);
    }
    to.bool(state.walls);
    for block in BlockId::all(content) {
        put::<Block>(&state.blocks[block], to);
        put::<[u8; 2]>(&state.stir[block], to);
    }
    for crossing in 0..content.crossings.len() {
        to.u8(state.crossed[crossing]);
        to.u8(state.entered[crossing]);
    }
    for city in 0..content.cities.len() {
        to.u8((state.siege[city] - FREE) as u8);
    }
    put::<Cities>(&state.resolved, to);
    state.short.iter().take(content.areas.len()).for_each(|&short| to.u8(short));
    to.option(state.last, |to, (place, up)| {
        put::<Place>(&place, to);
        to.bool(up);
    });
    put::<Flagged<Fight>>(&state.fight, to);
    put::<Frames<Frame, DEPTH>>(&state.frames, to);
    put::<Flagged<Verdict>>(&state.result, to);
}

pub(super) fn decode(content: &Content, from: &mut Reader<'_>) -> Result<State, DecodeError> {
    let mut state = State::new(content);
    state.turn = from.below(content.turns.len() as u8, "a turn")?;
    state.player1 = get::<Side>(content, from)?;
    for side in 0..2 {
        state.cards[side] = get::<Flagged<Card>>(content, from)?;
        for pile in
            [&mut state.hands, &mut state.decks, &mut state.discards, &mut state.played, &mut state.removed]
        {
            pile[side] = get::<Cards>(content, from)?;
        }
        state.choosing[side] = get::<Choosing>(content, from)?;
        state.tactic[side] = get::<Option<AreaId>>(content, from)?;
        state.mining[side] = from.bool()?;
        state.exempt[side] = from.below(7, "a number of exemptions")?;
    }
    state.walls = from.bool()?;
    for block in BlockId::all(content) {
        let error = from.error("a block, no stronger than it may be");
        state.blocks[block] = get::<Block>(content, from)?;
        if state.blocks[block].strength > content.blocks[block].strength {
            return Err(error);
        }
        state.stir[block] = get::<[u8; 2]>(content, from)?;
    }
    state.count_places(content);
    for crossing in 0..content.crossings.len() {
        state.crossed[crossing] = from.u8()?;
        state.entered[crossing] = from.below(3, "a seat, or nobody")?;
    }
    for city in 0..content.cities.len() {
        state.siege[city] = FREE + from.below(content.marker_max() as u8 + 3, "a Siege Marker")? as i8;
    }
    state.resolved = get::<Cities>(content, from)?;
    for area in 0..content.areas.len() {
        state.short[area] = from.below(content.blocks.len() as u8, "a number of blocks short of supply")?;
    }
    state.last = from.option(|from| Ok((get::<Place>(content, from)?, from.bool()?)))?;
    state.fight = get::<Flagged<Fight>>(content, from)?;
    state.frames = get::<Frames<Frame, DEPTH>>(content, from)?;
    let in_fight = state.frames.iter().any(|frame| matches!(frame, Frame::Fight));
    if in_fight != state.fight.is_some() {
        return Err(from.error("a fight, and the procedure that it is"));
    }
    state.result = get::<Flagged<Verdict>>(content, from)?;
    Ok(state)
}
