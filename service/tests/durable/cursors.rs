//! Cursors from before a restart: of every seat and of a spectator, at every position, of matches that run and that are over.

use edgehill_proto::v1::play_seats_request::Call;
use edgehill_proto::v1::play_seats_response::Message;
use edgehill_proto::v1::{self, ErrorReason, MatchStatus};
use edgehill_service::wire::status;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::Streaming;

use crate::line::Client;
use crate::message::HasMatch;
use crate::process::as_holder;
use crate::process::{Running, by, start_in};
use crate::truth::{Match, Truth};

/// The server after `kill -9`, on the files of matches that were played before.
async fn restarted() -> (tempfile::TempDir, Truth, Running) {
    let truth = Truth::make().await;
    let folder = tempfile::tempdir().unwrap();
    truth.lay_out(folder.path());
    let running = tokio::task::block_in_place(|| start_in(folder.path()));
    (folder, truth, running)
}

async fn watch(
    client: &mut Client,
    id: &str,
    token: &str,
    after: u64,
) -> Result<Streaming<v1::WatchMatchResponse>, tonic::Status> {
    let request = v1::WatchMatchRequest {
        match_id: id.to_owned(),
        after_seq: Some(after),
        ..v1::WatchMatchRequest::default()
    };
    client.watch_match(as_holder(token, request)).await.map(tonic::Response::into_inner)
}

/// The observers of a match: the token of each seat that is taken, and none for a spectator, with all the
/// events published to them.
fn observers(truth: &Match) -> Vec<(String, &[v1::Event])> {
    let seats = truth.tokens.iter().zip(&truth.events);
    let seats = seats.map(|(token, events)| (token.to_string(), events.as_slice()));
    let public = truth.events.last().unwrap().as_slice();
    seats.chain([(String::new(), public)]).collect()
}

