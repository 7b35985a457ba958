//! The four values that must not be seen before their time.
//!
//! None of them prints its bytes with `{:?}`, none is `Copy`, and none has a `Display`: a place that copies or
//! shows a secret says so with `clone` or `to_hex`.

use std::fmt;

use super::Error;

/// The accessors that every 32-byte value of this module has.
macro_rules! bytes32 {
    ($name:ident) => {
        impl $name {
            /// The value of these 32 bytes.
            #[must_use]
            pub const fn from_bytes(bytes: [u8; 32]) -> Self {
                Self(bytes)
            }

            /// The 32 bytes.
            #[must_use]
            pub const fn as_bytes(&self) -> &[u8; 32] {
                &self.0
            }

            /// Reads 64 hexadecimal digits of either case.
            ///
            /// # Errors
            /// [`Error::Hex`] for anything else; the text is not repeated in it.
            pub fn from_hex(text: &str) -> Result<Self, Error> {
                let mut bytes = [0; 32];
                hex::decode_to_slice(text, &mut bytes).map_err(|_| Error::Hex)?;
                Ok(Self(bytes))
            }

            /// 64 lower-case hexadecimal digits.
            #[must_use]
            pub fn to_hex(&self) -> String {
                hex::encode(self.0)
            }
        }
    };
}
pub(super) use bytes32;

/// The host's part of a seed: 32 bytes from the operating system, committed to before anyone sits down and
/// revealed when the match, or the last match of its group, is over.
#[derive(Clone, PartialEq, Eq)]
pub struct ServerSeed([u8; 32]);
bytes32!(ServerSeed);

impl fmt::Debug for ServerSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ServerSeed(<secret>)")
    }
}

/// The salt of an options hash: 32 bytes from the operating system, drawn with the server seed, kept with it and revealed with
/// it. Without it the hash could be searched for the hidden parts of a described position.
#[derive(Clone, PartialEq, Eq)]
pub struct OptionsSalt([u8; 32]);
bytes32!(OptionsSalt);

impl fmt::Debug for OptionsSalt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OptionsSalt(<secret>)")
    }
}

/// A seat's part of a seed: 32 bytes from the seat's own source, or [`Entropy::ABSENT`].
#[derive(Clone, PartialEq, Eq)]
pub struct Entropy([u8; 32]);
bytes32!(Entropy);

impl Entropy {
    /// The stand-in for a seat that gave none: 32 zero bytes. To give zeros is to give none.
    pub const ABSENT: Self = Self([0; 32]);

    /// Returns whether the seat gave none; records and views have to say so.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        *self == Self::ABSENT
    }
}

impl fmt::Debug for Entropy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_absent() { "Entropy(absent)" } else { "Entropy(<secret>)" })
    }
}

/// The seed of a match or of a group of matches: the ChaCha20 key and the bag key of every chance event.
///
/// It comes from [`ServerSeed::seed`]; one that somebody chose comes from [`Seed::from_bytes`], is declared
/// before a seat joins, and its matches are not rated.
#[derive(Clone, PartialEq, Eq)]
pub struct Seed([u8; 32]);
bytes32!(Seed);

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(<secret>)")
    }
}
