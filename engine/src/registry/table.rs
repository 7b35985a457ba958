//! A match without its game's type ([`AnyTable`]): every call of [`crate::table::Table`], and what tools need besides.

use rand_core::Rng;
use serde_json::Value;

use crate::action::ActionId;
use crate::catalogue::Catalogue;
use crate::chance::{Chance, Class, Outcome};
use crate::chance_source::{ChanceSource, ChanceSourceError};
use crate::event::ChanceRef;
use crate::game::{LineError, MatchResult, Node};
use crate::position::PositionError;
use crate::refusal::RuleViolation;
use crate::seat::{Observer, Seat, SeatSet};
use crate::setup::Setup;
use crate::table::{Applied, ApplyMode, FollowedView, LogEntry, ObservedEvent, Refusal, Saved};
use crate::view::{StandingPass, View, Window};

/// A chance event that waits for its outcome. [`crate::chance_source::describe`] puts it in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DueChance {
    /// The roll or draw.
    pub chance: Chance,
    /// The draw of the match's dice that it is.
    pub chance_ref: ChanceRef,
}

/// One match of any game. Every call that is refused leaves it as it was.
///
/// Seats may come from outside: one that the match does not have is not to act, has no draft, sees and is notified of what a spectator
/// does, and is refused.
pub trait AnyTable: Send + Sync {
    /// The static half of the game.
    fn catalogue(&self) -> &Catalogue;
    /// Scenario and options.
    fn setup(&self) -> &Setup;
    /// The described position that the match was started from, if it was.
    fn position(&self) -> Option<&Value>;
    /// Returns the number of seats that play.
    fn seats(&self) -> usize;
    /// Returns the point at which the match stands, drafts included.
    fn node(&self) -> Node;
    /// Returns the way it ended, once it has.
    fn result(&self) -> Option<MatchResult>;

    /// The actions that `seat` may take now, in list order; none if it is not to act.
    fn legal(&self, seat: Seat) -> Vec<ActionId>;
    /// Every ground against `action`; none if it is legal.
    fn rule_violations(&self, seat: Seat, action: ActionId) -> Vec<RuleViolation>;
    /// Takes actions for `seat`, as one: [`crate::table::Table::apply`].
    ///
    /// # Errors
    /// If an action is not legal, or the list runs past a point where something is revealed.
    fn apply(&mut self, seat: Seat, actions: &[ActionId], mode: ApplyMode) -> Result<Applied, Refusal>;
    /// Takes back to the first `keep` actions of `seat`'s draft and goes on with `actions` from there, as one:
    /// [`crate::table::Table::revise`].
    ///
    /// # Errors
    /// As [`AnyTable::undo`] and [`AnyTable::apply`]; then the draft is as it was.
    fn revise(
        &mut self,
        seat: Seat,
        keep: usize,
        actions: &[ActionId],
        mode: ApplyMode,
    ) -> Result<Applied, Refusal>;
    /// Reads a line for `seat` and takes its actions.
    ///
    /// # Errors
    /// If the line can't be read, and as [`AnyTable::apply`].
    fn apply_line(&mut self, seat: Seat, line: &str, mode: ApplyMode) -> Result<Applied, Refusal>;
    /// Reads a line against the present state; nothing is taken.
    ///
    /// # Errors
    /// Names the item and what would be accepted; of a seat that the match does not have, the first item.
    fn parse_line(&self, seat: Seat, line: &str) -> Result<Vec<ActionId>, LineError>;
    /// Prints actions that start from the present state, canonically; for a seat that the match does not have, in the table's
    /// notation.
    fn print_line(&self, seat: Seat, actions: &[ActionId]) -> String;

    /// The actions of `seat` that it can still take back.
    fn draft(&self, seat: Seat) -> &[ActionId];
    /// Returns whether `seat` has committed in the present sealed node.
    fn committed(&self, seat: Seat) -> bool;
    /// Takes back `seat`'s actions from the end of its draft until `keep` are left: [`crate::table::Table::undo`].
    ///
    /// # Errors
    /// If there is nothing that can be taken back.
    fn undo(&mut self, seat: Seat, keep: usize) -> Result<(), Refusal>;

    /// The chance event that waits for its outcome, if one does.
    fn chance(&self) -> Option<DueChance>;
    /// The results that the rules distinguish at that event, each with its exact weight; none if no event waits.
    fn classes(&self) -> Vec<Class>;
    /// Enters that event's outcome, as a person with real dice does: [`crate::table::Table::enter`].
    ///
    /// # Errors
    /// If no chance event waits, or the outcome does not fit it.
    fn enter(&mut self, outcome: &Outcome) -> Result<(), Refusal>;
    /// Returns the source of the outcomes; of a script, [`ChanceSource::left_over`] tells how much is unused.
    fn chance_source(&self) -> &ChanceSource;
    /// Returns why a chance event waits although nobody has to enter it.
    fn chance_source_error(&self) -> Option<&ChanceSourceError>;

