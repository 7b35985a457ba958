//! Clocks: what a seat's time comes to, and what happens when it has run out.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use edgehill_engine::record::{Record, verify};
use edgehill_proto::prost_types;
use edgehill_proto::v1::{self, ClockConfig, ErrorReason, LegalDetail, MatchStatus, TimeoutRule};
use edgehill_service::clock::{Clock, ManualClock};

use crate::kit::{
    HasMatch, Seated, WINDOW, assert_field, by, exported, ids, notations, reason, resign, skirmish, soon,
    timestamp, watch,
};
use crate::running::{Client, File, Running, Start};
use crate::stage::{Stage, open};

pub(crate) const START_MS: u64 = 1_700_000_000_000;

fn seconds(seconds: i64) -> Option<prost_types::Duration> {
    Some(prost_types::Duration { seconds, nanos: 0 })
}

/// So many seconds for each question, after which the seat loses.
pub(crate) fn limited(seconds_each: i64) -> ClockConfig {
    ClockConfig {
        decision_limit: seconds(seconds_each),
        at_end: TimeoutRule::Forfeit.into(),
        ..ClockConfig::default()
    }
}

pub(crate) fn clocked(clock: ClockConfig) -> v1::CreateMatchRequest {
    v1::CreateMatchRequest { clock: Some(clock), ..skirmish("clocked") }
}

/// A server whose time a test moves, and a client of it.
async fn timed(clock: &Arc<ManualClock>) -> (Running, Client) {
    let running = Start { clock: clock.clone(), ..Start::default() }.run().await;
    let client = running.client().await;
    (running, client)
}

pub(crate) fn manual() -> Arc<ManualClock> {
    Arc::new(ManualClock::new(START_MS))
}

async fn state(seated: &Seated, client: &mut Client) -> v1::MatchState {
    seated.get(client).await.state()
}

/// Follows a match until its state is as it should be.
async fn until(
    client: &mut Client,
    seated: &Seated,
    holds: impl Fn(&v1::MatchState) -> bool,
) -> v1::MatchState {
    let mut watched = client.watch_match(watch(&seated.id, Some(0))).await.unwrap().into_inner();
    soon(async {
        loop {
            let update = watched.message().await.unwrap().expect("the stream goes on").update.unwrap();
            if let Some(state) = update.state.filter(&holds) {
                return state;
            }
        }
    })
    .await
}

/// A seat draws up its choice of a card, and commits.
async fn choose(seated: &Seated, client: &mut Client, seat: usize, id: &str) {
    let card = seated.legal(client, seat).await.legal_actions.unwrap().ids[0];
    seated.take(client, seat, &format!("{id}-card"), ids(&[card])).await;
    seated.take(client, seat, &format!("{id}-done"), notations(&["done"])).await;
}

fn banks(state: &v1::MatchState) -> Vec<i64> {
    state.clocks.iter().map(|clock| clock.bank.map_or(-1, |bank| bank.seconds)).collect()
}

#[tokio::test]
async fn a_seat_that_does_not_answer_in_time_loses() {
    let clock = manual();
    let (running, mut client) = timed(&clock).await;
    let seated = Seated::of(&mut client, clocked(limited(10))).await;
    clock.advance(Duration::from_secs(4));
    choose(&seated, &mut client, 0, "north").await;
    let waits = state(&seated, &mut client).await;
    assert_eq!(waits.clocks[0].question_time, None, "North has answered");
    assert_eq!(waits.clocks[1].question_time, Some(timestamp(START_MS)));
    assert_eq!(waits.clocks[1].answer_deadline, Some(timestamp(START_MS + 10_000)));
    clock.advance(Duration::from_millis(5_999));
    assert_eq!(state(&seated, &mut client).await.status(), MatchStatus::Running);
    clock.advance(Duration::from_millis(1));
    let over = until(&mut client, &seated, |state| state.status() == MatchStatus::Finished).await;
    let result = over.result.unwrap();
    assert_eq!((&*result.code, &*result.rule, &*result.returns), ("timed_out", "contract", &[1, -1][..]));
    assert_eq!(result.termination(), v1::Termination::Time);
    assert_eq!(over.end_time, Some(timestamp(START_MS + 10_000)));
    assert_eq!(over.clocks.iter().map(|clock| clock.strikes).collect::<Vec<_>>(), [0, 1]);
    assert!(over.clocks.iter().all(|clock| clock.question_time.is_none() && clock.answer_deadline.is_none()));
    let late = client.apply_actions(by(&seated.tokens[1], seated.apply("late", notations(&["done"])))).await;
    assert_eq!(reason(late), ErrorReason::MatchFinished);
    let request = v1::ExportRecordRequest { match_id: seated.id.clone() };
    let record = exported(client.export_record(request).await).await.unwrap();
    let game = running.host.registry().game("skirmish").unwrap();
    assert!(verify(&**game, &Record::parse(&record.text).unwrap(), &[]).is_consistent());
}

