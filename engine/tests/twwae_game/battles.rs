//! Section 7: the worked examples of Battles, and its rules by number.

use serde_json::json;

use crate::play::Match;

fn battle(first: &str, cards: serde_json::Value, blocks: serde_json::Value, dice: &str) -> Match {
    let position =
        json!({ "turn": "1643-i", "phase": "battles", "player_1": first, "cards": cards, "blocks": blocks });
    Match::at(position, dice)
}

fn plain() -> serde_json::Value {
    json!({ "royalist": "r-ap4-1", "parliament": "p-ap4-1" })
}

#[test]
fn rule_7_5_equal_numbers_make_the_attacker_lose() {
    let blocks = json!({ "r-hopton": { "at": "wiltshire-dorset" },
        "p-waller": { "at": "wiltshire-dorset", "by": "berkshire-hampshire" } });
    let mut one = battle("parliament", plain(), blocks, "1,2,5,6, 2,3, 3,4,1, 1, 5,6, 4");
    one.drive(&[], &[]);
    one.has(&[("r-hopton", 2), ("p-waller", 1)]);
    assert_eq!(one.choices("retreat"), ["p-waller"]);
    one.play("retreat p-waller");
    assert!(one.choices("to").contains(&"berkshire-hampshire".to_owned()), "the way he came is open");
}

#[test]
fn rule_7_41_artillery_declares_and_hits_beyond_the_class_are_lost() {
    let by = "staffordshire-warwickshire";
    let blocks = json!({ "p-essex": { "at": "gloucestershire" }, "p-gloucester-s-foot": { "at": "gloucestershire" },
        "p-cannon-1": { "at": "gloucestershire" }, "r-charles": { "at": "gloucestershire", "by": by },
        "r-rupert": { "at": "gloucestershire", "strength": 2, "by": by },
        "r-cannon-1": { "at": "gloucestershire", "by": by } });
    let dice = "1,2,2, 3,4,1, 2,6,6,1,5, 1,2, 5,6,6, 5,6, 1,3,3, 2";
    let mut one = battle("royalist", plain(), blocks, dice);
    one.drive(&["horse p-cannon-1"], &["p-gloucester-s-foot", "p-essex"]);
    one.has(&[
        ("p-essex", 1),
        ("p-gloucester-s-foot", 1),
        ("p-cannon-1", 3),
        ("r-charles", 1),
        ("r-rupert", 0),
    ]);
    assert_eq!(one.choices("retreat"), ["r-charles", "r-cannon-1"], "the Cannon retreats at full strength");
    assert_eq!(one.strength("r-cannon-1"), 3);
}

#[test]
fn rule_7_42_cavalry_hits_do_not_spill_over() {
    let by = "staffordshire-warwickshire";
    let blocks = json!({ "p-gloucester-m-horse": { "at": "worcestershire", "strength": 1 },
        "p-derbyshire-foot": { "at": "worcestershire" }, "r-cheshire-m-horse": { "at": "worcestershire", "by": by },
        "r-northampton": { "at": "worcestershire", "by": by } });
    let dice = "2, 1,3, 1,4,4, 2,6, 4,5, 1, 3, 4,4";
    let mut one = battle("royalist", plain(), blocks, dice);
    one.drive(&[], &[]);
    one.has(&[("p-derbyshire-foot", 0), ("r-cheshire-m-horse", 2), ("r-northampton", 1)]);
    assert_eq!(one.marker("worcestershire", "control"), Some(1));
}

#[test]
fn rule_7_44_infantry_hits_spill_over_onto_cavalry() {
    let blocks = json!({ "r-northumb-foot": { "at": "durham", "strength": 1 }, "r-northumb-horse": { "at": "durham" },
        "p-fairfax": { "at": "durham", "by": "north-riding" } });
    let mut one = battle("parliament", plain(), blocks, "4,5,6, 2, 1,2, 4,4");
    one.drive(&[], &[]);
    one.has(&[("r-northumb-foot", 0), ("r-northumb-horse", 2), ("p-fairfax", 0)]);
}

#[test]
fn rule_7_1_reserves_are_silent_in_round_1() {
    let (near, far) = ("oxfordshire", "gloucestershire");
    let at = "staffordshire-warwickshire";
    let blocks = json!({ "r-northampton": { "at": at }, "r-cheshire-m-foot": { "at": at, "strength": 2 },
        "p-brooke": { "at": at, "by": near }, "p-cannon-1": { "at": at, "by": near },
        "p-essex": { "at": at, "by": far }, "p-cannon-2": { "at": at, "by": far },
        "p-gloucester-m-horse": { "at": at, "by": far } });
    let dice = "1,2,6, 2,3,1, 2, 3,3,6";
    let mut one = battle("parliament", plain(), blocks, dice);
    one.drive(&["main oxfordshire"], &["r-northampton", "r-northampton"]);
    one.has(&[
        ("r-northampton", 0),
        ("r-cheshire-m-foot", 0),
        ("p-brooke", 1),
        ("p-essex", 4),
        ("p-cannon-2", 3),
    ]);
}

