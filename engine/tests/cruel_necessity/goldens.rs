//! The kept playouts show what a match can come to: this says what a reader of them is promised.
#![expect(clippy::disallowed_methods, reason = "tests read files; the engine does not")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use edgehill_engine::laws;
use edgehill_engine::registry::Registry;
use edgehill_engine::setup::Setup;

fn golden(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/cruel-necessity");
    fs::read_to_string(path.join(file)).expect("the golden is kept")
}

/// The playout of the whole war of which hashes are kept, in words.
fn whole_war() -> String {
    let registry = Registry::built_in().expect("the built-in content is sound");
    let game = registry.game("cruel-necessity").expect("the game is listed").as_ref();
    let setup = Setup::new(game.catalogue(), Some("whole-war"), &Default::default()).expect("a scenario");
    let mut bots = laws::golden_bots(game, "ironside", 1642).expect("a house bot");
    let goldens = laws::golden(game, &setup, 1642, &mut bots).expect("everything said is a sentence");
    goldens[0].text()
}

#[track_caller]
fn shows(text: &str, wanted: &[&str]) {
    for wanted in wanted {
        assert!(text.contains(wanted), "never said: {wanted}");
    }
}

#[test]
fn the_whole_war_shows_all_three_wars_and_all_that_happens_in_them() {
    let text = whole_war();
    shows(&text, &["in Civil War 1", "in Civil War 2", "in Civil War 3"]);
    shows(&text, &["- Civil War 1 is over: ", "- Civil War 2 is over: ", " so far (rule 10.3)"]);
    shows(&text, &["comes into play (rule 6.8)", "- On the back of Deviltry", "- Used: "]);
    shows(&text, &["- Royalists besiege Hull", "the siege succeeds", "the siege fails", "changes hands"]);
    shows(
        &text,
        &[
            "Battle Event cards held: 2 cards",
            "is played (rule B9)",
            "- Victory over the",
            "- Defeat by the",
            "- A Draw with the",
        ],
    );
    shows(
        &text,
        &[
            "is committed at First sector",
            "- Sector 4 is won",
            "- The victors move down",
            "back at once",
            "is achieved, for",
        ],
    );
    shows(
        &text,
        &[
            "breaks out in",
            "is crushed",
            "- Irish Troubles: ",
            "- The Scots support the North",
            "- The movement of ",
        ],
    );
}

/// The last view has the verdict, and what of the score comes from where: the parts add up to the sum.
#[test]
fn the_whole_war_ends_with_its_band_and_the_breakdown_of_its_score() {
    let text = whole_war();
    let (_, last) = text.rsplit_once("\nCruel Necessity, as seen by").expect("a last view");
    shows(last, &["Node: over", " Victory", "The last card is done"]);
    let value = |line: &str, label: &str| -> Option<i32> {
        line.trim().strip_prefix(label)?.strip_prefix(" = ").and_then(|number| number.parse().ok())
    };
    let parts: Vec<i32> = last.lines().filter_map(|line| value(line, "Victory Points")).collect();
    let sum = last.lines().find_map(|line| value(line, "Victory Points in all")).expect("a sum");
    assert!(parts.len() >= 8, "{parts:?}");
    assert_eq!(parts.iter().sum::<i32>(), sum);
}

/// Chance alone does not come past the first war, so the last playout of a scenario counts: the house bot's, where it has one.
#[test]
fn every_scenario_has_a_playout_of_its_own() {
    let digest = golden("digest.txt");
    let mut hashes: BTreeMap<&str, &str> = BTreeMap::new();
    for playout in digest.split("edgehill golden cruel-necessity ").skip(1) {
        let (command, blocks) = playout.split_once('\n').expect("a command on a line of its own");
        if command.ends_with("--observer parliament") {
            hashes.insert(command.split(' ').next().expect("a scenario"), blocks);
        }
    }
    let scenarios: Vec<&str> = hashes.keys().copied().collect();
    assert_eq!(scenarios, ["first", "first-second", "second", "second-third", "third", "whole-war"]);
    let different: BTreeSet<&str> = hashes.values().copied().collect();
    assert_eq!(different.len(), hashes.len(), "a scenario looks like another");
}
