//! Laws of every format, and what each of those that don't pair by results covers.

use std::collections::{BTreeMap, BTreeSet};

use edgehill_competition::{
    CompetitionEvent, Due, Encounter, EncounterResult, EntrantId, EntrantStatus, Format, LadderOrder, Verdict,
};
use proptest::prelude::*;

use crate::driver::{Driver, Trouble, better_wins, entrant};
use crate::settings::{any_settings, length, settings};

/// The number of times that each two met, the lower id first.
fn meetings(rounds: &[Vec<EncounterResult>]) -> BTreeMap<[EntrantId; 2], usize> {
    let mut met = BTreeMap::new();
    for result in rounds.iter().flatten() {
        if let Encounter::Pair { first, second } = result.encounter {
            *met.entry([first.min(second), first.max(second)]).or_default() += 1;
        }
    }
    met
}

/// The number of encounters that each began on the first seat less that on the second.
pub(crate) fn balances(rounds: &[Vec<EncounterResult>]) -> BTreeMap<EntrantId, i32> {
    let mut balances = BTreeMap::new();
    for result in rounds.iter().flatten() {
        if let Encounter::Pair { first, second } = result.encounter {
            *balances.entry(first).or_default() += 1;
            *balances.entry(second).or_default() -= 1;
        }
    }
    balances
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// There is always something to do, and an end, whoever leaves and whatever is voided.
    #[test]
    fn every_format_ends(settings in any_settings(), entrants in 2_u16..=11, seed: u64, troubled: bool) {
        let trouble = if troubled { Trouble::MUCH } else { Trouble::NONE };
        let mut driver = Driver::start(&settings, entrants, seed, trouble);
        let mut rounds = 0;
        while driver.step() {
            let results = driver.competition.results();
            let is_open = results.iter().flatten().any(|result| !result.is_over);
            let waits = driver.competition.due().iter().any(|due| matches!(due, Due::Begin(_) | Due::Watch { .. }));
            prop_assert_eq!(is_open, waits);
            if results.len() > rounds {
                rounds = results.len();
                let mut seen = BTreeSet::new();
                for result in &results[rounds - 1] {
                    for one in result.encounter.entrants() {
                        prop_assert!(seen.insert(one), "{} twice in {:?}", one, results[rounds - 1]);
                        let status = driver.competition.entrant(one).unwrap().status;
                        prop_assert_eq!(status, EntrantStatus::Active);
                    }
                }
            }
        }
        prop_assert!(driver.competition.due().is_empty());
        prop_assert!(driver.competition.results().iter().flatten().all(|result| result.is_over));
    }

    #[test]
    fn a_round_robin_covers_each_two_once_a_cycle(entrants in 2_u16..=16, cycles in 1_u8..=4, seed: u64) {
        let settings = settings(Format::RoundRobin { cycles });
        let driver = Driver::start(&settings, entrants, seed, Trouble::NONE).play();
        let rounds = driver.competition.results();
        let met = meetings(&rounds);
        let places = usize::from(entrants + entrants % 2);
        prop_assert_eq!(rounds.len(), usize::from(cycles) * (places - 1));
        prop_assert_eq!(met.len(), usize::from(entrants) * usize::from(entrants - 1) / 2);
        prop_assert!(met.values().all(|&times| times == usize::from(cycles)));
        // Sides balance within one, and exactly where every second cycle swaps them.
        let bound = i32::from(cycles % 2);
        prop_assert!(balances(&rounds).values().all(|balance| balance.abs() <= bound));
        // Each of an odd number rests once a cycle.
        let byes = |one| rounds.iter().flatten().filter(|result| result.encounter == Encounter::Bye(one)).count();
        for number in 1..=entrants {
            prop_assert_eq!(byes(entrant(number)), usize::from(cycles) * usize::from(entrants % 2));
        }
    }

    #[test]
    fn a_gauntlet_covers_both_sides_once_a_cycle(
        challengers in 1_u16..=6,
        others in 1_u16..=9,
        cycles in 1_u8..=3,
        seed: u64,
    ) {
        let settings = settings(Format::Gauntlet { challengers, cycles });
        let driver = Driver::start(&settings, challengers + others, seed, Trouble::NONE).play();
        let rounds = driver.competition.results();
        let met = meetings(&rounds);
        prop_assert_eq!(met.len(), usize::from(challengers * others));
        for ([one, other], times) in met {
            prop_assert!(one.number() <= challengers && other.number() > challengers);
            prop_assert_eq!(times, usize::from(cycles));
        }
        prop_assert_eq!(rounds.len(), usize::from(cycles) * usize::from(challengers.max(others)));
    }

    /// Neighbours meet, and who beats somebody higher takes their place.
    #[test]
    fn a_ladder_goes_by_who_beats_a_neighbour(entrants in 2_u16..=9, rounds in 1_u16..=8, seed: u64) {
        let settings = settings(Format::Ladder { rounds, order: LadderOrder::Swap });
        let driver = Driver::start(&settings, entrants, seed, Trouble::NONE).play();
        let mut ladder: Vec<EntrantId> = (1..=entrants).map(entrant).collect();
        let results = driver.competition.results();
        prop_assert_eq!(results.len(), usize::from(rounds));
        for round in results {
            let before = ladder.clone();
            let place = |one| before.iter().position(|&other| other == one).unwrap();
            for result in round {
                let Encounter::Pair { first, second } = result.encounter else { panic!("a bye on a ladder") };
                let (first, second) = (place(first), place(second));
                prop_assert_eq!(first.abs_diff(second), 1);
                let lower = before[first.max(second)];
                if result.leader() == Some(lower) {
                    ladder.swap(first, second);
                }
            }
        }
        let standings = driver.competition.standings();
        let ranked: Vec<EntrantId> = standings.rows.iter().map(|row| row.entrant).collect();
        prop_assert_eq!(ranked, ladder);
        prop_assert!(standings.rows.iter().zip(1..).all(|(row, place)| row.rank == Some(place)));
    }

    #[test]
    fn in_a_series_everybody_plays_every_seed(entrants in 1_u16..=9, seeds in 1_u16..=8, seed: u64) {
        let settings = settings(Format::Series { seeds, least: 0, most: 10 });
        let driver = Driver::start(&settings, entrants, seed, Trouble::NONE).play();
        let rounds = driver.competition.results();
        prop_assert_eq!(rounds.len(), usize::from(seeds));
        let everybody: BTreeSet<EntrantId> = (1..=entrants).map(entrant).collect();
        for round in rounds {
            let played = round.iter().flat_map(|result| result.encounter.entrants()).collect::<BTreeSet<_>>();
            prop_assert_eq!(&played, &everybody);
        }
    }
}

