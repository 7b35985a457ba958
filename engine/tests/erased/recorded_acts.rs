//! Acts of referees in records: beside the result, in their order, and outside of the game's digests.

use edgehill_engine::record::{Origin, Record, RecordError, RecordedAct, RecordedActKind, verify};

use super::record::check;
use super::{committed, game, setup};

fn act(entries: usize, kind: RecordedActKind) -> RecordedAct {
    RecordedAct { entries, kind, reason: "the clock stood, \u{e9} \" reason \"".to_owned() }
}

fn time(seat: &str) -> RecordedActKind {
    RecordedActKind::TimeAdded { seat: seat.to_owned(), added_ms: 60_000 }
}

fn replaced(seat: &str, former: &str) -> RecordedActKind {
    RecordedActKind::PlayerReplaced { seat: seat.to_owned(), former: former.to_owned() }
}

fn adjourned() -> RecordedActKind {
    RecordedActKind::MatchAdjourned { longest_ms: 3_600_000 }
}

fn corrected(returns: &[i32]) -> RecordedActKind {
    RecordedActKind::ResultCorrected { returns: returns.to_vec() }
}

/// A running match, recorded with these acts.
fn recorded(referee_acts: Vec<RecordedAct>) -> Result<Record, RecordError> {
    let game = game();
    let (table, origin) = committed(&*game, setup(&*game, "pair", 3), 7, 5);
    Record::of(&*table, &Origin { referee_acts, ..origin })
}

/// A record's text without the line that begins so, and those that it goes on in.
fn without(text: &str, begins: &str) -> String {
    let mut skips = false;
    let keeps = |line: &&str| {
        skips = line.starts_with(begins) || (skips && line.starts_with("  "));
        !skips
    };
    text.lines().filter(keeps).map(|line| format!("{line}\n")).collect()
}

#[test]
fn acts_stand_beside_the_result_and_leave_entries_and_digests_as_they_are() {
    let game = game();
    let (table, origin) = committed(&*game, setup(&*game, "pair", 1), 7, 1_000);
    let seat = table.catalogue().seats[0].id;
    let entries = table.log().len();
    let referee_acts = vec![
        act(0, time(seat)),
        act(2, replaced(seat, "Ann \"A\" \\")),
        act(2, replaced(seat, "")),
        act(entries, corrected(&[0, 0])),
        act(entries, corrected(&[-1, 1])),
    ];
    let plain = check(&*game, &*table, &origin);
    let acted = check(&*game, &*table, &Origin { referee_acts: referee_acts.clone(), ..origin.clone() });
    assert_eq!((acted.entries(), acted.result()), (plain.entries(), plain.result()));
    assert_eq!((acted.referee_acts(), acted.corrected_returns()), (&*referee_acts, Some(&[-1, 1][..])));
    // A line that is cut out is missed, as one of the game is.
    let cut = without(&acted.to_text(), "referee 0 time ");
    let report = verify(&*game, &Record::parse_damaged(&cut).expect("readable"), &[]);
    assert!(!report.is_consistent(), "{report}");
}

#[test]
fn a_match_that_was_given_up_without_its_rules_is_over_without_a_result() {
    let game = game();
    let (table, origin) = committed(&*game, setup(&*game, "pair", 3), 7, 3);
    let seat = table.catalogue().seats[1].id;
    let given_up = || Some(seat.to_owned());
    let record = check(&*game, &*table, &Origin { given_up: given_up(), ..origin.clone() });
    assert_eq!((record.given_up(), record.result()), (Some(seat), None));
    let report = verify(&*game, &record, &[]);
    assert!(report.unchecked.iter().all(|open| !open.why.contains("not over")), "{report}");
    // It can be corrected, and not by another seat's line.
    let referee_acts = vec![act(table.log().len(), corrected(&[0, 0]))];
    check(&*game, &*table, &Origin { given_up: given_up(), referee_acts, ..origin.clone() });
    let nobody = Origin { given_up: Some("nobody".to_owned()), ..origin.clone() };
    let error = Record::of(&*table, &nobody).expect_err("no such seat").to_string();
    assert!(error.contains("a seat of the match ("), "{error}");
    // A match that is over by its rules can't be given up.
    let (over, origin) = committed(&*game, setup(&*game, "pair", 1), 7, 1_000);
    let error = Record::of(&*over, &Origin { given_up: given_up(), ..origin }).expect_err("it is over");
    assert!(error.to_string().contains("nobody who gave up"), "{error}");
}

