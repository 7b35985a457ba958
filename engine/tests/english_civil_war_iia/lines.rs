//! Lines: the grammar in either direction, and what it refuses.

use edgehill_engine::action::ActionId;
use edgehill_engine::chance_source::below;
use edgehill_engine::event::Events;
use edgehill_engine::game::{Game, Node};
use edgehill_engine::games::english_civil_war_iia::State;
use edgehill_engine::seat::Seat;
use edgehill_engine::table::ApplyMode;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use serde_json::json;

use crate::play::{Match, P, R, game, setup};

/// A line, as it is printed after it was read and completed.
fn printed(play: &Match, seat: Seat, line: &str) -> String {
    let actions =
        game().parse_line(play.table.state(), seat, line).unwrap_or_else(|error| panic!("{line}: {error}"));
    game().print_line(play.table.state(), seat, &actions)
}

#[test]
fn lines_print_in_one_way() {
    let units = json!({
        "R": ["2A+Charles+Rupert OXF", "A KEN", "2A LON", "A BRK"],
        "P": ["A+Cromwell CAM", "A LIN", "A WAR", "L Fairfax+Essex HRT"],
    });
    let play = Match::at(&json!({ "units": units }));
    let royalist = [
        ("A KEN H", "A KEN H"),
        ("A KEN", "A KEN H"),
        ("a ken-ssx", "A KEN-SSX"),
        ("A OXF-BUC; A OXF-BUC", "2A OXF-BUC; L Charles+Rupert OXF H"),
        ("A+Rupert OXF-BUC", "A+Rupert OXF-BUC; A+Charles OXF H"),
        ("2A  LON   S KEN", "2A LON S KEN"),
        ("2A LON S KEN-SRY", "2A LON S KEN-SRY"),
        (
            "A+Charles OXF S BRK-BUC; A OXF S WAR-NHP",
            "A OXF S WAR-NHP; A+Charles OXF S BRK-BUC; L Rupert OXF H",
        ),
        ("A BRK MERGE BUC", "A BRK MERGE BUC"),
        ("L Rupert+Charles OXF-GLO", "L Charles+Rupert OXF-GLO; 2A OXF H"),
    ];
    for (line, canonical) in royalist {
        assert_eq!(printed(&play, R, line), canonical);
    }
    let parliament = [
        ("L Cromwell CAM-HUN", "L Cromwell CAM-HUN; A CAM H"),
        ("L Fairfax+Essex HRT-BED", "L Fairfax+Essex HRT-BED"),
        ("L Fairfax HRT MERGE LON", "L Fairfax HRT MERGE LON; L Essex HRT H"),
    ];
    for (line, canonical) in parliament {
        if line.contains("MERGE") {
            assert!(game().parse_line(play.table.state(), P, line).is_err(), "no other own unit is near");
        } else {
            assert_eq!(printed(&play, P, line), canonical);
        }
    }
    let all = printed(&play, R, "A KEN-SSX; Done");
    assert_eq!(all, "2A+Charles+Rupert OXF H; A BRK H; A KEN-SSX; 2A LON H; Done");
    // Any sequence of the items, the same print.
    let one = printed(&play, R, "A KEN-SRY; 2A LON S KEN-SRY; A OXF-BUC; Done");
    let other = printed(&play, R, "A OXF-BUC\n2A LON S KEN-SRY\nA KEN-SRY\ndone");
    assert_eq!(one, other);
}

#[test]
fn lines_of_seasons() {
    let mut play = Match::start();
    assert_eq!(printed(&play, R, "I PEM 4; I LIN; I LIN; Done"), "I LIN 2; I PEM 4; Done");
    play.both("", "I LAN 1; I CHE 1");
    let line = "P Newcastle MWA; P Hopton MWA; P Rupert OXF; P Charles OXF; X OXF; X NLD; Done";
    let canonical = "X NLD; X OXF; P Charles OXF; P Rupert OXF; P Hopton MWA; P Newcastle MWA; Done";
    assert_eq!(printed(&play, R, line), canonical);
    let game = crate::play::month([&["4A OXF"], &["2A+Essex BUC"]], ["4A OXF-BUC", ""]).game;
    let line = "A+Essex BUC R LON; Done";
    assert_eq!(printed(&game, P, line), "A+Essex BUC R LON; A BUC D; Done");
}

