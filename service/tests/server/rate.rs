//! Messages in a `PlaySeats` stream count as calls: a stream is no way around `capacity.calls_per_second`.

use std::time::Duration;

use edgehill_proto::v1::play_seats_request::{self, Call};
use edgehill_proto::v1::play_seats_response::Message;
use edgehill_proto::v1::{self, ErrorReason};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::Streaming;

use crate::manual;
use crate::message::HasMatch;
use crate::process::by;
use crate::start::reason;

/// Calls at once, and one more each half second.
const BURST: u32 = 20;

struct Stream {
    say: UnboundedSender<v1::PlaySeatsRequest>,
    messages: Streaming<v1::PlaySeatsResponse>,
}

impl Stream {
    fn say(&self, channel: u32, request_id: &str, call: Call) {
        let request_id = request_id.to_owned();
        self.say.send(v1::PlaySeatsRequest { channel, request_id, call: Some(call) }).unwrap();
    }

    async fn next(&mut self) -> (u32, String, Message) {
        let next = tokio::time::timeout(Duration::from_secs(30), self.messages.message());
        let message = next.await.expect("it does not come").unwrap().expect("the stream goes on");
        (message.channel, message.request_id, message.message.unwrap())
    }
}

fn open(token: &str) -> Call {
    let seat_token = token.to_owned();
    Call::Open(play_seats_request::Open { seat_token, ..play_seats_request::Open::default() })
}

fn offer() -> Call {
    Call::OfferDraw(play_seats_request::OfferDraw {})
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_of_a_stream_count_as_calls_of_its_caller() {
    let server = manual::start_whole(|config| {
        config.capacity.calls_per_second = Some(2);
        config.capacity.calls_burst = BURST;
    })
    .await;
    let mut client = server.matches().await;
    let create = v1::CreateMatchRequest {
        request_id: "c".into(),
        game: "skirmish".into(),
        client_secret: vec![7; 32],
        ..v1::CreateMatchRequest::default()
    };
    let id = client.create_match(create).await.unwrap().into_inner().id();
    let mut tokens = Vec::new();
    for seat in 0..2 {
        let join = v1::JoinMatchRequest {
            match_id: id.clone(),
            request_id: format!("j{seat}"),
            seat: Some(seat),
            client_secret: vec![7; 32],
            ..v1::JoinMatchRequest::default()
        };
        tokens.push(client.join_match(join).await.unwrap().into_inner().seat_token);
    }
    #[expect(clippy::disallowed_methods, reason = "a test says all that it has to say")]
    let (say, said) = unbounded_channel();
    let messages = client.play_seats(UnboundedReceiverStream::new(said)).await.unwrap().into_inner();
    let mut stream = Stream { say, messages };
    stream.say(7, "", open(&tokens[0]));
    // Four calls and this message: so many more are let in, and the one after them is not.
    let left = BURST - 5;
    for number in 0..=left {
        stream.say(7, &format!("o{number}"), offer());
    }
    let (mut answered, mut refusal) = (0, None);
    while answered < left || refusal.is_none() {
        match stream.next().await {
            (7, request_id, Message::Refusal(refused)) => {
                assert_eq!(request_id, format!("o{left}"));
                refusal = Some(refused);
            }
            (7, request_id, Message::Update(_)) => answered += u32::from(!request_id.is_empty()),
            (7, _, Message::Opened(_)) => {}
            other => panic!("{other:?}"),
        }
    }
    let refusal = refusal.unwrap();
    assert_eq!((refusal.reason(), answered), (ErrorReason::RateLimited, left));
    let wait = Duration::try_from(refusal.retry_after.unwrap()).unwrap();
    assert_eq!(wait, Duration::from_millis(500));
    // Nor is a call of the same caller, nor a channel opened; but one is closed, which makes room.
    let refused = client.get_match(v1::GetMatchRequest { match_id: id.clone() }).await.unwrap_err();
    assert_eq!(reason(&refused), ErrorReason::RateLimited);
    stream.say(8, "", open(&tokens[1]));
    assert!(matches!(stream.next().await, (8, _, Message::Refusal(refused))
        if refused.reason() == ErrorReason::RateLimited));
    // A refused message has done nothing: with its id another call is made, after the time that it was told.
    server.advance(wait);
    stream.say(7, &format!("o{left}"), Call::Resign(play_seats_request::Resign {}));
    let resigned = loop {
        if let (7, request_id, message) = stream.next().await
            && !request_id.is_empty()
        {
            break message;
        }
    };
    assert!(matches!(resigned, Message::Update(_)), "{resigned:?}");
    server.advance(Duration::from_secs(60));
    let resign = v1::ResignMatchRequest { match_id: id, request_id: "r".into(), ..Default::default() };
    let refused = client.resign_match(by(&tokens[1], resign)).await.unwrap_err();
    assert_eq!(reason(&refused), ErrorReason::MatchFinished);
    drop(stream);
    server.handle.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_channel_can_be_closed_by_a_caller_who_sends_too_much() {
    let server = manual::start_whole(|config| {
        config.capacity.calls_per_second = Some(1);
        config.capacity.calls_burst = 1;
    })
    .await;
    let mut client = server.matches().await;
    #[expect(clippy::disallowed_methods, reason = "a test says all that it has to say")]
    let (say, said) = unbounded_channel();
    let messages = client.play_seats(UnboundedReceiverStream::new(said)).await.unwrap().into_inner();
    let mut stream = Stream { say, messages };
    stream.say(1, "x", offer());
    assert!(matches!(stream.next().await, (1, _, Message::Refusal(refused))
        if refused.reason() == ErrorReason::RateLimited));
    // It is heard, and there is nothing to close.
    stream.say(1, "", Call::Close(play_seats_request::Close {}));
    assert!(matches!(stream.next().await, (1, _, Message::Refusal(refused))
        if refused.reason() == ErrorReason::UnknownChannel));
    drop(stream);
    server.handle.shutdown().await;
}
