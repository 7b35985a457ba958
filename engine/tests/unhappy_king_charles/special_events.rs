//! Special events (6.6, V1 to V23, O4), by number.

use edgehill_engine::game::Game;
use num_bigint::BigUint;
use serde_json::{Value, json};

use crate::play::{Match, P, R, at, game, merged, phase, position, waiting, with_options};

/// A card of the Royalist's in a Turn.
fn royalist(turn: &str, card: &str, more: &Value, script: &str) -> Match {
    let hands = json!({ "hands": { "royalist": [card] } });
    let mut table = at(position(turn, "royalist", &merged(hands, more)), script);
    table.act_as(R, &format!("card {card}"));
    table
}

/// Parliament's London with one Brigade inside, and the Royalist's Truro: one infrastructure each.
fn london(more: &Value) -> Value {
    let city = json!({
        "with_mid": ["A03"],
        "control": { "parliament": ["london"], "royalist": ["truro"] },
        "generals": { "hopton": "bedford" },
        "brigades": { "inside-london": ["london-trained-bands"], "hopton": ["stawells"] },
    });
    merged(city, more)
}

/// Hopton at Bedford, next to London, and Parliament's Brigades near and far.
fn threatened(more: &Value) -> Value {
    let near = json!({
        "hands": { "royalist": ["E06"], "parliament": ["E28"] },
        "control": { "parliament": ["london", "hull"], "royalist": ["oxford"] },
        "generals": { "hopton": "bedford" },
        "brigades": { "hopton": ["stawells"], "unled-cambridge": ["fiennes"], "unled-hull": ["hothams"] },
    });
    merged(near, more)
}

