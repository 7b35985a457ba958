//! Tokens come by their odds, as the seed draws them, if each draw has an epoch of its own; and not if draws share one (docs/dice.md,
//! Tokens).

use edgehill_engine::chance::{Bag, Chance, Outcome};
use edgehill_engine::chance_source::seeded;
use edgehill_engine::deck::{Deck, DeckPlan};
use edgehill_engine::dice::{Audit, Claim, Seed, VerifyError};
use edgehill_engine::event::ChanceRef;
use edgehill_engine::laws::Streams;
use edgehill_engine::reference::Ref;

use crate::four_stages::{ALT_HIST_CARDS, SEGMENTS, STANDARD, before_mid, plan};
use crate::odds::fit;

/// Number of seeds that each figure is counted over; always the same ones.
const SEEDS: u64 = 10_000;

/// The ways to give draws their epochs.
#[derive(Copy, Clone)]
enum Epochs {
    /// One for each draw, as the deck says.
    Own,
    /// One for all draws: the fault.
    Shared,
}

fn seed(number: u64) -> Seed {
    let mut bytes = [0x16; 32];
    bytes[..8].copy_from_slice(&number.to_le_bytes());
    Seed::from_bytes(bytes)
}

fn next_bag(deck: &Deck<SEGMENTS>, plan: &DeckPlan<SEGMENTS>, epochs: Epochs) -> Bag {
    let Some(Chance::Bag(mut bag)) = deck.draw(plan) else { panic!("cards are left") };
    if let Epochs::Shared = epochs {
        bag.epoch = 0;
    }
    bag
}

/// The card that the seed draws.
fn drawn(seed: &Seed, bag: &Bag) -> u16 {
    let place = ChanceRef { stream: bag.stream, n: bag.epoch };
    match seeded(seed, &Chance::Bag(bag.clone()), place).expect("within the bounds of the page") {
        Outcome::Pick(Ref::Card(card)) => card,
        outcome => panic!("{outcome:?} of a bag"),
    }
}

/// The cards of a deck, one after the other.
fn dealt(seed: Seed, mut deck: Deck<SEGMENTS>, epochs: Epochs) -> impl Iterator<Item = u16> {
    let plan = plan();
    std::iter::from_fn(move || {
        let card = drawn(&seed, &next_bag(&deck, &plan, epochs));
        deck.take(&plan, card);
        Some(card)
    })
}

/// Number of seeds with which the Standard is the first, second, .. of ten cards.
fn places_of_the_standard(epochs: Epochs) -> Vec<u64> {
    let deck = plan().deck(1);
    let mut counts = vec![0; 10];
    for number in 0..SEEDS {
        let place = dealt(seed(number), deck, epochs).take(10).position(|card| card == STANDARD);
        counts[place.expect("it is among the ten")] += 1;
    }
    counts
}

/// The two Alt-Hist cards among the 29 of Mid, each with the place at which it came.
fn alt_hist_cards(number: u64, epochs: Epochs) -> [(usize, u16); 2] {
    let cards = dealt(seed(number), before_mid(&plan()), epochs).take(29).enumerate();
    let found = cards.filter(|(_, card)| ALT_HIST_CARDS.contains(card)).take(2);
    found.collect::<Vec<_>>().try_into().expect("two of them come")
}

/// Number of seeds with which the second Alt-Hist card comes one, two, .. 28 cards after the first.
fn gaps_of_alt_hist(epochs: Epochs) -> Vec<u64> {
    let mut counts = vec![0; 28];
    for number in 0..SEEDS {
        let [(first, _), (second, _)] = alt_hist_cards(number, epochs);
        counts[second - first - 1] += 1;
    }
    counts
}

/// Of two cards among 29, a gap of `d` has 29 - d places.
fn odds_of_gaps() -> Vec<u64> {
    (1..=28).map(|gap| 29 - gap).collect()
}

#[test]
fn the_standard_is_any_of_the_ten_cards() {
    let counts = places_of_the_standard(Epochs::Own);
    assert!(fit(&counts, &[1; 10]), "{counts:?}");
}

#[test]
fn the_second_alt_hist_card_comes_as_far_behind_the_first_as_in_a_shuffled_deck() {
    let counts = gaps_of_alt_hist(Epochs::Own);
    assert!(fit(&counts, &odds_of_gaps()), "{counts:?}");
}

#[test]
fn the_alt_hist_cards_are_any_two_of_the_ten() {
    let mut counts = vec![0; 45];
    for number in 0..SEEDS {
        let mut pair =
            alt_hist_cards(number, Epochs::Own).map(|(_, card)| usize::from(card - ALT_HIST_CARDS.start));
        pair.sort_unstable();
        let [low, high] = pair;
        counts[high * (high - 1) / 2 + low] += 1;
    }
    assert!(fit(&counts, &[1; 45]), "{counts:?}");
}

/// The token that came keeps the least rank while others are taken out for it, so the Standard waits: the seat that is dealt every
/// second card has it in 65 matches of 100.
#[test]
fn a_shared_epoch_is_no_shuffle_of_the_standard() {
    let counts = places_of_the_standard(Epochs::Shared);
    assert!(!fit(&counts, &[1; 10]), "{counts:?}");
    let second_seat: u64 = counts.iter().skip(1).step_by(2).sum();
    assert!((6_200..=6_700).contains(&second_seat), "{second_seat} of {SEEDS}: {counts:?}");
}

