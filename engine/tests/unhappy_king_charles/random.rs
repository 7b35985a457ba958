//! Whole games at random, with each pair of options: they end within their bound, in every way that there is, and what the rulings say of
//! every node holds at every node.

use std::collections::BTreeMap;

use edgehill_engine::chance_source::sampled;
use edgehill_engine::event::Events;
use edgehill_engine::game::{Game, MatchResult, Node};
use edgehill_engine::games::unhappy_king_charles::UnhappyKing;
use edgehill_engine::setup::Setup;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::invariants::Watcher;
use crate::play::{Match, game};
use crate::volume::volume;
use crate::winning;

/// Random games that are played by the rules alone.
const GAMES: usize = 20_000;

/// The options, each with the value that it has not of itself.
const OPTIONS: [(&str, &str); 6] = [
    ("king-surrenders", "false"),
    ("cornish", "true"),
    ("random-desertion", "true"),
    ("manchester", "true"),
    ("laughter", "true"),
    ("lostwithiel", "true"),
];

/// The endings, by code and the returns of the Royalist, each with the test by number that reaches it.
const ENDINGS: [(&str, i32, fn()); 7] = [
    ("ascendancy", 1, winning::rule_w1_london_and_three_regions_win_for_the_royalist),
    ("both_short", 0, winning::rule_w6_both_may_fall_short),
    ("king_surrenders", -1, crate::surrender::rule_f9_the_king_inside_ends_the_match),
    ("points", -1, winning::rule_w3_twelve_points_are_parliaments),
    ("points", 1, winning::rule_w3_twelve_points_are_parliaments),
    ("power_base", -1, winning::rule_w2_who_falls_short_of_the_number_loses),
    ("power_base", 1, winning::rule_w2_who_falls_short_of_the_number_loses),
];

/// The setups of all pairs of options, and that of none.
fn setups() -> Vec<Setup> {
    let mut setups = vec![Match::setup("civil-war", &[])];
    for (index, &first) in OPTIONS.iter().enumerate() {
        setups.extend(OPTIONS[index + 1..].iter().map(|&second| Match::setup("civil-war", &[first, second])));
    }
    setups
}

/// How a game ended: its result, its Turn, the number of its actions and outcomes.
struct Played {
    result: MatchResult,
    turn: i32,
    steps: u32,
}

/// A random game.
fn play(game: &UnhappyKing, setup: &Setup, seed: u64) -> Played {
    let watcher = Watcher::new(game);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut state = game.start(setup);
    game.open(&mut state, &mut Events::silent());
    let (mut legal, mut steps) = (Vec::new(), 0);
    loop {
        watcher.assert_at(&state);
        match game.node(&state) {
            Node::Over => {
                let result = game.result(&state).expect("a game that is over has a result");
                return Played { result, turn: watcher.turn(&state), steps };
            }
            Node::Chance => {
                let outcome = sampled(&game.chance(&state), &mut rng);
                game.resolve(&mut state, &outcome, &mut Events::silent());
            }
            node => {
                let seat = node.to_act().iter().next().expect("somebody is to act");
                game.legal(&state, seat, &mut legal);
                assert!(!legal.is_empty(), "a dead end");
                let action = legal[(rng.next_u64() % legal.len() as u64) as usize];
                game.apply(&mut state, seat, action, &mut Events::silent());
            }
        }
        steps += 1;
        assert!(steps <= game.bound(setup), "it passes its bound");
    }
}

/// The table of endings by kind and Turn.
fn table(endings: &BTreeMap<(&str, i32), [u32; 11]>, longest: u32) -> String {
    let mut lines = vec![format!(
        "{:<22}{}   all",
        "ending",
        (1..=11).map(|turn| format!("{turn:>6}")).collect::<String>()
    )];
    for ((code, royalist), turns) in endings {
        let name = format!("{code} ({royalist:+})");
        let counts: String = turns.iter().map(|count| format!("{count:>6}")).collect();
        lines.push(format!("{name:<22}{counts}{:>6}", turns.iter().sum::<u32>()));
    }
    lines.push(format!("the longest: {longest} actions and outcomes"));
    lines.join("\n")
}

#[test]
fn random_games_keep_the_invariants_and_come_to_every_end() {
    let game = game();
    let setups = setups();
    let volume = volume(GAMES);
    let mut endings: BTreeMap<(&str, i32), [u32; 11]> = BTreeMap::new();
    let mut longest = 0;
    for case in 0..volume.cases {
        let (seed, setup) = (volume.seed.wrapping_add(case as u64), &setups[case % setups.len()]);
        let played = std::panic::catch_unwind(|| play(&game, setup, seed));
        let Ok(Played { result, turn, steps }) = played else {
            panic!("the game of seed {seed}, with the options of number {}", case % setups.len())
        };
        endings.entry((result.code, result.returns[0])).or_default()[turn as usize - 1] += 1;
        longest = longest.max(steps);
    }
    println!("{}", table(&endings, longest));
    for (code, royalist, reached) in ENDINGS {
        if endings.remove(&(code, royalist)).is_none() {
            reached();
        }
    }
    assert!(endings.is_empty(), "endings that the table does not know: {endings:?}");
}