rules! {
    #[test]
    fn rule_v1_turnham_green_needs_a_royalist_army_next_to_london() {
        let mut near = at(position("early-1643", "parliament", &threatened(&json!({}))), "");
        assert!(near.act("card E28").offers("use event"));
        let far = threatened(&json!({ "generals": { "hopton": "warwick" } }));
        let mut table = at(position("early-1643", "parliament", &far), "");
        assert!(!table.act("card E28").offers("use event"));
        let mut activation = at(position("early-1643", "royalist", &far), "");
        activation.act_as(R, "card E06; use activate; activate hopton");
        assert_eq!(activation.frame(), "activation", "nobody is asked for it either");
    }

    #[test]
    fn rule_v2_parliament_is_asked_at_the_start_and_after_each_area() {
        let more = threatened(&json!({ "generals": { "hopton": "oxford" }, "hands": { "royalist": ["E06"], "parliament": ["E01"] } }));
        let mut table = at(position("early-1643", "royalist", &more), "");
        table.act_as(R, "card E06; use activate; activate hopton; move bedford");
        assert_eq!((table.frame(), table.to_act(), table.offered()), ("response".to_owned(), P, vec!["pass".to_owned()]));
        table.act_as(P, "pass");
        assert_eq!(table.to_act(), R);
        let mut start = at(position("early-1643", "royalist", &threatened(&json!({}))), "");
        start.act_as(R, "card E06; use activate; activate hopton");
        assert_eq!((start.frame(), start.offered()), ("response".to_owned(), vec!["card E28".to_owned(), "pass".to_owned()]));
    }

    #[test]
    fn rule_v3_the_response_counts_and_the_activation_goes_on() {
        let mut table = at(position("early-1643", "royalist", &threatened(&json!({}))), "");
        table.act_as(R, "card E06; use activate; activate hopton").act_as(P, "card E28; done");
        assert_eq!((table.number_of("plays", Some(P)), table.to_act()), (1, R));
        assert!(table.offers("move oxford"));
        table.act_as(R, "move oxford; done");
        assert_eq!(table.to_act(), P);
    }

    #[test]
    fn rule_v4_units_within_three_areas_gather() {
        let mut table = at(position("early-1643", "parliament", &threatened(&json!({}))), "");
        table.act("card E28; use event");
        assert_eq!(table.options("from"), ["unled-cambridge"]);
        table.refuses("from unled-hull", "V4").act("from unled-cambridge; brigade fiennes; to unled-london; done");
        assert_eq!(table.brigades("unled-london"), ["fiennes"]);
        assert_eq!(table.to_act(), R);
    }

    #[test]
    fn rule_v5_around_a_royalist_army_in_london_only_as_many_come_as_fit_inside() {
        let more = threatened(&json!({
            "generals": { "hopton": "london", "byron": "bedford" },
            "brigades": {
                "hopton": ["stawells"], "byron": ["byrons"], "unled-cambridge": ["fiennes"],
                "inside-london": ["london-trained-bands", "london-trained-bands"],
            },
        }));
        let mut table = at(position("early-1643", "parliament", &more), "");
        table.act("card E28; use event; from unled-cambridge; brigade fiennes");
        assert_eq!((table.count("inside-london"), table.count("unled-cambridge")), (3, 0));
    }

    #[test]
    fn rule_v6_brigades_inside_and_infrastructures_modify_the_rising() {
        let mut quiet = royalist("early-1644", "A03", &london(&json!({})), "5");
        quiet.act("use event");
        assert_eq!(quiet.control("london"), "parliament");
        assert!(!quiet.offers("card A03"));
        let empty = json!({ "brigades": { "hopton": ["stawells"] } });
        let mut risen = royalist("early-1644", "A03", &london(&empty), "5");
        risen.act("use event");
        assert_eq!(risen.control("london"), "royalist");
    }

    #[test]
    fn rule_v6_odds_of_the_rising() {
        // One infrastructure each, one Brigade inside: a 6 alone is 5 or more.
        let hands = json!({ "hands": { "royalist": ["A03"] } });
        let mut table = waiting(position("early-1644", "royalist", &merged(london(&json!({})), &hands)));
        table.act("card A03; use event");
        let classes = game().roll_classes(table.0.state());
        let weights: Vec<BigUint> = classes.into_iter().map(|class| class.weight).collect();
        assert_eq!(weights, [BigUint::from(5u8), BigUint::from(1u8)]);
    }

    #[test]
    fn rule_v7_parliaments_units_leave_for_a_neighbour_without_brigades() {
        let mut table = royalist("early-1644", "A03", &london(&json!({})), "6");
        table.act_as(R, "use event");
        assert_eq!((table.to_act(), table.options("at")), (P, ["cambridge", "colchester", "maidstone", "reading", "reigate"].map(str::to_owned).to_vec()));
        table.refuses("at bedford", "V7").act_as(P, "at reigate");
        assert_eq!((table.control("london"), table.brigades("unled-reigate")), ("royalist", vec!["london-trained-bands".to_owned()]));
    }

    #[test]
    fn rule_v7_without_a_neighbour_to_go_to_they_disperse() {
        let beset = json!({ "brigades": {
            "inside-london": ["london-trained-bands"], "hopton": ["stawells"], "unled-cambridge": ["fiennes"], "unled-colchester": ["gells"],
            "unled-maidstone": ["denbighs"], "unled-reading": ["pophams"], "unled-reigate": ["hothams"],
        } });
        let mut table = royalist("early-1644", "A03", &london(&beset), "6");
        table.act_as(R, "use event");
        assert_eq!((table.control("london"), table.count("inside-london")), ("royalist", 0));
        assert_eq!(table.brigades("unemployed-parliament"), ["london-trained-bands"]);
    }

    #[test]
    fn rule_v8_the_queen_lands_in_the_north_where_parliament_is_not() {
        let more = json!({
            "control": { "parliament": ["hull"] }, "brigades": { "unled-scarborough": ["hothams"] },
        });
        let mut table = royalist("early-1643", "E21", &more, "");
        table.act("use event");
        assert_eq!(table.options("at"), ["berwick", "newcastle", "york"]);
        table.act("at york");
        assert_eq!(table.whereabouts("queen-henrietta-maria"), "york");
    }

    #[test]
    fn rule_v9_the_queen_is_captured_with_her_fortress() {
        let more = json!({
            "control": { "royalist": ["newcastle"] }, "queen": "newcastle", "generals": { "waller": "newcastle" },
            "brigades": { "waller": ["western-association", "western-association", "southern-association"] },
            "sieges": { "newcastle": { "marker": "blockade", "value": 6 } },
        });
        let mut table = at(phase("early-1643", "blockade", &more), "1");
        table.act_as(P, "bombard waller");
        assert_eq!((table.control("newcastle"), table.whereabouts("queen-henrietta-maria")), ("parliament", "out".to_owned()));
        assert_eq!(table.number_of("naval", None), 2);
    }

    #[test]
    fn rule_v10_the_queen_is_inside_where_no_army_has_her() {
        // As by V9; but Hopton, who has her, is not in the Fortress that surrenders.
        let more = |queen: &str| json!({
            "control": { "royalist": ["newcastle", "york"] }, "queen": queen,
            "generals": { "waller": "newcastle", "hopton": "york" },
            "brigades": { "waller": ["western-association", "western-association"], "hopton": ["stawells"] },
            "sieges": { "newcastle": { "marker": "blockade", "value": 6 } },
        });
        let mut inside = at(phase("early-1643", "blockade", &more("newcastle")), "1");
        assert_eq!(inside.act("bombard waller").number_of("naval", None), 2);
        let mut away = at(phase("early-1643", "blockade", &more("with-hopton")), "1");
        assert_eq!(away.act("bombard waller").number_of("naval", None), 0);
    }

    #[test]
    fn rule_v13_the_king_has_the_earl_of_brentfords_marker() {
        let king = json!({
            "generals": { "king-charles-i": "oxford" }, "brigades": { "king-charles-i": ["astleys"] },
        });
        let mut table = royalist("early-1643", "E22", &king, "");
        table.act("use event");
        assert!(table.has_happened("brentford"));
        let mut late = royalist("winter-1644", "E22", &king, "");
        assert!(!late.offers("use event"));
        late.refuses("use event", "K5");
    }

    #[test]
    fn rule_v14_the_irish_land_together_in_one_port() {
        let more = json!({ "control": { "royalist": ["oxford"], "parliament": ["pembroke"] } });
        let mut table = royalist("early-1644", "M13", &more, "");
        table.act("use event");
        assert_eq!(table.options("at"), ["cardiff", "chester", "conway", "preston"]);
        table.refuses("at pembroke", "V14").act("at chester");
        assert_eq!(table.brigades("unled-chester"), ["irish", "irish", "irish"]);
        let mut south = royalist("early-1644", "M13", &merged(more, &json!({ "fleet": -1 })), "");
        assert!(south.act("use event").offers("at truro"));
    }

    #[test]
    fn rule_v15_the_lieutenant_general_takes_over_from_a_level_2() {
        let more = json!({
            "generals": { "goring": "oxford", "prince-rupert": "under-goring" },
            "brigades": { "goring": ["astleys"], "prince-rupert": ["byrons"] },
        });
        let mut table = royalist("early-1644", "M14", &more, "");
        table.act("use event");
        assert_eq!((table.whereabouts("prince-rupert"), table.whereabouts("goring")), ("oxford".to_owned(), "prince-rupert".to_owned()));
        let king = json!({
            "generals": { "king-charles-i": "oxford", "prince-rupert": "under-king-charles-i" },
            "brigades": { "king-charles-i": ["astleys"], "prince-rupert": ["byrons"] },
        });
        let mut equal = royalist("early-1644", "M14", &king, "");
        equal.act("use event");
        assert_eq!(equal.frame(), "illegal", "two of Level 1 can't be one Army (S7)");
    }

    #[test]
    fn rule_v16_a_general_of_the_unemployed_box_succeeds_rupert() {
        let more = json!({
            "late_war": true, "hands": { "parliament": ["L20"] }, "queen": "with-prince-rupert",
            "control": { "royalist": ["york"] },
            "generals": { "prince-rupert": "york", "byron": "unemployed", "prince-maurice": "reinforcements" },
            "brigades": { "prince-rupert": ["astleys", "byrons"] },
        });
        let mut table = at(position("early-1645", "parliament", &more), "");
        table.act_as(P, "card L20; use event");
        assert_eq!((table.to_act(), table.options("general")[0].as_str()), (R, "byron"));
        table.refuses("general prince-maurice", "V16").act_as(R, "general byron");
        assert_eq!((table.whereabouts("prince-rupert"), table.whereabouts("byron")), ("out".to_owned(), "york".to_owned()));
        assert_eq!(table.brigades("byron"), ["astleys", "byrons"]);
    }

    #[test]
    fn rule_v23_the_queen_is_with_one_general() {
        let more = json!({
            "late_war": true, "hands": { "parliament": ["L20"] }, "queen": "with-prince-rupert",
            "control": { "royalist": ["york"] },
            "generals": { "prince-rupert": "york" }, "brigades": { "prince-rupert": ["astleys", "byrons"] },
        });
        let mut table = at(position("early-1645", "parliament", &more), "");
        table.act_as(P, "card L20; use event").act_as(R, "pass");
        assert_eq!((table.whereabouts("prince-rupert"), table.whereabouts("queen-henrietta-maria")), ("out".to_owned(), "york".to_owned()));
    }

    #[test]
    fn rule_v17_all_covenanters_leave_for_good() {
        let more = json!({
            "with_mid": ["A01"], "generals": { "leven": "york" }, "control": { "parliament": ["york"] },
            "brigades": { "leven": ["covenanter-levens", "cloth-towns-militias"], "inside-york": ["covenanter-levens"] },
        });
        let mut table = royalist("early-1644", "A01", &more, "");
        table.act("use event");
        assert_eq!(table.whereabouts("leven"), "out");
        assert_eq!((table.brigades("out"), table.brigades("unled-york")), (vec!["covenanter-levens".to_owned(); 2], vec!["cloth-towns-militias".to_owned()]));
        assert_eq!(table.count("inside-york"), 0);
    }

    #[test]
    fn rule_v18_lorraine_lands_where_no_army_of_parliaments_stands() {
        let more = json!({
            "with_mid": ["A02"], "control": { "royalist": ["bristol", "newcastle"] },
            "brigades": { "unled-newcastle": ["hothams"] },
        });
        let mut table = royalist("early-1644", "A02", &more, "");
        table.act("use event");
        assert_eq!(table.options("at"), ["bristol"]);
        table.act("at bristol");
        assert_eq!((table.whereabouts("charles-of-lorraine"), table.count("charles-of-lorraine")), ("bristol".to_owned(), 4));
    }

    #[test]
    fn rule_v21_generals_gather_from_the_highest_level_down() {
        let more = threatened(&json!({
            "generals": { "hopton": "bedford", "waller": "reigate", "lord-fairfax": "maidstone" },
            "brigades": { "hopton": ["stawells"], "waller": ["western-association"], "lord-fairfax": ["hothams"] },
        }));
        let mut table = at(position("early-1643", "parliament", &more), "");
        table.act("card E28; use event; from lord-fairfax").refuses("from waller", "V21");
        let mut falling = at(position("early-1643", "parliament", &more), "");
        falling.act("card E28; use event; from waller; from lord-fairfax; done");
        assert_eq!((falling.whereabouts("waller"), falling.whereabouts("lord-fairfax")), ("london".to_owned(), "waller".to_owned()));
    }

    #[test]
    fn rule_v21_a_besieged_fortress_falls_that_gives_up_its_last_brigade() {
        let more = threatened(&json!({
            "control": { "parliament": ["london", "reading"], "royalist": ["oxford"] },
            "generals": { "hopton": "reading" },
            "brigades": { "hopton": ["stawells", "berkeleys"], "inside-reading": ["fiennes"] },
            "sieges": { "reading": { "marker": "siege", "value": 1 } },
        }));
        let mut table = at(position("early-1643", "royalist", &more), "");
        table.act_as(R, "card E06; use activate; activate hopton");
        table.act_as(P, "card E28; from inside-reading; brigade fiennes; to inside-london");
        assert_eq!((table.control("reading"), table.mark("reading", "siege")), ("royalist", 0), "at once");
        table.act_as(P, "done");
        assert_eq!((table.to_act(), table.brigades("inside-london")), (R, vec!["fiennes".to_owned()]));
    }

    #[test]
    fn rule_v22_parliament_might_hold_the_card_while_it_has_a_hidden_early_one() {
        let more = threatened(&json!({ "hands": { "royalist": ["E06"] } }));
        let mut none = at(position("early-1643", "royalist", &more), "");
        none.act_as(R, "card E06; use activate; activate hopton");
        assert_eq!(none.frame(), "activation", "two Core Cards are no Early ones");
        let shown = merged(more, &json!({ "discard": ["E28"], "hands": { "royalist": ["E06"], "parliament": ["E01"] } }));
        let mut seen = at(position("early-1643", "royalist", &shown), "");
        seen.act_as(R, "card E06; use activate; activate hopton");
        assert_eq!(seen.frame(), "activation", "it has been shown");
    }

    #[test]
    fn rule_o4_newcastle_leaves_when_no_marker_is_left_in_the_north() {
        let more = json!({
            "control": { "royalist": ["oxford", "skipton"], "parliament": ["wakefield"] },
            "generals": { "newcastle": "durham", "langdale": "unemployed", "lord-fairfax": "skipton" },
            "brigades": {
                "newcastle": ["whitecoats", "glemhams"], "pool-royalist": ["saviles"], "lord-fairfax": ["hothams"],
            },
        });
        let place = |options: &[(&str, &str)]| {
            let mut table = with_options(options, position("early-1643", "parliament", &more), "");
            table.act_as(P, "card C03; use markers; at skipton");
            table
        };
        let mut table = place(&[("laughter", "true")]);
        assert_eq!((table.whereabouts("newcastle"), table.whereabouts("langdale")), ("out".to_owned(), "durham".to_owned()));
        table.act_as(R, "from langdale; brigade glemhams; from pool-royalist; brigade saviles");
        assert_eq!((table.brigades("langdale"), table.brigades("out")), (vec!["whitecoats".to_owned()], vec!["glemhams".to_owned(), "saviles".to_owned()]));
        assert_eq!(place(&[]).whereabouts("newcastle"), "durham");
    }
}
