//! The bytes of one chance event: ChaCha20 in the layout of RFC 8439.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::Seed;

const BLOCK_BYTES: usize = 64;

/// The place of a roll or a choice in its match. No two events of a match have the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nonce {
    /// A small number that the rules name: a side's dice, the environment.
    pub stream: u32,
    /// Number of rolls and choices that the stream gave before this one.
    pub n: u32,
}

impl Nonce {
    /// The 96-bit nonce of RFC 8439, section 2.3: 4 zero bytes, le32(stream), le32(n).
    #[must_use]
    pub fn to_bytes(self) -> [u8; 12] {
        let mut bytes = [0; 12];
        bytes[4..8].copy_from_slice(&self.stream.to_le_bytes());
        bytes[8..].copy_from_slice(&self.n.to_le_bytes());
        bytes
    }

    /// The same nonce as `rand_chacha` wants it: the last two words of the cipher's state.
    fn to_chacha_stream(self) -> u64 {
        u64::from(self.stream) | u64::from(self.n) << 32
    }
}

/// The ChaCha20 key stream of one event, byte by byte: key = seed, nonce = the event's, counter from 0.
///
/// `rand_chacha` counts blocks in 64 bits and RFC 8439 in 32; the two agree for the first 256 GiB of an
/// event, of which none takes more than a few hundred bytes.
pub struct KeyStream {
    blocks: ChaCha20Rng,
    block: [u8; BLOCK_BYTES],
    used: usize,
}

impl KeyStream {
    /// The key stream of the event at `nonce`, from its first byte.
    #[must_use]
    pub fn new(seed: &Seed, nonce: Nonce) -> Self {
        let mut blocks = ChaCha20Rng::from_seed(*seed.as_bytes());
        blocks.set_stream(nonce.to_chacha_stream());
        Self { blocks, block: [0; BLOCK_BYTES], used: BLOCK_BYTES }
    }

    /// The next byte.
    pub fn next_byte(&mut self) -> u8 {
        if self.used == BLOCK_BYTES {
            self.blocks.fill_bytes(&mut self.block);
            self.used = 0;
        }
        let byte = self.block[self.used];
        self.used += 1;
        byte
    }

    /// The next 8 bytes as a little-endian number.
    pub(crate) fn next_le64(&mut self) -> u64 {
        u64::from_le_bytes(std::array::from_fn(|_| self.next_byte()))
    }
}

impl std::fmt::Debug for KeyStream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("KeyStream(<secret>)")
    }
}
