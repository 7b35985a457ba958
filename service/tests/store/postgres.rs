//! Faults of a database that no file has: another server, a connection that breaks, rows that change behind the store's back.

use std::sync::mpsc;
use std::sync::{Arc, Mutex};

use edgehill_service::entropy::SeededEntropy;
use edgehill_service::store::{
    Append, Appended, Error, Faults, MatchId, Moment, Page, PostgresOptions, PostgresServer, PostgresStore,
    Quarantine, RequestScope, SealingKey, SecretId, Shard, ShardSet, Store, StoreFilter, StoreHealth,
};

use crate::kit::{
    append, append_for, create, do_append, do_create, match_id, play, request, request_id, seat, volume,
    whole_log, written,
};
use crate::real_postgres::{database, postgres};

fn open(server: &PostgresServer) -> PostgresStore {
    PostgresStore::open(server, &PostgresOptions::default()).unwrap()
}

/// Tells of each batch's commit, and holds it until it is let go.
#[derive(Debug)]
struct Gate {
    come: Mutex<mpsc::Sender<usize>>,
    go: Mutex<mpsc::Receiver<()>>,
}

impl Faults for Gate {
    fn at(&self, moment: Moment) -> Result<(), String> {
        if let Moment::Commit { operations } = moment {
            let _ = self.come.lock().unwrap().send(operations);
            // When the test has let go of its end, nothing is held any more.
            let _ = self.go.lock().unwrap().recv();
        }
        Ok(())
    }
}

fn gated(server: &PostgresServer) -> (PostgresStore, mpsc::Receiver<usize>, mpsc::Sender<()>) {
    let ((come_in, come), (go, go_out)) = (mpsc::channel(), mpsc::channel());
    let gate = Gate { come: Mutex::new(come_in), go: Mutex::new(go_out) };
    let options = PostgresOptions { faults: Arc::new(gate), ..PostgresOptions::default() };
    (PostgresStore::open(server, &options).unwrap(), come, go)
}

/// Breaks every other connection to the database, as a machine does that dies: nothing is answered any more.
fn break_connections(address: &str) {
    let statement = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                     WHERE datname = current_database() AND pid <> pg_backend_pid()";
    postgres().unwrap().run(address, statement);
}

/// A match's name in a statement.
fn literal(id: MatchId) -> String {
    let digits: String = id.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("'\\x{digits}'::BYTEA")
}

#[tokio::test]
async fn what_waits_becomes_one_statement() {
    let Some((_, server)) = database() else { return };
    let (store, come, go) = gated(&server);
    let mut tickets = Vec::new();
    for number in 1..=4 {
        let ticket = store.create(create(match_id(number))).await.unwrap();
        come.recv().unwrap();
        go.send(()).unwrap();
        ticket.await.unwrap();
    }
    let before = store.stats();
    tickets.push(store.append(append(match_id(1), 0)).await.unwrap());
    assert_eq!(come.recv().unwrap(), 1, "the first does not wait for others");
    for number in 1..=4 {
        for expected in u64::from(number == 1)..30 {
            tickets.push(store.append(append(match_id(number), expected)).await.unwrap());
        }
    }
    go.send(()).unwrap();
    assert_eq!(come.recv().unwrap(), 119);
    go.send(()).unwrap();
    for ticket in tickets {
        assert!(matches!(ticket.await, Ok(Appended::Written(_))));
    }
    let after = store.stats();
    assert_eq!((after.transactions - before.transactions, after.appends - before.appends), (2, 120));
    drop(go);
    for number in 1..=4 {
        assert_eq!(whole_log(&store, match_id(number)).await, 30);
    }
}

#[tokio::test]
async fn who_was_overtaken_writes_nothing_and_says_so() {
    let Some((_, server)) = database() else { return };
    let first = open(&server);
    let id = play(&first, 1, 3).await;
    let second = open(&server);
    for attempt in 0..2 {
        let refused = do_append(&first, append(id, 3)).await.unwrap_err();
        assert_eq!(refused.reason(), "STORE_LOCKED", "attempt {attempt}");
    }
    assert_eq!(do_create(&first, create(match_id(2))).await.unwrap_err().reason(), "STORE_LOCKED");
    assert!(first.note_up(1).await.is_err());
    assert_eq!(*first.health().borrow(), StoreHealth::Lost);
    // Nor does it show what the other one writes.
    written(&second, append(id, 3)).await;
    assert_eq!(first.read(id, 0).await.unwrap_err().reason(), "STORE_UNAVAILABLE");
    assert_eq!(whole_log(&second, id).await, 4);
    assert_eq!(second.read(match_id(2), 0).await, Err(Error::NotFound(match_id(2))));
}

