//! The score as anybody at the table can count it: who holds Regions and economic infrastructures, markers against the Power Base, the plays
//! that are left, Parliament's points if the war ended now (5.5, 17.0).
//!
//! All of it follows from the rest of the board; a world that is made of a view leaves it aside.

use crate::numbered::Listed;
use crate::reference::Location;
use crate::seat::Seat;
use crate::view::{Board, Marker};

use super::super::UnhappyKing;
use super::super::catalogue::{
    CONTROL, MARKERS_IN_PLAY, PLAYS_LEFT, POINTS, POWER_BASE, SURRENDER, TURN_TRACK,
};
use super::super::content::ids::{FortressId, INFRASTRUCTURE_MATS, REGION_MATS};
use super::super::content::{PARLIAMENT, SEATS};
use super::super::state::{SiegeMarker, State};

/// Puts the markers of the score on a board.
pub(super) fn lay_out(game: &UnhappyKing, state: &State, board: &mut Board) {
    let content = &game.content;
    let mut put = |at: Location, kind: u16, number: i32| {
        if number > 0 {
            board.markers.insert(Marker { at, kind }, number);
        }
    };
    for seat in SEATS {
        let holder = seat.index() as i32 + 1;
        for region in game.regions_of(state, seat) {
            put(Location::Mat(REGION_MATS + region.index() as u16), CONTROL, holder);
        }
        for one in game.infrastructures_of(state, seat) {
            put(Location::Mat(INFRASTRUCTURE_MATS + one.index() as u16), CONTROL, holder);
        }
        let at = Location::Seat(seat);
        put(at, MARKERS_IN_PLAY, state.control[seat.index()].count() as i32);
        put(at, PLAYS_LEFT, plays_left(game, state, seat));
    }
    put(Location::Track(TURN_TRACK), POWER_BASE, content.turns[state.turn].power_base.into());
    put(Location::Seat(PARLIAMENT), POINTS, game.points_of_parliament(state) as i32);
    for fortress in FortressId::all(content) {
        if state.sieges[fortress].marker != SiegeMarker::None {
            let of = &content.fortresses[fortress];
            put(Location::Space(of.area.index() as u16), SURRENDER, of.surrender.into());
        }
    }
}

/// Plays that a seat still owes before it may pass (5.5); none once it has passed.
fn plays_left(game: &UnhappyKing, state: &State, seat: Seat) -> i32 {
    let owed = game.content.numbers.hand.plays.saturating_sub(state.plays[seat.index()]);
    if state.passed[seat.index()] { 0 } else { owed.into() }
}
