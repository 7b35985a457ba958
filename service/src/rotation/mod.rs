//! The rotation of the server's key, while no server runs: [`rotate`], and [`forget`] for those that it has replaced.
//!
//! Two files change that can't change at once, so they do in an order that leaves no store without its key, wherever it is cut short:
//!
//! 1. A copy of the store is sealed with the new key, looked through, and on the disk. Nothing has changed yet: the next rotation begins
//!    anew.
//! 2. The key's file is replaced by one that holds the new key and all before it. A server that is started now finds that the store
//!    is sealed with a former key, and says so; the next rotation seals it with the new one, and makes no other.
//! 3. The copy takes the store's place.
//!
//! A backup of before a rotation is like a store of step 2: the same command makes it one of the key that is held now.

mod forgetting;

pub use forgetting::{Forgotten, Needed, forget};

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::admin;
use crate::clock::Clock;
use crate::entropy::EntropySource;
use crate::identity::{DATED_MS_MAX, KeyFileError, NewKeyFile, RotateKeyError, SealedWith, ServerKey};
use crate::store::{self, ClosedStore, Faults, MatchId, RotationMoment};

/// The reason that a key is not rotated, or its former ones are not forgotten.
#[derive(Debug, Error)]
pub enum RotationError {
    /// The store can't be opened, or can't be sealed anew.
    #[error("{reason}: {0}", reason = .0.reason())]
    Store(#[from] store::Error),
    /// The key's file can't be read or replaced.
    #[error(transparent)]
    File(#[from] KeyFileError),
    /// There is none.
    #[error("there is no key {path} to replace")]
    NoKey {
        /// The path at which the key should be.
        path: PathBuf,
    },
    /// The store is sealed with a key that the file does not hold.
    #[error("the store {store} was made with another key than those in {key}")]
    Foreign {
        /// The store.
        store: PathBuf,
        /// The key's file.
        key: PathBuf,
    },
    /// A rotation was cut short.
    #[error(
        "the store {store} is sealed with a former key of {key}: complete the rotation first (`edgehill-server rotate-key`)"
    )]
    Unfinished {
        /// The store.
        store: PathBuf,
        /// The key's file.
        key: PathBuf,
    },
    /// The key can't be replaced.
    #[error(transparent)]
    Key(#[from] RotateKeyError),
    /// A match has a name of a time without a date.
    #[error(
        "the match {0} has a name that says that it was made after the year 9999: no key can have a time after it"
    )]
    NoDate(MatchId),
    /// The accounts that are kept in the store can't be read.
    #[error("the accounts in the store can't be read: {0}")]
    Administration(#[from] admin::Error),
    /// Former keys are needed.
    #[error(transparent)]
    Needed(#[from] Needed),
}

/// A key that was rotated.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Rotated {
    /// True if a rotation was completed that was cut short, or the store was one from before it: no other key was made.
    pub was_completed: bool,
    /// The moment since which the key is the one of now, in milliseconds since 1970.
    pub since_ms: u64,
    /// Number of keys of before.
    pub former_keys: usize,
    /// Number of matches that are sealed with the key of now.
    pub matches: u64,
    /// Bytes of the store's file.
    pub bytes: u64,
    /// Number of secrets in the store that could not be read, and are as they were.
    pub unreadable_secrets: u64,
}

/// Makes a new key, seals the store with it, and keeps the key of before for what follows from it; or completes a rotation that was
/// cut short. The store stays locked meanwhile.
///
/// # Errors
/// [`RotationError`]. What was done so far is for the next run to complete, and is lost to nobody.
pub fn rotate(
    (store, key_path): (&Path, &Path),
    clock: &dyn Clock,
    entropy: &dyn EntropySource,
    faults: &dyn Faults,
) -> Result<Rotated, RotationError> {
    let at = |moment| faults.at_rotation(moment).map_err(|why| store::Error::Unavailable { why });
    let closed = ClosedStore::open(store)?;
    // Read once the store is locked, so that of two who rotate it each makes a key of its own.
    let held =
        ServerKey::read(key_path)?.ok_or_else(|| RotationError::NoKey { path: key_path.to_owned() })?;
    let name = ServerKey::check_name()?;
    let sealed_with = match closed.secret(&name)? {
        Some(check) => held.key_of(&name, &check),
        // No server has opened it yet.
        None => Some(SealedWith::Current),
    };
    let foreign = || RotationError::Foreign { store: store.to_owned(), key: key_path.to_owned() };
    let sealed_with = sealed_with.ok_or_else(foreign)?;
    let was_completed = sealed_with != SealedWith::Current;
    let key = if was_completed {
        held.clone()
    } else {
        // After all matches that are there, wherever the clock was when they were made.
        let after = match closed.newest_match()? {
            Some(newest) if newest.unix_ms() >= DATED_MS_MAX => return Err(RotationError::NoDate(newest)),
            newest => newest.map_or(0, |newest| newest.unix_ms() + 1),
        };
        held.rotated(clock.unix_ms().max(after), entropy)?
    };
    let from = held.store_keys_of(sealed_with).ok_or_else(foreign)?;
    let check = key.check(&name, entropy).map_err(RotateKeyError::from)?;
    let copy = closed.sealed_anew((&from, &key.store_keys()), &(name, check), entropy, faults)?;
    if !was_completed {
        let file = NewKeyFile::write(key_path, &key)?;
        at(RotationMoment::KeyWritten)?;
        file.take_place()?;
    }
    at(RotationMoment::KeyInPlace)?;
    let (matches, unreadable_secrets) = (copy.matches(), copy.unreadable_secrets());
    let bytes = closed.replace_with(copy)?;
    at(RotationMoment::StoreInPlace)?;
    let (since_ms, former_keys) = (key.since_ms(), key.former_count());
    Ok(Rotated { was_completed, since_ms, former_keys, matches, bytes, unreadable_secrets })
}
