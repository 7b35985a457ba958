//! Swiss pairings: against all pairings that there are, and by their laws.

use std::collections::{BTreeMap, BTreeSet};

use edgehill_competition::{
    Competition, CompetitionEvent, Due, Encounter, EncounterResult, EntrantId, EntrantStatus, Format,
    PairingInput, Points, TieBreak, Verdict,
};
use proptest::prelude::*;

use crate::driver::{Driver, Trouble, better_wins, entrant};
use crate::formats::balances;
use crate::settings::settings;

/// The first criteria of docs/competitions.md, reckoned anew: rematches, further byes, clashes of sides, groups of the bye above the lowest,
/// and the squares of the groups between those who meet.
type Criteria = (u32, u32, u32, usize, usize);

/// The past, by the rounds alone.
struct Past {
    met: BTreeMap<[EntrantId; 2], u32>,
    byes: BTreeMap<EntrantId, u32>,
    balances: BTreeMap<EntrantId, i32>,
    /// The score group of each who is there, from 0 at the top.
    groups: BTreeMap<EntrantId, usize>,
}

impl Past {
    fn of(competition: &Competition) -> Self {
        let rounds = competition.results();
        let (mut met, mut byes) = (BTreeMap::new(), BTreeMap::new());
        for result in rounds.iter().flatten() {
            match result.encounter {
                Encounter::Pair { first, second } => {
                    *met.entry([first.min(second), first.max(second)]).or_default() += 1;
                }
                Encounter::Bye(one) => *byes.entry(one).or_default() += 1,
                Encounter::Solo(_) => {}
            }
        }
        let standings = competition.standings();
        let there: BTreeMap<EntrantId, Points> = standings
            .rows
            .iter()
            .filter(|row| row.status == EntrantStatus::Active)
            .map(|row| (row.entrant, row.points))
            .collect();
        let levels: BTreeSet<Points> = there.values().copied().collect();
        let group = |points: &Points| levels.iter().rev().position(|level| level == points).unwrap();
        let groups = there.iter().map(|(&one, points)| (one, group(points))).collect();
        Self { met, byes, balances: balances(&rounds), groups }
    }

    fn criteria(&self, encounters: &[Encounter]) -> Criteria {
        let lowest = self.groups.values().copied().max().unwrap_or_default();
        let mut sum = (0, 0, 0, 0, 0);
        for &encounter in encounters {
            match encounter {
                Encounter::Pair { first, second } => {
                    let key = [first.min(second), first.max(second)];
                    sum.0 += self.met.get(&key).copied().unwrap_or_default();
                    let balance = |one| self.balances.get(&one).copied().unwrap_or_default();
                    let (one, other) = (balance(first), balance(second));
                    sum.2 += u32::from((one >= 2 && other >= 2) || (one <= -2 && other <= -2));
                    sum.4 += self.groups[&first].abs_diff(self.groups[&second]).pow(2);
                }
                Encounter::Bye(one) => {
                    sum.1 += self.byes.get(&one).copied().unwrap_or_default();
                    sum.3 += lowest - self.groups[&one];
                }
                Encounter::Solo(_) => panic!("a Swiss is for two"),
            }
        }
        sum
    }
}

/// Every way to pair these.
fn pairings(left: &[EntrantId]) -> Vec<Vec<Encounter>> {
    fn go(left: &[EntrantId], with_bye: bool) -> Vec<Vec<Encounter>> {
        let Some((&one, rest)) = left.split_first() else { return vec![Vec::new()] };
        let mut all = Vec::new();
        for index in 0..rest.len() {
            let mut others = rest.to_vec();
            let other = others.remove(index);
            for mut pairing in go(&others, with_bye) {
                pairing.push(Encounter::Pair { first: one, second: other });
                all.push(pairing);
            }
        }
        if with_bye {
            for mut pairing in go(rest, false) {
                pairing.push(Encounter::Bye(one));
                all.push(pairing);
            }
        }
        all
    }
    go(left, left.len() % 2 == 1)
}

