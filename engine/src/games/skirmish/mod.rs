//! Skirmish: a training game with one of each thing that the contract offers, and the worked example of
//! docs/adding-a-game.md. Rules: `engine/content/skirmish/rules.toml`.

mod actions;
mod catalogue;
mod codec;
mod content;
mod flow;
mod frames;
mod phrases;
mod position;
mod procedures;
mod resample;
mod rules;
mod scramble;
mod state;
mod turn_state;
mod view;

use std::ops::ControlFlow;

use rand_core::Rng;

use crate::action::{ActionId, Actions};
use crate::cards::CardLayout;
use crate::catalogue::Catalogue;
use crate::chance::{Chance, Class, Outcome, Weighted};
use crate::codec::{DecodeError, Reader, Writer};
use crate::content::{ContentErrors, ContentFiles};
use crate::event::Events;
use crate::game::{Game, MatchResult, Node};
use crate::position::PositionError;
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::{Observer, Seat};
use crate::setup::Setup;
use crate::view::{Board, HiddenSet, TurnState, View};

use actions::Action;
use content::Content;
use frames::Frame;
pub use state::State;

/// Bags of cards, by stretch: dawn 0, dusk 1.
const STREAM_CARDS: u32 = 0;
/// The garrison's faces.
const STREAM_GARRISON: u32 = 2;
/// All dice, and the choice among backs.
const STREAM_FIELD: u32 = 3;

/// The training game, with its content.
#[derive(Debug)]
pub struct Skirmish {
    content: Content,
    catalogue: Catalogue,
    actions: Actions<Action>,
    cards: CardLayout,
}

impl Skirmish {
    /// Its id in the catalogue.
    pub const ID: &str = "skirmish";

    /// The content that comes with the engine.
    #[must_use]
    pub fn builtin() -> ContentFiles {
        crate::builtin_content!("skirmish": "board.toml", "cards.toml", "rules.toml")
    }

    /// Reads the game's content.
    ///
    /// # Errors
    /// Every fault of the content, by file, record and field.
    pub fn load(files: &ContentFiles) -> Result<Self, ContentErrors> {
        let content = Content::load(files)?;
        let (catalogue, actions) = catalogue::build(&content, files)?;
        let cards = CardLayout::new(&catalogue.piles, content.backs());
        Ok(Self { content, catalogue, actions, cards })
    }
}

impl Game for Skirmish {
    type State = State;

    fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    fn start(&self, setup: &Setup) -> State {
        let mut state = State::new(&self.content, setup.scenario() == catalogue::DRILL);
        self.settle(&mut state, &mut Events::silent());
        state
    }

    fn position(&self, setup: &Setup, position: &serde_json::Value) -> Result<State, PositionError> {
        position::read(self, setup, position)
    }

    fn node(&self, state: &State) -> Node {
        match state.frames.top() {
            None => Node::Over,
            Some(Frame::Choose) => Node::Sealed(state.choice.to_act(state.choosers())),
            Some(
                Frame::Activation { seat, .. }
                | Frame::March { seat, .. }
                | Frame::Interception { asked: seat, by: None, .. },
            ) => Node::Decision(*seat),
            Some(Frame::Battle { beaten: Some(seat), .. } | Frame::Bonus { seat, card: Some(_) }) => {
                Node::Decision(*seat)
            }
            Some(_) => Node::Chance,
        }
    }

    fn result(&self, state: &State) -> Option<MatchResult> {
        state.result.filter(|_| state.frames.is_empty()).map(|result| result.result(state.seats()))
    }

    fn bound(&self, _: &Setup) -> u32 {
        // A turn: 12 deals, 4 actions of choice, and two activations. In one of these four blocks march once each, so there are
        // at most four marches (begun, made, met, with a die, a battle and a retreat), four blocks named, four bonus cards
        // (drawn, spent, a back turned up), and the end of it. Four faces of the garrison are drawn in all.
        u32::from(self.content.turns) * (12 + 4 + 2 * (4 * 6 + 4 + 4 * 3 + 1)) + 4
    }

    fn candidates(&self, state: &State, seat: Seat, into: &mut Vec<ActionId>) {
        self.list_candidates(state, seat, into);
    }

    fn examine(&self, state: &State, seat: Seat, action: ActionId, why: &mut Why) -> ControlFlow<()> {
        self.examine_action(state, seat, self.actions.get(action), why)
    }

    fn apply(&self, state: &mut State, seat: Seat, action: ActionId, out: &mut Events) {
        self.apply_action(state, seat, self.actions.get(action), out);
        self.settle(state, out);
    }

    fn chance(&self, state: &State) -> Chance {
        match state.frames.top() {
            Some(Frame::Interception { .. }) => Chance::Roll { stream: STREAM_FIELD, dice: 1, sides: 6 },
            Some(&Frame::Battle { at, .. }) if state.undrawn(at).is_some() => {
                let face = |face: u8| Weighted { what: Ref::Kind(face.into()), weight: 1 };
                Chance::Choice { stream: STREAM_GARRISON, options: state.garrison_pool().map(face).collect() }
            }
            Some(&Frame::Battle { at, attacker, .. }) => {
                let dice = state.fighters(at, attacker).len() as u8;
                Chance::Roll { stream: STREAM_FIELD, dice, sides: 6 }
            }
            Some(&Frame::Scout { seat, at }) => {
                let back = |block: usize| Weighted { what: Ref::Piece(block as u16), weight: 1 };
                let options = state.backs(seat.other(), at).map(back).collect();
                Chance::Choice { stream: STREAM_FIELD, options }
            }
            _ => {
                let deck = state.next_deck().expect("a card is drawn only while there are any");
                state.cards.draw(deck, STREAM_CARDS + u32::from(deck - catalogue::STRETCH), 0)
            }
        }
    }

    fn roll_classes(&self, state: &State) -> Vec<Class> {
        self.classes(state)
    }

    fn resolve(&self, state: &mut State, outcome: &Outcome, out: &mut Events) {
        self.resolve_outcome(state, outcome, out);
        self.settle(state, out);
    }

    fn board(&self, state: &State, observer: Observer) -> Board {
        view::board(self, state, observer)
    }

    fn known(&self, state: &State, observer: Observer) -> Vec<HiddenSet> {
        view::known(self, state, observer)
    }

    fn turn_state(&self, state: &State, observer: Observer) -> TurnState {
        turn_state::turn_state(self, state, observer)
    }

    fn resample(&self, setup: &Setup, view: &View, rng: &mut dyn Rng) -> State {
        resample::resample(self, setup, view, rng)
    }

    fn scramble(&self, state: &State, seat: Seat, rng: &mut dyn Rng) -> State {
        scramble::scramble(self, state, seat, rng)
    }

    fn encode(&self, state: &State, into: &mut Writer) {
        state.encode(into);
    }

    fn decode(&self, from: &mut Reader<'_>) -> Result<State, DecodeError> {
        State::decode(&self.content, from)
    }
}
