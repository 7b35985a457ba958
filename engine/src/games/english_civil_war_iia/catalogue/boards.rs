//! Boards: the map, and the sheet with the calendar and the leaders off the map; spaces, mats and the track with their places.

use crate::catalogue::{
    Adjacency, BoardDef, CatalogEntry, MatDef, SpaceDef, SpaceKindDef, TrackBox, TrackDef,
};
use crate::content::Confidence;

use super::super::content::{Numbers, Printed};
use super::super::realm::Realm;
use super::super::view::{calendar, date_of, months_passed};
use super::attributes;

/// Indices of the boards.
const MAP: u16 = 0;
const SHEET: u16 = 1;

/// Lengths on paper of a degree of longitude and one of latitude, as at 53 degrees north.
const SCALES: (u32, u32) = (3, 5);
/// Names of the months.
pub(in super::super) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

fn page(id: &str, name: &str) -> CatalogEntry {
    CatalogEntry::new(id, name, Confidence::Official)
}

pub(in super::super) fn boards(realm: &Realm, numbers: &Numbers, printed: &Printed) -> Vec<BoardDef> {
    let tracks = tracks(numbers, printed);
    let places = tracks.iter().flat_map(TrackDef::places);
    let places = places.chain(mats().iter().map(|mat| (mat.x, mat.y))).collect::<Vec<_>>();
    let labels = realm.counties.iter().map(|county| county.label);
    let map = BoardDef::around(page("map", "Map"), "a hundredth of a degree of longitude", 40, labels);
    vec![
        map.scaled(SCALES.0, SCALES.1),
        BoardDef::around(page("sheet", "Calendar, and leaders off the map"), "the width of a box", 1, places),
    ]
}

pub(in super::super) fn space_kinds() -> Vec<SpaceKindDef> {
    vec![SpaceKindDef { id: "county", name: "County" }, SpaceKindDef { id: "city", name: "City" }]
}

pub(in super::super) fn spaces(realm: &Realm, printed: &Printed) -> Vec<SpaceDef> {
    let space = |space: super::super::adjudicator::Space| {
        let county = realm.county(space);
        let adjacency = |near: super::super::adjudicator::Space| Adjacency {
            to: near.index() as u16,
            kind: "",
            confidence: printed.border(space.index(), near.index()),
        };
        SpaceDef {
            entry: CatalogEntry::new(&county.id, &county.name, county.confidence)
                .with_attributes(attributes::of_space(realm, printed, space)),
            // A space that counts as no county is a city: London (C12).
            kind: u16::from(county.weight == 0),
            within: None,
            board: MAP,
            region: String::new(),
            x: county.label.0,
            y: county.label.1,
            adjacencies: realm.near(space).iter().map(adjacency).collect(),
        }
    };
    realm.spaces().map(space).collect()
}

pub(in super::super) fn mats() -> Vec<MatDef> {
    let mat = |x, id, name| MatDef { entry: page(id, name), board: SHEET, x, y: -2 };
    vec![mat(0, "unplaced", "leaders to be placed"), mat(4, "captured", "captured leaders")]
}

/// Seasons with their months in a row of the calendar.
const CYCLES_IN_A_ROW: usize = 4;

pub(in super::super) fn tracks(numbers: &Numbers, printed: &Printed) -> Vec<TrackDef> {
    let [_, seasons, _] = numbers.seasons.map(i32::from);
    let level = printed.figures.calendar.of_all(&["first_year", "first_month", "movement_months"]);
    let cycle = i32::from(numbers.movement_months) + 1;
    let box_of = |number: i32| {
        let date = date_of(numbers, number);
        debug_assert_eq!(months_passed(numbers, date), number, "the boxes count months");
        let (year, month) = calendar(numbers, date);
        let gives = if date.month == 0 {
            "Points/build season: influence, then removals and builds (rule S1)".to_owned()
        } else {
            format!("Movement month {}: orders, retreats, occupation (rule S4)", date.month)
        };
        let label = format!("{} {year}", MONTHS[(month - 1) as usize % 12]);
        TrackBox::new(number, label, level).with_gives(vec![gives])
    };
    let boxes = (0..=seasons * cycle).map(box_of).collect();
    let entry = page("calendar", "the calendar, in months since the first season");
    vec![TrackDef::across(entry, SHEET, (0, 0), CYCLES_IN_A_ROW * cycle as usize, boxes)]
}
