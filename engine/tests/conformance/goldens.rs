//! Goldens: known playouts of every scenario as each observer sees them, kept under `tests/golden/<game>` and compared byte for
//! byte. `EDGEHILL_BLESS=1` writes them anew; a leak or a slip then shows in the difference.
#![expect(clippy::disallowed_methods, reason = "tests read and write files; the engine does not")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use edgehill_engine::bot::HouseBot;
use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::game::Game;
use edgehill_engine::laws::{GOLDEN_BYTES_MAX, golden, golden_of};
use edgehill_engine::seat::Observer;
use edgehill_engine::setup::Setup;

/// The seed of the known playouts.
const SEED: u64 = 1642;

/// A scenario whose known playout is a house bot's.
pub(crate) struct Played<G: Game> {
    pub(crate) scenario: &'static str,
    pub(crate) bot: fn() -> HouseBot<G>,
    pub(crate) seed: u64,
}

/// Every scenario's known playout looks as it did; `options` keep that of a long game short enough to be kept. Choices are random,
/// but in the scenarios that `by` gives to a house bot; matches that bots play beside these are `also` kept.
pub(crate) fn are_kept<G: Game>(
    game: &Arc<G>,
    options: &[(&str, &str)],
    by: &[Played<G>],
    also: &[Played<G>],
) {
    let catalogue = game.catalogue();
    let folder = folder(catalogue);
    let bless = std::env::var("EDGEHILL_BLESS").is_ok_and(|bless| bless == "1");
    if bless {
        fs::create_dir_all(&folder).expect("the folder of goldens can be made");
    }
    let mut expected = Vec::new();
    for scenario in &catalogue.scenarios {
        let options = options.iter().map(|&(id, value)| (id.to_owned(), value.to_owned())).collect();
        let setup = Setup::new(catalogue, Some(scenario.id), &options).expect("the game has these options");
        let texts = match by.iter().find(|played| played.scenario == scenario.id) {
            Some(played) => golden_of(game, &setup, &(played.bot)(), played.seed),
            None => golden(game, &setup, SEED),
        };
        let texts = texts.unwrap_or_else(|breach| panic!("{}: {}", scenario.id, breach.detail));
        let mut texts: Vec<(String, Observer, String)> =
            texts.into_iter().map(|(observer, text)| (String::new(), observer, text)).collect();
        for played in also.iter().filter(|played| played.scenario == scenario.id) {
            let house = (played.bot)();
            let kept = golden_of(game, &setup, &house, played.seed);
            let kept = kept.unwrap_or_else(|breach| panic!("{}: {}", scenario.id, breach.detail));
            texts.extend(
                kept.into_iter().map(|(seen, text)| (format!(".{}-{}", house.name, played.seed), seen, text)),
            );
        }
        for (by, observer, text) in texts {
            let path = folder.join(format!("{}{by}.{}.txt", scenario.id, name(catalogue, observer)));
            let size = text.len();
            assert!(
                size <= GOLDEN_BYTES_MAX,
                "{} has {size} bytes, at most {GOLDEN_BYTES_MAX}",
                path.display()
            );
            if bless {
                fs::write(&path, &text).expect("a golden can be written");
            }
            let kept = fs::read_to_string(&path)
                .unwrap_or_else(|error| panic!("{}: {error}; EDGEHILL_BLESS=1 writes it", path.display()));
            if let Some(difference) = difference(&kept, &text) {
                panic!("{} (EDGEHILL_BLESS=1 writes it anew): {difference}", path.display());
            }
            expected.push(path);
        }
    }
    let left_over: Vec<PathBuf> = fs::read_dir(&folder)
        .expect("the folder of goldens can be read")
        .map(|entry| entry.expect("an entry can be read").path())
        .filter(|path| !expected.contains(path))
        .collect();
    assert!(left_over.is_empty(), "goldens of no scenario: {left_over:?}");
}

fn folder(catalogue: &Catalogue) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(catalogue.id)
}

fn name(catalogue: &Catalogue, observer: Observer) -> &'static str {
    match observer {
        Observer::Seat(seat) => catalogue.seats[seat.index()].id,
        Observer::Spectator => "spectator",
    }
}

/// The first line that differs.
fn difference(kept: &str, now: &str) -> Option<String> {
    if kept == now {
        return None;
    }
    let mut lines = (1..).zip(kept.lines().zip(now.lines()));
    Some(match lines.find(|(_, (kept, now))| kept != now) {
        Some((number, (kept, now))) => format!("line {number}\n- {kept}\n+ {now}"),
        None => format!("{} lines were kept, {} are there now", kept.lines().count(), now.lines().count()),
    })
}

#[test]
fn goldens_can_differ() {
    assert_eq!(difference("a\nb\n", "a\nb\n"), None);
    assert_eq!(difference("a\nb\n", "a\nc\n").as_deref(), Some("line 2\n- b\n+ c"));
    assert_eq!(difference("a\n", "a\nb\n").as_deref(), Some("1 lines were kept, 2 are there now"));
    assert!(difference("a\r\nb", "a\nb").is_some(), "byte for byte");
}
