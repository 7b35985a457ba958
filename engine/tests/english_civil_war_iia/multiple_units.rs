//! Rulings on multiple units (M), one test each.

use crate::play::{Match, P, R, month};

#[test]
fn rule_9_stacks_move_and_hold_as_one_unit() {
    month([&["2A OXF"], &["A BUC"]], ["2A OXF-BUC", ""])
        .gave(&[("2A OXF-BUC", "moved"), ("A BUC H", "dislodged")]);
    month([&["A OXF", "A BRK"], &["A LON"]], ["A OXF MERGE BRK", ""])
        .gave(&[("A OXF MERGE BRK", "merged")])
        .stand(&["2A BRK"], &["A LON"]);
}

#[test]
fn rule_m1_armies_of_a_space_are_one_stack() {
    let game = Match::month(&["3A OXF"], &["A LON"]);
    let legal = game.legal(R);
    assert!(["part 1", "part 2", "part 3"].iter().all(|action| legal.contains(&(*action).to_owned())));
    assert_eq!(game.refusal(R, "part 4"), [("TOO_FEW_ARMIES", "M1")]);
}

#[test]
fn rule_m2_strength_is_armies_and_leaders_of_the_part() {
    month([&["3A+Rupert OXF"], &["3A BUC"]], ["3A+Rupert OXF-BUC", ""])
        .gave(&[("3A+Rupert OXF-BUC", "moved")])
        .published_by("ordered.hold parliament BUC BUC 3", "M2");
    month([&["3A OXF"], &["3A BUC"]], ["3A OXF-BUC", ""]).gave(&[("3A OXF-BUC", "bounced.strength")]);
    month([&["3A OXF"], &["2A BUC"]], ["3A OXF-BUC", ""]).gave(&[("3A OXF-BUC", "moved")]);
}

#[test]
fn rule_m3_what_has_no_order_holds() {
    month([&["2A OXF"], &["A LON"]], ["A OXF-BRK", ""])
        .gave(&[("A OXF-BRK", "moved"), ("A OXF H", "held")])
        .published_by("ordered.hold royalist OXF OXF 1", "M3");
    let mut game = Match::month(&["2A OXF"], &["A LON"]);
    game.write(R, "part 1");
    assert_eq!(game.refusal(R, "hold"), [("PART_NEEDS_ORDER", "M3")]);
}

#[test]
fn rule_m4_parts_that_merge_attack_as_one() {
    month([&["A BRK", "A OXF"], &["A BUC"]], ["A BRK MERGE BUC; A OXF MERGE BUC", ""])
        .gave(&[("A BRK MERGE BUC", "merged"), ("A OXF MERGE BUC", "merged"), ("A BUC H", "dislodged")])
        .published_by("merged royalist OXF BUC 1 0 1", "M4");
}

#[test]
fn rule_m5_own_moves_without_merge_stand_each_other_off() {
    month([&["A BRK", "A OXF"], &["A LON"]], ["A BRK-BUC; A OXF-BUC", ""])
        .gave(&[("A BRK-BUC", "bounced.standoff"), ("A OXF-BUC", "bounced.standoff")])
        .published_by("bounced.standoff royalist OXF BUC 1 1 1", "M5");
}

#[test]
fn rule_m6_attacks_cut_support_point_by_point() {
    let units: [&[&str]; 2] = [&["2A OXF", "A BRK"], &["A BUC", "A WAR"]];
    let orders = ["2A OXF S BRK-BUC; A BRK-BUC", "A WAR-OXF"];
    month(units, orders).gave(&[("2A OXF S BRK-BUC", "cut to 1 of 2"), ("A BRK-BUC", "moved")]);
    let cut_all = Match::at_with(
        &serde_json::json!({ "units": { "R": units[0], "P": units[1] } }),
        &[("cut_all", "true")],
    );
    crate::play::play(cut_all, orders)
        .gave(&[("2A OXF S BRK-BUC", "cut"), ("A BRK-BUC", "bounced.strength")]);
}

#[test]
fn rule_m7_support_is_divided_by_parts() {
    month(
        [&["2A OXF", "A BRK", "A WOR"], &["A BUC", "A WAR"]],
        ["A OXF S WOR-WAR; A OXF S BRK-BUC; A BRK-BUC; A WOR-WAR", ""],
    )
    .gave(&[("A BRK-BUC", "moved"), ("A WOR-WAR", "moved"), ("A OXF S BRK-BUC", "given")])
    .published_by("given royalist OXF BUC 1 BRK 1 1", "M7");
}

