//! Matches that go from one server to another one on the same store, shard by shard, while they are played and watched.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use edgehill_proto::v1::play_seats_request::Call;
use edgehill_proto::v1::play_seats_response::Message;
use edgehill_proto::v1::{self, ErrorReason};
use edgehill_service::api::{PeerApp, Peers, Whereabouts};
use edgehill_service::host::{self, Host};
use edgehill_service::limits::Limits;
use edgehill_service::store::{MatchId, MemoryStore, Quarantine, ServerId, Shard, ShardSet, Store};
use tonic::body::Body;
use tonic::transport::Channel;
use tonic::{Code, Status, Streaming};
use tower::{Service, ServiceExt, service_fn};

use crate::accounts::Keys;
use crate::clocks::manual;
use crate::kit::{HasBatch, HasMatch, Seated, by, ids, join, notations, reason, skirmish, soon, watch};
use crate::message::batch;
use crate::running::{Running, Start};
use crate::stage::{Stage, apply, open};

/// The servers of a test, each with its host and the way to it.
#[derive(Clone, Default)]
struct Site(Arc<Mutex<Servers>>);

#[derive(Default)]
struct Servers {
    all: Vec<(Host, PeerApp)>,
    /// It is not known which of them has a match that this one has not.
    unknown: bool,
}

/// The others, as one of them knows them.
struct View {
    site: Site,
    own: usize,
}

impl std::fmt::Debug for View {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the view of {}", self.own)
    }
}

#[async_trait]
impl Peers for View {
    fn own(&self) -> ServerId {
        ServerId::from_bytes([self.own as u8; 16])
    }

    fn whereabouts(&self, id: MatchId) -> Whereabouts {
        let servers = self.site.0.lock().unwrap();
        match servers.all.iter().position(|(host, _)| host.shards().has(id)) {
            Some(number) if number == self.own => Whereabouts::Here,
            Some(number) if !servers.unknown => Whereabouts::There(servers.all[number].1.clone()),
            _ => Whereabouts::Nowhere,
        }
    }

    fn others(&self) -> Vec<(ServerId, PeerApp)> {
        let servers = self.site.0.lock().unwrap();
        let all = servers.all.iter().enumerate().filter(|(number, _)| *number != self.own);
        all.map(|(number, (_, app))| (ServerId::from_bytes([number as u8; 16]), app.clone())).collect()
    }

    async fn changed(&self) {
        tokio::task::yield_now().await;
    }
}

fn app(channel: Channel) -> PeerApp {
    PeerApp::new(service_fn(move |request: http::Request<Body>| {
        let mut channel = channel.clone();
        async move {
            let called = async { channel.ready().await?.call(request).await };
            Ok(called.await.unwrap_or_else(|error| Status::unavailable(error.to_string()).into_http()))
        }
    }))
}

/// Two servers: the first knows of the second, which answers for itself alone as it does for calls that are handed on to it. The first has all
/// matches.
async fn two(start: Start) -> [Running; 2] {
    let (_, servers) = site_of_two(start).await;
    servers
}

async fn site_of_two(start: Start) -> (Site, [Running; 2]) {
    let site = Site::default();
    let view = View { site: site.clone(), own: 0 };
    let first = Start { peers: Some(Arc::new(view)), ..start.clone() }.run().await;
    let second = Start { shards: ShardSet::NONE, ..start }.run().await;
    for running in [&first, &second] {
        let way = app(running.channel().await);
        site.0.lock().unwrap().all.push((running.host.clone(), way));
    }
    (site, [first, second])
}

/// Has all matches go from one server to another one.
pub(crate) async fn move_all(from: &Running, to: &Running) {
    let shards = from.host.shards();
    from.host.let_go(&shards).await;
    assert_eq!((from.host.shards(), from.host.loaded_matches()), (ShardSet::NONE, 0));
    to.host.take(&shards, None).await.unwrap();
}

/// A draft of this card in the place of the one before.
fn instead(card: u32) -> Call {
    Call::Apply(batch(ids(&[card])).keeping(0))
}

