//! Exact odds: the classes of a roll against every single roll.

use std::collections::BTreeMap;

use edgehill_engine::chance::{Chance, Outcome, all_rolls};
use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::event::Events;
use edgehill_engine::game::Game;
use serde_json::{Value, json};

use crate::interception::near_the_village;
use crate::play::{Match, NORTH, SOUTH, game};

/// The weight of each state that the dice at `table` can lead to, by `outcomes` with their weights.
fn weights<'a>(
    skirmish: &Match,
    outcomes: impl Iterator<Item = (&'a Outcome, u64)>,
) -> BTreeMap<Vec<u8>, u64> {
    let game = game();
    let mut weights = BTreeMap::new();
    for (outcome, weight) in outcomes {
        let mut state = skirmish.0.state().clone();
        game.resolve(&mut state, outcome, &mut Events::silent());
        *weights.entry(game.encoded(&state)).or_default() += weight;
    }
    weights
}

fn classes_are_exact(skirmish: &Match) -> usize {
    let Chance::Roll { dice, sides, .. } = game().chance(skirmish.0.state()) else { panic!("dice are due") };
    let rolls = all_rolls(dice, sides, 100_000).expect("few enough to try all");
    let classes = game().classes(skirmish.0.state());
    let weighed = |weight: &num_bigint::BigUint| u64::try_from(weight).expect("at most 6^6");
    let by_class = weights(skirmish, classes.iter().map(|class| (&class.outcome, weighed(&class.weight))));
    assert_eq!(by_class, weights(skirmish, rolls.iter().map(|roll| (roll, 1))));
    assert_eq!(by_class.len(), classes.len(), "each class is a result of its own");
    classes.len()
}

/// North's blocks at the bridge, the others in its camp, have marched against south's at the mill.
fn battle(north: &[u8], south: &[u8]) -> Match {
    let at = |blocks: &[u8], space: &str| -> Value {
        blocks
            .iter()
            .map(|block| (block.to_string(), Value::from(space)))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    let position = json!({
        "blocks": { "north": at(north, "bridge"), "south": at(south, "mill") },
        "hands": { "north": ["partisan"], "south": ["colours"] },
    });
    let mut battle = Match::acting_with(position, ChanceSource::Manual);
    let takes: String = north.iter().map(|block| format!("take north-{block}; ")).collect();
    battle.play(NORTH, &format!("march bridge mill; {takes}go"));
    battle
}

#[test]
fn the_classes_of_a_battle_are_exact() {
    let battles: [(&[u8], &[u8], usize); 7] = [
        (&[1], &[1], 4),
        (&[4], &[2], 4),
        // Hits beyond the blocks there are make no difference.
        (&[1, 2, 3, 4], &[1], 4),
        (&[2], &[1, 3, 4], 4),
        (&[1, 4], &[2, 3], 9),
        (&[2, 3, 4], &[1, 2, 4], 16),
        (&[1, 2, 3, 4], &[3, 4], 9),
    ];
    for (north, south, classes) in battles {
        assert_eq!(classes_are_exact(&battle(north, south)), classes, "{north:?} against {south:?}");
    }
}

#[test]
fn the_classes_of_an_attempt_are_exact() {
    let mut attempt = Match::acting_with(near_the_village(), ChanceSource::Manual);
    attempt.play(NORTH, "march bridge village; take north-1; go").play(SOUTH, "intercept mill");
    assert_eq!(classes_are_exact(&attempt), 2);
}

#[test]
fn the_odds_of_a_duel_are_known() {
    let duel = battle(&[4], &[1]);
    let classes = game().classes(duel.0.state());
    let weights: Vec<u64> =
        classes.iter().map(|class| u64::try_from(&class.weight).expect("small")).collect();
    assert_eq!(weights, [10, 2, 20, 4], "of 36: nobody hits, the 1 hits, the 4 hits, both do");
}
