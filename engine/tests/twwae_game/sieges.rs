//! Sections 8 and 9: the worked examples of Sieges, and their rules by number.

use serde_json::json;

use crate::play::Match;

#[test]
fn rule_8_1_a_relief_that_fails_costs_the_besieger_his_marker() {
    let at = "oxfordshire";
    let position = json!({ "turn": "1643-i", "phase": "battles", "player_1": "royalist",
        "cards": { "royalist": "r-ap4-1", "parliament": "p-ap4-1" }, "sieges": { "oxford": 2 },
        "blocks": { "r-pool-m-foot": { "at": "oxford" }, "p-essex": { "at": at, "strength": 3 },
            "p-brooke": { "at": at, "strength": 2 }, "p-london-foot-1": { "at": at, "strength": 2 },
            "r-rupert": { "at": at, "strength": 3, "by": "staffordshire-warwickshire" } } });
    let dice = "4,4,5, 2,2,6,1,6, 6,6,5,3,4, 1,1,2, 2,6, 1,4";
    let mut one = Match::at(position, dice);
    assert!(one.allows("maintain"));
    one.play("break");
    assert_eq!(one.marker("oxford", "siege"), Some(1), "rule G6");
    one.drive(&["join r-pool-m-foot"], &["p-essex", "p-brooke", "p-london-foot-1", "p-brooke"]);
    one.has(&[
        ("p-essex", 1),
        ("p-brooke", 0),
        ("p-london-foot-1", 0),
        ("r-rupert", 0),
        ("r-pool-m-foot", 2),
    ]);
    one.play("retreat r-pool-m-foot; to oxford");
    assert_eq!(
        (one.marker("oxford", "besieged"), one.marker("oxford", "siege")),
        (Some(1), None),
        "rule 8.01"
    );
}

#[test]
fn rule_8_2_a_sally_against_a_marker() {
    let position = json!({ "turn": "1643-i", "phase": "sieges", "player_1": "parliament",
        "cards": { "royalist": "r-ap4-1", "parliament": "p-ap4-1" }, "sieges": { "york": 1 },
        "blocks": { "p-fairfax": { "at": "north-riding" }, "p-westriding-horse": { "at": "north-riding", "strength": 2 },
            "p-cannon-1": { "at": "north-riding" }, "r-northumb-foot": { "at": "york" },
            "r-cannon-1": { "at": "york", "strength": 2 } } });
    let mut one = Match::at(position, "p-westriding-horse, 2,5, p-cannon-1, 2,3,3");
    one.play("fire r-cannon-1").play("done; sally r-northumb-foot; done");
    let expected = [("p-cannon-1", 2), ("r-northumb-foot", 2), ("p-fairfax", 4), ("p-westriding-horse", 1)];
    one.has(&expected);
    assert_eq!(one.place("r-northumb-foot"), "york");
    assert_eq!(one.marker("york", "siege"), Some(1));
}

#[test]
fn rule_8_31_a_storming_without_a_breach() {
    let position = json!({ "turn": "1643-i", "phase": "sieges", "player_1": "royalist",
        "cards": { "royalist": "r-ap4-1", "parliament": "p-ap4-1" }, "sieges": { "plymouth": 2 },
        "blocks": { "r-hopton": { "at": "devon" }, "r-pool-s-foot": { "at": "devon" }, "r-pool-s-horse": { "at": "devon" },
            "p-devon-foot": { "at": "plymouth" }, "p-cannon-1": { "at": "plymouth" } } });
    let mut one = Match::at(position, "1,3,6, 3,3,4, 1,2,2, 3,5, 3,4,5,6");
    one.play("done; done").play("pass; storm r-hopton; storm r-pool-s-foot");
    assert_eq!(one.refused("storm r-pool-s-horse"), ["TOO_MANY_STORMERS G17"]);
    one.play("done").play("hit r-pool-s-foot").play("hit r-hopton");
    one.play("on; storm r-pool-s-horse; storm r-pool-s-foot; done").play("halt");
    let expected = [
        ("p-devon-foot", 1),
        ("p-cannon-1", 3),
        ("r-hopton", 1),
        ("r-pool-s-foot", 2),
        ("r-pool-s-horse", 2),
    ];
    one.has(&expected);
}

