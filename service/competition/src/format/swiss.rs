//! Swiss pairings: the pairing of all that costs least, as a matching of least weight.
//!
//! Each two who could meet have a cost, and so has each who could have the bye. Costs are numbers whose digits are the criteria, the weightier
//! first; no digit can be outweighed by all that stand behind it, since each has room for the sum over the whole field. So among all pairings
//! the one is found that is best by the first criterion, among those by the second, and so on: if there is a pairing without a rematch, it is
//! one without. There always is one while rounds are at most half of the field: everybody has then at least half of the field left to meet, and
//! such a graph has a cycle through all (Dirac), every other edge of which pairs all.

use integer_blossom::min_weight_perfect_matching;

use super::history::{History, Sides};
use super::{PairingInput, sides};
use crate::encounter::{Encounter, EntrantId};
use crate::settings::Points;
use crate::standings::points;

/// The criteria, the weightiest first, as the number of values that the sum of each over a field of [`crate::ENTRANTS_MAX`] can have. One
/// encounter has that over the number of encounters at most.
const RADIXES: [i128; 7] = [
    // Rematches, each up to 255.
    1 << 17,
    // Further byes of one entrant, up to 255.
    1 << 8,
    // Two who are both due the same side.
    1 << 10,
    // The score groups between the one with the bye and the lowest.
    1 << 10,
    // The squares of the score groups between those who meet.
    1 << 27,
    // Sides, each up to 15.
    1 << 13,
    // The squares of the places between who meets and who should, each place up to 1,023.
    1 << 29,
];

/// The cost of an encounter by the criteria of [`RADIXES`].
#[derive(Clone, Copy, Default)]
struct Cost {
    rematches: u32,
    further_byes: u32,
    side_clash: u32,
    bye_above: usize,
    float: usize,
    sides: u32,
    places: usize,
}

impl Cost {
    fn weight(self) -> i128 {
        let digits = [
            i128::from(self.rematches.min(255)),
            i128::from(self.further_byes.min(255)),
            i128::from(self.side_clash),
            self.bye_above as i128,
            self.float.pow(2) as i128,
            i128::from(self.sides.min(15)),
            self.places.pow(2) as i128,
        ];
        RADIXES.into_iter().zip(digits).fold(0, |weight, (radix, digit)| weight * radix + digit)
    }
}

/// An entrant by rank: the points, and the better seed where they are equal.
struct Ranked {
    entrant: EntrantId,
    /// The number of the score group, from 0 at the top.
    group: usize,
    /// The place in the score group, from 0.
    place: usize,
    /// The size of the score group.
    size: usize,
    sides: Sides,
}

pub(super) fn pair(rounds: u16, input: &PairingInput<'_>) -> Option<Vec<Encounter>> {
    if input.rounds.len() >= usize::from(rounds) {
        return None;
    }
    let history = History::of(input.rounds);
    let ranked = ranked(input, &history);
    let count = ranked.len();
    let groups = ranked.last().map_or(0, |last| last.group + 1);
    // Nobody stands behind the last if they are odd.
    let places = count + count % 2;
    let mut weights = vec![0; places * places];
    for one in 0..count {
        for other in one + 1..places {
            let cost = match ranked.get(other) {
                Some(_) => encounter_cost(&ranked, one, other, &history),
                None => Cost {
                    further_byes: history.byes(ranked[one].entrant),
                    bye_above: groups - 1 - ranked[one].group,
                    places: count - 1 - one,
                    ..Cost::default()
                },
            };
            weights[one * places + other] = cost.weight();
        }
    }
    let mates = min_weight_perfect_matching(&weights, places);
    let pairs = mates.into_iter().enumerate().filter(|(one, other)| one < other);
    // The bye comes last.
    let (byes, pairs): (Vec<_>, Vec<_>) = pairs.partition(|&(_, other)| other >= count);
    let mut encounters: Vec<Encounter> = pairs
        .into_iter()
        .enumerate()
        .map(|(index, (one, other))| {
            let is_even = (index + input.rounds.len()).is_multiple_of(2);
            sides::assign(ranked[one].entrant, ranked[other].entrant, &history, is_even)
        })
        .collect();
    encounters.extend(byes.into_iter().map(|(one, _)| Encounter::Bye(ranked[one].entrant)));
    Some(encounters)
}

fn ranked(input: &PairingInput<'_>, history: &History) -> Vec<Ranked> {
    let points = points::of(input.settings, input.rounds);
    let points = |entrant: EntrantId| points.get(&entrant).copied().unwrap_or(Points::ZERO);
    let mut order: Vec<EntrantId> =
        input.seeding.iter().copied().filter(|entrant| input.active.contains(entrant)).collect();
    // Sorting keeps the seeding where points are equal.
    order.sort_by_key(|&entrant| std::cmp::Reverse(points(entrant)));
    let groups = order.chunk_by(|&one, &other| points(one) == points(other)).enumerate();
    let ranked = groups.flat_map(|(group, members)| {
        members.iter().enumerate().map(move |(place, &entrant)| Ranked {
            entrant,
            group,
            place,
            size: members.len(),
            sides: history.sides(entrant),
        })
    });
    ranked.collect()
}

/// The cost of an encounter between two by their ranks, the better first.
fn encounter_cost(ranked: &[Ranked], better: usize, worse: usize, history: &History) -> Cost {
    let (one, other) = (&ranked[better], &ranked[worse]);
    let (float, distance) = (other.group - one.group, worse - better);
    // In a group the best meets the best of the lower half, and rather another one of the lower half than one of the upper; out of it the
    // last goes to the first of the next.
    let half = one.size / 2;
    let (due, same_half) =
        if float == 0 { (half.max(1), other.place < half || one.place >= half) } else { (1, false) };
    let same_way = (one.sides.balance * other.sides.balance).signum() > 0;
    let lesser = one.sides.balance.unsigned_abs().min(other.sides.balance.unsigned_abs());
    let both_had = one.sides.last == other.sides.last && one.sides.last != 0;
    Cost {
        rematches: history.met(one.entrant, other.entrant),
        side_clash: u32::from(same_way && lesser >= 2),
        float,
        sides: u32::from(both_had) + if same_way { 4 * lesser } else { 0 },
        places: distance.abs_diff(due) + if same_half { one.size } else { 0 },
        ..Cost::default()
    }
}
