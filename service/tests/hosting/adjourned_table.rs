//! A match with clocks that tests adjourn ([`Table`]).

use std::sync::Arc;
use std::time::Duration;

use edgehill_engine::record::{Record, verify};
use edgehill_proto::prost_types;
use edgehill_proto::v1::{self, ClockConfig, TimeoutRule};
use edgehill_service::clock::ManualClock;
use edgehill_service::limits::Limits;
use tonic::{Response, Status};

use crate::accounts::Keys;
use crate::kit::{HasMatch, Seated, by, exported, ids, notations, skirmish, soon, watch};
use crate::running::{Client, File, Referee, Running, Start};

pub(crate) const START_MS: u64 = 1_700_000_000_000;

/// A server that asks for accounts and whose time a test moves, with a match of Ada's in both seats.
pub(crate) struct Table {
    pub(crate) keys: Keys,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) running: Running,
    pub(crate) client: Client,
    pub(crate) referee: Referee,
    pub(crate) seated: Seated,
    file: File,
    limits: Limits,
}

/// The answer of a call.
type Answer<T> = Result<T, Status>;

pub(crate) fn seconds(seconds: i64) -> Option<prost_types::Duration> {
    Some(prost_types::Duration { seconds, nanos: 0 })
}

/// So many seconds in each bank, without which a seat loses.
pub(crate) fn banked(bank: i64) -> ClockConfig {
    ClockConfig { bank: seconds(bank), at_end: TimeoutRule::Forfeit.into(), ..ClockConfig::default() }
}

fn start(keys: &Keys, file: &File, clock: &Arc<ManualClock>, limits: Limits) -> Start {
    Start { accounts: keys.accounts(), clock: clock.clone(), limits, ..Start::on(file.open()) }
}

impl Table {
    /// A match with these clocks.
    pub(crate) async fn clocked(clock: ClockConfig) -> Self {
        Self::of(v1::CreateMatchRequest { clock: Some(clock), ..skirmish("m") }).await
    }

    pub(crate) async fn of(request: v1::CreateMatchRequest) -> Self {
        Self::within(Limits::default(), request).await
    }

    /// The same on a server with other limits.
    pub(crate) async fn within(limits: Limits, request: v1::CreateMatchRequest) -> Self {
        let (keys, file, clock) = (Keys::new(), File::new(), Arc::new(ManualClock::new(START_MS)));
        let running = start(&keys, &file, &clock, limits).run().await;
        let (mut client, referee) = (running.client().await, running.referee().await);
        let created = client.create_match(by(&keys.ada, request)).await.unwrap().into_inner();
        let id = created.id();
        let mut tokens = Vec::new();
        for (seat, state) in created.state().seats.iter().enumerate() {
            let join = crate::kit::join(&id, &format!("j{seat}"), seat as u32);
            tokens.push(match state.joined {
                true => String::new(),
                false => client.join_match(by(&keys.ada, join)).await.unwrap().into_inner().seat_token,
            });
        }
        Self { keys, clock, running, client, referee, seated: Seated { id, tokens }, file, limits }
    }

    /// The same after a restart of the server, which was down for some time.
    pub(crate) async fn restarted(self, down: Duration) -> Self {
        let Self { keys, clock, running, seated, file, limits, .. } = self;
        running.close().await;
        clock.advance(down);
        let running = start(&keys, &file, &clock, limits).run().await;
        let (client, referee) = (running.client().await, running.referee().await);
        Self { keys, clock, running, client, referee, seated, file, limits }
    }

    pub(crate) fn advance(&self, seconds: u64) {
        self.clock.advance(Duration::from_secs(seconds));
    }

    pub(crate) async fn state(&mut self) -> v1::MatchState {
        let request = v1::GetMatchRequest { match_id: self.seated.id.clone() };
        self.client.get_match(by(&self.keys.eve, request)).await.unwrap().into_inner().state()
    }

    /// The state in a list, for which no match is opened.
    pub(crate) async fn listed(&mut self) -> v1::MatchState {
        let list = self.client.list_matches(by(&self.keys.eve, v1::ListMatchesRequest::default())).await;
        list.unwrap().into_inner().matches.remove(0).state.unwrap()
    }

