//! The past of entrants: opponents, byes, sides ([`History`]).

use std::collections::BTreeMap;

use crate::encounter::{Encounter, EncounterResult, EntrantId};

/// The past of each entrant, as far as pairings look at it.
#[derive(Clone, Default, Debug)]
pub(super) struct History {
    /// The number of times that two have met, the lower id first.
    met: BTreeMap<[EntrantId; 2], u32>,
    byes: BTreeMap<EntrantId, u32>,
    sides: BTreeMap<EntrantId, Sides>,
}

/// The sides that an entrant has had in encounters in which they did not balance by themselves.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Sides {
    /// The number of first seats less that of second seats.
    pub(super) balance: i32,
    /// 1 if the last was the first seat, -1 if it was the second, 0 before either.
    pub(super) last: i32,
}

impl History {
    pub(super) fn of(rounds: &[Vec<EncounterResult>]) -> Self {
        let mut history = Self::default();
        rounds.iter().flatten().for_each(|result| history.add(result));
        history
    }

    fn add(&mut self, result: &EncounterResult) {
        match result.encounter {
            Encounter::Bye(entrant) => *self.byes.entry(entrant).or_default() += 1,
            Encounter::Solo(_) => {}
            Encounter::Pair { first, second } => {
                *self.met.entry(key(first, second)).or_default() += 1;
                // Sides swap from match to match: one is left over if their number is odd.
                if result.verdicts.len() % 2 == 1 {
                    for (entrant, side) in [(first, 1), (second, -1)] {
                        let sides = self.sides.entry(entrant).or_default();
                        *sides = Sides { balance: sides.balance + side, last: side };
                    }
                }
            }
        }
    }

    pub(super) fn met(&self, one: EntrantId, other: EntrantId) -> u32 {
        self.met.get(&key(one, other)).copied().unwrap_or_default()
    }

    pub(super) fn byes(&self, entrant: EntrantId) -> u32 {
        self.byes.get(&entrant).copied().unwrap_or_default()
    }

    pub(super) fn sides(&self, entrant: EntrantId) -> Sides {
        self.sides.get(&entrant).copied().unwrap_or_default()
    }
}

fn key(one: EntrantId, other: EntrantId) -> [EntrantId; 2] {
    [one.min(other), one.max(other)]
}
