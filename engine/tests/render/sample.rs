//! A made-up catalogue, and a view with every kind of entry.

use std::collections::BTreeMap;

use edgehill_engine::action::{ActionId, ActionTable, VerbKind};
use edgehill_engine::catalogue::{
    Adjacency, Attribute, AttributeDef, AttributeKind, AttributeScope, BoardDef, CatalogEntry, Catalogue,
    Chart, ChartRow, CodeDef, KindDef, MarkerDef, MarkerPriority, MatDef, PileDef, PileFacing, PileLayout,
    ProcedureDef, RoleDef, ScenarioDef, SeatDef, SideDef, SpaceDef, SpaceKindDef, TrackBox, TrackDef,
};
use edgehill_engine::content::{Confidence, ContentFiles, ContentHash};
use edgehill_engine::ledger::{Ledger, RULES_FILE, Rule};
use edgehill_engine::reference::{Location, Ref, Refs};
use edgehill_engine::seat::{Observer, Seat, SeatSet};
use edgehill_engine::setup::{OptionDef, OptionKind};
use edgehill_engine::view::{
    Arrow, ArrowKey, Board, Calls, CardPile, Entitlement, HiddenSet, Marker, NodeView, PassScope, Phrase,
    Piece, PieceGroup, Procedure, StandingPass, TurnState, View, Window,
};

pub(crate) const KING: Seat = Seat::new(0);
pub(crate) const PARLIAMENT: Seat = Seat::new(1);
pub(crate) const BATTLE: Rule = Rule::new("8.2");

pub(crate) fn entry(id: &str, name: &str) -> CatalogEntry {
    CatalogEntry::new(id, name, Confidence::Official)
}

pub(crate) fn kind(id: &str, name: &str, back: bool) -> KindDef {
    KindDef::new(entry(id, name), back)
}

pub(crate) fn actions() -> ActionTable {
    let mut table = ActionTable::default();
    let march = table.verb("march", VerbKind::Play, "Move to the next area", &["to"]);
    let done = table.verb("done", VerbKind::Done, "End the activation", &[]);
    table.add(march, &[Ref::Space(0)], "march OXF").unwrap();
    table.add(march, &[Ref::Space(1)], "march READING").unwrap();
    table.add(done, &[], "done").unwrap();
    table
}

pub(crate) fn phrases() -> BTreeMap<&'static str, &'static str> {
    BTreeMap::from([
        ("choose", "{0} may march from {1}"),
        ("rolled", "{0} rolls"),
        ("bounced", "Stood off"),
        ("FAR", "{0} is too far away"),
        ("interception", "Interception"),
        ("bonus", "{0} more activations"),
        ("risk", "{0} may be captured"),
        ("king_wins", "The King holds London"),
    ])
}

pub(crate) fn ledger() -> Ledger {
    let rules = br#"
[sources]
page = "Rules page"

[[rule]]
id = "8.2"
title = "Battle"
text = "Sides that meet fight."
status = "enforced"
ground = "page 8"
"#;
    Ledger::load(&ContentFiles::builtin(&[(RULES_FILE, rules)])).unwrap()
}

