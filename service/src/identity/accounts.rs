//! The accounts that may call ([`Accounts`]): those of a file that the operator writes, and those that are kept in the store.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::account_quota::AccountQuota;
use super::accounts_file::{AccountsError, AccountsFile};
use super::caller_key::CallerKey;
use super::error::Error;
use super::hash::TokenHash;
use super::kept_accounts::KeptAccounts;
use super::role::{AccountRoles, Role};
use super::server_key::ServerKey;
use super::tokens::AccountKey;
use crate::clock::{Clock, SystemClock};
use crate::store::AccountId;

/// The id that stands for everybody where no account is asked for; no account has it.
pub const ANONYMOUS_ID: &str = "anonymous";

/// The id that makes the server's own matches; no account has it.
pub const HOUSE_ID: &str = "house";

/// One account, as the key of a call stands for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Account {
    /// Its id.
    pub id: AccountId,
    /// The roles that it has; by a key that is not for all of them, those that it is for.
    pub roles: AccountRoles,
}

/// The accounts that a server knows, and whether it lets in those who have none.
///
/// An account of the file is the file's alone: one of the same id that is kept in the store does not count beside it.
#[derive(Clone)]
pub struct Accounts {
    /// `None`: there is no file, and nobody is asked for an account unless that is set.
    file: Option<Arc<AccountsFile>>,
    kept: Arc<Mutex<KeptAccounts>>,
    /// Hashes what callers send; without it no account is known.
    key: Option<ServerKey>,
    /// Says when keys expire.
    clock: Arc<dyn Clock>,
    anonymous: bool,
}

impl Accounts {
    /// No account is known, and none is asked for.
    #[must_use]
    pub fn anonymous() -> Self {
        Self {
            file: None,
            kept: Arc::default(),
            key: None,
            clock: Arc::new(SystemClock::new()),
            anonymous: true,
        }
    }

    /// The accounts of the file at `path`, whose keys were made with `key`.
    ///
    /// # Errors
    /// [`AccountsError`], which names the file and the entry.
    pub fn load(path: &Path, key: &ServerKey) -> Result<Self, AccountsError> {
        Ok(Self::of(AccountsFile::load(path)?, key))
    }

    fn of(file: AccountsFile, key: &ServerKey) -> Self {
        Self { file: Some(Arc::new(file)), key: Some(key.clone()), anonymous: false, ..Self::anonymous() }
    }

    /// The same accounts; those who have none are let in, or are not.
    #[must_use]
    pub fn with_anonymous(self, anonymous: bool) -> Self {
        Self { anonymous, ..self }
    }

    /// The same accounts, with room for those that are kept in a store: their keys are made with `key`, and expire by `clock`.
    #[must_use]
    pub fn with_kept(self, key: &ServerKey, clock: Arc<dyn Clock>) -> Self {
        Self { key: Some(key.clone()), clock, ..self }
    }

    /// The same accounts of a file, with those that are kept beside `others`.
    pub(super) fn beside_kept_of(self, others: &Self) -> Self {
        let Self { kept, key, clock, .. } = others.clone();
        Self { kept, key: self.key.or(key), clock, ..self }
    }

    /// Returns whether those who have no account may play and watch.
    #[must_use]
    pub const fn is_anonymous(&self) -> bool {
        self.anonymous
    }

    /// Returns the number of accounts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.file.as_ref().map_or(0, |file| file.len()) + self.kept().len()
    }

    /// Returns whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The account of this key.
    ///
    /// # Errors
    /// [`Error::NotGivenOut`], [`Error::Expired`], [`Error::Suspended`].
    pub fn find(&self, key: &AccountKey) -> Result<Account, Error> {
        const UNKNOWN: Error = Error::NotGivenOut("account key");
        let server = self.key.as_ref().ok_or(UNKNOWN)?;
        for hash in server.account_key_hashes(key) {
            if let Some(account) = self.of_hash(&hash)? {
                return Ok(account);
            }
        }
        Err(UNKNOWN)
    }

    /// The account whose key has this hash.
    fn of_hash(&self, hash: &TokenHash) -> Result<Option<Account>, Error> {
        // The hash that is looked up is a keyed one: anyone who measures the time that it takes learns nothing that they could use,
        // since they can't choose or foresee it.
        if let Some(account) = self.file.as_ref().and_then(|file| file.find(hash)) {
            return Ok(Some(account.clone()));
        }
        let account = self.kept().find(hash, self.clock.unix_ms())?;
        Ok(account.filter(|account| !self.is_in_file(&account.id)))
    }

    /// Returns whether a seat that was taken for this account may be played: the account is there still, with the role, or its
    /// holder had none. Where there is neither a file nor an account of that id nobody was asked.
    #[must_use]
    pub fn may_hold_seats(&self, account: &AccountId) -> bool {
        if account.as_bytes() == ANONYMOUS_ID.as_bytes() {
            return true;
        }
        match self.file.as_ref().and_then(|file| file.roles(account)) {
            Some(roles) => roles.allow(Role::Player),
            None => {
                let may_play = self.kept().may_play(account);
                may_play.unwrap_or_else(|| self.file.is_none() && !self.is_erased(account))
            }
        }
    }

    /// The part that a caller has of what callers share: that of the account, if it is kept in the store and has its own.
    #[must_use]
    pub fn quota_of(&self, caller: &CallerKey) -> AccountQuota {
        match caller {
            CallerKey::Account(id) if !self.is_in_file(id) => {
                self.kept().get(id).map(|account| account.quota).unwrap_or_default()
            }
            CallerKey::Account(_) | CallerKey::Address(_) => AccountQuota::default(),
        }
    }

    /// Returns whether the account of this id is one of the file, where alone it can be changed.
    #[must_use]
    pub fn is_in_file(&self, id: &AccountId) -> bool {
        self.file.as_ref().is_some_and(|file| file.roles(id).is_some())
    }

    /// Returns whether there was an account of this id in the store whose data was erased.
    #[must_use]
    pub fn is_erased(&self, id: &AccountId) -> bool {
        let pseudonym = self.key.as_ref().map(|key| key.pseudonym(id));
        pseudonym.is_some_and(|pseudonym| self.kept().get(&pseudonym).is_some())
    }

    /// The server's key, if one is known.
    pub(super) const fn server_key(&self) -> Option<&ServerKey> {
        self.key.as_ref()
    }

    /// The account of this id, if it is one of the file.
    #[must_use]
    pub fn of_file(&self, id: &AccountId) -> Option<Account> {
        let roles = self.file.as_ref().and_then(|file| file.roles(id))?;
        Some(Account { id: id.clone(), roles })
    }

    /// At most so many ids of accounts behind this one, in order.
    #[must_use]
    pub fn ids_after(&self, after: Option<&AccountId>, count: usize) -> Vec<AccountId> {
        let file: Vec<_> =
            self.file.iter().flat_map(|file| file.ids_after(after).take(count)).cloned().collect();
        let mut ids: Vec<_> = self.kept().ids_after(after).take(count).cloned().chain(file).collect();
        ids.sort_unstable();
        ids.dedup();
        ids.truncate(count);
        ids
    }

    /// The accounts that are kept in the store. Only an act changes them ([`CurrentAccounts`](super::CurrentAccounts)).
    pub fn kept(&self) -> MutexGuard<'_, KeptAccounts> {
        // An act is checked before it changes anything.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Accounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Accounts({}, anonymous: {})", self.len(), self.anonymous)
    }
}

#[cfg(test)]
mod tests;
