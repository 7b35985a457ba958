//! Section 6: moves, recruitment and events by number.

use serde_json::{Value, json};

use crate::play::Match;

fn acting(first: &str, turn: &str, blocks: Value) -> Match {
    let cards = json!({ "royalist": "r-ap4-1", "parliament": "p-ap4-1" });
    Match::at(json!({ "turn": turn, "player_1": first, "cards": cards, "blocks": blocks }), "")
}

#[test]
fn rule_6_13_four_blocks_cross_a_river_into_an_attack() {
    let from = "shropshire-herefordshire";
    let blocks = json!({ "r-charles": { "at": from }, "r-rupert": { "at": from }, "r-northampton": { "at": from },
        "r-cannon-1": { "at": from }, "r-hopton": { "at": from }, "p-essex": { "at": "gloucestershire" } });
    let mut one = acting("royalist", "1643-i", blocks);
    one.play(
        "group shropshire-herefordshire; take r-charles; take r-rupert; take r-cannon-1; take r-northampton",
    );
    assert!(one.allows("go gloucestershire"));
    one.play("take r-hopton");
    assert_eq!(one.refused("go gloucestershire"), ["BORDER_FULL 6.13"]);
    assert!(one.allows("go cheshire"), "the limit is for attacks alone");
}

#[test]
fn rule_6_14_as_many_blocks_are_pinned_as_attack() {
    let at = "gloucestershire";
    let from = "worcestershire";
    let blocks = json!({ "r-charles": { "at": from }, "r-rupert": { "at": from }, "r-northampton": { "at": from },
        "p-essex": { "at": at }, "p-gloucester-m-horse": { "at": at }, "p-gloucester-s-horse": { "at": at },
        "p-gloucester-s-foot": { "at": at }, "p-gloucester-e-foot": { "at": at } });
    let mut one = acting("royalist", "1643-i", blocks);
    one.play("group worcestershire; take r-charles; take r-rupert; take r-northampton; go gloucestershire; done; done");
    one.play("group gloucestershire; take p-gloucester-s-horse; take p-gloucester-s-foot");
    assert_eq!(one.refused("take p-gloucester-e-foot"), ["ALL_PINNED 6.14"]);
}

#[test]
fn rule_6_15_a_garrison_withdraws_and_comes_out_again() {
    let from = "staffordshire-warwickshire";
    let blocks = json!({ "p-brooke": { "at": "oxfordshire" }, "r-charles": { "at": from }, "r-northampton": { "at": from } });
    let mut one = acting("royalist", "1643-i", blocks);
    let before = one.points();
    one.play("group staffordshire-warwickshire; take r-charles; take r-northampton; go oxfordshire");
    one.play("withdraw p-brooke; done");
    assert_eq!(
        (one.place("p-brooke"), one.marker("oxford", "siege")),
        ("oxford".to_owned(), Some(0)),
        "rule 8.0"
    );
    one.play("take r-charles; take r-northampton; go berkshire-hampshire; done; done");
    assert_eq!((one.place("p-brooke"), one.marker("oxford", "siege")), ("oxfordshire".to_owned(), None));
    assert_eq!(one.points(), before);
}

#[test]
fn rule_6_16_a_chaperone_brings_a_block_next_to_its_home() {
    let from = "leicestershire-northamptonshire";
    let blocks = json!({ "r-charles": { "at": from }, "r-cheshire-w-foot": { "at": from } });
    let mut alone = acting("royalist", "1643-i", blocks.clone());
    alone.play("group leicestershire-northamptonshire");
    assert_eq!(alone.refused("take r-cheshire-w-foot"), ["NOWHERE_TO_GO 6.16"]);
    let mut led = acting("royalist", "1643-i", blocks);
    led.play("group leicestershire-northamptonshire; take r-charles; take r-cheshire-w-foot; go staffordshire-warwickshire");
    led.play("take r-cheshire-w-foot; go shropshire-herefordshire; stop; done");
    assert_eq!(led.place("r-cheshire-w-foot"), "shropshire-herefordshire");
}

