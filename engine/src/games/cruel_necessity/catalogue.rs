//! The static half: names, coordinates, options, the action table and the words of every code.

use crate::catalogue::{Catalogue, Entry, KindDef, PileDef, ScenarioDef, SeatDef, SpaceDef};
use crate::content::{Confidence, ContentError, ContentErrors, ContentFiles};
use crate::ledger::Ledger;

use super::CruelNecessity;
use super::actions::{self, Actions};
use super::content::{ARMIES, Content, Named};
use super::names::*;
use super::phrases::PHRASES;
use super::setup::{SCENARIOS, options};
use super::texts;

pub(super) fn build(content: &Content, files: &ContentFiles) -> Result<(Catalogue, Actions), ContentErrors> {
    let ledger = Ledger::load(files)?;
    let (table, actions) = actions::table(content)
        .map_err(|error| ContentErrors::from(ContentError::file("cards.toml", error.to_string())))?;
    let ours = |id: &str, name: &str| Entry::new(id, name, Confidence::Official);
    let named = |named: &Named| Entry::new(&*named.id, &*named.name, named.badge);
    let mut catalogue = Catalogue {
        id: CruelNecessity::ID,
        title: "Cruel Necessity",
        summary: "One player holds Parliament and the Puritans together through the English Civil Wars; the cards are a \
                  reconstruction.",
        rules_version: 1,
        content: files.hash(),
        seats: vec![SeatDef { id: "parliament", name: "Parliament" }],
        scenarios: SCENARIOS.iter().map(|&(id, title, ..)| ScenarioDef { id, title, seats: 1 }).collect(),
        options: options(),
        map_unit: "a hundredth of the board's width",
        spaces: spaces(content),
        mats: MATS.iter().map(|(id, name)| ours(id, name)).collect(),
        tracks: tracks(content),
        piles: PILES
            .iter()
            .map(|(id, name)| PileDef { entry: ours(id, name), owner: None, ordered: false })
            .collect(),
        kinds: kinds(content),
        pieces: pieces(content),
        cards: content
            .cards
            .iter()
            .map(|card| named(&card.named))
            .chain(content.battle_cards.iter().map(|card| named(&card.named)))
            .collect(),
        markers: MARKERS
            .iter()
            .map(|(id, name)| ours(id, name))
            .chain(content.numbers.rewards.iter().map(|reward| named(&reward.named)))
            .collect(),
        arrows: Vec::new(),
        flags: FLAGS.to_vec(),
        actions: table,
        phrases: PHRASES.iter().copied().collect(),
        ledger,
        phase_ends: vec!["action_phase", "lines_stand"],
    };
    let texts = texts::lines(content, &catalogue);
    for (card, lines) in catalogue.cards.iter_mut().zip(texts) {
        card.lines = lines;
    }
    Ok((catalogue, actions))
}

fn spaces(content: &Content) -> Vec<SpaceDef> {
    let link = |space: u16| (space, "");
    let mut spaces = Vec::new();
    for (index, area) in content.areas.iter().enumerate() {
        let (region, number) = (index / 5, (index % 5) as u8 + 1);
        let mut links = Vec::new();
        if number > 1 || region < 2 {
            links.push(link(area_space(region, number - 1)));
        }
        if number < 5 {
            links.push(link(area_space(region, number + 1)));
        }
        if region < 2 && content.forts.iter().any(|fort| in_oxford(fort) && fort.lies[region] == number) {
            links.push((SPACE_OXFORD, "fortress"));
        }
        let entry = Entry::new(
            &*area.named.id,
            format!("{} ({} {number})", area.named.name, ["North", "West", "Scotland", "Ireland"][region]),
            area.named.badge,
        );
        spaces.push(SpaceDef { entry, region: String::new(), x: area.x, y: area.y, links });
    }
    let ours = |id: &str, name: &str| Entry::new(id, name, Confidence::Official);
    let both = |number: u8| (0..2).map(|region| link(area_space(region, number))).collect();
    spaces.push(SpaceDef {
        entry: ours("london-under-siege", "London Under Siege"),
        region: String::new(),
        x: 52,
        y: 60,
        links: both(1),
    });
    let near: Vec<(u16, &'static str)> = content
        .forts
        .iter()
        .filter(|fort| in_oxford(fort))
        .flat_map(|fort| (0..2).map(|region| (area_space(region, fort.lies[region]), "fortress")))
        .collect();
    spaces.push(SpaceDef {
        entry: ours("oxford-city", "Oxford"),
        region: String::new(),
        x: 44,
        y: 56,
        links: near,
    });
    for (slot, (id, name)) in SLOT_IDS.iter().zip(SLOT_NAMES).enumerate() {
        let (x, y) = if slot < 6 { (90, slot as i32 * 8) } else { (78, (slot as i32 - 6) * 8) };
        spaces.push(SpaceDef { entry: ours(id, name), region: String::new(), x, y, links: Vec::new() });
    }
    spaces
}

/// Returns whether a fortress lies in two regions, at an area of each.
fn in_oxford(fort: &super::content::Fortress) -> bool {
    let regions = (0..ARMIES).filter(|&region| fort.lies[region] != super::content::NO_AREA);
    regions.filter(|&region| fort.lies[region] > 0).count() > 1
}

fn tracks(content: &Content) -> Vec<Entry> {
    let named =
        |track: &super::content::Track| Entry::new(&*track.named.id, &*track.named.name, track.named.badge);
    let mut tracks: Vec<Entry> = content.tracks.iter().map(named).collect();
    tracks.push(Entry::new("zeal", "Zeal Points", Confidence::Official));
    tracks.push(Entry::new("turn", "Game Turn", Confidence::Official));
    tracks
}

fn kinds(content: &Content) -> Vec<KindDef> {
    let face = |entry: Entry| KindDef { entry, back: false };
    let of = |named: &Named| face(Entry::new(&*named.id, &*named.name, named.badge));
    let ours = |id: &str, name: &str| face(Entry::new(id, name, Confidence::Official));
    let mut kinds: Vec<KindDef> = content.counters.iter().map(|counter| of(&counter.named)).collect();
    kinds.push(ours("parliament-held", "Parliament's fortress"));
    kinds.push(ours("royalist-held", "Royalist fortress"));
    for id in &content.numbers.revolt_kinds {
        kinds.push(ours(&format!("{id}-marker"), id));
    }
    kinds.push(ours("deviltry", "Deviltry"));
    kinds.extend(content.formations.iter().map(|formation| of(&formation.named)));
    kinds
}

fn pieces(content: &Content) -> Vec<Entry> {
    let of = |named: &Named| Entry::new(&*named.id, &*named.name, named.badge);
    let mut pieces: Vec<Entry> =
        content.counters.iter().take(ARMIES).map(|counter| of(&counter.named)).collect();
    pieces.extend(content.forts.iter().map(|fort| of(&fort.named)));
    pieces.extend(content.numbers.revolts.iter().map(|revolt| of(&revolt.named)));
    pieces.extend(content.numbers.deviltry.iter().map(|marker| {
        Entry::new(format!("deviltry-{}", marker.named.id), &*marker.named.name, marker.named.badge)
    }));
    pieces.extend(named(content).map(|kind| of(&content.formations[kind].named)));
    pieces
}
