//! Matches become pairs.

use edgehill_competition::{MatchOutcome, MirroredPairs, PairError, PairScore, PairSide};

use MatchOutcome::{Draw, Loss, Win};
use PairSide::{First, Second};

#[test]
fn two_matches_of_a_group_are_one_observation() {
    let mut pairs = MirroredPairs::new();
    assert_eq!(pairs.add("a", First, Win), Ok(None));
    assert_eq!(pairs.add("b", Second, Loss), Ok(None));
    assert_eq!((pairs.unpaired(), pairs.counts().total()), (2, 0));
    assert_eq!(pairs.add("b", First, Draw), Ok(Some(PairScore::of(Loss, Draw))));
    assert_eq!(pairs.add("a", Second, Win), Ok(Some(PairScore::of(Win, Win))));
    assert_eq!((pairs.unpaired(), pairs.counts().each()), (0, [0, 1, 0, 0, 1]));
}

#[test]
fn what_is_no_half_of_a_pair_changes_nothing() {
    let mut pairs = MirroredPairs::new();
    pairs.add(1, First, Win).unwrap();
    let before = pairs.clone();
    assert_eq!(pairs.add(1, First, Loss), Err(PairError::SameSide));
    assert_eq!(pairs, before);
    pairs.add(1, Second, Draw).unwrap();
    let before = pairs.clone();
    for side in [First, Second] {
        assert_eq!(pairs.add(1, side, Win), Err(PairError::Whole));
    }
    assert_eq!(pairs, before);
    assert_eq!(pairs.counts().each(), [0, 0, 0, 1, 0]);
}

#[test]
fn a_pair_has_five_scores() {
    let outcomes = [Loss, Draw, Win];
    for (one, first) in (0..).zip(outcomes) {
        for (other, second) in (0..).zip(outcomes) {
            let score = PairScore::of(first, second);
            assert_eq!(score.half_points(), one + other);
            let mirrored = PairScore::of(first.for_the_other(), second.for_the_other());
            assert_eq!(mirrored.half_points(), 4 - score.half_points());
            assert_eq!(mirrored.outcome(), score.outcome().for_the_other());
        }
    }
    assert_eq!(
        [Loss, Draw, Win],
        [(1, 2), (2, 2), (3, 2)].map(|(one, other)| MatchOutcome::of_returns(one, other))
    );
}
