//! Runs that failed once, kept under `tests/fixtures/<game>` and made again for ever, with every law at every node.
#![expect(clippy::disallowed_methods, reason = "tests read files; the engine does not")]

use std::fs;
use std::path::Path;
use std::sync::Arc;

use edgehill_engine::game::Game;
use edgehill_engine::laws::{Law, Laws, Run, rerun};

/// The seed of the checks' own choices.
const SEED: u64 = 1642;

/// Every kept run of this game holds.
pub(crate) fn hold<G: Game>(game: &Arc<G>) {
    let catalogue = game.catalogue();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(catalogue.id);
    let Ok(entries) = fs::read_dir(&folder) else { return };
    for entry in entries {
        let path = entry.expect("an entry can be read").path();
        if path.extension().is_none_or(|extension| extension != "run") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a run can be read");
        let run = match Run::parse(catalogue, &text) {
            Ok(run) => run,
            Err(error) => panic!("{}: {error}", path.display()),
        };
        if let Err(failure) = rerun(game, &run, SEED, Laws::ALL.without(Law::Golden)) {
            panic!("{}: {}", path.display(), failure.report(catalogue));
        }
    }
}
