//! The secret of a match's dice ([`DiceSecret`]).

use edgehill_engine::dice::{Entropy, Error, Seed, ServerSeed};

/// The source of a match's seed. It prints nothing of itself.
#[derive(Clone)]
pub enum DiceSecret {
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
        match self {
            Self::Chosen(seed) => Ok(seed.clone()),
            Self::Server(server_seed) => {
                let entropies: Vec<Entropy> =
                    entropies.iter().map(|bytes| Entropy::from_bytes(*bytes)).collect();
                server_seed.seed(id, &entropies)
            }
        }
    }
}

impl std::fmt::Debug for DiceSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("DiceSecret(<secret>)")
    }
}
