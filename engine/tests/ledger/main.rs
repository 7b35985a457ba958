//! Every game's code, tests and rules ledger agree.
//!
//! A game that is complete stands in [`COMPLETE`], and is then held to its ledger: each rule that its code cites is
//! there; each enforced rule is cited by code that is used, and named by a test; each rule that the content keeps is
//! named by a test. The ledgers of all games that have
//! content must load, whether their code is complete or not.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod coverage;
mod disk;
mod load;
mod made_up;
mod scan;

use disk::{content_folders, ledger, rust_files};

/// A game that is held to its ledger.
struct Game {
    /// Its folder of content.
    content: &'static str,
    /// Its folder of code, in `src/games`, and of tests, in `tests`; tests may also stand beside the code.
    code: &'static str,
}

/// The games whose code is complete.
const COMPLETE: &[Game] = &[
    Game { content: "cruel-necessity", code: "cruel_necessity" },
    Game { content: "english-civil-war-iia", code: "english_civil_war_iia" },
    Game { content: "skirmish", code: "skirmish" },
    Game { content: "this-war-without-an-enemy", code: "this_war_without_an_enemy" },
];

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
    for game in COMPLETE {
        let ledger = ledger(game.content).expect("every ledger loads");
        let code = rust_files("src/games", game.code);
        let mut tests = code.clone();
        tests.extend(rust_files("tests", game.code));
        let findings = coverage::check(&ledger, &code, &tests);
        let report: Vec<String> = findings.iter().map(ToString::to_string).collect();
        assert!(report.is_empty(), "{}:\n{}", game.content, report.join("\n"));
    }
}
