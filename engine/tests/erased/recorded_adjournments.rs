//! Adjournments in records: beside the result, in their order, and outside of the game's digests.

use edgehill_engine::record::{AdjournedBy, Origin, Record, RecordError, RecordedAdjournment};

use super::record::check;
use super::{committed, game, setup};

fn adjourned(entries: usize, lasted_ms: impl Into<Option<u64>>) -> RecordedAdjournment {
    let by = if entries.is_multiple_of(2) { AdjournedBy::Seats } else { AdjournedBy::Referee };
    RecordedAdjournment { entries, by, longest_ms: 86_400_000, lasted_ms: lasted_ms.into() }
}

/// A match with these adjournments, recorded: `bound` is the number of turns that it is played for at most.
fn recorded(bound: usize, adjournments: Vec<RecordedAdjournment>) -> Result<Record, RecordError> {
    let game = game();
    let (table, origin) = committed(&*game, setup(&*game, "pair", 3), 7, bound);
    Record::of(&*table, &Origin { adjournments, ..origin })
}

#[test]
fn adjournments_stand_beside_the_result_and_leave_entries_and_digests_as_they_are() {
    let game = game();
    let (table, origin) = committed(&*game, setup(&*game, "pair", 1), 7, 1_000);
    let entries = table.log().len();
    let adjournments =
        vec![adjourned(0, 5), adjourned(3, 0), adjourned(3, 86_400_000), adjourned(entries, 7)];
    let plain = check(&*game, &*table, &origin);
    let put_off = check(&*game, &*table, &Origin { adjournments: adjournments.clone(), ..origin });
    assert_eq!((put_off.entries(), put_off.result()), (plain.entries(), plain.result()));
    assert_eq!((put_off.adjournments(), plain.adjournments()), (&*adjournments, &[][..]));
    let lines: Vec<String> =
        put_off.to_text().lines().filter(|line| line.starts_with("adjourned ")).map(str::to_owned).collect();
    assert_eq!(
        lines[..2],
        ["adjourned 0 by seats for 86400000 lasted 5", "adjourned 3 by referee for 86400000 lasted 0"]
    );
}

#[test]
fn adjournments_stand_in_their_order_and_only_the_last_goes_on() {
    let entries = recorded(5, Vec::new()).expect("a match").entries().len();
    assert!(entries > 4, "{entries} entries");
    for given in
        [vec![adjourned(0, 5), adjourned(entries, 5)], vec![adjourned(4, 5), adjourned(entries, None)]]
    {
        assert!(recorded(5, given.clone()).is_ok(), "{given:?}");
    }
    for given in [
        vec![adjourned(4, 5), adjourned(3, 5)],
        vec![adjourned(entries + 1, 5)],
        vec![adjourned(4, None)],
        vec![adjourned(entries, None), adjourned(entries, 5)],
    ] {
        assert!(matches!(recorded(5, given.clone()), Err(RecordError::Unreadable(_))), "{given:?}");
    }
    // One that is over does not wait to go on.
    let all = recorded(1_000, Vec::new()).expect("a match");
    assert!(all.result().is_some());
    let waits = recorded(1_000, vec![adjourned(all.entries().len(), None)]);
    assert!(matches!(waits, Err(RecordError::Unreadable(_))), "{waits:?}");
}

#[test]
fn lines_that_are_no_adjournments_are_refused_with_what_would_be_accepted() {
    let text = recorded(5, Vec::new()).expect("a match").to_text();
    for wrong in [
        "0",
        "0 by seats",
        "0 by north for 5",
        "0 by seats for long",
        "0 by seats for 5 lasted",
        "0 by seats for 05 lasted 5",
        "by seats for 5",
    ] {
        let line = format!("adjourned {wrong}");
        let with = text.replace("\nend ", &format!("\n{line}\nend "));
        let error = Record::parse_damaged(&with).expect_err(wrong);
        assert_eq!(error.found, line);
    }
}
