//! Battles and Battle Event cards.

use super::{Rows, shown};

pub(super) fn rows(rows: &mut Rows) {
    sectors(rows);
    outcomes(rows);
    cards(rows);
}

fn sectors(rows: &mut Rows) {
    let group = "battles";
    for result in ["won", "drawn", "lost"] {
        let (what, fact) = (format!("sector {{}} {result}"), format!("sector_{result} {{}}"));
        rows.each(group, &what, &fact, &["1", "2", "3", "4"]);
    }
    for flank in ["right", "left"] {
        for result in ["won", "drawn", "lost"] {
            let (what, fact) =
                (format!("Cromwell on the {flank}, {result}"), format!("cromwell {flank} sector_{result}"));
            rows.facts(group, &[(&what, &fact)]);
        }
    }
    rows.each(group, "against the Army of the {}", "battle_against {}", &["north", "west"]);
    let units = ["cromwell", "ironsides", "london-trained-bands", "new-model-1", "new-model-2"];
    rows.each(group, "{} committed", "committed_unit {}", &units);
    rows.facts(group, &[("the Zeal marker inspires", "inspired")]);
    shown!(rows, "battles":
        "Cromwell comes to Victory where the foot fails" => battle::rule_b21_he_comes_to_victory_even_where_the_foot_fails,
        "no room on the wing" => battle::rule_b2_named_units_are_committed_to_their_wings,
        "strength never below 0" => battle::rule_b18_no_formation_is_weaker_than_nothing,
    );
}

fn outcomes(rows: &mut Rows) {
    let group = "outcomes";
    rows.facts(
        group,
        &[
            ("Victory", "battle_won"),
            ("Draw", "battle_drawn"),
            ("Defeat", "battle_lost"),
            ("three Victory, three Defeat: a Draw", "battle_drawn with 3-0-3"),
            ("three Victory, three Draw: a Draw", "battle_drawn with 3-3-0"),
            ("three Draw, three Defeat: a Draw", "battle_drawn with 0-3-3"),
            ("two, two and two: a Draw", "battle_drawn with 2-2-2"),
            ("Draw salvaged", "salvaged"),
            ("three in Defeat and not salvaged", "battle_lost with 2-1-3|battle_lost with 1-2-3"),
            ("Benefit Points: 1", "benefit points 1"),
            ("Benefit Points: 2", "benefit points 2"),
            ("Benefit Points: 3", "benefit points 3"),
            ("Benefit Points: more", "benefit points 4|benefit points 5|benefit points 6"),
            ("benefit: Zeal", "action benefit zeal"),
            ("benefit: a click up", "benefit click of parliament-held"),
            ("benefit: a click down", "benefit click of royalist-held"),
            ("benefit: a Political Track", "action benefit monarchy-track"),
        ],
    );
    for side in ["parliament", "royalist"] {
        rows.each(
            group,
            &format!("Deadly Outcome, {side}, {{}}"),
            &format!("deadly {side} {{}}"),
            &["1", "2", "3", "4", "5", "6"],
        );
    }
    shown!(rows, "outcomes":
        "salvage at Zeal 0" => battle::rule_b22_a_defeat_by_three_may_be_salvaged_for_zeal,
        "benefit: -1 and -2 Strength" => battle::rule_b27_the_army_can_be_weakened_by_both_markers,
        "benefit: capture barred, capture allowed" => battle::rule_b26_a_click_for_a_fortress_of_the_region,
        "benefit: each Political Track, not at its top" => battle::rule_t15_a_benefit_raises_any_marker_that_is_not_at_its_top,
        "benefits while points last" => battle::a_benefit_is_bought_while_points_last,
        "Recovery over a Battle" => battle::rule_b28_formations_go_back_and_the_recovery_box_is_emptied,
        "Recovery over a quick Battle" => optional::rule_b30_the_recovery_box_is_emptied_by_quick_battles_too,
    );
}

fn cards(rows: &mut Rows) {
    let group = "battle cards";
    let held = [
        "clubbed-muskets",
        "dragoons",
        "forlorn-file",
        "psalms",
        "reserve",
        "second-charge",
        "stubble",
        "trust-in-god",
    ];
    let immediate = [
        "boye",
        "leveller-mutinies",
        "levies-desert",
        "plunder",
        "powder-explosion",
        "royal-horse-charge",
        "swedish-brigade",
    ];
    rows.each(group, "{} drawn", "battle_card {}", &held);
    rows.each(group, "{} drawn", "battle_card {}", &immediate);
    rows.each(group, "{} played", "played {}", &held);
    rows.facts(
        group,
        &[
            ("boye with Rupert", "boye gives 2"),
            ("boye without Rupert", "battle_card boye > nobody_meant"),
            ("leveller-mutinies with the New Model", "leveller-mutinies gives -2"),
            ("leveller-mutinies without", "leveller-mutinies gives -1"),
            ("plunder on the weakest horse", "plunder gives -1"),
            ("royal-horse-charge on the strongest", "royal-horse-charge gives 1"),
            ("swedish-brigade on a random foot", "swedish-brigade gives 1"),
            ("powder-explosion on a random foot", "powder-explosion gives -1"),
            ("powder-explosion at strength 0", "powder-explosion at strength 0"),
            ("levies-desert replaces the strongest foot", "levies-desert replaces foot"),
            ("reserve: foot", "reserve replaces foot"),
            ("reserve: horse", "reserve replaces horse"),
            ("clubbed-muskets in a sector of foot", "sector_bonus 3"),
            ("stubble: points", "played stubble > points"),
            ("trust-in-god: a Draw", "trust in god: battle_drawn"),
            ("trust-in-god: a salvaged Draw", "trust in god: battle_drawn salvaged"),
            ("trust-in-god: a Victory", "trust in god: battle_won"),
            ("reshuffle", "reshuffled"),
        ],
    );
    shown!(rows, "battle cards":
        "the same card twice in a Battle" => battle_cards::the_same_card_may_come_twice_and_counts_twice,
        "no pile and no discards" => battle_cards::rule_b8_the_discards_become_the_pile_when_a_card_is_needed,
        "psalms only without a marker" => battle_cards::rule_b16_psalms_and_the_zeal_marker_go_to_a_formation_without_a_marker,
        "one die again, both dice again" => battle_cards::clubbed_muskets_and_the_two_that_roll_again,
        "markers leave with the replaced" => battle_cards::rule_b13_a_replaced_formation_goes_back_and_its_markers_leave,
    );
}
