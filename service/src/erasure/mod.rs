//! The erasure of what a server keeps about people ([`Erasure`]): of accounts that were deleted, when an operator asks for it.
//!
//! The act that says so stands in the log of acts before anything else is done, by the account's pseudonym alone, and is all that is
//! noted of it: with the key it is known of each account in a log whether it is the one. So whatever is cut short goes on with the
//! next start, and until another act says that nothing is left.
//!
//! 1. Acts and competitions that name the account have its pseudonym instead.
//! 2. Logs of its matches that are over are written anew; those of others when they are.
//! 3. The store's file is written anew, since what was replaced may stand in it still.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

use crate::admin::{self, Act, Administration};
use crate::clock::Clock;
use crate::competitions::{self, Competitions};
use crate::host::{self, Host, MatchErasure};
use crate::identity::{AccountAct, ErasureProgress, HOUSE_ID};
use crate::matches::Ask;
use crate::store::{self, AccountId, BodyHash, MatchId, RequestId, ShardSet};

/// The time after which what is left is looked at again.
const LOOK_AFTER: Duration = Duration::from_secs(60);

/// The reason that data is not erased, or not all of it yet.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Error {
    /// The act is refused, or can't be written down.
    #[error(transparent)]
    Administration(#[from] admin::Error),
    /// Competitions can't be read or written. It goes on by itself.
    #[error(transparent)]
    Competitions(#[from] competitions::Error),
    /// Matches can't be read or written. It goes on by itself.
    #[error(transparent)]
    Host(#[from] host::Error),
}

/// An account whose data was erased as far as can be now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ErasedAccount {
    /// The name that stands for it from now on.
    pub pseudonym: AccountId,
    /// Number of its matches that are not over, and are done when they are.
    pub waiting_matches: usize,
    /// Number of matches that can't be read, so that nobody knows whether it is named in them.
    pub unreadable_matches: usize,
}

/// The erasure of accounts' data on a server. Copies are the same.
#[derive(Clone)]
pub struct Erasure(Arc<Inner>);

struct Inner {
    host: Host,
    administration: Administration,
    /// `None`: another server of several is the home of what belongs to no match. Here only matches are looked through.
    competitions: Option<Competitions>,
    clock: Arc<dyn Clock>,
    closing: CancellationToken,
    /// By pseudonym, the matches that are left of an account for which the whole store was looked through. Locked while one is looked
    /// at.
    left: Mutex<HashMap<AccountId, Left>>,
}

/// The matches that are left of an account.
#[derive(Default)]
struct Left {
    waiting: Vec<MatchId>,
    unreadable: Vec<MatchId>,
    /// The shards that the host had when all was looked through: matches of others may have come since.
    shards: ShardSet,
}

impl Erasure {
    /// Erases what is asked for, and goes on with what was cut short and with what has to wait, until `closing` is cancelled. Without
    /// competitions, which another server has, it goes on with the matches of this one.
    #[must_use]
    pub fn start(
        host: Host,
        administration: Administration,
        competitions: Option<Competitions>,
        clock: Arc<dyn Clock>,
        closing: CancellationToken,
    ) -> Self {
        let left = Mutex::default();
        let inner = Inner { host, administration, competitions, clock, closing, left };
        let erasure = Self(Arc::new(inner));
        let looking = erasure.clone();
        tokio::spawn(async move { looking.go_on().await });
        erasure
    }

    /// Erases the data of a deleted account, unless the request was answered before, and says how much of it is left. It is done also
    /// where nobody waits for it any more.
    ///
    /// # Errors
    /// [`Error`](enum@Error). If it is the store's, it may be written down, and goes on by itself: the same request tells.
    pub async fn erase(
        &self,
        actor: AccountId,
        ask: Ask,
        account: AccountId,
    ) -> Result<ErasedAccount, Error> {
        let logged = self.0.administration.perform_erasure(actor, ask, account).await?;
        let Act::Account(act) = &logged.act else {
            return Err(host::Error::Fault("an act that erases nothing".to_owned()).into());
        };
        let (erasure, pseudonym) = (self.clone(), act.account().clone());
        let erased = tokio::spawn(async move { erasure.look(&pseudonym).await });
        match erased.await {
            Ok(erased) => erased,
            Err(ended) if ended.is_panic() => std::panic::resume_unwind(ended.into_panic()),
            Err(_) => Err(admin::Error::Store(store::Error::Closed).into()),
        }
    }

    async fn go_on(&self) {
        loop {
            let under_way: Vec<AccountId> =
                self.0.administration.accounts().kept().erasures_under_way().cloned().collect();
            for pseudonym in under_way {
                if let Err(error) = self.look(&pseudonym).await {
                    tracing::warn!(account = ?pseudonym, %error, "the data of an account is not erased yet");
                }
            }
            let clock = &self.0.clock;
            tokio::select! {
                () = self.0.closing.cancelled() => return,
                () = clock.reach(clock.elapsed().saturating_add(LOOK_AFTER)) => {}
            }
        }
    }

    /// Erases what can be now of an account that goes by this pseudonym.
    async fn look(&self, pseudonym: &AccountId) -> Result<ErasedAccount, Error> {
        let Inner { host, administration, .. } = &*self.0;
        let mut all_left = self.0.left.lock().await;
        let erased = |left: &Left| ErasedAccount {
            pseudonym: pseudonym.clone(),
            waiting_matches: left.waiting.len(),
            unreadable_matches: left.unreadable.len(),
        };
        let progress = administration.accounts().kept().get(pseudonym).and_then(|account| account.erasure);
        if progress != Some(ErasureProgress::UnderWay) {
            return Ok(erased(&Left::default()));
        }
        // Matches that are not put back, since something failed, are looked for anew.
        let shards = host.shards();
        let known = all_left.remove(pseudonym).filter(|left| shards.without(&left.shards).is_empty());
        let before = known.as_ref().map(|left| left.waiting.len());
        let (acts, competitions) = match &self.0.competitions {
            Some(competitions) => {
                (administration.erase_in_acts(pseudonym).await?, competitions.erase(pseudonym).await?)
            }
            None => (0, 0),
        };
        let (left, matches) = match known {
            Some(left) => self.erase_in(pseudonym, left.waiting.into_iter().chain(left.unreadable)).await?,
            None => self.erase_in_all(pseudonym).await?,
        };
        let left = Left { shards, ..left };
        let erased = erased(&left);
        let is_home = self.0.competitions.is_some();
        // Other servers may have written some anew that waited.
        if is_home
            && (acts + competitions + matches > 0 || before.is_none_or(|before| left.waiting.len() < before))
        {
            host.compact_store().await?;
        }
        if is_home && left.waiting.is_empty() && left.unreadable.is_empty() {
            self.complete(pseudonym).await?;
        } else {
            all_left.insert(pseudonym.clone(), left);
        }
        Ok(erased)
    }

    /// Looks through all matches; what is left, and the number of those that were written anew.
    async fn erase_in_all(&self, pseudonym: &AccountId) -> Result<(Left, usize), Error> {
        let (mut all, mut matches, mut before) = (Left::default(), 0, None);
        loop {
            let (rows, next) = self.0.host.rows_before(before).await?;
            let (left, count) = self.erase_in(pseudonym, rows.into_iter().map(|row| row.id)).await?;
            matches += count;
            all.waiting.extend(left.waiting);
            all.unreadable.extend(left.unreadable);
            match next {
                Some(next) => before = Some(next),
                None => return Ok((all, matches)),
            }
        }
    }

    /// Looks through these matches; what is left of them, and the number of those that were written anew.
    async fn erase_in(
        &self,
        pseudonym: &AccountId,
        ids: impl Iterator<Item = MatchId> + Send,
    ) -> Result<(Left, usize), Error> {
        let key = self.0.administration.key();
        let pseudonym_of = |account: &[u8]| {
            let account = AccountId::new(account).ok()?;
            (key.pseudonym(&account) == *pseudonym).then(|| pseudonym.clone())
        };
        let (mut left, mut matches) = (Left::default(), 0);
        for id in ids {
            match self.0.host.erase_in_match(id, &pseudonym_of).await {
                Ok(MatchErasure::Nothing) => {}
                Ok(MatchErasure::Erased) => matches += 1,
                // Whoever has it writes it anew.
                Ok(MatchErasure::Waiting) | Err(host::Error::Elsewhere(_)) => left.waiting.push(id),
                Ok(MatchErasure::Unreadable) => left.unreadable.push(id),
                Err(error) => return Err(error.into()),
            }
        }
        Ok((left, matches))
    }

    /// Writes down that nothing is left.
    async fn complete(&self, pseudonym: &AccountId) -> Result<(), Error> {
        let administration = &self.0.administration;
        let last = administration.last_act().await?;
        let house = AccountId::new(HOUSE_ID).map_err(admin::Error::from)?;
        // One that was written down meanwhile has another number, and is not done again.
        let id = RequestId::new(format!("erasure-{last}")).map_err(admin::Error::from)?;
        let ask = Ask { id, body: BodyHash::of(pseudonym.as_bytes()) };
        let act = Act::Account(AccountAct::CompleteErasure { account: pseudonym.clone() });
        administration.perform(house, ask, move |_, _| Ok(act)).await?;
        Ok(())
    }
}

impl std::fmt::Debug for Erasure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Erasure").finish_non_exhaustive()
    }
}
