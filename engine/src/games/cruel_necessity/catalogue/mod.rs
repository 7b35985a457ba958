//! The static half: names, coordinates, options, the action table and the words of every code.

mod attributes;
mod boards;
mod charts;
pub(super) mod names;
mod piece_texts;
mod roles;
mod texts;

use crate::catalogue::{
    CatalogEntry, Catalogue, KindDef, MarkerDef, PileDef, ScenarioDef, SeatDef, SideDef, ValueName,
};
use crate::content::{Confidence, ContentError, ContentErrors, ContentFiles};
use crate::ledger::Ledger;

use self::names::*;
use super::actions;
use super::actions::Actions;
use super::content::{ARMIES, CardId, Content, FortId, GRADES, Named, RevoltKindId};
use super::phrases::PHRASES;
use super::procedures::end_times::DEFEATED;
use super::setup::{SCENARIOS, options};
use super::{CruelNecessity, score};
use crate::numbered::Listed;

pub(super) fn build(content: &Content, files: &ContentFiles) -> Result<(Catalogue, Actions), ContentErrors> {
    let ledger = Ledger::load(files)?;
    let (table, actions) = actions::table(content)
        .map_err(|error| ContentErrors::from(ContentError::file("cards.toml", error.to_string())))?;
    let (least, most) = score::bounds(content);
    let mut catalogue = Catalogue {
        id: CruelNecessity::ID,
        title: "Cruel Necessity",
        summary: "One player holds Parliament and the Puritans together through the English Civil Wars; the cards are a \
                  reconstruction.",
        rules_version: 2,
        content: files.hash(),
        seats: vec![SeatDef { id: "parliament", name: "Parliament", color: "#d8902f", emblem: "portcullis" }],
        sides: sides(),
        scenarios: SCENARIOS
            .iter()
            .map(|&(id, title, ..)| ScenarioDef {
                id,
                title,
                seats: 1,
                // An automatic defeat is worse than any score that is met; a score may go beyond that in neither direction.
                returns_min: least.min(DEFEATED),
                returns_max: most,
            })
            .collect(),
        options: options(),
        attributes: attributes::declared(),
        boards: boards::boards(content),
        space_kinds: boards::space_kinds(),
        adjacency_kinds: boards::adjacency_kinds(),
        spaces: boards::spaces(content),
        mats: boards::mats(),
        tracks: boards::tracks(content),
        grades: boards::grades(),
        piles: PILES
            .iter()
            .map(|&(id, name, layout, facing)| PileDef {
                entry: ours(id, name),
                owner: None,
                ordered: false,
                layout,
                facing,
            })
            .collect(),
        kinds: kinds(content),
        pieces: pieces(content),
        cards: cards(content),
        markers: markers(content),
        arrows: Vec::new(),
        arrow_results: Vec::new(),
        charts: charts::charts(content),
        procedures: roles::procedures(),
        roles: roles::roles(),
        flags: FLAGS.to_vec(),
        actions: table,
        phrases: PHRASES.iter().copied().collect(),
        ledger,
        phase_ends: vec!["action_phase", "lines_stand"],
    };
    let texts = texts::lines(content, &catalogue);
    for (card, lines) in catalogue.cards.iter_mut().zip(texts) {
        card.rules_text = lines;
    }
    Ok((catalogue, actions))
}

fn ours(id: &str, name: &str) -> CatalogEntry {
    CatalogEntry::new(id, name, Confidence::Official)
}

fn entry(named: &Named) -> CatalogEntry {
    CatalogEntry::new(&*named.id, &*named.name, named.confidence)
}

/// The sides against Parliament, none of which anybody plays.
fn sides() -> Vec<SideDef> {
    vec![
        SideDef { id: ROYALIST, name: "the Royalists", color: "#b3262e", emblem: "crown" },
        SideDef { id: SCOTLAND, name: "Scotland", color: "#2f5d9b", emblem: "thistle" },
        SideDef { id: IRELAND, name: "Ireland", color: "#3d7a45", emblem: "harp" },
        SideDef { id: UNREST, name: "unrest in the land", color: "#6b5b73", emblem: "torch" },
    ]
}

/// The three decks, then the Battle Event cards; their texts come when all else is named.
fn cards(content: &Content) -> Vec<CatalogEntry> {
    let card =
        |card: CardId| entry(&content.cards[card].named).with_attributes(attributes::of_card(content, card));
    let decks = CardId::all(content).map(card);
    let battle = content.battle_cards.iter();
    let battle = battle.map(|card| entry(&card.named).with_attributes(attributes::of_battle_card(card)));
    decks.chain(battle).collect()
}

