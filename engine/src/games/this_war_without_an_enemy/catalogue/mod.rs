//! The static half: names, kinds, piles and markers.

mod attributes;
mod boards;
mod charts;
mod roles;
mod texts;

use crate::action::ActionIndex;
use crate::catalogue::{
    CatalogEntry, Catalogue, KindDef, MarkerDef, MarkerPriority, PileDef, PileFacing, PileLayout,
    ScenarioDef, SeatDef, ValueName,
};
use crate::content::{Confidence, ContentError, ContentErrors, ContentFiles};
use crate::ledger::Ledger;
use crate::reference::Ref;
use crate::seat::Seat;

use super::ThisWar;
use super::actions::Action;
use super::content::{Class, Content, REGIONS};
use super::phrases::PHRASES;

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

pub(super) fn build(
    content: &Content,
    files: &ContentFiles,
) -> Result<(Catalogue, ActionIndex<Action>), ContentErrors> {
    let ledger = Ledger::load(files)?;
    let (table, actions) = Action::table(content)
        .map_err(|error| ContentErrors::from(ContentError::file("blocks.toml", error.to_string())))?;
    let catalogue = Catalogue {
        id: ThisWar::ID,
        title: "This War Without an Enemy",
        summary: "The introductory game for two: the First English Civil War, 1642 to 1643, with hidden blocks and sealed cards. \
                  The full game is not included: its rules were not at hand.",
        rules_version: 4,
        content: files.hash(),
        seats: vec![
            SeatDef { id: SIDES[0].0, name: SIDES[0].1, color: "#b3262e", emblem: "crown" },
            SeatDef { id: SIDES[1].0, name: SIDES[1].1, color: "#d8902f", emblem: "portcullis" },
        ],
        sides: Vec::new(),
        scenarios: vec![ScenarioDef::won_or_lost("early-war", "The Early War", 2)],
        options: Vec::new(),
        attributes: attributes::declared(),
        boards: boards::boards(content),
        space_kinds: boards::space_kinds(),
        adjacency_kinds: boards::adjacency_kinds(),
        spaces: boards::spaces(content),
        mats: boards::mats(),
        tracks: boards::tracks(content),
        grades: boards::grades(),
        piles: piles(),
        kinds: kinds(),
        pieces: pieces(content),
        cards: cards(content),
        markers: markers(content),
        arrows: [("crossed", "Blocks across"), ("entered", "Last entered by")]
            .map(|(id, name)| CatalogEntry::new(id, name, Confidence::Official))
            .into(),
        arrow_results: Vec::new(),
        charts: charts::charts(content),
        procedures: roles::procedures(),
        roles: roles::roles(),
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
    let backs: [(&str, [&str; 2], Text); 2] =
        [("block", ["R?", "P?"], texts::back), ("card", ["Rc", "Pc"], texts::card_back)];
    let mut kinds = Vec::new();
    for (name, labels, text) in backs {
        let entries = sided(name, name).into_iter().enumerate();
        kinds.extend(entries.map(|(side, entry)| {
            KindDef::new(entry.with_rules_text(text(side)), true).with_short_label(labels[side])
        }));
    }
    for (class, id, name) in [
        (Class::Infantry, "infantry", "Infantry"),
        (Class::Cavalry, "cavalry", "Cavalry"),
        (Class::Artillery, "artillery", "Artillery"),
    ] {
        let entry = CatalogEntry::new(id, name, Confidence::Official);
        kinds.push(KindDef::new(entry.with_rules_text(texts::class(class)), false));
    }
    kinds
}

fn piles() -> Vec<PileDef> {
    use PileFacing::{Everybody, Nobody, Owner};
    use PileLayout::{Fan, Stack};
    let mut piles = Vec::new();
    for (id, name, layout, facing) in [
        ("hand", "hand", Fan, Owner),
        ("card-played", "card of the Turn", Stack, Everybody),
        ("deck", "deck", Stack, Nobody),
        ("discards", "cards laid aside", Stack, Owner),
        ("played", "cards of the year", Stack, Everybody),
        ("removed", "cards out of the game", Stack, Everybody),
    ] {
        let side = sided(id, name).into_iter().enumerate();
        piles.extend(side.map(|(seat, entry)| PileDef {
            entry,
            owner: Some(Seat::new(seat as u8)),
            ordered: false,
            layout,
            facing,
        }));
    }
    piles
}

/// The name of a block; blocks of one name are counted, so that they can be told apart.
fn name_of(content: &Content, index: usize) -> String {
    let name = &content.blocks[index].named.name;
    let same =
        |blocks: &[super::content::BlockDef]| blocks.iter().filter(|block| block.named.name == *name).count();
    match same(&content.blocks) {
        1 => name.clone(),
        _ => format!("{name} ({})", same(&content.blocks[..=index])),
    }
}

fn pieces(content: &Content) -> Vec<CatalogEntry> {
    let piece = |(index, block): (usize, &super::content::BlockDef)| {
        CatalogEntry::new(&*block.named.id, name_of(content, index), block.named.confidence)
            .with_rules_text(texts::block(content, block))
            .with_attributes(attributes::of_block(block))
    };
    content.blocks.iter().enumerate().map(piece).collect()
}

fn cards(content: &Content) -> Vec<CatalogEntry> {
    let card = |card: &super::content::CardDef| {
        CatalogEntry::new(&*card.named.id, &*card.named.name, card.named.confidence)
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
    let kind = |id, label: &str, name, values, priority, unit| {
        let entry = CatalogEntry::new(id, name, Confidence::Official).with_values(values);
        MarkerDef { entry, priority, unit, short_label: label.to_owned() }
    };
    vec![
        kind("turn", "T", "Turn", turns(), Position, ""),
        kind("victory", "VP", "Victory Points", vec![], Position, "points"),
        kind("strength", "str", "Strength", vec![], Status, "dice"),
        kind("control", "ctl", "Control", holders(), Status, ""),
        kind("besieged", "bes", "Besieged", yes(), Status, ""),
        kind("siege", "sge", "Siege Marker", vec![], Status, ""),
        kind("resolved", "res", "Siege Combat is over", yes(), Bookkeeping, ""),
        kind("walls", "wal", "Walls complete", yes(), Status, ""),
        kind("half", "½", "Half-hit", yes(), Status, ""),
        kind("first", "1st", "Player 1", yes(), Status, ""),
        kind("mining", "min", "Mining to be used", yes(), Bookkeeping, ""),
        kind(
            "quartermaster",
            "QM",
            "Blocks that the Quartermaster General can supply",
            vec![],
            Bookkeeping,
            "blocks",
        ),
        kind("royalist-event", "Rev", "Royalist event in force here", yes(), Status, ""),
        kind("parliament-event", "Pev", "Parliament's event in force here", yes(), Status, ""),
        kind("gained", "+", "Strength gained here last", yes(), Bookkeeping, ""),
        kind("lost", "-", "Strength lost here last", yes(), Bookkeeping, ""),
    ]
}
