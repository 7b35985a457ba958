//! Bombardments (14.2, 14.3, F6, F7) and those of the Blockade Phase (5.6, T19, T20), by number.

use serde_json::{Value, json};

use crate::play::{Match, P, R, at, merged, phase, position};

/// The King before Oxford, which is Parliament's, with three Brigades.
fn before_oxford(more: &Value) -> Value {
    let fields = json!({ "control": { "royalist": ["worcester"], "parliament": ["oxford", "london"] },
        "generals": { "king-charles-i": "oxford" },
        "brigades": { "king-charles-i": ["byrons", "astleys", "wilmots"] } });
    merged(fields, more)
}

fn bombarding(fields: &Value, die: &str) -> Match {
    let mut table = at(position("early-1643", "royalist", fields), die);
    table.act("card C02; use bombard; bombard king-charles-i");
    table
}

/// Parliament's Lord General before Oxford, with Brigades of the New Model Army.
fn new_model(brigades: &[&str], more: &Value, die: &str) -> Match {
    let fields = json!({ "control": { "royalist": ["oxford", "worcester"], "parliament": ["london"] },
        "generals": { "lord-general-tom-fairfax": "oxford" },
        "brigades": { "lord-general-tom-fairfax": brigades }, "happened": ["standard", "new-model"], "late_war": true });
    let mut table = at(position("early-1645", "parliament", &merged(fields, more)), die);
    table.act("card C04; use bombard; bombard lord-general-tom-fairfax; pass");
    table
}

