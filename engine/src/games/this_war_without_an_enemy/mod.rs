//! This War Without an Enemy, the introductory game: wooden blocks, sealed cards, sieges. Two players, 1642 to 1643.
//! Rules: `engine/content/this-war-without-an-enemy/rules.toml`; the files: README.md beside this one.

mod actions;
mod bot;
mod catalogue;
mod codec;
mod content;
mod flow;
mod frames;
mod odds;
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

use crate::action::{ActionId, ActionIndex};
use crate::catalogue::Catalogue;
use crate::chance::{Bag, Chance, Class, Outcome};
use crate::codec::{DecodeError, Reader, Writer};
use crate::content::{ContentErrors, ContentFiles};
use crate::event::Events;
use crate::game::{Game, MatchResult, Node};
use crate::position::PositionError;
use crate::refusal::Why;
use crate::seat::{Observer, Seat, SeatSet};
use crate::setup::Setup;
use crate::view::{Board, BoardChanges, HiddenSet, TurnState, View};

use actions::Action;
pub use bot::captain;
use content::Content;
use content::things::CityId;
use frames::Frame;
use procedures::dice;
pub use state::State;

/// Draws among backs, mines and bombardments.
const STREAM_FIELD: u32 = 0;
/// The dice of each side.
const STREAM_DICE: u32 = 1;
/// The decks of each side.
const STREAM_DECK: u32 = 3;
/// The most actions and chance events of a match (RULINGS 8): under 1,500 a Turn.
const BOUND: u32 = 20_000;

/// The game, with its content.
#[derive(Debug)]
pub struct ThisWarWithoutAnEnemy {
    content: Content,
    catalogue: Catalogue,
    actions: ActionIndex<Action>,
}

use ThisWarWithoutAnEnemy as ThisWar;

impl ThisWarWithoutAnEnemy {
    /// Its id in the catalogue.
    pub const ID: &str = "this-war-without-an-enemy";
    /// The deepest nesting of its procedures, by their names, outermost first: a state has no room for more.
    pub const DEEPEST: &[&str] = &frames::DEEPEST;

    /// The content that comes with the engine.
    #[must_use]
    pub fn builtin() -> ContentFiles {
        crate::builtin_content!(
            "this-war-without-an-enemy": "areas.toml", "borders.toml", "cities.toml", "blocks.toml", "cards.toml",
            "tables.toml", "rules.toml"
        )
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

    /// Returns the seat that the innermost procedure asks; `None` for dice.
    fn asked_seat(&self, state: &State) -> Option<Seat> {
        match *state.frames.top()? {
            Frame::Tie => Some(Seat::new(0)),
            Frame::Battles | Frame::Sieges => Some(state.player1),
            Frame::Attrition { city, .. } => Some(self.besieged(state, city)),
            Frame::Fight => self.fight_seat(state.fight.as_ref()?),
            frame => frame.asked(),
        }
    }
}

impl Game for ThisWarWithoutAnEnemy {
    type State = State;

    fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    fn start(&self, _: &Setup) -> State {
        let mut state = State::new(&self.content);
        state.frames.open(Frame::Deal { left: 2 * self.content.deal });
        self.settle(&mut state, &mut Events::silent());
        state
    }

    fn position(&self, setup: &Setup, position: &serde_json::Value) -> Result<State, PositionError> {
        position::read(self, setup, position)
    }

    fn node(&self, state: &State) -> Node {
        match state.frames.top() {
            None => Node::Over,
            Some(Frame::Discards | Frame::Initiative) => Node::Sealed(Self::to_act(state)),
            Some(_) => self.asked_seat(state).map_or(Node::Chance, Node::Decision),
        }
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

    fn apply(&self, state: &mut State, seat: Seat, action: ActionId, out: &mut Events) {
        let (sieges, fight) = (state.siege, state.fight);
        let cities = self.cities(state, out);
        self.apply_action(state, seat, self.actions.get(action), out);
        self.publish_cities(state, cities, out);
        self.settle(state, out);
        if self.has_revealed(state, seat, &sieges, fight.as_ref()) {
            out.revealed();
        }
    }

    fn chance(&self, state: &State) -> Chance {
        match (state.frames.top(), &state.fight) {
            (Some(Frame::Fight), Some(fight)) => self.fight_chance(state, fight),
            (Some(&Frame::Resolution { city }), _) => {
                let city = CityId::new(city);
                let stream = STREAM_DICE + self.besieged(state, city).index() as u32;
                Chance::Roll { stream, dice: 1, sides: 6 }
            }
            (Some(Frame::Deal { left }), _) => {
                let side = self.dealing(*left);
                let cards = state.decks[side].iter().collect();
                let stream = STREAM_DECK + side as u32;
                Chance::Bag(Bag { stream, epoch: state.epoch(), cards, tokens: Vec::new() })
            }
            _ => Chance::Choice { stream: STREAM_FIELD, options: Vec::new() },
        }
    }

    fn roll_classes(&self, state: &State) -> Vec<Class> {
        let Some(fight) = state.fight.filter(|_| matches!(state.frames.top(), Some(Frame::Fight))) else {
            return dice::one_die();
        };
        self.fight_classes(state, &fight)
    }

    fn resolve(&self, state: &mut State, outcome: &Outcome, out: &mut Events) {
        let cities = self.cities(state, out);
        self.resolve_outcome(state, outcome, out);
        self.publish_cities(state, cities, out);
        self.settle(state, out);
    }

    fn board(&self, state: &State, observer: Observer) -> Board {
        view::board(self, state, observer)
    }

    fn board_changes(&self, before: &State, after: &State, observers: &[Observer]) -> BoardChanges {
        view::board_changes(self, before, after, observers)
    }

    fn known(&self, state: &State, _: Observer) -> Vec<HiddenSet> {
        view::known(self, state)
    }

    fn known_may_differ(&self, before: &State, after: &State) -> bool {
        view::known_may_differ(self, before, after)
    }

    /// 7.3: a fight ends when nobody but guns is left on a side, in Reserve and face down though they may be.
    fn announces(&self, code: &str) -> bool {
        matches!(code, "battle_ends" | "fight_ends")
    }

    fn known_is_common(&self) -> bool {
        true
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
        codec::encode(&self.content, state, into);
    }

    fn decode(&self, from: &mut Reader<'_>) -> Result<State, DecodeError> {
        codec::decode(&self.content, from)
    }
}

/// Both seats.
fn both() -> SeatSet {
    SeatSet::first(2)
}
