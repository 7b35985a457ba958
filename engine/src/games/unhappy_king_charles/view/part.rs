//! The part of a board that two states of a match may show differently ([`Part`]).

use crate::deck::CardSet;
use crate::numbered::Listed;

use super::super::UnhappyKing;
use super::super::content::ids::{AreaSet, CounterId, FortressId, GeneralId, GeneralSet};
use super::super::content::{AREAS, COUNTERS, GENERALS, SEATS};
use super::super::state::{Holder, State};
use super::cards::differing_piles;

/// A part of the board.
pub(super) struct Part {
    /// Generals.
    pub(super) generals: GeneralSet,
    /// Local Notables, the Queen, Siege Trains.
    pub(super) others: bool,
    /// Brigades of these places: of each all, or none.
    pub(super) holders: [bool; Holder::BOUND],
    /// Areas, for Political Control and Sieges.
    pub(super) map: AreaSet,
    /// The deck's piles, and the markers of cards that are not of `spent`.
    pub(super) cards: bool,
    /// The other piles of cards: a bit each by the pile's number.
    pub(super) piles: u16,
    /// Cards, for the marker of an event that can't happen again.
    pub(super) spent: CardSet,
    /// The Turn, the Naval Status, what has happened.
    pub(super) course: bool,
    /// The score.
    pub(super) score: bool,
}

impl Part {
    /// The whole board.
    pub(super) const ALL: Self = Self {
        generals: GeneralSet::first_of(GENERALS),
        others: true,
        holders: [true; Holder::BOUND],
        map: AreaSet::first_of(AREAS),
        cards: true,
        piles: u16::MAX,
        spent: CardSet(u128::MAX),
        course: true,
        score: true,
    };

    /// The part that differs between two states, if anything does.
    pub(super) fn differing(game: &UnhappyKing, before: &State, after: &State) -> Self {
        let content = &game.content;
        let others = |state: &State| (state.notables, state.queen, state.trains);
        let course = |state: &State| {
            (
                (state.turn, state.chits, state.fleet, state.happened, state.first),
                (state.plays, state.passed, state.ascendancy, game.naval_status(state)),
            )
        };
        // The holder of an infrastructure hangs on where Brigades are, too.
        let score = |state: &State| {
            let occupied = SEATS.map(|seat| state.occupied(content, seat));
            ((state.turn, state.plays, state.passed), (state.control, state.sieges, occupied))
        };
        let moved = |&general: &GeneralId| before.generals[general] != after.generals[general];
        let control = SEATS.map(|seat| before.control[seat.index()] ^ after.control[seat.index()]);
        let sieges = FortressId::all(content)
            .filter(|&fortress| before.sieges[fortress] != after.sieges[fortress])
            .map(|fortress| content.fortresses[fortress].area);
        let map = control[0] | control[1] | sieges.collect();
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
            generals: GeneralId::all(content).filter(moved).collect(),
            others: others(before) != others(after),
            holders,
            map,
            piles: differing_piles(&before.cards, &after.cards),
            spent: CardSet(before.spent.0 ^ after.spent.0),
            cards: before.cards != after.cards || before.spent != after.spent || before.claim != after.claim,
            course: course(before) != course(after),
            score: score(before) != score(after),
        }
    }
}
