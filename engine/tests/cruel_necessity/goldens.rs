//! The kept playouts show what a match can come to: this says what a reader of them is promised.
#![expect(clippy::disallowed_methods, reason = "tests read files; the engine does not")]

use std::fs;
use std::path::Path;

fn golden(scenario: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/cruel-necessity");
    fs::read_to_string(path.join(format!("{scenario}.parliament.txt"))).expect("the golden is kept")
}

#[track_caller]
fn shows(text: &str, wanted: &[&str]) {
    for wanted in wanted {
        assert!(text.contains(wanted), "never said: {wanted}");
    }
}

#[test]
fn the_whole_war_shows_all_three_wars_and_all_that_happens_in_them() {
    let text = golden("whole-war");
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
    let text = golden("whole-war");
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

#[test]
fn every_scenario_has_a_playout_of_its_own() {
    let texts = ["whole-war", "first", "second", "third", "first-second", "second-third"].map(golden);
    for (index, text) in texts.iter().enumerate() {
        assert!(texts[..index].iter().all(|other| other != text), "scenario {index} looks like another");
    }
}
