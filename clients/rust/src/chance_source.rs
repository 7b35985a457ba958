//! The source of a local match's outcomes: a seed, a script, or a person with real dice.

use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::dice::Seed;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::error::Error;

/// The settings of the dice of a new match.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct ChanceSourceArgs {
    /// Outcomes in order, separated by commas: a number for each die, an id for each draw; `real`: enter them as they come
    #[arg(long, value_name = "WORDS", conflicts_with = "seed")]
    pub dice: Option<String>,
    /// 64 hexadecimal digits, or a number; without one the operating system gives a seed
    #[arg(long, value_name = "SEED")]
    pub seed: Option<String>,
}

/// A chance source as a match file keeps it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum StoredChanceSource {
    /// The seed, in hexadecimal digits. Chosen by the holder of the file: no evidence of fair dice.
    Seed(String),
    /// The words of the script that are not used up.
    Script(Vec<String>),
    /// A person enters the outcomes.
    Real,
}

impl StoredChanceSource {
    /// Returns the chance source that the arguments ask for.
    pub(crate) fn of(args: &ChanceSourceArgs) -> Result<Self, Error> {
        match (&args.dice, &args.seed) {
            (Some(words), _) if words == "real" => Ok(Self::Real),
            (Some(words), _) => Ok(Self::after(&ChanceSource::script(words), &Self::Script(Vec::new()))),
            (None, Some(text)) => Ok(Self::Seed(seed(text)?.to_hex())),
            (None, None) => {
                let mut bytes = [0; 32];
                getrandom::fill(&mut bytes).map_err(Error::Entropy)?;
                Ok(Self::Seed(Seed::from_bytes(bytes).to_hex()))
            }
        }
    }

    /// The chance source itself; `None` if what the file says is no seed.
    pub(crate) fn chance_source(&self) -> Option<ChanceSource> {
        Some(match self {
            Self::Seed(hex) => ChanceSource::Seeded(Seed::from_hex(hex).ok()?),
            Self::Script(words) => ChanceSource::Scripted(words.iter().cloned().collect()),
            Self::Real => ChanceSource::Manual,
        })
    }

    /// Returns what is left of a chance source after a call: a script gets shorter, nothing else changes.
    pub(crate) fn after(chance_source: &ChanceSource, before: &Self) -> Self {
        match chance_source {
            ChanceSource::Scripted(words) => Self::Script(words.iter().cloned().collect()),
            _ => before.clone(),
        }
    }

    /// The chance source in words.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Seed(_) => "a seed".to_owned(),
            Self::Script(words) if words.is_empty() => "a script, used up".to_owned(),
            Self::Script(words) => format!("a script, left over: {}", words.join(",")),
            Self::Real => "real dice, entered as they come".to_owned(),
        }
    }

    /// Returns the number of words of a script that are left over; none for other chance sources.
    pub(crate) fn left_over(&self) -> usize {
        if let Self::Script(words) = self { words.len() } else { 0 }
    }
}

/// A seed as it is written: 64 hexadecimal digits, or a number.
///
/// A number stands for SHA-256 of `edgehill/number-seed/1` and the number as eight bytes, least significant first.
pub(crate) fn seed(text: &str) -> Result<Seed, Error> {
    if let Ok(seed) = Seed::from_hex(text) {
        return Ok(seed);
    }
    let number: u64 = text.parse().map_err(|_| Error::Seed(text.to_owned()))?;
    Ok(Seed::from_bytes(derive("edgehill/number-seed/1", &[number])))
}

/// 32 bytes from a domain and numbers, each as eight bytes, least significant first.
pub(crate) fn derive(domain: &str, numbers: &[u64]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update(domain.as_bytes());
    for number in numbers {
        hasher.update(number.to_le_bytes());
    }
    hasher.finalize().into()
}
