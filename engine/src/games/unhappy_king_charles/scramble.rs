//! For the tests of non-interference: changes what a seat may not know, by swaps in the state itself.

use rand_core::Rng;

use crate::chance_source::below;
use crate::deck::CardSet;
use crate::numbered::Listed;
use crate::vocabulary::*;

use super::UnhappyKing;
use super::catalogue::STORE;
use super::content::brigades::{BrigadeBack, Faction};
use super::content::cards::CardKind;
use super::content::deck::{EARLY, FIRST_DEAL, MID};
use super::content::ids::{CardId, CounterId};
use super::content::{Content, ROYALIST, SEATS};
use super::frames::Frame;
use super::resample::{deserts_first, guess_benefit};
use super::state::{Brigades, Counter, Holder, Marks, State};
use super::view::brigades::{SHOWN_WITH_BACK, is_known};
use super::view::cards::{Hidden, candidates, segment_of};

/// Number of deals of the cards that are tried for one that keeps what is known of stores and of who has passed.
const TRIES: usize = 64;

pub(super) fn scramble(game: &UnhappyKing, state: &State, seat: Seat, rng: &mut dyn Rng) -> State {
    let mut other = state.clone();
    swap_brigades(game, state, &mut other, seat, rng);
    guess_benefit(&mut other, seat.other(), rng);
    deal_cards(game, state, &mut other, seat, rng);
    if seat == ROYALIST {
        swap_drawn(&mut other, rng);
    }
    share_bonus(&mut other, seat.other(), rng);
    refit_choice(&mut other, seat.other(), rng);
    other
}

/// Returns whether a hidden counter can be where another one is: Irish and turncoats in no pool, others nowhere off the map (Y6).
fn fits(content: &Content, back: BrigadeBack, (counter, turned): (CounterId, bool), at: Holder) -> bool {
    if matches!(back, BrigadeBack::Covenanter | BrigadeBack::Lorrainer) {
        return true;
    }
    let irish = !turned && content.band(Faction::Irish).contains(counter);
    if at == Holder::AWAY {
        irish
    } else if at == Holder::OUT {
        irish || turned
    } else {
        !(irish || turned) || SEATS.iter().all(|&seat| at != Holder::pool(seat))
    }
}

/// Hidden counters of one back change places, many times over; then as many of each place as before are selected for Desertion.
fn swap_brigades(game: &UnhappyKing, state: &State, other: &mut State, seat: Seat, rng: &mut dyn Rng) {
    let (content, enemy) = (&game.content, seat.other());
    let mut counters = *state.brigades.counters();
    let unknown = |counter: &CounterId| {
        state.brigades.side(content, *counter) == enemy
            && !is_known(game, state, *counter, Observer::Seat(seat))
    };
    for back in BrigadeBack::ALL {
        let of_back = |counter: &CounterId| state.brigades.back(content, *counter) == back;
        let hidden: Vec<CounterId> = CounterId::all(content).filter(unknown).filter(of_back).collect();
        for _ in 0..8 * hidden.len() {
            let [a, b] = [(); 2].map(|()| hidden[below(hidden.len() as u64, rng) as usize]);
            let turned = |counter: CounterId| counters[counter].marks.contains(Marks::TURNED);
            let (x, y) = (counters[a], counters[b]);
            if fits(content, back, (a, turned(a)), y.at) && fits(content, back, (b, turned(b)), x.at) {
                let shown = SHOWN_WITH_BACK;
                counters[a] = Counter { at: y.at, marks: (x.marks - shown) | (y.marks & shown) };
                counters[b] = Counter { at: x.at, marks: (y.marks - shown) | (x.marks & shown) };
            }
        }
    }
    let selected = |holder: Holder| {
        let here = state.brigades.at(holder).that(|counter| state.brigades.side(content, counter) == enemy);
        state.brigades.marked(here, Marks::DESERTING).count() as usize
    };
    let enemies: Vec<CounterId> =
        CounterId::all(content).filter(|&counter| state.brigades.side(content, counter) == enemy).collect();
    enemies.iter().for_each(|&counter| counters[counter].marks -= Marks::DESERTING);
    for holder in (0..Holder::BOUND).map(Holder::new).filter(|&holder| selected(holder) > 0) {
        let mut here: Vec<CounterId> =
            enemies.iter().filter(|&&counter| counters[counter].at == holder).copied().collect();
        for _ in 0..selected(holder) {
            let first = here.iter().filter(|&&counter| deserts_first(content, counter)).count();
            let from: Vec<usize> =
                (0..here.len()).filter(|&at| first == 0 || deserts_first(content, here[at])).collect();
            let at = from[below(from.len() as u64, rng) as usize];
            counters[here.swap_remove(at)].marks |= Marks::DESERTING;
        }
    }
    other.brigades = Brigades::of(content, counters);
}

