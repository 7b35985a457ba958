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
    has(&out, "- Taken back: `card partisan`\n");
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
    has(&out, "\n  17. The Self-Denying Ordinance");
    has(&out, "\n    Costs 2 Zeal; counts 3 Victory Points\n");
    let input = "about 17\nabout boye\nabout 99\nquit\n";
    let answer = Workspace::new().run_with(&["play", "cruel-necessity", "--seed", "7"], input);
    assert_eq!((answer.code, answer.err.as_str()), (0, ""));
    has(&answer.out, "Asks for a Battle won this turn or the last\n");
    has(&answer.out, "Prince Rupert: +2 Strength\n");
    has(&answer.out, "Nothing is called `99`: `about` alone lists what there is.\n");
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

fn play_of(game: &str, more: &[&str], input: &str) -> String {
    let mut args = vec!["play", game, "--seed", "7"];
    args.extend(more);
    let answer = Workspace::new().run_with(&args, input);
    assert_eq!((answer.code, answer.err.as_str()), (0, ""), "{}", answer.out);
    answer.out
}

const WAR: &str = "english-civil-war-iia";

#[test]
fn about_tells_every_entry_of_every_game() {
    for game in ["skirmish", "cruel-necessity", "this-war-without-an-enemy", "unhappy-king-charles", WAR] {
        let lists = ["spaces", "mats", "tracks", "piles", "pieces", "kinds", "cards", "markers", "charts"];
        let asked: String = lists.iter().map(|list| format!("about {list}\n")).collect();
        let listed = play_of(game, &[], &asked);
        let from = listed.find("> about spaces").expect("the first question");
        let names = listed[from..].lines().filter_map(|line| line.strip_prefix("  "));
        let asked: String = names.map(|name| format!("about {}\n", id_of(name))).collect();
        let told = play_of(game, &[], &asked);
        let answered = told.lines().filter(|line| line.contains("> about ")).count();
        assert!(answered > 20, "{game}: {answered} entries");
        assert!(!told.contains("is called `"), "{game}: {told}");
    }
}

/// `Name (id)`, or the name alone.
fn id_of(title: &str) -> &str {
    title.rsplit_once(" (").map_or(title, |(_, id)| id.trim_end_matches(')'))
}

#[test]
fn about_tells_attributes_neighbours_boxes_and_what_lies_there() {
    let input = "about oxfordshire\nabout turns\nabout r-rupert\nabout rounds\nabout oxf\n";
    let out = play_of("this-war-without-an-enemy", &[], input);
    has(&out, "Oxfordshire, space");
    has(&out, "\n  Within it: Oxford\n");
    has(&out, "\n  Next to (river border): ");
    has(&out, "\n  Now: Oxfordshire: 1 x parliament-block (Parliament; face down); control = Parliament\n");
    has(&out, " <- Turn\n");
    has(&out, "\n  It is now at Cheshire\n");
    has(&out, "| Class ");
    has(&out, "Nothing is called `oxf` in full; do you mean one of: ");
}

#[test]
fn near_lists_neighbours_with_their_kind_and_what_lies_there() {
    let out = play_of(
        "this-war-without-an-enemy",
        &[],
        "near durham\nnear northumberland\nnear oxford\nnear camelot\n",
    );
    has(&out, "Next to Durham:\n  Northumberland (river border): r-newcastle: infantry (Royalist)");
    has(&out, "  Newcastle (within it): control = Royalist\n");
    has(&out, "Next to Oxford, in Oxfordshire:\n");
    has(&out, "No space is called `camelot`");
}

#[test]
fn the_map_shows_every_place_once_with_what_lies_there() {
    let out = play_of(WAR, &["--columns", "100"], "about spaces\nmap\n");
    let (before, map) = out.split_once("> map\n").expect("it is drawn");
    let labels: Vec<&str> = map.split_whitespace().collect();
    for line in before.lines().filter(|line| line.starts_with("  ") && line.ends_with(')')) {
        let id = id_of(line);
        let of_place = |label: &&&str| label.split('(').next() == Some(id);
        if id.chars().count() == 3 && id.chars().all(|it| it.is_ascii_uppercase()) {
            assert_eq!(labels.iter().filter(of_place).count(), 1, "{id} in {map}");
        }
    }
    has(map, "OXF(R) R2");
    has(map, "R the Royalists, P Parliament");
    assert!(!map.contains('\u{1b}'), "a colour where there is no terminal");
    let narrow = play_of("this-war-without-an-enemy", &["--columns", "60"], "map\n");
    let map = narrow.split_once("> map\n").expect("it is drawn").1;
    assert!(map.lines().all(|line| line.chars().count() <= 60), "{map}");
}

#[test]
fn the_score_is_told_by_its_parts() {
    let out = play_of("cruel-necessity", &[], "score\n");
    has(&out, "Parliament: Victory Points in all 0\n");
    has(&out, "on the board: +0 (Monarchy track -3, Catholicism track -2, Army of the North +1");
    has(&out, "`about victory`");
    let out = play_of("this-war-without-an-enemy", &[], "score\n");
    has(&out, "Victory Points -1 (Minor Victory of Parliament): ");
    has(&out, "Control (Area): Royalist 11, Parliament 13\n");
    let out = play_of(WAR, &[], "score\n");
    has(&out, "regular centre (County): the Royalists 3, Parliament 1\n");
    has(&out, "Pieces on the map: ");
}

