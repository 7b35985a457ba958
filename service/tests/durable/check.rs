//! The answers that clients got, against what the server says now.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;
use std::time::Instant;

use edgehill_engine::action::ActionId;
use edgehill_engine::record::{Record, verify};
use edgehill_engine::registry::Registry;
use edgehill_engine::seat::Seat;
use edgehill_engine::table::LogEntry;
use edgehill_proto::v1;

use crate::history::HistoryLine;
use crate::journal::{self, Acknowledged, Did};
use crate::line::Client;
use crate::message::{self, HasMatch, HasResult, batch, exported};
use crate::process::by;
use crate::world::{Played, PlayedSeat, World};

/// Holds a match against everything that its clients were sent, while nobody plays.
pub(crate) async fn still_there(client: &mut Client, played: &Played) {
    let id = &played.made.match_id;
    let got = client.get_match(v1::GetMatchRequest { match_id: id.clone() }).await.unwrap().into_inner();
    let config = got.config();
    assert_eq!(config.match_id, *id);
    assert_eq!(config.dice.unwrap().commitment, played.made.commitment, "{id}");
    let public = events(client, id, "", got.seq()).await;
    for watched in &*played.watched.lock().unwrap() {
        assert_eq!(watched.events, public, "{id}: who watched it to its end has seen something else");
    }
    let before = std::mem::replace(&mut *played.public.lock().unwrap(), public.clone());
    assert!(public.starts_with(&before), "{id}: a spectator was sent other events before");
    for seat in &played.seats {
        let what = format!("{id}, seat {}", seat.sat.seat);
        let requests: Vec<Acknowledged> = journal::read(&seat.journal);
        let seq = seq_of(client, id, &seat.sat.token).await;
        let now = events(client, id, &seat.sat.token, seq).await;
        seat.published.lock().unwrap().is_prefix_of(&now, &what);
        let mut last = 0;
        for request in &requests {
            assert!((last..=seq).contains(&request.seq), "{what} is at {seq}: {request:?}");
            last = request.seq;
        }
        if let Some(last) = requests.last() {
            again(client, seat, last, &what).await;
            assert_eq!(seq_of(client, id, &seat.sat.token).await, seq, "{what}: {last:?} happened twice");
        }
    }
}

async fn seq_of(client: &mut Client, id: &str, token: &str) -> u64 {
    client
        .get_match(by(token, v1::GetMatchRequest { match_id: id.to_owned() }))
        .await
        .unwrap()
        .into_inner()
        .seq()
}

/// All `length` events of an observer: of the seat whose token it is, or a spectator's.
pub(crate) async fn events(client: &mut Client, id: &str, token: &str, length: u64) -> Vec<v1::Event> {
    let request = v1::WatchMatchRequest {
        match_id: id.to_owned(),
        after_seq: Some(0),
        ..v1::WatchMatchRequest::default()
    };
    let request = if token.is_empty() { tonic::Request::new(request) } else { by(token, request) };
    let mut stream = client.watch_match(request).await.unwrap().into_inner();
    let mut events: Vec<v1::Event> = Vec::new();
    while (events.len() as u64) < length {
        events.extend(stream.message().await.unwrap().unwrap().update.unwrap().events);
    }
    let numbers: Vec<u64> = events.iter().map(|event| event.seq).collect();
    assert_eq!(numbers, (1..=length).collect::<Vec<_>>(), "{id}");
    events
}

/// A request that was acknowledged, made again, has the same outcome.
async fn again(client: &mut Client, seat: &PlayedSeat, request: &Acknowledged, what: &str) {
    let Acknowledged { request: request_id, match_id, seq, did, .. } = request.clone();
    let token = &seat.sat.token;
    let update = match &did {
        Did::Actions(ids) => {
            let batch = Some(batch(message::ids(ids)));
            let apply =
                v1::ApplyActionsRequest { match_id, request_id, batch, ..v1::ApplyActionsRequest::default() };
            let applied = client.apply_actions(by(token, apply)).await.unwrap().into_inner();
            assert_eq!(applied.result().actions as usize, ids.len(), "{what}");
            applied.update
        }
        Did::Undone(count) => {
            let undo = v1::UndoActionsRequest { match_id, request_id, ..v1::UndoActionsRequest::default() };
            let undone = client.undo_actions(by(token, undo)).await.unwrap().into_inner();
            assert_eq!(undone.result().actions, *count, "{what}");
            undone.update
        }
        Did::Resigned => {
            let resign = v1::ResignMatchRequest { match_id, request_id, ..v1::ResignMatchRequest::default() };
            client.resign_match(by(token, resign)).await.unwrap().into_inner().update
        }
    };
    assert!(update.unwrap().seq >= seq, "{what}");
}

