//! Mandatory cards: the Standard and the Solemn League (6.5, MC1 to MC11, MC27), by number.

use serde_json::{Value, json};

use crate::play::{Match, P, R, at, merged, position};

/// Before the Standard: the card of a seat, which is on turn.
fn before_standard(seat: &str, card: &str, more: &Value) -> Match {
    let mut hands = json!({});
    hands[seat] = json!([card]);
    let early = json!({ "happened": [], "hands": hands });
    at(position("late-1642", seat, &merged(early, more)), "")
}

/// The League in the hand of a seat, which is on turn.
fn league(seat: &str, more: &Value, script: &str) -> Match {
    let mut hands = json!({});
    hands[seat] = json!(["X02"]);
    let mut table = at(position("winter-1643", seat, &merged(json!({ "hands": hands }), more)), script);
    table.act("card X02; use event");
    table
}

/// Everybody stands and passes, and takes the first choice otherwise, until a card is to be played.
fn fight_on(table: &mut Match) {
    while table.frame() != "play" {
        let offered = table.offered();
        let declines =
            ["stand", "pass", "done"].into_iter().find(|wanted| offered.iter().any(|one| one == wanted));
        let action = declines.map_or_else(|| offered[0].clone(), str::to_owned);
        table.act(&action);
    }
}

rules! {
    #[test]
    fn rule_mc1_before_the_standard_no_army_enters_an_area_with_enemy_brigades() {
        let more = json!({
            "control": { "royalist": ["oxford"] }, "generals": { "hopton": "oxford" },
            "brigades": { "hopton": ["stawells"], "unled-northampton": ["gells"], "unled-newbury": ["assheton"] },
        });
        let mut table = before_standard("royalist", "E06", &more);
        table.act("card E06; use activate; activate hopton");
        assert!(table.offers("move warwick") && !table.offers("move northampton") && !table.offers("move newbury"));
    }

    #[test]
    fn rule_mc2_waller_waits_for_the_standard() {
        let more = json!({
            "generals": { "waller": "portsmouth", "essex": "london" },
            "brigades": { "waller": ["western-association"], "essex": ["fiennes"] },
        });
        let mut table = before_standard("parliament", "E06", &more);
        table.act("card E06; use activate");
        assert_eq!(table.options("activate"), ["essex"]);
    }

    #[test]
    fn rule_mc4_parliament_recruits_one_brigade_if_the_standard_was_theirs() {
        let control = json!({ "control": { "parliament": ["london", "northampton"] } });
        let mut table = before_standard("parliament", "X01", &control);
        table.act("card X01; use event");
        assert_eq!((table.frame().as_str(), table.to_act()), ("recruitment", P));
        table.act("from pool-parliament").refuses("brigade skippons", "7.1.1");
        table.act("brigade gells; to unled-northampton");
        assert!(!table.offers("from pool-parliament"), "one Brigade is all");
        table.act("done");
        assert_eq!(table.to_act(), R);
        let mut royalist = before_standard("royalist", "X01", &control);
        royalist.act("card X01; use event");
        assert_eq!((royalist.frame().as_str(), royalist.to_act()), ("play", P));
    }

    #[test]
    fn rule_mc5_leven_enters_with_five_brigades_and_is_activated() {
        let mut table = league("parliament", &json!({}), "");
        assert_eq!(table.options("at"), ["berwick", "carlisle"]);
        table.refuses("at newcastle", "MC5").act("at berwick");
        assert_eq!((table.whereabouts("leven"), table.count("leven")), ("berwick".to_owned(), 5));
        // Five Brigades have 3 MP, of which the entry costs none (9.2).
        table.act("move newcastle; move durham; move thirsk; done");
        assert_eq!((table.whereabouts("leven"), table.to_act()), ("thirsk".to_owned(), R));
    }

    #[test]
    fn rule_mc6_who_does_not_win_the_battle_of_the_entry_is_off_the_map() {
        let more = json!({
            "generals": { "hopton": "berwick" },
            "brigades": { "hopton": ["stawells", "berkeleys", "hertfords", "grenviles-cornish"] },
        });
        let mut table = league("parliament", &more, "1,6");
        table.act("at berwick");
        fight_on(&mut table);
        assert_eq!(table.whereabouts("leven"), "off-map");
        assert!((1..5).contains(&table.count("leven")), "the survivors are with him");
    }

    #[test]
    fn rule_mc8_callander_enters_from_late_1644_if_the_league_was_called() {
        let asked = |turn: &str, happened: &Value| {
            let more = json!({ "hands": { "parliament": ["M05"] }, "happened": happened });
            let mut table = at(position(turn, "parliament", &more), "");
            table.act("card M05").offers("use activate")
        };
        assert!(asked("late-1644", &json!(["standard", "league"])));
        assert!(!asked("early-1644", &json!(["standard", "league"])));
        assert!(!asked("late-1644", &json!(["standard"])));
    }

    #[test]
    fn rule_mc9_a_covenanter_army_leaves_the_map_without_parliaments_brigades() {
        let with = |brigades: &[&str], at_area: &str| {
            let more = json!({
                "hands": { "parliament": ["M05"] }, "happened": ["standard", "league"],
                "generals": { "leven": at_area }, "brigades": { "leven": brigades },
            });
            let mut table = at(position("early-1644", "parliament", &more), "");
            table.act("card M05; use activate; activate leven");
            table
        };
        with(&["covenanter-levens", "hothams"], "berwick").refuses("move off-map", "MC9");
        with(&["covenanter-levens"], "durham").refuses("move off-map", "MC9");
        let mut table = with(&["covenanter-levens"], "berwick");
        table.act("move off-map");
        assert_eq!((table.whereabouts("leven"), table.brigades("out")), ("out".to_owned(), vec!["covenanter-levens".to_owned()]));
    }

    #[test]
    fn rule_mc11_the_royalist_recruits_two_if_the_league_was_theirs() {
        let control = json!({ "control": { "royalist": ["newcastle", "oxford", "shrewsbury", "truro"] } });
        let mut table = league("royalist", &control, "");
        table.act_as(P, "at berwick; done");
        assert_eq!((table.frame().as_str(), table.to_act()), ("recruitment", R));
        table.act("from pool-royalist");
        assert!(!table.offers("brigade glemhams"), "none of them is Northern");
        table.act("brigade wilmots; to unled-oxford; from pool-royalist; brigade carberys; to unled-shrewsbury");
        assert!(!table.offers("from pool-royalist"));
        let mut parliament = league("parliament", &control, "");
        parliament.act_as(P, "at berwick; done");
        assert_eq!((parliament.frame().as_str(), parliament.to_act()), ("play", R));
    }

    #[test]
    fn rule_mc27_an_entry_area_with_an_army_that_cannot_be_joined_is_not_offered() {
        let more = json!({ "generals": { "essex": "berwick" }, "brigades": { "essex": ["fiennes"] } });
        let table = league("parliament", &more, "");
        assert_eq!(table.options("at"), ["carlisle"], "Essex and Leven are of one level");
        let both = json!({
            "generals": { "essex": "berwick", "lord-general-tom-fairfax": "carlisle" },
            "brigades": { "essex": ["fiennes"], "lord-general-tom-fairfax": ["gells"] },
        });
        let waits = league("parliament", &both, "");
        assert_eq!((waits.frame().as_str(), waits.to_act(), waits.whereabouts("leven")), ("play", R, "off-map".to_owned()));
    }
}
