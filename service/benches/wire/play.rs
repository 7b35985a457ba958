//! The stream `PlaySeats`: one stream a match with both of its seats, beside a bidirectional echo.

use std::net::SocketAddr;

use edgehill_proto::v1::match_service_client::MatchServiceClient;
use edgehill_proto::v1::play_seats_request::Call;
use edgehill_proto::v1::play_seats_response::Message;
use edgehill_proto::v1::{self, MatchStatus};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::transport::Channel;

use crate::load::{self, Line, Rate, Until};
use crate::message::{batch, ids};
use crate::unary::{Sizes, Table};

/// A generator that is no other's.
pub(crate) fn fresh() -> ChaCha8Rng {
    let mut seed = [0; 32];
    #[expect(clippy::disallowed_methods, reason = "a benchmark has no server whose source it could ask")]
    getrandom::fill(&mut seed).expect("randomness");
    ChaCha8Rng::from_seed(seed)
}

/// Actions a second.
pub(crate) async fn play(address: &SocketAddr, line: Line) -> Rate {
    load::rate(*address, line, |index, channel, until: Until| async move {
        let mut client = MatchServiceClient::new(channel);
        let run: u64 = rand_core::Rng::next_u64(&mut fresh());
        let (mut calls, mut games) = (0, 0);
        while !until.is_past() {
            let table = Table::open(&mut client, &format!("p{run}-{index}-{games}")).await;
            games += 1;
            calls += game(&mut client, table, until).await;
        }
        calls
    })
    .await
}

/// Plays a match over one stream; the calls that were answered.
async fn game(client: &mut MatchServiceClient<Channel>, table: Table, until: Until) -> u64 {
    let (sender, receiver) = mpsc::channel(4);
    for (channel, token) in table.tokens.iter().enumerate() {
        let open = v1::play_seats_request::Open {
            seat_token: token.clone(),
            omit_events: true,
            after_seq: Some(0),
            ..Default::default()
        };
        let request = v1::PlaySeatsRequest {
            channel: channel as u32,
            request_id: String::new(),
            call: Some(Call::Open(open)),
        };
        sender.send(request).await.expect("an open stream");
    }
    let mut answers = client.play_seats(ReceiverStream::new(receiver)).await.expect("a stream").into_inner();
    let mut calls: u64 = 0;
    while let Some(answer) = answers.message().await.expect("an answer") {
        if until.is_past() {
            break;
        }
        let Some(Message::Update(update)) = answer.message else { continue };
        if update.state.is_some_and(|state| state.status() == MatchStatus::Finished) {
            break;
        }
        let Some(legal) = update.legal_actions else { continue };
        calls += 1;
        let action = legal.ids[(calls as usize).wrapping_mul(2_654_435_761) % legal.ids.len()];
        let apply = batch(ids(&[action]));
        let request = v1::PlaySeatsRequest {
            channel: answer.channel,
            request_id: calls.to_string(),
            call: Some(Call::Apply(apply)),
        };
        sender.send(request).await.expect("an open stream");
    }
    calls
}

/// Echoes a second: as many messages on their way as seats play.
pub(crate) async fn echo(address: &SocketAddr, sizes: Sizes) -> Rate {
    load::rate(*address, Line::Bare, move |_, channel, until: Until| async move {
        let mut client = MatchServiceClient::new(channel);
        let (sender, receiver) = mpsc::channel(4);
        let message = |channel| v1::PlaySeatsRequest {
            channel,
            request_id: " ".repeat(sizes.request.saturating_sub(44).max(1)),
            call: None,
        };
        for channel in 0..2 {
            sender.send(message(channel)).await.expect("an open stream");
        }
        let mut answers =
            client.play_seats(ReceiverStream::new(receiver)).await.expect("a stream").into_inner();
        let mut calls = 0;
        while let Some(answer) = answers.message().await.expect("an answer") {
            if until.is_past() {
                break;
            }
            calls += 1;
            sender.send(message(answer.channel)).await.expect("an open stream");
        }
        calls
    })
    .await
}
