use edgehill_client::fold::FoldError;
use edgehill_client::v1::location::Place;
use edgehill_client::v1::change::Entry;
use edgehill_client::v1::*;
use edgehill_client::{ViewTracker, fold};

fn at(place: Place) -> Option<At> {
    Some(At { place: Some(place) })
}

fn event(seq: u64, entries: impl IntoIterator<Item = Entry>) -> Event {
    let changes = entries.into_iter().map(|entry| Change { entry: Some(entry) }).collect();
    Event { seq, changes, ..Event::default() }
}

fn folded(entries: impl IntoIterator<Item = Entry>) -> View {
    let mut sight = ViewTracker::new(0, View::default());
    sight.fold(&[event(1, entries)]).expect("it can be folded");
    sight.into_view()
}

fn group(place: Place, owner: Option<u32>, kind: u32, count: u32) -> Group {
    Group { at: at(place), owner, kind, count, ..Group::default() }
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

/// Places sort by their sort, then by index; nobody's before a seat's; a group without members is gone.
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
    let pile = |count| Pile { pile: 3, count, cards: vec![1] };
    let turn_state = |code: &str| Head {
        prompt: Some(Phrase { code: code.to_owned(), ..Phrase::default() }),
        ..Head::default()
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

#[test]
fn events_are_folded_once_and_in_order() {
    let count = |seq, count| event(seq, [Entry::Group(group(Place::Space(0), None, 0, count))]);
    let mut sight = ViewTracker::new(0, View::default());
    sight.fold(&[count(1, 1), count(2, 2)]).expect("in order");
    sight.fold(&[count(1, 1), count(2, 2), count(3, 3)]).expect("those that are in it are passed over");
    assert_eq!(sight.view().board.as_ref().expect("a board").groups[0].count, 3);
    assert_eq!(sight.fold(&[count(5, 5)]), Err(FoldError::Gap { seq: 3, event: 5 }));
    let before = sight.clone();
    let unknown = Event { seq: 4, changes: vec![Change::default()], ..Event::default() };
    assert_eq!(sight.fold(&[unknown]), Err(FoldError::Unknown { event: 4 }));
    assert_eq!(sight, before, "nothing of it is folded");
    fold::change(&mut View::default(), &Change::default());
}
