//! 7.0 to 7.2: Tactical Battles.

use serde_json::{Value, json};

use crate::play::{Match, item, merge};

/// Words for the pools: Parliament's places by sector, then the Royalists'.
pub(crate) const PLAIN: &str = "p-horse-3 p-horse-3 p-foot-3 p-foot-3 p-foot-3 p-foot-3 r-horse-4 r-horse-4 r-foot-3 r-foot-3 r-foot-3 r-foot-3";

/// The lines of [`PLAIN`], by place.
pub(crate) fn plain() -> Value {
    json!({
        "p-right-flank": "p-horse-3", "p-left-flank": "p-horse-3",
        "p-right-inner": "p-foot-3", "p-right-outer": "p-foot-3", "p-left-inner": "p-foot-3", "p-left-outer": "p-foot-3",
        "r-first": "r-horse-4", "r-second": "r-horse-4",
        "r-third-inner": "r-foot-3", "r-third-outer": "r-foot-3", "r-fourth-inner": "r-foot-3", "r-fourth-outer": "r-foot-3",
    })
}

/// The Battle of card 20 before a sector; what is fought already lies in `boxes`.
pub(crate) fn before(sector: u8, line: Value, boxes: Value, changes: Value, script: &str) -> Match {
    let mut lines = plain();
    merge(&mut lines, line);
    let mut position = json!({ "at": "battle", "current": "20",
        "battle": { "army": "north", "sector": sector, "line": lines, "boxes": boxes } });
    merge(&mut position, changes);
    Match::at("whole-war", &[], position, script)
}

/// All sectors are fought: Parliament's six in these boxes, by place.
pub(crate) fn fought(boxes: [&str; 6], changes: Value, script: &str) -> Match {
    let slots =
        ["p-right-flank", "p-left-flank", "p-right-inner", "p-right-outer", "p-left-inner", "p-left-outer"];
    let boxes: serde_json::Map<String, Value> =
        slots.iter().zip(boxes).map(|(slot, place)| ((*slot).to_owned(), json!(place))).collect();
    before(5, json!({}), boxes.into(), changes, script)
}

const V: &str = "victory";
const D: &str = "draw";
const F: &str = "defeat";

