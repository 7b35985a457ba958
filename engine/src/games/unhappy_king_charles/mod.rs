//! Unhappy King Charles! (GMT Games, 2008): cards, hidden Brigades, sieges, a whole war. Two players, 1642 to 1645.
//!
//! The game is under way and not in the registry: its content stands, its rules are being written. The files: README.md beside this one.

mod actions;
mod catalogue;
pub mod content;
mod flow;
mod frames;
mod procedures;
mod rules;
mod state;

use crate::action::ActionIndex;
use crate::catalogue::Catalogue;
use crate::view::{Board, TurnState};
use crate::vocabulary::*;

use actions::Action;
use content::Content;
pub use state::State;

/// Streams of the seed (ruling T26): Battle, chits, events' dice.
const STREAM_ENVIRONMENT: u32 = 0;
/// Interception, Evasion, Bombardment, Assault, honours: of the Royalist, and behind it of Parliament.
const STREAM_DICE: u32 = 1;
/// Cards of the Early, Mid and Late decks.
const STREAM_DECKS: u32 = 3;
/// Alt-Hist cards.
const STREAM_ALT_HIST: u32 = 6;
/// The first deal.
const STREAM_FIRST_DEAL: u32 = 7;
/// Parliament's draws from the discard pile.
const STREAM_DISCARD: u32 = 8;
/// The Solemn League, which lies alone in its part of the deck.
const STREAM_LEAGUE: u32 = 11;
/// Removals from the Royalist's hand, and behind it from Parliament's.
const STREAM_REMOVALS: u32 = 9;

/// The game, with its content.
#[derive(Debug)]
pub struct UnhappyKing {
    content: Content,
    catalogue: Catalogue,
    actions: ActionIndex<Action>,
}

impl Game for UnhappyKing {
    type State = State;

    fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    fn start(&self, _: &Setup) -> State {
        unimplemented!()
    }

    fn node(&self, state: &State) -> Node {
        self.node_of(state)
    }

    fn result(&self, state: &State) -> Option<MatchResult> {
        state.result.filter(|_| state.frames.is_empty()).map(state::Verdict::result)
    }

    fn bound(&self, _: &Setup) -> u32 {
        200_000
    }

    fn candidates(&self, state: &State, seat: Seat, into: &mut Vec<ActionId>) {
        self.offer_action(state, seat, &mut |action| into.push(self.actions.id(action)));
    }

    fn examine(&self, state: &State, seat: Seat, action: ActionId, why: &mut Why) -> ControlFlow<()> {
        self.examine_action(state, seat, self.actions.get(action), why)
    }

    fn apply(&self, state: &mut State, seat: Seat, action: ActionId, out: &mut Events) {
        self.apply_action(state, seat, self.actions.get(action), out);
        self.settle(state, out);
    }

    fn chance(&self, state: &State) -> Chance {
        self.chance_of(state)
    }

    fn roll_classes(&self, state: &State) -> Vec<Class> {
        self.classes(state)
    }

    fn resolve(&self, state: &mut State, outcome: &Outcome, out: &mut Events) {
        self.resolve_outcome(state, outcome, out);
        self.settle(state, out);
    }

    fn board(&self, _: &State, _: Observer) -> Board {
        Board::default()
    }

    fn turn_state(&self, _: &State, _: Observer) -> TurnState {
        unimplemented!()
    }

    fn resample(&self, _: &Setup, _: &crate::view::View, _: &mut dyn rand_core::Rng) -> State {
        unimplemented!()
    }

    fn scramble(&self, _: &State, _: Seat, _: &mut dyn rand_core::Rng) -> State {
        unimplemented!()
    }

    fn encode(&self, _: &State, _: &mut crate::codec::Writer) {
        unimplemented!()
    }

    fn decode(&self, _: &mut crate::codec::Reader<'_>) -> Result<State, crate::codec::DecodeError> {
        unimplemented!()
    }
}
