//! A state from a described position: the start of a turn's choice of cards.
//!
//! ```json
//! { "turn": 2,
//!   "blocks": { "north": { "1": "bridge", "4": "lost" }, "south": { "2": "mill" } },
//!   "hands": { "north": ["fife"], "south": ["drum", "waggon"] } }
//! ```
//! Blocks that are not named stand in their camp (in the drill: the garrison's at their posts). Cards in hands leave the deck.

use serde_json::Value;

use crate::deck::CardSet;
use crate::position::PositionError;
use crate::vocabulary::*;

use super::Skirmish;
use super::catalogue::{DRILL, HAND, STRETCH};
use super::frames::Frame;
use super::state::{LOST, SIDE, State};

pub(super) fn read(game: &Skirmish, setup: &Setup, position: &Value) -> Result<State, PositionError> {
    let mut state = State::new(&game.content, setup.scenario() == DRILL);
    let fields = position.as_object().ok_or_else(|| PositionError::new("", "an object is expected"))?;
    if let Some(field) = fields.keys().find(|field| !["turn", "blocks", "hands"].contains(&field.as_str())) {
        return Err(PositionError::new(field, "only turn, blocks and hands are known"));
    }
    let turns = u64::from(game.content.turns);
    let turn = fields.get("turn").map_or(Some(1), Value::as_u64).filter(|turn| (1..=turns).contains(turn));
    state.turn = turn
        .ok_or_else(|| PositionError::new("turn", format!("a number from 1 to {turns} is expected")))?
        as u8;
    let seats = &game.catalogue.seats;
    for (side, named) in seats_of(game, fields.get("blocks"), "blocks")? {
        let path = format!("blocks.{}", seats[side].id);
        let blocks = named
            .as_object()
            .ok_or_else(|| PositionError::new(&path, "block numbers with spaces are expected"))?;
        for (number, space) in blocks {
            let field = format!("{path}.{number}");
            let block = number.parse::<usize>().ok().filter(|number| (1..=SIDE).contains(number));
            let block = block
                .ok_or_else(|| PositionError::new(&field, format!("blocks are numbered 1 to {SIDE}")))?;
            if state.drill && side == 1 {
                return Err(PositionError::new(&field, "the drill's garrison stands at its posts"));
            }
            let block = &mut state.blocks[side * SIDE + block - 1];
            block.at = space_of(game, space)
                .ok_or_else(|| PositionError::new(&field, "a space's id, or lost, is expected"))?;
            block.seen = block.at == LOST;
        }
    }
    for (side, cards) in seats_of(game, fields.get("hands"), "hands")? {
        let path = format!("hands.{}", seats[side].id);
        let cards =
            cards.as_array().ok_or_else(|| PositionError::new(&path, "a list of cards is expected"))?;
        for (index, card) in cards.iter().enumerate() {
            let field = format!("{path}[{index}]");
            let id = card.as_str().unwrap_or("");
            let card =
                game.content.card_names.iter().position(|named| named.id == id).map(|card| card as u16);
            let free = card.filter(|&card| !(state.cards.of(HAND) | state.cards.of(HAND + 1)).contains(card));
            let free = free
                .ok_or_else(|| PositionError::new(&field, "a card's id, not in a hand yet, is expected"))?;
            let hand = HAND + side as u16;
            state.cards.lay(hand, state.cards.of(hand) | CardSet::of([free]));
        }
    }
    deck_without_hands(game, &mut state)?;
    check(game, &state)?;
    state.frames.open(Frame::Choose);
    game.settle(&mut state, &mut crate::event::Events::silent());
    Ok(state)
}

/// The sides that a field names, by index.
fn seats_of<'a>(
    game: &Skirmish,
    field: Option<&'a Value>,
    path: &str,
) -> Result<Vec<(usize, &'a Value)>, PositionError> {
    let Some(field) = field else { return Ok(Vec::new()) };
    let sides = field.as_object().ok_or_else(|| PositionError::new(path, "an object by side is expected"))?;
    let seat = |id: &String| game.catalogue.seats.iter().position(|seat| seat.id == id);
    let named = |(id, value): (&String, &'a Value)| match seat(id) {
        Some(seat) => Ok((seat, value)),
        None => Err(PositionError::new(format!("{path}.{id}"), "north or south is expected")),
    };
    sides.iter().map(named).collect()
}

fn space_of(game: &Skirmish, space: &Value) -> Option<u8> {
    match space.as_str()? {
        "lost" => Some(LOST),
        id => game.content.spaces.iter().position(|named| named.id == id).map(|space| space as u8),
    }
}

fn deck_without_hands(game: &Skirmish, state: &mut State) -> Result<(), PositionError> {
    let held = state.cards.of(HAND) | state.cards.of(HAND + 1);
    for stretch in 0..2 {
        let all = game.content.stretch(stretch);
        let out = (all & held).len() as u8;
        let slots = game.content.slots(stretch).checked_sub(out);
        let slots =
            slots.ok_or_else(|| PositionError::new("hands", "more cards of a stretch are held than come"))?;
        state.cards.lay_deck(STRETCH + stretch as u16, all - held, slots);
    }
    if state.drill && !state.cards.of(HAND + 1).is_empty() {
        return Err(PositionError::new("hands.south", "the garrison has no cards"));
    }
    Ok(())
}

/// One side a space, and both sides alive.
fn check(game: &Skirmish, state: &State) -> Result<(), PositionError> {
    for block in &state.blocks[..SIDE] {
        let shared = block.at != LOST && state.blocks[SIDE..].iter().any(|other| other.at == block.at);
        if shared {
            let space = game.catalogue.id_of(Ref::Space(block.at.into()));
            return Err(PositionError::new("blocks", format!("one side a space: both are at {space}")));
        }
    }
    let alive = |side: &[super::state::Block]| side.iter().any(|block| block.at != LOST);
    if alive(&state.blocks[..SIDE]) && alive(&state.blocks[SIDE..]) {
        Ok(())
    } else {
        Err(PositionError::new("blocks", "each side needs a block that is not lost"))
    }
}
