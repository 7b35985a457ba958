//! Cards as each observer sees them: piles, and what is known of cards that lie face down ([`Hidden`]).
//!
//! Of a hidden card everybody knows the part of the deck that it came with, and of some cards where they are: Core Cards, the Mandatory
//! cards of the later decks, a card that was shown (ruling Y8). Of Parliament's bonus cards the others know what lay in the discard pile
//! when they were drawn (D15): those discards lie in a pile of their own until all of them are known again.

use crate::deck::CardSet;
use crate::view::{Board, CardPile, HiddenSet, Marker, PieceGroup};
use crate::vocabulary::*;

use super::super::UnhappyKing;
use super::super::catalogue::{
    ASIDE, BONUS, CLAIM, CardBacks, DECK, DISCARD, DRAWN_FROM, HAND, LAID, LATER, PILE_DRAWS, RECRUITMENT,
    REMOVED, SPENT, STORE, WAITING, WITH_MID, card_back_kind, pile,
};
use super::super::content::cards::Deck;
use super::super::content::deck::{EARLY, FIRST_DEAL, LATE, LEAGUE, MID, SEGMENTS};
use super::super::content::{PARLIAMENT, SEATS};
use super::super::state::{Cards, State};
use super::part::Part;

/// A pile in which a seat has cards that others don't see, with its cards.
fn closed(cards: &Cards, seat: Seat) -> [(u16, CardSet); 3] {
    let index = seat.index();
    let bonus =
        cards.sets.iter().filter(|set| set.seat == seat).fold(CardSet::default(), |all, set| all | set.cards);
    [
        (pile(HAND, seat), cards.hands[index]),
        (pile(STORE, seat), cards.stores[index]),
        (pile(BONUS, seat), bonus),
    ]
}

/// The part of the deck that a card came with, as far as its back tells: the Standard is among the Early cards, and Alt-Hist cards came
/// with the Mid or the Late ones (D14).
pub(in super::super) fn back_of(game: &UnhappyKing, cards: &Cards, card: u16) -> CardBacks {
    if cards.with_mid.contains(card) {
        return CardBacks::Mid;
    }
    let first = card_back_kind(&game.content, CardBacks::Core);
    CardBacks::ALL[usize::from(game.cards.back(card) - first)]
}

/// The segment of the deck that a hidden card came of. Of Early cards it does not matter which: all are of one bag.
pub(in super::super) fn segment_of(game: &UnhappyKing, cards: &Cards, card: u16) -> usize {
    if game.content.deck.cards(FIRST_DEAL).contains(card) {
        return FIRST_DEAL;
    }
    match back_of(game, cards, card) {
        CardBacks::Mid => MID,
        CardBacks::Late => LATE,
        CardBacks::Mandatory => LEAGUE,
        CardBacks::Core | CardBacks::Early => EARLY,
    }
}

/// Cards of which everybody knows who holds them although they lie face down: Core Cards, the Mandatory cards of the later decks, and the
/// card that claims the first play.
pub(in super::super) fn known_to_all(game: &UnhappyKing, state: &State) -> CardSet {
    let decks = &game.content.decks;
    let open =
        decks[Deck::Core as usize] | (decks[Deck::Mandatory as usize] - game.content.deck.cards(FIRST_DEAL));
    open | CardSet::of(state.claim.map(|card| card.index() as u16))
}

/// Cards that were drawn from the discard pile and are held unseen: those of Parliament's bonus sets that came from there.
pub(in super::super) fn from_discards(cards: &Cards) -> CardSet {
    let of_pile = cards.sets.iter().filter(|set| !set.among.is_empty());
    of_pile.fold(CardSet::default(), |all, set| all | set.cards)
}

/// For each bonus set that was drawn from the discard pile, by its place in the queue: all cards of which others know that it is some.
pub(in super::super) fn candidates(cards: &Cards) -> Vec<(usize, CardSet)> {
    let mut older = CardSet::default();
    let mut found = Vec::new();
    for (index, set) in cards.sets.iter().enumerate().filter(|(_, set)| !set.among.is_empty()) {
        found.push((index, set.among | older));
        older = older | set.cards;
    }
    found
}

/// The cards of the discard pile of which others can't tell whether they are there.
pub(in super::super) fn unsure_discards(cards: &Cards) -> CardSet {
    let drawn = cards.sets.iter().filter(|set| !set.cards.is_empty());
    let among = drawn.fold(CardSet::default(), |all, set| all | set.among);
    cards.discard & among
}

/// All that lies face down to an observer, and is not known by itself.
pub(in super::super) struct Hidden {
    /// Piles with the hidden cards in each; those drawn from the discard pile apart.
    pub(in super::super) piles: Vec<(u16, CardSet)>,
}

impl Hidden {
    /// Returns what is hidden from an observer.
    pub(in super::super) fn from(game: &UnhappyKing, state: &State, observer: Observer) -> Self {
        let cards = &state.cards;
        let mut apart = known_to_all(game, state) | from_discards(cards);
        if observer == Observer::Seat(PARLIAMENT) {
            apart = apart | CardSet::of(cards.exchanged.map(|card| card.index() as u16));
        }
        let unseen = SEATS.into_iter().filter(|&seat| !observer.is(seat));
        let piles = unseen.flat_map(|seat| closed(cards, seat)).map(|(pile, cards)| (pile, cards - apart));
        Self { piles: piles.filter(|(_, cards)| !cards.is_empty()).collect() }
    }

