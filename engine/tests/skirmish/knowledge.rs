//! 7: faces that were seen, and when that lapses.

use edgehill_engine::view::View;
use serde_json::json;

use crate::play::{Match, NORTH, SOUTH, backs_in, faces_in, id, place};

/// South attacks the bridge, loses its 1 there, and north's 1 and 2 have been seen; then north acts.
fn seen_at_the_bridge() -> Match {
    let position = json!({
        "blocks": { "north": { "1": "bridge", "2": "bridge" }, "south": { "1": "mill" } },
        "hands": { "north": ["partisan"], "south": ["trumpet"] },
    });
    let mut seen = Match::acting(position, "6 6 1,fife, drum,colours");
    seen.play(SOUTH, "march mill bridge; take south-1; go").play(SOUTH, "done").play(NORTH, "keep");
    for view in [seen.view(SOUTH), seen.spectated()] {
        assert_eq!(faces_in(&view, NORTH), ["bridge 1", "bridge 2"]);
    }
    seen
}

/// Faces of a side that lie among its backs, and where, as everybody knows.
fn known(view: &View, side: edgehill_engine::seat::Seat) -> (Vec<String>, Vec<String>) {
    let set = view.known.iter().find(|set| set.owner == Some(side)).expect("some are unseen");
    let faces = set.faces.iter().map(|&(face, _)| id(face)).collect();
    (faces, set.places.iter().map(|(group, count)| format!("{} {count}", place(group.at))).collect())
}

#[test]
fn rule_7_1_a_face_that_was_seen_lapses_when_part_of_the_space_marches_off() {
    let mut seen = seen_at_the_bridge();
    let unseen = |faces: &[&str], places: &[&str]| {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        (owned(faces), owned(places))
    };
    let before = unseen(&["strength-3", "strength-4"], &["north-camp 2"]);
    assert_eq!(known(&seen.view(SOUTH), NORTH), before);

    seen.play(NORTH, "march bridge village; take north-2; go").play(NORTH, "done");
    for view in [seen.view(SOUTH), seen.spectated()] {
        assert_eq!(faces_in(&view, NORTH), [""; 0], "who stayed and who went is not known");
        assert_eq!(backs_in(&view, NORTH), ["bridge 1", "north-camp 2", "village 1"]);
        let faces = ["strength-1", "strength-2", "strength-3", "strength-4"];
        assert_eq!(known(&view, NORTH), unseen(&faces, &["north-camp 2", "bridge 1", "village 1"]));
    }
    assert_eq!(faces_in(&seen.view(NORTH), NORTH).len(), 4, "their owner sees all faces all the time");
}

#[test]
fn rule_7_1_it_stays_known_when_all_march_off_together() {
    let mut seen = seen_at_the_bridge();
    seen.play(NORTH, "march bridge village; take north-1; take north-2; go").play(NORTH, "done");
    assert_eq!(faces_in(&seen.view(SOUTH), NORTH), ["village 1", "village 2"]);
}

#[test]
fn rule_7_1_it_stays_known_through_a_retreat() {
    let position = json!({
        "blocks": { "north": { "1": "bridge", "2": "bridge" }, "south": { "1": "mill" } },
        "hands": { "north": ["partisan"], "south": ["colours"] },
    });
    let mut seen = Match::acting(position, "6 6 6");
    seen.play(NORTH, "march bridge mill; take north-1; take north-2; go").play(SOUTH, "retreat south-camp");
    assert_eq!(faces_in(&seen.view(NORTH), SOUTH), ["south-camp 1"]);
    assert_eq!(backs_in(&seen.view(NORTH), SOUTH), ["south-camp 3"]);
}

bodies![
    rule_7_1_a_face_that_was_seen_lapses_when_part_of_the_space_marches_off,
    rule_7_1_it_stays_known_when_all_march_off_together,
    rule_7_1_it_stays_known_through_a_retreat,
];
