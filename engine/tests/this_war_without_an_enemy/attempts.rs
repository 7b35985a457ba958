//! Section 7.2: Withdraw Before Battle.

use serde_json::json;

use crate::play::{Match, P, battle};

/// The attack of `attackers` from Staffordshire & Warwickshire on `defenders` in Worcestershire, who try to withdraw.
fn attempt(defenders: &[&str], attackers: &[&str], die: &str) -> Match {
    let at = "worcestershire";
    let mut blocks: serde_json::Value = defenders.iter().map(|block| (*block, json!({ "at": at }))).collect();
    for block in attackers {
        blocks[*block] = json!({ "at": at, "by": "staffordshire-warwickshire" });
    }
    let mut one = battle("royalist", blocks, die);
    one.play("retire");
    one
}

rules! {
    #[test]
    fn rule_7_2_a_withdrawal_that_succeeds_at_a_price() {
        let (at, by) = ("derbyshire-nottinghamshire", "staffordshire-warwickshire");
        let blocks = json!({ "p-pool-m-horse": { "at": at, "strength": 1 }, "p-derbyshire-foot": { "at": at },
            "p-cannon-1": { "at": at }, "r-rupert": { "at": at, "by": by }, "r-cheshire-m-horse": { "at": at, "by": by },
            "r-northampton": { "at": by } });
        let mut one = battle("royalist", blocks, "6");
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
        let mut one = battle("parliament", blocks, dice);
        one.drive(&["retire"], &["r-rupert", "r-pool-s-horse"]);
        one.has(&[("r-rupert", 2), ("r-pool-s-horse", 1), ("p-essex", 2), ("p-gloucester-m-horse", 0)]);
        assert_eq!(one.choices("retreat"), ["p-essex"]);
    }

    #[test]
    fn rule_7_2_the_column_of_the_table() {
        // Horse on both sides and foot: the die stands as it is.
        let one = |die: &str| attempt(&["p-brooke", "p-gloucester-m-horse"], &["r-charles", "r-rupert"], die);
        let owed = |die: &str| {
            let one = one(die);
            (one.asked(), one.choices("lose").len())
        };
        assert_eq!((owed("1").0, owed("2").0), ("withdraw_loss", "withdraw_loss"));
        assert_eq!(owed("3").0, "round_dice", "failed without loss");
        assert_eq!((owed("4").0, owed("5").0), ("withdraw_loss", "withdraw_loss"));
        assert_eq!(owed("6").0, "retreat", "succeeded without loss");
        let mut two = one("1");
        two.play("lose p-gloucester-m-horse; lose p-gloucester-m-horse");
        assert_eq!((two.asked(), two.strength("p-gloucester-m-horse")), ("round_dice", 1));
        let mut away = one("5");
        away.play("lose p-gloucester-m-horse");
        assert_eq!((away.to_act(), away.asked()), (Some(P), "retreat"), "who withdraws is the Loser");
    }

    #[test]
    fn rule_t8_cavalry_artillery_and_their_numbers_modify_the_die() {
        // Equal horse, Artillery: a 4 counts as 3.
        let guns = attempt(&["p-brooke", "p-gloucester-m-horse", "p-cannon-1"], &["r-charles", "r-rupert"], "4");
        assert_eq!(guns.asked(), "declare", "failed without loss: the Cannon declares");
        // Cavalry alone: a 3 counts as 4.
        let horse = attempt(&["p-gloucester-m-horse"], &["r-charles", "r-rupert"], "3");
        assert_eq!((horse.asked(), horse.number()), ("withdraw_loss", 2));
        // One horse more on the attacker's side, and guns: a 6 counts as 4.
        let outnumbered = attempt(
            &["p-brooke", "p-gloucester-m-horse", "p-cannon-1"],
            &["r-charles", "r-rupert", "r-cheshire-m-horse"],
            "6",
        );
        assert_eq!((outnumbered.asked(), outnumbered.number()), ("withdraw_loss", 2));
        // No horse on either side: a die all the same.
        assert_eq!(attempt(&["p-brooke"], &["r-charles"], "6").asked(), "retreat");
    }

    #[test]
    fn rule_t9_cavalry_on_one_side_alone_needs_no_die() {
        let away = attempt(&["p-gloucester-m-horse", "p-brooke"], &["r-charles"], "");
        assert_eq!((away.asked(), away.strength("p-gloucester-m-horse")), ("retreat", 3));
        let mut caught = attempt(&["p-brooke", "p-essex"], &["r-rupert"], "");
        assert_eq!((caught.asked(), caught.number()), ("withdraw_loss", 2));
        caught.play("lose p-essex; lose p-brooke");
        assert_eq!(caught.asked(), "round_dice");
    }

    #[test]
    fn rule_t10_cavalry_takes_the_losses_while_there_is_any() {
        let mut one = attempt(&["p-brooke", "p-gloucester-m-horse"], &["r-charles", "r-rupert"], "2");
        assert_eq!(one.refused("lose p-brooke"), ["CAVALRY_FIRST T10"]);
        assert_eq!(one.refused("pass"), ["LOSS_OWED T10"]);
        one.play("lose p-gloucester-m-horse");
        let mut guns = attempt(&["p-cannon-1"], &["r-rupert"], "");
        assert_eq!(guns.legal(), ["pass"], "nobody can take it, which his enemy can't know");
        guns.play("pass");
    }
}
