//! The static half of a game.

mod board;
mod entry;

use std::collections::BTreeMap;

use edgehill_engine::catalogue::{
    Catalogue, Chart, ChartRow, KindDef, MarkerDef, MarkerPriority, PileDef, PileFacing, PileLayout,
    ProcedureDef, RoleDef, ScenarioDef, SeatDef, SideDef,
};
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

/// A game in full, ledger included, without its action table.
#[must_use]
pub fn of(game: &dyn AnyGame) -> v1::Game {
    let catalogue = game.catalogue();
    v1::Game {
        summary: Some(summary(catalogue)),
        seats: catalogue.seats.iter().map(seat_def).collect(),
        scenarios: catalogue.scenarios.iter().map(scenario).collect(),
        options: catalogue.options.iter().map(option).collect(),
        boards: catalogue.boards.iter().map(board::board).collect(),
        spaces: catalogue.spaces.iter().map(board::space).collect(),
        mats: catalogue.mats.iter().map(board::mat).collect(),
        tracks: catalogue.tracks.iter().map(board::track).collect(),
        piles: catalogue.piles.iter().map(pile).collect(),
        kinds: catalogue.kinds.iter().map(kind).collect(),
        pieces: entry::all(&catalogue.pieces),
        cards: entry::all(&catalogue.cards),
        markers: catalogue.markers.iter().map(marker).collect(),
        arrows: entry::all(&catalogue.arrows),
        flags: catalogue.flags.iter().map(|&flag| flag.to_owned()).collect(),
        phrases: phrases(catalogue),
        phase_ends: catalogue.phase_ends.iter().map(|&code| code.to_owned()).collect(),
        house_bots: game.bots().iter().map(bot).collect(),
        verbs: action::verbs(&catalogue.actions),
        // At most 4,096.
        action_count: catalogue.actions.len() as u32,
        attributes: catalogue.attributes.iter().map(entry::attribute_def).collect(),
        space_kinds: catalogue.space_kinds.iter().map(board::space_kind).collect(),
        charts: catalogue.charts.iter().map(chart).collect(),
        roles: catalogue.roles.iter().map(role).collect(),
        rules: rule::all(&catalogue.ledger),
        procedures: catalogue.procedures.iter().map(procedure).collect(),
        arrow_results: catalogue.arrow_results.iter().map(board::code).collect(),
        adjacency_kinds: catalogue.adjacency_kinds.iter().map(board::code).collect(),
        grades: catalogue.grades.iter().map(board::code).collect(),
        sides: catalogue.sides.iter().map(side).collect(),
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

fn seat_def(seat: &SeatDef) -> v1::SeatDef {
    v1::SeatDef {
        id: seat.id.to_owned(),
        name: seat.name.to_owned(),
        color: seat.color.to_owned(),
        emblem: seat.emblem.to_owned(),
    }
}

fn side(side: &SideDef) -> v1::SideDef {
    v1::SideDef {
        id: side.id.to_owned(),
        name: side.name.to_owned(),
        color: side.color.to_owned(),
        emblem: side.emblem.to_owned(),
    }
}

fn scenario(scenario: &ScenarioDef) -> v1::ScenarioDef {
    v1::ScenarioDef {
        id: scenario.id.to_owned(),
        title: scenario.title.to_owned(),
        // At most eight.
        seats: scenario.seats as u32,
        returns_min: scenario.returns_min,
        returns_max: scenario.returns_max,
    }
}

fn option(option: &OptionDef) -> v1::OptionDef {
    let accepts = match &option.kind {
        OptionKind::Flag => Accepts::Flag(v1::FlagOption {}),
        OptionKind::Number { min, max } => Accepts::Number(v1::NumberOption { min: *min, max: *max }),
        OptionKind::Choice(values) => Accepts::Choice(v1::ChoiceOption {
            values: values.iter().map(|&value| value.to_owned()).collect(),
        }),
    };
    v1::OptionDef {
        id: option.id.to_owned(),
        title: option.title.to_owned(),
        default_value: option.kind.print(option.default),
        accepts: Some(accepts),
    }
}

fn pile(pile: &PileDef) -> v1::PileDef {
    let layout = match pile.layout {
        PileLayout::Stack => v1::PileLayout::Stack,
        PileLayout::Fan => v1::PileLayout::Fan,
    };
    let facing = match pile.facing {
        PileFacing::Everybody => v1::PileFacing::Everybody,
        PileFacing::Owner => v1::PileFacing::Owner,
        PileFacing::Nobody => v1::PileFacing::Nobody,
    };
    v1::PileDef {
        entry: Some(entry::of(&pile.entry)),
        owner: pile.owner.map(seat::of),
        ordered: pile.ordered,
        layout: layout.into(),
        facing: facing.into(),
    }
}

fn kind(kind: &KindDef) -> v1::KindDef {
    v1::KindDef {
        entry: Some(entry::of(&kind.entry)),
        back: kind.back,
        short_label: kind.short_label.clone(),
    }
}

fn marker(marker: &MarkerDef) -> v1::MarkerDef {
    let priority = match marker.priority {
        MarkerPriority::Status => v1::MarkerPriority::Status,
        MarkerPriority::Position => v1::MarkerPriority::Position,
        MarkerPriority::Bookkeeping => v1::MarkerPriority::Bookkeeping,
    };
    v1::MarkerDef {
        entry: Some(entry::of(&marker.entry)),
        priority: priority.into(),
        unit: marker.unit.to_owned(),
        short_label: marker.short_label.clone(),
    }
}

fn chart(chart: &Chart) -> v1::Chart {
    let row = |row: &ChartRow| v1::ChartRow {
        cells: row.cells.iter().map(entry::value).collect(),
        confidence: rule::confidence(row.confidence).into(),
    };
    v1::Chart {
        entry: Some(entry::of(&chart.entry)),
        columns: chart.columns.clone(),
        rows: chart.rows.iter().map(row).collect(),
    }
}

fn role(role: &RoleDef) -> v1::RoleDef {
    v1::RoleDef {
        name: role.name.to_owned(),
        label: role.label.to_owned(),
        unit: role.unit.to_owned(),
        values: entry::value_names(&role.values),
        bits: role.bits,
    }
}

fn procedure(procedure: &ProcedureDef) -> v1::ProcedureDef {
    v1::ProcedureDef {
        name: procedure.name.to_owned(),
        label: procedure.label.to_owned(),
        stages: entry::value_names(&procedure.stages),
        counts: procedure.counts.to_owned(),
    }
}

fn bot(bot: &BotInfo) -> v1::HouseBot {
    v1::HouseBot { name: bot.name.to_owned(), about: bot.about.to_owned() }
}
