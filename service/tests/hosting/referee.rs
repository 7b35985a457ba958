//! Acts of referees on matches: time, players, results.

use std::sync::Arc;
use std::time::Duration;

use edgehill_engine::record::{Record, RecordedActKind, verify};
use edgehill_proto::prost_types;
use edgehill_proto::v1::{self, ClockConfig, ErrorReason, MatchStatus, RefereeActKind, TimeoutRule};
use edgehill_service::admin::{Act, LoggedAct, MatchActKind};
use edgehill_service::clock::ManualClock;
use edgehill_service::matches::{REASON_BYTES_MAX, REFEREE_ACTS_MAX};
use tonic::{Response, Status};

use crate::accounts::Keys;
use crate::kit::{
    HasMatch, Seated, assert_field, by, exported, join, notations, reason, skirmish, soon, timestamp, watch,
};
use crate::running::{Client, File, Referee, Running, Start};
use crate::stage::{Stage, open};

const START_MS: u64 = 1_700_000_000_000;

/// A server that asks for accounts and whose time a test moves, with a match between Ada and Bob.
struct Table {
    keys: Keys,
    clock: Arc<ManualClock>,
    file: File,
    running: Running,
    client: Client,
    referee: Referee,
    seated: Seated,
}

fn seconds(seconds: i64) -> Option<prost_types::Duration> {
    Some(prost_types::Duration { seconds, nanos: 0 })
}

impl Table {
    /// A match with so many seconds in each bank.
    async fn banked(bank: i64) -> Self {
        let at_end = TimeoutRule::Forfeit.into();
        Self::new(Some(ClockConfig { bank: seconds(bank), at_end, ..ClockConfig::default() })).await
    }

    async fn new(clock_config: Option<ClockConfig>) -> Self {
        let (keys, file, clock) = (Keys::new(), File::new(), Arc::new(ManualClock::new(START_MS)));
        let running = start(&keys, &file, &clock).run().await;
        let (mut client, referee) = (running.client().await, running.referee().await);
        let request = v1::CreateMatchRequest { clock: clock_config, seed: None, ..skirmish("m") };
        let id = client.create_match(by(&keys.ada, request)).await.unwrap().into_inner().id();
        let mut tokens = Vec::new();
        for (seat, (key, player)) in [(&keys.ada, "Ann"), (&keys.bob, "Bob")].into_iter().enumerate() {
            let request = v1::JoinMatchRequest {
                entropy: vec![seat as u8 + 1; 32],
                player: player.into(),
                ..join(&id, "j", seat as u32)
            };
            tokens.push(client.join_match(by(key, request)).await.unwrap().into_inner().seat_token);
        }
        let seated = Seated { id, tokens };
        Self { keys, clock, file, running, client, referee, seated }
    }

    /// The same after a restart of the server.
    async fn restarted(self) -> Self {
        let Self { keys, clock, file, running, seated, .. } = self;
        running.close().await;
        let running = start(&keys, &file, &clock).run().await;
        let (client, referee) = (running.client().await, running.referee().await);
        Self { keys, clock, file, running, client, referee, seated }
    }

    async fn state(&mut self) -> v1::MatchState {
        let request = v1::GetMatchRequest { match_id: self.seated.id.clone() };
        self.client.get_match(by(&self.keys.eve, request)).await.unwrap().into_inner().state()
    }

    /// The state in a list, for which no match is opened.
    async fn listed(&mut self) -> v1::MatchState {
        let list = self.client.list_matches(by(&self.keys.eve, v1::ListMatchesRequest::default())).await;
        list.unwrap().into_inner().matches.remove(0).state.unwrap()
    }

    fn add_time(&self, request_id: &str, seat: u32, added: i64) -> v1::AddMatchTimeRequest {
        v1::AddMatchTimeRequest {
            match_id: self.seated.id.clone(),
            request_id: request_id.into(),
            seat,
            added: seconds(added),
            reason: "the bell rang".into(),
        }
    }

    fn replace(&self, request_id: &str, seat: u32, account_id: &str) -> v1::ReplaceMatchPlayerRequest {
        v1::ReplaceMatchPlayerRequest {
            match_id: self.seated.id.clone(),
            request_id: request_id.into(),
            seat,
            account_id: account_id.into(),
            player: "Cat".into(),
            reason: String::new(),
        }
    }

