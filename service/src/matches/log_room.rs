//! The room that a match's log has, and what may still use it ([`LogRoom`]).
//!
//! Three shares, so that nobody can keep others from going on. What a seat can do again and again without an end (taking
//! back, offering, declining, standing passes) has half of what play has, and a number of calls between two final actions
//! of the seat. Play has all but [`RESERVED_BYTES`]. These are for what ends the match, which nothing else can take.

use edgehill_engine::registry::AnyTable;
use edgehill_engine::seat::Seat;

use super::call::Call;
use super::course::Course;
use super::error::MatchError;
use crate::store::limits::{ENTRY_BYTES_MAX, OUTCOME_BYTES_MAX};

/// The bytes of a log that are kept back for the end of its match: for one call more than play has room for, and for a
/// resignation or the server's own end after it.
pub const RESERVED_BYTES: u64 = 2 * (ENTRY_BYTES_MAX + 4 * OUTCOME_BYTES_MAX) as u64;

/// The limits of a match's log.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct LogLimits {
    /// The most bytes of the log, envelopes included.
    pub bytes_max: u64,
    /// The most changes of mind of one seat between two final actions of its own.
    pub changes_max: u64,
}

/// The purpose of an entry.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// A seat changes its mind: it takes actions back, offers, declines, replaces its standing passes.
    Change(Seat),
    /// The match goes on.
    Play,
    /// The match ends.
    End,
}

impl Purpose {
    /// The purpose of a call of `seat`, before it is applied.
    pub(super) fn of(table: &dyn AnyTable, course: &Course, seat: Seat, call: &Call) -> Self {
        match call {
            Call::Apply { keep: Some(keep), .. } if (*keep as usize) < table.draft(seat).len() => {
                Self::Change(seat)
            }
            Call::Apply { .. } => Self::Play,
            Call::Undo { .. }
            | Call::OfferDraw
            | Call::DeclineDraw
            | Call::Stand(_)
            | Call::OfferAdjournment { .. }
            | Call::DeclineAdjournment => Self::Change(seat),
            // To ask once more changes nothing.
            Call::ResumeMatch if course.adjournment().is_some_and(|one| one.resumes(seat)) => {
                Self::Change(seat)
            }
            Call::AcceptAdjournment { .. } | Call::ResumeMatch => Self::Play,
            Call::Resign | Call::AcceptDraw => Self::End,
        }
    }
}

/// The room of a match's log.
#[derive(Clone, Debug)]
pub(super) struct LogRoom {
    limits: LogLimits,
    /// Bytes of the log, envelopes included.
    bytes: u64,
    /// By seat, its changes of mind since an action of it became final.
    changes: Vec<u32>,
}

impl LogRoom {
    pub(super) fn new(limits: LogLimits, seats: usize) -> Self {
        Self { limits, bytes: 0, changes: vec![0; seats] }
    }

    /// Checks that there is room, before anything is applied.
    ///
    /// # Errors
    /// [`MatchError::TooManyChanges`], [`MatchError::LogFull`].
    pub(super) fn check(&self, purpose: Purpose) -> Result<(), MatchError> {
        let full = Err(MatchError::LogFull { max: self.limits.bytes_max });
        match purpose {
            Purpose::Change(seat) if self.changes_of(seat) >= self.limits.changes_max => {
                Err(MatchError::TooManyChanges { max: self.limits.changes_max })
            }
            Purpose::Change(_) if self.bytes >= self.play_bytes() / 2 => full,
            Purpose::Change(_) | Purpose::Play if self.is_full() => full,
            Purpose::Change(_) | Purpose::Play | Purpose::End => Ok(()),
        }
    }

    /// Returns whether the match can't go on, and has to end.
    pub(super) const fn is_full(&self) -> bool {
        self.bytes >= self.play_bytes()
    }

    const fn play_bytes(&self) -> u64 {
        self.limits.bytes_max.saturating_sub(RESERVED_BYTES)
    }

    fn changes_of(&self, seat: Seat) -> u64 {
        self.changes.get(seat.index()).copied().unwrap_or(0).into()
    }

    /// Counts a call that was applied.
    pub(super) fn note(&mut self, purpose: Purpose) {
        if let Purpose::Change(seat) = purpose
            && let Some(changes) = self.changes.get_mut(seat.index())
        {
            *changes = changes.saturating_add(1);
        }
    }

    /// An action of `seat` is final: it may change its mind again.
    pub(super) fn note_final(&mut self, seat: Seat) {
        if let Some(changes) = self.changes.get_mut(seat.index()) {
            *changes = 0;
        }
    }

    /// The changes of mind by seat.
    pub(super) fn changes(&self) -> &[u32] {
        &self.changes
    }

    /// Sets the changes of mind by seat, as a log has them whose entries about them are gone.
    pub(super) fn set_changes(&mut self, changes: &[u32]) {
        self.changes.copy_from_slice(changes);
    }

    /// Bytes of the log.
    pub(super) const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Sets the bytes of the log.
    pub(super) const fn set_bytes(&mut self, bytes: u64) {
        self.bytes = bytes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: LogLimits = LogLimits { bytes_max: RESERVED_BYTES + 1_000, changes_max: 3 };

    #[test]
    fn changes_of_mind_have_half_the_room_of_play_and_the_end_has_all() {
        let mut room = LogRoom::new(LIMITS, 2);
        let change = Purpose::Change(Seat::new(0));
        for (bytes, may) in [
            (0, [true, true, true]),
            (499, [true, true, true]),
            (500, [false, true, true]),
            (999, [false, true, true]),
            (1_000, [false, false, true]),
            (LIMITS.bytes_max, [false, false, true]),
        ] {
            room.set_bytes(bytes);
            let found = [change, Purpose::Play, Purpose::End].map(|purpose| room.check(purpose).is_ok());
            assert_eq!((found, room.is_full()), (may, !may[1]), "{bytes} bytes");
        }
    }

    #[test]
    fn a_seat_changes_its_mind_so_many_times_until_an_action_of_its_own_is_final() {
        let mut room = LogRoom::new(LIMITS, 2);
        let [mine, other] = [0, 1].map(|seat| Purpose::Change(Seat::new(seat)));
        for _ in 0..3 {
            assert_eq!(room.check(mine), Ok(()));
            room.note(mine);
        }
        assert_eq!(room.check(mine), Err(MatchError::TooManyChanges { max: 3 }));
        assert_eq!((room.check(other), room.check(Purpose::Play)), (Ok(()), Ok(())));
        room.note_final(Seat::new(1));
        assert!(room.check(mine).is_err());
        room.note_final(Seat::new(0));
        assert_eq!(room.check(mine), Ok(()));
    }
}
