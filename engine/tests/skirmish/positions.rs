//! Described positions: what they say, and the field that each fault is in.

use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::seat::Observer;
use serde_json::json;

use crate::play::{Match, NORTH, SOUTH, faces_in, pile_size};

#[test]
fn a_position_puts_blocks_and_cards_where_it_says() {
    let position = json!({
        "turn": 3,
        "blocks": { "north": { "1": "bridge", "4": "lost" }, "south": { "2": "mill" } },
        "hands": { "north": ["fife"], "south": ["drum", "waggon"] },
    });
    let read = Match::at("skirmish", position.clone(), ChanceSource::script(""));
    assert_eq!(read.blocks(NORTH), ["bridge 1", "lost 4", "north-camp 2", "north-camp 3"]);
    assert_eq!(read.blocks(SOUTH), ["mill 2", "south-camp 1", "south-camp 3", "south-camp 4"]);
    assert_eq!(faces_in(&read.spectated(), NORTH), ["lost 4"], "lost blocks lie open, the others stand");
    assert_eq!(faces_in(&read.spectated(), SOUTH), [""; 0]);
    assert_eq!(read.hand(SOUTH), ["drum", "waggon"]);
    assert_eq!(
        ["dawn", "dusk"].map(|pile| pile_size(&read.spectated(), pile)),
        [3, 4],
        "hands leave the deck"
    );
    assert_eq!(read.spectated().board.markers.values().collect::<Vec<_>>(), [&3], "the turn");
    assert_eq!(read.0.position(), Some(&position), "the match remembers what it was started from");
    assert_eq!(read.published(Observer::Spectator), []);
}

#[test]
fn a_position_that_says_nothing_is_the_first_turn_without_a_deal() {
    let plain = Match::at("skirmish", json!({}), ChanceSource::script(""));
    assert_eq!(plain.count(NORTH, "north-camp"), 4);
    assert_eq!([plain.hand(NORTH), plain.hand(SOUTH)], [vec![], Vec::<String>::new()]);
}

#[test]
fn every_fault_names_its_field() {
    let side = "one of north, south is expected";
    let space = "a space's id, or lost, is expected";
    let card = "a card's id is expected";
    let free = "a card that is in no hand yet is expected";
    let turn = "a whole number from 1 to 4 is expected";
    let dusk = ["waggon", "sconce", "halberd", "lantern", "spur", "forlorn"];
    for (position, expected) in [
        (json!([]), ": an object is expected".to_owned()),
        (
            json!({ "dice": 3 }),
            "dice: unknown field `dice`, expected one of `turn`, `blocks`, `hands`".to_owned(),
        ),
        (json!({ "turn": 0 }), format!("turn: {turn}")),
        (json!({ "turn": 5 }), format!("turn: {turn}")),
        (json!({ "turn": "2" }), "turn: invalid type: string \"2\", expected a whole number".to_owned()),
        (
            json!({ "turn": 1.5 }),
            "turn: invalid type: floating point `1.5`, expected a whole number".to_owned(),
        ),
        (json!({ "blocks": 1 }), "blocks: invalid type: integer `1`, expected an object".to_owned()),
        (json!({ "blocks": { "east": {} } }), format!("blocks.east: `east`: {side}")),
        (
            json!({ "blocks": { "north": [] } }),
            "blocks.north: invalid type: sequence, expected an object".to_owned(),
        ),
        (
            json!({ "blocks": { "north": { "5": "mill" } } }),
            "blocks.north.5: blocks are numbered 1 to 4".to_owned(),
        ),
        (
            json!({ "blocks": { "south": { "x": "mill" } } }),
            "blocks.south.x: blocks are numbered 1 to 4".to_owned(),
        ),
        (json!({ "blocks": { "north": { "1": "london" } } }), format!("blocks.north.1: `london`: {space}")),
        (
            json!({ "blocks": { "north": { "1": 4 } } }),
            "blocks.north.1: invalid type: integer `4`, expected text".to_owned(),
        ),
        (
            json!({ "blocks": { "north": { "1": "mill" }, "south": { "3": "mill" } } }),
            "blocks: one side a space: both are at mill".to_owned(),
        ),
        (
            json!({ "blocks": { "south": { "1": "lost", "2": "lost", "3": "lost", "4": "lost" } } }),
            "blocks: each side needs a block that is not lost".to_owned(),
        ),
        (json!({ "hands": "all" }), "hands: invalid type: string \"all\", expected an object".to_owned()),
        (json!({ "hands": { "west": [] } }), format!("hands.west: `west`: {side}")),
        (
            json!({ "hands": { "north": "fife" } }),
            "hands.north: invalid type: string \"fife\", expected a list".to_owned(),
        ),
        (json!({ "hands": { "north": ["fife", "pike"] } }), format!("hands.north[1]: `pike`: {card}")),
        (
            json!({ "hands": { "north": [7] } }),
            "hands.north[0]: invalid type: integer `7`, expected text".to_owned(),
        ),
        (
            json!({ "hands": { "north": ["fife"], "south": ["fife"] } }),
            format!("hands.south[0]: `fife`: {free}"),
        ),
        (json!({ "hands": { "north": ["fife", "fife"] } }), format!("hands.north[1]: `fife`: {free}")),
        (
            json!({ "hands": { "south": dusk } }),
            "hands: more cards of a stretch are held than come".to_owned(),
        ),
    ] {
        assert_eq!(Match::fault("skirmish", &position), expected, "{position}");
    }
}

#[test]
fn the_drill_takes_nothing_of_the_garrisons() {
    for (position, expected) in [
        (
            json!({ "blocks": { "south": { "1": "mill" } } }),
            "blocks.south.1: the drill's garrison stands at its posts",
        ),
        (json!({ "hands": { "south": ["fife"] } }), "hands.south: the garrison has no cards"),
        (json!({ "blocks": { "north": { "1": "heath" } } }), "blocks: one side a space: both are at heath"),
    ] {
        assert_eq!(Match::fault("drill", &position), expected, "{position}");
    }
}