#[test]
fn rule_m8_a_merge_can_be_supported() {
    month(
        [&["A BRK", "A OXF", "A NHP"], &["2A BUC"]],
        ["A BRK MERGE BUC; A OXF MERGE BUC; A NHP S OXF-BUC", ""],
    )
    .gave(&[("A OXF MERGE BUC", "merged"), ("A NHP S OXF-BUC", "given"), ("2A BUC H", "dislodged")])
    .published_by("ordered.support_move royalist NHP BUC 1 OXF", "M8");
}

#[test]
fn rule_m9_all_parts_of_a_merge_share_its_result() {
    month([&["A BRK", "A OXF"], &["3A BUC"]], ["A BRK MERGE BUC; A OXF MERGE BUC", ""])
        .gave(&[("A BRK MERGE BUC", "bounced.strength"), ("A OXF MERGE BUC", "bounced.strength")])
        .published_by("bounced.strength royalist OXF BUC 1 2 3", "M9");
    month([&["A BRK", "A OXF"], &["A BUC"]], ["A BRK MERGE BUC; A OXF MERGE BUC", ""])
        .gave(&[("A BRK MERGE BUC", "merged"), ("A OXF MERGE BUC", "merged")]);
}

#[test]
fn rule_m10_parts_that_fail_to_leave_defend_with_those_that_stay() {
    month([&["2A OXF"], &["2A BUC", "A LON"]], ["2A OXF-BUC", "A BUC-SRY; A LON-SRY"])
        .gave(&[("A BUC-SRY", "bounced.standoff"), ("2A OXF-BUC", "bounced.strength"), ("A BUC H", "held")])
        .published_by("bounced.strength royalist OXF BUC 2 2 2", "M10");
}

#[test]
fn rule_m11_units_that_come_the_other_way_are_met_head_to_head() {
    month([&["A OXF"], &["A BUC"]], ["A OXF-BUC", "A BUC-OXF"])
        .gave(&[("A OXF-BUC", "bounced.head_to_head"), ("A BUC-OXF", "bounced.head_to_head")])
        .published_by("bounced.head_to_head royalist OXF BUC 1 1 1", "M11");
}

#[test]
fn rule_m12_own_armies_bar_a_move() {
    month([&["A OXF", "A BUC"], &["A LON"]], ["A OXF-BUC", ""])
        .gave(&[("A OXF-BUC", "bounced.own_unit")])
        .published_by("bounced.own_unit royalist OXF BUC 1 0 0", "M12");
}

#[test]
fn rule_m13_all_that_is_left_of_a_stack_is_dislodged_together() {
    month([&["4A OXF"], &["2A+Essex BUC"]], ["4A OXF-BUC", "A BUC-OXF"])
        .gave(&[("A BUC-OXF", "bounced.head_to_head, dislodged"), ("A+Essex BUC H", "dislodged")])
        .published_by("dislodged parliament BUC 2 OXF", "M13");
}

#[test]
fn rule_m14_a_dislodged_stack_may_divide_and_join() {
    month([&["3A OXF", "2A NHP"], &["2A BUC", "A BED"]], ["3A OXF-BUC; 2A NHP-BED", ""])
        .then(["", "A BUC R HRT; A BUC R LON; A BED R HRT"])
        .gave(&[("A BUC R LON", "retreated"), ("A BUC R HRT", "retreated")])
        .stand(&["2A BED", "3A BUC"], &["2A HRT", "A LON"]);
    let played = month([&["3A OXF"], &["2A BUC"]], ["3A OXF-BUC", ""]);
    assert_eq!(played.game.legal(P)[0], "disband");
    let mut game = played.game;
    game.write(P, "part 1");
    assert_eq!(game.refusal(P, "retreat OXF"), [("RETREAT_BARRED", "M14")]);
}

#[test]
fn rule_m16_armies_and_leaders_count_one_each() {
    let units = serde_json::json!({ "R": ["A OXF", "L Charles+Rupert CON", "L Hopton NLD"], "P": ["A LON", "L Cromwell ESX"] });
    let mut game = Match::at(&serde_json::json!({ "units": units }));
    game.both("", "");
    assert_eq!(game.result(), Some(("twice_units", Some(R))));
}

#[test]
fn rule_m17_a_merge_defends_where_own_parts_stay() {
    month([&["A OXF", "A BRK"], &["2A BUC"]], ["A BRK MERGE OXF", "2A BUC-OXF"])
        .gave(&[("A BRK MERGE OXF", "bounced.standoff"), ("2A BUC-OXF", "bounced.strength")]);
    month([&["A OXF", "A+Rupert BRK"], &["2A BUC"]], ["A+Rupert BRK MERGE OXF", "2A BUC-OXF"])
        .gave(&[("A+Rupert BRK MERGE OXF", "merged"), ("2A BUC-OXF", "bounced.strength")])
        .published_by("merged royalist BRK OXF 1 Rupert 0 2", "M17");
}