/// A batch that stood before its commit when it was overtaken does not get in behind.
#[tokio::test]
async fn a_batch_that_is_overtaken_on_its_way_is_none() {
    let Some((_, server)) = database() else { return };
    let (first, come, go) = gated(&server);
    let created = first.create(create(match_id(1))).await.unwrap();
    come.recv().unwrap();
    go.send(()).unwrap();
    created.await.unwrap();
    let ticket = first.append(append(match_id(1), 0)).await.unwrap();
    come.recv().unwrap();
    let second = open(&server);
    drop(go);
    assert_eq!(ticket.await.unwrap_err().reason(), "STORE_LOCKED");
    assert_eq!(whole_log(&second, match_id(1)).await, 0);
}

/// One that stands still in the midst of a transaction, as a server does that was suspended, keeps nobody from taking its shards over.
#[tokio::test]
async fn a_batch_that_stands_still_keeps_nobody_from_taking_over() {
    let Some((_, server)) = database() else { return };
    let (first, come, go) = gated(&server);
    let ticket = first.create(create(match_id(1))).await.unwrap();
    // Its rows are written, and it holds its shard.
    come.recv().unwrap();
    let second = open(&server);
    drop(go);
    assert!(ticket.await.is_err());
    assert_eq!(second.read(match_id(1), 0).await, Err(Error::NotFound(match_id(1))));
    do_create(&second, create(match_id(1))).await.unwrap();
}

#[tokio::test]
async fn a_broken_connection_loses_nothing_that_was_acknowledged_and_a_retry_is_done_once() {
    let Some((address, server)) = database() else { return };
    let (store, come, go) = gated(&server);
    let created = store.create(create(match_id(1))).await.unwrap();
    come.recv().unwrap();
    go.send(()).unwrap();
    created.await.unwrap();
    let asked = || append_for(match_id(1), 0, seat(0), request("r", "body"));
    let ticket = store.append(asked()).await.unwrap();
    come.recv().unwrap();
    break_connections(&address);
    drop(go);
    let broken = ticket.await.unwrap_err();
    assert!(broken.passes(), "{broken}");
    // It connects by itself, and goes on.
    let again = loop {
        match do_append(&store, asked()).await {
            Err(error) if error.passes() => {}
            ended => break ended.unwrap(),
        }
    };
    let at = match again {
        Appended::Written(at) => at,
        Appended::Repeated(stored) => stored.at,
    };
    assert_eq!(at.revision, 1);
    let scope = RequestScope::Match(match_id(1), seat(0));
    assert_eq!(store.request(scope, request_id("r")).await.unwrap().unwrap().at.revision, 1);
    assert_eq!(whole_log(&store, match_id(1)).await, 1);
    assert_eq!(*store.health().borrow(), StoreHealth::Writable);
}

/// Notes of each append how its commit waits, and warns of the first: as the database does of a commit that no longer waits for its
/// standbys.
const WATCH: &str = "
    CREATE TABLE seen (setting TEXT NOT NULL);
    CREATE FUNCTION watch() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
        IF NOT EXISTS (SELECT 1 FROM seen) THEN RAISE WARNING 'it waits no more'; END IF;
        INSERT INTO seen VALUES (current_setting('synchronous_commit'));
        RETURN NEW;
    END $$;
    CREATE TRIGGER watch AFTER INSERT ON appends FOR EACH ROW EXECUTE FUNCTION watch();
";

/// Fails unless every append that was noted waited for the disk, and some were.
const ALL_WAITED: &str = "DO $$ BEGIN
    IF EXISTS (SELECT 1 FROM seen WHERE setting <> 'on') OR NOT EXISTS (SELECT 1 FROM seen) THEN
        RAISE EXCEPTION 'one has not waited';
    END IF;
END $$";

