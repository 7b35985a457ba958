//! The end of former keys: [`forget`].

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use super::RotationError;
use crate::admin::Administration;
use crate::clock::Clock;
use crate::identity::{Accounts, CurrentAccounts, NewKeyFile, SealedWith, ServerKey, TokenHash};
use crate::store::limits::PAGE_MATCHES_MAX;
use crate::store::{
    AccountId, ListedMatch, MatchId, Options, Page, ReadOnlyStore, SqliteStore, Store, StoreFilter,
    StoredStatus,
};

/// The most matches and the most keys that are named.
const NAMED_MAX: usize = 10;

/// Keys that were forgotten.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Forgotten {
    /// Number of them.
    pub keys: usize,
    /// The moment before which all that was made follows from one of them, in milliseconds since 1970.
    pub before_ms: u64,
}

/// The matches and keys that would be lost with the former keys.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Needed {
    /// Matches that are not over, whose seats are played with tokens of a former key.
    pub matches: Vec<MatchId>,
    /// Keys of accounts in the store that are good, and that a former key has made, by their numbers.
    pub account_keys: Vec<(AccountId, u32)>,
}

impl std::error::Error for Needed {}

impl fmt::Display for Needed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "former keys are needed still, and none was forgotten")?;
        if !self.matches.is_empty() {
            let named = self.matches.iter().take(NAMED_MAX).map(ToString::to_string);
            let (count, named) = (self.matches.len(), named.collect::<Vec<_>>().join(" "));
            write!(f, "\n{count} matches of their time are not over; let them end first: {named}")?;
        }
        if !self.account_keys.is_empty() {
            let named = self.account_keys.iter().take(NAMED_MAX);
            let named = named.map(|(id, number)| format!("{} {number}", id.as_bytes().escape_ascii()));
            let (count, named) = (self.account_keys.len(), named.collect::<Vec<_>>().join(", "));
            write!(f, "\n{count} keys of accounts are of their time; rotate or revoke them first: {named}")?;
        }
        Ok(())
    }
}

/// Forgets the former keys: all that follows from them is refused from then on, and what they have signed is not vouched for. Nothing
/// else changes: the store is sealed with the key of now. `None` if there are none.
///
/// # Errors
/// [`RotationError::Needed`] if a match that is not over is of their time, or a good key of an account that is kept in the store;
/// a match in quarantine does not count. [`RotationError::Unfinished`] if the store is sealed with one of them; others of
/// [`RotationError`].
pub async fn forget(
    (store, key_path): (&Path, &Path),
    options: &Options,
    clock: Arc<dyn Clock>,
) -> Result<Option<Forgotten>, RotationError> {
    // A store that is not there is not made.
    drop(ReadOnlyStore::open(store)?);
    let opened: Arc<dyn Store> = Arc::new(SqliteStore::open(store, options)?);
    let key = ServerKey::read(key_path)?.ok_or_else(|| RotationError::NoKey { path: key_path.to_owned() })?;
    let name = ServerKey::check_name()?;
    let files = || (store.to_owned(), key_path.to_owned());
    if let Some(check) = opened.secret(name.clone()).await? {
        let (store, path) = files();
        match key.key_of(&name, &check) {
            Some(SealedWith::Current) => {}
            Some(SealedWith::Former(_)) => return Err(RotationError::Unfinished { store, key: path }),
            None => return Err(RotationError::Foreign { store, key: path }),
        }
    }
    let forgotten = match key.former_count() {
        0 => None,
        keys => {
            let sealed: Arc<dyn Store> = Arc::new(key.seal_store(Arc::clone(&opened)));
            let needed = Needed {
                matches: matches(&*sealed, &key).await?,
                account_keys: account_keys(&sealed, &key, clock).await?,
            };
            if needed != Needed::default() {
                return Err(needed.into());
            }
            NewKeyFile::write(key_path, &key.without_former())?.take_place()?;
            Some(Forgotten { keys, before_ms: key.since_ms() })
        }
    };
    opened.close().await;
    Ok(forgotten)
}

/// The matches that are not over, and that something of a former key goes on in: they or the first of their group are of its time.
async fn matches(store: &dyn Store, key: &ServerKey) -> Result<Vec<MatchId>, RotationError> {
    let is_needed = |row: &ListedMatch| {
        let overview = crate::matches::Overview::from_bytes(&row.overview).ok();
        let group = overview.and_then(|overview| overview.header.group().and_then(|group| group.first()));
        key.is_former_of(&row.id) || group.is_some_and(|first| key.is_former_of(&first))
    };
    let mut needed = Vec::new();
    for status in [StoredStatus::Open, StoredStatus::Running] {
        let filter = StoreFilter { status: Some(status), ..StoreFilter::default() };
        let mut page = Page { before: None, limit: PAGE_MATCHES_MAX };
        loop {
            let listing = store.list(filter.clone(), page).await?;
            let rows = listing.matches.iter().filter(|row| row.quarantine.is_none() && is_needed(row));
            needed.extend(rows.map(|row| row.id));
            match listing.next {
                Some(next) => page.before = Some(next),
                None => break,
            }
        }
    }
    Ok(needed)
}

/// The good keys of accounts that are kept in the store, and that a former key has made.
async fn account_keys(
    store: &Arc<dyn Store>,
    key: &ServerKey,
    clock: Arc<dyn Clock>,
) -> Result<Vec<(AccountId, u32)>, RotationError> {
    let now_ms = clock.unix_ms();
    let accounts = CurrentAccounts::new(Accounts::anonymous().with_kept(key, Arc::clone(&clock)));
    Administration::open(Arc::clone(store), key.clone(), accounts.clone(), clock).await?;
    let (alone, accounts) = (key.without_former(), accounts.now());
    let kept = accounts.kept();
    let keys = kept.all().flat_map(|(id, account)| account.keys.iter().map(move |key| (id, key)));
    let is_needed = |id: &AccountId, number: u32, hash: &TokenHash| {
        key.made_account_key(id, number, hash).is_some() && alone.made_account_key(id, number, hash).is_none()
    };
    let needed = keys.filter(|(id, made)| {
        made.is_good(now_ms) && is_needed(id, made.key.number, &TokenHash(made.key.hash))
    });
    Ok(needed.map(|(id, made)| (id.clone(), made.key.number)).collect())
}
