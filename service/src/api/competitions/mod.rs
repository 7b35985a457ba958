//! `CompetitionService` ([`CompetitionEndpoint`]): competitions, their entrants, standings and logs.

mod changing;
mod messages;
mod reading;
mod reckoner;
mod service;
mod streaming;

use std::time::Duration;

use edgehill_competition::{CompetitionRefusal, EntrantId};
use edgehill_proto::prost::Message;
use edgehill_proto::v1::competition_service_server::CompetitionServiceServer;
use edgehill_proto::v1::{ErrorReason, LimitName};
use tonic::metadata::MetadataMap;

use super::{Matches, admin, field, refusing};
use crate::competitions::{self, CompetitionOverview, Competitions, HostedCompetition};
use crate::identity::{AccountRoles, Caller, Role};
use crate::matches::Ask;
use crate::store::{AccountId, CompetitionId};
use crate::wire::Refused;
use reckoner::Reckoner;

/// `CompetitionService`. Copies are the same service.
#[derive(Clone, Debug)]
pub struct CompetitionEndpoint {
    competitions: Competitions,
    /// The matches of competitions, with accounts and limits.
    matches: Matches,
    reckoner: Reckoner,
}

/// An account that calls.
#[derive(Clone, Debug)]
struct Viewer {
    account: AccountId,
    roles: AccountRoles,
}

impl Viewer {
    /// Returns whether they may look after a competition of this account.
    fn may_manage(&self, organizer: &AccountId) -> bool {
        self.account == *organizer || self.roles.allow(Role::Operator)
    }
}

impl CompetitionEndpoint {
    /// The service of these competitions, with the accounts of `matches`.
    #[must_use]
    pub fn new(competitions: Competitions, matches: Matches) -> Self {
        Self { competitions, matches, reckoner: Reckoner::new() }
    }

    /// The service as a server takes it, within its limit on requests.
    #[must_use]
    pub fn into_service(self) -> CompetitionServiceServer<Self> {
        let bytes_max = self.matches.limits().request_bytes;
        CompetitionServiceServer::new(self).max_decoding_message_size(bytes_max)
    }

    /// The account that calls, which may do what `role` may.
    async fn account(&self, role: Role, metadata: &MetadataMap) -> Result<Viewer, Refused> {
        if self.matches.0.accounts.now().is_empty() {
            let words = "this server has no accounts, and so no competitions: entrants are accounts";
            return Err(Refused::new(ErrorReason::NoAccounts, words));
        }
        match self.matches.caller_as(role, metadata).await? {
            Caller::Account { id, roles } => Ok(Viewer { account: id, roles }),
            Caller::Anonymous | Caller::Seat(_) => {
                let words = "this needs the key of an account";
                Err(Refused::new(ErrorReason::NotAllowed, words))
            }
        }
    }

    /// A request that changes something.
    fn ask<R: Message>(&self, request_id: &str, request: &R) -> Result<Ask, Refused> {
        self.matches.check_open()?;
        let id = field::request_id(request_id, &self.matches.limits())?;
        Ok(Ask { id, body: admin::body_of(request) })
    }

    fn overview(&self, id: CompetitionId) -> Result<CompetitionOverview, Refused> {
        self.competitions.overview(id).map_err(refused)
    }
}

/// `competition_id`.
fn competition_id(given: &str) -> Result<CompetitionId, Refused> {
    let id: CompetitionId = given.parse().map_err(|_| {
        Refused::field("competition_id", "expected a UUID in lower case with hyphens, as the server wrote it")
    })?;
    // Other spellings of a UUID name no competition.
    if id.to_string() == given { Ok(id) } else { Err(unknown(id)) }
}

fn unknown(id: CompetitionId) -> Refused {
    let words = format!("competition {id}: this server has no such competition");
    Refused::new(ErrorReason::UnknownCompetition, words)
}

/// `entrant`: the number of one of the competition.
fn entrant(hosted: &HostedCompetition, given: u32) -> Result<EntrantId, Refused> {
    let known = u16::try_from(given).ok().and_then(EntrantId::new);
    known.filter(|entrant| hosted.competition().entrant(*entrant).is_some()).ok_or_else(|| {
        let count = hosted.competition().entrants().len();
        let words = format!("entrant {given}: the competition has entrants from 1 to {count}");
        Refused::new(ErrorReason::UnknownEntrant, words).violation("entrant", "expected an entrant's number")
    })
}

/// Returns the refusal of competitions, in words for the caller.
pub(super) fn refused(error: competitions::Error) -> Refused {
    let words = error.to_string();
    match error {
        competitions::Error::Store(error) => refusing::of_store(&error),
        competitions::Error::Unknown(id) => unknown(id),
        competitions::Error::RequestReused => Refused::of(ErrorReason::RequestIdReused),
        competitions::Error::Refused(refusal) => of_refusal(&refusal),
        competitions::Error::Field { field, fault } => Refused::field(field, fault),
        competitions::Error::AlreadyEnrolled => Refused::of(ErrorReason::AlreadyEnrolled),
        competitions::Error::TooMany { max } => Refused::limit_reached(LimitName::Competitions, max as u64),
        competitions::Error::Unreadable { .. } | competitions::Error::Unreplayable { .. } => {
            refusing::fault(&words)
        }
    }
}

fn of_refusal(refusal: &CompetitionRefusal) -> Refused {
    let words = refusal.to_string();
    let plain = |reason| Refused::new(reason, &*words);
    match refusal {
        CompetitionRefusal::Settings(error) => {
            let what = format!("expected {}, found {}", error.accepted, error.given);
            Refused::field(format!("settings.{}", error.field), what)
        }
        CompetitionRefusal::Text { field, .. } => Refused::field(*field, &*words),
        CompetitionRefusal::Phase { .. } => plain(ErrorReason::CompetitionPhase),
        CompetitionRefusal::Full => {
            Refused::limit_reached(LimitName::Entrants, edgehill_competition::ENTRANTS_MAX as u64)
        }
        CompetitionRefusal::NameTaken { .. } => {
            plain(ErrorReason::EntrantNameTaken).violation("name", &*words)
        }
        CompetitionRefusal::UnknownEntrant(_) => plain(ErrorReason::UnknownEntrant),
        CompetitionRefusal::Left(_) => plain(ErrorReason::EntrantLeft),
        CompetitionRefusal::TooFew { .. } | CompetitionRefusal::Challengers { .. } => {
            plain(ErrorReason::TooFewEntrants)
        }
        CompetitionRefusal::NotBegun(_)
        | CompetitionRefusal::Voided(_)
        | CompetitionRefusal::Attempts(_)
        | CompetitionRefusal::BuiltOn { .. } => plain(ErrorReason::NotVoidable),
        // No call can ask for these.
        _ => refusing::fault(&words),
    }
}

/// The wait before a call that comes while the server stops makes sense again.
const RESTART: Duration = Duration::from_secs(1);