#[tokio::test]
async fn a_commit_that_waits_no_more_is_unknown_and_each_waits_whatever_the_database_is_set_to() {
    let Some((address, server)) = database() else { return };
    let name = address.rsplit("dbname=").next().unwrap();
    postgres().unwrap().run(&address, &format!("ALTER DATABASE {name} SET synchronous_commit = off"));
    let store = open(&server);
    let id = play(&store, 1, 1).await;
    postgres().unwrap().run(&address, WATCH);
    let asked = || append_for(id, 1, seat(0), request("r", "body"));
    let unknown = do_append(&store, asked()).await.unwrap_err();
    assert_eq!(unknown.reason(), "STORE_OUTCOME_UNKNOWN", "{unknown}");
    // It was connected anew, and a commit was answered since: now it is known.
    let again = do_append(&store, asked()).await.unwrap();
    assert!(matches!(&again, Appended::Repeated(stored) if stored.at.revision == 2), "{again:?}");
    assert_eq!(*store.health().borrow(), StoreHealth::Writable);
    written(&store, append(id, 2)).await;
    postgres().unwrap().run(&address, ALL_WAITED);
}

/// Connections break again and again under load: what was acknowledged is there, once, and each log is whole.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_that_break_under_load_lose_and_double_nothing() {
    let Some((address, server)) = database() else { return };
    let store = Arc::new(open(&server));
    let (seats, rounds) = (8, volume(400));
    for number in 1..=seats {
        do_create(&*store, create(match_id(number))).await.unwrap();
    }
    let mut players = tokio::task::JoinSet::new();
    for number in 1..=seats {
        let store = Arc::clone(&store);
        players.spawn(async move {
            for expected in 0..rounds {
                let name = format!("r{expected}");
                let asked = || append_for(match_id(number), expected, seat(0), request(&name, "body"));
                loop {
                    match do_append(&*store, asked()).await {
                        Ok(_) => break,
                        Err(error) => assert!(error.passes(), "{error}"),
                    }
                    tokio::task::yield_now().await;
                }
            }
        });
    }
    let breaks = volume(100);
    for _ in 0..breaks {
        let address = address.clone();
        let before = store.stats().transactions;
        break_connections(&address);
        // As soon as it has written again, the next one.
        while store.stats().transactions == before && !players.is_empty() {
            tokio::task::yield_now().await;
            while players.try_join_next().is_some() {}
        }
    }
    while let Some(ended) = players.join_next().await {
        ended.unwrap();
    }
    for number in 1..=seats {
        assert_eq!(whole_log(&*store, match_id(number)).await, rounds);
    }
}

/// Has no room for appends while there is a row in `full`: as the database says it of its disk.
const FILL: &str = "
    CREATE TABLE full_disk (since TEXT);
    CREATE FUNCTION fill() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
        IF EXISTS (SELECT 1 FROM full_disk) THEN RAISE EXCEPTION 'no room' USING ERRCODE = '53100'; END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER fill BEFORE INSERT ON appends FOR EACH ROW EXECUTE FUNCTION fill();
";

/// Appends that are the whole transaction, and such as end one.
#[tokio::test]
async fn a_batch_that_the_database_refuses_leaves_nothing_and_the_next_one_succeeds() {
    let Some((address, server)) = database() else { return };
    let (store, come, go) = gated(&server);
    let store = Arc::new(store);
    let created = store.create(create(match_id(1))).await.unwrap();
    come.recv().unwrap();
    go.send(()).unwrap();
    created.await.unwrap();
    postgres().unwrap().run(&address, FILL);
    for (expected, with_secret) in [(0, false), (1, true)] {
        // All that comes while one is held is a batch.
        let held = tokio::spawn({
            let store = Arc::clone(&store);
            async move { store.note_up(1).await }
        });
        while come.try_recv().is_err() {
            tokio::task::yield_now().await;
        }
        postgres().unwrap().run(&address, "INSERT INTO full_disk VALUES ('now')");
        let kept = with_secret.then(|| {
            let store = Arc::clone(&store);
            let name = SecretId::new("seed").unwrap();
            let sealed = SealingKey::derive(&[1; 32]).seal(&name, &[1; 32], &SeededEntropy::new(1)).unwrap();
            tokio::spawn(async move { store.keep_secret(name, sealed).await })
        });
        while with_secret && store.stats().line_operations == 0 {
            tokio::task::yield_now().await;
        }
        let refused = store.append(append(match_id(1), expected)).await.unwrap();
        go.send(()).unwrap();
        held.await.unwrap().unwrap();
        assert_eq!(come.recv().unwrap(), 1 + usize::from(with_secret));
        go.send(()).unwrap();
        assert_eq!(refused.await.unwrap_err().reason(), "STORE_UNAVAILABLE");
        if let Some(kept) = kept {
            assert_eq!(kept.await.unwrap().unwrap_err().reason(), "STORE_UNAVAILABLE");
            assert_eq!(store.secret(SecretId::new("seed").unwrap()).await, Ok(None));
        }
        postgres().unwrap().run(&address, "DELETE FROM full_disk");
        let again = store.append(append(match_id(1), expected)).await.unwrap();
        come.recv().unwrap();
        go.send(()).unwrap();
        assert!(matches!(again.await, Ok(Appended::Written(at)) if at.revision == expected + 1));
    }
    drop(go);
    assert_eq!(whole_log(&*store, match_id(1)).await, 2);
}

