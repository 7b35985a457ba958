//! Acts that name an account whose data is erased, by its pseudonym.

use super::{Act, Administration, Error, LoggedAct, MatchActKind};
use crate::identity::{AccountActError, Accounts, ServerKey};
use crate::matches::RefereeAct;
use crate::store::AccountId;
use crate::store::limits::ACTS_READ_MAX;

impl Administration {
    /// Puts the pseudonym of an account in its place in all acts that it did or that are about it. Acts stay what they were, but for
    /// labels of keys and names of players; requests go by other names, by which a call that is repeated is still found. Returns
    /// their number.
    ///
    /// # Errors
    /// [`Error::Store`], [`Error::Unreadable`]. Some may have been changed then; the others are when it is done again.
    pub async fn erase_in_acts(&self, pseudonym: &AccountId) -> Result<usize, Error> {
        let (store, key) = (&self.0.store, &self.0.key);
        let (mut last, mut changed) = (0, 0);
        loop {
            let kept = store.kept_acts(last, ACTS_READ_MAX).await?;
            let Some(end) = kept.last() else { return Ok(changed) };
            last = end.number;
            let mut erased = Vec::new();
            for kept in &kept {
                erased.extend(LoggedAct::read(kept)?.erased(pseudonym, key));
            }
            if !erased.is_empty() {
                changed += erased.len();
                store.rewrite_acts(erased.iter().map(LoggedAct::to_kept).collect()).await?;
            }
        }
    }
}

/// Checks that the data of an account can be erased: it was deleted, or it is erased already.
///
/// # Errors
/// [`Error::InFile`], [`Error::Account`].
pub(super) fn check_erasable(account: &AccountId, accounts: &Accounts) -> Result<(), Error> {
    if accounts.is_in_file(account) {
        return Err(Error::InFile);
    }
    if accounts.is_erased(account) {
        return Ok(());
    }
    match accounts.kept().get(account) {
        Some(kept) if kept.is_deleted => Ok(()),
        Some(_) => Err(AccountActError::NotDeleted.into()),
        None => Err(AccountActError::Unknown.into()),
    }
}

impl LoggedAct {
    /// The act with a pseudonym in the place of the account whose it is; `None` if it does not name that.
    fn erased(&self, pseudonym: &AccountId, key: &ServerKey) -> Option<Self> {
        let named = |id: &AccountId| key.pseudonym(id) == *pseudonym;
        let (is_actor, is_about) = (named(&self.actor), self.act.account().is_some_and(named));
        if !is_actor && !is_about {
            return None;
        }
        Some(Self {
            actor: if is_actor { pseudonym.clone() } else { self.actor.clone() },
            act: if is_about { self.act.by_pseudonym(pseudonym) } else { self.act.clone() },
            request: key.pseudonymous_request(&self.request),
            body: key.pseudonymous_body(&self.body),
            ..self.clone()
        })
    }
}

impl Act {
    fn by_pseudonym(&self, pseudonym: &AccountId) -> Self {
        let mut act = self.clone();
        match &mut act {
            Self::Account(of) => *of = of.by_pseudonym(pseudonym.clone()),
            Self::Export { account } => *account = pseudonym.clone(),
            Self::Server(_) => {}
            Self::Match(of) => {
                if let MatchActKind::Referee { act, account, .. } = &mut of.what {
                    *account = Some(pseudonym.clone());
                    if let RefereeAct::ReplacePlayer { player, account, .. } = act {
                        player.clear();
                        *account = Some(pseudonym.as_bytes().to_vec());
                    }
                }
            }
        }
        act
    }
}
