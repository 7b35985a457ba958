//! Battles in the Areas of Sieges (14.6, F13 to F16, F18), by number.

use serde_json::{Value, json};

use crate::play::{Match, P, R, at, merged, position};

/// Essex besieges Oxford, which is the Royalist's, with five Brigades; the King comes from Worcester.
fn relief(more: &Value) -> Value {
    let fields = json!({ "control": { "royalist": ["oxford", "worcester"], "parliament": ["london", "warwick"] },
        "generals": { "essex": "oxford", "king-charles-i": "worcester" },
        "brigades": { "essex": ["fiennes", "gells", "assheton", "denbighs", "pophams"], "king-charles-i": ["byrons", "astleys",
            "wilmots"],
            "inside-oxford": ["tyldesleys"] },
        "sieges": { "oxford": { "marker": "siege", "value": 4 } } });
    merged(fields, more)
}

/// The King moves to Oxford.
fn relieved(more: &Value, script: &str) -> Match {
    let mut table = at(position("early-1643", "royalist", &relief(more)), script);
    table.act("card C02; use activate; activate king-charles-i; move oxford");
    table
}

/// Returns the scores of the two sides less their dice.
fn strengths(table: &Match) -> [i32; 2] {
    let dice = table.public("battle_dice");
    let words: Vec<i32> = dice
        .last()
        .expect("dice have fallen")
        .split(' ')
        .skip(2)
        .map(|word| word.parse().expect("a number"))
        .collect();
    [words[2] - words[0], words[3] - words[1]]
}

