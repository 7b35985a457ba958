//! Hosts of a database that take connections, or have some, and say nothing: as one that is suspended does, whose kernel goes on.

use edgehill_service::store::{Appended, PostgresOptions, PostgresServer, PostgresStore, Store};

use crate::kit::{append, append_for, do_append, play, request, seat, whole_log, written};
use crate::real_postgres::{postgres, postgres_apart};

/// A port of loopback on which connections are taken, and nothing is said; for as long as the listener is kept.
#[expect(clippy::disallowed_types, reason = "it listens, and never answers")]
fn silence() -> (std::net::TcpListener, u16) {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    (listener, port)
}

/// A port of loopback that leads to another one, but for the first connection, which is closed.
#[expect(clippy::disallowed_types, reason = "it is the way to a real server")]
fn late(to: u16) -> u16 {
    use std::net::{TcpListener, TcpStream};
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let pass_on = move || {
        for came in listener.incoming().skip(1).flatten() {
            let there = TcpStream::connect(("127.0.0.1", to)).unwrap();
            let ways = [(came.try_clone(), there.try_clone()), (Ok(there), Ok(came))];
            for (from, to) in ways {
                let (mut from, mut to) = (from.unwrap(), to.unwrap());
                let copy = move || std::io::copy(&mut from, &mut to);
                drop(std::thread::Builder::new().spawn(copy).unwrap());
            }
        }
    };
    drop(std::thread::Builder::new().spawn(pass_on).unwrap());
    port
}

/// The same database, of which the address names another host first.
fn behind(port: u16, address: &str) -> String {
    let hosts = address.replacen("host=", "host=127.0.0.1,", 1);
    hosts.replacen("port=", &format!("port={port},"), 1)
}

fn open(address: &str) -> PostgresStore {
    let server = PostgresServer::new(address, None, None).unwrap();
    PostgresStore::open(&server, &PostgresOptions::default()).unwrap()
}

#[tokio::test]
async fn a_host_that_says_nothing_keeps_nobody_from_another() {
    let Some(postgres) = postgres() else { return };
    let (_kept, port) = silence();
    let store = open(&behind(port, &postgres.database()));
    let id = play(&store, 1, 3).await;
    assert_eq!(whole_log(&store, id).await, 3);
    store.close().await;
}

#[tokio::test]
async fn a_host_that_refuses_is_asked_again_while_another_one_says_nothing() {
    let Some(postgres) = postgres() else { return };
    let (_kept, silent) = silence();
    let address = postgres.database();
    let value = |name: &str| address.split(' ').find_map(|part| part.strip_prefix(name)).unwrap();
    let port = late(value("port=").parse().unwrap());
    let store = open(&format!(
        "host=127.0.0.1,127.0.0.1 port={silent},{port} user={} dbname={}",
        value("user="),
        value("dbname=")
    ));
    let id = play(&store, 1, 3).await;
    assert_eq!(whole_log(&store, id).await, 3);
    store.close().await;
}

#[tokio::test]
async fn a_database_whose_hosts_all_say_nothing_is_named() {
    let (_kept, port) = silence();
    let address = format!("host=127.0.0.1 port={port} user=ada dbname=games connect_timeout=1");
    let server = PostgresServer::new(&address, None, None).unwrap();
    let error = PostgresStore::open(&server, &PostgresOptions::default()).unwrap_err();
    let expected = format!(
        "the store postgres://127.0.0.1:{port}/games can't be opened: no host has answered within 1s"
    );
    assert_eq!(error.to_string(), expected);
}

#[tokio::test]
async fn an_answer_that_does_not_come_is_given_up_and_what_was_asked_is_done_once() {
    let Some(postgres) = postgres_apart() else { return };
    let address = postgres.database();
    let store = open(&format!("{address} connect_timeout=1 tcp_user_timeout=1"));
    let id = play(&store, 1, 2).await;
    let asked = || append_for(id, 2, seat(0), request("r", "body"));
    let suspended = postgres.suspend(&address);
    let error = do_append(&store, asked()).await.unwrap_err();
    assert!(error.passes(), "{error}");
    // Nothing is read either, until it is known what there is.
    assert!(store.read(id, 0).await.unwrap_err().passes());
    drop(suspended);
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
    assert_eq!(at.revision, 3);
    assert_eq!(whole_log(&store, id).await, 3);
    written(&store, append(id, 3)).await;
    store.close().await;
}
