//! Competitions in words.

use std::io::Write;

use edgehill_client::v1::{
    Competition, CompetitionEvent, CompetitionEventKind, CompetitionPhase, Encounter, Entrant, EntrantStatus,
    Estimate, ForfeitReason, GetStandingsResponse, MatchTally, StandingRow, Verdict, VerdictKind,
    competition_format,
};

use crate::clock_text;
use crate::error::Error;

const fn phase(phase: CompetitionPhase) -> &'static str {
    match phase {
        CompetitionPhase::Unspecified => "-",
        CompetitionPhase::Enrolling => "enrolling",
        CompetitionPhase::Running => "running",
        CompetitionPhase::Finished => "finished",
        CompetitionPhase::Cancelled => "cancelled",
    }
}

/// The format of a competition, with its number of rounds.
pub(crate) fn format(competition: &Competition) -> String {
    use competition_format::Format;
    let settings = competition.settings.as_ref();
    let format = settings.and_then(|settings| settings.format.as_ref()?.format.as_ref());
    match format {
        None => "-".to_owned(),
        Some(Format::RoundRobin(of)) => format!("round robin, cycles: {}", of.cycles),
        Some(Format::Swiss(of)) => format!("Swiss, rounds: {}", of.rounds),
        Some(Format::Knockout(_)) => "knockout".to_owned(),
        Some(Format::Ladder(of)) => format!("ladder, rounds: {}", of.rounds),
        Some(Format::Gauntlet(of)) => format!("gauntlet, challengers: {}", of.challengers),
        Some(Format::Series(of)) => format!("series, seeds: {}", of.seeds),
    }
}

/// A competition on a line.
pub(crate) fn write_line(competition: &Competition, out: &mut dyn Write) -> Result<(), Error> {
    let settings = competition.settings.clone().unwrap_or_default();
    let round = if competition.round == 0 { String::new() } else { format!(", round {}", competition.round) };
    writeln!(
        out,
        "{}  {}  {}  {} ({}{round}, entrants: {})",
        competition.id,
        settings.game,
        settings.name,
        format(competition),
        phase(competition.phase()),
        competition.entrant_count,
    )?;
    if !competition.trouble.is_empty() {
        writeln!(out, "  it does not go on: {}", competition.trouble)?;
    }
    if !competition.cancel_reason.is_empty() {
        writeln!(out, "  cancelled: {}", competition.cancel_reason)?;
    }
    Ok(())
}

/// A competition with its entrants.
pub(crate) fn write_competition(
    competition: &Competition,
    entrants: &[Entrant],
    out: &mut dyn Write,
) -> Result<(), Error> {
    write_line(competition, out)?;
    let settings = competition.settings.clone().unwrap_or_default();
    let encounter = settings.encounter.unwrap_or_default();
    writeln!(
        out,
        "  encounters: {}{} matches{}",
        if encounter.best_of { "best of " } else { "" },
        encounter.matches,
        if encounter.mirrored { ", mirrored" } else { "" },
    )?;
    for (what, at) in [
        ("created", &competition.create_time),
        ("started", &competition.start_time),
        ("ended", &competition.end_time),
    ] {
        if let Some(at) = at {
            writeln!(out, "  {what} {}", clock_text::moment(at))?;
        }
    }
    entrants.iter().try_for_each(|entrant| write_entrant(entrant, out))
}

/// An entrant on a line.
pub(crate) fn write_entrant(entrant: &Entrant, out: &mut dyn Write) -> Result<(), Error> {
    write!(out, "#{} {}", entrant.number, entrant.name)?;
    if !entrant.house_bot.is_empty() {
        write!(out, " (house bot {})", entrant.house_bot)?;
    }
    if !entrant.account_id.is_empty() {
        write!(out, " (account {})", entrant.account_id)?;
    }
    if let Some(rating) = entrant.rating {
        write!(out, ", rated {rating}")?;
    }
    if entrant.seed > 0 {
        write!(out, ", seed {}", entrant.seed)?;
    }
    match entrant.status() {
        EntrantStatus::Withdrawn => write!(out, ", has left")?,
        EntrantStatus::Disqualified => write!(out, ", was sent away: {}", entrant.evidence)?,
        EntrantStatus::Unspecified | EntrantStatus::Active => {}
    }
    Ok(writeln!(out)?)
}

fn halves(halves: u32) -> String {
    format!("{}{}", halves / 2, if halves % 2 == 1 { ".5" } else { "" })
}

fn tally(tally: Option<MatchTally>) -> String {
    let MatchTally { wins, draws, losses, forfeits } = tally.unwrap_or_default();
    let forfeits = if forfeits == 0 { String::new() } else { format!(" ({forfeits} forfeited)") };
    format!("{wins}-{draws}-{losses}{forfeits}")
}

/// An estimate with its interval.
pub(crate) fn estimate(estimate: &Estimate, places: usize) -> String {
    let number = |micros: i64| format!("{:.places$}", micros as f64 / 1e6);
    match (estimate.low_micros, estimate.high_micros) {
        (Some(low), Some(high)) => {
            format!("{} [{}, {}]", number(estimate.micros), number(low), number(high))
        }
        _ => number(estimate.micros),
    }
}