rules! {
    #[test]
    fn rule_7_0_a_battle_from_the_army_that_is_named_to_the_last_sector() {
        let mut event = item(20, 0, json!({ "zeal": 0 }), &format!("{PLAIN} 6 1 6 1 6 1 6 1"));
        assert_eq!(event.legal(), ["army north", "army west"]);
        event.play("army west; benefit zeal; benefit zeal; benefit zeal");
        assert_eq!((event.army("west"), event.zeal()), ("5".into(), 3), "Disordered, then recovered by the card");
        assert_eq!(event.facts("sector_won"), ["1", "2", "3", "4"]);
        assert_eq!(event.facts("sector_dice")[2], "3 6 1 12 7");
    }

    #[test]
    fn rule_b2_named_units_are_committed_to_their_wings() {
        let named = json!({ "holding": ["cromwell", "ironsides", "london-trained-bands"], "zeal": 0 });
        let rest = "p-horse-3 p-foot-3 p-foot-3 p-foot-3 r-horse-4 r-horse-4 r-foot-3 r-foot-3 r-foot-3 r-foot-3 3 3 3 3 3 3 3 3";
        let mut event = item(20, 0, named, rest);
        event.play("army north");
        assert_eq!(event.choices("commit").len(), 6);
        event.play("commit cromwell left");
        assert_eq!((event.line("p-left-flank"), event.refused("commit ironsides left")), ("cromwell".into(), vec!["NO_ROOM B2".to_owned()]));
        event.play("commit london-trained-bands right; done");
        assert_eq!((event.facts("committed_unit").len(), event.place("ironsides")), (2, "holding".into()));
    }

    #[test]
    fn rule_b3_parliaments_places_are_filled_first_by_sector() {
        let mut filled = item(20, 0, json!({ "zeal": 1 }), PLAIN);
        filled.play("army north");
        let order: Vec<String> = filled.facts("drawn_unit").iter().filter_map(|fact| fact.split(' ').nth(1).map(str::to_owned)).collect();
        assert_eq!(order[..7], ["p-right-flank", "p-left-flank", "p-right-inner", "p-right-outer", "p-left-inner", "p-left-outer", "r-first"]);
        assert_eq!(filled.count("p-horse-3", "p-horse-pool"), 1, "without putting back");
    }

    #[test]
    fn rule_b6_a_battle_event_card_for_each_event_formation() {
        let line = PLAIN.replacen("p-foot-3 p-foot-3", "p-foot-2 p-foot-2", 1);
        let mut event = item(20, 0, json!({ "zeal": 1 }), &format!("{line} psalms forlorn-file"));
        event.play("army north");
        assert_eq!((event.facts("lines_stand"), event.pile("battle-hand")), (vec!["2".to_owned()], vec!["forlorn-file".into(), "psalms".to_owned()]));
    }

    #[test]
    fn rule_b17_the_zeal_marker_is_the_last_choice_before_the_sectors() {
        let mut event = item(20, 0, json!({ "zeal": 1 }), PLAIN);
        event.play("army north");
        assert_eq!((event.asked(), event.choices("inspire").len()), ("inspire_whom", 6));
        let mut inspired = item(20, 0, json!({ "zeal": 1 }), &format!("{PLAIN} 3 3 3 3 3 3 3 3"));
        inspired.play("army north; inspire p-right-flank");
        assert_eq!((inspired.zeal(), inspired.facts("sector_dice")[0].as_str()), (0, "1 3 3 7 7"));
    }

    #[test]
    fn rule_b18_no_formation_is_weaker_than_nothing() {
        let line = PLAIN.replacen("p-foot-3 p-foot-3", "p-foot-1 p-foot-2", 1);
        let mut event = item(20, 0, json!({ "zeal": 1, "battle_discard": ["boye"] }), &format!("{line} powder-explosion p-right-inner"));
        event.play("army north");
        assert_eq!(event.at_slot("p-right-inner", "strength"), 0);
        let twice = PLAIN.replacen("p-foot-3 p-foot-3", "p-foot-1 p-foot-2", 1).replacen("p-foot-3", "p-foot-2", 1);
        let mut below = item(20, 0, json!({ "zeal": 1, "battle_out": ["boye"] }), &format!("{twice} powder-explosion p-right-inner leveller-mutinies"));
        below.play("army north; on p-right-inner");
        assert_eq!((below.at_slot("p-right-inner", "strength"), below.at_slot("p-right-inner", "markers")), (0, -2));
    }

    #[test]
    fn rule_b19_two_ahead_wins_a_sector_two_behind_loses_it() {
        // The horse of Parliament is one weaker.
        for (dice, boxes) in [("4 1", [1, 0, 0]), ("3 1", [0, 1, 0]), ("1 2", [0, 0, 1]), ("1 1", [0, 1, 0])] {
            let battle = before(1, json!({}), json!({}), json!({ "hand": ["clubbed-muskets"] }), &format!("{dice} 3 2"));
            assert_eq!(battle.asked(), "play_before", "the third sector is due");
            assert_eq!(battle.boxes(), [boxes[0], boxes[1] + 1, boxes[2]], "dice {dice}; the second sector is drawn");
        }
    }

    #[test]
    fn rule_7_1_cromwell_turns_on_the_foot_of_his_wing() {
        let line = json!({ "p-right-flank": "cromwell" });
        let battle = before(1, line, json!({}), json!({ "hand": ["clubbed-muskets"] }), "3 3 3 3");
        assert_eq!((battle.place("cromwell"), battle.boxes()), ("turned".into(), [0, 1, 0]));
        let mut on = before(1, json!({ "p-left-flank": "cromwell" }), json!({}), json!({ "hand": ["forlorn-file"] }), "3 3 6 6 1 1 1 1");
        on.play("pass");
        assert_eq!(on.facts("sector_dice")[2..], ["3 1 1 7 7", "4 1 1 10 7"], "on the left he helps the fourth sector");
        on.play("pass");
    }

    #[test]
    fn rule_b21_he_comes_to_victory_even_where_the_foot_fails() {
        let line = json!({ "p-right-flank": "cromwell" });
        let mut battle = before(1, line, json!({}), json!({ "hand": ["forlorn-file"] }), "3 3 3 3 1 6 1 1");
        assert_eq!((battle.asked(), battle.place("cromwell"), battle.boxes()), ("play_after", "turned".into(), [0, 1, 0]));
        battle.play("pass");
        assert_eq!((battle.place("cromwell"), battle.boxes()), ("victory".into(), [1, 1, 2]));
        battle.play("pass");
    }

    #[test]
    fn rule_b20_most_of_the_six_decide_and_a_tie_is_a_draw() {
        let outcome = |boxes: [&str; 6], changes: Value| {
            let battle = fought(boxes, changes, "");
            (battle.track("monarchy"), battle.army("north"))
        };
        let zeal = || json!({ "zeal": 9, "armies": { "north": { "area": 4 } } });
        assert_eq!(outcome([V, V, V, D, D, F], zeal()), (4, "4".into()), "a Victory disorders, the card's activation recovers");
        assert_eq!(outcome([V, V, V, F, F, F], zeal()), (4, "3".into()), "three all is a Draw: the Army goes on");
        assert_eq!(outcome([V, V, D, D, F, F], zeal()), (4, "3".into()));
        assert_eq!(outcome([D, D, F, F, F, F], zeal()), (5, "3".into()), "a Defeat lowers Monarchy, and the card once more");
    }

    #[test]
    fn rule_b24_what_the_outcomes_do() {
        let won = fought([V, V, V, V, D, D], json!({ "zeal": 5 }), "");
        assert_eq!((won.army("north"), won.asked()), ("5 disordered".into(), "benefits_asked"));
        let drawn = fought([D, D, D, D, V, F], json!({ "zeal": 5 }), "");
        assert_eq!((drawn.zeal(), drawn.track("monarchy")), (5, 4));
    }

    #[test]
    fn rule_b22_a_defeat_by_three_may_be_salvaged_for_zeal() {
        let mut saved = fought([V, V, D, F, F, F], json!({ "zeal": 3 }), "");
        assert_eq!(saved.legal(), ["salvage", "pass"]);
        saved.play("salvage");
        assert_eq!((saved.zeal(), saved.track("monarchy")), (2, 4));
        let mut lost = fought([V, D, D, F, F, F], json!({ "zeal": 3 }), "");
        lost.play("pass");
        assert_eq!((lost.zeal(), lost.track("monarchy")), (3, 5));
        let mut poor = fought([V, V, D, F, F, F], json!({ "zeal": 0 }), "");
        poor.play("salvage");
        assert_eq!(poor.zeal(), 0);
        assert_eq!(fought([V, V, F, F, F, F], json!({}), "").asked(), "act", "four can't be salvaged");
    }

    #[test]
    fn rule_7_2_a_point_for_each_victor_beyond_the_third() {
        for (boxes, points) in [([V, V, V, V, D, D], 1), ([V, V, V, V, V, D], 2), ([V; 6], 3)] {
            let battle = fought(boxes, json!({}), "");
            assert_eq!(battle.view().turn_state.prompt.refs[..], [edgehill_engine::reference::Ref::Number(points)]);
        }
        assert_eq!(fought([V, V, V, D, D, F], json!({}), "").asked(), "act", "three are no Major Victory");
    }

    #[test]
    fn rule_t15_a_benefit_raises_any_marker_that_is_not_at_its_top() {
        let mut battle = fought([V; 6], json!({ "tracks": { "scotland": 0 } }), "");
        assert_eq!(battle.refused("benefit scotland-track"), ["AT_THE_TOP T15"]);
        battle.play("benefit catholicism-track");
        assert_eq!(battle.track("catholicism"), 1);
    }

    #[test]
    fn rule_b26_a_click_for_a_fortress_of_the_region() {
        let mut battle = fought([V; 6], json!({}), "");
        assert_eq!(battle.refused("benefit bristol"), ["NOT_IN_THE_REGION B26"]);
        battle.play("benefit hull");
        assert_eq!(battle.fort("hull"), "parliament 3");
        let mut behind = fought([V; 6], json!({ "armies": { "north": { "area": 2 } }, "fortresses": { "hull": ["royalist", 2] } }), "");
        behind.play("benefit hull");
        assert_eq!(behind.fort("hull"), "royalist 1", "whatever the front line");
        let last = |area: u8| fought([V; 6], json!({ "armies": { "north": { "area": area } }, "fortresses": { "hull": ["royalist", 1] } }), "");
        assert_eq!(last(3).refused("benefit hull"), ["NOT_BESIEGED 7.2"]);
        assert!(last(4).may("benefit hull"));
    }

    #[test]
    fn rule_b27_the_army_can_be_weakened_by_both_markers() {
        let mut battle = fought([V; 6], json!({ "hand": ["stubble"] }), "");
        battle.play("play stubble; benefit weaken 2; benefit weaken 1");
        assert_eq!(battle.strength("north"), 1);
    }

    #[test]
    fn rule_b28_formations_go_back_and_the_recovery_box_is_emptied() {
        let battle = fought([D; 6], json!({ "recovery": ["rupert"] }), "");
        assert_eq!((battle.place("rupert"), battle.count("p-foot-3", "p-foot-pool")), ("r-horse-pool".into(), 4));
    }

    #[test]
    fn rule_b29_deadly_outcomes_of_both_sides_parliament_first() {
        let line = || json!({ "p-left-flank": "ironsides", "r-third-inner": "rupert-bluecoats", "p-left-inner": "london-trained-bands" });
        // The second sector is lost, the third won, the fourth lost.
        let boxes = || json!({ "p-right-flank": "victory" });
        for (dice, ironsides, bands, bluecoats) in
            [("1 3 5", "out", "recovery", "r-foot-pool"), ("2 4 6", "out", "recovery", "r-foot-pool"), ("5 6 2", "holding", "holding", "out")]
        {
            let battle = before(2, line(), boxes(), json!({ "zeal": 0 }), &format!("1 6 6 1 1 6 {dice}"));
            let place = |unit: &str| battle.place(unit).replace("gone", "out");
            assert_eq!((place("ironsides"), place("london-trained-bands"), place("rupert-bluecoats")),
                (ironsides.into(), bands.into(), bluecoats.into()), "dice {dice}");
        }
    }
}

#[test]
pub(crate) fn a_benefit_is_bought_while_points_last() {
    let mut battle = fought([V; 6], json!({ "zeal": 8 }), "");
    battle.play("benefit zeal");
    assert_eq!(battle.refused("benefit zeal"), ["ZEAL_FULL G4"]);
    battle.play("benefit weaken 1");
    assert_eq!((battle.strength("north"), battle.asked()), (3, "act"));
    let mut two = fought([V, V, V, V, V, D], json!({}), "");
    assert_eq!(two.refused("benefit weaken 2"), ["TOO_FEW_POINTS 7.2"]);
    two.play("done");
}
