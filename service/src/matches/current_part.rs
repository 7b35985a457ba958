//! The accounts that a match concerns, and the part that each has in it now ([`CurrentPart`]).

use edgehill_engine::seat::{Seat, SeatSet};

use super::course::Course;
use crate::identity::{ANONYMOUS_ID, HOUSE_ID};
use crate::store::AccountId;

/// The part that an account has in a match now.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct CurrentPart {
    /// True if it made the match.
    pub is_creator: bool,
    /// The seats that it has.
    pub held: SeatSet,
    /// The free seats that are kept for it: its key is the invitation.
    pub invited: SeatSet,
}

impl CurrentPart {
    /// Returns whether it has no part.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

impl Course {
    /// The part that an account has in it now.
    #[must_use]
    pub fn current_part(&self, account: &AccountId) -> CurrentPart {
        let mut part =
            CurrentPart { is_creator: self.header().creator == account.as_bytes(), ..CurrentPart::default() };
        for (seat, _) in self.holders().filter(|(_, holder)| *holder == account.as_bytes()) {
            // A player's account stays with a seat that a referee took from them only if it is kept for it.
            let of = if self.vacant().contains(seat) { &mut part.invited } else { &mut part.held };
            *of = of.with(seat);
        }
        let free = self.free_seats();
        for seat in self.header().seats_kept_for(account.as_bytes()).filter(|&seat| free.contains(seat)) {
            part.invited = part.invited.with(seat);
        }
        part
    }

    /// The accounts that have a part in it now, each once, ascending: neither the server's own nor callers without one.
    #[must_use]
    pub fn accounts(&self) -> Vec<AccountId> {
        let creator = self.header().creator.as_slice();
        let holders = self.holders().map(|(_, holder)| holder);
        let free = self.free_seats();
        let kept_for = free.iter().filter_map(|seat| self.header().invited_account(seat));
        let accounts = std::iter::once(creator).chain(holders).chain(kept_for);
        let of_people = |account: &&[u8]| {
            *account != ANONYMOUS_ID.as_bytes() && *account != HOUSE_ID.as_bytes() && !account.is_empty()
        };
        let mut accounts: Vec<AccountId> =
            accounts.filter(of_people).filter_map(|account| AccountId::new(account).ok()).collect();
        accounts.sort_unstable();
        accounts.dedup();
        accounts
    }

    /// Returns whether it is known which accounts have its seats: rows that an earlier build has written do not tell.
    #[must_use]
    pub fn knows_accounts(&self) -> bool {
        self.holders().all(|(_, holder)| !holder.is_empty())
    }

    /// The moment at which its end was settled as it stands, in milliseconds since 1970: when it ended, or when a referee last acted on
    /// it. `None` while it is not over.
    #[must_use]
    pub fn settled_ms(&self) -> Option<u64> {
        let (_, ended_ms) = self.result()?;
        Some(self.referee_acts().last().map_or(ended_ms, |act| act.at_ms.max(ended_ms)))
    }

    /// The accounts of those who have a seat, or for whom one is kept.
    fn holders(&self) -> impl Iterator<Item = (Seat, &[u8])> {
        self.seats().iter().enumerate().filter_map(|(index, entry)| {
            entry.join.as_ref().map(|join| (Seat::new(index as u8), join.account.as_slice()))
        })
    }
}
