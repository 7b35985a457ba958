use edgehill_client::ViewTracker;
use edgehill_client::v1::change::Entry;
use edgehill_client::v1::location::Place;
use edgehill_client::v1::*;
use edgehill_client::view_tracker::{self, FoldError};

fn at(place: Place) -> Option<Location> {
    Some(Location { place: Some(place) })
}

fn event(seq: u64, entries: impl IntoIterator<Item = Entry>) -> Event {
    let changes = entries.into_iter().map(|entry| Change { entry: Some(entry) }).collect();
    Event { seq, changes, ..Event::default() }
}

fn update(events: impl IntoIterator<Item = Event>) -> SeatUpdate {
    let events: Vec<Event> = events.into_iter().collect();
    SeatUpdate { seq: events.last().map_or(0, |last| last.seq), events, ..SeatUpdate::default() }
}

fn folded(entries: impl IntoIterator<Item = Entry>) -> View {
    let mut tracker = ViewTracker::at(0, View::default());
    tracker.fold(&update([event(1, entries)])).expect("it can be folded");
    tracker.into_view().expect("a view")
}

fn group(place: Place, owner: Option<u32>, kind: u32, count: u32) -> PieceGroup {
    PieceGroup { at: at(place), owner, kind, count, ..PieceGroup::default() }
}

#[test]
fn entries_are_placed_by_their_keys_replaced_and_taken_out() {
    let piece = |piece, place| Piece { piece, at: at(place), ..Piece::default() };
    let view = folded([
        Entry::Piece(piece(5, Place::Space(1))),
        Entry::Piece(piece(2, Place::Space(9))),
        Entry::Piece(piece(7, Place::Space(3))),
        Entry::Piece(piece(5, Place::Mat(0))),
        Entry::PieceGone(7),
        Entry::PieceGone(8),
    ]);
    let pieces = view.board.expect("a board").pieces;
    assert_eq!(pieces, [piece(2, Place::Space(9)), piece(5, Place::Mat(0))]);
}

/// Places sort by their sort, then by index; those without an owner before a seat's; a group without members is gone.
#[test]
fn groups_are_sorted_by_all_of_their_key() {
    let sorted = [
        group(Place::Space(0), None, 3, 1),
        group(Place::Space(0), Some(0), 1, 4),
        group(Place::Space(0), Some(0), 2, 2),
        group(Place::Space(10), None, 0, 1),
        group(Place::Mat(0), None, 0, 6),
        group(Place::Seat(1), Some(1), 0, 1),
    ];
    let mut entries: Vec<Entry> = sorted.iter().rev().map(|group| Entry::Group(*group)).collect();
    entries.push(Entry::Group(group(Place::Track(0), None, 0, 1)));
    entries.push(Entry::Group(group(Place::Track(0), None, 0, 0)));
    assert_eq!(folded(entries).board.expect("a board").groups, sorted);
}

#[test]
fn markers_and_arrows_have_keys_of_their_own() {
    let key = |kind| MarkerKey { at: at(Place::Track(1)), kind };
    let marker = |kind, number| Marker { key: Some(key(kind)), number };
    let view = folded([
        Entry::Marker(marker(2, 1)),
        Entry::Marker(marker(1, 1)),
        Entry::Marker(marker(2, -3)),
        Entry::Marker(marker(9, 1)),
        Entry::MarkerGone(key(9)),
    ]);
    assert_eq!(view.board.expect("a board").markers, [marker(1, 1), marker(2, -3)]);

    let key = |of, ordinal| ArrowKey {
        start: at(Place::Space(1)),
        end: at(Place::Space(2)),
        of,
        ordinal,
        ..ArrowKey::default()
    };
    let arrow = |of, ordinal, result: &str| Arrow {
        key: Some(key(of, ordinal)),
        result: result.to_owned(),
        refs: Vec::new(),
    };
    let entries = [
        Entry::Arrow(arrow(at(Place::Space(0)), 0, "")),
        Entry::Arrow(arrow(None, 1, "")),
        Entry::Arrow(arrow(None, 0, "")),
        Entry::Arrow(arrow(None, 1, "held")),
        Entry::ArrowGone(key(None, 0)),
    ];
    let view = folded(entries.clone());
    let arrows = view.board.expect("a board").arrows;
    assert_eq!(arrows, [arrow(None, 1, "held"), arrow(at(Place::Space(0)), 0, "")]);
    let cleared = folded(entries.into_iter().chain([Entry::ArrowsCleared(ArrowsCleared {})]));
    assert!(cleared.board.expect("a board").arrows.is_empty());
}

