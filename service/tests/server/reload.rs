//! SIGHUP: accounts and limits are read again while the server runs.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use edgehill_proto::v1::play_seats_request::{Call, Close, Open};
use edgehill_proto::v1::play_seats_response::Message;
use edgehill_proto::v1::{self, ErrorReason, LimitName};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Code, Status, Streaming};

use crate::acts::acts_in;
use crate::message::HasMatch;
use crate::process::{Running, by, player_key, soon};
use crate::service_manager::Manager;
use crate::start::reason;

/// A server with a configuration and accounts that change, and the test as its service manager.
struct Site {
    folder: tempfile::TempDir,
    manager: Manager,
    /// The text that the command printed for each account: its key, and the lines for the file.
    made: BTreeMap<&'static str, (String, String)>,
}

impl Site {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("store");
        let made = ["ada", "bob"].map(|account| (account, player_key(account, store.to_str().unwrap())));
        Self { folder, manager: Manager::new(), made: BTreeMap::from(made) }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn key(&self, account: &str) -> &str {
        &self.made[account].0
    }

    fn set_accounts(&self, accounts: &[&str]) {
        let lines: Vec<_> = accounts.iter().map(|account| &*self.made[account].1).collect();
        fs::write(self.path("accounts.toml"), lines.concat()).unwrap();
    }

    fn configure(&self, text: &str) {
        fs::write(self.path("edgehill.toml"), text).unwrap();
    }

    async fn start(&self) -> Running {
        let (config, store, accounts) =
            (self.path("edgehill.toml"), self.path("store"), self.path("accounts.toml"));
        let paths = [config, store, accounts].map(|path| path.to_str().unwrap().to_owned());
        let server =
            self.manager.start(&["--config", &paths[0], "--store", &paths[1], "--accounts", &paths[2]], &[]);
        assert_eq!(self.manager.told().await, ["READY=1"]);
        server
    }

    /// Has it read its files again, and waits until it has.
    async fn reload(&self, server: &Running) {
        server.signal("HUP");
        assert_eq!(self.manager.told().await[0], "RELOADING=1");
        assert_eq!(self.manager.told().await, ["READY=1"]);
    }
}

fn create() -> v1::CreateMatchRequest {
    v1::CreateMatchRequest { request_id: "a".into(), game: "skirmish".into(), ..Default::default() }
}

fn join(match_id: &str, seat: u32) -> v1::JoinMatchRequest {
    v1::JoinMatchRequest {
        match_id: match_id.into(),
        request_id: format!("j{seat}"),
        seat: Some(seat),
        ..v1::JoinMatchRequest::default()
    }
}

fn watch(match_id: &str) -> v1::WatchMatchRequest {
    v1::WatchMatchRequest { match_id: match_id.into(), ..v1::WatchMatchRequest::default() }
}

fn opening(channel: u32, token: &str) -> v1::PlaySeatsRequest {
    let open = Open { seat_token: token.into(), ..Open::default() };
    v1::PlaySeatsRequest { channel, call: Some(Call::Open(open)), ..v1::PlaySeatsRequest::default() }
}

/// Reads a stream to its end, which is no good one.
async fn end<T>(mut stream: Streaming<T>) -> Status {
    loop {
        match soon(stream.message()).await {
            Ok(message) => assert!(message.is_some(), "a stream of a match that goes on does not end well"),
            Err(status) => return status,
        }
    }
}

/// Reads a stream until a channel is closed; why it is.
async fn closed(stream: &mut Streaming<v1::PlaySeatsResponse>, channel: u32) -> Option<v1::Refusal> {
    loop {
        let said = soon(stream.message()).await.unwrap().unwrap();
        if let (true, Some(Message::Closed(closed))) = (said.channel == channel, said.message) {
            return closed.refusal;
        }
    }
}

