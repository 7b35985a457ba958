//! Acts on the accounts that are kept in the store ([`AccountAct`]): all that ever happens to them.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::account_quota::AccountQuota;
use super::kept_accounts::ACCOUNT_KEYS_MAX;
use super::role::AccountRoles;
use crate::store::AccountId;

/// An act on an account that is kept in the store.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum AccountAct {
    /// Make an account, without a key.
    Create {
        /// Its id, which no account has had.
        account: AccountId,
        /// The roles that it has.
        roles: AccountRoles,
    },
    /// Change an account; what is `None` stays.
    Update {
        /// The account.
        account: AccountId,
        /// The roles that it has from now on.
        roles: Option<AccountRoles>,
        /// True if it may do nothing from now on, false if it may again.
        is_suspended: Option<bool>,
    },
    /// Take an account's rights and keys away for ever. Its id is not given again.
    Delete {
        /// The account.
        account: AccountId,
    },
    /// Give an account a key.
    CreateKey {
        /// The account.
        account: AccountId,
        /// The key.
        key: NewAccountKey,
    },
    /// Give an account a key in the place of another, which goes on for a while.
    RotateKey {
        /// The account.
        account: AccountId,
        /// The number of the key that is replaced.
        replaced: u32,
        /// The moment at which that one ends, in milliseconds since 1970, unless it does so before.
        until_ms: u64,
        /// The new key.
        key: NewAccountKey,
    },
    /// Take a key away.
    RevokeKey {
        /// The account.
        account: AccountId,
        /// The key's number.
        number: u32,
    },
    /// Set the part that an account has of what callers share, in the place of that which it had.
    SetQuota {
        /// The account.
        account: AccountId,
        /// Its part.
        quota: AccountQuota,
    },
    /// Take a deleted account's id, and all that names its holder, out of all that is kept.
    Erase {
        /// The pseudonym in the id's place ([`ServerKey::pseudonym`](super::ServerKey::pseudonym)).
        account: AccountId,
    },
    /// Nothing is left to take out.
    CompleteErasure {
        /// The pseudonym.
        account: AccountId,
    },
}

/// A key that an account is given.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NewAccountKey {
    /// Its number: that of the account's keys before it, and one.
    pub number: u32,
    /// A name for people.
    pub label: String,
    /// The roles that it is for, as far as the account has them.
    pub scopes: AccountRoles,
    /// The keyed hash of it.
    pub hash: [u8; 32],
    /// The moment at which it ends, in milliseconds since 1970; `None`: it does not end by itself.
    pub expires_ms: Option<u64>,
}

/// The reason that an act can't be done.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum AccountActError {
    /// There is or was an account of this id.
    #[error("there is an account of this id already, or was one: an id is given once")]
    Exists,
    /// There is no such account.
    #[error("this server keeps no account of this id")]
    Unknown,
    /// The account was not deleted.
    #[error("the account was not deleted: its data is erased after that alone")]
    NotDeleted,
    /// The account has no such key, or not any more.
    #[error("the account has no key of this number, or it has ended")]
    UnknownKey,
    /// The account has as many keys as it may.
    #[error("the account has {ACCOUNT_KEYS_MAX} keys that have not ended; revoke one first")]
    TooManyKeys,
    /// There are as many accounts as the server keeps.
    #[error("the server keeps as many accounts as it can")]
    TooManyAccounts,
    /// The key is not the account's next one.
    #[error("the account's next key has another number")]
    OtherNumber,
}

impl AccountAct {
    /// The account that it is about.
    #[must_use]
    pub const fn account(&self) -> &AccountId {
        match self {
            Self::Create { account, .. }
            | Self::Update { account, .. }
            | Self::Delete { account }
            | Self::CreateKey { account, .. }
            | Self::RotateKey { account, .. }
            | Self::RevokeKey { account, .. }
            | Self::SetQuota { account, .. }
            | Self::Erase { account }
            | Self::CompleteErasure { account } => account,
        }
    }

    /// The same act on an account by its pseudonym, without what its holder called it.
    #[must_use]
    pub fn by_pseudonym(&self, pseudonym: AccountId) -> Self {
        let mut act = self.clone();
        match &mut act {
            Self::CreateKey { account, key } | Self::RotateKey { account, key, .. } => {
                *account = pseudonym;
                key.label = String::new();
            }
            Self::Create { account, .. }
            | Self::Update { account, .. }
            | Self::Delete { account }
            | Self::RevokeKey { account, .. }
            | Self::SetQuota { account, .. }
            | Self::Erase { account }
            | Self::CompleteErasure { account } => *account = pseudonym,
        }
        act
    }

    /// The number of the key that it makes or takes away.
    #[must_use]
    pub const fn key(&self) -> Option<u32> {
        match self {
            Self::CreateKey { key, .. } | Self::RotateKey { key, .. } => Some(key.number),
            Self::RevokeKey { number, .. } => Some(*number),
            Self::Create { .. }
            | Self::Update { .. }
            | Self::Delete { .. }
            | Self::SetQuota { .. }
            | Self::Erase { .. }
            | Self::CompleteErasure { .. } => None,
        }
    }

    /// The key that it makes.
    #[must_use]
    pub const fn new_key(&self) -> Option<&NewAccountKey> {
        match self {
            Self::CreateKey { key, .. } | Self::RotateKey { key, .. } => Some(key),
            Self::Create { .. }
            | Self::Update { .. }
            | Self::Delete { .. }
            | Self::RevokeKey { .. }
            | Self::SetQuota { .. }
            | Self::Erase { .. }
            | Self::CompleteErasure { .. } => None,
        }
    }

    /// Returns whether somebody may have fewer rights behind it: whoever stays, as streams do, has to be looked at again.
    #[must_use]
    pub const fn takes_away(&self) -> bool {
        match self {
            Self::Update { .. } | Self::Delete { .. } | Self::RotateKey { .. } | Self::RevokeKey { .. } => {
                true
            }
            // Nobody has rights by an account that was deleted.
            Self::Erase { .. } | Self::CompleteErasure { .. } => false,
            Self::Create { .. } | Self::CreateKey { .. } | Self::SetQuota { .. } => false,
        }
    }
}