    /// Watches the match until its state is as it should be.
    pub(crate) async fn until(&mut self, holds: impl Fn(&v1::MatchState) -> bool) -> v1::MatchState {
        let request = by(&self.keys.eve, watch(&self.seated.id, Some(0)));
        let mut watched = self.client.watch_match(request).await.unwrap().into_inner();
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

    pub(crate) async fn offer(&mut self, seat: usize, id: &str, longest: i64) -> Answer<v1::MatchState> {
        let request = v1::OfferAdjournmentRequest {
            match_id: self.seated.id.clone(),
            request_id: id.into(),
            adjourn_for: seconds(longest),
        };
        let answer = self.client.offer_adjournment(by(&self.seated.tokens[seat], request)).await;
        answer.map(|answer| answer.into_inner().state())
    }

    pub(crate) async fn accept(
        &mut self,
        seat: usize,
        id: &str,
        longest: impl Into<Option<i64>>,
    ) -> Answer<v1::MatchState> {
        let request = v1::AcceptAdjournmentRequest {
            match_id: self.seated.id.clone(),
            request_id: id.into(),
            adjourn_for: longest.into().and_then(seconds),
        };
        let answer = self.client.accept_adjournment(by(&self.seated.tokens[seat], request)).await;
        answer.map(|answer| answer.into_inner().state())
    }

    pub(crate) async fn decline(&mut self, seat: usize, id: &str) -> Answer<v1::MatchState> {
        let (match_id, request_id) = (self.seated.id.clone(), id.into());
        let request = v1::DeclineAdjournmentRequest { match_id, request_id };
        let answer = self.client.decline_adjournment(by(&self.seated.tokens[seat], request)).await;
        answer.map(|answer| answer.into_inner().state())
    }

    pub(crate) async fn resume(&mut self, seat: usize, id: &str) -> Answer<v1::MatchState> {
        let request = v1::ResumeMatchRequest { match_id: self.seated.id.clone(), request_id: id.into() };
        let answer = self.client.resume_match(by(&self.seated.tokens[seat], request)).await;
        answer.map(|answer| answer.into_inner().state())
    }

    /// Both seats agree to adjourn the match for at most so many seconds.
    pub(crate) async fn adjourn(&mut self, longest: i64) -> v1::MatchState {
        self.offer(0, "adjourn", longest).await.unwrap();
        self.accept(1, "adjourn", None).await.unwrap()
    }

    /// A referee adjourns the match.
    pub(crate) async fn order(&mut self, id: &str, longest: i64) -> Answer<v1::AdjournMatchResponse> {
        let request = v1::AdjournMatchRequest {
            match_id: self.seated.id.clone(),
            request_id: id.into(),
            adjourn_for: seconds(longest),
            reason: "a fire".into(),
        };
        self.referee.adjourn_match(by(&self.keys.umpire, request)).await.map(Response::into_inner)
    }

    /// A referee ends the adjournment.
    pub(crate) async fn end(&mut self, id: &str) -> Answer<v1::EndAdjournmentResponse> {
        let request = v1::EndAdjournmentRequest {
            match_id: self.seated.id.clone(),
            request_id: id.into(),
            reason: String::new(),
        };
        self.referee.end_adjournment(by(&self.keys.umpire, request)).await.map(Response::into_inner)
    }

    pub(crate) async fn resign(&mut self, seat: usize) -> Answer<Response<v1::ResignMatchResponse>> {
        let (match_id, request_id) = (self.seated.id.clone(), "r".into());
        let request = v1::ResignMatchRequest { match_id, request_id, response_options: None };
        self.client.resign_match(by(&self.seated.tokens[seat], request)).await
    }

    /// A seat draws up its choice of a card, and commits.
    pub(crate) async fn choose(&mut self, seat: usize, id: &str) {
        let card = self.seated.legal(&mut self.client, seat).await.legal_actions.unwrap().ids[0];
        self.seated.take(&mut self.client, seat, &format!("{id}-card"), ids(&[card])).await;
        self.seated.take(&mut self.client, seat, &format!("{id}-done"), notations(&["done"])).await;
    }

    /// The record, by the referee's key, which a match that is played does not show to others.
    pub(crate) async fn record(&mut self) -> Record {
        let request = v1::ExportRecordRequest { match_id: self.seated.id.clone() };
        let given = self.client.export_record(by(&self.keys.umpire, request)).await;
        let record = Record::parse(&exported(given).await.unwrap().text).unwrap();
        let game = self.running.host.registry().game("skirmish").unwrap();
        let report = verify(&**game, &record, &[self.running.host.key().signing().verifying_key()]);
        assert!(report.is_consistent(), "{report}");
        record
    }
}

/// Seconds in the banks of the seats.
pub(crate) fn banks(state: &v1::MatchState) -> Vec<i64> {
    state.clocks.iter().map(|clock| clock.bank.map_or(-1, |bank| bank.seconds)).collect()
}

/// Seconds from the start until which each seat may answer; `None` for one that is asked nothing.
pub(crate) fn deadlines(state: &v1::MatchState) -> Vec<Option<i64>> {
    let start = (START_MS / 1_000) as i64;
    let deadline = |clock: &v1::SeatClock| clock.answer_deadline.map(|at| at.seconds - start);
    state.clocks.iter().map(deadline).collect()
}
