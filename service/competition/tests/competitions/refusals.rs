//! Refused events: each for its reason, and none changes anything.

use edgehill_competition::{
    CompetitionEvent, CompetitionPhase, CompetitionRefusal, ENTRANTS_MAX, Encounter, EntrantId,
    ForfeitReason, Format, MatchSlot, PairingFault, Round, TEXT_BYTES_MAX, Verdict,
};
use proptest::prelude::*;

use crate::driver::{Driver, Trouble, better_wins, enrolled, entrant};
use crate::settings::{KNOCKOUT, any_settings, length, settings};

/// Asserts that an event is refused for this reason, and changes nothing.
#[track_caller]
fn refused(driver: &Driver, event: CompetitionEvent, reason: CompetitionRefusal) {
    let mut competition = driver.competition.clone();
    assert_eq!(competition.apply(&event), Err(reason), "{event:?}");
    assert_eq!(competition.state_bytes(), driver.competition.state_bytes());
}

fn ended(slot: MatchSlot, verdict: Verdict) -> CompetitionEvent {
    CompetitionEvent::MatchEnded { slot, verdict, evidence: String::new() }
}

fn voided(slot: MatchSlot, replay: bool) -> CompetitionEvent {
    CompetitionEvent::MatchVoided { slot, replay, evidence: String::new() }
}

fn begun(slot: MatchSlot, match_id: &str) -> CompetitionEvent {
    CompetitionEvent::MatchBegun { slot, match_id: match_id.to_owned() }
}

fn slot(text: &str) -> MatchSlot {
    text.parse().unwrap()
}

#[test]
fn enrolment_is_in_order_and_by_name() {
    let settings = settings(Format::Swiss { rounds: 3 });
    let mut driver = Driver::start(&settings, 2, 1, Trouble::NONE);
    // Before the start.
    driver.competition = edgehill_competition::Competition::create(settings).unwrap();
    let enrol = |number, name: &str| CompetitionEvent::Enrolled {
        entrant: entrant(number),
        name: name.to_owned(),
        rating: None,
    };
    refused(
        &driver,
        enrol(2, "ben"),
        CompetitionRefusal::EntrantOrder { given: entrant(2), expected: entrant(1) },
    );
    driver.competition.apply(&enrol(1, "ada")).unwrap();
    refused(
        &driver,
        enrol(2, "ada"),
        CompetitionRefusal::NameTaken { name: "ada".to_owned(), entrant: entrant(1) },
    );
    for name in [String::new(), "a\nb".to_owned(), "x".repeat(201)] {
        let text = CompetitionRefusal::Text { field: "name", bytes: name.len(), min: 1, max: 200 };
        refused(&driver, enrol(2, &name), text);
    }
    refused(&driver, CompetitionEvent::Started, CompetitionRefusal::TooFew { active: 1, needed: 2 });
    let unknown = CompetitionRefusal::UnknownEntrant(entrant(2));
    refused(&driver, CompetitionEvent::Withdrawn { entrant: entrant(2) }, unknown);
    driver.competition.apply(&enrol(2, "ben")).unwrap();
    driver.competition.apply(&CompetitionEvent::Withdrawn { entrant: entrant(1) }).unwrap();
    let left = CompetitionRefusal::Left(entrant(1));
    refused(&driver, CompetitionEvent::Withdrawn { entrant: entrant(1) }, left);
    refused(&driver, CompetitionEvent::Started, CompetitionRefusal::TooFew { active: 1, needed: 2 });
    assert!(driver.competition.due().is_empty());
    for number in 3..=ENTRANTS_MAX as u16 {
        driver.competition.apply(&enrolled(number)).unwrap();
    }
    refused(&driver, enrolled(ENTRANTS_MAX as u16 + 1), CompetitionRefusal::Full);
    let paired = CompetitionEvent::RoundPaired { round: Round::FIRST, encounters: Vec::new() };
    let phase =
        CompetitionRefusal::Phase { phase: CompetitionPhase::Enrolling, accepted: CompetitionPhase::Running };
    refused(&driver, paired, phase);
}

