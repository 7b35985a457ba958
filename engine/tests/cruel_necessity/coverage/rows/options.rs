//! Options, alone and together.

use super::{Rows, shown};

pub(super) fn rows(rows: &mut Rows) {
    let group = "options";
    rows.facts(
        group,
        &[
            ("12.1: found", "found"),
            ("12.1: not found, an English Army", "not_found north"),
            ("12.1: not found, Scotland", "not_found scotland"),
            ("12.1: not found, Ireland", "not_found ireland"),
            ("12.2: France", "new_counter ireland ireland-league-france"),
            ("12.2: France and Spain", "new_counter ireland ireland-league-france-spain"),
            ("12.3: fought out", "action full"),
            ("12.3: resolved quickly", "action quick"),
            ("12.4: Ireland", "action settle ireland"),
            ("12.4: Scotland", "action settle scotland"),
            ("12.5: strike", "action strike"),
            ("12.5: won", "zeal_gained@12.5 2"),
            ("12.5: lost", "zeal_gained@12.5 1"),
            ("all options together, to the last card", "all options finished"),
        ],
    );
    shown!(rows, "options":
        "numerical order" => cards::rule_s2_in_numerical_order_every_card_comes_by_itself,
        "O1: the Licensing Order for 3" => optional::rule_o1_the_licensing_order_costs_3_by_the_example,
        "O2: two clicks a turn" => optional::rule_o2_two_paid_clicks_a_turn_for_each_fortress,
        "12.1: a free Campaign that finds nobody" => optional::rule_o5_free_campaigns_search_too_and_the_marker_does_not_help,
        "12.2: once a game, not on a Disordered Army" => optional::rule_o6_after_the_item_that_completes_its_conditions_once_a_game,
        "12.3: the three sets of thresholds" => optional::rule_o12_thresholds_fall_with_the_cards_that_were_turned_up,
        "12.4: no Army in its area 5" => optional::rule_o8_once_for_each_region,
        "12.4: no track eligible, one alone" => optional::the_settlers_roll_on_the_one_track_that_is_left_or_on_none,
        "12.5: not found" => optional::rule_o5_free_campaigns_search_too_and_the_marker_does_not_help,
        "12.5: Disordered" => optional::rule_o10_disordered_or_not_where_no_revolt_shields_the_army,
    );
}
