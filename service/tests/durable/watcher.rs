//! A spectator who watches a match from its begin to its end, whatever becomes of the servers.

use std::sync::Arc;
use std::time::Instant;

use edgehill_proto::v1::{self, MatchStatus};

use crate::history::HistoryLine;
use crate::line::Line;
use crate::message::HasMatch;
use crate::seat::Published;
use crate::world::{Played, World};

/// Watches until the match is over; then the spectator has each of its events once, in order.
pub(crate) async fn watch(world: Arc<World>, played: Arc<Played>, number: usize, mut line: Line) {
    let mut published = Published::default();
    let mut over = false;
    while !over {
        let request = v1::WatchMatchRequest {
            match_id: played.made.match_id.clone(),
            after_seq: Some(published.len()),
            ..v1::WatchMatchRequest::default()
        };
        let opened = Instant::now();
        let watched = line.insist(|mut client| {
            let request = request.clone();
            async move { client.watch_match(request).await }
        });
        let mut stream = watched.await.unwrap().into_inner();
        loop {
            match stream.message().await {
                Ok(Some(message)) => {
                    let update = message.update.unwrap();
                    over = update.status() == MatchStatus::Finished;
                    update.events.into_iter().for_each(|event| published.next(event));
                    let length = published.len();
                    look(&world, &played, length, published.digest(length), opened);
                }
                Ok(None) => {
                    assert!(over, "the stream ended before the match");
                    break;
                }
                Err(status) => {
                    over = false;
                    line.lost(&status);
                    break;
                }
            }
            // Another way to the same, which no stream has been on: now and then, and from another server with each connection.
            if published.len() % 8 == number as u64 % 8 {
                let asked = Instant::now();
                let request = v1::GetMatchRequest { match_id: played.made.match_id.clone() };
                let got = line.insist(|mut client| {
                    let request = request.clone();
                    async move { client.get_match(request).await }
                });
                look(&world, &played, got.await.unwrap().into_inner().seq(), None, asked);
            }
        }
    }
    played.watched.lock().unwrap().push(published);
}

/// Notes that the spectators' sequence was seen to be so long, and to have these events.
fn look(world: &World, played: &Played, length: u64, seen: Option<u64>, begin: Instant) {
    if let Some(history) = &world.history {
        let (begin, end) = (history.at(begin), history.at(Instant::now()));
        let r#match = &*played.made.match_id;
        history.note(&HistoryLine::Look { r#match, observer: "spectator", length, seen, begin, end });
    }
}
