//! Operations of cards, every Event, every Achievement.

use serde_json::json;

use super::{Rows, shown};
use crate::play::item;
use crate::purchases::{GRADES_ASKED, PRICES, refused_for_a_grade, refused_for_zeal};

const ACHIEVEMENTS: [&str; 12] = ["3", "5", "9", "17", "21", "23", "36", "38", "44", "53", "58", "59"];
const ARMIES: [&str; 4] = ["north", "west", "scotland", "ireland"];
const TRACKS: [&str; 6] = ["ireland", "monarchy", "catholicism", "scotland", "parliament", "puritanism"];

pub(super) fn rows(rows: &mut Rows) {
    operations(rows);
    events(rows);
    achievements(rows);
}

fn operations(rows: &mut Rows) {
    let group = "card operations";
    rows.each(group, "activate {} once", "activates {}", &ARMIES);
    rows.each(group, "activate {} twice", "activates_times {} 2", &ARMIES);
    rows.each(group, "activate {}, marker +1", "strength_marker@6.2.1 {} 1", &ARMIES);
    rows.each(group, "activate {}, marker -1", "strength_marker@6.2.1 {} -1", &["scotland", "ireland"]);
    rows.each(group, "track {} up", "track_up {}", &TRACKS);
    rows.each(group, "track {} down", "track_down {}", &TRACKS);
    rows.facts(
        group,
        &[
            ("battle", "battle"),
            (
                "track +1",
                "item_up catholicism 1|item_up monarchy 1|item_up parliament 1|item_up puritanism 1",
            ),
            ("track -2", "item_down parliament 2"),
            ("track_drm +1", "track_drm parliament 1"),
            ("track_drm -1", "track_drm puritanism -1"),
            ("unrest_in_london", "unrest london"),
            ("political_reaction", "political_reaction"),
            ("religious_reaction", "religious_reaction"),
            ("deviltry", "deviltry@6.8"),
            ("revolt: clubmen", "revolt@6.9 clubmen-1"),
            ("revolt: uprising", "revolt@6.9 uprising"),
            ("revolt: revolt", "revolt@6.9 revolt"),
            ("revolt, die 6", "no_revolt"),
            ("place_clubmen_special", "revolt_region clubmen-1 north"),
            ("permit_oxford_siege", "oxford_permitted"),
            ("choice, optional: taken", "option 22 1"),
            ("choice, optional: declined", "declines"),
            ("choice, either or: first", "option 37 1"),
            ("choice, either or: second", "option 37 2"),
            ("end_of_turn_if", "watched"),
            ("swap_army: Charles I", "new_counter scotland scotland-charles-i"),
            ("swap_army: Charles II", "new_counter scotland scotland-charles-ii"),
            ("add_named_units", "named_unit cromwell"),
            ("remove_units", "out_of_play p-foot-1 2"),
            ("zeal", "zeal_gained@6.10.1"),
            ("zeal_drm_marker", "marker_again"),
            ("religious_reaction_immunity", "immune"),
            ("remove_battle_card", "battle_card_out leveller-mutinies"),
        ],
    );
    shown!(rows, "card operations":
        "track +2" => cards::rule_s8_all_lines_of_the_option_are_carried_out,
        "besiege_or_fortify: besieged" => activation::rule_6_3_besiege_or_fortify_goes_by_the_owner,
        "besiege_or_fortify: fortified" => activation::rule_a16_a_royalist_fortress_goes_up_to_the_end_of_its_dial,
        "revolt not in the pool" => activation::rule_r1_a_marker_that_is_on_the_map_does_not_come_and_no_die_is_rolled,
        "fortify: done" => cards::rule_6_10_3_a_card_fortifies_for_nothing,
        "fortify: full, Royalist" => cards::rule_a19_whatever_the_front_line_but_only_parliaments,
        "fortify: Parliament at its nadir" => tracks::rule_t13_parliaments_nadir_bars_london_from_repair,
        "end_of_turn_if: there, not there" => cards::rule_s9_the_irish_army_is_looked_at_first_of_all_in_housekeeping,
        "free_campaign: made, barred, idle" => purchases::rule_p9_the_committees_campaign_comes_at_once_or_never,
        "reaction ignored, applied" => tracks::rule_t9_after_the_toleration_act_a_reaction_may_be_ignored,
    );
}

fn events(rows: &mut Rows) {
    let numbers: Vec<String> = (2..=60).map(|number| number.to_string()).collect();
    let events: Vec<&str> =
        numbers.iter().map(String::as_str).filter(|card| !ACHIEVEMENTS.contains(card)).collect();
    // The first card of a match is turned up before anybody looks.
    shown!(rows, "events": "event 1" => cards::rule_3_0_the_first_card_comes_first_and_the_set_up_is_as_printed);
    rows.each("events", "event {}", "event {}", &events);
    let battles = ["12", "16", "18", "20", "25", "26", "30", "31", "33", "41", "52", "57"];
    rows.each("events", "battle of event {}", "battle of {}", &battles);
}

fn achievements(rows: &mut Rows) {
    let group = "achievements";
    rows.each(group, "{} turned up", "achievement {}", &ACHIEVEMENTS);
    rows.each(group, "{} bought", "purchased {}", &ACHIEVEMENTS);
    rows.each(group, "{} displaced", "displaced {}", &ACHIEVEMENTS);
    for (card, price) in PRICES {
        rows.shown(group, &format!("{card} refused for Zeal"), "purchases::refused_for_zeal", move || {
            refused_for_zeal(card, price);
        });
    }
    for (card, track, index) in GRADES_ASKED {
        let what = format!("{card} refused for the grade of {track}");
        rows.shown(group, &what, "purchases::refused_for_a_grade", move || {
            refused_for_a_grade(card, track, index);
        });
    }
    shown!(rows, "achievements":
        "17 without a Battle won" => purchases::rule_p5_the_self_denying_ordinance_asks_for_a_battle_won,
        "21 with London at 2" => purchases::rule_p6_the_licensing_order_asks_for_london_at_3,
        "the one that came goes itself: never" => cards::rule_s4_the_new_achievement_itself_does_not_go,
        "a box filled a moment ago is emptied" => cards::rule_s3_several_achievements_come_one_after_the_other,
    );
    rows.facts(group, &[("three in a row", "achievements in a row 3")]);
    rows.shown(group, "no purchase out of the boxes", "play::item", || {
        assert!(!item(27, 0, json!({}), "").may("purchase 3"));
    });
}