/// Waits for the answer to a request. Where the match has moved each seat is told anew how it stands, and nothing that it knows.
async fn answer(stage: &mut Stage, request: &str) {
    loop {
        match stage.next_message().await {
            (1, answered, Message::Update(_)) if answered == request => return,
            (_, unasked, Message::Update(update)) if unasked.is_empty() => assert_eq!(update.events, []),
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn streams_and_seats_go_on_where_their_match_goes() {
    let [first, second] = two(Start::default()).await;
    let mut client = first.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let mut watching = client.watch_match(watch(&seated.id, Some(0))).await.unwrap().into_inner();
    let mut stage = Stage::new(&mut client).await;
    stage.open(1, open(&seated.tokens[0]));
    stage.open(2, open(&seated.tokens[1]));
    let mut legal = [Vec::new(), Vec::new()];
    let mut opened = 0;
    while opened < 2 || legal.iter().any(Vec::is_empty) {
        match stage.next_message().await {
            (channel, _, Message::Update(update)) => {
                if let Some(actions) = update.legal_actions {
                    legal[channel as usize - 1] = actions.ids;
                }
            }
            (_, _, Message::Opened(_)) => opened += 1,
            other => panic!("{other:?}"),
        }
    }
    let mut seen = Vec::new();
    for (round, (from, to)) in
        [(&first, &second), (&second, &first), (&first, &second)].into_iter().enumerate()
    {
        move_all(from, to).await;
        // A draft, and the same request again: both are answered wherever the match is.
        let request = format!("draft {round}");
        stage.say(1, &request, instead(legal[0][round % 2]));
        answer(&mut stage, &request).await;
        stage.say(1, &request, instead(legal[0][round % 2]));
        answer(&mut stage, &request).await;
    }
    for channel in [1, 2] {
        if channel == 2 {
            stage.say(2, "card", apply(ids(&legal[1][..1])));
        }
        stage.say(channel, "done", apply(notations(&["done"])));
    }
    let mut waits: BTreeSet<(u32, String)> = [(1, "done"), (2, "card"), (2, "done")]
        .map(|(channel, request)| (channel, request.to_owned()))
        .into();
    while !waits.is_empty() {
        let (channel, request, message) = stage.next_message().await;
        assert!(matches!(message, Message::Update(_)), "{message:?}");
        waits.remove(&(channel, request));
    }
    // The spectator's sequence has neither gap nor repeat, and ends where the match stands.
    let length = seated.get(&mut second.client().await).await.seq();
    while seen.len() < length as usize {
        let update = soon(watching.message()).await.unwrap().unwrap().update.unwrap();
        seen.extend(update.events.into_iter().map(|event| event.seq));
    }
    assert!(seen.into_iter().eq(1..=length));
    // A call to the wrong server is told of which match it is that is not there.
    let elsewhere = client.get_match(v1::GetMatchRequest { match_id: seated.id.clone() }).await.unwrap_err();
    assert_eq!(elsewhere.code(), Code::Unavailable);
    assert_eq!(elsewhere.metadata().get("edgehill-elsewhere").unwrap(), seated.id.as_str());
    assert_eq!(reason::<()>(Err(elsewhere)), ErrorReason::StoreUnavailable);
}

/// A stream that is opened where the match is not is one at the other server, refusals included.
#[tokio::test]
async fn streams_of_matches_elsewhere_are_passed_on() {
    let [first, second] = two(Start::default()).await;
    move_all(&first, &second).await;
    let mut there = second.client().await;
    let seated = Seated::skirmish(&mut there).await;
    let mut here = first.client().await;
    let mut watching = here.watch_match(watch(&seated.id, Some(0))).await.unwrap().into_inner();
    let first_seen = soon(watching.message()).await.unwrap().unwrap();
    let mut directly = there.watch_match(watch(&seated.id, Some(0))).await.unwrap().into_inner();
    assert_eq!(first_seen, soon(directly.message()).await.unwrap().unwrap());
    let ahead = here.watch_match(watch(&seated.id, Some(1_000))).await.map(drop);
    assert_eq!(reason(ahead), ErrorReason::CursorAhead);
    let mut stage = Stage::new(&mut here).await;
    stage.open(3, open(&seated.tokens[0]));
    stage.opened(3).await;
    stage.update(3, "").await;
    // Another's token, well made.
    let nobody = seated.tokens[1].replace(|character: char| character.is_ascii_digit(), "7");
    stage.open(4, open(&nobody));
    assert_eq!(stage.refusal(4, "").await, ErrorReason::BadToken);
    // The same seat, opened there, is taken from the stream here.
    let mut other = Stage::new(&mut there).await;
    other.open(1, open(&seated.tokens[0]));
    other.opened(1).await;
    assert_eq!(stage.closed(3).await, Some(ErrorReason::OpenedElsewhere));
}

/// A client has left a server that does not know so yet, and opens their seat at the one to which the match has moved: the channel that is left
/// behind does not take it from them when it goes on there.
#[tokio::test]
async fn a_channel_that_goes_on_takes_no_seat_that_was_opened_since() {
    let (site, [first, second]) = site_of_two(Start::default()).await;
    let (mut here, mut there) = (first.client().await, second.client().await);
    let seated = Seated::skirmish(&mut here).await;
    let mut left = Stage::new(&mut here).await;
    left.open(1, open(&seated.tokens[0]));
    left.opened(1).await;
    left.update(1, "").await;
    site.0.lock().unwrap().unknown = true;
    move_all(&first, &second).await;
    let mut stage = Stage::new(&mut there).await;
    stage.open(1, open(&seated.tokens[0]));
    stage.opened(1).await;
    stage.update(1, "").await;
    site.0.lock().unwrap().unknown = false;
    assert_eq!(left.closed(1).await, Some(ErrorReason::OpenedElsewhere));
    let cards = seated.legal(&mut there, 0).await.legal_actions.unwrap().ids;
    stage.say(1, "card", apply(ids(&cards[..1])));
    stage.update(1, "card").await;
}

#[tokio::test]
async fn what_counts_with_a_creator_goes_with_the_shards() {
    let limits = Limits { open_matches: 2, ..Limits::default() };
    let [first, second] = two(Start { limits, ..Start::default() }).await;
    let mut client = first.client().await;
    for number in 0..2 {
        client.create_match(skirmish(&format!("m{number}"))).await.unwrap();
    }
    let full = client.create_match(skirmish("m2")).await;
    assert_eq!(reason(full), ErrorReason::LimitReached);
    move_all(&first, &second).await;
    // Without a shard there is no place for a match.
    let nowhere = client.create_match(skirmish("m2")).await;
    assert_eq!(reason(nowhere), ErrorReason::StoreUnavailable);
    let full = second.client().await.create_match(skirmish("m2")).await;
    assert_eq!(reason(full), ErrorReason::LimitReached);
    move_all(&second, &first).await;
    let full = client.create_match(skirmish("m2")).await;
    assert_eq!(reason(full), ErrorReason::LimitReached);
}

/// A match that is stopped is not over: it counts wherever its shard is, and once it is over it counts no more.
#[tokio::test]
async fn a_stopped_match_counts_wherever_it_goes() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let limits = Limits { open_matches: 1, ..Limits::default() };
    let [first, second] = two(Start { limits, ..Start::on(store.clone()) }).await;
    let (mut here, mut there) = (first.client().await, second.client().await);
    let stopped = here.create_match(skirmish("stopped")).await.unwrap().into_inner();
    let id: MatchId = stopped.id().parse().unwrap();
    let why = Quarantine { reason: "OPERATOR".into(), detail: "for the test".into(), since_ms: 1 };
    store.quarantine(id, why).await.unwrap();
    for (from, to, client) in [(&first, &second, &mut there), (&second, &first, &mut here)] {
        move_all(from, to).await;
        let full = client.create_match(skirmish("another")).await;
        assert_eq!(reason(full), ErrorReason::LimitReached);
    }
    first.host.release(id).await.unwrap();
    first.host.take_back(id, "no").await.unwrap();
    move_all(&first, &second).await;
    there.create_match(skirmish("another")).await.unwrap();
    let full = there.create_match(skirmish("a third")).await;
    assert_eq!(reason(full), ErrorReason::LimitReached);
}

/// House bots, times and what expires go on at the server that has taken the shard, though nobody calls for the match there.
#[tokio::test]
async fn what_happens_of_itself_does_where_the_match_is() {
    let clock = manual();
    let limits = Limits { waiting_seconds: 600, ..Limits::default() };
    let [first, second] = two(Start { clock: clock.clone(), limits, ..Start::default() }).await;
    let mut client = first.client().await;
    let waits = client.create_match(skirmish("waits")).await.unwrap().into_inner().id();
    move_all(&first, &second).await;
    let mut there = second.client().await;
    let mut watching = there.watch_match(watch(&waits, Some(0))).await.unwrap().into_inner();
    soon(watching.message()).await.unwrap().unwrap();
    // The look for those that have waited comes once a minute.
    let expired = async {
        loop {
            clock.advance(std::time::Duration::from_secs(60));
            let shown = there.get_match(v1::GetMatchRequest { match_id: waits.clone() }).await.unwrap();
            if shown.into_inner().r#match.unwrap().state.unwrap().status() == v1::MatchStatus::Expired {
                return;
            }
        }
    };
    soon(expired).await;
    let bots = v1::CreateMatchRequest {
        seats: vec![
            v1::SeatConfig {
                kind: v1::SeatKind::HouseBot.into(),
                bot: "random".into(),
                ..v1::SeatConfig::default()
            };
            2
        ],
        ..skirmish("bots")
    };
    let id = there.create_match(bots).await.unwrap().into_inner().id();
    move_all(&second, &first).await;
    let mut watching = client.watch_match(watch(&id, Some(0))).await.unwrap().into_inner();
    soon(async { while watching.message().await.unwrap().is_some() {} }).await;
}

/// A group, a bulk and a rematch are in one shard, so that they have one owner wherever they go.
#[tokio::test]
async fn matches_that_belong_together_are_in_one_shard() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let request = v1::CreateMatchesRequest {
        request_id: "many".into(),
        client_secret: vec![9; 32],
        matches: vec![v1::MatchPlan { game: "skirmish".into(), ..v1::MatchPlan::default() }; 5],
        ..v1::CreateMatchesRequest::default()
    };
    let made = client.create_matches(request).await.unwrap().into_inner();
    let shard = |id: &str| Shard::of(id.parse().unwrap());
    let shards: BTreeSet<Shard> = made.created.iter().map(|made| shard(&made.id())).collect();
    assert_eq!(shards.len(), 1);
    let seated = Seated::skirmish(&mut client).await;
    client.resign_match(by(&seated.tokens[0], crate::kit::resign(&seated.id, "enough"))).await.unwrap();
    let again = v1::RematchMatchRequest { match_id: seated.id.clone(), request_id: "again".into() };
    let again = client.rematch_match(by(&seated.tokens[1], again)).await.unwrap().into_inner();
    assert_eq!(shard(&again.id()), shard(&seated.id));
}

