//! Views and events.

use std::sync::Arc;

use edgehill_engine::event::Form;
use edgehill_engine::event::Stamp;
use edgehill_engine::game::{CONTRACT, Ending};
use edgehill_engine::ledger::Rule;
use edgehill_engine::reference::{At, Ref};
use edgehill_engine::registry::AnyTable;
use edgehill_engine::seat::{Observer, Seat, SeatSet};
use edgehill_engine::step::StepId;
use edgehill_engine::table::Seen;
use edgehill_engine::view::{
    Arrow, ArrowKey, Board, Calls, Change, Context, Entitlement, Group, Head, KnownAmong, Marker, NodeView,
    Phrase, Piece, Pile, View, Window,
};
use edgehill_proto::v1;
use edgehill_service::wire::{Words, reference, view};
use prost::Message;

use crate::client::{fold, is_sorted};
use crate::{SEEDS, game, heard, matches, open, play};

const RULE: Rule = Rule::new("8.2");

fn wire(table: &dyn AnyTable, observer: Observer) -> v1::View {
    view::of(&table.view(observer), Words::OFF)
}

#[test]
fn a_client_that_folds_what_it_hears_has_the_view() {
    for seed in SEEDS {
        for mut table in matches(seed) {
            let observers: Vec<Observer> = Observer::all(table.seats()).collect();
            let mut folded: Vec<(v1::View, usize)> = observers
                .iter()
                .map(|&observer| (wire(&*table, observer), table.heard_count(observer)))
                .collect();
            play(&mut *table, seed, |table, _| {
                for (observer, (seen, count)) in observers.iter().zip(&mut folded) {
                    for news in heard::following(table.heard(*observer, *count), *count as u64, Words::OFF) {
                        *count += 1;
                        assert_eq!(news.seq, *count as u64, "the first event is number 1");
                        fold(seen, &news);
                    }
                    assert_eq!(*count, table.heard_count(*observer));
                    assert_eq!(
                        *seen,
                        wire(table, *observer),
                        "{}, seed {seed}, {observer:?}",
                        table.catalogue().id
                    );
                    assert!(is_sorted(seen.board.as_ref().expect("a view has a board")));
                }
            });
        }
    }
}

#[test]
fn words_are_there_where_they_are_wanted_and_nothing_else_changes() {
    for mut table in matches(7) {
        let catalogue = table.catalogue().clone();
        play(&mut *table, 7, |table, _| {
            for observer in Observer::all(table.seats()) {
                let (seen, words) = (table.view(observer), Words::of(&catalogue));
                let mut said = view::of(&seen, words);
                let head = said.head.as_mut().expect("a view has a head");
                let prompt = head.prompt.as_mut().expect("a head has a prompt");
                assert!(!prompt.words.is_empty() && !prompt.words.contains("{0}"), "{prompt:?}");
                prompt.words.clear();
                head.entitlements
                    .iter_mut()
                    .flat_map(|one| &mut one.what)
                    .chain(&mut head.warnings)
                    .for_each(|one| {
                        assert!(!one.words.is_empty());
                        one.words.clear();
                    });
                said.known.iter_mut().flat_map(|set| &mut set.facts).for_each(|fact| fact.words.clear());
                assert_eq!(said, view::of(&seen, Words::wanted(&catalogue, false)));
            }
        });
        for observer in Observer::all(table.seats()) {
            let heard = table.heard(observer, 0);
            for news in heard::following(heard, 0, Words::of(&catalogue)) {
                assert!(!news.words.is_empty(), "{} has no words", news.code);
            }
            assert!(heard::following(heard, 0, Words::OFF).all(|news| news.words.is_empty()));
        }
    }
}

#[test]
fn equal_matches_are_equal_bytes() {
    for seed in SEEDS {
        let bytes = || {
            let mut bytes = Vec::new();
            for mut table in matches(seed) {
                play(&mut *table, seed, |_, _| {});
                for observer in Observer::all(table.seats()) {
                    bytes.push(wire(&*table, observer).encode_to_vec());
                    let heard = heard::following(table.heard(observer, 0), 0, Words::OFF);
                    bytes.extend(heard.map(|news| news.encode_to_vec()));
                }
            }
            bytes
        };
        assert_eq!(bytes(), bytes());
    }
}

