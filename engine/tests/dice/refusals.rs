//! Requests outside the bounds are refused with their reason, and those on the bounds are not.

use edgehill_engine::dice::{Entropy, Error, Nonce, Seed, ServerSeed, Terms, VerifyError, bag, choice, roll};

const NONCE: Nonce = Nonce { stream: 3, n: 5 };

fn seed() -> Seed {
    Seed::from_bytes([7; 32])
}

#[test]
fn rolls() {
    for (dice, sides, error) in [
        (0, 6, Error::DiceCount(0)),
        (129, 6, Error::DiceCount(129)),
        (usize::MAX, 6, Error::DiceCount(usize::MAX)),
        (1, 0, Error::DieSides(0)),
        (1, 1, Error::DieSides(1)),
        (1, 257, Error::DieSides(257)),
        (1, u16::MAX, Error::DieSides(u16::MAX)),
    ] {
        assert_eq!(roll(&seed(), NONCE, dice, sides), Err(error));
    }
    for (dice, sides) in [(1, 2), (1, 256), (128, 2), (128, 256)] {
        assert_eq!(roll(&seed(), NONCE, dice, sides).map(|faces| faces.len()), Ok(dice));
    }
}

#[test]
fn choices() {
    for (weights, error) in [
        (vec![], Error::WeightCount(0)),
        (vec![1; 257], Error::WeightCount(257)),
        (vec![0; 256], Error::WeightTotal(0)),
        (vec![1 << 31, 1 << 31, 1], Error::WeightTotal((1 << 32) + 1)),
        (vec![u32::MAX; 256], Error::WeightTotal(256 * ((1 << 32) - 1))),
    ] {
        assert_eq!(choice(&seed(), NONCE, &weights), Err(error));
    }
    for weights in [vec![1], vec![u32::MAX], vec![u32::MAX, 1], vec![1 << 24; 256]] {
        assert!(choice(&seed(), NONCE, &weights).is_ok());
    }
}

#[test]
fn bags() {
    assert_eq!(bag(&seed(), 0, 0, &[]), Err(Error::BagEmpty));
    for (cards, repeated) in [(&[0, 0][..], 0), (&[64, 65, 64], 64), (&[1, 65_535, 2, 65_535], 65_535)] {
        assert_eq!(bag(&seed(), 0, 0, cards), Err(Error::BagRepeats(repeated)));
    }
    let all: Vec<u16> = (0..=u16::MAX).collect();
    assert!(bag(&seed(), 0, 0, &all).is_ok());
}

#[test]
fn derivations() {
    let server_seed = ServerSeed::from_bytes([1; 32]);
    let (long, longest) = ("x".repeat(257), "x".repeat(256));
    let terms = |id, game, rules_version| Terms {
        id,
        game,
        rules_version,
        content_hash: [2; 32],
        options_hash: [3; 32],
    };
    let refused = |field, bytes| Error::TextLength { field, bytes };
    assert_eq!(server_seed.commit(&terms("", "g", "1")), Err(refused("id", 0)));
    assert_eq!(server_seed.commit(&terms("a", "", "1")), Err(refused("game", 0)));
    assert_eq!(server_seed.commit(&terms("a", "g", &long)), Err(refused("rules_version", 257)));
    assert!(server_seed.commit(&terms(&longest, &longest, &longest)).is_ok());
    assert_eq!(server_seed.seed("", &[]), Err(refused("id", 0)));
    assert_eq!(server_seed.in_series(&long, 0), Err(refused("account", 257)));
    assert_eq!(Entropy::ABSENT.commit(&long, 0), Err(refused("id", 257)));
    assert_eq!(server_seed.seed("a", &vec![Entropy::ABSENT; 257]), Err(Error::EntropyCount(257)));
    assert!(server_seed.seed("a", &vec![Entropy::ABSENT; 256]).is_ok());
}

/// The names that wires and logs rely on.
#[test]
fn rule_violations() {
    for (error, reason) in [
        (Error::DiceCount(0), "DICE_COUNT"),
        (Error::DieSides(0), "DIE_SIDES"),
        (Error::WeightCount(0), "WEIGHT_COUNT"),
        (Error::WeightTotal(0), "WEIGHT_TOTAL"),
        (Error::BagEmpty, "BAG_EMPTY"),
        (Error::BagRepeats(0), "BAG_REPEATS"),
        (Error::TextLength { field: "id", bytes: 0 }, "TEXT_LENGTH"),
        (Error::EntropyCount(257), "ENTROPY_COUNT"),
        (Error::Hex, "HEX"),
    ] {
        assert_eq!(error.reason(), reason);
        assert_eq!(VerifyError::Request(error).reason(), reason);
    }
    for (error, reason) in [
        (VerifyError::Face { die: 0, claimed: 1, derived: 2 }, "FACE_MISMATCH"),
        (VerifyError::Entry { claimed: 1, derived: 2 }, "ENTRY_MISMATCH"),
        (VerifyError::Card { claimed: 1, derived: 2 }, "CARD_MISMATCH"),
        (VerifyError::Number { stream: 0, claimed: 1, expected: 2 }, "NUMBER_MISMATCH"),
        (VerifyError::Epoch { stream: 0, claimed: 1, latest: 2 }, "EPOCH_MISMATCH"),
        (VerifyError::Returned { stream: 0, epoch: 0, card: 1 }, "CARD_RETURNED"),
    ] {
        assert_eq!(error.reason(), reason);
    }
}
