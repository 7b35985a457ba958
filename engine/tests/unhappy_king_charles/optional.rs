//! Optional rules (18.1 to 18.5) and the Surrender of the King as an option (17.1, O1 to O8), by number.

use serde_json::{Value, json};

use crate::play::{Match, P, R, merged, phase, position, with_options};

/// A match with one option on, from a position.
fn with(option: &str, position: Value, script: &str) -> Match {
    with_options(&[(option, "true")], position, script)
}

/// Newcastle at Durham with four Brigades, Parliament's General next to him with a Cavalry Charge.
fn newcastle_attacked(more: &Value) -> Value {
    let fields = json!({ "control": { "royalist": ["york", "oxford"], "parliament": ["london"] },
        "generals": { "newcastle": "durham", "tom-fairfax-north": "thirsk" }, "hands": { "parliament": ["E13"] },
            "discard": ["E30", "E31"],
        "brigades": { "newcastle": ["whitecoats", "whitecoats", "glemhams", "saviles"], "tom-fairfax-north": ["skippons",
            "wallers-horse", "fairfaxs-horse", "ironsides"] } });
    position("early-1643", "parliament", &merged(fields, more))
}

/// Essex with three Brigades, Hopton next to him with four and a Cavalry Charge.
fn essex_attacked(essex: &str, hopton: &str, more: &Value) -> Value {
    let fields = json!({ "control": { "royalist": ["truro", "oxford"], "parliament": ["london"] }, "generals": { "essex": essex,
        "hopton": hopton },
        "hands": { "royalist": ["E13"] },
        "brigades": { "essex": ["fiennes", "gells", "assheton"], "hopton": ["kings-lifeguard", "ruperts-lifeguard", "whitecoats",
            "grenviles-cornish"] } });
    position("early-1643", "royalist", &merged(fields, more))
}

/// Parliament's part of a Recruitment Phase goes by.
fn parliament_recruits_nobody(table: &mut Match) {
    while table.to_act() == P {
        table.act("done");
    }
}

