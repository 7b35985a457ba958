//! docs/flows: the page of a game names its procedures. A game has one once its flow has settled.
//!
//! `EDGEHILL_BLESS=1 cargo test --workspace --test catalogue flow` writes the tables anew.

#![expect(clippy::disallowed_methods, reason = "a test of the docs reads them")]

use std::fmt::Write;
use std::fs;
use std::path::Path;

use super::games;

/// The head of the table.
const TABLE: &str = "| procedure | in words |\n| --- | --- |\n";

#[test]
fn a_page_of_flow_names_all_procedures() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/flows");
    let mut pages = 0;
    for game in games() {
        let catalogue = game.catalogue();
        let path = folder.join(format!("{}.md", catalogue.id));
        let Ok(page) = fs::read_to_string(&path) else { continue };
        pages += 1;
        let mut table = String::new();
        for procedure in &catalogue.procedures {
            writeln!(table, "| `{}` | {} |", procedure.name, procedure.label).expect("a text grows");
        }
        let (before, rest) = page.split_once(TABLE).expect("the page has a table of procedures");
        let rows =
            rest.lines().take_while(|line| line.starts_with('|')).map(|line| line.len() + 1).sum::<usize>();
        let expected = format!("{before}{TABLE}{table}{}", &rest[rows..]);
        if std::env::var("EDGEHILL_BLESS").is_ok() {
            fs::write(&path, expected).expect("the page can be written");
        } else {
            assert!(page == expected, "{} needs this table:\n{TABLE}{table}", path.display());
        }
    }
    // One game alone may have none.
    assert!(pages > 0 || std::env::var("EDGEHILL_GAME").is_ok(), "docs/flows was not found");
}
