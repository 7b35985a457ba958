//! The static half: names, kinds, piles and markers.

use crate::catalogue::{
    CatalogEntry, Catalogue, KindDef, MarkerDef, MarkerPriority, PileDef, ScenarioDef, SeatDef, ValueName,
};
use crate::content::{Confidence, ContentError, ContentErrors, ContentFiles};
use crate::ledger::Ledger;
use crate::reference::Ref;
use crate::seat::Seat;

use super::actions::{Actions, action_table};
use super::content::{Class, Content, REGIONS};
use super::phrases::PHRASES;
use super::{ThisWar, attributes, boards, charts, roles, texts};

/// Kinds: backs by side, backs of cards by side, faces by class.
pub(super) const BACK: u16 = 0;
pub(super) const CARD_BACK: u16 = 2;
pub(super) const FACE: u16 = 4;

/// Piles, each by side.
pub(super) const HAND: u16 = 0;
pub(super) const SHOWN_CARD: u16 = 2;
pub(super) const DECK: u16 = 4;
pub(super) const DISCARDS: u16 = 6;
pub(super) const PLAYED: u16 = 8;
pub(super) const REMOVED: u16 = 10;

/// Mats: the Recruitment Pools by side, then the Regions and London.
pub(super) const POOL_MAT: u16 = 0;
pub(super) const REGION_MATS: u16 = 2;

/// Tracks.
pub(super) const TURN_TRACK: u16 = 0;
pub(super) const VICTORY_TRACK: u16 = 1;

/// Markers.
pub(super) const TURN: u16 = 0;
pub(super) const VICTORY: u16 = 1;
pub(super) const STRENGTH: u16 = 2;
pub(super) const CONTROL: u16 = 3;
pub(super) const BESIEGED: u16 = 4;
pub(super) const MARKER: u16 = 5;
pub(super) const RESOLVED: u16 = 6;
pub(super) const WALLS: u16 = 7;
pub(super) const HALF: u16 = 8;
pub(super) const FIRST: u16 = 9;
pub(super) const MINING_LEFT: u16 = 10;
pub(super) const QUARTERMASTER_LEFT: u16 = 11;
/// By side.
pub(super) const TACTIC: u16 = 12;
/// The place where an upright block gained or lost strength last.
pub(super) const GAINED: u16 = 14;
pub(super) const LOST: u16 = 15;

/// Arrows.
pub(super) const CROSSED: u16 = 0;
pub(super) const ENTERED: u16 = 1;

/// The Regions, in the order of the content's letters: as headings, and within a sentence.
pub(super) const REGION_HEADINGS: [&str; REGIONS] =
    ["The North", "Wales", "The Midlands", "The East", "The South"];
pub(super) const REGION_NAMES: [&str; REGIONS] =
    ["the North", "Wales", "the Midlands", "the East", "the South"];

/// Ids and names of the sides.
pub(super) const SIDES: [(&str, &str); 2] = [("royalist", "Royalist"), ("parliament", "Parliament")];

pub(super) fn build(content: &Content, files: &ContentFiles) -> Result<(Catalogue, Actions), ContentErrors> {
    let ledger = Ledger::load(files)?;
    let (table, actions) = action_table(content)
        .map_err(|error| ContentErrors::from(ContentError::file("blocks.toml", error.to_string())))?;
    let catalogue = Catalogue {
        id: ThisWar::ID,
        title: "This War Without an Enemy",
        summary: "The introductory game for two: the First English Civil War, 1642 to 1643, with hidden blocks and sealed cards. \
                  The full game is not included: its rules were not at hand.",
        rules_version: 2,
        content: files.hash(),
        seats: vec![
            SeatDef { id: SIDES[0].0, name: SIDES[0].1, color: "#b3262e", emblem: "crown" },
            SeatDef { id: SIDES[1].0, name: SIDES[1].1, color: "#d8902f", emblem: "portcullis" },
        ],
        scenarios: vec![ScenarioDef {
            id: "early-war",
            title: "The Early War",
            seats: 2,
            returns_min: -1,
            returns_max: 1,
        }],
        options: Vec::new(),
        attributes: attributes::declared(),
        boards: boards::boards(content),
        space_kinds: boards::space_kinds(),
        spaces: boards::spaces(content),
        mats: boards::mats(),
        tracks: boards::tracks(content),
        piles: piles(),
        kinds: kinds(),
        pieces: pieces(content),
        cards: cards(content),
        markers: markers(content),
        arrows: [("crossed", "Blocks across"), ("entered", "Last entered by")]
            .map(|(id, name)| CatalogEntry::new(id, name, Confidence::Official))
            .into(),
        charts: charts::charts(content),
        roles: roles::ROLES.to_vec(),
        flags: vec![
            "moved", "acting", "moving", "withdrew", "reserve", "held", "fighting", "shown", "tired",
            "joined", "drawn", "late", "taken", "fired",
        ],
        actions: table,
        phrases: PHRASES.iter().copied().collect(),
        ledger,
        phase_ends: vec!["turn_begins", "player_1", "operations", "tactical_phase", "supply_phase"],
    };
    Ok((catalogue, actions))
}

