//! The form that keys, tokens and invitations share: a prefix that says what it is, then lower-case base 32 of the bytes
//! and of their CRC-32. The checksum tells a typing error from a token that was never given out; it proves nothing.

use std::fmt;
use std::sync::LazyLock;

use data_encoding::{Encoding, Specification};
use thiserror::Error;

/// The most bytes of a text, its checksum included.
const BODY_BYTES_MAX: usize = 64;

/// Bytes of the checksum.
const CHECK_BYTES: usize = 4;

/// RFC 4648's alphabet in lower case, read in either case, without padding.
static BASE32: LazyLock<Encoding> = LazyLock::new(|| {
    let mut spec = Specification::new();
    spec.symbols.push_str("abcdefghijklmnopqrstuvwxyz234567");
    spec.translate.from.push_str("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    spec.translate.to.push_str("abcdefghijklmnopqrstuvwxyz");
    // The specification is a constant, which a test holds to be valid.
    spec.encoding().unwrap_or(data_encoding::BASE32_NOPAD)
});

/// The right that a text gives its holder. Each kind has a prefix of its own.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Play one seat of one match.
    SeatToken,
    /// Take one seat of one match.
    Invitation,
    /// Take back one match before it has begun.
    CreatorToken,
    /// Add a match to a seed group.
    GroupId,
    /// Act as an account.
    AccountKey,
    /// Be this server.
    ServerKey,
    /// Have been this server, until a moment.
    FormerKey,
    /// Tell the names that hashes in this server's store stand for.
    NamesKey,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 8] = [
        Self::SeatToken,
        Self::Invitation,
        Self::CreatorToken,
        Self::GroupId,
        Self::AccountKey,
        Self::ServerKey,
        Self::FormerKey,
        Self::NamesKey,
    ];

    /// Returns the beginning of texts of this kind.
    #[must_use]
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::SeatToken => "ehs_",
            Self::Invitation => "ehi_",
            Self::CreatorToken => "ehc_",
            Self::GroupId => "ehg_",
            Self::AccountKey => "ehk_",
            Self::ServerKey => "ehserver_",
            Self::FormerKey => "ehformer_",
            Self::NamesKey => "ehnames_",
        }
    }

    /// The kind that `text` has the prefix of.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| text.starts_with(kind.prefix()))
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SeatToken => "a seat token",
            Self::Invitation => "an invitation",
            Self::CreatorToken => "a creator token",
            Self::GroupId => "a seed group's id",
            Self::AccountKey => "an account key",
            Self::ServerKey => "a server key",
            Self::FormerKey => "a former server key",
            Self::NamesKey => "a key of names",
        })
    }
}

/// The reason that a text can't be read. None of these repeats the text, which may be a secret with a typing
/// error in it.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Error)]
pub enum TextError {
    /// It begins otherwise.
    #[error("{0} begins with {prefix}", prefix = .0.prefix())]
    Prefix(Kind),
    /// It is longer or shorter.
    #[error("{kind} has {expected} characters, not {given}: it was cut, or something was added")]
    Length {
        /// The kind that was expected.
        kind: Kind,
        /// Its length.
        expected: usize,
        /// The length of the text.
        given: usize,
    },
    /// It has other characters.
    #[error("{0} has letters a to z and digits 2 to 7 after its prefix, and no others")]
    Characters(Kind),
    /// A character is another one.
    #[error("the checksum of {0} does not match: it was mistyped")]
    Checksum(Kind),
    /// Its bytes are not those of such a thing.
    #[error("{0} names a seat that no match has")]
    Seat(Kind),
}

/// The length of the text of `bytes` bytes.
const fn length(kind: Kind, bytes: usize) -> usize {
    kind.prefix().len() + ((bytes + CHECK_BYTES) * 8).div_ceil(5)
}

fn checksum(kind: Kind, bytes: &[u8]) -> [u8; CHECK_BYTES] {
    let mut crc = crc32fast::Hasher::new();
    crc.update(kind.prefix().as_bytes());
    crc.update(bytes);
    crc.finalize().to_be_bytes()
}

/// The text of these bytes.
pub(super) fn write(kind: Kind, bytes: &[u8]) -> String {
    let body = [bytes, &checksum(kind, bytes)].concat();
    format!("{}{}", kind.prefix(), BASE32.encode(&body))
}

/// The `N` bytes of a text that [`write`] gave, in either case after its prefix.
pub(super) fn read<const N: usize>(kind: Kind, text: &str) -> Result<[u8; N], TextError> {
    let body = text.strip_prefix(kind.prefix()).ok_or(TextError::Prefix(kind))?;
    if !body.is_ascii() {
        return Err(TextError::Characters(kind));
    }
    let expected = length(kind, N);
    if text.len() != expected {
        return Err(TextError::Length { kind, expected, given: text.len() });
    }
    const { assert!(N + CHECK_BYTES <= BODY_BYTES_MAX) };
    let mut room = [0; BODY_BYTES_MAX];
    // Of the right length it is decoded to as many bytes as were written.
    let decoded = &mut room[..N + CHECK_BYTES];
    BASE32.decode_mut(body.as_bytes(), decoded).map_err(|fault| match fault.error.kind {
        // The last character has bits that no byte fills.
        data_encoding::DecodeKind::Trailing => TextError::Checksum(kind),
        _ => TextError::Characters(kind),
    })?;
    match decoded.split_first_chunk::<N>() {
        Some((bytes, check)) if check == checksum(kind, bytes) => Ok(*bytes),
        _ => Err(TextError::Checksum(kind)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTES: [u8; 32] = [0xA5; 32];

    #[test]
    fn a_text_is_read_as_it_was_written_in_either_case() {
        assert_ne!(*BASE32, data_encoding::BASE32_NOPAD, "the specification is valid");
        for kind in Kind::ALL {
            let text = write(kind, &BYTES);
            assert_eq!(text.len(), length(kind, BYTES.len()));
            assert_eq!(read(kind, &text), Ok(BYTES));
            let shouted = text[kind.prefix().len()..].to_uppercase();
            assert_eq!(read(kind, &format!("{}{shouted}", kind.prefix())), Ok(BYTES));
            assert_eq!(Kind::of(&text), Some(kind));
        }
    }

    #[test]
    fn every_change_of_one_character_is_found() {
        let kind = Kind::SeatToken;
        let text = write(kind, &BYTES);
        for place in kind.prefix().len()..text.len() {
            for other in "abcdefghijklmnopqrstuvwxyz234567".chars() {
                let mut changed = text.clone();
                changed.replace_range(place..=place, &other.to_string());
                if changed != text {
                    assert_eq!(read::<32>(kind, &changed), Err(TextError::Checksum(kind)), "{changed}");
                }
            }
        }
    }

    #[test]
    fn faults_are_told_apart() {
        let kind = Kind::AccountKey;
        let text = write(kind, &BYTES);
        let fault = |text: &str| read::<32>(kind, text).unwrap_err();
        assert_eq!(fault(""), TextError::Prefix(kind));
        assert_eq!(fault(&write(Kind::SeatToken, &BYTES)), TextError::Prefix(kind));
        let length = TextError::Length { kind, expected: 62, given: 20 };
        assert_eq!(fault(&text[..20]), length);
        assert_eq!(fault(&format!("ehk_{}", "1".repeat(58))), TextError::Characters(kind));
        assert_eq!(fault(&format!("ehk_{}", "é".repeat(29))), TextError::Characters(kind));
        // One kind passed off as another.
        let renamed = write(Kind::Invitation, &BYTES).replace("ehi_", "ehk_");
        assert_eq!(fault(&renamed), TextError::Checksum(kind));
    }
}