rules! {
    #[test]
    fn rule_o1_cornish_alone_at_truro_and_other_southerners_at_bath() {
        let fields = json!({ "control": { "royalist": ["truro", "bath", "oxford"], "parliament": ["london"] } });
        let places = |options: &[(&str, &str)], face: &str| {
            let mut table = with_options(options, phase("early-1643", "recruitment", &fields), "");
            parliament_recruits_nobody(&mut table);
            table.act_as(R, &format!("from pool-royalist; brigade {face}"));
            table.options("to")
        };
        let on = [("cornish", "true")];
        assert_eq!(places(&on, "stawells"), ["unled-bath"]);
        assert_eq!(places(&on, "slannings-cornish"), ["unled-bath", "unled-truro"]);
        assert_eq!(places(&[], "stawells"), ["unled-bath", "unled-truro"]);
    }

    #[test]
    fn rule_o1_no_southerner_comes_to_a_notable_in_the_phase() {
        let fields = json!({ "control": { "royalist": ["truro", "bath", "basing-house", "oxford"], "parliament": ["london"] },
            "notables": { "aimez-loyaute": "in-play" } });
        let places = |options: &[(&str, &str)]| {
            let mut table = with_options(options, phase("early-1643", "recruitment", &fields), "");
            parliament_recruits_nobody(&mut table);
            table.act_as(R, "from pool-royalist; brigade stawells");
            table.options("to")
        };
        assert_eq!(places(&[("cornish", "true")]), ["unled-bath"]);
        assert_eq!(places(&[]), ["aimez-loyaute", "unled-bath", "unled-truro"]);
    }

    #[test]
    fn rule_o1_recruits_of_the_league_may_come_to_a_notable_but_not_to_truro() {
        let fields = json!({ "control": { "royalist": ["truro", "bath", "basing-house", "oxford"], "parliament": ["london"] },
            "notables": { "aimez-loyaute": "in-play" },
            "hands": { "royalist": ["X02"] } });
        let mut table = with("cornish", position("winter-1643", "royalist", &fields), "");
        table.act_as(R, "card X02; use event").act_as(P, "at berwick; done").act_as(R, "from pool-royalist; brigade stawells");
        assert_eq!(table.options("to"), ["aimez-loyaute", "unled-bath"]);
    }

    #[test]
    fn rule_o2_a_die_names_the_first_category() {
        let fields = json!({ "control": { "royalist": ["oxford"], "parliament": ["london"] }, "generals": { "essex": "london",
            "waller": "oxford" },
            "brigades": { "essex": ["fiennes", "gells", "assheton", "denbighs"], "waller": ["skippons", "wallers-horse"],
                "unled-norwich": ["ironsides"] } });
        let table = |die: &str| with("random-desertion", phase("early-1643", "desertion", &fields), die);
        assert_eq!(table("2").options("at"), ["london"]);
        assert_eq!(table("4").options("at"), ["oxford"]);
        assert_eq!(table("6").options("at"), ["london"], "a 6 is a 1, of which there is none, and 2 comes next");
        let mut on = table("4");
        on.act("at oxford; brigade skippons");
        assert_eq!(on.options("at"), ["london"], "then 5: one is due, and the others have a Brigade each");
        let plain = crate::play::at(phase("early-1643", "desertion", &fields), "");
        assert_eq!(plain.options("at"), ["london"]);
    }

    #[test]
    fn rule_o2_the_cycle_goes_on_to_one() {
        let fields = json!({ "control": { "parliament": ["london"] }, "generals": { "lord-fairfax": "lincoln" },
            "brigades": { "lord-fairfax": ["hothams", "fairfaxs-horse", "gells"], "unled-norwich": ["ironsides", "ironsides",
                "fiennes", "assheton"] } });
        let mut table = with("random-desertion", phase("late-1644", "desertion", &merged(fields, &json!({ "turn": "late-1644" }))), "5");
        assert_eq!(table.options("at"), ["lincoln", "norwich"]);
        table.act("at norwich; brigade fiennes").act("at lincoln; brigade gells");
        assert_eq!(table.offered(), ["done"], "five are left");
    }

    #[test]
    fn rule_o7_the_die_is_thrown_each_turn() {
        let table = with("random-desertion", phase("early-1643", "desertion", &json!({})), "3");
        assert_eq!(table.public("desertion_die"), ["desertion_die 3 3"]);
    }

    #[test]
    fn rule_o3_the_eastern_association_comes_to_cambridge_willoughby_or_manchester() {
        let fields = json!({ "control": { "royalist": ["oxford"], "parliament": ["london", "cambridge", "peterborough", "hull",
            "huntingdon"] },
            "notables": { "willoughby": "in-play" }, "generals": { "manchester": "huntingdon" },
                "brigades": { "manchester": ["london-trained-bands"] } });
        let places = |options: &[(&str, &str)], face: &str, more: &Value| {
            let mut table = with_options(options, phase("early-1643", "recruitment", &merged(fields.clone(), more)), "");
            table.act_as(P, &format!("from pool-parliament; brigade {face}"));
            table.options("to")
        };
        let on = [("manchester", "true")];
        assert_eq!(places(&on, "eastern-association", &json!({})), ["manchester", "unled-cambridge", "willoughby"]);
        let away = json!({ "generals": { "manchester": "hull" } });
        assert_eq!(places(&on, "eastern-association", &away), ["unled-cambridge", "willoughby"], "he is not in the East");
        assert!(places(&on, "london-trained-bands", &json!({})).contains(&"unled-london".to_owned()), "others as ever");
        assert!(places(&[], "eastern-association", &json!({})).contains(&"unled-london".to_owned()));
    }

    #[test]
    fn rule_o4_newcastle_leaves_when_the_north_has_no_royalist_marker() {
        let fields = json!({ "control": { "royalist": ["oxford"], "parliament": ["london"] }, "generals": { "newcastle": "durham" },
            "brigades": { "newcastle": ["whitecoats", "whitecoats"] } });
        let mut table = with("laughter", position("early-1643", "royalist", &fields), "");
        assert_eq!((table.whereabouts("newcastle"), table.whereabouts("langdale")), ("out".into(), "durham".into()));
        assert_eq!((table.count("langdale"), table.options("from")), (2, vec!["langdale".to_owned(), "pool-royalist".to_owned()]));
        table.act("from pool-royalist; brigade glemhams; from langdale; brigade whitecoats");
        let out = table.brigades("out");
        assert!(["glemhams", "whitecoats"].iter().all(|face| out.iter().any(|one| one == face)), "for good");
        assert!(table.offers("card C02"), "play goes on");
        let plain = crate::play::at(position("early-1643", "royalist", &fields), "");
        assert_eq!(plain.whereabouts("newcastle"), "durham");
        let held = with("laughter", position("early-1643", "royalist", &merged(fields,
            &json!({ "control": { "royalist": ["durham"] } }))), "");
        assert_eq!(held.whereabouts("newcastle"), "durham");
    }

    #[test]
    fn rule_o4_off_the_map_langdale_takes_his_place_in_the_box() {
        let fields = json!({ "control": { "royalist": ["oxford"], "parliament": ["london"] },
            "generals": { "newcastle": "reinforcements" } });
        let mut table = with("laughter", position("early-1643", "royalist", &fields), "");
        assert_eq!((table.whereabouts("newcastle"), table.whereabouts("langdale")), ("out".into(), "reinforcements-royalist".into()));
        table.act_as(R, "from pool-royalist; brigade glemhams; from pool-royalist; brigade saviles");
        assert!(table.offers("card C02"));
    }

    #[test]
    fn rule_o4_a_marker_taken_interrupts_play() {
        let fields = json!({ "control": { "royalist": ["durham", "oxford"], "parliament": ["london", "newcastle"] },
            "generals": { "newcastle": "york", "langdale": "thirsk", "tom-fairfax-north": "durham" },
            "brigades": { "newcastle": ["whitecoats", "whitecoats"], "langdale": ["widdringtons"],
                "tom-fairfax-north": ["fairfaxs-horse"] } });
        let mut table = with("laughter", position("winter-1643", "parliament", &fields), "");
        table.act_as(P, "card C04; use activate; activate tom-fairfax-north; pc");
        assert_eq!((table.to_act(), table.whereabouts("newcastle"), table.whereabouts("langdale")), (R, "out".into(), "thirsk".into()));
        assert_eq!(table.count("unled-york"), 2, "Langdale is not in a box: they are unled");
        table.act_as(R, "from pool-royalist; brigade glemhams; from pool-royalist; brigade saviles");
        assert_eq!(table.to_act(), P, "the Activation goes on");
    }

    #[test]
    fn rule_o4_a_decisive_defeat_sends_him_away_after_the_retreat() {
        let mut table = with("laughter", newcastle_attacked(&json!({})), "6,1,E30,E31");
        table.act_as(P, "card C04; use activate; activate tom-fairfax-north; move durham");
        table.act_as(R, "stand; stand").act_as(P, "stand; card E13");
        assert_eq!(table.public("decisive_victory"), ["decisive_victory parliament durham"]);
        assert_eq!(table.brigades("lost"), ["whitecoats", "whitecoats"]);
        assert_eq!(table.whereabouts("newcastle"), "durham", "not before the Retreat");
        table.act_as(R, "move newcastle; done");
        assert_eq!(table.brigades("langdale"), ["glemhams", "saviles"]);
        table.act_as(R, "from pool-royalist; brigade widdringtons; from langdale; brigade saviles");
        assert_eq!((table.whereabouts("newcastle"), table.whereabouts("langdale")), ("out".into(), "newcastle".into()));
        assert_eq!(table.count("langdale"), 1);
        // Spoils, and two cards.
        table.act_as(P, "pass");
    }

    #[test]
    fn rule_o5_essex_disperses_after_a_decisive_defeat_far_from_london() {
        let mut far = with("lostwithiel", essex_attacked("st-austell", "truro", &json!({})), "6,1,E05,E06");
        far.act_as(R, "card C02; use activate; activate hopton; move st-austell");
        far.act_as(P, "stand; stand").act_as(R, "stand; card E13").act_as(P, "brigade fiennes; brigade gells");
        assert_eq!((far.whereabouts("essex"), far.brigades("unemployed-parliament")), ("unemployed-parliament".into(),
            vec!["assheton".to_owned()]));
        far.act_as(R, "pass");
        let mut near = with("lostwithiel", essex_attacked("salisbury", "bath", &json!({})), "6,1");
        near.act_as(R, "card C02; use activate; activate hopton; move salisbury");
        near.act_as(P, "stand; stand").act_as(R, "stand; card E13").act_as(P, "brigade fiennes; brigade gells");
        assert!(!near.options("move").is_empty(), "three lines from London they retreat");
    }

    #[test]
    fn rule_o5_essex_disperses_after_a_sortie_as_well() {
        let plymouth = json!({ "on_turn": "parliament", "control": { "royalist": ["oxford"], "parliament": ["plymouth", "london"] } });
        let beaten = |option: &str, script: &str| {
            let place = essex_attacked("inside-plymouth", "plymouth", &plymouth);
            let mut table = with_options(&[("lostwithiel", option)], place, script);
            table.act_as(P, "card C04; use activate; activate essex").act_as(R, "stand; stand").act_as(P, "stand");
            table.act_as(R, "card E13").act_as(P, "brigade fiennes; brigade gells");
            (table.whereabouts("essex"), table.brigades("unemployed-parliament"))
        };
        assert_eq!(beaten("true", "1,6,E05,E06"), ("unemployed-parliament".into(), vec!["assheton".to_owned()]));
        assert_eq!(beaten("false", "1,6,E05,E06"), ("inside-plymouth".into(), Vec::new()), "else they are back inside");
    }

    #[test]
    fn rule_o8_the_victory_brings_what_any_does() {
        let mut table = with("lostwithiel", essex_attacked("st-austell", "truro", &json!({})), "6,1,E05,E06");
        table.act_as(R, "card C02; use activate; activate hopton; move st-austell");
        table.act_as(P, "stand; stand").act_as(R, "stand; card E13").act_as(P, "brigade fiennes; brigade gells");
        table.act_as(R, "pc");
        assert_eq!(table.control("st-austell"), "royalist");
        assert_eq!(table.cards("royalist-bonus"), ["E05", "E06"]);
    }

    #[test]
    fn rule_o6_the_king_is_a_general_like_others_if_his_surrender_is_left_out() {
        let fields = json!({ "control": { "royalist": ["reading", "worcester"], "parliament": ["london"] },
            "generals": { "waller": "reading", "king-charles-i": "inside-reading" },
            "brigades": { "waller": ["skippons", "gells"], "king-charles-i": ["byrons"] },
                "sieges": { "reading": { "marker": "siege", "value": 3 } } });
        let fall = |fields: &Value, value: &str, dice: &str, line: &str| {
            let mut table = with_options(&[("king-surrenders", value)], position("early-1643", "parliament", fields), dice);
            table.act(line);
            (table.result().map(|result| result.code), table.whereabouts("king-charles-i"))
        };
        let bombards = "card C04; use bombard; bombard waller";
        assert_eq!(fall(&fields, "false", "1,6", bombards), (None, "unemployed-royalist".to_owned()));
        assert_eq!(fall(&fields, "true", "1,6", bombards).0, Some("king_surrenders"));
        let stormed = merged(fields, &json!({ "generals": { "tom-fairfax-north": "reading", "king-charles-i": "inside-reading" },
            "brigades": { "tom-fairfax-north": ["skippons", "gells"], "king-charles-i": ["byrons"] }, "sieges": {} }));
        let storms = "card C04; use bombard; bombard tom-fairfax-north; assault; brigade skippons";
        assert_eq!(fall(&stormed, "false", "1,6,6", storms), (None, "out".to_owned()), "out of the game after an Assault");
    }
}