#[tokio::test]
async fn a_match_that_was_closed_behind_its_back_takes_nothing() {
    let Some((address, server)) = database() else { return };
    let store = open(&server);
    let id = play(&store, 1, 2).await;
    let insert = format!("INSERT INTO quarantines VALUES ({}, 'LOOKED_AT', 'by hand', 7)", literal(id));
    postgres().unwrap().run(&address, &insert);
    let quarantine = Quarantine { reason: "LOOKED_AT".into(), detail: "by hand".into(), since_ms: 7 };
    assert_eq!(do_append(&store, append(id, 2)).await, Err(Error::Quarantined { id, quarantine }));
    store.release(id).await.unwrap();
    written(&store, append(id, 2)).await;
    assert_eq!(whole_log(&store, id).await, 3);
}

/// One of a batch whose match moved behind the store's back is refused, the others go on.
#[tokio::test]
async fn a_match_that_moved_behind_its_back_holds_up_no_other() {
    let Some((address, server)) = database() else { return };
    let (store, come, go) = gated(&server);
    for number in 1..=2 {
        let ticket = store.create(create(match_id(number))).await.unwrap();
        come.recv().unwrap();
        go.send(()).unwrap();
        ticket.await.unwrap();
    }
    let held = store.append(append(match_id(2), 0)).await.unwrap();
    come.recv().unwrap();
    let moved = store.append(append(match_id(1), 0)).await.unwrap();
    let other = store.append(append(match_id(2), 1)).await.unwrap();
    let row = format!("UPDATE matches SET revision = 5 WHERE id = {}", literal(match_id(1)));
    postgres().unwrap().run(&address, &row);
    drop(go);
    held.await.unwrap();
    // Its row is no longer what its checksum says.
    assert_eq!(moved.await.unwrap_err().reason(), "MATCH_QUARANTINED");
    assert!(matches!(other.await, Ok(Appended::Written(at)) if at.revision == 2));
    drop(come);
    assert_eq!(whole_log(&store, match_id(2)).await, 2);
    assert_eq!(store.stats().quarantined, 1);
}

#[tokio::test]
async fn rows_that_are_gone_or_changed_stop_their_match_alone() {
    for (change, reason) in [
        ("DELETE FROM appends WHERE revision = 2 AND match_id = ID", "APPEND_MISSING"),
        ("DELETE FROM appends WHERE revision = 3 AND match_id = ID", "APPEND_MISSING"),
        (
            "UPDATE appends SET envelope = envelope || '\\x00' WHERE revision = 1 AND match_id = ID",
            "APPEND_DAMAGED",
        ),
        (
            "UPDATE appends SET envelope = (SELECT envelope FROM appends WHERE revision = 2 AND match_id = ID) \
             WHERE revision = 1 AND match_id = ID",
            "APPEND_DISPLACED",
        ),
        ("UPDATE matches SET lengths = '\\x00' WHERE id = ID", "ROW_DAMAGED"),
        ("UPDATE overviews SET overview = '\\x00' WHERE match_id = ID", "ROW_DAMAGED"),
    ] {
        let Some((address, server)) = database() else { return };
        let store = open(&server);
        play(&store, 1, 3).await;
        play(&store, 2, 3).await;
        store.close().await;
        postgres().unwrap().run(&address, &change.replace("ID", &literal(match_id(1))));
        let store = open(&server);
        let refused = store.read(match_id(1), 0).await.unwrap_err();
        let Error::Quarantined { quarantine, .. } = refused else { panic!("{change}: {refused}") };
        assert_eq!(quarantine.reason, reason, "{change}");
        let report = store.fsck().await.unwrap();
        assert!(!report.is_sound() && report.matches[1].fault.is_none(), "{change}: {report:?}");
        assert_eq!(whole_log(&store, match_id(2)).await, 3);
        written(&store, append(match_id(2), 3)).await;
    }
}