/// The one who beats everybody comes to the top from the bottom, by rating.
#[test]
fn a_ladder_by_rating_puts_the_winner_on_top() {
    let settings = settings(Format::Ladder { rounds: 12, order: LadderOrder::Rating });
    let last_wins = |encounter: Encounter| Verdict::Win(encounter.entrants().max().unwrap());
    let driver = Driver::start(&settings, 6, 1, Trouble::NONE).play_by(last_wins);
    assert_eq!(driver.competition.standings().rows[0].entrant, entrant(6));
}

/// Each two matches of a mirrored encounter share a seed, and the sides are swapped in the second.
#[test]
fn matches_of_an_encounter_swap_sides_and_share_seeds() {
    use edgehill_competition::SeedGroup;
    let mut settings = settings(Format::RoundRobin { cycles: 1 });
    settings.encounter.length = length(4);
    settings.encounter.mirrored = true;
    let mut driver = Driver::start(&settings, 2, 1, Trouble::NONE);
    driver.settle(&better_wins);
    let planned: Vec<_> = driver
        .competition
        .due()
        .into_iter()
        .map(|due| match due {
            Due::Begin(planned) => planned,
            other => panic!("{other:?}"),
        })
        .collect();
    let (one, two) = (entrant(1), entrant(2));
    let told: Vec<_> = planned
        .iter()
        .map(|planned| (planned.slot.to_string(), planned.seats.clone(), planned.group.unwrap().to_string()))
        .collect();
    let expected = [
        ("1.1.1", vec![one, two], "1.1 pair 1"),
        ("1.1.2", vec![two, one], "1.1 pair 1"),
        ("1.1.3", vec![one, two], "1.1 pair 2"),
        ("1.1.4", vec![two, one], "1.1 pair 2"),
    ];
    assert_eq!(told, expected.map(|(slot, seats, group)| (slot.to_owned(), seats, group.to_owned())));

    // The step to watch says who has which seat, as the one to begin does.
    driver.write(CompetitionEvent::MatchBegun { slot: planned[3].slot, match_id: "d".to_owned() });
    assert!(driver.competition.due().contains(&Due::Watch {
        slot: planned[3].slot,
        seats: vec![two, one],
        match_id: "d".to_owned()
    }));

    // One half is voided: both are played again, on another seed.
    driver.write(CompetitionEvent::MatchBegun { slot: planned[0].slot, match_id: "a".to_owned() });
    driver.write(CompetitionEvent::MatchBegun { slot: planned[1].slot, match_id: "b".to_owned() });
    driver.write(CompetitionEvent::MatchEnded {
        slot: planned[1].slot,
        verdict: Verdict::Draw,
        evidence: String::new(),
    });
    driver.write(CompetitionEvent::MatchVoided {
        slot: planned[0].slot,
        replay: true,
        evidence: "power cut".to_owned(),
    });
    let again: Vec<_> = driver
        .competition
        .due()
        .into_iter()
        .filter_map(|due| match due {
            Due::Begin(planned) if planned.slot.index() < 2 => Some(planned),
            _ => None,
        })
        .collect();
    assert_eq!(again.len(), 2);
    for planned in again {
        assert_eq!(planned.slot.attempt.get(), 2);
        assert!(matches!(planned.group, Some(SeedGroup::Pair { attempt, .. }) if attempt.get() == 2));
    }
}

