//! Series: in a game for one, everybody plays the same seeds, one a round.

use super::PairingInput;
use crate::encounter::Encounter;

pub(super) fn pair(seeds: u16, input: &PairingInput<'_>) -> Option<Vec<Encounter>> {
    let active = input.seeding.iter().filter(|entrant| input.active.contains(entrant));
    (input.rounds.len() < usize::from(seeds))
        .then(|| active.map(|&entrant| Encounter::Solo(entrant)).collect())
}
