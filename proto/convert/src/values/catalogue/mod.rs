//! The static half of a game.

mod actions;
mod board;
mod entry;
mod ledger;

use edgehill_engine::catalogue::{
    Catalogue, Chart, ChartRow, KindDef, MarkerDef, MarkerPriority, PileDef, PileFacing, PileLayout,
    ProcedureDef, RoleDef, ScenarioDef, SeatDef, SideDef,
};
use edgehill_engine::content::ContentHash;
use edgehill_engine::ledger::Ledger;
use edgehill_engine::seat::Seat;
use edgehill_engine::setup::{OptionDef, OptionKind};
use edgehill_proto::v1;
use v1::option_def::Accepts;

use super::Garbled;
use super::reference::owner;
use super::text::kept;

/// A game's catalogue, with its action table.
///
/// # Errors
/// If no server sends it.
pub fn catalogue(game: &v1::Game, action_defs: &[v1::ActionDef]) -> Result<Catalogue, Garbled> {
    if game.scenarios.is_empty() || game.seats.is_empty() {
        return Err(Garbled::new("a game without scenarios or seats"));
    }
    let summary = game.summary.as_ref().ok_or_else(|| Garbled::missing("summary"))?;
    let rules = summary.rules.as_ref().ok_or_else(|| Garbled::missing("rules"))?;
    Ok(Catalogue {
        id: kept(&summary.id),
        title: kept(&summary.title),
        summary: kept(&summary.summary),
        rules_version: rules.number,
        content: content_hash(rules)?,
        seats: game.seats.iter().map(seat).collect(),
        sides: game.sides.iter().map(side).collect(),
        scenarios: all(&game.scenarios, |one| scenario(one, game.seats.len()))?,
        options: all(&game.options, option)?,
        attributes: all(&game.attributes, entry::attribute_def)?,
        boards: all(&game.boards, board::board)?,
        space_kinds: game.space_kinds.iter().map(board::space_kind).collect(),
        adjacency_kinds: game.adjacency_kinds.iter().map(board::code).collect(),
        spaces: all(&game.spaces, board::space)?,
        mats: all(&game.mats, board::mat)?,
        tracks: all(&game.tracks, board::track)?,
        grades: game.grades.iter().map(board::code).collect(),
        piles: all(&game.piles, pile)?,
        kinds: all(&game.kinds, kind)?,
        pieces: all(&game.pieces, entry::entry)?,
        cards: all(&game.cards, entry::entry)?,
        markers: all(&game.markers, marker)?,
        arrows: all(&game.arrows, entry::entry)?,
        arrow_results: game.arrow_results.iter().map(board::code).collect(),
        charts: all(&game.charts, chart)?,
        procedures: all(&game.procedures, procedure)?,
        roles: all(&game.roles, role)?,
        flags: game.flags.iter().map(|flag| kept(flag)).collect(),
        actions: actions::table(&game.verbs, action_defs)?,
        phrases: game.phrases.iter().map(|one| (kept(&one.code), kept(&one.template))).collect(),
        ledger: game.rules.iter().map(ledger::rule).collect::<Result<Ledger, _>>()?,
        phase_ends: game.phase_ends.iter().map(|code| kept(code)).collect(),
    })
}

/// Each message of a list, in order.
fn all<M, T>(messages: &[M], read: impl Fn(&M) -> Result<T, Garbled>) -> Result<Vec<T>, Garbled> {
    messages.iter().map(read).collect()
}

fn content_hash(rules: &v1::RulesVersion) -> Result<ContentHash, Garbled> {
    let bytes = rules.content_hash.as_slice();
    let hash: Result<[u8; 32], _> = bytes.try_into();
    hash.map(ContentHash::from_bytes)
        .map_err(|_| Garbled::new(format!("a content hash of {} bytes", bytes.len())))
}

fn seat(seat: &v1::SeatDef) -> SeatDef {
    SeatDef {
        id: kept(&seat.id),
        name: kept(&seat.name),
        color: kept(&seat.color),
        emblem: kept(&seat.emblem),
    }
}

fn side(side: &v1::SideDef) -> SideDef {
    SideDef {
        id: kept(&side.id),
        name: kept(&side.name),
        color: kept(&side.color),
        emblem: kept(&side.emblem),
    }
}

