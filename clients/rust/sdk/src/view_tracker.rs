//! A view kept current by updates ([`ViewTracker`]): docs/contract.md's law that an observer's earlier view, with their
//! events folded over it, gives their present one.

use edgehill_proto::v1::{Event, GetViewResponse, MatchState, SeatUpdate, View};

pub use edgehill_proto::fold::change;

/// The reason that an update can't be folded. The view is as it was before the event at fault; ask the
/// server for the present one.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FoldError {
    /// Events are missing.
    #[error("event {event} does not follow number {seq}")]
    Gap {
        /// The number of the last event in the view.
        seq: u64,
        /// The number of the event that came.
        event: u64,
    },
    /// An event changes something that this version of the wire does not have.
    #[error("event {event} changes what this client does not know")]
    Unknown {
        /// The event's number.
        event: u64,
    },
    /// There is no view yet that the event could change.
    #[error("event {event} came before any view")]
    NoView {
        /// The event's number.
        event: u64,
    },
}

/// A match as its observer sees it, kept current by every update: those that answer calls, those of
/// [`MatchWatch`](crate::MatchWatch) and those of a [`PlaySession`](crate::PlaySession).
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ViewTracker {
    seq: u64,
    view: Option<View>,
    state: Option<MatchState>,
}

impl ViewTracker {
    /// A tracker without a view: the first update that has one brings it.
    #[must_use]
    pub const fn new() -> Self {
        Self { seq: 0, view: None, state: None }
    }

    /// A tracker of a view that has the events up to number `seq` in it.
    #[must_use]
    pub const fn at(seq: u64, view: View) -> Self {
        Self { seq, view: Some(view), state: None }
    }

    /// The number of the last event that is in the view; 0: none.
    #[must_use]
    pub const fn seq(&self) -> u64 {
        self.seq
    }

    /// The observer's view at that number; `None` before there was one, as in a match that has not begun.
    #[must_use]
    pub const fn view(&self) -> Option<&View> {
        self.view.as_ref()
    }

    /// The match's state, as the last update that had one gave it.
    #[must_use]
    pub const fn state(&self) -> Option<&MatchState> {
        self.state.as_ref()
    }

    /// The view alone.
    #[must_use]
    pub fn into_view(self) -> Option<View> {
        self.view
    }

    /// Folds an update: its view replaces the one that is kept, or its events are folded over that in their order; its state
    /// replaces the one that is kept. Events that are in the view already, and a view that is older, are passed over.
    ///
    /// An answer may leave events out: after it, [`ViewTracker::seq`] is less than the update's, and a stream has the rest.
    ///
    /// # Errors
    /// If there is a gap before an event, one can't be understood, or there is no view to fold it over. The events before it
    /// are in the view, and the state is as the update has it.
    pub fn fold(&mut self, update: &SeatUpdate) -> Result<(), FoldError> {
        if let Some(state) = &update.state {
            self.state = Some(state.clone());
        }
        match &update.view {
            Some(view) if self.view.is_none() || update.seq >= self.seq => {
                self.view = Some(view.clone());
                self.seq = update.seq;
                Ok(())
            }
            Some(_) => Ok(()),
            None => self.fold_events(&update.events),
        }
    }

    fn fold_events(&mut self, events: &[Event]) -> Result<(), FoldError> {
        for event in events.iter().filter(|event| event.seq > 0) {
            let Some(view) = &mut self.view else { return Err(FoldError::NoView { event: event.seq }) };
            if event.seq <= self.seq {
                continue;
            }
            if event.seq != self.seq + 1 {
                return Err(FoldError::Gap { seq: self.seq, event: event.seq });
            }
            if event.changes.iter().any(|change| change.entry.is_none()) {
                return Err(FoldError::Unknown { event: event.seq });
            }
            for one in &event.changes {
                change(view, one);
            }
            self.seq = event.seq;
        }
        Ok(())
    }
}

impl From<GetViewResponse> for ViewTracker {
    fn from(answer: GetViewResponse) -> Self {
        let state = answer.r#match.and_then(|of| of.state);
        Self { seq: answer.seq, view: answer.view, state }
    }
}
