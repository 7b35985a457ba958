//! Every game's code, tests and rules ledger agree.
//!
//! A game that has code is held to its ledger: each rule that its code cites is there; each enforced rule is cited by code that is
//! used, and named by a test; each rule that the content keeps is named by a test. A game under way stands in [`UNDER_WAY`]: its
//! citations are held to its ledger, and its ledger to them, but not yet to uses and tests. The ledgers of all games that have content
//! must load, whether their code is complete or not.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod coverage;
mod disk;
mod load;
mod made_up;
mod scan;

use coverage::Finding;
use disk::{content_folders, ledger, rust_files};
use edgehill_engine::registry::games;

/// Games whose code is not complete yet, by their content: the ledger stands before the procedures that cite it and the tests of them.
/// The line of a game goes when it joins the registry.
const UNDER_WAY: &[&str] = &[];

/// A game that is held to its ledger.
struct Game {
    /// Its folder of content.
    content: String,
    /// Its folder of code, in `src/games`, and of tests, in `tests`; tests may also stand beside the code.
    code: String,
}

impl Game {
    /// The game with this folder of content.
    fn of(content: &str) -> Self {
        Self { content: content.to_owned(), code: content.replace('-', "_") }
    }

    /// Places where its code, tests and ledger disagree.
    fn findings(&self) -> Vec<Finding> {
        let ledger = ledger(&self.content).expect("every ledger loads");
        let code = rust_files("src/games", &format!("{}/", self.code));
        let mut tests = code.clone();
        tests.extend(rust_files("tests", &format!("{}/", self.code)));
        coverage::check(&ledger, &code, &tests)
    }

    /// Fails with what was found, if anything was.
    fn agrees(&self, findings: &[Finding]) {
        let report: Vec<String> = findings.iter().map(ToString::to_string).collect();
        assert!(report.is_empty(), "{}:\n{}", self.content, report.join("\n"));
    }
}

/// The games whose code is complete.
fn complete() -> Vec<Game> {
    let folders = content_folders();
    let games = folders.iter().filter(|folder| !UNDER_WAY.contains(&folder.as_str()));
    let games = games.map(|folder| Game::of(folder));
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
        game.agrees(&game.findings());
    }
}

/// Uses of constants come with the procedures, and tests with both.
#[test]
fn every_game_under_way_cites_its_ledger() {
    for game in UNDER_WAY.iter().map(|folder| Game::of(folder)) {
        let mut findings = game.findings();
        findings.retain(|finding| !matches!(finding, Finding::Unused { .. } | Finding::NotTested { .. }));
        game.agrees(&findings);
    }
}

#[test]
fn no_game_of_the_registry_is_under_way() {
    for game in games() {
        assert!(!UNDER_WAY.contains(&game.id), "{} is in the registry: strike it from UNDER_WAY", game.id);
    }
}
