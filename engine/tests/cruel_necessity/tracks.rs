//! 6.5 to 6.7: reactions, movement of markers, flips, modifiers.

use std::sync::Arc;

use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::games::cruel_necessity::CruelNecessity;
use edgehill_engine::table::Table;
use serde_json::json;

use crate::play::{Match, acting, item, setup};

rules! {
    #[test]
    fn rule_6_6_each_arrow_moves_its_marker_one_box() {
        let event = item(8, 2, json!({}), "");
        assert_eq!((event.track("monarchy"), event.track("parliament")), (4, 3));
    }

    #[test]
    fn rule_t1_two_arrows_are_two_movements() {
        let event = item(42, 3, json!({ "tracks": { "parliament": 1 } }), "");
        assert_eq!(event.track("parliament"), 3);
        // The second one is handed on.
        let edge = item(42, 3, json!({ "tracks": { "parliament": 4, "monarchy": 2 } }), "");
        assert_eq!((edge.track("parliament"), edge.track("monarchy")), (5, 3));
    }

    #[test]
    fn rule_6_6_1_a_marker_at_its_end_hands_its_arrow_to_the_opposite_one() {
        let event = item(26, 4, json!({ "tracks": { "scotland": 5, "ireland": 2 } }), "");
        assert_eq!((event.track("scotland"), event.track("ireland")), (5, 3));
    }

    #[test]
    fn rule_t2_both_ways_in_each_column() {
        for (track, opposite) in [("ireland", "scotland"), ("monarchy", "parliament"), ("catholicism", "puritanism")] {
            for (upper, lower) in [(track, opposite), (opposite, track)] {
                let mut up = acting(json!({ "zeal": 9, "tracks": { upper: 0, lower: 3 }, "available": ["3"] }), "");
                assert_eq!(up.refused(&format!("politics {upper}")), ["AT_THE_TOP 8.7"], "an action is no arrow");
            }
        }
        let down = item(42, 3, json!({ "tracks": { "parliament": 5, "monarchy": 1 } }), "");
        assert_eq!((down.track("parliament"), down.track("monarchy")), (5, 3));
        let up = item(8, 3, json!({ "tracks": { "parliament": 0, "monarchy": 3 } }), "");
        assert_eq!((up.track("parliament"), up.track("monarchy")), (0, 2), "up, from the godly top to the marker above");
    }

    #[test]
    fn rule_t3_with_both_jammed_the_player_picks_one_that_can_move() {
        let jammed = |ireland: u8, puritanism: u8| json!({ "tracks": {
            "monarchy": 5, "parliament": 5, "scotland": 5, "catholicism": 4, "ireland": ireland, "puritanism": puritanism } });
        let mut asked = item(26, 5, jammed(3, 2), "");
        assert_eq!((asked.asked(), asked.choices("shift")), ("shift_down", vec!["ireland".into(), "catholicism".into(), "puritanism".into()]));
        assert_eq!(asked.refused("shift scotland"), ["CAN_T_MOVE 6.6.1"]);
        asked.play("shift puritanism");
        assert_eq!(asked.track("puritanism"), 3);
        let mut one = jammed(3, 5);
        one["tracks"]["catholicism"] = json!(5);
        assert_eq!(item(26, 5, one, "").track("ireland"), 4, "one alone moves by itself");
        let mut none = jammed(5, 5);
        none["tracks"]["catholicism"] = json!(5);
        assert_eq!(item(26, 5, none, "").facts("jammed").len(), 1, "nothing moves, and that is told");
    }

    #[test]
    fn rule_6_6_2_who_would_enter_a_taken_middle_box_moves_its_occupant() {
        let royalist = item(26, 5, json!({ "tracks": { "monarchy": 4, "parliament": 0 } }), "");
        assert_eq!((royalist.track("monarchy"), royalist.track("parliament")), (4, 1));
        let godly = item(8, 3, json!({ "tracks": { "monarchy": 5, "parliament": 1 } }), "");
        assert_eq!((godly.track("monarchy"), godly.track("parliament")), (4, 1));
    }

    #[test]
    fn rule_t4_the_right_column_has_a_middle_box_too() {
        let down = item(24, 3, json!({ "tracks": { "catholicism": 4, "puritanism": 0 } }), "");
        assert_eq!((down.track("catholicism"), down.track("puritanism")), (4, 1));
        let mut up = acting(json!({ "tracks": { "catholicism": 5, "puritanism": 1 } }), "6");
        up.play("politics puritanism");
        assert_eq!((up.track("catholicism"), up.track("puritanism")), (4, 1), "a Politics roll goes by it as well");
        let free = item(26, 5, json!({ "tracks": { "monarchy": 4, "parliament": 1 } }), "");
        assert_eq!((free.track("monarchy"), free.track("parliament")), (5, 1), "an empty middle box is entered");
    }

    #[test]
    fn rule_t5_a_marker_before_a_taken_middle_box_is_not_offered() {
        let position = json!({ "tracks": {
            "monarchy": 5, "parliament": 5, "scotland": 3, "ireland": 3, "catholicism": 4, "puritanism": 0 } });
        let asked = item(26, 5, position, "");
        assert_eq!(asked.choices("shift"), ["ireland", "scotland", "puritanism"]);
    }

    #[test]
    fn rule_6_5_a_political_reaction_moves_towards_c() {
        let event = item(7, 3, json!({ "tracks": { "parliament": 1, "monarchy": 4 } }), "");
        assert_eq!((event.track("parliament"), event.track("monarchy")), (2, 3));
    }

    #[test]
    fn rule_t8_from_each_grade() {
        for (from, to) in [(0, 1), (1, 2), (2, 2), (3, 3), (4, 3), (5, 4)] {
            let position = json!({ "tracks": { "puritanism": from, "catholicism": 2 } });
            assert_eq!(item(33, 4, position, "").track("puritanism"), to, "from box {from}");
            let position = json!({ "tracks": { "puritanism": 2, "catholicism": from } });
            assert_eq!(item(33, 4, position, "").track("catholicism"), to, "from box {from}");
        }
    }

    #[test]
    fn rule_t9_after_the_toleration_act_a_reaction_may_be_ignored() {
        let position = |puritanism: u8| json!({ "flags": ["immune"], "tracks": { "puritanism": puritanism, "catholicism": 4 } });
        let mut ignored = item(33, 4, position(1), "");
        assert_eq!((ignored.asked(), ignored.legal()), ("reaction_asked", vec!["apply".into(), "ignore".into()]));
        ignored.play("ignore");
        assert_eq!((ignored.track("puritanism"), ignored.track("catholicism")), (1, 4));
        let mut applied = item(33, 4, position(1), "");
        applied.play("apply");
        assert_eq!((applied.track("puritanism"), applied.track("catholicism")), (2, 3));
        let still = item(33, 4, json!({ "flags": ["immune"], "tracks": { "puritanism": 2, "catholicism": 2 } }), "");
        assert_eq!(still.asked(), "act", "nothing would move: nobody is asked");
    }

    #[test]
    fn rule_6_6_3_a_flip_acts_as_soon_as_its_box_is_entered() {
        let falls = item(25, 5, json!({ "tracks": { "ireland": 4 } }), "");
        assert_eq!((falls.track("ireland"), falls.strength("ireland")), (5, 4));
    }

    #[test]
    fn rule_t10_a_flip_holds_while_the_marker_is_there() {
        for (index, strength) in [(0, 2), (1, 3), (4, 3), (5, 4)] {
            assert_eq!(acting(json!({ "tracks": { "ireland": index } }), "").strength("ireland"), strength);
        }
    }

    #[test]
    fn rule_t11_scotlands_boxes_are_about_scotlands_army() {
        for (index, strength) in [(0, 2), (5, 4)] {
            let turn = acting(json!({ "tracks": { "scotland": index } }), "");
            assert_eq!((turn.strength("scotland"), turn.strength("ireland")), (strength, 3));
        }
    }

    #[test]
    fn rule_t12_the_kings_zenith_strengthens_revolts_and_deviltry() {
        let turn = acting(json!({ "tracks": { "monarchy": 5 }, "deviltry": ["24"], "revolts": { "uprising": ["west", 2] } }), "");
        assert_eq!((turn.on_piece("deviltry-24", "value"), turn.on_piece("uprising", "value")), (3, 3));
    }

    #[test]
    fn rule_t13_parliaments_nadir_bars_london_from_repair() {
        let mut turn = acting(json!({ "tracks": { "parliament": 5 } }), "");
        assert_eq!(turn.refused("fortify london"), ["PARLIAMENT_AT_ITS_NADIR T13"]);
        assert!(turn.may("fortify hull"));
        let card = item(13, 4, json!({ "tracks": { "parliament": 5 } }), "");
        assert_eq!(card.fort("london"), "parliament 2");
    }

    #[test]
    fn rule_6_7_a_cards_modifier_counts_this_turn() {
        let event = item(1, 1, json!({}), "");
        assert_eq!(event.on_track("puritanism", "drm"), 1);
    }

    #[test]
    fn rule_t16_it_counts_for_free_rolls_and_for_the_track_that_is_rolled_for() {
        let position = json!({ "drm": { "parliament": 1 }, "tracks": { "parliament": 4 }, "rewards": { "politics-parliament": "waiting" } });
        let mut turn = acting(position, "3");
        turn.play("use politics-parliament");
        assert_eq!(turn.track("parliament"), 3, "3 and 1 beat a 3");
        let mut middle = acting(json!({ "drm": { "puritanism": 1 }, "tracks": { "puritanism": 1, "catholicism": 5 } }), "5");
        middle.play("politics puritanism");
        assert_eq!(middle.track("catholicism"), 4, "5 and 1 beat the 5 of the middle box");
    }

    #[test]
    fn rule_g5_what_goes_beyond_the_zeal_track_is_lost() {
        let christmas = |zeal: u8| {
            let mut event = item(37, 2, json!({ "zeal": zeal }), "");
            event.play("choose keep-christmas");
            event.zeal()
        };
        assert_eq!((christmas(8), christmas(9)), (9, 9));
    }
}

