//! A state from a view: what the view shows, and the rest dealt uniformly over what it leaves open.

use rand_core::Rng;

use crate::chance_source::below;
use crate::deck::{CardSet, Deck, Segment};
use crate::event::Events;
use crate::flow::{Agenda, Frames};
use crate::game::Game;
use crate::reference::{Location, Ref};
use crate::seat::{Observer, Seat, SeatSet};
use crate::setup::Setup;
use crate::view::{HiddenSet, Marker, NodeView, Procedure, View};

use super::catalogue::{DISCARD, DRILL, HAND, MARCHED, SEEN, SHOWN, STRETCH, TURN_MARKER, TURN_TRACK};
use super::frames::Frame;
use super::state::{Block, Choosing, LOST, SIDE, State, Verdict};
use super::{Skirmish, rules};

pub(super) fn resample(game: &Skirmish, setup: &Setup, view: &View, rng: &mut dyn Rng) -> State {
    let mut state = State::new(&game.content, setup.scenario() == DRILL);
    let board = &view.board;
    let turn = board
        .markers
        .get(&Marker { at: Location::Track(TURN_TRACK), kind: TURN_MARKER })
        .copied()
        .unwrap_or(0);
    state.turn = turn as u8;
    deal_blocks(&mut state, view, rng);
    let pile = |pile: u16| board.piles.get(&pile).cloned().unwrap_or_default();
    state.discard = CardSet::of(pile(DISCARD).cards);
    for seat in 0..2 {
        state.shown[seat] = pile(SHOWN + seat as u16).cards.first().copied();
        state.hands[seat] = CardSet::of(pile(HAND + seat as u16).cards);
    }
    deal_cards(&mut state, view, rng);
    state.frames = Frames::default();
    for procedure in &view.turn_state.procedures {
        if let Some(frame) = frame(game, &state, procedure, rng) {
            state.frames.open(frame);
        }
    }
    state.agenda = Agenda::default();
    view.turn_state.entitlements.iter().for_each(|owed| state.agenda.owe(owed.seat));
    match &view.turn_state.node {
        NodeView::Sealed { committed, .. } => choose(game, &mut state, view, *committed, rng),
        NodeView::Over(result) => {
            let winner = result.returns.iter().position(|&value| value > 0).map(|seat| Seat::new(seat as u8));
            let kind = [rules::CAMP, rules::LAST_BLOCK, rules::NIGHTFALL]
                .iter()
                .position(|rule| *rule == result.rule);
            state.result = kind.map(|kind| Verdict { kind: kind as u8, winner });
        }
        _ => {}
    }
    state
}

fn shuffle<T>(items: &mut [T], rng: &mut dyn Rng) {
    for last in (1..items.len()).rev() {
        items.swap(last, below(last as u64 + 1, rng) as usize);
    }
}

/// Blocks that the view shows are where it shows them; the unseen faces of a side go over its backs.
fn deal_blocks(state: &mut State, view: &View, rng: &mut dyn Rng) {
    let garrison = |state: &State, side: usize| state.drill && side == 1;
    for (&index, piece) in &view.board.pieces {
        let at = if let Location::Space(at) = piece.at { at as u8 } else { LOST };
        let (seen, marched) = (piece.flags & SEEN != 0, piece.flags & MARCHED != 0);
        state.blocks[usize::from(index)] = Block { at, face: piece.kind as u8, seen, marched };
    }
    for side in 0..2 {
        let mut backs: Vec<(u8, bool)> = Vec::new();
        for (group, &count) in
            view.board.groups.iter().filter(|(group, _)| group.owner == Some(Seat::new(side as u8)))
        {
            if let Location::Space(at) = group.at {
                backs.extend((0..count).map(|_| (at as u8, group.flags & MARCHED != 0)));
            }
        }
        if garrison(state, side) {
            continue;
        }
        shuffle(&mut backs, rng);
        let shown = |index: &usize| view.board.pieces.contains_key(&(*index as u16));
        let hidden: Vec<usize> = (side * SIDE..(side + 1) * SIDE).filter(|index| !shown(index)).collect();
        for (index, (at, marched)) in hidden.into_iter().zip(backs) {
            state.blocks[index] = Block { at, face: (index % SIDE) as u8 + 1, seen: false, marched };
        }
    }
}

/// The unseen cards of each stretch go over the other hands and the deck.
fn deal_cards(state: &mut State, view: &View, rng: &mut dyn Rng) {
    let is_stretch = |set: &&HiddenSet| set.owner.is_none();
    let mut segments = Vec::new();
    for (stretch, set) in view.known.iter().filter(is_stretch).enumerate() {
        let card = |face: &(Ref, Option<i32>)| if let Ref::Card(card) = face.0 { Some(card) } else { None };
        let mut unseen: Vec<u16> = set.faces.iter().filter_map(card).collect();
        shuffle(&mut unseen, rng);
        let mut slots = 0;
        for &(group, count) in &set.places {
            match (group.at, group.owner) {
                (Location::Pile(pile), None) if pile == STRETCH + stretch as u16 => slots = count as u8,
                (_, Some(seat)) => {
                    let dealt = unseen.split_off(unseen.len() - usize::from(count).min(unseen.len()));
                    dealt.into_iter().for_each(|card| state.hands[seat.index()].insert(card));
                }
                _ => {}
            }
        }
        segments.push(Segment::Bag { cards: CardSet::of(unseen), slots });
    }
    state.deck = Deck::new(segments);
}

/// A frame from its context; what only its seat sees of it is drawn.
fn frame(game: &Skirmish, state: &State, procedure: &Procedure, rng: &mut dyn Rng) -> Option<Frame> {
    if let Some(frame) = Frame::read(&game.content, procedure) {
        return Some(frame);
    }
    // The card of a bonus, of which its back is told.
    let Some(Ref::Seat(seat)) = procedure.role("active") else { return None };
    let of_back = |card: &u16| procedure.role("back") == Some(Ref::Kind(game.content.back(*card)));
    let card = pick(CardSet::of(state.hands[seat.index()].iter().filter(of_back)), rng)?;
    Some(Frame::Bonus { seat, card: Some(card) })
}

fn pick(hand: CardSet, rng: &mut dyn Rng) -> Option<u16> {
    if hand.is_empty() {
        return None;
    }
    hand.iter().nth(below(hand.len() as u64, rng) as usize)
}

/// The own draft is replayed; who else has committed has picked some card.
fn choose(game: &Skirmish, state: &mut State, view: &View, committed: SeatSet, rng: &mut dyn Rng) {
    for seat in committed.iter().filter(|&seat| !view.observer.is(seat)) {
        let picked = pick(state.hands[seat.index()], rng);
        state.choosing[seat.index()] = Choosing { picked, committed: true };
    }
    if let Observer::Seat(seat) = view.observer {
        for &action in &view.draft {
            if game.permits(state, seat, action) {
                game.apply_action(state, seat, game.actions.get(action), &mut Events::silent());
            }
        }
    }
}