#[test]
fn every_reference_is_read_as_it_was_said() {
    let sorts = [Ref::Space, Ref::Mat, Ref::Track, Ref::Pile, Ref::Piece, Ref::Kind, Ref::Card, Ref::Marker];
    let mut refs: Vec<Ref> = sorts.iter().flat_map(|sort| [0, 1, 300, u16::MAX].map(sort)).collect();
    refs.extend(SeatSet::first(Seat::MAX).iter().map(Ref::Seat));
    refs.extend([i32::MIN, -1, 0, 6, i32::MAX].map(Ref::Number));
    for what in refs {
        let bytes = reference::of(what).encode_to_vec();
        let back = v1::Ref::decode(&*bytes).expect("its own bytes");
        assert_eq!(reference::read(&back), Ok(what));
    }
}

/// A place reads as a reference to it: `At` and `Ref` have the same numbers for the same things.
#[test]
fn a_place_is_a_reference_on_the_wire_too() {
    let south = Seat::new(1);
    for at in
        [At::Space(3), At::Mat(3), At::Track(3), At::Pile(3), At::Piece(3), At::Card(3), At::Seat(south)]
    {
        assert_eq!(reference::at(at).encode_to_vec(), reference::of(at.into()).encode_to_vec());
    }
}

/// A view with everything in it that a view can have.
fn full_view() -> View {
    let (north, south) = (Seat::new(0), Seat::new(1));
    let group = Group { at: At::Space(2), owner: Some(south), kind: 0, flags: 1, from: Some(At::Space(3)) };
    let arrow = ArrowKey {
        from: At::Space(1),
        to: At::Space(2),
        of: Some(At::Space(3)),
        kind: 4,
        seat: Some(north),
        ordinal: 1,
    };
    let mut board = Board::default();
    let piece = Piece { kind: 5, owner: None, at: At::Card(6), flags: 3, from: Some(At::Mat(7)) };
    board.pieces.insert(4, piece);
    board.groups.insert(group, 2);
    board.piles.insert(1, Pile { count: 3, cards: vec![8, 2] });
    board.markers.insert(Marker { at: At::Track(0), kind: 1 }, -4);
    board.arrows.insert(arrow, Arrow { result: Some("held"), refs: vec![Ref::Number(-1)].into() });
    let phrase = |code| Phrase::new(code, &[Ref::Seat(south)]);
    View {
        observer: Observer::Seat(south),
        board,
        known: vec![KnownAmong {
            owner: Some(north),
            by: None,
            faces: vec![(Ref::Kind(2), Some(3)), (Ref::Card(1), None)],
            places: vec![(group, 2)],
            facts: vec![phrase("horse")],
        }],
        draft: vec![StepId(9), StepId(4)],
        calls: Calls::default(),
        head: Arc::new(Head {
            node: NodeView::Sealed {
                owing: SeatSet::EMPTY.with(south),
                committed: SeatSet::EMPTY.with(north),
            },
            prompt: phrase("prompt"),
            context: vec![Context {
                frame: "battle",
                rule: RULE,
                step: 2,
                roles: vec![("attacker", Ref::Piece(4)), ("attacker", Ref::Piece(5))].into(),
            }]
            .into(),
            window: Some(Window {
                code: "interception",
                rule: RULE,
                seat: south,
                procedure: 12,
                attacked: true,
                decline: StepId(7),
            }),
            entitlements: vec![Entitlement { seat: north, what: phrase("card"), rule: RULE }],
            warnings: vec![phrase("risk")],
        }),
    }
}

