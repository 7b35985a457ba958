//! Goldens: known playouts as each observer sees them, kept under `tests/golden/<game>` and compared byte for byte. One playout
//! a game is kept in words, the others as a digest, which `edgehill golden` expands. `EDGEHILL_BLESS=1` writes them anew; a leak
//! or a slip then shows in the difference.
#![expect(clippy::disallowed_methods, reason = "tests read and write files; the engine does not")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::laws::{
    GOLDEN_BLOCK_EVENTS, Golden, GoldenLine, golden, golden_bots, golden_line, outline_difference,
};
use edgehill_engine::registry::{AnyGame, Registry};
use edgehill_engine::render;
use edgehill_engine::seat::Observer;
use edgehill_engine::setup::Setup;

/// The seed of the playouts by chance.
const SEED: u64 = 1642;

/// The most bytes of the goldens of all games together: those of the first four, and of each further one.
const BYTES_MAX: usize = 1_500_000;
const FIRST_GAMES: usize = 4;
const FURTHER_GAME_BYTES_MAX: usize = 300_000;

/// The file of what is not kept in words.
const DIGEST: &str = "digest.txt";

/// A playout of a scenario by one house bot at all seats.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Playout {
    pub(crate) scenario: &'static str,
    pub(crate) by: &'static str,
    pub(crate) seed: u64,
}

/// The playouts of a game that are kept.
#[derive(Debug)]
pub(crate) struct Kept {
    /// Options that keep the playouts of a long game short.
    pub(crate) options: &'static [(&'static str, &'static str)],
    /// The one that is kept in words.
    pub(crate) in_words: Playout,
    /// Those that are kept as digests, beside one of each scenario by chance.
    pub(crate) in_digest: &'static [Playout],
    /// Lines from described positions, by their names; they are kept in words.
    pub(crate) lines: &'static [(&'static str, GoldenLine)],
    /// The most bytes of all of them: the game's share of what a person can read.
    pub(crate) bytes_max: usize,
}

/// The playouts of the game `id` look as they did, and no other ones are kept.
pub(crate) fn are_kept(id: &str, kept: &Kept) {
    let registry = Registry::built_in().expect("the built-in content is sound");
    let game = registry.game(id).expect("the game is listed").as_ref();
    let folder = golden_folder().join(id);
    let bless = std::env::var("EDGEHILL_BLESS").is_ok_and(|bless| bless == "1");
    let mut files = texts(game, &playout_name(kept.in_words), &played(game, kept, kept.in_words));
    for (name, line) in kept.lines {
        files.extend(texts(game, name, &played_line(game, kept, name, line)));
    }
    files.insert(DIGEST.to_owned(), digests(game, kept));
    let (bytes, most) = (files.values().map(String::len).sum::<usize>(), kept.bytes_max);
    assert!(bytes <= most, "the goldens of {id} have {bytes} bytes, at most {most}");
    if bless {
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("the folder of goldens can be made");
        for (name, text) in &files {
            fs::write(folder.join(name), text).expect("a golden can be written");
        }
    }
    for (name, text) in &files {
        let path = folder.join(name);
        let kept = fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}; EDGEHILL_BLESS=1 writes it", path.display()));
        let found = if name == DIGEST { digest_difference(&kept, text) } else { difference(&kept, text) };
        if let Some(found) = found {
            panic!("{} (EDGEHILL_BLESS=1 writes it anew): {found}", path.display());
        }
    }
    let left_over: Vec<PathBuf> =
        entries(&folder).into_iter().filter(|path| !files.contains_key(&file_name(path))).collect();
    assert!(left_over.is_empty(), "goldens of no playout: {left_over:?}");
}

fn playout_name(Playout { scenario, by, seed }: Playout) -> String {
    format!("{scenario}.{by}-{seed}")
}

/// Goldens in words, by file: what the first seat was told, and what each other observer was told otherwise.
fn texts(game: &dyn AnyGame, of: &str, goldens: &[Golden]) -> BTreeMap<String, String> {
    let file = |golden: &Golden| format!("{of}.{}.txt", name(game.catalogue(), golden.observer));
    let (first, others) = goldens.split_first().expect("every match has a seat");
    let first_name = render::observer(game.catalogue(), first.observer);
    let mut texts = BTreeMap::from([(file(first), first.text())]);
    texts.extend(others.iter().map(|other| (file(other), other.text_beside(first, &first_name))));
    texts
}

/// The digests of all other playouts: a line with the command that expands it, and below it a hash a block.
fn digests(game: &dyn AnyGame, kept: &Kept) -> String {
    let catalogue = game.catalogue();
    let chance = catalogue.scenarios.iter().map(|it| Playout { scenario: it.id, by: "random", seed: SEED });
    let mut text = String::new();
    for playout in chance.chain(kept.in_digest.iter().copied()) {
        if playout == kept.in_words {
            continue;
        }
        for golden in played(game, kept, playout) {
            let observer = name(catalogue, golden.observer);
            text.push_str(&format!("{}\n", command(catalogue.id, kept, playout, observer)));
            for (block, hash) in golden.digest().into_iter().enumerate() {
                let first = block * GOLDEN_BLOCK_EVENTS + 1;
                text.push_str(&format!("  events from {first} on: {hash}\n"));
            }
        }
    }
    text
}

fn command(id: &str, kept: &Kept, playout: Playout, observer: &str) -> String {
    let options: String =
        kept.options.iter().map(|(option, value)| format!(" --option {option}={value}")).collect();
    let Playout { scenario, by, seed } = playout;
    format!("edgehill golden {id} {scenario} --by {by} --seed {seed}{options} --observer {observer}")
}

