//! Uses of cards (6.1 to 6.5, K1 to K11, K18), by number.

use serde_json::{Value, json};

use crate::play::{Match, P, R, at, merged, position};

/// Parliament's Generals of three ratings, alone in Areas of their own.
fn three_generals() -> Value {
    json!({
        "generals": { "essex": "london", "waller": "reigate", "bedford": "exeter" },
        "brigades": {
            "essex": ["fiennes", "assheton"], "waller": ["western-association"], "bedford": ["hesilriggs-lobsters"],
        },
        "control": { "parliament": ["london", "exeter", "northampton"], "royalist": ["oxford", "truro"] },
    })
}

fn parliament(hand: &[&str], more: &Value) -> Match {
    let hands = json!({ "hands": { "parliament": hand } });
    at(position("early-1643", "parliament", &merged(merged(three_generals(), &hands), more)), "")
}

fn royalist(hand: &[&str], more: &Value) -> Match {
    let hands = json!({ "hands": { "royalist": hand } });
    at(position("early-1643", "royalist", &merged(hands, more)), "")
}

rules! {
    #[test]
    fn rule_6_1_a_card_serves_generals_whose_rating_is_not_above_it() {
        let mut table = parliament(&["E03", "E06"], &json!({}));
        table.act("card E03; use activate");
        assert_eq!(table.options("activate"), ["essex", "waller"]);
        table.refuses("activate bedford", "6.1");
        let mut three = parliament(&["E06"], &json!({}));
        assert_eq!(three.act("card E06; use activate").options("activate"), ["bedford", "essex", "waller"]);
        let mut one = parliament(&["E01"], &json!({}));
        one.act("card E01").refuses("use activate", "6.1");
    }

    #[test]
    fn rule_6_2_five_brigades_need_a_three() {
        let brigades = |more: &str| {
            json!({ "brigades": {
                "essex": ["fiennes", "assheton", "eastern-association", "eastern-association"],
                "waller": ["western-association"], "bedford": ["hesilriggs-lobsters"], "unled-dover": [more],
            } })
        };
        let mut four = parliament(&["E03"], &brigades("gells"));
        assert!(four.act("card E03; use activate").offers("activate essex"));
        let five = json!({ "brigades": {
            "essex": ["fiennes", "assheton", "eastern-association", "eastern-association", "gells"],
            "waller": ["western-association"], "bedford": ["hesilriggs-lobsters"],
        } });
        let mut major = parliament(&["E03"], &five);
        assert!(!major.act("card E03; use activate").offers("activate essex"));
        let mut three = parliament(&["E06"], &five);
        assert!(three.act("card E06; use activate").offers("activate essex"));
        let mut campaign = parliament(&["E10"], &five);
        assert!(campaign.act("card E10; use campaign").offers("activate essex"));
    }

    #[test]
    fn rule_6_3_cards_go_to_their_piles() {
        let mut table = royalist(&["E01"], &json!({ "control": { "royalist": ["truro"] } }));
        table.act_as(R, "card E01; use discard").act_as(P, "card C03; use discard");
        assert_eq!((table.cards("discard"), table.cards("aside")), (vec!["E01".to_owned()], vec!["C03".to_owned()]));
        table.act_as(R, "card C01; use recruit");
        assert_eq!(table.cards("royalist-recruitment"), ["C01"]);
    }

    #[test]
    fn rule_6_4_an_event_is_for_the_side_of_its_card() {
        let mut table = royalist(&["E30", "E25"], &json!({}));
        table.act("card E30").refuses("use event", "6.4").refuses("use activate", "K1");
        assert!(royalist(&["E25"], &json!({})).act("card E25").offers("use event"));
    }

    #[test]
    fn rule_6_5_a_mandatory_card_is_neither_discarded_nor_kept() {
        let held = json!({ "happened": [], "plays": { "royalist": 6 } });
        let mut table = royalist(&["X01"], &held);
        table.refuses("pass", "6.5").act("card X01");
        assert_eq!(table.offered(), ["use event"]);
        table.refuses("use discard", "6.5").act("use event");
        assert!(table.has_happened("standard"));
        assert_eq!(table.cards("removed"), ["X01"]);
    }

    #[test]
    fn rule_6_6_what_has_occurred_does_not_occur_again() {
        let spent = json!({ "spent": ["E29"], "hands": { "parliament": ["E29"] } });
        let mut table = parliament(&["E29"], &spent);
        table.act("card E29").refuses("use event", "6.6");
        assert!(table.offers("use discard"));
    }

    #[test]
    fn rule_k1_an_operations_card_places_as_many_markers_as_its_value() {
        let control = json!({ "control": { "royalist": ["oxford"] } });
        let mut table = royalist(&["E03"], &control);
        table.act("card E03; use markers; at newbury; at warwick");
        assert_eq!(table.to_act(), P);
        assert_eq!(table.controlled(R), ["newbury", "oxford", "warwick"]);
        royalist(&["E25"], &control).act("card E25").refuses("use bombard", "K1");
    }

    #[test]
    fn rule_k2_a_discard_is_one_marker_one_raid_or_one_recruit() {
        let more = json!({
            "control": { "royalist": ["truro", "preston"] }, "notables": { "earl-of-derby": "in-play" },
        });
        let mut table = royalist(&["E30", "E14"], &more);
        table.act("card E30");
        assert_eq!(table.options("use"), ["discard", "markers", "raid", "recruit"]);
        table.act("use markers; at st-austell");
        assert_eq!(table.to_act(), P);
        let mut raid = royalist(&["E14"], &more);
        raid.act("card E14; use raid; raid earl-of-derby");
        assert!(!raid.options("at").is_empty());
    }

    #[test]
    fn rule_k3_a_minor_campaign_gives_up_to_two_activations() {
        let mut table = parliament(&["E10"], &json!({}));
        table.act("card E10");
        assert_eq!(table.options("use"), ["campaign", "discard", "recruit"]);
        table.act("use campaign").refuses("done", "K3");
        table.act("activate bedford; done; activate essex; done");
        assert_eq!(table.to_act(), R);
        let mut one = parliament(&["E10"], &json!({}));
        one.act("card E10; use campaign; activate bedford; done; done");
        assert_eq!(one.to_act(), R);
        let mut major = parliament(&["E12"], &json!({}));
        major.act("card E12; use campaign; activate bedford; done; activate essex; done");
        assert_eq!(major.options("activate"), ["waller"]);
    }

    #[test]
    fn rule_k3_without_anybody_to_activate_it_is_no_campaign() {
        let mut table = royalist(&["E10"], &json!({}));
        table.act("card E10").refuses("use campaign", "K3");
    }

    #[test]
    fn rule_k4_no_general_twice_on_one_card() {
        let mut table = parliament(&["E12"], &json!({}));
        table.act("card E12; use campaign; activate essex; done").refuses("activate essex", "K4");
        assert_eq!(table.options("activate"), ["bedford", "waller"]);
    }

    #[test]
    fn rule_k4_no_brigade_moves_under_two_activations() {
        // Bedford has moved as Waller's Subordinate; at Maidstone he has not, since Waller took no line (X6).
        let both = json!({
            "generals": { "essex": "colchester", "waller": "reigate", "bedford": "under-waller" },
            "brigades": { "essex": ["fiennes"], "waller": ["western-association"], "bedford": ["hesilriggs-lobsters"] },
        });
        let mut table = parliament(&["E12"], &both);
        table.act("card E12; use campaign; activate waller; move maidstone; done");
        assert!(!table.offers("activate bedford") && table.offers("activate essex"));
        let mut stood = parliament(&["E12"], &both);
        stood.act("card E12; use campaign; activate waller; done");
        assert!(stood.offers("activate bedford"));
    }

    #[test]
    fn rule_k5_an_event_that_can_do_nothing_is_not_offered() {
        let control = json!({ "control": { "royalist": ["skipton", "doncaster", "durham"] } });
        assert!(royalist(&["E17"], &control).act("card E17").offers("use event"));
        let all = json!({ "control": { "royalist": [
            "berwick", "hexham", "appleby", "kendal", "durham", "thirsk", "skipton", "wakefield", "doncaster", "sheffield",
        ] } });
        let mut table = royalist(&["E17"], &all);
        table.act("card E17").refuses("use event", "K5");
        assert!(table.offers("use discard"));
    }

    #[test]
    fn rule_k7_markers_are_next_to_those_that_lay_before_the_card() {
        let mut table = royalist(&["E06"], &json!({ "control": { "royalist": ["oxford"] } }));
        table.act("card E06; use markers; at warwick").refuses("at leicester", "K7");
        assert_eq!(table.options("at"), ["bedford", "gloucester", "newbury", "northampton"]);
    }

    #[test]
    fn rule_k9_an_enemy_marker_is_exchanged_under_an_own_army_alone() {
        let control = json!({ "control": { "royalist": ["oxford"], "parliament": ["northampton", "worcester"] } });
        let mut table = royalist(&["E03"], &control);
        table.act("card E03; use markers").refuses("at northampton", "K9");
        assert!(!table.offers("at worcester"));
        let army = json!({ "generals": { "hopton": "northampton" }, "brigades": { "hopton": ["stawells"] } });
        let mut there = royalist(&["E03"], &merged(control, &army));
        there.act("card E03; use markers; at northampton");
        assert_eq!(there.control("northampton"), "royalist");
        there.refuses("at worcester", "11.1");
    }

    #[test]
    fn rule_k10_one_marker_at_least() {
        let mut table = royalist(&["E06"], &json!({ "control": { "royalist": ["oxford"] } }));
        table.act("card E06; use markers").refuses("done", "K10").act("at newbury; done");
        assert_eq!(table.to_act(), P);
        let mut event = royalist(&["E25"], &json!({}));
        event.act("card E25; use event").refuses("done", "K10").act("at newbury; done");
        assert_eq!(event.controlled(R), ["newbury"]);
    }

    #[test]
    fn rule_k11_one_recruitment_card_a_turn_and_none_with_lorrainers() {
        let truro = json!({ "control": { "royalist": ["truro", "newcastle"] } });
        assert!(royalist(&["E03"], &truro).act("card E03").offers("use recruit"));
        let second = merged(truro.clone(), &json!({ "recruitment": { "royalist": ["E01"] } }));
        royalist(&["E03"], &second).act("card E03").refuses("use recruit", "K11");
        let lorraine = json!({
            "generals": { "charles-of-lorraine": "newcastle" }, "brigades": { "charles-of-lorraine": ["lorrainers"] },
        });
        royalist(&["E03"], &merged(truro, &lorraine)).act("card E03").refuses("use recruit", "K11");
    }

    #[test]
    fn rule_k18_the_train_and_the_queen_go_between_a_card_and_its_use() {
        let more = json!({
            "control": { "royalist": ["oxford", "newcastle"] }, "trains": { "royalist": "oxford" }, "queen": "newcastle",
        });
        let mut table = at(position("winter-1644", "royalist", &more), "");
        assert!(!table.offers("train remove") && !table.offers("queen ship"));
        table.act("card C01");
        assert!(table.offers("train remove") && table.offers("queen ship"));
        table.act("train remove; queen ship");
        assert!(!table.offers("train remove") && !table.offers("queen ship"));
        table.act("use discard");
        assert_eq!((table.whereabouts("royalist-train"), table.whereabouts("queen-henrietta-maria")), ("turns".to_owned(), "out".to_owned()));
    }

    #[test]
    fn rule_7_1_5_no_recruitment_card_without_an_infrastructure() {
        let mut table = royalist(&["E03"], &json!({ "control": { "royalist": ["oxford"] } }));
        table.act("card E03").refuses("use recruit", "7.1.5");
        assert!(royalist(&["E03"], &json!({ "control": { "royalist": ["truro"] } })).act("card E03").offers("use recruit"));
    }

    #[test]
    fn rule_r10_a_train_that_is_not_on_the_map_is_not_taken_off() {
        let mut table = royalist(&["E03"], &json!({ "control": { "royalist": ["oxford"] }, "trains": { "royalist": "resting" } }));
        table.act("card E03").refuses("train remove", "R10");
    }

    #[test]
    fn rule_v11_the_queen_is_shipped_from_a_free_royalist_port_from_turn_eight() {
        let at_port = json!({ "control": { "royalist": ["newcastle"] }, "queen": "newcastle" });
        let mut early = at(position("late-1644", "royalist", &at_port), "");
        early.act("card C01").refuses("queen ship", "V11");
        let inland = json!({ "control": { "royalist": ["york"] }, "queen": "york" });
        let mut york = at(position("winter-1644", "royalist", &inland), "");
        york.act("card C01").refuses("queen ship", "V11");
        let mut late = at(position("winter-1644", "royalist", &at_port), "");
        late.act("card C01; queen ship; use discard");
        assert_eq!(late.number_of("naval", None), -1);
    }
}
