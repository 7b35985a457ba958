//! Adjournments: who agrees on them, what stands still meanwhile, and how the match goes on.

use edgehill_engine::record::{AdjournedBy, RecordedAdjournment};
use edgehill_proto::v1::play_seats_request::{self, Call};
use edgehill_proto::v1::{self, ClockConfig, ErrorReason, LegalDetail, MatchStatus, TimeoutRule};

use crate::adjourned_table::{START_MS, Table, banked, banks, deadlines, seconds};
use crate::kit::{
    WINDOW, assert_field, by, ids, notations, reason, refusal, skirmish, soon, timestamp, watch,
};
use crate::stage::{Stage, apply, open};

fn offers(state: &v1::MatchState) -> Vec<(u32, i64)> {
    let offer = |offer: &v1::AdjournmentOffer| (offer.seat, offer.adjourn_for.unwrap().seconds);
    state.adjournment_offers.iter().map(offer).collect()
}

#[tokio::test]
async fn seats_agree_on_the_least_time_and_their_clocks_go_on_where_they_stood() {
    let mut table = Table::clocked(banked(60)).await;
    table.advance(5);
    let offered = table.offer(0, "o", 3_600).await.unwrap();
    assert_eq!((offers(&offered), offered.adjournment), (vec![(0, 3_600)], None));
    let offered = table.offer(0, "o2", 7_200).await.unwrap();
    assert_eq!(offers(&offered), [(0, 7_200)], "the last one stands");
    table.advance(5);
    let adjourned = table.accept(1, "a", 1_800).await.unwrap();
    let shown = v1::Adjournment {
        adjourn_time: Some(timestamp(START_MS + 10_000)),
        resume_time: Some(timestamp(START_MS + 1_810_000)),
        by_referee: false,
        resume_requests: Vec::new(),
    };
    assert_eq!((adjourned.adjournment.clone(), offers(&adjourned)), (Some(shown), vec![]));
    assert_eq!((banks(&adjourned), deadlines(&adjourned)), (vec![50, 50], vec![None, None]));
    assert!(adjourned.clocks.iter().all(|clock| clock.question_time.is_none()));
    assert_eq!(table.accept(1, "a", 1_800).await.unwrap(), adjourned, "it is done once");
    assert_eq!(table.listed().await, adjourned);

    table.advance(600);
    let asked = table.resume(0, "r").await.unwrap();
    assert_eq!(asked.adjournment.as_ref().unwrap().resume_requests, [0]);
    table.resume(0, "again").await.unwrap();
    assert_eq!(table.state().await, asked, "to ask once more changes nothing");
    let resumed = table.resume(1, "r").await.unwrap();
    assert_eq!((resumed.adjournment.clone(), banks(&resumed)), (None, vec![50, 50]));
    assert_eq!(deadlines(&resumed), [Some(660), Some(660)]);
    assert_eq!(resumed.clocks[0].question_time, Some(timestamp(START_MS + 610_000)));
    assert_eq!(table.seated.legal(&mut table.client, 0).await.time_left.unwrap().left, seconds(50));
    table.advance(20);
    table.choose(0, "north").await;
    let answered = table.state().await;
    assert_eq!((banks(&answered), deadlines(&answered)[1]), (vec![30, 50], Some(660)));
    // North has committed, and is not asked again by another adjournment.
    table.adjourn(60).await;
    let adjourned = table.state().await;
    assert_eq!(banks(&adjourned), [30, 30]);
    table.advance(60);
    let resumed = table.until(|state| state.adjournment.is_none()).await;
    assert_eq!(deadlines(&resumed), [None, Some(720)]);
    table.advance(30);
    let over = table.until(|state| state.status() == MatchStatus::Finished).await;
    assert_eq!(over.result.unwrap().returns, [1, -1], "South had thirty seconds, and no more");
}

#[tokio::test]
async fn a_limit_and_a_delay_are_not_given_anew() {
    let terms = ClockConfig { delay: seconds(10), decision_limit: seconds(30), ..banked(100) };
    let mut table = Table::clocked(terms).await;
    table.advance(8);
    let adjourned = table.adjourn(600).await;
    assert_eq!(banks(&adjourned), [100, 100], "within the delay");
    for seat in 0..2 {
        table.resume(seat, "r").await.unwrap();
    }
    assert_eq!(deadlines(&table.state().await), [Some(30), Some(30)], "no time went by");
    table.advance(12);
    table.choose(0, "north").await;
    assert_eq!(banks(&table.state().await), [90, 100]);
}