pub(crate) fn catalogue() -> Catalogue {
    let space = |id: &str, name: &str, to: u16| SpaceDef {
        entry: entry(id, name),
        kind: 0,
        within: (to == 0).then_some(0),
        board: 0,
        region: String::new(),
        x: 3,
        y: -2,
        adjacencies: vec![Adjacency {
            to,
            kind: if to == 0 { "river" } else { "" },
            confidence: if to == 0 { Confidence::Inferred } else { Confidence::Official },
        }],
    };
    Catalogue {
        id: "sample",
        title: "Sample",
        summary: "Two areas and all that can lie in them.",
        rules_version: 7,
        content: ContentHash::from_bytes([0xab; 32]),
        seats: vec![
            SeatDef { id: "king", name: "King", color: "#aa0000", emblem: "crown" },
            SeatDef { id: "parliament", name: "Parliament", color: "#dd8800", emblem: "portcullis" },
        ],
        sides: vec![SideDef { id: "mob", name: "the mob", color: "#777777", emblem: "torch" }],
        scenarios: vec![ScenarioDef {
            id: "whole",
            title: "The whole war",
            seats: 2,
            returns_min: -1,
            returns_max: 1,
        }],
        options: vec![OptionDef {
            id: "rounds",
            title: "How many rounds",
            kind: OptionKind::Number { min: 1, max: 9 },
            default: 3,
        }],
        attributes: vec![
            AttributeDef::new("points", "Points", AttributeKind::Number, &[AttributeScope::Cards])
                .unit("in 6"),
            AttributeDef::new("homes", "Homes", AttributeKind::Reference, &[AttributeScope::Pieces]).many(),
            AttributeDef::flag("green", "Plays late", &[AttributeScope::Cards]),
        ],
        boards: vec![
            BoardDef::around(entry("map", "Map"), "miles", 5, [(3, -2)]).scaled(3, 5),
            BoardDef::around(entry("sheet", "Sheet"), "boxes", 1, [(0, 0), (2, 0)]),
        ],
        space_kinds: vec![SpaceKindDef { id: "county", name: "County" }],
        adjacency_kinds: vec![CodeDef { id: "river", name: "over a river" }],
        spaces: vec![space("OXF", "Oxford", 1), space("READING", "Reading", 0)],
        mats: vec![MatDef { entry: entry("van", "Vanguard"), board: 1, x: 2, y: 0 }],
        tracks: vec![TrackDef::across(
            entry("calendar", "Calendar"),
            1,
            (0, 0),
            12,
            vec![
                TrackBox::new(0, "0", Confidence::Official),
                TrackBox {
                    grade: "good".to_owned(),
                    gives: vec!["Spring comes".to_owned()],
                    ..TrackBox::new(1, "March", Confidence::House)
                },
            ],
        )],
        grades: vec![CodeDef { id: "good", name: "Good" }],
        piles: vec![
            PileDef {
                entry: entry("deck", "Deck"),
                owner: None,
                ordered: false,
                layout: PileLayout::Stack,
                facing: PileFacing::Nobody,
            },
            PileDef {
                entry: entry("hand", "King's hand"),
                owner: Some(KING),
                ordered: true,
                layout: PileLayout::Fan,
                facing: PileFacing::Owner,
            },
            PileDef {
                entry: entry("discard", "Discards"),
                owner: None,
                ordered: true,
                layout: PileLayout::Stack,
                facing: PileFacing::Everybody,
            },
        ],
        kinds: vec![
            kind("leader", "Leader", false),
            kind("pike", "Pike", false),
            kind("block", "Block", true),
        ],
        pieces: vec![
            entry("rupert", "Rupert").with_attributes(vec![Attribute::list(
                1,
                [Ref::Space(0), Ref::Space(1)],
                Confidence::Reconstructed,
            )]),
            entry("boy", "Boy"),
            entry("essex", "Essex"),
        ],
        cards: vec![
            CatalogEntry::new("c01", "Edgehill", Confidence::Reconstructed).with_attributes(vec![
                Attribute::new(0, 4, Confidence::Official),
                Attribute::new(2, true, Confidence::Official),
            ]),
            entry("c02", "Newbury"),
        ],
        markers: [("clock", "Clock", "months"), ("turn", "Turn", "")]
            .map(|(id, name, unit)| MarkerDef {
                entry: entry(id, name),
                priority: MarkerPriority::Position,
                unit,
                short_label: entry(id, name).initials(),
            })
            .into(),
        arrows: vec![entry("attack", "Attack"), entry("support", "Support")],
        arrow_results: vec![CodeDef { id: "cut", name: "cut off" }],
        charts: vec![Chart::new(
            "battle",
            "Battle",
            &["Strength", "Hits"],
            vec![ChartRow::new(vec![1.into(), "on a 1".into()], Confidence::House)],
        )],
        procedures: vec![
            ProcedureDef::new("Turn", "Turn").counting("seats done"),
            ProcedureDef::new("Battle", "Battle").with_stages(&["fire", "push", "pursuit"]),
        ],
        roles: vec![
            RoleDef::new("to", "To"),
            RoleDef::new("left", "Marches left").unit("marches"),
            RoleDef::new("routed", "Routed").flag(),
            RoleDef::new("dry", "Short of powder").bits(&[(1, "the King"), (2, "Parliament")]),
        ],
        flags: vec!["besieged", "in reserve"],
        actions: actions(),
        phrases: phrases(),
        phase_ends: Vec::new(),
        ledger: ledger(),
    }
}

