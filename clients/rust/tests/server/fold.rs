//! The client crate on the real server: views kept by events.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use edgehill_client::bot::{ClientBot, RandomBot, Turn, run_bots};
use edgehill_client::v1::Observer;
use edgehill_client::{Client, SeatHandle, ViewOptions, ViewTracker};

use crate::TestServer;
use crate::table::seated;

/// A bot that compares its view with the server's.
struct Checker {
    random: RandomBot,
    seat: SeatHandle,
    checked: Arc<AtomicUsize>,
    runtime: tokio::runtime::Handle,
}

impl ClientBot for Checker {
    #[expect(clippy::disallowed_methods, reason = "a bot's choice waits for nothing, this one's for a view")]
    fn choose(&mut self, turn: &Turn<'_>) -> Vec<u32> {
        let seat = self.seat.clone();
        let runtime = self.runtime.clone();
        let answer = tokio::task::block_in_place(|| runtime.block_on(seat.view(ViewOptions::default())));
        let answer = answer.expect("a view");
        // Something may have come in between where others choose in secret.
        if answer.seq == turn.seq {
            assert_eq!(answer.view.as_ref(), turn.view, "at {}", turn.seq);
            self.checked.fetch_add(1, Ordering::Relaxed);
        }
        self.random.choose(turn)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_bot_sees_by_events_is_what_the_server_shows() {
    let server = TestServer::start();
    let client = Client::connect(server.url()).await.expect("it is there");
    for summary in client.catalog().games().await.expect("games") {
        let game = client.catalog().game(&summary.id).await.expect("a game");
        let seats = game.game.scenarios.first().expect("a scenario").seats;
        let (_, taken) = seated(&client, &summary.id, seats, 3).await;
        let checked = Arc::<AtomicUsize>::default();
        let bots = taken.into_iter().enumerate().map(|(number, seat)| {
            let random = RandomBot::new(&game, number as u32, 11);
            let runtime = tokio::runtime::Handle::current();
            let token = seat.token().to_owned();
            (token, Checker { random, seat, checked: checked.clone(), runtime })
        });
        let reports = run_bots(&client, bots.collect::<Vec<_>>()).await.expect("played");
        assert!(reports.iter().all(|report| report.result.is_some()));
        assert!(checked.load(Ordering::Relaxed) > 10, "{}", summary.id);
    }
}

/// Every observer's first view with all of their events folded over it is their last view.
#[tokio::test]
async fn all_events_over_the_first_view_give_the_last() {
    let server = TestServer::start();
    let client = Client::connect(server.url()).await.expect("it is there");
    for summary in client.catalog().games().await.expect("games") {
        let game = client.catalog().game(&summary.id).await.expect("a game");
        let seats = game.game.scenarios.first().expect("a scenario").seats;
        let (id, taken) = seated(&client, &summary.id, seats, 5).await;
        let bots = taken
            .iter()
            .enumerate()
            .map(|(number, seat)| (seat.token().to_owned(), RandomBot::new(&game, number as u32, 12)));
        run_bots(&client, bots.collect::<Vec<_>>()).await.expect("played");

        let start = ViewOptions { at_seq: Some(0), ..ViewOptions::default() };
        let spectator = ViewOptions { observer: Some(Observer { seat: None }), ..ViewOptions::default() };
        let mut observers = Vec::new();
        for seat in &taken {
            let first = seat.view(start).await.expect("a view");
            let last = seat.view(ViewOptions::default()).await.expect("a view");
            observers.push((first, last, seat.watch().after(0)));
        }
        let matches = client.matches();
        let first = matches.view(&id, ViewOptions { at_seq: Some(0), ..spectator }).await.expect("a view");
        let last = matches.view(&id, spectator).await.expect("a view");
        observers.push((first, last, matches.watch(&id).after(0)));

        for (first, last, mut watch) in observers {
            assert_eq!(first.seq, 0);
            let mut tracker = ViewTracker::from(first);
            while let Some(update) = watch.next().await.expect("it goes on") {
                tracker.fold(&update).expect("it can be folded");
            }
            assert_eq!((tracker.seq(), tracker.view()), (last.seq, last.view.as_ref()), "{}", summary.id);
            assert!(tracker.seq() > 10);
        }
    }
}
