//! All matches, held against what their clients were told, while nobody plays ([`audit`]).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use edgehill_engine::action::ActionId;
use edgehill_engine::record::{Record, verify};
use edgehill_engine::seat::Seat;
use edgehill_engine::table::LogEntry;
use edgehill_proto::v1;

use crate::calls::{ask, by};
use crate::line::{Client, Line};
use crate::message::{HasMatch, exported};
use crate::random::Random;
use crate::seat::{Acknowledged, Ask, SeatLog};
use crate::world::{Played, World};

/// Of all requests of a seat, so many of a hundred are made again.
const ASKED_AGAIN_PERCENT: usize = 30;

/// Holds every match against what its clients were told.
pub(crate) async fn audit(world: Arc<World>) -> turmoil::Result {
    let mut random = world.random(3);
    let mut line = world.line(&mut random);
    for played in world.played() {
        check(&world, &mut line, &played, &mut random).await;
    }
    listed(&world, &mut line).await;
    Ok(())
}

async fn state(line: &mut Line, match_id: &str, token: &str) -> v1::Match {
    let got = line.insist(|mut client: Client| {
        let request = by(token, v1::GetMatchRequest { match_id: match_id.to_owned() });
        async move { client.get_match(request).await }
    });
    got.await.unwrap().into_inner().r#match.expect("a match")
}

/// All `length` events of an observer: of the seat whose token it is, or a spectator's.
async fn events(line: &mut Line, match_id: &str, token: &str, length: u64) -> Vec<v1::Event> {
    let mut events: Vec<v1::Event> = Vec::new();
    while (events.len() as u64) < length {
        let watched = line.insist(|mut client: Client| {
            let request = v1::WatchMatchRequest {
                match_id: match_id.to_owned(),
                after_seq: Some(0),
                ..v1::WatchMatchRequest::default()
            };
            let request = by(token, request);
            async move { client.watch_match(request).await }
        });
        let mut stream = watched.await.unwrap().into_inner();
        events.clear();
        while (events.len() as u64) < length {
            match stream.message().await {
                Ok(message) => events.extend(message.expect("an update").update.expect("an update").events),
                Err(status) => {
                    assert_eq!(line.lost(&status), None);
                    break;
                }
            }
        }
    }
    let numbers: Vec<u64> = events.iter().map(|event| event.seq).collect();
    assert_eq!(numbers, (1..=length).collect::<Vec<_>>(), "{match_id}");
    events
}

async fn check(world: &World, line: &mut Line, played: &Played, random: &mut Random) {
    let id = &played.id;
    let shown = state(line, id, "").await;
    assert_eq!(shown.config().dice.unwrap().commitment, played.commitment, "{id}");
    let status = shown.state().status();
    let public = events(line, id, "", shown.seq).await;
    world.note(format_args!("{id} {status:?} {} {:?}", shown.seq, public.last().map(|last| &last.code)));
    let seats = played.seats.lock().unwrap().clone();
    for seat in &seats {
        let what = format!("{id}, seat {}", seat.number);
        let seq = state(line, id, &seat.token).await.seq;
        let now = events(line, id, &seat.token, seq).await;
        assert!(now.starts_with(&seat.published().0), "{what}: an event is not what it was");
        let acknowledged = seat.acknowledged().clone();
        let mut last = 0;
        for request in &acknowledged {
            assert!((last..=seq).contains(&request.seq), "{what} is at {seq}: {request:?}");
            last = request.seq;
            if random.percent(ASKED_AGAIN_PERCENT) {
                again(line, seat, request, &what).await;
            }
        }
        assert_eq!(state(line, id, &seat.token).await.seq, seq, "{what}: a request happened twice");
    }
    if seats.len() < played.players {
        use v1::MatchStatus::{Aborted, Expired, Waiting};
        assert!(matches!(status, Waiting | Aborted | Expired), "{id}: {status:?}, and not all have come");
        return;
    }
    assert_eq!(status, v1::MatchStatus::Finished, "{id}");
    recorded(world, line, played, &seats, &shown.state()).await;
}

/// A request that was answered, made again, has the same outcome.
async fn again(line: &mut Line, seat: &SeatLog, request: &Acknowledged, what: &str) {
    let answered = ask(seat, line, &request.asked).await;
    let (actions, update) = answered.unwrap_or_else(|refusal| panic!("{what}: {request:?}: {refusal:?}"));
    assert_eq!(actions, request.actions, "{what}: {request:?}");
    assert!(update.seq >= request.seq, "{what}: {request:?}");
}

/// Holds a match that is over against its record, which verifies: it has each acknowledged action once and in order, and nothing else.
/// Of one that did not end by its rules the last draft is not in it; and of a seat whose clock has run out others may have been taken.
async fn recorded(
    world: &World,
    line: &mut Line,
    played: &Played,
    seats: &[Arc<SeatLog>],
    state: &v1::MatchState,
) {
    let id = &played.id;
    let record = line.insist(|mut client: Client| {
        let request = v1::ExportRecordRequest { match_id: id.clone() };
        async move { exported(client.export_record(request).await).await }
    });
    let record = record.await.unwrap();
    assert!(record.complete, "{id}");
    let record = Record::parse(&record.text).unwrap();
    let game = world.registry.game(&played.game).unwrap();
    let report = verify(&**game, &record, &[]);
    assert!(report.is_consistent(), "{id}: {report}");
    let table = game.replay(&record).unwrap();
    let mut actions: BTreeMap<usize, Vec<ActionId>> = BTreeMap::new();
    for entry in table.log() {
        if let LogEntry::Commit { seat, actions: committed } = entry {
            actions.entry(Seat::index(*seat)).or_default().extend(committed);
        }
    }
    let ended_by_rules =
        state.result.as_ref().is_some_and(|result| result.termination() == v1::Termination::Victory);
    for seat in seats {
        if state.clocks.get(seat.number as usize).is_some_and(|clock| clock.strikes > 0) {
            continue;
        }
        let mut acknowledged: Vec<ActionId> = Vec::new();
        for request in seat.acknowledged().iter() {
            match request.asked.ask {
                Ask::Action(action) => acknowledged.push(ActionId(action as u16)),
                Ask::Undo => acknowledged.truncate(acknowledged.len() - request.actions as usize),
                Ask::Resign => {
                    assert!(table.log().contains(&LogEntry::Resigned(Seat::new(seat.number as u8))), "{id}");
                }
            }
        }
        let found = actions.remove(&(seat.number as usize)).unwrap_or_default();
        if ended_by_rules {
            assert_eq!(found, acknowledged, "{id}, seat {}", seat.number);
        } else {
            assert!(
                acknowledged.starts_with(&found),
                "{id}, seat {}: {acknowledged:?} was acknowledged, {found:?} is in the record",
                seat.number
            );
        }
    }
}

/// The matches are those that were made, each once.
async fn listed(world: &World, line: &mut Line) {
    let (mut listed, mut page_token) = (BTreeSet::new(), String::new());
    loop {
        let page = line.insist(|mut client: Client| {
            let request = v1::ListMatchesRequest {
                page_token: page_token.clone(),
                ..v1::ListMatchesRequest::default()
            };
            async move { client.list_matches(request).await }
        });
        let page = page.await.unwrap().into_inner();
        for entry in page.matches {
            assert!(listed.insert(entry.id()), "listed twice");
        }
        page_token = page.next_page_token;
        if page_token.is_empty() {
            break;
        }
    }
    let made: BTreeSet<String> = world.played().iter().map(|played| played.id.clone()).collect();
    assert_eq!(listed, made);
}
