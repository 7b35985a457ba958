//! Facts that players are told: every one, from the first on, in words, by the right rule.

use edgehill_engine::game::Game;
use edgehill_engine::reference::Ref;
use edgehill_engine::seat::Observer;
use serde_json::json;

use crate::battle::before;
use crate::play::{Match, PLAYER, acting, game, item};

/// The rules that the events of a code rest on, in order.
pub(crate) fn rules_of(played: &Match, code: &str) -> Vec<&'static str> {
    let published = played.0.published(Observer::Seat(PLAYER), 0);
    published.iter().filter(|seen| seen.code == code).map(|seen| seen.rule.id()).collect()
}

/// A number that the Battle shows.
pub(crate) fn shown(played: &Match, role: &str) -> Option<i32> {
    let view = played.view();
    let number = |what| if let Ref::Number(number) = what { Some(number) } else { None };
    view.turn_state.procedures.iter().find_map(|procedure| procedure.role(role)).and_then(number)
}

rules! {
    #[test]
    fn rule_6_0_the_first_card_is_told_from_number_0_on() {
        let played = Match::start("whole-war", &[], "");
        let codes: Vec<&str> = played.0.published(Observer::Seat(PLAYER), 0).iter().map(|seen| seen.code).collect();
        assert_eq!(codes.first(), Some(&"turn_begins"));
        assert_eq!(played.facts("event"), ["1"]);
        let first = played.0.first_view(Observer::Seat(PLAYER)).expect("a match from its start");
        assert_eq!(first, game().view(&game().start(played.0.setup()), Observer::Seat(PLAYER)));
        let mut folded = first;
        for seen in played.0.published(Observer::Seat(PLAYER), 0) {
            seen.form.changes.iter().for_each(|change| folded.fold(change));
        }
        assert_eq!(folded, played.view());
    }

    #[test]
    fn rule_11_1_giving_up_is_worth_no_more_than_the_automatic_defeat() {
        let mut played = acting(json!({ "turn": 4 }), "");
        played.0.resign(PLAYER).expect("the match goes on");
        assert_eq!(played.result().returns, [-100 + 4]);
        let restored = edgehill_engine::table::Table::restore(
            game(), &played.0.save(), edgehill_engine::chance_source::ChanceSource::Manual);
        assert_eq!(restored.expect("it was saved").result(), played.0.result());
    }

    #[test]
    fn rule_6_6_2_a_marker_before_the_middle_box_is_handed_on_by_that_rule() {
        let royalist = item(26, 5, json!({ "tracks": { "monarchy": 4, "parliament": 0 } }), "");
        assert_eq!(rules_of(&royalist, "redirected"), ["6.6.2"]);
        let edge = item(26, 4, json!({ "tracks": { "scotland": 5, "ireland": 2 } }), "");
        assert_eq!(rules_of(&edge, "redirected").first(), Some(&"6.6.1"));
    }

    #[test]
    fn rule_8_3_a_campaign_drives_an_army_back() {
        let mut played = acting(json!({ "zeal": 3, "armies": { "north": { "area": 3 } } }), "6");
        played.play("campaign north");
        assert_eq!((played.facts("retreats").len(), rules_of(&played, "retreats")), (1, vec!["8.3"]));
    }

    #[test]
    fn rule_p8_a_placement_that_is_free_is_not_paid_for() {
        let mut played = acting(json!({ "zeal": 3, "flags": ["licence-now"] }), "");
        assert!(played.choices("infuse").is_empty() && !played.choices("place").is_empty());
        assert_eq!(played.refused("infuse north"), ["PLACEMENT_IS_FREE P8"]);
        assert!(acting(json!({ "zeal": 3 }), "").choices("infuse").contains(&"north".to_owned()));
    }

    #[test]
    fn rule_g5_zeal_that_is_lost_is_told() {
        let mut full = acting(json!({ "zeal": 8, "tracks": { "parliament": 2 } }), "");
        full.play("desperate parliament");
        assert_eq!(full.facts("zeal_full").len(), 0);
        let mut over = acting(json!({ "zeal": 9, "seen": ["1"] }), "");
        let _ = over.0.apply_line(PLAYER, "pass", edgehill_engine::table::ApplyMode::Atomic);
        assert_eq!(over.facts("zeal_gained").len(), 0);
        assert_eq!(over.facts("zeal_full").len(), 1, "the income comes to nothing, and says so");
    }
}

#[test]
fn a_track_and_an_army_of_one_name_are_told_apart() {
    let name = |notation: &str| {
        let action = crate::play::action(notation);
        edgehill_engine::render::action(game().catalogue(), action)
    };
    assert_ne!(name("politics ireland").split(": ").last(), name("infuse ireland").split(": ").last());
    assert!(name("politics ireland").ends_with("Ireland track"), "{}", name("politics ireland"));
}

#[test]
fn a_battle_shows_totals_and_odds_of_the_sectors_to_come() {
    let boxes = json!({ "p-right-flank": "victory", "p-left-flank": "draw" });
    let mut played = before(3, json!({}), boxes, json!({ "hand": ["clubbed-muskets"] }), "6,1,6,1");
    let all = ["total-3", "royalist-total-3", "wins-3", "losses-3"].map(|role| shown(&played, role));
    let [Some(own), Some(theirs), Some(wins), Some(losses)] = all else { panic!("{all:?}") };
    let ways = |holds: &dyn Fn(i32) -> bool| {
        let dice = (1..=6).flat_map(|one| (1..=6).map(move |other| one - other));
        dice.filter(|die| holds(own - theirs + die)).count() as i32
    };
    assert_eq!((wins, losses), (ways(&|ahead| ahead >= 2), ways(&|ahead| ahead <= -2)));
    assert_eq!(shown(&played, "total-1"), None, "it is fought");
    played.play("pass;pass");
    assert_eq!(played.facts("tally").len(), 1);
}

#[test]
fn positions_name_the_field_that_they_do_not_know() {
    let setup = crate::play::setup("whole-war", &[]);
    for (position, field) in [
        (json!({ "weather": 1 }), "weather"),
        (json!({ "armies": { "north": { "mood": 1 } } }), "armies.north.mood"),
        (json!({ "armies": { "east": {} } }), "armies.east"),
        (json!({ "at": "battle", "current": "20", "battle": { "army": "north", "hill": 1 } }), "battle.hill"),
    ] {
        let error = game().position(&setup, &position).expect_err("it is faulty");
        assert_eq!(error.field, field, "{error}");
    }
}
