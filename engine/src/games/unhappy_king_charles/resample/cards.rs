//! Cards from a view (Y8, D15): those that are seen or known lie where they do; the others are drawn for the places that are open.

use rand_core::Rng;

use crate::chance_source::{below, shuffle};
use crate::deck::CardSet;
use crate::view::{HiddenSet, Marker, View};
use crate::vocabulary::*;

use super::super::UnhappyKing;
use super::super::catalogue::{
    ASIDE, BONUS, CLAIM, CardBacks, DECK, DISCARD, DRAWN_FROM, HAND, LAID, LATER, PILE_DRAWS, RECRUITMENT,
    REMOVED, STORE, WAITING, WITH_MID, card_back_kind, pile,
};
use super::super::content::cards::{CardKind, Deck};
use super::super::content::deck::{EARLY, FIRST_DEAL, LATE, LEAGUE, MID};
use super::super::content::ids::CardId;
use super::super::content::{CARDS, PARLIAMENT, ROYALIST, SEATS};
use super::super::state::{BonusSet, Cards, State};
use super::marker;

/// A place for a hidden card: its pile, the part of the deck that it came with, and whether it is no Combat Card (T11, T17).
#[derive(Copy, Clone)]
struct Slot {
    pile: u16,
    back: CardBacks,
    bound: bool,
}

/// All cards; what the state has beside them (the claim, who has passed) is known before.
pub(super) fn deal(game: &UnhappyKing, view: &View, state: &mut State, rng: &mut dyn Rng) {
    let shown = |id: u16| {
        view.board.piles.get(&id).map_or(CardSet::default(), |pile| CardSet::of(pile.cards.iter().copied()))
    };
    let mut piles: [CardSet; 15] = std::array::from_fn(|id| shown(id as u16));
    state.claim = claim(view);
    let exchanged = known_singly(game, view, &mut piles);
    let sets = bonus_sets(view, &mut piles, rng);
    let cards = &mut state.cards;
    cards.with_mid = with_mid(view);
    cards.pile_draws = marker(view, Location::Pile(DISCARD), PILE_DRAWS).unwrap_or(0) as u8;
    let laid = marker(view, Location::Pile(DECK), LAID).unwrap_or(0) as usize;
    cards.deck = game.content.deck.deck(laid);
    cards.exchanged = exchanged;
    take_seen(game, view, cards, &piles, &sets);
    let passed = state.passed;
    let mut slots = slots(game, view, passed);
    // Those that can't be any card first.
    slots.sort_by_key(|slot| !slot.bound);
    deal_early(game, view, cards, &mut piles, &slots, rng);
    for slot in slots.iter().filter(|slot| matches!(slot.back, CardBacks::Mid | CardBacks::Late)) {
        let segment = if slot.back == CardBacks::Mid { MID } else { LATE };
        let all = CardSet(u128::MAX >> (128 - CARDS));
        let among =
            if slot.bound { CardSet::of(all.iter().filter(|&card| !is_combat(game, card))) } else { all };
        let plan = &game.content.deck;
        let drawn = cards.deck.deal(plan, segment, among, rng);
        let Some(card) = drawn.or_else(|| cards.deck.deal(plan, segment, all, rng)) else { continue };
        if segment == MID && !plan.cards(MID).contains(card) {
            cards.with_mid.insert(card);
        }
        piles[usize::from(slot.pile)].insert(card);
    }
    lay(cards, &piles, sets, rng);
}

/// The card that claims the first play.
fn claim(view: &View) -> Option<CardId> {
    let claims = view.board.markers.keys().find(|marker| marker.kind == CLAIM)?;
    if let Location::Card(card) = claims.at { Some(CardId::new(card.into())) } else { None }
}

/// Alt-Hist cards that were seen, and came with the Mid ones.
fn with_mid(view: &View) -> CardSet {
    let card = |marker: &Marker| if let Location::Card(card) = marker.at { Some(card) } else { None };
    CardSet::of(view.board.markers.keys().filter(|marker| marker.kind == WITH_MID).filter_map(card))
}

/// The cards of a known set.
fn faces(set: &HiddenSet) -> CardSet {
    CardSet::of(
        set.faces.iter().filter_map(|&(what, _)| if let Ref::Card(card) = what { Some(card) } else { None }),
    )
}

