//! 8.2: Achievements, each bought, refused for Zeal and for a grade, and what each does.

use serde_json::{Value, json};

use crate::play::{Match, acting, item};

/// Achievements with their prices.
pub(crate) const PRICES: [(u8, u8); 12] =
    [(3, 4), (5, 2), (9, 4), (17, 2), (21, 2), (23, 3), (36, 4), (38, 3), (44, 4), (53, 3), (58, 3), (59, 4)];

/// Achievements with a track that they ask a grade of, and the first box that is too low.
pub(crate) const GRADES_ASKED: [(u8, &str, u8); 23] = [
    (3, "puritanism", 1),
    (3, "parliament", 2),
    (5, "parliament", 4),
    (5, "monarchy", 4),
    (9, "parliament", 1),
    (17, "parliament", 1),
    (17, "puritanism", 2),
    (21, "puritanism", 2),
    (21, "parliament", 2),
    (23, "scotland", 2),
    (23, "parliament", 4),
    (36, "parliament", 1),
    (36, "monarchy", 2),
    (38, "parliament", 2),
    (38, "puritanism", 4),
    (44, "parliament", 2),
    (44, "monarchy", 4),
    (53, "puritanism", 2),
    (53, "catholicism", 4),
    (58, "parliament", 2),
    (58, "scotland", 4),
    (59, "parliament", 1),
    (59, "puritanism", 4),
];

/// Grades of every track that suffice for any Achievement.
fn good() -> Value {
    json!({ "ireland": 0, "monarchy": 1, "catholicism": 1, "scotland": 1, "parliament": 0, "puritanism": 0 })
}

/// A card is available, all tracks are good, nine Zeal Points are there.
fn offered(card: u8, changes: Value, script: &str) -> Match {
    let mut position = json!({ "zeal": 9, "available": [card.to_string()], "tracks": good(),
        "flags": ["battle-won-before"], "fortresses": { "london": ["parliament", 5] } });
    crate::play::merge(&mut position, changes);
    acting(position, script)
}

rules! {
    #[test]
    fn rule_8_2_each_achievement_is_bought_for_its_price_and_triangles() {
        for (card, cost, vp, gained) in
            [(3, 4, 3, 0), (5, 2, 2, 0), (9, 4, 3, 1), (17, 2, 3, 0), (36, 4, 3, 0), (38, 3, 2, 0), (44, 4, 2, 0),
             (53, 3, 2, 0), (58, 3, 2, 2), (59, 4, 3, 0)]
        {
            let mut turn = offered(card, json!({}), "");
            turn.play(&format!("purchase {card}"));
            assert_eq!(turn.zeal(), 9 - cost + gained, "card {card}");
            assert_eq!(turn.facts("purchased"), [format!("{card} {vp}")]);
            assert_eq!((turn.pile("achieved"), turn.pile("available")), (vec![card.to_string()], vec![]));
            assert_eq!(turn.refused(&format!("purchase {card}")), ["NOT_AVAILABLE 8.2"]);
        }
    }

    #[test]
    fn rule_p4_the_whole_price_must_be_there() {
        for (card, price) in PRICES {
            refused_for_zeal(card, price);
        }
    }

    #[test]
    fn rule_p5_the_self_denying_ordinance_asks_for_a_battle_won() {
        for (flags, may) in [(json!([]), false), (json!(["battle-won"]), true), (json!(["battle-won-before"]), true)] {
            assert_eq!(offered(17, json!({ "flags": flags }), "").may("purchase 17"), may);
        }
        assert_eq!(offered(17, json!({ "flags": [] }), "").refused("purchase 17"), ["NO_BATTLE_WON P5"]);
    }

    #[test]
    fn rule_p6_the_licensing_order_asks_for_london_at_3() {
        for (london, may) in [(json!(["parliament", 3]), true), (json!(["parliament", 2]), false), (json!(["royalist", 5]), false)] {
            let mut turn = offered(21, json!({ "fortresses": { "london": london } }), "");
            assert_eq!(turn.may("purchase 21"), may);
            if !may {
                assert_eq!(turn.refused("purchase 21"), ["FORTRESS_TOO_WEAK P6"]);
            }
        }
    }

    #[test]
    fn rule_p7_its_marker_is_placed_at_once_and_may_move() {
        let mut turn = offered(21, json!({ "zeal": 9 }), "");
        turn.play("infuse north; purchase 21");
        assert_eq!(turn.asked(), "place_marker");
        turn.play("place west");
        assert_eq!((turn.on_piece("north", "zeal-marker"), turn.on_piece("west", "zeal-marker"), turn.zeal()), (0, 1, 6));
    }

    #[test]
    fn rule_p8_and_comes_free_once_in_the_next_turn() {
        let mut turn = offered(21, json!({ "seen": ["1"] }), "7 22");
        turn.play("purchase 21; place north");
        assert_eq!(turn.refused("place north"), ["NO_FREE_MARKER P8", "MARKER_PLACED P3"][..1]);
        turn.play("pass");
        assert!(turn.may("place ireland"));
        turn.play("place ireland");
        assert_eq!(turn.refused("infuse west"), ["MARKER_PLACED P3"]);
        turn.play("pass; pass");
        assert!(turn.choices("place").is_empty(), "it is lost after that turn");
    }

    #[test]
    fn rule_p9_the_committees_campaign_comes_at_once_or_never() {
        let mut turn = offered(23, json!({}), "6");
        turn.play("purchase 23");
        assert_eq!((turn.army("north"), turn.track("scotland"), turn.zeal()), ("5 disordered".into(), 0, 6));
        let mut barred = offered(23, json!({ "revolts": { "uprising": ["north", 2] } }), "");
        barred.play("purchase 23");
        assert_eq!(barred.army("north"), "5", "no die");
        let mut idle = offered(23, json!({ "armies": { "north": { "disordered": true } } }), "");
        idle.play("purchase 23");
    }
}