/// A mirrored match is voided before its partner has begun: the partner is due under another name and seed, too, so that one that was created for it and
/// not written down is not taken for it.
#[test]
fn partners_stay_in_step() {
    let mut settings = settings(Format::RoundRobin { cycles: 1 });
    settings.encounter.length = length(2);
    settings.encounter.mirrored = true;
    let mut driver = Driver::start(&settings, 2, 1, Trouble::NONE);
    driver.settle(&better_wins);
    let due = |driver: &Driver| -> Vec<(String, String)> {
        let each = driver.competition.due().into_iter().filter_map(|due| match due {
            Due::Begin(planned) => Some((planned.slot.to_string(), planned.group.unwrap().to_string())),
            _ => None,
        });
        each.collect()
    };
    let owned = |each: &[(&str, &str)]| -> Vec<(String, String)> {
        each.iter().map(|&(slot, group)| (slot.to_owned(), group.to_owned())).collect()
    };
    let void = |slot: &str| CompetitionEvent::MatchVoided {
        slot: slot.parse().unwrap(),
        replay: true,
        evidence: String::new(),
    };
    driver.settle(&better_wins);
    assert_eq!(due(&driver), owned(&[("1.1.2", "1.1 pair 1")]));
    driver.write(void("1.1.1"));
    assert_eq!(due(&driver), owned(&[("1.1.1/2", "1.1 pair 1/2"), ("1.1.2/2", "1.1 pair 1/2")]));
    let begin = |slot: &str| CompetitionEvent::MatchBegun {
        slot: slot.parse().unwrap(),
        match_id: format!("of {slot}"),
    };
    assert!(driver.competition.clone().apply(&begin("1.1.2")).is_err());
    driver.write(begin("1.1.2/2"));
    assert_eq!(due(&driver), owned(&[("1.1.1/2", "1.1 pair 1/2")]));
    driver.write(void("1.1.2/2"));
    assert_eq!(due(&driver), owned(&[("1.1.1/3", "1.1 pair 1/3"), ("1.1.2/3", "1.1 pair 1/3")]));
    let slots: Vec<_> = driver.competition.matches().map(|(slot, _)| slot.to_string()).collect();
    assert_eq!(slots, ["1.1.1", "1.1.2/2"]);
}