/// Puts cards of which it is known who holds them into their piles; returns the one that Parliament handed over (D7).
fn known_singly(game: &UnhappyKing, view: &View, piles: &mut [CardSet; 15]) -> Option<CardId> {
    let mut exchanged = None;
    for set in view.known.iter().filter(|set| set.owner.is_some()) {
        let [(group, count)] = set.places[..] else { continue };
        let Location::Pile(pile) = group.at else { continue };
        let known = faces(set);
        if known.is_empty() || known.len() != usize::from(count) {
            continue;
        }
        piles[usize::from(pile)] = piles[usize::from(pile)] | known;
        if set.by == Some(PARLIAMENT) {
            exchanged = known.iter().next().map(|card| CardId::new(card.into()));
        }
    }
    exchanged.filter(|&card| game.content.cards[card].deck != Deck::Core)
}

/// The bonus sets in their order; those of Parliament that came from the discard pile with cards, the oldest first, which leave what is
/// left of those discards in their pile.
fn bonus_sets(view: &View, piles: &mut [CardSet; 15], rng: &mut dyn Rng) -> Vec<(BonusSet, u8)> {
    let mut sets = Vec::new();
    let mut drawn = CardSet::default();
    let mut all = CardSet::default();
    for (index, owed) in view.turn_state.entitlements.iter().enumerate() {
        let [_, Ref::Number(count), Ref::Number(due), own @ ..] = &owed.what.refs[..] else { continue };
        let own = CardSet::of(
            own.iter().filter_map(|&what| if let Ref::Card(card) = what { Some(card) } else { None }),
        );
        let fact = |set: &&HiddenSet| {
            set.facts
                .iter()
                .any(|fact| fact.code == "bonus_set" && fact.refs[..] == [Ref::Number(index as i32 + 1)])
        };
        let candidates = view.known.iter().find(fact).map(faces);
        let mut set = BonusSet { seat: owed.seat, cards: own, due: *due as u8, among: CardSet::default() };
        let mut left = (*count as u8).saturating_sub(own.len() as u8);
        if let Some(candidates) = candidates {
            set.among = candidates - drawn;
            all = all | candidates;
            let mut open: Vec<u16> = (set.among - set.cards).iter().collect();
            shuffle(&mut open, rng);
            for card in open.into_iter().take(usize::from(std::mem::take(&mut left))) {
                set.cards.insert(card);
            }
            drawn = drawn | set.cards;
        }
        sets.push((set, left));
    }
    let unsure = &mut piles[usize::from(DRAWN_FROM)];
    *unsure = all - drawn;
    sets
}

/// Takes out of the deck all cards that are seen, or known to lie elsewhere.
fn take_seen(
    game: &UnhappyKing,
    _: &View,
    cards: &mut Cards,
    piles: &[CardSet; 15],
    sets: &[(BonusSet, u8)],
) {
    let piled = piles.iter().fold(CardSet::default(), |all, &pile| all | pile);
    let seen = sets.iter().fold(piled, |all, (set, _)| all | set.cards);
    for card in seen.iter() {
        take(game, cards, card);
    }
}

/// Takes a card out of the deck that has come.
fn take(game: &UnhappyKing, cards: &mut Cards, card: u16) {
    let plan = &game.content.deck;
    let segment = match game.content.cards[CardId::new(card.into())].deck {
        Deck::Core => return,
        Deck::Mandatory if plan.cards(FIRST_DEAL).contains(card) => FIRST_DEAL,
        Deck::Mandatory if plan.cards(LEAGUE).contains(card) => LEAGUE,
        Deck::Mandatory => return,
        // The first nine Early cards came with the first deal, whichever they are.
        Deck::Early if cards.deck.tokens(FIRST_DEAL) > 0 => FIRST_DEAL,
        Deck::Early => EARLY,
        Deck::Mid => MID,
        Deck::Late => LATE,
        Deck::AltHist if cards.with_mid.contains(card) => MID,
        Deck::AltHist => LATE,
    };
    if cards.deck.can_come(plan, segment).contains(card) {
        cards.deck.take_from(plan, segment, card);
    }
}

fn is_combat(game: &UnhappyKing, card: u16) -> bool {
    game.content.cards[CardId::new(card.into())].kind == CardKind::Combat
}

/// The sets of cards by the part of the deck that they came with, of this observer.
fn of_stage(view: &View) -> impl Iterator<Item = &HiddenSet> {
    let by = if let Observer::Seat(seat) = view.observer { Some(seat) } else { None };
    view.known.iter().filter(move |set| set.owner.is_none() && set.by == by && set.facts.is_empty())
}

