//! Attributes: what the catalogue declares, and what each entry carries of it.

use crate::catalogue::AttributeKind::{Number, Reference, Text};
use crate::catalogue::{Attribute, AttributeDef, AttributeScope as On};
use crate::content::Confidence;
use crate::reference::Ref;
use crate::seat::Seat;

use super::super::content::things::{Place, RegionId};
use super::super::content::{Area, BlockDef, CardDef, City, Content};
use super::{FACE, POOL_MAT, REGION_MATS};

/// Indices of the declarations.
const SIDE: u16 = 0;
const POINTS: u16 = 1;
const DECK: u16 = 2;
const EVENT: u16 = 3;
const PHASE: u16 = 4;
const AMOUNT: u16 = 5;
const REMOVED: u16 = 6;
const CLASS: u16 = 7;
const RANK: u16 = 8;
const STRENGTH: u16 = 9;
const EFFECTIVENESS: u16 = 10;
const HOME: u16 = 11;
const SETUP: u16 = 12;
const CHAPERONES: u16 = 13;
const REGION: u16 = 14;
const MOUNTAIN: u16 = 15;
const LOYAL: u16 = 16;
const RIDING: u16 = 17;
const SUPPLY: u16 = 18;
const SUPPLY_HORSE: u16 = 19;
const CITY_CLASS: u16 = 20;
const SIZE: u16 = 21;
const VICTORY: u16 = 22;
const SYMPATHY: u16 = 23;
const FORTIFIED: u16 = 24;
const PORT: u16 = 25;
const STORM: u16 = 26;
const RECRUITS: u16 = 27;
const INCOMPLETE: u16 = 28;
const HELD: u16 = 29;

/// The declarations, in the order of their indices.
pub(in super::super) fn declared() -> Vec<AttributeDef> {
    let (cards, pieces, spaces) = (&[On::Cards][..], &[On::Pieces][..], &[On::Spaces][..]);
    vec![
        AttributeDef::new("side", "Side", Reference, &[On::Cards, On::Pieces]),
        AttributeDef::new("action-points", "Action Points", Number, cards),
        AttributeDef::new("deck", "When it is in the deck", Text, cards),
        AttributeDef::new("event", "Event", Text, cards),
        AttributeDef::new("phase", "Phase of the event", Text, cards),
        AttributeDef::new("amount", "Number in the event", Number, cards),
        AttributeDef::flag("removed", "Out of the game once its event was used", cards),
        AttributeDef::new("class", "Class", Reference, pieces),
        AttributeDef::new("rank", "Rank", Text, pieces),
        AttributeDef::new("strength", "Full strength", Number, pieces).unit("dice"),
        AttributeDef::new("effectiveness", "Effectiveness: each die hits", Number, pieces).unit("in 6"),
        AttributeDef::new("home", "Home Region", Reference, pieces),
        AttributeDef::new("setup", "Begins in", Reference, pieces),
        AttributeDef::new("chaperones", "May leave its Home Region with", Reference, pieces).many(),
        AttributeDef::new("region", "Region", Reference, spaces),
        AttributeDef::flag("mountain", "Mountain Area", spaces),
        AttributeDef::new("loyal", "Loyal to", Reference, spaces),
        AttributeDef::flag("riding", "Riding of Yorkshire", spaces),
        AttributeDef::new("supply", "Supplies", Number, spaces).unit("blocks"),
        AttributeDef::new("supply-cavalry", "Of these at most as Cavalry", Number, spaces).unit("blocks"),
        AttributeDef::new("city-class", "Class of the City", Text, spaces),
        AttributeDef::new("size", "Size", Number, spaces),
        AttributeDef::new("victory-points", "Victory Points", Number, spaces),
        AttributeDef::new("sympathy", "Sympathetic to", Reference, spaces),
        AttributeDef::flag("fortified", "Fortified", spaces),
        AttributeDef::flag("port", "Port", spaces),
        AttributeDef::new("storm", "May be stormed by", Number, spaces).unit("blocks"),
        AttributeDef::new("recruits", "Recruitment Points at the Year End", Number, spaces),
        AttributeDef::flag("incomplete", "Walls incomplete at the start", spaces),
        AttributeDef::new("held-by", "Held at the start by", Reference, spaces),
    ]
}

/// A Region, or London's recruits, by its letter.
const fn region(letter: RegionId) -> Ref {
    Ref::Mat(REGION_MATS + letter.index() as u16)
}

