//! Looking after a server ([`Administration`]): acts on accounts, keys and matches, each done once and written down.
//!
//! The log of acts in the store is all that is kept: at the start it is read, and the accounts are what its acts make of none. An act
//! is checked, made durable, and only then done to the accounts that callers are found among. Acts on matches and on the server, and looks
//! at what others may not see, are only written down here, by those who do them.
//!
//! Invariant: the accounts are never ahead of the log, and behind it only while an act is on its way.

mod erasing;
mod logged_act;
mod match_act;
mod server_act;

pub use logged_act::{Act, LoggedAct};
pub use match_act::{MatchAct, MatchActKind};
pub use server_act::ServerAct;

use std::collections::HashMap;
use std::sync::Arc;

use thiserror::Error;
use tokio::sync::Mutex;

use crate::clock::Clock;
use crate::identity::{AccountAct, AccountActError, Accounts, CurrentAccounts, HOUSE_ID, ServerKey};
use crate::matches::Ask;
use crate::store::limits::ACTS_READ_MAX;
use crate::store::{self, AccountId, BodyHash, KeptAct, RequestId, Store};

/// Number of acts that one list looks at: a filter that few pass does not read the whole log.
const LOOK_AT_MAX: usize = 4 * ACTS_READ_MAX;

/// The reason that an act is not done, or its log not read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Error {
    /// The store refuses.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// The request id was used for an act that said something else.
    #[error("the request id belongs to an act that said something else")]
    RequestReused,
    /// The account is one of the accounts file.
    #[error("the account stands in the accounts file, where alone it can be changed")]
    InFile,
    /// The accounts do not allow it.
    #[error(transparent)]
    Account(#[from] AccountActError),
    /// A field of the request is at fault at this moment.
    #[error("{field}: {why}")]
    Field {
        /// Its path.
        field: &'static str,
        /// The fault, and what would be accepted.
        why: String,
    },
    /// An act that is kept can't be read.
    #[error("act {number} of the log of acts can't be read: the store is damaged, or of a later build")]
    Unreadable {
        /// Its number.
        number: u64,
    },
}

/// The administration of a server. Copies are the same.
#[derive(Clone)]
pub struct Administration(Arc<Inner>);

struct Inner {
    store: Arc<dyn Store>,
    key: ServerKey,
    accounts: CurrentAccounts,
    clock: Arc<dyn Clock>,
    done: Mutex<Done>,
}

/// The acts that were taken up.
#[derive(Default)]
struct Done {
    /// The number of the last one.
    last: u64,
    requests: HashMap<(AccountId, RequestId), Answered>,
}

impl Done {
    /// The act that this request has come to, whose name may be another one since an account that it named was erased.
    fn answered(&self, actor: &AccountId, ask: &Ask, key: &ServerKey) -> Option<&Answered> {
        let by = |request: RequestId| self.requests.get(&(actor.clone(), request));
        by(ask.id.clone()).or_else(|| by(key.pseudonymous_request(&ask.id)))
    }
}

/// The act that a request has come to.
struct Answered {
    number: u64,
    body: BodyHash,
}

