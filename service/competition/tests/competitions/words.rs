//! Words of competitions, written and read.

use edgehill_competition::{
    EncounterId, EntrantId, ForfeitReason, MatchSlot, Points, Round, TieBreak, Verdict,
};
use proptest::prelude::*;

fn entrants() -> impl Strategy<Value = EntrantId> {
    (1..=u16::MAX).prop_map(|number| EntrantId::new(number).unwrap())
}

fn verdicts() -> impl Strategy<Value = Verdict> {
    let reasons = || prop::sample::select(ForfeitReason::ALL.to_vec());
    prop_oneof![
        entrants().prop_map(Verdict::Win),
        entrants().prop_map(Verdict::Loss),
        Just(Verdict::Draw),
        (entrants(), reasons()).prop_map(|(entrant, reason)| Verdict::Forfeit { entrant, reason }),
        reasons().prop_map(Verdict::BothForfeit),
        (entrants(), any::<i32>()).prop_map(|(entrant, score)| Verdict::Score { entrant, score }),
        Just(Verdict::Void),
    ]
}

proptest! {
    #[test]
    fn what_is_written_is_read(
        entrant in entrants(),
        verdict in verdicts(),
        [round, place, number, attempt] in prop::array::uniform4(1..=u16::MAX),
        halves: u32,
    ) {
        prop_assert_eq!(entrant.to_string().parse(), Ok(entrant));
        prop_assert_eq!(verdict.to_string().parse(), Ok(verdict));
        let round = Round::new(round).unwrap();
        prop_assert_eq!(round.to_string().parse(), Ok(round));
        let encounter = EncounterId { round, number: place.try_into().unwrap() };
        prop_assert_eq!(encounter.to_string().parse(), Ok(encounter));
        let slot = MatchSlot {
            encounter,
            number: number.try_into().unwrap(),
            attempt: attempt.try_into().unwrap(),
        };
        prop_assert_eq!(slot.to_string().parse(), Ok(slot));
        prop_assert_eq!(Points::of_halves(halves).to_string().parse(), Ok(Points::of_halves(halves)));
    }

    /// One text for one word: what is read is written alike.
    #[test]
    fn what_is_read_is_written(text in "[#0-9./ +-]{0,12}|(win|loss|score|forfeit) #?[0-9]{1,6}( by time| -?[0-9]{1,3})?") {
        if let Ok(word) = text.parse::<EntrantId>() {
            prop_assert_eq!(word.to_string(), text.clone());
        }
        if let Ok(word) = text.parse::<Round>() {
            prop_assert_eq!(word.to_string(), text.clone());
        }
        if let Ok(word) = text.parse::<MatchSlot>() {
            prop_assert_eq!(word.to_string(), text.clone());
        }
        if let Ok(word) = text.parse::<EncounterId>() {
            prop_assert_eq!(word.to_string(), text.clone());
        }
        if let Ok(word) = text.parse::<Points>() {
            prop_assert_eq!(word.to_string(), text.clone());
        }
        if let Ok(word) = text.parse::<Verdict>() {
            prop_assert_eq!(word.to_string(), text);
        }
    }
}

#[test]
fn words_are_those_of_the_page() {
    let one = EntrantId::FIRST;
    for (verdict, text) in [
        (Verdict::Win(one), "win #1"),
        (Verdict::Loss(one), "loss #1"),
        (Verdict::Draw, "draw"),
        (Verdict::Forfeit { entrant: one, reason: ForfeitReason::Time }, "forfeit #1 by time"),
        (
            Verdict::Forfeit { entrant: one, reason: ForfeitReason::IllegalActions },
            "forfeit #1 by illegal actions",
        ),
        (Verdict::BothForfeit(ForfeitReason::Absence), "both forfeit by absence"),
        (Verdict::Score { entrant: one, score: -3 }, "score #1 -3"),
        (Verdict::Void, "void"),
    ] {
        assert_eq!(verdict.to_string(), text);
    }
    for tie_break in TieBreak::ALL {
        assert_eq!(tie_break.to_string().parse(), Ok(tie_break));
    }
    assert_eq!("2.5.1/2".parse::<MatchSlot>().unwrap().to_string(), "2.5.1/2");
}

#[test]
fn returns_have_a_verdict() {
    let (one, other) = (EntrantId::FIRST, EntrantId::new(2).unwrap());
    for (seats, returns, verdict) in [
        (&[one, other][..], &[3, 1][..], Some(Verdict::Win(one))),
        (&[one, other], &[-1, 1], Some(Verdict::Win(other))),
        (&[other, one], &[2, 2], Some(Verdict::Draw)),
        (&[other], &[-7], Some(Verdict::Score { entrant: other, score: -7 })),
        (&[one, other], &[1], None),
        (&[one], &[1, 2], None),
        (&[], &[], None),
    ] {
        assert_eq!(Verdict::of_returns(seats, returns), verdict);
    }
}

#[test]
fn other_texts_are_no_words() {
    for text in ["", "#", "#0", "#01", "1", "# 1", "#65536", "#+1"] {
        let refused = text.parse::<EntrantId>().unwrap_err();
        assert_eq!(refused.to_string(), "expected an entrant as # and a number from 1, such as #3");
    }
    for text in ["", "1.1", "1.1.0", "1.1.1/1", "1.1.1/0", "1.1.1/", "1.1.1.1", "0.1.1"] {
        assert!(text.parse::<MatchSlot>().is_err(), "{text}");
    }
    for text in [
        "",
        "win",
        "win 1",
        "draw #1",
        "void ",
        "forfeit #1",
        "forfeit #1 by luck",
        "score #1",
        "score #1 +3",
    ] {
        assert!(text.parse::<Verdict>().is_err(), "{text}");
    }
    for text in ["", ".5", "1.0", "01", "-1", "2147483648", "1.50"] {
        assert!(text.parse::<Points>().is_err(), "{text}");
    }
}