/// The places of hidden cards outside of the deck.
fn slots(game: &UnhappyKing, view: &View, passed: [bool; 2]) -> Vec<Slot> {
    let mut slots = Vec::new();
    for &(group, count) in of_stage(view).flat_map(|set| &set.places) {
        let Location::Pile(pile) = group.at else { continue };
        let back = CardBacks::ALL.into_iter().find(|&back| card_back_kind(&game.content, back) == group.kind);
        if let Some(back) = back.filter(|_| pile < DISCARD) {
            let seat = SEATS[usize::from(pile % 2)];
            let bound = pile >= STORE && pile < BONUS || pile < STORE && passed[seat.index()];
            slots.extend((0..count).map(|_| Slot { pile, back, bound }));
        }
    }
    slots
}

/// The Early cards, and the Standard among them: it is in a hand or still to come of the first deal.
fn deal_early(
    game: &UnhappyKing,
    view: &View,
    cards: &mut Cards,
    piles: &mut [CardSet; 15],
    slots: &[Slot],
    rng: &mut dyn Rng,
) {
    let plan = &game.content.deck;
    let early = game.content.decks[Deck::Early as usize];
    let standard = plan.cards(FIRST_DEAL);
    let mut open: Vec<Slot> = slots.iter().filter(|slot| slot.back == CardBacks::Early).copied().collect();
    let about = |set: &&HiddenSet| !(faces(set) & standard).is_empty();
    let undrawn = |set: &HiddenSet| {
        let in_deck =
            set.places.iter().filter(|(group, _)| [DECK, LATER].map(Location::Pile).contains(&group.at));
        in_deck.map(|&(_, count)| usize::from(count)).sum::<usize>()
    };
    if let (Some(set), Some(card)) = (of_stage(view).find(about), standard.iter().next()) {
        // Cards of the first deal that are still to come; the rest of the Early ones is untouched until then.
        let first = undrawn(set).saturating_sub(usize::from(plan.size_of(EARLY)));
        let hands: Vec<usize> =
            (0..open.len()).filter(|&at| open[at].pile < STORE && !open[at].bound).collect();
        let at = below((hands.len() + first).max(1) as u64, rng) as usize;
        if let Some(&at) = hands.get(at) {
            let slot = open.remove(at);
            piles[usize::from(slot.pile)].insert(card);
            take(game, cards, card);
        }
    }
    let piled = piles.iter().fold(CardSet::default(), |all, &pile| all | pile);
    let unseen = (0..2).fold(CardSet::default(), |all, segment| all | cards.deck.can_come(plan, segment));
    let mut unseen: Vec<u16> = ((early & unseen) - piled).iter().collect();
    shuffle(&mut unseen, rng);
    for slot in open {
        let fits = |&card: &u16| !slot.bound || !is_combat(game, card);
        let Some(at) = unseen.iter().rposition(fits).or(unseen.len().checked_sub(1)) else { break };
        let card = unseen.remove(at);
        piles[usize::from(slot.pile)].insert(card);
        take(game, cards, card);
    }
}

/// Lays all piles; hidden cards of bonus sets are shared out among the sets of their seat.
fn lay(cards: &mut Cards, piles: &[CardSet; 15], sets: Vec<(BonusSet, u8)>, rng: &mut dyn Rng) {
    let of = |id: u16| piles[usize::from(id)];
    let both = |first: u16| SEATS.map(|seat| of(pile(first, seat)));
    (cards.hands, cards.stores, cards.recruitment) = (both(HAND), both(STORE), both(RECRUITMENT));
    (cards.aside, cards.waiting, cards.removed) = (of(ASIDE), of(WAITING), of(REMOVED));
    cards.discard = of(DISCARD) | of(DRAWN_FROM);
    let held = sets.iter().fold(CardSet::default(), |all, (set, _)| all | set.cards);
    let mut loose =
        [ROYALIST, PARLIAMENT].map(|seat| (of(pile(BONUS, seat)) - held).iter().collect::<Vec<u16>>());
    loose.iter_mut().for_each(|cards| shuffle(cards, rng));
    cards.sets = sets
        .into_iter()
        .map(|(mut set, left)| {
            let loose = &mut loose[set.seat.index()];
            let given = loose.split_off(loose.len().saturating_sub(left.into()));
            set.cards = set.cards | CardSet::of(given);
            set
        })
        .collect();
}
