//! Assaults (14.5, F11, F12), by number.

use serde_json::{Value, json};

use crate::play::{Match, P, SPECTATOR, at, merged, position};

/// A Royalist General before Bristol, which is Parliament's, with a value amassed.
fn before_bristol(general: &str, brigades: &[&str], value: u8, more: &Value) -> Value {
    let fields = json!({ "control": { "royalist": ["worcester"], "parliament": ["bristol", "london"] },
        "generals": { general: "bristol" }, "brigades": { general: brigades },
        "sieges": { "bristol": { "marker": "siege", "value": value } } });
    merged(fields, more)
}

fn bombarding(general: &str, fields: &Value, dice: &str) -> Match {
    let mut table = at(position("early-1643", "royalist", fields), dice);
    table.act(&format!("card C02; use bombard; bombard {general}"));
    table
}

const FOUR: [&str; 4] = ["byrons", "astleys", "kings-lifeguard", "ruperts-lifeguard"];

rules! {
    #[test]
    fn rule_f11_a_value_of_five_or_one_of_five_generals() {
        let at_value = |value: u8| bombarding("king-charles-i", &before_bristol("king-charles-i", &FOUR, value, &json!({})), "1");
        assert_eq!(at_value(4).offered(), ["assault", "pass"], "five with this Bombardment");
        assert_eq!(at_value(3).to_act(), P, "with four nobody is asked");
        for general in ["prince-rupert", "prince-maurice"] {
            let table = bombarding(general, &before_bristol(general, &FOUR, 0, &json!({})), "1");
            assert_eq!(table.offered(), ["assault", "pass"], "{general}");
        }
        assert_eq!(bombarding("hopton", &before_bristol("hopton", &FOUR, 0, &json!({})), "1").to_act(), P);
    }

    #[test]
    fn rule_f11_never_a_local_notable_nor_by_one_who_may_not() {
        let notable = json!({ "control": { "royalist": ["worcester"], "parliament": ["gloucester", "london"] },
            "notables": { "massey": "in-play" },
            "generals": { "prince-rupert": "gloucester" }, "brigades": { "prince-rupert": ["byrons", "astleys"] } });
        assert_eq!(bombarding("prince-rupert", &notable, "3").to_act(), P);
        let barred = before_bristol("prince-rupert", &FOUR, 5, &json!({ "may_not_assault": ["prince-rupert"] }));
        assert_eq!(bombarding("prince-rupert", &barred, "1").to_act(), P);
    }

    #[test]
    fn rule_f11_parliaments_generals_who_assault_at_once() {
        for general in ["tom-fairfax-north", "lord-general-tom-fairfax", "cromwell"] {
            let fields = json!({ "control": { "royalist": ["worcester"], "parliament": ["london"] }, "generals": { general: "worcester" },
                "brigades": { general: ["gells", "fiennes"] } });
            let mut table = at(position("early-1645", "parliament", &fields), "1");
            table.act(&format!("card C04; use bombard; bombard {general}"));
            assert_eq!(table.offered(), ["assault", "pass"], "{general}");
        }
    }

    #[test]
    fn rule_f12_ten_takes_the_fortress_at_the_cost_of_the_best_brigade() {
        // 5 and 5, three for the Brigades, one less for the one inside: 12.
        let inside = before_bristol("king-charles-i", &FOUR, 5, &json!({ "brigades": { "king-charles-i": FOUR,
            "inside-bristol": ["pophams"] } }));
        let mut table = bombarding("king-charles-i", &inside, "1,5,5");
        table.act("assault").refuses("brigade byrons", "F12").act("brigade kings-lifeguard");
        assert_eq!((table.control("bristol"), table.brigades("out").contains(&"kings-lifeguard".to_owned())), ("royalist", true));
        assert!(table.brigades("pool-parliament").contains(&"pophams".to_owned()), "without honours of war");
        assert!(table.seen(SPECTATOR, "out").contains(&"kings-lifeguard".to_owned()), "before everybody's eyes");
    }

    #[test]
    fn rule_f12_what_adds_and_what_takes_away() {
        // Class 2, four Brigades of whom three count, value 6: a roll of 7 makes 10, one of 6 does not.
        let plain = before_bristol("king-charles-i", &FOUR, 5, &json!({}));
        let storm = |fields: &Value, dice: &str, place: &str| {
            let mut table = bombarding("king-charles-i", fields, dice);
            table.act("assault; brigade kings-lifeguard");
            table.control(place) == "royalist"
        };
        assert!(storm(&plain, "1,3,4", "bristol") && !storm(&plain, "1,3,3", "bristol"));
        // A Brigade inside: 8 is needed.
        let held = merged(plain.clone(), &json!({ "brigades": { "king-charles-i": FOUR, "inside-bristol": ["pophams"] } }));
        assert!(storm(&held, "1,4,4", "bristol") && !storm(&held, "1,3,4", "bristol"));
        // Class 3: 2 less.
        let field = |place: &str, value: u8| json!({ "control": { "royalist": ["worcester"], "parliament": [place, "london"] },
            "generals": { "king-charles-i": place },
            "brigades": { "king-charles-i": FOUR }, "sieges": { place: { "marker": "siege", "value": value } } });
        assert!(storm(&field("plymouth", 5), "1,4,5", "plymouth") && !storm(&field("plymouth", 5), "1,4,4", "plymouth"));
    }

    #[test]
    fn rule_f12_class_one_adds_one_and_a_low_value_takes_two() {
        let field = |more: Value| merged(json!({ "control": { "royalist": ["york"], "parliament": ["nottingham", "london"] },
            "generals": { "prince-rupert": "nottingham" },
            "brigades": { "prince-rupert": ["byrons", "ruperts-lifeguard"] } }), &more);
        let storm = |dice: &str| {
            let mut table = bombarding("prince-rupert", &field(json!({})), dice);
            table.act("assault; brigade ruperts-lifeguard");
            table.control("nottingham") == "royalist"
        };
        // Two Brigades, class 1, a value of 1: 2 + 1 - 2.
        assert!(storm("1,4,5") && !storm("1,4,4"));
    }

    #[test]
    fn rule_f12_who_fails_may_not_assault_again() {
        let fields = before_bristol("prince-rupert", &FOUR, 0, &json!({}));
        let mut table = bombarding("prince-rupert", &fields, "1,1,1");
        table.act("assault; brigade ruperts-lifeguard");
        assert_eq!((table.marker("prince-rupert", "may-not"), table.control("bristol")), (1, "parliament"));
        assert_eq!((table.count("prince-rupert"), table.marker("bristol", "siege")), (3, 1), "three are enough for the Siege");
        let north = json!({ "control": { "royalist": ["york", "newcastle"], "parliament": ["london"] },
            "generals": { "tom-fairfax-north": "newcastle" },
            "brigades": { "tom-fairfax-north": ["fairfaxs-horse", "hothams"] } });
        let mut fairfax = at(position("early-1643", "parliament", &north), "1,1,1");
        fairfax.act("card C04; use bombard; bombard tom-fairfax-north; assault; brigade fairfaxs-horse");
        assert_eq!((fairfax.marker("tom-fairfax-north", "may-not"), fairfax.marker("lord-general-tom-fairfax", "may-not")), (1, 1));
        assert_eq!(fairfax.marker("newcastle", "siege"), 0, "one is not enough for class 2");
    }

    #[test]
    fn rule_f12_generals_inside_are_out_of_the_game() {
        let fields = before_bristol("king-charles-i", &FOUR, 5, &json!({ "generals": { "king-charles-i": "bristol",
            "bedford": "inside-bristol" },
            "brigades": { "king-charles-i": FOUR, "bedford": ["pophams"] } }));
        let mut table = bombarding("king-charles-i", &fields, "1,6,6");
        table.act("assault; brigade kings-lifeguard");
        assert_eq!(table.whereabouts("bedford"), "out");
        assert_eq!(table.to_act(), P);
    }
}