#[tokio::test]
async fn an_answer_in_the_last_moment_counts() {
    let clock = manual();
    let (_running, mut client) = timed(&clock).await;
    let seated = Seated::of(&mut client, clocked(limited(10))).await;
    clock.advance(Duration::from_millis(9_999));
    seated.choose_cards(&mut client).await;
    let asked = state(&seated, &mut client).await;
    assert_eq!(asked.status(), MatchStatus::Running);
    assert!(asked.clocks.iter().all(|clock| clock.strikes == 0));
    // Whoever acts next has a question of their own.
    let to_act = seated.to_act(&mut client).await.unwrap();
    assert_eq!(asked.clocks[to_act].answer_deadline, Some(timestamp(START_MS + 19_999)));
    assert_eq!(asked.clocks[1 - to_act].answer_deadline, None);
}

#[tokio::test]
async fn the_default_action_is_taken_until_there_are_too_many_strikes() {
    let clock = manual();
    let (_running, mut client) = timed(&clock).await;
    let at_end = TimeoutRule::DefaultAction.into();
    let terms = ClockConfig { decision_limit: seconds(5), at_end, strikes: 2, ..ClockConfig::default() };
    let seated = Seated::of(&mut client, clocked(terms)).await;
    let config = seated.get(&mut client).await.config();
    assert_eq!(config.clock, Some(terms));
    clock.advance(Duration::from_secs(5));
    let strikes = |state: &v1::MatchState| state.clocks.iter().map(|clock| clock.strikes).sum::<u32>();
    let both = until(&mut client, &seated, |state| strikes(state) == 2).await;
    assert_eq!(both.status(), MatchStatus::Running, "cards were chosen for both");
    let to_act = seated.to_act(&mut client).await.expect("the round goes on");
    clock.advance(Duration::from_secs(5));
    let over = until(&mut client, &seated, |state| state.status() == MatchStatus::Finished).await;
    let result = over.result.unwrap();
    assert_eq!((result.termination(), result.returns[to_act]), (v1::Termination::Time, -1));
    assert_eq!(over.clocks[to_act].strikes, 2);
}

#[tokio::test]
async fn a_bank_is_charged_over_the_delay_and_has_the_increment() {
    let clock = manual();
    let (_running, mut client) = timed(&clock).await;
    let terms =
        ClockConfig { bank: seconds(60), increment: seconds(3), delay: seconds(2), ..ClockConfig::default() };
    let seated = Seated::of(&mut client, clocked(terms)).await;
    let asked = state(&seated, &mut client).await;
    assert_eq!(
        (banks(&asked), asked.clocks[0].answer_deadline),
        (vec![60, 60], Some(timestamp(START_MS + 62_000)))
    );
    // A draft is no answer: the time of all of it is one question's.
    clock.advance(Duration::from_secs(5));
    let card = seated.legal(&mut client, 0).await.legal_actions.unwrap().ids[0];
    let drafted = seated.take(&mut client, 0, "card", ids(&[card])).await.update.unwrap();
    assert_eq!(drafted.time_left.unwrap().left, seconds(57));
    clock.advance(Duration::from_secs(7));
    seated.take(&mut client, 0, "done", notations(&["done"])).await;
    assert_eq!(banks(&state(&seated, &mut client).await), [60 - 10 + 3, 60]);
    clock.advance(Duration::from_secs(60 - 12));
    choose(&seated, &mut client, 1, "south").await;
    assert_eq!(banks(&state(&seated, &mut client).await), [53, 60 - 58 + 3]);
}