#[test]
pub(crate) fn an_arrow_without_any_marker_to_move_is_ignored() {
    let position = json!({ "tracks": {
        "monarchy": 5, "parliament": 5, "scotland": 5, "ireland": 5, "catholicism": 5, "puritanism": 5 } });
    let event: Match = item(26, 4, position, "");
    for track in ["monarchy", "parliament", "scotland", "ireland", "catholicism", "puritanism"] {
        assert_eq!(event.track(track), 5);
    }
}

/// No card of the built-in content orders it: one that does is put in.
#[test]
pub(crate) fn irelands_arrow_up_goes_to_scotland_at_its_top() {
    let built = CruelNecessity::builtin();
    let cards = std::str::from_utf8(built.get("cards.toml").expect("a file")).expect("text").to_owned();
    let (before, after) = cards.split_once("id = \"8\"").expect("card 8");
    let (ours, theirs) = (r#"track = "parliament", arrows = 1"#, r#"track = "ireland", arrows = 1"#);
    let cards = format!("{before}id = \"8\"{}", after.replacen(ours, theirs, 1));
    let files = built.overlay([("cards.toml".to_owned(), cards.into_bytes())]).expect("a file of the game");
    let game = Arc::new(CruelNecessity::load(&files).expect("sound content"));
    let position =
        json!({ "at": "event", "current": "8", "item": 3, "tracks": { "ireland": 0, "scotland": 3 } });
    let table = Table::open_position(game, setup("whole-war", &[]), position, ChanceSource::script(""));
    let moved = Match(table.expect("a position that the game accepts"));
    assert_eq!((moved.track("ireland"), moved.track("scotland")), (0, 2));
}
