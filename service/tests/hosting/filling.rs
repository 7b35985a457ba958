//! A seat that would rather fill its match than lose it: drafts, undoes, offers, passes and joins without end. The match goes
//! on, its log stays small, and what is refused costs nothing.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use edgehill_engine::record::{Record, verify};
use edgehill_proto::v1::{self, ErrorReason, LimitName, MatchStatus, Termination};
use edgehill_service::limits::Limits;
use edgehill_service::matches::RESERVED_BYTES;
use edgehill_service::store::{Append, MatchId, MemoryStore, Store};

use crate::kit::{
    HasBatch, HasMatch, HasResult, Seated, WINDOW, by, exported, join, notations, refusal, resign, skirmish,
    soon,
};
use crate::running::{Client, File, Running, Start};
use crate::trouble::Full;

/// A draft that moves a lot and has nothing final in it.
const DRAFT: [&str; 5] =
    ["march north-camp bridge", "take north-1", "take north-2", "take north-3", "take north-4"];

/// The most that a log may have grown by drafts of one turn, however many they were.
const LOG_BYTES: u64 = 192 * 1024;

/// A match in which North is to act, and can draft.
async fn marching(client: &mut Client) -> Seated {
    let request = v1::CreateMatchRequest { position_json: WINDOW.into(), ..skirmish("fill") };
    let seated = Seated::of(client, request).await;
    seated.choose_cards(client).await;
    seated
}

/// Takes the draft in the place of the one before, as request `id`.
fn redraft(seated: &Seated, id: &str) -> v1::ApplyActionsRequest {
    let request = seated.apply(id, notations(&DRAFT)).keeping(0);
    v1::ApplyActionsRequest { response_options: None, ..request }
}

/// Bytes of a match's log.
async fn log_bytes(store: &dyn Store, match_id: &str) -> u64 {
    let id: MatchId = match_id.parse().unwrap();
    let log = store.read(id, 0).await.unwrap();
    let append = |record: edgehill_service::store::StoredRecord| Append {
        id,
        expected: record.at.revision - 1,
        entry: record.entry,
        requests: record.requests,
        summary: record.summary,
        overview: None,
        replaces: None,
    };
    log.header_bytes + log.records.into_iter().map(|record| append(record).log_bytes()).sum::<u64>()
}

