//! The entropy that a seat adds to the dice of its match, and how it binds itself to it (docs/dice.md).

use sha2::{Digest, Sha256};

/// 32 bytes from the operating system's source: make them after the match's commitment was seen.
///
/// # Errors
/// If the operating system gives none.
pub fn fresh() -> Result<[u8; 32], getrandom::Error> {
    let mut entropy = [0; 32];
    getrandom::fill(&mut entropy)?;
    Ok(entropy)
}

/// The commitment to `entropy` that a seat sends when it joins a match with `ENTROPY_MODE_COMMIT_REVEAL`. In a seed group,
/// `id` is the group's and `seat` the entrant.
#[must_use]
pub fn commitment(id: &str, seat: u32, entropy: &[u8; 32]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update("edgehill/entropy/1");
    hasher.update((id.len() as u32).to_le_bytes());
    hasher.update(id);
    hasher.update(seat.to_le_bytes());
    hasher.update(entropy);
    hasher.finalize().into()
}
