//! A spectator of a match, who comes back with a cursor whenever the stream breaks ([`watch`]).

use std::sync::Arc;

use edgehill_proto::v1;

use crate::line::{Client, Line};
use crate::random::Random;
use crate::seat::Published;
use crate::unary::is_over;
use crate::world::World;

/// Watches until the match is over. Now and then the stream is let go, and opened again: with the cursor, or from the beginning.
pub(crate) async fn watch(world: Arc<World>, match_id: String, mut line: Line, mut random: Random) {
    let (mut published, mut known) = (Published::default(), Published::default());
    loop {
        let request = v1::WatchMatchRequest {
            match_id: match_id.clone(),
            after_seq: Some(published.len()),
            ..v1::WatchMatchRequest::default()
        };
        let watched = line.insist(|mut client: Client| {
            let request = request.clone();
            async move { client.watch_match(request).await }
        });
        let mut stream = watched.await.unwrap().into_inner();
        let mut over = false;
        loop {
            match stream.message().await {
                Ok(Some(message)) => {
                    let update = message.update.unwrap();
                    over = is_over(update.status());
                    world.assert_durable(&match_id, None, update.seq);
                    for event in update.events {
                        world.assert_durable(&match_id, None, event.seq);
                        known.again(event.clone());
                        published.next(event);
                    }
                    world.note(format_args!("{match_id} watched to {}", published.len()));
                }
                Ok(None) => {
                    assert!(over, "the stream ended before the match");
                    return;
                }
                Err(status) => {
                    assert_eq!(line.lost(&status), None, "the stream was refused");
                    line.pause().await;
                    break;
                }
            }
            if !over && random.percent(4) {
                if random.percent(30) {
                    published = Published::default();
                }
                break;
            }
        }
    }
}