#[test]
fn a_pile_the_head_what_is_known_and_the_draft_are_replaced() {
    let pile = |count| CardPile { pile: 3, count, cards: vec![1] };
    let turn_state = |code: &str| TurnState {
        prompt: Some(Phrase { code: code.to_owned(), ..Phrase::default() }),
        ..TurnState::default()
    };
    let known = |owner| HiddenSet { owner: Some(owner), ..HiddenSet::default() };
    let view = folded([
        Entry::Pile(pile(2)),
        Entry::Pile(pile(5)),
        Entry::TurnState(Box::new(turn_state("first"))),
        Entry::TurnState(Box::new(turn_state("second"))),
        Entry::Known(KnownChange { known: vec![known(0), known(1)] }),
        Entry::Known(KnownChange { known: vec![known(1)] }),
        Entry::Draft(DraftChange { keep: 0, add: vec![4, 5, 6] }),
        Entry::Draft(DraftChange { keep: 1, add: vec![9] }),
        Entry::Draft(DraftChange { keep: 7, add: vec![] }),
    ]);
    assert_eq!(view.board.expect("a board").piles, [pile(5)]);
    assert_eq!(view.turn_state, Some(turn_state("second")));
    assert_eq!(view.known, [known(1)]);
    assert_eq!(view.draft, [4, 9]);
}

fn count(seq: u64, count: u32) -> Event {
    event(seq, [Entry::Group(group(Place::Space(0), None, 0, count))])
}

fn counted(tracker: &ViewTracker) -> u32 {
    tracker.view().expect("a view").board.as_ref().expect("a board").groups[0].count
}

#[test]
fn events_are_folded_once_and_in_order() {
    let mut tracker = ViewTracker::at(0, View::default());
    tracker.fold(&update([count(1, 1), count(2, 2)])).expect("in order");
    tracker
        .fold(&update([count(1, 1), count(2, 2), count(3, 3)]))
        .expect("those that are in it are passed over");
    assert_eq!(counted(&tracker), 3);
    assert_eq!(tracker.fold(&update([count(5, 5)])), Err(FoldError::Gap { seq: 3, event: 5 }));
    let before = tracker.clone();
    let unknown = Event { seq: 4, changes: vec![Change::default()], ..Event::default() };
    assert_eq!(tracker.fold(&update([unknown])), Err(FoldError::Unknown { event: 4 }));
    assert_eq!(tracker, before, "nothing of it is folded");
    view_tracker::change(&mut View::default(), &Change::default());
}

#[test]
fn a_view_replaces_what_is_kept_and_an_older_one_is_passed_over() {
    let mut tracker = ViewTracker::new();
    assert_eq!(tracker.fold(&update([count(1, 1)])), Err(FoldError::NoView { event: 1 }));
    let view = |draft| Some(View { draft, ..View::default() });
    tracker.fold(&SeatUpdate { seq: 4, view: view(vec![7]), ..update([count(4, 1)]) }).expect("a view");
    assert_eq!((tracker.seq(), tracker.view()), (4, view(vec![7]).as_ref()));
    tracker.fold(&update([count(4, 1), count(5, 2)])).expect("in order");
    assert_eq!((tracker.seq(), counted(&tracker)), (5, 2));
    tracker.fold(&SeatUpdate { seq: 4, view: view(vec![7]), ..SeatUpdate::default() }).expect("passed over");
    assert_eq!((tracker.seq(), counted(&tracker)), (5, 2));
    // An answer without events: its number is ahead, and a stream has the rest.
    tracker.fold(&SeatUpdate { seq: 9, ..SeatUpdate::default() }).expect("nothing to fold");
    assert_eq!(tracker.seq(), 5);
}

#[test]
fn a_state_replaces_what_is_kept() {
    let mut tracker = ViewTracker::new();
    assert_eq!(tracker.state(), None);
    let state = |status: MatchStatus| MatchState { status: status.into(), ..MatchState::default() };
    for status in [MatchStatus::Waiting, MatchStatus::Running] {
        tracker.fold(&SeatUpdate { state: Some(state(status)), ..SeatUpdate::default() }).expect("a state");
        tracker.fold(&SeatUpdate::default()).expect("nothing");
        assert_eq!(tracker.state(), Some(&state(status)));
    }
}
