use crate::{Workspace, has};

#[test]
fn games_are_listed_and_told() {
    let workspace = Workspace::new();
    has(&workspace.ok(&["games"]), "skirmish: Skirmish\n");
    has(&workspace.ok(&["games", "--ids"]), "skirmish\n");
    let told = workspace.ok(&["games", "skirmish"]);
    for part in [
        "Scenarios\n",
        "drill: Drill for one (seats: 1; returns -1 to +1)",
        "march",
        "House bots\n",
        "random: ",
    ] {
        has(&told, part);
    }
}

#[test]
fn an_unknown_game_is_refused_with_those_that_there_are() {
    let answer = Workspace::new().run(&["games", "chess"]);
    assert_eq!(answer.code, 2);
    has(&answer.err, "game `chess`: this build has ");
    has(&answer.err, "skirmish");
}

#[test]
fn one_game_has_a_verb_of_its_own() {
    let workspace = Workspace::new();
    assert_eq!(workspace.ok(&["game", "skirmish"]), workspace.ok(&["games", "skirmish"]));
}

#[test]
fn exit_codes_are_in_the_help() {
    let help = Workspace::new().ok(&["--help"]);
    has(&help, "Exit codes:");
    has(&help, "1  the answer is no");
}