pub(crate) fn piece(
    kind: u16,
    owner: Option<Seat>,
    at: Location,
    flags: u32,
    from: Option<Location>,
) -> Piece {
    Piece { kind, owner, at, flags, from }
}

pub(crate) fn board() -> Board {
    let oxford = Location::Space(0);
    let reading = Location::Space(1);
    let mut board = Board::default();
    board.pieces.insert(0, piece(0, Some(KING), oxford, 1, Some(reading)));
    board.pieces.insert(1, piece(1, None, Location::Piece(0), 0, None));
    let back = PieceGroup { at: oxford, owner: Some(PARLIAMENT), kind: 2, flags: 2, from: None };
    board.add_to_group(back, 3);
    board.add_to_group(
        PieceGroup { at: Location::Mat(0), owner: None, kind: 1, flags: 0, from: Some(oxford) },
        2,
    );
    board.piles.insert(0, CardPile { count: 12, cards: vec![] });
    board.piles.insert(2, CardPile::default());
    board.piles.insert(1, CardPile { count: 1, cards: vec![0] });
    for (at, kind, number) in [
        (oxford, 0, -1),
        (Location::Piece(1), 0, 2),
        (Location::Track(0), 1, 4),
        (Location::Pile(0), 0, 5),
        (Location::Card(1), 0, 6),
        (Location::Seat(PARLIAMENT), 1, 7),
    ] {
        board.markers.insert(Marker { at, kind }, number);
    }
    let attack = ArrowKey { from: oxford, to: reading, of: None, kind: 0, seat: Some(KING), ordinal: 0 };
    let arrow = Arrow { result: Some("bounced"), refs: vec![Ref::Number(2), Ref::Piece(0)].into() };
    board.arrows.insert(attack, arrow);
    board.arrows.insert(ArrowKey { ordinal: 1, ..attack }, Arrow { result: Some("void"), refs: Refs::new() });
    let support = ArrowKey { to: oxford, of: Some(reading), kind: 1, seat: None, ..attack };
    board.arrows.insert(support, Arrow { result: None, refs: vec![Ref::Number(1)].into() });
    board
}

pub(crate) fn turn_state() -> TurnState {
    TurnState {
        node: NodeView::Decision(KING),
        prompt: Phrase::new("choose", &[Ref::Seat(KING), Ref::Space(0), Ref::Number(9)]),
        procedures: vec![
            Procedure {
                frame: "Turn",
                rule: Rule::new("4.1"),
                stage: 0,
                roles: vec![("number", Ref::Number(3))].into(),
            },
            Procedure {
                frame: "Battle",
                rule: BATTLE,
                stage: 2,
                roles: vec![
                    ("attacker", Ref::Seat(KING)),
                    ("routed", Ref::Number(1)),
                    ("dry", Ref::Number(3)),
                ]
                .into(),
            },
        ]
        .into(),
        window: Some(Window {
            code: "interception",
            rule: Rule::new("9.1"),
            seat: PARLIAMENT,
            procedure: 5,
            attacked: true,
            pass_action: ActionId(2),
        }),
        entitlements: vec![Entitlement {
            seat: KING,
            what: Phrase::new("bonus", &[Ref::Number(2)]),
            rule: Rule::new("10.8"),
        }],
        warnings: vec![Phrase::new("risk", &[Ref::Piece(0)])],
    }
}

pub(crate) fn calls() -> Calls {
    let standing = vec![
        StandingPass { window: Some("interception".to_owned()), scope: PassScope::Procedure(5) },
        StandingPass { window: None, scope: PassScope::UntilAttacked },
    ];
    Calls { draw_offers: SeatSet::EMPTY.with(PARLIAMENT), standing, undoable: 2 }
}

pub(crate) fn sample() -> View {
    let back = PieceGroup { at: Location::Space(0), owner: Some(PARLIAMENT), kind: 2, flags: 2, from: None };
    View {
        observer: Observer::Seat(KING),
        board: board(),
        known: vec![HiddenSet {
            owner: Some(PARLIAMENT),
            by: Some(KING),
            faces: vec![(Ref::Kind(1), Some(4)), (Ref::Piece(2), None)],
            places: vec![(back, 2)],
            facts: vec![Phrase::new("gained", &[Ref::Number(1)])],
        }]
        .into(),
        draft: vec![ActionId(1), ActionId(2)],
        calls: calls(),
        turn_state: turn_state().into(),
    }
}
