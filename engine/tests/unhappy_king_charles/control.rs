//! Political control (11.1, 11.2, P1, P6, P7, 13.0), by number.

use serde_json::json;

use crate::play::{at, phase, position};

rules! {
    #[test]
    fn rule_p1_areas_with_brigades_get_their_sides_marker() {
        let fields = json!({ "control": { "royalist": ["oxford"], "parliament": ["london", "newbury"] },
            "generals": { "king-charles-i": "newbury" },
            "brigades": { "king-charles-i": ["byrons"], "unled-bath": ["stawells"], "unled-cambridge": ["ironsides"] } });
        let table = at(phase("late-1643", "political-control", &fields), "");
        assert_eq!((table.control("newbury"), table.control("bath")), ("royalist", "royalist"));
        assert_eq!(table.control("cambridge"), "parliament", "both sides, without a choice");
    }

    #[test]
    fn rule_p1_a_garrison_and_an_army_before_a_fortress_change_nothing_there() {
        let fields = json!({ "control": { "royalist": ["oxford"], "parliament": ["london", "bristol"] },
            "generals": { "king-charles-i": "bristol" }, "brigades": { "king-charles-i": ["byrons"], "unled-bath": ["stawells"] } });
        let table = at(phase("late-1643", "political-control", &fields), "");
        assert_eq!((table.control("bristol"), table.control("bath")), ("parliament", "royalist"));
    }

    #[test]
    fn rule_13_0_the_counter_of_a_notable_makes_a_fortress() {
        let fields = |phase: &str| json!({ "phase": phase, "notables": { "massey": "in-play" },
            "control": { "royalist": ["oxford"], "parliament": ["london", "gloucester"] },
            "generals": { "king-charles-i": "gloucester" }, "brigades": { "king-charles-i": ["byrons"] } });
        let table = at(phase("late-1643", "political-control", &fields("political-control")), "");
        assert_eq!(table.control("gloucester"), "parliament", "the Army before it Masks it");
        let mut moving = at(position("late-1643", "royalist", &fields("campaign")), "");
        moving.act("card C02; use activate; activate king-charles-i").refuses("pc", "11.1");
    }

    #[test]
    fn rule_11_1_no_marker_is_placed_on_a_fortress() {
        let fields = json!({ "control": { "royalist": ["st-austell"], "parliament": ["plymouth", "london"] },
            "generals": { "hopton": "plymouth" }, "brigades": { "hopton": ["stawells"] } });
        let mut table = at(position("late-1643", "royalist", &fields), "");
        table.act("card C02; use markers").refuses("at plymouth", "11.1").act("at truro; done");
        let mut moving = at(position("late-1643", "royalist", &fields), "");
        moving.act("card C02; use activate; activate hopton").refuses("pc", "11.1");
        assert_eq!(moving.control("plymouth"), "parliament");
        let mut neutral = at(position("late-1643", "royalist", &json!({ "control": { "royalist": ["newbury"] } })), "");
        neutral.act("card C02; use markers").refuses("at reading", "11.1");
    }

    #[test]
    fn rule_11_1_a_fortress_turns_by_an_event_that_says_so() {
        let fields = |inside: &str| json!({ "control": { "royalist": ["york"], "parliament": ["hull", "london"] },
            "hands": { "royalist": ["E19"] }, "trains": { "parliament": "hull" },
            "generals": { "lord-fairfax": inside }, "brigades": { "lord-fairfax": ["hothams"] } });
        // The die must reach 5, with 1 for the Brigade inside.
        let mut table = at(position("early-1643", "royalist", &fields("inside-hull")), "6");
        table.act("card E19; use event");
        assert_eq!((table.control("hull"), table.brigades("unemployed-parliament")), ("royalist", vec!["hothams".to_owned()]));
        assert_eq!((table.whereabouts("lord-fairfax"), table.whereabouts("parliament-train")), ("unemployed-parliament".into(),
            "out".into()));
        let mut failed = at(position("early-1643", "royalist", &fields("inside-hull")), "5");
        failed.act("card E19; use event");
        assert_eq!(failed.control("hull"), "parliament");
    }

    #[test]
    fn rule_p6_a_notable_comes_over_enemies_and_switches_control() {
        let fields = json!({ "control": { "royalist": ["lyme", "oxford"], "parliament": ["london"] }, "hands": { "parliament": ["E29"] },
            "generals": { "hopton": "lyme" }, "brigades": { "hopton": ["stawells"], "unled-poole": ["berkeleys"] } });
        let mut table = at(position("early-1643", "parliament", &fields), "");
        table.act("card E29; use event");
        assert_eq!((table.control("lyme"), table.whereabouts("blake")), ("parliament", "lyme".into()));
        assert_eq!((table.whereabouts("hopton"), table.count("blake")), ("lyme".into(), 0), "no Battle, no Brigades");
    }

    #[test]
    fn rule_p7_an_event_takes_no_marker_where_enemies_stand() {
        let fields = json!({ "control": { "royalist": ["stafford", "lichfield", "warwick", "oxford"], "parliament": ["london"] },
            "hands": { "parliament": ["E32"] }, "generals": { "byron": "warwick", "waller": "derby" },
            "brigades": { "unled-stafford": ["astleys"], "byron": ["byrons"], "waller": ["gells"] } });
        let mut table = at(position("early-1643", "parliament", &fields), "");
        table.act("card E32; use event").refuses("at stafford", "P7").refuses("at warwick", "P7").refuses("at oxford", "11.1");
        assert!(table.offers("at derby"), "an own Army is no bar");
        table.act("at lichfield; done");
        assert_eq!(table.control("lichfield"), "parliament");
    }
}