#[test]
fn rule_t20_the_roles_swap_when_the_defence_dies_in_round_1() {
    let at = "berkshire-hampshire";
    let blocks = json!({ "p-gloucester-s-foot": { "at": at, "strength": 1 },
        "p-waller": { "at": at, "strength": 2, "by": "surrey-sussex" },
        "r-hopton": { "at": at, "strength": 2, "by": "wiltshire-dorset" } });
    let mut one = battle("royalist", plain(), blocks, "6, 1,2, 1,6, 2, 5, 6");
    one.drive(&[], &[]);
    one.has(&[("p-gloucester-s-foot", 0), ("p-waller", 1), ("r-hopton", 1)]);
    one.play("retreat p-waller");
    let goals = one.choices("to");
    assert!(
        goals.contains(&"surrey-sussex".to_owned()) && !goals.contains(&"wiltshire-dorset".to_owned()),
        "{goals:?}"
    );
}

#[test]
fn rule_7_2_a_withdrawal_that_succeeds_at_a_price() {
    let (at, by) = ("derbyshire-nottinghamshire", "staffordshire-warwickshire");
    let blocks = json!({ "p-pool-m-horse": { "at": at, "strength": 1 }, "p-derbyshire-foot": { "at": at },
        "p-cannon-1": { "at": at }, "r-rupert": { "at": at, "by": by }, "r-cheshire-m-horse": { "at": at, "by": by },
        "r-northampton": { "at": by } });
    let mut one = battle("royalist", plain(), blocks, "6");
    one.drive(&["retire", "lose p-pool-m-horse", "lose p-derbyshire-foot"], &[]);
    one.has(&[("p-pool-m-horse", 0), ("p-derbyshire-foot", 2), ("p-cannon-1", 3)]);
    one.play("retreat p-derbyshire-foot");
    assert_eq!(one.choices("to"), ["cheshire", "leicestershire-northamptonshire"], "rule 7.62");
    one.play("to cheshire; retreat p-cannon-1");
    let goals = ["west-riding", "cheshire", "leicestershire-northamptonshire", "lincolnshire"];
    assert_eq!(one.choices("to"), goals);
}

#[test]
fn rule_t11_the_attackers_infantry_waits_when_cavalry_alone_fails_to_withdraw() {
    let (at, by) = ("wiltshire-dorset", "berkshire-hampshire");
    let blocks = json!({ "r-rupert": { "at": at }, "r-pool-s-horse": { "at": at },
        "p-essex": { "at": at, "by": by }, "p-gloucester-m-horse": { "at": at, "by": by } });
    let dice = "1, 3,4,5,6,4,4,4, 2,3, 1,1,5,6,6,6, 1,2,5,5, 4,5,4,6, 2,3";
    let mut one = battle("parliament", plain(), blocks, dice);
    one.drive(&["retire"], &["r-rupert", "r-pool-s-horse"]);
    one.has(&[("r-rupert", 2), ("r-pool-s-horse", 1), ("p-essex", 2), ("p-gloucester-m-horse", 0)]);
    assert_eq!(one.choices("retreat"), ["p-essex"]);
}

#[test]
fn rule_7_91_advantageous_terrain_rounds_halves_down() {
    let (at, by) = ("worcestershire", "gloucestershire");
    let position = json!({ "turn": "1643-i", "phase": "battles", "player_1": "parliament",
        "cards": { "royalist": "r-advantageous-terrain", "parliament": "p-ap4-1" }, "tactics": { "royalist": at },
        "blocks": { "r-charles": { "at": at }, "r-cheshire-m-foot": { "at": at, "strength": 2 },
            "r-northampton": { "at": at, "by": "staffordshire-warwickshire" },
            "p-essex": { "at": at, "by": by }, "p-brooke": { "at": at, "by": by } } });
    let dice = "1,3,3,3,6,6, 4,5,6,1,2,2, 6,6,1,5,2,4,4, 2,5,1,6, 3,3,3,3,3,3, 4,4,1,4";
    let mut one = Match::at(position, dice);
    one.drive(&[], &["p-brooke", "r-cheshire-m-foot"]);
    one.has(&[
        ("r-charles", 2),
        ("r-cheshire-m-foot", 1),
        ("r-northampton", 2),
        ("p-essex", 2),
        ("p-brooke", 2),
    ]);
}
