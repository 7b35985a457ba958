//! Movement (9.2 to 9.4, 9.6, AC5 to AC17), by number.

use serde_json::json;

use crate::armies::{armies, moving};
use crate::play::{P, R, at, merged, position};

/// Fields of a position in which a side controls these Areas.
fn controlled(side: &str, areas: &[&str]) -> serde_json::Value {
    json!({ "control": { side: areas } })
}

rules! {
    #[test]
    fn rule_9_2_small_armies_go_farther() {
        let small = "king-charles-i@truro kings-lifeguard ruperts-lifeguard byrons";
        let mut table = moving("king-charles-i", 3, small, &json!({}), "");
        table.act("move st-austell; move barnstaple; move taunton; move bath");
        table.refuses("move salisbury", "AC5");
        let mut four = moving("king-charles-i", 3, &format!("{small} astleys"), &json!({}), "");
        four.act("move st-austell; move barnstaple; move taunton");
        four.refuses("move bath", "AC5");
        let mut seven = moving("king-charles-i", 3, &format!("{small} astleys wilmots hertfords stawells"), &json!({}), "");
        seven.act("move st-austell; move barnstaple");
        seven.refuses("move taunton", "AC5");
    }

    #[test]
    fn rule_9_6_a_movement_point_places_or_exchanges_a_marker() {
        let stacks = "waller@newbury pophams";
        let more = json!({ "control": { "royalist": ["newbury"], "parliament": ["salisbury"] } });
        let mut table = moving("waller", 3, stacks, &more, "");
        table.act("pc");
        assert_eq!((table.control("newbury"), table.spent()), ("parliament", 1));
        table.refuses("pc", "9.6");
        table.act("move salisbury; move devizes");
        assert_eq!((table.spent(), table.control("devizes")), (3, ""));
        table.act("pc");
        assert_eq!((table.spent(), table.control("devizes")), (4, "parliament"));
    }

    #[test]
    fn rule_ac5_the_allowance_is_that_of_the_army_as_it_is() {
        let stacks = "king-charles-i@truro kings-lifeguard byrons astleys; hopton@under-king-charles-i hertfords; @barnstaple stawells";
        let mut table = moving("king-charles-i", 3, stacks, &json!({}), "");
        table.act("move st-austell; move barnstaple; move taunton");
        table.refuses("move bath", "AC5");
        table.act("leave hopton; move bath");
        assert_eq!(table.spent(), 4, "three Brigades have four");
        let three = "king-charles-i@truro kings-lifeguard byrons astleys; @barnstaple stawells";
        let mut grows = moving("king-charles-i", 3, three, &json!({}), "");
        grows.act("move st-austell; move barnstaple; from unled-barnstaple; move exeter");
        grows.refuses("move lyme", "AC5");
        grows.refuses("pc", "9.6");
    }

    #[test]
    fn rule_ac6_lines_and_markers_have_their_prices() {
        let mut table = moving("hopton", 3, "hopton@kendal hertfords stawells", &json!({}), "");
        table.refuses("move york", "AC6");
        table.act("move thirsk");
        assert_eq!(table.spent(), 2, "a Mountain line");
        table.act("move york; move wakefield");
        assert_eq!(table.spent(), 4);
        let sea = "hopton@gainsborough hertfords";
        let mut by_sea = moving("hopton", 3, sea, &json!({}), "");
        by_sea.act("pc; move hull");
        assert_eq!(by_sea.spent(), 3);
        let siege = json!({ "control": { "parliament": ["worcester"] }, "sieges": { "worcester": { "marker": "siege" } } });
        let mut lifts = moving("hopton", 3, "hopton@worcester hertfords stawells", &siege, "");
        lifts.act("siege lift");
        assert_eq!(lifts.spent(), 1);
        lifts.act("siege place");
        assert_eq!(lifts.spent(), 1, "a marker that is placed costs nothing");
    }

    #[test]
    fn rule_ac7_two_brigades_cross_the_sea_on_a_card() {
        let mut three = moving("hopton", 3, "hopton@hull hertfords stawells berkeleys", &json!({}), "");
        three.refuses("move gainsborough", "AC7");
        let mut two = moving("hopton", 3, "hopton@hull hertfords stawells", &json!({}), "");
        two.act("move gainsborough");
        let stacks = "king-charles-i@hull kings-lifeguard ruperts-lifeguard; hopton@under-king-charles-i hertfords";
        let mut left = moving("king-charles-i", 3, stacks, &json!({}), "");
        left.refuses("move gainsborough", "AC7");
        left.act("leave hopton; move gainsborough");
    }

    #[test]
    fn rule_ac8_who_won_a_battle_pays_to_go_on_and_for_nothing_else() {
        let stacks = "hopton@bath hertfords stawells; @devizes pophams; @salisbury western-association";
        let mut table = moving("hopton", 3, stacks, &json!({}), "3,3");
        table.act("move devizes").stand();
        assert!(table.told("indecisive_victory royalist devizes"));
        table.act("pc");
        assert_eq!(table.spent(), 1, "spoils cost nothing");
        table.act("move newbury");
        assert_eq!(table.spent(), 3, "the fee with the line");
        table.act("move reading");
        assert_eq!(table.spent(), 4, "once");
        let mut gone = moving("hopton", 3, stacks, &json!({}), "");
        gone.act("move salisbury; disperse; pass; move newbury");
        assert_eq!(gone.spent(), 2, "no fee where the enemy dispersed");
    }

    #[test]
    fn rule_ac9_no_marker_by_movement_in_a_fortress() {
        let mut table = moving("hopton", 3, "hopton@oxford hertfords", &controlled("parliament", &["oxford"]), "");
        table.refuses("pc", "AC9");
        let notable = json!({ "control": { "parliament": ["gloucester"] }, "notables": { "massey": "in-play" } });
        moving("hopton", 3, "hopton@gloucester hertfords", &notable, "").refuses("pc", "AC9");
        let none = json!({ "control": { "parliament": ["gloucester"] } });
        moving("hopton", 3, "hopton@gloucester hertfords", &none, "").act("pc");
    }

    #[test]
    fn rule_ac11_no_step_leads_where_the_army_could_not_end() {
        let stacks = "hopton@truro hertfords stawells; byron@taunton byrons";
        let mut table = moving("hopton", 3, stacks, &json!({}), "");
        table.act("move st-austell; move barnstaple; pc");
        table.refuses("move taunton", "AC11");
        let mut passes = moving("hopton", 3, stacks, &json!({}), "");
        passes.act("move st-austell; move barnstaple; move taunton");
        passes.refuses("done", "AC11");
        passes.act("move bath");
        assert_eq!(passes.whereabouts("hopton"), "bath", "it passes an Army that it can't join");
    }

    #[test]
    fn rule_ac12_an_army_that_is_stopped_where_it_can_t_stand_retraces_its_way() {
        let stacks = "hopton@bristol grenviles-cornish hertfords; byron@taunton byrons; @lyme western-association western-association";
        let mut table = moving("hopton", 3, stacks, &json!({}), "1,4");
        table.act("move taunton; move lyme").stand();
        assert!(table.told("defender_drawn parliament lyme"), "1 + 3 + 2 against 4 + 2");
        assert!(table.told("goes_back hopton lyme") && table.told("retraces hopton bristol"), "{:?}", table.news());
    }

    #[test]
    fn rule_ac13_an_army_goes_inside_a_friendly_fortress_and_ends() {
        let mut table = moving("hopton", 3, "hopton@newbury hertfords stawells", &controlled("royalist", &["oxford"]), "");
        table.refuses("inside", "AC13");
        table.act("move oxford; inside");
        assert_eq!((table.whereabouts("hopton"), table.frame().as_str()), ("inside-oxford".into(), "play"));
        let mut three = moving("hopton", 3, "hopton@oxford hertfords stawells berkeleys", &controlled("royalist", &["oxford"]), "");
        three.refuses("inside", "F1");
        let mut starts = moving("hopton", 3, "hopton@inside-oxford hertfords", &controlled("royalist", &["oxford"]), "");
        starts.refuses("inside", "AC13");
        starts.act("move newbury");
        assert_eq!(starts.whereabouts("hopton"), "newbury", "it may begin inside");
        let notable = json!({ "control": { "royalist": ["preston"] }, "notables": { "earl-of-derby": "in-play" } });
        moving("hopton", 3, "hopton@preston hertfords", &notable, "").refuses("inside", "AC13");
    }

    #[test]
    fn rule_ac13_a_subordinate_of_an_army_inside_stays_inside_beside_enemies() {
        let stacks = "newcastle@inside-newcastle widdringtons; byron@under-newcastle wilmots; @newcastle gells";
        let control = controlled("royalist", &["newcastle"]);
        let mut table = at(position("early-1643", "royalist", &merged(armies(stacks), &control)), "");
        table.act("card C02; use activate; activate byron");
        assert_eq!(table.whereabouts("byron"), "inside-newcastle", "Parliament's Brigade stands outside");
        table.act("done");
        assert_eq!(table.whereabouts("newcastle"), "inside-newcastle");
        assert_eq!((table.frame().as_str(), table.to_act()), ("play", P));
        let alone = "newcastle@inside-newcastle widdringtons; byron@under-newcastle wilmots";
        let mut free = at(position("early-1643", "royalist", &merged(armies(alone), &control)), "");
        free.act("card C02; use activate; activate byron");
        assert_eq!(free.whereabouts("byron"), "newcastle", "else they are outside");
    }

    #[test]
    fn rule_f1_an_army_that_outgrows_its_fortress_comes_out_from_beside_those_it_has_left_there() {
        let stacks = "essex@inside-london fiennes; bedford@under-essex pophams; @london assheton ironsides";
        let mut table = moving("essex", 3, stacks, &controlled("parliament", &["london"]), "");
        table.act("leave bedford; from unled-london; brigade assheton");
        assert_eq!(table.whereabouts("essex"), "inside-london", "three have room");
        table.act("from unled-london");
        assert_eq!((table.whereabouts("essex"), table.whereabouts("bedford")), ("london".into(), "inside-london".into()));
    }

    #[test]
    fn rule_ac14_an_army_inside_stands_in_the_area_and_is_not_attacked() {
        let stacks = "king-charles-i@newbury kings-lifeguard; byron@inside-oxford byrons";
        let mut table = moving("king-charles-i", 3, stacks, &controlled("royalist", &["oxford"]), "");
        table.act("move oxford");
        assert_eq!(table.options("join"), ["byron"]);
        table.act("done");
        assert_eq!(table.whereabouts("byron"), "king-charles-i");
        let enemy = "waller@newbury pophams; byron@inside-oxford byrons";
        let mut passes = moving("waller", 3, enemy, &controlled("royalist", &["oxford"]), "4");
        passes.act("move reading");
        assert_eq!((passes.frame().as_str(), passes.to_act()), ("interception", R), "it may Intercept");
        passes.act("intercept byron");
        assert!(passes.told("interception_succeeds byron 4 4"));
        passes.act("stand; disperse");
        let mut enters = moving("waller", 3, enemy, &controlled("royalist", &["oxford"]), "");
        enters.act("move oxford");
        assert_eq!(enters.frame(), "activation", "safe from Battle");
    }

    #[test]
    fn rule_ac15_an_enemy_fortress_is_crossed_whoever_is_inside() {
        let stacks = "waller@newbury pophams; @inside-oxford byrons astleys";
        let mut table = moving("waller", 3, stacks, &controlled("royalist", &["oxford"]), "");
        table.act("move oxford");
        assert!(!table.has_told("battle") && table.frame() == "activation");
        table.act("move warwick");
        assert_eq!((table.whereabouts("waller"), table.spent()), ("warwick".into(), 2));
    }

    #[test]
    fn rule_ac17_retracing_passes_over_areas_with_enemies() {
        let stacks = "hopton@bristol grenviles-cornish hertfords; @inside-bristol gells; byron@taunton byrons; \
            @lyme western-association western-association";
        let mut table = moving("hopton", 3, stacks, &controlled("parliament", &["bristol"]), "1,4");
        table.act("move taunton; move lyme").stand();
        assert!(table.told("goes_back hopton lyme") && !table.has_told("retraces"));
        assert_eq!((table.frame().as_str(), table.to_act()), ("illegal", R), "no Area of the path will do");
    }
}