/// One Zeal Point short an Achievement is refused, with its price it is not.
pub(crate) fn refused_for_zeal(card: u8, price: u8) {
    let mut poor = offered(card, json!({ "zeal": price - 1 }), "");
    assert_eq!(poor.refused(&format!("purchase {card}")), ["TOO_DEAR P4"], "card {card}");
    assert!(offered(card, json!({ "zeal": price }), "").may(&format!("purchase {card}")));
}

/// With a track in this box an Achievement is refused, one box higher it is not.
pub(crate) fn refused_for_a_grade(card: u8, track: &str, index: u8) {
    let mut tracks = good();
    tracks[track] = json!(index);
    let mut turn = offered(card, json!({ "tracks": tracks }), "");
    assert_eq!(turn.refused(&format!("purchase {card}")), ["GRADE_TOO_LOW 8.2"], "card {card}, {track}");
    tracks[track] = json!(index - 1);
    let may = offered(card, json!({ "tracks": tracks }), "").may(&format!("purchase {card}"));
    assert!(may, "card {card}, {track}");
}

#[test]
fn each_achievement_is_refused_for_a_grade() {
    for (card, track, index) in GRADES_ASKED {
        refused_for_a_grade(card, track, index);
    }
}

#[test]
fn what_each_achievement_does() {
    let after = |card: u8, tracks: Value| {
        let mut all = good();
        crate::play::merge(&mut all, tracks);
        let mut turn = offered(card, json!({ "tracks": all }), "");
        turn.play(&format!("purchase {card}"));
        turn
    };
    assert_eq!(after(3, json!({ "catholicism": 4 })).track("catholicism"), 3);
    assert_eq!(after(5, json!({ "monarchy": 3 })).track("monarchy"), 2);
    assert_eq!(after(9, json!({ "monarchy": 3 })).track("monarchy"), 2);
    assert_eq!(after(17, json!({})).count("p-foot-1", "out"), 2);
    assert_eq!(after(36, json!({})).track("monarchy"), 0);
    assert_eq!(after(38, json!({})).pile("battle-out"), ["leveller-mutinies"]);
    assert_eq!(after(44, json!({})).track("monarchy"), 0);
    assert_eq!(
        after(59, json!({ "monarchy": 2 })).track("monarchy"),
        1,
        "Parliament at its top hands the arrow up"
    );
    let immune = after(53, json!({}));
    assert_eq!(immune.marker(edgehill_engine::reference::Location::Seat(crate::play::PLAYER), "immune"), 1);
    let mut gone = offered(38, json!({ "battle_out": ["leveller-mutinies"] }), "");
    gone.play("purchase 38");
    assert_eq!(
        (gone.facts("battle_card_out").len(), gone.facts("purchased").len()),
        (0, 1),
        "it is gone already"
    );
    let displaced = item(27, 0, json!({}), "");
    assert!(displaced.pile("achieved").is_empty());
}
