//! Retreats and Surrender (10.3, 10.4, RT1 to RT8), by number.

use serde_json::json;

use crate::armies::{activated, battle, moving};
use crate::play::{Match, P, R, with_options};

/// Hopton decisively beats Essex at Plymouth, with the option of Lostwithiel or without it.
fn lostwithiel(option: &str, script: &str) -> Match {
    let stacks = "essex@plymouth eastern-association eastern-association eastern-association eastern-association; \
        hopton@st-austell grenviles-cornish ruperts-lifeguard whitecoats kings-lifeguard";
    let place = activated("hopton", 3, stacks, &json!({ "hands": { "royalist": ["E13"] } }));
    let mut table = with_options(&[("lostwithiel", option)], place, script);
    table.act("move plymouth; stand; stand; stand; card E13");
    assert!(table.told("decisive_victory royalist plymouth"), "4 + 8 + 2 + 2 against 1 + 4 + 1");
    table
}

rules! {
    #[test]
    fn rule_rt1_one_area_at_least_and_up_to_the_distance_of_an_evasion() {
        let stacks = "waller@newbury ironsides ironsides; hopton@salisbury hertfords stawells; @salisbury berkeleys";
        let mut table = battle("waller", "salisbury", stacks, &json!({}), "5,2");
        table.act("from hopton; brigade hertfords");
        table.refuses("done", "RT1");
        table.act("move bath");
        assert_eq!((table.count("hopton"), table.count("unled-bath")), (1, 1), "all go to one Area");
        table.act("move taunton");
        assert_eq!((table.frame().as_str(), table.whereabouts("hopton"), table.count("unled-taunton")), ("spoils", "taunton".into(), 1));
        table.act("pass");
        let many = "waller@newbury ironsides ironsides wallers-horse; hopton@salisbury hertfords stawells berkeleys slannings-cornish; @salisbury byrons";
        let mut four = battle("waller", "salisbury", many, &json!({}), "5,3");
        four.act("from unled-salisbury; move bath");
        assert_eq!(four.frame(), "spoils", "one Area for four Brigades");
        four.act("pass");
    }

    #[test]
    fn rule_rt2_no_enemies_not_where_the_attack_came_from_and_an_attacker_back_first() {
        let stacks = "waller@newbury ironsides ironsides; hopton@salisbury hertfords stawells; @devizes gells; @inside-bristol fiennes";
        let more = json!({ "control": { "parliament": ["bristol"] } });
        let mut table = battle("waller", "salisbury", stacks, &more, "4,2");
        table.act("brigade hertfords");
        table.refuses("move newbury", "RT2");
        table.refuses("move devizes", "RT2");
        assert_eq!(table.options("move"), ["bath", "lyme", "poole", "winchester"]);
        table.act("move bath");
        table.refuses("move bristol", "RT2");
        table.act("done; pass");
        let attacker = "waller@newbury pophams gells; hopton@salisbury grenviles-cornish ruperts-lifeguard";
        let mut back = battle("waller", "salisbury", attacker, &json!({}), "2,3");
        back.act("brigade gells");
        assert_eq!(back.options("move"), ["newbury"]);
        back.act("move newbury; move oxford; pass");
        let sea = "waller@york ironsides ironsides wallers-horse skippons; hopton@hull hertfords stawells berkeleys slannings-cornish; @scarborough gells; \
            @doncaster fiennes";
        let mut drowned = battle("waller", "hull", sea, &json!({}), "2,4");
        assert!(drowned.told("indecisive_victory parliament hull"), "2 + 8 + 2 against 4 + 4 + 2");
        drowned.act("brigade hertfords");
        assert!(drowned.told("army_surrenders royalist hull 3"), "three may not take the one line that is open");
    }

    #[test]
    fn rule_rt3_the_first_enemy_marker_costs_a_brigade() {
        let stacks = "waller@newbury ironsides ironsides; hopton@salisbury hertfords stawells berkeleys";
        let more = json!({ "control": { "parliament": ["bath", "bristol", "taunton"] } });
        let mut table = battle("waller", "salisbury", stacks, &more, "5,2");
        table.act("brigade hertfords; move bath");
        assert_eq!((table.to_act(), table.options("brigade")), (R, vec!["berkeleys".to_owned(), "stawells".to_owned()]));
        table.act("brigade stawells; move taunton");
        assert_eq!((table.brigades("hopton"), table.whereabouts("hopton")), (vec!["berkeleys".to_owned()], "taunton".into()), "once a Retreat");
        assert!(table.brigades("pool-royalist").contains(&"stawells".to_owned()), "it can be recruited again");
        assert_eq!(table.brigades("lost"), ["hertfords"]);
    }

    #[test]
    fn rule_rt4_it_ends_only_where_it_may_stand() {
        let stacks = "waller@newbury ironsides ironsides; hopton@salisbury hertfords stawells; byron@bath byrons";
        let mut table = battle("waller", "salisbury", stacks, &json!({}), "4,2");
        table.act("brigade hertfords; move bath");
        table.refuses("done", "RT4");
        table.act("move taunton; pass");
        let joins = stacks.replace("byron@bath byrons", "prince-rupert@bath byrons");
        let mut rupert = battle("waller", "salisbury", &joins, &json!({}), "4,2");
        rupert.act("brigade hertfords; move bath; done");
        assert_eq!(rupert.whereabouts("hopton"), "prince-rupert");
        rupert.act("pass");
    }

    #[test]
    fn rule_rt5_who_has_no_way_surrenders() {
        let stacks = "waller@newbury ironsides ironsides; hopton@salisbury hertfords stawells; @bath gells; @lyme pophams; @poole hothams; \
            @devizes fiennes; @winchester assheton";
        let mut table = battle("waller", "salisbury", stacks, &json!({}), "4,2");
        table.act("brigade hertfords");
        assert!(table.told("army_surrenders royalist salisbury 1"));
        assert_eq!((table.brigades("lost"), table.whereabouts("hopton")), (vec!["hertfords".to_owned(), "stawells".to_owned()], "unemployed-royalist".into()));
        let way = stacks.replace("@bath gells; ", "");
        let mut last = battle("waller", "salisbury", &way, &json!({ "control": { "parliament": ["bath"] } }), "4,2");
        last.act("brigade hertfords; move bath");
        assert!(!last.has_told("army_surrenders"), "a way that costs the last Brigade is a way");
        assert_eq!(last.brigades("lost"), ["hertfords"]);
    }

    #[test]
    fn rule_rt7_parliament_wins_when_the_king_surrenders() {
        let stacks = "waller@newbury ironsides ironsides; king-charles-i@salisbury hertfords stawells; @bath gells; @lyme pophams; @poole hothams; \
            @devizes fiennes; @winchester assheton";
        let mut taken = battle("waller", "salisbury", stacks, &json!({}), "4,3");
        taken.act("brigade hertfords");
        assert!(taken.told("king_taken king-charles-i"));
        assert_eq!(taken.result().expect("the match is over").code, "king_surrenders");
        let mut scattered = moving("waller", 3, stacks, &json!({}), "");
        scattered.act("move salisbury; disperse; pass");
        assert!(scattered.result().is_none(), "a Dispersal is no Surrender");
        let way = stacks.replace("@bath gells; ", "");
        let mut lost = battle("waller", "salisbury", &way, &json!({ "control": { "parliament": ["bath"] } }), "4,3");
        lost.act("brigade hertfords; move bath; pass");
        assert_eq!((lost.whereabouts("king-charles-i"), lost.result().is_none()), ("unemployed-royalist".into(), true), "nor is a loss of Retreat");
    }

    #[test]
    fn rule_rt8_when_the_match_is_decided_nothing_more_is_done() {
        let stacks = "waller@newbury ironsides ironsides; king-charles-i@salisbury kings-lifeguard";
        let table = battle("waller", "salisbury", stacks, &json!({}), "6,1");
        assert!(table.told("major_victory parliament salisbury") && table.told("king_taken king-charles-i"));
        assert!(!table.has_told("battle_over") && table.offered().is_empty(), "no bonus card, no spoils");
        let besieger = "waller@oxford ironsides ironsides; king-charles-i@worcester kings-lifeguard hertfords stawells; @gloucester gells; \
            @hereford pophams; @bridgnorth hothams; @warwick fiennes";
        let more = json!({ "control": { "parliament": ["worcester"] }, "sieges": { "worcester": { "marker": "siege" } } });
        let mut siege = moving("waller", 3, besieger, &more, "4,3");
        siege.act("move worcester; surplus; from king-charles-i; brigade hertfords; from king-charles-i; brigade stawells").stand();
        siege.act("brigade hertfords");
        assert!(siege.told("army_surrenders royalist worcester 2") && siege.told("king_taken king-charles-i"));
        assert!(!siege.has_told("siege_lifted"), "the Siege does not matter any more");
    }

    #[test]
    fn rule_o5_essex_beaten_decisively_far_from_london_disperses() {
        let mut with = lostwithiel("true", "4,1 e01,e02");
        assert_eq!((with.whereabouts("essex"), with.count("unemployed-parliament")), ("unemployed-parliament".into(), 2));
        assert!(!with.has_told("retreats"));
        with.act("done");
        let without = lostwithiel("false", "4,1");
        assert_eq!((without.frame().as_str(), without.to_act()), ("retreat", P));
    }

    #[test]
    fn rule_o8_after_lostwithiel_the_winner_has_cards_as_after_a_retreat() {
        let mut table = lostwithiel("true", "4,1 e01,e02");
        assert_eq!((table.frame().as_str(), table.to_act()), ("activation", R));
        table.act("done");
        assert_eq!(table.options("card"), ["E01", "E02"], "two for a Decisive Victory");
    }
}
