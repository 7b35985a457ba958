//! The Surrender of a Fortress (14.4, F9, F10, F17), by number.

use edgehill_engine::game::Game;
use serde_json::{Value, json};

use crate::armies::moving;
use crate::built_in::{area, content};
use crate::play::{Match, P, at, game, merged, position, waiting};

/// Waller before Reading, one Bombardment short of it.
fn before_reading(more: &Value) -> Value {
    let fields = json!({ "control": { "royalist": ["reading", "worcester"], "parliament": ["london"] },
        "generals": { "waller": "reading" },
        "brigades": { "waller": ["skippons", "gells"] }, "sieges": { "reading": { "marker": "siege", "value": 3 } } });
    merged(fields, more)
}

fn falls(more: &Value, dice: &str) -> Match {
    let mut table = at(position("early-1643", "parliament", &before_reading(more)), dice);
    table.act("card C04; use bombard; bombard waller");
    assert_eq!(
        (
            table.control("reading"),
            table.marker("reading", "siege"),
            table.marker("reading", "bombardment-value")
        ),
        ("parliament", 0, 0)
    );
    table
}

rules! {
    #[test]
    fn rule_14_4_surrender_values() {
        let fortress = |id: &str| {
            let area = &content().areas[area(id)];
            let fortress = &content().fortresses[area.fortress.expect("a Fortress")];
            (fortress.class, fortress.surrender)
        };
        for id in ["shrewsbury", "reading", "chester", "nottingham", "worcester", "scarborough"] {
            assert_eq!(fortress(id), (1, 4), "{id}");
        }
        for id in ["newcastle", "oxford", "bristol", "carlisle"] {
            assert_eq!(fortress(id), (2, 7), "{id}");
        }
        for id in ["york", "hull", "london", "plymouth", "dover", "portsmouth"] {
            assert_eq!(fortress(id), (3, 11), "{id}");
        }
        for notable in &content().notables {
            assert_eq!(fortress(&content().areas[notable.area].named.id), (0, 4), "{}", notable.named.id);
        }
    }

    #[test]
    fn rule_f9_the_value_makes_it_surrender() {
        let table = falls(&json!({}), "1");
        assert_eq!(table.public("fortress_surrenders"), ["fortress_surrenders parliament reading"]);
    }

    #[test]
    fn rule_f9_honours_of_war_disperse_the_garrison_or_it_goes_to_the_pool() {
        let inside = json!({ "brigades": { "waller": ["skippons", "gells"], "inside-reading": ["byrons"] } });
        for (die, box_of, pool) in [("2", 1, 0), ("3", 0, 1)] {
            let table = falls(&inside, &format!("1,{die}"));
            assert_eq!(table.count("unemployed-royalist"), box_of, "a die of {die}");
            assert_eq!(table.brigades("pool-royalist").iter().filter(|face| *face == "byrons").count(), pool);
        }
    }

    #[test]
    fn rule_f9_faces_are_alike_where_no_garrison_waits_for_its_honours() {
        let classes = |more: &Value| {
            let mut table = waiting(position("early-1643", "parliament", &before_reading(more)));
            table.act("card C04; use bombard; bombard waller");
            game().roll_classes(table.0.state()).len()
        };
        let garrison = json!({ "brigades": { "waller": ["skippons", "gells"], "inside-reading": ["byrons"] } });
        assert_eq!((classes(&json!({})), classes(&garrison)), (1, 6), "the Bombardment Value stands until the die of the honours");
    }

    #[test]
    fn rule_f9_foreigners_and_turncoats_do_not_come_again() {
        let scots = |die: &str| {
            let fields = json!({ "control": { "royalist": ["york"], "parliament": ["nottingham", "london"] },
                "generals": { "king-charles-i": "nottingham" },
                "brigades": { "king-charles-i": ["byrons", "wilmots"], "inside-nottingham": ["covenanter-levens"] },
                "sieges": { "nottingham": { "marker": "siege", "value": 3 } } });
            let mut table = at(position("early-1645", "royalist", &fields), &format!("1,{die}"));
            table.act("card C02; use bombard; bombard king-charles-i");
            table.brigades("out").iter().filter(|face| *face == "covenanter-levens").count()
        };
        assert_eq!((scots("1"), scots("6")), (1, 1), "eliminated either way");
        let turncoat = json!({ "brigades": { "waller": ["skippons", "gells"], "inside-reading": [{ "face": "pophams",
            "turncoat": true }] } });
        let table = falls(&turncoat, "1,6");
        assert_eq!(table.brigades("out").iter().filter(|face| *face == "pophams").count(), 1);
    }

    #[test]
    fn rule_f9_train_generals_and_the_queen_inside() {
        let inside = json!({ "generals": { "waller": "reading", "byron": "inside-reading" }, "trains": { "royalist": "reading" },
            "queen": "reading",
            "brigades": { "waller": ["skippons", "gells"], "byron": ["byrons"] } });
        let table = falls(&inside, "1,6");
        assert_eq!((table.whereabouts("byron"), table.whereabouts("royalist-train")), ("unemployed-royalist".into(), "out".into()));
        assert_eq!(table.number_of("naval", None), 2, "the Queen is captured");
    }

    #[test]
    fn rule_f9_the_king_inside_ends_the_match() {
        let inside = json!({ "generals": { "waller": "reading", "king-charles-i": "inside-reading" },
            "brigades": { "waller": ["skippons", "gells"], "king-charles-i": ["byrons"] } });
        let table = falls(&inside, "1,1");
        let result = table.result().expect("Parliament wins");
        assert_eq!((result.code, result.returns), ("king_surrenders", vec![-1, 1]), "with honours of war, too");
    }

    #[test]
    fn rule_f10_no_die_without_a_brigade_inside() {
        let table = falls(&json!({}), "1");
        assert!(table.public("honours_of_war").is_empty());
    }

    #[test]
    fn rule_f17_a_besieged_fortress_falls_with_its_last_brigade() {
        // A sortie of one Brigade, against the surplus alone: a draw costs it.
        let fields = json!({ "control": { "royalist": ["reading", "worcester"], "parliament": ["london"] },
            "generals": { "waller": "reading", "byron": "inside-reading" },
            "brigades": { "waller": ["skippons", "gells", "fiennes"], "byron": ["byrons"] },
                "sieges": { "reading": { "marker": "siege", "value": 2 } } });
        let mut table = at(position("early-1643", "royalist", &fields), "3,3");
        table.act("card C02; use activate; activate byron").act_as(P, "surplus; from waller; brigade gells");
        // Nobody Disperses. Byron and his Brigade 2 and a die, Waller's surplus 3 and a die.
        table.act("stand");
        assert_eq!(table.public("defender_drawn"), ["defender_drawn parliament reading"]);
        assert_eq!((table.control("reading"), table.whereabouts("byron")), ("parliament", "unemployed-royalist".into()));
    }

    #[test]
    fn rule_f17_one_that_was_empty_all_along_does_not() {
        let fields = json!({ "generals": { "waller": "reading", "tom-fairfax-north": "under-waller" },
            "brigades": { "waller": ["skippons", "gells"], "tom-fairfax-north": ["fairfaxs-horse"] } });
        let mut table = at(position("early-1643", "parliament", &before_reading(&fields)), "");
        table.act("card C04; use activate; activate tom-fairfax-north; move newbury; done");
        assert_eq!((table.control("reading"), table.marker("reading", "siege")), ("royalist", 1), "whatever happens there");
    }

    #[test]
    fn rule_v9_the_queen_is_captured_once() {
        let stacks = "newcastle@inside-worcester grenviles-cornish; essex@worcester ironsides ironsides skippons pophams gells";
        let more = json!({ "control": { "royalist": ["worcester"], "parliament": ["london"] }, "queen": "with-newcastle",
            "sieges": { "worcester": { "marker": "siege", "value": 1 } } });
        let mut table = moving("newcastle", 3, stacks, &more, "1,5");
        table.act("surplus; from essex; brigade ironsides; from essex; brigade ironsides; from essex; brigade skippons");
        table.stand();
        assert_eq!(table.news().iter().filter(|fact| fact.starts_with("queen_captured")).count(), 1);
    }
}
