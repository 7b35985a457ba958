//! Faults that the oracle found, each as a position of its own.

use serde_json::{Value, json};

use crate::play::at;

/// Goring and Maurice before Portsmouth, a Fortress of class 3, with a Siege marker.
fn before_portsmouth() -> Value {
    json!({
        "turn": "early-1643", "happened": ["standard"], "control": { "parliament": ["portsmouth"] },
        "generals": { "goring": "portsmouth", "prince-maurice": "under-goring" },
        "brigades": { "goring": ["wilmots", "stawells"], "prince-maurice": ["astleys"] },
        "sieges": { "portsmouth": { "marker": "siege", "value": 2 } },
        "hands": { "royalist": ["C01", "C02"], "parliament": ["C03", "C04"] },
        "first": "royalist", "activation": { "general": "goring", "card": 2 }
    })
}

/// 14.2, F4: with a Siege marker an Army does not move; the marker comes off for a Movement Point.
#[test]
fn rule_14_2_an_activation_within_a_siege_begins_under_the_marker() {
    let mut game = at(before_portsmouth(), "");
    assert!(game.offers("siege lift") && game.options("move").is_empty(), "{:?}", game.offered());
    game.act("siege lift");
    assert!(game.offers("move chichester") && !game.offers("siege lift"), "{:?}", game.offered());
}

/// 14.2, F5: a marker whose Army has become too small is gone at once and at no cost: nothing holds the Army there.
#[test]
fn rule_14_2_a_marker_that_lapses_holds_nobody() {
    let mut game = at(before_portsmouth(), "");
    game.act("leave prince-maurice");
    assert!(game.offers("move chichester") && !game.offers("siege lift"), "{:?}", game.offered());
}