#[test]
fn a_match_that_was_voided_is_over_without_a_result() {
    let game = game();
    let (table, origin) = committed(&*game, setup(&*game, "pair", 3), 7, 3);
    let referee_acts = vec![act(table.log().len(), RecordedActKind::MatchVoided)];
    let record = check(&*game, &*table, &Origin { referee_acts, ..origin });
    assert!(record.is_voided() && record.result().is_none());
    let report = verify(&*game, &record, &[]);
    assert!(report.unchecked.iter().all(|open| !open.why.contains("not over")), "{report}");
}

#[test]
fn acts_stand_in_their_order_and_fit_the_match() {
    let [north, south] = [0, 1].map(|seat| game().catalogue().seats[seat].id);
    let (entries, voided) =
        (recorded(Vec::new()).expect("a match").entries().len(), RecordedActKind::MatchVoided);
    assert!(entries > 4, "{entries} entries");
    let end = |kind: &RecordedActKind| act(entries, kind.clone());
    for acts in [
        vec![act(0, time(north)), act(entries, time(south))],
        vec![act(4, time(north)), end(&voided), end(&corrected(&[1, -1]))],
        vec![act(3, adjourned()), act(3, RecordedActKind::AdjournmentEnded), end(&voided)],
        vec![end(&corrected(&[0, 0])), end(&corrected(&[1, -1]))],
    ] {
        assert!(recorded(acts.clone()).is_ok(), "{acts:?}");
    }
    for acts in [
        vec![act(4, time(north)), act(3, time(north))],
        vec![act(entries + 1, time(north))],
        vec![act(4, time("east"))],
        vec![act(entries - 1, voided.clone())],
        vec![end(&voided), end(&voided)],
        vec![end(&voided), end(&time(north))],
        vec![end(&voided), end(&adjourned())],
        vec![end(&voided), end(&RecordedActKind::AdjournmentEnded)],
        vec![end(&corrected(&[1]))],
        vec![act(entries - 1, corrected(&[1, -1]))],
        vec![end(&corrected(&[1, -1])), end(&voided)],
    ] {
        assert!(matches!(recorded(acts.clone()), Err(RecordError::Unreadable(_))), "{acts:?}");
    }
}

#[test]
fn lines_that_are_no_acts_are_refused_with_what_would_be_accepted() {
    let text = recorded(Vec::new()).expect("a match").to_text();
    let seat = game().catalogue().seats[0].id;
    for wrong in [
        "0 voided",
        "voided reason \"\"",
        "0 voided now reason \"\"",
        "0 burnt reason \"\"",
        "0 time SEAT reason \"\"",
        "0 time SEAT soon reason \"\"",
        "0 time SEAT 007 reason \"\"",
        "0 replaced SEAT Ann reason \"\"",
        "0 replaced SEAT \"Ann\"reason \"\"",
        "0 corrected reason \"\"",
        "0 adjourned reason \"\"",
        "0 adjourned long reason \"\"",
        "0 resumed 5 reason \"\"",
        "0 voided reason because",
        "0 voided reason \"because",
    ] {
        let line = format!("referee {}", wrong.replace("SEAT", seat));
        let with = text.replace("\nend ", &format!("\n{line}\nend "));
        let error = Record::parse_damaged(&with).expect_err(wrong);
        assert_eq!(error.found, line);
    }
}