/// In half of the matches the token that came is the one that stays, and comes at once again: 53 of 100 instead of 28 of 406.
#[test]
fn a_shared_epoch_is_no_shuffle_of_the_alt_hist_cards() {
    let counts = gaps_of_alt_hist(Epochs::Shared);
    assert!(!fit(&counts, &odds_of_gaps()), "{counts:?}");
    assert!((5_100..=5_600).contains(&counts[0]), "{} of {SEEDS} follow at once: {counts:?}", counts[0]);
}

/// Takes the draws of the first ten cards for what the seed gives, token by token.
fn audited(number: u64, epochs: Epochs) -> Result<(), VerifyError> {
    let (plan, seed) = (plan(), seed(number));
    let mut deck = plan.deck(1);
    let mut audit = Audit::new(seed.clone());
    for _ in 0..10 {
        let bag = next_bag(&deck, &plan, epochs);
        let card = drawn(&seed, &bag);
        let mut numbers = bag.cards.clone();
        numbers.extend(bag.tokens.iter().map(|token| token.number));
        let index = edgehill_engine::dice::bag(&seed, bag.stream, bag.epoch, &numbers).expect("not empty");
        let (stream, epoch) = (bag.stream, bag.epoch);
        audit.check(&Claim::Bag { stream, epoch, cards: &numbers, card: numbers[index] })?;
        if let Some(token) = bag.tokens.iter().find(|token| token.number == numbers[index]) {
            let (stream, epoch, cards) = (token.stream, token.epoch, &token.cards);
            audit.check(&Claim::Bag { stream, epoch, cards, card })?;
        }
        deck.take(&plan, card);
    }
    Ok(())
}

/// A checker who follows the tokens finds the shared epoch as what it is: a token that came is back.
#[test]
fn an_audit_finds_the_token_back() {
    for number in 0..100 {
        assert_eq!(audited(number, Epochs::Own), Ok(()));
    }
    let back = (0..100).filter(|&number| {
        matches!(audited(number, Epochs::Shared), Err(VerifyError::Returned { stream: 7, epoch: 0, .. }))
    });
    assert!(back.count() > 80, "most matches draw a token twice");
}

/// The kit's law over all draws of the deck; each is met twice, as at a node where a call is refused.
fn kept(epochs: Epochs) -> Result<(), String> {
    let (plan, seed) = (plan(), seed(0));
    let mut deck = plan.deck(SEGMENTS);
    let mut streams = Streams::default();
    for outcomes in 0..usize::from(deck.count(&plan)) {
        let bag = next_bag(&deck, &plan, epochs);
        for _ in 0..2 {
            streams.note(&Chance::Bag(bag.clone()), outcomes).map_err(|breach| breach.detail)?;
        }
        deck.take(&plan, drawn(&seed, &bag));
    }
    assert_eq!(deck.draw(&plan), None);
    Ok(())
}

#[test]
fn a_deck_keeps_the_law_of_chance_to_its_last_card() {
    assert_eq!(kept(Epochs::Own), Ok(()));
    let detail = kept(Epochs::Shared).expect_err("draws share an epoch");
    let place = "two draws of stream 7 share epoch 0, and a bag of one of them holds 9 tokens";
    assert!(detail.starts_with(place), "{detail}");
}

/// An action that led to a draw may be taken back before the outcome: the draw that comes then may have the epoch.
#[test]
fn a_draw_that_was_taken_back_has_used_no_epoch() {
    let plan = plan();
    let bag = next_bag(&plan.deck(1), &plan, Epochs::Own);
    let other = Chance::Roll { stream: 1, dice: 1, sides: 6 };
    let mut streams = Streams::default();
    streams.note(&Chance::Bag(bag.clone()), 3).unwrap();
    streams.note(&other, 3).unwrap();
    streams.note(&Chance::Bag(bag.clone()), 4).unwrap();
    let breach = streams.note(&Chance::Bag(bag), 5).expect_err("it was drawn by now");
    assert!(breach.detail.contains("share epoch 0"), "{}", breach.detail);
}

/// The epoch is its own whichever of the two draws is the one with tokens.
#[test]
fn no_other_draw_comes_before_or_after_in_the_epoch_of_two_tokens() {
    let plan = plan();
    let tokens = next_bag(&plan.deck(1), &plan, Epochs::Own);
    let none = Bag { tokens: Vec::new(), ..tokens.clone() };
    let one = Bag { tokens: tokens.tokens[..1].to_vec(), ..tokens.clone() };
    let noted = |first: &Bag, then: &Bag| {
        let mut streams = Streams::default();
        streams
            .note(&Chance::Bag(first.clone()), 0)
            .and_then(|()| streams.note(&Chance::Bag(then.clone()), 1))
    };
    assert!(noted(&tokens, &none).is_err());
    assert!(noted(&tokens, &one).is_err());
    let more = Bag {
        cards: tokens.tokens.iter().map(|token| token.number).chain([STANDARD]).collect(),
        ..none.clone()
    };
    assert!(noted(&more, &tokens).is_err());
    assert!(noted(&one, &none).is_ok(), "one token shares its epoch: which one came is known");
    assert!(noted(&tokens, &Bag { epoch: 1, ..none }).is_ok());
}
