//! The services of `edgehill.v1`: `CatalogService` ([`Catalog`](catalog::Catalog)), `MatchService` and `RefereeService`
//! ([`Matches`]) and `AdminService` ([`Admin`](admin::Admin)).
//!
//! Nothing here decides anything: calls are read, given to the [`crate::host`], and what comes of them is said in the
//! wire's messages.

mod account_watching;
mod accounts_elsewhere;
pub mod admin;
mod bulk_creation;
pub mod catalog;
mod clock;
pub mod competitions;
mod creation;
mod field;
mod invitations;
mod listing;
mod looking;
mod match_config;
mod match_service;
mod message_rate;
mod noted_looks;
mod outbox;
mod peers;
mod playing;
mod receipts;
mod referee;
mod refusing;
mod rematch;
mod revocation;
mod seat_calls;
mod seat_update;
mod seating;
mod seeking;
mod spectator_delay;
mod state;
mod streams;
mod watching;
mod watching_elsewhere;

pub use message_rate::MessageRate;
pub use peers::{HandedOn, PeerApp, Peers, Whereabouts};

use std::sync::Arc;

use edgehill_engine::seat::Seat;
use edgehill_proto::v1::ErrorReason;
use edgehill_proto::v1::match_service_server::MatchServiceServer;
use tokio_util::sync::CancellationToken;
use tonic::metadata::MetadataMap;

use crate::admin::Administration;
use crate::host::{self, Host};
use crate::identity::{self, ANONYMOUS_ID, Caller, CallerKey, CurrentAccounts, Role, check_id};
use crate::limits::Limits;
use crate::matches::{Course, MatchError};
use crate::store::{self, AccountId, MatchId};
use crate::wire::Refused;

/// `MatchService` and `RefereeService`. Copies are the same service.
#[derive(Clone, Debug)]
pub struct Matches(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    host: Host,
    accounts: CurrentAccounts,
    /// Ends open streams, and refuses calls that change something.
    draining: CancellationToken,
    streams: streams::OpenStreams,
    seats: playing::OpenSeats,
    /// Where acts on matches are written down before they are done.
    administration: Administration,
    noted_looks: noted_looks::NotedLooks,
    /// `None`: no other server has matches of the store.
    peers: Option<Arc<dyn Peers>>,
}

impl Matches {
    /// The service of a host. When `draining` is cancelled, open streams end and new calls that change something are refused. Acts of
    /// referees and operators are written down by `administration`. Streams of matches that others of `peers` have are theirs.
    #[must_use]
    pub fn new(
        host: Host,
        accounts: CurrentAccounts,
        draining: CancellationToken,
        administration: Administration,
        peers: Option<Arc<dyn Peers>>,
    ) -> Self {
        let (streams, seats) = (streams::OpenStreams::default(), playing::OpenSeats::default());
        let noted_looks = noted_looks::NotedLooks::default();
        Self(Arc::new(Inner { host, accounts, draining, streams, seats, administration, noted_looks, peers }))
    }

    /// The service as a server takes it, within its limit on requests.
    #[must_use]
    pub fn into_service(self) -> MatchServiceServer<Self> {
        let bytes_max = self.limits().request_bytes;
        MatchServiceServer::new(self).max_decoding_message_size(bytes_max)
    }

    fn host(&self) -> &Host {
        &self.0.host
    }

    fn limits(&self) -> Limits {
        self.0.host.limits()
    }

    fn peers(&self) -> Option<&Arc<dyn Peers>> {
        self.0.peers.as_ref()
    }

    /// The limits that hold for a caller: an account may have some of its own.
    fn limits_of(&self, caller: &CallerKey) -> Limits {
        self.0.accounts.now().quota_of(caller).within(self.limits())
    }

    fn caller(&self, metadata: &MetadataMap) -> Result<Caller, Refused> {
        Ok(Caller::from_metadata(metadata, &self.0.accounts.now())?)
    }

    /// A caller who may do what `role` may.
    async fn caller_as(&self, role: Role, metadata: &MetadataMap) -> Result<Caller, Refused> {
        let caller = self.caller(metadata)?;
        caller.require(role, &self.0.accounts.now())?;
        self.known(caller).await
    }

    /// A caller whose token, if they show one, was given out: anybody can write one that is well made.
    async fn known(&self, caller: Caller) -> Result<Caller, Refused> {
        if let Caller::Seat(token) = &caller {
            let check = |content: &host::Content| self.host().check_token(content.course(), token);
            let known = self.host().read(token.match_id(), check);
            match known.await {
                Ok(_) => {}
                Err(host::Error::Store(store::Error::NotFound(_))) => {
                    return Err(identity::Error::NotGivenOut("seat token").into());
                }
                Err(error) => return Err(self.refused(error, None, None).await),
            }
        }
        Ok(caller)
    }

    /// Returns whether the caller is a referee.
    fn is_referee(&self, caller: &Caller) -> bool {
        caller.require(Role::Referee, &self.0.accounts.now()).is_ok()
    }

    /// Returns whether the caller is told of a match what spectators are told later: referees are, and accounts that have a seat of it.
    fn is_insider(&self, caller: &Caller, course: &Course) -> bool {
        let has_seat = |caller: &Caller| match caller {
            Caller::Account { id, .. } => !course.current_part(id).held.is_empty(),
            Caller::Anonymous | Caller::Seat(_) => false,
        };
        has_seat(caller) || self.is_referee(caller)
    }

    /// The account that a seat is to be kept for.
    fn account_to_invite(&self, path: &str, given: &str) -> Result<AccountId, Refused> {
        let accounts = self.0.accounts.now();
        if accounts.is_empty() {
            return Err(Refused::field(path, "this server has no accounts for which a seat could be kept"));
        }
        let account =
            check_id(given).map_err(|what| Refused::field(path, what.trim_start_matches("id: ")))?;
        let is_known = accounts.is_in_file(&account) || accounts.kept().get(&account).is_some();
        if is_known && accounts.may_hold_seats(&account) {
            return Ok(account);
        }
        let what = "expected an account of this server with the role `player`";
        Err(Refused::of(ErrorReason::UnknownAccount).violation(path, what))
    }

    /// Refuses what would change something while the server is about to stop.
    fn check_open(&self) -> Result<(), Refused> {
        if self.0.draining.is_cancelled() { Err(self.draining()) } else { Ok(()) }
    }

    /// The refusal where nobody has a match for too long.
    fn nowhere(&self) -> Refused {
        Refused::store_unavailable(std::time::Duration::from_millis(250))
    }

    fn draining(&self) -> Refused {
        Refused::draining(std::time::Duration::from_secs(1))
    }

    /// Returns the host's refusal, in words for the caller.
    async fn refused(&self, error: host::Error, id: Option<MatchId>, seat: Option<Seat>) -> Refused {
        let game = match (&error, id) {
            (host::Error::Match(MatchError::Refused(_) | MatchError::NotYourTurn { .. }), Some(id)) => {
                Box::pin(self.host().game(&self.host().hold(id))).await.ok()
            }
            _ => None,
        };
        refusing::of(error, game.as_ref().map(|game| game.catalogue()), seat)
    }
}

/// The account that a caller acts for; `anonymous` where none is asked for.
fn account_of(caller: &Caller) -> Result<AccountId, Refused> {
    match caller {
        Caller::Account { id, .. } => Ok(id.clone()),
        Caller::Anonymous | Caller::Seat(_) => {
            AccountId::new(ANONYMOUS_ID).map_err(|_| Refused::of(ErrorReason::InternalFault))
        }
    }
}
