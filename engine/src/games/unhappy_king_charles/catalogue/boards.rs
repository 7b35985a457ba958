//! Boards: the map, and the sheet with boxes and tracks; Areas, mats and tracks with their places.

use crate::catalogue::{
    Adjacency, BoardDef, CatalogEntry, CodeDef, MatDef, SpaceDef, SpaceKindDef, TrackBox, TrackDef,
};
use crate::content::Confidence;
use crate::numbered::Listed;

use super::super::content::ids::{AreaId, FortressId, TurnId};
use super::super::content::map::{AreaShape, LineKind};
use super::super::content::operations::Operation;
use super::super::content::{Content, FORTRESSES, INFRASTRUCTURES, NOTABLES};
use super::{SIDES, attributes, ours, texts};

/// Indices of the boards.
const MAP: u16 = 0;
const SHEET: u16 = 1;
/// From the label of an Area to the inside of its Fortress.
const TO_INSIDE: (i32, i32) = (7, 9);
/// Lengths on paper of a degree of longitude and of latitude, about 53 degrees north.
const SCALES: (u32, u32) = (3, 5);
/// The places of an infrastructure's or Region's mat in a row of the sheet.
const ROW: i32 = 16;

pub(in super::super) fn boards(content: &Content) -> Vec<BoardDef> {
    let spaces = spaces(content).into_iter().map(|space| (space.x, space.y));
    let (mats, tracks) = (mats(content), tracks(content));
    let on = |board: u16| mats.iter().filter(move |mat| mat.board == board).map(|mat| (mat.x, mat.y));
    let map = BoardDef::around(
        ours("map", "Map"),
        "a hundredth of a degree of longitude",
        40,
        spaces.chain(on(MAP)),
    );
    let places = tracks.iter().flat_map(TrackDef::places).chain(on(SHEET));
    vec![
        map.scaled(SCALES.0, SCALES.1),
        BoardDef::around(ours("sheet", "Tracks, pools and boxes"), "the width of a box", 1, places),
    ]
}

