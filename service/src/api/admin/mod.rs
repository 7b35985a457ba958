//! `AdminService` ([`Admin`]): accounts, their keys, the log of what was done, and all that is kept about an account.

mod account_data;
mod answers;
mod fields;
mod messages;
mod service;

use std::time::Duration;

use edgehill_proto::prost::Message;
use edgehill_proto::v1::admin_service_server::AdminServiceServer;
use edgehill_proto::v1::{ErrorReason, LimitName};
use tokio_util::sync::CancellationToken;
use tonic::metadata::MetadataMap;

use super::{Matches, field, refusing};
use crate::admin::{self, Act, Administration, LoggedAct};
use crate::competitions::Competitions;
use crate::erasure::Erasure;
use crate::identity::{ACCOUNT_KEYS_MAX, ACCOUNTS_MAX, AccountAct, AccountActError, Accounts, Caller, Role};
use crate::limits::CurrentLimits;
use crate::matches::Ask;
use crate::store::{AccountId, BodyHash};
use crate::wire::Refused;

/// `AdminService`. Copies are the same service.
#[derive(Clone, Debug)]
pub struct Admin {
    administration: Administration,
    limits: CurrentLimits,
    /// Refuses what would change something, and ends streams.
    draining: CancellationToken,
    /// The matches of accounts.
    matches: Matches,
    erasure: Erasure,
    competitions: Competitions,
}

impl Admin {
    /// The service beside that of `matches`. When `draining` is cancelled, calls that change something are refused, and streams end.
    #[must_use]
    pub const fn new(
        administration: Administration,
        limits: CurrentLimits,
        draining: CancellationToken,
        matches: Matches,
        erasure: Erasure,
        competitions: Competitions,
    ) -> Self {
        Self { administration, limits, draining, matches, erasure, competitions }
    }

    /// The service as a server takes it, within its limit on requests.
    #[must_use]
    pub fn into_service(self) -> AdminServiceServer<Self> {
        let bytes_max = self.limits.now().request_bytes;
        AdminServiceServer::new(self).max_decoding_message_size(bytes_max)
    }

    /// The operator who calls.
    fn operator(&self, metadata: &MetadataMap) -> Result<AccountId, Refused> {
        let accounts = self.administration.accounts();
        let caller = Caller::from_metadata(metadata, &accounts)?;
        caller.require(Role::Operator, &accounts)?;
        match caller {
            Caller::Account { id, .. } => Ok(id),
            Caller::Anonymous | Caller::Seat(_) => Err(Refused::of(ErrorReason::NotAllowed)),
        }
    }

    /// A request that changes something.
    fn ask<R: Message>(&self, request_id: &str, request: &R) -> Result<Ask, Refused> {
        if self.draining.is_cancelled() {
            return Err(Refused::draining(Duration::from_secs(1)));
        }
        let id = field::request_id(request_id, &self.limits.now())?;
        Ok(Ask { id, body: body_of(request) })
    }

    /// Has an operator's act done, unless their request was answered before.
    async fn perform<R: Message>(
        &self,
        actor: AccountId,
        request_id: &str,
        request: &R,
        make: impl FnOnce(&Accounts, u64) -> Result<AccountAct, admin::Error> + Send + 'static,
    ) -> Result<LoggedAct, Refused> {
        let ask = self.ask(request_id, request)?;
        let make = |accounts: &Accounts, now_ms| make(accounts, now_ms).map(Act::Account);
        self.administration.perform(actor, ask, make).await.map_err(refused)
    }
}

/// The hash of a request that the log of acts keeps.
pub(super) fn body_of<R: Message>(request: &R) -> BodyHash {
    // The bytes of two methods' requests can be the same.
    BodyHash::of(&[std::any::type_name::<R>().as_bytes(), &request.encode_to_vec()].concat())
}

/// Returns the administration's refusal, in words for the caller.
fn refused(error: admin::Error) -> Refused {
    let words = error.to_string();
    match error {
        admin::Error::Store(error) => refusing::of_store(&error),
        admin::Error::RequestReused => Refused::of(ErrorReason::RequestIdReused),
        admin::Error::InFile => Refused::of(ErrorReason::AccountInFile),
        admin::Error::Field { field, why } => Refused::field(field, why),
        admin::Error::Unreadable { .. } => refusing::fault(&words),
        admin::Error::Account(error) => match error {
            AccountActError::Exists => Refused::new(ErrorReason::AccountExists, words),
            AccountActError::Unknown => Refused::new(ErrorReason::UnknownAccount, words),
            AccountActError::NotDeleted => Refused::new(ErrorReason::AccountNotDeleted, words),
            AccountActError::UnknownKey => Refused::new(ErrorReason::UnknownAccountKey, words),
            AccountActError::TooManyKeys => {
                Refused::limit_reached(LimitName::AccountKeys, ACCOUNT_KEYS_MAX as u64)
            }
            AccountActError::TooManyAccounts => {
                Refused::limit_reached(LimitName::Accounts, ACCOUNTS_MAX as u64)
            }
            AccountActError::OtherNumber => refusing::fault(&words),
        },
    }
}
