//! The contract of a game ([`Game`]), and its answers by the files of a game's folder ([`game!`](crate::game!),
//! [`game_parts!`](crate::game_parts)).
//!
//! Invariant: a state is a value. It stands at exactly one [`Node`], and nothing outside it decides what comes next
//! but the actions of its seats and the outcomes of its chance events.

mod declaration;

use std::fmt::Debug;
use std::ops::ControlFlow;

use num_bigint::BigUint;
use rand_core::Rng;

use crate::action::{ActionId, VerbKind};
use crate::catalogue::Catalogue;
use crate::chance::{Chance, Class, Outcome};
use crate::codec::{DecodeError, Reader, Writer};
use crate::event::Events;
use crate::ledger::Rule;
use crate::position::PositionError;
use crate::reference::{Ref, Refs};
use crate::refusal::{RuleViolation, Why};
use crate::seat::{Observer, Seat, SeatSet};
use crate::setup::Setup;
use crate::view::{Board, BoardChanges, Calls, HiddenSet, TurnState, View};

/// The point at which a state stands.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Node {
    /// This seat is to act.
    Decision(Seat),
    /// These seats are to act, each hidden from the others, until each has committed.
    Sealed(SeatSet),
    /// Dice or a draw are due.
    Chance,
    /// The match has ended.
    Over,
}

impl Node {
    /// Returns the seats that are to act.
    #[must_use]
    pub fn to_act(self) -> SeatSet {
        match self {
            Self::Decision(seat) => SeatSet::EMPTY.with(seat),
            Self::Sealed(seats) => seats,
            Self::Chance | Self::Over => SeatSet::EMPTY,
        }
    }
}

/// The way a match ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchResult {
    /// Return of each seat: in games of two seats they sum to 0 and a win is worth 1; solitaire games state
    /// their scale.
    pub returns: Vec<i32>,
    /// The victory's name, by template.
    pub code: &'static str,
    /// Things that the template names, such as the winner.
    pub refs: Refs,
    /// The rule that ended it.
    pub rule: Rule,
    /// Grade of the victory, in the rulebook's words or ours; empty where the rulebook has no grades.
    pub grade: &'static str,
    /// The way in which it was finished.
    pub termination: Termination,
}

/// The way in which a match was finished.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Termination {
    /// By the rules of the game: a victory or a draw.
    Victory,
    /// By a seat that gave up.
    Resignation,
    /// By a draw that the seats agreed on.
    Agreement,
}

impl MatchResult {
    /// The result of a match of `seats` seats in which `seat` gave up: it loses, the others win.
    #[must_use]
    pub(crate) fn resigned(seats: usize, seat: Seat) -> Self {
        let returns = (0..seats).map(|index| if index == seat.index() { -1 } else { 1 }).collect();
        Self {
            returns,
            code: "resigned",
            refs: Refs::from_slice(&[Ref::Seat(seat)]),
            rule: CONTRACT,
            grade: "",
            termination: Termination::Resignation,
        }
    }

    /// The result of a match of two seats that ended by a rule: the winner's, or a draw.
    #[must_use]
    pub fn of_two(winner: Option<Seat>, code: &'static str, rule: Rule) -> Self {
        let value = |seat| winner.map_or(0, |winner| if winner == Seat::new(seat) { 1 } else { -1 });
        let returns = vec![value(0), value(1)];
        Self { returns, code, refs: Refs::new(), rule, grade: "", termination: Termination::Victory }
    }

    /// The result of a match of `seats` seats that agreed on a draw.
    #[must_use]
    pub(crate) fn agreed(seats: usize) -> Self {
        let returns = vec![0; seats];
        Self {
            returns,
            code: "agreed",
            refs: Refs::new(),
            rule: CONTRACT,
            grade: "",
            termination: Termination::Agreement,
        }
    }
}

/// Cites the engine's own contract where no rule of a game refuses an action.
pub const CONTRACT: Rule = Rule::new("contract");

