//! The time that one month of English Civil War IIa takes to adjudicate, on boards of the game's size, and a
//! checksum of the results, so that two builds are known to have adjudicated the same months.
//!
//! `cargo bench -p edgehill-engine --bench iia_adjudicate`

#[path = "../tests/english_civil_war_iia/oracle/generate.rs"]
mod generate;
#[path = "../tests/english_civil_war_iia/oracle/position.rs"]
mod position;
#[path = "../tests/support/random.rs"]
mod random;

use std::hint::black_box;

use edgehill_engine::games::english_civil_war_iia::adjudicator::*;

use generate::Scale;
use random::Random;

/// Number of different months.
const MONTHS: usize = 2_000;
/// Number of times that each is adjudicated.
const ROUNDS: usize = 50;

/// Nanoseconds of one of `count` runs.
#[expect(clippy::disallowed_types, reason = "a benchmark needs a clock, the engine has none")]
fn time(count: usize, run: impl FnOnce()) -> u128 {
    let start = std::time::Instant::now();
    run();
    start.elapsed().as_nanos() / count as u128
}

fn main() {
    let mut random = Random::new(1643);
    let scale = Scale { spaces: (44, 44), crowded: 50, leaders: 8 };
    let cases: Vec<position::Case> = (0..MONTHS).map(|_| generate::position(&mut random, scale)).collect();
    let boards: Vec<Board> = cases.iter().map(position::Case::board).collect();
    let positions: Vec<Position> = cases.iter().map(position::Case::position).collect();
    let write = |index: usize| {
        let sequence: Vec<usize> = (0..cases[index].orders.len()).collect();
        cases[index].orders(&positions[index], &sequence)
    };
    let sheets: Vec<Orders> = (0..MONTHS).map(write).collect();
    let parts: usize = sheets.iter().map(|orders| orders.parts().len()).sum();

    let mut checksum = 0u64;
    for (case, orders) in cases.iter().zip(&sheets) {
        for (part, result) in orders.parts().iter().zip(&case.adjudicate(orders).results) {
            let start = part.space.index() as u64;
            let word = result.to_string().bytes().fold(start, |hash, byte| hash * 31 + u64::from(byte));
            checksum = checksum.rotate_left(5) ^ word;
        }
    }
    let adjudicating = time(MONTHS * ROUNDS, || {
        for _ in 0..ROUNDS {
            for (board, orders) in boards.iter().zip(&sheets) {
                black_box(&Month::new(board, Rules::default()).adjudicate(black_box(orders)));
            }
        }
    });
    let writing = time(MONTHS * ROUNDS, || {
        for _ in 0..ROUNDS {
            for index in 0..MONTHS {
                black_box(&write(index));
            }
        }
    });
    println!("{MONTHS} months on 44 spaces, {} parts each on average", parts / MONTHS);
    println!("adjudication: {adjudicating} ns a month; writing the orders: {writing} ns a month");
    println!("checksum of the results: {checksum:016x}");
}
