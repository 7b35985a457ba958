//! The worked examples of the rulebook, and small constructed ones, as positions, actions and a script that is used up.
//!
//! Each test takes what is given and what is expected from engine/tests/data/unhappy-king-charles/worked_examples.json. Examples that rest on
//! reconstructed lines of the map say so (`map_basis`), and their tests ask for it.

mod armies;
mod cards;
mod control;
mod desertion;
mod sieges;

use serde_json::Value;

const EXAMPLES: &str = include_str!("../../data/unhappy-king-charles/worked_examples.json");

/// The example of an id.
fn example(id: &str) -> Value {
    let file: Value = serde_json::from_str(EXAMPLES).expect("the examples are JSON");
    let all = file["examples"].as_array().expect("there are examples");
    all.iter()
        .find(|example| example["id"] == id)
        .unwrap_or_else(|| panic!("there is no example {id}"))
        .clone()
}

/// Returns what an example expects.
fn expected(id: &str) -> Value {
    example(id)["expected"].clone()
}

/// Asserts that an example rests on reconstructed lines: another map may tell it otherwise.
fn rests_on_reconstructed_lines(id: &str) {
    let basis = example(id)["map_basis"].clone();
    assert!(
        basis
            .as_str()
            .is_some_and(|basis| basis.contains("reconstructed") || basis.contains("this dossier's map")),
        "{id}: {basis}"
    );
}

/// The number of an expected field.
fn number(value: &Value) -> usize {
    value.as_u64().unwrap_or_else(|| panic!("{value} is a number")) as usize
}
