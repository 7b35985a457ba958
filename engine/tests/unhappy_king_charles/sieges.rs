//! Fortresses and Sieges (14.0 to 14.2, F1 to F5), by number.

use edgehill_engine::seat::Observer;
use serde_json::{Value, json};

use crate::play::{Match, R, SPECTATOR, at, position};

/// The Activation of a Royalist General by a card of 2.
fn activated(general: &str, fields: &Value) -> Match {
    let mut table = at(position("early-1643", "royalist", fields), "");
    table.act(&format!("card C02; use activate; activate {general}"));
    table
}

fn hopton_before_plymouth(inside: &[&str]) -> Value {
    json!({ "control": { "royalist": ["truro", "worcester"], "parliament": ["plymouth", "london"] }, "generals": { "hopton": "plymouth" },
        "brigades": { "hopton": ["stawells", "berkeleys", "hertfords"], "inside-plymouth": inside } })
}

rules! {
    #[test]
    fn rule_f1_as_many_inside_as_the_class_and_one_in_a_limited_fortress() {
        let army = |area: &str, brigades: &[&str], inside: &[&str]| {
            let garrison = format!("inside-{area}");
            activated("byron", &json!({ "control": { "royalist": [area, "worcester"], "parliament": ["london"] },
                "generals": { "byron": area },
                "brigades": { "byron": brigades, garrison: inside } }))
        };
        let mut limited = army("reading", &["byrons", "astleys"], &[]);
        limited.refuses("inside", "F1");
        limited = army("reading", &["byrons"], &[]);
        limited.act("inside");
        assert_eq!(limited.whereabouts("byron"), "inside-reading");
        army("carlisle", &["byrons", "astleys"], &[]).refuses("inside", "F1");
        assert!(army("oxford", &["byrons", "astleys"], &[]).offers("inside"));
        army("oxford", &["byrons", "astleys"], &["wilmots"]).refuses("inside", "F1");
        assert!(army("york", &["byrons", "astleys"], &["wilmots"]).offers("inside"));
    }

    #[test]
    fn rule_f2_class_and_garrison_say_how_many_besiege() {
        let mut three = activated("hopton", &hopton_before_plymouth(&[]));
        three.act("siege place; done");
        assert_eq!(three.marker("plymouth", "siege"), 1);
        activated("hopton", &hopton_before_plymouth(&["pophams"])).refuses("siege place", "F2");
    }

    #[test]
    fn rule_f3_a_marker_costs_nothing_and_stands_at_an_enemy_fortress() {
        let fields = json!({ "control": { "royalist": ["bath", "worcester"], "parliament": ["bristol", "london"] },
            "generals": { "hopton": "bath" },
            "brigades": { "hopton": ["stawells", "berkeleys"] } });
        let mut table = activated("hopton", &fields);
        table.refuses("siege place", "F3").act("move bristol; siege place");
        assert!(table.offers("siege lift"));
        table.act("done");
        assert_eq!(table.marker("bristol", "siege"), 1);
    }

    #[test]
    fn rule_y3_the_marker_shows_the_garrison_to_the_besieger_alone() {
        let fields = json!({ "control": { "royalist": ["truro", "worcester"], "parliament": ["plymouth", "london"] },
            "generals": { "hopton": "plymouth" },
            "brigades": { "hopton": ["stawells", "berkeleys", "hertfords", "grenviles-cornish"], "inside-plymouth": ["pophams"] } });
        let mut table = activated("hopton", &fields);
        assert_eq!(table.seen(Observer::Seat(R), "inside-plymouth"), ["parliament-brigade"]);
        table.act("siege place");
        assert_eq!(table.seen(Observer::Seat(R), "inside-plymouth"), ["pophams"]);
        assert_eq!(table.seen(SPECTATOR, "inside-plymouth"), ["parliament-brigade"]);
    }

    #[test]
    fn rule_f4_an_army_with_a_marker_stays_until_a_point_takes_it_off() {
        let mut fields = hopton_before_plymouth(&[]);
        fields["sieges"] = json!({ "plymouth": { "marker": "siege", "value": 3 } });
        let mut table = activated("hopton", &fields);
        table.refuses("move exeter", "F4").act("siege lift");
        // Three Brigades have four points: one is spent, three Areas are left.
        table.act("move exeter; move taunton; move bath");
        assert_eq!(table.options("move"), Vec::<String>::new());
        table.act("done");
        assert_eq!((table.marker("plymouth", "siege"), table.marker("plymouth", "bombardment-value")), (0, 0));
    }

    #[test]
    fn rule_f4_it_does_not_intercept_and_subordinates_come_and_go() {
        let fields = json!({ "control": { "royalist": ["worcester"], "parliament": ["bristol", "london"] },
            "generals": { "king-charles-i": "bristol", "byron": "under-king-charles-i", "waller": "devizes", "hopton": "taunton" },
            "brigades": { "king-charles-i": ["kings-lifeguard", "wilmots"], "byron": ["byrons"], "waller": ["skippons"],
                "hopton": ["stawells"] },
            "sieges": { "bristol": { "marker": "siege", "value": 3 } } });
        let mut passing = at(position("early-1643", "parliament", &fields), "");
        passing.act("card C04; use activate; activate waller; move bath");
        assert_eq!(passing.options("intercept"), ["hopton"], "he alone may");
        let mut leaving = activated("byron", &fields);
        leaving.act("move gloucester; pass; done");
        assert_eq!(leaving.marker("bristol", "bombardment-value"), 3);
        let mut coming = activated("hopton", &fields);
        coming.act("move bristol; done");
        assert_eq!((coming.whereabouts("hopton"), coming.marker("bristol", "bombardment-value")), ("king-charles-i".into(), 3));
    }

    /// The Army that leaves is strong enough, but has no part in the marker.
    #[test]
    fn rule_f5_a_strong_subordinate_who_leaves_takes_the_siege_with_them() {
        let fields = json!({ "control": { "royalist": ["worcester"], "parliament": ["bristol", "london"] },
            "generals": { "king-charles-i": "bristol", "byron": "under-king-charles-i" },
            "brigades": { "king-charles-i": ["kings-lifeguard"], "byron": ["byrons", "wilmots", "stawells"] },
            "sieges": { "bristol": { "marker": "siege", "value": 3 } } });
        let mut table = activated("byron", &fields);
        table.act("move gloucester; done");
        assert_eq!((table.marker("bristol", "siege"), table.marker("bristol", "bombardment-value")), (0, 0));
    }

    #[test]
    fn rule_f5_a_siege_without_the_strength_is_over_with_its_value() {
        let fields = json!({ "control": { "royalist": ["worcester"], "parliament": ["bristol", "london"] },
            "generals": { "king-charles-i": "bristol", "byron": "under-king-charles-i" },
            "brigades": { "king-charles-i": ["kings-lifeguard"], "byron": ["byrons"] },
            "sieges": { "bristol": { "marker": "siege", "value": 3 } } });
        let mut table = activated("byron", &fields);
        table.act("move gloucester; done");
        assert_eq!((table.marker("bristol", "siege"), table.marker("bristol", "bombardment-value")), (0, 0));
    }
}
