//! The skirmish by notation: what only its tests ask, beside what those of every game do.

use std::collections::BTreeMap;

use edgehill_engine::action::ActionId;
use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::games::skirmish::Skirmish;
use edgehill_engine::reference::Location;
use edgehill_engine::seat::Seat;
use edgehill_engine::setup::Setup;
use edgehill_engine::view::View;
use serde_json::Value;

plays!(Skirmish);

pub(crate) const NORTH: Seat = Seat::new(0);
pub(crate) const SOUTH: Seat = Seat::new(1);

pub(crate) fn setup(scenario: &str) -> Setup {
    Match::setup(scenario, &[])
}

impl Match {
    /// From a position of two seats, up to the first activation: each seat's only card is chosen.
    pub(crate) fn acting(position: Value, script: &str) -> Self {
        Self::acting_with(position, ChanceSource::script(script))
    }

    pub(crate) fn acting_with(position: Value, chance_source: ChanceSource) -> Self {
        let mut one = Self::at("skirmish", position, chance_source);
        for seat in [NORTH, SOUTH] {
            if one.legal(seat).len() == 1 {
                let card = one.legal(seat).remove(0);
                one.play(seat, &format!("{card}; done"));
            }
        }
        one
    }

    /// The spaces and strengths of a side's blocks as its own seat sees them; lost ones at `lost`.
    pub(crate) fn blocks(&self, side: Seat) -> Vec<String> {
        faces_in(&self.view(side), side)
    }

    /// Returns the number of blocks of a side at a space, for everybody to see.
    pub(crate) fn count(&self, side: Seat, space: &str) -> usize {
        let view = self.spectated();
        let here = |at: Location, owner| owner == Some(side) && place(at) == space;
        let backs = view.board.groups.iter().filter(|(group, _)| here(group.at, group.owner));
        let faces = view.board.pieces.values().filter(|piece| here(piece.at, piece.owner)).count();
        faces + backs.map(|(_, &count)| usize::from(count)).sum::<usize>()
    }

    /// The cards in a seat's hand, as it sees them.
    pub(crate) fn hand(&self, seat: Seat) -> Vec<String> {
        cards_in(&self.view(seat), hand_of(seat))
    }
}

pub(crate) fn action(notation: &str) -> ActionId {
    Match::action(notation)
}

pub(crate) fn place(at: Location) -> String {
    Match::place(at)
}

pub(crate) fn cards_in(view: &View, pile: &str) -> Vec<String> {
    Match::cards_in(view, pile)
}

pub(crate) fn pile_size(view: &View, pile: &str) -> u16 {
    Match::pile_size(view, pile)
}

/// The pile of a seat's hand.
pub(crate) fn hand_of(seat: Seat) -> &'static str {
    ["north-hand", "south-hand"][seat.index()]
}

/// The faces of a side that a view shows, as `space strength`, sorted.
pub(crate) fn faces_in(view: &View, side: Seat) -> Vec<String> {
    let own = view.board.pieces.values().filter(|piece| piece.owner == Some(side));
    let mut faces: Vec<String> = own.map(|piece| format!("{} {}", place(piece.at), piece.kind)).collect();
    faces.sort();
    faces
}

/// The sizes of a side's groups of backs, as `space count`, those that differ in flags added up.
pub(crate) fn backs_in(view: &View, side: Seat) -> Vec<String> {
    let mut backs: BTreeMap<String, u16> = BTreeMap::new();
    for (group, count) in view.board.groups.iter().filter(|(group, _)| group.owner == Some(side)) {
        *backs.entry(place(group.at)).or_default() += count;
    }
    backs.into_iter().map(|(space, count)| format!("{space} {count}")).collect()
}
