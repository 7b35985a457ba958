//! Events folded over a view, as a client does it: by what the wire says of a change, and nothing else.

use std::collections::BTreeMap;

use edgehill_proto::prost::Message;
use edgehill_proto::v1;
use v1::change::Entry;

/// A view by its entries' keys.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Folded {
    pieces: BTreeMap<u32, v1::Piece>,
    groups: BTreeMap<Vec<u8>, v1::PieceGroup>,
    piles: BTreeMap<u32, v1::CardPile>,
    markers: BTreeMap<Vec<u8>, v1::Marker>,
    arrows: BTreeMap<Vec<u8>, v1::Arrow>,
    known: Vec<v1::HiddenSet>,
    draft: Vec<u32>,
    turn_state: Option<v1::TurnState>,
}

fn key<T: Message>(key: Option<&T>) -> Vec<u8> {
    key.expect("a key").encode_to_vec()
}

fn group_key(group: &v1::PieceGroup) -> Vec<u8> {
    v1::PieceGroup { count: 0, ..*group }.encode_to_vec()
}

impl Folded {
    pub(crate) fn of(view: &v1::View) -> Self {
        let board = view.board.clone().expect("a board");
        Self {
            pieces: board.pieces.into_iter().map(|piece| (piece.piece, piece)).collect(),
            groups: board.groups.into_iter().map(|group| (group_key(&group), group)).collect(),
            piles: board.piles.into_iter().map(|pile| (pile.pile, pile)).collect(),
            markers: board.markers.into_iter().map(|marker| (key(marker.key.as_ref()), marker)).collect(),
            arrows: board.arrows.into_iter().map(|arrow| (key(arrow.key.as_ref()), arrow)).collect(),
            known: view.known.clone(),
            draft: view.draft.clone(),
            turn_state: view.turn_state.clone(),
        }
    }

    pub(crate) fn fold(&mut self, event: &v1::Event) {
        event.changes.iter().filter_map(|change| change.entry.clone()).for_each(|entry| self.set(entry));
    }

    fn set(&mut self, entry: Entry) {
        match entry {
            Entry::Piece(piece) => drop(self.pieces.insert(piece.piece, piece)),
            Entry::PieceGone(piece) => drop(self.pieces.remove(&piece)),
            Entry::Group(group) if group.count == 0 => drop(self.groups.remove(&group_key(&group))),
            Entry::Group(group) => drop(self.groups.insert(group_key(&group), group)),
            Entry::Pile(pile) => drop(self.piles.insert(pile.pile, pile)),
            Entry::Marker(marker) => drop(self.markers.insert(key(marker.key.as_ref()), marker)),
            Entry::MarkerGone(marker) => drop(self.markers.remove(&key(Some(&marker)))),
            Entry::Arrow(arrow) => drop(self.arrows.insert(key(arrow.key.as_ref()), arrow)),
            Entry::ArrowGone(arrow) => drop(self.arrows.remove(&key(Some(&arrow)))),
            Entry::ArrowsCleared(_) => self.arrows.clear(),
            Entry::Known(known) => self.known = known.known,
            Entry::Draft(draft) => {
                self.draft.truncate(draft.keep as usize);
                self.draft.extend(draft.add);
            }
            Entry::TurnState(turn_state) => self.turn_state = Some(*turn_state),
        }
    }
}
