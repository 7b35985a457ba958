//! Attributes: what the catalogue declares, and what each entry carries of it.

use crate::catalogue::AttributeKind::{Number, Reference, Text};
use crate::catalogue::{Attribute, AttributeDef, AttributeScope as On};
use crate::content::Confidence;
use crate::reference::Ref;

use super::super::adjudicator::{LeaderId, Space};
use super::super::content::{Figures, Printed};
use super::super::realm::{Realm, side_of};

/// Indices of the declarations.
const COUNTIES: u16 = 0;
const WEIGHT: u16 = 1;
const RATING: u16 = 2;
const HOME: u16 = 3;
const REGULAR: u16 = 4;
const ARMIES: u16 = 5;
const SIDE: u16 = 6;
const DECISIVE: u16 = 7;
const STRENGTH: u16 = 8;
const STRENGTH_ELSEWHERE: u16 = 9;
const STRENGTH_WITH_ARMY: u16 = 10;

/// The declarations, in the order of their indices.
pub(in super::super) fn declared() -> Vec<AttributeDef> {
    let (spaces, units) = (&[On::Spaces][..], &[On::Kinds, On::Pieces][..]);
    vec![
        AttributeDef::new("counties", "Historic counties", Text, spaces).many(),
        AttributeDef::new("weight", "Counts for income and by weight as", Number, spaces).unit("counties"),
        AttributeDef::new("rating", "Rating at the start, above 0 Royalist", Number, spaces),
        AttributeDef::new("home", "Home centre of", Reference, spaces),
        AttributeDef::new("regular", "Supports as a regular centre", Number, spaces).unit("armies"),
        AttributeDef::new("armies", "Begins with", Number, spaces).unit("armies"),
        AttributeDef::new("side", "Side", Reference, &[On::Pieces]),
        AttributeDef::flag("decisive", "Its loss counts for victory", &[On::Pieces]),
        AttributeDef::new("strength", "Strength (of a leader: alone in own ground)", Number, units),
        AttributeDef::new("strength-elsewhere", "Strength alone elsewhere", Number, units),
        AttributeDef::new("strength-with-army", "Adds to the armies it is with", Number, units),
    ]
}

pub(in super::super) fn of_space(realm: &Realm, printed: &Printed, space: Space) -> Vec<Attribute> {
    let (county, levels) = (realm.county(space), &printed.spaces[space.index()]);
    let names = printed.counties[space.index()].iter().map(String::as_str);
    let mut facts = vec![
        Attribute::list(COUNTIES, names, levels.of("counties")),
        Attribute::new(WEIGHT, county.weight, levels.of_all(&["weight", "counts_as_county"])),
        Attribute::new(RATING, county.bias, levels.of("bias")),
        Attribute::new(REGULAR, county.regular, levels.of("regular_armies")),
        Attribute::new(ARMIES, county.armies, levels.of("start_armies")),
    ];
    facts.extend(county.home.map(|seat| Attribute::new(HOME, Ref::Seat(seat), levels.of("home"))));
    facts
}

pub(in super::super) fn of_army(figures: &Figures) -> Vec<Attribute> {
    vec![Attribute::new(STRENGTH, figures.strengths.army, figures.army.of("strength"))]
}

/// The strengths of any leader.
pub(in super::super) fn of_leaders(figures: &Figures) -> Vec<Attribute> {
    let (strengths, levels) = (figures.strengths, &figures.leader);
    vec![
        Attribute::new(STRENGTH, strengths.at_home, levels.of("strength_at_home")),
        Attribute::new(STRENGTH_ELSEWHERE, strengths.elsewhere, levels.of("strength_elsewhere")),
        Attribute::new(STRENGTH_WITH_ARMY, strengths.with_army, levels.of("strength_with_army")),
    ]
}

pub(in super::super) fn of_leader(realm: &Realm, printed: &Printed, leader: LeaderId) -> Vec<Attribute> {
    let levels = &printed.leaders[leader.index()];
    let side: Confidence = levels.of("side");
    let mut facts = of_leaders(&printed.figures);
    facts.push(Attribute::new(SIDE, Ref::Seat(side_of(leader)), side));
    facts.push(Attribute::new(DECISIVE, realm.leaders[leader.index()].decisive, levels.of("victory")));
    facts
}