#[test]
fn a_gauntlet_needs_somebody_on_either_side() {
    for (challengers, leaves) in [(3, None), (1, Some(1))] {
        let settings = settings(Format::Gauntlet { challengers, cycles: 1 });
        let mut competition = edgehill_competition::Competition::create(settings).unwrap();
        (1..=3).for_each(|number| competition.apply(&enrolled(number)).unwrap());
        if let Some(number) = leaves {
            competition.apply(&CompetitionEvent::Withdrawn { entrant: entrant(number) }).unwrap();
        }
        let refused = competition.apply(&CompetitionEvent::Started);
        assert!(matches!(refused, Err(CompetitionRefusal::Challengers { .. })), "{refused:?}");
    }
}

#[test]
fn rounds_come_in_order_with_those_who_are_there() {
    let mut driver = Driver::start(&settings(Format::Swiss { rounds: 1 }), 4, 1, Trouble::NONE);
    driver.write(CompetitionEvent::Withdrawn { entrant: entrant(4) });
    let pair = |first, second| Encounter::Pair { first: entrant(first), second: entrant(second) };
    let paired =
        |round, encounters| CompetitionEvent::RoundPaired { round: Round::new(round).unwrap(), encounters };
    let order = CompetitionRefusal::RoundOrder { given: Round::new(2).unwrap(), expected: Round::FIRST };
    refused(&driver, paired(2, vec![pair(1, 2)]), order);
    for (encounters, index, fault) in [
        (vec![pair(1, 1)], 0, PairingFault::Alone(entrant(1))),
        (vec![pair(1, 2), pair(3, 1)], 1, PairingFault::Twice(entrant(1))),
        (vec![pair(1, 2), Encounter::Bye(entrant(2))], 1, PairingFault::Twice(entrant(2))),
        (vec![pair(1, 4)], 0, PairingFault::Absent(entrant(4))),
        (vec![pair(5, 1)], 0, PairingFault::Absent(entrant(5))),
        (vec![Encounter::Solo(entrant(1))], 0, PairingFault::Kind),
    ] {
        refused(&driver, paired(1, encounters), CompetitionRefusal::Pairing { index, fault });
    }
    refused(&driver, CompetitionEvent::Finished, CompetitionRefusal::FurtherRound);
    // Not as it would be paired here, and good all the same.
    driver.write(paired(1, vec![pair(3, 2), Encounter::Bye(entrant(1))]));
    refused(&driver, paired(2, vec![pair(1, 2)]), CompetitionRefusal::RoundOpen);
    refused(&driver, CompetitionEvent::Finished, CompetitionRefusal::RoundOpen);
    driver.play_round(better_wins);
    refused(&driver, paired(2, vec![pair(1, 2)]), CompetitionRefusal::NoFurtherRound);
    driver.write(CompetitionEvent::Finished);
    let phase =
        CompetitionRefusal::Phase { phase: CompetitionPhase::Finished, accepted: CompetitionPhase::Running };
    for event in [
        CompetitionEvent::Finished,
        CompetitionEvent::Withdrawn { entrant: entrant(1) },
        CompetitionEvent::Cancelled { reason: String::new() },
        voided(slot("1.1.1"), true),
    ] {
        refused(&driver, event, phase.clone());
    }
}