    fn void(&self, request_id: &str) -> v1::VoidMatchRequest {
        let (match_id, request_id) = (self.seated.id.clone(), request_id.into());
        v1::VoidMatchRequest { match_id, request_id, reason: "the lights went out".into() }
    }

    fn correct(&self, request_id: &str, returns: &[i32]) -> v1::CorrectMatchResultRequest {
        v1::CorrectMatchResultRequest {
            match_id: self.seated.id.clone(),
            request_id: request_id.into(),
            returns: returns.to_vec(),
            reason: "they had agreed on a draw".into(),
        }
    }

    async fn resign(&mut self, seat: usize) {
        let request = v1::ResignMatchRequest {
            match_id: self.seated.id.clone(),
            request_id: "r".into(),
            response_options: None,
        };
        self.client.resign_match(by(&self.seated.tokens[seat], request)).await.unwrap();
    }

    async fn add(&mut self, request: v1::AddMatchTimeRequest) -> Result<v1::AddMatchTimeResponse, Status> {
        let answer = self.referee.add_match_time(by(&self.keys.umpire, request)).await;
        answer.map(Response::into_inner)
    }

    async fn open_seat(
        &mut self,
        request: v1::ReplaceMatchPlayerRequest,
    ) -> Result<v1::ReplaceMatchPlayerResponse, Status> {
        let answer = self.referee.replace_match_player(by(&self.keys.umpire, request)).await;
        answer.map(Response::into_inner)
    }

    async fn end(&mut self, request: v1::VoidMatchRequest) -> Result<v1::VoidMatchResponse, Status> {
        let answer = self.referee.void_match(by(&self.keys.umpire, request)).await;
        answer.map(Response::into_inner)
    }

    async fn mend(
        &mut self,
        request: v1::CorrectMatchResultRequest,
    ) -> Result<v1::CorrectMatchResultResponse, Status> {
        let answer = self.referee.correct_match_result(by(&self.keys.umpire, request)).await;
        answer.map(Response::into_inner)
    }

    /// The methods of the acts in the log of acts, each of which names the match; looks aside, which change nothing.
    async fn acts(&self) -> Vec<&'static str> {
        let (acts, _) = self.running.administration.acts(0, None, 100).await.unwrap();
        let method = |logged: &LoggedAct| {
            let Act::Match(act) = &logged.act else { panic!("{}", logged.act) };
            assert!(act.to_string().contains(&self.seated.id), "{act}");
            match &act.what {
                MatchActKind::Referee { act, .. } => Some(act.method()),
                MatchActKind::Abort => Some("AbortMatch"),
                MatchActKind::Release => panic!("{act}"),
                MatchActKind::View { .. } | MatchActKind::Record => None,
            }
        };
        acts.iter().filter_map(method).collect()
    }

    /// The record, by the referee's key, which a match that is played does not show to others.
    async fn record(&mut self) -> Record {
        let request = v1::ExportRecordRequest { match_id: self.seated.id.clone() };
        let given = self.client.export_record(by(&self.keys.umpire, request)).await;
        let record = Record::parse(&exported(given).await.unwrap().text).unwrap();
        let game = self.running.host.registry().game("skirmish").unwrap();
        let report = verify(&**game, &record, &[self.running.host.key().signing().verifying_key()]);
        assert!(report.is_consistent(), "{report}");
        record
    }
}

fn start(keys: &Keys, file: &File, clock: &Arc<ManualClock>) -> Start {
    Start { accounts: keys.accounts(), clock: clock.clone(), ..Start::on(file.open()) }
}

fn kinds(state: &v1::MatchState) -> Vec<RefereeActKind> {
    state.referee_acts.iter().map(v1::RefereeAct::kind).collect()
}

