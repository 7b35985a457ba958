//! A competition as a page of HTML without a script ([`page`]).

use std::fmt::{self, Write};

use super::course::Course;
use super::escaped::Escaped;
use super::{course_plot, interval_plot, name, phase_word, status_word};
use crate::competition::Competition;
use crate::encounter::{Encounter, EncounterResult, EntrantId};
use crate::estimate::Estimate;
use crate::standings::{StandingRow, Standings};

/// The most entrants whose cross table is drawn as a square, and whose scores and ways are plotted.
const DRAWN_MAX: usize = 64;

pub(super) const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:80rem;padding:0 1rem}\
table{border-collapse:collapse;margin:1rem 0}\
caption{font-weight:bold;text-align:left}\
th,td{border-bottom:1px solid #8886;padding:.2rem .6rem;text-align:left}\
td.n{font-variant-numeric:tabular-nums;text-align:right}\
.scroll{overflow-x:auto}\
figure{margin:1.5rem 0}\
figcaption{font-weight:bold}\
svg{max-width:100%;height:auto}\
svg text{fill:currentColor;font-size:12px}\
svg .grid{stroke:#8884}\
svg .bar{stroke:#0072b2;stroke-width:2}\
svg circle{fill:#d55e00}\
polyline{fill:none;stroke-width:2}\
.legend span{margin-right:1.5em;white-space:nowrap}\
:root{color-scheme:light dark}";

/// Returns a page of its own: what the competition is, the standings, of up to 64 entrants the cross table and plots of their scores, ratings and
/// ways through the rounds, and the encounters of each round. It loads nothing, and runs nothing.
#[must_use]
pub fn page(competition: &Competition) -> String {
    let mut page = String::new();
    write(&mut page, competition).expect("a text takes all that is written to it");
    page
}

fn write(page: &mut String, competition: &Competition) -> fmt::Result {
    let settings = competition.settings();
    let standings = competition.standings();
    let title = Escaped(&settings.name);
    writeln!(page, "<!doctype html>")?;
    writeln!(page, "<html lang=\"en\"><head><meta charset=\"utf-8\">")?;
    writeln!(page, "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">")?;
    writeln!(page, "<title>{title}</title><style>{STYLE}</style></head><body><main>")?;
    writeln!(page, "<h1>{title}</h1>")?;
    write!(page, "<p>{}, {}, ", Escaped(&settings.terms.game), settings.format)?;
    let round = competition.round().map(|round| format!(" in round {round}")).unwrap_or_default();
    writeln!(page, "{}{round}.</p>", phase_word(competition.phase()))?;
    if let Some(reason) = competition.cancelled_for().filter(|reason| !reason.is_empty()) {
        writeln!(page, "<p>{}</p>", Escaped(reason))?;
    }
    write_standings(page, competition, &standings)?;
    if standings.rows.len() <= DRAWN_MAX {
        if !standings.cross_table.is_empty() {
            write_cross_table(page, competition, &standings)?;
        }
        write_plots(page, competition, &standings)?;
    }
    for (number, results) in (1..).zip(competition.results()) {
        write_round(page, competition, number, &results)?;
    }
    writeln!(page, "</main></body></html>")
}

fn write_standings(page: &mut String, competition: &Competition, standings: &Standings) -> fmt::Result {
    let settings = competition.settings();
    let is_solitaire = settings.format.is_solitaire();
    write!(page, "<div class=\"scroll\"><table><caption>Standings</caption><thead><tr>")?;
    let mut headings = vec!["rank".to_owned(), "entrant".to_owned()];
    if !is_solitaire {
        headings.extend(["points", "won", "drawn", "lost"].map(str::to_owned));
    }
    headings.push("forfeits".to_owned());
    headings.extend(settings.tie_breaks.iter().map(ToString::to_string));
    headings.push("mean score (95 %)".to_owned());
    if settings.ratings.is_some() {
        headings.push("rating (95 %)".to_owned());
    }
    for heading in headings {
        write!(page, "<th scope=\"col\">{}</th>", Escaped(&heading))?;
    }
    writeln!(page, "</tr></thead><tbody>")?;
    for row in &standings.rows {
        write_standing(page, row, is_solitaire, settings.ratings.is_some())?;
    }
    writeln!(page, "</tbody></table></div>")
}

fn write_standing(page: &mut String, row: &StandingRow, is_solitaire: bool, is_rated: bool) -> fmt::Result {
    let mut cells = vec![row.rank.map(|rank| rank.to_string()).unwrap_or_default()];
    if !is_solitaire {
        cells.push(row.points.to_string());
        cells.extend([row.tally.wins, row.tally.draws, row.tally.losses].map(|count| count.to_string()));
    }
    cells.push(row.tally.forfeits.to_string());
    cells.extend(
        row.tie_breaks.iter().map(|(_, value)| value.map(|value| value.to_string()).unwrap_or_default()),
    );
    cells.push(row.score.map(|score| interval(score, 3)).unwrap_or_default());
    if is_rated {
        let provisional = |provisional| if provisional { "?" } else { "" };
        let rating = row.rating.map(|one| interval(one.rating, 1) + provisional(one.provisional));
        cells.push(rating.unwrap_or_default());
    }
    write!(page, "<tr><td class=\"n\">{}</td>", cells.remove(0))?;
    write!(page, "<th scope=\"row\">{} {}", row.entrant, Escaped(&row.name))?;
    match row.status {
        crate::EntrantStatus::Active => write!(page, "</th>")?,
        status => write!(page, " ({})</th>", status_word(status))?,
    }
    for cell in cells {
        write!(page, "<td class=\"n\">{}</td>", Escaped(&cell))?;
    }
    writeln!(page, "</tr>")
}

fn write_cross_table(page: &mut String, competition: &Competition, standings: &Standings) -> fmt::Result {
    let is_solitaire = competition.settings().format.is_solitaire();
    let caption = if is_solitaire { "Mean differences" } else { "Points against each other" };
    write!(page, "<div class=\"scroll\"><table><caption>{caption}</caption><thead><tr><td></td>")?;
    for row in &standings.rows {
        write!(page, "<th scope=\"col\">{}</th>", row.entrant)?;
    }
    writeln!(page, "</tr></thead><tbody>")?;
    for row in &standings.rows {
        write!(page, "<tr><th scope=\"row\">{} {}</th>", row.entrant, Escaped(&row.name))?;
        for other in &standings.rows {
            let cell = standings.cross_table.get(&(row.entrant, other.entrant));
            match cell {
                Some(cell) if is_solitaire => {
                    let difference = cell.difference.map(|difference| interval(difference, 1));
                    write!(page, "<td class=\"n\">{}</td>", difference.unwrap_or_default())?;
                }
                Some(cell) => {
                    let tally = cell.tally;
                    let title = format!("{} won, {} drawn, {} lost", tally.wins, tally.draws, tally.losses);
                    write!(page, "<td class=\"n\" title=\"{title}\">{}</td>", cell.points)?;
                }
                None => write!(page, "<td></td>")?,
            }
        }
        writeln!(page, "</tr>")?;
    }
    writeln!(page, "</tbody></table></div>")
}

fn write_plots(page: &mut String, competition: &Competition, standings: &Standings) -> fmt::Result {
    let is_solitaire = competition.settings().format.is_solitaire();
    let plotted = |estimate: fn(&StandingRow) -> Option<Estimate>| -> Vec<_> {
        let rows = standings.rows.iter();
        rows.filter_map(|row| Some((row.entrant, row.name.as_str(), estimate(row)?))).collect()
    };
    let of_what = if is_solitaire { "a seed" } else { "a match" };
    interval_plot::write(
        page,
        &format!("Mean score of {of_what}, with 95 % intervals"),
        &plotted(|row| row.score),
    )?;
    let ratings = plotted(|row| row.rating.map(|one| one.rating));
    interval_plot::write(page, "Ratings, with 95 % intervals", &ratings)?;
    match Course::of(competition, standings) {
        Some(course) => course_plot::write(page, &course),
        None => Ok(()),
    }
}

fn write_round(
    page: &mut String,
    competition: &Competition,
    number: u32,
    results: &[EncounterResult],
) -> fmt::Result {
    write!(page, "<div class=\"scroll\"><table><caption>Round {number}</caption><thead><tr>")?;
    writeln!(page, "<th scope=\"col\">encounter</th><th scope=\"col\">verdicts</th></tr></thead><tbody>")?;
    for result in results {
        let named = |entrant: EntrantId| format!("{entrant} {}", name(competition, entrant));
        let encounter = match result.encounter {
            Encounter::Pair { first, second } => format!("{} and {}", named(first), named(second)),
            Encounter::Bye(entrant) => format!("{} has a bye", named(entrant)),
            Encounter::Solo(entrant) => named(entrant),
        };
        let verdicts = result.verdicts.iter().map(|verdict| match verdict {
            Some(verdict) => verdict.to_string(),
            None => "open".to_owned(),
        });
        let verdicts = verdicts.collect::<Vec<_>>().join("; ");
        writeln!(page, "<tr><td>{}</td><td>{}</td></tr>", Escaped(&encounter), Escaped(&verdicts))?;
    }
    writeln!(page, "</tbody></table></div>")
}

/// An estimate with its interval, to so many digits.
fn interval(Estimate { value, low, high }: Estimate, digits: usize) -> String {
    format!("{value:.digits$} ({low:.digits$} to {high:.digits$})")
}
