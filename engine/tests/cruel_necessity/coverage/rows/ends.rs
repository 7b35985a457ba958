//! Ends of turns, wars and matches.

use super::{Rows, shown};
use crate::ends::{BANDS, band};

pub(super) fn rows(rows: &mut Rows) {
    let group = "ends";
    rows.facts(
        group,
        &[
            ("London lost, first war", "ending london_lost Crushing Defeat"),
            ("London lost, second war", "ending london_lost Decisive Defeat"),
            ("London lost, third war", "ending london_lost Substantive Defeat"),
            ("London lost and regained", "london regained"),
            ("four F, first war", "ending four_f Crushing Defeat"),
            ("four F, second war", "ending four_f Decisive Defeat"),
            ("four F, third war", "ending four_f Substantive Defeat"),
            ("income of 2", "zeal_gained@10.2 2 2"),
            ("income of 7", "zeal_gained@10.2 7 7"),
            (
                "income cut at 9",
                "zeal_gained@10.2 1 9|zeal_gained@10.2 2 9|zeal_gained@10.2 3 9|zeal_gained@10.2 4 9",
            ),
        ],
    );
    for war in 1..=2 {
        let grades = [
            "crushing_defeat",
            "decisive_defeat",
            "substantive_defeat",
            "marginal_defeat",
            "minor_victory",
            "moderate_victory",
            "substantive_victory",
            "decisive_victory",
        ];
        let facts: Vec<String> = grades.iter().map(|grade| format!("interim_{grade} {war}")).collect();
        rows.facts(group, &[(&format!("interim check after war {war}"), &facts.join("|"))]);
    }
    let scenarios = ["whole-war", "first", "second", "third", "first-second", "second-third"];
    rows.each(group, "scenario {} to its last card", "ends {} finished", &scenarios);
    rows.each(group, "scenario {} lost", "ends {} london_lost|ends {} four_f", &scenarios);
    for (scenario, score, grade) in BANDS {
        let what = format!("{scenario}, score {score}: {grade}");
        rows.shown("bands", &what, "ends::band", move || assert_eq!(band(scenario, score), grade));
    }
    shown!(rows, "ends":
        "defeat before victory" => ends::rule_v1_defeat_comes_before_the_end,
        "the last card of a war still counts for it" => ends::rule_v2_by_the_war_that_is_on_its_last_card_included,
    );
}
