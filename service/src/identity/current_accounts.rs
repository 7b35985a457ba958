//! The accounts as they are now, while the server runs ([`CurrentAccounts`]).

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;

use super::account_act::AccountAct;
use super::accounts::Accounts;

/// The accounts that a server knows, until it reads others. Copies are the same.
#[derive(Clone, Debug)]
pub struct CurrentAccounts(Arc<Mutex<Revision>>);

#[derive(Debug)]
struct Revision {
    accounts: Arc<Accounts>,
    /// Cancelled when others take their place.
    replaced: CancellationToken,
}

impl CurrentAccounts {
    /// These accounts.
    #[must_use]
    pub fn new(accounts: Accounts) -> Self {
        Self(Arc::new(Mutex::new(Revision::of(accounts))))
    }

    /// The accounts as they are now.
    #[must_use]
    pub fn now(&self) -> Arc<Accounts> {
        Arc::clone(&self.lock().accounts)
    }

    /// Puts others in the place of those of the file. Those that are kept in the store stay.
    pub fn replace(&self, accounts: Accounts) {
        let before = {
            let mut now = self.lock();
            let accounts = accounts.beside_kept_of(&now.accounts);
            std::mem::replace(&mut *now, Revision::of(accounts))
        };
        // Those who look now find the others.
        before.replaced.cancel();
    }

    /// Does to the accounts that are kept in the store what an act says, which was checked and is durable. `at_ms`: when it was
    /// done, in milliseconds since 1970.
    pub fn apply(&self, act: &AccountAct, at_ms: u64) {
        let before = {
            let mut now = self.lock();
            now.accounts.kept().apply(act, at_ms, now.accounts.server_key());
            let replaced = act.takes_away().then(CancellationToken::new);
            replaced.map(|replaced| std::mem::replace(&mut now.replaced, replaced))
        };
        // Those who look now find what is left of them.
        before.into_iter().for_each(|replaced| replaced.cancel());
    }

    /// A token that is cancelled when others take the place of those that are there now: for those who stay, as streams do.
    #[must_use]
    pub fn replaced(&self) -> CancellationToken {
        // One of its own for each: what all of them wait for would be locked by all.
        self.lock().replaced.child_token()
    }

    fn lock(&self) -> MutexGuard<'_, Revision> {
        // It is replaced whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Revision {
    fn of(accounts: Accounts) -> Self {
        Self { accounts: Arc::new(accounts), replaced: CancellationToken::new() }
    }
}

impl Default for CurrentAccounts {
    /// No account is known, and none is asked for.
    fn default() -> Self {
        Self::new(Accounts::anonymous())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_who_stay_hear_of_the_next_accounts_and_of_those_after_them() {
        let accounts = CurrentAccounts::default();
        let (first, copy) = (accounts.replaced(), accounts.clone());
        assert!(accounts.now().is_anonymous() && !first.is_cancelled());
        copy.replace(Accounts::anonymous().with_anonymous(false));
        let second = accounts.replaced();
        assert!(first.is_cancelled() && !second.is_cancelled() && !accounts.now().is_anonymous());
        copy.replace(Accounts::anonymous());
        assert!(second.is_cancelled());
    }
}
