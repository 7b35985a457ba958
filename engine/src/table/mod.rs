//! The driver of one match: [`Table`] holds a state, the seats' drafts, the sequences of what was published to each observer, and the
//! log from which all of it can be rebuilt.
//!
//! Invariant: `tip` is `base` with the actions of all `lines` applied. What is in `base` is final and known to everybody who
//! may know it; what is only in a line belongs to its seat and can be taken back.

mod apply;
mod calls;
mod followed_view;
mod log;
mod refusal;
mod save;
mod streams;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

pub use apply::{Applied, ApplyMode};
pub use followed_view::FollowedView;
pub use log::LogEntry;
pub use refusal::Refusal;
pub use save::Saved;
pub use streams::ObservedEvent;

use crate::action::ActionId;
use crate::chance_source::{ChanceSource, ChanceSourceError};
use crate::event::{EventList, Events};
use crate::game::{Game, MatchResult, Node};
use crate::position::PositionError;
use crate::seat::{Observer, Seat, SeatSet};
use crate::setup::Setup;
use crate::view::{Board, Calls, NodeView, Phrase, StandingPass, TurnState, View};

/// Room for most lists of legal actions, so that they seldom grow while they are made.
const LEGAL_ACTIONS_USUAL: usize = 32;

/// A seat's actions since the last release.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Line {
    actions: Vec<ActionId>,
    /// In a sealed node: that the seat has committed.
    committed: bool,
    /// In an open decision: what each action made happen, for the others to be notified of later.
    waiting: Vec<EventList>,
}

/// The state that a view is made from.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Basis {
    /// The final one.
    Base,
    /// The one with the drafts.
    Tip,
}

/// One match of a game, driven step by step. Every call that is refused leaves it as it was.
pub struct Table<G: Game> {
    game: Arc<G>,
    setup: Setup,
    /// The described position that the match was started from, if it was.
    position: Option<serde_json::Value>,
    seats: usize,
    /// These states are mostly one and the same, which is kept once: a match that nobody plays has little more than that.
    base: Arc<G::State>,
    tip: Arc<G::State>,
    /// By observer, the state in which they know what they were told last.
    told: Vec<Arc<G::State>>,
    lines: Vec<Line>,
    chance_source: ChanceSource,
    chance_source_error: Option<ChanceSourceError>,
    counters: BTreeMap<u32, u32>,
    streams: streams::Streams,
    log: Vec<LogEntry>,
    closed: Option<MatchResult>,
    offers: SeatSet,
    standing: Vec<Vec<StandingPass>>,
}

// Derived impls would ask the game itself to be `Clone` and `Debug`: matches share it.
impl<G: Game> Clone for Table<G> {
    fn clone(&self) -> Self {
        Self { streams: self.streams.clone(), ..self.branch() }
    }
}

impl<G: Game> fmt::Debug for Table<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = f.debug_struct("Table");
        table.field("game", &self.game.catalogue().id).field("setup", &self.setup).field("state", &self.tip);
        table.field("lines", &self.lines).field("log", &self.log).finish_non_exhaustive()
    }
}

impl<G: Game> Table<G> {
    /// Starts a match; chance events that come before the first decision are resolved at once if `chance_source` can.
    #[must_use]
    pub fn open(game: Arc<G>, setup: Setup, chance_source: ChanceSource) -> Self {
        let state = game.start(&setup);
        Self::from_state(game, setup, None, state, chance_source)
    }

    /// Starts a match from a described position.
    ///
    /// # Errors
    /// Names the field that the game does not accept.
    pub fn open_position(
        game: Arc<G>,
        setup: Setup,
        position: serde_json::Value,
        chance_source: ChanceSource,
    ) -> Result<Self, PositionError> {
        let state = game.position(&setup, &position)?;
        Ok(Self::from_state(game, setup, Some(position), state, chance_source))
    }

