//! A state from a view: what the view shows, and the rest dealt uniformly over what it leaves open.

use rand_core::Rng;

use crate::chance_source::shuffle;
use crate::deck::CardSet;
use crate::flow::{Agenda, Frames};
use crate::sealed::replay;
use crate::view::{Marker, NodeView, Procedure, View};
use crate::vocabulary::*;

use super::catalogue::{DRILL, HAND, MARCHED, SEEN, TURN_MARKER, TURN_TRACK};
use super::frames::Frame;
use super::state::{Block, LOST, SIDE, State, Verdict};
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
    state.cards = game.cards.resample(view, rng);
    state.frames = Frames::default();
    for procedure in &view.turn_state.procedures {
        if let Some(frame) = frame(game, &state, procedure, rng) {
            state.frames.open(frame);
        }
    }
    state.agenda = Agenda::default();
    view.turn_state.entitlements.iter().for_each(|owed| state.agenda.owe(owed.seat));
    match &view.turn_state.node {
        NodeView::Sealed { .. } => {
            let cards = state.cards;
            state.choice.resample(view, rng, |seat, rng| cards.of_seat(HAND, seat).any(rng));
            replay(game, &mut state, view);
        }
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

/// A frame from its context; what only its seat sees of it is drawn.
fn frame(game: &Skirmish, state: &State, procedure: &Procedure, rng: &mut dyn Rng) -> Option<Frame> {
    if let Some(frame) = Frame::read(&game.content, procedure) {
        return Some(frame);
    }
    // The card of a bonus, of which its back is told.
    let Some(Ref::Seat(seat)) = procedure.role("active") else { return None };
    let of_back = |card: &u16| procedure.role("back") == Some(Ref::Kind(game.content.back(*card)));
    let card = CardSet::of(state.hand(seat).iter().filter(of_back)).any(rng)?;
    Some(Frame::Bonus { seat, card: Some(card) })
}
