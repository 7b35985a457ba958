//! The ids of seed groups: [`GroupId`].

use std::fmt;
use std::str::FromStr;

use subtle::ConstantTimeEq;

use super::text::{self, Kind, TextError};
use crate::store::MatchId;

/// Match, secret.
const BYTES: usize = 16 + 16;

/// A seed group's id, at most 64 bytes: its first match, and a secret. Whoever knows it may add a match to the group. `ehg_` and 58
/// characters.
#[derive(Clone)]
pub struct GroupId {
    first: MatchId,
    secret: [u8; 16],
}

impl GroupId {
    pub(super) const fn new(first: MatchId, secret: [u8; 16]) -> Self {
        Self { first, secret }
    }

    /// The match that it says is the group's first, whose log knows the others.
    #[must_use]
    pub const fn first(&self) -> MatchId {
        self.first
    }

    fn to_bytes(&self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        bytes[..16].copy_from_slice(self.first.as_bytes());
        bytes[16..].copy_from_slice(&self.secret);
        bytes
    }
}

impl PartialEq for GroupId {
    /// Takes the same time wherever the secrets differ.
    fn eq(&self, other: &Self) -> bool {
        self.to_bytes().ct_eq(&other.to_bytes()).into()
    }
}

impl Eq for GroupId {}

impl fmt::Display for GroupId {
    /// The text that commitments are bound to. It is the secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text::write(Kind::GroupId, &self.to_bytes()))
    }
}

impl FromStr for GroupId {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let bytes: [u8; BYTES] = text::read(Kind::GroupId, text)?;
        let (mut first, mut secret) = ([0; 16], [0; 16]);
        first.copy_from_slice(&bytes[..16]);
        secret.copy_from_slice(&bytes[16..]);
        Ok(Self::new(MatchId::from_bytes(first), secret))
    }
}

impl fmt::Debug for GroupId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GroupId({}, <secret>)", self.first)
    }
}

#[cfg(test)]
mod tests {
    use super::super::ServerKey;
    use super::*;

    #[test]
    fn a_group_has_an_id_that_its_first_match_does_not_tell() {
        let first = MatchId::from_bytes([7; 16]);
        let (id, elsewhere) = (
            ServerKey::from_bytes([1; 32]).group_id(&first),
            ServerKey::from_bytes([2; 32]).group_id(&first),
        );
        let text = id.to_string();
        assert_eq!((text.len(), &text[..4]), (62, "ehg_"));
        assert_eq!(text.parse::<GroupId>(), Ok(id.clone()));
        assert_eq!(id.first(), first);
        assert_ne!(id, elsewhere);
        assert!(!format!("{id:?}").contains(&text[30..]));
    }
}
