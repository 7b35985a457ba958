//! Positions that once told game and model apart: the rule, the position, what was chosen, rolled and drawn before; then it goes on
//! as it may.

use super::atlas::Atlas;
use super::random::Random;

const REGRESSIONS: &str = include_str!("../../data/this-war-without-an-enemy/oracle_regressions.txt");

/// Number of times that each is carried on at random.
const TIMES: u64 = 20;

#[test]
fn regressions_stay_settled() {
    let (game, atlas) = (super::game(), Atlas::load());
    let blocks = REGRESSIONS.split("\n\n").map(str::trim).filter(|block| !block.is_empty());
    let mut count = 0;
    for block in blocks {
        let lines: Vec<&str> = block.lines().filter(|line| !line.starts_with('#')).collect();
        let [position, script] = lines[..] else { panic!("a position and a line of choices: {block}") };
        let position = serde_json::from_str(position).expect("a position is JSON");
        for seed in 0..TIMES {
            let played = super::play(&game, &atlas, &position, script, Random::new(seed));
            played.unwrap_or_else(|fault| panic!("{fault}\n\n{block}"));
        }
        count += 1;
    }
    assert!(count >= 10, "only {count} regressions");
}
