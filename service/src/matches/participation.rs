//! The part that an account has in a match ([`Participation`]): read from the match's log, without its rules.

use edgehill_engine::seat::Seat;

use super::archive;
use super::entry::{Happened, JournalEntry};
use super::header::MatchHeader;
use super::referee::RefereeAct;
use super::stored::StoredError;
use crate::store::{AccountId, MatchLog};

/// The part that an account has or had in a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Participation {
    /// True if it made the match.
    pub is_creator: bool,
    /// The seats that it took, in the order in which it did.
    pub seats: Vec<HeldSeat>,
    /// The seats that are kept for it, ascending.
    pub invited: Vec<Seat>,
}

/// A seat that an account took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HeldSeat {
    /// The seat.
    pub seat: u8,
    /// The name that the account gave for it; may be empty.
    pub player: String,
    /// When it was taken, in milliseconds since 1970.
    pub joined_ms: u64,
    /// When it was given back, or taken from the account by a referee, in milliseconds since 1970; `None`: it was not.
    pub left_ms: Option<u64>,
}

impl Participation {
    /// The part of `account` in the match of this log, read from its creation on; `None`: it has none.
    ///
    /// # Errors
    /// If the header or an entry can't be read.
    pub fn of(account: &AccountId, log: &MatchLog) -> Result<Option<Self>, StoredError> {
        let header = MatchHeader::from_bytes(&log.header.bytes)?;
        let mut part = Self {
            is_creator: header.creator == account.as_bytes(),
            seats: Vec::new(),
            invited: header.seats_kept_for(account.as_bytes()).collect(),
        };
        for record in archive::unpacked(&log.records)?.iter() {
            let entry = JournalEntry::from_bytes(&record.entry)?;
            part.take(account, &entry.happened, entry.at_ms);
        }
        let has_part = part.is_creator || !part.seats.is_empty() || !part.invited.is_empty();
        Ok(has_part.then_some(part))
    }

    fn take(&mut self, account: &AccountId, happened: &Happened, at_ms: u64) {
        match happened {
            Happened::Joined(join) if join.account == account.as_bytes() => self.seats.push(HeldSeat {
                seat: join.seat,
                player: join.player.clone(),
                joined_ms: at_ms,
                left_ms: None,
            }),
            Happened::Left(left) => self.leave(left.seat, at_ms),
            Happened::Refereed(note) => {
                if let RefereeAct::ReplacePlayer { seat, .. } = note.act {
                    self.leave(seat, at_ms);
                }
            }
            _ => {}
        }
    }

    /// The seat is the account's no more, if it was.
    fn leave(&mut self, seat: u8, at_ms: u64) {
        let held = self.seats.iter_mut().find(|held| held.seat == seat && held.left_ms.is_none());
        held.into_iter().for_each(|held| held.left_ms = Some(at_ms));
    }
}
