//! A game that is the specimen but for one fault: [`Mutant`] delegates everything that its [`Fault`] leaves alone.

use std::ops::ControlFlow;

use edgehill_engine::action::ActionId;
use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::chance::{Chance, Class, Outcome};
use edgehill_engine::codec::{DecodeError, Reader, Writer};
use edgehill_engine::event::Events;
use edgehill_engine::game::{DefaultAction, Game, LineError, MatchResult, Node};
use edgehill_engine::games::skirmish::{Skirmish, State};
use edgehill_engine::refusal::{RuleViolation, Why};
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::setup::Setup;
use edgehill_engine::view::{Board, HiddenSet, TurnState, View};
use rand_core::Rng;

/// The fault of a mutant: each method stands in for the game's, and does as it does if it is not overridden.
pub(crate) trait Fault: Send + Sync + 'static {
    fn catalogue(&self, game: &Skirmish) -> Catalogue {
        game.catalogue().clone()
    }

    fn node(&self, game: &Skirmish, state: &State) -> Node {
        game.node(state)
    }

    fn result(&self, game: &Skirmish, state: &State) -> Option<MatchResult> {
        game.result(state)
    }

    fn bound(&self, game: &Skirmish, setup: &Setup) -> u32 {
        game.bound(setup)
    }

    fn candidates(&self, game: &Skirmish, state: &State, seat: Seat, into: &mut Vec<ActionId>) {
        game.candidates(state, seat, into);
    }

    fn examine(
        &self,
        game: &Skirmish,
        state: &State,
        seat: Seat,
        action: ActionId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        game.examine(state, seat, action, why)
    }

    fn rule_violations(&self, healthy: Vec<RuleViolation>) -> Vec<RuleViolation> {
        healthy
    }

    fn apply(&self, game: &Skirmish, state: &mut State, seat: Seat, action: ActionId, out: &mut Events) {
        game.apply(state, seat, action, out);
    }

    fn chance(&self, game: &Skirmish, state: &State) -> Chance {
        game.chance(state)
    }

    fn roll_classes(&self, game: &Skirmish, state: &State) -> Vec<Class> {
        game.roll_classes(state)
    }

    fn resolve(&self, game: &Skirmish, state: &mut State, outcome: &Outcome, out: &mut Events) {
        game.resolve(state, outcome, out);
    }

    fn board(&self, game: &Skirmish, state: &State, observer: Observer) -> Board {
        game.board(state, observer)
    }

    fn known(&self, game: &Skirmish, state: &State, observer: Observer) -> Vec<HiddenSet> {
        game.known(state, observer)
    }

    fn turn_state(&self, game: &Skirmish, state: &State, observer: Observer) -> TurnState {
        game.turn_state(state, observer)
    }

    fn resample(&self, game: &Skirmish, setup: &Setup, view: &View, rng: &mut dyn Rng) -> State {
        game.resample(setup, view, rng)
    }

    fn scramble(&self, game: &Skirmish, state: &State, seat: Seat, rng: &mut dyn Rng) -> State {
        game.scramble(state, seat, rng)
    }

    fn world_weight(&self, game: &Skirmish, state: &State, seat: Seat) -> u64 {
        game.world_weight(state, seat)
    }

    fn encode(&self, game: &Skirmish, state: &State, into: &mut Writer) {
        game.encode(state, into);
    }

    fn decode(&self, game: &Skirmish, from: &mut Reader<'_>) -> Result<State, DecodeError> {
        game.decode(from)
    }

    fn default_action(
        &self,
        game: &Skirmish,
        released: &State,
        seat: Seat,
        draft: &[ActionId],
    ) -> DefaultAction {
        game.default_action(released, seat, draft)
    }

    fn parse_line(
        &self,
        game: &Skirmish,
        state: &State,
        seat: Seat,
        line: &str,
    ) -> Result<Vec<ActionId>, LineError> {
        game.parse_line(state, seat, line)
    }

    fn print_line(&self, game: &Skirmish, state: &State, seat: Seat, actions: &[ActionId]) -> String {
        game.print_line(state, seat, actions)
    }
}

