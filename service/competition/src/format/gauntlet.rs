//! Gauntlets: some entrants each meet all others.
//!
//! With as many places on either side as the larger one has entrants, m, challenger i meets the other at place i + r modulo m in round r: everybody
//! once in m rounds, and nobody twice in one.

use super::PairingInput;
use crate::encounter::{Encounter, EntrantId};

pub(super) fn pair(challengers: u16, cycles: u8, input: &PairingInput<'_>) -> Option<Vec<Encounter>> {
    let is_challenger = |entrant: &&EntrantId| entrant.number() <= challengers;
    let (running, others): (Vec<&EntrantId>, Vec<&EntrantId>) = input.seeding.iter().partition(is_challenger);
    let places = running.len().max(others.len());
    let (cycle, round) = (input.rounds.len() / places, input.rounds.len() % places);
    let remains = |side: &[&EntrantId]| side.iter().any(|entrant| input.active.contains(entrant));
    (cycle < usize::from(cycles) && remains(&running) && remains(&others)).then(|| {
        let encounters = running.iter().enumerate().filter_map(|(place, &&challenger)| {
            let &&other = others.get((place + round) % places)?;
            let are_active = input.active.contains(&challenger) && input.active.contains(&other);
            let challenger_is_first = (place + round + cycle).is_multiple_of(2);
            let (first, second) = if challenger_is_first { (challenger, other) } else { (other, challenger) };
            are_active.then_some(Encounter::Pair { first, second })
        });
        encounters.collect()
    })
}
