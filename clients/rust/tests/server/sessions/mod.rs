//! The sessions of clients/conformance, on the server that `EDGEHILL_SERVER` names or on one of their own.

mod table;

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use edgehill_client::v1::r#ref::What;
use edgehill_client::v1::{
    ErrorReason, GetViewResponse, LegalAction, LegalDetail, Ref, ResponseOptions, UndoSpan, change,
};
use edgehill_client::{
    Batch, Client, Error, JoinRequest, NewMatch, Options, SeatHandle, ServerRefusal, Transcript, ViewOptions,
    entropy,
};
use edgehill_convert::transcript;
use edgehill_engine::record::{Record, verify};
use edgehill_engine::registry::Registry;
use edgehill_engine::signing::VerifyingKey;
use serde::Deserialize;

use crate::TestServer;
use crate::flaky::Flaky;
use table::Table;

const SESSIONS: &str = include_str!("../../../../conformance/sessions.json");
const ERRORS: &str = include_str!("../../../../conformance/errors.json");
const NOBODY: &str = "00000000-0000-0000-0000-000000000000";

#[derive(Deserialize)]
struct SessionsFile {
    format: String,
    sessions: Vec<Session>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Session {
    name: String,
    #[serde(default)]
    unknown: String,
    #[serde(default)]
    game: String,
    #[serde(default)]
    forms: Vec<String>,
    #[serde(default)]
    decisions: usize,
    #[serde(default)]
    messages: usize,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sessions_of_every_client() {
    let named = std::env::var("EDGEHILL_SERVER").ok();
    let own = named.is_none().then(TestServer::start);
    let url = match (&own, named) {
        (Some(own), _) => own.url().to_owned(),
        (None, address) => format!("http://{}", address.expect("it is named").trim_start_matches("http://")),
    };
    let options = |url: &str| match std::env::var("EDGEHILL_KEY") {
        Ok(key) => Options::new(url).key(&key).expect("a key"),
        Err(_) => Options::new(url),
    };
    let client = Client::open(options(&url)).await.expect("a server");
    let file: SessionsFile = serde_json::from_str(SESSIONS).expect("the sessions");
    assert_eq!(file.format, "edgehill-sessions/1");
    for session in &file.sessions {
        match session.name.as_str() {
            "catalogue" => catalogue(&client, session).await,
            "forms" => forms(&client, session).await,
            "refusals" => refusals(&client, session).await,
            "undo" => undo(&client, session).await,
            "batch" => batch(&client, session).await,
            "reveal" => reveal(&client, session).await,
            "redaction" => redaction(&client, session).await,
            "repetition" => repetition(&client, session).await,
            "cut" => cut(&client, session, &url, &options).await,
            "receipts" => receipts(&client, session).await,
            other => panic!("there is no session {other}"),
        }
    }
}

/// Expects a refusal, and returns it.
fn refused<T: std::fmt::Debug>(reason: ErrorReason, answer: Result<T, Error>) -> ServerRefusal {
    match answer {
        Err(Error::Refused(refusal)) => {
            assert_eq!(refusal.reason(), reason, "{refusal}");
            assert_eq!(format!("ERROR_REASON_{}", refusal.reason_name()), reason.as_str_name());
            let vectors: serde_json::Value = serde_json::from_str(ERRORS).expect("JSON");
            let is_of = |vector: &&serde_json::Value| vector["reason"] == *refusal.reason_name();
            let vector =
                vectors["reasons"].as_array().expect("reasons").iter().find(is_of).expect("a vector");
            let status = vector["code"].as_str().expect("a code").replace('_', "");
            assert_eq!(format!("{:?}", refusal.code()).to_uppercase(), status, "{reason:?}");
            *refusal
        }
        other => panic!("{reason:?} was expected: {other:?}"),
    }
}

async fn legal(seat: &SeatHandle) -> Vec<LegalAction> {
    let listed = seat.legal_actions(LegalDetail::Full).await.expect("a list");
    listed.legal_actions.map(|legal| legal.actions).unwrap_or_default()
}

async fn view(seat: &SeatHandle) -> GetViewResponse {
    seat.view(ViewOptions::default()).await.expect("a view")
}

/// The cards that references name.
fn cards(refs: &[Ref]) -> impl Iterator<Item = u32> {
    refs.iter().filter_map(|one| match one.what {
        Some(What::Card(card)) => Some(card),
        _ => None,
    })
}

/// The cards whose faces an observer sees.
fn faces(seen: &GetViewResponse) -> BTreeSet<u32> {
    let board = seen.view.as_ref().and_then(|view| view.board.as_ref()).expect("a board");
    board.piles.iter().flat_map(|pile| &pile.cards).copied().collect()
}

fn draft(seen: GetViewResponse) -> Vec<u32> {
    seen.view.expect("a view").draft
}

async fn catalogue(client: &Client, session: &Session) {
    let listed = client.catalog().games().await.expect("games");
    assert!(!listed.is_empty());
    for summary in listed {
        let game = client.catalog().game(&summary.id).await.expect("a game");
        assert_eq!(game.game.summary.as_ref(), Some(&summary));
        let ids: Vec<_> = game.action_defs.iter().map(|action| action.id).collect();
        assert_eq!(ids, (0..game.game.action_count).collect::<Vec<_>>());
    }
    refused(ErrorReason::UnknownGame, client.catalog().game(&session.unknown).await);
}

async fn forms(client: &Client, session: &Session) {
    let key = VerifyingKey::from_bytes(&client.catalog().signing_key().await.expect("a key")).expect("a key");
    let games = Registry::built_in().expect("the games load");
    for summary in client.catalog().games().await.expect("games") {
        for form in &session.forms {
            let mut table = Table::of(client, &summary.id).await;
            table.play(0..session.decisions, form).await;
            table.end().await;
            for follower in &mut table.everybody {
                follower.follow_to_the_end().await;
            }
            let exported = client.matches().record(table.match_id()).await.expect("a record");
            assert!(exported.complete);
            // Here the rules are at hand: nothing stays open.
            let record = Record::parse(&exported.text).expect("a record");
            let game = games.game(&summary.id).expect("a game of ours");
            let report = verify(game.as_ref(), &record, &[key]);
            assert!(report.is_fully_checked(), "{}: {form}: {report}", summary.id);
            for entropy in &table.entropies {
                assert!(exported.text.contains(&hex::encode(entropy)), "{}: {form}", summary.id);
            }
        }
    }
}

async fn refusals(client: &Client, session: &Session) {
    let table = Table::of(client, &session.game).await;
    let north = &table.seats[0];
    let (before, actions) = (view(north).await, legal(north).await);
    refused(ErrorReason::UnknownMatch, client.matches().get(NOBODY).await);
    let stranger = client.seat(table.match_id(), "nobody".repeat(8));
    refused(ErrorReason::BadToken, stranger.apply(Batch::ids([actions[0].id])).await);
    let both = Batch::ids([actions[0].id, actions[1].id]);
    let illegal = refused(ErrorReason::IllegalAction, north.apply(both).await);
    assert_eq!(illegal.index(), Some(1));
    assert!(!illegal.rule_violations()[0].rule.is_empty());
    let ahead = Batch::ids([actions[0].id]).expected_seq(before.seq + 1);
    refused(ErrorReason::CursorAhead, north.apply(ahead).await);
    refused(ErrorReason::NothingToUndo, north.undo(UndoSpan::default(), ResponseOptions::default()).await);
    let now = view(north).await;
    assert_eq!((now.seq, now.view), (before.seq, before.view));
}

async fn undo(client: &Client, session: &Session) {
    let table = Table::of(client, &session.game).await;
    let north = &table.seats[0];
    let (before, actions) = (view(north).await, legal(north).await);
    let taken = north.apply(Batch::ids([actions[0].id])).await.expect("taken");
    assert!(taken.seq > before.seq);
    assert_eq!(draft(view(north).await), [actions[0].id]);
    assert_ne!(legal(north).await, actions);
    let span = UndoSpan { expected_seq: Some(taken.seq), ..UndoSpan::default() };
    let undone = north.undo(span, ResponseOptions::default()).await.expect("taken back");
    assert!(undone.seq > taken.seq);
    assert!(draft(view(north).await).is_empty());
    assert_eq!(legal(north).await, actions);
}

async fn batch(client: &Client, session: &Session) {
    let table = Table::of(client, &session.game).await;
    let [north, south] = &table.seats[..] else { panic!("a game for two") };
    let action = &legal(north).await[0];
    let taken = north.apply(Batch::notations([&*action.notation, "done"])).await.expect("taken");
    assert_eq!((taken.apply_result.map(|result| result.actions), taken.to_act), (Some(2), false));
    assert!(legal(north).await.is_empty());
    refused(ErrorReason::NotYourTurn, north.apply(Batch::ids([action.id])).await);
    refused(ErrorReason::Committed, north.undo(UndoSpan::default(), ResponseOptions::default()).await);
    let card = legal(south).await[0].id;
    south.apply(Batch::ids([card])).await.expect("taken");
    let done = legal(south).await.iter().find(|one| one.notation == "done").expect("it ends").id;
    south.undo(UndoSpan::default(), ResponseOptions::default()).await.expect("taken back");
    let taken = south.apply(Batch::ids([card, done])).await.expect("taken");
    assert_eq!(taken.apply_result.map(|result| result.actions), Some(2));
}

async fn reveal(client: &Client, session: &Session) {
    let table = Table::of(client, &session.game).await;
    let [north, south] = &table.seats[..] else { panic!("a game for two") };
    let (before, action) = (view(north).await, legal(north).await.swap_remove(0));
    let across = || Batch::notations([&*action.notation, "done", &*action.notation]);
    refused(ErrorReason::ListCrossesReveal, north.apply(across()).await);
    assert_eq!(view(north).await.seq, before.seq);
    let taken = north.apply(across().until_reveal()).await.expect("taken");
    assert_eq!(taken.apply_result.map(|result| result.actions), Some(2));
    assert!(faces(&table.spectator().now().await).is_empty());
    let card = legal(south).await.swap_remove(0);
    south.apply(Batch::notations([&*card.notation, "done"])).await.expect("taken");
    let chosen: BTreeSet<_> = cards(&action.refs).chain(cards(&card.refs)).collect();
    assert_eq!(faces(&table.spectator().now().await), chosen);
    assert!(view(north).await.seq > taken.seq);
    let stale = Batch::ids([action.id]).expected_seq(taken.seq);
    refused(ErrorReason::StaleSequence, north.apply(stale).await);
}

async fn redaction(client: &Client, session: &Session) {
    let mut table = Table::of(client, &session.game).await;
    let mut hands = Vec::new();
    for seat in &table.seats {
        let actions = legal(seat).await;
        let hand: BTreeSet<_> = actions.iter().flat_map(|action| cards(&action.refs)).collect();
        assert!(hand.len() > 1);
        assert_eq!(faces(&view(seat).await), hand);
        hands.push(hand);
    }
    assert!(faces(&table.spectator().now().await).is_empty());
    for seat in &table.seats {
        let card = &legal(seat).await[0].notation;
        seat.apply(Batch::notations([&**card, "done"])).await.expect("taken");
    }
    table.end().await;
    // The cards that were not played stay in the hands, and nobody else is told them.
    let played = faces(&table.spectator().now().await);
    for follower in &mut table.everybody {
        follower.follow_to_the_end().await;
        let own = follower.of.seat.map(|seat| hands[seat as usize].clone()).unwrap_or_default();
        for event in &follower.events {
            let piles = event.changes.iter().filter_map(|change| match &change.entry {
                Some(change::Entry::Pile(pile)) => Some(pile),
                _ => None,
            });
            let shown = piles.flat_map(|pile| pile.cards.iter().copied());
            for card in cards(&event.refs).chain(shown) {
                assert!(own.contains(&card) || played.contains(&card), "{:?}: {card}", follower.of);
            }
        }
    }
}

async fn repetition(client: &Client, session: &Session) {
    let [first, second, third] = std::array::from_fn(|_| hex::encode(entropy::fresh().expect("entropy")));
    let new = || NewMatch::of(&session.game).request_id(&first);
    let made = client.matches().create(new()).await.expect("made");
    let again = client.matches().create(new()).await.expect("made");
    assert_eq!(again.match_id(), made.match_id());
    let join = || JoinRequest::of(made.match_id()).seat(0).entropy([0; 32]).request_id(&second);
    let north = client.matches().join(join()).await.expect("taken").handle;
    assert_eq!(client.matches().join(join()).await.expect("taken").handle.token(), north.token());
    client.matches().join(JoinRequest::of(made.match_id())).await.expect("taken");
    let actions = legal(&north).await;
    let take = |place: usize| Batch::ids([actions[place].id]).request_id(&third);
    let taken = north.apply(take(0)).await.expect("taken");
    assert_eq!(north.apply(take(0)).await.expect("taken").seq, taken.seq);
    assert_eq!(draft(view(&north).await), [actions[0].id]);
    refused(ErrorReason::RequestIdReused, north.apply(take(1)).await);
}

/// The relay of this suite breaks by itself: each connection ends after so many messages of the server.
async fn cut(client: &Client, session: &Session, url: &str, options: &impl Fn(&str) -> Options) {
    let mut table = Table::of(client, &session.game).await;
    let host = url.trim_start_matches("http://");
    let address: SocketAddr =
        tokio::net::lookup_host(host).await.expect("a host").next().expect("an address");
    let relay = Flaky::before(Arc::new(Mutex::new(address)), session.messages).await;
    let watcher = Client::with(options(&format!("http://{}", relay.address))).expect("a client");
    let mut watch = watcher.matches().watch(table.match_id()).after(0);
    let mut seen = Vec::new();
    for decision in 0..=session.decisions {
        // One decision behind, so that something is under way when the relay breaks.
        let seq = table.spectator().now().await.seq;
        if decision < session.decisions {
            table.play(decision..decision + 1, "id").await;
        } else {
            table.end().await;
        }
        while watch.cursor().is_none_or(|seen| seen < seq) {
            let update = watch.next().await.expect("it goes on").expect("more is to come");
            seen.extend(update.events.iter().map(|event| event.seq));
        }
    }
    while let Some(update) = watch.next().await.expect("it goes on") {
        seen.extend(update.events.iter().map(|event| event.seq));
    }
    assert!(relay.connections.load(Ordering::Relaxed) > 2);
    let last = table.spectator().now().await.seq;
    assert_eq!(seen, (1..=last).collect::<Vec<_>>());
}

async fn receipts(client: &Client, session: &Session) {
    let keys = client.catalog().signing_keys().await.expect("keys");
    let keys: Vec<_> = keys.iter().map(|key| VerifyingKey::from_bytes(key).expect("a key")).collect();
    let mut table = Table::of(client, &session.game).await;
    table.play(0..session.decisions, "id").await;
    table.end().await;
    let match_id = table.match_id().to_owned();
    for follower in &mut table.everybody {
        follower.follow_to_the_end().await;
        let receipt = follower.receipt().await;
        let mut whole = Transcript::new(&match_id, follower.of);
        follower.events.iter().try_for_each(|event| whole.push(event)).expect("in order");
        whole.push_receipt(receipt.clone()).expect("for these");
        assert!(transcript::check(&whole, &keys).is_fully_checked(), "{:?}", follower.of);
        let mut lossy = Transcript::new(&match_id, follower.of);
        let pushed = follower.events[1..].iter().try_for_each(|event| lossy.push(event));
        assert!(pushed.and_then(|()| lossy.push_receipt(receipt)).is_err(), "{:?}", follower.of);
    }
}
