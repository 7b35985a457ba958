//! English Civil War IIa: a two-sided Diplomacy variant with stacks of armies, leaders and influence.
//!
//! Flow: a points/build season (`procedures/season.rs`), then movement months (`procedures/month.rs`), both carried out by the umpire
//! (`flow.rs`) once the sides have committed what they write in their drafts (`state/draft.rs`, `procedures/entry.rs`,
//! `procedures/adjust.rs`). There is
//! no luck: every node is sealed. The adjudicator knows no map; the board comes from the content (`content.rs`, `realm.rs`).
//!
//! Rules are cited by their numbers in the game's ledger. Position format and actions: docs/games/english-civil-war-iia.md.

mod actions;
pub mod adjudicator;
pub mod bots;
mod catalogue;
mod codec;
mod codes;
mod content;
mod default_action;
mod flow;
mod line;
mod phrases;
mod position;
mod procedures;
mod realm;
mod resample;
mod rules;
mod scramble;
mod state;
mod turn_state;
mod view;
mod warnings;

use std::ops::ControlFlow;

use rand_core::Rng;

use crate::action::ActionId;
use crate::catalogue::Catalogue;
use crate::chance::{Chance, Class, Outcome};
use crate::codec::{DecodeError, Reader, Writer};
use crate::content::{ContentErrors, ContentFiles};
use crate::event::{Event, Events};
use crate::game::{DefaultAction, Game, LineError, MatchResult, Node};
use crate::ledger::Ledger;
use crate::position::PositionError;
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::{Observer, Seat};
use crate::setup::Setup;
use crate::view::{Board, BoardChanges, TurnState, View};

pub use actions::{Action, Actions};
pub use codes::CODES;
pub use content::Numbers;
use flow::Umpire;
use procedures::adjust::Clerk;
use procedures::entry::Scribe;
pub use realm::{County, Leader, PARLIAMENT, ROYALIST, Realm};
use realm::{LEADERS, SIDES};
pub use state::State;
use state::draft::Draft;
use state::{Phase, Place};

/// The game: its board and numbers, its action table, its catalogue.
#[derive(Clone, Debug)]
pub struct EnglishCivilWar {
    realm: Realm,
    numbers: Numbers,
    actions: Actions,
    catalogue: Catalogue,
}

impl EnglishCivilWar {
    /// The game's id.
    pub const ID: &str = "english-civil-war-iia";
    /// Index of the option `max_seasons` in the catalogue.
    pub const MAX_SEASONS: usize = 0;
    /// Index of the option `cut_all` in the catalogue.
    pub const CUT_ALL: usize = 1;

    /// The content that is compiled in.
    #[must_use]
    pub fn builtin() -> ContentFiles {
        content::builtin()
    }

    /// The game with this content.
    ///
    /// # Errors
    /// Every fault of the content.
    pub fn load(files: &ContentFiles) -> Result<Self, ContentErrors> {
        let (realm, numbers, printed) = content::load(files)?;
        let (table, actions) = Actions::build(&realm).map_err(content::action_table_error)?;
        let ledger = Ledger::load(files)?;
        let catalogue = catalogue::catalogue(&realm, &numbers, &printed, files.hash(), ledger, table);
        Ok(Self { realm, numbers, actions, catalogue })
    }

    /// The game with the content that is compiled in.
    ///
    /// # Panics
    /// Never: tests load that content.
    #[must_use]
    pub fn standard() -> Self {
        match Self::load(&Self::builtin()) {
            Ok(game) => game,
            Err(errors) => panic!("the built-in content is at fault:\n{errors}"),
        }
    }

    /// The board.
    #[must_use]
    pub const fn realm(&self) -> &Realm {
        &self.realm
    }

    /// The meaning of the action table.
    #[must_use]
    pub const fn actions(&self) -> &Actions {
        &self.actions
    }
}

/// The most actions of a season with its months, both sides together: a small multiple of what the longest can take.
const SEASON_ACTIONS_MAX: u32 = 4_000;

impl EnglishCivilWar {
    /// The option values of a setup: seasons to be played, and whether any cut cuts all.
    fn options(setup: &Setup) -> (u8, bool) {
        (setup.option(Self::MAX_SEASONS) as u8, setup.option(Self::CUT_ALL) != 0)
    }

    fn umpire<'a>(&'a self, state: &'a mut State, out: &'a mut Events) -> Umpire<'a> {
        Umpire { realm: &self.realm, numbers: &self.numbers, actions: &self.actions, state, out }
    }

    const fn scribe<'a>(&'a self, state: &'a State, seat: Seat) -> Scribe<'a> {
        Scribe { realm: &self.realm, actions: &self.actions, state, seat }
    }

    const fn clerk<'a>(&'a self, state: &'a State, seat: Seat) -> Clerk<'a> {
        Clerk { realm: &self.realm, actions: &self.actions, state, seat }
    }

    /// The armies of the start, and the leaders still to be placed (r10).
    fn set_up(&self, state: &mut State) {
        for space in self.realm.spaces() {
            let county = self.realm.county(space);
            if let Some(seat) = county.home.filter(|_| rules::SET_UP.applies(county.armies > 0)) {
                state.set_armies(seat, space, county.armies);
            }
        }
        state.leaders = [Place::Unplaced; LEADERS];
    }

    /// Writes an action into a side's draft; says whether that commits it.
    fn write(&self, state: &mut State, seat: Seat, act: Action) -> bool {
        if act == Action::Done {
            state.side_drafts[seat.index()].committed = true;
            return true;
        }
        let mut draft = std::mem::take(&mut state.side_drafts[seat.index()].draft);
        match &mut draft {
            Draft::Nothing => {}
            Draft::Influence(fund) => Clerk::apply_fund(fund, act),
            Draft::Adjustment(adjust) => Clerk::apply_adjustment(adjust, act),
            Draft::Parts(entry) => self.scribe(state, seat).apply(entry, act),
        }
        state.side_drafts[seat.index()].draft = draft;
        false
    }
}

