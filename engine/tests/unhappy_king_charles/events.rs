//! Events of cards: Brigades and markers that they bring, Brigades and cards that they take (6.4, K12 to K17, X15, X16, V19, V20), by number.

use serde_json::{Value, json};

use crate::play::{Match, P, R, at, merged, position, waiting};

/// A card of the Early War, played by the Royalist.
fn royalist(card: &str, more: &Value, script: &str) -> Match {
    let hands = json!({ "hands": { "royalist": [card] } });
    let mut table = at(position("early-1643", "royalist", &merged(hands, more)), script);
    table.act_as(R, &format!("card {card}"));
    table
}

/// A card of the Late War, played by Parliament.
fn parliament(card: &str, more: &Value, script: &str) -> Match {
    let hands = json!({ "late_war": true, "hands": { "parliament": [card] } });
    let mut table = at(position("early-1645", "parliament", &merged(hands, more)), script);
    table.act_as(P, &format!("card {card}"));
    table
}

/// Royalist Brigades in the South: Hopton's at Bath, and one without a General at Truro.
fn in_the_south(of_hopton: &[&str]) -> Value {
    json!({
        "generals": { "hopton": "bath" }, "brigades": { "hopton": of_hopton, "unled-truro": ["hertfords"] },
    })
}

rules! {
    #[test]
    fn rule_k12_a_card_is_removed_from_the_hand_without_the_store() {
        let more = json!({
            "late_war": true, "hands": { "royalist": ["L01"], "parliament": ["L21"] }, "stores": { "royalist": ["L02"] },
        });
        let mut table = waiting(position("early-1645", "parliament", &more));
        table.act_as(P, "card L21; use event");
        assert_eq!(table.chances(), ["C01", "C02", "L01"]);
    }

    #[test]
    fn rule_k12_core_cards_go_aside_until_the_turn_ends() {
        let more = json!({ "hands": { "parliament": ["L21"], "royalist": ["L01"] } });
        let mut table = parliament("L21", &more, "C01,L01");
        table.act_as(P, "use event");
        assert_eq!((table.cards("aside"), table.cards("royalist-hand")), (vec!["C01".to_owned()], vec!["C02".to_owned()]));
        assert!(table.cards("discard").contains(&"L01".to_owned()));
        assert_eq!(table.number_of("plays", Some(R)), 0);
    }

    #[test]
    fn rule_k13_a_mandatory_card_that_is_hit_takes_place_at_once() {
        let more = json!({ "happened": [], "hands": { "parliament": ["X01"], "royalist": ["E18"] } });
        let mut table = royalist("E18", &more, "X01,C03");
        table.act_as(R, "use event");
        assert!(table.has_happened("standard"));
        assert_eq!((table.frame().as_str(), table.to_act(), table.number_of("plays", Some(P))), ("recruitment", P, 1));
        table.act_as(P, "done");
        assert_eq!((table.cards("aside"), table.to_act()), (vec!["C03".to_owned()], P));
        assert_eq!(table.cards("removed"), ["X01"]);
    }

    #[test]
    fn rule_k15_militia_come_before_veterans_by_event() {
        let wales = json!({ "control": { "royalist": ["brecon"], "parliament": ["cardiff"] } });
        let mut table = royalist("E27", &wales, "");
        table.act_as(R, "use event");
        assert_eq!(table.options("brigade"), ["carberys", "lord-herberts", "northern-levies"]);
        table.refuses("brigade gerards-welsh", "K15").act("brigade carberys");
        assert_eq!(table.options("to"), ["unled-brecon"]);
        table.refuses("to unled-radnor", "K15").act("to unled-brecon");
        assert_eq!(table.brigades("unled-brecon"), ["carberys"]);
    }

    #[test]
    fn rule_k15_then_veterans_and_at_last_those_lost_for_good() {
        let all = json!({
            "control": { "royalist": ["brecon", "radnor"] },
            "brigades": { "unled-radnor": ["carberys", "lord-herberts", "northern-levies"] },
        });
        assert_eq!(royalist("E27", &all, "").act("use event").options("brigade"), ["gerards-welsh"]);
        let lost = json!({
            "control": { "royalist": ["brecon", "radnor"] },
            "brigades": { "unled-radnor": ["carberys", "northern-levies", "gerards-welsh"], "lost": ["lord-herberts"] },
        });
        assert_eq!(royalist("E27", &lost, "").act("use event").options("brigade"), ["lord-herberts"]);
    }

    #[test]
    fn rule_k16_their_owner_picks_the_brigades_that_go() {
        let mut table = parliament("L22", &in_the_south(&["stawells", "berkeleys"]), "");
        table.act_as(P, "use event");
        assert_eq!((table.to_act(), table.options("from")), (R, vec!["hopton".to_owned(), "unled-truro".to_owned()]));
        table.act_as(R, "from hopton; brigade stawells");
        assert_eq!(table.brigades("hopton"), ["berkeleys"]);
        assert_eq!(table.to_act(), R, "one Brigade is all");
    }

    #[test]
    fn rule_7_0_a_brigade_that_is_removed_is_in_the_pool_at_once() {
        let mut table = parliament("L22", &in_the_south(&["stawells", "berkeleys"]), "");
        table.act("use event; from unled-truro; brigade hertfords");
        assert!(table.brigades("pool-royalist").contains(&"hertfords".to_owned()));
        assert_eq!(table.count("lost"), 0);
    }

    #[test]
    fn rule_r19_irish_and_turncoats_enter_no_pool() {
        let mut table = parliament("L22", &in_the_south(&["irish", "berkeleys"]), "");
        table.act("use event; from hopton; brigade irish");
        assert_eq!(table.brigades("away").iter().filter(|face| *face == "irish").count(), 3);
        assert!(!table.brigades("pool-royalist").contains(&"irish".to_owned()));
        let turned = json!({
            "generals": { "hopton": "bath" },
            "brigades": { "hopton": [{ "face": "pophams", "turncoat": true }, "berkeleys"], "unled-truro": ["hertfords"] },
        });
        let mut turncoat = parliament("L22", &turned, "");
        turncoat.act("use event; from hopton; brigade pophams");
        assert_eq!(turncoat.brigades("out"), ["pophams"]);
    }

    #[test]
    fn rule_k17_a_response_in_a_bonus_set_is_none() {
        let more = json!({
            "hands": { "royalist": ["M20"] },
            "sets": [{ "seat": "parliament", "cards": ["M05"] }, { "seat": "royalist", "cards": ["M19"] }],
            "control": { "parliament": ["london"], "royalist": ["oxford"] },
            "generals": { "waller": "reigate", "hopton": "oxford" },
            "brigades": { "waller": ["western-association"], "hopton": ["stawells"] },
        });
        let mut table = at(position("early-1644", "royalist", &more), "1");
        table.act_as(P, "card M05; use activate; activate waller; move london; move bedford");
        table.act_as(R, "intercept hopton");
        assert_eq!(table.options("card"), Vec::<String>::new());
        table.act_as(R, "done").act_as(P, "done");
        table.act_as(R, "card M19");
        assert_eq!(table.options("use"), ["discard", "markers"], "a discard, and no event");
    }

    #[test]
    fn rule_x15_the_marker_after_a_brigade_may_be_left_out() {
        let wales = json!({ "control": { "royalist": ["brecon"], "parliament": ["cardiff"] } });
        let mut table = royalist("E27", &wales, "");
        table.act("use event; brigade carberys; to unled-brecon");
        assert_eq!(table.frame(), "event-markers");
        table.act("done");
        assert_eq!((table.to_act(), table.controlled(R)), (P, vec!["brecon".to_owned()]));
        // Without a place for a Brigade the marker alone is left, and is placed.
        let mut alone = royalist("E27", &json!({ "control": { "parliament": ["cardiff"] } }), "");
        alone.act("use event").refuses("done", "K10").act("at brecon");
        assert_eq!((alone.to_act(), alone.controlled(R)), (P, vec!["brecon".to_owned()]));
    }

    #[test]
    fn rule_x16_the_alternative_comes_where_the_roll_failed_alone() {
        let london = json!({ "control": { "parliament": ["london"] } });
        let mut success = royalist("E20", &london, "6");
        success.act("use event");
        assert_eq!((success.control("london"), success.cards("parliament-hand").len()), ("royalist", 2));
        let mut failure = royalist("E20", &london, "5,C04");
        failure.act("use event");
        assert_eq!((failure.control("london"), failure.cards("parliament-hand")), ("parliament", vec!["C03".to_owned()]));
    }

    #[test]
    fn rule_v19_a_local_notable_comes_once() {
        let blake = |presence: &str| {
            let control = if presence == "in-play" { json!(["lyme"]) } else { json!([]) };
            let more = json!({
                "hands": { "parliament": ["E29"] }, "notables": { "blake": presence }, "control": { "parliament": control },
            });
            let mut table = at(position("early-1643", "parliament", &more), "");
            table.act("card E29").offers("use event")
        };
        assert!(blake("waiting") && !blake("in-play") && !blake("out"));
    }

    #[test]
    fn rule_v20_meldrum_takes_a_fortress_of_class_1_that_is_besieged_or_unoccupied() {
        let worcester = |inside: &[&str]| {
            let more = json!({
                "hands": { "parliament": ["M21"] }, "control": { "royalist": ["worcester", "oxford"] },
                "brigades": { "inside-worcester": inside },
            });
            let mut table = at(position("early-1644", "parliament", &more), "");
            table.act("card M21");
            table
        };
        assert!(!worcester(&["astleys"]).offers("use event"));
        let mut empty = worcester(&[]);
        empty.act("use event");
        assert_eq!((empty.control("worcester"), empty.control("oxford")), ("parliament", "royalist"));
    }
}
