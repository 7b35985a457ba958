//! Names that the store keys by: matches, accounts, requests, secrets.

use std::fmt;
use std::str::FromStr;

use edgehill_engine::seat::Seat;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use uuid::Uuid;

use super::error::Error;
use super::limits::NAME_BYTES_MAX;
use super::shards::ShardSet;
use crate::entropy::{EntropyError, EntropySource};

/// The name of a match. Those of [`MatchId::generate`] sort by the time at which they were made.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MatchId(Uuid);

impl MatchId {
    /// A new name (UUID, version 7) of a match that is made at this moment, in milliseconds since 1970.
    ///
    /// # Errors
    /// If `entropy` gives nothing.
    pub fn generate(unix_ms: u64, entropy: &dyn EntropySource) -> Result<Self, EntropyError> {
        let mut random = [0; 10];
        entropy.fill(&mut random)?;
        Ok(Self(uuid::Builder::from_unix_timestamp_millis(unix_ms, &random).into_uuid()))
    }

    /// A new name as [`MatchId::generate`] makes, of a match in one of these shards; `None`: none was found, which takes a set without shards.
    ///
    /// # Errors
    /// If `entropy` gives nothing.
    pub fn generate_in(
        shards: &ShardSet,
        unix_ms: u64,
        entropy: &dyn EntropySource,
    ) -> Result<Option<Self>, EntropyError> {
        let drawn = Self::generate(unix_ms, entropy)?;
        // Of all names that differ in their last two bytes alone, one in a thousand is of any shard; the first try is the name as drawn.
        // The first random bits stay as they are: in a store of several cells they would say which one the match is in.
        let others = (0..=u16::MAX).map(|change| {
            let mut bytes = *drawn.as_bytes();
            let [first, second] = change.to_be_bytes();
            bytes[14] ^= first;
            bytes[15] ^= second;
            Self::from_bytes(bytes)
        });
        Ok(others.into_iter().find(|id| shards.has(*id)))
    }

    /// The least name that a match made at this moment, in milliseconds since 1970, can have.
    #[must_use]
    pub fn first_at(unix_ms: u64) -> Self {
        Self(uuid::Builder::from_unix_timestamp_millis(unix_ms, &[0; 10]).into_uuid())
    }

    /// The name of these 16 bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(Uuid::from_bytes(bytes))
    }

    /// The moment at which a match of this name was made, in milliseconds since 1970, if the name is of [`MatchId::generate`].
    #[must_use]
    pub fn unix_ms(&self) -> u64 {
        // RFC 9562, 5.7: the first 48 bits.
        self.as_bytes()[..6].iter().fold(0, |ms, &byte| ms << 8 | u64::from(byte))
    }

    /// Returns whether `text` is how this name is written: other spellings of a UUID name no match.
    #[must_use]
    pub fn is_written(&self, text: &str) -> bool {
        let mut room = [0; uuid::fmt::Hyphenated::LENGTH];
        *self.0.hyphenated().encode_lower(&mut room) == *text
    }

    /// The 16 bytes; they sort as the names do.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 16] {
        self.0.as_bytes()
    }
}

impl fmt::Display for MatchId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for MatchId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for MatchId {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Uuid::try_parse(text).map(Self).map_err(|_| Error::Invalid { what: "a match's name is a UUID" })
    }
}

/// Names of up to so many bytes take no memory of their own, as most request ids do not.
const NAME_BYTES_INLINE: usize = 24;

/// A name that its owner chose, of 1 to [`NAME_BYTES_MAX`] bytes.
macro_rules! chosen_name {
    ($(#[$doc:meta])* $name:ident, $what:literal) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "Vec<u8>", into = "Vec<u8>")]
        pub struct $name(SmallVec<[u8; NAME_BYTES_INLINE]>);

        impl $name {
            /// Takes 1 to [`NAME_BYTES_MAX`] bytes of any kind.
            ///
            /// # Errors
            /// [`Error::Invalid`] for none, [`Error::TooLarge`] for more.
            pub fn new(bytes: impl AsRef<[u8]>) -> Result<Self, Error> {
                let bytes = bytes.as_ref();
                if bytes.is_empty() {
                    return Err(Error::Invalid { what: concat!($what, " has at least one byte") });
                }
                Error::bound($what, bytes.len(), NAME_BYTES_MAX)?;
                Ok(Self(bytes.into()))
            }

            /// The bytes.
            #[must_use]
            pub fn as_bytes(&self) -> &[u8] {
                &self.0
            }
        }

        impl TryFrom<Vec<u8>> for $name {
            type Error = Error;

            fn try_from(bytes: Vec<u8>) -> Result<Self, Error> {
                Self::new(bytes)
            }
        }

        impl From<$name> for Vec<u8> {
            fn from(name: $name) -> Self {
                name.0.into_vec()
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0.escape_ascii())
            }
        }
    };
}

chosen_name!(
    /// The account that asks for a match to be created.
    AccountId, "an account");
chosen_name!(
    /// The name that a caller gives a request, to be able to repeat it.
    RequestId, "a request id");
chosen_name!(
    /// The name that a secret is kept under: a match's, a seed group's or a series'.
    SecretId, "a secret's name");

/// The party that makes requests on a match.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Party {
    /// The holder of a seat.
    Seat(Seat),
    /// Anyone who runs the match: a referee, an operator, the server's own clocks.
    Host,
}

/// Within what a request id is unique.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RequestScope {
    /// The matches that an account creates.
    Account(AccountId),
    /// The requests of one party to one match.
    Match(MatchId, Party),
}

/// The place of an append in the whole store: it grows with each one, and says nothing else.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position(pub u64);

/// The place at which an append stands.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct At {
    /// Its number within its match: 0 is the creation, each append adds 1.
    pub revision: u64,
    /// Its place in the store.
    pub position: Position,
}

#[cfg(test)]
mod tests {
    use super::super::shards::{SHARDS, Shard};
    use super::*;
    use crate::entropy::SeededEntropy;

    /// Randomness that begins with the number of a cell.
    #[derive(Debug)]
    struct OfCell(u16, SeededEntropy);

    impl EntropySource for OfCell {
        fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
            self.1.fill(bytes)?;
            bytes[..2].copy_from_slice(&self.0.to_be_bytes());
            Ok(())
        }
    }

    /// Beyond one cluster a name would say which cell its match is in. The twelve bits between the moment and the rest are free for that:
    /// whatever stands there is kept, and is taken neither for a part of the moment nor for one of the shard.
    #[test]
    fn a_name_has_room_for_a_cell_in_its_first_random_bits() {
        let made_at = 1_700_000_000_000;
        let shards = [0, SHARDS as i32 / 2, SHARDS as i32 - 1].map(|number| Shard::new(number).unwrap());
        for cell in [0, 1, 0x800, 0xabc, 0xfff] {
            let entropy = OfCell(cell, SeededEntropy::new(1));
            for shard in shards {
                let shards = [shard].into_iter().collect();
                let id = MatchId::generate_in(&shards, made_at, &entropy).unwrap().unwrap();
                let bytes = id.as_bytes();
                assert_eq!(u16::from_be_bytes([bytes[6], bytes[7]]) & 0xfff, cell, "{id}");
                assert_eq!((Shard::of(id), id.unix_ms()), (shard, made_at), "{id}");
                assert!(MatchId::first_at(made_at) <= id && id < MatchId::first_at(made_at + 1), "{id}");
                let written = id.to_string();
                assert!(id.is_written(&written) && written.parse() == Ok(id), "{id}");
            }
        }
    }
}
