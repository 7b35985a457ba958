//! Laws of standings.

use edgehill_competition::rating::RatingSystem;
use edgehill_competition::{
    Competition, CompetitionEvent, Encounter, EntrantStatus, ForfeitRule, Format, PointBasis, Points,
    Standings, TieBreak, Verdict, WithdrawalRule,
};
use proptest::prelude::*;

use crate::driver::{Driver, Trouble, better_wins, entrant};
use crate::settings::{any_settings, length, settings};

fn check_rows(standings: &Standings) -> Result<(), TestCaseError> {
    let ranks: Vec<Option<u32>> = standings.rows.iter().map(|row| row.rank).collect();
    // 1, 2, 2, 4: a rank is one more than there are better ones; those without one come last.
    for (index, rank) in ranks.iter().enumerate() {
        match rank {
            Some(rank) => {
                prop_assert!(ranks[..index].iter().all(Option::is_some));
                let better = ranks.iter().filter(|other| other.is_some_and(|other| other < *rank)).count();
                prop_assert_eq!(*rank as usize, better + 1);
            }
            None => prop_assert!(ranks[index..].iter().all(Option::is_none)),
        }
    }
    for row in &standings.rows {
        for estimate in [row.score, row.rating.map(|rating| rating.rating)].into_iter().flatten() {
            prop_assert!(estimate.low <= estimate.value && estimate.value <= estimate.high);
        }
    }
    for (&(one, other), cell) in &standings.cross_table {
        let turned = &standings.cross_table[&(other, one)];
        prop_assert_eq!(
            cell.tally.wins + cell.tally.draws + cell.tally.losses,
            turned.tally.wins + turned.tally.draws + turned.tally.losses
        );
        prop_assert_eq!(cell.tally.draws, turned.tally.draws);
        let (cell, turned) = (cell.difference, turned.difference);
        prop_assert_eq!(cell.is_some(), turned.is_some());
        if let Some((cell, turned)) = cell.zip(turned) {
            prop_assert!((cell.value + turned.value).abs() < 1e-9);
            prop_assert!((cell.low + turned.high).abs() < 1e-9);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn sums_hold(settings in any_settings(), entrants in 2_u16..=9, seed: u64, steps in 0_usize..200) {
        let mut driver = Driver::start(&settings, entrants, seed, Trouble::MUCH);
        for _ in 0..steps {
            driver.step();
        }
        let standings = driver.competition.standings();
        check_rows(&standings)?;
        prop_assert_eq!(standings.rows.len(), usize::from(entrants));
        let annulled = |one| {
            settings.policy.withdrawals == WithdrawalRule::ResultsAnnulled
                && driver.competition.entrant(one).unwrap().status != EntrantStatus::Active
        };
        let results = driver.competition.results();
        let counting: Vec<_> = results
            .iter()
            .flatten()
            .filter(|result| !result.encounter.entrants().any(annulled))
            .flat_map(|result| result.counting().map(move |verdict| (result.encounter, verdict)))
            .filter(|(encounter, _)| matches!(encounter, Encounter::Pair { .. }))
            .collect();
        let both = counting.iter().filter(|(_, verdict)| matches!(verdict, Verdict::BothForfeit(_))).count() as u32;
        let sum = |of: fn(&edgehill_competition::MatchTally) -> u32| -> u32 {
            standings.rows.iter().map(|row| of(&row.tally)).sum()
        };
        let (wins, draws, losses) = (sum(|tally| tally.wins), sum(|tally| tally.draws), sum(|tally| tally.losses));
        prop_assert_eq!(wins + draws + losses, 2 * counting.len() as u32);
        prop_assert_eq!(losses, wins + 2 * both);
        if settings.points.basis == PointBasis::Matches && !settings.format.is_solitaire() {
            // A point for each match that not both have forfeited, and those of byes.
            let byes: u32 = standings.rows.iter().map(|row| row.byes).sum();
            let of_bye = match settings.format {
                Format::Swiss { .. } => 2 * u32::from(settings.encounter.length.most().get()),
                _ => 0,
            };
            let points: u32 = standings.rows.iter().map(|row| row.points.halves()).sum();
            prop_assert_eq!(points, 2 * (counting.len() as u32 - both) + byes * of_bye);
            // The cross table has what everybody got of everybody.
            for row in &standings.rows {
                let cells = standings.cross_table.iter().filter(|((one, _), _)| *one == row.entrant);
                let across: Points = cells.map(|(_, cell)| cell.points).sum();
                prop_assert_eq!(across.halves() + row.byes * of_bye, row.points.halves());
            }
        }
    }

    /// Names, ids of matches and evidence make no difference, nor does the order in which matches of a round ended.
    #[test]
    fn standings_follow_from_verdicts_alone(entrants in 2_u16..=8, seed: u64) {
        let mut settings = settings(Format::RoundRobin { cycles: 2 });
        settings.ratings = Some(RatingSystem::Glicko2);
        settings.tie_breaks = vec![TieBreak::SonnebornBerger, TieBreak::Wins, TieBreak::Buchholz];
        let verdict = |encounter: Encounter| {
            let numbers: u64 = encounter.entrants().map(|one| u64::from(one.number())).sum();
            match numbers.wrapping_mul(seed | 1) >> 8 & 3 {
                0 => Verdict::Draw,
                _ => better_wins(encounter),
            }
        };
        let one = Driver::start(&settings, entrants, 1, Trouble::NONE).play_by(verdict);
        let mut other = Driver::start(&settings, entrants, seed, Trouble::NONE);
        while other.competition.phase() == edgehill_competition::CompetitionPhase::Running {
            let due = other.competition.due();
            let chosen = other.below(due.len());
            let event = match &due[chosen] {
                edgehill_competition::Due::Watch { slot, .. } => {
                    let id = slot.encounter;
                    let encounter = other.competition.results()[id.round.index()][id.index()].encounter;
                    CompetitionEvent::MatchEnded { slot: *slot, verdict: verdict(encounter), evidence: "x".to_owned() }
                }
                due => other.answer(due),
            };
            other.write(event);
        }
        prop_assert_eq!(one.competition.standings(), other.competition.standings());
    }
}

/// A round robin of four in which the last leaves after two rounds, having lost to the first and drawn with the second.
fn with_a_withdrawal(rule: WithdrawalRule) -> Competition {
    let mut settings = settings(Format::RoundRobin { cycles: 1 });
    settings.policy.withdrawals = rule;
    let mut driver = Driver::start(&settings, 4, 1, Trouble::NONE);
    for _ in 0..2 {
        driver.settle(&better_wins);
        driver.play_round(better_wins);
    }
    driver.write(CompetitionEvent::Withdrawn { entrant: entrant(4) });
    driver.play_by(better_wins).competition
}

#[test]
fn results_of_who_left_stand_or_are_annulled() {
    let met = |competition: &Competition| {
        let results = competition.results();
        results.iter().flatten().filter(|result| result.encounter.has(entrant(4))).count() as u32
    };
    let stand = with_a_withdrawal(WithdrawalRule::ResultsStand);
    assert_eq!(met(&stand), 2);
    let standings = stand.standings();
    // The third has lost to both others, and did not meet the last.
    assert_eq!((standings.rows[2].rank, standings.rows[3].rank), (Some(3), Some(3)));
    assert_eq!(standings.rows[3].tally.losses, 2);
    let all: u32 = standings.rows.iter().map(|row| row.points.halves()).sum();
    assert_eq!(all, 2 * 5);

    let annulled = with_a_withdrawal(WithdrawalRule::ResultsAnnulled).standings();
    assert_eq!(annulled.rows[3].rank, None);
    assert_eq!(annulled.rows[3].tally.losses, 0);
    // Three matches are left, among three.
    let all: Vec<u32> = annulled.rows.iter().map(|row| row.points.halves()).collect();
    assert_eq!(all, [4, 2, 0, 0]);
    assert!(annulled.cross_table.keys().all(|(one, other)| *one != entrant(4) && *other != entrant(4)));
}

/// One encounter of a pair: a win, and a forfeit of the winner.
#[test]
fn forfeits_count_as_the_policy_says() {
    use edgehill_competition::ForfeitReason;
    for (rule, matches_rated) in [(ForfeitRule::Played, 2), (ForfeitRule::Unplayed, 1)] {
        let mut settings = settings(Format::RoundRobin { cycles: 1 });
        settings.encounter.length = length(2);
        settings.ratings = Some(RatingSystem::WengLin);
        settings.policy.forfeits = rule;
        let mut driver = Driver::start(&settings, 2, 1, Trouble::NONE);
        driver.settle(&better_wins);
        let one = entrant(1);
        driver.settle(&better_wins);
        driver.settle(&better_wins);
        driver.settle(&better_wins);
        driver.settle(&|_| Verdict::Forfeit { entrant: one, reason: ForfeitReason::Time });
        let standings = driver.competition.standings();
        let row = standings.row(one).unwrap();
        // Points and counts have it in any case.
        assert_eq!((row.points.halves(), row.tally.wins, row.tally.losses, row.tally.forfeits), (2, 1, 1, 1));
        assert_eq!(row.rating.unwrap().results, matches_rated);
        let expected = if rule == ForfeitRule::Played { 0.5 } else { 1.0 };
        assert_eq!(row.score.unwrap().value, expected);
    }
}

/// Two matches with one seed are one observation, and one result of a rating.
#[test]
fn a_mirrored_pair_is_one_observation() {
    let mut settings = settings(Format::RoundRobin { cycles: 1 });
    settings.encounter.length = length(8);
    settings.ratings = Some(RatingSystem::Glicko2);
    let play = |mirrored| {
        let mut settings = settings.clone();
        settings.encounter.mirrored = mirrored;
        let mut driver = Driver::start(&settings, 2, 1, Trouble::NONE);
        driver.settle(&better_wins);
        // The first seat wins, but for the last match.
        for number in 0..8 {
            let winner = if number % 2 == 0 || number == 7 { 1 } else { 2 };
            driver.settle(&better_wins);
            driver.settle(&|_| Verdict::Win(entrant(winner)));
        }
        driver.competition.standings()
    };
    let (pairs, matches) = (play(true), play(false));
    let score = |standings: &Standings| standings.row(entrant(1)).unwrap().score.unwrap();
    assert_eq!((score(&pairs).value, score(&matches).value), (5.0 / 8.0, 5.0 / 8.0));
    // Three pairs of one point, and one of two: half-points 2, 2, 2, 4 with the standard error 1/2, and t of 3 degrees 3.182.
    let half = 3.182_446_305_283_71 * 0.5 / 4.0;
    assert_eq!(score(&pairs).high, 1.0);
    assert!((score(&pairs).low - (0.625 - half)).abs() < 1e-12);
    assert!(score(&matches).low < score(&pairs).low);
    let results = |standings: &Standings| standings.row(entrant(1)).unwrap().rating.unwrap().results;
    assert_eq!((results(&pairs), results(&matches)), (4, 8));
    // The other has the same, turned round.
    let difference = pairs.difference(entrant(2), entrant(1)).unwrap();
    assert!((difference.value + 0.25).abs() < 1e-12);
    assert!(pairs.row(entrant(1)).unwrap().rating.unwrap().provisional);
}

/// Points of encounters: more wins than losses win one, however many there are.
#[test]
fn an_encounter_can_count_as_one() {
    let mut settings = settings(Format::RoundRobin { cycles: 1 });
    settings.encounter.length = length(3);
    settings.points.basis = PointBasis::Encounters;
    settings.points.win = Points::of_halves(6);
    settings.points.draw = Points::of_halves(2);
    let mut driver = Driver::start(&settings, 2, 1, Trouble::NONE);
    driver.settle(&better_wins);
    for verdict in [Verdict::Win(entrant(2)), Verdict::Draw, Verdict::Draw] {
        // An encounter that is not over gives nobody anything.
        assert_eq!(driver.competition.standings().rows[0].points, Points::ZERO);
        driver.settle(&|_| verdict);
        driver.settle(&|_| verdict);
    }
    let points: Vec<_> =
        driver.competition.standings().rows.iter().map(|row| row.points.to_string()).collect();
    assert_eq!(points, ["3", "0"]);
}

/// A loss that was played is worth more than one that was not, where the settings say so.
#[test]
fn a_forfeit_has_points_of_its_own() {
    use edgehill_competition::{ForfeitReason, PointRules};
    let (one, two) = (entrant(1), entrant(2));
    let both = Verdict::BothForfeit(ForfeitReason::Absence);
    let time = Verdict::Forfeit { entrant: one, reason: ForfeitReason::Time };
    let points = |basis, verdicts: &[Verdict]| {
        let mut settings = settings(Format::RoundRobin { cycles: 1 });
        settings.encounter.length = length(verdicts.len() as u8);
        let halves = Points::of_halves;
        settings.points = PointRules {
            basis,
            win: halves(6),
            draw: halves(4),
            loss: halves(2),
            forfeit: halves(1),
            bye: halves(0),
        };
        let mut driver = Driver::start(&settings, 2, 1, Trouble::NONE);
        driver.settle(&better_wins);
        for &verdict in verdicts {
            driver.settle(&better_wins);
            driver.settle(&|_| verdict);
        }
        let standings = driver.competition.standings();
        [one, two].map(|entrant| standings.row(entrant).unwrap().points.halves())
    };
    assert_eq!(points(PointBasis::Matches, &[Verdict::Win(two)]), [2, 6]);
    assert_eq!(points(PointBasis::Matches, &[time]), [1, 6]);
    assert_eq!(points(PointBasis::Matches, &[both]), [1, 1]);
    assert_eq!(
        points(PointBasis::Matches, &[Verdict::Loss(two), time, Verdict::Draw]),
        [6 + 1 + 4, 2 + 6 + 4]
    );
    // An encounter that is lost by forfeits is lost; one that both have forfeited altogether is not drawn.
    assert_eq!(points(PointBasis::Encounters, &[time, time]), [2, 6]);
    assert_eq!(points(PointBasis::Encounters, &[both, both]), [1, 1]);
    assert_eq!(points(PointBasis::Encounters, &[both, Verdict::Draw]), [4, 4]);
}

/// A series ranks by the mean, with what was forfeited or left as the least.
#[test]
fn a_series_ranks_by_the_mean() {
    let mut driver =
        Driver::start(&settings(Format::Series { seeds: 2, least: 0, most: 100 }), 4, 1, Trouble::NONE);
    let score = |encounter: Encounter| {
        let entrant = encounter.entrants().next().unwrap();
        Verdict::Score { entrant, score: [60, 90, 50, 60][entrant.index()] }
    };
    driver.settle(&score);
    driver.play_round(score);
    // The second has the best score, and leaves.
    driver.write(CompetitionEvent::Withdrawn { entrant: entrant(2) });
    let driver = driver.play_by(score);
    let standings = driver.competition.standings();
    let told: Vec<_> = standings
        .rows
        .iter()
        .map(|row| (row.entrant.number(), row.rank.unwrap(), row.score.unwrap().value))
        .collect();
    assert_eq!(told, [(1, 1, 60.0), (4, 1, 60.0), (3, 3, 50.0), (2, 4, 45.0)]);
    assert_eq!(standings.difference(entrant(1), entrant(3)).unwrap().value, 10.0);
    assert_eq!(standings.difference(entrant(1), entrant(4)).unwrap().value, 0.0);
}
