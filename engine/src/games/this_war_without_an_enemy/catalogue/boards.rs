//! Boards: the map, and the sheet with tracks, pools and Regions; spaces, mats and tracks with their places.

use crate::catalogue::{
    Adjacency, BoardDef, CatalogEntry, CodeDef, MatDef, SpaceDef, SpaceKindDef, TrackBox, TrackDef,
};
use crate::content::Confidence;

use super::super::actions::REGION_IDS;
use super::super::content::{Area, BorderKind, City, Content, Named, Way};
use super::{REGION_HEADINGS, REGION_NAMES, SIDES, attributes};

/// Indices of the boards.
const MAP: u16 = 0;
const SHEET: u16 = 1;

/// Indices of the kinds of spaces.
const AREA: u16 = 0;
const CITY: u16 = 1;
const PORT: u16 = 2;

/// From an Area's label to that of its City, in the units of the map.
const TO_CITY: (i32, i32) = (20, 12);
/// Lengths on paper of a degree of longitude and one of latitude, as at 53 degrees north.
const SCALES: (u32, u32) = (3, 5);

fn ours(id: &str, name: &str) -> CatalogEntry {
    CatalogEntry::new(id, name, Confidence::Official)
}

pub(in super::super) fn boards(content: &Content) -> Vec<BoardDef> {
    let labels = spaces(content).into_iter().map(|space| (space.x, space.y)).collect::<Vec<_>>();
    let tracks = tracks(content);
    let places = tracks.iter().flat_map(TrackDef::places);
    let places = places.chain(mats().iter().map(|mat| (mat.x, mat.y))).collect::<Vec<_>>();
    let map = BoardDef::around(ours("map", "Map"), "a hundredth of a degree of longitude", 40, labels);
    vec![
        map.scaled(SCALES.0, SCALES.1),
        BoardDef::around(ours("sheet", "Tracks, pools and Regions"), "the width of a box", 1, places),
    ]
}

pub(in super::super) fn space_kinds() -> Vec<SpaceKindDef> {
    [("area", "Area"), ("city", "City"), ("port", "City with a Port")]
        .map(|(id, name)| SpaceKindDef { id, name })
        .into()
}

/// The Areas, then the Cities.
pub(in super::super) fn spaces(content: &Content) -> Vec<SpaceDef> {
    let areas = content.areas.iter().map(|area| area_space(content, area));
    areas.chain(content.cities.iter().map(|city| city_space(content, city))).collect()
}

fn entry(named: &Named) -> CatalogEntry {
    CatalogEntry::new(&*named.id, &*named.name, named.confidence)
}

fn area_space(content: &Content, area: &Area) -> SpaceDef {
    let adjacency = |way: &Way| Adjacency {
        to: way.to.index() as u16,
        kind: way.kind.as_str(),
        confidence: way.confidence,
    };
    SpaceDef {
        entry: entry(&area.named).with_attributes(attributes::of_area(content, area)),
        kind: AREA,
        within: None,
        board: MAP,
        region: REGION_HEADINGS[area.region].to_owned(),
        x: area.label.0,
        y: area.label.1,
        adjacencies: area.ways.iter().map(adjacency).collect(),
    }
}

fn city_space(content: &Content, city: &City) -> SpaceDef {
    let area = &content.areas[city.area];
    SpaceDef {
        entry: entry(&city.named).with_attributes(attributes::of_city(content, city)),
        kind: if city.port { PORT } else { CITY },
        within: Some(city.area.index() as u16),
        board: MAP,
        region: REGION_HEADINGS[area.region].to_owned(),
        x: area.label.0.saturating_add(TO_CITY.0),
        y: area.label.1.saturating_add(TO_CITY.1),
        adjacencies: Vec::new(),
    }
}

/// The pools, then the Regions and London's recruits.
pub(in super::super) fn mats() -> Vec<MatDef> {
    let pools = (0..).zip(SIDES).map(|(index, (side, title))| MatDef {
        entry: ours(&format!("{side}-pool"), &format!("{title} Recruitment Pool")),
        board: SHEET,
        x: 4 * index,
        y: 5,
    });
    let regions = REGION_NAMES.into_iter().chain(["London's recruits"]);
    let regions = (0..).zip(REGION_IDS.into_iter().zip(regions)).map(|(index, (id, name))| MatDef {
        entry: ours(&format!("region-{id}"), name),
        board: SHEET,
        x: 2 * index,
        y: 7,
    });
    pools.chain(regions).collect()
}

