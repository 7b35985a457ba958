use crate::{Workspace, has};

fn new(workspace: &Workspace, dice: &str) -> String {
    workspace.ok(&["new", "--game", "skirmish", "--dice", dice, "--out", "m.json"])
}

#[test]
fn one_seed_gives_one_match() {
    let workspace = Workspace::new();
    for (seed, name) in [("7", "a.json"), ("7", "b.json"), ("8", "c.json")] {
        workspace.ok(&["new", "--game", "skirmish", "--seed", seed, "--out", name]);
    }
    assert_eq!(workspace.read("a.json"), workspace.read("b.json"));
    assert_ne!(
        workspace.ok(&["show", "a.json", "--as", "north"]),
        workspace.ok(&["show", "c.json", "--as", "north"])
    );
    let hex = "ab".repeat(32);
    workspace.ok(&["new", "--game", "skirmish", "--seed", &hex, "--out", "d.json"]);
    has(&workspace.read("d.json"), &hex);
    let answer = workspace.run(&["new", "--game", "skirmish", "--seed", "twelve", "--out", "e.json"]);
    assert_eq!(answer.code, 2);
    has(&answer.err, "64 hexadecimal digits");
}

#[test]
fn a_script_is_used_up() {
    let workspace = Workspace::new();
    has(&new(&workspace, "fife,drum,matchlock,trumpet"), "Dice: a script, used up\n");
    has(&workspace.ok(&["show", "m.json"]), "Script: used up\n");
    workspace.ok(&["resign", "m.json", "north"]);
    has(&workspace.ok(&["verify", "m.json"]), "Script: used up\n");
}

#[test]
fn words_of_a_script_that_are_left_over_are_told_and_fail_the_check_of_a_match_that_is_over() {
    let workspace = Workspace::new();
    has(&new(&workspace, "fife,drum,matchlock,trumpet,3,5"), "Dice: a script, left over: 3,5\n");
    has(&workspace.ok(&["show", "m.json"]), "Script: left over: 3,5\n");
    workspace.ok(&["verify", "m.json"]);
    has(
        &workspace.ok(&["resign", "m.json", "north"]),
        "Script: left over: 3,5, although the match is over\n",
    );
    let answer = workspace.run(&["verify", "m.json"]);
    assert_eq!(answer.code, 1);
    has(&answer.out, "left over: 3,5, although the match is over");
}

#[test]
fn a_script_that_ends_too_early_or_does_not_fit_says_what_is_due() {
    let workspace = Workspace::new();
    let out = new(&workspace, "fife,drum");
    has(&out, "Due: one of ");
    has(&out, "the script is used up");
    let workspace = Workspace::new();
    has(&new(&workspace, "fife,6"), "script: `6` does not fit here");
}

#[test]
fn real_dice_are_entered_as_they_come() {
    let workspace = Workspace::new();
    has(&new(&workspace, "real"), "Due: one of fife, drum, colours, partisan, matchlock, trumpet (dice 0/0)");
    has(&workspace.ok(&["legal", "m.json"]), "Due: ");
    let before = workspace.read("m.json");
    let answer = workspace.run(&["enter", "m.json", "fife", "6"]);
    assert_eq!(answer.code, 1);
    has(&answer.err, "`6` does not fit here");
    assert_eq!(workspace.read("m.json"), before);
    has(
        &workspace.ok(&["enter", "m.json", "fife", "drum", "matchlock,trumpet"]),
        "To act, in secret: north, south",
    );
    let answer = workspace.run(&["enter", "m.json", "3"]);
    assert_eq!(answer.code, 1);
    has(&answer.err, "no dice and no draw are due");
}