/// Waits until a match's log has become small, as it does of itself.
async fn until_small(store: &dyn Store, match_id: &str) {
    soon(async {
        while log_bytes(store, match_id).await > LOG_BYTES {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

/// The limit for which a call is refused.
#[track_caller]
fn limit<T: std::fmt::Debug>(answer: Result<T, tonic::Status>) -> String {
    let refused = refusal(answer);
    assert_eq!(refused.reason(), ErrorReason::LimitReached, "{}", refused.message);
    let words = refused.message.split_whitespace();
    words
        .map(|word| word.trim_end_matches(',').to_owned())
        .find(|word| word.starts_with("LIMIT_NAME_"))
        .unwrap()
}

fn undo(seated: &Seated, id: &str) -> v1::UndoActionsRequest {
    let (match_id, request_id) = (seated.id.clone(), id.to_owned());
    v1::UndoActionsRequest { match_id, request_id, ..v1::UndoActionsRequest::default() }
}

fn offer(seated: &Seated, id: &str) -> v1::OfferDrawRequest {
    v1::OfferDrawRequest { match_id: seated.id.clone(), request_id: id.to_owned() }
}

/// That a seat can't change its mind any more, for `name`, and that the refusals read nothing and append nothing.
async fn assert_no_change_of_mind(client: &mut Client, seated: &Seated, store: &Full, name: LimitName) {
    let token = &seated.tokens[0];
    let before = (store.reads.load(Ordering::SeqCst), store.appends.load(Ordering::SeqCst));
    let stand = v1::SetStandingPassesRequest {
        match_id: seated.id.clone(),
        request_id: "stand".into(),
        ..v1::SetStandingPassesRequest::default()
    };
    let decline = v1::DeclineDrawRequest { match_id: seated.id.clone(), request_id: "decline".into() };
    let found = [
        limit(client.apply_actions(by(token, redraft(seated, "again"))).await),
        limit(client.undo_actions(by(token, undo(seated, "undo"))).await),
        limit(client.offer_draw(by(token, offer(seated, "offer"))).await),
        limit(client.decline_draw(by(token, decline)).await),
        limit(client.set_standing_passes(by(token, stand)).await),
    ];
    assert_eq!(found, [name.as_str_name(); 5]);
    let after = (store.reads.load(Ordering::SeqCst), store.appends.load(Ordering::SeqCst));
    assert_eq!(after, before, "refusals cost something");
}

/// That the match goes on, and ends with North giving up.
async fn assert_goes_on(client: &mut Client, seated: &Seated, running: &Running) {
    seated.take(client, 0, "go", notations(&["go"])).await;
    let other = seated.to_act(client).await.expect("somebody is to act");
    let action = seated.legal(client, other).await.legal_actions.unwrap().ids[0];
    seated.take(client, other, "goes on", crate::kit::ids(&[action])).await;
    client.resign_match(by(&seated.tokens[0], resign(&seated.id, "resign"))).await.unwrap();
    let state = seated.get(client).await.state();
    assert_eq!(state.status(), MatchStatus::Finished);
    let result = state.result.unwrap();
    assert_eq!((result.termination(), &*result.returns), (Termination::Resignation, &[-1, 1][..]));
    let record = v1::ExportRecordRequest { match_id: seated.id.clone() };
    let record = exported(client.export_record(record).await).await.unwrap();
    let game = running.host.registry().game("skirmish").unwrap();
    let report = verify(&**game, &Record::parse(&record.text).unwrap(), &[]);
    assert!(record.complete && report.is_consistent(), "{report}");
}

#[tokio::test]
async fn a_seat_that_drafts_without_end_is_stopped_and_the_match_goes_on() {
    let file = File::new();
    let store = Arc::new(Full::new(file.open()));
    let running = Start::on(store.clone()).run().await;
    let mut client = running.client().await;
    let seated = marching(&mut client).await;
    let before = log_bytes(&*store, &seated.id).await;
    let mut drafts = 0;
    let refused = loop {
        match client.apply_actions(by(&seated.tokens[0], redraft(&seated, &format!("d{drafts}")))).await {
            Ok(_) => drafts += 1,
            refused => break limit(refused),
        }
    };
    // The first takes nothing back.
    let max = Limits::default().turn_changes;
    assert_eq!((drafts, &*refused), (max + 1, "LIMIT_NAME_TURN_CHANGES"));
    until_small(&*store, &seated.id).await;
    let grown = log_bytes(&*store, &seated.id).await - before;
    eprintln!("{drafts} drafts of {} actions: the log has {grown} bytes more", DRAFT.len());
    assert_no_change_of_mind(&mut client, &seated, &store, LimitName::TurnChanges).await;
    // After a restart as well.
    running.close().await;
    let store = Arc::new(Full::new(file.open()));
    let running = Start::on(store.clone()).run().await;
    let mut client = running.client().await;
    seated.get(&mut client).await;
    assert_no_change_of_mind(&mut client, &seated, &store, LimitName::TurnChanges).await;
    assert_goes_on(&mut client, &seated, &running).await;
    assert!(log_bytes(&*store, &seated.id).await < before + LOG_BYTES);
}

#[tokio::test]
async fn a_seat_that_undoes_and_takes_again_is_stopped_as_well() {
    let limits = Limits { turn_changes: 40, ..Limits::default() };
    let store = Arc::new(Full::new(Arc::new(MemoryStore::new())));
    let running = Start { limits, ..Start::on(store.clone()) }.run().await;
    let mut client = running.client().await;
    let seated = marching(&mut client).await;
    seated.take(&mut client, 0, "march", notations(&DRAFT[..1])).await;
    for number in 0..40 {
        seated.take(&mut client, 0, &format!("t{number}"), notations(&DRAFT[1..2])).await;
        client.undo_actions(by(&seated.tokens[0], undo(&seated, &format!("u{number}")))).await.unwrap();
    }
    assert_no_change_of_mind(&mut client, &seated, &store, LimitName::TurnChanges).await;
    // A call that was carried out before is answered still.
    let again = client.undo_actions(by(&seated.tokens[0], undo(&seated, "u7"))).await.unwrap().into_inner();
    assert_eq!(again.result().actions, 1);
    // The other seat has its own.
    client.offer_draw(by(&seated.tokens[1], offer(&seated, "o"))).await.unwrap();
    seated.take(&mut client, 0, "on", notations(&DRAFT[1..])).await;
    assert_goes_on(&mut client, &seated, &running).await;
}

#[tokio::test]
async fn a_seat_whose_action_is_final_may_change_its_mind_again() {
    let limits = Limits { turn_changes: 16, ..Limits::default() };
    let running = Start { limits, ..Start::default() }.run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    for number in 0..16 {
        client.offer_draw(by(&seated.tokens[0], offer(&seated, &format!("o{number}")))).await.unwrap();
    }
    let refused = client.offer_draw(by(&seated.tokens[0], offer(&seated, "more"))).await;
    assert_eq!(limit(refused), "LIMIT_NAME_TURN_CHANGES");
    seated.choose_cards(&mut client).await;
    client.offer_draw(by(&seated.tokens[0], offer(&seated, "more"))).await.unwrap();
}

#[tokio::test]
async fn changes_of_mind_leave_room_for_play_and_for_the_end() {
    let match_log_bytes = RESERVED_BYTES as usize + 200_000;
    let limits = Limits { turn_changes: 65_536, match_log_bytes, ..Limits::default() };
    let store = Arc::new(Full::new(Arc::new(MemoryStore::new())));
    let running = Start { limits, ..Start::on(store.clone()) }.run().await;
    let mut client = running.client().await;
    let seated = marching(&mut client).await;
    // Offers are published to all, so nothing can take their place.
    let mut offers = 0;
    let refused = loop {
        match client.offer_draw(by(&seated.tokens[0], offer(&seated, &format!("o{offers}")))).await {
            Ok(_) => offers += 1,
            refused => break limit(refused),
        }
    };
    assert_eq!(refused, "LIMIT_NAME_MATCH_LOG_BYTES");
    let bytes = log_bytes(&*store, &seated.id).await;
    let half = 100_000;
    assert!((half..half + 4_096).contains(&bytes), "{offers} offers are {bytes} bytes, and {half} are half");
    seated.take(&mut client, 0, "draft", notations(&DRAFT)).await;
    assert_no_change_of_mind(&mut client, &seated, &store, LimitName::MatchLogBytes).await;
    assert_goes_on(&mut client, &seated, &running).await;
}

#[tokio::test]
async fn a_match_whose_log_is_full_ends_and_does_not_count() {
    let limits = Limits { match_log_bytes: RESERVED_BYTES as usize + 100_000, ..Limits::default() };
    let store = Arc::new(Full::new(Arc::new(MemoryStore::new())));
    let running = Start { limits, ..Start::on(store.clone()) }.run().await;
    let mut client = running.client().await;
    let id = client.create_match(skirmish("full")).await.unwrap().into_inner().id();
    // Nothing else that callers do has no end: the rules end every match, and what can be repeated has its limits.
    for number in 0.. {
        let seat = match client.join_match(join(&id, &format!("j{number}"), 1)).await {
            Ok(joined) => joined.into_inner().seat_token,
            Err(_) => break,
        };
        let leave = v1::LeaveMatchRequest { match_id: id.clone(), request_id: format!("l{number}") };
        if client.leave_match(by(&seat, leave)).await.is_err() {
            break;
        }
    }
    let state = soon(async {
        loop {
            let request = v1::GetMatchRequest { match_id: id.clone() };
            let state = client.get_match(request).await.unwrap().into_inner().state();
            if state.status() == MatchStatus::Finished {
                return state;
            }
            tokio::task::yield_now().await;
        }
    })
    .await;
    let result = state.result.unwrap();
    assert_eq!((&*result.code, &*result.rule, &*result.returns), ("log_full", "contract", &[0, 0][..]));
    assert_eq!(result.termination(), Termination::Void);
    assert!(log_bytes(&*store, &id).await <= 104_096);
    let before = (store.reads.load(Ordering::SeqCst), store.appends.load(Ordering::SeqCst));
    for number in 0..10 {
        let refused = client.join_match(join(&id, &format!("late{number}"), 1)).await;
        assert_eq!(refusal(refused).reason(), ErrorReason::MatchFinished);
    }
    let after = (store.reads.load(Ordering::SeqCst), store.appends.load(Ordering::SeqCst));
    assert_eq!(after, before, "refusals cost something");
}
