//! The accounts that are kept in the store ([`KeptAccounts`]), as the acts on them have made them.
//!
//! Invariant: they are what their acts make of none, in the acts' order; nothing else changes them.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::ops::Bound;

use super::account_act::{AccountAct, AccountActError, NewAccountKey};
use super::account_quota::AccountQuota;
use super::accounts::Account;
use super::accounts_file::ACCOUNTS_MAX;
use super::error::Error;
use super::hash::TokenHash;
use super::role::{AccountRoles, Role};
use super::server_key::ServerKey;
use crate::store::AccountId;

/// The most keys of one account that have not ended.
pub const ACCOUNT_KEYS_MAX: usize = 16;

/// The most bytes of a key's label.
pub const LABEL_BYTES_MAX: usize = 64;

/// The accounts that are kept in the store.
#[derive(Default)]
pub struct KeptAccounts {
    by_id: BTreeMap<AccountId, KeptAccount>,
    /// The keys that were not revoked.
    by_hash: HashMap<[u8; 32], (AccountId, u32)>,
}

/// An account that is kept in the store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptAccount {
    /// The roles that it has.
    pub roles: AccountRoles,
    /// True if it may do nothing for now.
    pub is_suspended: bool,
    /// True if it was deleted: it has neither role nor key for ever.
    pub is_deleted: bool,
    /// The erasure of its data, after which it goes by its pseudonym; `None`: nothing is erased.
    pub erasure: Option<ErasureProgress>,
    /// The part that it has of what callers share.
    pub quota: AccountQuota,
    /// When it was made, in milliseconds since 1970.
    pub created_ms: u64,
    /// Its keys, by number: the first has number 1. One that has ended stays.
    pub keys: Vec<KeptAccountKey>,
}

/// The progress of the erasure of an account's data.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ErasureProgress {
    /// Something may be left that names it.
    UnderWay,
    /// Nothing is left.
    Complete,
}

/// A key of an account.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptAccountKey {
    /// The key as it was made. Its end may have come nearer since.
    pub key: NewAccountKey,
    /// When it was made, in milliseconds since 1970.
    pub created_ms: u64,
    /// When it was taken away, in milliseconds since 1970.
    pub revoked_ms: Option<u64>,
}

impl KeptAccountKey {
    /// Returns whether its time is over at this moment, in milliseconds since 1970.
    #[must_use]
    pub fn is_expired(&self, now_ms: u64) -> bool {
        self.key.expires_ms.is_some_and(|end| end <= now_ms)
    }

    /// Returns whether it may be used at this moment, as far as it goes.
    #[must_use]
    pub fn is_good(&self, now_ms: u64) -> bool {
        self.revoked_ms.is_none() && !self.is_expired(now_ms)
    }
}

impl KeptAccount {
    /// The key of this number.
    #[must_use]
    pub fn key(&self, number: u32) -> Option<&KeptAccountKey> {
        self.keys.get(place(number)?)
    }

    /// The number of its next key.
    #[must_use]
    pub fn next_key(&self) -> u32 {
        self.keys.len() as u32 + 1
    }
}

/// The place of a key among its account's.
fn place(number: u32) -> Option<usize> {
    number.checked_sub(1).map(|place| place as usize)
}

impl KeptAccounts {
    /// Returns the number of accounts, but for deleted ones.
    #[must_use]
    pub fn len(&self) -> usize {
        self.all().count()
    }

