//! Evasion (10.1, EV1 to EV7, EV14), by number.

use serde_json::json;

use crate::armies::moving;
use crate::play::{P, R};

rules! {
    #[test]
    fn rule_ev1_an_army_that_is_attacked_outside_may_evade() {
        let stacks = "king-charles-i@york kings-lifeguard; lord-fairfax@wakefield cloth-towns-militias";
        let mut table = moving("king-charles-i", 3, stacks, &json!({}), "");
        table.act("move wakefield");
        assert_eq!((table.frame().as_str(), table.to_act(), table.offered()), ("evasion", P, vec!["evade".to_owned(), "stand".to_owned()]));
        table.act("stand; disperse; pass");
        let sortie = "king-charles-i@inside-york kings-lifeguard; lord-fairfax@york cloth-towns-militias";
        let mut out = moving("king-charles-i", 3, sortie, &json!({ "control": { "royalist": ["york"] } }), "");
        assert_eq!(out.frame(), "evasion", "also from a sortie");
        out.act("stand; disperse");
    }

    #[test]
    fn rule_ev2_the_steps_before_a_battle_have_their_order() {
        let stacks = "king-charles-i@york kings-lifeguard whitecoats; lord-fairfax@hull cloth-towns-militias; @hull hothams";
        let more = json!({ "control": { "parliament": ["hull"] }, "hands": { "royalist": ["E14"], "parliament": ["E15"] } });
        let mut table = moving("king-charles-i", 3, stacks, &more, "1,1");
        table.act("move hull");
        let mut asked = Vec::new();
        while !["activation", "battle-loss", "retreat"].contains(&table.frame().as_str()) {
            asked.push((table.frame(), table.to_act()));
            let pass = if table.frame() == "combat-card" { "pass" } else { "stand" };
            table.act(pass);
        }
        let order = [("pick-up", P), ("evasion", P), ("withdrawal", P), ("dispersal", P), ("dispersal", R), ("combat-card", R), ("combat-card", P)];
        assert_eq!(asked, order.map(|(frame, seat)| (frame.to_owned(), seat)));
        let facts = table.news();
        let at = |fact: &str| facts.iter().position(|one| one.starts_with(fact)).unwrap_or_else(|| panic!("{fact}: {facts:?}"));
        assert!(at("stands") < at("battle hull") && at("battle hull") < at("battle_dice"));
    }

    #[test]
    fn rule_ev3_ratings_and_the_enemy_s_line_change_the_roll() {
        for (mover, from, die, score) in [("bedford", "york", 3, 4), ("waller", "york", 4, 4), ("cromwell", "york", 4, 3),
            ("waller", "macclesfield", 4, 3), ("waller", "macclesfield", 5, 4)] {
            let stacks = format!("{mover}@{from} pophams; hopton@wakefield hertfords");
            let mut table = moving(mover, 3, &stacks, &json!({}), &die.to_string());
            table.act("move wakefield; evade");
            let code = if score >= 4 { "evasion_succeeds" } else { "evasion_fails" };
            assert!(table.told(&format!("{code} hopton {die} {score}")), "{mover} from {from}: {:?}", table.news());
        }
        let mut sea = moving("waller", 3, "waller@hull pophams; hopton@gainsborough hertfords", &json!({}), "4");
        sea.act("move gainsborough; evade");
        assert!(sea.told("evasion_fails hopton 4 3"));
    }

    #[test]
    fn rule_ev4_one_area_or_two_by_any_lines_without_enemies() {
        let stacks = "waller@york pophams; hopton@wakefield hertfords; @sheffield gells";
        let mut table = moving("waller", 3, stacks, &json!({}), "6");
        table.act("move wakefield; evade");
        table.refuses("move york", "EV4");
        table.refuses("move sheffield", "EV4");
        assert_eq!(table.options("move"), ["doncaster", "macclesfield", "skipton"]);
        table.act("move macclesfield");
        table.refuses("move sheffield", "EV4");
        table.act("move derby");
        assert_eq!((table.whereabouts("hopton"), table.frame().as_str()), ("derby".into(), "activation"), "two Areas, whatever the lines");
        let many = "waller@york pophams; hopton@wakefield hertfords stawells berkeleys slannings-cornish";
        let mut four = moving("waller", 3, many, &json!({}), "6");
        four.act("move wakefield; evade; move skipton");
        assert_eq!(four.frame(), "activation", "one Area with four Brigades");
        let sea = "waller@york pophams; hopton@hull hertfords stawells berkeleys; @scarborough gells; @doncaster fiennes";
        let mut three = moving("waller", 3, sea, &json!({}), "3,3");
        three.act("move hull");
        assert_ne!(three.frame(), "evasion", "no way over the sea for three: no attempt");
        three.stand();
    }

    #[test]
    fn rule_ev6_the_active_army_goes_on_without_a_fee_and_fights_who_is_left() {
        let stacks = "waller@york pophams; hopton@wakefield hertfords";
        let mut table = moving("waller", 3, stacks, &json!({}), "5,5");
        table.act("move wakefield; evade; move doncaster; done; move doncaster");
        assert_eq!((table.spent(), table.frame().as_str(), table.to_act()), (2, "evasion", R), "it may roll again");
        table.act("evade; move newark; done; done");
        let unled = "waller@york pophams; hopton@wakefield hertfords; @wakefield stawells";
        let mut left = moving("waller", 3, unled, &json!({}), "5");
        left.act("move wakefield; stand; evade; move doncaster; done");
        assert_eq!((left.frame().as_str(), left.to_act()), ("dispersal", R), "the unled Brigade fights now, and does not Evade");
        left.act("disperse; pass");
    }

    #[test]
    fn rule_ev7_a_besieger_who_evades_has_lifted_the_siege() {
        let stacks = "king-charles-i@oxford kings-lifeguard; waller@worcester pophams western-association gells";
        let more = json!({ "control": { "royalist": ["worcester"] }, "sieges": { "worcester": { "marker": "siege", "value": 3 } } });
        let mut table = moving("king-charles-i", 3, stacks, &more, "3");
        table.act("move worcester; lift; evade");
        assert!(table.told("evasion_fails waller 3 3"));
        assert_eq!(table.mark("worcester", "siege"), 0, "it stays lifted");
        table.act("disperse");
        let mut keeps = moving("king-charles-i", 3, stacks, &more, "");
        keeps.act("move worcester; surplus");
        while keeps.frame() == "siege-choice" {
            let first = keeps.offered().remove(0);
            keeps.act(&first);
        }
        assert_eq!((keeps.frame().as_str(), keeps.to_act()), ("dispersal", R), "who keeps it up neither Evades nor Disperses");
        keeps.act("disperse");
    }

    #[test]
    fn rule_ev14_no_step_from_which_no_legal_end_is_reached() {
        let stacks = "waller@york pophams; hopton@wakefield hertfords stawells berkeleys slannings-cornish; byron@skipton byrons; \
            @doncaster gells; @sheffield fiennes; @macclesfield denbighs";
        let mut table = moving("waller", 3, stacks, &json!({}), "");
        table.act("move wakefield");
        assert_ne!(table.frame(), "evasion", "Byron's Area is the only one, and can't be shared");
        table.act("disperse; pass");
        let open = stacks.replace(" stawells berkeleys slannings-cornish", "").replace("@macclesfield denbighs", "@hull denbighs");
        let mut one = moving("waller", 3, &open, &json!({}), "5");
        one.act("move wakefield; evade");
        assert_eq!(one.options("move"), ["macclesfield", "skipton"]);
        one.act("move skipton");
        one.refuses("done", "EV14");
        one.act("move kendal");
    }

    #[test]
    fn rule_ev4_who_comes_to_a_siege_lifts_no_marker() {
        let stacks = "waller@taunton pophams gells; byron@barnstaple byrons; king-charles-i@plymouth stawells berkeleys hertfords";
        let more = json!({ "control": { "parliament": ["plymouth"] }, "sieges": { "plymouth": { "marker": "siege", "value": 2 } } });
        let mut table = moving("waller", 3, stacks, &more, "6");
        table.act("move barnstaple; evade; move plymouth");
        table.act("done");
        assert_eq!((table.whereabouts("byron"), table.marker("plymouth", "siege")), ("king-charles-i".into(), 1));
    }
}
