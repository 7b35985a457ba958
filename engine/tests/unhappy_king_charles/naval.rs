//! Naval Status (15.0 to 15.3, N1, T5), by number. N3 stands with the Bombardments.

use serde_json::{Value, json};

use crate::play::{Match, P, at, phase};

/// A Housekeeping Phase without markers, so that nobody has one to place.
fn housekeeping(turn: &str, chits: &Value, script: &str) -> Match {
    at(phase(turn, "housekeeping", &json!({ "chits": chits })), script)
}

/// The Naval Status at a card play.
fn status(more: &Value) -> i32 {
    at(crate::play::position("late-1644", "royalist", more), "").number_of("naval", None)
}

/// Parliament's recruitment, with a Veteran and Militia of the East in the pool.
fn recruiting(chits: &Value) -> Match {
    let fields =
        json!({ "control": { "parliament": ["london", "cambridge"], "royalist": ["york"] }, "chits": chits });
    let mut table = at(phase("early-1643", "recruitment", &fields), "");
    table.act_as(P, "from pool-parliament");
    table
}

rules! {
    #[test]
    fn rule_15_0_a_chit_is_added_and_never_comes_back() {
        let table = housekeeping("late-1643", &json!([2]), "3");
        assert_eq!((table.number_of("naval", None), table.public("chit")), (5, vec!["chit 3 5".to_owned()]));
        let script = std::panic::catch_unwind(|| housekeeping("late-1643", &json!([3]), "3"));
        assert!(script.is_err(), "a chit that was drawn can't be drawn");
    }

    #[test]
    fn rule_t5_chits_come_in_turns_1_4_7_and_10() {
        let turns = ["late-1642", "winter-1642", "early-1643", "late-1643", "winter-1643", "early-1644", "late-1644", "winter-1644",
            "early-1645", "late-1645", "winter-1645"];
        for (index, turn) in turns.into_iter().enumerate() {
            let comes = index % 3 == 0;
            let table = housekeeping(turn, &json!([]), if comes { "1" } else { "" });
            assert_eq!(table.number_of("naval", None), i32::from(comes), "{turn}");
        }
    }

    #[test]
    fn rule_n1_what_makes_the_status() {
        let both = json!({ "chits": [3, 2], "fleet": 1, "control": { "royalist": ["london", "bristol"] }, "queen": "captured" });
        assert_eq!(status(&both), 3 + 2 + 1 - 1 + 2);
        assert_eq!(status(&json!({ "control": { "royalist": ["bristol"] } })), -1);
        assert_eq!(status(&json!({ "control": { "parliament": ["bristol", "london"] } })), 0);
        assert_eq!((status(&json!({ "queen": "left" })), status(&json!({ "queen": "york" }))), (-1, 0));
    }

    #[test]
    fn rule_15_3_a_level_of_three_brings_a_veteran_though_there_are_militia() {
        let mut two = recruiting(&json!([2]));
        assert!(two.offers("brigade eastern-association") && !two.offers("brigade ironsides"));
        two.refuses("brigade ironsides", "7.1.1");
        let mut three = recruiting(&json!([3]));
        three.act("brigade ironsides");
        assert!(!three.options("to").is_empty());
        assert!(!recruiting(&json!([-1, -2])).offers("brigade ironsides"), "below 0 it favours the Royalist");
    }

    #[test]
    fn rule_15_3_a_level_of_five_brings_a_brigade_more() {
        let recruits = |chits: Value| {
            let fields = json!({ "control": { "parliament": ["london", "cambridge", "exeter", "northampton", "hull"],
                "royalist": ["york"] }, "chits": chits });
            let mut table = at(phase("early-1645", "recruitment", &fields), "");
            let mut count = 0;
            // One Brigade is due in this Turn, one a Region.
            for face in ["eastern-association", "pophams", "gells"] {
                if table.to_act() == P && table.offers("from pool-parliament") {
                    table.act("from pool-parliament").act(&format!("brigade {face}"));
                    let place = table.options("to").first().expect("a place").clone();
                    table.act(&format!("to {place}"));
                    count += 1;
                }
            }
            count
        };
        assert_eq!((recruits(json!([3, 1])), recruits(json!([3, 2]))), (1, 2));
    }
}