#[test]
fn rule_6_17_nobody_attacks_in_winter() {
    let blocks = json!({ "r-charles": { "at": "worcestershire" }, "p-essex": { "at": "gloucestershire" } });
    let mut one = acting("royalist", "1643-winter", blocks);
    one.play("group worcestershire; take r-charles");
    assert_eq!(one.refused("go gloucestershire"), ["WINTER 6.17"]);
}

#[test]
fn rule_6_18_yorkshire_is_neutral_in_the_first_turn() {
    let blocks = json!({ "p-fairfax": { "at": "west-riding" }, "r-newcastle": { "at": "durham" } });
    let mut one = acting("royalist", "1642-v", blocks);
    one.play("group durham; take r-newcastle");
    assert_eq!(one.refused("go north-riding"), ["NEUTRAL_YORKSHIRE 6.18"]);
    one.play("go northumberland; stop; done; done");
    one.play("group west-riding; take p-fairfax; go north-riding; stop; done");
    assert_eq!(one.place("p-fairfax"), "north-riding");
}

#[test]
fn rule_6_12_a_muster_goes_through_a_siege_but_not_through_a_battle() {
    let blocks = json!({ "p-essex": { "at": "oxfordshire" }, "p-brooke": { "at": "leicestershire-northamptonshire" },
        "p-waller": { "at": "worcestershire" }, "r-pool-m-foot": { "at": "oxford" },
        "r-charles": { "at": "gloucestershire" } });
    let mut one = acting("parliament", "1643-i", blocks);
    one.play("muster oxfordshire");
    assert!(one.allows("take p-brooke"));
    assert!(one.allows("take p-waller"), "by Staffordshire & Warwickshire");
    one.play("take p-waller");
    assert_eq!(one.place("p-waller"), "oxfordshire", "one way alone serves");
}

#[test]
fn rule_6_3_strength_for_the_besieged_in_ports_alone() {
    let blocks = json!({ "r-pool-m-foot": { "at": "oxford", "strength": 1 }, "p-essex": { "at": "oxfordshire" },
        "p-brooke": { "at": "oxfordshire" }, "r-pool-s-foot": { "at": "bristol", "strength": 1 },
        "p-waller": { "at": "somerset" }, "r-cannon-1": { "at": "durham", "strength": 1 },
        "r-cheshire-w-foot": { "at": "durham", "strength": 1 } });
    let mut one = acting("royalist", "1643-i", blocks);
    assert_eq!(one.refused("raise r-pool-m-foot"), ["BESIEGED 6.3"]);
    assert_eq!(one.refused("raise r-cannon-1"), ["NO_ARTILLERY 6.3"]);
    assert_eq!(one.refused("raise r-cheshire-w-foot"), ["NOT_AT_HOME 6.3"]);
    one.play("raise r-pool-s-foot");
    assert_eq!(one.strength("r-pool-s-foot"), 2);
}

#[test]
fn rule_6_42_camp_fever_spares_artillery() {
    let position = json!({ "turn": "1643-i", "phase": "events", "player_1": "royalist",
        "cards": { "royalist": "r-camp-fever", "parliament": "p-ap4-1" },
        "blocks": { "p-brooke": { "at": "worcestershire" }, "p-cannon-1": { "at": "worcestershire" } } });
    let mut one = Match::at(position, "");
    one.play("event; fever worcestershire").play("lose p-brooke");
    one.has(&[("p-brooke", 2), ("p-cannon-1", 3)]);
}

#[test]
fn rule_6_44_a_deserter_goes_home() {
    let position = json!({ "turn": "1643-i", "phase": "events", "player_1": "royalist",
        "cards": { "royalist": "r-desertion", "parliament": "p-ap4-1" },
        "blocks": { "p-pool-e-foot": { "at": "worcestershire" }, "p-essex": { "at": "worcestershire" } } });
    let mut one = Match::at(position, "");
    one.play("event");
    assert_eq!(one.choices("lose"), ["p-pool-e-foot"]);
    one.play("lose p-pool-e-foot");
    assert_eq!(one.choices("at"), ["norfolk", "suffolk", "essex", "buckinghamshire-hertfordshire"]);
    one.play("at norfolk");
    assert_eq!((one.place("p-pool-e-foot"), one.strength("p-pool-e-foot")), ("norfolk".to_owned(), 2));
}
