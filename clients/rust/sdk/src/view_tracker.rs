//! A view kept current by updates ([`ViewTracker`]): docs/contract.md's law that an observer's earlier view, with their
//! events folded over it, gives their present one.
//!
//! Invariant: each list of a board stays sorted by the keys of its entries, with each key once, as the server sends it.

use std::cmp::Ordering;

use edgehill_proto::v1::change::Entry;
use edgehill_proto::v1::location::Place;
use edgehill_proto::v1::{
    Arrow, ArrowKey, Board, Change, Event, GetViewResponse, Location, Marker, MarkerKey, MatchState,
    PieceGroup, SeatUpdate, View,
};

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

/// Replaces the entry that `change` names; one without an entry that this version of the wire has changes nothing.
pub fn change(view: &mut View, change: &Change) {
    match &change.entry {
        Some(Entry::TurnState(turn_state)) => view.turn_state = Some((**turn_state).clone()),
        Some(Entry::Known(known)) => view.known.clone_from(&known.known),
        Some(Entry::Draft(draft)) => {
            view.draft.truncate(draft.keep as usize);
            view.draft.extend_from_slice(&draft.add);
        }
        Some(entry) => board(view.board.get_or_insert_default(), entry),
        None => {}
    }
}

fn board(board: &mut Board, entry: &Entry) {
    match entry {
        Entry::Piece(piece) => {
            put(&mut board.pieces, *piece, |one| one.piece.cmp(&piece.piece));
        }
        Entry::PieceGone(id) => take(&mut board.pieces, |one| one.piece.cmp(id)),
        Entry::Group(group) if group.count == 0 => take(&mut board.groups, |one| groups(one, group)),
        Entry::Group(group) => put(&mut board.groups, *group, |one| groups(one, group)),
        Entry::Pile(pile) => put(&mut board.piles, pile.clone(), |one| one.pile.cmp(&pile.pile)),
        Entry::Marker(marker) => put(&mut board.markers, *marker, |one| markers(one, marker.key.as_ref())),
        Entry::MarkerGone(key) => take(&mut board.markers, |one| markers(one, Some(key))),
        Entry::Arrow(arrow) => put(&mut board.arrows, arrow.clone(), |one| arrows(one, arrow.key.as_ref())),
        Entry::ArrowGone(key) => take(&mut board.arrows, |one| arrows(one, Some(key))),
        Entry::ArrowsCleared(_) => board.arrows.clear(),
        // Turn state, draft and knowledge are not the board's.
        Entry::Known(_) | Entry::Draft(_) | Entry::TurnState(_) => {}
    }
}

/// Puts an entry where `order` finds its key, or where it belongs.
fn put<T>(list: &mut Vec<T>, entry: T, order: impl FnMut(&T) -> Ordering) {
    match list.binary_search_by(order) {
        Ok(place) => list[place] = entry,
        Err(place) => list.insert(place, entry),
    }
}

/// Takes the entry out whose key `order` finds, if it is there.
fn take<T>(list: &mut Vec<T>, order: impl FnMut(&T) -> Ordering) {
    if let Ok(place) = list.binary_search_by(order) {
        list.remove(place);
    }
}

fn groups(one: &PieceGroup, other: &PieceGroup) -> Ordering {
    let key = |group: &PieceGroup| {
        (place(group.at.as_ref()), group.owner, group.kind, group.flags, place(group.origin.as_ref()))
    };
    key(one).cmp(&key(other))
}

fn markers(one: &Marker, other: Option<&MarkerKey>) -> Ordering {
    let key = |key: Option<&MarkerKey>| key.map(|key| (place(key.at.as_ref()), key.kind));
    key(one.key.as_ref()).cmp(&key(other))
}

fn arrows(one: &Arrow, other: Option<&ArrowKey>) -> Ordering {
    let key = |key: Option<&ArrowKey>| {
        key.map(|key| {
            let ends = (place(key.start.as_ref()), place(key.end.as_ref()), place(key.of.as_ref()));
            (ends, key.kind, key.seat, key.ordinal)
        })
    };
    key(one.key.as_ref()).cmp(&key(other))
}

/// Returns the key that places are sorted by: their sort as `Location` numbers it, then their index. No place is
/// before any.
fn place(at: Option<&Location>) -> Option<(u8, u32)> {
    Some(match at?.place? {
        Place::Space(index) => (1, index),
        Place::Mat(index) => (2, index),
        Place::Track(index) => (3, index),
        Place::Pile(index) => (4, index),
        Place::Piece(index) => (5, index),
        Place::Card(index) => (6, index),
        Place::Seat(index) => (7, index),
    })
}
