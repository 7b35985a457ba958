//! Views of each observer: own blocks, backs of the others, faces that were turned up; own cards, numbers of the rest.

use std::collections::BTreeMap;

use crate::deck::Segment;
use crate::reference::{Location, Ref};
use crate::seat::{Observer, Seat, SeatSet};
use crate::view::{Board, CardPile, HiddenSet, Marker, Piece, PieceGroup};

use super::Skirmish;
use super::catalogue::{
    BACK, CARD_BACK, DISCARD, HAND, LOST_MAT, MARCHED, SEEN, SHOWN, STRETCH, TURN_MARKER, TURN_TRACK,
};
use super::state::{Block, LOST, SIDE, State};

pub(super) fn owner(block: usize) -> Seat {
    Seat::new((block / SIDE) as u8)
}

fn back_group(block: usize, Block { at, marched, .. }: Block) -> PieceGroup {
    let flags = if marched { MARCHED } else { 0 };
    PieceGroup { at: Location::Space(at.into()), owner: Some(owner(block)), kind: BACK, flags, from: None }
}

pub(super) fn board(game: &Skirmish, state: &State, observer: Observer) -> Board {
    let mut board = Board::default();
    for (index, &block) in state.blocks.iter().enumerate() {
        let side = owner(index);
        if block.seen || (observer.is(side) && block.face > 0) {
            let at =
                if block.at == LOST { Location::Mat(LOST_MAT) } else { Location::Space(block.at.into()) };
            let flags = if block.marched { MARCHED } else { 0 } | if block.seen { SEEN } else { 0 };
            let piece = Piece { kind: block.face.into(), owner: Some(side), at, flags, from: None };
            board.pieces.insert(index as u16, piece);
        } else {
            board.add_to_group(back_group(index, block), 1);
        }
    }
    for seat in SeatSet::first(state.seats()).iter() {
        let hand = state.hands[seat.index()];
        let cards = if observer.is(seat) { hand.iter().collect() } else { Vec::new() };
        board.piles.insert(HAND + seat.index() as u16, CardPile { count: hand.len() as u16, cards });
        let cards: Vec<u16> = state.shown[seat.index()].into_iter().collect();
        board.piles.insert(SHOWN + seat.index() as u16, CardPile { count: cards.len() as u16, cards });
    }
    for stretch in 0..2 {
        let count = slots_left(game, state, stretch);
        board.piles.insert(STRETCH + stretch as u16, CardPile { count, cards: Vec::new() });
    }
    let discards = CardPile { count: state.discard.len() as u16, cards: state.discard.iter().collect() };
    board.piles.insert(DISCARD, discards);
    board.markers.insert(Marker { at: Location::Track(TURN_TRACK), kind: TURN_MARKER }, state.turn.into());
    board
}

fn slots_left(game: &Skirmish, state: &State, stretch: usize) -> u16 {
    let of_stretch = |segment: &&Segment| match segment {
        Segment::Bag { cards, .. } => cards.0 & game.content.stretch(stretch).0 != 0,
        Segment::Fixed(_) => false,
    };
    let slots =
        |segment: &Segment| if let Segment::Bag { slots, .. } = segment { u16::from(*slots) } else { 0 };
    state.deck.segments().iter().find(of_stretch).map_or(0, slots)
}

/// Common to everybody: the faces of each side's unseen blocks over their places. For cards, what `observer` has not seen of
/// each stretch, over the hands and the deck.
pub(super) fn known(game: &Skirmish, state: &State, observer: Observer) -> Vec<HiddenSet> {
    let mut sets = Vec::new();
    for side in [Seat::new(0), Seat::new(1)] {
        let mut places: BTreeMap<PieceGroup, u16> = BTreeMap::new();
        let mut faces = Vec::new();
        for index in (side.index() * SIDE)..(side.index() + 1) * SIDE {
            let block = state.blocks[index];
            if !block.seen {
                *places.entry(back_group(index, block)).or_default() += 1;
                if block.face > 0 {
                    faces.push((Ref::Kind(block.face.into()), None));
                }
            }
        }
        if state.drill && side.index() == 1 {
            faces.extend(state.garrison_pool().map(|face| (Ref::Kind(face.into()), None)));
        }
        faces.sort_unstable();
        if !faces.is_empty() {
            let places = places.into_iter().collect();
            sets.push(HiddenSet { owner: Some(side), by: None, faces, places, facts: Vec::new() });
        }
    }
    let by = if let Observer::Seat(seat) = observer { Some(seat) } else { None };
    let hands = || SeatSet::first(state.seats()).iter().filter(|&seat| !observer.is(seat));
    for stretch in 0..2 {
        let all = game.content.stretch(stretch);
        let mut unseen = all.0 & !state.discard.0;
        state.shown.iter().flatten().for_each(|card| unseen &= !(1 << card));
        if let Some(seat) = by {
            unseen &= !state.hands[seat.index()].0;
        }
        let pile = |pile: u16, seat| PieceGroup {
            at: Location::Pile(pile),
            owner: seat,
            kind: CARD_BACK + stretch as u16,
            flags: 0,
            from: None,
        };
        let held = |seat: Seat| (state.hands[seat.index()].0 & all.0).count_ones() as u16;
        let mut places: Vec<(PieceGroup, u16)> =
            hands().map(|seat| (pile(HAND + seat.index() as u16, Some(seat)), held(seat))).collect();
        places.push((pile(STRETCH + stretch as u16, None), slots_left(game, state, stretch)));
        places.retain(|&(_, count)| count > 0);
        let faces = crate::deck::CardSet(unseen).iter().map(|card| (Ref::Card(card), None)).collect();
        sets.push(HiddenSet { owner: None, by, faces, places, facts: Vec::new() });
    }
    sets
}