rules! {
    #[test]
    fn rule_f6_a_card_that_would_move_the_army_bombards() {
        let fields = json!({ "control": { "royalist": ["reading", "worcester", "oxford"], "parliament": ["london"] },
            "generals": { "waller": "reading", "bedford": "worcester", "essex": "oxford" },
            "brigades": { "waller": ["skippons", "wallers-horse"], "bedford": ["pophams"],
                "essex": ["fiennes", "gells", "assheton", "denbighs", "ironsides"] } });
        let mut two = at(position("early-1643", "parliament", &fields), "");
        two.act("card C04; use bombard");
        assert_eq!(two.options("bombard"), ["waller"], "not Bedford with a 3, nor an Army of five");
        let mut three = at(position("early-1643", "parliament", &merged(fields, &json!({ "hands": { "parliament": ["E06"] } }))), "");
        three.act("card E06; use bombard");
        assert_eq!(three.options("bombard"), ["bedford", "essex", "waller"]);
    }

    #[test]
    fn rule_f6_the_marker_comes_with_it_and_nothing_else_is_done() {
        let table = bombarding(&before_oxford(&json!({})), "4");
        assert_eq!((table.marker("oxford", "siege"), table.marker("oxford", "bombardment-value")), (1, 4));
        assert_eq!(table.to_act(), P, "the Activation is over");
    }

    #[test]
    fn rule_f6_not_before_the_standard_nor_by_an_army_that_is_too_small() {
        let mut early = at(position("early-1643", "royalist", &before_oxford(&json!({ "happened": [] }))), "");
        early.act("card C02").refuses("use bombard", "6.1");
        let one = json!({ "brigades": { "king-charles-i": ["byrons"] } });
        let mut weak = at(position("early-1643", "royalist", &before_oxford(&one)), "");
        weak.act("card C02").refuses("use bombard", "6.1");
        let inside = json!({ "brigades": { "king-charles-i": ["byrons", "astleys", "wilmots"], "inside-oxford": ["gells", "fiennes"] } });
        let mut garrisoned = at(position("early-1643", "royalist", &before_oxford(&inside)), "");
        garrisoned.act("card C02").refuses("use bombard", "6.1");
    }

    #[test]
    fn rule_f7_the_siege_train_adds_one() {
        let train = json!({ "trains": { "royalist": "with-king-charles-i" } });
        assert_eq!(bombarding(&before_oxford(&train), "3").marker("oxford", "bombardment-value"), 4);
        let behind = json!({ "trains": { "royalist": "worcester" } });
        assert_eq!(bombarding(&before_oxford(&behind), "3").marker("oxford", "bombardment-value"), 3);
    }

    #[test]
    fn rule_f7_three_new_model_brigades_do_as_the_train_not_beside_it() {
        let model = ["new-model-army", "new-model-army", "new-model-army"];
        let value = |table: Match| table.marker("oxford", "bombardment-value");
        assert_eq!(value(new_model(&model, &json!({}), "3")), 4);
        assert_eq!(value(new_model(&["new-model-army", "new-model-army", "gells"], &json!({}), "3")), 3);
        let train = json!({ "trains": { "parliament": "with-lord-general-tom-fairfax" } });
        assert_eq!(value(new_model(&model, &train, "3")), 4);
    }

    #[test]
    fn rule_f7_local_notables_and_favoured_ports_take_two_and_only_a_sum_above_nothing_counts() {
        let fields = json!({ "control": { "royalist": ["worcester"], "parliament": ["gloucester", "london"] },
            "notables": { "massey": "in-play" },
            "generals": { "king-charles-i": "gloucester" }, "brigades": { "king-charles-i": ["byrons", "astleys"] } });
        let after = |die: &str| bombarding(&fields, die).marker("gloucester", "bombardment-value");
        assert_eq!((after("5"), after("2"), after("1")), (3, 0, 0));
        let port = json!({ "control": { "royalist": ["worcester"], "parliament": ["plymouth", "london"] },
            "generals": { "king-charles-i": "plymouth" }, "chits": [2] });
        assert_eq!(bombarding(&before_oxford(&port), "5").marker("plymouth", "bombardment-value"), 3);
    }

    #[test]
    fn rule_f7_the_value_of_a_siege_grows() {
        let siege = json!({ "sieges": { "oxford": { "marker": "siege", "value": 2 } } });
        assert_eq!(bombarding(&before_oxford(&siege), "3").marker("oxford", "bombardment-value"), 5);
        let engineers = json!({ "sieges": { "oxford": { "marker": "siege", "value": 1, "bonus": 2 } } });
        let table = bombarding(&before_oxford(&engineers), "2");
        assert_eq!((table.marker("oxford", "bombardment-value"), table.marker("oxford", "siege-bonus")), (5, 0), "once");
    }

    #[test]
    fn rule_n3_naval_status_hurts_bombardments_of_ports() {
        let port = |chits: Value| json!({ "control": { "royalist": ["worcester"], "parliament": ["plymouth", "london"] },
            "generals": { "king-charles-i": "plymouth" }, "chits": chits });
        let value = |chits: Value| bombarding(&before_oxford(&port(chits)), "5").marker("plymouth", "bombardment-value");
        assert_eq!((value(json!([1])), value(json!([])), value(json!([-1]))), (3, 5, 5));
        let favoured = json!({ "control": { "royalist": ["newcastle"], "parliament": ["london"] }, "generals": { "waller": "newcastle" },
            "brigades": { "waller": ["skippons", "gells"] }, "chits": [-1] });
        let mut table = at(position("early-1643", "parliament", &favoured), "5");
        table.act("card C04; use bombard; bombard waller");
        assert_eq!(table.marker("newcastle", "bombardment-value"), 3, "below 0 it is Parliament's that suffer");
        let inland = before_oxford(&json!({ "chits": [3, 2] }));
        assert_eq!(bombarding(&inland, "5").marker("oxford", "bombardment-value"), 5, "Oxford is no Port");
    }

    #[test]
    fn rule_5_6_blockades_bombard_once_without_a_card_and_sieges_do_not() {
        let fields = json!({ "control": { "royalist": ["worcester", "york"], "parliament": ["oxford", "nottingham", "london"] },
            "generals": { "king-charles-i": "oxford", "byron": "nottingham" },
            "brigades": { "king-charles-i": ["byrons", "astleys"], "byron": ["wilmots"] },
            "sieges": { "oxford": { "marker": "blockade" }, "nottingham": { "marker": "siege" } } });
        let mut table = at(phase("early-1643", "blockade", &fields), "3");
        assert_eq!((table.to_act(), table.options("bombard")), (R, vec!["king-charles-i".to_owned()]));
        table.refuses("bombard byron", "5.6").act("bombard king-charles-i");
        assert_eq!((table.marker("oxford", "bombardment-value"), table.marker("oxford", "siege")), (3, 2));
        assert!(table.result().is_some() || !table.offers("bombard king-charles-i"), "once");
    }

    #[test]
    fn rule_t19_parliaments_blockades_come_first_and_may_be_left() {
        let fields = json!({ "control": { "royalist": ["worcester"], "parliament": ["oxford", "london"] },
            "generals": { "king-charles-i": "oxford", "waller": "worcester" },
            "brigades": { "king-charles-i": ["byrons", "astleys"], "waller": ["skippons"] },
            "sieges": { "oxford": { "marker": "blockade" }, "worcester": { "marker": "blockade" } } });
        let mut table = at(phase("early-1643", "blockade", &fields), "");
        table.act_as(P, "done").act_as(R, "done");
        assert_eq!((table.marker("oxford", "bombardment-value"), table.marker("worcester", "bombardment-value")), (0, 0));
    }

    #[test]
    fn rule_t20_no_assault_follows_in_the_blockade_phase() {
        let fields = json!({ "control": { "royalist": ["york"], "parliament": ["oxford", "london"] },
            "generals": { "prince-rupert": "oxford" },
            "brigades": { "prince-rupert": ["byrons", "astleys"] }, "sieges": { "oxford": { "marker": "blockade" } } });
        let mut table = at(phase("early-1643", "blockade", &fields), "3");
        table.act("bombard prince-rupert");
        assert_eq!(table.marker("oxford", "bombardment-value"), 3);
        assert!(table.asked() == edgehill_engine::game::Node::Over || !table.offers("assault"));
    }
}