/// A game's rules: pure, synchronous, without I/O, clock or luck of their own.
///
/// An implementation holds its content (board, cards, tables) and is shared between matches.
pub trait Game: Send + Sync + Sized + 'static {
    /// Everything that the rules remember of a match. Flat and small: search clones it.
    type State: Clone + PartialEq + Debug + Send + Sync + 'static;

    /// The static half: what never changes in a match.
    fn catalogue(&self) -> &Catalogue;

    /// The state before the first draw or action, and before what [`Game::open`] does of itself. `setup` was checked against the
    /// catalogue.
    fn start(&self, setup: &Setup) -> Self::State;

    /// A state from a described position, checked against the game's invariants; the format is the game's own, in content ids.
    ///
    /// # Errors
    /// Names the field and what would be accepted. The provided method accepts none.
    fn position(&self, setup: &Setup, position: &serde_json::Value) -> Result<Self::State, PositionError> {
        let _ = (setup, position);
        Err(PositionError::new("", "this game can't be started from a described position"))
    }

    /// Goes on by itself from the state of [`Game::start`] or [`Game::position`] to where somebody, or chance, is asked: the driver
    /// publishes it from number 0 on. A state that stands there already stays as it is. The provided method does nothing.
    fn open(&self, state: &mut Self::State, out: &mut Events) {
        let _ = (state, out);
    }

    /// Returns the point at which `state` stands.
    fn node(&self, state: &Self::State) -> Node;

    /// Returns the way the match ended: `Some` at [`Node::Over`] and only there.
    fn result(&self, state: &Self::State) -> Option<MatchResult>;

    /// Returns how a match of `seats` seats ends if `seat` gives up at `state`. By the provided method it loses and the others win;
    /// a solitaire game that has a worse end than a loss of 1 sees to it that nobody does better by giving up.
    fn resignation(&self, state: &Self::State, seats: usize, seat: Seat) -> MatchResult {
        let _ = state;
        MatchResult::resigned(seats, seat)
    }

    /// The most actions and chance events from `setup`'s start to the end, whatever is chosen.
    fn bound(&self, setup: &Setup) -> u32;

    /// Appends actions that may be legal for an to_act `seat`: all that are, in list order, none twice.
    fn candidates(&self, state: &Self::State, seat: Seat, into: &mut Vec<ActionId>);

    /// The one predicate: puts every ground against `action` to `why`. `seat` is to act, `action` is in the table.
    fn examine(&self, state: &Self::State, seat: Seat, action: ActionId, why: &mut Why) -> ControlFlow<()>;

    /// Carries out a legal action. In a sealed node it touches the private part of `seat` alone, until the last seat commits.
    fn apply(&self, state: &mut Self::State, seat: Seat, action: ActionId, out: &mut Events);

    /// Returns what is rolled or drawn: asked only at [`Node::Chance`].
    fn chance(&self, state: &Self::State) -> Chance;

    /// The results of a *roll* that the rules distinguish here, each with its exact weight. Asked only at a roll.
    fn roll_classes(&self, state: &Self::State) -> Vec<Class>;

    /// Goes on with an outcome that [`Chance::admits`].
    fn resolve(&self, state: &mut Self::State, outcome: &Outcome, out: &mut Events);

    /// Returns what lies where, for `observer`.
    fn board(&self, state: &Self::State, observer: Observer) -> Board;

    /// Returns how what each of `observers` sees on the board has changed between two states of a match, as [`Board::changes_to`]
    /// tells it. The provided method draws all boards whole. A game that overrides it draws of each the part that may differ, with
    /// every member of each group in it; builds with debug assertions compare what it says with the boards.
    fn board_changes(
        &self,
        before: &Self::State,
        after: &Self::State,
        observers: &[Observer],
    ) -> BoardChanges {
        let changes = |&observer| self.board(before, observer).changes_to(&self.board(after, observer));
        observers.iter().map(changes).collect()
    }

    /// Returns what `observer` knows of things that lie face down, and what others know of theirs, sorted.
    /// None in the provided method.
    fn known(&self, state: &Self::State, observer: Observer) -> Vec<HiddenSet> {
        let _ = (state, observer);
        Vec::new()
    }

    /// Returns whether what anybody knows of things that lie face down may differ between two states of a match: drivers put it
    /// together only then. Always, by the provided method.
    fn known_may_differ(&self, before: &Self::State, after: &Self::State) -> bool {
        let _ = (before, after);
        true
    }

    /// Returns whether everybody knows the same of things that lie face down: drivers then put it together once. Not so, by the
    /// provided method.
    fn known_is_common(&self) -> bool {
        false
    }

    /// Returns whether an event of this kind, or that none comes, is a rule's own announcement of something that lies face down: a fight
    /// that ends because nobody is left to fight, say. Two matches that a seat could not tell apart may part there (law `course`). None
    /// is, by the provided method.
    fn announces(&self, code: &str) -> bool {
        let _ = code;
        false
    }

    /// Describes the situation for `observer`.
    fn turn_state(&self, state: &Self::State, observer: Observer) -> TurnState;

    /// A state that `view`'s seat can't tell from the true one, drawn by the game's declared distribution: a function of its
    /// arguments alone. `setup` is public.
    fn resample(&self, setup: &Setup, view: &View, rng: &mut dyn Rng) -> Self::State;

    /// Changes what `seat` may not know, if anything, without [`Game::resample`]'s help: for the non-interference tests.
    fn scramble(&self, state: &Self::State, seat: Seat, rng: &mut dyn Rng) -> Self::State;

    /// How likely [`Game::resample`] is to draw `state` for `seat`, relative to other states that `seat` can't tell from it: for the law
    /// `distribution`, and without [`Game::resample`]'s help. Where cards, tokens or counters are alike, it counts the ways in which the state
    /// comes about. All alike by the provided method.
    fn world_weight(&self, state: &Self::State, seat: Seat) -> u64 {
        let _ = (state, seat);
        1
    }

    /// Writes the canonical encoding.
    fn encode(&self, state: &Self::State, into: &mut Writer);

    /// Reads it back, checking every bound.
    ///
    /// # Errors
    /// Names the byte and what should stand there.
    fn decode(&self, from: &mut Reader<'_>) -> Result<Self::State, DecodeError>;

    /// The one of the legal actions that [`Game::default_action`] takes next where the rules of a game name it; none, as the provided
    /// method has it, where it passes or ends as soon as it may.
    fn default_choice(&self, _: &Self::State, _: Seat, _: &[ActionId]) -> Option<ActionId> {
        None
    }

    /// Returns what is played for a seat whose clock has run out: how many actions of its draft stay, and the
    /// actions that follow them, to the end of its segment. `released` is the state without the draft. The
    /// provided method keeps the draft and then passes or ends as soon as it may, taking the first action of
    /// the list until then.
    fn default_action(&self, released: &Self::State, seat: Seat, draft: &[ActionId]) -> DefaultAction {
        let mut state = released.clone();
        let mut out = Events::silent();
        for &action in draft {
            self.apply(&mut state, seat, action, &mut out);
        }
        let table = &self.catalogue().actions;
        let kind = |action: ActionId| table.verb_of(action).map_or(VerbKind::Play, |verb| verb.kind);
        let (mut legal, mut actions) = (Vec::new(), Vec::new());
        loop {
            self.legal(&state, seat, &mut legal);
            let ends = |action: &ActionId| matches!(kind(*action), VerbKind::Pass | VerbKind::Done);
            let first = || legal.iter().copied().find(ends).or_else(|| legal.first().copied());
            let Some(action) = self.default_choice(&state, seat, &legal).or_else(first) else { break };
            actions.push(action);
            out = Events::silent();
            let sealed = matches!(self.node(&state), Node::Sealed(_));
            self.apply(&mut state, seat, action, &mut out);
            // The seat may be to act again at once, but in another segment: a sealed node ends an open one and the other way round.
            let goes_on = if sealed {
                kind(action) != VerbKind::Done
            } else {
                self.node(&state) == Node::Decision(seat) && !out.has_revealed()
            };
            if !goes_on {
                break;
            }
        }
        DefaultAction { keep: draft.len(), actions }
    }

    /// Parses a line against a state into actions. The provided grammar is the action table's notation, separated by `;` or line
    /// ends.
    ///
    /// # Errors
    /// Names the item and what would be accepted.
    fn parse_line(&self, state: &Self::State, seat: Seat, line: &str) -> Result<Vec<ActionId>, LineError> {
        let _ = (state, seat);
        let items = line.split([';', '\n']).map(str::trim).filter(|item| !item.is_empty());
        items
            .enumerate()
            .map(|(index, item)| {
                let unknown = || LineError {
                    index,
                    item: item.to_owned(),
                    expected: "the notation of an action".to_owned(),
                };
                self.catalogue().actions.parse(item).ok_or_else(unknown)
            })
            .collect()
    }

    /// Prints actions from `state` canonically; [`Game::parse_line`] reads it back.
    fn print_line(&self, state: &Self::State, seat: Seat, actions: &[ActionId]) -> String {
        let _ = (state, seat);
        let words: Vec<String> =
            actions.iter().map(|&action| self.catalogue().actions.notation(action)).collect();
        words.join("; ")
    }

    /// Returns whether a seat that is to act may take `action`.
    fn permits(&self, state: &Self::State, seat: Seat, action: ActionId) -> bool {
        let mut why = Why::quiet();
        let _ = self.examine(state, seat, action, &mut why);
        !why.refused()
    }

    /// The legal actions of `seat`, in list order, into a buffer that is cleared first; none if the seat is not to act.
    fn legal(&self, state: &Self::State, seat: Seat, into: &mut Vec<ActionId>) {
        into.clear();
        if self.node(state).to_act().contains(seat) {
            self.candidates(state, seat, into);
            into.retain(|&action| self.permits(state, seat, action));
        }
    }

    /// Every ground against `action` for any seat and any id; none if it is legal.
    fn rule_violations(&self, state: &Self::State, seat: Seat, action: ActionId) -> Vec<RuleViolation> {
        let reason = |code| vec![RuleViolation { code, rule: CONTRACT, refs: Vec::new() }];
        match self.node(state) {
            Node::Over => return reason("MATCH_FINISHED"),
            Node::Chance => return reason("CHANCE_PENDING"),
            node if !node.to_act().contains(seat) => return reason("NOT_YOUR_TURN"),
            _ => {}
        }
        if self.catalogue().actions.get(action).is_none() {
            return reason("UNKNOWN_ACTION");
        }
        let mut why = Why::collecting();
        let _ = self.examine(state, seat, action, &mut why);
        why.into_rule_violations()
    }

    /// The results of the chance event at `state`, with exact weights. A game overrides it where several options of a draw make
    /// no difference.
    fn classes(&self, state: &Self::State) -> Vec<Class> {
        match self.chance(state) {
            Chance::Roll { .. } => self.roll_classes(state),
            drawn => {
                let class =
                    |(what, weight)| Class { outcome: Outcome::Pick(what), weight: BigUint::from(weight) };
                drawn.options().into_iter().map(class).collect()
            }
        }
    }

    /// All that `observer` sees of `state`; what drivers fill is left empty.
    fn view(&self, state: &Self::State, observer: Observer) -> View {
        View {
            observer,
            board: self.board(state, observer),
            known: self.known(state, observer).into(),
            draft: Vec::new(),
            calls: Calls::default(),
            turn_state: self.turn_state(state, observer).into(),
        }
    }

    /// The encoding of a state.
    fn encoded(&self, state: &Self::State) -> Vec<u8> {
        let mut writer = Writer::new();
        self.encode(state, &mut writer);
        writer.finish()
    }
}

/// The play for a seat whose clock has run out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DefaultAction {
    /// Number of steps of the draft that stay.
    pub keep: usize,
    /// Actions that follow them.
    pub actions: Vec<ActionId>,
}

/// The error of a line that can't be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("item {}, `{item}`: {expected} expected", index + 1)]
pub struct LineError {
    /// Index of the item in the line, from 0.
    pub index: usize,
    /// As it was written.
    pub item: String,
    /// Description of what would be accepted.
    pub expected: String,
}