#[tokio::test]
async fn a_window_stays_open_with_the_time_that_it_had() {
    let at_end = TimeoutRule::DefaultAction.into();
    let terms = ClockConfig { window_limit: seconds(50), at_end, ..banked(1_000) };
    let request =
        v1::CreateMatchRequest { position_json: WINDOW.into(), clock: Some(terms), ..skirmish("window") };
    let mut table = Table::of(request).await;
    table.seated.choose_cards(&mut table.client).await;
    let march = ["march north-camp ford", "take north-1", "go"];
    table.seated.take(&mut table.client, 0, "march", notations(&march)).await;
    table.advance(20);
    table.adjourn(600).await;
    let standing = v1::SetStandingPassesRequest {
        match_id: table.seated.id.clone(),
        request_id: "s".into(),
        standing_passes: vec![v1::StandingPass {
            scope: v1::PassScope::Always.into(),
            ..v1::StandingPass::default()
        }],
        ..v1::SetStandingPassesRequest::default()
    };
    let passed = table.client.set_standing_passes(by(&table.seated.tokens[1], standing)).await;
    assert_eq!(reason(passed), ErrorReason::Adjourned, "it would answer");
    table.advance(600);
    let resumed = table.until(|state| state.adjournment.is_none()).await;
    assert_eq!(deadlines(&resumed), [None, Some(650)]);
    table.advance(30);
    let passed = table.until(|state| state.clocks[1].strikes == 1).await;
    assert_eq!(banks(&passed), [1_000, 950]);
}

#[tokio::test]
async fn calls_that_play_are_refused_while_it_is_adjourned() {
    let mut table = Table::clocked(banked(60)).await;
    let card = table.seated.legal(&mut table.client, 0).await.legal_actions.unwrap().ids[0];
    table.adjourn(600).await;
    let legal = table.seated.legal(&mut table.client, 0).await;
    assert_eq!((legal.to_act, legal.legal_actions.unwrap().ids, legal.time_left), (false, vec![], None));
    let token = table.seated.tokens[0].clone();
    let before = table.state().await;
    let refused =
        refusal(table.client.apply_actions(by(&token, table.seated.apply("x", ids(&[card])))).await);
    assert_eq!(refused.reason(), ErrorReason::Adjourned);
    let expected =
        "the match is adjourned until 2023-11-14T22:23:20.000Z, unless all seats call `ResumeMatch` before";
    assert_eq!(refused.message, expected);
    let undo = v1::UndoActionsRequest {
        match_id: table.seated.id.clone(),
        request_id: "x".into(),
        ..v1::UndoActionsRequest::default()
    };
    assert_eq!(reason(table.client.undo_actions(by(&token, undo)).await), ErrorReason::Adjourned);
    let action = v1::Action { encoding: Some(v1::action::Encoding::Id(card)) };
    let explain = v1::ExplainActionRequest { match_id: table.seated.id.clone(), action: Some(action) };
    assert_eq!(reason(table.client.explain_action(by(&token, explain)).await), ErrorReason::Adjourned);
    assert_eq!(reason(table.offer(0, "x", 60).await), ErrorReason::Adjourned);
    assert_eq!(reason(table.accept(0, "x", None).await), ErrorReason::Adjourned);
    assert_eq!(reason(table.decline(0, "x").await), ErrorReason::Adjourned);
    assert_eq!(table.state().await, before);
    // A draw is offered and agreed on: that plays nothing.
    let offer = v1::OfferDrawRequest { match_id: table.seated.id.clone(), request_id: "d".into() };
    table.client.offer_draw(by(&token, offer)).await.unwrap();
    let accept = v1::AcceptDrawRequest {
        match_id: table.seated.id.clone(),
        request_id: "d".into(),
        response_options: None,
    };
    table.client.accept_draw(by(&table.seated.tokens[1], accept)).await.unwrap();
    let over = table.state().await;
    assert_eq!((over.status(), over.adjournment), (MatchStatus::Finished, None));
    assert_eq!(reason(table.resume(0, "x").await), ErrorReason::MatchFinished);
}

