//! Fair dice: chance events that nobody can choose and everybody can check.
//!
//! Invariant: an event is a pure function of the match's seed, the place of the event and the request, and
//! every byte on the way is fixed by `docs/dice.md`. The module depends on nothing else in the engine, and a
//! client in any language can do without it: it needs SHA-256 (FIPS 180-4), ChaCha20 (RFC 8439) and the few
//! rules written here. `rand_chacha` gives the key stream and nothing else; no range, shuffle or
//! distribution of a library is used, since those may change between versions.
//!
//! | action | item |
//! | --- | --- |
//! | the host draws a [`ServerSeed`] and an [`OptionsSalt`], and publishes its [`Commitment`] | [`OptionsSalt::options_hash`], [`ServerSeed::commit`] |
//! | seats add [`Entropy`], behind an [`EntropyCommitment`] where the match asks for it | [`Entropy::commit`] |
//! | both give the [`Seed`] of the match or group | [`ServerSeed::seed`] |
//! | chance events are drawn | [`roll()`], [`choice()`], [`bag()`] |
//! | after the match everything is checked | [`Commitment::verify`], [`Audit`] |
//!
//! ```
//! use edgehill_engine::dice::{Entropy, Nonce, ServerSeed, Terms, roll};
//!
//! let server_seed = ServerSeed::from_bytes([1; 32]); // 32 bytes from the operating system, in earnest
//! let terms = Terms {
//!     id: "0191d2c4-7e5a-7c31-b6a4-5f0d3c2b1a09",
//!     game: "ukc",
//!     rules_version: "1",
//!     content_hash: [2; 32],
//!     options_hash: [3; 32],
//! };
//! let commitment = server_seed.commit(&terms)?; // published before anyone sits down
//! let seed = server_seed.seed(terms.id, &[Entropy::from_bytes([4; 32]), Entropy::ABSENT])?;
//! let faces = roll(&seed, Nonce { stream: 0, n: 0 }, 2, 6)?;
//! assert_eq!(faces.len(), 2);
//! commitment.verify(&terms, &server_seed)?; // after the match
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod audit;
mod bag;
mod choice;
mod commit;
mod encoding;
mod error;
mod key_stream;
mod roll;
mod secret;
mod verify;

pub use audit::Audit;
pub use bag::bag;
pub use choice::{CHOICE_TOTAL_MAX, CHOICE_WEIGHTS_MAX, choice, residue};
pub use commit::{Commitment, ENTROPIES_MAX, EntropyCommitment, Terms};
pub use encoding::TEXT_BYTES_MAX;
pub use error::Error;
pub use key_stream::{KeyStream, Nonce};
pub use roll::{DICE_MAX, Faces, SIDES_MAX, SIDES_MIN, roll};
pub use secret::{Entropy, OptionsSalt, Seed, ServerSeed};
pub use verify::{Claim, VerifyError};