#[test]
fn rule_8_3_bombardment_breach_and_the_city_falls() {
    let position = json!({ "turn": "1643-i", "phase": "sieges", "player_1": "royalist",
        "cards": { "royalist": "r-ap4-1", "parliament": "p-ap4-1" }, "sieges": { "bristol": 1 },
        "blocks": { "r-charles": { "at": "somerset" }, "r-cheshire-m-foot": { "at": "somerset" },
            "r-cannon-1": { "at": "somerset" }, "r-cannon-2": { "at": "somerset" },
            "p-gloucester-s-foot": { "at": "bristol", "strength": 2 }, "p-pool-s-horse": { "at": "bristol", "strength": 2 },
            "p-cannon-1": { "at": "bristol", "strength": 1 } } });
    // In the order of the blocks: Charles before the Cheshire foot, the foot in the City before the horse.
    let mut one = Match::at(position, "5, 4, 3,6,2,3, 1,2,5,2,6, 2, 1,1,6,6");
    let before = one.points();
    one.play("done; done").play("bombard").play("storm r-charles; storm r-cheshire-m-foot; done");
    let again = ["on", "storm r-charles", "storm r-cheshire-m-foot"];
    one.drive(&again, &["r-cheshire-m-foot", "p-pool-s-horse", "p-gloucester-s-foot"]);
    one.has(&[("p-gloucester-s-foot", 0), ("p-pool-s-horse", 0), ("p-cannon-1", 0), ("r-charles", 2)]);
    assert_eq!(one.points(), before + 1, "rule 4.51");
    assert_eq!(one.marker("bristol", "control"), Some(1));
}

#[test]
fn rule_g17_one_block_storms_hull() {
    let position = json!({ "turn": "1643-ii", "phase": "sieges", "player_1": "royalist",
        "cards": { "royalist": "r-ap4-1", "parliament": "p-ap4-1" }, "sieges": { "hull": 1 },
        "blocks": { "r-newcastle": { "at": "east-riding" }, "r-northumb-foot": { "at": "east-riding" },
            "p-pool-n-foot": { "at": "hull", "strength": 1 } } });
    let mut one = Match::at(position, "3, 2,5, 1, 4,2,6");
    one.play("done; done").play("pass; storm r-northumb-foot");
    assert_eq!(one.refused("storm r-newcastle"), ["TOO_MANY_STORMERS G17"]);
    one.play("done").play("on; storm r-newcastle; done");
    one.has(&[("p-pool-n-foot", 0), ("r-newcastle", 3), ("r-northumb-foot", 2)]);
    assert_eq!(one.marker("hull", "control"), Some(1));
}

#[test]
fn rule_9_22_attrition_and_surrender() {
    let position = json!({ "turn": "1643-i", "phase": "resolution", "player_1": "parliament",
        "cards": { "royalist": "r-ap4-1", "parliament": "p-ap4-1" }, "sieges": { "oxford": 3 },
        "blocks": { "p-essex": { "at": "oxfordshire" }, "p-brooke": { "at": "oxfordshire" },
            "r-rupert": { "at": "oxford", "strength": 2 }, "r-pool-m-foot": { "at": "oxford", "strength": 2 },
            "r-cannon-2": { "at": "oxford" }, "r-northampton": { "at": "staffordshire-warwickshire" } } });
    let mut one = Match::at(position, "4");
    assert_eq!(one.choices("lose"), ["r-rupert"], "rule 9.21: the first point is the horse's");
    one.play("lose r-rupert");
    assert_eq!(one.choices("lose"), ["r-rupert", "r-pool-m-foot"]);
    one.play("lose r-pool-m-foot");
    one.has(&[("r-rupert", 1), ("r-pool-m-foot", 1), ("r-cannon-2", 0)]);
    one.play("retreat r-rupert");
    assert_eq!(one.choices("to"), ["staffordshire-warwickshire"]);
    one.play("to staffordshire-warwickshire; retreat r-pool-m-foot; to staffordshire-warwickshire; done");
    assert_eq!((one.marker("oxford", "control"), one.marker("oxford", "siege")), (Some(2), None));
}

#[test]
fn rule_9_12_a_horse_too_many_goes_short() {
    let position = json!({ "turn": "1643-i", "phase": "supply", "player_1": "royalist",
        "cards": { "royalist": "r-ap4-1", "parliament": "p-ap4-1" },
        "blocks": { "r-rupert": { "at": "lincolnshire" }, "r-cheshire-m-horse": { "at": "lincolnshire" },
            "r-northumb-horse": { "at": "lincolnshire" }, "r-charles": { "at": "lincolnshire" },
            "r-newcastle": { "at": "lincolnshire" } } });
    let mut one = Match::at(position, "");
    assert_eq!(one.choices("lose"), ["r-northumb-horse", "r-rupert", "r-cheshire-m-horse"]);
    one.play("lose r-rupert");
    assert_eq!(one.strength("r-rupert"), 3);
}
