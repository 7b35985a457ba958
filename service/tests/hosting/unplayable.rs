//! Matches of rules that the build does not have, and matches that are stopped: they can be read; the first can be ended, too.

use std::sync::Arc;
use std::time::Duration;

use edgehill_engine::record::{Record, verify};
use edgehill_proto::v1::{self, ErrorReason, MatchStatus, Termination};
use edgehill_service::clock::{Clock, ManualClock};
use edgehill_service::matches::{Call, Happened, JournalEntry, MatchHeader, Overview};
use edgehill_service::store::{
    Append, Create, MatchId, MatchLog, MemoryStore, Page, Quarantine, SecretId, Store, StoreFilter,
};

use crate::adjourned_table::{Table, banked};
use crate::kit::{
    HasMatch, Seated, by, everything, exported, ids, join, notations, reason, resign, skirmish, soon,
};
use crate::player::Player;
use crate::running::{Client, Running, Start};
use crate::stage::{Stage, open};

/// Changes an entry, given its revision.
type Fault<'a> = &'a dyn Fn(u64, &mut JournalEntry);

/// Writes a match's log into another store, with its header and its entries changed; lists show it as it is last.
pub(crate) async fn copy(
    from: &dyn Store,
    to: &dyn Store,
    id: MatchId,
    header: impl Fn(&mut MatchHeader),
    entry: impl Fn(u64, &mut JournalEntry),
) {
    let MatchLog { header: first, records, .. } = from.read(id, 0).await.unwrap();
    let mut changed = MatchHeader::from_bytes(&first.bytes).unwrap();
    header(&mut changed);
    let rows = from.list(StoreFilter::default(), Page::FIRST).await.unwrap().matches;
    let row = rows.iter().find(|row| row.id == id).unwrap();
    let overview = Overview::from_bytes(&row.overview).unwrap();
    let overview = Overview { header: changed.clone(), ..overview }.to_bytes();
    let secret_id = SecretId::new(format!("match:{id}")).unwrap();
    let secret = from.secret(secret_id.clone()).await.unwrap().unwrap();
    let create = Create {
        id,
        game: changed.game.clone(),
        scenario: changed.scenario.clone(),
        group: None,
        header: changed.to_bytes(),
        summary: first.summary,
        overview,
        requests: first.requests,
        secrets: vec![(secret_id, secret)],
    };
    to.create(create).await.unwrap().await.unwrap();
    for record in records {
        let mut changed = JournalEntry::from_bytes(&record.entry).unwrap();
        entry(record.at.revision, &mut changed);
        let append = Append {
            id,
            expected: record.at.revision - 1,
            entry: changed.to_bytes(),
            requests: record.requests,
            summary: record.summary,
            overview: None,
            replaces: None,
        };
        to.append(append).await.unwrap().await.unwrap();
    }
}

/// A match in which some actions were taken, and what was published to a seat of it.
struct Played {
    seated: Seated,
    events: Vec<v1::Event>,
    /// North's views at the beginning and now.
    start: Option<v1::View>,
    now: Option<v1::View>,
}

async fn played(store: &Arc<dyn Store>, request: v1::CreateMatchRequest, actions: usize) -> Played {
    let running = Start::on(store.clone()).run().await;
    let mut client = running.client().await;
    let seated = Seated::of(&mut client, request).await;
    Player::new(&seated).play(&mut client, actions).await;
    let now = seated.view(&mut client, 0).await;
    let events = published(&mut client, &seated, now.seq).await;
    let start = view(&mut client, &seated, Some(0)).await.view;
    Played { seated, events, start, now: now.view }
}

/// North's view now, or at the beginning.
async fn view(client: &mut Client, seated: &Seated, at_seq: Option<u64>) -> v1::GetViewResponse {
    let request = v1::GetViewRequest { match_id: seated.id.clone(), at_seq, ..v1::GetViewRequest::default() };
    client.get_view(by(&seated.tokens[0], request)).await.unwrap().into_inner()
}

/// A server with a copy of matches of another one, played with a content that it does not have.
async fn with_other_content(from: &dyn Store, matches: &[&Seated], clock: &Arc<ManualClock>) -> Running {
    let other: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let content = |header: &mut MatchHeader| header.content = [9; 32];
    for seated in matches {
        copy(from, &*other, seated.id.parse().unwrap(), content, |_, _| {}).await;
    }
    Start { clock: clock.clone(), ..Start::on(other) }.run().await
}