#[test]
fn rule_m18_a_part_supports_its_own_stack() {
    month([&["2A OXF"], &["A BUC"]], ["A OXF-BUC; A OXF S OXF-BUC", ""])
        .gave(&[("A OXF-BUC", "moved"), ("A OXF S OXF-BUC", "given")])
        .published_by("ordered.support_move royalist OXF BUC 1 OXF", "M18");
    let game = Match::month(&["A OXF"], &["A BUC"]);
    assert_eq!(game.refusal(R, "support OXF-BUC"), [("SUPPORTS_ITSELF", "M18")]);
}

#[test]
fn rule_m19_a_merge_of_one_holds() {
    month([&["A OXF", "A BRK"], &["A LON"]], ["A OXF MERGE BUC", ""])
        .gave(&[("A OXF MERGE BUC", "void.merge_of_one")])
        .published_by("void.merge_of_one royalist OXF BUC 1 0 1", "M19");
    let game = Match::month(&["A OXF", "A CON"], &["A LON"]);
    assert_eq!(game.refusal(R, "pick CON"), []);
    assert!(!game.legal(R).contains(&"merge BUC".to_owned()));
}

#[test]
fn rule_m20_support_of_what_is_not_done_is_void() {
    month([&["A OXF", "A BRK"], &["A LON"]], ["A OXF S BRK-BUC; A BRK H", ""])
        .gave(&[("A OXF S BRK-BUC", "void.unmatched")])
        .published_by("void.unmatched royalist OXF BUC 1 BRK 0 1", "M20");
    let game = Match::month(&["A OXF"], &["A LON"]);
    assert_eq!(game.refusal(R, "support NHP"), [("NOTHING_TO_SUPPORT", "M20")]);
}

#[test]
fn rule_m21_the_enemy_can_be_supported() {
    month([&["A OXF"], &["A HRT", "A LON"]], ["A OXF S HRT-BUC", "A HRT-BUC; A LON-BUC"])
        .gave(&[("A HRT-BUC", "moved"), ("A LON-BUC", "bounced.standoff")])
        .published_by("ordered.support_move royalist OXF BUC 1 HRT", "M21");
    // Never to drive out the supporter's own.
    month([&["A OXF", "A BUC"], &["A HRT"]], ["A OXF S HRT-BUC", "A HRT-BUC"]).gave(&[
        ("A OXF S HRT-BUC", "given"),
        ("A HRT-BUC", "bounced.strength"),
        ("A BUC H", "held"),
    ]);
}

#[test]
fn rule_m22_retreats_of_both_sides_to_one_space_are_lost() {
    month([&["A+Rupert OXF", "2A WOR"], &["3A BUC", "A GLO"]], ["2A WOR-GLO", "3A BUC-OXF"])
        .then(["A+Rupert OXF R BRK", "A GLO R BRK"])
        .gave(&[("A+Rupert OXF R BRK", "clash"), ("A GLO R BRK", "clash")])
        .published_by("captured.clash Rupert OXF", "M22")
        .stand(&["2A GLO"], &["3A OXF"]);
}

#[test]
fn rule_m23_equal_orders_of_a_space_are_one_part() {
    month([&["2A OXF"], &["A BUC"]], ["A OXF-BUC; A OXF-BUC", ""]).gave(&[("2A OXF-BUC", "moved")]);
    let mut game = Match::month(&["3A OXF"], &["A LON"]);
    game.write(R, "part 1; move BUC; part 1");
    assert_eq!(game.refusal(R, "move BUC"), [("OUT_OF_SEQUENCE", "M23")]);
}

#[test]
fn rule_m24_nobody_retreats_to_a_standoff_space() {
    month([&["3A OXF", "A BED"], &["A BUC", "A LON"]], ["3A OXF-BUC; A BED-HRT", "A LON-HRT"])
        .published_by("standoff HRT", "M24")
        .published("may_retreat parliament BUC NHP BRK SRY");
}

#[test]
fn rule_m25_any_strength_drives_out_a_leader_without_any() {
    month([&["L Rupert BRK"], &["A HAM"]], ["", "A HAM-BRK"])
        .gave(&[("L Rupert BRK H", "dislodged"), ("A HAM-BRK", "moved")])
        .published_by("dislodged royalist BRK 0 HAM", "M25");
}

#[test]
fn rule_m26_after_retreats_units_of_a_space_are_one_stack() {
    month([&["3A OXF", "2A NHP"], &["A BUC", "A BED"]], ["3A OXF-BUC; 2A NHP-BED", ""])
        .then(["", "A BUC R HRT; A BED R HRT"])
        .published_by("retreated parliament BUC HRT 1", "M26")
        .stand(&["2A BED", "3A BUC"], &["2A HRT"]);
}

