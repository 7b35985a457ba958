//! Knockouts: a bracket in which the first seed meets the last, and the first two seeds can only meet in the final.

use std::collections::{BTreeMap, BTreeSet};

use super::history::History;
use super::{Decider, LevelWinner, PairingInput, sides};
use crate::encounter::{Encounter, EncounterResult, EntrantId};

pub(super) fn pair(decider: Decider, third_place: bool, input: &PairingInput<'_>) -> Option<Vec<Encounter>> {
    let lost = losses(decider, input.seeding, input.rounds);
    let alive = |entrant: &EntrantId| input.active.contains(entrant) && !lost.contains_key(entrant);
    let history = History::of(input.rounds);
    let mut blocks: BTreeMap<usize, Vec<EntrantId>> = BTreeMap::new();
    // The bracket is halved with each round: who is left of a block meets there, and who is alone in it has a bye.
    let level = u32::try_from(input.rounds.len() + 1).unwrap_or(u32::MAX);
    for (slot, seed) in bracket(input.seeding.len()).into_iter().enumerate() {
        if let Some(&entrant) = input.seeding.get(seed).filter(|entrant| alive(entrant)) {
            blocks.entry(slot.checked_shr(level).unwrap_or(0)).or_default().push(entrant);
        }
    }
    let left: usize = blocks.values().map(Vec::len).sum();
    if left < 2 {
        return None;
    }
    let pairs = blocks.values().flat_map(|block| block.chunks(2)).enumerate();
    let mut encounters: Vec<Encounter> = pairs
        .map(|(index, block)| match *block {
            [one, other] => meet(one, other, input, &history, index),
            _ => Encounter::Bye(block[0]),
        })
        .collect();
    // Two who are left in different parts of the bracket meet a round later.
    let is_final = matches!(encounters[..], [Encounter::Pair { .. }]);
    if third_place && is_final {
        let last = input.rounds.len().checked_sub(1);
        let beaten = input.seeding.iter().filter(|entrant| {
            input.active.contains(entrant) && last.is_some() && lost.get(entrant).copied() == last
        });
        if let [one, other] = *beaten.copied().collect::<Vec<_>>() {
            encounters.push(meet(one, other, input, &history, 1));
        }
    }
    Some(encounters)
}

/// The encounter of two, with the sides that they are due.
fn meet(
    one: EntrantId,
    other: EntrantId,
    input: &PairingInput<'_>,
    history: &History,
    index: usize,
) -> Encounter {
    let seed = |entrant| input.seeding.iter().position(|&seeded| seeded == entrant);
    let (better, other) = if seed(one) <= seed(other) { (one, other) } else { (other, one) };
    sides::assign(better, other, history, (index + input.rounds.len()).is_multiple_of(2))
}

/// The seeds, from 0, by their place in the bracket of a field; those beyond it are byes.
fn bracket(field: usize) -> Vec<usize> {
    let mut places = vec![0];
    while places.len() < field {
        let last = 2 * places.len() - 1;
        places = places.into_iter().flat_map(|seed| [seed, last - seed]).collect();
    }
    places
}

/// The winner of an encounter that is over: by points, else by the rule for what stays level.
fn winner(decider: Decider, seeding: &[EntrantId], result: &EncounterResult) -> Option<EntrantId> {
    let Encounter::Pair { first, second } = result.encounter else { return None };
    result.leader().or_else(|| {
        let first_is_better = seeding.iter().find(|&&seed| seed == first || seed == second) == Some(&first);
        let (better, lower) = if first_is_better { (first, second) } else { (second, first) };
        Some(match decider.then {
            LevelWinner::BetterSeed => better,
            LevelWinner::LowerSeed => lower,
        })
    })
}

/// The first round, from 0, in which each has lost.
fn losses(
    decider: Decider,
    seeding: &[EntrantId],
    rounds: &[Vec<EncounterResult>],
) -> BTreeMap<EntrantId, usize> {
    let mut lost = BTreeMap::new();
    for (round, results) in rounds.iter().enumerate() {
        for result in results.iter().filter(|result| result.is_over) {
            let winner = winner(decider, seeding, result);
            if let Some(loser) = winner.and_then(|winner| result.encounter.opponent_of(winner)) {
                lost.entry(loser).or_insert(round);
            }
        }
    }
    lost
}

/// The distance that each entrant has come: the number of rounds that they were not beaten in, or did not leave before, and among the
/// losers of the last four, true for who won the third place. More is better, and who is still in has come furthest.
pub(crate) fn reached(decider: Decider, input: &PairingInput<'_>) -> BTreeMap<EntrantId, (usize, bool)> {
    let lost = losses(decider, input.seeding, input.rounds);
    let mut third = BTreeSet::new();
    for (round, results) in input.rounds.iter().enumerate() {
        for result in results.iter().filter(|result| result.is_over) {
            let winner = winner(decider, input.seeding, result);
            third.extend(winner.filter(|winner| lost.get(winner).is_some_and(|&before| before < round)));
        }
    }
    let rounds_of = |entrant: EntrantId| {
        let last = input.rounds.iter().rposition(|round| round.iter().any(|one| one.encounter.has(entrant)));
        last.map_or(0, |last| last + 1)
    };
    let reached = input.seeding.iter().map(|&entrant| {
        let far = match lost.get(&entrant) {
            Some(&round) => round,
            None if input.active.contains(&entrant) => usize::MAX,
            None => rounds_of(entrant),
        };
        (entrant, (far, third.contains(&entrant)))
    });
    reached.collect()
}
