//! The accounts that may call: [`Accounts`], from a TOML file that holds no key, only keyed hashes.
//!
//! ```toml
//! [[account]]
//! id = "ada"
//! key_hash = "5a0c..."      # 64 hexadecimal digits, as `edgehill-server key` prints them
//! roles = ["player"]
//! ```

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::Deserialize;
use thiserror::Error;

use super::error::Error;
use super::hash::TokenHash;
use super::server_key::ServerKey;
use super::text::Kind;
use super::tokens::AccountKey;
use crate::store::AccountId;
use crate::store::limits::NAME_BYTES_MAX;

/// The most accounts of one file.
pub const ACCOUNTS_MAX: usize = 100_000;

/// The id that stands for everybody where no account is asked for; no account has it.
pub const ANONYMOUS_ID: &str = "anonymous";

/// The id that makes the server's own matches; no account has it.
pub const HOUSE_ID: &str = "house";

/// A right of an account. Each role is given by itself, but that every account may watch.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// Make matches and take seats.
    Player,
    /// See what is public.
    Spectator,
    /// Read the record of a running match, which holds what each seat hides.
    Referee,
    /// Look after the server. No call needs it yet.
    Operator,
}

impl Role {
    /// All roles.
    pub const ALL: [Self; 4] = [Self::Player, Self::Spectator, Self::Referee, Self::Operator];

    /// Its name in the accounts file.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Player => "player",
            Self::Spectator => "spectator",
            Self::Referee => "referee",
            Self::Operator => "operator",
        }
    }

    /// Returns the need of a call that needs this role, in words.
    pub(super) const fn needed(self) -> &'static str {
        match self {
            Self::Player => "the key of an account with the role `player`",
            Self::Spectator => "the key of an account, or a seat token",
            Self::Referee => "the key of an account with the role `referee`",
            Self::Operator => "the key of an account with the role `operator`",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no role's.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("there is no role {0:?}: the roles are player, spectator, referee, operator")]
pub struct UnknownRole(String);

impl FromStr for Role {
    type Err = UnknownRole;

    fn from_str(text: &str) -> Result<Self, UnknownRole> {
        Self::ALL.into_iter().find(|role| role.name() == text).ok_or_else(|| UnknownRole(text.to_owned()))
    }
}

/// A set of roles.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct AccountRoles(u8);

impl AccountRoles {
    /// Returns whether an account with these may do what `role` may. Everybody with a role may watch.
    #[must_use]
    pub const fn allow(self, role: Role) -> bool {
        let watching = matches!(role, Role::Spectator) && self.0 != 0;
        watching || self.0 & 1 << role as u8 != 0
    }
}

impl FromIterator<Role> for AccountRoles {
    fn from_iter<I: IntoIterator<Item = Role>>(roles: I) -> Self {
        Self(roles.into_iter().fold(0, |bits, role| bits | 1 << role as u8))
    }
}

impl fmt::Display for AccountRoles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> =
            Role::ALL.into_iter().filter(|role| self.0 & 1 << *role as u8 != 0).map(Role::name).collect();
        f.write_str(&names.join(", "))
    }
}

/// One account.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Account {
    /// Its id.
    pub id: AccountId,
    /// The roles that it has.
    pub roles: AccountRoles,
}

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

/// The accounts that a server knows, and whether it lets in those who have none.
#[derive(Clone)]
pub struct Accounts {
    by_hash: HashMap<[u8; 32], Account>,
    roles: BTreeMap<AccountId, AccountRoles>,
    /// Hashes what callers send; without it no account is known.
    key: Option<ServerKey>,
    anonymous: bool,
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

impl Accounts {
    /// No account is known, and none is asked for.
    #[must_use]
    pub fn anonymous() -> Self {
        Self { by_hash: HashMap::new(), roles: BTreeMap::new(), key: None, anonymous: true }
    }

    /// The accounts of the file at `path`, whose keys were made with `key`.
    ///
    /// # Errors
    /// [`AccountsError`], which names the file and the entry.
    pub fn load(path: &Path, key: &ServerKey) -> Result<Self, AccountsError> {
        let text =
            fs::read_to_string(path).map_err(|why| AccountsError::Read { path: path.to_owned(), why })?;
        Self::parse(path, &text, key)
    }

    /// The same accounts; those who have none are let in, or are not.
    #[must_use]
    pub fn with_anonymous(self, anonymous: bool) -> Self {
        Self { anonymous, ..self }
    }

    /// Returns whether those who have no account may play and watch.
    #[must_use]
    pub const fn is_anonymous(&self) -> bool {
        self.anonymous
    }

    /// Returns the number of accounts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.by_hash.len()
    }

    /// Returns whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_hash.is_empty()
    }

    /// The account of this key.
    ///
    /// # Errors
    /// [`Error::NotGivenOut`].
    pub fn find(&self, key: &AccountKey) -> Result<&Account, Error> {
        // The key that is looked up is a keyed hash: anyone who measures the time that it takes learns
        // nothing that they could use, since they can't choose or foresee it.
        let hash = self.key.as_ref().map(|server| server.hash_account_key(key));
        hash.and_then(|hash| self.by_hash.get(&hash.0)).ok_or(Error::NotGivenOut("account key"))
    }

    /// Returns whether a seat that was taken for this account may be played: the account is there still, with the role, or its
    /// holder had none. Without an accounts file nobody was asked.
    #[must_use]
    pub fn may_hold_seats(&self, account: &AccountId) -> bool {
        let is_anonymous = account.as_bytes() == ANONYMOUS_ID.as_bytes();
        self.key.is_none()
            || is_anonymous
            || self.roles.get(account).is_some_and(|roles| roles.allow(Role::Player))
    }

    fn parse(path: &Path, text: &str, key: &ServerKey) -> Result<Self, AccountsError> {
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
        Ok(Self { by_hash, roles, key: Some(key.clone()), anonymous: false })
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

impl fmt::Debug for Accounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Accounts({}, anonymous: {})", self.by_hash.len(), self.anonymous)
    }
}

#[cfg(test)]
mod tests;
