//! Ratings against those that others compute.

use edgehill_competition::MatchOutcome::{self, Draw, Loss, Win};
use edgehill_competition::rating::{
    DEVIATION_SHARE_MAX, PoolRating, RESULTS_MIN, RatedResult, RatingError, RatingPool, RatingSystem,
};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin};

use crate::close;
use crate::volume::volume;

const SYSTEMS: [RatingSystem; 2] = [RatingSystem::WengLin, RatingSystem::Glicko2];

const fn result<'a>(first: &'a str, second: &'a str, outcome: MatchOutcome, period: u32) -> RatedResult<'a> {
    RatedResult { first, second, outcome, period }
}

/// Of openskill 6.2.0 (PyPI): `m = BradleyTerryFull(tau=0.0, kappa=1e-6)`, all from `m.rating()`, and for each result in turn
/// `m.rate([[first], [second]], ranks=...)` with the ranks 1, 2 for a win, 1, 1 for a draw and 2, 1 for a loss.
#[test]
fn weng_lin_is_that_of_openskill() {
    let results = [
        ("ada", "ben", Win),
        ("cid", "dot", Draw),
        ("ada", "cid", Loss),
        ("ben", "dot", Win),
        ("ada", "dot", Win),
        ("ben", "cid", Draw),
        ("dot", "ada", Loss),
        ("cid", "ben", Win),
        ("cid", "ada", Win),
        ("dot", "ben", Draw),
        ("ben", "ada", Loss),
        ("dot", "cid", Loss),
    ];
    let results = results.map(|(first, second, outcome)| result(first, second, outcome, 0));
    let pool = RatingPool::of(RatingSystem::WengLin, &results).unwrap();
    for (name, rating, deviation) in [
        ("ada", 28.37909111582958, 6.945635552678264),
        ("ben", 20.97413778642648, 6.94068797071675),
        ("cid", 32.92143016251445, 6.980944842215043),
        ("dot", 17.713663822229407, 7.002097303827754),
    ] {
        let given = pool.rating(name).unwrap();
        close(given.rating.value, rating, 1e-12);
        close(given.deviation, deviation, 1e-12);
        assert_eq!(given.results, 6);
        close(given.rating.high - given.rating.value, 1.959_963_984_540_054 * deviation, 1e-12);
        close(given.rating.value - given.rating.low, 1.959_963_984_540_054 * deviation, 1e-12);
    }
    let names: Vec<&str> = pool.ratings().iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["cid", "ada", "ben", "dot"]);
}

/// The same model and call with ratings that are no newcomers': (42, 1.3) beats (25, 25/3).
#[test]
fn weng_lin_of_unequals_is_that_of_openskill() {
    let (known, newcomer) = (WengLinRating { rating: 42.0, uncertainty: 1.3 }, WengLinRating::new());
    let (known, newcomer) = weng_lin(&known, &newcomer, &Outcomes::WIN, &WengLinConfig::new());
    for (given, expected) in [
        (known.rating, 42.026412401802894),
        (known.uncertainty, 1.2998230532770783),
        (newcomer.rating, 23.91467776944046),
        (newcomer.uncertainty, 8.029022445649296),
    ] {
        close(given, expected, 1e-12);
    }
}

/// M. Glickman, "Example of the Glicko-2 system" (2012): a player of 1500, 200, 0.06 beats 1400 (30) and loses to 1550 (100) and 1700 (300), in
/// one period: 1464.06, 151.52, 0.05999.
#[test]
fn glicko2_is_that_of_its_paper() {
    let rated = |rating, deviation| Glicko2Rating { rating, deviation, volatility: 0.06 };
    let results = [
        (rated(1400.0, 30.0), Outcomes::WIN),
        (rated(1550.0, 100.0), Outcomes::LOSS),
        (rated(1700.0, 300.0), Outcomes::LOSS),
    ];
    let after = glicko2_rating_period(&rated(1500.0, 200.0), &results, &Glicko2Config::new());
    assert!((after.rating - 1464.06).abs() < 0.01, "{after:?}");
    assert!((after.deviation - 151.52).abs() < 0.01, "{after:?}");
    assert!((after.volatility - 0.05999).abs() < 0.00001, "{after:?}");
}

