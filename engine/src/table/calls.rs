//! Calls on the match that are no moves of the game: undo, standing passes, resigning, agreeing on a draw.

use std::sync::Arc;

use crate::action::ActionId;
use crate::catalogue::STANDING_PASSES_MAX;
use crate::event::{Event, Events};
use crate::game::{CONTRACT, Game, MatchResult, Node};
use crate::reference::Ref;
use crate::seat::{Observer, Seat, SeatSet};
use crate::view::{PassScope, StandingPass};

use super::{LogEntry, Refusal, Table};

impl<G: Game> Table<G> {
    /// Takes back `seat`'s actions from the end of its draft until `keep` of them are left.
    ///
    /// # Errors
    /// If there is nothing that can be taken back, the seat has committed, or the draft is shorter than `keep`.
    pub fn undo(&mut self, seat: Seat, keep: usize) -> Result<(), Refusal> {
        self.check_undo(seat, keep)?;
        let before = Arc::clone(self.seen_by(Observer::Seat(seat)));
        self.lines[seat.index()].actions.truncate(keep);
        self.lines[seat.index()].waiting.truncate(keep);
        self.chance_source_error = None;
        self.tip = Arc::new(self.tip_with(seat, keep));
        self.streams.begin();
        self.publish_undo(Observer::Seat(seat), &before);
        self.settle_draft(seat);
        Ok(())
    }

    pub(super) fn check_undo(&self, seat: Seat, keep: usize) -> Result<(), Refusal> {
        let line = self.lines.get(seat.index()).ok_or(Refusal::UnknownSeat)?;
        let draft = line.actions.len();
        match () {
            () if self.closed.is_some() => Err(Refusal::MatchFinished),
            () if line.committed => Err(Refusal::Committed),
            () if draft == 0 => Err(Refusal::NothingToUndo),
            () if keep >= draft => Err(Refusal::NoSuchDraftAction { draft }),
            () => Ok(()),
        }
    }

    /// The released state with all lines applied again, of `seat`'s only the first `keep` actions.
    pub(super) fn tip_with(&self, seat: Seat, keep: usize) -> G::State {
        let mut state = G::State::clone(&self.base);
        for (index, line) in self.lines.iter().enumerate() {
            let actions = if index == seat.index() { keep } else { line.actions.len() };
            for &action in &line.actions[..actions] {
                self.game.apply(&mut state, Seat::new(index as u8), action, &mut Events::silent());
            }
        }
        state
    }

    /// Replaces `seat`'s standing passes; a window that is open and covered is passed at once.
    ///
    /// # Errors
    /// If there is no such seat, or there are more than [`STANDING_PASSES_MAX`]: so many a saved match holds.
    pub fn stand(&mut self, seat: Seat, passes: Vec<StandingPass>) -> Result<(), Refusal> {
        let standing = self.standing.get_mut(seat.index()).ok_or(Refusal::UnknownSeat)?;
        if passes.len() > STANDING_PASSES_MAX {
            return Err(Refusal::TooManyPasses { given: passes.len() });
        }
        *standing = passes;
        self.streams.begin();
        self.advance();
        self.settle();
        Ok(())
    }

    /// `seat`'s standing passes.
    #[must_use]
    pub fn standing(&self, seat: Seat) -> &[StandingPass] {
        self.standing.get(seat.index()).map_or(&[], Vec::as_slice)
    }

    /// The pass that stands for `seat` in the window that is open, if one does.
    pub(super) fn standing_pass(&self, seat: Seat) -> Option<ActionId> {
        let passes = self.standing.get(seat.index()).filter(|passes| !passes.is_empty())?;
        let window = self.game.turn_state(&self.tip, Observer::Seat(seat)).window?;
        let covers = |pass: &StandingPass| {
            let named = pass.window.as_deref().is_none_or(|code| code == window.code);
            let stands = match pass.scope {
                PassScope::Always => true,
                PassScope::Procedure(procedure) => procedure == window.procedure,
                PassScope::UntilAttacked => !window.attacked,
            };
            named && stands
        };
        (window.seat == seat && passes.iter().any(covers)).then_some(window.pass_action)
    }

    /// `seat` gives up: the others win.
    ///
    /// # Errors
    /// If the match is over, or there is no such seat.
    pub fn resign(&mut self, seat: Seat) -> Result<(), Refusal> {
        self.check_open(seat)?;
        let result = self.game.resignation(&self.base, self.seats, seat);
        self.close(result, LogEntry::Resigned(seat));
        Ok(())
    }

    /// `seat` offers a draw, until its next commit.
    ///
    /// # Errors
    /// If the match is over or has no other seat.
    pub fn offer_draw(&mut self, seat: Seat) -> Result<(), Refusal> {
        self.check_open(seat)?;
        if self.seats < 2 {
            return Err(Refusal::NoOpponent);
        }
        self.streams.begin();
        self.offers = self.offers.with(seat);
        self.publish_to_all(&Event::new("draw_offered", CONTRACT, &[Ref::Seat(seat)]));
        self.settle();
        Ok(())
    }

    /// `seat` accepts the draw that all the others offer.
    ///
    /// # Errors
    /// If the match is over, or not all the others offer one.
    pub fn accept_draw(&mut self, seat: Seat) -> Result<(), Refusal> {
        self.check_open(seat)?;
        if self.seats < 2 || self.offers.with(seat) != SeatSet::first(self.seats) {
            return Err(Refusal::NoOffer);
        }
        self.close(MatchResult::agreed(self.seats), LogEntry::Agreed);
        Ok(())
    }

    /// `seat` declines the draw that others offer: their offers lapse, its own stands.
    ///
    /// # Errors
    /// If the match is over, or no other seat offers one.
    pub fn decline_draw(&mut self, seat: Seat) -> Result<(), Refusal> {
        self.check_open(seat)?;
        let left = if self.offers.contains(seat) { SeatSet::EMPTY.with(seat) } else { SeatSet::EMPTY };
        if self.offers == left {
            return Err(Refusal::NoOffer);
        }
        self.streams.begin();
        self.offers = left;
        self.publish_to_all(&Event::new("draw_declined", CONTRACT, &[Ref::Seat(seat)]));
        self.settle();
        Ok(())
    }

    /// Returns the seats that offer a draw.
    #[must_use]
    pub const fn offers(&self) -> SeatSet {
        self.offers
    }

    fn check_open(&self, seat: Seat) -> Result<(), Refusal> {
        if seat.index() >= self.seats {
            return Err(Refusal::UnknownSeat);
        }
        if self.node() == Node::Over { Err(Refusal::MatchFinished) } else { Ok(()) }
    }

    /// Ends the match from outside its rules: drafts are dropped.
    fn close(&mut self, result: MatchResult, entry: LogEntry) {
        self.streams.begin();
        let drafting = SeatSet::first(self.seats).iter().filter(|seat| !self.draft(*seat).is_empty());
        let before: Vec<_> =
            drafting.map(|seat| (seat, Arc::clone(self.seen_by(Observer::Seat(seat))))).collect();
        for line in &mut self.lines {
            *line = super::Line::default();
        }
        self.tip = Arc::clone(&self.base);
        for (seat, state) in before {
            self.publish_undo(Observer::Seat(seat), &state);
        }
        self.log.push(entry);
        self.closed = Some(result);
        self.settle();
    }
}
