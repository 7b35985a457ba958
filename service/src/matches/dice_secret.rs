//! The secrets of a match's dice ([`DiceSecret`]).

use edgehill_engine::dice::{Entropy, Error, OptionsSalt, Seed, ServerSeed};

/// The bytes that are kept of the secrets of a match's dice: 32 of the seed, then 32 of the salt.
pub type DiceSecretBytes = [u8; 64];

/// The secrets that a match, or its group, opens when it is over. It prints nothing of them.
#[derive(Clone)]
pub struct DiceSecret {
    /// The source of the seed.
    pub source: SeedSource,
    /// The salt of the options hash.
    pub salt: OptionsSalt,
}

/// The source of a match's seed.
#[derive(Clone)]
pub enum SeedSource {
    /// From the server's seed and the seats' entropies.
    Server(ServerSeed),
    /// Chosen by the match's creator.
    Chosen(Seed),
}

impl DiceSecret {
    /// The seed of the match or group `id`.
    ///
    /// # Errors
    /// If the id or the number of entropies is outside of docs/dice.md.
    pub fn seed(&self, id: &str, entropies: &[[u8; 32]]) -> Result<Seed, Error> {
        match &self.source {
            SeedSource::Chosen(seed) => Ok(seed.clone()),
            SeedSource::Server(server_seed) => {
                let entropies: Vec<Entropy> =
                    entropies.iter().map(|bytes| Entropy::from_bytes(*bytes)).collect();
                server_seed.seed(id, &entropies)
            }
        }
    }

    /// Returns the bytes to keep, sealed. Whose seed it is, the match's terms say.
    #[must_use]
    pub fn to_bytes(&self) -> DiceSecretBytes {
        let seed = match &self.source {
            SeedSource::Server(seed) => seed.as_bytes(),
            SeedSource::Chosen(seed) => seed.as_bytes(),
        };
        let mut bytes = [0; 64];
        bytes[..32].copy_from_slice(seed);
        bytes[32..].copy_from_slice(self.salt.as_bytes());
        bytes
    }

    /// Reads kept bytes; `chosen`: whether the match's creator chose the seed.
    #[must_use]
    pub fn from_bytes(bytes: &DiceSecretBytes, chosen: bool) -> Self {
        let (mut seed, mut salt) = ([0; 32], [0; 32]);
        seed.copy_from_slice(&bytes[..32]);
        salt.copy_from_slice(&bytes[32..]);
        let source = if chosen {
            SeedSource::Chosen(Seed::from_bytes(seed))
        } else {
            SeedSource::Server(ServerSeed::from_bytes(seed))
        };
        Self { source, salt: OptionsSalt::from_bytes(salt) }
    }
}

impl std::fmt::Debug for DiceSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("DiceSecret(<secret>)")
    }
}

impl std::fmt::Debug for SeedSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SeedSource(<secret>)")
    }
}
