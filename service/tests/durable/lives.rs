//! The lives of the server: how it is started ([`rise`]) and killed ([`fall`]).

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::process::{self, Running, start};
use crate::random::Random;
use crate::world::World;

/// Starts the server, sometimes after it was killed while it started.
pub(crate) fn rise(world: &World, random: &mut Random) -> Running {
    let variables = world.variables();
    let variables: Vec<(&str, &str)> = variables.iter().map(|(name, value)| (*name, &**value)).collect();
    for _ in 0..random.below(3) {
        let mut command = process::command(&["--listen", "127.0.0.1:0"], &variables);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        // So far that it has said so many lines: before it opens the store, with it open, or about to listen.
        let said = BufReader::new(child.stderr.take().unwrap());
        for line in said.lines().take(random.below(4)) {
            line.unwrap();
        }
        for _ in 0..random.below(200_000) {
            std::hint::spin_loop();
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    start(&[], &variables)
}

/// Kills the server after so many answers and loops.
pub(crate) async fn fall(world: &World, running: Running, answers: u64, loops: usize) {
    world.after(answers).await;
    for _ in 0..loops {
        std::hint::spin_loop();
    }
    world.epochs.down();
    let said = tokio::task::block_in_place(|| {
        running.signal("KILL");
        running.wait()
    });
    assert_eq!(said.code, None, "{}", said.stderr);
    assert!(!said.panicked(), "{}", said.stderr);
}
