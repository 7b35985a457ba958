//! Several competitions on one page ([`page`]).

use std::fmt::{self, Write};

use super::escaped::Escaped;
use super::html::STYLE;

/// A competition of an overview, in words for people.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct OverviewRow {
    /// The page of the competition, as a link from the overview.
    pub link: String,
    /// Its name.
    pub name: String,
    /// The game.
    pub game: String,
    /// The format.
    pub format: String,
    /// The number of its entrants.
    pub entrants: u32,
    /// Whoever came first: several, if they share the place.
    pub winners: Vec<String>,
    /// The mean score of the first of them, with its interval; empty without one.
    pub score: String,
}

/// Returns a page with a line for each competition. It runs nothing, and loads nothing but what a reader follows a link to.
#[must_use]
pub fn page(title: &str, rows: &[OverviewRow]) -> String {
    let mut page = String::new();
    write(&mut page, title, rows).expect("a text takes all that is written to it");
    page
}

fn write(page: &mut String, title: &str, rows: &[OverviewRow]) -> fmt::Result {
    let title = Escaped(title);
    writeln!(page, "<!doctype html>")?;
    writeln!(page, "<html lang=\"en\"><head><meta charset=\"utf-8\">")?;
    writeln!(page, "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">")?;
    writeln!(page, "<title>{title}</title><style>{STYLE}</style></head><body><main>")?;
    writeln!(page, "<h1>{title}</h1>")?;
    write!(page, "<div class=\"scroll\"><table><thead><tr>")?;
    for heading in ["competition", "game", "format", "entrants", "first", "mean score"] {
        write!(page, "<th scope=\"col\">{heading}</th>")?;
    }
    writeln!(page, "</tr></thead><tbody>")?;
    for row in rows {
        let (link, name) = (Escaped(&row.link), Escaped(&row.name));
        write!(page, "<tr><th scope=\"row\"><a href=\"{link}\">{name}</a></th>")?;
        write!(page, "<td>{}</td><td>{}</td>", Escaped(&row.game), Escaped(&row.format))?;
        write!(page, "<td class=\"n\">{}</td>", row.entrants)?;
        writeln!(page, "<td>{}</td><td>{}</td></tr>", Escaped(&row.winners.join(", ")), Escaped(&row.score))?;
    }
    writeln!(page, "</tbody></table></div>")?;
    writeln!(page, "</main></body></html>")
}
