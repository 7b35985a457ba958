use crate::{Desk, has};

fn new(desk: &Desk, dice: &str) -> String {
    desk.ok(&["new", "--game", "skirmish", "--dice", dice, "--out", "m.json"])
}

#[test]
fn one_seed_gives_one_match() {
    let desk = Desk::new();
    for (seed, name) in [("7", "a.json"), ("7", "b.json"), ("8", "c.json")] {
        desk.ok(&["new", "--game", "skirmish", "--seed", seed, "--out", name]);
    }
    assert_eq!(desk.read("a.json"), desk.read("b.json"));
    assert_ne!(desk.ok(&["show", "a.json", "--as", "north"]), desk.ok(&["show", "c.json", "--as", "north"]));
    let hex = "ab".repeat(32);
    desk.ok(&["new", "--game", "skirmish", "--seed", &hex, "--out", "d.json"]);
    has(&desk.read("d.json"), &hex);
    let answer = desk.run(&["new", "--game", "skirmish", "--seed", "twelve", "--out", "e.json"]);
    assert_eq!(answer.code, 2);
    has(&answer.err, "64 hexadecimal digits");
}

#[test]
fn a_script_is_used_up() {
    let desk = Desk::new();
    has(&new(&desk, "fife,drum,matchlock,trumpet"), "Luck: a script, used up\n");
    has(&desk.ok(&["show", "m.json"]), "Script: used up\n");
    desk.ok(&["resign", "m.json", "north"]);
    has(&desk.ok(&["verify", "m.json"]), "Script: used up\n");
}

#[test]
fn words_of_a_script_that_are_left_over_are_told_and_fail_the_check_of_a_match_that_is_over() {
    let desk = Desk::new();
    has(&new(&desk, "fife,drum,matchlock,trumpet,3,5"), "Luck: a script, left over: 3,5\n");
    has(&desk.ok(&["show", "m.json"]), "Script: left over: 3,5\n");
    desk.ok(&["verify", "m.json"]);
    has(&desk.ok(&["resign", "m.json", "north"]), "Script: left over: 3,5, although the match is over\n");
    let answer = desk.run(&["verify", "m.json"]);
    assert_eq!(answer.code, 1);
    has(&answer.out, "left over: 3,5, although the match is over");
}

#[test]
fn a_script_that_ends_too_early_or_does_not_fit_says_what_is_due() {
    let desk = Desk::new();
    let out = new(&desk, "fife,drum");
    has(&out, "Due: one of ");
    has(&out, "the script is used up");
    let desk = Desk::new();
    has(&new(&desk, "fife,6"), "script: `6` does not fit here");
}

#[test]
fn real_dice_are_entered_as_they_come() {
    let desk = Desk::new();
    has(&new(&desk, "real"), "Due: one of fife, drum, colours, partisan, matchlock, trumpet (dice 0/0)");
    has(&desk.ok(&["legal", "m.json"]), "Due: ");
    let before = desk.read("m.json");
    let answer = desk.run(&["enter", "m.json", "fife", "6"]);
    assert_eq!(answer.code, 1);
    has(&answer.err, "`6` does not fit here");
    assert_eq!(desk.read("m.json"), before);
    has(
        &desk.ok(&["enter", "m.json", "fife", "drum", "matchlock,trumpet"]),
        "Owing, in secret: north, south",
    );
    let answer = desk.run(&["enter", "m.json", "3"]);
    assert_eq!(answer.code, 1);
    has(&answer.err, "no dice and no draw are due");
}