fn next_pairing(competition: &Competition) -> Option<Vec<Encounter>> {
    match competition.due().into_iter().next() {
        Some(Due::Pair { encounters, .. }) => Some(encounters),
        _ => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    /// No pairing of a small field is better than the one that is made, by the criteria in their order. So a legal one is found where there is one.
    #[test]
    fn no_pairing_is_better(entrants in 2_u16..=8, rounds in 1_u16..=9, seed: u64, leaving in 0_usize..30) {
        let trouble = Trouble { leaving, voiding: 10, forfeits: 50 };
        let mut driver = Driver::start(&settings(Format::Swiss { rounds }), entrants, seed, trouble);
        loop {
            if let Some(made) = next_pairing(&driver.competition) {
                let past = Past::of(&driver.competition);
                let there: Vec<EntrantId> = past.groups.keys().copied().collect();
                let best = pairings(&there).iter().map(|pairing| past.criteria(pairing)).min().unwrap();
                prop_assert_eq!(past.criteria(&made), best);
            }
            if !driver.step() {
                break;
            }
        }
    }

    /// While rounds are at most half of the field, nobody meets anybody twice, nobody has two byes, and nobody has a side three times more than
    /// the other.
    #[test]
    fn rounds_up_to_half_of_the_field_are_legal(entrants in 4_u16..=40, seed: u64, forfeits in 0_usize..300) {
        let places = entrants + entrants % 2;
        let trouble = Trouble { forfeits, ..Trouble::NONE };
        let driver = Driver::start(&settings(Format::Swiss { rounds: places / 2 }), entrants, seed, trouble).play();
        let rounds = driver.competition.results();
        prop_assert_eq!(rounds.len(), usize::from(places / 2));
        let (mut met, mut rested) = (BTreeSet::new(), BTreeSet::new());
        for result in rounds.iter().flatten() {
            match result.encounter {
                Encounter::Pair { first, second } => {
                    prop_assert!(met.insert([first.min(second), first.max(second)]), "a rematch");
                }
                Encounter::Bye(one) => prop_assert!(rested.insert(one), "a second bye of {}", one),
                Encounter::Solo(_) => prop_assert!(false, "a Swiss is for two"),
            }
        }
        let worst = balances(&rounds).values().map(|balance| balance.abs()).max().unwrap();
        prop_assert!(worst <= 3, "{}", worst);
        for round in &rounds {
            prop_assert_eq!(round.len(), usize::from(places / 2));
        }
    }

    /// In rounds up to half of the field nobody has a second bye, however long it goes on.
    #[test]
    fn byes_go_round(entrants in 1_u16..=6, seed: u64) {
        let entrants = 2 * entrants + 1;
        let settings = settings(Format::Swiss { rounds: entrants });
        let driver = Driver::start(&settings, entrants, seed, Trouble::NONE).play();
        let rounds = driver.competition.results();
        let byes = |rounds: &[Vec<EncounterResult>], one| {
            rounds.iter().flatten().filter(|result| result.encounter == Encounter::Bye(one)).count()
        };
        let half = usize::from(entrants / 2);
        for number in 1..=entrants {
            prop_assert!(byes(&rounds[..half], entrant(number)) <= 1);
        }
    }
}

/// The first round: the upper half meets the lower, with the sides in turn.
#[test]
fn the_upper_half_meets_the_lower() {
    let driver = Driver::start(&settings(Format::Swiss { rounds: 3 }), 9, 1, Trouble::NONE);
    let pair = |first, second| Encounter::Pair { first: entrant(first), second: entrant(second) };
    let expected = vec![pair(1, 5), pair(6, 2), pair(3, 7), pair(8, 4), Encounter::Bye(entrant(9))];
    assert_eq!(next_pairing(&driver.competition), Some(expected));
}

/// The second round: winners meet winners.
#[test]
fn like_points_meet() {
    let mut driver = Driver::start(&settings(Format::Swiss { rounds: 3 }), 8, 1, Trouble::NONE);
    driver.settle(&better_wins);
    driver.play_round(better_wins);
    let second = next_pairing(&driver.competition).unwrap();
    let groups: Vec<BTreeSet<u16>> =
        second.iter().map(|encounter| encounter.entrants().map(EntrantId::number).collect()).collect();
    assert_eq!(groups, [[1, 4], [2, 3], [5, 8], [6, 7]].map(BTreeSet::from));
    // 1 and 3 had the first seat, so that they don't meet, and get the second.
    assert_eq!(second[0], Encounter::Pair { first: entrant(4), second: entrant(1) });
}

#[test]
fn seeds_by_rating_come_before_the_order_of_enrolment() {
    let settings = settings(Format::Swiss { rounds: 1 });
    let mut competition = Competition::create(settings).unwrap();
    for (number, rating) in [(1, None), (2, Some(-5)), (3, Some(1700)), (4, Some(1700)), (5, None)] {
        let name = format!("bot {number}");
        competition.apply(&CompetitionEvent::Enrolled { entrant: entrant(number), name, rating }).unwrap();
    }
    competition.apply(&CompetitionEvent::Started).unwrap();
    assert_eq!(competition.seeding(), [3, 4, 2, 1, 5].map(entrant));
}

/// Six who have played three rounds as two triangles would: everybody can meet two more, but never all at once. One rematch has to be, and no
/// more than one.
#[test]
fn where_there_is_no_legal_pairing_there_is_one_rematch() {
    let mut driver = Driver::start(&settings(Format::Swiss { rounds: 4 }), 6, 1, Trouble::NONE);
    let pair = |first, second| Encounter::Pair { first: entrant(first), second: entrant(second) };
    for shift in 0..3 {
        let encounters = (0..3).map(|one| pair(one + 1, (one + shift) % 3 + 4)).collect();
        let Some(Due::Pair { round, .. }) = driver.competition.due().into_iter().next() else { panic!() };
        driver.write(CompetitionEvent::RoundPaired { round, encounters });
        driver.play_round(|_| Verdict::Draw);
    }
    let made = next_pairing(&driver.competition).unwrap();
    assert_eq!(Past::of(&driver.competition).criteria(&made).0, 1);
}

/// A field of the most entrants is paired, and the weights don't overflow.
#[test]
fn the_largest_field_is_paired() {
    let mut settings = settings(Format::Swiss { rounds: 3 });
    settings.tie_breaks = vec![TieBreak::Buchholz];
    let entrants = edgehill_competition::ENTRANTS_MAX as u16 - 1;
    let mut driver = Driver::start(&settings, entrants, 1, Trouble::NONE);
    // Odd, so that the last one rests.
    for _ in 0..2 {
        driver.settle(&better_wins);
        let due: Vec<Due> = driver.competition.due();
        for one in &due {
            let event = driver.answer(one);
            driver.write(event);
        }
        for one in &driver.competition.due() {
            let event = driver.answer(one);
            driver.write(event);
        }
    }
    let (results, seeding) = (driver.competition.results(), driver.competition.seeding());
    let active = seeding.iter().copied().collect();
    let input = PairingInput { settings: &settings, seeding, active: &active, rounds: &results };
    let edgehill_competition::NextRound::Pair(encounters) = settings.format.next_round(&input) else {
        panic!("a third round follows")
    };
    assert_eq!(encounters.len(), usize::from(entrants / 2) + 1);
    let past = Past::of(&driver.competition);
    let (rematches, further_byes, ..) = past.criteria(&encounters);
    assert_eq!((rematches, further_byes), (0, 0));
}
