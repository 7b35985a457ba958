//! Seeking somebody to play with ([`SeekRequest`], [`MatchSeek`]).

use std::fmt;
use std::time::Duration;

use edgehill_proto::v1::{
    ClockConfig, EntropyMode, Match, MatchConfig, MatchState, OptionValue, PairedSeat, RulesVersion,
    SeekCount, SeekMatchRequest, SeekMatchResponse,
};
use tokio::time::{Instant, timeout};
use tonic::{Status, Streaming};

use crate::connection::Connection;
use crate::error::{Error, required};
use crate::join_request::JoinRequest;
use crate::retry::{Outage, late};

/// The terms on which one wants to play. Everything that is not named is the game's default.
#[derive(Clone, PartialEq)]
pub struct SeekRequest(SeekMatchRequest);

impl SeekRequest {
    /// A match of this game, at any seat, for as long as the server lets one seek.
    #[must_use]
    pub fn of(game: impl Into<String>) -> Self {
        Self(SeekMatchRequest { game: game.into(), ..SeekMatchRequest::default() })
    }

    /// The scenario's id.
    #[must_use]
    pub fn scenario(mut self, id: impl Into<String>) -> Self {
        self.0.scenario = id.into();
        self
    }

    /// An option and its value as it is written.
    #[must_use]
    pub fn option(mut self, id: impl Into<String>, value: impl Into<String>) -> Self {
        self.0.options.push(OptionValue { id: id.into(), value: value.into() });
        self
    }

    /// Only under these rules: the call is refused if the server plays others.
    #[must_use]
    pub fn rules(mut self, rules: RulesVersion) -> Self {
        self.0.rules = Some(rules);
        self
    }

    /// At this seat alone, from 0.
    #[must_use]
    pub const fn seat(mut self, seat: u32) -> Self {
        self.0.seat = Some(seat);
        self
    }

    /// With clocks: a bank, or a limit for each question, and what happens when the time has run out.
    #[must_use]
    pub fn clock(mut self, clock: ClockConfig) -> Self {
        self.0.clock = Some(clock);
        self
    }

    /// Each seat commits to its entropy when it joins and reveals it when all have.
    #[must_use]
    pub fn commit_reveal(mut self) -> Self {
        self.0.entropy_mode = EntropyMode::CommitReveal.into();
        self
    }

    /// For no longer than this, from the moment at which the seek is opened first; a part of a millisecond is one.
    #[must_use]
    pub fn wait(mut self, wait: Duration) -> Self {
        self.0.wait = whole_ms(wait);
        self
    }

    /// Under a request id of the caller's own: the same one gives the same seat again, after a restart with the same
    /// [`Options::client_secret`](crate::Options::client_secret) too. Without one the client makes it.
    #[must_use]
    pub fn request_id(mut self, id: impl Into<String>) -> Self {
        self.0.request_id = id.into();
        self
    }

    /// The call of a client, with an id of its own if this has none.
    fn request(mut self, connection: &Connection) -> SeekMatchRequest {
        if self.0.request_id.is_empty() {
            self.0.request_id = connection.next_request_id();
        }
        self.0.client_secret = connection.client_secret().as_bytes().to_vec();
        self.0
    }
}

/// Without its secret.
impl fmt::Debug for SeekRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SeekMatchRequest { game, scenario, seat, .. } = &self.0;
        f.debug_struct("SeekRequest")
            .field("game", game)
            .field("scenario", scenario)
            .field("seat", seat)
            .finish_non_exhaustive()
    }
}

/// The match that was made for those who were paired, and one's seat in it.
#[derive(Clone, PartialEq)]
pub struct PairedMatch {
    /// All that was settled of the match, with its id and its commitment.
    pub config: MatchConfig,
    /// How far it is.
    pub state: MatchState,
    /// One's seat in it, from 0.
    pub seat: u32,
    /// The invitation to the seat: a secret.
    pub invitation: String,
}