/// Nothing is wrong.
pub(crate) struct Healthy;

impl Fault for Healthy {}

/// The specimen with a fault. The fault is a trait object: one kit is compiled for all of them.
pub(crate) struct Mutant {
    game: Skirmish,
    catalogue: Catalogue,
    fault: Box<dyn Fault>,
}

impl Mutant {
    pub(crate) fn new(fault: impl Fault) -> Self {
        let game = Skirmish::load(&Skirmish::builtin()).expect("the built-in content is sound");
        Self { catalogue: fault.catalogue(&game), game, fault: Box::new(fault) }
    }
}

impl Game for Mutant {
    type State = State;

    fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    fn start(&self, setup: &Setup) -> State {
        self.game.start(setup)
    }

    fn node(&self, state: &State) -> Node {
        self.fault.node(&self.game, state)
    }

    fn result(&self, state: &State) -> Option<MatchResult> {
        self.fault.result(&self.game, state)
    }

    fn bound(&self, setup: &Setup) -> u32 {
        self.fault.bound(&self.game, setup)
    }

    fn candidates(&self, state: &State, seat: Seat, into: &mut Vec<ActionId>) {
        self.fault.candidates(&self.game, state, seat, into);
    }

    fn examine(&self, state: &State, seat: Seat, action: ActionId, why: &mut Why) -> ControlFlow<()> {
        self.fault.examine(&self.game, state, seat, action, why)
    }

    fn rule_violations(&self, state: &State, seat: Seat, action: ActionId) -> Vec<RuleViolation> {
        let owes = self.node(state).to_act().contains(seat) && self.catalogue.actions.get(action).is_some();
        if !owes {
            return self.fault.rule_violations(self.game.rule_violations(state, seat, action));
        }
        let mut why = Why::collecting();
        let _ = self.examine(state, seat, action, &mut why);
        self.fault.rule_violations(why.into_rule_violations())
    }

    fn apply(&self, state: &mut State, seat: Seat, action: ActionId, out: &mut Events) {
        self.fault.apply(&self.game, state, seat, action, out);
    }

    fn chance(&self, state: &State) -> Chance {
        self.fault.chance(&self.game, state)
    }

    fn roll_classes(&self, state: &State) -> Vec<Class> {
        self.fault.roll_classes(&self.game, state)
    }

    fn resolve(&self, state: &mut State, outcome: &Outcome, out: &mut Events) {
        self.fault.resolve(&self.game, state, outcome, out);
    }

    fn board(&self, state: &State, observer: Observer) -> Board {
        self.fault.board(&self.game, state, observer)
    }

    fn known(&self, state: &State, observer: Observer) -> Vec<HiddenSet> {
        self.fault.known(&self.game, state, observer)
    }

    fn turn_state(&self, state: &State, observer: Observer) -> TurnState {
        self.fault.turn_state(&self.game, state, observer)
    }

    fn resample(&self, setup: &Setup, view: &View, rng: &mut dyn Rng) -> State {
        self.fault.resample(&self.game, setup, view, rng)
    }

    fn scramble(&self, state: &State, seat: Seat, rng: &mut dyn Rng) -> State {
        self.fault.scramble(&self.game, state, seat, rng)
    }

    fn world_weight(&self, state: &State, seat: Seat) -> u64 {
        self.fault.world_weight(&self.game, state, seat)
    }

    fn encode(&self, state: &State, into: &mut Writer) {
        self.fault.encode(&self.game, state, into);
    }

    fn decode(&self, from: &mut Reader<'_>) -> Result<State, DecodeError> {
        self.fault.decode(&self.game, from)
    }

    fn default_action(&self, released: &State, seat: Seat, draft: &[ActionId]) -> DefaultAction {
        self.fault.default_action(&self.game, released, seat, draft)
    }

    fn parse_line(&self, state: &State, seat: Seat, line: &str) -> Result<Vec<ActionId>, LineError> {
        self.fault.parse_line(&self.game, state, seat, line)
    }

    fn print_line(&self, state: &State, seat: Seat, actions: &[ActionId]) -> String {
        self.fault.print_line(&self.game, state, seat, actions)
    }
}
