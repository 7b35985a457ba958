//! The part of a board that two states of a match may show differently ([`Part`]).

use super::super::content::ids::CounterId;
use super::super::content::{COUNTERS, Content, SEATS};
use super::super::state::{Holder, State};

/// A part of the board.
pub(super) struct Part {
    /// Leaders, the Queen, Siege Trains.
    pub(super) leaders: bool,
    /// Brigades of these places: of each all, or none.
    pub(super) holders: [bool; Holder::BOUND],
    /// Political Control and Sieges.
    pub(super) map: bool,
    /// Cards.
    pub(super) cards: bool,
    /// The Turn, the Naval Status, what has happened.
    pub(super) course: bool,
    /// The score.
    pub(super) score: bool,
}

impl Part {
    /// The whole board.
    pub(super) const ALL: Self = Self {
        leaders: true,
        holders: [true; Holder::BOUND],
        map: true,
        cards: true,
        course: true,
        score: true,
    };

    /// The part that differs between two states, if anything does.
    pub(super) fn differing(content: &Content, before: &State, after: &State) -> Self {
        let leaders = |state: &State| (*state.generals.each(), state.notables, state.queen, state.trains);
        let course = |state: &State| {
            (
                (state.turn, state.chits, state.fleet, state.happened, state.first),
                (state.plays, state.passed, state.ascendancy, state.queen, state.control),
            )
        };
        // The holder of an infrastructure hangs on where Brigades are, too.
        let score = |state: &State| {
            let occupied = SEATS.map(|seat| state.occupied(content, seat));
            ((state.turn, state.plays, state.passed), (state.control, state.sieges, occupied))
        };
        let mut holders = [false; Holder::BOUND];
        if before.brigades != after.brigades {
            for counter in (0..COUNTERS).map(CounterId::new) {
                let [old, new] = [before, after].map(|state| state.brigades.get(counter));
                if old != new {
                    holders[old.at.index()] = true;
                    holders[new.at.index()] = true;
                }
            }
        }
        Self {
            leaders: leaders(before) != leaders(after),
            holders,
            map: before.control != after.control || before.sieges != after.sieges,
            cards: before.cards != after.cards || before.spent != after.spent || before.claim != after.claim,
            course: course(before) != course(after),
            score: score(before) != score(after),
        }
    }
}
