//! The end of streams whose callers were let in and are not any more ([`Standing`]): their account was taken out of the accounts
//! file, has another key, or may not watch any longer.

use edgehill_proto::v1::ErrorReason;
use tokio_util::sync::CancellationToken;
use tonic::metadata::MetadataMap;

use super::Matches;
use crate::identity::Role;
use crate::wire::Refused;

/// The standing of a stream's caller, by what came with the call that opened it.
pub(super) struct Standing {
    matches: Matches,
    /// The key or token, and nothing else of the call.
    metadata: MetadataMap,
    /// The role that they have to be allowed, besides being known.
    role: Option<Role>,
    /// Cancelled when the accounts are others than those that they were found among.
    replaced: CancellationToken,
}

impl Matches {
    /// The standing of a caller who is yet to be let in.
    pub(super) fn standing(&self, metadata: &MetadataMap, role: Option<Role>) -> Standing {
        let mut own = MetadataMap::new();
        for value in metadata.get_all("authorization") {
            own.append("authorization", value.clone());
        }
        Standing { matches: self.clone(), metadata: own, role, replaced: self.0.accounts.replaced() }
    }
}

impl Standing {
    /// Returns when the caller is not let in any more, with the reason.
    pub(super) async fn revoked(mut self) -> Refused {
        loop {
            self.replaced.cancelled().await;
            self.replaced = self.matches.0.accounts.replaced();
            let Self { matches, metadata, role, .. } = &self;
            let let_in = match role {
                Some(role) => matches.caller_as(*role, metadata).await,
                None => match matches.caller(metadata) {
                    Ok(caller) => matches.known(caller).await,
                    Err(refused) => Err(refused),
                },
            };
            match let_in {
                Err(refused)
                    if matches!(refused.reason(), ErrorReason::BadToken | ErrorReason::NotAllowed) =>
                {
                    return refused;
                }
                // Another fault ends the stream by itself.
                _ => {}
            }
        }
    }
}
