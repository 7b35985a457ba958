//! Boards: the map, the display of a Battle, the sheet with the tracks; spaces, mats and tracks with their places.

use crate::catalogue::{
    Adjacency, BoardDef, BoxRef, CatalogEntry, CodeDef, MatDef, SpaceDef, SpaceKindDef, TrackBox, TrackDef,
};
use crate::content::Confidence;
use crate::numbered::Listed;

use super::super::content::{
    ArmyId, BOXES, Content, Fortress, NORTH, SlotId, T_CATHOLICISM, T_IRELAND, T_MONARCHY, T_PARLIAMENT,
    T_PURITANISM, T_SCOTLAND, TRACKS, Track, TrackId, WEST,
};
use super::super::state::line::{OWN, slots};
use super::super::state::{BOTTOM, TOP};
use super::attributes;
use super::attributes::LETTERS;
use super::names::{MATS, SLOT_IDS, SLOT_NAMES, SPACE_OXFORD, area_space};

/// Indices of the boards.
const MAP: u16 = 0;
const BATTLE: u16 = 1;
const SHEET: u16 = 2;

/// Indices of the kinds of spaces.
const AREA: u16 = 0;
const SIEGE: u16 = 1;
const CITY: u16 = 2;
const SLOT: u16 = 3;

/// Where the two places lie that are no areas, on the map.
const LONDON_AT: (i32, i32) = (52, 60);
const OXFORD_AT: (i32, i32) = (44, 56);
/// The column of each place of a line, as Parliament sees it; the flanks are outermost.
const SLOT_COLUMNS: [i32; OWN] = [5, 0, 3, 4, 2, 1];
/// Board and place of each mat.
const MAT_PLACES: [(u16, i32, i32); 14] = [
    (BATTLE, 0, 6),
    (BATTLE, 2, 6),
    (BATTLE, 0, 0),
    (BATTLE, 2, 0),
    (BATTLE, 4, 6),
    (SHEET, 0, -2),
    (BATTLE, 7, 1),
    (BATTLE, 7, 3),
    (BATTLE, 7, 5),
    (BATTLE, 3, 3),
    (SHEET, 3, -2),
    (SHEET, 6, -2),
    (SHEET, 9, -2),
    (SHEET, 12, -2),
];

fn ours(id: &str, name: &str) -> CatalogEntry {
    CatalogEntry::new(id, name, Confidence::Official)
}

pub(in super::super) fn boards(content: &Content) -> Vec<BoardDef> {
    let (spaces, mats, tracks) = (spaces(content), mats(), tracks(content));
    let around = |board: u16, entry, unit, margin| {
        let spaces = spaces.iter().filter(|space| space.board == board).map(|space| (space.x, space.y));
        let mats = mats.iter().filter(|mat| mat.board == board).map(|mat| (mat.x, mat.y));
        let tracks = tracks.iter().filter(|track| track.board == board).flat_map(TrackDef::places);
        BoardDef::around(entry, unit, margin, spaces.chain(mats).chain(tracks))
    };
    vec![
        around(MAP, ours("map", "Map"), "a hundredth of the board's width", 10),
        around(BATTLE, ours("battle", "Battle display"), "the width of a formation", 1),
        around(SHEET, ours("sheet", "Tracks and boxes"), "the width of a box", 1),
    ]
}

pub(in super::super) fn space_kinds() -> Vec<SpaceKindDef> {
    [
        ("area", "Area of a region"),
        ("siege", "London Under Siege"),
        ("city", "City between two regions"),
        ("place", "Place of a battle line"),
    ]
    .map(|(id, name)| SpaceKindDef { id, name })
    .into()
}

/// The areas by region, London Under Siege, Oxford, the places of both lines.
pub(in super::super) fn spaces(content: &Content) -> Vec<SpaceDef> {
    let mut spaces: Vec<SpaceDef> = (0..content.areas.len()).map(|index| area(content, index)).collect();
    spaces.push(london(content));
    spaces.push(oxford(content));
    spaces.extend(slots().map(slot));
    spaces
}

/// How sure it is where an area of a region lies; London Under Siege follows from the rules.
fn order(content: &Content, region: ArmyId, number: u8) -> Confidence {
    match number.checked_sub(1) {
        None => Confidence::Official,
        Some(before) => {
            content.areas[region.index() * 5 + usize::from(before)].named.levels.of_all(&["region", "number"])
        }
    }
}

