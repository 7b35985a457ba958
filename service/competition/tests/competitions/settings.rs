//! Settings for tests, and the checks of settings.

use std::num::{NonZeroU8, NonZeroU16};

use edgehill_competition::rating::RatingSystem;
use edgehill_competition::{
    ClockSettings, Competition, CompetitionRefusal, CompetitionSettings, Decider, EncounterLength,
    EncounterTerms, Format, GameTerms, IllegalActionCost, LadderOrder, LevelWinner, PointBasis, PointRules,
    Points, Policy, TieBreak, TimeoutCost, WithdrawalRule,
};
use proptest::prelude::*;

pub(crate) fn length(matches: u8) -> EncounterLength {
    EncounterLength::All(NonZeroU8::new(matches).unwrap())
}

fn clock(text: &str) -> Option<ClockSettings> {
    Some(text.parse().unwrap())
}

fn times(count: u16) -> NonZeroU16 {
    NonZeroU16::new(count).unwrap()
}

/// One match an encounter, a point for a win, no tie-breaks.
pub(crate) fn settings(format: Format) -> CompetitionSettings {
    CompetitionSettings {
        name: "Spring cup".to_owned(),
        terms: GameTerms { game: "skirmish".to_owned(), ..GameTerms::default() },
        format,
        encounter: EncounterTerms { length: length(1), mirrored: false },
        points: PointRules::classic(PointBasis::Matches),
        tie_breaks: Vec::new(),
        ratings: None,
        policy: Policy::default(),
    }
}

pub(crate) const KNOCKOUT: Format =
    Format::Knockout { decider: Decider { replays: 1, then: LevelWinner::BetterSeed }, third_place: true };

pub(crate) fn formats() -> impl Strategy<Value = Format> {
    let then = prop_oneof![Just(LevelWinner::BetterSeed), Just(LevelWinner::LowerSeed)];
    let order = prop_oneof![Just(LadderOrder::Swap), Just(LadderOrder::Rating)];
    prop_oneof![
        (1_u8..=3).prop_map(|cycles| Format::RoundRobin { cycles }),
        (1_u16..=7).prop_map(|rounds| Format::Swiss { rounds }),
        (0_u8..=2, then, any::<bool>()).prop_map(|(replays, then, third_place)| Format::Knockout {
            decider: Decider { replays, then },
            third_place
        }),
        (1_u16..=6, order).prop_map(|(rounds, order)| Format::Ladder { rounds, order }),
        (1_u8..=2).prop_map(|cycles| Format::Gauntlet { challengers: 1, cycles }),
        (1_u16..=6).prop_map(|seeds| Format::Series { seeds, least: -10, most: 40 }),
    ]
}

/// Settings that are accepted, of all kinds.
pub(crate) fn any_settings() -> impl Strategy<Value = CompetitionSettings> {
    let encounter = prop_oneof![
        (1_u8..=3).prop_map(|matches| (length(matches), false)),
        Just((length(2), true)),
        Just((length(4), true)),
        Just((EncounterLength::BestOf(NonZeroU8::new(3).unwrap()), false)),
        Just((EncounterLength::BestOf(NonZeroU8::new(4).unwrap()), true)),
    ];
    let ratings =
        prop_oneof![Just(None), Just(Some(RatingSystem::Glicko2)), Just(Some(RatingSystem::WengLin))];
    (formats(), encounter, ratings, any::<bool>(), any::<bool>()).prop_map(
        |(format, (length_of, mirrored), ratings, annuls, unplayed)| {
            let mut settings = settings(format);
            let by_points =
                matches!(format, Format::RoundRobin { .. } | Format::Swiss { .. } | Format::Gauntlet { .. });
            if !matches!(format, Format::Series { .. }) {
                settings.encounter = EncounterTerms { length: length_of, mirrored };
            }
            if matches!(length_of, EncounterLength::BestOf(_)) {
                settings.points.basis = PointBasis::Encounters;
            }
            if by_points {
                settings.tie_breaks =
                    vec![TieBreak::DirectEncounter, TieBreak::Buchholz, TieBreak::SonnebornBerger];
            }
            if annuls && matches!(format, Format::RoundRobin { .. } | Format::Gauntlet { .. }) {
                settings.policy.withdrawals = WithdrawalRule::ResultsAnnulled;
            }
            if unplayed {
                settings.policy.forfeits = edgehill_competition::ForfeitRule::Unplayed;
            }
            settings.ratings = ratings;
            settings
        },
    )
}

