//! Receipts (docs/record.md, "Receipts"): a running hash over what was published to an observer ([`StreamHash`]), the digest that
//! a server signs ([`digest`]), and the text in which somebody keeps both ([`Transcript`]).
//!
//! Invariant: words and numbers of events are not hashed, so that who asks for words has the same hash as who does not.

mod stream_hash;
mod transcript;
mod words;

pub use stream_hash::StreamHash;
pub use transcript::{Shown, Transcript, TranscriptError};

use sha2::{Digest, Sha256};

use crate::v1::{Observer, Receipt};

/// The name of what a server signs, before the digest.
pub const SIGNED_KIND: &str = "edgehill receipt v1";

/// The 32 bytes that a receipt's signature is of, with [`SIGNED_KIND`] before them.
#[must_use]
pub fn digest(receipt: &Receipt) -> [u8; 32] {
    let who = observer(&receipt.observer.unwrap_or_default());
    let hash = hex(&receipt.stream_hash);
    let text = format!(
        "edgehill/receipt/1\nmatch {}\nobserver {who}\nseq {}\nstream-hash {hash}\n",
        receipt.match_id, receipt.seq
    );
    Sha256::digest(text).into()
}

/// An observer as hashes and texts have them: a seat's number, from 0, or `spectator`.
fn observer(of: &Observer) -> String {
    of.seat.map_or_else(|| "spectator".to_owned(), |seat| seat.to_string())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
