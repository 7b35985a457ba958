//! Worlds, each in a process of its own ([`run`]): what is random or tells the time in a process is driven by one seed.

use std::collections::VecDeque;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use crate::flaw::Flaw;

/// The beginning of the line that a world prints at its end.
const FIGURES: &str = "world ";

/// The variable that names the flaw of a world.
const FLAW: &str = "EDGEHILL_FLAW";

/// The world that this process was started for: its seed, and its flaw.
pub(crate) fn wanted() -> (u64, Option<Flaw>) {
    let seed = std::env::var("EDGEHILL_SEED").expect("EDGEHILL_SEED names the world");
    let flaw = std::env::var(FLAW).ok();
    (seed.parse().expect("EDGEHILL_SEED is a number"), flaw.as_deref().map(Flaw::named))
}

/// The figures of a world, or all that its process said.
pub(crate) fn run(seed: u64, flaw: Option<Flaw>) -> Result<String, String> {
    let mut command = Command::new(std::env::current_exe().expect("this test"));
    command.args(["--exact", "one_world", "--ignored", "--nocapture", "--test-threads=1"]);
    command.env("EDGEHILL_SEED", seed.to_string());
    if let Some(flaw) = flaw {
        command.env(FLAW, flaw.name());
    }
    let ran = command.output().expect("it starts");
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    match said.lines().find_map(|line| line.find(FIGURES).map(|at| line[at..].to_owned())) {
        Some(figures) if ran.status.success() => Ok(figures),
        _ => Err(format!("{said}{}", String::from_utf8_lossy(&ran.stderr))),
    }
}

/// The figures of worlds, as many at once as there are processors.
///
/// # Panics
/// If a promise is broken in one of them: says which, and how it is run again.
pub(crate) fn run_all(seeds: impl Iterator<Item = u64>) -> Vec<String> {
    let (left, figures) = (Mutex::new(seeds.collect::<VecDeque<_>>()), Mutex::new(Vec::new()));
    let next = || left.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..processors {
            scope.spawn(|| {
                while let Some(seed) = next() {
                    let ran = run(seed, None).unwrap_or_else(|said| panic!("{said}\n\n{}", repeat(seed)));
                    println!("{ran}");
                    figures.lock().unwrap_or_else(PoisonError::into_inner).push(ran);
                }
            });
        }
    });
    figures.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// The command that runs a world again.
fn repeat(seed: u64) -> String {
    format!(
        "a promise is broken in world {seed}; it is run again, with all that happens in it, by\n\
         EDGEHILL_SEED={seed} EDGEHILL_TRACE=1 cargo test --locked --workspace --test simulation -- --exact one_world --ignored \
         --nocapture"
    )
}

/// The sum of a number that the figures of worlds have before a word.
pub(crate) fn sum(figures: &[String], word: &str) -> u64 {
    let number = |line: &String| {
        let before = line.split(word).next()?;
        before.split(' ').rfind(|part| !part.is_empty())?.parse::<u64>().ok()
    };
    figures.iter().map(|line| number(line).expect("a number")).sum()
}
