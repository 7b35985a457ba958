//! Whatever the rules name comes up: in matches by bots over all scenarios and pairs of options, or in the test that is named.
//! The test prints what was met how often as a table.

mod facts;
mod rows;

use edgehill_engine::game::Game;
use edgehill_engine::laws::{Care, Habits, Law, Laws, Run, RunDice, Walk};
use edgehill_engine::setup::Setup;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::play::{game, setup};
use facts::{Met, matched};

/// Matches that are watched beside those with all options.
const MATCHES: u64 = 480;

const OPTIONS: [(&str, [&str; 2]); 8] = [
    ("numerical-order", ["false", "true"]),
    ("licensing-cost", ["2", "3"]),
    ("fortify-limit", ["false", "true"]),
    ("limited-reconnaissance", ["false", "true"]),
    ("catholic-league", ["false", "true"]),
    ("quick-combat", ["false", "true"]),
    ("english-settlers", ["false", "true"]),
    ("hot-iron", ["false", "true"]),
];
pub(crate) const SCENARIOS: [&str; 6] =
    ["whole-war", "first", "second", "third", "first-second", "second-third"];

/// Rows in which each two options take each of their four pairs of values (an orthogonal array of strength 2).
fn pairwise() -> Vec<u8> {
    let bit = |row: u8, column: u8| -> u8 {
        (0..4).map(|k| (row >> k & 1) & (column >> k & 1)).fold(0, |a, b| a ^ b)
    };
    (0..16).map(|row| (0..8).fold(0, |set, option| set | bit(row, option + 1) << option)).collect()
}

/// A scenario with the options that the bits of `row` say.
pub(crate) fn with_options(scenario: &str, row: u8) -> Setup {
    let chosen: Vec<(&str, &str)> = OPTIONS
        .iter()
        .enumerate()
        .map(|(index, (id, values))| (*id, values[usize::from(row >> index & 1)]))
        .collect();
    setup(scenario, &chosen)
}

#[test]
fn the_rows_have_every_pair() {
    let rows = pairwise();
    for one in 0..8 {
        for other in 0..one {
            for pair in 0..4u8 {
                let has = |row: &u8| (row >> one & 1) * 2 + (row >> other & 1) == pair;
                assert!(rows.iter().any(has), "options {one} and {other}, pair {pair}");
            }
        }
    }
}

/// Every scenario with every pair of options keeps the laws.
#[test]
fn every_scenario_and_pair_of_options_keeps_the_laws() {
    let laws = Laws::ALL.without(Law::Golden);
    for (index, scenario) in SCENARIOS.into_iter().enumerate() {
        for (place, row) in pairwise().into_iter().enumerate() {
            // All rows with two scenarios, half of them with the others.
            if index > 1 && place % 2 != index % 2 {
                continue;
            }
            let seed = (index * 16 + place) as u64;
            let mut source = ChaCha8Rng::seed_from_u64(seed);
            let run = Run::new(with_options(scenario, row), RunDice::Dice(seed));
            let mut walk = Walk::open(&game(), run, seed, laws, Care::Sampled)
                .unwrap_or_else(|failure| panic!("{}", failure.report(game().catalogue())));
            let habits = Habits::draw(&mut source).expect("a generator never ends");
            loop {
                let next = walk
                    .next(&habits, &mut source)
                    .unwrap_or_else(|failure| panic!("{}", failure.report(game().catalogue())));
                let Some(call) = next else { break };
                if let Err(failure) = walk.call(call) {
                    panic!("{}", failure.report(game().catalogue()));
                }
            }
            walk.finish().unwrap_or_else(|failure| panic!("{}", failure.report(game().catalogue())));
        }
    }
}

/// Returns the facts that many matches show: all scenarios, all pairs of options, and all options at once;
/// three in four by the house bot.
fn met() -> Met {
    let mut met = Met::new();
    for seed in 0..MATCHES {
        let scenario = SCENARIOS[(seed / 16 % 6) as usize];
        matched(with_options(scenario, pairwise()[(seed % 16) as usize]), seed % 4 == 0, seed, &mut met);
    }
    for (seed, scenario) in (MATCHES..).zip(SCENARIOS) {
        matched(with_options(scenario, u8::MAX), false, seed, &mut met);
    }
    met
}

#[test]
fn everything_on_the_checklist_comes_up() {
    let met = met();
    let mut missing = Vec::new();
    println!("{:<18} {:<64} {:>7}", "group", "item", "times");
    for row in rows::all() {
        let (times, script) = row.times(&met);
        println!("{:<18} {:<64} {times:>7} {script}", row.group, row.what);
        if times == 0 {
            missing.push(format!("{}: {}", row.group, row.what));
        }
    }
    assert!(missing.is_empty(), "never met: {missing:#?}");
}