#[tokio::test]
async fn an_empty_bank_leaves_a_second_for_each_question() {
    let clock = manual();
    let (_running, mut client) = timed(&clock).await;
    let seated =
        Seated::of(&mut client, clocked(ClockConfig { bank: seconds(10), ..ClockConfig::default() })).await;
    clock.advance(Duration::from_secs(10));
    let strikes = |state: &v1::MatchState| state.clocks.iter().map(|clock| clock.strikes).sum::<u32>();
    let both = until(&mut client, &seated, |state| strikes(state) == 2).await;
    assert_eq!(banks(&both), [0, 0]);
    let asked = both.clocks.iter().find_map(|clock| clock.answer_deadline).expect("somebody is asked");
    assert_eq!(asked, timestamp(START_MS + 11_000));
}

#[tokio::test]
async fn a_window_has_a_limit_of_its_own_and_brings_no_increment() {
    let clock = manual();
    let (_running, mut client) = timed(&clock).await;
    let at_end = TimeoutRule::DefaultAction.into();
    let terms = ClockConfig {
        bank: seconds(1_000),
        increment: seconds(50),
        window_limit: seconds(5),
        at_end,
        ..ClockConfig::default()
    };
    let request = v1::CreateMatchRequest { position_json: WINDOW.to_owned(), ..clocked(terms) };
    let seated = Seated::of(&mut client, request).await;
    seated.choose_cards(&mut client).await;
    let before = seated.to_act(&mut client).await;
    assert_eq!(before, Some(0), "North acts first");
    let march = ["march north-camp ford", "take north-1", "go"];
    seated.take(&mut client, 0, "march", notations(&march)).await;
    let opened = state(&seated, &mut client).await;
    assert_eq!(opened.clocks[1].answer_deadline, Some(timestamp(START_MS + 5_000)), "South may intercept");
    let bank = opened.clocks[1].bank;
    clock.advance(Duration::from_secs(5));
    let passed = until(&mut client, &seated, |state| state.clocks[1].strikes == 1).await;
    assert_eq!(passed.status(), MatchStatus::Running);
    assert_eq!(passed.clocks[1].bank.unwrap().seconds, bank.unwrap().seconds - 5);
    assert_ne!(passed.clocks[0].question_time, None, "North goes on");
}

#[tokio::test]
async fn time_in_which_there_was_no_server_is_not_charged() {
    let (file, clock) = (File::new(), manual());
    let start = || Start { clock: clock.clone(), ..Start::on(file.open()) };
    let running = start().run().await;
    let mut client = running.client().await;
    let seated = Seated::of(&mut client, clocked(limited(10))).await;
    clock.advance(Duration::from_secs(6));
    choose(&seated, &mut client, 0, "north").await;
    let before = state(&seated, &mut client).await;
    running.close().await;
    clock.advance(Duration::from_secs(1_000));
    let running = start().run().await;
    let mut client = running.client().await;
    let after = state(&seated, &mut client).await;
    assert_eq!(after.clocks[1].question_time, before.clocks[1].question_time);
    assert_eq!(after.clocks[1].answer_deadline, Some(timestamp(START_MS + 1_010_000)));
    clock.advance(Duration::from_millis(3_999));
    assert_eq!(state(&seated, &mut client).await.status(), MatchStatus::Running);
    clock.advance(Duration::from_millis(1));
    let over = until(&mut client, &seated, |state| state.status() == MatchStatus::Finished).await;
    assert_eq!(over.end_time, Some(timestamp(START_MS + 1_010_000)));
    running.close().await;
    let running = start().run().await;
    assert_eq!(state(&seated, &mut running.client().await).await, over, "it is so for ever");
}

