//! Rulings on leaders (L), one test each.

use serde_json::json;

use crate::play::{Match, R, month, play};

#[test]
fn rule_8_a_leader_alone_in_enemy_ground_is_captured() {
    month([&["A+Rupert OXF"], &["A LON"]], ["L Rupert OXF-BUC", ""]).published("captured.alone Rupert BUC");
    month([&["A+Rupert OXF"], &["A LON"]], ["A+Rupert OXF-BUC", ""]).silent("captured");
}

#[test]
fn rule_l1_a_lone_leader_counts_one_on_own_ground() {
    month([&["L Rupert OXF"], &["A BUC"]], ["", "A BUC-OXF"])
        .gave(&[("A BUC-OXF", "bounced.strength"), ("L Rupert OXF H", "held")])
        .published_by("ordered.hold royalist OXF OXF 0 Rupert", "L1");
    month([&["L Rupert BRK"], &["A HAM"]], ["", "A HAM-BRK"]).gave(&[("A HAM-BRK", "moved")]);
}

#[test]
fn rule_l2_without_strength_a_leader_gives_way_and_supports_nobody() {
    month([&["L Rupert BRK"], &["A HAM", "A DOR"]], ["L Rupert BRK-WIL", "A HAM-WIL; A DOR-WIL"])
        .gave(&[("L Rupert BRK-WIL", "bounced.contested")])
        .published_by("ordered.move royalist BRK WIL 0 Rupert", "L2");
    let game = Match::month(&["L Rupert BRK", "A OXF"], &["A HAM"]);
    let mut game = game;
    game.write(R, "pick BRK");
    assert_eq!(game.refusal(R, "support OXF"), [("NO_STRENGTH", "L2")]);
}

#[test]
fn rule_l3_each_leader_adds_one_to_his_army() {
    month([&["A+Charles+Rupert OXF"], &["2A BUC"]], ["A+Charles+Rupert OXF-BUC", ""])
        .gave(&[("A+Charles+Rupert OXF-BUC", "moved"), ("2A BUC H", "dislodged")]);
    month([&["A+Rupert OXF", "A BRK"], &["3A BUC"]], ["A+Rupert OXF S BRK", "3A BUC-BRK"])
        .gave(&[("3A BUC-BRK", "bounced.strength")])
        .published_by("ordered.support royalist OXF BRK 1 Rupert", "L3");
}

#[test]
fn rule_l4_a_leader_with_an_army_shares_its_order() {
    month([&["A+Rupert OXF"], &["A LON"]], ["A+Rupert OXF-BRK", ""])
        .published_by("ordered.move royalist OXF BRK 1 Rupert", "L4")
        .stand(&["A+Rupert BRK"], &["A LON"]);
}

#[test]
fn rule_l5_an_order_of_his_own_parts_a_leader_from_the_army() {
    month([&["A+Hopton CON"], &["A DEV"]], ["A CON-DEV; L Hopton CON S CON-DEV", ""])
        .gave(&[("L Hopton CON S CON-DEV", "given"), ("A CON-DEV", "moved")]);
    month([&["A+Rupert OXF"], &["A LON"]], ["L Rupert OXF-BRK", ""])
        .published_by("ordered.move royalist OXF BRK 0 Rupert", "L5");
}

#[test]
fn rule_l6_two_leaders_a_space() {
    let mut game = Match::start();
    game.both("", "");
    game.write(R, "P Charles OXF; P Rupert OXF");
    assert_eq!(game.refusal(R, "place OXF"), [("TWO_LEADERS_ALREADY", "L6")]);
    let mut game = Match::month(&["A+Charles+Rupert OXF", "A+Hopton BRK"], &["A LON"]);
    game.write(R, "A+Hopton BRK MERGE OXF");
    let view = game.table.view(edgehill_engine::seat::Observer::Seat(R));
    assert!(view.turn_state.warnings.iter().any(|warning| warning.code == "three_leaders"));
    assert!(game.view().turn_state.warnings.is_empty(), "warnings are private");
}