#[test]
fn lines_say_what_is_wrong() {
    let units = json!({ "R": ["2A+Rupert OXF", "L Charles BRK"], "P": ["A LON"] });
    let play = Match::at(&json!({ "units": units }));
    let wrong = [
        ("A OXF-BRK; A XXX H", 1, "the id of a space"),
        ("A OXF-KEN", 0, "NOT_ADJACENT"),
        ("3A OXF-BUC", 0, "units that stand in OXF"),
        ("A+Cromwell OXF-BUC", 0, "units that stand in OXF"),
        ("A+Nobody OXF-BUC", 0, "a leader"),
        ("B OXF-BUC", 0, "the id of a space"),
        ("Q OXF-BUC", 0, "units, such as A"),
        ("A OXF FLEES BUC", 0, "a space and H"),
        ("A OXF R BRK", 0, "an order, such as A KEN-SSX"),
        ("I OXF 2", 0, "an order, such as A KEN-SSX"),
        ("0A OXF-BRK", 0, "units, such as A"),
        ("L Charles BRK S OXF", 0, "NO_STRENGTH"),
        ("A OXF S NHP", 0, "NOTHING_TO_SUPPORT"),
        ("A LON-KEN", 0, "ALREADY_ORDERED"),
    ];
    for (line, index, expected) in wrong {
        let error = game().parse_line(play.table.state(), R, line).expect_err(line);
        assert_eq!(error.index, index, "{line}: {error}");
        assert!(error.expected.contains(expected), "{line}: {error}");
    }
}

#[test]
fn lines_do_not_cross_a_reveal() {
    let mut play = Match::month(&["A OXF"], &["A LON"]);
    let refused = play.table.apply_line(R, "A OXF-BRK; Done; A OXF-BUC", ApplyMode::Atomic);
    assert_eq!(refused.map_err(|refusal| refusal.code()), Err("LIST_CROSSES_REVEAL"));
    assert_eq!(play.table.draft(R).len(), 0);
}

#[test]
fn a_printed_draft_reads_back_to_the_same_papers() {
    for seed in 0..60 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut state = game().start(&setup(&[("max_seasons", "3")]));
        let mut legal = Vec::new();
        let mut nodes = 0;
        while let Node::Sealed(to_act) = game().node(&state) {
            let seat = to_act.iter().next().expect("somebody owes");
            let actions = draft(&state, seat, &mut rng, &mut legal);
            let line = game().print_line(&state, seat, &actions);
            let read =
                game().parse_line(&state, seat, &line).unwrap_or_else(|error| panic!("{line}: {error}"));
            let (mut by_actions, mut by_line) = (state, state);
            apply(&mut by_actions, seat, &actions);
            apply(&mut by_line, seat, &read);
            assert!(by_actions == by_line, "{line}");
            assert_eq!(game().print_line(&state, seat, &read), line);
            state = by_actions;
            nodes += 1;
            if nodes > 12 {
                break;
            }
        }
    }
}

fn apply(state: &mut State, seat: Seat, actions: &[ActionId]) {
    actions.iter().for_each(|&action| game().apply(state, seat, action, &mut Events::silent()));
}

/// A whole random draft, its commit included.
fn draft(state: &State, seat: Seat, rng: &mut ChaCha8Rng, legal: &mut Vec<ActionId>) -> Vec<ActionId> {
    let mut state = *state;
    let done = game().catalogue().actions.parse("done").expect("an action");
    let mut actions = Vec::new();
    loop {
        game().legal(&state, seat, legal);
        let action = legal[below(legal.len() as u64, rng) as usize];
        actions.push(action);
        if action == done {
            return actions;
        }
        game().apply(&mut state, seat, action, &mut Events::silent());
    }
}

#[test]
fn every_action_of_the_table_is_read_and_written_alike() {
    let actions = &game().catalogue().actions;
    assert_eq!(actions.len(), 679);
    for id in actions.ids() {
        let act = game().actions().act(id).expect("every action means something");
        assert_eq!(game().actions().id(act), id);
        assert_eq!(actions.parse(&actions.notation(id)), Some(id));
    }
}

#[test]
fn a_line_goes_on_where_the_draft_stands() {
    let mut play = Match::month(&["2A+Rupert OXF", "A CON", "A NLD"], &["A LON"]);
    play.write(R, "pick OXF; part 1");
    let actions = ["with rupert", "move BUC", "hold", "hold"]
        .map(|word| game().catalogue().actions.parse(word).expect("an action"));
    let line = game().print_line(play.table.state(), R, &actions);
    assert_eq!(line, "with Rupert; move BUC; A NLD H; A OXF H");
    let read = game().parse_line(play.table.state(), R, &line);
    assert_eq!(read.as_deref(), Ok(&actions[..]));
}

bodies! {
    lines_print_in_one_way,
    lines_of_seasons,
    lines_say_what_is_wrong,
    lines_do_not_cross_a_reveal,
    a_line_goes_on_where_the_draft_stands,
}
