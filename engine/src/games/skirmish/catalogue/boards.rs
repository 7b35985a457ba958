//! Boards: the map, and the sheet beside it; spaces, mats and tracks with their places.

use crate::catalogue::{
    Adjacency, BoardDef, CatalogEntry, MatDef, SpaceDef, SpaceKindDef, TrackBox, TrackDef,
};

use super::super::content::Content;
use super::attributes;

/// Indices of the boards.
const MAP: u16 = 0;
const SHEET: u16 = 1;

pub(in super::super) fn boards(content: &Content) -> Vec<BoardDef> {
    let tracks = tracks(content);
    let places = tracks.iter().flat_map(TrackDef::places);
    let places = places.chain(mats().iter().map(|mat| (mat.x, mat.y))).collect::<Vec<_>>();
    vec![
        BoardDef::around(CatalogEntry::official("map", "Map"), "a pace", 10, content.labels.iter().copied()),
        BoardDef::around(
            CatalogEntry::official("sheet", "Turn track and losses"),
            "the width of a box",
            1,
            places,
        ),
    ]
}

pub(in super::super) fn space_kinds() -> Vec<SpaceKindDef> {
    vec![SpaceKindDef { id: "place", name: "Place" }, SpaceKindDef { id: "camp", name: "Camp" }]
}

pub(in super::super) fn spaces(content: &Content) -> Vec<SpaceDef> {
    (0..content.spaces.len()).map(|index| space(content, index)).collect()
}

fn space(content: &Content, index: usize) -> SpaceDef {
    let named = &content.spaces[index];
    let road = |&to: &u8| {
        let back = &content.spaces[usize::from(to)].levels;
        let confidence = named.levels.of("roads").weakest(back.of("roads"));
        Adjacency { to: to.into(), kind: "", confidence }
    };
    SpaceDef {
        entry: CatalogEntry::new(&*named.id, &*named.name, named.confidence)
            .with_attributes(attributes::of_space(content, index)),
        kind: u16::from(content.camps.iter().any(|&camp| usize::from(camp) == index)),
        within: None,
        board: MAP,
        region: String::new(),
        x: content.labels[index].0,
        y: content.labels[index].1,
        adjacencies: content.roads[index].iter().map(road).collect(),
    }
}

pub(in super::super) fn mats() -> Vec<MatDef> {
    vec![MatDef { entry: CatalogEntry::official("lost", "Lost blocks"), board: SHEET, x: 0, y: 2 }]
}

pub(in super::super) fn tracks(content: &Content) -> Vec<TrackDef> {
    let level = content.levels.of("turns");
    let box_of = |turn: u8| {
        let gives = match turn {
            1 => format!("Before it {} cards are dealt to each seat", content.first_deal),
            _ => "Before it a card is dealt to each seat, while there are any".to_owned(),
        };
        let end = (turn == content.turns)
            .then(|| "After it night falls: the side with more blocks wins".to_owned());
        let gives = [gives].into_iter().chain(end).collect();
        TrackBox::new(turn.into(), format!("Turn {turn}"), level).with_gives(gives)
    };
    let boxes = (1..=content.turns).map(box_of).collect();
    vec![TrackDef::across(CatalogEntry::official("turn", "Turn track"), SHEET, (0, 0), 12, boxes)]
}
