//! The number of ways in which a world comes about that a seat thinks possible (rulings Y6, Y8): counters of one face are alike, and so are
//! tokens that stand for Alt-Hist cards.
//!
//! Only proportions matter, between worlds that the seat can't tell apart: what is the same in all of them is left out.

use std::collections::BTreeMap;

use crate::numbered::Listed;
use crate::vocabulary::*;

use super::UnhappyKing;
use super::content::cards::Deck;
use super::content::deck::{EARLY, FIRST_DEAL, LATE, MID};
use super::content::ids::CounterId;
use super::resample::deserts_first;
use super::state::{Marks, State};
use super::view::brigades::{SHOWN_WITH_BACK, is_known};
use super::view::cards::{Hidden, segment_of};

pub(super) fn world_weight(game: &UnhappyKing, state: &State, seat: Seat) -> u64 {
    let weight = counters(game, state, seat) * deserters(game, state, seat) * cards(game, state, seat);
    u64::try_from(weight).expect("a world of a few has a small weight")
}

/// The deals of hidden counters to the places of their backs after which they lie as they do, for every deal of places to counters of one
/// face: how many counters lie at each place is the same in all worlds, and so is the number of each face.
fn counters(game: &UnhappyKing, state: &State, seat: Seat) -> u128 {
    let brigades = &state.brigades;
    // By what counters are alike in: how many of them lie at each place.
    let mut alike: BTreeMap<_, BTreeMap<_, u32>> = BTreeMap::new();
    for counter in CounterId::all(&game.content) {
        let enemy = brigades.side(&game.content, counter) != seat;
        if enemy && !is_known(game, state, counter, Observer::Seat(seat)) {
            let one = brigades.get(counter);
            let place = (one.at.index(), one.marks & SHOWN_WITH_BACK);
            let kind = (game.content.face_of[counter], one.marks.contains(Marks::TURNED));
            *alike.entry(kind).or_default().entry(place).or_default() += 1;
        }
    }
    alike.values().map(|places| ways(places.values().copied())).product()
}

/// The choices of deserters (H11, H15) by which those are selected that are, of the enemy's at each place.
fn deserters(game: &UnhappyKing, state: &State, seat: Seat) -> u128 {
    let brigades = &state.brigades;
    let mut places: BTreeMap<_, Vec<CounterId>> = BTreeMap::new();
    for counter in CounterId::all(&game.content) {
        if brigades.side(&game.content, counter) != seat {
            places.entry(brigades.get(counter).at.index()).or_default().push(counter);
        }
    }
    let is_selected = |counter: CounterId| brigades.get(counter).marks.contains(Marks::DESERTING);
    places.retain(|_, here| here.iter().any(|&counter| is_selected(counter)));
    let of_place = |here: &Vec<CounterId>| {
        let all = here.len() as u32;
        let selected = here.iter().filter(|&&counter| is_selected(counter)).count() as u32;
        let first = here.iter().filter(|&&counter| deserts_first(&game.content, counter)).count() as u32;
        // All choices are as likely; counted in parts of what is the same in each world.
        let choices =
            if selected <= first { choose(first, selected) } else { choose(all - first, selected - first) };
        let mut alike: BTreeMap<_, [u32; 2]> = BTreeMap::new();
        for &counter in here {
            let kind = (game.content.face_of[counter], brigades.get(counter).marks - Marks::DESERTING);
            alike.entry(kind).or_default()[usize::from(is_selected(counter))] += 1;
        }
        alike.values().map(|&counts| ways(counts)).product::<u128>() * (factorial(all) / choices)
    };
    places.values().map(of_place).product()
}

/// The draws by which the hidden cards came of their parts of the deck.
fn cards(game: &UnhappyKing, state: &State, seat: Seat) -> u128 {
    let (plan, cards) = (&game.content.deck, &state.cards);
    let hidden = Hidden::from(game, state, Observer::Seat(seat)).all();
    // A card from behind a token comes as often as the tokens that are left, shared by the Alt-Hist cards that are left; all that a card
    // of a segment's own weighs is the same in each world.
    let mut weight = 1;
    let mut taken = 0;
    for segment in [MID, LATE] {
        let behind =
            |&card: &u16| segment_of(game, cards, card) == segment && !plan.cards(segment).contains(card);
        let came = hidden.iter().filter(behind).count() as u32;
        let left = u32::from(cards.deck.tokens(segment));
        weight *= factorial(came + left) / factorial(left);
        taken += u32::from(plan.tokens(segment)) - left;
    }
    weight *= factorial(game.content.decks[Deck::AltHist as usize].len() as u32 - taken);
    // The Standard is in a hand as often as there are Early cards that it could have left in the deck, and still to come as often as
    // cards of the first deal are.
    let to_come = u128::from(cards.deck.count_of(plan, FIRST_DEAL));
    let standard = plan.cards(FIRST_DEAL);
    if to_come == 0 {
        weight
    } else if (hidden & standard).is_empty() {
        weight * to_come
    } else {
        weight * cards.deck.can_come(plan, EARLY).len() as u128
    }
}

/// The orders of some things of which these numbers are alike.
fn ways(alike: impl IntoIterator<Item = u32>) -> u128 {
    let (mut all, mut weight) = (0, 1);
    for count in alike {
        all += count;
        weight *= choose(all, count);
    }
    weight
}

/// The choices of `count` things of `all`.
fn choose(all: u32, count: u32) -> u128 {
    (1..=count).fold(1, |choices, one| choices * u128::from(all - count + one) / u128::from(one))
}

fn factorial(of: u32) -> u128 {
    (1..=of).map(u128::from).product()
}
