//! Decks as somebody knows them who has not seen all that came: worlds by `deal` and by `scramble`, against exact odds.

use std::collections::BTreeMap;

use edgehill_engine::chance::Chance;
use edgehill_engine::deck::{CardSet, Deck, DeckPlan, DeckSegment, SecondBag};
use edgehill_engine::reference::Ref;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::four_stages::{ALT_HIST_CARDS, MID, SEGMENTS, before_mid, plan};
use crate::odds::fit;

/// Number of worlds that each figure is counted over.
const WORLDS: u64 = 10_000;
/// Bounds nothing.
const ANY: CardSet = CardSet(u128::MAX);

/// Two own cards and two of three others, and one of the others alone below.
fn small() -> DeckPlan<2> {
    let others = SecondBag { stream: 1, cards: CardSet::of(10..13) };
    let segment = DeckSegment::of_cards(0, CardSet::of(0..2)).with_tokens(2, 0);
    DeckPlan::new([segment, DeckSegment::of_second_bag(0, 1)], vec![others])
        .expect("every card has one place")
}

/// Every list of the next `count` cards, by the exact weights of the draws; all lists have one total.
fn weighed(deck: Deck<2>, count: usize) -> BTreeMap<Vec<u16>, u64> {
    let plan = small();
    let mut open = vec![(Vec::new(), deck, 1.0)];
    for _ in 0..count {
        let mut next = Vec::new();
        for (cards, deck, weight) in open {
            let chance: Chance = deck.draw(&plan).expect("a card comes");
            let total: u64 = chance.options().iter().map(|&(_, weight)| weight).sum();
            for (what, share) in chance.options() {
                let Ref::Card(card) = what else { panic!("a card is drawn") };
                let mut after = deck;
                after.take(&plan, card);
                let mut cards: Vec<u16> = cards.clone();
                cards.push(card);
                next.push((cards, after, weight * share as f64 / total as f64));
            }
        }
        open = next;
    }
    // Every way has a weight with a denominator that divides 360.
    open.into_iter().map(|(cards, _, weight)| (cards, (weight * 360.0).round() as u64)).collect()
}

/// Lists by `make`, counted in the order of their weights.
fn counted(weights: &BTreeMap<Vec<u16>, u64>, mut make: impl FnMut(&mut ChaCha8Rng) -> Vec<u16>) -> Vec<u64> {
    let mut counts: BTreeMap<Vec<u16>, u64> = weights.keys().map(|cards| (cards.clone(), 0)).collect();
    let mut rng = ChaCha8Rng::seed_from_u64(1642);
    for _ in 0..WORLDS {
        let made = make(&mut rng);
        *counts.get_mut(&made).unwrap_or_else(|| panic!("{made:?} can't come")) += 1;
    }
    counts.into_values().collect()
}

#[test]
fn two_unseen_cards_are_dealt_as_they_are_drawn() {
    let plan = small();
    let weights = weighed(plan.deck(2), 2);
    assert_eq!((weights.len(), weights.values().sum::<u64>()), (20, 360));
    let counts = counted(&weights, |rng| {
        let mut deck = plan.deck(2);
        let cards = (0..2).map(|_| deck.deal(&plan, 0, ANY, rng).expect("four cards come"));
        cards.collect()
    });
    assert!(fit(&counts, &weights.into_values().collect::<Vec<_>>()), "{counts:?}");
}

#[test]
fn two_unseen_cards_are_scrambled_as_they_are_drawn() {
    let plan = small();
    let weights = weighed(plan.deck(2), 2);
    let mut deck = plan.deck(2);
    let mut hidden = [(0, 1), (0, 12)];
    hidden.iter().for_each(|&(segment, card)| deck.take_from(&plan, segment, card));
    let counts = counted(&weights, |rng| {
        deck.scramble(&plan, &mut hidden, rng);
        assert!(hidden.iter().all(|&(_, card)| !deck.can_come(&plan, 0).contains(card)));
        assert_eq!((deck.count_of(&plan, 0), deck.count_of(&plan, 1)), (2, 1));
        hidden.iter().map(|&(_, card)| card).collect()
    });
    assert!(fit(&counts, &weights.into_values().collect::<Vec<_>>()), "{counts:?}");
}

/// All of the first segment and the card of the second one have come: the last of the others is unseen, too.
#[test]
fn segments_share_their_second_bag_in_a_scrambled_world() {
    let plan = small();
    let mut deck = plan.deck(2);
    for card in [0, 10, 1, 12, 11] {
        deck.take(&plan, card);
    }
    // Seen are 0, 1 and 10.
    let mut hidden = [(0, 12), (1, 11)];
    let weights: BTreeMap<Vec<u16>, u64> = [(vec![11, 12], 1), (vec![12, 11], 1)].into();
    let counts = counted(&weights, |rng| {
        deck.scramble(&plan, &mut hidden, rng);
        hidden.iter().map(|&(_, card)| card).collect()
    });
    assert!((4_750..=5_250).contains(&counts[0]), "{counts:?}");
    assert_eq!(deck.draw(&plan), None);
}

/// Ten cards of Mid have come, of which five are seen, an Alt-Hist card among them: of the other five, which no more than one more
/// may be with, one is in 5 worlds of 24.
#[test]
fn unseen_cards_of_a_stage_are_dealt_by_what_was_seen() {
    let plan = plan();
    let mut known = before_mid(&plan);
    for card in [40, 41, 42, 43, 95] {
        known.take(&plan, card);
    }
    let mut rng = ChaCha8Rng::seed_from_u64(1642);
    let mut with = 0;
    for _ in 0..WORLDS {
        let mut deck: Deck<SEGMENTS> = known;
        let cards: Vec<u16> =
            (0..5).map(|_| deck.deal(&plan, MID, ANY, &mut rng).expect("24 are left")).collect();
        let alt_hist = cards.iter().filter(|&card| ALT_HIST_CARDS.contains(card)).count();
        assert!(alt_hist <= 1 && !cards.contains(&95), "{cards:?}");
        with += alt_hist;
        assert_eq!((deck.count_of(&plan, MID), deck.tokens(MID)), (19, 1 - alt_hist as u8));
    }
    // 2083 +- 5 standard deviations of 41.
    assert!((1_880..=2_290).contains(&with), "{with} of {WORLDS}");
}

#[test]
fn bounds_of_a_place_are_kept() {
    let plan = small();
    let mut rng = ChaCha8Rng::seed_from_u64(1642);
    let mut counts = [0; 4];
    for _ in 0..WORLDS {
        let mut deck = plan.deck(2);
        let card = deck.deal(&plan, 0, CardSet::of([0, 1, 10, 11]), &mut rng).expect("four can come");
        counts[[0, 1, 10, 11].iter().position(|&other| other == card).expect("within its bounds")] += 1;
        assert_eq!(deck.deal(&plan, 0, CardSet::of([5, card]), &mut rng), None, "none of them can come");
    }
    // Two tokens share three cards: each of these is two thirds as likely as an own one.
    assert!(fit(&counts, &[3, 3, 2, 2]), "{counts:?}");
}