/// The kinds of borders.
pub(in super::super) fn adjacency_kinds() -> Vec<CodeDef> {
    let kinds = [BorderKind::Open, BorderKind::River, BorderKind::Mountain];
    let names = ["open border", "river border", "mountain border"];
    kinds.into_iter().zip(names).map(|(kind, name)| CodeDef { id: kind.as_str(), name }).collect()
}

/// The grades of the Victory Track's boxes.
pub(in super::super) fn grades() -> Vec<CodeDef> {
    [
        ("royalist-major", "Major Royalist Victory"),
        ("royalist-minor", "Minor Royalist Victory"),
        ("parliament-major", "Major Victory of Parliament"),
        ("parliament-minor", "Minor Victory of Parliament"),
    ]
    .map(|(id, name)| CodeDef { id, name })
    .into()
}

pub(in super::super) fn tracks(content: &Content) -> Vec<TrackDef> {
    vec![turns(content), victory(content)]
}

fn turns(content: &Content) -> TrackDef {
    let box_of = |(number, (name, year)): (usize, &(String, u16))| {
        let (first, last) = (
            number == 0 || content.turns[number - 1].1 != *year,
            content.turns.get(number + 1).is_none_or(|(_, next)| next != year),
        );
        let mut gives = Vec::new();
        if first {
            gives.push(format!("Before it each side is dealt {} cards (rule 2.1)", content.deal));
        }
        if number == 0 {
            gives.push("No move enters a Riding of Yorkshire from outside them (rule 6.18)".to_owned());
        }
        match (last, number + 1 == content.turns.len()) {
            (true, true) => {
                gives
                    .push("Winter: nobody enters an Area with enemies outside a City (rule 6.17)".to_owned());
                gives.push("After it the match is over (rule 10.0)".to_owned());
            }
            (true, false) => gives.push("After it comes the Year End (rule 11.0)".to_owned()),
            _ => {}
        }
        let level = content.levels.turns[number].of_all(&["name", "year"]);
        TrackBox::new(number as i32, &**name, level).with_gives(gives)
    };
    let boxes = content.turns.iter().enumerate().map(box_of).collect();
    TrackDef::across(ours("turns", "Turn track"), SHEET, (0, 0), 12, boxes)
}

/// Boxes of the Victory Track in a row.
const VICTORY_ROW: usize = 16;

/// The Victory Track: from all Cities with Parliament to all with the Royalists. The marker begins on Parliament's side.
fn victory(content: &Content) -> TrackDef {
    let all: i32 = content.cities.iter().map(|city| i32::from(city.points)).sum();
    let (start, major) = (i32::from(content.start_points), i32::from(content.major));
    let level = content.levels.victory.of_all(&["start", "major"]);
    let box_of = |number: i32| {
        let label = match number {
            0 => "0".to_owned(),
            1.. => format!("Royalist {number}"),
            _ => format!("Parliament {}", -number),
        };
        let (won, side) = SIDES[usize::from(number <= 0)];
        let (grade, gives) = if number.abs() >= major {
            (format!("{won}-major"), format!("{side} wins a Major Victory in a Victory Phase (rule 10.0)"))
        } else {
            (format!("{won}-minor"), format!("{side} wins a Minor Victory after the last Turn (rule 10.0)"))
        };
        let of_major = (number.abs() < major)
            .then(|| format!("{} of the {major} points of a Major Victory (rule 10.0)", number.abs()));
        let start = (number == -start).then(|| "The marker begins here (rule 4.5)".to_owned());
        TrackBox {
            grade,
            gives: [gives].into_iter().chain(of_major).chain(start).collect(),
            ..TrackBox::new(number, label, level)
        }
    };
    let boxes = (-start - all..=all - start).map(box_of).collect();
    TrackDef::across(
        ours("victory", "Victory Track, the Royalists' points"),
        SHEET,
        (0, 2),
        VICTORY_ROW,
        boxes,
    )
}
