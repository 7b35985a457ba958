//! Described positions: what is refused, by field.

use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::table::Table;
use serde_json::{Value, json};

use crate::play::{acting, game, setup};

fn fault(position: &Value) -> String {
    let opened =
        Table::open_position(game(), setup("whole-war", &[]), position.clone(), ChanceSource::Manual);
    opened.err().map_or_else(|| "accepted".to_owned(), |error| error.to_string())
}

#[test]
fn faults_name_the_field_and_what_would_be_accepted() {
    for (changes, expected) in [
        (json!({ "colour": 1 }), "field colour"),
        (json!({ "zeal": 10 }), "field zeal: a whole number from 0 to 9 is expected"),
        (
            json!({ "tracks": { "ireland": 6 } }),
            "field tracks.ireland: a whole number from 0 to 5 is expected",
        ),
        (json!({ "tracks": { "wales": 1 } }), "field tracks.wales: one of ireland"),
        (json!({ "tracks": { "monarchy": 5, "parliament": 0 } }), "field tracks: monarchy and its opposite"),
        (
            json!({ "armies": { "scotland": { "area": 0 } } }),
            "field armies.scotland.area: a whole number from 1 to 5 is expected",
        ),
        (
            json!({ "armies": { "north": { "counter": "west" } } }),
            "field armies.north.counter: one of north is expected",
        ),
        (
            json!({ "fortresses": { "hull": ["king", 1] } }),
            "field fortresses.hull: one of parliament, royalist is expected",
        ),
        (
            json!({ "revolts": { "uprising": ["scotland", 1] } }),
            "field revolts.uprising: one of north, west is expected",
        ),
        (json!({ "available": ["2"] }), "field available: card 2 is no Achievement"),
        (json!({ "available": ["3", "5", "9", "17"] }), "field available: at most three"),
        (json!({ "current": "28" }), "field current: an Event card of the present war is expected"),
        (json!({ "holding": ["rupert"] }), "field holding: Named units of Parliament are expected"),
        (json!({ "removed": ["p-foot-1", "p-foot-1", "p-foot-1"] }), "field removed: no more of p-foot-1"),
        (json!({ "hand": ["psalms", "psalms"] }), "field hand: psalms is in another pile"),
        (json!({ "zeal_marker": "moon" }), "field zeal_marker: one of north"),
        (json!({ "at": "noon" }), "field at: unknown variant `noon`, expected one of `action`"),
        (json!({ "at": "battle" }), "field current: a card with a Battle is expected"),
        (json!({ "seen": ["27"] }), "field seen: the last card"),
    ] {
        let mut position = json!({ "at": "action", "current": "2" });
        crate::play::merge(&mut position, changes);
        let fault = fault(&position);
        assert!(fault.contains(expected), "{position}: {fault}");
    }
    assert!(fault(&json!({ "at": "action" })).contains("field current"));
    assert!(fault(&json!([])).contains("an object is expected"));
}

#[test]
fn a_position_is_the_set_up_with_what_it_names_changed() {
    let turn = acting(
        json!({ "zeal": 2, "drm": { "ireland": -1 }, "zeal_marker": "west", "recovery": ["rupert"] }),
        "",
    );
    assert_eq!(
        (turn.zeal(), turn.on_track("ireland", "drm"), turn.on_piece("west", "zeal-marker")),
        (2, -1, 1)
    );
    assert_eq!((turn.place("rupert"), turn.army("north")), ("recovery".into(), "5".into()));
}
