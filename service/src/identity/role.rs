//! The rights of accounts: [`Role`], and sets of them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A right of an account. Each role is given by itself, but that every account may watch.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// Make matches and take seats.
    Player,
    /// See what is public.
    Spectator,
    /// Read the record of a running match, which holds what each seat hides.
    Referee,
    /// Look after the server: accounts, keys, matches.
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
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct AccountRoles(u8);

impl AccountRoles {
    /// Returns whether an account with these may do what `role` may. Everybody with a role may watch.
    #[must_use]
    pub const fn allow(self, role: Role) -> bool {
        let watching = matches!(role, Role::Spectator) && self.0 != 0;
        watching || self.has(role)
    }

    /// Returns whether it is among them.
    #[must_use]
    pub const fn has(self, role: Role) -> bool {
        self.0 & 1 << role as u8 != 0
    }

    /// Returns whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The roles that are in both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The roles, in order.
    pub fn iter(self) -> impl Iterator<Item = Role> {
        Role::ALL.into_iter().filter(move |role| self.has(*role))
    }
}

impl FromIterator<Role> for AccountRoles {
    fn from_iter<I: IntoIterator<Item = Role>>(roles: I) -> Self {
        Self(roles.into_iter().fold(0, |bits, role| bits | 1 << role as u8))
    }
}

impl fmt::Display for AccountRoles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.iter().map(Role::name).collect();
        f.write_str(&names.join(", "))
    }
}
