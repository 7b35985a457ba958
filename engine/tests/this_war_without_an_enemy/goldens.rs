//! The kept playouts show what a match can come to: this says what a reader of them is promised.

use edgehill_engine::laws::{Golden, golden, golden_bots};
use edgehill_engine::registry::Registry;
use edgehill_engine::setup::Setup;

/// The kept playouts, one by chance and the others by the house bot.
const KEPT: [(&str, u64); 3] = [("random", 1642), ("captain", 1191), ("captain", 1954)];

/// A kept playout as each observer saw it: of two of them a hash is all that is kept.
fn playout((by, seed): (&str, u64)) -> Vec<Golden> {
    let registry = Registry::built_in().expect("the built-in content is sound");
    let game = registry.game("this-war-without-an-enemy").expect("the game is listed").as_ref();
    let setup = Setup::new(game.catalogue(), Some("early-war"), &Default::default()).expect("a scenario");
    let mut bots = golden_bots(game, by, seed).expect("a house bot");
    golden(game, &setup, seed, &mut bots).expect("everything said is a sentence")
}

/// Returns whether a line of a kept playout begins and ends like this, the rule included.
fn says(text: &str, start: &str, end: &str) -> bool {
    let told = |line: &str| line.trim_start_matches([' ', '+']).starts_with(start) && line.contains(end);
    text.lines().any(told)
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
    ("supply (rule 9.11, stage 0): done ", ", area ", "9.12: Areas that wait for their turn"),
    ("- ", " passes to ", "4.21: a City that changes hands"),
    ("- Victory Points: ", " (rule 4.51)", "4.51: points that move"),
    ("Node: over: ", "Victory", "10.0: an end"),
];

#[test]
fn the_goldens_show_what_a_match_can_come_to() {
    let playouts = KEPT.map(playout);
    for observer in 0..playouts[0].len() {
        let texts: Vec<String> = playouts.iter().map(|goldens| goldens[observer].text()).collect();
        for (start, has, what) in SHOWN {
            let seen_by = playouts[0][observer].observer;
            assert!(texts.iter().any(|text| says(text, start, has)), "{seen_by:?}: nowhere {what}");
        }
    }
}