/// Cards of the enemy that came of the deck are dealt anew, each of its part of the deck.
fn deal_cards(game: &UnhappyKing, state: &State, other: &mut State, seat: Seat, rng: &mut dyn Rng) {
    let (content, plan) = (&game.content, &game.content.deck);
    let hidden = Hidden::from(game, state, Observer::Seat(seat));
    let first_deal = state.cards.deck.count_of(plan, FIRST_DEAL) > 0;
    // The Standard is in the only hand where it can be, once the first deal is over.
    let stays = |card: u16| !first_deal && plan.cards(FIRST_DEAL).contains(card);
    let slots: Vec<(u16, u16)> = hidden
        .piles
        .iter()
        .flat_map(|&(pile, cards)| cards.iter().filter(|&card| !stays(card)).map(move |card| (pile, card)))
        .collect();
    let segment = |card: u16| match segment_of(game, &state.cards, card) {
        EARLY if first_deal => FIRST_DEAL,
        segment => segment,
    };
    let combat = |card: u16| content.cards[CardId::new(card.into())].kind == CardKind::Combat;
    let passed = state.passed[seat.other().index()];
    for _ in 0..TRIES {
        let mut deck = state.cards.deck;
        let mut dealt: Vec<(usize, u16)> = slots.iter().map(|&(_, card)| (segment(card), card)).collect();
        deck.scramble(plan, &mut dealt, rng);
        let bound = |pile: u16| (STORE..STORE + 2).contains(&pile) || pile < STORE && passed;
        if slots.iter().zip(&dealt).any(|(&(pile, _), &(_, card))| bound(pile) && combat(card)) {
            continue;
        }
        let cards = &mut other.cards;
        cards.deck = deck;
        let old = CardSet::of(slots.iter().map(|&(_, card)| card));
        cards.with_mid = cards.with_mid - old;
        for &(segment, card) in &dealt {
            if segment == MID && !plan.cards(MID).contains(card) {
                cards.with_mid.insert(card);
            }
        }
        let new = |card: u16| slots.iter().position(|&(_, one)| one == card).map_or(card, |at| dealt[at].1);
        let renew = |set: CardSet| CardSet::of(set.iter().map(new));
        let index = seat.other().index();
        cards.hands[index] = renew(cards.hands[index]);
        cards.stores[index] = renew(cards.stores[index]);
        for set in cards.sets.iter_mut().filter(|set| set.seat != seat && set.among.is_empty()) {
            set.cards = renew(set.cards);
        }
        return;
    }
}

/// Parliament's bonus cards change places with others that they may be: discards, or cards of another set (D15).
fn swap_drawn(state: &mut State, rng: &mut dyn Rng) {
    let candidates = candidates(&state.cards);
    let cards = &mut state.cards;
    for _ in 0..16 * candidates.len() {
        let (index, among) = candidates[below(candidates.len() as u64, rng) as usize];
        let Some(mine) = cards.sets[index].cards.any(rng) else { continue };
        let Some(theirs) = (among - cards.sets[index].cards).any(rng) else { continue };
        let holder = candidates.iter().find(|(other, _)| cards.sets[*other].cards.contains(theirs));
        match holder {
            Some(&(other, reach)) if reach.contains(mine) => {
                cards.sets[other].cards.remove(theirs);
                cards.sets[other].cards.insert(mine);
            }
            Some(_) => continue,
            None if cards.discard.contains(theirs) => {
                cards.discard.remove(theirs);
                cards.discard.insert(mine);
            }
            None => continue,
        }
        cards.sets[index].cards.remove(mine);
        cards.sets[index].cards.insert(theirs);
    }
    // All that lay in the pile at each draw is what it may have been, less what older sets have of it.
    let mut older = CardSet::default();
    for (index, among) in candidates {
        cards.sets[index].among = among - older;
        older = older | cards.sets[index].cards;
    }
}

/// Cards of a seat's bonus sets from the deck change places between the sets.
fn share_bonus(state: &mut State, seat: Seat, rng: &mut dyn Rng) {
    let sets: Vec<usize> = (0..state.cards.sets.len())
        .filter(|&at| state.cards.sets[at].seat == seat && state.cards.sets[at].among.is_empty())
        .collect();
    for _ in 0..8 * sets.len() {
        let [a, b] = [(); 2].map(|()| sets[below(sets.len() as u64, rng) as usize]);
        let [x, y] = [a, b].map(|set| state.cards.sets[set].cards);
        if let (true, Some(from_a), Some(from_b)) = (a != b, x.any(rng), y.any(rng)) {
            state.cards.sets[a].cards.remove(from_a);
            state.cards.sets[a].cards.insert(from_b);
            state.cards.sets[b].cards.remove(from_b);
            state.cards.sets[b].cards.insert(from_a);
        }
    }
}

/// A card that the enemy has chosen and not shown is one that they hold.
fn refit_choice(state: &mut State, seat: Seat, rng: &mut dyn Rng) {
    let cards = &state.cards;
    let claim = state.claim;
    let held = cards.hands[seat.index()] | cards.stores[seat.index()];
    let held = cards.sets.iter().filter(|set| set.seat == seat).fold(held, |all, set| all | set.cards);
    for frame in state.frames.iter_mut() {
        if let Frame::Play { seat: player, card: Some(card), .. } = frame
            && *player == seat
            && Some(*card) != claim
            && !held.contains(card.index() as u16)
        {
            let any = held.any(rng).expect("who has chosen a card holds one");
            *card = CardId::new(any.into());
        }
    }
}
