//! Bots on a wire that breaks, and on a server that is killed: nothing is lost, and nothing happens twice.

use std::net::SocketAddr;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use edgehill_client::bot::{ClientBot, RandomBot, Turn, run_bots};
use edgehill_client::{Client, GameCatalog, Options, RetryPolicy, SeatHandle};

use crate::TestServer;
use crate::course::Course;
use crate::flaky::Flaky;
use crate::table::seated;

/// Bots that play the same match each time.
fn bots(game: &GameCatalog, taken: &[SeatHandle]) -> Vec<(String, RandomBot)> {
    let bot = |(number, seat): (usize, &SeatHandle)| {
        (seat.token().to_owned(), RandomBot::new(game, number as u32, 77))
    };
    taken.iter().enumerate().map(bot).collect()
}

/// A client that loses no time before it tries again.
fn client(address: SocketAddr) -> Client {
    let pause = Duration::from_millis(1);
    let retry_policy = RetryPolicy { pause_min: pause, pause_max: pause * 8, ..RetryPolicy::default() };
    Client::with(Options::new(format!("http://{address}")).retry_policy(retry_policy)).expect("an address")
}

async fn course(client: &Client, match_id: &str) -> Course {
    Course::of(&client.matches().record(match_id).await.expect("a record").text)
}

#[tokio::test]
async fn a_match_on_a_wire_that_breaks_is_the_same_match() {
    let server = TestServer::start();
    let good = Client::connect(server.url()).await.expect("it is there");
    let game = good.catalog().game("skirmish").await.expect("a game");
    let (id, taken) = seated(&good, "skirmish", 2, 9).await;
    run_bots(&good, bots(&game, &taken)).await.expect("played");
    let undisturbed = course(&good, &id).await;
    assert!(undisturbed.len() > 20);
    for messages in [4, 6, 11] {
        let (id, taken) = seated(&good, "skirmish", 2, 9).await;
        let flaky = Flaky::before(Arc::new(Mutex::new(server.address())), messages).await;
        run_bots(&client(flaky.address), bots(&game, &taken)).await.expect("played");
        assert!(flaky.connections.load(Ordering::Relaxed) > 3, "the wire has to break");
        assert_eq!(course(&good, &id).await, undisturbed);
    }
}

/// A bot that kills the server before some of its choices.
struct Killer {
    random: RandomBot,
    choices: usize,
    server: Arc<Mutex<TestServer>>,
    address: Arc<Mutex<SocketAddr>>,
}

impl ClientBot for Killer {
    fn looks(&self) -> bool {
        false
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Vec<u32> {
        self.choices += 1;
        if self.choices % 4 == 2 && self.choices < 16 {
            let mut server = self.server.lock().expect("no test has failed");
            server.kill_and_start_again();
            *self.address.lock().expect("no test has failed") = server.address();
        }
        self.random.choose(turn)
    }
}

#[tokio::test]
async fn a_match_on_a_server_that_is_killed_is_the_same_match() {
    let server = TestServer::start();
    let good = Client::connect(server.url()).await.expect("it is there");
    let game = good.catalog().game("skirmish").await.expect("a game");
    let (id, taken) = seated(&good, "skirmish", 2, 9).await;
    run_bots(&good, bots(&game, &taken)).await.expect("played");
    let undisturbed = course(&good, &id).await;

    let (id, taken) = seated(&good, "skirmish", 2, 9).await;
    let address = Arc::new(Mutex::new(server.address()));
    let server = Arc::new(Mutex::new(server));
    let wire = Flaky::before(Arc::clone(&address), usize::MAX).await;
    let far = client(wire.address);
    let killers = bots(&game, &taken).into_iter().map(|(token, random)| {
        let (server, address) = (Arc::clone(&server), Arc::clone(&address));
        (token, Killer { random, choices: 0, server, address })
    });
    let reports = run_bots(&far, killers.collect::<Vec<_>>()).await.expect("played");
    assert!(reports.iter().all(|report| report.result.is_some()));
    assert!(wire.connections.load(Ordering::Relaxed) > 3, "the server has to be killed");
    assert_eq!(course(&far, &id).await, undisturbed);
}
