//! The ends of adjournments: by their time, whoever watches and whatever the server does meanwhile, and by referees.

use std::time::Duration;

use edgehill_engine::record::{AdjournedBy, RecordedActKind};
use edgehill_proto::v1::{self, ErrorReason, LegalDetail, MatchStatus, RefereeActKind};
use edgehill_service::limits::Limits;
use edgehill_service::matches::REFEREE_ACTS_MAX;

use crate::adjourned_table::{START_MS, Table, banked, banks, deadlines, seconds};
use crate::kit::{HasMatch, assert_field, by, reason, refusal, skirmish, soon, timestamp, watch};
use crate::stage::{Stage, open};

#[tokio::test]
async fn its_time_is_over_though_nobody_has_asked_for_the_match_since_the_start() {
    let mut table = Table::clocked(banked(60)).await;
    table.advance(10);
    table.choose(0, "north").await;
    let adjourned = table.adjourn(600).await;
    table.advance(100);
    // While there is no server nobody can ask for it to go on.
    let mut table = table.restarted(Duration::from_secs(10_000)).await;
    assert_eq!(table.running.host.loaded_matches(), 0);
    let listed = table.listed().await;
    let adjournment = listed.adjournment.clone().unwrap();
    assert_eq!(adjournment.adjourn_time, adjourned.adjournment.as_ref().unwrap().adjourn_time);
    assert_eq!(adjournment.resume_time, Some(timestamp(START_MS + 10_610_000)));
    assert_eq!((banks(&listed), deadlines(&listed)), (vec![50, 50], vec![None, None]));
    table.advance(499);
    assert!(table.listed().await.adjournment.is_some());
    table.advance(1);
    let resumed = soon(async {
        loop {
            let state = table.listed().await;
            if state.adjournment.is_none() {
                return state;
            }
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert_eq!(resumed, table.state().await);
    assert_eq!(deadlines(&resumed), [None, Some(10_660)]);
    // It goes on with the clock that it had, in the next server, too.
    let mut table = table.restarted(Duration::from_secs(1_000)).await;
    assert_eq!(deadlines(&table.state().await), [None, Some(11_660)]);
    table.advance(20);
    table.choose(1, "south").await;
    assert_eq!(banks(&table.state().await), [50, 30]);
    let record = table.record().await;
    let [adjournment] = record.adjournments() else { panic!("{:?}", record.adjournments()) };
    assert_eq!((adjournment.longest_ms, adjournment.lasted_ms), (600_000, Some(10_600_000)));
}

#[tokio::test]
async fn offers_and_requests_to_go_on_outlive_the_server() {
    let mut table = Table::clocked(banked(600)).await;
    let offered = table.offer(1, "o", 600).await.unwrap();
    let mut table = table.restarted(Duration::ZERO).await;
    assert_eq!(table.listed().await, offered);
    assert_eq!(table.offer(1, "o", 600).await.unwrap(), offered, "it was done");
    table.accept(0, "a", None).await.unwrap();
    let asked = table.resume(1, "r").await.unwrap();
    let mut table = table.restarted(Duration::ZERO).await;
    assert_eq!(table.listed().await, asked);
    assert_eq!(table.resume(1, "r").await.unwrap(), asked);
    assert_eq!(table.resume(0, "r").await.unwrap().adjournment, None);
}

#[tokio::test]
async fn no_time_of_a_seat_runs_out_and_the_match_is_not_idle_while_it_is_adjourned() {
    const IDLE_SECONDS: u64 = 500;
    let limits = Limits { idle_seconds: IDLE_SECONDS, ..Limits::default() };
    let request = v1::CreateMatchRequest { clock: Some(banked(60)), ..skirmish("m") };
    let mut table = Table::within(limits, request).await;
    let other = v1::CreateMatchRequest { request_id: "other".into(), ..skirmish("other") };
    let created = table.client.create_match(by(&table.keys.ada, other)).await.unwrap().into_inner();
    for seat in 0..2 {
        let join = crate::kit::join(&created.id(), &format!("o{seat}"), seat);
        table.client.join_match(by(&table.keys.ada, join)).await.unwrap();
    }
    table.adjourn(3 * IDLE_SECONDS as i64).await;
    table.advance(IDLE_SECONDS);
    // The look that ends the other one has been at this one, too.
    let request = v1::GetMatchRequest { match_id: created.id() };
    soon(async {
        loop {
            let answer = table.client.get_match(by(&table.keys.eve, request.clone())).await.unwrap();
            if answer.into_inner().state().status() == MatchStatus::Finished {
                return;
            }
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert!(table.state().await.adjournment.is_some());
    table.advance(2 * IDLE_SECONDS);
    let resumed = table.until(|state| state.adjournment.is_none()).await;
    assert_eq!(resumed.status(), MatchStatus::Running);
    assert_eq!(deadlines(&resumed), [Some(3 * IDLE_SECONDS as i64 + 60); 2]);
}

#[tokio::test]
async fn a_referee_adjourns_a_match_and_alone_lets_it_go_on_before_its_time() {
    let mut table = Table::clocked(banked(60)).await;
    for stranger in [table.keys.ada.clone(), table.seated.tokens[0].clone()] {
        let order = v1::AdjournMatchRequest {
            match_id: table.seated.id.clone(),
            request_id: "x".into(),
            adjourn_for: seconds(60),
            reason: String::new(),
        };
        let end = v1::EndAdjournmentRequest { match_id: table.seated.id.clone(), ..Default::default() };
        assert_eq!(reason(table.referee.adjourn_match(by(&stranger, order)).await), ErrorReason::NotAllowed);
        assert_eq!(reason(table.referee.end_adjournment(by(&stranger, end)).await), ErrorReason::NotAllowed);
    }
    for longest in [0, 59, 30 * 86_400 + 1] {
        assert_field(table.order("x", longest).await, ErrorReason::InvalidField, "adjourn_for");
    }
    assert_eq!(reason(table.end("x").await), ErrorReason::NotAdjourned);
    assert!(table.running.administration.acts(0, None, 100).await.unwrap().0.is_empty());

    table.advance(10);
    table.offer(0, "o", 60).await.unwrap();
    let adjourned = table.order("a", 600).await.unwrap();
    let state = adjourned.state();
    let adjournment = state.adjournment.as_ref().unwrap();
    assert!(adjournment.by_referee && state.adjournment_offers.is_empty());
    assert_eq!((banks(&state), deadlines(&state)), (vec![50, 50], vec![None, None]));
    let act = &state.referee_acts[0];
    assert_eq!(
        (act.kind(), act.adjourn_for, &*act.reason),
        (RefereeActKind::MatchAdjourned, seconds(600), "a fire")
    );
    assert_eq!(table.order("a", 600).await.unwrap(), adjourned, "it is done once");
    assert_eq!(reason(table.order("a", 601).await), ErrorReason::RequestIdReused);
    assert_eq!(reason(table.order("b", 600).await), ErrorReason::Adjourned);
    let refused = refusal(table.resume(0, "r").await);
    assert_eq!(refused.reason(), ErrorReason::Adjourned);
    let expected = "a referee has adjourned the match until 2023-11-14T22:23:30.000Z, unless `EndAdjournment` ends that before";
    assert_eq!(refused.message, expected);
    // Time is added to a clock that stands.
    let added = v1::AddMatchTimeRequest {
        match_id: table.seated.id.clone(),
        request_id: "t".into(),
        seat: 1,
        added: seconds(30),
        reason: String::new(),
    };
    let added = table.referee.add_match_time(by(&table.keys.umpire, added)).await.unwrap().into_inner();
    assert_eq!(banks(&added.state()), [50, 80]);

    let mut table = table.restarted(Duration::from_secs(1_000)).await;
    table.advance(50);
    let ended = table.end("e").await.unwrap();
    assert_eq!(
        (ended.state().adjournment, deadlines(&ended.state())),
        (None, vec![Some(1_110), Some(1_140)])
    );
    assert_eq!(table.end("e").await.unwrap(), ended);
    assert_eq!(table.listed().await, ended.state());
    // Of one of a referee's the time runs out as well, and one of the seats' is ended by a referee, too.
    table.order("c", 60).await.unwrap();
    table.advance(60);
    table.until(|state| state.adjournment.is_none()).await;
    table.adjourn(600).await;
    assert_eq!(table.end("f").await.unwrap().state().adjournment, None);

    let (acts, _) = table.running.administration.acts(0, None, 100).await.unwrap();
    let told: Vec<String> = acts.iter().map(|act| act.act.to_string()).collect();
    let id = &table.seated.id;
    assert_eq!(told[0], format!("adjourned the match {id} for at most 600000 ms: a fire"));
    assert_eq!(told[2], format!("ended the adjournment of the match {id}"));
    assert_eq!(told.len(), 5);
    let record = table.record().await;
    let by: Vec<AdjournedBy> = record.adjournments().iter().map(|one| one.by).collect();
    assert_eq!(by, [AdjournedBy::Referee, AdjournedBy::Referee, AdjournedBy::Seats]);
    let kinds: Vec<&RecordedActKind> = record.referee_acts().iter().map(|act| &act.kind).collect();
    let (adjourned, ended) =
        (|longest_ms| RecordedActKind::MatchAdjourned { longest_ms }, RecordedActKind::AdjournmentEnded);
    let added = RecordedActKind::TimeAdded { seat: "south".into(), added_ms: 30_000 };
    assert_eq!(kinds, [&adjourned(600_000), &added, &ended, &adjourned(60_000), &ended]);
}

#[tokio::test]
async fn a_seat_that_has_not_called_meanwhile_is_asked_anew() {
    let mut table = Table::clocked(banked(60)).await;
    let token = table.seated.tokens[0].clone();
    let mut stage = Stage::by(&mut table.client, &table.keys.ada).await;
    stage.open(0, open(&token));
    stage.opened(0).await;
    let request = v1::WatchMatchRequest { legal: LegalDetail::Ids.into(), ..watch(&table.seated.id, None) };
    let mut watched = table.client.watch_match(by(&token, request)).await.unwrap().into_inner();
    let mut next = async || soon(watched.message()).await.unwrap().unwrap().update.unwrap();
    let prompts = [stage.update(0, "").await.legal_actions, next().await.legal_actions];
    assert!(prompts.iter().all(Option::is_some));
    table.order("a", 600).await.unwrap();
    assert_eq!([stage.update(0, "").await.legal_actions, next().await.legal_actions], [None, None]);
    table.end("e").await.unwrap();
    assert_eq!([stage.update(0, "").await.legal_actions, next().await.legal_actions], prompts);
}

#[tokio::test]
async fn the_last_act_that_a_match_takes_can_be_an_adjournment_that_is_ended() {
    let mut table = Table::clocked(banked(60)).await;
    for number in 0..REFEREE_ACTS_MAX - 1 {
        let request = v1::AddMatchTimeRequest {
            match_id: table.seated.id.clone(),
            request_id: format!("t{number}"),
            seat: 0,
            added: seconds(1),
            reason: String::new(),
        };
        table.referee.add_match_time(by(&table.keys.umpire, request)).await.unwrap();
    }
    table.order("a", 600).await.unwrap();
    table.end("e").await.unwrap();
    assert_eq!(reason(table.order("b", 600).await), ErrorReason::LimitReached);
    // One of the seats' has their own ways to end.
    table.adjourn(600).await;
    assert_eq!(reason(table.end("f").await), ErrorReason::LimitReached);
    let void = v1::VoidMatchRequest {
        match_id: table.seated.id.clone(),
        request_id: "v".into(),
        reason: "a fire".into(),
    };
    let voided = table.referee.void_match(by(&table.keys.umpire, void)).await.unwrap().into_inner().state();
    assert_eq!((voided.status(), voided.adjournment), (MatchStatus::Finished, None));
    assert!(table.record().await.adjournments().iter().all(|one| one.lasted_ms.is_some()));
}
