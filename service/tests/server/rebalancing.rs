//! Matches that go from server to server while clients call through one that stays: clients that repeat nothing.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use edgehill_proto::v1;
use edgehill_proto::v1::play_seats_request::{Call, Open};
use edgehill_proto::v1::play_seats_response::Message;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio_stream::wrappers::ReceiverStream;
use tonic::Streaming;

use crate::message::{HasBatch, HasMatch, batch, ids};
use crate::process::{Running, by, key_of, soon, start};
use crate::shared::{Shared, create, wait_as_told};

/// Matches of each client: so many that some of them are handed over whenever a server comes or goes.
const MATCHES: usize = 24;

/// A match with a player in each seat.
struct Seated {
    id: String,
    token: String,
    /// Two actions with which the player may begin their turn.
    actions: [u32; 2],
}

impl Seated {
    async fn new(server: &Running, key: &str, request_id: &str) -> Self {
        let mut client = server.matches().await;
        let create = v1::CreateMatchRequest { client_secret: Vec::new(), ..create(request_id) };
        let id = client.create_match(by(key, create)).await.unwrap().into_inner().id();
        let mut tokens = Vec::new();
        for seat in 0..2 {
            let join = v1::JoinMatchRequest {
                match_id: id.clone(),
                request_id: format!("seat {seat}"),
                seat: Some(seat),
                ..v1::JoinMatchRequest::default()
            };
            tokens.push(client.join_match(by(key, join)).await.unwrap().into_inner().seat_token);
        }
        // One of the two is to act first.
        for token in tokens {
            let ask = v1::ListLegalActionsRequest {
                match_id: id.clone(),
                ..v1::ListLegalActionsRequest::default()
            };
            let legal = client.list_legal_actions(by(&token, ask)).await.unwrap().into_inner();
            if let Some(&[one, other, ..]) = legal.legal_actions.as_ref().map(|legal| &legal.ids[..]) {
                return Self { id, token, actions: [one, other] };
            }
        }
        panic!("nobody is to act")
    }

    /// Another draft in the place of the one before.
    fn draft(&self, number: usize) -> v1::ActionBatch {
        batch(ids(&[self.actions[number % 2]])).keeping(0)
    }
}

/// The calls of clients that run until they are stopped, and what was refused of them.
#[derive(Clone)]
struct Clients {
    /// How often each has gone through all of its matches.
    rounds: Arc<Mutex<[usize; KINDS]>>,
    refused: Arc<Mutex<Vec<String>>>,
    stopped: watch::Receiver<bool>,
}

const KINDS: usize = 5;

impl Clients {
    /// Has a client go through its matches, again and again, with a call that is never made twice.
    async fn repeat(self, kind: usize, mut call: impl AsyncFnMut(usize) -> Result<(), String>) {
        for number in 0.. {
            if *self.stopped.borrow() {
                return;
            }
            if let Err(refused) = call(number).await {
                self.refused.lock().unwrap().push(refused);
            }
            if number % MATCHES == MATCHES - 1 {
                self.rounds.lock().unwrap()[kind] += 1;
            }
        }
    }

    /// Waits until each has gone through all of its matches once more, from the first to the last.
    async fn go_round(&self) {
        let before = *self.rounds.lock().unwrap();
        soon(async {
            while self.rounds.lock().unwrap().iter().zip(before).any(|(now, before)| *now < before + 2) {
                tokio::task::yield_now().await;
            }
        })
        .await;
    }
}

/// Seats that are played over one stream, each in a channel of its own.
struct Stage {
    say: mpsc::Sender<v1::PlaySeatsRequest>,
    messages: Streaming<v1::PlaySeatsResponse>,
}

impl Stage {
    async fn open(server: &Running, key: &str, matches: &[Seated]) -> Self {
        let (say, said) = mpsc::channel(MATCHES);
        let messages = server.matches().await.play_seats(by(key, ReceiverStream::new(said))).await.unwrap();
        let mut stage = Self { say, messages: messages.into_inner() };
        for (channel, seated) in matches.iter().enumerate() {
            let open = Open { seat_token: seated.token.clone(), ..Open::default() };
            stage.say(channel, "", Call::Open(open)).await.unwrap();
        }
        let mut closed: BTreeSet<u32> = (0..matches.len() as u32).collect();
        while !closed.is_empty() {
            let said = soon(stage.messages.message()).await.unwrap().expect("it goes on");
            match said.message.unwrap() {
                Message::Opened(_) => assert!(closed.remove(&said.channel)),
                Message::Update(_) => {}
                other => panic!("{other:?}"),
            }
        }
        stage
    }

    async fn say(&self, channel: usize, request_id: &str, call: Call) -> Result<(), String> {
        let request = v1::PlaySeatsRequest {
            channel: channel as u32,
            request_id: request_id.to_owned(),
            call: Some(call),
        };
        self.say.send(request).await.map_err(|_| "the stream has ended".to_owned())
    }

    /// Takes an action, and waits for its answer.
    async fn apply(
        &mut self,
        channel: usize,
        request_id: &str,
        batch: v1::ActionBatch,
    ) -> Result<(), String> {
        self.say(channel, request_id, Call::Apply(batch)).await?;
        loop {
            match self.messages.message().await {
                Ok(Some(said)) => match said.message {
                    // Others are told how their match stands, where it has moved.
                    Some(Message::Update(_)) if said.request_id != request_id => {}
                    Some(Message::Update(_)) => return Ok(()),
                    other => return Err(format!("a seat is told {other:?}")),
                },
                ended => return Err(format!("the seats' stream has ended: {ended:?}")),
            }
        }
    }
}

