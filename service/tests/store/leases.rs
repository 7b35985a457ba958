//! Servers that share a database: one owns it, until its lease is given back or has run out.

use std::sync::Arc;
use std::time::Duration;

use edgehill_service::clock::{Clock, ManualClock, SystemClock};
use edgehill_service::entropy::SeededEntropy;
use edgehill_service::store::{Membership, PostgresOptions, PostgresServer, PostgresStore, Standing, Store};

use crate::kit::{match_id, play, whole_log};
use crate::real_postgres::{database, postgres, with_client};

const LEASE: Duration = Duration::from_secs(60);

fn member(server: &PostgresServer, address: &str, seed: u64) -> Membership {
    member_by(server, address, seed, &(Arc::new(SystemClock::new()) as _))
}

fn member_by(server: &PostgresServer, address: &str, seed: u64, clock: &Arc<dyn Clock>) -> Membership {
    Membership::join(server, address, LEASE, clock, &SeededEntropy::new(seed)).unwrap()
}

async fn owns(member: &Membership) {
    let owns = |standing: &Standing| matches!(standing, Standing::Owns { .. });
    member.standing().wait_for(owns).await.unwrap();
}

#[tokio::test]
async fn of_servers_that_share_a_database_one_owns_it_until_it_leaves() {
    let Some((_, server)) = database() else { return };
    let first = member(&server, "http://first:7400", 1);
    owns(&first).await;
    let second = member(&server, "http://second:7400", 2);
    assert_eq!(second.look().await, Standing::Follows { owner: Some("http://first:7400".into()) });
    // Nobody takes over from a lease that holds, nor without one.
    for refused in [
        PostgresStore::open(&server, &PostgresOptions::default()),
        PostgresStore::open_owned(&server, &PostgresOptions::default(), &second),
    ] {
        assert_eq!(refused.unwrap_err().reason(), "STORE_LOCKED");
    }
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
    let lapse = "UPDATE servers SET until = clock_timestamp() - INTERVAL '1 hour'";
    while !matches!(second.look().await, Standing::Owns { .. }) {
        postgres().unwrap().run(&address, lapse);
    }
    assert_eq!(first.look().await, Standing::Overtaken);
    assert_eq!(store.note_up(1).await.unwrap_err().reason(), "STORE_LOCKED");
}

/// A database may let a claim wait for longer than a lease holds: it is a whole lease all the same.
#[tokio::test]
async fn a_lease_begins_when_nobody_is_in_its_way_any_more() {
    let Some((address, server)) = database() else { return };
    // It makes the tables.
    let first = member(&server, "http://first:7400", 1);
    owns(&first).await;
    first.leave().await;
    let clock = Arc::new(ManualClock::new(1_700_000_000_000));
    let waiting = "SELECT count(*)::TEXT FROM pg_stat_activity \
                   WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let second = with_client(&address, |holder| {
        let mut holding = holder.transaction()?;
        holding.batch_execute("SELECT shard FROM shards FOR UPDATE")?;
        let second = member_by(&server, "http://second:7400", 2, &(Arc::clone(&clock) as _));
        while postgres().unwrap().text(&address, waiting).as_deref() != Some("1") {}
        clock.advance(LEASE * 2);
        holding.commit()?;
        Ok(second)
    });
    let second = second.unwrap();
    owns(&second).await;
    assert_eq!(second.standing().borrow().remaining(clock.elapsed()), Some(LEASE));
}
