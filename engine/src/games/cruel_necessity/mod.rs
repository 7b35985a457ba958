//! Cruel Necessity, a solitaire game of the English Civil Wars, 1640 to 1653. Rules: `engine/content/cruel-necessity/rules.toml`.
//!
//! One seat, and nothing hidden: what nobody has seen is undrawn, so a view holds all of a state. The cards of the published game
//! are not at hand; what stands for them is marked as a reconstruction.

mod actions;
mod bot;
mod catalogue;
mod chance;
mod codec;
mod content;
mod flow;
mod frames;
mod phrases;
mod position;
mod procedures;
mod resample;
mod rules;
mod score;
mod setup;
mod state;
mod turn_state;
mod view;

use std::ops::ControlFlow;

use rand_core::Rng;
use smallvec::smallvec;

use crate::action::ActionId;
use crate::catalogue::Catalogue;
use crate::chance::{Chance, Class, Outcome};
use crate::codec::{Coding, DecodeError, Reader, Writer};
use crate::content::{ContentErrors, ContentFiles};
use crate::event::{Events, Scene};
use crate::game::{Game, MatchResult, Node};
use crate::numbered::Listed;
use crate::position::PositionError;
use crate::refusal::Why;
use crate::seat::{Observer, Seat};
use crate::setup::Setup;
use crate::view::{Board, BoardChanges, TurnState, View};

use actions::Actions;
pub use bot::ironside;
use content::{Content, WarId};
use frames::Frame;
use procedures::battle::battle_asks;
pub use state::State;

/// The one seat: the Puritan Parliamentary player.
pub(crate) const PLAYER: Seat = Seat::new(0);

/// The game, with its content.
#[derive(Debug)]
pub struct CruelNecessity {
    content: Content,
    catalogue: Catalogue,
    actions: Actions,
}

impl CruelNecessity {
    /// Its id in the catalogue.
    pub const ID: &str = "cruel-necessity";
    /// The deepest nesting of its procedures, by their names, outermost first: a state has no room for more.
    pub const DEEPEST: &[&str] = &frames::DEEPEST;

    /// The content that comes with the engine.
    #[must_use]
    pub fn builtin() -> ContentFiles {
        content::builtin()
    }

    /// Reads the game's content.
    ///
    /// # Errors
    /// Every fault of the content, by file, record and field.
    pub fn load(files: &ContentFiles) -> Result<Self, ContentErrors> {
        let content = Content::load(files)?;
        let (catalogue, actions) = catalogue::build(&content, files)?;
        Ok(Self { content, catalogue, actions })
    }

    /// The score of a state in Victory Points (5.0).
    #[must_use]
    pub fn score(&self, state: &State) -> i32 {
        score::score(&self.content, state)
    }

    /// Looks at the board before a fact, if anybody listens.
    fn scene(&self, state: &State, out: &Events) -> Scene<State> {
        Scene::open(self, state, 1, out)
    }
}

impl Game for CruelNecessity {
    type State = State;

    fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    fn start(&self, setup: &Setup) -> State {
        self.set_up(setup)
    }

    fn open(&self, state: &mut State, out: &mut Events) {
        self.settle(state, out);
    }

    fn resignation(&self, state: &State, _: usize, seat: Seat) -> MatchResult {
        self.given_up(state, seat)
    }

    fn position(&self, setup: &Setup, position: &serde_json::Value) -> Result<State, PositionError> {
        position::read(self, setup, position)
    }

    fn node(&self, state: &State) -> Node {
        let asked = match state.frames.top() {
            None if state.verdict.is_some() => return Node::Over,
            // Nothing is under way before the first turn has begun.
            None => false,
            Some(Frame::Battle) => battle_asks(state.battle.stage),
            Some(frame) => frame.asked().is_some(),
        };
        if asked { Node::Decision(PLAYER) } else { Node::Chance }
    }

    fn result(&self, state: &State) -> Option<MatchResult> {
        self.ending_of(state)
    }

    fn bound(&self, setup: &Setup) -> u32 {
        // A turn turns up at most 21 cards, with a choice each; its Event has at most some 12 items of 8 dice, and a Battle of
        // 120 actions and draws. At most 16 Zeal Points are spent in it, on actions of at most 4 actions and dice, beside 20 others.
        let (first, last) = setup::wars(setup);
        let wars = WarId::all(&self.content).filter(|war| (first..=last).contains(war));
        let cards: u32 = wars.map(|war| self.content.decks[war].count()).sum();
        cards * (2 + 12 * 8 + 120 + 16 * 4 + 20)
    }

    fn candidates(&self, state: &State, _: Seat, into: &mut Vec<ActionId>) {
        self.list_candidates(state, &mut |action| into.push(self.actions.id(action)));
    }

    /// As the contract has it, without the way through ids for what is not legal.
    fn legal(&self, state: &State, seat: Seat, into: &mut Vec<ActionId>) {
        into.clear();
        if seat != PLAYER || !matches!(self.node(state), Node::Decision(_)) {
            return;
        }
        // The Action Phase is asked most often: its frame is looked at once, not for each action.
        if state.frames.top() == Some(&Frame::Actions) {
            self.offer_action_phase(state, &mut |action| {
                if self.examine_action_phase(state, action, &mut Why::quiet()).is_continue() {
                    into.push(self.actions.id(action));
                }
            });
        } else {
            self.list_candidates(state, &mut |action| {
                if self.examine_action(state, action, &mut Why::quiet()).is_continue() {
                    into.push(self.actions.id(action));
                }
            });
        }
    }

    fn examine(&self, state: &State, _: Seat, action: ActionId, why: &mut Why) -> ControlFlow<()> {
        self.examine_action(state, self.actions.get(action), why)
    }

    fn apply(&self, state: &mut State, _: Seat, action: ActionId, out: &mut Events) {
        self.apply_action(state, self.actions.get(action), out);
        self.settle(state, out);
    }

    fn chance(&self, state: &State) -> Chance {
        self.chance_of(state)
    }

    fn roll_classes(&self, state: &State) -> Vec<Class> {
        self.roll_results(state)
    }

    fn resolve(&self, state: &mut State, outcome: &Outcome, out: &mut Events) {
        self.resolve_outcome(state, outcome, out);
        self.settle(state, out);
    }

    fn board(&self, state: &State, _: Observer) -> Board {
        view::board(self, state)
    }

    fn board_changes(&self, before: &State, after: &State, observers: &[Observer]) -> BoardChanges {
        let changes = view::board_changes(self, before, after);
        smallvec![changes; observers.len()]
    }

    fn known_may_differ(&self, _: &State, _: &State) -> bool {
        false
    }

    fn turn_state(&self, state: &State, _: Observer) -> TurnState {
        turn_state::turn_state(self, state)
    }

    fn resample(&self, setup: &Setup, view: &View, _: &mut dyn Rng) -> State {
        resample::resample(self, setup, view)
    }

    fn scramble(&self, state: &State, _: Seat, _: &mut dyn Rng) -> State {
        state.clone()
    }

    fn encode(&self, state: &State, into: &mut Writer) {
        <State as Coding<Content>>::encode(state, into);
    }

    fn decode(&self, from: &mut Reader<'_>) -> Result<State, DecodeError> {
        State::decode_sound(&self.content, from)
    }
}