#[tokio::test]
async fn only_referees_act_on_matches_and_requests_are_read() {
    let mut table = Table::banked(60).await;
    let Keys { ada, eve, chief, .. } = &table.keys;
    let [ada, eve, chief] = [ada, eve, chief].map(Clone::clone);
    let token = table.seated.tokens[0].clone();
    for stranger in [&ada, &eve, &chief, &token] {
        let expected = ErrorReason::NotAllowed;
        let (add, replace) = (table.add_time("x", 0, 5), table.replace("x", 0, ""));
        let (void, correct) = (table.void("x"), table.correct("x", &[1, -1]));
        let referee = &mut table.referee;
        assert_eq!(reason(referee.add_match_time(by(stranger, add)).await), expected);
        assert_eq!(reason(referee.replace_match_player(by(stranger, replace)).await), expected);
        assert_eq!(reason(referee.void_match(by(stranger, void)).await), expected);
        assert_eq!(reason(referee.correct_match_result(by(stranger, correct)).await), expected);
    }
    let nobody = table.referee.void_match(table.void("x")).await;
    assert_eq!(reason(nobody), ErrorReason::BadToken);
    for (request, field) in [
        (v1::AddMatchTimeRequest { added: None, ..table.add_time("x", 0, 5) }, "added"),
        (v1::AddMatchTimeRequest { added: seconds(-5), ..table.add_time("x", 0, 5) }, "added"),
        (v1::AddMatchTimeRequest { added: seconds(1 << 40), ..table.add_time("x", 0, 5) }, "added"),
        (
            v1::AddMatchTimeRequest { reason: "x".repeat(REASON_BYTES_MAX + 1), ..table.add_time("x", 0, 5) },
            "reason",
        ),
        (v1::AddMatchTimeRequest { reason: "a\nb".into(), ..table.add_time("x", 0, 5) }, "reason"),
        (table.add_time("", 0, 5), "request_id"),
    ] {
        let answer = table.add(request).await;
        assert_field(answer, ErrorReason::InvalidField, field);
    }
    let request = v1::VoidMatchRequest { reason: String::new(), ..table.void("x") };
    let answer = table.end(request).await;
    assert_field(answer, ErrorReason::InvalidField, "reason");
    for account in ["nobody", "eve", "no name"] {
        let request = table.replace("x", 0, account);
        let answer = table.open_seat(request).await;
        assert_field(answer, ErrorReason::InvalidField, "account_id");
    }
    for (request, expected) in [
        (table.add_time("x", 2, 5), ErrorReason::UnknownSeat),
        (table.add_time("x", 700, 5), ErrorReason::UnknownSeat),
        (
            v1::AddMatchTimeRequest { match_id: "m".into(), ..table.add_time("x", 0, 5) },
            ErrorReason::UnknownMatch,
        ),
    ] {
        assert_eq!(reason(table.add(request).await), expected);
    }
    let request = table.correct("x", &[1, -1]);
    let early = table.mend(request).await;
    assert_eq!(reason(early), ErrorReason::MatchRunning);
    assert_eq!(table.state().await.referee_acts, [], "what was refused has changed nothing");
    // Nothing of it was written down either.
    assert!(table.acts().await.is_empty());
}

