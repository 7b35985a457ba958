use crate::{Answer, Workspace, has};

fn play(input: &str) -> Answer {
    let answer = Workspace::new().run_with(&["play", "skirmish", "--seed", "7", "--bot", "random"], input);
    assert_eq!(answer.err, "");
    assert_eq!(answer.code, 0);
    answer
}

#[test]
fn actions_are_taken_by_number_by_notation_and_by_line() {
    let out = play("1\nundo\nCARD   Partisan\ndone\nmarch north-camp ford; take north-1; go\nquit\n").out;
    has(&out, "you play North");
    has(&out, "South is played by the house bot `random`.");
    has(&out, "Not final yet: card partisan\n");
    has(&out, "- Taken back\n");
    has(&out, "- North shows Partisan");
    has(&out, "- North marches ");
    has(&out, "You leave; the match is not over.\n");
}

#[test]
fn what_is_not_understood_is_answered_and_nothing_happens() {
    let out = play("99\nmarch moon\nundo\n\n# a remark\nhelp\nquit\n").out;
    has(&out, "The menu has no action 99: it goes from 1 to 2.");
    has(&out, "`march moon`");
    has(&out, "NOTHING_TO_UNDO");
    has(&out, "\n  3            take action 3 of the menu\n");
    has(&out, "\n  why ACTION");
    assert!(!out.contains("North picks"), "{out}");
}

#[test]
fn why_gives_the_rule_in_words() {
    let out = play("why done\nwhy card partisan\nwhy 2\nrule 2.3\nrule 99\nquit\n").out;
    has(&out, "rule 2.3");
    has(&out, "Both seats choose a card in secret");
    has(&out, "`card partisan` is legal now.");
    has(&out, "`card matchlock` is legal now.");
    has(&out, "There is no rule `99`; there are 1.1, ");
}

#[test]
fn about_tells_what_a_card_does() {
    let out = Workspace::new().ok(&["games", "cruel-necessity"]);
    has(&out, "\n  17 17. The Self-Denying Ordinance");
    has(&out, "\n    Costs 2 Zeal; counts 3 Victory Points\n");
    let input = "about 17\nabout boye\nabout 99\nquit\n";
    let answer = Workspace::new().run_with(&["play", "cruel-necessity", "--seed", "7"], input);
    assert_eq!((answer.code, answer.err.as_str()), (0, ""));
    has(&answer.out, "Asks for a Battle won this turn or the last\n");
    has(&answer.out, "Prince Rupert: +2 Strength\n");
    has(&answer.out, "There is no card `99`; there are 1, 2, ");
}

#[test]
fn show_full_legal_and_events_can_be_asked_for_at_any_time() {
    let out = play("show\nfull\nlegal\nevents\nquit\n").out;
    has(&out, "Skirmish | North | sealed choices");
    has(&out, "Skirmish, as seen by North\n");
    assert_eq!(out.matches("card: Choose a card\n").count(), 2, "{out}");
    assert_eq!(out.matches("- North is dealt Partisan").count(), 2, "{out}");
}

#[test]
fn input_that_ends_leaves_the_match() {
    has(&play("1\n").out, "No more input: the match is not over.\n");
}

#[test]
fn giving_up_ends_the_match_and_its_record_is_in_order() {
    let workspace = Workspace::new();
    let args = ["play", "skirmish", "--seat", "south", "--seed", "7", "--record", "r.edg"];
    let answer = workspace.run_with(&args, "1\nresign\n");
    has(&answer.out, "Over: ");
    has(&answer.out, "Record: r.edg\n");
    has(&workspace.read("r.edg"), "resigned south");
    has(&workspace.consistent(&["r.edg"]), "consistent, but unchecked: ");
}

/// First actions to the end: a match between a person and a bot ends with a result.
#[test]
fn a_match_is_played_to_its_end() {
    let out = play(&"1\n".repeat(300)).out;
    has(&out, "Over: ");
    assert!(!out.contains("No more input"), "{out}");
}

#[test]
fn real_dice_are_asked_for() {
    let workspace = Workspace::new();
    let args = ["play", "skirmish", "--scenario", "drill", "--dice", "real"];
    let out = workspace.run_with(&args, "legal\nnonsense\nquit\n").out;
    has(&out, "one of ");
    has(&out, "`nonsense` does not fit here");
}

#[test]
fn an_unknown_bot_is_refused_with_those_that_there_are() {
    let answer = Workspace::new().run(&["play", "skirmish", "--bot", "deep"]);
    assert_eq!(answer.code, 2);
    has(&answer.err, "bot `deep`: this game has ");
    has(&answer.err, "random");
}
