//! The static half of *Prize*.

use std::collections::BTreeMap;

use edgehill_engine::action::ActionTable;
use edgehill_engine::catalogue::{
    CatalogEntry, Catalogue, MarkerDef, MarkerPriority, PileDef, PileFacing, PileLayout, ScenarioDef, SeatDef,
};
use edgehill_engine::content::{Confidence, ContentHash};
use edgehill_engine::setup::{OptionDef, OptionKind};

use super::PRIZES;

/// The catalogue with these actions.
pub(super) fn catalogue(actions: ActionTable) -> Catalogue {
    let entry = |id: &str| CatalogEntry::new(id, id, Confidence::House);
    let pile = |id| PileDef {
        entry: entry(id),
        owner: None,
        ordered: true,
        layout: PileLayout::Stack,
        facing: PileFacing::Everybody,
    };
    let option = |id, title, kind, default| OptionDef { id, title, kind, default };
    Catalogue {
        id: "prize",
        title: "Prize",
        summary: "A game for tests.",
        rules_version: 3,
        content: ContentHash::from_bytes([9; 32]),
        seats: [("north", "North"), ("south", "South")]
            .map(|(id, name)| SeatDef { id, name, color: "#000000", emblem: "" })
            .into(),
        sides: vec![],
        scenarios: [("pair", "Two seats", 2), ("alone", "One seat", 1)]
            .map(|(id, title, seats)| ScenarioDef { id, title, seats, returns_min: -9, returns_max: 9 })
            .into(),
        options: vec![
            option("rounds", "Rounds to play", OptionKind::Number { min: 1, max: 5 }, 3),
            option("lucky", "Everybody is lucky", OptionKind::Flag, 0),
        ],
        attributes: vec![],
        boards: vec![],
        space_kinds: vec![],
        adjacency_kinds: vec![],
        spaces: vec![],
        mats: vec![],
        tracks: vec![],
        grades: vec![],
        piles: vec![pile("taken")],
        kinds: vec![],
        pieces: vec![],
        // The last one's id is not a word of its own: records call it by its place.
        cards: (0..=PRIZES).map(|card| entry(&format!("prize-{card}"))).chain([entry("prize 7")]).collect(),
        markers: [("score", "S"), ("luck", "L"), ("bid", "B")]
            .map(|(id, short_label)| MarkerDef {
                entry: entry(id),
                priority: MarkerPriority::Status,
                unit: "",
                short_label: short_label.to_owned(),
            })
            .into(),
        arrows: vec![],
        arrow_results: vec![],
        charts: vec![],
        procedures: vec![],
        roles: vec![],
        flags: vec![],
        actions,
        phrases: BTreeMap::new(),
        ledger: edgehill_engine::ledger::Ledger::default(),
        phase_ends: vec!["won", "lost"],
    }
}