#[test]
fn rule_l7_a_part_without_an_army_joins_own_units() {
    month([&["2A+Charles OXF", "L Rupert BRK"], &["A LON"]], ["L Rupert BRK-OXF", ""])
        .gave(&[("L Rupert BRK-OXF", "joined")])
        .published_by("joined royalist BRK OXF 0 Rupert 0 0", "L7");
}

#[test]
fn rule_l8_captures_come_after_moves_and_occupation() {
    month([&["A+Rupert LIN"], &["A LON"]], ["A LIN-NOT", ""]).published_by("captured.alone Rupert LIN", "L8");
    // His army turned the county to nobody's in the same month before it: he stays free.
    let position =
        json!({ "units": { "R": ["A+Rupert LIN", "L Charles CON"], "P": ["2A LON", "L Cromwell ESX"] } });
    play(Match::at(&position), ["", ""])
        .silent("captured")
        .rated("LIN", 0)
        .then(["A LIN-NOT", ""])
        .silent("captured");
}

#[test]
fn rule_l9_alone_he_retreats_to_safe_ground_only() {
    let played = month([&["L Rupert BRK"], &["A HAM"]], ["", "A HAM-BRK"]);
    assert_eq!(played.game.refusal(R, "retreat BUC"), [("LEADER_NEEDS_ARMY", "L9")]);
    played.then(["L Rupert BRK R WIL", ""]).stand(&["L Rupert WIL"], &["A BRK"]);
    month([&["L Rupert BRK"], &["A HAM"]], ["", "A HAM-BRK"])
        .then(["", ""])
        .gave(&[("L Rupert BRK D", "captured")])
        .published_by("captured.no_retreat Rupert BRK", "L9");
}

#[test]
fn rule_l10_leaders_of_a_dislodged_stack_go_with_armies_or_alone() {
    let units: [&[&str]; 2] = [&["2A+Charles+Rupert OXF"], &["2A+Essex WAR", "2A BUC"]];
    let orders = ["", "2A+Essex WAR MERGE OXF; 2A BUC MERGE OXF"];
    month(units, orders)
        .then(["A+Charles OXF R BRK; A+Rupert OXF R NHP", ""])
        .stand(&["A+Rupert NHP", "A+Charles BRK"], &["4A+Essex OXF"]);
    month(units, orders)
        .then(["L Charles OXF R BRK", ""])
        .published_by("captured.no_retreat Rupert OXF", "L10")
        .stand(&["L Charles BRK"], &["4A+Essex OXF"]);
}

#[test]
fn rule_l11_a_removal_can_leave_a_leader_to_the_enemy() {
    // Parliament has one centre left, and two armies.
    let bias = json!({ "WRY": 1, "LIN": 1, "WAR": 1, "CAM": 1, "NFK": 1, "ESX": 1, "GLO": 1, "HAM": 1, "DEV": 1, "PEM": 1, "LON": 1 });
    let position = json!({
        "season": 2, "month": 0, "bias": bias,
        "regular": { "LON": "R", "GLO": "R" },
        "units": { "R": ["A CON"], "P": ["A KEN", "A+Waller CHE"] },
    });
    let mut game = Match::at(&position);
    game.both("", "");
    game.news();
    game.both("", "X CHE");
    assert!(game.facts().contains(&"captured.removal Waller CHE".to_owned()));
}

#[test]
fn rule_l12_a_captured_leader_is_out_for_good() {
    let mut game = month([&["A+Rupert OXF", "A CON"], &["A LON", "A KEN"]], ["L Rupert OXF-BUC", ""]).game;
    for _ in 0..2 {
        game.both("", "");
    }
    let view = game.view();
    let rupert = view.board.pieces[&1];
    assert_eq!(game_place(rupert.at), "captured");
}

fn game_place(at: edgehill_engine::reference::Location) -> String {
    use edgehill_engine::game::Game;
    crate::play::game().catalogue().id_of(at.into())
}

