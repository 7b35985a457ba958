//! The example of docs/games/this-war-without-an-enemy.md is played, and its position is read; the odds that a fight shows.

use edgehill_engine::reference::Ref;
use edgehill_engine::seat::Observer;
use edgehill_engine::table::ApplyMode;
use serde_json::{Value, json};

use crate::fenced::block;
use crate::play::{Match, P, R, battle, siege};

const PAGE: &str = include_str!("../../../docs/games/this-war-without-an-enemy.md");

#[test]
fn the_example_is_played_as_it_stands() {
    let lines: Vec<(&str, &str)> =
        block(PAGE, "this-war").lines().map(|line| line.split_once('|').unwrap_or((line, ""))).collect();
    let script: Vec<&str> =
        lines.iter().map(|&(_, luck)| luck.trim()).filter(|luck| !luck.is_empty()).collect();
    let mut one = Match::start(&script.join(" "));
    for (actions, _) in lines.into_iter().filter(|(actions, _)| !actions.is_empty()) {
        let (seat, actions) = actions.split_once(": ").expect("a seat and its actions");
        let seat = if seat == "royalist" { R } else { P };
        for action in actions.split(';') {
            let taken = one.0.apply_line(seat, action.trim(), ApplyMode::Atomic);
            assert!(taken.is_ok(), "{action}: {taken:?}, legal {:?}", one.legal());
        }
    }
    assert_eq!((one.left_over(), one.asked(), one.to_act()), (0, "city_guns", Some(P)));
    assert_eq!((one.place("p-brooke"), one.marker("oxford", "siege")), ("oxford".into(), Some(0)));
}

#[test]
fn the_described_position_is_read() {
    let position: Value = serde_json::from_str(block(PAGE, "json")).expect("JSON");
    let read = Match::at(position, "");
    assert_eq!(
        (read.to_act(), read.asked(), read.place("p-waller")),
        (Some(R), "withdraw", "wiltshire-dorset".into())
    );
}

/// Returns the numbers that an observer is shown of the fight under way, beyond what has happened.
fn shown(one: &Match, observer: Observer) -> Vec<(&'static str, i32)> {
    let view = one.0.view(observer);
    let fight = view
        .turn_state
        .procedures
        .iter()
        .find(|procedure| procedure.frame == "fight")
        .expect("a fight")
        .clone();
    let odds = [
        "withdraws-in-6",
        "breach-in-6",
        "dice",
        "at-cavalry-in-6",
        "at-infantry-in-6",
        "of",
        "no-hit",
        "1-hit",
        "2-hits",
    ];
    let number = |(role, what): &(&'static str, Ref)| match what {
        Ref::Number(number) if odds.contains(role) => Some((*role, *number)),
        _ => None,
    };
    fight.roles.iter().filter_map(number).collect()
}

#[test]
fn a_fight_shows_the_odds_up_to_the_next_decision() {
    let (at, by) = ("worcestershire", "staffordshire-warwickshire");
    // Both sides of one class and known: a 4 or more succeeds.
    let blocks = json!({ "p-brooke": { "at": at }, "r-charles": { "at": at, "by": by } });
    let even = battle("royalist", blocks, "");
    assert_eq!(shown(&even, Observer::Seat(P)), [("withdraws-in-6", 3)]);
    assert_eq!(shown(&even, Observer::Seat(R)), [], "it would tell what Parliament has");
    let guns = json!({ "p-cannon-1": { "at": at, "strength": 2 }, "p-brooke": { "at": at },
        "r-rupert": { "at": at, "by": by }, "r-charles": { "at": at, "by": by } });
    let mut declares = battle("royalist", guns, "");
    declares.play("fight");
    let expected = [("dice", 2), ("at-cavalry-in-6", 2), ("at-infantry-in-6", 3)];
    assert_eq!(shown(&declares, Observer::Spectator), expected);
    let besieger = json!({ "r-charles": { "at": "oxfordshire" }, "r-rupert": { "at": "oxfordshire" },
        "r-cannon-1": { "at": "oxfordshire" }, "r-cannon-2": { "at": "oxfordshire" }, "p-brooke": { "at": "oxford", "strength": 2 } });
    let mut storm = siege(json!({ "oxford": 1 }), besieger, "6,6, 6,6,6,6");
    storm.play("done; done");
    assert_eq!(
        (shown(&storm, Observer::Seat(R)), shown(&storm, Observer::Seat(P))),
        (vec![("breach-in-6", 2)], vec![])
    );
}

#[test]
fn the_next_roll_is_told_in_all_its_ways() {
    let blocks = json!({ "r-charles": { "at": "oxfordshire" }, "r-northampton": { "at": "oxfordshire" },
        "p-brooke": { "at": "oxford", "strength": 2 } });
    let mut sally = siege(json!({ "oxford": 1 }), blocks, "2, 6,6,6, 6,6");
    sally.play("done; sally p-brooke; done");
    // Northampton rolls three dice, each with two chances in six: 8, 12, 6 and 1 of 27.
    assert_eq!(sally.asked(), "go_on");
    let expected = [("of", 27), ("no-hit", 8), ("1-hit", 12), ("2-hits", 6)];
    assert_eq!(shown(&sally, Observer::Spectator), expected);
}