#[test]
fn rule_m27_without_a_retreat_armies_disband_unasked() {
    // Cornwall has one neighbour, and the attack came from there.
    month([&["A CON"], &["2A DEV"]], ["", "2A DEV-CON"])
        .gave(&[("A CON H", "dislodged"), ("A CON D", "disbanded")])
        .published_by("may_retreat royalist CON", "M27");
}

#[test]
fn rule_m28_ground_just_left_is_open_to_a_retreat() {
    month([&["3A OXF"], &["A BUC", "A LON"]], ["3A OXF-BUC", "A LON-ESX"])
        .then(["", "A BUC R LON"])
        .gave(&[("A BUC R LON", "retreated")])
        .published_by("retreated parliament BUC LON 1", "M28");
}

#[test]
fn rule_m29_own_armies_do_not_exchange_places() {
    month([&["A OXF", "A BRK", "A GLO"], &["A LON"]], ["A OXF MERGE BRK; A GLO MERGE BRK; A BRK-OXF", ""])
        .gave(&[("A OXF MERGE BRK", "bounced.own_unit"), ("A BRK-OXF", "bounced.own_unit")])
        .published_by("bounced.own_unit royalist OXF BRK 1 0 0", "M29");
}

#[test]
fn rule_0_equal_strengths_bounce_as_in_diplomacy() {
    month([&["A OXF"], &["A HAM"]], ["A OXF-BRK", "A HAM-BRK"])
        .gave(&[("A OXF-BRK", "bounced.standoff"), ("A HAM-BRK", "bounced.standoff")])
        .published_by("bounced.standoff royalist OXF BRK 1 1 1", "0");
    month([&["A OXF"], &["A BUC"]], ["A OXF-BUC", ""])
        .gave(&[("A OXF-BUC", "bounced.strength"), ("A BUC H", "held")]);
    let game = Match::month(&["A OXF"], &["A HAM"]);
    assert_eq!(game.refusal(R, "move KEN"), [("NOT_ADJACENT", "0")]);
}

#[test]
fn rule_m30_moves_that_can_not_all_be_made_all_fail() {
    // If the army leaves Oxford, those that stay are too few, and their support is lost; if not, they are enough.
    month(
        [&["3A OXF"], &["A BRK", "A BUC", "2A WAR"]],
        ["A OXF-BRK; 2A OXF S OXF-BRK", "A BUC-OXF; 2A WAR S BUC-OXF"],
    )
    .gave(&[("A OXF-BRK", "bounced.knot"), ("A BRK H", "held")])
    .published_by("bounced.knot royalist OXF BRK 1 0 0", "M30");
}

bodies! {
    rule_9_stacks_move_and_hold_as_one_unit,
    rule_m1_armies_of_a_space_are_one_stack,
    rule_m2_strength_is_armies_and_leaders_of_the_part,
    rule_m3_what_has_no_order_holds,
    rule_m4_parts_that_merge_attack_as_one,
    rule_m5_own_moves_without_merge_stand_each_other_off,
    rule_m6_attacks_cut_support_point_by_point,
    rule_m7_support_is_divided_by_parts,
    rule_m8_a_merge_can_be_supported,
    rule_m9_all_parts_of_a_merge_share_its_result,
    rule_m10_parts_that_fail_to_leave_defend_with_those_that_stay,
    rule_m11_units_that_come_the_other_way_are_met_head_to_head,
    rule_m12_own_armies_bar_a_move,
    rule_m13_all_that_is_left_of_a_stack_is_dislodged_together,
    rule_m14_a_dislodged_stack_may_divide_and_join,
    rule_m16_armies_and_leaders_count_one_each,
    rule_m17_a_merge_defends_where_own_parts_stay,
    rule_m18_a_part_supports_its_own_stack,
    rule_m19_a_merge_of_one_holds,
    rule_m20_support_of_what_is_not_done_is_void,
    rule_m21_the_enemy_can_be_supported,
    rule_m22_retreats_of_both_sides_to_one_space_are_lost,
    rule_m23_equal_orders_of_a_space_are_one_part,
    rule_m24_nobody_retreats_to_a_standoff_space,
    rule_m25_any_strength_drives_out_a_leader_without_any,
    rule_m26_after_retreats_units_of_a_space_are_one_stack,
    rule_m27_without_a_retreat_armies_disband_unasked,
    rule_m28_ground_just_left_is_open_to_a_retreat,
    rule_m29_own_armies_do_not_exchange_places,
    rule_0_equal_strengths_bounce_as_in_diplomacy,
    rule_m30_moves_that_can_not_all_be_made_all_fail,
}