fn assert_revoked(status: &Status, words: &str) {
    assert_eq!((status.code(), reason(status)), (Code::Unauthenticated, ErrorReason::BadToken), "{status:?}");
    assert!(status.message().contains(words), "{status:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_is_taken_out_plays_no_seat_and_its_streams_end() {
    let site = Site::new();
    site.set_accounts(&["ada", "bob"]);
    site.configure("");
    let server = site.start().await;
    let mut client = server.matches().await;
    let id = client.create_match(by(site.key("bob"), create())).await.unwrap().into_inner().id();
    let mut tokens = Vec::new();
    for (seat, account) in [(0, "ada"), (1, "bob")] {
        let joined = client.join_match(by(site.key(account), join(&id, seat))).await.unwrap();
        tokens.push(joined.into_inner().seat_token);
    }
    let (by_key, by_token) = (by(site.key("ada"), watch(&id)), by(&tokens[0], watch(&id)));
    let by_key = client.watch_match(by_key).await.unwrap().into_inner();
    let by_token = client.watch_match(by_token).await.unwrap().into_inner();
    let mut of_bob = client.watch_match(by(&tokens[1], watch(&id))).await.unwrap().into_inner();
    of_bob.message().await.unwrap().unwrap();
    // Her stream; and one of his, in which there is a seat of hers beside his own.
    let (hers, asked) = mpsc::channel(4);
    hers.send(opening(1, &tokens[1])).await.unwrap();
    let stream = client.play_seats(by(site.key("ada"), ReceiverStream::new(asked))).await;
    let mut stream_of_ada = stream.unwrap().into_inner();
    stream_of_ada.message().await.unwrap().unwrap();
    let (his, asked) = mpsc::channel(4);
    let stream = client.play_seats(by(site.key("bob"), ReceiverStream::new(asked))).await;
    let mut stream_of_bob = stream.unwrap().into_inner();
    his.send(opening(1, &tokens[0])).await.unwrap();
    his.send(opening(2, &tokens[1])).await.unwrap();
    // The seat of his that is open in her stream goes over to his own.
    assert_eq!(closed(&mut stream_of_ada, 1).await.unwrap().reason(), ErrorReason::OpenedElsewhere);

    site.set_accounts(&["bob"]);
    site.reload(&server).await;
    assert_revoked(&end(by_key).await, "did not give out this account key, or has revoked it");
    assert_revoked(&end(by_token).await, "has revoked the account that took the seat");
    assert_revoked(&end(stream_of_ada).await, "did not give out this account key, or has revoked it");
    let refusal = closed(&mut stream_of_bob, 1).await.unwrap();
    assert_eq!(refusal.reason(), ErrorReason::BadToken);
    assert!(refusal.message.contains("has revoked the account that took the seat"), "{refusal:?}");
    let legal = || v1::ListLegalActionsRequest { match_id: id.clone(), ..Default::default() };
    assert_revoked(&client.list_legal_actions(by(&tokens[0], legal())).await.unwrap_err(), "has revoked");
    let resign =
        || v1::ResignMatchRequest { match_id: id.clone(), request_id: "r".into(), ..Default::default() };
    assert_revoked(&client.resign_match(by(&tokens[0], resign())).await.unwrap_err(), "has revoked");
    let list = by(site.key("ada"), v1::ListMatchesRequest::default());
    assert_revoked(&client.list_matches(list).await.unwrap_err(), "has revoked");

    // His seat plays on, in the stream that he has.
    client.list_legal_actions(by(&tokens[1], legal())).await.unwrap();
    let close = v1::PlaySeatsRequest { channel: 2, call: Some(Call::Close(Close {})), ..Default::default() };
    his.send(close).await.unwrap();
    assert_eq!(closed(&mut stream_of_bob, 2).await, None);

    // An account that was taken out can be put back.
    site.set_accounts(&["ada", "bob"]);
    site.reload(&server).await;
    client.resign_match(by(&tokens[0], resign())).await.unwrap();
    while soon(of_bob.message()).await.unwrap().is_some() {}
    assert_eq!(server.stop().code, Some(0));
}

async fn limits(server: &Running) -> BTreeMap<LimitName, u64> {
    let limits = server.catalog().await.get_limits(v1::GetLimitsRequest::default()).await.unwrap();
    limits.into_inner().limits.into_iter().map(|limit| (limit.name(), limit.value)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_are_taken_up_and_what_takes_a_restart_is_named() {
    let site = Site::new();
    site.set_accounts(&["bob"]);
    site.configure("[limits]\nstreams = 2\n");
    let server = site.start().await;
    let mut client = server.matches().await;
    let id = client.create_match(by(site.key("bob"), create())).await.unwrap().into_inner().id();
    let _first = client.watch_match(by(site.key("bob"), watch(&id))).await.unwrap();
    site.configure(
        "exhibition = true\n[limits]\nstreams = 1\nrequest_bytes = 100000\n\
         [capacity]\ncalls_per_second = 1\ncalls_burst = 100\n",
    );
    site.reload(&server).await;
    let now = limits(&server).await;
    assert_eq!((now[&LimitName::Streams], now[&LimitName::RequestBytes]), (1, 65_536));
    let second = client.watch_match(by(site.key("bob"), watch(&id))).await.unwrap_err();
    assert_eq!(reason(&second), ErrorReason::LimitReached);
    let mut refused = 0;
    for _ in 0..200 {
        let list = client.list_matches(by(site.key("bob"), v1::ListMatchesRequest::default())).await;
        refused += usize::from(list.is_err_and(|status| reason(&status) == ErrorReason::RateLimited));
    }
    assert!(refused > 0, "200 calls were let in where 100 are, and one a second");
    let said = server.stop();
    let acts = acts_in(&site.path("store")).await;
    let words = "read accounts, limits and certificates again";
    assert_eq!(acts, [("house".to_owned(), words.to_owned())]);
    let restart =
        "these fields are set otherwise now, and take a restart fields=\"exhibition, limits.request_bytes\"";
    assert!(said.stderr.contains(restart), "{}", said.stderr);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_with_a_fault_changes_nothing() {
    let site = Site::new();
    site.set_accounts(&["ada", "bob"]);
    site.configure("[limits]\nstreams = 3\n");
    let server = site.start().await;
    let before = limits(&server).await;
    let mut client = server.matches().await;
    let holds = async |client: &mut v1::match_service_client::MatchServiceClient<_>| {
        assert_eq!(limits(&server).await, before);
        client.list_matches(by(site.key("ada"), v1::ListMatchesRequest::default())).await.unwrap();
    };
    // The accounts are sound, the configuration is not.
    site.set_accounts(&["bob"]);
    site.configure("[limits]\nstreams = 0\npage_matches = 7\n");
    site.reload(&server).await;
    holds(&mut client).await;
    // The other way round.
    site.configure("[limits]\npage_matches = 7\n");
    fs::write(site.path("accounts.toml"), "[[account]]\nid = \"bob\"\nkey_hash = \"short\"\nroles = []\n")
        .unwrap();
    site.reload(&server).await;
    holds(&mut client).await;
    // A file that is gone.
    fs::remove_file(site.path("edgehill.toml")).unwrap();
    site.reload(&server).await;
    holds(&mut client).await;
    // And all is sound again.
    site.configure("[limits]\npage_matches = 7\n");
    site.set_accounts(&["bob"]);
    site.reload(&server).await;
    assert_eq!(limits(&server).await[&LimitName::PageMatches], 7);
    let list = client.list_matches(by(site.key("ada"), v1::ListMatchesRequest::default())).await;
    assert_revoked(&list.unwrap_err(), "has revoked it");
    let said = server.stop();
    assert_eq!(said.code, Some(0));
    assert_eq!(acts_in(&site.path("store")).await.len(), 1, "what was refused is no act");
    for fault in [
        "edgehill.toml: limits.streams: 0 is out of range; accepted: 1 to 65536",
        "accounts.toml, entry 1 (bob): key_hash: 64 hexadecimal digits",
        "edgehill.toml can't be read: No such file or directory",
    ] {
        let line = said.stderr.lines().find(|line| line.contains(fault));
        let line = line.unwrap_or_else(|| panic!("{fault:?} is not in {}", said.stderr));
        assert!(line.contains("ERROR") && line.contains("were not read again"), "{line}");
    }
}