pub(in super::super) fn of_card(card: &CardDef) -> Vec<Attribute> {
    let levels = &card.named.levels;
    let mut facts = vec![
        Attribute::new(SIDE, Ref::Seat(card.side), levels.of("side")),
        Attribute::new(POINTS, card.points, levels.of("points")),
        Attribute::new(DECK, card.stage.as_str(), levels.of("stage")),
        Attribute::new(REMOVED, card.removed, levels.of("removed")),
    ];
    facts.extend(card.event.map(|event| Attribute::new(EVENT, event.as_str(), levels.of("event"))));
    facts.extend(card.phase.map(|phase| Attribute::new(PHASE, phase.as_str(), levels.of("phase"))));
    facts.extend(card.counts.then(|| Attribute::new(AMOUNT, card.amount, levels.of("amount"))));
    facts
}

pub(in super::super) fn of_block(block: &BlockDef) -> Vec<Attribute> {
    let levels = &block.named.levels;
    let setup = match block.setup {
        Place::POOL => Ref::Mat(POOL_MAT + block.side.index() as u16),
        area => area.into(),
    };
    let mut facts = vec![
        Attribute::new(SIDE, Ref::Seat(block.side), levels.of("side")),
        Attribute::new(CLASS, Ref::Kind(FACE + block.class as u16), levels.of("class")),
        Attribute::new(RANK, block.rank.as_str(), levels.of("kind")),
        Attribute::new(STRENGTH, block.strength, levels.of("strength")),
        Attribute::new(EFFECTIVENESS, block.effectiveness, levels.of("effectiveness")),
        Attribute::new(SETUP, setup, levels.of("setup")),
    ];
    facts.extend(block.letter.map(|letter| Attribute::new(HOME, region(letter), levels.of("home"))));
    if !block.chaperones.is_empty() {
        let with = block.chaperones.iter().map(Ref::from);
        facts.push(Attribute::list(CHAPERONES, with, levels.of_all(&["kind", "home"])));
    }
    facts
}

/// The level of what an Area supplies, which rests on whether it is a Mountain Area.
fn supply_level(content: &Content, area: &Area, [plain, mountain]: [&str; 2]) -> Confidence {
    let field = if area.mountain { mountain } else { plain };
    area.named.levels.of("mountain").weakest(content.levels.supply.of(field))
}

pub(in super::super) fn of_area(content: &Content, area: &Area) -> Vec<Attribute> {
    let levels = &area.named.levels;
    let blocks = supply_level(content, area, ["blocks", "mountain_blocks"]);
    let horse = supply_level(content, area, ["cavalry", "mountain_cavalry"]);
    let mut facts = vec![
        Attribute::new(REGION, region(area.region), levels.of("region")),
        Attribute::new(MOUNTAIN, area.mountain, levels.of("mountain")),
        Attribute::new(RIDING, area.yorkshire, levels.of("yorkshire")),
        Attribute::new(SUPPLY, area.supply.0, blocks),
        Attribute::new(SUPPLY_HORSE, area.supply.1, horse),
    ];
    facts.extend(area.loyal.map(|seat| Attribute::new(LOYAL, Ref::Seat(seat), levels.of("loyal"))));
    facts
}

pub(in super::super) fn of_city(content: &Content, city: &City) -> Vec<Attribute> {
    let levels = &city.named.levels;
    let area = &content.areas[city.area];
    let mut facts = vec![
        Attribute::new(CITY_CLASS, city.class.as_str(), levels.of("class")),
        Attribute::new(SIZE, city.size, levels.of("size")),
        Attribute::new(VICTORY, city.points, levels.of("points")),
        Attribute::new(FORTIFIED, city.fortified, levels.of("fortified")),
        Attribute::new(PORT, city.port, levels.of("port")),
        Attribute::new(STORM, city.storm, levels.of("storm")),
        Attribute::new(SUPPLY, city.supply, levels.of("supply")),
        Attribute::new(RECRUITS, city.recruits, levels.of("recruits")),
        Attribute::new(INCOMPLETE, city.incomplete, levels.of("incomplete")),
    ];
    let sympathy = |seat: Seat| Attribute::new(SYMPATHY, Ref::Seat(seat), levels.of("sympathy"));
    facts.extend(city.sympathy.map(sympathy));
    // Its holder follows from its place, from the blocks and the Loyalty there, and from its Sympathy.
    let held = levels.of_all(&["area", "sympathy"]).weakest(area.named.levels.of("loyal"));
    facts.extend(city.start.map(|seat| Attribute::new(HELD, Ref::Seat(seat), held)));
    facts
}