#[tokio::test]
async fn offers_are_read_and_stand_as_those_of_draws_do() {
    let mut table = Table::clocked(banked(600)).await;
    for longest in [0, 59, 30 * 86_400 + 1, -60] {
        assert_field(table.offer(0, "x", longest).await, ErrorReason::InvalidField, "adjourn_for");
    }
    let without = v1::OfferAdjournmentRequest {
        match_id: table.seated.id.clone(),
        request_id: "x".into(),
        adjourn_for: None,
    };
    let token = table.seated.tokens[0].clone();
    let answer = table.client.offer_adjournment(by(&token, without)).await;
    assert_field(answer, ErrorReason::InvalidField, "adjourn_for");
    assert_eq!(reason(table.accept(1, "x", None).await), ErrorReason::NoOffer);
    assert_eq!(reason(table.decline(1, "x").await), ErrorReason::NoOffer);
    assert_eq!(reason(table.resume(1, "x").await), ErrorReason::NotAdjourned);
    table.offer(0, "o", 60).await.unwrap();
    assert_eq!(reason(table.offer(0, "o", 61).await), ErrorReason::RequestIdReused);
    assert_field(table.accept(1, "x", 59).await, ErrorReason::InvalidField, "adjourn_for");
    assert_eq!(reason(table.accept(0, "x", None).await), ErrorReason::NoOffer, "one's own is none");
    assert_eq!(reason(table.decline(0, "x").await), ErrorReason::NoOffer);
    let declined = table.decline(1, "d").await.unwrap();
    assert_eq!(offers(&declined), []);
    // An action that is final ends an offer, and one of another seat does not; a draft ends none.
    table.offer(0, "o2", 60).await.unwrap();
    table.choose(1, "south").await;
    let card = table.seated.legal(&mut table.client, 0).await.legal_actions.unwrap().ids[0];
    table.seated.take(&mut table.client, 0, "card", ids(&[card])).await;
    assert_eq!(offers(&table.state().await), [(0, 60)]);
    table.seated.take(&mut table.client, 0, "done", notations(&["done"])).await;
    assert_eq!(offers(&table.state().await), []);
    // Offers that cross agree.
    table.offer(1, "o3", 90).await.unwrap();
    let adjourned = table.offer(0, "o3", 30 * 86_400).await.unwrap();
    assert_eq!(adjourned.adjournment.unwrap().resume_time, Some(timestamp(START_MS + 90_000)));
}

#[tokio::test]
async fn without_clocks_there_is_nothing_to_adjourn() {
    let mut table = Table::of(skirmish("m")).await;
    assert_eq!(reason(table.offer(0, "x", 60).await), ErrorReason::NoClocks);
    assert_eq!(reason(table.accept(0, "x", None).await), ErrorReason::NoClocks);
    assert_eq!(reason(table.decline(0, "x").await), ErrorReason::NoClocks);
    assert_eq!(reason(table.resume(0, "x").await), ErrorReason::NoClocks);
    assert_eq!(reason(table.order("x", 60).await), ErrorReason::NoClocks);
    assert_eq!(reason(table.end("x").await), ErrorReason::NoClocks);
    assert!(table.running.administration.acts(0, None, 100).await.unwrap().0.is_empty());
}

