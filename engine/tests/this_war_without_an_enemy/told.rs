//! Facts in the words in which they are read, each by its rule: what is lost, what changes hands, what is drawn.

use edgehill_engine::chance::{Chance, Outcome};
use edgehill_engine::game::{Game, Node};
use edgehill_engine::reference::Ref;
use edgehill_engine::seat::Observer;
use edgehill_engine::table::ApplyMode;
use serde_json::json;

use crate::play::{Match, P, R, acting, battle, battle_with, entered, game, place, resolution, siege};

const SPECTATOR: Observer = Observer::Spectator;

/// Asserts what an observer was told by events of a code, in words and with the rule.
#[track_caller]
fn told(one: &Match, observer: Observer, code: &str, expected: &[&str]) {
    assert_eq!(one.said(observer, code), expected, "{code}");
}

rules! {
    #[test]
    fn rule_7_82_who_was_stranded_is_told_to_all_and_named_to_their_owner() {
        let (at, by) = ("gloucestershire", "worcestershire");
        let blocks = json!({ "r-charles": { "at": at, "strength": 1, "by": by }, "r-cheshire-m-foot": { "at": at, "by": by },
            "p-waller": { "at": at, "strength": 1 } });
        let mut one = battle("royalist", blocks, "1, 6,6,6, 1, 6,6, 1, 1");
        one.drive(&[], &["r-charles"]).play("pass");
        let public = "Royalist loses 1 Regional block in Gloucestershire, without a Leader";
        told(&one, SPECTATOR, "stranded", &[&format!("{public} (7.82)")]);
        told(&one, Observer::Seat(P), "stranded", &[&format!("{public} (7.82)")]);
        told(&one, Observer::Seat(R), "stranded", &[&format!("{public}: Cheshire M Foot (7.82)")]);
        // With a Leader left nobody is.
        let blocks = json!({ "r-charles": { "at": at, "by": by }, "r-cheshire-m-foot": { "at": at, "by": by },
            "p-waller": { "at": at, "strength": 1 } });
        let mut led = battle("royalist", blocks, "6, 1,6,6,6, 6,6,6");
        led.drive(&[], &[]);
        told(&led, SPECTATOR, "stranded", &[]);
    }

    #[test]
    fn rule_9_22_a_surrender_far_from_friends_tells_the_loss_and_the_guns() {
        let blocks = json!({ "r-hopton": { "at": "devon" }, "r-charles": { "at": "somerset" }, "r-rupert": { "at": "wiltshire-dorset" },
            "p-waller": { "at": "plymouth", "strength": 2 }, "p-cannon-1": { "at": "plymouth" } });
        let far = resolution(json!({ "plymouth": 5 }), blocks, "1");
        for observer in [SPECTATOR, Observer::Seat(R), Observer::Seat(P)] {
            told(&far, observer, "surrenders", &["Plymouth, held by Parliament, surrenders (9.22)"]);
            told(&far, observer, "guns_lost", &["Parliament loses 1 block of Artillery in Plymouth (9.22)"]);
            let loss = "No neighbour of Plymouth receives Parliament: 1 block loses 1 strength on the way (9.22)";
            told(&far, observer, "surrender_loss", &[loss]);
        }
        far.has(&[("p-waller", 1), ("p-cannon-1", 0)]);
        let codes = far.codes(SPECTATOR);
        let at = |code: &str| codes.iter().position(|told| *told == code);
        assert!(at("surrenders") < at("surrender_loss"), "the loss follows from the surrender: {codes:?}");
        // A neighbour that receives them spares them the loss.
        let near = json!({ "r-hopton": { "at": "devon" }, "p-waller": { "at": "plymouth", "strength": 2 } });
        let near = resolution(json!({ "plymouth": 5 }), near, "1");
        told(&near, SPECTATOR, "surrender_loss", &[]);
        near.has(&[("p-waller", 2)]);
    }

    #[test]
    fn rule_7_3_the_end_announces_that_nobody_but_guns_was_in_reserve() {
        let at = "worcestershire";
        let with_reserve = |reserve: &str| {
            let blocks = json!({ "p-brooke": { "at": at },
                "r-charles": { "at": at, "strength": 1, "by": "staffordshire-warwickshire" },
                reserve: { "at": at, "by": "shropshire-herefordshire" } });
            let mut one = battle("royalist", blocks, "1,1,1");
            one.drive(&["main staffordshire-warwickshire"], &[]);
            one.codes(Observer::Seat(P))
        };
        let (guns, foot) = (with_reserve("r-cannon-1"), with_reserve("r-cheshire-m-foot"));
        let (end, goes_on) = guns.iter().zip(&foot).find(|(left, right)| left != right).expect("they part");
        assert_eq!((*end, *goes_on), ("battle_ends", "round"));
        assert!(game().announces(end) && !game().announces(goes_on), "nothing but the end of the Battle tells it");
    }

    #[test]
    fn rule_7_5_the_losers_artillery_is_told_as_lost() {
        let (at, by) = ("worcestershire", "staffordshire-warwickshire");
        let blocks = |strength: u8| {
            json!({ "p-brooke": { "at": at, "strength": 1 }, "p-essex": { "at": at, "strength": 1 },
            "r-charles": { "at": at, "strength": strength, "by": by }, "r-cannon-1": { "at": at, "by": by } })
        };
        let mut lost = battle("royalist", blocks(1), "6,6,6, 1,1");
        lost.drive(&[], &[]);
        for observer in [SPECTATOR, Observer::Seat(R), Observer::Seat(P)] {
            told(&lost, observer, "battle_ends", &["The Battle in Worcestershire ends: Royalist has lost (7.5)"]);
            told(&lost, observer, "guns_lost", &["Royalist loses 1 block of Artillery in Worcestershire (7.5)"]);
        }
        let mut kept = battle("royalist", blocks(2), "6,6,6, 6,6, 6,6, 6,6, 6,6, 6,6, 6,6");
        kept.drive(&[], &[]);
        told(&kept, SPECTATOR, "guns_lost", &[]);
    }

    #[test]
    fn rule_4_51_a_city_that_a_move_takes_moves_the_points() {
        let mut one = acting("parliament", json!({ "p-brooke": { "at": "gloucestershire" } }));
        let before = one.points();
        one.play("group gloucestershire; take p-brooke; go oxfordshire; stop; done; done");
        assert_eq!(one.points(), before - 1);
        told(&one, SPECTATOR, "city_taken", &["Oxford passes to Parliament (4.21)"]);
        let points = format!("Victory Points: Royalist {}, Parliament {} (4.51)", before - 1, 1 - before);
        told(&one, SPECTATOR, "points", &[&points]);
    }

    #[test]
    fn rule_4_51_a_city_that_falls_in_a_storming_moves_the_points() {
        let area = "buckinghamshire-hertfordshire";
        let blocks = json!({ "r-charles": { "at": area }, "r-rupert": { "at": area }, "r-hopton": { "at": area }, "r-newcastle": { "at": area },
            "p-london-foot-1": { "at": "london", "strength": 1 } });
        let mut london = siege(json!({ "london": 1 }), blocks, "6, 1,6,6,6");
        let before = london.points();
        london.play("done; done").play("storm r-charles; done");
        assert_eq!(london.points(), before + 2, "London counts for two");
        told(&london, SPECTATOR, "city_taken", &["London passes to Royalist (4.21)"]);
        let points = format!("Victory Points: Royalist {}, Parliament {} (4.51)", before + 2, -before - 2);
        told(&london, SPECTATOR, "points", &[&points]);
        // Artillery alone falls with the City, and is told as lost in it.
        let blocks = json!({ "r-charles": { "at": "somerset" }, "r-hopton": { "at": "somerset" }, "p-cannon-1": { "at": "bristol" } });
        let mut guns = siege(json!({ "bristol": 1 }), blocks, "6,6,6");
        guns.play("done; done").play("pass; storm r-charles; done");
        told(&guns, SPECTATOR, "guns_lost", &["Parliament loses 1 block of Artillery in Bristol (G22)"]);
        told(&guns, SPECTATOR, "city_taken", &["Bristol passes to Royalist (4.21)"]);
    }

    #[test]
    fn rule_7_91_a_half_hit_tells_the_half_that_is_left() {
        let (at, by) = ("worcestershire", "staffordshire-warwickshire");
        let blocks = json!({ "p-brooke": { "at": at }, "r-charles": { "at": at, "strength": 1, "by": by } });
        let card = ("parliament", "p-advantageous-terrain", at);
        // Charles hits once in each Round: a half, a whole, a half again, which is lost as the Battle ends.
        let mut one = battle_with("royalist", card, blocks, "6,6,6, 1, 6,6, 1, 6,6, 1");
        one.play("fight");
        told(&one, SPECTATOR, "half_hit", &["Brooke takes a half-hit: 2 and a half left (7.4)", "Brooke takes a half-hit: 1 and a half left (7.4)"]);
        told(&one, SPECTATOR, "hit", &["Brooke is hit: 2 left (7.4)"]);
        told(&one, SPECTATOR, "rounded_down", &["Brooke loses the half that was left: 1 left (7.91)"]);
        one.has(&[("p-brooke", 1)]);
        let blocks = json!({ "p-brooke": { "at": at, "strength": 1 }, "r-charles": { "at": at, "strength": 1, "by": by } });
        let mut last = battle_with("royalist", card, blocks, "6, 1, 6, 6");
        last.play("fight");
        told(&last, SPECTATOR, "half_hit", &["Brooke takes a half-hit: a half left (7.4)"]);
        told(&last, SPECTATOR, "rounded_down", &["Brooke loses the half that was left: 0 left (7.91)"]);
        last.has(&[("p-brooke", 0)]);
    }

    #[test]
    fn rule_7_92_a_last_stand_tells_the_half_that_is_recovered() {
        let (at, by) = ("worcestershire", "staffordshire-warwickshire");
        let blocks = json!({ "p-brooke": { "at": at }, "r-charles": { "at": at, "strength": 1, "by": by } });
        let card = ("parliament", "p-determined-last-stand", at);
        let mut one = battle_with("royalist", card, blocks, "6,6,6, 1, 6,6,6, 6, 6,6,6, 6");
        one.play("fight").play("stand p-brooke");
        told(&one, SPECTATOR, "half_hit", &["Brooke takes a half-hit: 2 and a half left (7.4)"]);
        told(&one, SPECTATOR, "rounded_up", &["Brooke recovers the half that was lost: 3 left (7.92)"]);
        one.has(&[("p-brooke", 3)]);
    }

    #[test]
    fn rule_8_31_a_half_hit_behind_walls_is_told_and_recovered() {
        let blocks = json!({ "r-charles": { "at": "oxfordshire" }, "r-rupert": { "at": "oxfordshire" }, "p-brooke": { "at": "oxford", "strength": 2 } });
        let mut one = siege(json!({ "oxford": 1 }), blocks, "6,6, 1,6,6,6");
        one.play("done; done").play("pass; storm r-charles; done").play("halt");
        told(&one, SPECTATOR, "half_hit", &["Brooke takes a half-hit: 1 and a half left (7.4)"]);
        told(&one, SPECTATOR, "rounded_up", &["Brooke recovers the half that was lost: 2 left (8.31)"]);
    }

    #[test]
    fn rule_t9_an_attempt_without_a_die_is_told() {
        let (at, by) = ("worcestershire", "staffordshire-warwickshire");
        let mut away = battle("royalist", json!({ "p-gloucester-m-horse": { "at": at }, "p-brooke": { "at": at },
            "r-charles": { "at": at, "by": by } }), "");
        away.play("retire");
        told(&away, SPECTATOR, "announces", &["Parliament tries to withdraw: 1 block of Cavalry against 0, without Artillery (7.2)"]);
        told(&away, SPECTATOR, "sure_withdrawal", &["Parliament alone has Cavalry: no die falls, and the withdrawal costs nothing (T9)"]);
        let mut caught = battle("royalist", json!({ "p-brooke": { "at": at }, "p-cannon-1": { "at": at }, "r-rupert": { "at": at, "by": by } }), "");
        caught.play("retire");
        told(&caught, SPECTATOR, "announces", &["Parliament tries to withdraw: 0 blocks of Cavalry against 1, with Artillery (7.2)"]);
        told(&caught, SPECTATOR, "sure_failure", &["Parliament has no Cavalry: no die falls, and the attempt costs 2 strength (T9)"]);
        // With Cavalry on both sides the die falls.
        let mut rolled = battle("royalist", json!({ "p-gloucester-m-horse": { "at": at }, "r-rupert": { "at": at, "by": by } }), "6");
        rolled.play("retire");
        told(&rolled, SPECTATOR, "announces", &["Parliament tries to withdraw: 1 block of Cavalry against 1, without Artillery, with nothing but Cavalry (7.2)"]);
        assert!(rolled.said(SPECTATOR, "sure_withdrawal").is_empty() && rolled.said(SPECTATOR, "sure_failure").is_empty());
    }

    #[test]
    fn rule_g13a_guns_that_are_overrun_are_named() {
        let blocks = json!({ "r-cannon-1": { "at": "oxfordshire" }, "r-charles": { "at": "oxfordshire" }, "r-northampton": { "at": "oxfordshire" },
            "p-brooke": { "at": "oxford" } });
        let mut one = siege(json!({ "oxford": 1 }), blocks, "2, 6,6,6");
        one.play("done; sally p-brooke; done");
        told(&one, Observer::Seat(P), "overrun", &["Artillery of Royalist is overrun: 1 strength lost by Cannon (1) (G13a)"]);
    }

    #[test]
    fn rule_g12_a_gun_of_the_city_draws_among_backs_and_its_target_is_named_to_its_owner() {
        let blocks = json!({ "p-fairfax": { "at": "north-riding" }, "p-westriding-horse": { "at": "north-riding", "strength": 2 },
            "r-northumb-foot": { "at": "york" }, "r-cannon-1": { "at": "york", "strength": 3 } });
        let position = place("sieges", "royalist", &blocks, &json!({ "sieges": { "york": 1 } }));
        let mut table = entered(position);
        table.apply_line(R, "fire r-cannon-1", ApplyMode::Atomic).expect("a gun in the City fires");
        let Chance::Choice { options, .. } = game().chance(table.state()) else { panic!("a draw is due") };
        let options: Vec<Ref> = options.iter().map(|option| option.what).collect();
        assert_eq!(options, [1, 2].map(Ref::Number), "backs are counted");
        assert!(table.undo(R, 0).is_err(), "the shot is final before its target is drawn");
        table.enter(&Outcome::Pick(Ref::Number(1))).expect("a back");
        let mut one = Match(table);
        assert_eq!(one.0.node(), Node::Chance, "now the dice");
        told(&one, SPECTATOR, "target", &["A block of Parliament is the target (G12)"]);
        told(&one, Observer::Seat(R), "target", &["A block of Parliament is the target (G12)"]);
        assert_eq!(one.said(Observer::Seat(P), "target").len(), 1);
        assert!(one.said(Observer::Seat(P), "target")[0].starts_with("A block of Parliament is the target: "));
        assert!(!one.is_up("p-fairfax") && !one.is_up("p-westriding-horse"), "nor is a face shown");
        let dice = Outcome::Roll([1, 1, 6].into_iter().collect());
        one.0.enter(&dice).expect("three dice");
        told(&one, SPECTATOR, "bombards", &["Royalist scores 2 hits (G12)"]);
        assert!(!one.is_up("p-fairfax") && !one.is_up("p-westriding-horse"), "not after the hits either");
    }
}