    /// Starts from a state, as what-if and tests do; its record can't be replayed.
    #[must_use]
    pub fn from_state(
        game: Arc<G>,
        setup: Setup,
        position: Option<serde_json::Value>,
        state: G::State,
        chance_source: ChanceSource,
    ) -> Self {
        let seats = game.catalogue().seats_of(&setup);
        let state = Arc::new(state);
        let mut table = Self {
            seats,
            tip: Arc::clone(&state),
            told: vec![Arc::clone(&state); seats + 1],
            base: state,
            lines: vec![Line::default(); seats],
            chance_source,
            chance_source_error: None,
            counters: BTreeMap::new(),
            streams: streams::Streams::new(seats),
            log: Vec::new(),
            closed: None,
            offers: SeatSet::EMPTY,
            standing: vec![Vec::new(); seats],
            game,
            setup,
            position,
        };
        table.meet();
        table.begin();
        table.advance();
        table.settle();
        table
    }

    /// Publishes what comes by itself before anybody is asked.
    fn begin(&mut self) {
        let mut out = Events::recording();
        self.game.open(Arc::make_mut(&mut self.tip), &mut out);
        for event in out.into_list() {
            self.publish_to_all(&event);
        }
        self.base = Arc::clone(&self.tip);
    }

    /// Returns what `observer` saw before anything was published: the view that the events from number 0 on are folded over.
    ///
    /// # Errors
    /// If the position that the match was started from is not accepted any more.
    pub fn first_view(&self, observer: Observer) -> Result<View, PositionError> {
        let state = match &self.position {
            Some(position) => self.game.position(&self.setup, position)?,
            None => self.game.start(&self.setup),
        };
        Ok(self.game.view(&state, observer))
    }

    /// The game.
    #[must_use]
    pub const fn game(&self) -> &Arc<G> {
        &self.game
    }

    /// Scenario and options.
    #[must_use]
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The described position that the match was started from, if it was.
    #[must_use]
    pub const fn position(&self) -> Option<&serde_json::Value> {
        self.position.as_ref()
    }

    /// Returns the number of seats that play.
    #[must_use]
    pub const fn seats(&self) -> usize {
        self.seats
    }

    /// The state with all drafts in it: for tests, search and the server's own use, never for a seat.
    #[must_use]
    pub fn state(&self) -> &G::State {
        &self.tip
    }

    /// The state as it was last released.
    #[must_use]
    pub fn released(&self) -> &G::State {
        &self.base
    }

    /// Returns how many states it keeps: what is the same is kept once.
    pub(crate) fn states_kept(&self) -> usize {
        let states = || self.told.iter().chain([&self.base, &self.tip]);
        let is_first = |(index, state): &(usize, &Arc<G::State>)| {
            states().take(*index).all(|before| !Arc::ptr_eq(before, state))
        };
        states().enumerate().filter(is_first).count()
    }

    /// Returns the point at which the match stands, drafts included.
    #[must_use]
    pub fn node(&self) -> Node {
        if self.closed.is_some() { Node::Over } else { self.game.node(&self.tip) }
    }

    /// Returns the way it ended, once it has.
    #[must_use]
    pub fn result(&self) -> Option<MatchResult> {
        self.closed.clone().or_else(|| self.game.result(&self.tip))
    }

    /// Returns why a chance event is still open although nobody has to enter it.
    #[must_use]
    pub const fn chance_source_error(&self) -> Option<&ChanceSourceError> {
        self.chance_source_error.as_ref()
    }

    /// Returns the source of the outcomes.
    #[must_use]
    pub const fn chance_source(&self) -> &ChanceSource {
        &self.chance_source
    }

    /// The actions that `seat` may take now; none if it is not to act.
    #[must_use]
    pub fn legal(&self, seat: Seat) -> Vec<ActionId> {
        if self.closed.is_some() {
            return Vec::new();
        }
        let mut actions = Vec::with_capacity(LEGAL_ACTIONS_USUAL);
        self.game.legal(&self.tip, seat, &mut actions);
        actions
    }

    /// The actions of `seat` that it can still take back.
    #[must_use]
    pub fn draft(&self, seat: Seat) -> &[ActionId] {
        self.lines.get(seat.index()).map_or(&[], |line| &line.actions)
    }

    /// Returns whether `seat` has committed in the present sealed node.
    #[must_use]
    pub fn committed(&self, seat: Seat) -> bool {
        self.lines.get(seat.index()).is_some_and(|line| line.committed)
    }

