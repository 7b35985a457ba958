//! Honest players beside a [`swarm`](crate::swarm) of hostile clients.

use crate::swarm;
use crate::volume::{is_full, volume};

/// Lives of the server: in full together 40 minutes, so that the hour has room for the check of all records by replay; otherwise a minute.
const LIVES_IN_FULL: usize = 120;
const LIVES: usize = 3;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn honest_players_play_on_beside_a_swarm() {
    let lives = if is_full() { LIVES_IN_FULL } else { LIVES };
    eprintln!("{}", swarm::play(lives, volume(LIVES_IN_FULL).seed).await);
}