/// Returns the events published to North up to `length`.
async fn published(client: &mut Client, seated: &Seated, length: u64) -> Vec<v1::Event> {
    let watch = v1::WatchMatchRequest {
        match_id: seated.id.clone(),
        after_seq: Some(0),
        ..v1::WatchMatchRequest::default()
    };
    let mut watch = client.watch_match(by(&seated.tokens[0], watch)).await.unwrap().into_inner();
    let mut events: Vec<v1::Event> = Vec::new();
    while (events.len() as u64) < length {
        events.extend(soon(watch.message()).await.unwrap().unwrap().update.unwrap().events);
    }
    events
}

async fn status(client: &mut Client, id: &str) -> MatchStatus {
    let got = client.get_match(v1::GetMatchRequest { match_id: id.into() }).await.unwrap().into_inner();
    got.state().status()
}

async fn listed(client: &mut Client, status: MatchStatus) -> Vec<v1::Match> {
    let request =
        v1::ListMatchesRequest { statuses: vec![status.into()], ..v1::ListMatchesRequest::default() };
    client.list_matches(request).await.unwrap().into_inner().matches
}

/// That everything which needs the rules is refused.
async fn refuses(client: &mut Client, seated: &Seated, expected: ErrorReason) {
    let token = &seated.tokens[0];
    let id = || seated.id.clone();
    assert_eq!(
        reason(client.apply_actions(by(token, seated.apply("x", notations(&["done"])))).await),
        expected
    );
    assert_eq!(reason(client.apply_actions(by(token, seated.apply("x", ids(&[0])))).await), expected);
    let undo = v1::UndoActionsRequest {
        match_id: id(),
        request_id: "x".into(),
        ..v1::UndoActionsRequest::default()
    };
    assert_eq!(reason(client.undo_actions(by(token, undo)).await), expected);
    let legal = v1::ListLegalActionsRequest { match_id: id(), ..v1::ListLegalActionsRequest::default() };
    assert_eq!(reason(client.list_legal_actions(by(token, legal)).await), expected);
    let action = Some(v1::Action { encoding: Some(v1::action::Encoding::Id(0)) });
    let explain = v1::ExplainActionRequest { match_id: id(), action };
    assert_eq!(reason(client.explain_action(by(token, explain)).await), expected);
    let record = client.export_record(v1::ExportRecordRequest { match_id: id() }).await;
    assert_eq!(reason(record), expected);
    assert_eq!(reason(client.join_match(join(&seated.id, "late", 0)).await), expected);
    let mut stage = Stage::new(client).await;
    stage.open(0, open(token));
    assert_eq!(stage.refusal(0, "").await, expected);
    // A token that was not given out is no better for that.
    let forged = edgehill_service::identity::ServerKey::from_bytes([9; 32]);
    let forged = forged.seat_token(&seated.id.parse().unwrap(), edgehill_engine::seat::Seat::new(0), b"x");
    let answer = client.resign_match(by(&forged.to_string(), resign(&seated.id, "x"))).await;
    assert_eq!(reason(answer), ErrorReason::BadToken);
}

