//! The record checker finds what is wrong, says where, and lets pass what is right.

use edgehill_engine::dice::{
    Audit, Claim, Entropy, Error, Nonce, Seed, ServerSeed, Terms, VerifyError, choice, roll,
};

const NONCE: Nonce = Nonce { stream: 3, n: 5 };

fn seed() -> Seed {
    Seed::from_bytes([7; 32])
}

/// Takes the event at this place for the roll that the seed gives there.
fn roll_at(audit: &mut Audit, stream: u32, n: u32) -> Result<(), VerifyError> {
    let nonce = Nonce { stream, n };
    let faces = roll(&seed(), nonce, 2, 6).expect("in range");
    audit.check(&Claim::Roll { nonce, sides: 6, faces: &faces })
}

#[test]
fn a_changed_die_is_named() {
    let faces = [4, 2, 5, 3, 6];
    let verify = |faces: &[u16]| Claim::Roll { nonce: NONCE, sides: 6, faces }.verify(&seed());
    assert_eq!(verify(&faces), Ok(()));
    for die in 0..faces.len() {
        for claimed in [0, 1, 7, u16::MAX] {
            let mut changed = faces;
            changed[die] = claimed;
            let error = VerifyError::Face { die, claimed, derived: faces[die] };
            assert_eq!(verify(&changed), Err(error));
        }
    }
    assert_eq!(verify(&[]), Err(VerifyError::Request(Error::DiceCount(0))));
    let claim = Claim::Roll { nonce: NONCE, sides: 6, faces: &faces };
    assert!(claim.verify(&Seed::from_bytes([8; 32])).is_err(), "another seed");
}

#[test]
fn another_entry_or_card_is_named() {
    let weights = [1; 52];
    let derived = choice(&seed(), NONCE, &weights).expect("in range");
    for claimed in [0, 51, 52, usize::MAX].into_iter().filter(|claimed| *claimed != derived) {
        let claim = Claim::Choice { nonce: NONCE, weights: &weights, index: claimed };
        assert_eq!(claim.verify(&seed()), Err(VerifyError::Entry { claimed, derived }));
    }
    let claim = |card| Claim::Bag { stream: 0, epoch: 0, cards: &[1, 2, 3, 4, 5, 6, 7, 8, 9], card };
    assert_eq!(claim(6).verify(&seed()), Ok(()));
    assert_eq!(claim(7).verify(&seed()), Err(VerifyError::Card { claimed: 7, derived: 6 }));
    assert_eq!(claim(10).verify(&seed()), Err(VerifyError::Card { claimed: 10, derived: 6 }));
    let empty = Claim::Bag { stream: 0, epoch: 0, cards: &[], card: 1 };
    assert_eq!(empty.verify(&seed()), Err(VerifyError::Request(Error::BagEmpty)));
}

/// To leave out a roll that one dislikes is to choose one: the gap shows.
#[test]
fn numbers_have_no_gap_and_no_repeat() {
    let mut audit = Audit::new(seed());
    let wrong = |claimed, expected| Err(VerifyError::Number { stream: 4, claimed, expected });
    assert_eq!(roll_at(&mut audit, 4, 1), wrong(1, 0));
    assert_eq!(roll_at(&mut audit, 4, 0), Ok(()));
    assert_eq!(roll_at(&mut audit, 4, 0), wrong(0, 1));
    assert_eq!(roll_at(&mut audit, 4, 2), wrong(2, 1));
    assert_eq!(roll_at(&mut audit, 9, 0), Ok(()), "another stream counts for itself");
    assert_eq!(roll_at(&mut audit, 4, 1), Ok(()), "a refused event leaves no trace");

    let nonce = Nonce { stream: 4, n: 2 };
    let index = choice(&seed(), nonce, &[1, 1]).expect("in range");
    let claim = |index| Claim::Choice { nonce, weights: &[1, 1], index };
    let error = VerifyError::Entry { claimed: 1 - index, derived: index };
    assert_eq!(audit.check(&claim(1 - index)), Err(error));
    assert_eq!(audit.check(&claim(index)), Ok(()), "rolls and choices share the count");
}

#[test]
fn a_bag_shrinks_until_its_next_epoch() {
    let mut audit = Audit::new(seed());
    let at = |epoch, cards| Claim::Bag { stream: 0, epoch, cards, card: 6 };
    assert_eq!(audit.check(&at(0, &[1, 2, 3, 4, 5, 6, 7, 8, 9])), Ok(()));
    let returned = VerifyError::Returned { stream: 0, epoch: 0, card: 6 };
    assert_eq!(audit.check(&at(0, &[1, 6])), Err(returned));
    assert_eq!(audit.check(&at(2, &[6])), Ok(()), "an epoch may pass without a draw");
    let back = VerifyError::Epoch { stream: 0, claimed: 1, latest: 2 };
    assert_eq!(audit.check(&at(1, &[6])), Err(back));
    let other = Claim::Bag { stream: 1, epoch: 0, cards: &[6, 7], card: 8 };
    assert!(matches!(audit.check(&other), Err(VerifyError::Card { claimed: 8, .. })), "not drawn");
}

#[test]
fn openings_of_commitments() {
    let terms =
        Terms { id: "m-1", game: "ukc", rules_version: "1", content_hash: [2; 32], options_hash: [3; 32] };
    let (true_seed, other) = (ServerSeed::from_bytes([1; 32]), ServerSeed::from_bytes([4; 32]));
    let claimed = true_seed.commit(&terms).expect("terms");
    assert_eq!(claimed.verify(&terms, &true_seed), Ok(()));
    let derived = other.commit(&terms).expect("terms");
    assert_eq!(claimed.verify(&terms, &other), Err(VerifyError::Commitment { claimed, derived }));
    assert!(claimed.verify(&Terms { id: "m-2", ..terms }, &true_seed).is_err());

    let entropy = Entropy::from_bytes([5; 32]);
    let claimed = entropy.commit("m-1", 0).expect("an id");
    assert_eq!(claimed.verify("m-1", 0, &entropy), Ok(()));
    let derived = entropy.commit("m-1", 1).expect("an id");
    let copied = VerifyError::EntropyCommitment { seat: 1, claimed, derived };
    assert_eq!(claimed.verify("m-1", 1, &entropy), Err(copied), "another seat's commitment");
    assert!(claimed.verify("m-2", 0, &entropy).is_err());
    assert!(claimed.verify("m-1", 0, &Entropy::ABSENT).is_err());
}
