//! The grade that the present score stands in: by the table of the last war that is played, with the next one.

use edgehill_engine::game::Game;
use edgehill_engine::reference::Location;
use edgehill_engine::render;
use serde_json::{Value, json};

use crate::play::{Match, PLAYER, game, merge};

/// In the Action Phase of the first card of the last war of a scenario.
fn standing(scenario: &str, war: u8, changes: Value) -> Match {
    let card = ["1", "28", "46"][usize::from(war) - 1];
    let mut position = json!({ "at": "action", "current": card, "war": war });
    merge(&mut position, changes);
    Match::at(scenario, &[], position, "")
}

/// The grade that is shown, and the score from which the next begins.
fn grade(played: &Match) -> (String, Option<i32>) {
    let number = played.marker(Location::Seat(PLAYER), "victory");
    let game = game();
    let kind = game.catalogue().markers.iter().find(|def| def.entry.id == "victory").expect("a kind");
    let next = played.marker(Location::Seat(PLAYER), "next-grade");
    (kind.entry.value(number), (next != 0).then_some(next))
}

fn prompt(played: &Match) -> String {
    let view = played.view();
    render::say(game().catalogue(), view.turn_state.prompt.code, &view.turn_state.prompt.refs)
}

rules! {
    #[test]
    fn rule_v4_the_grade_is_that_of_the_last_war_that_is_played() {
        for (scenario, war, expected, next) in [
            ("first", 1, "Substantive Defeat", 3),
            ("first-second", 1, "Substantive Defeat", 3),
            ("whole-war", 1, "Marginal Defeat", 2),
        ] {
            let turn = standing(scenario, war, json!({}));
            assert_eq!((turn.score(), grade(&turn)), (1, (expected.to_owned(), Some(next))), "{scenario}");
        }
        // 11.2 has no band for 13 to 17: Minor goes on up to 17.
        let minor = standing("third", 3, json!({}));
        assert_eq!((minor.score(), grade(&minor)), (2, ("Minor Victory".to_owned(), Some(18))));
    }

    #[test]
    fn rule_b_0_each_band_names_itself_and_the_next() {
        let achieved = |cards: &[&str]| standing("first", 1, json!({ "achieved": cards }));
        for (cards, score, expected, next) in [
            (&["3"][..], 4, "Minor Victory", Some(8)),
            (&["3", "17", "23"], 10, "Moderate Victory", Some(13)),
            (&["3", "5", "9", "17", "23"], 15, "Substantive Victory", Some(18)),
        ] {
            let turn = achieved(cards);
            assert_eq!((turn.score(), grade(&turn)), (score, (expected.to_owned(), next)));
        }
        let mut best = json!({ "achieved": ["3", "5", "9", "17", "21", "23"], "tracks": { "parliament": 0, "puritanism": 0 } });
        let top = standing("first", 1, best.take());
        assert!(top.score() >= 18, "{}", top.score());
        assert_eq!((grade(&top), top.asked()), (("Decisive Victory".to_owned(), None), "act_best"));
    }

    #[test]
    fn rule_11_2_the_prompt_says_what_the_score_is_worth_and_what_the_next_grade_asks() {
        let turn = standing("first", 1, json!({ "zeal": 1 }));
        assert_eq!(prompt(&turn), "Action Phase: 1 Zeal Point, score 1 (Substantive Defeat; Minor Victory from 3 on)");
        let mut last = Match::at("first", &[], json!({ "at": "action", "current": "27" }), "");
        let (shown, _) = grade(&last);
        last.play("pass");
        assert_eq!((last.result().code, last.result().grade.to_owned()), ("finished", shown.clone()));
        assert_eq!(grade(&last).0, shown, "and it stays when the match is over");
    }

    #[test]
    fn rule_11_1_after_an_automatic_defeat_no_grade_of_the_score_is_shown() {
        let position = json!({ "at": "action", "current": "2", "fortresses": { "london": ["royalist", 1] } });
        let mut lost = Match::at("whole-war", &[], position, "");
        assert_ne!(lost.marker(Location::Seat(PLAYER), "victory"), 0);
        lost.play("pass");
        assert_eq!(lost.result().code, "london_lost");
        let none = ["victory", "next-grade"].map(|kind| lost.marker(Location::Seat(PLAYER), kind));
        assert_eq!(none, [0, 0]);
    }
}