rules! {
    #[test]
    fn rule_f13_the_owner_of_the_siege_chooses() {
        let table = relieved(&json!({}), "");
        assert_eq!((table.to_act(), table.offered()), (P, vec!["lift".to_owned(), "surplus".to_owned()]));
    }

    #[test]
    fn rule_f13_a_lifted_siege_lets_the_garrison_fight() {
        let mut table = relieved(&json!({}), "3,3");
        table.act_as(P, "lift; stand; stand").act_as(R, "stand");
        assert_eq!((table.marker("oxford", "siege"), table.marker("oxford", "bombardment-value")), (0, 0));
        // Three of the King, one of the garrison and his rating; five of Essex and his.
        assert_eq!(strengths(&table), [5, 6]);
    }

    #[test]
    fn rule_f13_the_surplus_fights_alone_and_the_garrison_does_not() {
        let mut table = relieved(&json!({}), "3,3");
        table.act_as(P, "surplus; from essex; brigade gells; from essex; brigade pophams");
        table.act_as(R, "stand");
        assert_eq!(strengths(&table), [4, 3], "two of five, beyond the class and one inside; no Evasion, no Dispersal");
        assert_eq!(table.marker("oxford", "bombardment-value"), 4);
    }

    #[test]
    fn rule_f13_without_a_surplus_the_siege_is_lifted() {
        let three = json!({ "brigades": { "essex": ["fiennes", "gells", "assheton"], "king-charles-i": ["byrons", "astleys",
            "wilmots"], "inside-oxford": ["tyldesleys"] } });
        let table = relieved(&three, "");
        assert_eq!((table.marker("oxford", "siege"), table.offered()), (0, vec!["evade".to_owned(), "stand".to_owned()]));
    }

    #[test]
    fn rule_f13_the_higher_level_inside_commands_and_one_who_cannot_stack_is_left_out() {
        // Newcastle is of level 2, Hopton of level 4: at his rating of 1 they fight; two Field Generals of one level don't.
        let under = json!({ "generals": { "essex": "oxford", "hopton": "worcester", "newcastle": "inside-oxford" },
            "brigades": { "essex": ["fiennes", "gells", "assheton", "denbighs"], "hopton": ["byrons", "astleys", "wilmots"],
                "newcastle": ["whitecoats"] } });
        let fight = |more: &Value, general: &str| {
            let mut table = at(position("early-1643", "royalist", &relief(more)), "3,3");
            table.act(&format!("card C02; use activate; activate {general}; move oxford"));
            table.act_as(P, "lift; stand; stand").act_as(R, "stand");
            strengths(&table)[0]
        };
        assert_eq!(fight(&under, "hopton"), 3 + 2 + 1, "not Hopton's rating of 2");
        let equal = json!({ "generals": { "essex": "oxford", "prince-rupert": "worcester", "prince-maurice": "inside-oxford" },
            "brigades": { "essex": ["fiennes", "gells", "assheton", "denbighs"], "prince-rupert": ["byrons", "astleys",
                "wilmots"], "prince-maurice": ["tyldesleys"] } });
        assert_eq!(fight(&equal, "prince-rupert"), 3 + 3, "Maurice stays inside with his Brigade");
    }

    #[test]
    fn rule_f14_the_garrison_joins_against_an_army_that_masks() {
        let masked = relief(&json!({ "sieges": {} }));
        let mut table = at(position("early-1643", "royalist", &masked), "3,3");
        table.act("card C02; use activate; activate king-charles-i; move oxford");
        table.act_as(P, "stand; stand").act_as(R, "stand");
        assert_eq!(strengths(&table), [5, 6]);
    }

    #[test]
    fn rule_f14_a_notables_brigades_join_too_and_unled_brigades_mask_nothing() {
        let before = |masking: Value, generals: Value| {
            let fields = json!({ "control": { "royalist": ["oxford"], "parliament": ["gloucester", "bristol"] },
                "notables": { "massey": "in-play" },
                "generals": generals, "brigades": masking });
            let mut table = at(position("early-1643", "parliament", &fields), "3,3");
            table.act("card C04; use activate; activate waller; move gloucester");
            while table.frame() != "battle-loss" && table.offers("stand") {
                table.act("stand");
            }
            strengths(&table)
        };
        let army = json!({ "byron": ["byrons", "astleys", "wilmots", "tyldesleys"], "waller": ["pophams", "skippons"],
            "massey": ["gells", "denbighs"] });
        // Waller's three and his rating of 2, and two of Massey's, who has none.
        assert_eq!(before(army, json!({ "byron": "gloucester", "waller": "bristol" })), [7, 5]);
        let unled = json!({ "unled-gloucester": ["byrons", "astleys", "wilmots", "tyldesleys"], "waller": ["pophams", "skippons"],
            "massey": ["gells", "denbighs"] });
        assert_eq!(before(unled, json!({ "waller": "bristol" })), [5, 4]);
    }

    #[test]
    fn rule_f15_a_besieger_who_wins_a_major_victory_takes_the_fortress() {
        let weak = json!({ "generals": { "essex": "oxford", "byron": "worcester" }, "discard": ["E30"],
            "brigades": { "essex": ["fiennes", "gells", "assheton", "denbighs", "pophams"], "byron": ["byrons", "astleys"],
                "inside-oxford": ["tyldesleys"] } });
        for (choice, dice) in [("lift; stand; stand", "1,4"), ("surplus; from essex; brigade gells; from essex; brigade pophams",
            "1,6")] {
            // Parliament's bonus card, and the honours of war.
            let mut table = at(position("early-1643", "royalist", &relief(&weak)), &format!("{dice},E30,6"));
            table.act("card C02; use activate; activate byron; move oxford");
            table.act_as(P, choice).act_as(R, "stand");
            while table.to_act() == R && table.control("oxford") == "royalist" {
                let first = table.offered().first().expect("something is offered").clone();
                table.act(&first);
            }
            assert_eq!(table.public("major_victory"), ["major_victory parliament oxford"], "{choice}");
            assert_eq!(table.control("oxford"), "parliament", "{choice}");
        }
    }

    #[test]
    fn rule_f16_after_a_relief_that_failed_a_kept_siege_goes_on() {
        let mut kept = relieved(&json!({}), "1,2");
        kept.act_as(P, "surplus; from essex; brigade gells; from essex; brigade pophams").act_as(R, "stand");
        // 4 and 1 against 3 and 2: drawn, each loses one; four are enough for class 2 and one inside.
        assert_eq!(kept.public("defender_drawn"), ["defender_drawn parliament oxford"]);
        while kept.frame() == "battle-loss" {
            let first = kept.offered().first().expect("somebody is lost").clone();
            kept.act(&first);
        }
        assert_eq!((kept.mark("oxford", "siege"), kept.mark("oxford", "bombardment-value")), (1, 4));
        assert_eq!((kept.whereabouts("king-charles-i"), kept.count("inside-oxford")), ("worcester".into(), 1));
    }

    #[test]
    fn rule_f16_a_lifted_siege_stays_lifted_and_the_army_masks() {
        let mut lifted = relieved(&json!({}), "2,1");
        lifted.act_as(P, "lift; stand; stand").act_as(R, "stand");
        // 5 and 2 against 6 and 1.
        while lifted.frame() == "battle-loss" {
            let first = lifted.offered().first().expect("somebody is lost").clone();
            lifted.act(&first);
        }
        assert_eq!((lifted.mark("oxford", "siege"), lifted.whereabouts("essex")), (0, "oxford".into()));
        assert_eq!(lifted.control("oxford"), "royalist");
    }

    #[test]
    fn rule_f18_the_rest_of_the_garrison_joins_the_sortie() {
        let inside = json!({ "generals": { "essex": "oxford", "byron": "inside-oxford" },
            "brigades": { "essex": ["fiennes", "gells"], "byron": ["byrons"], "inside-oxford": ["tyldesleys"] }, "sieges": {} });
        let mut table = at(position("early-1643", "royalist", &relief(&inside)), "3,3");
        table.act("card C02; use activate; activate byron").act_as(P, "stand; stand").act_as(R, "stand");
        assert_eq!(strengths(&table), [3, 3], "two Brigades and a rating of 1 a side");
    }

    #[test]
    fn rule_f18_an_army_inside_sallies_at_once() {
        let inside = json!({ "generals": { "essex": "oxford", "byron": "inside-oxford" },
            "brigades": { "essex": ["fiennes", "gells"], "byron": ["byrons"] }, "sieges": {} });
        let mut won = at(position("early-1643", "royalist", &relief(&inside)), "6,1");
        won.act("card C02; use activate; activate byron");
        assert_eq!((won.to_act(), won.offers("evade")), (P, true), "Essex is attacked before anything else");
        won.act_as(P, "stand; stand").act_as(R, "stand");
        // 2 and 6 against 3 and 1: Byron wins, and is outside.
        assert_eq!(won.public("indecisive_victory"), ["indecisive_victory royalist oxford"]);
        while won.to_act() == P {
            let first = won.offered().first().expect("something is offered").clone();
            won.act(&first);
        }
        assert_eq!(won.whereabouts("byron"), "oxford");
        let mut drawn = at(position("early-1643", "royalist", &relief(&merged(inside, &json!({ "brigades": { "essex": ["fiennes",
            "gells"], "byron": ["byrons", "astleys"] } })))), "1,1");
        drawn.act("card C02; use activate; activate byron").act_as(P, "stand; stand").act_as(R, "stand");
        while drawn.frame() == "battle-loss" {
            let first = drawn.offered().first().expect("somebody is lost").clone();
            drawn.act(&first);
        }
        assert_eq!((drawn.whereabouts("byron"), drawn.to_act()), ("inside-oxford".into(), P), "back inside, and the Activation is over");
    }
}
