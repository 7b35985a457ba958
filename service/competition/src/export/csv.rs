//! Tables as comma-separated values (RFC 4180), with a line of headings.
//!
//! A text that somebody else wrote and that begins like a formula has an apostrophe before it, so that a spreadsheet shows it. Programs that want it
//! exactly read the JSON.

use super::{name, status_word};
use crate::competition::Competition;
use crate::estimate::Estimate;

/// Returns the standings, a line an entrant: rank, id, name, status, points, matches by outcome, byes, each tie-break of the settings, and
/// score and rating with the ends of their intervals. What there is not is empty.
#[must_use]
pub fn standings(competition: &Competition) -> String {
    let mut table = Table::default();
    let tie_breaks = competition.settings().tie_breaks.iter().map(|tie_break| format!("by {tie_break}"));
    let before =
        ["rank", "entrant", "name", "status", "points", "wins", "draws", "losses", "forfeits", "byes"];
    let behind = [
        "score",
        "score low",
        "score high",
        "rating",
        "rating low",
        "rating high",
        "rating results",
        "rating provisional",
    ];
    let headings = before.map(str::to_owned).into_iter().chain(tie_breaks).chain(behind.map(str::to_owned));
    table.line(headings);
    for row in competition.standings().rows {
        let mut line = vec![
            row.rank.map(|rank| rank.to_string()).unwrap_or_default(),
            row.entrant.to_string(),
            shown(&row.name),
            status_word(row.status).to_owned(),
            row.points.to_string(),
            row.tally.wins.to_string(),
            row.tally.draws.to_string(),
            row.tally.losses.to_string(),
            row.tally.forfeits.to_string(),
            row.byes.to_string(),
        ];
        let value = |(_, value): &(_, Option<crate::TieBreakValue>)| value.map(|value| value.to_string());
        line.extend(row.tie_breaks.iter().map(|of| value(of).unwrap_or_default()));
        line.extend(estimate(row.score));
        line.extend(estimate(row.rating.map(|rating| rating.rating)));
        line.push(row.rating.map(|rating| rating.results.to_string()).unwrap_or_default());
        line.push(row.rating.map(|rating| rating.provisional.to_string()).unwrap_or_default());
        table.line(line);
    }
    table.0
}

/// Returns the cross table, a line for each two who have met and either of them: ids and names, points, matches by outcome, and the mean
/// difference with the ends of its interval.
#[must_use]
pub fn cross_table(competition: &Competition) -> String {
    let mut table = Table::default();
    table.line(
        [
            "entrant",
            "name",
            "opponent",
            "opponent name",
            "points",
            "wins",
            "draws",
            "losses",
            "difference",
            "difference low",
            "difference high",
        ]
        .map(str::to_owned),
    );
    for ((entrant, opponent), cell) in competition.standings().cross_table {
        let mut line = vec![
            entrant.to_string(),
            shown(name(competition, entrant)),
            opponent.to_string(),
            shown(name(competition, opponent)),
            cell.points.to_string(),
            cell.tally.wins.to_string(),
            cell.tally.draws.to_string(),
            cell.tally.losses.to_string(),
        ];
        line.extend(estimate(cell.difference));
        table.line(line);
    }
    table.0
}

/// Returns every match that was begun, a line each: its place, its id, the entrants by their seats, the verdict with its evidence, and
/// whether it was replayed. A match that is played has no verdict yet.
#[must_use]
pub fn matches(competition: &Competition) -> String {
    let mut table = Table::default();
    let headings = ["match", "match id", "first seat", "second seat", "verdict", "evidence", "replayed"];
    table.line(headings.map(str::to_owned));
    for (slot, played) in competition.matches() {
        let seats = competition.encounter_of(slot).map(|encounter| encounter.seats(slot.index()));
        let seat = |index: usize| seats.as_ref().and_then(|seats| seats.get(index));
        let seat = |index| seat(index).map(ToString::to_string).unwrap_or_default();
        table.line([
            slot.to_string(),
            shown(&played.match_id),
            seat(0),
            seat(1),
            played.verdict.map(|verdict| verdict.to_string()).unwrap_or_default(),
            shown(&played.evidence),
            played.replayed.to_string(),
        ]);
    }
    table.0
}

/// An estimate and the ends of its interval, each empty without one.
fn estimate(estimate: Option<Estimate>) -> [String; 3] {
    match estimate {
        Some(Estimate { value, low, high }) => [value, low, high].map(|number| number.to_string()),
        None => Default::default(),
    }
}

/// A text of somebody else's, that no spreadsheet takes for a formula.
fn shown(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@']) { format!("'{text}") } else { text.to_owned() }
}

#[derive(Default)]
struct Table(String);

impl Table {
    fn line(&mut self, cells: impl IntoIterator<Item = String>) {
        for (index, cell) in cells.into_iter().enumerate() {
            if index > 0 {
                self.0.push(',');
            }
            if cell.contains(['"', ',', '\n', '\r']) {
                self.0.push('"');
                self.0.push_str(&cell.replace('"', "\"\""));
                self.0.push('"');
            } else {
                self.0.push_str(&cell);
            }
        }
        self.0.push_str("\r\n");
    }
}
