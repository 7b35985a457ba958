//! Answers and streams that nobody reads.

use std::time::Duration;

use edgehill_proto::v1::catalog_service_client::CatalogServiceClient;
use edgehill_proto::v1::{self, play_seats_request};
use tokio::task::JoinSet;

use super::hostile::Hostile;
use crate::line::Client;

/// Answers of each kind that are left unread together.
const ANSWERS: usize = 20;
/// Openings in a stream that is not read.
const OPENINGS: u32 = 300;
/// The longest that they are left, in milliseconds.
const LEFT_MAX: usize = 3_000;

pub(crate) async fn attack(mut hostile: Hostile) {
    while !hostile.is_over() {
        let mut reader = hostile.client().await;
        let seen = hostile.seen(&mut reader).await;
        let window = [0, 1, 1_024][hostile.random.below(3)];
        let channel = hostile.connect(window).await;
        let mut unread = JoinSet::new();
        for _ in 0..ANSWERS {
            let match_id = hostile.random.pick(&seen).cloned().unwrap_or_default();
            let watch = v1::WatchMatchRequest {
                match_id: match_id.clone(),
                after_seq: Some(0),
                include_text: true,
                ..v1::WatchMatchRequest::default()
            };
            // Each is held with its answer until all are given up: whether it was refused makes no difference.
            let mut client = Client::new(channel.clone());
            unread.spawn(async move {
                let held = client.watch_match(watch).await;
                std::future::pending::<()>().await;
                drop(held);
            });
            let mut client = Client::new(channel.clone());
            unread.spawn(async move {
                let held = client.export_record(v1::ExportRecordRequest { match_id }).await;
                std::future::pending::<()>().await;
                drop(held);
            });
            let mut catalog = CatalogServiceClient::new(channel.clone());
            let game = v1::GetGameRequest {
                game: "cruel-necessity".to_owned(),
                include_rules: true,
                content_hash: Vec::new(),
            };
            unread.spawn(async move { drop(catalog.get_game(game).await) });
            hostile.made("answers left unread");
        }
        let mut client = Client::new(channel);
        unread.spawn(async move {
            let held = client.play_seats(tokio_stream::iter((0..OPENINGS).map(opening))).await;
            std::future::pending::<()>().await;
            drop(held);
        });
        hostile.made("play streams left unread");
        #[expect(clippy::disallowed_methods, reason = "a caller who reads nothing for a while")]
        tokio::time::sleep(Duration::from_millis(hostile.random.below(LEFT_MAX) as u64)).await;
    }
}

/// An opening by a token that is none.
fn opening(channel: u32) -> v1::PlaySeatsRequest {
    let open = play_seats_request::Open { seat_token: "ehs_none".to_owned(), ..Default::default() };
    let call = Some(play_seats_request::Call::Open(open));
    v1::PlaySeatsRequest { channel, request_id: String::new(), call }
}