#[tokio::test]
async fn time_is_added_once_and_is_played_with() {
    let mut table = Table::banked(60).await;
    let mut watched = table
        .client
        .watch_match(by(&table.keys.eve, watch(&table.seated.id, Some(0))))
        .await
        .unwrap()
        .into_inner();
    let mut stage = Stage::by(&mut table.client, &table.keys.ada).await;
    stage.open(0, open(&table.seated.tokens[0]));
    stage.opened(0).await;
    assert_eq!(stage.update(0, "").await.time_left.unwrap().left, seconds(60));
    table.clock.advance(Duration::from_secs(50));
    let request = table.add_time("t", 0, 100);
    let given = table.add(request.clone()).await.unwrap();
    let act = given.state().referee_acts[0].clone();
    assert_eq!(
        (act.kind(), act.seat, act.added, &*act.reason, act.act_time),
        (
            RefereeActKind::TimeAdded,
            Some(0),
            seconds(100),
            "the bell rang",
            Some(timestamp(START_MS + 50_000))
        )
    );
    // The seat and whoever watches are told without asking.
    let update = stage.update(0, "").await;
    assert_eq!(
        (update.time_left.unwrap().left, update.state),
        (seconds(110), given.r#match.clone().unwrap().state)
    );
    let told = soon(async {
        loop {
            let update = watched.message().await.unwrap().unwrap().update.unwrap();
            if let Some(state) = update.state.filter(|state| !state.referee_acts.is_empty()) {
                return state;
            }
        }
    });
    assert_eq!(Some(told.await), given.r#match.clone().unwrap().state);
    assert_eq!(table.add(request.clone()).await.unwrap(), given, "it is done once");
    let other = table.add_time("t", 1, 100);
    assert_eq!(reason(table.add(other).await), ErrorReason::RequestIdReused);
    let banks = |state: &v1::MatchState| -> Vec<i64> {
        state.clocks.iter().map(|clock| clock.bank.unwrap().seconds).collect()
    };
    assert_eq!(banks(&table.state().await), [160, 60]);
    let mut table = table.restarted().await;
    let state = table.state().await;
    assert_eq!((banks(&state), kinds(&state)), (vec![160, 60], vec![RefereeActKind::TimeAdded]));
    assert_eq!(table.listed().await, state);
    table.add(table.add_time("t", 0, 100)).await.unwrap();
    assert_eq!(table.acts().await, ["AddMatchTime"]);
    // South, who was given none, loses at the old time.
    table.clock.advance(Duration::from_secs(10));
    let over = soon(async {
        loop {
            let state = table.state().await;
            if state.status() == MatchStatus::Finished {
                return state;
            }
            tokio::task::yield_now().await;
        }
    });
    assert_eq!(over.await.result.unwrap().returns, [1, -1]);
    let record = table.record().await;
    let kind = RecordedActKind::TimeAdded { seat: "north".into(), added_ms: 100_000 };
    assert_eq!(record.referee_acts().iter().map(|act| &act.kind).collect::<Vec<_>>(), [&kind]);
}

#[tokio::test]
async fn time_is_added_to_a_limit_of_days_and_needs_clocks() {
    let clock = ClockConfig {
        decision_limit: seconds(100),
        at_end: TimeoutRule::Forfeit.into(),
        ..ClockConfig::default()
    };
    let mut table = Table::new(Some(clock)).await;
    table.clock.advance(Duration::from_secs(90));
    let request = table.add_time("t", 0, 500);
    let state = table.add(request).await.unwrap().state();
    assert_eq!(state.clocks[0].answer_deadline, Some(timestamp(START_MS + 600_000)));
    assert_eq!(state.clocks[1].answer_deadline, Some(timestamp(START_MS + 100_000)));
    let mut table = table.restarted().await;
    assert_eq!(table.state().await, state);
    assert_eq!(table.listed().await, state);

    let mut table = Table::new(None).await;
    let request = table.add_time("t", 0, 500);
    assert_eq!(reason(table.add(request).await), ErrorReason::NoClocks);
}

#[tokio::test]
async fn a_player_is_replaced_and_their_token_is_void_at_once() {
    let mut table = Table::banked(600).await;
    let former = table.seated.tokens[0].clone();
    let card = table.seated.legal(&mut table.client, 0).await.legal_actions.unwrap().ids[0];
    let drafted = v1::ActionList {
        encoding: Some(v1::action_list::Encoding::Ids(v1::action_list::Ids { values: vec![card] })),
    };
    table.seated.take(&mut table.client, 0, "draft", drafted).await;
    let mut stage = Stage::by(&mut table.client, &table.keys.ada).await;
    stage.open(0, open(&former));
    stage.opened(0).await;
    stage.update(0, "").await;
    let watching = watch(&table.seated.id, None);
    let mut watched = table.client.watch_match(by(&former, watching)).await.unwrap().into_inner();
    watched.message().await.unwrap().unwrap();

    let request = table.replace("p", 0, "");
    let replaced = table.open_seat(request.clone()).await.unwrap();
    let state = replaced.state();
    assert_eq!((state.seats[0].joined, &*state.seats[0].player), (false, "Cat"));
    assert_eq!((&*state.referee_acts[0].former_player, state.status()), ("Ann", MatchStatus::Running));
    assert_eq!(table.open_seat(request.clone()).await.unwrap(), replaced);
    assert_eq!(stage.closed(0).await, Some(ErrorReason::BadToken));
    let ended = soon(async {
        loop {
            if let Err(status) = watched.message().await {
                return status;
            }
        }
    });
    assert_eq!(reason(Err::<(), _>(ended.await)), ErrorReason::BadToken);
    let (id, bob_key) = (table.seated.id.clone(), table.keys.bob.clone());
    let view = || v1::GetViewRequest { match_id: id.clone(), ..v1::GetViewRequest::default() };
    assert_eq!(reason(table.client.get_view(by(&former, view())).await), ErrorReason::BadToken);

    // Nobody has it without the invitation, the former player among them; nor with that of another time.
    let again =
        |invitation: &str| v1::JoinMatchRequest { invitation: invitation.into(), ..join(&id, "again", 0) };
    let bob = |invitation: &str| by(&bob_key, again(invitation));
    assert_eq!(reason(table.client.join_match(bob("")).await), ErrorReason::BadInvitation);
    let second = table.replace("q", 0, "");
    let second = table.open_seat(second).await.unwrap();
    assert_ne!(second.invitation, replaced.invitation);
    assert_eq!(reason(table.client.join_match(bob(&replaced.invitation)).await), ErrorReason::BadInvitation);
    let with_entropy = v1::JoinMatchRequest { entropy: vec![9; 32], ..again(&second.invitation) };
    let answer = table.client.join_match(by(&table.keys.bob, with_entropy)).await;
    assert_field(answer, ErrorReason::InvalidField, "entropy");
    let joined = table.client.join_match(bob(&second.invitation)).await.unwrap().into_inner();
    assert_eq!((joined.seat, joined.state().seats[0].joined), (0, true));
    assert_eq!(table.client.join_match(bob(&second.invitation)).await.unwrap().into_inner(), joined);
    assert_ne!(joined.seat_token, former);
    assert_eq!(reason(table.client.get_view(by(&former, view())).await), ErrorReason::BadToken);
    // Whoever goes on finds the seat as it was left, and the dice are those that the first player had a part in.
    let seen = table.client.get_view(by(&joined.seat_token, view())).await.unwrap().into_inner();
    assert_eq!(seen.view.unwrap().draft, [card]);
    table.seated.tokens[0] = joined.seat_token;
    let mut table = table.restarted().await;
    assert_eq!(table.listed().await, table.state().await);
    table.seated.take(&mut table.client, 0, "done", notations(&["done"])).await;
    table.resign(0).await;
    let state = table.state().await;
    assert_eq!(state.reveal.unwrap().entropies, [vec![1; 32], vec![2; 32]]);
    let record = table.record().await;
    assert_eq!(record.header().players[0].name, "Cat");
    assert_eq!(record.referee_acts().len(), 2);
    assert_eq!(table.acts().await, ["ReplaceMatchPlayer"; 2]);
}

#[tokio::test]
async fn an_account_takes_the_seat_that_is_open_for_it_without_an_invitation() {
    let mut table = Table::banked(600).await;
    let request = table.replace("p", 1, "ada");
    let replaced = table.open_seat(request).await.unwrap();
    assert_eq!(replaced.invitation, "");
    let id = table.seated.id.clone();
    let take =
        |player: &str| v1::JoinMatchRequest { player: player.into(), seat: None, ..join(&id, "again", 1) };
    assert_eq!(reason(table.client.join_match(by(&table.keys.bob, take(""))).await), ErrorReason::NoOpenSeat);
    let named = join(&table.seated.id, "named", 1);
    assert_eq!(reason(table.client.join_match(by(&table.keys.bob, named)).await), ErrorReason::BadInvitation);
    let joined = table.client.join_match(by(&table.keys.ada, take("Ann, too"))).await.unwrap().into_inner();
    assert_eq!((joined.seat, &*joined.state().seats[1].player), (1, "Ann, too"));
    assert!(joined.update.is_some());
    // With the same request and account, another time has another token.
    let request = table.replace("q", 1, "ada");
    table.open_seat(request).await.unwrap();
    let again = table.client.join_match(by(&table.keys.ada, take("Ann, too"))).await.unwrap().into_inner();
    assert_ne!(again.seat_token, joined.seat_token);
}

#[tokio::test]
async fn a_match_is_voided_and_does_not_count() {
    let mut table = Table::banked(600).await;
    table.seated.choose_cards(&mut table.client).await;
    let mut stage = Stage::by(&mut table.client, &table.keys.ada).await;
    stage.open(0, open(&table.seated.tokens[0]));
    stage.opened(0).await;
    stage.update(0, "").await;
    let request = table.void("v");
    let voided = table.end(request.clone()).await.unwrap();
    let state = voided.state();
    let result = state.result.clone().unwrap();
    assert_eq!((state.status(), result.termination()), (MatchStatus::Finished, v1::Termination::Void));
    assert_eq!((&*result.code, &*result.returns), ("voided", &[0, 0][..]));
    assert_eq!(state.referee_acts[0].reason, "the lights went out");
    assert_eq!(stage.update(0, "").await.state.unwrap(), state);
    assert_eq!(stage.closed(0).await, None);
    assert_eq!(table.end(request.clone()).await.unwrap(), voided);
    let other = table.void("w");
    assert_eq!(reason(table.end(other).await), ErrorReason::MatchFinished);
    let late = table.add_time("t", 0, 5);
    assert_eq!(reason(table.add(late).await), ErrorReason::MatchFinished);
    let mut table = table.restarted().await;
    assert_eq!(table.state().await, state);
    assert_eq!(table.listed().await, state);
    let record = table.record().await;
    assert!(record.is_voided() && record.result().is_none());
    assert_eq!(table.acts().await, ["VoidMatch"]);
}

#[tokio::test]
async fn a_result_is_corrected_and_the_original_stays() {
    let mut table = Table::banked(600).await;
    table.resign(1).await;
    let result = table.state().await.result.unwrap();
    assert_eq!(result.returns, [1, -1]);
    let short = table.correct("c", &[0]);
    assert_field(table.mend(short).await, ErrorReason::InvalidField, "returns");
    let far = table.correct("c", &[0, 1_000_001]);
    assert_field(table.mend(far).await, ErrorReason::InvalidField, "returns[1]");
    let request = table.correct("c", &[0, 0]);
    let corrected = table.mend(request.clone()).await.unwrap();
    let state = corrected.state();
    assert_eq!((state.result.as_ref(), &*state.corrected_returns), (Some(&result), &[0, 0][..]));
    assert_eq!(table.mend(request.clone()).await.unwrap(), corrected);
    // One whose log has become one entry takes it as well. The last correction holds, and all of them stand.
    table.running.host.archive(table.seated.id.parse().unwrap()).await.unwrap();
    let last = table.correct("d", &[-1, 1]);
    let state = table.mend(last).await.unwrap().state();
    assert_eq!(
        (&*state.corrected_returns, kinds(&state)),
        (&[-1, 1][..], vec![RefereeActKind::ResultCorrected; 2])
    );
    let mut table = table.restarted().await;
    assert_eq!(table.state().await, state);
    assert_eq!(table.listed().await, state);
    let record = table.record().await;
    assert_eq!(record.result().unwrap().returns, [1, -1]);
    assert_eq!(record.corrected_returns(), Some(&[-1, 1][..]));
}

#[tokio::test]
async fn a_match_takes_so_many_acts_and_can_be_voided_all_the_same() {
    let mut table = Table::banked(600).await;
    for number in 0..REFEREE_ACTS_MAX {
        let request = table.add_time(&format!("t{number}"), 0, 1);
        table.add(request).await.unwrap();
    }
    let more = table.add_time("more", 0, 1);
    assert_eq!(reason(table.add(more).await), ErrorReason::LimitReached);
    let request = table.void("v");
    let state = table.end(request).await.unwrap().state();
    assert_eq!(state.status(), MatchStatus::Finished);
    assert_eq!(table.acts().await.len(), REFEREE_ACTS_MAX + 1, "what was refused was not written down");
}

#[tokio::test]
async fn an_operator_who_takes_back_a_match_of_others_is_written_down() {
    let mut table = Table::new(None).await;
    let Keys { ada, chief, .. } = &table.keys;
    for (name, key, acts) in [("own", ada, 0), ("theirs", chief, 1), ("the same id once more", chief, 2)] {
        let created = table.client.create_match(by(ada, skirmish(name))).await.unwrap().into_inner();
        let request = || v1::AbortMatchRequest {
            match_id: created.id(),
            request_id: "a".into(),
            creator_token: String::new(),
        };
        table.client.abort_match(by(key, request())).await.unwrap();
        table.client.abort_match(by(key, request())).await.unwrap();
        let (logged, _) = table.running.administration.acts(0, None, 100).await.unwrap();
        assert_eq!(logged.len(), acts, "{name}");
        assert!(logged.last().is_none_or(|act| act.act.to_string().contains(&created.id())), "{name}");
    }
    // One that has begun can't be, and that is not written down.
    let request = v1::AbortMatchRequest {
        match_id: table.seated.id.clone(),
        request_id: "b".into(),
        creator_token: String::new(),
    };
    assert_eq!(
        reason(table.client.abort_match(by(&table.keys.chief, request)).await),
        ErrorReason::MatchStarted
    );
    assert_eq!(table.running.administration.acts(0, None, 100).await.unwrap().0.len(), 2);
}