    /// The log so far: everything needed to replay the match, drafts left out.
    #[must_use]
    pub fn log(&self) -> &[LogEntry] {
        &self.log
    }

    /// Returns what `observer` sees.
    #[must_use]
    pub fn view(&self, observer: Observer) -> View {
        let board = self.game.board(self.seen_by(observer), observer);
        View { board, ..self.view_but_board(observer) }
    }

    /// Returns what `observer` sees, the board left empty.
    fn view_but_board(&self, observer: Observer) -> View {
        let state = self.seen_by(observer);
        let mut view = View {
            observer,
            board: Board::default(),
            known: self.game.known(state, observer).into(),
            draft: Vec::new(),
            calls: Calls { draw_offers: self.offers, ..Calls::default() },
            turn_state: Arc::new(self.head_of(state, observer)),
        };
        if let Observer::Seat(seat) = observer {
            view.draft.extend_from_slice(self.draft(seat));
            view.calls.standing.extend_from_slice(self.standing(seat));
            view.calls.undoable = if self.committed(seat) { 0 } else { view.draft.len() };
        }
        view
    }

    /// Describes the situation for `observer`, who sees `state`.
    fn head_of(&self, state: &G::State, observer: Observer) -> TurnState {
        let mut turn_state = self.game.turn_state(state, observer);
        if let Some(result) = &self.closed {
            turn_state.prompt = Phrase::new(result.code, &result.refs);
            turn_state.node = NodeView::Over(result.clone());
            turn_state.window = None;
        }
        turn_state
    }

    /// The state that `observer`'s view is made from: with the draft for its own seat, without it for the others. The private
    /// parts of a sealed node are in the state, and no view of another seat reads them.
    fn seen_by(&self, observer: Observer) -> &Arc<G::State> {
        self.state_at(self.basis(observer))
    }

    fn basis(&self, observer: Observer) -> Basis {
        match (self.game.node(&self.base), observer) {
            (Node::Sealed(_), _) => Basis::Tip,
            (Node::Decision(seat), observer) if observer.is(seat) => Basis::Tip,
            _ => Basis::Base,
        }
    }

    const fn state_at(&self, basis: Basis) -> &Arc<G::State> {
        match basis {
            Basis::Base => &self.base,
            Basis::Tip => &self.tip,
        }
    }

    /// A copy that goes on from here for what-if and tests: what was published so far is counted, and left behind. Its cost does not
    /// grow with what was published.
    #[must_use]
    pub fn branch(&self) -> Self {
        Self {
            game: Arc::clone(&self.game),
            setup: self.setup.clone(),
            position: self.position.clone(),
            seats: self.seats,
            base: Arc::clone(&self.base),
            tip: Arc::clone(&self.tip),
            told: self.told.clone(),
            lines: self.lines.clone(),
            chance_source: self.chance_source.clone(),
            chance_source_error: self.chance_source_error.clone(),
            counters: self.counters.clone(),
            streams: self.streams.branch(),
            log: self.log.clone(),
            closed: self.closed.clone(),
            offers: self.offers,
            standing: self.standing.clone(),
        }
    }

    /// Returns the number of events published to `observer` so far: the number that their next event will have.
    #[must_use]
    pub fn published_count(&self, observer: Observer) -> usize {
        self.streams.length(observer.index(self.seats))
    }

    /// Returns the events published to `observer` from `from` on (0 is the first): a dense sequence of their
    /// own. What was forgotten is left out.
    #[must_use]
    pub fn published(&self, observer: Observer, from: usize) -> &[ObservedEvent] {
        self.streams.since(observer.index(self.seats), from)
    }

    /// Lets what was published so far go, for drivers that keep it elsewhere; the counts go on.
    pub(crate) fn forget_published(&mut self) {
        self.streams.forget();
    }

    /// Lets what was published so far go and counts on from `lengths`, one for each observer, for drivers that leave numbers
    /// out: of drafts that were taken back, in a log that has them no more.
    ///
    /// # Panics
    /// If there is not one for each observer.
    pub(crate) fn go_on_from(&mut self, lengths: &[usize]) {
        self.streams.forget();
        self.streams.go_on_from(lengths);
    }
}