/// Holds a match that is over against its record: it has each acknowledged action once and in order, and nothing else; every
/// request, made again, is known.
pub(crate) async fn recorded(client: &mut Client, played: &Played, registry: &Registry, world: &World) {
    let begin = Instant::now();
    let id = &played.made.match_id;
    let record =
        exported(client.export_record(v1::ExportRecordRequest { match_id: id.clone() }).await).await.unwrap();
    assert!(record.complete, "{id}");
    let record = Record::parse(&record.text).unwrap();
    let game = registry.game(&played.made.game).unwrap();
    let report = verify(&**game, &record, &[]);
    assert!(report.is_consistent(), "{id}: {report}");
    let table = game.replay(&record).unwrap();
    let mut actions: BTreeMap<usize, Vec<ActionId>> = BTreeMap::new();
    for entry in table.log() {
        if let LogEntry::Commit { seat, actions: committed } = entry {
            actions.entry(Seat::index(*seat)).or_default().extend(committed);
        }
    }
    if let Some(history) = &world.history {
        history.note(&record_line(id, table.log(), history.at(begin), history.at(Instant::now())));
    }
    let lengths: Vec<u64> = {
        let mut lengths = Vec::new();
        for seat in &played.seats {
            lengths.push(seq_of(client, id, &seat.sat.token).await);
        }
        lengths
    };
    for seat in &played.seats {
        let requests: Vec<Acknowledged> = journal::read(&seat.journal);
        let what = format!("{id}, seat {}", seat.sat.seat);
        let mut acknowledged: Vec<ActionId> = Vec::new();
        for request in &requests {
            match &request.did {
                Did::Actions(ids) => acknowledged.extend(ids.iter().map(|&id| ActionId(id as u16))),
                Did::Undone(count) => acknowledged.truncate(acknowledged.len() - *count as usize),
                Did::Resigned => {
                    assert!(table.log().contains(&LogEntry::Resigned(Seat::new(seat.sat.seat as u8))))
                }
            }
            again(client, seat, request, &what).await;
        }
        let found = actions.remove(&(seat.sat.seat as usize)).unwrap_or_default();
        assert_eq!(found, acknowledged, "{what}");
    }
    for (seat, length) in played.seats.iter().zip(lengths) {
        assert_eq!(seq_of(client, id, &seat.sat.token).await, length, "{id}: a request happened twice");
    }
}

/// The record of a match as its history has it.
fn record_line<'a>(id: &'a str, log: &[LogEntry], begin: u64, end: u64) -> HistoryLine<'a> {
    let (mut commits, mut resigned) = (Vec::new(), Vec::new());
    for entry in log {
        match entry {
            LogEntry::Commit { seat, actions } => {
                commits.push((Seat::index(*seat), actions.iter().map(|action| action.0.into()).collect()));
            }
            LogEntry::Resigned(seat) => resigned.push(Seat::index(*seat)),
            _ => {}
        }
    }
    HistoryLine::Record { r#match: id, commits, resigned, begin, end }
}

/// The matches are those that were acknowledged, each once.
pub(crate) async fn listed(client: &mut Client, world: &World) {
    let mut listed = BTreeSet::new();
    let mut page_token = String::new();
    loop {
        let page = v1::ListMatchesRequest { page_token, ..v1::ListMatchesRequest::default() };
        let page = client.list_matches(page).await.unwrap().into_inner();
        for entry in page.matches {
            assert!(listed.insert(entry.id()), "listed twice");
        }
        page_token = page.next_page_token;
        if page_token.is_empty() {
            break;
        }
    }
    let made: BTreeSet<String> = world.all().iter().map(|played| played.made.match_id.clone()).collect();
    assert!(world.all().iter().all(|played| played.done.load(Ordering::Relaxed)));
    assert_eq!(listed, made);
}
