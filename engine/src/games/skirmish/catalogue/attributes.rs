//! Attributes: what the catalogue declares, and what each entry carries of it.

use crate::catalogue::AttributeKind::{Number, Reference};
use crate::catalogue::{Attribute, AttributeDef, AttributeScope as On};
use crate::content::Confidence;
use crate::vocabulary::*;

use super::super::content::Content;
use super::super::state::SIDE;
use super::STRETCH;

/// Indices of the declarations.
const PART: u16 = 0;
const ORDER: u16 = 1;
const MARCHES: u16 = 2;
const STRENGTH: u16 = 3;
const SEAT: u16 = 4;
const CAMP_OF: u16 = 5;
const GARRISON: u16 = 6;
const CARDS_DEALT: u16 = 7;

/// The declarations, in the order of their indices.
pub(in super::super) fn declared() -> Vec<AttributeDef> {
    vec![
        AttributeDef::new("stretch", "Stretch of the deck", Reference, &[On::Cards, On::Kinds]),
        AttributeDef::new("order", "Order: the higher acts first", Number, &[On::Cards]),
        AttributeDef::new("marches", "Marches", Number, &[On::Cards]),
        AttributeDef::new("strength", "Strength: it hits", Number, &[On::Kinds]).unit("in 6"),
        AttributeDef::new("seat", "Side", Reference, &[On::Pieces]),
        AttributeDef::new("camp-of", "Camp of", Reference, &[On::Spaces]),
        AttributeDef::new("garrison", "Garrison of the drill", Number, &[On::Spaces]).unit("blocks"),
        AttributeDef::new("cards-dealt", "Cards of it that come", Number, &[On::Piles]),
    ]
}

pub(in super::super) fn of_card(content: &Content, index: usize) -> Vec<Attribute> {
    let (card, levels) = (content.cards[index], &content.card_names[index].levels);
    vec![
        Attribute::new(PART, Ref::Pile(STRETCH + u16::from(card.stretch)), levels.of("stretch")),
        Attribute::new(ORDER, card.number, levels.of("number")),
        Attribute::new(MARCHES, card.marches, levels.of("marches")),
    ]
}

pub(in super::super) fn of_card_back(stretch: usize) -> Vec<Attribute> {
    vec![Attribute::new(PART, Ref::Pile(STRETCH + stretch as u16), Confidence::Official)]
}

pub(in super::super) fn of_face(strength: usize) -> Vec<Attribute> {
    vec![Attribute::new(STRENGTH, strength as i32, Confidence::Official)]
}

pub(in super::super) fn of_block(index: usize) -> Vec<Attribute> {
    vec![Attribute::new(SEAT, Ref::Seat(Seat::new((index / SIDE) as u8)), Confidence::Official)]
}

pub(in super::super) fn of_space(content: &Content, space: usize) -> Vec<Attribute> {
    let camp = content.camps.iter().position(|&camp| usize::from(camp) == space);
    let posts = content.garrison.iter().filter(|&&post| usize::from(post) == space).count();
    let camp = camp
        .map(|side| Attribute::new(CAMP_OF, Ref::Seat(Seat::new(side as u8)), content.levels.of("camps")));
    let garrison = Attribute::new(GARRISON, posts as i32, content.levels.of("drill_garrison"));
    camp.into_iter().chain([garrison]).collect()
}

pub(in super::super) fn of_stretch(content: &Content, stretch: usize) -> Vec<Attribute> {
    let level = content.stretch_levels[stretch].of("slots");
    vec![Attribute::new(CARDS_DEALT, content.slots(stretch), level)]
}
