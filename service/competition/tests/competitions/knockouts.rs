//! Knockouts.

use std::collections::BTreeSet;
use std::num::NonZeroU8;

use edgehill_competition::{
    CompetitionEvent, Decider, Encounter, EncounterLength, EntrantStatus, ForfeitReason, Format, LevelWinner,
    Verdict,
};
use proptest::prelude::*;

use crate::driver::{Driver, Trouble, better_wins, entrant};
use crate::settings::{KNOCKOUT, length, settings};

/// The encounters of each round by the numbers of their entrants, the lower first.
fn rounds(driver: &Driver) -> Vec<Vec<Vec<u16>>> {
    let encounter = |encounter: Encounter| {
        let mut numbers: Vec<u16> = encounter.entrants().map(|entrant| entrant.number()).collect();
        numbers.sort_unstable();
        numbers
    };
    let rounds = driver.competition.results();
    rounds.iter().map(|round| round.iter().map(|result| encounter(result.encounter)).collect()).collect()
}

fn ranks(driver: &Driver) -> Vec<(u16, Option<u32>)> {
    driver.competition.standings().rows.iter().map(|row| (row.entrant.number(), row.rank)).collect()
}

#[test]
fn the_first_seed_meets_the_last_and_the_best_have_byes() {
    let driver = Driver::start(&settings(KNOCKOUT), 6, 1, Trouble::NONE).play_by(better_wins);
    let expected = [
        vec![vec![1], vec![4, 5], vec![2], vec![3, 6]],
        vec![vec![1, 4], vec![2, 3]],
        // The final, and the third place.
        vec![vec![1, 2], vec![3, 4]],
    ];
    assert_eq!(rounds(&driver), expected);
    // The losers of the first round are tied.
    let expected =
        [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 5)].map(|(number, rank)| (number, Some(rank)));
    assert_eq!(ranks(&driver), expected);
    let sixteen = Driver::start(&settings(KNOCKOUT), 16, 1, Trouble::NONE).play_by(better_wins);
    let first = [[1, 16], [8, 9], [4, 13], [5, 12], [2, 15], [7, 10], [3, 14], [6, 11]];
    assert_eq!(rounds(&sixteen)[0], first.map(|pair| pair.to_vec()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Each encounter sends one away, and one is left.
    #[test]
    fn there_is_one_champion(entrants in 2_u16..=33, third_place: bool, seed: u64, lower: bool) {
        let then = if lower { LevelWinner::LowerSeed } else { LevelWinner::BetterSeed };
        let format = Format::Knockout { decider: Decider { replays: 1, then }, third_place };
        let trouble = Trouble { leaving: 0, voiding: 30, forfeits: 100 };
        let driver = Driver::start(&settings(format), entrants, seed, trouble).play();
        let results = driver.competition.results();
        let pairs = results.iter().flatten().filter(|result| matches!(result.encounter, Encounter::Pair { .. }));
        let extra = usize::from(third_place && entrants > 3);
        prop_assert_eq!(pairs.count(), usize::from(entrants) - 1 + extra);
        prop_assert_eq!(results.len(), usize::from(entrants).next_power_of_two().trailing_zeros() as usize);
        let standings = driver.competition.standings();
        let firsts = standings.rows.iter().filter(|row| row.rank == Some(1)).count();
        let seconds = standings.rows.iter().filter(|row| row.rank == Some(2)).count();
        prop_assert_eq!((firsts, seconds), (1, 1));
        let thirds = standings.rows.iter().filter(|row| row.rank == Some(3)).count();
        let expected = match entrants {
            2 => 0,
            3 => 1,
            _ if third_place => 1,
            _ => 2,
        };
        prop_assert_eq!(thirds, expected);
        // Byes in the first round alone.
        for round in &results[1..] {
            prop_assert!(round.iter().all(|result| !matches!(result.encounter, Encounter::Bye(_))));
        }
    }

    /// The one who is left over goes on, whoever leaves; the champion is one who was not beaten.
    #[test]
    fn who_is_left_goes_on(entrants in 2_u16..=17, seed: u64) {
        let trouble = Trouble { leaving: 40, voiding: 40, forfeits: 100 };
        let driver = Driver::start(&settings(KNOCKOUT), entrants, seed, trouble).play();
        let active = driver.competition.entrants().iter().filter(|one| one.status == EntrantStatus::Active);
        let active: BTreeSet<_> = active.map(|entrant| entrant.id).collect();
        let standings = driver.competition.standings();
        let firsts: Vec<_> = standings.rows.iter().filter(|row| row.rank == Some(1)).collect();
        prop_assert_eq!(firsts.is_empty(), standings.rows.iter().all(|row| row.rank.is_none()));
        // Some who left undefeated may be tied; who stayed undefeated is alone.
        if firsts.iter().any(|row| active.contains(&row.entrant)) {
            prop_assert_eq!(firsts.len(), 1);
        }
        // Nobody went on who was not there, and each round pairs those who were not beaten before.
        let results = driver.competition.results();
        for (round, later) in results.iter().zip(results.iter().skip(1)) {
            let beaten = |one| round.iter().any(|result| result.encounter.opponent_of(one).is_some_and(|_| {
                result.leader().is_some_and(|leader| leader != one) && result.encounter.has(one)
            }));
            // The last encounter of the last round is for the third place.
            let pairings = later.iter().enumerate().filter(|(index, _)| *index == 0 || later.len() > 2);
            for (_, result) in pairings {
                prop_assert!(!result.encounter.entrants().any(beaten));
            }
        }
    }
}

/// Level after all matches: one more, and then the rule.
#[test]
fn a_level_encounter_is_replayed_and_then_decided() {
    for (then, champion) in [(LevelWinner::BetterSeed, 1), (LevelWinner::LowerSeed, 2)] {
        let format = Format::Knockout { decider: Decider { replays: 2, then }, third_place: false };
        let driver = Driver::start(&settings(format), 2, 1, Trouble::NONE).play_by(|_| Verdict::Draw);
        let results = driver.competition.results();
        assert_eq!(results[0][0].verdicts, [Some(Verdict::Draw); 3]);
        assert_eq!(ranks(&driver)[0], (champion, Some(1)));
    }
    // Mirrored, deciders come in pairs; a win in the first is answered by the second.
    let mut mirrored = settings(KNOCKOUT);
    mirrored.encounter.length = length(2);
    mirrored.encounter.mirrored = true;
    let mut driver = Driver::start(&mirrored, 2, 1, Trouble::NONE);
    driver.settle(&better_wins);
    for number in 0..4 {
        let verdict = if number == 3 { Verdict::Win(entrant(2)) } else { Verdict::Draw };
        driver.settle(&move |_| verdict);
        driver.settle(&move |_| verdict);
    }
    assert_eq!(driver.competition.results()[0][0].verdicts.len(), 4);
    driver.settle(&better_wins);
    assert_eq!(ranks(&driver), [(2, Some(1)), (1, Some(2))]);
}

/// Best of five: over when what is left can't turn it.
#[test]
fn a_best_of_ends_when_it_is_decided() {
    let mut settings = settings(KNOCKOUT);
    settings.encounter.length = EncounterLength::BestOf(NonZeroU8::new(5).unwrap());
    for (verdicts, expected) in [
        (vec!['w', 'w', 'w'], 3),
        (vec!['w', 'l', 'w', 'w'], 4),
        (vec!['w', 'l', 'w', 'l', 'w'], 5),
        (vec!['w', 'w', 'd', 'd'], 4),
        (vec!['d', 'd', 'd', 'w', 'd'], 5),
        // Level, so one more decides.
        (vec!['w', 'd', 'd', 'd', 'l', 'w'], 6),
    ] {
        let mut driver = Driver::start(&settings, 2, 1, Trouble::NONE);
        driver.settle(&better_wins);
        for kind in &verdicts {
            // One at a time: it is begun, and ended.
            assert_eq!(driver.competition.due().len(), 1);
            let verdict = match kind {
                'w' => Verdict::Win(entrant(1)),
                'l' => Verdict::Win(entrant(2)),
                _ => Verdict::Draw,
            };
            driver.settle(&|_| verdict);
            driver.settle(&|_| verdict);
        }
        let result = &driver.competition.results()[0][0];
        assert_eq!((result.is_over, result.verdicts.len()), (true, expected), "{verdicts:?}");
        assert_eq!(result.leader(), Some(entrant(1)));
    }
}

/// An entrant that leaves in the middle of an encounter forfeits what is left of it.
#[test]
fn who_leaves_forfeits_what_has_not_begun() {
    let mut settings = settings(KNOCKOUT);
    settings.encounter.length = length(3);
    let mut driver = Driver::start(&settings, 2, 1, Trouble::NONE);
    driver.settle(&better_wins);
    driver.settle(&better_wins);
    driver.write(CompetitionEvent::Withdrawn { entrant: entrant(1) });
    // The match that was begun is watched to its end, and counts.
    driver.settle(&better_wins);
    let result = &driver.competition.results()[0][0];
    let forfeit = Verdict::Forfeit { entrant: entrant(1), reason: ForfeitReason::Absence };
    assert_eq!(result.verdicts, [Some(Verdict::Win(entrant(1))), Some(forfeit), Some(forfeit)]);
    driver.settle(&better_wins);
    assert_eq!(ranks(&driver), [(2, Some(1)), (1, Some(2))]);
}