#[test]
fn nothing_of_a_view_is_left_out() {
    let text = format!("{:?}", view::of(&full_view(), Words::OFF));
    let expected = [
        "observer: Some(Observer { seat: Some(1) })",
        "Piece { piece: 4, kind: 5, owner: None, at: Some(At { place: Some(Card(6)) }), flags: 3, origin: Some(At { place: Some(Mat(7)) }) }",
        "Group { at: Some(At { place: Some(Space(2)) }), owner: Some(1), kind: 0, flags: 1, origin: Some(At { place: Some(Space(3)) }), count: 2 }",
        "Pile { pile: 1, count: 3, cards: [8, 2] }",
        "Marker { key: Some(MarkerKey { at: Some(At { place: Some(Track(0)) }), kind: 1 }), number: -4 }",
        "Arrow { key: Some(ArrowKey { start: Some(At { place: Some(Space(1)) }), end: Some(At { place: Some(Space(2)) }), of: Some(At { place: Some(Space(3)) }), kind: 4, seat: Some(0), ordinal: 1 }), result: \"held\", refs: [Ref { what: Some(Number(-1)) }] }",
        "KnownAmong { owner: Some(0), by: None, faces: [Face { what: Some(Ref { what: Some(Kind(2)) }), number: Some(3) }, Face { what: Some(Ref { what: Some(Card(1)) }), number: None }]",
        "facts: [Phrase { code: \"horse\", refs: [Ref { what: Some(Seat(1)) }], words: \"\" }]",
        "draft: [9, 4]",
        "Sealed(SealedNode { owing: [1], committed: [0] })",
        "Context { frame: \"battle\", rule: \"8.2\", step: 2, roles: [Role { name: \"attacker\", what: Some(Ref { what: Some(Piece(4)) }) }, Role { name: \"attacker\", what: Some(Ref { what: Some(Piece(5)) }) }] }",
        "Window { code: \"interception\", rule: \"8.2\", seat: 1, procedure: 12, attacked: true, decline: 7 }",
        "Entitlement { seat: 0, what: Some(Phrase { code: \"card\", refs: [Ref { what: Some(Seat(1)) }], words: \"\" }), rule: \"8.2\" }",
        "warnings: [Phrase { code: \"risk\", refs: [Ref { what: Some(Seat(1)) }], words: \"\" }]",
    ];
    for part in expected {
        assert!(text.contains(part), "{part}\nis not in\n{text}");
    }
    let head = |node| Arc::new(Head { node, ..(*full_view().head).clone() });
    for (node, part) in [
        (NodeView::Decision(Seat::new(1)), "Decision(1)"),
        (NodeView::Chance, "Chance(ChanceNode)"),
        (
            NodeView::Over(Ending { returns: vec![1, -1], code: "won", rule: CONTRACT, grade: "marginal" }),
            "Over(Ending { returns: [1, -1], code: \"won\", rule: \"contract\", grade: \"marginal\" })",
        ),
    ] {
        let text = format!("{:?}", view::of(&View { head: head(node), ..full_view() }, Words::OFF));
        assert!(text.contains(part), "{part}\nis not in\n{text}");
    }
}

/// Every kind of change goes the way from an empty view to a full one and back.
#[test]
fn every_kind_of_change_is_folded_by_a_client() {
    let full = full_view();
    let empty = View {
        board: Board::default(),
        known: Vec::new(),
        draft: Vec::new(),
        head: Arc::new(Head { node: NodeView::Chance, ..(*full.head).clone() }),
        ..full.clone()
    };
    let mut back = full.changes_to(&empty);
    // Clearing says the same of arrows as taking each away.
    back.push(Change::ArrowsCleared);
    let forth = empty.changes_to(&full);
    let mut seen = view::of(&empty, Words::OFF);
    for (changes, after) in [(forth, &full), (back, &empty)] {
        let stamp = Some(Stamp { stream: 3, n: 5 });
        let form = Form::new(&[Ref::Card(1)], changes.into()).into();
        let news = heard::of(&Seen { code: "rolled", rule: RULE, stamp, form }, 17, Words::OFF);
        assert_eq!((news.seq, &*news.code, &*news.rule), (17, "rolled", "8.2"));
        assert_eq!(news.stamp, Some(v1::Stamp { stream: 3, n: 5 }));
        assert_eq!(news.refs, [reference::of(Ref::Card(1))]);
        fold(&mut seen, &news);
        // Piles are never taken away: an empty one is told as such.
        let mut expected = view::of(after, Words::OFF);
        if after.board.piles.is_empty() {
            expected
                .board
                .as_mut()
                .expect("a view has a board")
                .piles
                .push(v1::Pile { pile: 1, ..v1::Pile::default() });
        }
        assert_eq!(seen, expected);
    }
}

#[test]
fn what_stands_beside_the_game_is_an_event_without_changes() {
    let mut table = open(&*game("skirmish"));
    let heard = table.heard_count(Observer::Spectator);
    table.offer_draw(Seat::new(0)).expect("there are two seats");
    let news: Vec<v1::Event> =
        heard::following(table.heard(Observer::Spectator, heard), heard as u64, Words::OFF).collect();
    assert_eq!(news.len(), 1);
    assert_eq!((&*news[0].code, news[0].seq), ("draw_offered", heard as u64 + 1));
    assert_eq!(news[0].changes, []);
}
