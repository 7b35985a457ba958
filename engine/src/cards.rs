//! Cards in piles: what lies where ([`Piles`]), and what each observer sees and knows of it ([`CardLayout`]).
//!
//! What nobody has seen is undrawn: a deck has no order, only the cards that can still come and the number of those that do. Piles have
//! the numbers that the catalogue gives them.

use std::marker::PhantomData;

use rand_core::Rng;

use crate::action::ActionThing;
use crate::catalogue::{PileDef, PileFacing};
use crate::chance::{Bag, Chance};
use crate::chance_source::shuffle;
use crate::codec::{Coding, DecodeError, Reader, Writer};
use crate::deck::CardSet;
use crate::event::Event;
use crate::ledger::Rule;
use crate::reference::{Location, Ref};
use crate::seat::{Observer, Seat};
use crate::view::{Board, CardPile, HiddenSet, PieceGroup, View};

/// The pile of a seat: those of one purpose follow each other by seats, from `first` on.
#[must_use]
pub const fn pile_of(first: u16, seat: Seat) -> u16 {
    first + seat.index() as u16
}

/// The cards of `N` piles. A pile may have fewer cards than can come: then it is a deck whose last ones never do.
///
/// ```
/// use edgehill_engine::cards::Piles;
/// use edgehill_engine::deck::CardSet;
///
/// const HAND: u16 = 0;
/// const DECK: u16 = 1;
/// let mut piles = Piles::<2>::default();
/// piles.lay_deck(DECK, CardSet::of(0..6), 5);
/// piles.shift(4, DECK, HAND);
/// assert!(piles.of(HAND).contains(4));
/// assert_eq!((piles.of(DECK).len(), piles.count(DECK)), (5, 4), "one of six never comes");
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Piles<const N: usize> {
    cards: [CardSet; N],
    counts: [u8; N],
}

impl<const N: usize> Default for Piles<N> {
    fn default() -> Self {
        Self { cards: [CardSet::default(); N], counts: [0; N] }
    }
}

impl<const N: usize> Piles<N> {
    /// Lays down a pile of these cards.
    pub fn lay(&mut self, pile: u16, cards: CardSet) {
        self.lay_deck(pile, cards, cards.len() as u8);
    }

    /// Lays down a deck from which `count` of these cards come.
    pub fn lay_deck(&mut self, pile: u16, cards: CardSet, count: u8) {
        debug_assert!(usize::from(count) <= cards.len(), "no more can come than there are");
        (self.cards[usize::from(pile)], self.counts[usize::from(pile)]) = (cards, count);
    }

    /// The cards of a pile; of a deck those that can come.
    #[must_use]
    pub const fn of(&self, pile: u16) -> CardSet {
        self.cards[pile as usize]
    }

    /// The cards of a seat's pile.
    #[must_use]
    pub const fn of_seat(&self, first: u16, seat: Seat) -> CardSet {
        self.of(pile_of(first, seat))
    }

    /// The card of a pile that has at most one.
    #[must_use]
    pub fn single(&self, pile: u16) -> Option<u16> {
        self.of(pile).iter().next()
    }

    /// The number of cards in a pile; of a deck the number of those that come.
    #[must_use]
    pub const fn count(&self, pile: u16) -> u8 {
        self.counts[pile as usize]
    }

    /// Returns whether a pile is used up.
    #[must_use]
    pub const fn is_used_up(&self, pile: u16) -> bool {
        self.count(pile) == 0
    }

    /// The draw of a card: `epoch` counts the shuffles of the deck.
    #[must_use]
    pub fn draw(&self, pile: u16, stream: u32, epoch: u32) -> Chance {
        Chance::Bag(Bag { stream, epoch, cards: self.of(pile).iter().collect(), tokens: Vec::new() })
    }

    /// A card goes from one pile to another: dealt, discarded, shown, taken back.
    pub fn shift(&mut self, card: u16, from: u16, to: u16) {
        debug_assert!(self.of(from).contains(card), "the card lies elsewhere");
        self.cards[usize::from(from)].remove(card);
        self.cards[usize::from(to)].insert(card);
        self.counts[usize::from(from)] -= 1;
        self.counts[usize::from(to)] += 1;
    }

