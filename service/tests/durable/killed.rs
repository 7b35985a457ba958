//! `kill -9` at any moment, under load: what a client was told stays so, and what it asked for happens once.
//!
//! 64 seats at 32 tables play match after match, by single calls and over streams, and two clients only make matches and
//! leave them. Each writes what it was told to a file, and flushes it, before it goes on. The server is killed after a number
//! of answers that the seed gives, and some loops later; when it has been started again, and before any client knows, all
//! matches are held against those files. Then clients repeat what was not answered. At the end the records are.

use std::sync::Arc;
use std::time::Duration;

use edgehill_engine::registry::Registry;
use edgehill_service::store::{PostgresStore, fsck};

use crate::line::Client;
use crate::lives::{fall, rise};
use crate::process::Running;
use crate::random::Random;
use crate::real_postgres::{database, postgres};
use crate::volume::volume;
use crate::world::{Place, World};
use crate::{check, table};

/// Kills of the full run.
const KILLS: usize = 60;
/// Kills of the full run on a database.
const DATABASE_KILLS: usize = 40;
const TABLES: usize = 32;
/// Clients that make matches and leave them.
const CORNERS: usize = 2;
/// The most answers between two kills.
const ANSWERS_MAX: usize = 2_400;
/// Number of the matches that were over before that are looked through after a kill, beside those that were not.
const OLD_MATCHES: usize = 16;

async fn client(running: &Running) -> Client {
    running.matches().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_was_answered_survives_kill_9_and_happens_once() {
    let world = survives(Place::Folder, KILLS).await;
    let report = fsck(world.store().join("edgehill.sqlite")).unwrap();
    assert!(report.is_sound(), "{report:?}");
}

/// The same in a database, which is killed after every other death of the server.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_was_answered_survives_kill_9_of_server_and_database() {
    let Some((address, server)) = tokio::task::block_in_place(database) else { return };
    survives(Place::Database(address), DATABASE_KILLS).await;
    let store = tokio::task::block_in_place(|| PostgresStore::open_to_read(&server)).unwrap();
    let report = store.fsck().await.unwrap();
    assert!(report.is_sound(), "{report:?}");
}

/// Has clients play while the server is killed so often, and looks whether all is there that was answered.
async fn survives(place: Place, kills: usize) -> Arc<World> {
    let volume = volume(kills);
    let mut random = Random::new(volume.seed);
    let world = World::new(place.clone(), Duration::ZERO);
    let mut running = tokio::task::block_in_place(|| rise(&world, &mut random));
    world.epochs.up(&running.address);
    let mut players = tokio::task::JoinSet::new();
    for number in 0..TABLES {
        players.spawn(table::play(Arc::clone(&world), number, volume.seed));
    }
    for number in TABLES..TABLES + CORNERS {
        players.spawn(table::come_and_go(Arc::clone(&world), number, volume.seed));
    }
    let mut looked_at = 0;
    for case in 0..volume.cases {
        let answers = if random.percent(20) { 0 } else { random.below(ANSWERS_MAX) };
        tokio::select! {
            () = fall(&world, running, answers as u64, random.below(200_000)) => {}
            Some(ended) = players.join_next() => panic!("a player ended: {ended:?}"),
        }
        running = tokio::task::block_in_place(|| {
            if matches!(place, Place::Database(_)) && case % 2 == 0 {
                postgres().unwrap().kill();
            }
            rise(&world, &mut random)
        });
        let mut client = client(&running).await;
        let all = world.all();
        for (index, played) in all.iter().enumerate() {
            let is_old = played.done.load(std::sync::atomic::Ordering::Relaxed);
            if !is_old || random.below(all.len()) < OLD_MATCHES || index + OLD_MATCHES >= all.len() {
                check::still_there(&mut client, played).await;
                looked_at += 1;
            }
        }
        world.epochs.up(&running.address);
    }
    world.stop();
    while let Some(ended) = players.join_next().await {
        ended.unwrap();
    }
    let mut client = client(&running).await;
    let registry = Registry::built_in().unwrap();
    for played in world.all() {
        check::still_there(&mut client, &played).await;
        check::recorded(&mut client, &played, &registry, &world).await;
    }
    check::listed(&mut client, &world).await;
    drop(client);
    let said = tokio::task::block_in_place(|| running.stop());
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let (matches, answers) = (world.all().len(), world.count());
    eprintln!("{} kills, {answers} answers, {matches} matches, {looked_at} looked through", volume.cases);
    assert!(matches > TABLES + CORNERS && answers > 1_000, "little happened");
    world
}