#[tokio::test]
async fn a_match_of_other_rules_is_read_and_not_played() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let Played { seated, events, start, now } = played(&store, skirmish("u"), 30).await;
    let over = played(&store, skirmish("o"), 10_000).await;
    let other: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let content = |header: &mut MatchHeader| header.content = [9; 32];
    for id in [&seated.id, &over.seated.id] {
        copy(&*store, &*other, id.parse().unwrap(), content, |_, _| {}).await;
    }
    // And one of a game that nobody knows.
    let Played { seated: alien, .. } = played(&store, skirmish("a"), 3).await;
    let game = |header: &mut MatchHeader| header.game = "hnefatafl".into();
    copy(&*store, &*other, alien.id.parse().unwrap(), game, |_, _| {}).await;

    let running = Start::on(other).run().await;
    let mut client = running.client().await;
    let got = seated.get(&mut client).await;
    assert_eq!(got.state().status(), MatchStatus::Unplayable);
    assert_eq!(got.config().rules.as_ref().unwrap().content_hash, [9; 32]);
    assert_eq!(got.seq(), {
        let got =
            client.get_match(by(&seated.tokens[0], v1::GetMatchRequest { match_id: seated.id.clone() }));
        let own = got.await.unwrap().into_inner().seq();
        assert_eq!(own, events.len() as u64);
        got_public(&mut client, &seated).await
    });
    let unplayable = listed(&mut client, MatchStatus::Unplayable).await;
    assert_eq!(unplayable.len(), 2);
    assert!(unplayable.iter().any(|entry| entry.config() == got.config() && entry.state() == got.state()));
    assert_eq!(status(&mut client, &alien.id).await, MatchStatus::Unplayable);
    // A match that is over needs no rules.
    assert_eq!(status(&mut client, &over.seated.id).await, MatchStatus::Finished);
    assert_eq!(listed(&mut client, MatchStatus::Finished).await.len(), 1);
    assert_eq!(published(&mut client, &over.seated, over.events.len() as u64).await, over.events);
    assert_eq!(view(&mut client, &over.seated, None).await.view, over.now);

    assert_eq!(published(&mut client, &seated, events.len() as u64).await, events);
    let watch = v1::WatchMatchRequest { match_id: seated.id.clone(), ..v1::WatchMatchRequest::default() };
    let mut watch = client.watch_match(by(&seated.tokens[0], watch)).await.unwrap().into_inner();
    let first = watch.message().await.unwrap().unwrap().update.unwrap();
    assert_eq!(first.state.unwrap().status(), MatchStatus::Unplayable);
    // All that was published, folded over the view of the beginning, and nothing that is in it twice.
    assert_eq!((first.seq, &first.view, first.events), (events.len() as u64, &now, Vec::new()));
    let seen = view(&mut client, &seated, None).await;
    assert_eq!((seen.seq, seen.view), (events.len() as u64, now));
    let seen = view(&mut client, &seated, Some(0)).await;
    assert_eq!((seen.seq, seen.view), (0, start));
    refuses(&mut client, &seated, ErrorReason::Unplayable).await;
    for (seated, missing) in [(&seated, "the content 0909"), (&alien, "rules 1 of hnefatafl")] {
        let request = seated.apply("x", notations(&["done"]));
        let refused = client.apply_actions(by(&seated.tokens[0], request)).await.unwrap_err();
        assert!(refused.message().contains(missing), "{refused}");
    }
    // A join is repeated as ever.
    let again = client.join_match(join(&seated.id, "kit-0", 0)).await.unwrap().into_inner();
    assert_eq!(again.seat_token, seated.tokens[0]);
}

async fn got_public(client: &mut Client, seated: &Seated) -> u64 {
    seated.get(client).await.seq()
}

#[tokio::test]
async fn a_seat_gives_up_what_its_server_can_t_play_and_the_rules_find_it_so() {
    let (store, clock) =
        (Arc::new(MemoryStore::new()) as Arc<dyn Store>, Arc::new(ManualClock::new(1_700_000_000_000)));
    let Played { seated, events, now, .. } = played(&store, skirmish("g"), 30).await;
    let running = with_other_content(&*store, &[&seated], &clock).await;
    let mut client = running.client().await;
    let watch = v1::WatchMatchRequest { match_id: seated.id.clone(), ..v1::WatchMatchRequest::default() };
    let mut watch = client.watch_match(by(&seated.tokens[1], watch)).await.unwrap().into_inner();
    soon(watch.message()).await.unwrap().unwrap();

    let request = || {
        let response_options = everything();
        by(&seated.tokens[0], v1::ResignMatchRequest { response_options, ..resign(&seated.id, "r") })
    };
    let update = client.resign_match(request()).await.unwrap().into_inner().update.unwrap();
    assert_eq!((update.status(), update.seq), (MatchStatus::Finished, events.len() as u64));
    assert_eq!((&update.view, update.to_act), (&now, false));
    // Whoever watches is told, and the stream ends as with any match that is over.
    let told = soon(watch.message()).await.unwrap().unwrap().update.unwrap();
    assert_eq!(told.state.unwrap().status(), MatchStatus::Finished);
    assert!(soon(watch.message()).await.unwrap().is_none());
    // The same request has the same answer, and another has come too late.
    assert_eq!(client.resign_match(request()).await.unwrap().into_inner().update.unwrap(), update);
    let late = client.resign_match(by(&seated.tokens[1], resign(&seated.id, "r"))).await;
    assert_eq!(reason(late), ErrorReason::MatchFinished);
    let state = seated.get(&mut client).await.state();
    let result = state.result.clone().unwrap();
    assert_eq!(
        (result.termination(), &*result.code, &result.returns[..]),
        (Termination::Resignation, "resigned", &[-1, 1][..])
    );
    assert_eq!(listed(&mut client, MatchStatus::Finished).await[0].state().result, Some(result.clone()));

    // After a restart nothing is different; and neither is it where the rules are.
    let (unplayed, back) = (running.store.clone(), Arc::new(MemoryStore::new()) as Arc<dyn Store>);
    let running = Start::on(unplayed.clone()).run().await;
    let mut client = running.client().await;
    assert_eq!(client.resign_match(request()).await.unwrap().into_inner().update.unwrap(), update);
    let first = store.read(seated.id.parse().unwrap(), 0).await.unwrap().header;
    let content = MatchHeader::from_bytes(&first.bytes).unwrap().content;
    copy(&*unplayed, &*back, seated.id.parse().unwrap(), |header| header.content = content, |_, _| {}).await;
    let running = Start::on(back).run().await;
    let mut client = running.client().await;
    let got = seated.get(&mut client).await.state();
    assert_eq!((got.status(), got.result), (MatchStatus::Finished, Some(result)));
    assert_eq!(view(&mut client, &seated, None).await.view, now);
    assert_eq!(client.resign_match(request()).await.unwrap().into_inner().update.unwrap().seq, update.seq);
    let exported =
        exported(client.export_record(v1::ExportRecordRequest { match_id: seated.id.clone() }).await);
    let exported = exported.await.unwrap();
    let record = Record::parse(&exported.text).unwrap();
    assert!(exported.complete);
    assert_eq!((record.result(), record.given_up()), (None, Some("north")));
    let report = verify(&**running.host.registry().game("skirmish").unwrap(), &record, &[]);
    assert!(report.is_consistent(), "{report}");
}