/// Starts a server of several that has this accounts file.
fn started(shared: &Shared, accounts: &Path) -> Running {
    let more = [
        ("EDGEHILL_ACCOUNTS", accounts.to_str().unwrap()),
        // The tests change their mind for as long as they last.
        ("EDGEHILL_LIMITS__TURN_CHANGES", "65536"),
        ("EDGEHILL_LIMITS__OPEN_MATCHES", "1000000"),
        ("EDGEHILL_LIMITS__WAITING_MATCHES", "1000000"),
    ];
    start(&[], &[&shared.variables()[..], &more].concat())
}

async fn is_up(server: &Running, key: &str) {
    let mut client = server.matches().await;
    let create = v1::CreateMatchRequest { client_secret: Vec::new(), ..create("up") };
    soon(async {
        while let Err(status) = client.create_match(by(key, create.clone())).await {
            wait_as_told(&status).await;
        }
    })
    .await;
}

/// A server comes and is handed its share, and the one that was there first stops: nobody who calls through the one that stays is refused
/// anything, nor is a stream broken.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_refused_anything_while_servers_come_and_go() {
    let home = tempfile::tempdir().unwrap();
    let Some(shared) = Shared::new(home.path(), 60) else { return };
    let (key, table) = key_of("ada", "player", home.path().to_str().unwrap());
    let accounts = home.path().join("accounts.toml");
    fs::write(&accounts, table).unwrap();
    let first = started(&shared, &accounts);
    is_up(&first, &key).await;
    // These are on both of the servers that there are at the beginning.
    let (mut seated, mut played) = (Vec::new(), Vec::new());
    for number in 0..MATCHES {
        seated.push(Seated::new(&first, &key, &format!("seated {number}")).await);
        played.push(Seated::new(&first, &key, &format!("played {number}")).await);
    }
    let staying = started(&shared, &accounts);
    shared.shared_by(2).await;

    let mut stage = Stage::open(&staying, &key, &played).await;
    let ask = by(&key, v1::WatchAccountRequest::default());
    let mut watching = staying.matches().await.watch_account(ask).await.unwrap().into_inner();
    let seen: Arc<Mutex<BTreeSet<String>>> = Arc::default();
    let reading = tokio::spawn({
        let seen = Arc::clone(&seen);
        async move {
            loop {
                match watching.message().await {
                    Ok(Some(said)) => {
                        seen.lock().unwrap().extend(said.r#match.map(|shown| shown.r#match.unwrap().id()));
                    }
                    ended => return ended,
                }
            }
        }
    });
    let made: Arc<Mutex<BTreeSet<String>>> = Arc::default();
    let (stop, stopped) = watch::channel(false);
    let clients = Clients { rounds: Arc::default(), refused: Arc::default(), stopped };
    let mut running = JoinSet::new();
    let seated = Arc::new(seated);
    let told = |status: tonic::Status| format!("{status:?}");
    running.spawn({
        let (mut client, key, seated) = (staying.matches().await, key.clone(), Arc::clone(&seated));
        clients.clone().repeat(0, async move |number| {
            let ask = v1::GetMatchRequest { match_id: seated[number % MATCHES].id.clone() };
            client.get_match(by(&key, ask)).await.map(drop).map_err(told)
        })
    });
    running.spawn({
        let (mut client, seated) = (staying.matches().await, Arc::clone(&seated));
        clients.clone().repeat(1, async move |number| {
            let one = &seated[number % MATCHES];
            let apply = v1::ApplyActionsRequest {
                match_id: one.id.clone(),
                request_id: format!("draft {number}"),
                batch: Some(one.draft(number / MATCHES)),
                ..v1::ApplyActionsRequest::default()
            };
            client.apply_actions(by(&one.token, apply)).await.map(drop).map_err(told)
        })
    });
    running.spawn({
        let (mut client, key, made) = (staying.matches().await, key.clone(), Arc::clone(&made));
        clients.clone().repeat(2, async move |number| {
            let create =
                v1::CreateMatchRequest { client_secret: Vec::new(), ..create(&format!("made {number}")) };
            let created = client.create_match(by(&key, create)).await.map_err(told)?;
            made.lock().unwrap().insert(created.into_inner().id());
            Ok(())
        })
    });
    running.spawn(clients.clone().repeat(3, async move |number| {
        let channel = number % MATCHES;
        let draft = played[channel].draft(number / MATCHES);
        stage.apply(channel, &format!("draft {number}"), draft).await
    }));
    running.spawn({
        // The home answers it.
        let (mut client, key) = (staying.matches().await, key.clone());
        clients.clone().repeat(4, async move |_| {
            let ask = v1::ListMatchesRequest::default();
            client.list_matches(by(&key, ask)).await.map(drop).map_err(told)
        })
    });
    clients.go_round().await;

    let third = started(&shared, &accounts);
    shared.shared_by(3).await;
    clients.go_round().await;
    let ended = first.stop();
    assert_eq!((ended.code, ended.panicked()), (Some(0), false), "{}", ended.stderr);
    shared.shared_by(2).await;
    clients.go_round().await;
    stop.send_replace(true);
    soon(running.join_all()).await;
    let refused = clients.refused.lock().unwrap().clone();
    assert_eq!(refused, Vec::<String>::new(), "{} in all", refused.len());

    // The account is still watched: it is told of all that was made, and of what is made now.
    let last = Seated::new(&third, &key, "last").await;
    made.lock().unwrap().insert(last.id);
    soon(async {
        while !made.lock().unwrap().is_subset(&seen.lock().unwrap()) {
            assert!(!reading.is_finished(), "the stream has ended");
            tokio::task::yield_now().await;
        }
    })
    .await;
    reading.abort();
    for server in [third, staying] {
        let ended = server.stop();
        assert_eq!((ended.code, ended.panicked()), (Some(0), false), "{}", ended.stderr);
    }
}