#[test]
fn rule_l13_armies_join_own_leaders() {
    month([&["A OXF", "L Charles BRK"], &["A LON"]], ["A OXF-BRK", ""])
        .gave(&[("A OXF-BRK", "joined"), ("L Charles BRK H", "held")])
        .published_by("joined royalist OXF BRK 1 0 1", "L13")
        .stand(&["A+Charles BRK"], &["A LON"]);
}

#[test]
fn rule_l14_support_does_not_carry_a_leader_without_strength() {
    month([&["L Rupert BRK", "A OXF"], &["A BUC"]], ["A OXF S BRK-BUC; L Rupert BRK-BUC", ""])
        .gave(&[("L Rupert BRK-BUC", "bounced.contested"), ("A OXF S BRK-BUC", "given")])
        .published_by("ordered.support_move royalist OXF BUC 1 BRK", "L14");
    month([&["L Rupert BRK", "2A OXF"], &["A BUC"]], ["2A OXF S BRK-BUC; L Rupert BRK-BUC", ""])
        .gave(&[("L Rupert BRK-BUC", "bounced.contested"), ("A BUC H", "held")]);
    month([&["L Rupert BRK", "A OXF"], &["A HAM"]], ["A OXF S BRK", "A HAM-BRK"])
        .gave(&[("A HAM-BRK", "bounced.strength"), ("L Rupert BRK H", "held")]);
}

#[test]
fn rule_l15_two_leaders_under_one_order_count_two() {
    month([&["L Charles+Rupert OXF"], &["A BUC"]], ["L Charles+Rupert OXF-BUC", ""])
        .gave(&[("L Charles+Rupert OXF-BUC", "moved"), ("A BUC H", "dislodged")])
        .published_by("ordered.move royalist OXF BUC 0 Charles Rupert", "L15");
}

#[test]
fn rule_l16_a_merge_of_three_leaders_is_void() {
    month(
        [&["A+Charles+Rupert OXF", "A+Hopton WAR"], &["A LON"]],
        ["A+Charles+Rupert OXF MERGE GLO; A+Hopton WAR MERGE GLO", ""],
    )
    .gave(&[("A+Hopton WAR MERGE GLO", "void.three_leaders")])
    .published_by("ordered.merge royalist WAR GLO 1 Hopton", "L16");
}

#[test]
fn rule_l17_a_move_that_would_make_three_leaders_fails() {
    month([&["2A+Charles+Hopton OXF", "L Rupert BRK"], &["A LON"]], ["L Rupert BRK-OXF", ""])
        .gave(&[("L Rupert BRK-OXF", "bounced.limit")])
        .published_by("bounced.limit royalist BRK OXF 0 Rupert 0 0", "L17");
}

#[test]
fn rule_l18_a_leader_may_go_into_enemy_ground_and_is_warned() {
    let mut game = Match::month(&["A+Rupert OXF"], &["A LON"]);
    game.write(R, "L Rupert OXF-BUC; A OXF H");
    let warnings = game.table.view(edgehill_engine::seat::Observer::Seat(R)).turn_state.warnings.clone();
    assert!(warnings.iter().any(|warning| warning.code == "capture_risk"));
    // An own army that arrives makes him safe.
    month([&["A OXF", "L Rupert BRK"], &["A LON"]], ["A OXF-BUC; L Rupert BRK-BUC", ""])
        .gave(&[("L Rupert BRK-BUC", "bounced.contested")]);
}

#[test]
fn rule_l19_strength_0_enters_only_where_nobody_else_does() {
    month([&["L Rupert BRK"], &["A DOR"]], ["L Rupert BRK-WIL", "A DOR-WIL"])
        .gave(&[("L Rupert BRK-WIL", "bounced.contested"), ("A DOR-WIL", "moved")])
        .published_by("bounced.contested royalist BRK WIL 0 Rupert 0 0", "L19");
    month([&["L Rupert BRK"], &["A LON"]], ["L Rupert BRK-WIL", ""]).gave(&[("L Rupert BRK-WIL", "moved")]);
}

