//! Housekeeping and the end of a Turn (5.1, 5.9, T1 to T4, T23), by number.

use serde_json::{Value, json};

use crate::play::{Match, P, R, at, phase};

/// The Housekeeping Phase of a Turn without a naval chit, with these markers.
fn housekeeping(royalist: &[&str], parliament: &[&str], more: &Value) -> Match {
    let mut fields = json!({ "control": { "royalist": royalist, "parliament": parliament } });
    for (field, value) in more.as_object().into_iter().flatten() {
        fields[field] = value.clone();
    }
    at(phase("winter-1642", "housekeeping", &fields), "")
}

rules! {
    #[test]
    fn rule_5_1_unemployed_generals_and_those_whose_turn_has_come() {
        let table = at(phase("early-1643", "housekeeping", &json!({ "generals": { "byron": "unemployed" } })), "");
        for (general, side) in [("byron", "royalist"), ("king-charles-i", "royalist"), ("goring", "royalist"), ("manchester",
            "parliament")] {
            assert_eq!(table.whereabouts(general), format!("reinforcements-{side}"), "{general}");
        }
        assert!(!table.whereabouts("langdale").starts_with("reinforcements"), "his Turn is the fifth");
    }

    #[test]
    fn rule_t1_parliament_the_royalist_and_the_chit() {
        let fields = json!({ "control": { "royalist": ["oxford"], "parliament": ["london"] } });
        let mut table = at(phase("late-1643", "housekeeping", &fields), "1");
        table.act_as(P, "at cambridge").act_as(R, "at newbury");
        let order: Vec<String> = table.facts(crate::play::SPECTATOR).into_iter().filter(|fact| fact.starts_with("marker_placed") || fact.starts_with("chit")).collect();
        assert_eq!(order, ["marker_placed parliament cambridge", "marker_placed royalist newbury", "chit 1 1"]);
    }

    #[test]
    fn rule_t2_a_neutral_area_next_to_an_own_marker_and_to_no_enemys() {
        let mut table = housekeeping(&["oxford"], &["london"], &json!({}));
        // Bedford is next to Oxford, Reading a Fortress.
        assert_eq!(table.options("at"), ["cambridge", "colchester", "maidstone", "reigate"]);
        table.refuses("at bedford", "T2").refuses("at norwich", "T2").refuses("at reading", "T2");
    }

    #[test]
    fn rule_t2_enemy_armies_and_notables_bar_what_is_next_to_them_unled_brigades_do_not() {
        let army = json!({ "generals": { "byron": "ipswich" }, "brigades": { "byron": ["byrons"], "unled-maidstone": ["astleys"],
            "unled-dover": ["wilmots"] } });
        let table = housekeeping(&["york"], &["london"], &army);
        // Cambridge and Colchester are next to Byron.
        assert_eq!(table.options("at"), ["bedford", "maidstone", "reigate"]);
        let notable = json!({ "notables": { "aimez-loyaute": "in-play" } });
        let beside = housekeeping(&["york", "basing-house"], &["london"], &notable);
        assert_eq!(beside.options("at"), ["bedford", "cambridge", "colchester", "maidstone"], "Reigate is next to Basing House");
    }

    #[test]
    fn rule_t2_no_other_marker_becomes_isolated() {
        // Truro's chain leads by Barnstaple and Taunton alone: Exeter and Plymouth are Parliament's.
        let mut table = housekeeping(&["truro", "oxford"], &["exeter", "plymouth"], &json!({}));
        assert_eq!(table.options("at"), ["lyme"]);
        assert_eq!(table.refusal("at barnstaple"), ["WOULD_ISOLATE T2"]);
        assert_eq!(table.refusal("at taunton"), ["WOULD_ISOLATE T2"]);
    }

    #[test]
    fn rule_t3_the_maritime_line_makes_neighbours() {
        let table = housekeeping(&["oxford"], &["hull"], &json!({}));
        assert_eq!(table.options("at"), ["doncaster", "gainsborough"]);
    }

    #[test]
    fn rule_t4_the_marker_must_be_placed_and_who_has_no_area_is_passed_over() {
        let mut table = housekeeping(&["oxford"], &["london"], &json!({}));
        table.refuses("pass", "T4").act_as(P, "at cambridge").act_as(R, "at newbury");
        let none = housekeeping(&["oxford"], &[], &json!({}));
        assert_eq!(none.to_act(), R);
    }

    #[test]
    fn rule_t23_cards_come_back_and_what_was_for_the_turn_is_over() {
        let fields = json!({ "aside": ["C02", "C03"], "recruitment": { "royalist": ["E30"], "parliament": ["C04"] },
            "trains": { "royalist": "resting" },
            "plays": { "royalist": 6, "parliament": 7 }, "passed": ["royalist", "parliament"], "happened": ["standard", "powicke",
                "parliament-benefit"] });
        let table = at(phase("late-1642", "end", &fields), "");
        assert_eq!((table.cards("royalist-hand"), table.cards("parliament-hand")), (vec!["C01".to_owned(), "C02".into()],
            vec!["C03".to_owned(), "C04".into()]));
        assert_eq!(table.cards("discard"), ["E30"]);
        assert_eq!((table.whereabouts("royalist-train"), table.number_of("turn", None)), ("pool-royalist".into(), 2));
        assert_eq!((table.number_of("plays", Some(R)), table.number_of("passed", Some(P))), (0, 0));
        assert!(table.has_happened("standard") && !table.has_happened("powicke") && !table.has_happened("parliament-benefit"));
    }
}
