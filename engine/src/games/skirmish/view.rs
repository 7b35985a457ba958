//! Views of each observer: own blocks, backs of the others, faces that were turned up; own cards, numbers of the rest.

use std::collections::BTreeMap;

use crate::view::{Board, HiddenSet, Marker, Piece, PieceGroup};
use crate::vocabulary::*;

use super::Skirmish;
use super::catalogue::{BACK, LOST_MAT, MARCHED, SEEN, TURN_MARKER, TURN_TRACK};
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
    game.cards.lay_out(&state.cards, state.seats(), observer, &mut board);
    board.markers.insert(Marker { at: Location::Track(TURN_TRACK), kind: TURN_MARKER }, state.turn.into());
    board
}

/// Common to everybody: the faces of each side's unseen blocks over their places; then the cards that `observer` has not seen.
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
    sets.extend(game.cards.known(&state.cards, observer));
    sets
}
