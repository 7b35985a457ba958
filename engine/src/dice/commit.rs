//! Commitments, and the derivation of seeds from what was committed.

use std::{fmt, str::FromStr};

use super::encoding::Message;
use super::secret::bytes32;
use super::{Entropy, Error, OptionsSalt, Seed, ServerSeed, VerifyError};

/// Entropies in one seed at most.
pub const ENTROPIES_MAX: usize = 256;

const OPTIONS_TAG: &str = "edgehill/options/2";
const COMMIT_TAG: &str = "edgehill/commit/1";
const ENTROPY_TAG: &str = "edgehill/entropy/1";
const SEED_TAG: &str = "edgehill/seed/1";
const SERIES_TAG: &str = "edgehill/series/1";

/// The terms to which a server seed is committed: the match or group it will serve, and nothing that is known later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms<'a> {
    /// The id of the match, or of the group where several matches share the seed. No match and group have
    /// the same.
    pub id: &'a str,
    /// The game's name in the catalogue.
    pub game: &'a str,
    /// The rules version, as the catalogue writes it.
    pub rules_version: &'a str,
    /// The hash of the content that is played with.
    pub content_hash: [u8; 32],
    /// The hash of the scenario, options and described position: [`OptionsSalt::options_hash`].
    pub options_hash: [u8; 32],
}

/// The hash by which the host binds itself to a [`ServerSeed`]; public from the creation of the match.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Commitment([u8; 32]);
bytes32!(Commitment);

/// The hash by which a seat binds itself to its [`Entropy`] (option `COMMIT_REVEAL`); public at once.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntropyCommitment([u8; 32]);
bytes32!(EntropyCommitment);

/// Abilities of a public hash that a secret must not have: to print itself, and to be parsed from what it printed.
macro_rules! public_hash {
    ($name:ident) => {
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.to_hex())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }

        impl FromStr for $name {
            type Err = Error;

            fn from_str(text: &str) -> Result<Self, Error> {
                Self::from_hex(text)
            }
        }
    };
}
public_hash!(Commitment);
public_hash!(EntropyCommitment);

impl OptionsSalt {
    /// `SHA-256("edgehill/options/2" || salt || text scenario || le32 count || (text id || text value) by id || text position)`,
    /// the texts here of any length.
    ///
    /// `options` has every option of the game with its value as it is written, sorted by id; `position` is the described
    /// position as records write it (docs/record.md), empty for none.
    #[must_use]
    pub fn options_hash<'a>(
        &self,
        scenario: &str,
        options: impl ExactSizeIterator<Item = (&'a str, &'a str)>,
        position: &str,
    ) -> [u8; 32] {
        // A catalogue has far fewer options than 2^32.
        let count = options.len() as u32;
        let head = Message::new(OPTIONS_TAG).bytes32(self.as_bytes()).long_text(scenario).le32(count);
        let all = options.fold(head, |message, (id, value)| message.long_text(id).long_text(value));
        all.long_text(position).digest()
    }
}

impl ServerSeed {
    /// `SHA-256("edgehill/commit/1" || text id || text game || text rules version || content hash ||
    /// options hash || server seed)`.
    ///
    /// # Errors
    /// [`Error::TextLength`] if a text of `terms` is empty or too long.
    pub fn commit(&self, terms: &Terms<'_>) -> Result<Commitment, Error> {
        let message = Message::new(COMMIT_TAG)
            .text("id", terms.id)?
            .text("game", terms.game)?
            .text("rules_version", terms.rules_version)?
            .bytes32(&terms.content_hash)
            .bytes32(&terms.options_hash)
            .bytes32(self.as_bytes());
        Ok(Commitment(message.digest()))
    }

    /// `SHA-256("edgehill/seed/1" || text id || server seed || le32 count || entropies)`.
    ///
    /// `entropies` has one entry a seat, in seat order; for a group, one an entrant, in the order in which
    /// the group lists them. A seat that gave none stands there as [`Entropy::ABSENT`].
    ///
    /// # Errors
    /// [`Error::TextLength`] for the id, [`Error::EntropyCount`] above [`ENTROPIES_MAX`].
    pub fn seed(&self, id: &str, entropies: &[Entropy]) -> Result<Seed, Error> {
        let refused = Error::EntropyCount(entropies.len());
        if entropies.len() > ENTROPIES_MAX {
            return Err(refused);
        }
        let count = u32::try_from(entropies.len()).map_err(|_| refused)?;
        let turn_state = Message::new(SEED_TAG).text("id", id)?.bytes32(self.as_bytes()).le32(count);
        let message =
            entropies.iter().fold(turn_state, |message, entropy| message.bytes32(entropy.as_bytes()));
        Ok(Seed::from_bytes(message.digest()))
    }

    /// The server seed of an account's match number `n` in a rated series, this being the series' seed:
    /// `SHA-256("edgehill/series/1" || series seed || text account || le32 n)`, n from 0.
    ///
    /// To reveal it tells nothing of the series' seed or of its other matches.
    ///
    /// # Errors
    /// [`Error::TextLength`] for the account.
    pub fn in_series(&self, account: &str, n: u32) -> Result<Self, Error> {
        let message = Message::new(SERIES_TAG).bytes32(self.as_bytes()).text("account", account)?.le32(n);
        Ok(Self::from_bytes(message.digest()))
    }
}

impl Commitment {
    /// Checks that this is the commitment to `server_seed` under `terms`.
    ///
    /// # Errors
    /// [`VerifyError::Commitment`] if not, [`VerifyError::Request`] if `terms` have none.
    pub fn verify(&self, terms: &Terms<'_>, server_seed: &ServerSeed) -> Result<(), VerifyError> {
        let derived = server_seed.commit(terms)?;
        if derived == *self { Ok(()) } else { Err(VerifyError::Commitment { claimed: *self, derived }) }
    }
}

impl Entropy {
    /// `SHA-256("edgehill/entropy/1" || text id || le32 seat || entropy)`: bound to the match or group and to
    /// the seat (or entrant), so that a copied commitment opens for nobody else. Seats count from 0.
    ///
    /// It hides only what cannot be guessed: 32 bytes from a good source.
    ///
    /// # Errors
    /// [`Error::TextLength`] for the id.
    pub fn commit(&self, id: &str, seat: u32) -> Result<EntropyCommitment, Error> {
        let message = Message::new(ENTROPY_TAG).text("id", id)?.le32(seat).bytes32(self.as_bytes());
        Ok(EntropyCommitment(message.digest()))
    }
}

impl EntropyCommitment {
    /// Checks that this is the commitment of `seat` to `entropy` in the match or group `id`.
    ///
    /// # Errors
    /// [`VerifyError::EntropyCommitment`] if not, [`VerifyError::Request`] if the id has none.
    pub fn verify(&self, id: &str, seat: u32, entropy: &Entropy) -> Result<(), VerifyError> {
        let derived = entropy.commit(id, seat)?;
        if derived == *self {
            return Ok(());
        }
        Err(VerifyError::EntropyCommitment { seat, claimed: *self, derived })
    }
}