#[test]
fn matches_begin_when_they_are_due_and_end_once() {
    let mut settings = settings(Format::Swiss { rounds: 2 });
    settings.encounter.length = length(2);
    let mut driver = Driver::start(&settings, 2, 1, Trouble::NONE);
    let pair = Encounter::Pair { first: entrant(1), second: entrant(2) };
    driver.write(CompetitionEvent::RoundPaired { round: Round::FIRST, encounters: vec![pair] });
    for place in ["1.1.3", "1.2.1", "2.1.1", "1.1.1/2"] {
        refused(&driver, begun(slot(place), "a"), CompetitionRefusal::NotDue(slot(place)));
        refused(&driver, ended(slot(place), Verdict::Draw), CompetitionRefusal::NotBegun(slot(place)));
    }
    let (one, two) = (slot("1.1.1"), slot("1.1.2"));
    refused(&driver, ended(one, Verdict::Draw), CompetitionRefusal::NotBegun(one));
    refused(&driver, voided(one, true), CompetitionRefusal::NotBegun(one));
    let text = CompetitionRefusal::Text { field: "match_id", bytes: 0, min: 1, max: 200 };
    refused(&driver, begun(one, ""), text);
    driver.write(begun(one, "a"));
    refused(&driver, begun(one, "b"), CompetitionRefusal::NotDue(one));
    refused(&driver, begun(two, "a"), CompetitionRefusal::MatchIdTaken("a".to_owned()));
    let stranger = entrant(3);
    for (verdict, accepted) in [
        (Verdict::Void, "a match is voided by an event of its own"),
        (Verdict::Win(stranger), "it names an entrant of the encounter"),
        (
            Verdict::Forfeit { entrant: stranger, reason: ForfeitReason::Time },
            "it names an entrant of the encounter",
        ),
        (Verdict::Score { entrant: entrant(1), score: 1 }, "scores are for series"),
    ] {
        let refusal = CompetitionRefusal::Verdict { slot: one, verdict, accepted };
        refused(&driver, ended(one, verdict), refusal);
    }
    let evidence = "x".repeat(TEXT_BYTES_MAX + 1);
    let text =
        CompetitionRefusal::Text { field: "evidence", bytes: evidence.len(), min: 0, max: TEXT_BYTES_MAX };
    refused(&driver, CompetitionEvent::MatchEnded { slot: one, verdict: Verdict::Draw, evidence }, text);
    driver.write(ended(one, Verdict::Win(entrant(2))));
    refused(&driver, ended(one, Verdict::Draw), CompetitionRefusal::Over(one));
    // A match that has ended is voided, and its second attempt is another match.
    driver.write(voided(one, true));
    refused(&driver, ended(one, Verdict::Draw), CompetitionRefusal::NotBegun(one));
    refused(&driver, voided(one, true), CompetitionRefusal::NotBegun(one));
    let again = slot("1.1.1/2");
    refused(&driver, begun(again, "a"), CompetitionRefusal::MatchIdTaken("a".to_owned()));
    driver.write(begun(again, "b"));
    driver.write(voided(again, false));
    refused(&driver, voided(again, true), CompetitionRefusal::Voided(again));
    refused(&driver, ended(again, Verdict::Draw), CompetitionRefusal::Voided(again));
    let told: Vec<_> = driver.competition.matches().map(|(slot, _)| slot.to_string()).collect();
    assert_eq!(told, ["1.1.1", "1.1.1/2"]);
}

#[test]
fn a_match_has_so_many_attempts() {
    let mut driver = Driver::start(&settings(Format::RoundRobin { cycles: 1 }), 2, 1, Trouble::NONE);
    driver.settle(&better_wins);
    let mut place = slot("1.1.1");
    for attempt in 2..=100 {
        driver.settle(&better_wins);
        driver.write(voided(place, true));
        place = slot(&format!("1.1.1/{attempt}"));
    }
    driver.settle(&better_wins);
    refused(&driver, voided(place, true), CompetitionRefusal::Attempts(place));
    driver.write(voided(place, false));
    driver.write(CompetitionEvent::Finished);
}

#[test]
fn a_series_has_scores_of_its_range() {
    let mut driver =
        Driver::start(&settings(Format::Series { seeds: 1, least: 0, most: 9 }), 1, 1, Trouble::NONE);
    let one = slot("1.1.1");
    let round = Round::FIRST;
    let pairing = CompetitionRefusal::Pairing { index: 0, fault: PairingFault::Kind };
    let bye = vec![Encounter::Bye(entrant(1))];
    refused(&driver, CompetitionEvent::RoundPaired { round, encounters: bye }, pairing);
    driver.settle(&better_wins);
    driver.settle(&better_wins);
    for verdict in [
        Verdict::Score { entrant: entrant(1), score: 10 },
        Verdict::Score { entrant: entrant(1), score: -1 },
        Verdict::Win(entrant(1)),
        Verdict::Draw,
        Verdict::BothForfeit(ForfeitReason::Absence),
    ] {
        let refused = driver.competition.clone().apply(&ended(one, verdict));
        assert!(matches!(refused, Err(CompetitionRefusal::Verdict { .. })), "{verdict}: {refused:?}");
    }
    driver.write(ended(one, Verdict::Score { entrant: entrant(1), score: 9 }));
}

#[test]
fn what_a_bracket_rests_on_is_not_voided() {
    let mut driver = Driver::start(&settings(KNOCKOUT), 4, 1, Trouble::NONE);
    driver.settle(&better_wins);
    driver.play_round(better_wins);
    // The next round is not paired yet.
    driver.write(voided(slot("1.1.1"), true));
    driver.play_round(better_wins);
    driver.settle(&better_wins);
    let built_on = CompetitionRefusal::BuiltOn { slot: slot("1.1.1/2"), round: Round::new(2).unwrap() };
    refused(&driver, voided(slot("1.1.1/2"), true), built_on);
}