#[tokio::test]
async fn time_runs_out_in_a_match_that_nobody_has_asked_for_since_the_start() {
    let (file, clock) = (File::new(), manual());
    let start = || Start { clock: clock.clone(), ..Start::on(file.open()) };
    let running = start().run().await;
    let seated = Seated::of(&mut running.client().await, clocked(limited(10))).await;
    running.close().await;
    let running = start().run().await;
    let mut client = running.client().await;
    assert_eq!(running.host.loaded_matches(), 0);
    clock.advance(Duration::from_secs(10));
    // Lists bring no match into memory.
    let listed = soon(async {
        loop {
            let list = client.list_matches(v1::ListMatchesRequest::default()).await.unwrap().into_inner();
            let state = list.matches[0].state.clone().unwrap();
            if state.status() == MatchStatus::Finished {
                return state;
            }
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert_eq!(listed, state(&seated, &mut client).await);
}

/// A clock whose date is set anew while it runs.
#[derive(Debug)]
struct SetAnew {
    clock: Arc<ManualClock>,
    unix_ms: AtomicU64,
}

#[async_trait::async_trait]
impl Clock for SetAnew {
    fn unix_ms(&self) -> u64 {
        self.unix_ms.load(Ordering::Relaxed)
    }

    fn elapsed(&self) -> Duration {
        self.clock.elapsed()
    }

    async fn reach(&self, at: Duration) {
        self.clock.reach(at).await;
    }
}

#[tokio::test]
async fn a_date_that_jumps_changes_nothing() {
    for jump in [0, START_MS - 86_400_000, START_MS + 86_400_000] {
        let clock = manual();
        let set_anew = Arc::new(SetAnew { clock: clock.clone(), unix_ms: AtomicU64::new(START_MS) });
        let running = Start { clock: set_anew.clone(), ..Start::default() }.run().await;
        let mut client = running.client().await;
        let terms =
            ClockConfig { bank: seconds(60), at_end: TimeoutRule::Forfeit.into(), ..ClockConfig::default() };
        let seated = Seated::of(&mut client, clocked(terms)).await;
        clock.advance(Duration::from_secs(20));
        set_anew.unix_ms.store(jump, Ordering::Relaxed);
        choose(&seated, &mut client, 0, "north").await;
        let answered = state(&seated, &mut client).await;
        assert_eq!((banks(&answered), answered.status()), (vec![40, 60], MatchStatus::Running), "{jump}");
        assert_eq!(answered.clocks[1].answer_deadline, Some(timestamp(START_MS + 60_000)));
        clock.advance(Duration::from_secs(40));
        let over = until(&mut client, &seated, |state| state.status() == MatchStatus::Finished).await;
        assert_eq!(over.end_time, Some(timestamp(START_MS + 60_000)), "{jump}");
    }
}

#[tokio::test]
async fn a_date_that_is_set_back_before_a_restart_gives_no_time_and_takes_none() {
    for jump_ms in [1_000, 3_600_000, 86_400_000] {
        let (file, clock) = (File::new(), manual());
        let set_anew = Arc::new(SetAnew { clock: clock.clone(), unix_ms: AtomicU64::new(START_MS) });
        let start = || Start { clock: set_anew.clone(), ..Start::on(file.open()) };
        let running = start().run().await;
        let seated = Seated::of(&mut running.client().await, clocked(limited(10))).await;
        clock.advance(Duration::from_secs(4));
        running.close().await;
        set_anew.unix_ms.store(START_MS - jump_ms, Ordering::Relaxed);
        let running = start().run().await;
        let mut client = running.client().await;
        clock.advance(Duration::from_millis(5_999));
        assert_eq!(state(&seated, &mut client).await.status(), MatchStatus::Running, "{jump_ms}");
        clock.advance(Duration::from_millis(1));
        let over = until(&mut client, &seated, |state| state.status() == MatchStatus::Finished).await;
        assert_eq!(over.end_time, Some(timestamp(START_MS + 10_000)), "{jump_ms}");
    }
}

#[tokio::test]
async fn each_prompt_says_how_much_time_is_left() {
    let clock = manual();
    let (_running, mut client) = timed(&clock).await;
    let seated = Seated::of(&mut client, clocked(limited(10))).await;
    clock.advance(Duration::from_secs(3));
    assert_eq!(seated.legal(&mut client, 0).await.time_left.unwrap().left, seconds(7));
    let mut stage = Stage::new(&mut client).await;
    stage.open(1, open(&seated.tokens[0]));
    stage.opened(1).await;
    let left = stage.update(1, "").await.time_left.expect("a prompt");
    assert_eq!(
        (left.left, left.server_delay),
        (seconds(7), seconds(0)),
        "a store in memory keeps it at once"
    );
    let request = v1::WatchMatchRequest { legal: LegalDetail::Ids.into(), ..watch(&seated.id, None) };
    let mut watched = client.watch_match(by(&seated.tokens[1], request)).await.unwrap().into_inner();
    let first = soon(watched.message()).await.unwrap().unwrap().update.unwrap();
    assert_eq!(first.time_left.unwrap().left, seconds(7));
    let without = Seated::of(&mut client, skirmish("without")).await;
    let drafted = without.legal(&mut client, 0).await.legal_actions.unwrap().ids[0];
    let update = without.take(&mut client, 0, "card", ids(&[drafted])).await.update.unwrap();
    assert_eq!((update.to_act, update.time_left), (true, None));
    assert!(state(&without, &mut client).await.clocks.is_empty());
}

#[tokio::test]
async fn house_bots_have_no_clock() {
    let clock = manual();
    let (_running, mut client) = timed(&clock).await;
    let bot = v1::SeatConfig {
        kind: v1::SeatKind::HouseBot.into(),
        bot: "random".to_owned(),
        ..v1::SeatConfig::default()
    };
    let terms = ClockConfig { bank: seconds(60), increment: seconds(3), ..ClockConfig::default() };
    let request = v1::CreateMatchRequest { seats: vec![v1::SeatConfig::default(), bot], ..clocked(terms) };
    let seated = Seated::of(&mut client, request).await;
    let asked = state(&seated, &mut client).await;
    assert!(asked.clocks[0].question_time.is_some() && asked.clocks[1].question_time.is_none());
    choose(&seated, &mut client, 0, "north").await;
    // Its answers are not counted either: it has chosen a card, at least, when North is to act again.
    soon(async {
        while !seated.legal(&mut client, 0).await.to_act {
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert_eq!(banks(&state(&seated, &mut client).await), [63, 60]);
    client.resign_match(by(&seated.tokens[0], resign(&seated.id, "r"))).await.unwrap();
    let over = state(&seated, &mut client).await;
    assert_eq!(over.result.unwrap().termination(), v1::Termination::Resignation);
}

#[tokio::test]
async fn clocks_that_make_no_sense_are_refused() {
    let (_running, mut client) = timed(&manual()).await;
    let long = seconds(10 * 366 * 86_400 + 1);
    let odd = Some(prost_types::Duration { seconds: 1, nanos: 1 });
    let short = Some(prost_types::Duration { seconds: 0, nanos: 999_000_000 });
    let bank = ClockConfig { bank: seconds(60), ..ClockConfig::default() };
    for (terms, field) in [
        (ClockConfig::default(), "clock"),
        (ClockConfig { window_limit: seconds(5), ..ClockConfig::default() }, "clock"),
        (ClockConfig { increment: seconds(1), ..limited(10) }, "clock.increment"),
        (ClockConfig { delay: seconds(1), ..limited(10) }, "clock.delay"),
        (ClockConfig { bank: seconds(0), ..bank }, "clock.bank"),
        (ClockConfig { bank: seconds(-1), ..bank }, "clock.bank"),
        (ClockConfig { bank: long, ..bank }, "clock.bank"),
        (ClockConfig { delay: odd, ..bank }, "clock.delay"),
        (ClockConfig { window_limit: odd, ..bank }, "clock.window_limit"),
        (ClockConfig { decision_limit: seconds(i64::MAX), ..bank }, "clock.decision_limit"),
        (ClockConfig { strikes: 1, ..limited(10) }, "clock.strikes"),
        (limited(0), "clock.decision_limit"),
        (ClockConfig { window_limit: short, ..bank }, "clock.window_limit"),
        (ClockConfig { at_end: 3, ..bank }, "clock.at_end"),
    ] {
        assert_field(client.create_match(clocked(terms)).await, ErrorReason::InvalidField, field);
    }
    // Another clock is another request.
    client.create_match(clocked(bank)).await.unwrap();
    let reused = client.create_match(clocked(limited(10))).await;
    assert_eq!(reason(reused), ErrorReason::RequestIdReused);
}
