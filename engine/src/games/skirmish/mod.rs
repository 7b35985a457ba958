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

use crate::chance::Weighted;
use crate::vocabulary::*;

use frames::Frame;
pub use state::State;

/// Bags of cards, by stretch: dawn 0, dusk 1.
const STREAM_CARDS: u32 = 0;
/// The garrison's faces.
const STREAM_GARRISON: u32 = 2;
/// All dice, and the choice among backs.
const STREAM_FIELD: u32 = 3;

crate::game! {
    /// The training game, with its content.
    pub struct Skirmish, "skirmish": "board.toml", "cards.toml", "rules.toml"
}

impl Skirmish {
    /// The deepest nesting of its procedures, by their names, outermost first: a state has no room for more.
    pub const DEEPEST: &[&str] = &frames::DEEPEST;
    /// The most bonus cards that are owed at once: a state has no room for more.
    pub const OWED: usize = state::OWED;
}

impl Game for Skirmish {
    type State = State;

    crate::game_parts!(catalogue, position, flow, view, turn_state, resample, scramble, codec);

    fn start(&self, setup: &Setup) -> State {
        let mut state = State::new(&self.content, setup.scenario() == catalogue::DRILL);
        self.settle(&mut state, &mut Events::silent());
        state
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
}
