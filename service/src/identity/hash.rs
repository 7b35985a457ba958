//! The hash that is kept of a token: [`TokenHash`].

use std::fmt;

use subtle::ConstantTimeEq;

/// HMAC-SHA256 of a token, invitation or account key under the server's key: nobody without that key can make one or find
/// what it was made of, so that it may stand in a store or a file.
#[derive(Copy, Clone, Debug)]
pub struct TokenHash(pub [u8; 32]);

impl PartialEq for TokenHash {
    /// Takes the same time wherever the two differ.
    fn eq(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl Eq for TokenHash {}

impl fmt::Display for TokenHash {
    /// As 64 hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl TokenHash {
    /// Reads 64 hexadecimal digits.
    #[must_use]
    pub fn from_hex(text: &str) -> Option<Self> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes).ok().map(|()| Self(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_equal_only_if_all_bits_are() {
        let hash = TokenHash([0x5A; 32]);
        assert_eq!(TokenHash::from_hex(&hash.to_string()), Some(hash));
        for bit in 0..256 {
            let mut other = hash;
            other.0[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(hash, other, "bit {bit}");
        }
        assert_eq!(TokenHash::from_hex("5a5a"), None);
        assert_eq!(TokenHash::from_hex(&"x".repeat(64)), None);
    }
}
