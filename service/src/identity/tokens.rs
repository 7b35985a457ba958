//! The secrets that callers hold: [`SeatToken`], [`Invitation`], [`AccountKey`].
//!
//! Invariant: `Display` is the only way to a secret's text, and `Debug` never shows it.

use std::fmt;
use std::str::FromStr;

use edgehill_engine::seat::Seat;
use subtle::ConstantTimeEq;

use super::text::{self, Kind, TextError};
use crate::entropy::{EntropyError, EntropySource};
use crate::store::MatchId;

/// Match, seat, secret.
const SEAT_BYTES: usize = 16 + 1 + 32;

/// The parts of [`SeatToken`] and [`Invitation`]: a seat of a match and 32 secret bytes.
macro_rules! seat_secret {
    ($(#[$doc:meta])* $name:ident, $kind:expr) => {
        $(#[$doc])*
        #[derive(Clone)]
        pub struct $name {
            match_id: MatchId,
            seat: Seat,
            secret: [u8; 32],
        }

        impl $name {
            pub(super) const fn new(match_id: MatchId, seat: Seat, secret: [u8; 32]) -> Self {
                Self { match_id, seat, secret }
            }

            /// The match that it says it is for. Nothing is proven before its hash was compared.
            #[must_use]
            pub const fn match_id(&self) -> MatchId {
                self.match_id
            }

            /// The seat that it says it is for. Nothing is proven before its hash was compared.
            #[must_use]
            pub const fn seat(&self) -> Seat {
                self.seat
            }

            /// Match, seat and secret: what is hashed and what is written.
            pub(super) fn to_bytes(&self) -> [u8; SEAT_BYTES] {
                let mut bytes = [0; SEAT_BYTES];
                bytes[..16].copy_from_slice(self.match_id.as_bytes());
                bytes[16] = self.seat.index() as u8;
                bytes[17..].copy_from_slice(&self.secret);
                bytes
            }
        }

        impl PartialEq for $name {
            /// Takes the same time wherever the secrets differ.
            fn eq(&self, other: &Self) -> bool {
                self.to_bytes().ct_eq(&other.to_bytes()).into()
            }
        }

        impl Eq for $name {}

        impl fmt::Display for $name {
            /// The text that its holder is given: printable ASCII, at most 128 bytes. It is the secret.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&text::write($kind, &self.to_bytes()))
            }
        }

        impl FromStr for $name {
            type Err = TextError;

            fn from_str(text: &str) -> Result<Self, TextError> {
                let bytes: [u8; SEAT_BYTES] = text::read($kind, text)?;
                let (mut match_id, mut secret) = ([0; 16], [0; 32]);
                match_id.copy_from_slice(&bytes[..16]);
                secret.copy_from_slice(&bytes[17..]);
                if usize::from(bytes[16]) >= Seat::MAX {
                    return Err(TextError::Seat($kind));
                }
                Ok(Self::new(MatchId::from_bytes(match_id), Seat::new(bytes[16]), secret))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({}, {}, <secret>)"), self.match_id, self.seat)
            }
        }
    };
}

seat_secret!(
    /// Plays one seat of one match: its holder is that seat. `ehs_` and 85 characters.
    SeatToken, Kind::SeatToken);
seat_secret!(
    /// Takes one seat of one match, once. `ehi_` and 85 characters.
    Invitation, Kind::Invitation);

/// The parts of [`CreatorToken`] and [`GroupId`]: a match and so many secret bytes.
macro_rules! match_secret {
    ($(#[$doc:meta])* $name:ident, $kind:expr, $secret_bytes:expr) => {
        $(#[$doc])*
        #[derive(Clone)]
        pub struct $name {
            match_id: MatchId,
            secret: [u8; $secret_bytes],
        }

        impl $name {
            pub(super) const fn new(match_id: MatchId, secret: [u8; $secret_bytes]) -> Self {
                Self { match_id, secret }
            }

            /// The match that it says it is for. Nothing is proven before it was compared.
            #[must_use]
            pub const fn match_id(&self) -> MatchId {
                self.match_id
            }

            fn to_bytes(&self) -> [u8; 16 + $secret_bytes] {
                let mut bytes = [0; 16 + $secret_bytes];
                bytes[..16].copy_from_slice(self.match_id.as_bytes());
                bytes[16..].copy_from_slice(&self.secret);
                bytes
            }
        }

        impl PartialEq for $name {
            /// Takes the same time wherever the secrets differ.
            fn eq(&self, other: &Self) -> bool {
                self.to_bytes().ct_eq(&other.to_bytes()).into()
            }
        }

        impl Eq for $name {}

        impl fmt::Display for $name {
            /// The text that its holder is given: printable ASCII, at most 128 bytes. It is the secret.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&text::write($kind, &self.to_bytes()))
            }
        }

        impl FromStr for $name {
            type Err = TextError;

            fn from_str(text: &str) -> Result<Self, TextError> {
                let bytes: [u8; 16 + $secret_bytes] = text::read($kind, text)?;
                let (mut match_id, mut secret) = ([0; 16], [0; $secret_bytes]);
                match_id.copy_from_slice(&bytes[..16]);
                secret.copy_from_slice(&bytes[16..]);
                Ok(Self::new(MatchId::from_bytes(match_id), secret))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({}, <secret>)"), self.match_id)
            }
        }
    };
}

match_secret!(
    /// Takes back one match before it has begun: its holder has made it. `ehc_` and 84 characters.
    CreatorToken, Kind::CreatorToken, 32);
match_secret!(
    /// A seed group's id, at most 64 bytes: the group's first match, whose log knows the others, and a secret. Whoever knows it may
    /// add a match to the group. `ehg_` and 58 characters.
    GroupId, Kind::GroupId, 16);

/// Acts as an account: 256 bits that nobody can guess. `ehk_` and 58 characters.
#[derive(Clone)]
pub struct AccountKey([u8; 32]);

impl AccountKey {
    /// A new key.
    ///
    /// # Errors
    /// If `entropy` gives nothing.
    pub fn generate(entropy: &dyn EntropySource) -> Result<Self, EntropyError> {
        let mut bytes = [0; 32];
        entropy.fill(&mut bytes)?;
        Ok(Self(bytes))
    }

    pub(super) const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    pub(super) const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for AccountKey {
    /// The text that its holder is given, once. It is the secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text::write(Kind::AccountKey, &self.0))
    }
}

impl FromStr for AccountKey {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        text::read(Kind::AccountKey, text).map(Self)
    }
}

impl fmt::Debug for AccountKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AccountKey(<secret>)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entropy::SeededEntropy;

    const MATCH: MatchId = MatchId::from_bytes([7; 16]);

    #[test]
    fn tokens_are_read_as_they_were_written_and_fit_the_wire() {
        for index in 0..Seat::MAX as u8 {
            let token = SeatToken::new(MATCH, Seat::new(index), [9; 32]);
            let text = token.to_string();
            assert!(text.len() <= 128 && text.bytes().all(|byte| byte.is_ascii_graphic()), "{text}");
            let read: SeatToken = text.parse().unwrap();
            assert_eq!((&read, read.match_id(), read.seat()), (&token, MATCH, Seat::new(index)));
            let invitation = Invitation::new(MATCH, Seat::new(index), [9; 32]);
            assert_eq!(invitation.to_string().parse(), Ok(invitation));
        }
        let key = AccountKey::generate(&SeededEntropy::new(1)).unwrap();
        assert_eq!(key.to_string().parse::<AccountKey>().unwrap().0, key.0);
    }

    #[test]
    fn one_kind_is_not_read_as_another() {
        let seat = Seat::new(1);
        let token = SeatToken::new(MATCH, seat, [9; 32]).to_string();
        assert_eq!(token.parse::<Invitation>(), Err(TextError::Prefix(Kind::Invitation)));
        assert_eq!(
            token.replace("ehs_", "ehi_").parse::<Invitation>(),
            Err(TextError::Checksum(Kind::Invitation))
        );
    }

    #[test]
    fn a_seat_that_no_match_has_is_refused() {
        let mut bytes = SeatToken::new(MATCH, Seat::new(0), [9; 32]).to_bytes();
        bytes[16] = Seat::MAX as u8;
        let text = text::write(Kind::SeatToken, &bytes);
        assert_eq!(text.parse::<SeatToken>(), Err(TextError::Seat(Kind::SeatToken)));
    }

    #[test]
    fn debug_shows_no_secret() {
        let token = SeatToken::new(MATCH, Seat::new(1), [9; 32]);
        assert_eq!(format!("{token:?}"), "SeatToken(07070707-0707-0707-0707-070707070707, seat 1, <secret>)");
        let key = AccountKey::generate(&SeededEntropy::new(1)).unwrap();
        assert_eq!(format!("{key:?}"), "AccountKey(<secret>)");
    }

    #[test]
    fn a_group_has_an_id_that_its_first_match_does_not_tell() {
        let first = MatchId::from_bytes([7; 16]);
        let (id, elsewhere) = (
            crate::identity::ServerKey::from_bytes([1; 32]).group_id(&first),
            crate::identity::ServerKey::from_bytes([2; 32]).group_id(&first),
        );
        let text = id.to_string();
        assert_eq!((text.len(), &text[..4]), (62, "ehg_"));
        assert_eq!(text.parse::<GroupId>(), Ok(id.clone()));
        assert_eq!(id.match_id(), first);
        assert_ne!(id, elsewhere);
        assert!(!format!("{id:?}").contains(&text[30..]));
    }
}
