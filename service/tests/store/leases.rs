//! Servers that share a database: one owns it, until its lease is given back or has run out.

use std::sync::Arc;
use std::time::Duration;

use edgehill_service::clock::{Clock, ManualClock, SystemClock};
use edgehill_service::entropy::SeededEntropy;
use edgehill_service::store::{
    MatchId, Membership, Page, PostgresOptions, PostgresServer, PostgresStore, Shard, ShardSet, Standing,
    Store, StoreFilter,
};

use crate::kit::{append, match_id, play, whole_log};
use crate::real_postgres::{database, postgres, with_client};

const LEASE: Duration = Duration::from_secs(60);

/// The number of connections to the database that wait for another one.
const WAITING: &str = "SELECT count(*)::TEXT FROM pg_stat_activity \
                       WHERE datname = current_database() AND wait_event_type = 'Lock'";

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

/// Whoever has fewer shards than their share is handed some by the others, but not who is about to hand over all of theirs.
#[tokio::test]
async fn who_is_to_stop_is_handed_nothing_and_claims_nothing() {
    let Some((address, server)) = database() else { return };
    let first = member(&server, "http://first:7400", 1);
    owns(&first).await;
    let second = member(&server, "http://second:7400", 2);
    second.enter().await;
    let standing = first.look().await;
    let (one, other) = (standing.id, second.look().await.id);
    assert_eq!(standing.owners.to_hand_over(one).map(|(_, to)| to), Some(other));
    second.withdraw().await;
    // Nor by one who has not heard of it.
    let shard: ShardSet = [Shard::new(1_000).unwrap()].into_iter().collect();
    assert!(!first.hand_over(&shard, other).await);
    let standing = first.look().await;
    assert_eq!((standing.owned(), standing.owners.least(one)), (ShardSet::ALL, None));
    assert_eq!(standing.owners.to_hand_over(one), None);
    // It is said again where it is not known any more.
    postgres().unwrap().run(&address, "UPDATE servers SET leaving = false");
    second.look().await;
    assert_eq!(first.look().await.owners.least(one), None);
    first.leave().await;
    assert_eq!(second.look().await.owned(), ShardSet::NONE);
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
    let second = Arc::new(member_by(&server, "http://second:7400", 2, &(Arc::clone(&clock) as _)));
    let (entering, runtime) = (Arc::clone(&second), tokio::runtime::Handle::current());
    let held = with_client(&address, |holder| {
        let mut holding = holder.transaction()?;
        holding.batch_execute("SELECT shard FROM shards FOR UPDATE")?;
        runtime.spawn(async move { entering.enter().await });
        while postgres().unwrap().text(&address, WAITING).as_deref() != Some("1") {}
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

/// Rows that a server of an earlier schema has made while it was replaced, more than are filled at once: each a match's, but for one, damaged.
const WITHOUT_SHARDS: &str = "
    UPDATE matches SET shard = NULL;
    INSERT INTO matches (id, game, scenario, revision, hash, status, open_seats, lengths, overview_hash, checksum)
    SELECT decode(lpad(to_hex(number), 32, '0'), 'hex'), game, scenario, revision, hash, status, open_seats, lengths,
        overview_hash, checksum
    FROM matches, generate_series(1000, 11000) AS number
";

#[tokio::test]
async fn who_claims_shards_finds_the_matches_that_a_server_of_an_earlier_schema_has_made() {
    let Some((address, server)) = database() else { return };
    let first = member(&server, "http://first:7400", 1);
    owns(&first).await;
    let store = PostgresStore::open_owned(&server, &PostgresOptions::default(), &first).unwrap();
    let id = play(&store, 1, 1).await;
    store.close().await;
    let second = member(&server, "http://second:7400", 2);
    // It has looked at the schema: from here on only the claim can find such rows.
    postgres().unwrap().run(&address, WITHOUT_SHARDS);
    first.leave().await;
    owns(&second).await;
    let without = "SELECT count(*)::TEXT FROM matches WHERE shard IS NULL";
    assert_eq!(postgres().unwrap().text(&address, without).as_deref(), Some("0"));
    let store = PostgresStore::open_owned(&server, &PostgresOptions::default(), &second).unwrap();
    let shards = Some([Shard::of(id)].into_iter().collect());
    let listing = store.list(StoreFilter { shards, ..StoreFilter::default() }, Page::FIRST).await.unwrap();
    assert_eq!(listing.matches.last().map(|listed| listed.id), Some(id));
    assert!(listing.matches.len() < 100, "a shard has its own matches alone");
}

/// Servers that start at once on an empty database: each is about to make the first table before any other one has.
#[tokio::test]
async fn servers_that_come_to_an_empty_database_at_once_all_come_up() {
    let Some((address, server)) = database() else { return };
    let names = ["http://first:7400", "http://second:7400", "http://third:7400", "http://fourth:7400"];
    let (server, mut members) = (&server, Vec::new());
    // As long as nobody knows whether this table will be there, all of them wait.
    with_client(&address, |holder| {
        let mut holding = holder.transaction()?;
        holding.batch_execute("CREATE TABLE edgehill_schema (held INT2)")?;
        std::thread::scope(|scope| {
            let joining: Vec<_> = (1..)
                .zip(names)
                .map(|(seed, name)| {
                    let join = move || member(server, name, seed);
                    std::thread::Builder::new().spawn_scoped(scope, join).unwrap()
                })
                .collect();
            while postgres().unwrap().text(&address, WAITING).as_deref() != Some("4") {
                assert!(!joining.iter().any(|joining| joining.is_finished()), "one has not waited");
            }
            holding.rollback()?;
            members.extend(joining.into_iter().map(|joining| joining.join().unwrap()));
            Ok(())
        })
    })
    .unwrap();
    owns(&members[0]).await;
    for member in &members[1..] {
        member.enter().await;
    }
    let stores: Vec<_> = members
        .iter()
        .map(|member| PostgresStore::open_owned(server, &PostgresOptions::default(), member).unwrap())
        .collect();
    let id = play(&stores[0], 1, 1).await;
    for (member, store) in members.iter().zip(&stores) {
        assert_eq!(member.look().await.owners.members().len(), names.len());
        assert_eq!(whole_log(store, id).await, 1);
    }
    let schema = "SELECT concat_ws(' ', (SELECT count(*) FROM edgehill_schema), (SELECT max(version) FROM edgehill_schema), \
                  (SELECT count(*) FROM shards))";
    let known = stores[0].fsck().await.unwrap().schema;
    assert_eq!(postgres().unwrap().text(&address, schema), Some(format!("1 {known} 1024")));
}