/// The steps of that paper, by hand, for newcomers in the first period and for the one who pauses in the second.
#[test]
fn results_of_a_period_count_together() {
    let first = [result("ada", "ben", Win, 4), result("ada", "cid", Win, 4), result("ben", "cid", Draw, 4)];
    let newcomer = Glicko2Rating::new();
    let config = Glicko2Config::new();
    let rated = |results: &[Outcomes]| {
        let results: Vec<_> = results.iter().map(|&outcome| (newcomer, outcome)).collect();
        glicko2_rating_period(&newcomer, &results, &config)
    };
    let (ada, ben) = (rated(&[Outcomes::WIN, Outcomes::WIN]), rated(&[Outcomes::LOSS, Outcomes::DRAW]));
    let mut pool = RatingPool::of(RatingSystem::Glicko2, &first).unwrap();
    let told = |pool: &RatingPool, name| {
        let PoolRating { rating, deviation, .. } = pool.rating(name).unwrap();
        (rating.value, deviation)
    };
    assert_eq!(told(&pool, "ada"), (ada.rating, ada.deviation));
    assert_eq!(told(&pool, "ben"), (ben.rating, ben.deviation));

    // In period 7 Ada and Ben meet at what they were, after two periods without any result.
    let aged = |rating: Glicko2Rating, periods: f64| {
        let square = (rating.deviation / 173.7178).powi(2) + periods * rating.volatility.powi(2);
        Glicko2Rating { deviation: square.sqrt() * 173.7178, ..rating }
    };
    let (ada, ben, cid) = (aged(ada, 2.0), aged(ben, 2.0), aged(ben, 3.0));
    pool.add(&result("ben", "ada", Win, 7)).unwrap();
    let expected = glicko2_rating_period(&ben, &[(ada, Outcomes::WIN)], &config);
    close(told(&pool, "ben").0, expected.rating, 1e-12);
    close(told(&pool, "ben").1, expected.deviation, 1e-12);
    // Cid, who pauses, is a period older when the next begins.
    pool.add(&result("ben", "ada", Win, 8)).unwrap();
    close(told(&pool, "cid").1, cid.deviation, 1e-12);
    pool.add(&result("ben", "ada", Win, u32::MAX)).unwrap();
    assert_eq!(told(&pool, "cid").1, 350.0);
}

/// Results of a season between eight, in the order in which they came.
fn season(seed: u64, results: usize) -> Vec<RatedResult<'static>> {
    const NAMES: [&str; 8] = ["ada", "ben", "cid", "dot", "eve", "fay", "gus", "hal"];
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut below = |most: usize| rng.next_u32() as usize % most;
    let mut period = 0;
    let results = (0..results).map(|_| {
        let one = below(8);
        let other = (one + 1 + below(7)) % 8;
        period += u32::from(below(10) == 0);
        result(NAMES[one], NAMES[other], [Loss, Draw, Win][below(3)], period)
    });
    results.collect()
}

#[test]
fn ratings_are_recomputed_to_the_last_digit() {
    let volume = volume(400);
    for system in SYSTEMS {
        for case in 0..volume.cases as u64 {
            let season = season(volume.seed.wrapping_add(case), 200);
            let mut kept = RatingPool::new(system);
            for (index, one) in season.iter().enumerate() {
                kept.add(one).unwrap();
                if index % 50 == 49 {
                    let anew = RatingPool::of(system, &season[..=index]).unwrap();
                    assert_eq!(bits(&kept), bits(&anew), "{system:?}, case {case}");
                }
            }
            // Others in other pools make no difference, and the order of results does.
            let mut turned = season.clone();
            turned.reverse();
            turned.iter_mut().for_each(|one| one.period = 0);
            assert_ne!(bits(&kept), bits(&RatingPool::of(system, &turned).unwrap()));
        }
    }
}

/// All ratings of a pool, to the last digit.
fn bits(pool: &RatingPool) -> Vec<(&str, [u64; 4], u32, bool)> {
    let told = |(name, one): &(_, PoolRating)| {
        let numbers = [one.rating.value, one.rating.low, one.rating.high, one.deviation];
        assert!(numbers.iter().all(|number| number.is_finite()));
        (*name, numbers.map(f64::to_bits), one.results, one.provisional)
    };
    pool.ratings().iter().map(told).collect()
}

#[test]
fn a_rating_is_provisional_until_it_rests_on_enough() {
    for system in SYSTEMS {
        let mut pool = RatingPool::new(system);
        let mut established = 0;
        for number in 0..60 {
            let outcome = if number % 2 == 0 { Win } else { Loss };
            pool.add(&result("ada", "ben", outcome, number / 5)).unwrap();
            let ada = pool.rating("ada").unwrap();
            let certain = ada.deviation <= DEVIATION_SHARE_MAX * system.newcomer_deviation();
            assert_eq!(ada.provisional, ada.results < RESULTS_MIN || !certain);
            if !ada.provisional && established == 0 {
                established = ada.results;
            }
        }
        // Glicko-2 is certain before there are enough results, Weng-Lin is not.
        let expected = if system == RatingSystem::Glicko2 { 20..=20 } else { 25..=40 };
        assert!(expected.contains(&established), "{system:?}: {established}");
    }
}

#[test]
fn a_result_that_does_not_count_changes_nothing() {
    for system in SYSTEMS {
        let mut pool = RatingPool::of(system, &[result("ada", "ben", Win, 3)]).unwrap();
        let before = pool.clone();
        assert_eq!(pool.add(&result("ada", "ada", Win, 3)), Err(RatingError::Alone));
        assert_eq!(
            pool.add(&result("ada", "cid", Win, 2)),
            Err(RatingError::PeriodOver { given: 2, open: 3 })
        );
        assert_eq!((&pool, pool.rating("cid")), (&before, None));
        assert_eq!(pool.system(), system);
    }
}