/// The shapes of Areas.
pub(in super::super) fn space_kinds() -> Vec<SpaceKindDef> {
    let names = ["Area", "Local Notable's Area", "Limited Fortress", "Supply Fortress"];
    let kind = |(shape, name): (AreaShape, &'static str)| SpaceKindDef { id: shape.as_str(), name };
    AreaShape::ALL.into_iter().zip(names).map(kind).collect()
}

/// The kinds of lines.
pub(in super::super) fn adjacency_kinds() -> Vec<CodeDef> {
    let names = ["road", "way over mountains", "Maritime line"];
    let kind = |(kind, name): (LineKind, &'static str)| CodeDef { id: kind.as_str(), name };
    LineKind::ALL.into_iter().zip(names).map(kind).collect()
}

/// The 75 Areas, with the lines from each.
pub(in super::super) fn spaces(content: &Content) -> Vec<SpaceDef> {
    AreaId::all(content).map(|area| space(content, area)).collect()
}

fn space(content: &Content, id: AreaId) -> SpaceDef {
    let area = &content.areas[id];
    let adjacencies = content.lines.iter().filter_map(|line| {
        let [from, to] = line.between;
        let far = if from == id { to } else { from };
        (from == id || to == id).then(|| Adjacency {
            to: far.index() as u16,
            kind: line.kind.as_str(),
            confidence: line.levels.of_all(&["between", "kind"]),
        })
    });
    let named = &area.named;
    SpaceDef {
        entry: CatalogEntry::new(&*named.id, &*named.name, named.confidence)
            .with_rules_text(texts::area(content, id))
            .with_attributes(attributes::of_area(content, id)),
        kind: area.shape as u16,
        within: None,
        board: MAP,
        region: texts::region_heading(content, area.region),
        x: area.label.0,
        y: area.label.1,
        adjacencies: adjacencies.collect(),
    }
}

/// Regions, infrastructures, the insides of printed Fortresses, then pools and boxes: in the order of their numbers. Numbers that the
/// content has no use for are mats all the same.
pub(in super::super) fn mats(content: &Content) -> Vec<MatDef> {
    let on_sheet = |entry: CatalogEntry, x: i32, y: i32| MatDef { entry, board: SHEET, x, y };
    let mut mats = Vec::new();
    for (x, region) in (0..).zip(&content.regions) {
        let named = &region.named;
        let entry = CatalogEntry::new(&*named.id, texts::region_heading_of(region), named.confidence)
            .with_rules_text(texts::region(region))
            .with_attributes(attributes::of_region(region));
        mats.push(on_sheet(entry, 3 * x, 8));
    }
    for number in 0..INFRASTRUCTURES {
        let entry = match content.infrastructures.get(number) {
            Some(one) => CatalogEntry::new(&*one.named.id, &*one.named.name, one.named.confidence)
                .with_rules_text(texts::infrastructure(content, one))
                .with_attributes(attributes::of_infrastructure(one)),
            None => ours(format!("infrastructure-{number}"), "Not used"),
        };
        mats.push(on_sheet(entry, 2 * number as i32 % ROW, 10 + number as i32 / (ROW / 2)));
    }
    for number in 0..FORTRESSES - NOTABLES {
        let fortress = content.fortresses.get(number).map(|_| FortressId::new(number));
        let printed = fortress.filter(|&one| content.fortresses[one].notable.is_none());
        mats.push(match printed {
            Some(fortress) => inside(content, fortress),
            None => on_sheet(ours(format!("inside-{number}"), "Not used"), number as i32, 13),
        });
    }
    let boxes = [
        ("pool", "Brigades to be recruited", texts::pool as fn() -> Vec<String>),
        ("unemployed", "Unemployed Generals Box", texts::unemployed),
        ("reinforcements", "Reinforcements Box", texts::reinforcements),
    ];
    for (y, (id, name, text)) in (4..).zip(boxes) {
        for (x, (side, title)) in (0..).zip(SIDES) {
            let entry = ours(format!("{id}-{side}"), format!("{title}: {name}")).with_rules_text(text());
            mats.push(on_sheet(entry, 6 * x, y));
        }
    }
    let rest = [
        ("away", "Not arrived", texts::away as fn() -> Vec<String>),
        ("lost", "Lost for good", texts::lost),
        ("out", "Out of the game", texts::out),
        ("off-map", "Off the map, in Scotland", texts::scotland),
    ];
    for (y, (id, name, text)) in (4..).zip(rest) {
        mats.push(on_sheet(ours(id, name).with_rules_text(text()), 12, y));
    }
    mats
}

/// The inside of a printed Fortress, beside its Area.
fn inside(content: &Content, fortress: FortressId) -> MatDef {
    let area = &content.areas[content.fortresses[fortress].area];
    let entry = CatalogEntry::new(
        format!("inside-{}", area.named.id),
        format!("Fortress of {}", area.named.name),
        area.named.levels.of("shape"),
    );
    MatDef {
        entry: entry.with_attributes(attributes::of_inside(content, fortress)),
        board: MAP,
        x: area.label.0.saturating_add(TO_INSIDE.0),
        y: area.label.1.saturating_add(TO_INSIDE.1),
    }
}

pub(in super::super) fn tracks(content: &Content) -> Vec<TrackDef> {
    vec![turns(content), naval(content)]
}

/// The Turn Record Track (5.0).
fn turns(content: &Content) -> TrackDef {
    let box_of = |turn: TurnId| {
        let one = &content.turns[turn];
        TrackBox {
            attributes: attributes::of_turn(one),
            ..TrackBox::new(turn.number().into(), &*one.named.name, one.named.confidence)
        }
        .with_gives(texts::turn(content, turn))
    };
    TrackDef::across(
        ours("turns", "Turn Record Track"),
        SHEET,
        (0, 0),
        11,
        TurnId::all(content).map(box_of).collect(),
    )
}

/// The bounds of the Naval Status that a match comes to, if no event is played twice (15.0).
fn naval_bounds(content: &Content) -> (i32, i32) {
    let naval = &content.numbers.naval;
    let events = content.lists.iter().flatten().filter_map(|step| match step.operation {
        Operation::Naval { by } => Some(i32::from(by)),
        _ => None,
    });
    let chits = naval.chits.iter().map(|&chit| i32::from(chit));
    let rest = [naval.held, naval.queen_left, naval.queen_captured].map(i32::from);
    let all: Vec<i32> = events.chain(chits).chain(rest).collect();
    let sum = |sign: i32| all.iter().filter(|&&one| one * sign > 0).sum::<i32>();
    (sum(-1).min(-1), sum(1).max(1))
}

/// The Naval Status Chart (15.0).
fn naval(content: &Content) -> TrackDef {
    let level = content
        .numbers
        .levels
        .iter()
        .find(|(table, _)| *table == "naval")
        .map_or(Confidence::Official, |(_, levels)| levels.of_all(&["veteran", "extra", "siege"]));
    let (least, most) = naval_bounds(content);
    let box_of = |number: i32| {
        let label = match number {
            0 => "0".to_owned(),
            1.. => format!("Parliament {number}"),
            _ => format!("Royalist {}", -number),
        };
        TrackBox::new(number, label, level).with_gives(texts::naval_box(content, number))
    };
    TrackDef::across(
        ours("naval", "Naval Status Chart"),
        SHEET,
        (0, 2),
        16,
        (least..=most).map(box_of).collect(),
    )
}
