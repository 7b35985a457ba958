//! The accounts file ([`AccountsFile`]): TOML that holds no key, only keyed hashes.
//!
//! ```toml
//! [[account]]
//! id = "ada"
//! key_hash = "5a0c..."      # 64 hexadecimal digits, as `edgehill-server key` prints them
//! roles = ["player"]
//! ```

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::ops::Bound;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use thiserror::Error;

use super::accounts::{ANONYMOUS_ID, Account, HOUSE_ID};
use super::hash::TokenHash;
use super::role::{AccountRoles, Role};
use super::text::Kind;
use crate::store::AccountId;
use crate::store::limits::NAME_BYTES_MAX;

/// The most accounts of one file.
pub const ACCOUNTS_MAX: usize = 100_000;

/// The reason that an accounts file is not taken.
#[derive(Debug, Error)]
pub enum AccountsError {
    /// It can't be read.
    #[error("the accounts file {path} can't be read: {why}")]
    Read {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        why: io::Error,
    },
    /// It is not TOML of this form.
    #[error("the accounts file {path}, line {line}: {what}")]
    Form {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The fault, in words.
        what: String,
    },
    /// An entry is at fault.
    #[error("the accounts file {path}, entry {entry}{}: {what}", of(.id))]
    Entry {
        /// The file.
        path: PathBuf,
        /// The entry's number, from 1.
        entry: usize,
        /// Its id, if it is one.
        id: Option<String>,
        /// The fault, and what would be accepted.
        what: String,
    },
    /// There are too many.
    #[error("the accounts file {path} has {given} accounts, at most {ACCOUNTS_MAX} are taken")]
    TooMany {
        /// The file.
        path: PathBuf,
        /// Number of accounts given.
        given: usize,
    },
}

fn of(id: &Option<String>) -> String {
    id.as_ref().map(|id| format!(" ({id})")).unwrap_or_default()
}

/// The accounts of a file, which the server's operator writes by hand.
#[derive(Default)]
pub(super) struct AccountsFile {
    by_hash: HashMap<[u8; 32], Account>,
    roles: BTreeMap<AccountId, AccountRoles>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    account: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: String,
    key_hash: String,
    roles: Vec<String>,
}

impl AccountsFile {
    /// The accounts of the file at `path`.
    ///
    /// # Errors
    /// [`AccountsError`], which names the file and the entry.
    pub(super) fn load(path: &Path) -> Result<Self, AccountsError> {
        let text =
            fs::read_to_string(path).map_err(|why| AccountsError::Read { path: path.to_owned(), why })?;
        Self::parse(path, &text)
    }

    /// Returns the number of accounts.
    pub(super) fn len(&self) -> usize {
        self.by_hash.len()
    }

    /// The account whose key has this hash.
    pub(super) fn find(&self, hash: &TokenHash) -> Option<&Account> {
        self.by_hash.get(&hash.0)
    }

    /// The roles of the account of this id.
    pub(super) fn roles(&self, id: &AccountId) -> Option<AccountRoles> {
        self.roles.get(id).copied()
    }

    /// The ids behind this one, in order.
    pub(super) fn ids_after(&self, after: Option<&AccountId>) -> impl Iterator<Item = &AccountId> {
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        self.roles.range((from, Bound::Unbounded)).map(|(id, _)| id)
    }

    pub(super) fn parse(path: &Path, text: &str) -> Result<Self, AccountsError> {
        let file: File = toml::from_str(text).map_err(|error| {
            // The line alone, not its text: somebody may have put a key there.
            let line = error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
            AccountsError::Form { path: path.to_owned(), line, what: error.message().to_owned() }
        })?;
        if file.account.len() > ACCOUNTS_MAX {
            return Err(AccountsError::TooMany { path: path.to_owned(), given: file.account.len() });
        }
        let (mut by_hash, mut ids) = (HashMap::new(), BTreeMap::new());
        for (entry, number) in file.account.into_iter().zip(1..) {
            let refused = |id: Option<&str>, what: String| {
                let id = id.map(str::to_owned);
                AccountsError::Entry { path: path.to_owned(), entry: number, id, what }
            };
            let id = check_id(&entry.id).map_err(|what| refused(None, what))?;
            let named = |what: String| refused(Some(&entry.id), what);
            if let Some(first) = ids.insert(entry.id.clone(), number) {
                return Err(named(format!("entry {first} has the same id")));
            }
            let hash = check_hash(&entry.key_hash).map_err(named)?;
            let roles = check_roles(&entry.roles).map_err(named)?;
            if by_hash.insert(hash.0, Account { id, roles }).is_some() {
                return Err(named("key_hash: another entry has the same".to_owned()));
            }
        }
        let roles = by_hash.values().map(|account: &Account| (account.id.clone(), account.roles)).collect();
        Ok(Self { by_hash, roles })
    }
}

/// Reads an account's id: 1 to 64 letters, digits, `-`, `_`, `.`.
///
/// # Errors
/// The form that would be accepted, in words.
pub fn check_id(id: &str) -> Result<AccountId, String> {
    let good = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    if id.is_empty() || id.len() > NAME_BYTES_MAX || !id.bytes().all(good) {
        return Err(format!("id: 1 to {NAME_BYTES_MAX} letters a to z, digits, and `-`, `_`, `.`"));
    }
    match id {
        ANONYMOUS_ID => return Err(format!("id: {id:?} stands for those who have no account; take another")),
        HOUSE_ID => return Err(format!("id: {id:?} stands for the server itself; take another")),
        _ => {}
    }
    AccountId::new(id).map_err(|error| format!("id: {error}"))
}

fn check_hash(text: &str) -> Result<TokenHash, String> {
    if Kind::of(text).is_some() {
        return Err(
            "key_hash: this is a key, not its hash. Whoever has read this file has it: make a new one with \
                    `edgehill-server key`"
                .to_owned(),
        );
    }
    TokenHash::from_hex(text)
        .ok_or_else(|| "key_hash: 64 hexadecimal digits, as `edgehill-server key` prints them".to_owned())
}

fn check_roles(names: &[String]) -> Result<AccountRoles, String> {
    if names.is_empty() {
        return Err("roles: at least one of player, spectator, referee, operator".to_owned());
    }
    names.iter().map(|name| name.parse::<Role>().map_err(|error| format!("roles: {error}"))).collect()
}