#[test]
fn what_has_changed_is_shown_after_an_action() {
    let out = play_of("cruel-necessity", &[], "infuse north\n");
    has(&out, "\nNow:\n  durham Durham (North 5): north [strength = 4; zeal-marker = +1;");
    has(&out, "\n  zeal Zeal Points: zeal = 4\n");
    assert_eq!(out.matches("york York").count(), 1, "the whole board is shown once: {out}");
}

#[test]
fn paragraphs_are_as_wide_as_is_asked_for() {
    let out = play_of("cruel-necessity", &["--columns", "60"], "about victory\nrules\nhelp\nboard\n");
    let wide = out.lines().find(|line| line.chars().count() > 60);
    assert_eq!(wide, None);
}

#[test]
fn a_line_is_told_and_taken_back_as_one() {
    let out = play_of(WAR, &[], "fund OXF x3; fund LON 2\nfund SWA\nundo\nundo\nundo\n");
    has(&out, "- written in secret by the Royalists (rule S6) (5 times)\n");
    has(&out, "Not final yet: fund OXF x3; fund LON x2\n");
    has(&out, "undo: Take back `fund OXF x3; fund LON x2`\n");
    has(&out, "- Taken back: `fund SWA`\n");
    has(&out, "- Taken back: `fund OXF x3; fund LON x2`\n");
    has(&out, "NOTHING_TO_UNDO");
}

#[test]
fn a_line_is_taken_up_to_where_somebody_else_is_asked() {
    let out = play("card partisan; done; march north-camp ford; take north-1; go\nquit\n").out;
    has(&out, "not taken: `march north-camp ford; take north-1; go`\n");
    has(&out, "- North has committed");
    let position = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/command/sessions/unhappy-king-charles.json");
    // Waller may intercept at Newbury.
    let line = "card E06; use activate\nactivate hopton; move newbury; move reading\nquit\n";
    let out = play_of("unhappy-king-charles", &["--position", position], line);
    has(&out, "not taken: `move reading`\n");
}

#[test]
fn undo_is_offered_where_it_can_be_done() {
    let out = play("1\ndone\nquit\n").out;
    let (before, after) = out.split_once("- North has committed").expect("it is committed");
    assert_eq!(before.matches("undo: Take back `card partisan`\n").count(), 1, "{before}");
    assert!(!after.contains("undo: "), "{after}");
}

#[test]
fn lists_are_written_in_any_order_and_menus_hide_nothing_of_them() {
    let out = play_of(WAR, &[], "fund LON; fund OXF\nfund NLD\nfund DUR\nundo\nundo\nundo\n");
    has(&out, "Not final yet: fund LON; fund OXF\n");
    has(&out, "Not final yet: fund LON; fund OXF; fund NLD\n");
    has(&out, "Not final yet: fund LON; fund OXF; fund NLD; fund DUR\n");
    has(&out, "- Taken back: `fund DUR`\n");
    has(&out, "- Taken back: `fund NLD`\n");
    has(&out, "- Taken back: `fund LON; fund OXF`\n");
}

#[test]
fn what_is_refused_on_another_ground_is_not_put_in_order() {
    let out = play_of(WAR, &[], "fund OXF\nfund OXF x9\n");
    has(&out, "is not legal");
    assert!(!out.contains("Not final yet: fund OXF x"), "{out}");
}

#[test]
fn menus_tell_strengths_and_odds() {
    let out = play_of("cruel-necessity", &[], "infuse north\n");
    has(
        &out,
        "campaign north        Army of the North [strength 4, zeal-marker +1, wins-in-6 3, points 1]\n",
    );
    let out = play_of("cruel-necessity", &[], "menu\n");
    has(&out, "menu: Each with its name, strengths and odds\n");
    has(&out, " Army of the North [strength 4, wins-in-6 2, points 1]\n");
}

#[test]
fn draws_are_refused_with_a_reason_where_nobody_answers() {
    let out = play("offer-draw\naccept-draw\ndecline-draw\n").out;
    has(&out, "House bots answer no offers of a draw; `resign` gives up.\n");
    has(&out, "(NO_OFFER)\n");
    has(&play_of("cruel-necessity", &[], "offer-draw\n"), "(NO_OPPONENT)\n");
}

#[test]
fn the_end_tells_how_it_came_about_and_points() {
    let out = play("resign\n").out;
    has(&out, "\nScore at the end:\n");
    has(&out, "\nHow: a seat gave up\nPoints: North -1, South +1\n");
    let out = play(&"1\n".repeat(300)).out;
    has(&out, "\nHow: by the rules of the game\n  Rule ");
    has(&out, "\nPoints: North ");
}

#[test]
fn rules_are_found_by_their_words() {
    let out = play("rules secret\nrules xyzzy\n").out;
    has(&out, "\n  2.3 The choice: ");
    has(&out, "No rule has `xyzzy` in it.\n");
}

#[test]
fn colours_go_to_terminals_and_not_to_those_who_want_none() {
    let map = |variables: &[(&str, &str)]| {
        let args = ["play", "skirmish", "--seed", "7"];
        let answer = Workspace::new().run_in(&args, "map\nquit\n", variables);
        assert_eq!((answer.code, answer.err.as_str()), (0, ""));
        answer.out
    };
    let (piped, forced) = (map(&[]), map(&[("CLICOLOR_FORCE", "1")]));
    assert!(!piped.contains('\u{1b}'), "{piped}");
    has(&forced, "\u{1b}[");
    assert_eq!(map(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]), piped);
}