#[test]
fn what_is_cancelled_is_over() {
    let mut driver = Driver::start(&settings(KNOCKOUT), 4, 1, Trouble::NONE);
    driver.settle(&better_wins);
    assert_eq!(driver.competition.cancelled_for(), None);
    driver.write(CompetitionEvent::Cancelled { reason: "no house to play in".to_owned() });
    assert_eq!(driver.competition.cancelled_for(), Some("no house to play in"));
    assert!(driver.competition.due().is_empty());
    let phase =
        CompetitionRefusal::Phase { phase: CompetitionPhase::Cancelled, accepted: CompetitionPhase::Running };
    refused(&driver, CompetitionEvent::Finished, phase);
}

/// An event of any kind about things that may be there.
fn any_event() -> impl Strategy<Value = CompetitionEvent> {
    let entrants = || (1_u16..=8).prop_map(entrant);
    let slots = (1_u16..=4, 1_u16..=3, 1_u16..=3, 1_u16..=2).prop_map(|(round, place, number, attempt)| {
        let attempt = if attempt == 1 { String::new() } else { format!("/{attempt}") };
        slot(&format!("{round}.{place}.{number}{attempt}"))
    });
    let encounters = prop_oneof![
        (entrants(), entrants()).prop_map(|(first, second)| Encounter::Pair { first, second }),
        entrants().prop_map(Encounter::Bye),
        entrants().prop_map(Encounter::Solo),
    ];
    let verdicts = prop_oneof![
        entrants().prop_map(Verdict::Win),
        Just(Verdict::Draw),
        Just(Verdict::Void),
        entrants().prop_map(|entrant| Verdict::Forfeit { entrant, reason: ForfeitReason::Time }),
        (entrants(), -20..60).prop_map(|(entrant, score)| Verdict::Score { entrant, score }),
    ];
    let text = prop_oneof![Just(String::new()), Just("m1".to_owned()), Just("\t".to_owned())];
    prop_oneof![
        (entrants(), text.clone()).prop_map(|(entrant, name)| CompetitionEvent::Enrolled {
            entrant,
            name,
            rating: None
        }),
        entrants().prop_map(|entrant| CompetitionEvent::Withdrawn { entrant }),
        Just(CompetitionEvent::Started),
        (1_u16..=4, prop::collection::vec(encounters, 0..4)).prop_map(|(round, encounters)| {
            CompetitionEvent::RoundPaired { round: Round::new(round).unwrap(), encounters }
        }),
        (slots.clone(), text.clone())
            .prop_map(|(slot, match_id)| CompetitionEvent::MatchBegun { slot, match_id }),
        (slots.clone(), verdicts, text.clone())
            .prop_map(|(slot, verdict, evidence)| CompetitionEvent::MatchEnded { slot, verdict, evidence }),
        (slots, any::<bool>(), text).prop_map(|(slot, replay, evidence)| CompetitionEvent::MatchVoided {
            slot,
            replay,
            evidence
        }),
        Just(CompetitionEvent::Finished),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Anything may come at any time: it is refused without a trace, or the competition still comes to its end.
    #[test]
    fn a_refused_event_changes_nothing(
        settings in any_settings(),
        seed: u64,
        steps in 0_usize..60,
        events in prop::collection::vec(any_event(), 40),
    ) {
        let mut driver = Driver::start(&settings, 5, seed, Trouble::NONE);
        for _ in 0..steps {
            driver.step();
        }
        let mut taken = 0;
        for event in events {
            let before = driver.competition.clone();
            match driver.competition.apply(&event) {
                Ok(()) => taken += 1,
                Err(_) => {
                    prop_assert_eq!(driver.competition.state_bytes(), before.state_bytes());
                    prop_assert_eq!(driver.competition.due(), before.due());
                }
            }
        }
        prop_assert!(taken < 40, "{} of 40 events by chance were accepted", taken);
        let ids: Vec<EntrantId> = driver.competition.entrants().iter().map(|entrant| entrant.id).collect();
        prop_assert_eq!(ids.len(), 5);
        // The driver's own ids go on where they were, which an event by chance may have taken.
        let end = driver.play_by(|encounter| match encounter {
            Encounter::Solo(entrant) => Verdict::Score { entrant, score: 0 },
            _ => Verdict::Draw,
        });
        prop_assert_eq!(end.competition.phase(), CompetitionPhase::Finished);
    }
}
