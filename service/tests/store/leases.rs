//! Servers that share a database: one owns it, until its lease is given back or has run out.

use std::sync::Arc;
use std::time::Duration;

use edgehill_service::clock::{Clock, ManualClock, SystemClock};
use edgehill_service::entropy::SeededEntropy;
use edgehill_service::store::{
    MatchId, Membership, PostgresOptions, PostgresServer, PostgresStore, Shard, ShardSet, Standing, Store,
};

use crate::kit::{append, match_id, play, whole_log};
use crate::real_postgres::{database, postgres, with_client};

const LEASE: Duration = Duration::from_secs(60);

fn member(server: &PostgresServer, address: &str, seed: u64) -> Membership {
    member_by(server, address, seed, &(Arc::new(SystemClock::new()) as _))
}

fn member_by(server: &PostgresServer, address: &str, seed: u64, clock: &Arc<dyn Clock>) -> Membership {
    Membership::join(server, address, LEASE, clock, &SeededEntropy::new(seed)).unwrap()
}

/// Has a server come to those that share the database, and waits until it has something.
async fn owns(member: &Membership) {
    member.enter().await;
    member.standing().wait_for(|standing| !standing.owned().is_empty()).await.unwrap();
}

fn owner(standing: &Standing, shard: Shard) -> Option<&str> {
    standing.owner(shard).map(|address| &**address)
}

#[tokio::test]
async fn of_servers_that_share_a_database_one_owns_it_until_it_leaves() {
    let Some((_, server)) = database() else { return };
    let first = member(&server, "http://first:7400", 1);
    owns(&first).await;
    let second = member(&server, "http://second:7400", 2);
    second.enter().await;
    let standing = second.look().await;
    assert_eq!(
        (owner(&standing, Shard::OF_STORE), standing.owned()),
        (Some("http://first:7400"), ShardSet::NONE)
    );
    // Nobody takes over without a lease from one that holds.
    let refused = PostgresStore::open(&server, &PostgresOptions::default());
    assert_eq!(refused.unwrap_err().reason(), "STORE_LOCKED");
    let store = PostgresStore::open_owned(&server, &PostgresOptions::default(), &first).unwrap();
    play(&store, 1, 1).await;
    store.close().await;
    first.leave().await;
    owns(&second).await;
    let store = PostgresStore::open_owned(&server, &PostgresOptions::default(), &second).unwrap();
    assert_eq!(whole_log(&store, match_id(1)).await, 1);
    let again = PostgresStore::open_owned(&server, &PostgresOptions::default(), &second);
    assert_eq!(again.unwrap_err().reason(), "STORE_LOCKED");
}

/// A lease that has run out is of no use to who had it, though nobody's clock was asked but the database's.
#[tokio::test]
async fn who_takes_a_lapsed_lease_over_is_the_owner_and_who_had_it_learns_that() {
    let Some((address, server)) = database() else { return };
    let first = member(&server, "http://first:7400", 1);
    owns(&first).await;
    let store = PostgresStore::open_owned(&server, &PostgresOptions::default(), &first).unwrap();
    let second = member(&server, "http://second:7400", 2);
    second.enter().await;
    let lapse = "UPDATE servers SET until = clock_timestamp() - INTERVAL '1 hour'";
    while second.look().await.owned().is_empty() {
        postgres().unwrap().run(&address, lapse);
    }
    assert!(first.look().await.is_overtaken);
    assert_eq!(store.note_up(1).await.unwrap_err().reason(), "STORE_LOCKED");
}

/// A database may let a claim wait for longer than a lease holds: it is a whole lease all the same.
#[tokio::test(flavor = "multi_thread")]
async fn a_lease_begins_when_nobody_is_in_its_way_any_more() {
    let Some((address, server)) = database() else { return };
    // It makes the tables.
    let first = member(&server, "http://first:7400", 1);
    owns(&first).await;
    first.leave().await;
    let clock = Arc::new(ManualClock::new(1_700_000_000_000));
    let waiting = "SELECT count(*)::TEXT FROM pg_stat_activity \
                   WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let second = Arc::new(member_by(&server, "http://second:7400", 2, &(Arc::clone(&clock) as _)));
    let (entering, runtime) = (Arc::clone(&second), tokio::runtime::Handle::current());
    let held = with_client(&address, |holder| {
        let mut holding = holder.transaction()?;
        holding.batch_execute("SELECT shard FROM shards FOR UPDATE")?;
        runtime.spawn(async move { entering.enter().await });
        while postgres().unwrap().text(&address, waiting).as_deref() != Some("1") {}
        clock.advance(LEASE * 2);
        holding.commit()
    });
    held.unwrap();
    owns(&second).await;
    assert_eq!(second.standing().borrow().remaining(clock.elapsed()), Some(LEASE));
}

/// The first match of these shards.
fn match_in(shards: &ShardSet) -> (u8, MatchId) {
    (1..=u8::MAX).map(|number| (number, match_id(number))).find(|(_, id)| shards.has(*id)).unwrap()
}

/// A server that comes gets its share, shard by shard; what was written is read there, and written on by whoever has it now, alone.
#[tokio::test]
async fn a_server_that_comes_is_handed_its_share() {
    let Some((_, server)) = database() else { return };
    let first = member(&server, "http://first:7400", 1);
    owns(&first).await;
    let one = PostgresStore::open_owned(&server, &PostgresOptions::default(), &first).unwrap();
    assert_eq!(first.look().await.owned(), ShardSet::ALL);
    let second = member(&server, "http://second:7400", 2);
    second.enter().await;
    let two = PostgresStore::open_owned(&server, &PostgresOptions::default(), &second).unwrap();
    let (moving, id) = match_in(&ShardSet::ALL);
    play(&one, moving, 1).await;
    let shard = Shard::of(id);
    second.look().await;
    let to = second.standing().borrow().id;
    assert!(first.hand_over(&[shard].into_iter().collect(), to).await);
    assert!(!first.hand_over(&[shard].into_iter().collect(), to).await, "it is not its own any more");
    for standing in [first.look().await, second.look().await] {
        assert_eq!(owner(&standing, shard), Some("http://second:7400"));
    }
    assert_eq!(second.look().await.owned(), [shard].into_iter().collect());
    assert_eq!(whole_log(&two, id).await, 1);
    let refused = one.append(append(id, 1)).await.unwrap().await.unwrap_err();
    assert_eq!(refused.reason(), "STORE_UNAVAILABLE");
    two.append(append(id, 1)).await.unwrap().await.unwrap();
    // The others go the same way, and what belongs to no match stays.
    let mut handed = 1;
    loop {
        let standing = first.look().await;
        let next = standing.owners.to_hand_over(standing.id);
        let Some((shard, to)) = next else { break };
        assert!(first.hand_over(&[shard].into_iter().collect(), to).await);
        handed += 1;
    }
    let standing = first.look().await;
    assert_eq!(
        (handed, standing.owned().len(), owner(&standing, Shard::OF_STORE)),
        (512, 512, Some("http://first:7400"))
    );
    let (number, stays) = match_in(&standing.owned());
    play(&one, number, 1).await;
    one.note_up(1).await.unwrap();
    assert_eq!(two.note_up(1).await.unwrap_err().reason(), "STORE_UNAVAILABLE");
    // Shards that their owner leaves are the other's.
    one.close().await;
    first.leave().await;
    second.standing().wait_for(|standing| standing.owned() == ShardSet::ALL).await.unwrap();
    assert_eq!(whole_log(&two, id).await, 2);
    two.append(append(stays, 1)).await.unwrap().await.unwrap();
}
