use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The degree to which a field of the content is sure. Ordered from the strongest level to the weakest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Confidence {
    /// Stated by the game's own rules or components.
    Official,
    /// Stated by a public source other than the game itself.
    PublicSecondary,
    /// Follows from stated facts or from general knowledge, though no source states it.
    Inferred,
    /// Our choice, where nothing is stated and nothing follows.
    House,
    /// Stands in for a printed value that exists but was not at hand.
    Reconstructed,
}

impl Confidence {
    /// All levels, strongest first.
    pub const ALL: [Self; 5] =
        [Self::Official, Self::PublicSecondary, Self::Inferred, Self::House, Self::Reconstructed];

    /// The word for this level in content files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Official => "official",
            Self::PublicSecondary => "public-secondary",
            Self::Inferred => "inferred",
            Self::House => "house",
            Self::Reconstructed => "reconstructed",
        }
    }

    /// The weaker of two levels.
    pub(crate) fn weakest(self, other: Self) -> Self {
        self.max(other)
    }
}

impl fmt::Display for Confidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A word that is no level of confidence.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "unknown confidence {0:?}, expected `official`, `public-secondary`, `inferred`, `house` or `reconstructed`"
)]
pub struct ParseConfidenceError(String);

impl FromStr for Confidence {
    type Err = ParseConfidenceError;

    fn from_str(word: &str) -> Result<Self, ParseConfidenceError> {
        let level = Self::ALL.into_iter().find(|level| level.as_str() == word);
        level.ok_or_else(|| ParseConfidenceError(word.to_owned()))
    }
}

impl Serialize for Confidence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Confidence {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        word.parse().map_err(de::Error::custom)
    }
}