#[tokio::test]
async fn an_adjourned_match_is_given_up_without_its_rules_as_well() {
    let mut table = Table::clocked(banked(60)).await;
    table.advance(10);
    table.adjourn(600).await;
    let (seated, store) = (&table.seated, &table.running.store);
    let running = with_other_content(&**store, &[seated], &table.clock).await;
    let mut client = running.client().await;
    assert!(seated.get(&mut client).await.state().adjournment.is_some());
    client.resign_match(by(&seated.tokens[1], resign(&seated.id, "r"))).await.unwrap();
    let given_up = seated.get(&mut client).await.state();
    assert_eq!((given_up.status(), &given_up.adjournment), (MatchStatus::Finished, &None));
    let back: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let first = store.read(seated.id.parse().unwrap(), 0).await.unwrap().header;
    let content = MatchHeader::from_bytes(&first.bytes).unwrap().content;
    copy(&*running.store, &*back, seated.id.parse().unwrap(), |header| header.content = content, |_, _| {})
        .await;
    let running = Start { clock: table.clock.clone(), ..Start::on(back) }.run().await;
    let replayed = seated.get(&mut running.client().await).await.state();
    assert_eq!((replayed.result, replayed.clocks), (given_up.result, given_up.clocks));
}

#[tokio::test]
async fn a_match_that_waits_for_players_and_for_its_rules_is_taken_back_or_expires() {
    let (store, clock) =
        (Arc::new(MemoryStore::new()) as Arc<dyn Store>, Arc::new(ManualClock::new(1_700_000_000_000)));
    let running = Start { clock: clock.clone(), ..Start::on(store.clone()) }.run().await;
    let mut client = running.client().await;
    let mut waiting = Vec::new();
    for request_id in ["back", "left"] {
        let created = client.create_match(skirmish(request_id)).await.unwrap().into_inner();
        let token = client.join_match(join(&created.id(), "j", 0)).await.unwrap().into_inner().seat_token;
        waiting.push((Seated { id: created.id(), tokens: vec![token] }, created.creator_token));
    }
    let [(back, creator_token), (left, _)] = &waiting[..] else { unreachable!() };
    let running = with_other_content(&*store, &[back, left], &clock).await;
    let mut client = running.client().await;
    let given_up = client.resign_match(by(&left.tokens[0], resign(&left.id, "r"))).await;
    assert_eq!(reason(given_up), ErrorReason::MatchNotStarted);
    let request = v1::AbortMatchRequest {
        match_id: back.id.clone(),
        request_id: "a".into(),
        creator_token: creator_token.clone(),
    };
    for _ in 0..2 {
        let aborted = client.abort_match(request.clone()).await.unwrap().into_inner();
        assert_eq!(aborted.r#match.unwrap().state().status(), MatchStatus::Aborted);
    }
    let expires = left.get(&mut client).await.state().expire_time.unwrap();
    let watch = v1::WatchMatchRequest { match_id: left.id.clone(), ..v1::WatchMatchRequest::default() };
    let mut watch = client.watch_match(watch).await.unwrap().into_inner();
    soon(watch.message()).await.unwrap().unwrap();
    clock.advance(Duration::from_secs(expires.seconds as u64 - clock.unix_ms() / 1_000 + 1));
    let told = soon(watch.message()).await.unwrap().unwrap().update.unwrap();
    assert_eq!(told.state.unwrap().status(), MatchStatus::Expired);
}

#[tokio::test]
async fn a_log_that_does_not_replay_stops_its_match_and_no_other() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let Played { seated, events, now, .. } = played(&store, skirmish("q"), 30).await;
    let Played { seated: good, events: good_events, .. } = played(&store, skirmish("g"), 10).await;
    let drawn = |_: u64, entry: &mut JournalEntry| {
        if let Some(drawn) = entry.drawn.first_mut() {
            drawn.outcome = if drawn.outcome == "fife" { "drum".into() } else { "fife".into() };
        }
    };
    let actions = |revision: u64, entry: &mut JournalEntry| {
        if revision == 5
            && let Happened::Called { actions, .. } = &mut entry.happened
        {
            *actions += 1;
        }
    };
    let other_call = |revision: u64, entry: &mut JournalEntry| {
        if revision == 4
            && let Happened::Called { call, .. } = &mut entry.happened
        {
            *call = Call::Resign;
        }
    };
    let offers = |revision: u64, entry: &mut JournalEntry| {
        if revision == 3 {
            entry.offers = 1;
        }
    };
    let faults: [Fault<'_>; 4] = [&drawn, &actions, &other_call, &offers];
    for fault in faults {
        let tampered: Arc<dyn Store> = Arc::new(MemoryStore::new());
        copy(&*store, &*tampered, seated.id.parse().unwrap(), |_| {}, fault).await;
        copy(&*store, &*tampered, good.id.parse().unwrap(), |_| {}, |_, _| {}).await;
        let running = Start::on(tampered).run().await;
        let mut client = running.client().await;
        assert_eq!(status(&mut client, &seated.id).await, MatchStatus::Quarantined);
        let stopped = listed(&mut client, MatchStatus::Quarantined).await;
        assert_eq!(stopped.len(), 1);
        let config = stopped[0].config.as_ref().unwrap();
        assert_eq!((&config.match_id, &*config.game), (&seated.id, "skirmish"));
        // Published events stay readable.
        assert_eq!(published(&mut client, &seated, events.len() as u64).await, events);
        assert_eq!(view(&mut client, &seated, None).await.view, now);
        refuses(&mut client, &seated, ErrorReason::Quarantined).await;
        let given_up = client.resign_match(by(&seated.tokens[0], resign(&seated.id, "x"))).await;
        assert_eq!(reason(given_up), ErrorReason::Quarantined);
        // The other match goes on.
        assert_eq!(status(&mut client, &good.id).await, MatchStatus::Running);
        assert_eq!(published(&mut client, &good, good_events.len() as u64).await, good_events);
        client.resign_match(by(&good.tokens[0], resign(&good.id, "r"))).await.unwrap();
        // Released, it is looked at again, and stopped again.
        running.host.release(seated.id.parse().unwrap()).await.unwrap();
        assert_eq!(status(&mut client, &seated.id).await, MatchStatus::Quarantined);
    }
}

#[tokio::test]
async fn an_operator_stops_a_match_under_its_players_and_lets_it_go_on() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let running = Start::on(store.clone()).run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let before = seated.sight(&mut client).await;
    let card = seated.legal(&mut client, 0).await.legal_actions.unwrap().ids[0];
    let mut stage = Stage::new(&mut client).await;
    stage.open(0, open(&seated.tokens[0]));
    stage.opened(0).await;
    stage.update(0, "").await;
    let id: MatchId = seated.id.parse().unwrap();
    let why = Quarantine { reason: "OPERATOR".into(), detail: "for the test".into(), since_ms: 1 };
    store.quarantine(id, why).await.unwrap();
    // The first call finds it out, and is told to come again; then it is told why.
    let mut reasons = Vec::new();
    for _ in 0..3 {
        let answer = client.apply_actions(by(&seated.tokens[0], seated.apply("x", ids(&[card])))).await;
        reasons.push(reason(answer));
    }
    assert_eq!(reasons.last(), Some(&ErrorReason::Quarantined), "{reasons:?}");
    assert_eq!(stage.closed(0).await, Some(ErrorReason::Quarantined));
    assert_eq!(status(&mut client, &seated.id).await, MatchStatus::Quarantined);
    running.host.release(id).await.unwrap();
    assert_eq!(seated.sight(&mut client).await, before);
    assert!(client.apply_actions(by(&seated.tokens[0], seated.apply("x", ids(&[card])))).await.is_ok());
}