    /// Returns what `observer` sees.
    fn view(&self, observer: Observer) -> View;
    /// Returns the window in which `seat` is asked, if it is asked in one.
    fn window(&self, seat: Seat) -> Option<Window>;
    /// The view of `observer`, to be followed from now on.
    fn followed(&self, observer: Observer) -> FollowedView;
    /// Brings a view of this match up to date: [`crate::table::Table::follow`].
    fn follow(&self, followed: &mut FollowedView);
    /// Returns what `observer` saw before anything was published: the view that the events from number 0 on are folded over.
    ///
    /// # Errors
    /// If the position that the match was started from is not accepted any more.
    fn first_view(&self, observer: Observer) -> Result<View, PositionError>;
    /// Returns the events published to `observer` from `from` on (0 is the first), but for what was
    /// forgotten; of a restored match, what came since.
    fn published(&self, observer: Observer, from: usize) -> &[ObservedEvent];
    /// Lets what was published so far go, for those who keep it elsewhere; the counts go on.
    fn forget_published(&mut self);
    /// Lets what was published so far go and counts on from `lengths`, one for each observer.
    ///
    /// # Panics
    /// If there is not one for each observer.
    fn go_on_from(&mut self, lengths: &[usize]);
    /// Returns the number of events published to `observer` so far: the number that their next event will have.
    fn published_count(&self, observer: Observer) -> usize;

    /// Replaces `seat`'s standing passes.
    ///
    /// # Errors
    /// If there is no such seat.
    fn stand(&mut self, seat: Seat, passes: Vec<StandingPass>) -> Result<(), Refusal>;
    /// `seat`'s standing passes.
    fn standing(&self, seat: Seat) -> &[StandingPass];
    /// `seat` gives up.
    ///
    /// # Errors
    /// If the match is over, or there is no such seat.
    fn resign(&mut self, seat: Seat) -> Result<(), Refusal>;
    /// `seat` offers a draw, until its next commit.
    ///
    /// # Errors
    /// If the match is over or has no other seat.
    fn offer_draw(&mut self, seat: Seat) -> Result<(), Refusal>;
    /// `seat` accepts the draw that all the others offer.
    ///
    /// # Errors
    /// If the match is over, or not all the others offer one.
    fn accept_draw(&mut self, seat: Seat) -> Result<(), Refusal>;
    /// `seat` declines the draw that others offer: their offers lapse.
    ///
    /// # Errors
    /// If the match is over, or no other seat offers one.
    fn decline_draw(&mut self, seat: Seat) -> Result<(), Refusal>;
    /// Returns the seats that offer a draw.
    fn offers(&self) -> SeatSet;
    /// Plays for `seat`, whose clock has run out, what the game says: [`crate::game::Game::default_action`].
    ///
    /// # Errors
    /// If `seat` is not to act.
    fn default_action(&mut self, seat: Seat) -> Result<Applied, Refusal>;

    /// The match as bytes, without its chance_source.
    fn save(&self) -> Saved;
    /// Returns what happened, in the order in which it became final; drafts left out.
    fn log(&self) -> &[LogEntry];
    /// The canonical encoding of the state, drafts included: what digests are taken of. Never for a seat.
    fn encoded(&self) -> Vec<u8>;

    /// The same match from its beginning, with another chance_source.
    ///
    /// # Errors
    /// If the game does not accept the described position that this match says it was started from.
    fn anew(&self, chance_source: ChanceSource) -> Result<Box<dyn AnyTable>, PositionError>;
    /// A match of its own on a state that `view`'s observer can't tell from the true one, with playout dice: what what-if,
    /// playouts and searching bots work on. A function of the setup, `view` and `rng` alone.
    fn determinize(&self, view: &View, rng: &mut dyn Rng) -> Box<dyn AnyTable>;
    /// The bytes of the states that it keeps, without those that these keep on the heap: at least one, and at most two and one more for
    /// each observer. Hosts reckon with it who count the bytes that their matches take.
    fn state_bytes(&self) -> usize;
    /// A copy, chance_source included.
    fn clone_box(&self) -> Box<dyn AnyTable>;
}

impl Clone for Box<dyn AnyTable> {
    fn clone(&self) -> Self {
        (**self).clone_box()
    }
}