    /// Returns whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all().next().is_none()
    }

    /// The account of this id, which may be deleted.
    #[must_use]
    pub fn get(&self, id: &AccountId) -> Option<&KeptAccount> {
        self.by_id.get(id)
    }

    /// The accounts by id, but for deleted ones.
    pub fn all(&self) -> impl Iterator<Item = (&AccountId, &KeptAccount)> {
        self.by_id.iter().filter(|(_, account)| !account.is_deleted)
    }

    /// The pseudonyms of accounts of whose data something may be left to erase.
    pub fn erasures_under_way(&self) -> impl Iterator<Item = &AccountId> {
        let under_way = |account: &KeptAccount| account.erasure == Some(ErasureProgress::UnderWay);
        self.by_id.iter().filter(move |(_, account)| under_way(account)).map(|(id, _)| id)
    }

    /// The ids behind this one, in order, but for those of deleted accounts.
    pub(super) fn ids_after(&self, after: Option<&AccountId>) -> impl Iterator<Item = &AccountId> {
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        let accounts = self.by_id.range((from, Bound::Unbounded));
        accounts.filter(|(_, account)| !account.is_deleted).map(|(id, _)| id)
    }

    /// The account whose key has this hash, if that is good at this moment, in milliseconds since 1970.
    ///
    /// # Errors
    /// [`Error::Expired`], [`Error::Suspended`].
    pub(super) fn find(&self, hash: &TokenHash, now_ms: u64) -> Result<Option<Account>, Error> {
        let Some((id, number)) = self.by_hash.get(&hash.0) else { return Ok(None) };
        let Some(account) = self.by_id.get(id) else { return Ok(None) };
        let Some(key) = account.key(*number) else { return Ok(None) };
        if key.is_expired(now_ms) {
            return Err(Error::Expired);
        }
        if account.is_suspended {
            return Err(Error::Suspended);
        }
        Ok(Some(Account { id: id.clone(), roles: account.roles.and(key.key.scopes) }))
    }

    /// Returns whether an account may play; `None` if there never was such an account.
    pub(super) fn may_play(&self, id: &AccountId) -> Option<bool> {
        self.by_id.get(id).map(|account| !account.is_suspended && account.roles.allow(Role::Player))
    }

    /// Checks that an act can be done at this moment, in milliseconds since 1970.
    ///
    /// # Errors
    /// [`AccountActError`].
    pub fn check(&self, act: &AccountAct, now_ms: u64) -> Result<(), AccountActError> {
        let id = act.account();
        if let AccountAct::Create { .. } = act {
            return match self.by_id.contains_key(id) {
                true => Err(AccountActError::Exists),
                false if self.by_id.len() >= ACCOUNTS_MAX => Err(AccountActError::TooManyAccounts),
                false => Ok(()),
            };
        }
        if let AccountAct::Erase { .. } | AccountAct::CompleteErasure { .. } = act {
            return Ok(());
        }
        let account = self.by_id.get(id).filter(|account| !account.is_deleted);
        let account = account.ok_or(AccountActError::Unknown)?;
        let has = |number| {
            let good = account.key(number).filter(|key| key.is_good(now_ms));
            good.map(|_| ()).ok_or(AccountActError::UnknownKey)
        };
        let takes = |key: &NewAccountKey| {
            let good = account.keys.iter().filter(|key| key.is_good(now_ms)).count();
            match key.number == account.next_key() {
                false => Err(AccountActError::OtherNumber),
                true if good >= ACCOUNT_KEYS_MAX => Err(AccountActError::TooManyKeys),
                true => Ok(()),
            }
        };
        match act {
            AccountAct::CreateKey { key, .. } => takes(key),
            AccountAct::RotateKey { replaced, key, .. } => has(*replaced).and_then(|()| takes(key)),
            AccountAct::RevokeKey { number, .. } => has(*number),
            AccountAct::Create { .. }
            | AccountAct::Update { .. }
            | AccountAct::Delete { .. }
            | AccountAct::SetQuota { .. }
            | AccountAct::Erase { .. }
            | AccountAct::CompleteErasure { .. } => Ok(()),
        }
    }

    /// Does an act that was checked, at this moment, in milliseconds since 1970. One that does not fit does nothing. `server` knows
    /// pseudonyms.
    pub(super) fn apply(&mut self, act: &AccountAct, at_ms: u64, server: Option<&ServerKey>) {
        let id = act.account();
        if let AccountAct::Erase { .. } = act {
            self.erase(id, server);
            return;
        }
        if let AccountAct::Create { roles, .. } = act {
            let account = KeptAccount {
                roles: *roles,
                is_suspended: false,
                is_deleted: false,
                erasure: None,
                quota: AccountQuota::default(),
                created_ms: at_ms,
                keys: Vec::new(),
            };
            self.by_id.entry(id.clone()).or_insert(account);
            return;
        }
        let Some(account) = self.by_id.get_mut(id) else { return };
        let made =
            |key: &NewAccountKey| KeptAccountKey { key: key.clone(), created_ms: at_ms, revoked_ms: None };
        match act {
            AccountAct::Create { .. } | AccountAct::Erase { .. } => {}
            AccountAct::CompleteErasure { .. } => account.erasure = Some(ErasureProgress::Complete),
            AccountAct::SetQuota { quota, .. } => account.quota = *quota,
            AccountAct::Update { roles, is_suspended, .. } => {
                account.roles = roles.unwrap_or(account.roles);
                account.is_suspended = is_suspended.unwrap_or(account.is_suspended);
            }
            AccountAct::Delete { .. } => {
                for key in std::mem::take(&mut account.keys) {
                    self.by_hash.remove(&key.key.hash);
                }
                (account.roles, account.is_suspended, account.is_deleted) =
                    (AccountRoles::default(), false, true);
            }
            AccountAct::CreateKey { key, .. } => {
                self.by_hash.insert(key.hash, (id.clone(), key.number));
                account.keys.push(made(key));
            }
            AccountAct::RotateKey { replaced, until_ms, key, .. } => {
                let place = place(*replaced);
                if let Some(old) = place.and_then(|place| account.keys.get_mut(place)) {
                    let end = old.key.expires_ms.unwrap_or(u64::MAX).min(*until_ms);
                    old.key.expires_ms = Some(end);
                }
                self.by_hash.insert(key.hash, (id.clone(), key.number));
                account.keys.push(made(key));
            }
            AccountAct::RevokeKey { number, .. } => {
                let place = place(*number);
                if let Some(key) = place.and_then(|place| account.keys.get_mut(place)) {
                    key.revoked_ms = Some(at_ms);
                    self.by_hash.remove(&key.key.hash);
                }
            }
        }
    }
}

impl KeptAccounts {
    /// The account of this pseudonym goes by it from now on. The acts before this one have its id, or the pseudonym, or each some.
    fn erase(&mut self, pseudonym: &AccountId, server: Option<&ServerKey>) {
        let named = |id: &AccountId| server.is_some_and(|server| server.pseudonym(id) == *pseudonym);
        let id = self.by_id.iter().find(|(id, account)| account.is_deleted && named(id));
        let by_id = id.map(|(id, _)| id.clone()).and_then(|id| self.by_id.remove(&id));
        let by_pseudonym = self.by_id.remove(pseudonym);
        let Some(account) = by_pseudonym.or(by_id) else { return };
        for key in &account.keys {
            self.by_hash.remove(&key.key.hash);
        }
        let erased = KeptAccount {
            roles: AccountRoles::default(),
            is_suspended: false,
            is_deleted: true,
            erasure: Some(ErasureProgress::UnderWay),
            quota: AccountQuota::default(),
            created_ms: account.created_ms,
            keys: Vec::new(),
        };
        self.by_id.insert(pseudonym.clone(), erased);
    }
}

impl fmt::Debug for KeptAccounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeptAccounts({})", self.by_id.len())
    }
}