#[test]
fn settings_that_do_not_fit_are_refused_with_their_field() {
    let swiss = || settings(Format::Swiss { rounds: 5 });
    let series = || settings(Format::Series { seeds: 9, least: 0, most: 100 });
    let with = |mut settings: CompetitionSettings, change: fn(&mut CompetitionSettings)| {
        change(&mut settings);
        settings
    };
    for (field, faulty) in [
        ("name", with(swiss(), |settings| settings.name.clear())),
        ("name", with(swiss(), |settings| settings.name = "x".repeat(101))),
        ("name", with(swiss(), |settings| settings.name = "two\nlines".to_owned())),
        ("terms.game", with(swiss(), |settings| settings.terms.game.clear())),
        ("terms.clock", with(swiss(), |settings| settings.terms.clock = Some(ClockSettings::default()))),
        ("terms.clock", with(swiss(), |settings| settings.terms.clock = clock("limit=999ms"))),
        ("terms.clock", with(swiss(), |settings| settings.terms.clock = clock("limit=1s,delay=1s"))),
        ("terms.clock", with(swiss(), |settings| settings.terms.clock = clock("bank=11years"))),
        (
            "terms.options",
            with(swiss(), |settings| {
                settings.terms.options.insert("a\tb".to_owned(), String::new());
            }),
        ),
        ("format.rounds", settings(Format::Swiss { rounds: 0 })),
        ("format.rounds", settings(Format::Ladder { rounds: 10_001, order: LadderOrder::Swap })),
        ("format.cycles", settings(Format::RoundRobin { cycles: 21 })),
        ("format.challengers", settings(Format::Gauntlet { challengers: 0, cycles: 1 })),
        ("format.seeds", settings(Format::Series { seeds: 0, least: 0, most: 1 })),
        ("format.least and format.most", settings(Format::Series { seeds: 1, least: 1, most: 1 })),
        ("format.least and format.most", settings(Format::Series { seeds: 1, least: i32::MIN, most: 1 })),
        ("encounter.length", with(series(), |settings| settings.encounter.length = length(2))),
        ("encounter.mirrored", with(series(), |settings| settings.encounter.mirrored = true)),
        (
            "encounter.length",
            with(swiss(), |settings| {
                settings.encounter = EncounterTerms { length: length(3), mirrored: true };
            }),
        ),
        ("points", with(swiss(), |settings| settings.points.draw = Points::of_halves(3))),
        ("points", with(swiss(), |settings| settings.points.forfeit = Points::of_halves(1))),
        ("points.win", with(swiss(), |settings| settings.points.win = Points::of_halves(201))),
        (
            "points.basis",
            with(swiss(), |settings| {
                settings.encounter.length = EncounterLength::BestOf(NonZeroU8::new(3).unwrap());
            }),
        ),
        ("tie_breaks", with(swiss(), |settings| settings.tie_breaks = vec![TieBreak::Wins; 2])),
        ("tie_breaks", with(series(), |settings| settings.tie_breaks = vec![TieBreak::Wins])),
        ("policy.spectator_delay_s", with(swiss(), |settings| settings.policy.spectator_delay_s = 86_401)),
        (
            "policy.spectator_delay_events",
            with(swiss(), |settings| settings.policy.spectator_delay_events = 10_001),
        ),
        ("policy.absence_s", with(swiss(), |settings| settings.policy.absence_s = 0)),
        ("policy.absence_s", with(swiss(), |settings| settings.policy.absence_s = 604_801)),
        (
            "policy.illegal_actions",
            with(swiss(), |settings| {
                settings.policy.illegal_actions = IllegalActionCost::ForfeitAfter(times(1_001))
            }),
        ),
        (
            "policy.timeouts",
            with(swiss(), |settings| settings.policy.timeouts = TimeoutCost::ForfeitAfter(times(1_001))),
        ),
        (
            "policy.withdrawals",
            with(swiss(), |settings| {
                settings.policy.withdrawals = WithdrawalRule::ResultsAnnulled;
            }),
        ),
    ] {
        let refused = faulty.check().unwrap_err();
        assert_eq!(refused.field, field, "{refused}");
        assert_eq!(Competition::create(faulty), Err(CompetitionRefusal::Settings(refused)));
    }
}

proptest! {
    #[test]
    fn settings_of_tests_are_accepted(settings in any_settings()) {
        prop_assert_eq!(settings.check(), Ok(()));
    }
}

#[test]
fn clocks_are_written_as_they_are_read() {
    for text in ["bank=10m,increment=5s", "limit=3days", "bank=1h 30m,delay=500ms,limit=1m,window=30s"] {
        let clock: ClockSettings = text.parse().unwrap();
        assert_eq!(clock.to_string(), text);
        assert_eq!(serde_json::from_str::<ClockSettings>(&format!("{text:?}")).unwrap(), clock);
        let stored = postcard::to_stdvec(&clock).unwrap();
        assert_eq!(postcard::from_bytes::<ClockSettings>(&stored).unwrap(), clock);
    }
    for wrong in ["", "bank", "bank=0s", "bank=5", "bank=1m,bank=2m", "bank=1us", "end=forfeit", "strikes=1"]
    {
        assert!(wrong.parse::<ClockSettings>().is_err(), "{wrong}");
    }
}
