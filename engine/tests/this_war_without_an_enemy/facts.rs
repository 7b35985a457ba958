//! Facts that players are told: every one, by the right rule, and nothing that they may not know.

use edgehill_engine::chance::Chance;
use edgehill_engine::game::{Game, Node};
use edgehill_engine::reference::Ref;
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::setup::Setup;
use edgehill_engine::table::ApplyMode;
use serde_json::json;

use crate::play::{Match, P, R, acting, battle, entered, game, place, siege};

/// Events of a code, each by its rule and what it is about, as published to a seat.
fn told(played: &Match, seat: Seat, code: &str) -> Vec<String> {
    let published = played.0.published(Observer::Seat(seat), 0);
    let words =
        |refs: &[Ref]| refs.iter().map(|&what| game().catalogue().id_of(what)).collect::<Vec<_>>().join(" ");
    let told = published.iter().filter(|seen| seen.code == code);
    told.map(|seen| format!("{} {}", seen.rule, words(&seen.form.refs))).collect()
}

rules! {
    #[test]
    fn rule_8_2_backs_that_are_drawn_have_no_names_and_come_once_the_sally_is_final() {
        let blocks = json!({ "r-charles": { "at": "oxford" }, "p-essex": { "at": "oxfordshire" },
            "p-brooke": { "at": "oxfordshire" }, "p-london-foot-1": { "at": "oxfordshire" } });
        let mut table = entered(place("sieges", "royalist", &blocks, &json!({ "sieges": { "oxford": 2 } })));
        for line in ["done", "sally r-charles", "done"] {
            let taken = table.apply_line(R, line, ApplyMode::Atomic);
            assert!(taken.is_ok() || line == "done", "{line}: {taken:?}");
        }
        assert_eq!(table.node(), Node::Chance);
        let Chance::Choice { options, .. } = game().chance(table.state()) else { panic!("a draw is due") };
        let options: Vec<Ref> = options.iter().map(|option| option.what).collect();
        assert_eq!(options, [1, 2, 3].map(Ref::Number));
        assert!(table.undo(R, 0).is_err(), "who meets the Sally is being drawn");
    }

    #[test]
    fn rule_6_13_a_full_border_is_told_as_one() {
        let blocks = json!({ "p-brooke": { "at": "cumberland-westmorland" }, "r-charles": { "at": "west-riding" }, "r-rupert": { "at": "west-riding" },
            "r-newcastle": { "at": "west-riding" }, "r-hopton": { "at": "west-riding" }, "r-northampton": { "at": "west-riding" } });
        let mut one = acting("royalist", blocks);
        one.play("group west-riding");
        while let Some(next) = one.choices("take").first() {
            one.play(&format!("take {next}"));
        }
        assert!(one.refused("go cumberland-westmorland").contains(&"BORDER_FULL 6.13".to_owned()));
    }

    #[test]
    fn rule_6_17_winter_bars_by_its_own_name() {
        let blocks = json!({ "p-brooke": { "at": "oxfordshire" }, "r-charles": { "at": "staffordshire-warwickshire" } });
        let mut one = Match::at(place("operations", "royalist", &blocks, &json!({ "turn": "1643-winter" })), "");
        one.play("group staffordshire-warwickshire; take r-charles");
        assert_eq!(one.refused("go oxfordshire"), ["WINTER 6.17"]);
    }

    #[test]
    fn rule_4_51_a_city_that_changes_hands_and_the_points_are_told() {
        let blocks = json!({ "p-brooke": { "at": "oxfordshire" }, "r-charles": { "at": "staffordshire-warwickshire" } });
        let mut one = acting("royalist", blocks);
        one.play("group staffordshire-warwickshire; take r-charles; go oxfordshire").play("withdraw p-brooke; done");
        one.play("stop; done; done");
        assert!(told(&one, R, "city_taken").is_empty(), "Parliament has it still: {:?}", told(&one, R, "city_taken"));
        let blocks = json!({ "p-brooke": { "at": "gloucestershire" } });
        let mut alone = acting("parliament", blocks);
        alone.play("group gloucestershire; take p-brooke; go oxfordshire; stop; done");
        assert_eq!(told(&alone, P, "city_taken").iter().filter(|fact| fact.contains("oxford parliament")).count(), 1);
        assert_eq!(told(&alone, P, "points").len(), 1);
    }
}