fn markers(content: &Content) -> Vec<MarkerDef> {
    let kind = |(id, label, name, priority, unit): MarkerKind| MarkerDef {
        entry: ours(id, name),
        priority,
        unit,
        short_label: label.to_owned(),
    };
    let kinds = MARKERS.into_iter().map(kind);
    let rewards = (1..).zip(&content.numbers.rewards).map(|(number, reward)| MarkerDef {
        entry: entry(&reward.named).with_attributes(attributes::of_reward(reward)),
        priority: crate::catalogue::MarkerPriority::Bookkeeping,
        unit: "",
        short_label: format!("R{number}"),
    });
    let mut kinds: Vec<MarkerDef> = kinds.chain(rewards).chain(LATER_MARKERS.into_iter().map(kind)).collect();
    let named = |names: &[(i32, &str)]| -> Vec<ValueName> {
        names.iter().map(|&(number, name)| ValueName::new(number, name)).collect()
    };
    for (kind, names) in MARKER_VALUES {
        kinds[usize::from(kind)].entry.values = named(names);
    }
    for reward in 0..content.numbers.rewards.len() {
        kinds[usize::from(M_REWARD) + reward].entry.values = named(&REWARD_VALUES);
    }
    let standing = &mut kinds[usize::from(M_STANDING)].entry;
    let names = GRADES.iter().enumerate();
    standing.values = names.map(|(grade, &(_, name))| ValueName::new(grade_number(grade), name)).collect();
    standing.rules_text = vec![
        "By the table of the last war that is played, were its last card done now (rules 11.2, B.0)".to_owned(),
        "Without London, or with too many F grades, the match is lost at the end of a turn whatever the score (rule 9.0)"
            .to_owned(),
    ];
    kinds
}

/// Counters of Armies, fortresses by owner, revolts by kind, Deviltry, formations.
fn kinds(content: &Content) -> Vec<KindDef> {
    let face = |entry: CatalogEntry| KindDef::new(entry, false);
    let counters = content.counters.iter().map(|counter| {
        entry(&counter.named)
            .with_rules_text(piece_texts::counter(counter))
            .with_attributes(attributes::of_counter(counter))
    });
    let forts = [("parliament-held", "Parliament's fortress"), ("royalist-held", "Royalist fortress")];
    let forts = forts.into_iter().enumerate();
    let forts = forts.map(|(index, (id, name))| {
        ours(id, name)
            .with_rules_text(piece_texts::held(index == 1))
            .with_attributes(attributes::of_held(index == 1))
    });
    let revolts = content.numbers.revolt_kinds.iter().enumerate();
    let revolts = revolts.map(|(index, id)| {
        ours(&format!("{id}-marker"), id)
            .with_rules_text(piece_texts::revolt_kind(RevoltKindId::new(index)))
            .with_attributes(attributes::of_unrest())
    });
    let deviltry = ours("deviltry", "Deviltry")
        .with_rules_text(piece_texts::deviltry(content))
        .with_attributes(attributes::of_unrest());
    let formations = content.formations.iter().map(|formation| {
        entry(&formation.named)
            .with_rules_text(piece_texts::formation(formation))
            .with_attributes(attributes::of_formation(formation, true))
    });
    counters.chain(forts).chain(revolts).chain([deviltry]).chain(formations).map(face).collect()
}

/// Armies, fortresses, revolts, Deviltry, Named units.
fn pieces(content: &Content) -> Vec<CatalogEntry> {
    let armies = content.counters.iter().take(ARMIES).enumerate().map(|(index, counter)| {
        entry(&counter.named)
            .with_rules_text(piece_texts::army(content, index))
            .with_attributes(attributes::of_army(counter))
    });
    let forts = FortId::all(content).map(|fort| {
        entry(&content.forts[fort].named)
            .with_rules_text(piece_texts::fort(content, fort))
            .with_attributes(attributes::of_fort(content, fort))
    });
    let revolts = content.numbers.revolts.iter().enumerate().map(|(index, revolt)| {
        entry(&revolt.named)
            .with_rules_text(piece_texts::revolt(content, index))
            .with_attributes(attributes::of_revolt(content, index))
    });
    let deviltry = content.numbers.deviltry.iter().enumerate().map(|(index, marker)| {
        CatalogEntry::new(
            format!("deviltry-{}", marker.named.id),
            &*marker.named.name,
            marker.named.confidence,
        )
        .with_rules_text(piece_texts::deviltry(content))
        .with_attributes(attributes::of_deviltry(content, index))
    });
    let formations = named(content).map(|kind| {
        let formation = &content.formations[kind];
        entry(&formation.named)
            .with_rules_text(piece_texts::formation(formation))
            .with_attributes(attributes::of_formation(formation, false))
    });
    armies.chain(forts).chain(revolts).chain(deviltry).chain(formations).collect()
}