impl Administration {
    /// Reads the log of acts in the store, and makes the accounts of it that are kept there. Their keys were made with `key`.
    ///
    /// # Errors
    /// [`Error::Store`], [`Error::Unreadable`].
    pub async fn open(
        store: Arc<dyn Store>,
        key: ServerKey,
        accounts: CurrentAccounts,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, Error> {
        let inner = Inner { store, key, accounts, clock, done: Mutex::default() };
        inner.catch_up(&mut *inner.done.lock().await).await?;
        let double: Vec<_> = {
            let accounts = inner.accounts.now();
            let kept = accounts.kept();
            kept.all().map(|(id, _)| id).filter(|id| accounts.is_in_file(id)).cloned().collect()
        };
        for id in double {
            tracing::warn!(account = ?id, "an account that is kept in the store is one of the accounts file, too, which counts");
        }
        Ok(Self(Arc::new(inner)))
    }

    /// The accounts.
    #[must_use]
    pub fn accounts(&self) -> Arc<Accounts> {
        self.0.accounts.now()
    }

    /// The server's key, which accounts' keys follow from.
    #[must_use]
    pub fn key(&self) -> &ServerKey {
        &self.0.key
    }

    /// Does what `make` makes of the accounts and the moment, in milliseconds since 1970, unless the request was answered before.
    /// It is durable and done when this returns, and is done also where nobody waits for it any more.
    ///
    /// # Errors
    /// [`Error`](enum@Error); nothing was done then, unless it is a store's that says that nobody knows: the same request tells.
    pub async fn perform(
        &self,
        actor: AccountId,
        ask: Ask,
        make: impl FnOnce(&Accounts, u64) -> Result<Act, Error> + Send + 'static,
    ) -> Result<LoggedAct, Error> {
        let inner = Arc::clone(&self.0);
        let performed = tokio::spawn(async move { inner.perform(actor, ask, make).await });
        match performed.await {
            Ok(done) => done,
            // It costs this call, as it would have here.
            Err(ended) if ended.is_panic() => std::panic::resume_unwind(ended.into_panic()),
            Err(_) => Err(Error::Store(store::Error::Closed)),
        }
    }

    /// Writes down that the data of a deleted account is to be erased, unless the request was answered before: by its pseudonym alone,
    /// which is the account of the act.
    ///
    /// # Errors
    /// As [`Administration::perform`]; [`Error::InFile`], [`Error::Account`] if the account was not deleted.
    pub async fn perform_erasure(
        &self,
        actor: AccountId,
        ask: Ask,
        account: AccountId,
    ) -> Result<LoggedAct, Error> {
        let pseudonym = self.key().pseudonym(&account);
        // A name could be guessed from the hash of the request.
        let ask = Ask { body: self.key().pseudonymous_body(&ask.body), ..ask };
        let make = move |accounts: &Accounts, _| {
            erasing::check_erasable(&account, accounts)?;
            Ok(Act::Account(AccountAct::Erase { account: pseudonym }))
        };
        self.perform(actor, ask, make).await
    }

    /// Writes down what `actor` is about to do where no request names it: a look, which may be repeated.
    ///
    /// # Errors
    /// [`Error::Store`], [`Error::Unreadable`]; it must not be done then.
    pub async fn note(&self, actor: AccountId, act: Act) -> Result<(), Error> {
        let inner = Arc::clone(&self.0);
        let noted = tokio::spawn(async move { inner.note(actor, act).await });
        noted.await.unwrap_or(Err(Error::Store(store::Error::Closed)))
    }

    /// Writes down what was done by somebody who runs the server, as the server's own act.
    ///
    /// # Errors
    /// [`Error::Store`], [`Error::Unreadable`].
    pub async fn note_own(&self, act: Act) -> Result<(), Error> {
        self.note(AccountId::new(HOUSE_ID)?, act).await
    }

    /// The number of the last act; 0 if there is none.
    ///
    /// # Errors
    /// [`Error::Store`], [`Error::Unreadable`].
    pub async fn last_act(&self) -> Result<u64, Error> {
        let mut done = self.0.done.lock().await;
        self.0.catch_up(&mut done).await?;
        Ok(done.last)
    }

    /// At most so many acts behind the one with this number that are of this account: that it did, or that are about it. Whoever
    /// wants more asks for those behind the second number.
    ///
    /// # Errors
    /// [`Error::Store`], [`Error::Unreadable`].
    pub async fn acts(
        &self,
        after: u64,
        account: Option<&AccountId>,
        count: usize,
    ) -> Result<(Vec<LoggedAct>, Option<u64>), Error> {
        let (mut acts, mut looked, mut last) = (Vec::new(), 0, after);
        loop {
            let kept = self.0.store.kept_acts(last, ACTS_READ_MAX).await?;
            if kept.is_empty() {
                return Ok((acts, None));
            }
            for kept in kept {
                if acts.len() == count || looked == LOOK_AT_MAX {
                    return Ok((acts, Some(last)));
                }
                let act = LoggedAct::read(&kept)?;
                (looked, last) = (looked + 1, act.number);
                if account.is_none_or(|account| act.actor == *account || act.act.account() == Some(account)) {
                    acts.push(act);
                }
            }
        }
    }
}

impl Administration {
    /// Takes up what other servers have written down.
    ///
    /// # Errors
    /// [`Error::Store`], [`Error::Unreadable`].
    pub async fn catch_up(&self) -> Result<(), Error> {
        self.0.catch_up(&mut *self.0.done.lock().await).await
    }
}

impl Inner {
    async fn perform(
        &self,
        actor: AccountId,
        ask: Ask,
        make: impl FnOnce(&Accounts, u64) -> Result<Act, Error>,
    ) -> Result<LoggedAct, Error> {
        let mut done = self.done.lock().await;
        // Another server may have done some, and of some nobody may have known whether they are durable.
        self.catch_up(&mut done).await?;
        if let Some(answered) = done.answered(&actor, &ask, &self.key) {
            if answered.body != ask.body && answered.body != self.key.pseudonymous_body(&ask.body) {
                return Err(Error::RequestReused);
            }
            let kept = self.store.kept_acts(answered.number - 1, 1).await?;
            let kept = kept.first().ok_or(Error::Unreadable { number: answered.number })?;
            return LoggedAct::read(kept);
        }
        let (at_ms, number) = (self.clock.unix_ms(), done.last + 1);
        let act = self.made(make, at_ms)?;
        let logged = LoggedAct { number, at_ms, actor, request: ask.id, body: ask.body, act };
        self.keep(&mut done, logged).await
    }