fn scenario(scenario: &v1::ScenarioDef, of: usize) -> Result<ScenarioDef, Garbled> {
    let seats = scenario.seats as usize;
    if seats == 0 || seats > Seat::MAX || seats > of {
        return Err(Garbled::new(format!("a scenario with {seats} of {of} seats")));
    }
    Ok(ScenarioDef {
        id: kept(&scenario.id),
        title: kept(&scenario.title),
        seats,
        returns_min: scenario.returns_min,
        returns_max: scenario.returns_max,
    })
}

fn option(option: &v1::OptionDef) -> Result<OptionDef, Garbled> {
    let kind = match option.accepts.as_ref().ok_or_else(|| Garbled::missing("accepts"))? {
        Accepts::Flag(_) => OptionKind::Flag,
        Accepts::Number(bounds) => OptionKind::Number { min: bounds.min, max: bounds.max },
        Accepts::Choice(choice) => {
            OptionKind::Choice(choice.values.iter().map(|value| kept(value)).collect())
        }
    };
    let value = option.default_value.as_str();
    let default = match &kind {
        OptionKind::Flag => value.parse::<bool>().ok().map(i32::from),
        OptionKind::Number { .. } => value.parse().ok(),
        OptionKind::Choice(values) => values.iter().position(|one| *one == value).map(|place| place as i32),
    };
    let default =
        default.ok_or_else(|| Garbled::new(format!("option `{}` with the default `{value}`", option.id)))?;
    Ok(OptionDef { id: kept(&option.id), title: kept(&option.title), kind, default })
}

fn pile(pile: &v1::PileDef) -> Result<PileDef, Garbled> {
    // Hints that an earlier version of the wire lacks, or a later one has words of its own for, are read as the plainest.
    let layout = match pile.layout() {
        v1::PileLayout::Fan => PileLayout::Fan,
        v1::PileLayout::Stack | v1::PileLayout::Unspecified => PileLayout::Stack,
    };
    let facing = match pile.facing() {
        v1::PileFacing::Owner => PileFacing::Owner,
        v1::PileFacing::Nobody => PileFacing::Nobody,
        v1::PileFacing::Everybody | v1::PileFacing::Unspecified => PileFacing::Everybody,
    };
    Ok(PileDef {
        entry: entry::of(pile.entry.as_ref())?,
        owner: owner(pile.owner)?,
        ordered: pile.ordered,
        layout,
        facing,
    })
}

fn kind(kind: &v1::KindDef) -> Result<KindDef, Garbled> {
    Ok(KindDef {
        entry: entry::of(kind.entry.as_ref())?,
        back: kind.back,
        short_label: kind.short_label.clone(),
    })
}

fn marker(marker: &v1::MarkerDef) -> Result<MarkerDef, Garbled> {
    let priority = match marker.priority() {
        v1::MarkerPriority::Status => MarkerPriority::Status,
        v1::MarkerPriority::Position => MarkerPriority::Position,
        // A priority of a later version of the wire is no higher than the least of these.
        v1::MarkerPriority::Bookkeeping | v1::MarkerPriority::Unspecified => MarkerPriority::Bookkeeping,
    };
    Ok(MarkerDef {
        entry: entry::of(marker.entry.as_ref())?,
        priority,
        unit: kept(&marker.unit),
        short_label: marker.short_label.clone(),
    })
}

fn chart(chart: &v1::Chart) -> Result<Chart, Garbled> {
    let row = |row: &v1::ChartRow| {
        if row.cells.len() != chart.columns.len() {
            let (cells, columns) = (row.cells.len(), chart.columns.len());
            return Err(Garbled::new(format!("a row of {cells} cells in a chart of {columns} columns")));
        }
        let confidence = entry::confidence(row.confidence());
        Ok(ChartRow { cells: all(&row.cells, entry::value)?, confidence })
    };
    let entry = entry::of(chart.entry.as_ref())?;
    Ok(Chart { entry, columns: chart.columns.clone(), rows: all(&chart.rows, row)? })
}

fn procedure(procedure: &v1::ProcedureDef) -> Result<ProcedureDef, Garbled> {
    Ok(ProcedureDef {
        name: kept(&procedure.name),
        label: kept(&procedure.label),
        stages: entry::value_names(&procedure.stages)?,
        counts: kept(&procedure.counts),
    })
}

fn role(role: &v1::RoleDef) -> Result<RoleDef, Garbled> {
    Ok(RoleDef {
        name: kept(&role.name),
        label: kept(&role.label),
        unit: kept(&role.unit),
        values: entry::value_names(&role.values)?,
        bits: role.bits,
    })
}