fn setup(game: &dyn AnyGame, kept: &Kept, scenario: &str) -> Setup {
    let options = kept.options.iter().map(|&(id, value)| (id.to_owned(), value.to_owned())).collect();
    Setup::new(game.catalogue(), Some(scenario), &options).expect("the game has scenario and options")
}

fn played_line(game: &dyn AnyGame, kept: &Kept, name: &str, line: &GoldenLine) -> Vec<Golden> {
    let setup = setup(game, kept, kept.in_words.scenario);
    golden_line(game, &setup, line).unwrap_or_else(|breach| panic!("{name}: {}", breach.detail))
}

fn played(game: &dyn AnyGame, kept: &Kept, playout: Playout) -> Vec<Golden> {
    let Playout { scenario, by, seed } = playout;
    let setup = setup(game, kept, scenario);
    let mut bots = golden_bots(game, by, seed).unwrap_or_else(|| panic!("no house bot is called `{by}`"));
    golden(game, &setup, seed, &mut bots)
        .unwrap_or_else(|breach| panic!("{scenario} by {by} from {seed}: {}", breach.detail))
}

/// The goldens of all games, by the shares that they have, are small enough to be read; and no other folder has any.
pub(crate) fn are_within_their_budget(shares: &[(&str, usize)]) {
    let further = shares.len().saturating_sub(FIRST_GAMES);
    let (sum, most) =
        (shares.iter().map(|(_, bytes)| bytes).sum::<usize>(), BYTES_MAX + further * FURTHER_GAME_BYTES_MAX);
    assert!(sum <= most, "the games' goldens may have {sum} bytes, at most {most} are to be read");
    for path in entries(&golden_folder()).into_iter().filter(|path| path.is_dir()) {
        let bytes: u64 =
            entries(&path).iter().map(|path| fs::metadata(path).expect("a golden is there").len()).sum();
        let share = shares.iter().find(|(id, _)| *id == file_name(&path)).map(|&(_, share)| share as u64);
        let share = share.unwrap_or_else(|| panic!("{}: goldens of no game", path.display()));
        assert!(bytes <= share, "{}: {bytes} bytes, at most {share}", path.display());
    }
}

fn golden_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of goldens can be read");
    entries.map(|entry| entry.expect("an entry can be read").path()).collect()
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
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

/// The first block that differs, and the command that tells its playout in words.
fn digest_difference(kept: &str, now: &str) -> Option<String> {
    let found = difference(kept, now)?;
    let is_command = |line: &&str| line.starts_with("edgehill ");
    let same = kept.lines().zip(now.lines()).take_while(|(kept, now)| kept == now).count();
    let mut above = now.lines().take(same + 1).collect::<Vec<_>>();
    let block = above.pop_if(|line| !is_command(&&**line)).unwrap_or("its number of blocks");
    let command = above.iter().rfind(|line| is_command(line)).unwrap_or(&"no playout");
    let block = block.split(':').next().unwrap_or(block).trim();
    Some(format!("{block} differs from what was kept; this build tells it by\n  {command}\n{found}"))
}

#[test]
fn goldens_can_differ() {
    assert_eq!(difference("a\nb\n", "a\nb\n"), None);
    assert_eq!(difference("a\nb\n", "a\nc\n").as_deref(), Some("line 2\n- b\n+ c"));
    assert_eq!(difference("a\n", "a\nb\n").as_deref(), Some("1 lines were kept, 2 are there now"));
    assert!(difference("a\r\nb", "a\nb").is_some(), "byte for byte");
}

#[test]
fn a_digest_that_differs_names_its_block_and_its_command() {
    let kept = "edgehill golden a b\n  events from 1 on: 11\n  events from 51 on: 22\nedgehill golden a c\n";
    let now = kept.replace("22", "33");
    assert_eq!(digest_difference(kept, kept), None);
    let told = digest_difference(kept, &now).expect("they differ");
    assert!(told.starts_with("events from 51 on differs"), "{told}");
    assert!(told.contains("\n  edgehill golden a b\n"), "{told}");
}

#[test]
fn lines_are_told_under_those_that_they_stand_under() {
    let before = "Spaces\n  Mill\n    block 1\n    block 2\n  Heath\n    block 3\nPiles\n  hand\n";
    let now = "Spaces\n  Mill\n    block 1\n  Heath\n    block 3\n    block 2\nPiles\n  hand\n";
    let told = "  Spaces\n    Mill\n    - block 2\n    Heath\n    + block 2\n";
    assert_eq!(outline_difference(before, now), told);
    assert_eq!(outline_difference(now, now), "");
}

#[test]
fn what_stood_under_a_line_that_is_gone_is_gone_with_it() {
    assert_eq!(outline_difference("a\n  b\nc\n", "c\n"), "- a\n  - b\n");
    assert_eq!(outline_difference("a\na\n", "a\n"), "- a\n", "a line that stood there twice");
}

#[test]
fn a_line_that_begins_as_before_is_told_once() {
    assert_eq!(
        outline_difference("a (x)\n  s = 1\n  t = 1\n", "a (y)\n  s = 2\n  t = 1\n"),
        "~ a (y)\n  ~ s = 2\n"
    );
    assert_eq!(
        outline_difference("a (x)\na (y)\n", "a (z)\n"),
        "- a (x)\n- a (y)\n+ a (z)\n",
        "which of them?"
    );
}
