//! Section 11: the Year End.

use serde_json::{Value, json};

use crate::play::{Match, P, R, place};

fn year_end(blocks: &Value, more: &Value) -> Match {
    let mut position = place("year-end", "royalist", blocks, more);
    position["turn"] = "1642-vi".into();
    Match::at(position, "")
}

/// Through to the end of what a side does at Year End.
fn idle(one: &mut Match) {
    one.play("done; done");
}

rules! {
    #[test]
    fn rule_11_0_the_royalist_recruits_and_returns_first() {
        let blocks = json!({ "r-charles": { "at": "cheshire" }, "r-northumb-foot": { "at": "lincolnshire" }, "p-essex": { "at": "kent" } });
        let mut one = year_end(&blocks, &json!({}));
        assert_eq!((one.to_act(), one.asked()), (Some(R), "recruit"));
        one.play("done");
        assert_eq!((one.to_act(), one.asked(), one.refused("done")), (Some(R), "return_home", vec!["MUST_RETURN 11.3".to_owned()]));
        one.play("home r-northumb-foot; at durham; done");
        assert_eq!((one.to_act(), one.asked()), (Some(P), "recruit"));
    }

    #[test]
    fn rule_11_2_points_by_region() {
        let mut one = year_end(&json!({ "r-hopton": { "at": "somerset" } }), &json!({}));
        // Somerset, Bristol, Cornwall: three points.
        one.play("region south; deploy r-pool-s-foot").play("at somerset");
        assert_eq!(one.strength("r-pool-s-foot"), 1);
        one.play("region south; raise r-pool-s-foot").play("region south; raise r-pool-s-foot");
        assert_eq!(one.refused("region south"), ["NO_POINTS 11.2"]);
        assert_eq!(one.strength("r-pool-s-foot"), 3);
        let mut other = year_end(&json!({ "r-hopton": { "at": "cornwall" } }), &json!({}));
        idle(&mut other);
        // Kent, Surrey & Sussex, and Bristol in a Neutral Area: three for Parliament.
        let mut spent = 0;
        while other.choices("region").contains(&"south".to_owned()) && spent < 9 {
            let block = if spent == 0 { "deploy p-pool-s-horse" } else { "raise p-pool-s-horse" };
            other.play(&format!("region south; {block}"));
            if spent == 0 {
                other.play("at kent");
            }
            spent += 1;
        }
        assert_eq!((spent, other.strength("p-pool-s-horse")), (3, 3));
    }

    #[test]
    fn rule_11_2_what_points_are_good_for() {
        let blocks = json!({ "r-charles": { "at": "lincolnshire", "strength": 1 }, "r-sewales-foot-1": { "at": "lincolnshire", "strength": 1 },
            "r-cannon-1": { "at": "lincolnshire", "strength": 1 }, "r-hopton": { "at": "lincolnshire", "strength": 1 },
            "r-newcastle": { "at": "durham" } });
        let mut one = year_end(&blocks, &json!({}));
        one.play("region east");
        assert_eq!(one.refused("raise r-sewales-foot-1"), ["NOT_AT_HOME 11.2"]);
        assert_eq!(one.refused("raise r-cannon-1"), ["NO_ARTILLERY 11.2"]);
        assert_eq!(one.refused("raise r-newcastle"), ["FULL_STRENGTH 6.3", "OTHER_REGION 11.2"]);
        one.play("raise r-hopton");
        assert_eq!(one.strength("r-hopton"), 2, "Regional Leaders anywhere");
        // Regional blocks come to vacant Areas of their home, others to Friendly ones.
        one.play("region wales; deploy r-pool-w-horse-1");
        assert!(one.choices("at").contains(&"sw-wales".to_owned()), "Neutral and vacant");
        one.play("at sw-wales; region wales; deploy r-rupert");
        let rupert = one.choices("at");
        assert!(!rupert.contains(&"shropshire-herefordshire".to_owned()) && rupert.contains(&"se-wales".to_owned()), "{rupert:?}");
        one.play("at se-wales");
    }

    #[test]
    fn rule_11_22_londons_two_points_arm_its_neighbourhood() {
        let blocks = json!({ "p-cannon-1": { "at": "kent", "strength": 1 }, "p-essex": { "at": "oxfordshire", "strength": 2 },
            "p-brooke": { "at": "worcestershire", "strength": 1 } });
        let mut one = year_end(&blocks, &json!({}));
        idle(&mut one);
        one.play("region london");
        assert_eq!(one.refused("raise p-brooke"), ["OTHER_REGION 11.2"]);
        one.play("raise p-cannon-1; region london; deploy p-cannon-2; at oxfordshire");
        assert_eq!(one.refused("region london"), ["NO_POINTS 11.2"]);
        one.has(&[("p-cannon-1", 2), ("p-cannon-2", 1)]);
    }

    #[test]
    fn rule_11_3_regional_blocks_and_leaders_return_home() {
        let blocks = json!({ "r-charles": { "at": "oxfordshire" }, "r-sewales-foot-1": { "at": "oxfordshire" },
            "r-newcastle": { "at": "worcestershire" }, "r-northumb-foot": { "at": "worcestershire" }, "r-pool-m-foot": { "at": "worcestershire" },
            "r-hopton": { "at": "bristol" }, "p-essex": { "at": "somerset" }, "r-pool-w-horse-1": { "at": "lincolnshire" } });
        let mut one = year_end(&blocks, &json!({}));
        one.play("done");
        // Hopton is Besieged; the foot with Charles may stay; the Midlands foot is at home.
        assert_eq!(one.choices("home"), ["r-newcastle", "r-northumb-foot", "r-sewales-foot-1", "r-pool-w-horse-1"]);
        one.play("home r-newcastle");
        assert_eq!(one.choices("at"), ["durham", "cumberland-westmorland"], "Friendly, at home, with room");
        one.play("at durham; home r-northumb-foot; at durham; home r-pool-w-horse-1; at se-wales; done");
        assert_eq!((one.place("r-sewales-foot-1"), one.place("r-hopton")), ("oxfordshire".into(), "bristol".into()));
    }

    #[test]
    fn rule_11_3_londons_blocks_and_who_finds_no_room() {
        let london = "buckinghamshire-hertfordshire";
        let blocks = json!({ "p-london-foot-1": { "at": "kent" }, "p-pool-l-foot": { "at": "oxfordshire" }, "p-brooke": { "at": "oxfordshire" },
            "r-charles": { "at": london } });
        let mut lost = year_end(&blocks, &json!({}));
        idle(&mut lost);
        lost.play("done");
        assert_eq!(lost.choices("home"), ["p-london-foot-1", "p-pool-l-foot"], "from neighbouring Areas, too");
        lost.play("home p-london-foot-1");
        assert_eq!(lost.legal(), ["pool"], "London's Area is the enemy's");
        lost.play("pool; home p-pool-l-foot; pool; done");
        assert_eq!(lost.strength("p-pool-l-foot"), 0);
        let mut home = year_end(&json!({ "p-london-foot-1": { "at": "kent" } }), &json!({}));
        idle(&mut home);
        home.play("done; home p-london-foot-1");
        assert_eq!(home.choices("at"), [london]);
    }

    #[test]
    fn rule_11_4_played_and_discarded_cards_come_back_with_those_of_1643() {
        let more = json!({ "cards": { "royalist": "r-ap4-1", "parliament": "p-fortification-london" },
            "discards": { "royalist": ["r-ap4-2", "r-ap4-3", "r-ap4-4", "r-ap4-5"] } });
        let mut one = year_end(&json!({ "r-charles": { "at": "cheshire" } }), &more);
        idle(&mut one);
        one.play("done; done");
        let cards = |seat, side: &str| {
            ["hand", "deck"].map(|pile| one.pile(seat, &format!("{side}-{pile}")).1).iter().sum::<u16>()
        };
        assert_eq!((cards(P, "royalist"), cards(P, "parliament")), (19, 17), "18 less the Fortification");
        assert_eq!(one.pile(P, "parliament-removed").0, ["p-fortification-london"]);
    }
}
