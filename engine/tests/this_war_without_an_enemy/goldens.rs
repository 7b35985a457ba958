//! The kept playouts show what a match can come to: this says what a reader of them is promised.
#![expect(clippy::disallowed_methods, reason = "tests read files; the engine does not")]

use std::fs;
use std::path::Path;

/// The kept playouts, one by chance and the others by the house bot.
const KEPT: [&str; 3] = ["early-war", "early-war.captain-1191", "early-war.captain-1954"];

fn golden(playout: &str, observer: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/this-war-without-an-enemy");
    fs::read_to_string(path.join(format!("{playout}.{observer}.txt"))).expect("the golden is kept")
}

/// Returns whether a line of a kept playout begins and ends like this, the rule included.
fn says(text: &str, start: &str, end: &str) -> bool {
    text.lines().any(|line| line.starts_with(start) && line.contains(end))
}

/// Lines that a reader of the goldens finds in one of them at least, for each of the three readers: a line's
/// beginning, and a part of it.
const SHOWN: &[(&str, &str, &str)] = &[
    ("- ", " breaks off the Siege of ", "8.1: a besieger breaks the Siege off, having no choice"),
    ("- ", " maintains the Siege of ", "8.1: he keeps it up"),
    ("- ", " blocks back (rule 8.1)", "8.1: with these blocks"),
    ("- ", " joins from the City (rule G8)", "8.1: the Besieged come to the relief"),
    ("- ", " sallies with 1 block (rule 8.2)", "8.2: a Sally"),
    ("- ", " storms with 4 blocks (rule 8.3)", "8.3: a Storming"),
    ("- ", " withdraws into ", "6.15: a withdrawal into a City"),
    ("- Year End: Royalist has ", " Recruitment Points (rule 11.0)", "11.0: the Royalist's year end"),
    ("- Year End: Parliament has ", " Recruitment Points (rule 11.0)", "11.0: Parliament's"),
    ("- ", " has 0 blocks short of supply (rule 9.11)", "9.11: enough for all"),
    ("  supply (rule 9.11, stage 0): done ", ", area ", "9.12: Areas that wait for their turn"),
    ("- ", " passes to ", "4.21: a City that changes hands"),
    ("- Victory Points: ", " (rule 4.51)", "4.51: points that move"),
    ("Node: over: ", "Victory", "10.0: an end"),
];

#[test]
fn the_goldens_show_what_a_match_can_come_to() {
    for observer in ["royalist", "parliament", "spectator"] {
        let texts = KEPT.map(|playout| golden(playout, observer));
        for (start, has, what) in SHOWN {
            assert!(texts.iter().any(|text| says(text, start, has)), "{observer}: nowhere {what}");
        }
    }
}