    /// All cards of a pile go to another: a hand is discarded, or the discards are shuffled into a deck, whose next epoch begins.
    pub fn gather(&mut self, from: u16, to: u16) {
        let cards = std::mem::take(&mut self.cards[usize::from(from)]);
        self.cards[usize::from(to)] = self.of(to) | cards;
        self.counts[usize::from(to)] += std::mem::take(&mut self.counts[usize::from(from)]);
    }

    /// A card of one pile and a card of another change places.
    pub fn swap(&mut self, (first, given): (u16, u16), (second, taken): (u16, u16)) {
        self.shift(given, first, second);
        self.shift(taken, second, first);
    }
}

/// The encoding of `N` piles of cards of a kind (the one that [`things!`](crate::things) declares): no card lies in two of them.
#[derive(Debug)]
pub struct PilesOf<K, const N: usize>(PhantomData<K>);

impl<C, K: ActionThing<C>, const N: usize> Coding<C> for PilesOf<K, N> {
    type Value = Piles<N>;

    fn encode(value: &Piles<N>, to: &mut Writer) {
        for (cards, &count) in value.cards.iter().zip(&value.counts) {
            to.u128(cards.0);
            to.u8(count);
        }
    }

    fn decode(content: &C, from: &mut Reader<'_>) -> Result<Piles<N>, DecodeError> {
        let mut piles = Piles::default();
        let mut lying = CardSet::default();
        for pile in 0..N as u16 {
            let set = read_card_set(from, K::count(content))?;
            let error = from.error("cards that lie in no other pile, and no more of them than there are");
            let count = from.u8()?;
            if !(lying & set).is_empty() || usize::from(count) > set.len() {
                return Err(error);
            }
            lying = lying | set;
            piles.lay_deck(pile, set, count);
        }
        Ok(piles)
    }
}

/// Reads a set of cards with numbers below `cards`.
///
/// # Errors
/// If it has others.
pub fn read_card_set(from: &mut Reader<'_>, cards: usize) -> Result<CardSet, DecodeError> {
    let error = from.error("a set of cards");
    let set = CardSet(from.u128()?);
    if cards < 128 && set.0 >> cards != 0 { Err(error) } else { Ok(set) }
}

/// A back: cards that nobody can tell apart from behind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CardBack {
    /// Its kind in the catalogue.
    pub kind: u16,
    /// Owner of these cards; `None` if they may be anybody's.
    pub owner: Option<Seat>,
    /// The cards that have it.
    pub cards: CardSet,
    /// The pile that they are drawn from.
    pub deck: u16,
}

/// The piles of a catalogue, by the observers that see their cards, and the backs of all cards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CardLayout {
    piles: Vec<(Option<Seat>, PileFacing)>,
    backs: Vec<CardBack>,
}

impl CardLayout {
    /// Of these piles and backs.
    #[must_use]
    pub fn new(piles: &[PileDef], backs: Vec<CardBack>) -> Self {
        Self { piles: piles.iter().map(|pile| (pile.owner, pile.facing)).collect(), backs }
    }

    /// The kind of a card's back.
    ///
    /// # Panics
    /// If no back was declared for it.
    #[must_use]
    pub fn back(&self, card: u16) -> u16 {
        let back = self.backs.iter().find(|back| back.cards.contains(card));
        back.expect("every card has a back").kind
    }

    /// Returns whether an observer sees the cards of a pile.
    fn is_open(&self, pile: u16, observer: Observer) -> bool {
        let (owner, facing) = self.piles[usize::from(pile)];
        match facing {
            PileFacing::Everybody => true,
            PileFacing::Owner => owner.is_some_and(|seat| observer.is(seat)),
            PileFacing::Nobody => false,
        }
    }

    /// The piles whose cards an observer does not see.
    fn closed(&self, observer: Observer) -> impl Iterator<Item = u16> {
        (0..self.piles.len() as u16).filter(move |&pile| !self.is_open(pile, observer))
    }

    /// A card comes to a hand from a deck: its seat is told the card, and everybody else the back.
    #[must_use]
    pub fn dealt(&self, code: &'static str, rule: Rule, seat: Seat, card: u16) -> Event {
        let who = Ref::Seat(seat);
        let back = Ref::Kind(self.back(card));
        Event::new(code, rule, &[who, back]).private(seat, &[who, Ref::Card(card)], [])
    }