#[tokio::test]
async fn a_host_without_the_shard_changes_nothing() {
    let [first, second] = two(Start::default()).await;
    let mut client = first.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let id: MatchId = seated.id.parse().unwrap();
    move_all(&first, &second).await;
    let elsewhere = |ended: Result<(), host::Error>| assert_eq!(ended, Err(host::Error::Elsewhere(id)));
    elsewhere(first.host.expire(id).await);
    elsewhere(first.host.archive(id).await);
    elsewhere(first.host.release(id).await);
    elsewhere(first.host.take_back(id, "no").await);
    elsewhere(first.host.read(id, |_| Ok(())).await);
    elsewhere(first.host.follow(id).await.map(drop));
    let refused = client.join_match(join(&seated.id, "late", 0)).await;
    assert_eq!(reason(refused), ErrorReason::StoreUnavailable);
    assert_eq!(first.host.loaded_matches(), 0);
}

/// The next match that a stream of an account's tells of; `None`: all that there were have been told.
async fn next(watch: &mut Streaming<v1::WatchAccountResponse>) -> Option<(String, v1::MatchStatus)> {
    let said = soon(watch.message()).await.unwrap().unwrap();
    assert_eq!(said.r#match.is_none(), said.caught_up, "{said:?}");
    let shown = said.r#match?.r#match?;
    let status = shown.state.as_ref().unwrap().status();
    Some((shown.config?.match_id, status))
}

/// Whoever watches an account is told of its matches wherever they are, each once as it stands.
#[tokio::test]
async fn an_account_is_watched_at_all_servers() {
    let keys = Keys::new();
    let [first, second] = two(Start { accounts: keys.accounts(), ..Start::default() }).await;
    let half: ShardSet = Shard::all().filter(|shard| shard.number() % 2 == 1).collect();
    first.host.let_go(&half).await;
    second.host.take(&half, None).await.unwrap();
    let (mut here, mut there) = (first.client().await, second.client().await);
    let create = |number: u32| by(&keys.ada, skirmish(&format!("m{number}")));
    let mut made = BTreeSet::new();
    made.insert(here.create_match(create(1)).await.unwrap().into_inner().id());
    made.insert(there.create_match(create(2)).await.unwrap().into_inner().id());
    let request = by(&keys.ada, v1::WatchAccountRequest::default());
    let mut watch = here.watch_account(request).await.unwrap().into_inner();
    let mut told = BTreeSet::new();
    while let Some((id, status)) = next(&mut watch).await {
        assert_eq!(status, v1::MatchStatus::Waiting);
        assert!(told.insert(id), "told twice");
    }
    assert_eq!(told, made);
    let third = there.create_match(create(3)).await.unwrap().into_inner().id();
    assert_eq!(next(&mut watch).await, Some((third.clone(), v1::MatchStatus::Waiting)));
    // That it has moved is no news; what happens to it then is.
    second.host.let_go(&half).await;
    first.host.take(&half, None).await.unwrap();
    let abort = v1::AbortMatchRequest {
        match_id: third.clone(),
        request_id: "no".into(),
        ..v1::AbortMatchRequest::default()
    };
    here.abort_match(by(&keys.ada, abort)).await.unwrap();
    assert_eq!(next(&mut watch).await, Some((third, v1::MatchStatus::Aborted)));
}

/// A server ends a match, and goes before it has told anybody: whoever takes its shards does.
#[tokio::test]
async fn an_end_that_nobody_has_told_is_told_by_whoever_has_the_match_then() {
    let keys = Keys::new();
    let start = Start { accounts: keys.accounts(), ..Start::default() };
    let [first, second] = two(start.clone()).await;
    // The others do not know of it: what happens there is told to nobody.
    let third = Start { shards: ShardSet::NONE, ..start }.run().await;
    let create = |name: &str| by(&keys.ada, skirmish(name));
    let mut here = first.client().await;
    let mut made = BTreeSet::new();
    for name in ["one", "another"] {
        made.insert(here.create_match(create(name)).await.unwrap().into_inner().id());
    }
    let mut watch =
        here.watch_account(by(&keys.ada, v1::WatchAccountRequest::default())).await.unwrap().into_inner();
    while next(&mut watch).await.is_some() {}
    for (id, to) in made.into_iter().zip([&first, &second]) {
        let all = first.host.shards();
        move_all(&first, &third).await;
        let abort = v1::AbortMatchRequest {
            match_id: id.clone(),
            request_id: "no".into(),
            ..v1::AbortMatchRequest::default()
        };
        third.client().await.abort_match(by(&keys.ada, abort)).await.unwrap();
        third.host.let_go(&all).await;
        to.host.take(&all, None).await.unwrap();
        // The other one is told anew where it may wait for longer now: nobody had it for a moment.
        let ends = async {
            loop {
                match next(&mut watch).await {
                    Some((told, v1::MatchStatus::Aborted)) => return told,
                    Some((told, v1::MatchStatus::Waiting)) if told != id => {}
                    other => panic!("{other:?}"),
                }
            }
        };
        assert_eq!(ends.await, id);
    }
}
