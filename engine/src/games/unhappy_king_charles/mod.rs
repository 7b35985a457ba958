//! Unhappy King Charles! (GMT Games, 2008): cards, hidden Brigades, sieges, a whole war. Two players, 1642 to 1645.
//! Rules: `engine/content/unhappy-king-charles/rules.toml`; the files: README.md beside this one.

mod actions;
mod bot;
mod catalogue;
mod codec;
pub mod content;
mod flow;
mod frames;
mod odds;
mod phrases;
mod position;
mod procedures;
mod remembered;
mod resample;
mod rules;
mod scramble;
mod state;
mod turn_state;
mod view;
mod world_weight;

use crate::codec::{Coding, DecodeError, Reader, Writer};
use crate::view::BoardChanges;
use crate::vocabulary::*;

pub use bot::colonel;
use content::set_up::RuleOption;
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
/// The Solemn League, the one card of its segment.
const STREAM_LEAGUE: u32 = 11;
/// Removals from the Royalist's hand, and behind it from Parliament's.
const STREAM_REMOVALS: u32 = 9;

/// The most actions and chance events of a match (ruling X8): 110 cards, some 40 more that are drawn again, three Activations at most on
/// each, and an Activation has four entries of a hundred choices each.
const BOUND: u32 = 200_000;

crate::game! {
    /// The game, with its content.
    pub struct UnhappyKing, "unhappy-king-charles": "areas.toml", "brigades.toml", "cards.toml", "game.toml", "leaders.toml", "lines.toml",
    "rules.toml", "setup.toml", "turns.toml"
}

impl UnhappyKing {
    /// The optional rules of a match (17.1, 18.0).
    fn options(setup: &Setup) -> [bool; content::OPTIONS] {
        RuleOption::ALL.map(|rule| setup.option(rule as usize) != 0)
    }

    /// Goes on after an action or an outcome, and counts the procedures with windows that begin by it.
    fn go_on(&self, state: &mut State, enclosing: usize, out: &mut Events) {
        self.settle(state, out);
        if turn_state::enclosing(state) > enclosing {
            state.procedures = state.procedures.wrapping_add(1);
        }
    }
}

impl Game for UnhappyKing {
    type State = State;

    crate::game_parts!(catalogue, position, view, turn_state, resample, scramble);

    fn start(&self, setup: &Setup) -> State {
        State::new(&self.content, Self::options(setup))
    }

    fn open(&self, state: &mut State, out: &mut Events) {
        self.settle(state, out);
    }

    fn node(&self, state: &State) -> Node {
        self.node_of(state)
    }

    fn result(&self, state: &State) -> Option<MatchResult> {
        state.result.filter(|_| state.frames.is_empty()).map(state::Verdict::result)
    }

    fn bound(&self, _: &Setup) -> u32 {
        BOUND
    }

    fn candidates(&self, state: &State, seat: Seat, into: &mut Vec<ActionId>) {
        self.offer_action(state, seat, &mut |action| into.push(self.actions.id(action)));
    }

    fn examine(&self, state: &State, seat: Seat, action: ActionId, why: &mut Why) -> ControlFlow<()> {
        self.examine_action(state, seat, self.actions.get(action), why)
    }

    fn default_choice(&self, state: &State, seat: Seat, legal: &[ActionId]) -> Option<ActionId> {
        self.default_play(state, seat, legal)
    }

    fn apply(&self, state: &mut State, seat: Seat, action: ActionId, out: &mut Events) {
        let enclosing = turn_state::enclosing(state);
        self.apply_action(state, seat, self.actions.get(action), out);
        self.go_on(state, enclosing, out);
    }

    fn chance(&self, state: &State) -> Chance {
        self.chance_of(state)
    }

    fn roll_classes(&self, state: &State) -> Vec<Class> {
        self.classes(state)
    }

    fn resolve(&self, state: &mut State, outcome: &Outcome, out: &mut Events) {
        let enclosing = turn_state::enclosing(state);
        self.resolve_outcome(state, outcome, out);
        self.go_on(state, enclosing, out);
    }

    fn board_changes(&self, before: &State, after: &State, observers: &[Observer]) -> BoardChanges {
        view::board_changes(self, before, after, observers)
    }

    fn known_may_differ(&self, before: &State, after: &State) -> bool {
        view::known_may_differ(before, after)
    }

    /// H5, H11: selection of deserters passes over Areas with none but Irish and Covenanters, face down though they are.
    fn announces(&self, code: &str) -> bool {
        matches!(code, "desertion_category" | "nobody_deserts")
    }

    fn world_weight(&self, state: &State, seat: Seat) -> u64 {
        world_weight::world_weight(self, state, seat)
    }

    fn encode(&self, state: &State, into: &mut Writer) {
        State::encode(state, into);
    }

    fn decode(&self, from: &mut Reader<'_>) -> Result<State, DecodeError> {
        let state = State::decode(&self.content, from)?;
        codec::check(self, &state).map_err(|expected| from.error(expected))?;
        Ok(state)
    }
}
