//! The static half: names, kinds, piles and markers.

use crate::catalogue::{Catalogue, Entry, KindDef, PileDef, ScenarioDef, SeatDef, SpaceDef};
use crate::content::{Confidence, ContentError, ContentErrors, ContentFiles};
use crate::ledger::Ledger;
use crate::seat::Seat;

use super::ThisWar;
use super::actions::{Actions, REGION_IDS, action_table};
use super::content::{Content, Named, REGIONS};
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
const REGION_HEADINGS: [&str; REGIONS] = ["The North", "Wales", "The Midlands", "The East", "The South"];
const REGION_NAMES: [&str; REGIONS] = ["the North", "Wales", "the Midlands", "the East", "the South"];

const SIDES: [(&str, &str); 2] = [("royalist", "Royalist"), ("parliament", "Parliament")];

pub(super) fn build(content: &Content, files: &ContentFiles) -> Result<(Catalogue, Actions), ContentErrors> {
    let ledger = Ledger::load(files)?;
    let (table, actions) = action_table(content)
        .map_err(|error| ContentErrors::from(ContentError::file("blocks.toml", error.to_string())))?;
    let ours = |id: String, name: String| Entry::new(id, name, Confidence::Official);
    let plain = |id: &str, name: &str| Entry::new(id, name, Confidence::Official);
    let entry = |named: &Named| Entry::new(&*named.id, &*named.name, named.badge);
    let sided = |id: &str, name: &str| -> Vec<Entry> {
        let entry = |(side, title): (&str, &str)| ours(format!("{side}-{id}"), format!("{title} {name}"));
        SIDES.into_iter().map(entry).collect()
    };
    let mut spaces: Vec<SpaceDef> = content
        .areas
        .iter()
        .map(|area| SpaceDef {
            entry: entry(&area.named),
            region: REGION_HEADINGS[area.region].to_owned(),
            x: area.label.0,
            y: area.label.1,
            links: area.ways.iter().map(|way| (way.to.into(), way.kind.as_str())).collect(),
        })
        .collect();
    for city in &content.cities {
        let area = &content.areas[usize::from(city.area)];
        spaces.push(SpaceDef {
            entry: entry(&city.named),
            region: REGION_HEADINGS[area.region].to_owned(),
            x: area.label.0 + 12,
            y: area.label.1 + 12,
            links: Vec::new(),
        });
    }
    let mut kinds: Vec<KindDef> = Vec::new();
    for (id, name) in [("block", "block"), ("card", "card")] {
        kinds.extend(sided(id, name).into_iter().map(|entry| KindDef { entry, back: true }));
    }
    for (id, name) in [("infantry", "Infantry"), ("cavalry", "Cavalry"), ("artillery", "Artillery")] {
        kinds.push(KindDef { entry: plain(id, name), back: false });
    }
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
    let mut mats = sided("pool", "Recruitment Pool");
    let regions = REGION_NAMES.into_iter().chain(["London's recruits"]);
    mats.extend(REGION_IDS.into_iter().zip(regions).map(|(id, name)| plain(&format!("region-{id}"), name)));
    let catalogue = Catalogue {
        id: ThisWar::ID,
        title: "This War Without an Enemy",
        summary: "The introductory game for two: the First English Civil War, 1642 to 1643, with hidden blocks and sealed cards. \
                  The full game is not included: its rules were not at hand.",
        rules_version: 2,
        content: files.hash(),
        seats: SIDES.iter().map(|&(id, name)| SeatDef { id, name }).collect(),
        scenarios: vec![ScenarioDef { id: "early-war", title: "The Early War", seats: 2 }],
        options: Vec::new(),
        map_unit: "a hundredth of a degree of latitude",
        spaces,
        mats,
        tracks: vec![plain("turns", "Turn track"), plain("victory", "Victory Track, the Royalists' points")],
        piles,
        kinds,
        pieces: content.blocks.iter().map(|block| entry(&block.named)).collect(),
        cards: content.cards.iter().map(|card| entry(&card.named)).collect(),
        markers: markers(content),
        arrows: vec![plain("crossed", "Blocks across"), plain("entered", "Last entered by")],
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

/// The kinds of markers, with what their numbers are called.
fn markers(content: &Content) -> Vec<Entry> {
    let yes = || vec![(1, "yes".to_owned())];
    let turns = || (0..).zip(content.turns.iter().map(|(name, _)| name.clone())).collect();
    let holders = || {
        let sides = SIDES.iter().map(|&(_, name)| name);
        (0..).zip(["nobody"].into_iter().chain(sides).chain(["contested"]).map(str::to_owned)).collect()
    };
    let kind = |id, name, values| Entry::new(id, name, Confidence::Official).with_values(values);
    vec![
        kind("turn", "Turn", turns()),
        kind("victory", "Victory Points", vec![]),
        kind("strength", "Strength", vec![]),
        kind("control", "Control", holders()),
        kind("besieged", "Besieged", yes()),
        kind("siege", "Siege Marker", vec![]),
        kind("resolved", "Siege Combat is over", yes()),
        kind("walls", "Walls complete", yes()),
        kind("half", "Half-hit", yes()),
        kind("first", "Player 1", yes()),
        kind("mining", "Mining to be used", yes()),
        kind("quartermaster", "Blocks that the Quartermaster General can supply", vec![]),
        kind("royalist-event", "Royalist event in force here", yes()),
        kind("parliament-event", "Parliament's event in force here", yes()),
        kind("gained", "Strength gained here last", yes()),
        kind("lost", "Strength lost here last", yes()),
    ]
}