impl Game for EnglishCivilWar {
    type State = State;

    fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    fn start(&self, setup: &Setup) -> State {
        let (max_seasons, cut_all) = Self::options(setup);
        let mut state = State::bare(&self.realm, max_seasons, cut_all);
        self.set_up(&mut state);
        self.umpire(&mut state, &mut Events::silent()).open_season();
        state
    }

    fn position(&self, setup: &Setup, position: &serde_json::Value) -> Result<State, PositionError> {
        position::read(self, setup, position)
    }

    fn node(&self, state: &State) -> Node {
        match state.phase {
            Phase::Over(_) => Node::Over,
            _ => Node::Sealed(state.to_act()),
        }
    }

    fn result(&self, state: &State) -> Option<MatchResult> {
        match state.phase {
            Phase::Over(verdict) => Some(turn_state::result(verdict)),
            _ => None,
        }
    }

    fn bound(&self, setup: &Setup) -> u32 {
        SEASON_ACTIONS_MAX * u32::from(Self::options(setup).0)
    }

    fn candidates(&self, state: &State, seat: Seat, into: &mut Vec<ActionId>) {
        match &state.side_drafts[seat.index()].draft {
            Draft::Nothing => {}
            Draft::Influence(fund) => self.clerk(state, seat).candidate_funds(fund, into),
            Draft::Adjustment(adjust) => self.clerk(state, seat).candidate_adjustments(adjust, into),
            Draft::Parts(entry) => self.scribe(state, seat).candidates(entry, into),
        }
    }

    fn examine(&self, state: &State, seat: Seat, action: ActionId, why: &mut Why) -> ControlFlow<()> {
        let Some(act) = self.actions.act(action) else {
            return why.refuse(rules::DIPLOMACY, "UNKNOWN_ACTION");
        };
        match &state.side_drafts[seat.index()].draft {
            Draft::Nothing => why.refuse(rules::ASKED, "NOT_ASKED"),
            Draft::Influence(fund) => self.clerk(state, seat).examine_fund(fund, act, why),
            Draft::Adjustment(adjust) => self.clerk(state, seat).examine_adjustment(adjust, act, why),
            Draft::Parts(entry) => {
                let scribe = self.scribe(state, seat);
                scribe.examine(scribe.asked(entry), act, why)
            }
        }
    }

    fn legal(&self, state: &State, seat: Seat, into: &mut Vec<ActionId>) {
        into.clear();
        if !self.node(state).to_act().contains(seat) {
            return;
        }
        self.candidates(state, seat, into);
        let Draft::Parts(entry) = &state.side_drafts[seat.index()].draft else {
            return into.retain(|&action| self.permits(state, seat, action));
        };
        // As `permits`, but what is asked for is the same for all of them.
        let scribe = self.scribe(state, seat);
        let asked = scribe.asked(entry);
        into.retain(|&action| {
            let mut why = Why::quiet();
            let flow = self.actions.act(action).map(|act| scribe.examine(asked, act, &mut why));
            flow.is_some() && !why.refused()
        });
    }

    fn apply(&self, state: &mut State, seat: Seat, action: ActionId, out: &mut Events) {
        let Some(act) = self.actions.act(action) else { return };
        if !out.is_recording() {
            if self.write(state, seat, act) {
                self.umpire(state, out).go_on();
            }
            return;
        }
        let before = state.side_drafts[seat.index()].draft;
        if self.write(state, seat, act) {
            self.umpire(state, out).go_on();
            return;
        }
        let changes = view::draft_changes(state, seat, &before);
        out.emit(|| Event::only(seat, "drafted", rules::SEALED, &[Ref::Seat(seat)]).changes(changes));
    }

    fn chance(&self, _: &State) -> Chance {
        unreachable!("the rules have no luck in them")
    }

    fn roll_classes(&self, _: &State) -> Vec<Class> {
        Vec::new()
    }

    fn resolve(&self, _: &mut State, _: &Outcome, _: &mut Events) {}

    fn board(&self, state: &State, observer: Observer) -> Board {
        view::board(&self.realm, &self.numbers, state, observer)
    }

    fn board_changes(&self, before: &State, after: &State, observers: &[Observer]) -> BoardChanges {
        let changes = |&observer| view::board_changes(&self.realm, &self.numbers, [before, after], observer);
        observers.iter().map(changes).collect()
    }

    fn known_may_differ(&self, _: &State, _: &State) -> bool {
        false
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
        codec::encode(self, state, into);
    }

    fn decode(&self, from: &mut Reader<'_>) -> Result<State, DecodeError> {
        codec::decode(self, from)
    }

    fn default_action(&self, released: &State, seat: Seat, draft: &[ActionId]) -> DefaultAction {
        default_action::default_action(self, released, seat, draft)
    }

    fn parse_line(&self, state: &State, seat: Seat, text: &str) -> Result<Vec<ActionId>, LineError> {
        line::parse(self, state, seat, text)
    }

    fn print_line(&self, state: &State, seat: Seat, actions: &[ActionId]) -> String {
        line::print(self, state, seat, actions)
    }
}

/// Both seats' drafts are private; the rest of a state is public. Used by what rebuilds states.
fn seats_but(seat: Option<Seat>) -> impl Iterator<Item = Seat> {
    SIDES.into_iter().filter(move |other| Some(*other) != seat)
}