    /// All of it.
    pub(in super::super) fn all(&self) -> CardSet {
        self.piles.iter().fold(CardSet::default(), |all, &(_, cards)| all | cards)
    }
}

/// Those who see the cards of a pile.
#[derive(Copy, Clone, PartialEq)]
enum Sight {
    All,
    Of(Seat),
    Nobody,
}

impl Sight {
    fn is_of(self, observer: Observer) -> bool {
        match self {
            Self::All => true,
            Self::Of(seat) => observer.is(seat),
            Self::Nobody => false,
        }
    }
}

/// The piles but for the deck's, with their cards and those who see these.
fn piles(cards: &Cards) -> impl Iterator<Item = (u16, CardSet, Sight)> {
    let of_seat = |seat: Seat| {
        let recruitment = (pile(RECRUITMENT, seat), cards.recruitment[seat.index()], Sight::All);
        closed(cards, seat)
            .map(|(pile, cards)| (pile, cards, Sight::Of(seat)))
            .into_iter()
            .chain([recruitment])
    };
    let unsure = unsure_discards(cards);
    let shared = [
        (DISCARD, cards.discard - unsure, Sight::All),
        (DRAWN_FROM, unsure, Sight::Nobody),
        (ASIDE, cards.aside, Sight::All),
        (WAITING, cards.waiting, Sight::All),
        (REMOVED, cards.removed, Sight::All),
    ];
    SEATS.into_iter().flat_map(of_seat).chain(shared)
}

/// The piles but for the deck's whose cards differ between two states: a bit each by the pile's number.
pub(super) fn differing_piles(before: &Cards, after: &Cards) -> u16 {
    let pairs = piles(before).zip(piles(after));
    pairs.filter(|((_, old, _), (_, new, _))| old != new).fold(0, |all, ((pile, ..), _)| all | 1 << pile)
}

/// Puts the piles of a part on a board, and the markers of cards.
pub(super) fn lay_out(game: &UnhappyKing, state: &State, observer: Observer, part: &Part, board: &mut Board) {
    let (cards, plan) = (&state.cards, &game.content.deck);
    let mut shown = state.spent | cards.discard;
    for (pile, cards, sight) in piles(cards) {
        let seen = sight.is_of(observer);
        if part.piles >> pile & 1 != 0 {
            let faces = if seen { cards.iter().collect() } else { Vec::new() };
            board.piles.insert(pile, CardPile { count: cards.len() as u16, cards: faces });
        }
        if seen && pile != WAITING {
            shown = shown | cards;
        }
    }
    let count = |laid: bool| {
        let segments = (0..SEGMENTS).filter(|&segment| (segment < cards.deck.laid()) == laid);
        segments.map(|segment| u16::from(cards.deck.count_of(plan, segment))).sum()
    };
    for (pile, laid) in [(DECK, true), (LATER, false)] {
        board.piles.insert(pile, CardPile { count: count(laid), cards: Vec::new() });
    }
    let mut mark = |at: Location, kind: u16, number: i32| {
        board.markers.insert(Marker { at, kind }, number);
    };
    mark(Location::Pile(DECK), LAID, cards.deck.laid() as i32);
    if cards.pile_draws > 0 {
        mark(Location::Pile(DISCARD), PILE_DRAWS, cards.pile_draws.into());
    }
    for card in (state.spent & part.spent).iter() {
        mark(Location::Card(card), SPENT, 1);
    }
    // D14: which Alt-Hist cards came with the Mid ones, of those that the observer has seen.
    let seen = if observer == Observer::Seat(PARLIAMENT) {
        shown | CardSet::of(cards.exchanged.map(|card| card.index() as u16))
    } else {
        shown | from_discards(cards)
    };
    for card in (cards.with_mid & seen).iter() {
        mark(Location::Card(card), WITH_MID, 1);
    }
    if let Some(card) = state.claim {
        mark(Location::Card(card.index() as u16), CLAIM, 1);
    }
}

/// A place of cards of one back.
fn place(game: &UnhappyKing, pile: u16, owner: Option<Seat>, back: CardBacks) -> PieceGroup {
    let kind = card_back_kind(&game.content, back);
    PieceGroup { at: Location::Pile(pile), owner, kind, flags: 0, from: None }
}

/// The owner of a pile of a seat.
fn owner_of(pile: u16) -> Option<Seat> {
    (pile < DISCARD).then(|| SEATS[usize::from(pile % 2)])
}

/// Returns what is known of cards that lie face down.
pub(super) fn known(game: &UnhappyKing, state: &State, observer: Observer) -> Vec<HiddenSet> {
    let mut sets = Vec::new();
    held_openly(game, state, observer, &mut sets);
    drawn_from_discards(game, state, observer, &mut sets);
    by_stage(game, state, observer, &mut sets);
    sets
}