    /// Puts on a board the piles that `seats` seats have, as an observer sees them.
    pub fn lay_out<const N: usize>(
        &self,
        piles: &Piles<N>,
        seats: usize,
        observer: Observer,
        board: &mut Board,
    ) {
        for (pile, (owner, _)) in (0..).zip(&self.piles) {
            if owner.is_none_or(|seat| seat.index() < seats) {
                let cards =
                    if self.is_open(pile, observer) { piles.of(pile).iter().collect() } else { Vec::new() };
                board.piles.insert(pile, CardPile { count: piles.count(pile).into(), cards });
            }
        }
    }

    /// Returns what an observer knows of cards that it does not see: of each back which ones they are, and the piles that they are
    /// spread over.
    #[must_use]
    pub fn known<const N: usize>(&self, piles: &Piles<N>, observer: Observer) -> Vec<HiddenSet> {
        let by = if let Observer::Seat(seat) = observer { Some(seat) } else { None };
        let set = |back: &CardBack| {
            let hidden = |pile: u16| piles.of(pile) & back.cards;
            let unseen =
                self.closed(observer).map(hidden).fold(CardSet::default(), |unseen, cards| unseen | cards);
            let count = |pile: u16| {
                if pile == back.deck { piles.count(pile).into() } else { hidden(pile).len() as u16 }
            };
            let places = self.closed(observer).map(|pile| (self.place(pile, back.kind), count(pile)));
            HiddenSet {
                owner: back.owner,
                by,
                faces: unseen.iter().map(|card| (Ref::Card(card), None)).collect(),
                places: places.filter(|&(_, count)| count > 0).collect(),
                facts: Vec::new(),
            }
        };
        self.backs.iter().map(set).filter(|set| !set.faces.is_empty()).collect()
    }

    /// Backs of one kind in a pile.
    fn place(&self, pile: u16, kind: u16) -> PieceGroup {
        let (owner, _) = self.piles[usize::from(pile)];
        PieceGroup { at: Location::Pile(pile), owner, kind, flags: 0, from: None }
    }

    /// Piles as a view shows them; what it does not show is dealt over the places that it leaves open, each deal as likely as the
    /// others.
    #[must_use]
    pub fn resample<const N: usize>(&self, view: &View, rng: &mut dyn Rng) -> Piles<N> {
        let mut piles = Piles::default();
        for (&pile, shown) in &view.board.piles {
            piles.lay(pile, CardSet::of(shown.cards.iter().copied()));
        }
        for set in view.known.iter() {
            let card = |&(face, _): &(Ref, _)| if let Ref::Card(card) = face { Some(card) } else { None };
            let mut unseen: Vec<u16> = set.faces.iter().filter_map(card).collect();
            let first = unseen.first().copied();
            let Some(back) =
                self.backs.iter().find(|back| first.is_some_and(|card| back.cards.contains(card)))
            else {
                continue; // a set of pieces
            };
            shuffle(&mut unseen, rng);
            let mut come = 0;
            for &(group, count) in &set.places {
                let Location::Pile(pile) = group.at else { continue };
                if pile == back.deck {
                    come = count as u8;
                } else {
                    let dealt = unseen.split_off(unseen.len() - usize::from(count));
                    piles.lay(pile, piles.of(pile) | CardSet::of(dealt));
                }
            }
            piles.lay_deck(back.deck, CardSet::of(unseen), come);
        }
        piles
    }

    /// Deals anew what a seat does not see, from the true piles: each keeps its number of cards of each back.
    pub fn scramble<const N: usize>(&self, piles: &mut Piles<N>, seat: Seat, rng: &mut dyn Rng) {
        for back in &self.backs {
            let closed: Vec<u16> = self.closed(Observer::Seat(seat)).collect();
            let held = closed.iter().map(|&pile| piles.of(pile) & back.cards);
            let mut unseen: Vec<u16> = held.flat_map(CardSet::iter).collect();
            shuffle(&mut unseen, rng);
            for pile in closed.into_iter().map(usize::from) {
                let others = piles.cards[pile] - back.cards;
                let count = piles.cards[pile].len() - others.len();
                piles.cards[pile] = others | CardSet::of(unseen.drain(..count));
            }
        }
    }
}
