//! Every game's code, tests and rules ledger agree.
//!
//! A game that has code is held to its ledger: each rule that its code cites is there; each enforced rule is cited by code that is
//! used, and named by a test; each rule that the content keeps is named by a test. A game under way stands in [`UNDER_WAY`]. The
//! ledgers of all games that have content must load, whether their code is complete or not.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod coverage;
mod disk;
mod load;
mod made_up;
mod scan;

use disk::{content_folders, ledger, rust_files};

/// Games whose code is not complete yet, by their content.
const UNDER_WAY: &[&str] = &[];

/// A game that is held to its ledger.
struct Game {
    /// Its folder of content.
    content: String,
    /// Its folder of code, in `src/games`, and of tests, in `tests`; tests may also stand beside the code.
    code: String,
}

/// The games whose code is complete.
fn complete() -> Vec<Game> {
    let named = |content: String| Game { code: content.replace('-', "_"), content };
    let games =
        content_folders().into_iter().filter(|folder| !UNDER_WAY.contains(&folder.as_str())).map(named);
    games.filter(|game| !rust_files("src/games", &format!("{}/", game.code)).is_empty()).collect()
}

#[test]
fn every_ledger_loads() {
    for folder in content_folders() {
        if let Err(errors) = ledger(&folder) {
            panic!("content/{folder}:\n{errors}");
        }
    }
}

#[test]
fn every_complete_game_is_covered_by_its_ledger() {
    for game in complete() {
        let ledger = ledger(&game.content).expect("every ledger loads");
        let code = rust_files("src/games", &format!("{}/", game.code));
        let mut tests = code.clone();
        tests.extend(rust_files("tests", &format!("{}/", game.code)));
        let findings = coverage::check(&ledger, &code, &tests);
        let report: Vec<String> = findings.iter().map(ToString::to_string).collect();
        assert!(report.is_empty(), "{}:\n{}", game.content, report.join("\n"));
    }
}