fn area(content: &Content, index: usize) -> SpaceDef {
    let area = &content.areas[index];
    let (region, number) = (ArmyId::new(index / 5), (index % 5) as u8 + 1);
    let next = |to: u8| Adjacency {
        to: area_space(region, to),
        kind: "",
        confidence: order(content, region, number).weakest(order(content, region, to)),
    };
    let mut adjacencies = Vec::new();
    if number > 1 || region <= WEST {
        adjacencies.push(next(number - 1));
    }
    if number < 5 {
        adjacencies.push(next(number + 1));
    }
    let near = content
        .forts
        .iter()
        .find(|fort| region <= WEST && in_oxford(fort) && fort.lies[region] == Some(number));
    adjacencies.extend(near.map(|fort| Adjacency {
        to: SPACE_OXFORD,
        kind: "fortress",
        confidence: fort.named.levels.of("areas"),
    }));
    let name = format!("{} ({} {number})", area.named.name, ["North", "West", "Scotland", "Ireland"][region]);
    SpaceDef {
        entry: CatalogEntry::new(&*area.named.id, name, area.named.confidence)
            .with_attributes(attributes::of_area(content, index)),
        kind: AREA,
        within: None,
        board: MAP,
        region: String::new(),
        x: area.x,
        y: area.y,
        adjacencies,
    }
}

fn london(content: &Content) -> SpaceDef {
    let near = |region: ArmyId| Adjacency {
        to: area_space(region, 1),
        kind: "",
        confidence: order(content, region, 1),
    };
    SpaceDef {
        entry: ours("london-under-siege", "London Under Siege"),
        kind: SIEGE,
        within: None,
        board: MAP,
        region: String::new(),
        x: LONDON_AT.0,
        y: LONDON_AT.1,
        adjacencies: [NORTH, WEST].map(near).into(),
    }
}

fn oxford(content: &Content) -> SpaceDef {
    let near = |fort: &Fortress| {
        let confidence = fort.named.levels.of("areas");
        let lies = fort.lies;
        let near = move |region: ArmyId| {
            let to = area_space(region, lies[region]?);
            Some(Adjacency { to, kind: "fortress", confidence })
        };
        [NORTH, WEST].into_iter().filter_map(near)
    };
    SpaceDef {
        entry: ours("oxford-city", "Oxford"),
        kind: CITY,
        within: None,
        board: MAP,
        region: String::new(),
        x: OXFORD_AT.0,
        y: OXFORD_AT.1,
        adjacencies: content.forts.iter().filter(|fort| in_oxford(fort)).flat_map(near).collect(),
    }
}

/// Tells that a fortress lies in two regions, at an area of each.
fn in_oxford(fort: &Fortress) -> bool {
    fort.lies.iter().flatten().filter(|&&area| area > 0).count() > 1
}

/// A place of a line: Parliament's below, the Royalists' opposite to it.
fn slot(slot: SlotId) -> SpaceDef {
    SpaceDef {
        entry: ours(SLOT_IDS[slot], SLOT_NAMES[slot]).with_attributes(attributes::of_slot(slot)),
        kind: SLOT,
        within: None,
        board: BATTLE,
        region: String::new(),
        x: SLOT_COLUMNS[slot.index() % OWN],
        y: if slot.is_royalist() { 2 } else { 4 },
        adjacencies: Vec::new(),
    }
}

/// The kinds of adjacencies.
pub(in super::super) fn adjacency_kinds() -> Vec<CodeDef> {
    vec![CodeDef { id: "fortress", name: "through the fortress of a city" }]
}

/// The grades of the Political Tracks' boxes.
pub(in super::super) fn grades() -> Vec<CodeDef> {
    let names = ["A, the best for Parliament", "B", "C", "D", "F, which can lose the match"];
    LETTERS.into_iter().zip(names).map(|(id, name)| CodeDef { id, name }).collect()
}

pub(in super::super) fn mats() -> Vec<MatDef> {
    let mats = MATS.iter().zip(MAT_PLACES);
    mats.map(|((id, name), (board, x, y))| MatDef { entry: ours(id, name), board, x, y }).collect()
}

/// The six Political Tracks in three columns, then Zeal and the Game Turn.
pub(in super::super) fn tracks(content: &Content) -> Vec<TrackDef> {
    let mut tracks: Vec<TrackDef> = TrackId::all(content).map(|track| political(content, track)).collect();
    tracks.push(zeal(content));
    tracks.push(turns(content));
    tracks
}

fn political(content: &Content, id: TrackId) -> TrackDef {
    let track = &content.tracks[id];
    // Below a column that shares its middle box, the lower track begins in that box.
    let top = match (track.godly, track.shared) {
        (false, _) => 0,
        (true, true) => BOXES as i32 - 1,
        (true, false) => BOXES as i32,
    };
    // The seat, the Armies and the regions bear the same names: a track says that it is one.
    let name = format!("{} track", track.named.name);
    let entry = CatalogEntry::new(&*track.named.id, name, track.named.confidence);
    let boxes = (0..BOXES).map(|place| political_box(content, id, place)).collect();
    TrackDef::down(entry, SHEET, (3 * (id.index() % (TRACKS / 2)) as i32, top), boxes)
}

