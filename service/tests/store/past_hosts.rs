//! Hosts of a database that were away while another one took their place, and answer as if nothing had happened.

use edgehill_service::store::{Appended, Error, PostgresOptions, PostgresServer, PostgresStore, Store};

use crate::kit::{append, append_for, do_append, play, request, seat, whole_log};
use crate::real_postgres::{Postgres, postgres_apart};

/// Connections that are broken, and made anew.
const TIMES: u64 = 3;

/// Ends the connections to a host, but for its eldest.
const BREAK: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() \
     AND pid <> pg_backend_pid() AND backend_start > \
     (SELECT min(backend_start) FROM pg_stat_activity WHERE datname = current_database())";

/// The same with it.
const BREAK_ALL: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
     WHERE datname = current_database() AND pid <> pg_backend_pid()";

async fn open(address: &str, readers: usize) -> PostgresStore {
    let server = PostgresServer::new(address, None, None).unwrap();
    let options = PostgresOptions { readers, ..PostgresOptions::default() };
    tokio::task::block_in_place(|| PostgresStore::open(&server, &options)).unwrap()
}

/// A store whose address names two hosts that both take writes, the first of which has the past, with a match that only the second has; and
/// the address of that; `None` where PostgreSQL is not installed.
async fn beside_the_past() -> Option<(PostgresStore, [Postgres; 2], String)> {
    let hosts = [postgres_apart()?, postgres_apart()?];
    let [address, past] = [&hosts[0], &hosts[1]].map(|host| host.database_of("shared"));
    for at in [&past, &address, &address] {
        open(at, 1).await.close().await;
    }
    let value = |address: &str, name: &str| {
        address.split(' ').find_map(|part| part.strip_prefix(name).map(str::to_owned)).unwrap()
    };
    let both = |name| format!("{name}{},{}", value(&past, name), value(&address, name));
    let both = format!("{} {} user=edgehill dbname=shared tcp_user_timeout=2", both("host="), both("port="));
    let away = hosts[1].suspend(&past);
    let store = open(&both, 1).await;
    play(&store, 1, 2).await;
    drop(away);
    // The one with the past is always the first to answer.
    for slow in ["ALTER SYSTEM SET post_auth_delay = 1", "SELECT pg_reload_conf()"] {
        hosts[0].run(&address, slow);
    }
    Some((store, hosts, address))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_shows_the_past_is_not_read() {
    let Some((store, [host, _past], address)) = beside_the_past().await else { return };
    let id = crate::kit::match_id(1);
    for _ in 0..TIMES {
        host.run(&address, BREAK);
        assert_eq!(store.read(id, 0).await.unwrap().records.len(), 2);
    }
    store.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_shows_the_past_is_not_written_to_and_tells_nobody_that_they_were_overtaken() {
    let Some((store, [host, _past], address)) = beside_the_past().await else { return };
    let id = crate::kit::match_id(1);
    for time in 0..TIMES {
        host.run(&address, BREAK_ALL);
        let asked = || append_for(id, 2 + time, seat(0), request(&format!("{time}"), "body"));
        let done = loop {
            match do_append(&store, asked()).await {
                Err(error) if error.passes() => {}
                ended => break ended.unwrap(),
            }
        };
        let (Appended::Written(at) | Appended::Repeated(edgehill_service::store::Stored { at, .. })) = done;
        assert_eq!(at.revision, 3 + time);
    }
    assert_eq!(whole_log(&store, id).await, 2 + TIMES);
    assert!(matches!(do_append(&store, append(id, 0)).await, Err(Error::Conflict { .. })));
    store.close().await;
}
