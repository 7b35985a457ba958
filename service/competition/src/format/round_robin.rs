//! Round robins by the circle method.
//!
//! One entrant stands still, the others go round a circle. With n of them (a nobody among them if they are odd) and places counted modulo
//! n - 1, in round r the one at place r + k meets the one at place r less k, for k from 1 to n/2 - 1, and the one at r meets the one who
//! stands still. Places a and b meet where 2r = a + b, which has one solution since n - 1 is odd: each two meet once. An entrant has the first
//! seat at r + k and the second at r less k, n/2 - 1 times each, so that sides differ by the encounter with the one who stands still at
//! most; and that one has either seat in turn.

use super::PairingInput;
use crate::encounter::{Encounter, EntrantId};

pub(super) fn pair(cycles: u8, input: &PairingInput<'_>) -> Option<Vec<Encounter>> {
    let field = input.seeding.len();
    let places = field + field % 2;
    let (cycle, round) = (input.rounds.len() / (places - 1), input.rounds.len() % (places - 1));
    (cycle < usize::from(cycles)).then(|| {
        let encounters = circle(places, round).into_iter().filter_map(|(first, second)| {
            let (first, second) = if cycle.is_multiple_of(2) { (first, second) } else { (second, first) };
            encounter(input.seeding.get(first).copied(), input.seeding.get(second).copied(), input)
        });
        encounters.collect()
    })
}

/// The places that meet in a round, the first seat first. The last place stands still.
fn circle(places: usize, round: usize) -> Vec<(usize, usize)> {
    let (still, around) = (places - 1, places - 1);
    let with_still = if round.is_multiple_of(2) { (round, still) } else { (still, round) };
    let others = (1..places / 2).map(|k| ((round + k) % around, (round + around - k) % around));
    std::iter::once(with_still).chain(others).collect()
}

/// The encounter of two places, of which one may be nobody's; none if one of the two has left.
fn encounter(
    first: Option<EntrantId>,
    second: Option<EntrantId>,
    input: &PairingInput<'_>,
) -> Option<Encounter> {
    let is_active = |entrant: &EntrantId| input.active.contains(entrant);
    match (first, second) {
        (Some(first), Some(second)) => {
            (is_active(&first) && is_active(&second)).then_some(Encounter::Pair { first, second })
        }
        (Some(entrant), None) | (None, Some(entrant)) => {
            is_active(&entrant).then_some(Encounter::Bye(entrant))
        }
        (None, None) => None,
    }
}