    async fn note(&self, actor: AccountId, act: Act) -> Result<(), Error> {
        let mut done = self.done.lock().await;
        self.catch_up(&mut done).await?;
        let (at_ms, number) = (self.clock.unix_ms(), done.last + 1);
        // A name that no request bears, since nobody has the key.
        let request = self.key.pseudonymous_request(&RequestId::new(format!("act-{number}"))?);
        let logged = LoggedAct { number, at_ms, actor, request, body: BodyHash::of(&[]), act };
        self.keep(&mut done, logged).await?;
        Ok(())
    }

    async fn keep(&self, done: &mut Done, logged: LoggedAct) -> Result<LoggedAct, Error> {
        let kept = self.store.keep_act(logged.to_kept()).await;
        kept.map_err(|error| match error {
            // Another server has written one down in this moment: nothing of this one is done.
            store::Error::ActConflict { .. } => {
                store::Error::Unavailable { why: "another act was written down first".to_owned() }
            }
            other => other,
        })?;
        let number = logged.number;
        tracing::info!(number, actor = ?logged.actor, act = %logged.act, "an act of administration");
        self.take_up(done, &logged);
        Ok(logged)
    }

    /// The act that `make` makes, checked against the accounts as they are.
    fn made(
        &self,
        make: impl FnOnce(&Accounts, u64) -> Result<Act, Error>,
        at_ms: u64,
    ) -> Result<Act, Error> {
        let accounts = self.accounts.now();
        let act = make(&accounts, at_ms)?;
        if let Act::Account(on_account) = &act {
            if accounts.is_in_file(on_account.account()) {
                return Err(Error::InFile);
            }
            if let AccountAct::Create { account, .. } = on_account
                && accounts.is_erased(account)
            {
                return Err(AccountActError::Exists.into());
            }
            accounts.kept().check(on_account, at_ms)?;
        }
        Ok(act)
    }

    /// Takes up the acts behind the last one that was.
    async fn catch_up(&self, done: &mut Done) -> Result<(), Error> {
        loop {
            let kept = self.store.kept_acts(done.last, ACTS_READ_MAX).await?;
            if kept.is_empty() {
                return Ok(());
            }
            for kept in &kept {
                if kept.number != done.last + 1 {
                    return Err(Error::Unreadable { number: done.last + 1 });
                }
                self.take_up(done, &LoggedAct::read(kept)?);
            }
        }
    }

    fn take_up(&self, done: &mut Done, logged: &LoggedAct) {
        if let Act::Account(act) = &logged.act {
            self.accounts.apply(act, logged.at_ms);
        }
        let answered = Answered { number: logged.number, body: logged.body };
        done.requests.insert((logged.actor.clone(), logged.request.clone()), answered);
        done.last = logged.number;
    }
}

impl std::fmt::Debug for Administration {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Administration").field("accounts", &self.0.accounts).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