#[tokio::test]
async fn house_bots_agree_at_once_and_play_on_afterwards() {
    let bot = v1::SeatConfig {
        kind: v1::SeatKind::HouseBot.into(),
        bot: "random".to_owned(),
        ..v1::SeatConfig::default()
    };
    let seats = vec![v1::SeatConfig::default(), bot];
    let request = v1::CreateMatchRequest { seats, clock: Some(banked(600)), ..skirmish("bot") };
    let mut table = Table::of(request).await;
    table.choose(0, "north").await;
    let adjourned = table.offer(0, "o", 60).await.unwrap();
    assert!(adjourned.adjournment.is_some());
    assert_eq!(reason(table.accept(0, "x", None).await), ErrorReason::Adjourned);
    let resumed = table.resume(0, "r").await.unwrap();
    assert_eq!(resumed.adjournment, None, "the only person asks");
    soon(async {
        while !table.seated.legal(&mut table.client, 0).await.to_act {
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert_eq!(reason(table.accept(0, "x", None).await), ErrorReason::NoOffer);
}

#[tokio::test]
async fn a_seat_that_plays_by_prompts_is_asked_anew() {
    let mut table = Table::clocked(banked(60)).await;
    let mut stage = Stage::new(&mut table.client).await;
    for seat in 0..2 {
        stage.open(seat, open(&table.seated.tokens[seat as usize]));
        stage.opened(seat).await;
        stage.update(seat, "").await.legal_actions.expect("a prompt");
    }
    let adjourn_for = seconds(59);
    stage.say(0, "x", Call::OfferAdjournment(play_seats_request::OfferAdjournment { adjourn_for }));
    assert_eq!(stage.refusal(0, "x").await, ErrorReason::InvalidField);
    let adjourn_for = seconds(600);
    stage.say(0, "o", Call::OfferAdjournment(play_seats_request::OfferAdjournment { adjourn_for }));
    let mut prompts = Vec::new();
    for _ in 0..2 {
        let (channel, update) = stage.next_update().await;
        assert_eq!(offers(&update.state.unwrap()), [(0, 600)]);
        prompts.extend(update.legal_actions.map(|legal| (channel, legal.ids)));
    }
    let [(0, cards)] = &prompts[..] else { panic!("{prompts:?}") };
    stage.say(1, "d", Call::DeclineAdjournment(play_seats_request::DeclineAdjournment {}));
    let (_, declined) = (stage.next_update().await, stage.next_update().await);
    assert_eq!(offers(&declined.1.state.unwrap()), []);
    stage.say(1, "o", Call::OfferAdjournment(play_seats_request::OfferAdjournment { adjourn_for }));
    let _ = (stage.next_update().await, stage.next_update().await);
    table.advance(10);
    stage.say(0, "a", Call::AcceptAdjournment(play_seats_request::AcceptAdjournment { adjourn_for: None }));
    for _ in 0..2 {
        let (channel, update) = stage.next_update().await;
        assert!(update.state.unwrap().adjournment.is_some());
        assert_eq!((update.to_act, update.legal_actions, update.time_left), (false, None, None), "{channel}");
    }
    stage.say(0, "c", apply(ids(&[cards[0]])));
    assert_eq!(stage.refusal(0, "c").await, ErrorReason::Adjourned);
    table.advance(100);
    for (seat, waits) in [(1, true), (0, false)] {
        stage.say(seat, "r", Call::Resume(play_seats_request::Resume {}));
        for _ in 0..2 {
            let (channel, update) = stage.next_update().await;
            assert_eq!(update.state.unwrap().adjournment.is_some(), waits);
            let prompt = update.legal_actions.map(|legal| legal.ids);
            assert_eq!((update.to_act, prompt.is_some()), (!waits, !waits), "{channel}");
            if !waits {
                assert_eq!(update.time_left.unwrap().left, seconds(50));
            }
        }
    }
    stage.say(0, "c", apply(ids(&[cards[0]])));
    assert_eq!(stage.update(0, "c").await.apply_result.unwrap().actions, 1);
}

#[tokio::test]
async fn whoever_watches_is_told_when_it_begins_and_when_it_ends() {
    let mut table = Table::clocked(banked(60)).await;
    let request = v1::WatchMatchRequest { legal: LegalDetail::Ids.into(), ..watch(&table.seated.id, None) };
    let token = table.seated.tokens[1].clone();
    let mut watched = table.client.watch_match(by(&token, request)).await.unwrap().into_inner();
    let mut next = async || soon(watched.message()).await.unwrap().unwrap().update.unwrap();
    assert!(next().await.legal_actions.is_some());
    table.offer(0, "o", 60).await.unwrap();
    assert_eq!(offers(&next().await.state.unwrap()), [(0, 60)]);
    table.accept(1, "a", None).await.unwrap();
    let adjourned = next().await;
    assert!(adjourned.state.unwrap().adjournment.is_some());
    assert_eq!((adjourned.to_act, adjourned.legal_actions), (false, None));
    table.advance(60);
    let resumed = next().await;
    assert_eq!(resumed.state.unwrap().adjournment, None);
    assert!(resumed.to_act && resumed.legal_actions.is_some());
}

#[tokio::test]
async fn a_match_can_be_given_up_while_it_is_adjourned_and_its_record_says_so() {
    let mut table = Table::clocked(banked(60)).await;
    table.advance(10);
    table.adjourn(600).await;
    let entries = table.record().await.entries().len();
    let adjourned =
        |lasted_ms| RecordedAdjournment { entries, by: AdjournedBy::Seats, longest_ms: 600_000, lasted_ms };
    assert_eq!(table.record().await.adjournments(), [adjourned(None)]);
    table.advance(25);
    table.resign(1).await.unwrap();
    let over = table.state().await;
    assert_eq!((over.adjournment.clone(), over.result.clone().unwrap().returns), (None, vec![1, -1]));
    assert_eq!(table.record().await.adjournments(), [adjourned(Some(25_000))]);
    let mut table = table.restarted(std::time::Duration::ZERO).await;
    assert_eq!(table.state().await, over);
    assert_eq!(table.listed().await, over);
    assert_eq!(table.record().await.adjournments(), [adjourned(Some(25_000))]);
}