#[test]
fn rule_l20_a_leader_not_named_stays_with_what_holds() {
    month([&["2A+Rupert OXF"], &["A LON"]], ["A OXF-BRK", ""])
        .gave(&[("A+Rupert OXF H", "held")])
        .published_by("ordered.hold royalist OXF OXF 1 Rupert", "L20");
}

#[test]
fn rule_l21_control_at_the_start_decides_for_the_whole_month() {
    // Lincoln turns from Parliament's to nobody's in this month: Cromwell still counted one.
    let position = json!({ "units": { "R": ["A LIN"], "P": ["L Cromwell CAM"] } });
    play(Match::at(&position), ["A LIN-CAM", ""]).gave(&[("A LIN-CAM", "bounced.strength")]).rated("LIN", 0);
    let neutral = json!({ "units": { "R": ["A LIN"], "P": ["L Cromwell CAM"] }, "bias": { "CAM": 0 } });
    play(Match::at(&neutral), ["A LIN-CAM", ""]).gave(&[("A LIN-CAM", "moved")]);
}

#[test]
fn rule_l22_a_part_supports_one_thing_with_all_it_has() {
    month(
        [&["A+Charles+Rupert OXF", "A BRK"], &["3A BUC"]],
        ["A+Charles+Rupert OXF S BRK-BUC; A BRK-BUC", ""],
    )
    .gave(&[("A BRK-BUC", "moved"), ("A+Charles+Rupert OXF S BRK-BUC", "given")]);
    month([&["2A OXF", "A BRK"], &["A BUC"]], ["2A OXF S BRK", ""])
        .published_by("ordered.support royalist OXF BRK 2", "L22");
}

#[test]
fn rule_l23_who_comes_third_in_a_retreat_is_captured() {
    month([&["A+Charles+Rupert OXF", "A+Hopton GLO"], &["4A BUC", "4A WIL"]], ["", "4A BUC-OXF; 4A WIL-GLO"])
        .then(["A+Charles+Rupert OXF R WAR; A+Hopton GLO R WAR", ""])
        .published_by("captured.third Hopton GLO", "L23")
        .stand(&["2A+Charles+Rupert WAR"], &["4A OXF", "4A GLO"]);
}

bodies! {
    rule_8_a_leader_alone_in_enemy_ground_is_captured,
    rule_l1_a_lone_leader_counts_one_on_own_ground,
    rule_l2_without_strength_a_leader_gives_way_and_supports_nobody,
    rule_l3_each_leader_adds_one_to_his_army,
    rule_l4_a_leader_with_an_army_shares_its_order,
    rule_l5_an_order_of_his_own_parts_a_leader_from_the_army,
    rule_l6_two_leaders_a_space,
    rule_l7_a_part_without_an_army_joins_own_units,
    rule_l8_captures_come_after_moves_and_occupation,
    rule_l9_alone_he_retreats_to_safe_ground_only,
    rule_l10_leaders_of_a_dislodged_stack_go_with_armies_or_alone,
    rule_l11_a_removal_can_leave_a_leader_to_the_enemy,
    rule_l12_a_captured_leader_is_out_for_good,
    rule_l13_armies_join_own_leaders,
    rule_l14_support_does_not_carry_a_leader_without_strength,
    rule_l15_two_leaders_under_one_order_count_two,
    rule_l16_a_merge_of_three_leaders_is_void,
    rule_l17_a_move_that_would_make_three_leaders_fails,
    rule_l18_a_leader_may_go_into_enemy_ground_and_is_warned,
    rule_l19_strength_0_enters_only_where_nobody_else_does,
    rule_l20_a_leader_not_named_stays_with_what_holds,
    rule_l21_control_at_the_start_decides_for_the_whole_month,
    rule_l22_a_part_supports_one_thing_with_all_it_has,
    rule_l23_who_comes_third_in_a_retreat_is_captured,
}