fn political_box(content: &Content, id: TrackId, place: usize) -> TrackBox {
    let track = &content.tracks[id];
    let number = track.numbers[place];
    let label = if number == 0 { String::new() } else { number.to_string() };
    TrackBox {
        grade: LETTERS[usize::from(track.grades[place])].to_owned(),
        gives: gives(content, id, place),
        attributes: attributes::of_box(track, place),
        same_as: same_as(track, place),
        ..TrackBox::new(place as i32, label, track.levels[place].of_all(&["number", "grade", "vp"]))
    }
}

/// The box of the track above that the first box of the lower track of a column is, where they share it.
fn same_as(track: &Track, place: usize) -> Option<BoxRef> {
    let shared = track.shared && track.godly && place as u8 == TOP;
    shared.then(|| BoxRef { track: track.opposite.index() as u16, index: BOTTOM.into() })
}

/// Effects that hold while the marker of a Political Track stands in a box.
fn gives(content: &Content, id: TrackId, place: usize) -> Vec<String> {
    let track = &content.tracks[id];
    let mut gives = Vec::new();
    let vp = track.vp[place];
    if vp != 0 {
        gives.push(format!("{vp:+} Victory Points (rule 5.0)"));
    }
    if track.grades[place] == 4 {
        let f_grades = content.numbers.f_grades;
        gives.push(format!("An F: {f_grades} of them at the end of a turn lose the match (rule 9.0)"));
    }
    gives.extend(flip(content, id, place as u8));
    let middle = if track.godly { TOP } else { BOTTOM };
    if track.shared && place as u8 == middle {
        let other = &content.tracks[track.opposite].named.name;
        gives.push(format!(
            "The middle box, shared with {other}: who would enter it while the other is there moves the other (rule 6.6.2)"
        ));
    }
    gives
}

/// Effect of the flip of a box (6.6.3, 10.2).
fn flip(content: &Content, track: TrackId, place: u8) -> Option<String> {
    let (flip, zeal) = (&content.numbers.flip, &content.numbers.zeal);
    let morale = |by: i8| {
        let army = if track == T_IRELAND { "Ireland" } else { "Scotland" };
        format!("Strength of the Army of {army} {by:+} (rule 6.6.3)")
    };
    match (track, place) {
        (T_IRELAND | T_SCOTLAND, TOP) => Some(morale(-flip.morale)),
        (T_IRELAND | T_SCOTLAND, BOTTOM) => Some(morale(flip.morale)),
        (T_MONARCHY, BOTTOM) => {
            Some(format!("Strength of revolts and Deviltry {:+} (rules 6.6.3, T12)", flip.monarchy_bottom))
        }
        (T_PARLIAMENT, BOTTOM) => Some("London can't be fortified (rules 6.6.3, T13)".to_owned()),
        (T_CATHOLICISM, TOP) => Some(format!("Income of Zeal {:+} (rule 10.2)", zeal.catholicism_top)),
        (T_PURITANISM, BOTTOM) => Some(format!("Income of Zeal {:+} (rule 10.2)", zeal.puritanism_bottom)),
        _ => None,
    }
}

fn zeal(content: &Content) -> TrackDef {
    let max = content.numbers.zeal.max;
    let level = content.numbers.levels.zeal.of("max");
    let box_of = |zeal: u8| {
        let full = (zeal == max).then(|| "Gains beyond it are lost (rule G5)".to_owned());
        TrackBox::new(zeal.into(), zeal.to_string(), level).with_gives(full.into_iter().collect())
    };
    TrackDef::down(ours("zeal", "Zeal Points"), SHEET, (9, 0), (0..=max).map(box_of).collect())
}

/// Boxes of the turn track in a row.
const TURNS_IN_A_ROW: usize = 12;

/// A box for each Event card that can come, and one before the first.
fn turns(content: &Content) -> TrackDef {
    let events = content.cards.len() - content.achievements.len();
    let box_of = |turn: i32| {
        let label = if turn == 0 { "Before the first turn".to_owned() } else { turn.to_string() };
        TrackBox::new(turn, label, Confidence::Official)
    };
    let boxes = (0..=events as i32).map(box_of).collect();
    TrackDef::across(ours("turn", "Game Turn"), SHEET, (12, 0), TURNS_IN_A_ROW, boxes)
}
