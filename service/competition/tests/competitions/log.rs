//! Logs: their replay, and their bytes.

use std::collections::BTreeMap;

use edgehill_competition::{
    Competition, CompetitionEvent, CompetitionRefusal, Encounter, EventError, Format, MatchSlot, ReplayFault,
    Round, Verdict,
};
use proptest::prelude::*;

use crate::driver::{Driver, Trouble, enrolled, entrant};
use crate::settings::{any_settings, settings};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    /// At every prefix the replay of the stored bytes is the competition that went on, byte for byte, and waits for the same.
    #[test]
    fn every_prefix_replays(settings in any_settings(), entrants in 2_u16..=6, seed: u64) {
        let driver = Driver::start(&settings, entrants, seed, Trouble::MUCH).play();
        let stored: Vec<Vec<u8>> = driver.log.iter().map(CompetitionEvent::to_bytes).collect();
        let read: Vec<CompetitionEvent> =
            stored.iter().map(|bytes| CompetitionEvent::from_bytes(bytes).unwrap()).collect();
        prop_assert_eq!(&read, &driver.log);
        let mut kept = Competition::create(settings).unwrap();
        // A long log at a part of its prefixes, chosen by the seed.
        let stride = read.len() / 60 + 1;
        for length in 1..=read.len() {
            if length > 1 {
                kept.apply(&read[length - 1]).unwrap();
            }
            if length % stride == seed as usize % stride || length == read.len() {
                let replayed = Competition::replay(&read[..length]).unwrap();
                prop_assert_eq!(replayed.state_bytes(), kept.state_bytes());
                prop_assert_eq!(replayed.due(), kept.due());
                prop_assert_eq!(&replayed, &kept);
            }
        }
        prop_assert_eq!(kept.standings(), driver.competition.standings());
    }

    /// Bytes that are cut, flipped or lengthened are another event or none, and never the same one.
    #[test]
    fn bytes_are_canonical(settings in any_settings(), seed: u64, flipped: usize, bit in 0_u8..8) {
        let driver = Driver::start(&settings, 3, seed, Trouble::MUCH).play();
        for event in &driver.log {
            let bytes = event.to_bytes();
            for length in 0..bytes.len() {
                prop_assert!(CompetitionEvent::from_bytes(&bytes[..length]).is_err());
            }
            let mut longer = bytes.clone();
            longer.push(0);
            prop_assert!(CompetitionEvent::from_bytes(&longer).is_err());
            let mut other = bytes.clone();
            other[flipped % bytes.len()] ^= 1 << bit;
            if let Ok(read) = CompetitionEvent::from_bytes(&other) {
                prop_assert_ne!(&read, event);
                prop_assert_eq!(read.to_bytes(), other);
            }
        }
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        let mut framed = vec![1];
        framed.extend(&bytes);
        for bytes in [bytes, framed] {
            if let Ok(event) = CompetitionEvent::from_bytes(&bytes) {
                prop_assert_eq!(event.to_bytes(), bytes);
            }
        }
    }
}

/// The bytes of version 1, which are in stores: kinds are numbered in their order, and never anew.
#[test]
fn the_bytes_of_version_1_stay() {
    let slot: MatchSlot = "2.5.1/2".parse().unwrap();
    let one = entrant(1);
    let round = Round::new(2).unwrap();
    let pair = Encounter::Pair { first: one, second: entrant(300) };
    let text = |text: &str| text.to_owned();
    for (event, bytes) in [
        (
            CompetitionEvent::Enrolled { entrant: one, name: text("a"), rating: Some(-1) },
            "010101016101".to_owned() + "01",
        ),
        (CompetitionEvent::Withdrawn { entrant: one }, text("010201")),
        (CompetitionEvent::Disqualified { entrant: one, evidence: text("b") }, text("0103010162")),
        (CompetitionEvent::Started, text("0104")),
        (
            CompetitionEvent::RoundPaired {
                round,
                encounters: vec![pair, Encounter::Bye(one), Encounter::Solo(one)],
            },
            text("01050203") + "0001ac02" + "0101" + "0201",
        ),
        (CompetitionEvent::MatchBegun { slot, match_id: text("c") }, text("0106") + "02050102" + "0163"),
        (
            CompetitionEvent::MatchEnded {
                slot,
                verdict: Verdict::Score { entrant: one, score: 5 },
                evidence: text(""),
            },
            text("0107") + "02050102" + "05010a" + "00",
        ),
        (
            CompetitionEvent::MatchVoided { slot, replay: true, evidence: text("") },
            text("0108") + "02050102" + "01" + "00",
        ),
        (CompetitionEvent::Cancelled { reason: text("d") }, text("01090164")),
        (CompetitionEvent::Finished, text("010a")),
    ] {
        let hex: String = event.to_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, bytes, "{event:?}");
    }
    let mut swiss = settings(Format::Swiss { rounds: 7 });
    swiss.terms.options = BTreeMap::from([("x".to_owned(), "y".to_owned())]);
    let hex: String = CompetitionEvent::Created(Box::new(swiss))
        .to_bytes()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let expected = [
        // Version, kind, name, game, scenario, options, clock.
        "0100",
        "0a537072696e6720637570",
        "08736b69726d697368",
        "00",
        "0101780179",
        "00",
        // A Swiss of 7 rounds; one match, not mirrored; points of matches: win, draw, loss, forfeit, bye; no tie-breaks, no ratings.
        "0107",
        "000100",
        "000201000002",
        "00",
        "00",
        // Five allowed calls, costs, forfeits, withdrawals, delay in seconds and events, absence after 600 s, publication.
        "0101010001",
        "00",
        "00",
        "00",
        "00",
        "00",
        "00",
        "d804",
        "01",
    ];
    assert_eq!(hex, expected.concat());
}

#[test]
fn other_versions_are_told() {
    assert_eq!(CompetitionEvent::from_bytes(&[2, 4]), Err(EventError::Version(2)));
    assert!(matches!(CompetitionEvent::from_bytes(&[]), Err(EventError::Malformed(_))));
    // The same number in more bytes than it needs.
    assert!(matches!(CompetitionEvent::from_bytes(&[1, 2, 0x81, 0]), Err(EventError::Malformed(_))));
    assert!(matches!(CompetitionEvent::from_bytes(&[1, 2, 0]), Err(EventError::Malformed(_))));
}

#[test]
fn a_log_begins_with_the_creation_and_names_what_is_refused() {
    let created = CompetitionEvent::Created(Box::new(settings(Format::Swiss { rounds: 3 })));
    let not_created = Err(ReplayFault { index: 0, refusal: CompetitionRefusal::NotCreated });
    assert_eq!(Competition::replay(&[]), not_created);
    assert_eq!(Competition::replay(&[enrolled(1)]), not_created);
    let twice = [created.clone(), enrolled(1), created];
    assert_eq!(
        Competition::replay(&twice),
        Err(ReplayFault { index: 2, refusal: CompetitionRefusal::Created })
    );
}
