//! An act of administration as it is written down: [`LoggedAct`].

use std::fmt;

use serde::{Deserialize, Serialize};

use super::match_act::MatchAct;
use super::server_act::ServerAct;
use super::{Error, KeptAct};
use crate::identity::AccountAct;
use crate::store::{AccountId, BodyHash, RequestId};

/// The version of the form in which acts are kept.
const VERSION: u8 = 1;

/// An act of somebody who looks after the server.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Act {
    /// On an account that is kept in the store.
    Account(AccountAct),
    /// On a match.
    Match(MatchAct),
    /// On the server as a whole.
    Server(ServerAct),
    /// All that is kept about an account is read.
    Export {
        /// The account.
        account: AccountId,
    },
}

impl Act {
    /// The account that it is about, if it is about one.
    #[must_use]
    pub const fn account(&self) -> Option<&AccountId> {
        match self {
            Self::Account(act) => Some(act.account()),
            Self::Match(act) => act.account(),
            Self::Server(_) => None,
            Self::Export { account } => Some(account),
        }
    }
}

/// An act that was done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoggedAct {
    /// Its number, from 1 on without a gap.
    pub number: u64,
    /// When it was done, in milliseconds since 1970.
    pub at_ms: u64,
    /// The account that did it.
    pub actor: AccountId,
    /// Its request id.
    pub request: RequestId,
    /// The hash of what the request asked for.
    pub body: BodyHash,
    /// The act.
    pub act: Act,
}

/// All but the number, in the form in which it is kept.
#[derive(Serialize, Deserialize)]
struct Form {
    at_ms: u64,
    actor: AccountId,
    request: RequestId,
    body: [u8; 32],
    act: Act,
}

impl LoggedAct {
    /// The act as the store keeps it.
    pub(super) fn to_kept(&self) -> KeptAct {
        let form = Form {
            at_ms: self.at_ms,
            actor: self.actor.clone(),
            request: self.request.clone(),
            body: self.body.0,
            act: self.act.clone(),
        };
        let bytes = postcard::to_extend(&form, vec![VERSION]).expect("an act knows its lengths");
        KeptAct { number: self.number, bytes }
    }

    /// Reads an act that the store has kept.
    ///
    /// # Errors
    /// [`Error::Unreadable`].
    pub(super) fn read(kept: &KeptAct) -> Result<Self, Error> {
        let number = kept.number;
        let unreadable = || Error::Unreadable { number };
        let (&version, form) = kept.bytes.split_first().ok_or_else(unreadable)?;
        if version != VERSION {
            return Err(unreadable());
        }
        let form: Form = postcard::from_bytes(form).map_err(|_| unreadable())?;
        let Form { at_ms, actor, request, body, act } = form;
        Ok(Self { number, at_ms, actor, request, body: BodyHash(body), act })
    }
}

impl fmt::Display for Act {
    /// The act in words for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let act = match self {
            Self::Account(act) => act,
            Self::Match(act) => return act.fmt(f),
            Self::Server(act) => return act.fmt(f),
            Self::Export { account } => {
                return write!(f, "exported the data of {}", account.as_bytes().escape_ascii());
            }
        };
        let account = act.account().as_bytes().escape_ascii();
        match act {
            AccountAct::Create { roles, .. } => write!(f, "made the account {account}: {roles}"),
            AccountAct::Update { roles, is_suspended, .. } => {
                write!(f, "changed the account {account}")?;
                if let Some(roles) = roles {
                    write!(f, ", roles: {roles}")?;
                }
                match is_suspended {
                    Some(true) => f.write_str(", suspended"),
                    Some(false) => f.write_str(", not suspended"),
                    None => Ok(()),
                }
            }
            AccountAct::Delete { .. } => write!(f, "deleted the account {account}"),
            AccountAct::CreateKey { key, .. } => {
                write!(f, "gave {account} the key {} for {}", key.number, key.scopes)
            }
            AccountAct::RotateKey { replaced, key, .. } => {
                write!(f, "gave {account} the key {} in the place of {replaced}", key.number)
            }
            AccountAct::SetQuota { .. } => write!(f, "set the quota of {account}"),
            AccountAct::Erase { .. } => write!(f, "had the data of {account} erased"),
            AccountAct::CompleteErasure { .. } => write!(f, "completed the erasure of the data of {account}"),
            AccountAct::RevokeKey { number, .. } => write!(f, "took the key {number} of {account} away"),
        }
    }
}
