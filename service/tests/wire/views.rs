//! Views and events.

use std::sync::Arc;

use edgehill_convert::messages::{TextMode, reference, view};
use edgehill_convert::values;
use edgehill_engine::action::ActionId;
use edgehill_engine::event::ChanceRef;
use edgehill_engine::event::Form;
use edgehill_engine::game::{CONTRACT, MatchResult, Termination};
use edgehill_engine::ledger::Rule;
use edgehill_engine::reference::{Location, Ref, Refs};
use edgehill_engine::registry::AnyTable;
use edgehill_engine::seat::{Observer, Seat, SeatSet};
use edgehill_engine::table::ObservedEvent;
use edgehill_engine::view::{
    Arrow, ArrowKey, Board, Calls, CardPile, Change, Entitlement, HiddenSet, Marker, NodeView, Phrase, Piece,
    PieceGroup, Procedure, TurnState, View, Window,
};
use edgehill_proto::v1;
use prost::Message;

use crate::client::{fold, is_sorted};
use crate::{SEEDS, game, matches, open, play, published};

const RULE: Rule = Rule::new("8.2");

fn wire(table: &dyn AnyTable, observer: Observer) -> v1::View {
    view::of(&table.view(observer), TextMode::OFF)
}

#[test]
fn a_client_that_folds_what_it_gets_has_the_view() {
    for seed in SEEDS {
        for mut table in matches(seed) {
            let observers: Vec<Observer> = Observer::all(table.seats()).collect();
            let mut folded: Vec<(v1::View, usize)> = observers
                .iter()
                .map(|&observer| (wire(&*table, observer), table.published_count(observer)))
                .collect();
            play(&mut *table, seed, |table, _| {
                for (observer, (seen, count)) in observers.iter().zip(&mut folded) {
                    for news in
                        published::following(table.published(*observer, *count), *count as u64, TextMode::OFF)
                    {
                        *count += 1;
                        assert_eq!(news.seq, *count as u64, "the first event is number 1");
                        fold(seen, &news);
                    }
                    assert_eq!(*count, table.published_count(*observer));
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
                let (seen, words) = (table.view(observer), TextMode::of(&catalogue));
                let mut said = view::of(&seen, words);
                let turn_state = said.turn_state.as_mut().expect("a view has a head");
                let prompt = turn_state.prompt.as_mut().expect("a head has a prompt");
                assert!(!prompt.text.is_empty() && !prompt.text.contains("{0}"), "{prompt:?}");
                prompt.text.clear();
                turn_state
                    .entitlements
                    .iter_mut()
                    .flat_map(|one| &mut one.what)
                    .chain(&mut turn_state.warnings)
                    .for_each(|one| {
                        assert!(!one.text.is_empty());
                        one.text.clear();
                    });
                said.known.iter_mut().flat_map(|set| &mut set.facts).for_each(|fact| fact.text.clear());
                assert_eq!(said, view::of(&seen, TextMode::wanted(&catalogue, false)));
            }
        });
        for observer in Observer::all(table.seats()) {
            let published = table.published(observer, 0);
            for news in published::following(published, 0, TextMode::of(&catalogue)) {
                assert!(!news.text.is_empty(), "{} has no words", news.code);
            }
            assert!(published::following(published, 0, TextMode::OFF).all(|news| news.text.is_empty()));
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
                    let published = published::following(table.published(observer, 0), 0, TextMode::OFF);
                    bytes.extend(published.map(|news| news.encode_to_vec()));
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
        assert_eq!(values::reference(&back).ok(), Some(what));
    }
}

/// A place reads as a reference to it: `Location` and `Ref` have the same numbers for the same things.
#[test]
fn a_place_is_a_reference_on_the_wire_too() {
    let south = Seat::new(1);
    for at in [
        Location::Space(3),
        Location::Mat(3),
        Location::Track(3),
        Location::Pile(3),
        Location::Piece(3),
        Location::Card(3),
        Location::Seat(south),
    ] {
        assert_eq!(reference::at(at).encode_to_vec(), reference::of(at.into()).encode_to_vec());
    }
}

/// A view with everything in it that a view can have.
fn full_view() -> View {
    let (north, south) = (Seat::new(0), Seat::new(1));
    let group = PieceGroup {
        at: Location::Space(2),
        owner: Some(south),
        kind: 0,
        flags: 1,
        from: Some(Location::Space(3)),
    };
    let arrow = ArrowKey {
        from: Location::Space(1),
        to: Location::Space(2),
        of: Some(Location::Space(3)),
        kind: 4,
        seat: Some(north),
        ordinal: 1,
    };
    let mut board = Board::default();
    let piece = Piece { kind: 5, owner: None, at: Location::Card(6), flags: 3, from: Some(Location::Mat(7)) };
    board.pieces.insert(4, piece);
    board.groups.insert(group, 2);
    board.piles.insert(1, CardPile { count: 3, cards: vec![8, 2] });
    board.markers.insert(Marker { at: Location::Track(0), kind: 1 }, -4);
    board.arrows.insert(arrow, Arrow { result: Some("held"), refs: vec![Ref::Number(-1)].into() });
    let phrase = |code| Phrase::new(code, &[Ref::Seat(south)]);
    View {
        observer: Observer::Seat(south),
        board,
        known: vec![HiddenSet {
            owner: Some(north),
            by: None,
            faces: vec![(Ref::Kind(2), Some(3)), (Ref::Card(1), None)],
            places: vec![(group, 2)],
            facts: vec![phrase("horse")],
        }]
        .into(),
        draft: vec![ActionId(9), ActionId(4)],
        calls: Calls::default(),
        turn_state: Arc::new(TurnState {
            node: NodeView::Sealed {
                to_act: SeatSet::EMPTY.with(south),
                committed: SeatSet::EMPTY.with(north),
            },
            prompt: phrase("prompt"),
            procedures: vec![Procedure {
                frame: "battle",
                rule: RULE,
                stage: 2,
                roles: vec![("attacker", Ref::Piece(4)), ("attacker", Ref::Piece(5))].into(),
            }]
            .into(),
            window: Some(Window {
                code: "interception",
                rule: RULE,
                seat: south,
                procedure: 12,
                attacked: true,
                pass_action: ActionId(7),
            }),
            entitlements: vec![Entitlement { seat: north, what: phrase("card"), rule: RULE }],
            warnings: vec![phrase("risk")],
        }),
    }
}

#[test]
fn nothing_of_a_view_is_left_out() {
    let text = format!("{:?}", view::of(&full_view(), TextMode::OFF));
    let expected = [
        "observer: Some(Observer { seat: Some(1) })",
        "Piece { piece: 4, kind: 5, owner: None, at: Some(Location { place: Some(Card(6)) }), flags: 3, origin: Some(Location { place: Some(Mat(7)) }) }",
        "PieceGroup { at: Some(Location { place: Some(Space(2)) }), owner: Some(1), kind: 0, flags: 1, origin: Some(Location { place: Some(Space(3)) }), count: 2 }",
        "CardPile { pile: 1, count: 3, cards: [8, 2] }",
        "Marker { key: Some(MarkerKey { at: Some(Location { place: Some(Track(0)) }), kind: 1 }), number: -4 }",
        "Arrow { key: Some(ArrowKey { start: Some(Location { place: Some(Space(1)) }), end: Some(Location { place: Some(Space(2)) }), of: Some(Location { place: Some(Space(3)) }), kind: 4, seat: Some(0), ordinal: 1 }), result: \"held\", refs: [Ref { what: Some(Number(-1)) }] }",
        "HiddenSet { owner: Some(0), by: None, faces: [Face { what: Some(Ref { what: Some(Kind(2)) }), number: Some(3) }, Face { what: Some(Ref { what: Some(Card(1)) }), number: None }]",
        "facts: [Phrase { code: \"horse\", refs: [Ref { what: Some(Seat(1)) }], text: \"\" }]",
        "draft: [9, 4]",
        "Sealed(SealedNode { to_act: [1], committed: [0] })",
        "Procedure { frame: \"battle\", rule: \"8.2\", stage: 2, roles: [Role { name: \"attacker\", what: Some(Ref { what: Some(Piece(4)) }) }, Role { name: \"attacker\", what: Some(Ref { what: Some(Piece(5)) }) }] }",
        "Window { code: \"interception\", rule: \"8.2\", seat: 1, procedure: 12, attacked: true, pass_action: 7 }",
        "Entitlement { seat: 0, what: Some(Phrase { code: \"card\", refs: [Ref { what: Some(Seat(1)) }], text: \"\" }), rule: \"8.2\" }",
        "warnings: [Phrase { code: \"risk\", refs: [Ref { what: Some(Seat(1)) }], text: \"\" }]",
    ];
    for part in expected {
        assert!(text.contains(part), "{part}\nis not in\n{text}");
    }
    let turn_state = |node| Arc::new(TurnState { node, ..(*full_view().turn_state).clone() });
    for (node, part) in [
        (NodeView::Decision(Seat::new(1)), "Decision(1)"),
        (NodeView::Chance, "Chance(ChanceNode)"),
        (
            NodeView::Over(MatchResult {
                returns: vec![1, -1],
                code: "won",
                refs: Refs::from_slice(&[Ref::Seat(Seat::new(0))]),
                rule: CONTRACT,
                grade: "marginal",
                termination: Termination::Victory,
            }),
            "Over(MatchResult { returns: [1, -1], code: \"won\", rule: \"contract\", grade: \"marginal\", termination: Victory, refs: [Ref { what: Some(Seat(0)) }] })",
        ),
    ] {
        let text =
            format!("{:?}", view::of(&View { turn_state: turn_state(node), ..full_view() }, TextMode::OFF));
        assert!(text.contains(part), "{part}\nis not in\n{text}");
    }
}

/// Every kind of change goes the way from an empty view to a full one and back.
#[test]
fn every_kind_of_change_is_folded_by_a_client() {
    let full = full_view();
    let empty = View {
        board: Board::default(),
        known: [].into(),
        draft: Vec::new(),
        turn_state: Arc::new(TurnState { node: NodeView::Chance, ..(*full.turn_state).clone() }),
        ..full.clone()
    };
    let mut back = full.changes_to(&empty);
    // Clearing says the same of arrows as taking each away.
    back.push(Change::ArrowsCleared);
    let forth = empty.changes_to(&full);
    let mut seen = view::of(&empty, TextMode::OFF);
    for (changes, after) in [(forth, &full), (back, &empty)] {
        let chance_ref = Some(ChanceRef { stream: 3, n: 5 });
        let form = Form::new(&[Ref::Card(1)], changes).into();
        let news =
            published::of(&ObservedEvent { code: "rolled", rule: RULE, chance_ref, form }, 17, TextMode::OFF);
        assert_eq!((news.seq, &*news.code, &*news.rule), (17, "rolled", "8.2"));
        assert_eq!(news.chance_ref, Some(v1::ChanceRef { stream: 3, n: 5 }));
        assert_eq!(news.refs, [reference::of(Ref::Card(1))]);
        fold(&mut seen, &news);
        // Piles are never taken away: an empty one is told as such.
        let mut expected = view::of(after, TextMode::OFF);
        if after.board.piles.is_empty() {
            expected
                .board
                .as_mut()
                .expect("a view has a board")
                .piles
                .push(v1::CardPile { pile: 1, ..v1::CardPile::default() });
        }
        assert_eq!(seen, expected);
    }
}

#[test]
fn what_stands_beside_the_game_is_an_event_without_changes() {
    let mut table = open(&*game("skirmish"));
    let published = table.published_count(Observer::Spectator);
    table.offer_draw(Seat::new(0)).expect("there are two seats");
    let news: Vec<v1::Event> = published::following(
        table.published(Observer::Spectator, published),
        published as u64,
        TextMode::OFF,
    )
    .collect();
    assert_eq!(news.len(), 1);
    assert_eq!((&*news[0].code, news[0].seq), ("draw_offered", published as u64 + 1));
    assert_eq!(news[0].changes, []);
}