impl PairedMatch {
    fn of(paired: PairedSeat) -> Result<Self, Error> {
        let PairedSeat { r#match, seat, invitation } = paired;
        let Match { config, state, .. } = required(r#match, "paired.match")?;
        let config = required(config, "paired.match.config")?;
        Ok(Self { config, state: state.unwrap_or_default(), seat, invitation })
    }

    /// The taking of one's seat: add a player's name and entropy, and hand it to [`MatchCalls::join`](crate::MatchCalls::join). The match
    /// does not wait for long.
    #[must_use]
    pub fn join_request(&self) -> JoinRequest {
        JoinRequest::of(&self.config.match_id).seat(self.seat).invitation(&self.invitation)
    }
}

/// Without the invitation.
impl fmt::Debug for PairedMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { config, seat, .. } = self;
        f.debug_struct("PairedMatch").field("config", config).field("seat", seat).finish_non_exhaustive()
    }
}

/// The news of a seek.
#[derive(Clone, PartialEq, Debug)]
pub enum SeekUpdate {
    /// It goes on, and so many seek.
    Seeking(SeekCount),
    /// It was paired.
    Paired(Box<PairedMatch>),
}

/// A seek. It is opened with its first news, and again whenever the connection is lost, with the same request id: so nobody is paired
/// twice, and who was paired while the connection was lost has their seat. Whoever drops it takes it back.
#[derive(Debug)]
pub struct MatchSeek {
    connection: Connection,
    request: SeekMatchRequest,
    stream: Option<Streaming<SeekMatchResponse>>,
    /// The moment at which it is to end, if the caller said so.
    ends: Option<Instant>,
    outage: Option<Outage>,
}

impl MatchSeek {
    pub(crate) fn new(connection: Connection, request: SeekRequest) -> Self {
        let request = request.request(&connection);
        Self { connection, request, stream: None, ends: None, outage: None }
    }

    /// The next news: at once how many seek, and then every 15 seconds, until it is paired. Nothing comes after that.
    ///
    /// It may be given up while it waits, and called again.
    ///
    /// # Errors
    /// If nobody came in time (SEEK_EXPIRED), the server refuses otherwise, or it can't be reached for as long as the client's retry
    /// policy lasts. To call it again seeks again.
    pub async fn next(&mut self) -> Result<SeekUpdate, Error> {
        loop {
            let lost = match self.receive().await {
                Ok(Some(SeekMatchResponse { paired: Some(paired), .. })) => {
                    self.connection.contact().note();
                    return PairedMatch::of(paired).map(|paired| SeekUpdate::Paired(Box::new(paired)));
                }
                Ok(Some(SeekMatchResponse { seeking, .. })) => {
                    self.connection.contact().note();
                    self.outage = None;
                    return Ok(SeekUpdate::Seeking(seeking.unwrap_or_default()));
                }
                Ok(None) => Status::unavailable("the stream ended before the pairing"),
                Err(status) => status,
            };
            self.stream = None;
            let retry_policy = self.connection.retry_policy();
            let outage = self.outage.get_or_insert_with(|| Outage::new(retry_policy));
            if let Err(error) = outage.pause(lost, self.connection.contact()).await {
                (self.outage, self.ends) = (None, None);
                return Err(error);
            }
        }
    }

    /// Seeks until it is paired.
    ///
    /// # Errors
    /// As [`MatchSeek::next`].
    pub async fn paired(mut self) -> Result<PairedMatch, Error> {
        loop {
            if let SeekUpdate::Paired(paired) = self.next().await? {
                return Ok(*paired);
            }
        }
    }

    async fn receive(&mut self) -> Result<Option<SeekMatchResponse>, Status> {
        if self.stream.is_none() {
            let mut request = self.request.clone();
            if let Some(wait) = request.wait.and_then(|wait| Duration::try_from(wait).ok()) {
                let now = Instant::now();
                let ends = *self.ends.get_or_insert(now + wait);
                request.wait = whole_ms(ends.saturating_duration_since(now));
            }
            let retry_policy = self.connection.retry_policy();
            let wire = self.connection.match_wire(None);
            let mut wire = wire.map_err(|error| Status::invalid_argument(error.to_string()))?;
            let opened = timeout(retry_policy.attempt, wire.seek_match(request)).await;
            self.stream = Some(opened.map_err(|_| late(retry_policy))??.into_inner());
        }
        match &mut self.stream {
            Some(stream) => stream.message().await,
            None => Ok(None),
        }
    }
}

/// A time in whole milliseconds, at least one.
fn whole_ms(time: Duration) -> Option<prost_types::Duration> {
    let ms = u64::try_from(time.as_micros().div_ceil(1_000)).unwrap_or(u64::MAX).max(1);
    prost_types::Duration::try_from(Duration::from_millis(ms)).ok()
}
