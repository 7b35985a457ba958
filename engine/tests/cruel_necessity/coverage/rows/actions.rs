//! The player's actions.

use serde_json::json;

use super::{Rows, shown};
use crate::play::acting;

const FORTS: [&str; 6] = ["london", "hull", "bristol", "oxford", "edinburgh", "dublin"];

pub(super) fn rows(rows: &mut Rows) {
    let group = "actions";
    rows.each(
        group,
        "Zeal marker on a target: {}",
        "zeal marker on {}",
        &["army", "deviltry", "revolt", "fortress", "track"],
    );
    rows.each(group, "campaign {}", "action campaign {}", &["north", "west", "scotland", "ireland"]);
    rows.each(group, "{} goes back", "retreats@8.3 {}", &["north", "west", "scotland", "ireland"]);
    rows.each(group, "{} driven from before London", "retreat of {} from 0", &["north", "west"]);
    rows.each(
        group,
        "{} driven to Disorder in 5",
        "roll_won {} > disordered {}",
        &["north", "west", "scotland", "ireland"],
    );
    rows.each(group, "besiege {}", "action besiege {}", &FORTS);
    rows.each(group, "{} taken", "{} taken from royalist-held", &FORTS);
    rows.each(group, "besiege {}", "action besiege {}", &["clubmen-1", "uprising", "revolt"]);
    rows.each(group, "fortify {}", "action fortify {}", &FORTS);
    rows.each(
        group,
        "politics {}",
        "action politics {}",
        &["ireland", "monarchy", "catholicism", "scotland", "parliament", "puritanism"],
    );
    rows.each(group, "desperate {}", "action desperate {}", &["parliament", "puritanism"]);
    rows.facts(
        group,
        &[
            ("campaign on Deviltry, won", "deviltry of strength 2 won"),
            ("campaign on Deviltry, lost", "deviltry of strength 2 lost"),
            ("politics with a card's +1", "politics with card 1 and zeal 0"),
            ("politics with a card's -1", "politics with card -1 and zeal 0"),
            ("politics with the Zeal marker", "politics with card 0 and zeal 1"),
            ("politics with both", "politics with card 1 and zeal 1"),
            ("natural 1", "natural 1 lost"),
            ("natural 6", "natural 6 won"),
            ("both Desperate Acts in a turn", "both desperate acts"),
            ("at Zeal 0", "act at zeal 0"),
            ("at Zeal 9", "act at zeal 9"),
        ],
    );
    shown!(rows, "actions":
        "natural 1 where the sum would do, natural 6 where not" => actions::rule_g1_a_natural_1_fails_and_a_natural_6_succeeds,
        "a Disordered Army elsewhere goes back Disordered" => actions::rule_p10_from_london_to_disorder,
        "Oxford without permission" => cards::rule_6_10_2_oxford_needs_the_permission_of_a_card,
        "London with an Army before it" => actions::rule_p12_london_is_regained_with_both_armies_out_of_area_0,
        "a revolt bars the West" => actions::rule_8_5_a_revolt_within_reach_bars_its_region_until_it_is_crushed,
        "a revolt comes within reach in mid-turn" => actions::rule_p15_a_revolt_is_within_reach_in_front_of_the_army,
        "a revolt bars Oxford and London" => actions::rule_p16_oxford_and_london_belong_to_both_regions,
        "idle actions refused" => actions::rule_g4_an_action_that_could_change_nothing_is_not_legal,
        "the Zeal marker once a turn" => actions::rule_p3_once_a_turn_even_if_its_target_is_gone,
        "free placement next turn" => purchases::rule_p8_and_comes_free_once_in_the_next_turn,
        "desperate at the bottom" => actions::rule_p22_not_from_the_bottom,
    );
    rows.shown(group, "a revolt bars the North", "play::acting", || {
        let position = json!({ "revolts": { "revolt": ["north", 2] }, "armies": { "north": { "area": 4 } } });
        let mut turn = acting(position, "");
        for barred in ["campaign north", "fortify hull", "fortify london"] {
            assert_eq!(turn.refused(barred), ["REVOLT_FIRST 8.5"], "{barred}");
        }
        assert!(turn.may("campaign west") && turn.may("fortify bristol"));
    });
}
