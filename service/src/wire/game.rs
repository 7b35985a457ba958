//! The static half of a game.

use std::collections::BTreeMap;

use edgehill_engine::catalogue::{Catalogue, Entry, KindDef, PileDef, ScenarioDef, SeatDef, SpaceDef};
use edgehill_engine::registry::{AnyGame, BotInfo};
use edgehill_engine::render;
use edgehill_engine::setup::{OptionDef, OptionKind};
use edgehill_proto::v1;
use v1::option_def::Accepts;

use super::{action, rule, rules_version, seat};

/// A game in a list.
#[must_use]
pub fn summary(catalogue: &Catalogue) -> v1::GameSummary {
    // At most eight each.
    let seats = || catalogue.scenarios.iter().map(|scenario| scenario.seats as u32);
    v1::GameSummary {
        id: catalogue.id.to_owned(),
        title: catalogue.title.to_owned(),
        summary: catalogue.summary.to_owned(),
        rules: Some(rules_version::of(catalogue)),
        seats_min: seats().min().unwrap_or(0),
        seats_max: seats().max().unwrap_or(0),
    }
}

/// A game in full, action table and ledger included.
#[must_use]
pub fn of(game: &dyn AnyGame) -> v1::Game {
    let catalogue = game.catalogue();
    v1::Game {
        summary: Some(summary(catalogue)),
        seats: catalogue.seats.iter().map(seat_def).collect(),
        scenarios: catalogue.scenarios.iter().map(scenario).collect(),
        options: catalogue.options.iter().map(option).collect(),
        map_unit: catalogue.map_unit.to_owned(),
        spaces: catalogue.spaces.iter().map(space).collect(),
        mats: entries(&catalogue.mats),
        tracks: entries(&catalogue.tracks),
        piles: catalogue.piles.iter().map(pile).collect(),
        kinds: catalogue.kinds.iter().map(kind).collect(),
        pieces: entries(&catalogue.pieces),
        cards: entries(&catalogue.cards),
        markers: entries(&catalogue.markers),
        arrows: entries(&catalogue.arrows),
        flags: catalogue.flags.iter().map(|&flag| flag.to_owned()).collect(),
        phrases: phrases(catalogue),
        phase_ends: catalogue.phase_ends.iter().map(|&code| code.to_owned()).collect(),
        house_bots: game.bots().iter().map(bot).collect(),
        actions: Some(action::table(&catalogue.actions)),
        rules: rule::all(&catalogue.ledger),
    }
}

/// The game's templates, and the driver's for codes that the game has no words of its own for; by code.
fn phrases(catalogue: &Catalogue) -> Vec<v1::PhraseDef> {
    let mut phrases: BTreeMap<&str, &str> = render::OWN_PHRASES.into_iter().collect();
    phrases.extend(&catalogue.phrases);
    let phrase = |(code, template): (&str, &str)| v1::PhraseDef {
        code: code.to_owned(),
        template: template.to_owned(),
    };
    phrases.into_iter().map(phrase).collect()
}

fn entries(entries: &[Entry]) -> Vec<v1::Entry> {
    entries.iter().map(entry).collect()
}

fn entry(entry: &Entry) -> v1::Entry {
    let badge = rule::confidence(entry.badge).into();
    let value = |(number, name): &(i32, String)| v1::ValueName { number: *number, name: name.clone() };
    v1::Entry {
        id: entry.id.clone(),
        name: entry.name.clone(),
        badge,
        lines: entry.lines.clone(),
        values: entry.values.iter().map(value).collect(),
    }
}

fn seat_def(seat: &SeatDef) -> v1::SeatDef {
    v1::SeatDef { id: seat.id.to_owned(), name: seat.name.to_owned() }
}

fn scenario(scenario: &ScenarioDef) -> v1::ScenarioDef {
    v1::ScenarioDef {
        id: scenario.id.to_owned(),
        title: scenario.title.to_owned(),
        seats: scenario.seats as u32,
    }
}

fn option(option: &OptionDef) -> v1::OptionDef {
    let accepts = match &option.kind {
        OptionKind::Flag => Accepts::Flag(v1::FlagOption {}),
        OptionKind::Number { min, max } => Accepts::Number(v1::NumberOption { min: *min, max: *max }),
        OptionKind::Choice(words) => {
            Accepts::Choice(v1::ChoiceOption { values: words.iter().map(|&word| word.to_owned()).collect() })
        }
    };
    v1::OptionDef {
        id: option.id.to_owned(),
        title: option.title.to_owned(),
        default_value: option.kind.print(option.default),
        accepts: Some(accepts),
    }
}

fn space(space: &SpaceDef) -> v1::SpaceDef {
    let link = |&(to, kind): &(u16, &str)| v1::Link { to: to.into(), kind: kind.to_owned() };
    v1::SpaceDef {
        entry: Some(entry(&space.entry)),
        x: space.x,
        y: space.y,
        links: space.links.iter().map(link).collect(),
        region: space.region.clone(),
    }
}

fn pile(pile: &PileDef) -> v1::PileDef {
    v1::PileDef { entry: Some(entry(&pile.entry)), owner: pile.owner.map(seat::of), ordered: pile.ordered }
}

fn kind(kind: &KindDef) -> v1::KindDef {
    v1::KindDef { entry: Some(entry(&kind.entry)), back: kind.back }
}

fn bot(bot: &BotInfo) -> v1::HouseBot {
    v1::HouseBot { name: bot.name.to_owned(), about: bot.about.to_owned() }
}
