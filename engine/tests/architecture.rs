//! The invariants of ARCHITECTURE.md that are about the code itself.

#![expect(clippy::disallowed_methods, reason = "a test of the tree reads it")]

use std::fs;
use std::path::{Path, PathBuf};

/// Files past this many lines have a seam that somebody should look for.
const FILE_LINES_MAX: usize = 600;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the engine is a member of the workspace")
        .to_owned()
}

/// Every file below `folder` with this extension, sorted; build output left out.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else { return found };
    for entry in entries.flatten() {
        let path = entry.path();
        let name = entry.file_name();
        if path.is_dir()
            && name != "target"
            && name != "node_modules"
            && !name.to_string_lossy().starts_with('.')
        {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn games() -> Vec<String> {
    let folders = fs::read_dir(root().join("engine/src/games")).expect("the games have a folder");
    let folders = folders.flatten().filter(|entry| entry.path().is_dir());
    let mut names: Vec<String> =
        folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    assert!(!names.is_empty());
    names
}

#[test]
fn no_game_knows_another() {
    for game in games() {
        for path in files(&root().join("engine/src/games").join(&game), "rs") {
            for other in games().iter().filter(|other| **other != game) {
                let known = text(&path).contains(&format!("games::{other}"));
                assert!(!known, "{} knows the game {other}", path.display());
            }
        }
    }
}

#[test]
fn nothing_but_the_registry_names_a_game() {
    for path in files(&root().join("engine/src"), "rs") {
        let within = path.strip_prefix(root().join("engine/src")).expect("it was found there");
        let allowed = within.starts_with("games") || within.starts_with("registry");
        let names: Vec<String> =
            games().into_iter().filter(|game| text(&path).contains(&format!("games::{game}"))).collect();
        assert!(allowed || names.is_empty(), "{} names {names:?}", path.display());
    }
}

#[test]
fn a_game_has_a_page_of_its_own() {
    for game in games() {
        let page = root().join("engine/src/games").join(&game).join("README.md");
        assert!(page.is_file(), "{} is missing", page.display());
    }
}

/// The roles that every game has, each a file of this name, or a folder; `bot` is `bots` where there are several.
const ROLES: [&str; 18] = [
    "README.md",
    "mod",
    "content",
    "catalogue",
    "actions",
    "state",
    "frames",
    "flow",
    "procedures",
    "view",
    "turn_state",
    "resample",
    "scramble",
    "codec",
    "position",
    "phrases",
    "rules",
    "bot",
];

/// The roles that a game lacks, with the reason.
const WITHOUT: &[(&str, &str, &str)] = &[
    ("cruel_necessity", "scramble", "nothing is hidden"),
    (
        "english_civil_war_iia",
        "frames",
        "every node is sealed: what is under way are the drafts of the sides",
    ),
    ("skirmish", "bot", "a training game: the engine's own bot `random` plays it"),
];

/// Games whose code is not complete yet: neither registered nor held to have every role. To be emptied when the game is registered.
const UNDER_WAY: &[&str] = &[];

/// The games that are registered.
fn registered() -> Vec<String> {
    games().into_iter().filter(|game| !UNDER_WAY.contains(&game.as_str())).collect()
}

/// A game that is complete is registered: whoever registers it takes it off the list.
#[test]
fn games_under_way_are_not_registered() {
    let registry = text(&root().join("engine/src/registry/mod.rs"));
    for game in UNDER_WAY {
        assert!(games().iter().any(|one| one == game), "{game} is under way, but there is no such game");
        assert!(!registry.contains(&format!("games::{game}")), "{game} is registered, and still under way");
    }
}

/// Things that one looks for stand under one name in every game; what only one game has is in its README.
#[test]
fn games_hold_the_same_files() {
    for game in games() {
        let folder = root().join("engine/src/games").join(&game);
        let under_way = UNDER_WAY.contains(&game.as_str());
        let readme = text(&folder.join("README.md"));
        let there = |name: &str| {
            folder.join(name).is_file()
                || folder.join(format!("{name}.rs")).is_file()
                || folder.join(name).join("mod.rs").is_file()
        };
        for role in ROLES {
            let lacking = WITHOUT.iter().any(|&(of, without, _)| of == game && without == role);
            let found = there(role) || (role == "bot" && there("bots"));
            assert!(
                under_way || found != lacking,
                "{game}: {role} is {}",
                if lacking { "no exception" } else { "missing" }
            );
        }
        for path in files(&folder, "rs") {
            let path = path.strip_prefix(&folder).expect("it was found there").to_string_lossy().into_owned();
            let first = path.split('/').next().expect("a path has a part").trim_end_matches(".rs");
            let shared = ["attributes", "boards", "charts", "roles", "texts"]
                .map(|part| format!("catalogue/{part}.rs"));
            let known = path.ends_with("mod.rs") || first == "content" || shared.contains(&path);
            let role = !path.contains('/') && ROLES.contains(&first);
            let said = readme.contains(&format!("`{path}`")) || readme.contains(&format!("`{first}/`"));
            assert!(known || role || said, "{game}: its README does not say what {path} is for");
        }
        for path in readme.split('`').filter(|path| path.ends_with(".rs")) {
            assert!(folder.join(path).is_file(), "{game}: its README names {path}, which there isn't");
        }
        assert!(
            root().join("engine/tests").join(&game).join("main.rs").is_file(),
            "{game} has no tests of its name"
        );
    }
}

/// Lists that name each game; all others are made from the folders. `make new-game` writes these lines.
/// Each code that is told has words, and words are for a code that is told; those of notes with a dot are made of parts.
#[test]
fn every_code_has_a_template_and_every_template_a_code() {
    let registry = edgehill_engine::registry::Registry::built_in().expect("the games load");
    let mut all_told = 0;
    for game in registered() {
        let catalogue = registry.game(&game.replace('_', "-")).expect("it is registered").catalogue();
        let sources = files(&root().join("engine/src/games").join(&game), "rs");
        let shown = |path: &PathBuf| path.to_string_lossy().contains("phrases");
        let rules: String =
            sources.iter().filter(|path| !shown(path)).map(|path| text(path)).collect::<Vec<_>>().join("\n");
        let after_each = rules.split("Event::new(").skip(1);
        let told: Vec<&str> =
            after_each.filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next()).collect();
        all_told += told.len();
        for code in &told {
            assert!(catalogue.phrases.contains_key(code), "{game}: `{code}` is told without words");
        }
        let engine: String = files(&root().join("engine/src"), "rs")
            .iter()
            .map(|path| text(path))
            .collect::<Vec<_>>()
            .join("\n");
        for code in catalogue.phrases.keys().filter(|code| !code.contains('.')) {
            let quoted = format!("\"{code}\"");
            let outside = engine.matches(&quoted).count()
                > sources
                    .iter()
                    .filter(|path| shown(path))
                    .map(|path| text(path).matches(&quoted).count())
                    .sum();
            assert!(outside, "{game}: nothing tells `{code}`");
        }
    }
    // One game tells all by a helper of its own; the kit reads what that says.
    assert!(all_told > 200, "what is told is spelled some other way");
}

#[test]
fn every_list_names_every_game() {
    for game in registered() {
        let id = game.replace('_', "-");
        for (file, line) in [
            ("engine/src/games/mod.rs", format!("pub mod {game};")),
            ("engine/src/registry/mod.rs", format!("use crate::games::{game}::")),
            ("engine/tests/conformance.rs", format!("    {game}::")),
            ("README.md", format!("(docs/games/{id}.md)")),
        ] {
            assert!(text(&root().join(file)).contains(&line), "{file} has no line with `{line}`");
        }
        for file in [format!("docs/games/{id}.md"), format!("engine/content/{id}/rules.toml")] {
            assert!(root().join(&file).is_file(), "{file} is missing");
        }
    }
}

/// The guide's table says what each file of a game holds.
#[test]
fn the_guide_names_every_role() {
    let guide = text(&root().join("docs/adding-a-game.md"));
    for role in ROLES {
        let named = ["`", ".rs`", "/`"].iter().any(|end| guide.contains(&format!("`{role}{end}")));
        assert!(named, "docs/adding-a-game.md says nothing of `{role}`");
    }
}

#[test]
fn sources_are_small() {
    let folders = ["engine", "clients", "service", "proto"];
    let sources = folders.iter().flat_map(|folder| files(&root().join(folder), "rs"));
    let long = sources.filter(|path| text(path).lines().count() > FILE_LINES_MAX);
    let long: Vec<String> = long.map(|path| path.display().to_string()).collect();
    assert!(long.is_empty(), "past {FILE_LINES_MAX} lines: {long:#?}");
}

#[test]
fn the_engine_depends_on_no_runtime() {
    let manifest = text(&root().join("engine/Cargo.toml"));
    let dependencies = manifest.split("[dev-dependencies]").next().expect("there is a first part");
    for name in ["tokio", "tonic", "prost", "edgehill-proto", "edgehill-service", "rand ="] {
        assert!(!dependencies.contains(name), "the engine depends on {name}");
    }
}

#[test]
fn numbered_invariants_are_numbered() {
    let page = text(&root().join("ARCHITECTURE.md"));
    let invariants =
        page.split("## Invariants").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("a section");
    let numbers = invariants.lines().filter_map(|line| line.split_once(". ")?.0.parse::<usize>().ok());
    let numbers: Vec<usize> = numbers.collect();
    assert_eq!(numbers, (1..=numbers.len()).collect::<Vec<_>>());
    for path in invariants.split('`').filter(|word| word.starts_with("engine/")) {
        let there = root().join(path).exists() || root().join(format!("{path}.rs")).exists();
        assert!(there, "ARCHITECTURE.md names {path}, which there isn't");
    }
}

/// A comment opens with the noun or the verb that it explains.
#[test]
fn comments_open_with_their_noun_or_verb() {
    let folders = ["engine", "clients", "service", "proto"];
    let sources = folders
        .iter()
        .flat_map(|folder| ["rs", "proto"].map(|ext| files(&root().join(folder), ext)))
        .flatten();
    let mut faulty = Vec::new();
    for path in sources {
        let text = text(&path);
        let mut before = "";
        for (number, line) in (1..).zip(text.lines().map(str::trim)) {
            let mark = ["///", "//!", "//"].into_iter().find(|mark| line.starts_with(mark));
            let opens = mark.filter(|mark| !before.starts_with(mark));
            let word = opens.and_then(|mark| line[mark.len()..].split_whitespace().next());
            // A ledger that a test makes up stands in a string.
            if matches!(word, Some("What" | "Whether" | "Who")) && !path.ends_with("made_up.rs") {
                faulty.push(format!("{}:{number}: {line}", path.display()));
            }
            before = line;
        }
    }
    assert!(faulty.is_empty(), "{faulty:#?}");
}

/// The library is not built for unit tests (`test = false`), so a test among its sources would never run.
#[test]
fn every_test_of_the_engine_is_among_its_tests() {
    for path in files(&root().join("engine/src"), "rs") {
        assert!(!text(&path).contains("#[cfg(test)]"), "{}: tests stand in engine/tests", path.display());
    }
}
