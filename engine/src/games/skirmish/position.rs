//! A state from a described position: the start of a turn's choice of cards.
//!
//! ```json
//! { "turn": 2,
//!   "blocks": { "north": { "1": "bridge", "4": "lost" }, "south": { "2": "mill" } },
//!   "hands": { "north": ["fife"], "south": ["drum", "waggon"] } }
//! ```
//! Blocks that are not named stand in their camp (in the drill: the garrison's at their posts). Cards in hands leave the deck.

use serde::Deserialize;
use serde_json::Value;

use crate::deck::CardSet;
use crate::position::{ById, PositionError, among, by_seat, cards, fields, within};
use crate::vocabulary::*;

use super::Skirmish;
use super::catalogue::{DRILL, HAND, STRETCH};
use super::frames::Frame;
use super::state::{LOST, SIDE, State};

/// The fields of a position.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Described {
    turn: i64,
    /// The space of each block, by side and number.
    blocks: ById<ById<String>>,
    /// Cards, by side.
    hands: ById<Vec<String>>,
}

impl Default for Described {
    fn default() -> Self {
        Self { turn: 1, blocks: ById::new(), hands: ById::new() }
    }
}

pub(super) fn read(game: &Skirmish, setup: &Setup, position: &Value) -> Result<State, PositionError> {
    let described: Described = fields(position)?;
    let mut state = State::new(&game.content, setup.scenario() == DRILL);
    state.turn = within(1..=game.content.turns.into(), "turn", described.turn)? as u8;
    blocks(game, &mut state, &described)?;
    hands(game, &mut state, &described)?;
    deck_without_hands(game, &mut state)?;
    check(game, &state)?;
    state.frames.open(Frame::Choose);
    game.settle(&mut state, &mut Events::silent());
    Ok(state)
}

fn blocks(game: &Skirmish, state: &mut State, described: &Described) -> Result<(), PositionError> {
    for (side, path, numbered) in by_seat(&game.catalogue, "blocks", &described.blocks)? {
        for (number, space) in numbered {
            let path = format!("{path}.{number}");
            let block = number.parse::<usize>().ok().filter(|number| (1..=SIDE).contains(number));
            let block =
                block.ok_or_else(|| PositionError::new(&path, format!("blocks are numbered 1 to {SIDE}")))?;
            if state.drill && side.index() == 1 {
                return Err(PositionError::new(path, "the drill's garrison stands at its posts"));
            }
            let block = &mut state.blocks[side.index() * SIDE + block - 1];
            block.at = space_of(game, &path, space)?;
            block.seen = block.at == LOST;
        }
    }
    Ok(())
}

fn space_of(game: &Skirmish, path: &str, id: &str) -> Result<u8, PositionError> {
    if id == "lost" {
        return Ok(LOST);
    }
    let ids = game.content.spaces.iter().map(|space| space.id.as_str());
    among(ids, path, id, "a space's id, or lost,").map(|space| space as u8)
}

fn hands(game: &Skirmish, state: &mut State, described: &Described) -> Result<(), PositionError> {
    for (side, path, ids) in by_seat(&game.catalogue, "hands", &described.hands)? {
        for (path, card) in cards(&game.catalogue, &path, ids)? {
            if (state.cards.of(HAND) | state.cards.of(HAND + 1)).contains(card) {
                let id = game.catalogue.id_of(Ref::Card(card));
                let expected = format!("`{id}`: a card that is in no hand yet is expected");
                return Err(PositionError::new(path, expected));
            }
            let hand = HAND + side.index() as u16;
            state.cards.lay(hand, state.cards.of(hand) | CardSet::of([card]));
        }
    }
    Ok(())
}

/// The decks hold the cards that are in no hand.
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
