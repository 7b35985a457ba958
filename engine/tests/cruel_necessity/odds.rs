//! Odds of a Battle: totals and ways before each choice, then the tally; Cromwell's turn.

use serde_json::json;

use crate::battle::{PLAIN, before};
use crate::facts::{rules_of, shown};
use crate::play::{Match, item};

/// Both totals of a sector and its ways in 36 to be won and lost, as the Battle tells them.
fn told(played: &Match, sector: u8) -> Option<[i32; 4]> {
    let number = |role: &str| shown(played, &format!("{role}-{sector}"));
    let numbers = ["total", "royalist-total", "wins", "losses"].map(number);
    let [Some(own), Some(theirs), Some(wins), Some(losses)] = numbers else {
        assert_eq!(numbers, [None; 4], "all of a sector or nothing");
        return None;
    };
    Some([own, theirs, wins, losses])
}

/// The same from the strengths that lie on the board, with what else Parliament adds.
fn counted(played: &Match, sector: u8, added: i32) -> Option<[i32; 4]> {
    let slots = [
        (&["p-right-flank"][..], &["r-first"][..]),
        (&["p-left-flank"], &["r-second"]),
        (&["p-right-inner", "p-right-outer"], &["r-third-inner", "r-third-outer"]),
        (&["p-left-inner", "p-left-outer"], &["r-fourth-inner", "r-fourth-outer"]),
    ];
    let sum = |slots: &[&str]| slots.iter().map(|slot| played.at_slot(slot, "strength")).sum::<i32>();
    let (own, theirs) = slots[usize::from(sector) - 1];
    let (own, theirs) = (sum(own) + added, sum(theirs));
    let ahead = (1..=6).flat_map(|die: i32| (1..=6).map(move |other: i32| own + die - theirs - other));
    let ahead: Vec<i32> = ahead.collect();
    let ways = |wins: fn(&&i32) -> bool| ahead.iter().filter(wins).count() as i32;
    Some([own, theirs, ways(|&&ahead| ahead >= 2), ways(|&&ahead| ahead <= -2)])
}

/// At a choice: nothing of the sectors that are fought, and of the others what the board adds up to.
#[track_caller]
fn is_told(played: &Match, asked: &str, fought: u8) {
    assert_eq!(played.asked(), asked);
    for sector in 1..=4 {
        let expected = if sector <= fought { None } else { counted(played, sector, 0) };
        assert_eq!(told(played, sector), expected, "sector {sector} at {asked}");
    }
}

rules! {
    #[test]
    fn rule_7_0_totals_and_odds_of_each_sector_are_told_before_each_choice() {
        let hand = json!({ "zeal": 2, "hand": ["dragoons", "second-charge", "clubbed-muskets", "forlorn-file"] });
        let mut battle = item(20, 0, hand, &format!("{PLAIN} 3 3 4 3 6 1 1 1"));
        battle.play("army north");
        is_told(&battle, "play_green", 0);
        assert_eq!(told(&battle, 1), Some([3, 4, 10 - 4, 15]), "horse of 3 against horse of 4");
        battle.play("play dragoons");
        is_told(&battle, "target_of_card", 0);
        battle.play("on r-first");
        is_told(&battle, "inspire_whom", 0);
        battle.play("inspire p-right-flank");
        // The dice of the first sector: 4 + 3 against 3 + 3 is drawn whatever else is thrown.
        assert_eq!((battle.asked(), told(&battle, 1)), ("play_after", Some([7, 6, 0, 0])));
        assert_eq!(told(&battle, 2), counted(&battle, 2, 0));
        battle.play("pass");
        assert_eq!((battle.asked(), told(&battle, 1), told(&battle, 2)), ("play_after", None, Some([7, 7, 0, 0])));
        battle.play("pass");
        is_told(&battle, "play_before", 2);
        battle.play("play clubbed-muskets");
        let extra: i32 = battle.facts("sector_bonus")[0].split(' ').nth(1).and_then(|added| added.parse().ok()).expect("a number");
        assert_eq!((battle.asked(), told(&battle, 3)), ("play_after", Some([12 + extra, 7, 36, 0])));
        assert_eq!(told(&battle, 4), counted(&battle, 4, 0), "the card is about one sector");
        battle.play("pass");
        assert_eq!((battle.asked(), told(&battle, 3), told(&battle, 4)), ("play_after", None, Some([7, 7, 0, 0])));
        battle.play("pass");
        assert_eq!(battle.facts("tally"), ["2 4 0"]);
    }

    #[test]
    fn rule_b20_the_tally_is_told_before_the_outcome() {
        let boxes = json!({ "p-right-flank": "victory", "p-left-flank": "draw", "p-right-inner": "defeat", "p-right-outer": "defeat" });
        for (dice, tally, outcome) in [("6 1", "3 1 2", "battle_won"), ("1 1", "1 3 2", "battle_drawn"), ("1 6", "1 1 4", "battle_lost")] {
            let battle = before(4, json!({}), boxes.clone(), json!({}), dice);
            assert_eq!((battle.facts("tally"), rules_of(&battle, "tally")), (vec![tally.to_owned()], vec!["B20"]));
            let published = battle.0.published(edgehill_engine::seat::Observer::Seat(crate::play::PLAYER), 0);
            let place = |code: &str| published.iter().position(|seen| seen.code == code);
            assert!(place("tally").is_some() && place("tally") < place(outcome), "{outcome}");
        }
    }

    #[test]
    fn rule_7_1_cromwells_turn_is_told_and_counts_in_the_odds_of_the_foot() {
        let hand = || json!({ "hand": ["clubbed-muskets"] });
        let right = before(1, json!({ "p-right-flank": "cromwell" }), json!({}), hand(), "3 3 3 3");
        assert_eq!((right.facts("turns"), rules_of(&right, "turns")), (vec!["cromwell 3 3".to_owned()], vec!["7.1"]));
        assert_eq!((told(&right, 3), told(&right, 4)), (counted(&right, 3, 3), counted(&right, 4, 0)));
        let left = before(1, json!({ "p-left-flank": "cromwell" }), json!({}), hand(), "3 3 3 3");
        assert_eq!(left.facts("turns"), ["cromwell 4 3"]);
        assert_eq!((told(&left, 3), told(&left, 4)), (counted(&left, 3, 0), counted(&left, 4, 3)));
        let drawn = before(1, json!({ "p-right-flank": "cromwell" }), json!({}), hand(), "1 3 3 3");
        assert_eq!((drawn.facts("turns").len(), told(&drawn, 3)), (0, counted(&drawn, 3, 0)));
    }
}