/// Cards of which it is known who holds them.
fn held_openly(game: &UnhappyKing, state: &State, observer: Observer, sets: &mut Vec<HiddenSet>) {
    let cards = &state.cards;
    let mut tell = |by: Option<Seat>, known: CardSet| {
        for (pile, held) in SEATS.into_iter().flat_map(|seat| closed(cards, seat)) {
            for back in CardBacks::ALL {
                let of_back = |&card: &u16| back_of(game, cards, card) == back;
                let known = CardSet::of((held & known).iter().filter(of_back));
                if !known.is_empty() {
                    sets.push(HiddenSet {
                        owner: owner_of(pile),
                        by,
                        faces: faces(known),
                        places: vec![(place(game, pile, owner_of(pile), back), known.len() as u16)],
                        facts: Vec::new(),
                    });
                }
            }
        }
    };
    tell(None, known_to_all(game, state));
    // D7: Parliament knows the card that it handed over; the Royalist knows that.
    if observer != Observer::Spectator {
        let exchanged = CardSet::of(cards.exchanged.map(|card| card.index() as u16));
        tell(Some(PARLIAMENT), exchanged - known_to_all(game, state));
    }
}

/// Parliament's bonus cards: all know what each set was drawn from (D15); Parliament knows what is left there.
fn drawn_from_discards(game: &UnhappyKing, state: &State, observer: Observer, sets: &mut Vec<HiddenSet>) {
    let cards = &state.cards;
    let unsure = unsure_discards(cards);
    for (index, among) in candidates(cards) {
        let drawn = cards.sets[index].cards.len() as u16;
        if drawn == 0 {
            continue;
        }
        let left = (among.len() as u16).saturating_sub(drawn).min(unsure.len() as u16);
        let pile = pile(BONUS, PARLIAMENT);
        let mut places = vec![(place(game, pile, owner_of(pile), CardBacks::Early), drawn)];
        if left > 0 {
            places.push((place(game, DRAWN_FROM, None, CardBacks::Early), left));
        }
        places.sort_unstable();
        let facts = vec![crate::view::Phrase::new("bonus_set", &[Ref::Number(index as i32 + 1)])];
        sets.push(HiddenSet { owner: None, by: None, faces: faces(among), places, facts });
    }
    if observer == Observer::Seat(PARLIAMENT) && !unsure.is_empty() {
        let places = vec![(place(game, DRAWN_FROM, None, CardBacks::Early), unsure.len() as u16)];
        let by = Some(PARLIAMENT);
        sets.push(HiddenSet { owner: None, by, faces: faces(unsure), places, facts: Vec::new() });
    }
}

/// The cards of each part of the deck that an observer has not seen, over the deck and the piles of others (Y8).
fn by_stage(game: &UnhappyKing, state: &State, observer: Observer, sets: &mut Vec<HiddenSet>) {
    let (cards, plan) = (&state.cards, &game.content.deck);
    let hidden = Hidden::from(game, state, observer);
    let early = game.content.decks[Deck::Early as usize];
    let standard = plan.cards(FIRST_DEAL);
    // The deck as the observer knows it: all that they have not seen may still come.
    let mut open = cards.deck;
    let late =
        CardSet::of(hidden.all().iter().filter(|&card| !early.contains(card) && !standard.contains(card)));
    for card in late.iter() {
        open.put_back(plan, segment_of(game, cards, card), card);
    }
    let early_faces = (hidden.all() - late)
        | [FIRST_DEAL, EARLY]
            .into_iter()
            .fold(CardSet::default(), |all, one| all | cards.deck.can_come(plan, one));
    let stages = [
        (CardBacks::Mandatory, &[LEAGUE][..], open.can_come(plan, LEAGUE)),
        (CardBacks::Early, &[FIRST_DEAL, EARLY][..], early_faces),
        (CardBacks::Mid, &[MID][..], open.can_come(plan, MID)),
        (CardBacks::Late, &[LATE][..], open.can_come(plan, LATE)),
    ];
    let by = if let Observer::Seat(seat) = observer { Some(seat) } else { None };
    for (back, segments, unseen) in stages {
        let mut places = Vec::new();
        for (pile, held) in &hidden.piles {
            let of_back = |&card: &u16| back_of(game, cards, card) == back;
            let count = held.iter().filter(of_back).count();
            if count > 0 {
                places.push((place(game, *pile, owner_of(*pile), back), count as u16));
            }
        }
        for (pile, laid) in [(DECK, true), (LATER, false)] {
            let there = segments.iter().filter(|&&segment| (segment < cards.deck.laid()) == laid);
            let count: u16 = there.map(|&segment| u16::from(cards.deck.count_of(plan, segment))).sum();
            if count > 0 {
                places.push((place(game, pile, None, back), count));
            }
        }
        places.sort_unstable();
        if !places.is_empty() {
            sets.push(HiddenSet { owner: None, by, faces: faces(unseen), places, facts: Vec::new() });
        }
    }
}

fn faces(cards: CardSet) -> Vec<(Ref, Option<i32>)> {
    cards.iter().map(|card| (Ref::Card(card), None)).collect()
}
