//! How a match ends ([`Verdict`]): the victories of 17.0.

use crate::codec::{Coding, DecodeError, Reader, Writer};
use crate::game::MatchResult;
use crate::seat::Seat;

use super::super::content::{Content, PARLIAMENT, ROYALIST};
use super::super::rules;

/// The way the match ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in super::super) enum Verdict {
    /// King Charles has Surrendered: Parliament wins (17.1).
    King,
    /// The Royalist held London and three Regions for two Turns (17.1).
    Ascendancy,
    /// This side had its Power Base, and the other one had not (17.2).
    PowerBase(Seat),
    /// Neither side had its Power Base: both lose (17.2, W6).
    BothShort,
    /// Points were counted at the end of the last Turn (17.3): this side wins.
    Points(Seat),
}

impl Verdict {
    /// It as the contract has results.
    pub(in super::super) fn result(self) -> MatchResult {
        match self {
            Self::King => MatchResult::of_two(Some(PARLIAMENT), "king_surrenders", rules::KING_SURRENDERS),
            Self::Ascendancy => MatchResult::of_two(Some(ROYALIST), "ascendancy", rules::ROYALIST_VICTORY),
            Self::PowerBase(seat) => MatchResult::of_two(Some(seat), "power_base", rules::POWER_BASE),
            Self::BothShort => MatchResult::of_two(None, "both_short", rules::BOTH_SHORT),
            Self::Points(seat) => MatchResult::of_two(Some(seat), "points", rules::FINAL_POINTS),
        }
    }
}

impl Coding<Content> for Verdict {
    type Value = Self;

    fn encode(value: &Self, to: &mut Writer) {
        to.u8(match *value {
            Self::King => 0,
            Self::Ascendancy => 1,
            Self::BothShort => 2,
            Self::PowerBase(seat) => 3 + seat.index() as u8,
            Self::Points(seat) => 5 + seat.index() as u8,
        });
    }

    fn decode(_: &Content, from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(match from.below(7, "the way a match ended")? {
            0 => Self::King,
            1 => Self::Ascendancy,
            2 => Self::BothShort,
            seat @ 3..=4 => Self::PowerBase(Seat::new(seat - 3)),
            seat => Self::Points(Seat::new(seat - 5)),
        })
    }
}
