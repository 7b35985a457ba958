//! The static half: names, templates and the action table.

mod attributes;
mod boards;
mod charts;
mod roles;
mod texts;

use crate::action::{ActionIndex, ActionTableError};
use crate::catalogue::{
    CatalogEntry, Catalogue, KindDef, MarkerDef, MarkerPriority, PileDef, PileFacing, PileLayout,
    ScenarioDef, SeatDef,
};
use crate::content::{Confidence, ContentError, ContentErrors, ContentFiles};
use crate::ledger::Ledger;

use super::Skirmish;
use super::actions::Action;
use super::content::Content;
use super::phrases::PHRASES;
use super::state::{BLOCKS, SIDE};

/// Index of the drill among the scenarios.
pub(super) const DRILL: usize = 1;

/// Kinds of pieces: the back of a block, then faces by strength, then the backs of cards by stretch.
pub(super) const BACK: u16 = 0;
pub(super) const CARD_BACK: u16 = 5;

/// Piles: hands by seat, the cards shown by seat, the stretches, the discards.
pub(super) const HAND: u16 = 0;
pub(super) const SHOWN: u16 = 2;
pub(super) const STRETCH: u16 = 4;
pub(super) const DISCARD: u16 = 6;
pub(super) const PILES: usize = 7;
/// The mat of lost blocks.
pub(super) const LOST_MAT: u16 = 0;
/// The turn track and its marker.
pub(super) const TURN_TRACK: u16 = 0;
pub(super) const TURN_MARKER: u16 = 0;
/// Flags of pieces.
pub(super) const MARCHED: u32 = 1;
pub(super) const SEEN: u32 = 2;

pub(super) fn build(
    content: &Content,
    files: &ContentFiles,
) -> Result<(Catalogue, ActionIndex<Action>), ContentErrors> {
    use PileFacing::{Everybody, Nobody, Owner};
    use PileLayout::{Fan, Stack};
    let (table, actions) = Action::table(content).map_err(|error: ActionTableError| {
        ContentErrors::from(ContentError::file("board.toml", error.to_string()))
    })?;
    let stretch = |index: usize| {
        let name = &content.stretches[index].0;
        let entry = CatalogEntry::official(name.to_lowercase(), format!("{name} deck"));
        PileDef::new(entry.with_attributes(attributes::of_stretch(content, index)), None, Stack, Nobody)
    };
    let seats = vec![
        SeatDef { id: "north", name: "North", color: "#2f5d9b", emblem: "star" },
        SeatDef { id: "south", name: "South", color: "#b23a33", emblem: "sun" },
    ];
    let piles = [
        PileDef::of_each(&seats, "hand", "'s hand", Fan, Owner),
        PileDef::of_each(&seats, "shown", "'s card", Stack, Everybody),
        vec![stretch(0), stretch(1)],
        vec![PileDef::new(CatalogEntry::official("discard", "Discards"), None, Stack, Everybody)],
    ];
    let catalogue = Catalogue {
        summary: "A training game of hidden blocks and secret cards, or a drill for one.",
        seats,
        scenarios: [("skirmish", "Skirmish", 2), ("drill", "Drill for one", 1)]
            .map(|(id, title, seats)| ScenarioDef::won_or_lost(id, title, seats))
            .into(),
        attributes: attributes::declared(),
        boards: boards::boards(content),
        space_kinds: boards::space_kinds(),
        spaces: boards::spaces(content),
        mats: boards::mats(),
        tracks: boards::tracks(content),
        piles: piles.concat(),
        kinds: kinds(content),
        pieces: (0..BLOCKS).map(|index| block(content, index)).collect(),
        cards: (0..content.cards.len()).map(|index| card(content, index)).collect(),
        markers: vec![MarkerDef::new(CatalogEntry::official("turn", "Turn"), MarkerPriority::Position, "T")],
        charts: charts::charts(content),
        procedures: roles::procedures(),
        roles: roles::roles(),
        flags: vec!["marched", "seen"],
        phrases: PHRASES.iter().copied().collect(),
        phase_ends: vec!["turn_begins", "all_shown"],
        ..Catalogue::new(Skirmish::ID, "Skirmish", 1, files.hash(), Ledger::load(files)?, table)
    };
    Ok((catalogue, actions))
}

/// The back of a block, the faces by strength, the backs of cards by stretch.
fn kinds(content: &Content) -> Vec<KindDef> {
    let face = |strength: usize| {
        CatalogEntry::official(format!("strength-{strength}"), format!("block of strength {strength}"))
            .with_rules_text(texts::face(strength))
            .with_attributes(attributes::of_face(strength))
    };
    let card_back = |index: usize| {
        let name = &content.stretches[index].0;
        CatalogEntry::official(format!("{}-back", name.to_lowercase()), format!("a {name} card"))
            .with_rules_text(texts::card_back(content, index))
            .with_attributes(attributes::of_card_back(index))
    };
    let back = KindDef::new(CatalogEntry::official("back", "a block").with_rules_text(texts::back()), true);
    let mut kinds = vec![back.with_short_label("?")];
    kinds.extend((1..=SIDE).map(|strength| KindDef::new(face(strength), false)));
    kinds.extend((0..2).map(|index| {
        let label: String = content.stretches[index].0.chars().take(3).collect();
        KindDef::new(card_back(index), true).with_short_label(&label)
    }));
    kinds
}

/// The id of a block.
pub(super) fn block_id(index: usize) -> String {
    format!("{}-{}", ["north", "south"][index / SIDE], index % SIDE + 1)
}

fn block(content: &Content, index: usize) -> CatalogEntry {
    let (name, number) = (["North", "South"][index / SIDE], index % SIDE + 1);
    CatalogEntry::new(block_id(index), format!("{name}'s block {number}"), Confidence::Official)
        .with_rules_text(texts::block(content, index))
        .with_attributes(attributes::of_block(index))
}

fn card(content: &Content, index: usize) -> CatalogEntry {
    let named = &content.card_names[index];
    CatalogEntry::new(&*named.id, &*named.name, named.confidence)
        .with_rules_text(texts::card(content, index))
        .with_attributes(attributes::of_card(content, index))
}
