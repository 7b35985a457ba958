//! The players of the seats ([`SeatEntry`]), and how they came there ([`Join`]).

use serde::{Deserialize, Serialize};

/// A player takes a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Join {
    /// The seat.
    pub seat: u8,
    /// The player's name; may be empty.
    pub player: String,
    /// The account that asked.
    pub account: Vec<u8>,
    /// The id of the request.
    pub request: Vec<u8>,
    /// The keyed hash of its client's secret.
    pub secret: [u8; 32],
    /// The hash of what it asked for.
    pub body: [u8; 32],
    /// The keyed hash of the seat's token.
    pub token: [u8; 32],
    /// The entropy that came with it; `None`: none.
    pub entropy: Option<[u8; 32]>,
    /// The commitment to the entropy, where the match asks for one.
    pub commitment: Option<[u8; 32]>,
}

/// A seat of a match.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SeatEntry {
    /// The join that took it; `None` for an empty seat and for a house bot.
    pub join: Option<Join>,
    /// The house bot that sits there.
    pub bot: Option<String>,
    /// A house bot's commitment, where the match asks for one.
    pub bot_commitment: Option<[u8; 32]>,
    /// Entropy that was revealed.
    pub revealed: Option<[u8; 32]>,
}

impl SeatEntry {
    /// Returns whether somebody sits there.
    #[must_use]
    pub const fn is_taken(&self) -> bool {
        self.join.is_some() || self.bot.is_some()
    }

    /// The entropy that it gave, revealed or with its join.
    #[must_use]
    pub fn entropy(&self) -> Option<[u8; 32]> {
        self.revealed.or_else(|| self.join.as_ref().and_then(|join| join.entropy))
    }

    /// Returns the commitment that it is bound to, where the match asks for that.
    #[must_use]
    pub fn commitment(&self) -> Option<[u8; 32]> {
        self.bot_commitment.or_else(|| self.join.as_ref().and_then(|join| join.commitment))
    }
}