/// Makes the first schema of the present one.
const TO_SCHEMA_1: &str = "
    DROP INDEX matches_by_shard;
    ALTER TABLE matches DROP COLUMN shard;
    DROP TABLE servers;
    ALTER TABLE shards DROP COLUMN server;
    UPDATE edgehill_schema SET version = 1
";

#[tokio::test]
async fn a_later_schema_is_refused_and_left_alone_and_an_earlier_one_is_brought_up_to_date() {
    let Some((address, server)) = database() else { return };
    let store = open(&server);
    let ids = [play(&store, 1, 1).await, play(&store, 2, 1).await, play(&store, 3, 1).await];
    store.close().await;
    postgres().unwrap().run(&address, "UPDATE edgehill_schema SET version = 99");
    let refused = PostgresStore::open(&server, &PostgresOptions::default()).unwrap_err();
    assert!(matches!(refused, Error::SchemaTooNew { found: 99, .. }), "{refused}");
    postgres().unwrap().run(&address, "UPDATE edgehill_schema SET version = version / 0 WHERE version <> 99");
    postgres().unwrap().run(&address, TO_SCHEMA_1);
    let store = open(&server);
    for id in ids {
        assert_eq!(whole_log(&store, id).await, 1);
        // Whoever takes its shard over looks for it there.
        let shard = [Shard::of(id)].into_iter().collect();
        assert_eq!(listed(&store, shard).await, [id]);
        assert!(!listed(&store, ShardSet::ALL.without(&shard)).await.contains(&id));
    }
}

/// The matches of shards, as the store lists them.
async fn listed(store: &PostgresStore, shards: ShardSet) -> Vec<MatchId> {
    let filter = StoreFilter { shards: Some(shards), ..StoreFilter::default() };
    let listing = store.list(filter, Page::FIRST).await.unwrap();
    listing.matches.iter().map(|listed| listed.id).collect()
}

#[tokio::test]
async fn tables_of_somebody_else_are_left_alone() {
    let Some((address, server)) = database() else { return };
    postgres().unwrap().run(&address, "CREATE TABLE matches (score INT4)");
    let refused = PostgresStore::open(&server, &PostgresOptions::default()).unwrap_err();
    assert_eq!(refused.reason(), "NOT_A_STORE");
    postgres().unwrap().run(&address, "INSERT INTO matches (score) VALUES (1)");
}

#[test]
fn a_database_that_is_not_there_is_named_without_its_password() {
    let server =
        PostgresServer::new("postgres://me:secret@127.0.0.1:1/edgehill", Some("secret"), None).unwrap();
    let refused = PostgresStore::open(&server, &PostgresOptions::default()).unwrap_err();
    let said = refused.to_string();
    assert!(said.contains("postgres://127.0.0.1:1/edgehill") && !said.contains("secret"), "{said}");
    assert!(!format!("{server:?}").contains("secret"));
    let refused = PostgresServer::new("postgres://127.0.0.1:port/x", None, None).unwrap_err();
    assert_eq!(refused.reason(), "STORE_OPEN");
}

/// A whole log of many appends is read, whatever was read before.
#[tokio::test]
async fn long_logs_are_read_and_looked_up_from_cold() {
    let Some((_, server)) = database() else { return };
    let store = open(&server);
    let id = match_id(1);
    do_create(&store, create(id)).await.unwrap();
    let mut tickets = Vec::new();
    for expected in 0..1_500 {
        let name = format!("r{expected}");
        tickets.push(store.append(append_for(id, expected, seat(1), request(&name, "b"))).await.unwrap());
    }
    for ticket in tickets {
        ticket.await.unwrap();
    }
    store.close().await;
    let store = open(&server);
    assert_eq!(whole_log(&store, id).await, 1_500);
    assert_eq!(store.read(id, 1_490).await.unwrap().records.len(), 11);
    let report = store.fsck().await.unwrap();
    assert!(report.is_sound() && report.matches[0].whole_to == Some(1_500), "{report:?}");
    let store = open(&server);
    let found = store.request(RequestScope::Match(id, seat(1)), request_id("r700")).await.unwrap().unwrap();
    assert_eq!(found.at.revision, 701);
    let again = append_for(id, 0, seat(1), request("r3", "b"));
    assert!(
        matches!(do_append(&store, again).await, Ok(Appended::Repeated(stored)) if stored.at.revision == 4)
    );
    let conflict = do_append(&store, Append { ..append(id, 7) }).await;
    assert_eq!(conflict, Err(Error::Conflict { current: 1_500 }));
}