/// An entry for each side.
fn sided(id: &str, name: &str) -> [CatalogEntry; 2] {
    SIDES.map(|(side, title)| {
        CatalogEntry::new(format!("{side}-{id}"), format!("{title} {name}"), Confidence::Official)
    })
}

/// The rules of something that each side has.
type Text = fn(usize) -> Vec<String>;

/// The backs of blocks and of cards by side, then the faces by class.
fn kinds() -> Vec<KindDef> {
    let backs: [(&str, Text); 2] = [("block", texts::back), ("card", texts::card_back)];
    let mut kinds = Vec::new();
    for (name, text) in backs {
        let entries = sided(name, name).into_iter().enumerate();
        kinds.extend(
            entries.map(|(side, entry)| KindDef { entry: entry.with_rules_text(text(side)), back: true }),
        );
    }
    for (class, id, name) in [
        (Class::Infantry, "infantry", "Infantry"),
        (Class::Cavalry, "cavalry", "Cavalry"),
        (Class::Artillery, "artillery", "Artillery"),
    ] {
        let entry = CatalogEntry::new(id, name, Confidence::Official);
        kinds.push(KindDef { entry: entry.with_rules_text(texts::class(class)), back: false });
    }
    kinds
}

fn piles() -> Vec<PileDef> {
    let mut piles = Vec::new();
    for (id, name) in [
        ("hand", "hand"),
        ("card-played", "card of the Turn"),
        ("deck", "deck"),
        ("discards", "cards laid aside"),
        ("played", "cards of the year"),
        ("removed", "cards out of the game"),
    ] {
        let side = sided(id, name).into_iter().enumerate();
        piles.extend(side.map(|(seat, entry)| PileDef {
            entry,
            owner: Some(Seat::new(seat as u8)),
            ordered: false,
        }));
    }
    piles
}

fn pieces(content: &Content) -> Vec<CatalogEntry> {
    let piece = |block: &super::content::BlockDef| {
        CatalogEntry::new(&*block.named.id, &*block.named.name, block.named.badge)
            .with_rules_text(texts::block(content, block))
            .with_attributes(attributes::of_block(block))
    };
    content.blocks.iter().map(piece).collect()
}

fn cards(content: &Content) -> Vec<CatalogEntry> {
    let card = |card: &super::content::CardDef| {
        CatalogEntry::new(&*card.named.id, &*card.named.name, card.named.badge)
            .with_rules_text(texts::card(card))
            .with_attributes(attributes::of_card(card))
    };
    content.cards.iter().map(card).collect()
}

/// The kinds of markers, with what their numbers are called.
fn markers(content: &Content) -> Vec<MarkerDef> {
    use MarkerPriority::{Bookkeeping, Position, Status};
    let yes = || vec![ValueName::new(1, "yes")];
    let turns =
        || (0..).zip(&content.turns).map(|(number, (name, _))| ValueName::new(number, name)).collect();
    let holders = || {
        let side = |(index, &(_, name)): (usize, &(_, _))| {
            ValueName::of(index as i32 + 1, name, Ref::Seat(Seat::new(index as u8)))
        };
        let sides = SIDES.iter().enumerate().map(side);
        let contested = ValueName::new(SIDES.len() as i32 + 1, "contested");
        [ValueName::new(0, "nobody")].into_iter().chain(sides).chain([contested]).collect()
    };
    let kind = |id, name, values, priority, unit| {
        let entry = CatalogEntry::new(id, name, Confidence::Official).with_values(values);
        MarkerDef { entry, priority, unit }
    };
    vec![
        kind("turn", "Turn", turns(), Position, ""),
        kind("victory", "Victory Points", vec![], Position, "points"),
        kind("strength", "Strength", vec![], Status, "dice"),
        kind("control", "Control", holders(), Status, ""),
        kind("besieged", "Besieged", yes(), Status, ""),
        kind("siege", "Siege Marker", vec![], Status, ""),
        kind("resolved", "Siege Combat is over", yes(), Bookkeeping, ""),
        kind("walls", "Walls complete", yes(), Status, ""),
        kind("half", "Half-hit", yes(), Status, ""),
        kind("first", "Player 1", yes(), Status, ""),
        kind("mining", "Mining to be used", yes(), Bookkeeping, ""),
        kind(
            "quartermaster",
            "Blocks that the Quartermaster General can supply",
            vec![],
            Bookkeeping,
            "blocks",
        ),
        kind("royalist-event", "Royalist event in force here", yes(), Status, ""),
        kind("parliament-event", "Parliament's event in force here", yes(), Status, ""),
        kind("gained", "Strength gained here last", yes(), Bookkeeping, ""),
        kind("lost", "Strength lost here last", yes(), Bookkeeping, ""),
    ]
}