#[test]
fn blocks_of_one_name_are_told_apart() {
    let mut names: Vec<&str> = Vec::new();
    let rules = game();
    for piece in &rules.catalogue().pieces {
        assert!(!names.contains(&piece.name.as_str()), "two blocks are called {}", piece.name);
        names.push(&piece.name);
    }
}

#[test]
fn positions_name_the_field_that_they_do_not_know() {
    let setup = Setup::default_of(game().catalogue());
    for (position, field) in [
        (json!({ "moved": true }), "moved"),
        (json!({ "cards": { "king": "r-ap4-1" } }), "cards.king"),
        (json!({ "blocks": { "r-charles": { "at": "oxford", "face": 1 } } }), "blocks.r-charles.face"),
        (json!({ "blocks": { "r-charles": { "at": "oxfordshire", "moved": 1 } } }), "blocks.r-charles.moved"),
    ] {
        let error = game().position(&setup, &position).expect_err("it is faulty");
        assert_eq!(error.field, field, "{error}");
    }
}

/// The ids of what a role of a procedure names, as the Royalist sees it.
fn named(one: &Match, frame: &str, role: &str) -> Vec<String> {
    let turn_state = one.0.view(Observer::Seat(R)).turn_state;
    let procedure = turn_state.procedures.iter().find(|procedure| procedure.frame == frame);
    let procedure = procedure.unwrap_or_else(|| panic!("no procedure {frame}"));
    procedure.roles(role).map(|what| game().catalogue().id_of(what)).collect()
}

#[test]
fn procedures_name_places_and_blocks_that_a_reader_can_look_up() {
    let blocks = json!({ "r-charles": { "at": "oxfordshire" }, "r-hopton": { "at": "worcestershire" } });
    let mut muster = acting("royalist", blocks);
    muster.play("muster oxfordshire; take r-hopton; via staffordshire-warwickshire");
    assert_eq!(named(&muster, "muster", "went"), ["r-hopton"]);
    assert_eq!(named(&muster, "muster", "began"), ["worcestershire"]);
    assert_eq!(named(&muster, "muster", "via"), ["staffordshire-warwickshire"]);
    let blocks = json!({ "p-gloucester-m-horse": { "at": "worcestershire" },
        "r-charles": { "at": "worcestershire", "by": "gloucestershire" } });
    let mut regroup = battle("royalist", blocks, "");
    regroup.play("retire").play("retreat p-gloucester-m-horse; to staffordshire-warwickshire; done");
    regroup.play("regroup gloucestershire");
    assert_eq!(named(&regroup, "fight", "regroup-to"), ["gloucestershire"]);
    assert!(named(&regroup, "fight", "firing").is_empty());
    let blocks = json!({ "p-fairfax": { "at": "north-riding" }, "p-westriding-horse": { "at": "north-riding", "strength": 2 },
        "r-northumb-foot": { "at": "york" }, "r-cannon-1": { "at": "york", "strength": 3 } });
    let mut gun = siege(json!({ "york": 1 }), blocks, "");
    gun.play("fire r-cannon-1");
    assert_eq!(named(&gun, "fight", "firing"), ["r-cannon-1"]);
    assert!(named(&gun, "fight", "regroup-to").is_empty());
    let more = json!({ "turn": "1642-vi", "cards": {} });
    let year =
        Match::at(place("year-end", "royalist", &json!({ "r-charles": { "at": "oxfordshire" } }), &more), "");
    let regions =
        ["north", "wales", "midlands", "east", "south", "london"].map(|region| format!("region-{region}"));
    assert_eq!(named(&year, "recruit", "region"), regions);
    let horse = ["r-rupert", "r-cheshire-m-horse", "r-northumb-horse"];
    let blocks: serde_json::Value =
        horse.into_iter().map(|block| (block, json!({ "at": "durham" }))).collect();
    let supply = Match::at(place("supply", "royalist", &blocks, &json!({})), "");
    let rules = game();
    let areas = &rules.catalogue().spaces;
    let durham = areas.iter().position(|space| space.entry.id == "durham").expect("an Area");
    assert_eq!(named(&supply, "supply", "next"), [areas[durham + 1].entry.id.clone()]);
}

#[test]
fn turns_are_told_by_their_names() {
    let phrase = edgehill_engine::view::Phrase::new("turn_begins", &[Ref::Number(3), Ref::Number(2)]);
    assert_eq!(game().catalogue().say(&phrase), "Turn 1643 I begins");
}