async fn is_over(client: &mut Client, id: &str) -> bool {
    let got = client.get_match(v1::GetMatchRequest { match_id: id.to_owned() }).await.unwrap().into_inner();
    got.state().status() == MatchStatus::Finished
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_watched_goes_on_from_any_cursor_after_a_restart() {
    let (_folder, truth, running) = restarted().await;
    let mut client = running.matches().await;
    let mut cursors = 0;
    for (id, truth) in &truth.matches {
        let id = id.to_string();
        let over = is_over(&mut client, &id).await;
        for (token, events) in observers(truth) {
            for after in 0..=events.len() {
                let mut stream = watch(&mut client, &id, &token, after as u64).await.unwrap();
                let mut published: Vec<v1::Event> = Vec::new();
                while over || published.len() < events.len() - after {
                    let Some(message) = stream.message().await.unwrap() else { break };
                    let update = message.update.unwrap();
                    assert_eq!(update.status() == MatchStatus::Finished, over);
                    assert_eq!(update.view, None, "a view, where a cursor was given");
                    published.extend(update.events);
                }
                assert_eq!(published, events[after..], "{id}, after {after}");
                cursors += 1;
            }
            let refused = watch(&mut client, &id, &token, events.len() as u64 + 1).await.unwrap_err();
            let refusal = status::read(&refused).unwrap();
            assert_eq!(
                (refusal.reason(), refusal.seq),
                (ErrorReason::CursorAhead, Some(events.len() as u64)),
                "{refusal:?}"
            );
        }
    }
    eprintln!("{cursors} cursors");
    assert!(cursors > 400);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watcher_gets_what_comes_next_and_nothing_twice() {
    let (_folder, truth, running) = restarted().await;
    let mut client = running.matches().await;
    for (id, truth) in &truth.matches {
        let id = id.to_string();
        if truth.tokens.len() < 2 || is_over(&mut client, &id).await {
            continue;
        }
        let mut streams = Vec::new();
        for (token, events) in observers(truth) {
            for back in [0, 1, events.len()] {
                let after = (events.len() - back) as u64;
                streams.push((after, events.len(), watch(&mut client, &id, &token, after).await.unwrap()));
            }
        }
        let resign = v1::ResignMatchRequest {
            match_id: id.clone(),
            request_id: "end".into(),
            ..v1::ResignMatchRequest::default()
        };
        client.resign_match(by(&truth.tokens[0].to_string(), resign)).await.unwrap();
        for (after, before, mut stream) in streams {
            let mut numbers = Vec::new();
            while let Some(message) = stream.message().await.unwrap() {
                numbers.extend(message.update.unwrap().events.into_iter().map(|event| event.seq));
            }
            assert!(numbers.len() as u64 > before as u64 - after, "the end is news to everybody");
            assert_eq!(numbers, (after + 1..=after + numbers.len() as u64).collect::<Vec<_>>());
        }
    }
}

/// A `PlaySeats` stream.
struct Play {
    calls: mpsc::Sender<v1::PlaySeatsRequest>,
    answers: Streaming<v1::PlaySeatsResponse>,
}

impl Play {
    async fn open(client: &mut Client) -> Self {
        let (calls, receiver) = mpsc::channel(8);
        let answers = client.play_seats(ReceiverStream::new(receiver)).await.unwrap().into_inner();
        Self { calls, answers }
    }

    async fn say(&self, call: Call) {
        let message = v1::PlaySeatsRequest { channel: 1, request_id: String::new(), call: Some(call) };
        self.calls.send(message).await.unwrap();
    }

    async fn next(&mut self) -> Message {
        self.answers.message().await.unwrap().unwrap().message.unwrap()
    }

    /// Opens a seat at a cursor, takes what there is, and closes it: the events, and the legal actions if it is to act.
    async fn from(&mut self, token: &str, after: u64, length: u64, over: bool) -> (Vec<v1::Event>, Vec<u32>) {
        let open = v1::play_seats_request::Open {
            seat_token: token.to_owned(),
            after_seq: Some(after),
            ..v1::play_seats_request::Open::default()
        };
        self.say(Call::Open(open)).await;
        let Message::Opened(opened) = self.next().await else { panic!("not opened") };
        assert_eq!((opened.seq(), opened.view), (after, None));
        let (mut events, mut legal) = (Vec::new(), Vec::new());
        loop {
            let Message::Update(update) = self.next().await else { panic!("no update") };
            events.extend(update.events);
            legal.extend(update.legal_actions.into_iter().flat_map(|legal| legal.ids));
            if update.seq == length {
                break;
            }
        }
        if !over {
            self.say(Call::Close(v1::play_seats_request::Close {})).await;
        }
        let closed = self.next().await;
        assert_eq!(closed, Message::Closed(v1::play_seats_response::Closed { refusal: None }));
        (events, legal)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_goes_on_from_any_cursor_after_a_restart() {
    let (_folder, truth, running) = restarted().await;
    let mut client = running.matches().await;
    let mut play = Play::open(&mut client).await;
    let (mut cursors, mut prompts) = (0, 0);
    for (id, truth) in &truth.matches {
        let id = id.to_string();
        let over = is_over(&mut client, &id).await;
        for (token, events) in truth.tokens.iter().zip(&truth.events) {
            let token = token.to_string();
            let legal = v1::ListLegalActionsRequest {
                match_id: id.clone(),
                ..v1::ListLegalActionsRequest::default()
            };
            let legal = client
                .list_legal_actions(by(&token, legal))
                .await
                .ok()
                .and_then(|legal| legal.into_inner().legal_actions);
            let legal = legal.map_or(Vec::new(), |legal| legal.ids);
            for after in 0..=events.len() {
                let (published, prompted) = play.from(&token, after as u64, events.len() as u64, over).await;
                assert_eq!(published, events[after..], "{id}, after {after}");
                assert_eq!(prompted, legal, "{id}, after {after}");
                cursors += 1;
                prompts += usize::from(!prompted.is_empty());
            }
            let ahead = events.len() as u64 + 1;
            play.say(Call::Open(v1::play_seats_request::Open {
                seat_token: token.clone(),
                after_seq: Some(ahead),
                ..v1::play_seats_request::Open::default()
            }))
            .await;
            let Message::Refusal(refusal) = play.next().await else { panic!("opened ahead of the sequence") };
            assert_eq!(refusal.reason(), ErrorReason::CursorAhead);
        }
    }
    eprintln!("{cursors} cursors, {prompts} prompts");
    assert!(cursors > 300 && prompts > 50);
}