/// The standings as a table.
pub(crate) fn write_standings(rows: &[StandingRow], out: &mut dyn Write) -> Result<(), Error> {
    let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
    for row in rows {
        let rank = if row.rank == 0 { "-".to_owned() } else { row.rank.to_string() };
        let name = &row.name;
        write!(out, "{rank:>4}  {name:width$}  {:>5}  {}", halves(row.point_halves), tally(row.tally))?;
        if let Some(score) = &row.score {
            write!(out, "  score {}", estimate(score, 3))?;
        }
        if let Some(rating) = &row.rating {
            let provisional = if row.is_provisional { "?" } else { "" };
            write!(out, "  rating {}{provisional}", estimate(rating, 1))?;
        }
        for value in row.tie_breaks.iter().filter_map(|value| value.quarters) {
            write!(out, "  {}", value as f64 / 4.0)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// The matches of an entrant against each other.
pub(crate) fn write_cross_table(
    standings: &GetStandingsResponse,
    of: u32,
    out: &mut dyn Write,
) -> Result<(), Error> {
    if standings.cross_table.is_empty() {
        return Ok(());
    }
    let name = |entrant: u32| {
        let row = standings.rows.iter().find(|row| row.entrant == entrant);
        row.map_or_else(|| format!("#{entrant}"), |row| row.name.clone())
    };
    writeln!(out, "{} against:", name(of))?;
    for cell in &standings.cross_table {
        write!(out, "  {}  {}  {}", name(cell.entrant), halves(cell.point_halves), tally(cell.tally))?;
        if let Some(difference) = &cell.difference {
            write!(out, "  difference {}", estimate(difference, 3))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn named(entrant: u32, entrants: &[Entrant]) -> String {
    let known = entrants.iter().find(|one| one.number == entrant);
    known.map_or_else(|| format!("#{entrant}"), |one| one.name.clone())
}

fn verdict(verdict: &Verdict, entrants: &[Entrant]) -> String {
    let who = || named(verdict.entrant, entrants);
    let reason = match verdict.reason() {
        ForfeitReason::Unspecified => "",
        ForfeitReason::Time => "by time",
        ForfeitReason::IllegalActions => "by illegal actions",
        ForfeitReason::Absence => "by absence",
    };
    let said = match verdict.kind() {
        VerdictKind::Unspecified => "-".to_owned(),
        VerdictKind::Win => format!("{} won", who()),
        VerdictKind::Loss => format!("{} lost", who()),
        VerdictKind::Draw => "a draw".to_owned(),
        VerdictKind::Forfeit => format!("{} forfeited {reason}", who()),
        VerdictKind::BothForfeit => format!("both forfeited {reason}"),
        VerdictKind::Score => format!("{} scored {}", who(), verdict.score),
        VerdictKind::Void => "void".to_owned(),
    };
    if verdict.evidence.is_empty() { said } else { format!("{said}: {}", verdict.evidence) }
}

/// An encounter, with a line for each of its matches.
pub(crate) fn write_encounter(
    encounter: &Encounter,
    entrants: &[Entrant],
    out: &mut dyn Write,
) -> Result<(), Error> {
    let names: Vec<String> = encounter.entrants.iter().map(|&entrant| named(entrant, entrants)).collect();
    let bye = if encounter.is_bye { " has a bye" } else { "" };
    writeln!(out, "{}.{}  {}{bye}", encounter.round, encounter.number, names.join(" - "))?;
    for one in &encounter.matches {
        let id = if one.match_id.is_empty() { "not begun" } else { &one.match_id };
        let said = one.verdict.as_ref().map_or_else(|| "is played".to_owned(), |of| verdict(of, entrants));
        let said = if one.match_id.is_empty() && one.verdict.is_none() { String::new() } else { said };
        writeln!(out, "  {}  {id}  {said}", one.slot)?;
    }
    Ok(())
}

/// An event on a line.
pub(crate) fn write_event(
    event: &CompetitionEvent,
    entrants: &[Entrant],
    out: &mut dyn Write,
) -> Result<(), Error> {
    use CompetitionEventKind as Kind;
    let who = || named(event.entrant, entrants);
    let said = match event.kind() {
        Kind::Unspecified => "-".to_owned(),
        Kind::Created => "created".to_owned(),
        Kind::Enrolled => format!("#{} {} enrolled", event.entrant, event.name),
        Kind::Withdrawn => format!("{} has left", who()),
        Kind::Disqualified => format!("{} was sent away: {}", who(), event.evidence),
        Kind::Started => "started".to_owned(),
        Kind::RoundPaired => format!("round {} is paired", event.round),
        Kind::MatchBegun => format!("match {} begins: {}", event.slot, event.match_id),
        Kind::MatchEnded => {
            let of = event.verdict.as_ref().map(|of| verdict(of, entrants)).unwrap_or_default();
            format!("match {}: {of}", event.slot)
        }
        Kind::MatchVoided => {
            let again = if event.is_replayed { ", and is played again" } else { "" };
            format!("match {} is void{again}: {}", event.slot, event.evidence)
        }
        Kind::Cancelled => format!("cancelled: {}", event.evidence),
        Kind::Finished => "finished".to_owned(),
    };
    let at = event.event_time.as_ref().map(clock_text::moment).unwrap_or_default();
    Ok(writeln!(out, "{:>5}  {at}  {said}", event.number)?)
}
