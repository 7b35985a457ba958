//! Matches that are timed or wait, at whichever server has them: each thing happens at its moment and once, though nobody asks for the match there: after
//! a start, where its shard has gone to another server, and where nobody had it for a while.

use std::sync::Arc;
use std::time::Duration;

use edgehill_proto::v1::{self, MatchStatus};
use edgehill_service::clock::{Clock, ManualClock};
use edgehill_service::store::{MemoryStore, Quarantine, ShardSet, Store};

use crate::clocks::{START_MS, clocked, limited, manual};
use crate::groups::{pair, sit};
use crate::kit::{HasMatch, Seated, by, soon, timestamp};
use crate::revealing::{bound, request, reveal};
use crate::running::{Client, File, Running, Start};
use crate::shards::move_all;

/// The time for which nobody has the shards, if it is not nothing.
const GONE: [Duration; 2] = [Duration::ZERO, Duration::from_secs(1_000)];

/// Two servers on one store, the first of which has all shards.
struct Pair {
    clock: Arc<ManualClock>,
    first: Running,
    second: Running,
}

impl Pair {
    async fn start() -> Self {
        let (clock, store) = (manual(), Arc::new(MemoryStore::new()) as Arc<dyn Store>);
        let start = || Start { clock: clock.clone(), ..Start::on(store.clone()) };
        let first = start().run().await;
        let second = Start { shards: ShardSet::NONE, ..start() }.run().await;
        Self { clock, first, second }
    }

    /// All shards go to the second server; nobody has them for so long, if that is not nothing. Returns a client of it.
    async fn move_all(&self, gone: Duration) -> Client {
        if gone.is_zero() {
            move_all(&self.first, &self.second).await;
        } else {
            let (all, since) = (self.first.host.shards(), self.clock.elapsed());
            self.first.host.let_go(&all).await;
            self.clock.advance(gone);
            self.second.host.take(&all, Some(since)).await.unwrap();
        }
        assert_eq!(self.second.host.loaded_matches(), 0);
        self.second.client().await
    }
}

/// Waits until a match stands so, by the list, which brings none into memory.
async fn until(client: &mut Client, id: &str, status: MatchStatus) -> v1::MatchState {
    soon(async {
        loop {
            let state = listed(client, id).await;
            if state.status() == status {
                return state;
            }
            tokio::task::yield_now().await;
        }
    })
    .await
}

async fn listed(client: &mut Client, id: &str) -> v1::MatchState {
    let list = client.list_matches(v1::ListMatchesRequest::default()).await.unwrap().into_inner();
    let of_match = |found: &&v1::Match| found.config.as_ref().is_some_and(|config| config.match_id == id);
    list.matches.iter().find(of_match).expect("it is listed").state.clone().expect("a state")
}

#[tokio::test]
async fn a_clock_runs_out_at_the_server_that_has_the_match_by_then() {
    for gone in GONE {
        let servers = Pair::start().await;
        let seated = Seated::of(&mut servers.first.client().await, clocked(limited(10))).await;
        servers.clock.advance(Duration::from_secs(4));
        let mut client = servers.move_all(gone).await;
        servers.clock.advance(Duration::from_millis(5_999));
        assert_eq!(listed(&mut client, &seated.id).await.status(), MatchStatus::Running);
        servers.clock.advance(Duration::from_millis(1));
        let over = until(&mut client, &seated.id, MatchStatus::Finished).await;
        assert_eq!(over.end_time, Some(timestamp(START_MS + 10_000 + gone.as_millis() as u64)));
    }
}

#[tokio::test]
async fn a_clock_that_is_elsewhere_runs_out_nowhere_else() {
    let servers = Pair::start().await;
    let seated = Seated::of(&mut servers.first.client().await, clocked(limited(10))).await;
    // The second server has it for a moment, and gives it back.
    let mut client = servers.move_all(Duration::ZERO).await;
    move_all(&servers.second, &servers.first).await;
    servers.clock.advance(Duration::from_secs(10));
    until(&mut client, &seated.id, MatchStatus::Finished).await;
    assert_eq!(servers.second.host.loaded_matches(), 0, "nobody there has looked at it");
}

#[tokio::test]
async fn whoever_does_not_reveal_in_time_forfeits_at_the_server_that_has_the_match_by_then() {
    for gone in GONE {
        let servers = Pair::start().await;
        let mut here = servers.first.client().await;
        let id = here.create_match(request("r")).await.unwrap().into_inner().id();
        // The time begins when all have joined.
        servers.clock.advance(Duration::from_secs(100));
        for seat in [0, 1] {
            let joined = here.join_match(bound(&id, seat, 1 + seat as u8)).await.unwrap().into_inner();
            if seat == 1 {
                here.reveal_entropy(by(&joined.seat_token, reveal(&id, "e", 2))).await.unwrap();
            }
        }
        servers.clock.advance(Duration::from_secs(200));
        let mut client = servers.move_all(gone).await;
        servers.clock.advance(Duration::from_millis(399_999));
        assert_eq!(listed(&mut client, &id).await.status(), MatchStatus::Revealing);
        servers.clock.advance(Duration::from_millis(1));
        let over = until(&mut client, &id, MatchStatus::Finished).await;
        assert_eq!(over.end_time, Some(timestamp(START_MS + 700_000 + gone.as_millis() as u64)));
        assert_eq!(over.result.unwrap().returns, [-1, 1]);
    }
}

#[tokio::test]
async fn time_to_reveal_runs_out_though_nobody_has_asked_for_the_match_since_the_start() {
    let (clock, file) = (manual(), File::new());
    let start = || Start { clock: clock.clone(), ..Start::on(file.open()) };
    let running = start().run().await;
    let mut client = running.client().await;
    let id = client.create_match(request("r")).await.unwrap().into_inner().id();
    for seat in [0, 1] {
        client.join_match(bound(&id, seat, 1 + seat as u8)).await.unwrap();
    }
    running.close().await;
    let running = start().run().await;
    let mut client = running.client().await;
    clock.advance(Duration::from_secs(600));
    let over = until(&mut client, &id, MatchStatus::Finished).await;
    assert_eq!(over.result.unwrap().returns, [0, 0]);
}

/// All seats of a group's matches may be taken when their server goes, before it could begin them.
#[tokio::test]
async fn a_group_that_is_full_begins_at_the_server_that_takes_it() {
    let servers = Pair::start().await;
    let mut here = servers.first.client().await;
    let matches = pair(&mut here, "g").await;
    for (id, seats) in matches.iter().zip([2, 1]) {
        for seat in 0..seats {
            sit(&mut here, id, seat, 0).await;
        }
    }
    // The group is held back, and no longer by the time that another server has it.
    let stopped = matches[0].parse().unwrap();
    let why = Quarantine { reason: "OPERATOR".into(), detail: "for the test".into(), since_ms: 1 };
    servers.first.store.quarantine(stopped, why).await.unwrap();
    sit(&mut here, &matches[1], 1, 0).await;
    servers.first.store.release(stopped).await.unwrap();
    let mut client = servers.move_all(Duration::ZERO).await;
    for id in &matches {
        until(&mut client, id, MatchStatus::Running).await;
    }
}
