//! The catalogue: the static half of the game.

use crate::reference::Location;

use super::content::Content;
use super::content::ids::INFRASTRUCTURE_MATS;
use super::content::{FORTRESSES, INFRASTRUCTURES, NOTABLES};
use super::state::{Holder, Holding};

/// The first mat that is the inside of a printed Fortress.
pub(super) const INSIDE_MATS: u16 = INFRASTRUCTURE_MATS + INFRASTRUCTURES as u16;
/// The mats of the pools, by seat.
pub(super) const POOL_MATS: u16 = INSIDE_MATS + (FORTRESSES - NOTABLES) as u16;
/// The Unemployed Generals Boxes, by seat.
pub(super) const UNEMPLOYED_MATS: u16 = POOL_MATS + 2;
/// The Reinforcements Boxes, by seat.
pub(super) const REINFORCEMENT_MATS: u16 = UNEMPLOYED_MATS + 2;
/// Generals and Brigades that have not arrived, or have gone and can come back.
pub(super) const AWAY: u16 = REINFORCEMENT_MATS + 2;
/// Brigades lost for good, which events can bring back.
pub(super) const LOST: u16 = AWAY + 1;
/// Out of the game.
pub(super) const OUT: u16 = LOST + 1;
/// Off the map in the North: where Covenanters come from, and go to (6.5).
pub(super) const SCOTLAND: u16 = OUT + 1;

/// The location on the board of a place of Brigades.
pub(super) fn location(_: &Content, holder: Holder) -> Location {
    match holder.holding() {
        Holding::General(_) | Holding::Notable(_) => Location::Piece(holder.index() as u16),
        Holding::Outside(area) => Location::Space(area.index() as u16),
        Holding::Inside(fortress) => Location::Mat(INSIDE_MATS + fortress.index() as u16),
        Holding::Pool(seat) => Location::Mat(POOL_MATS + seat.index() as u16),
        Holding::Unemployed(seat) => Location::Mat(UNEMPLOYED_MATS + seat.index() as u16),
        Holding::Away => Location::Mat(AWAY),
        Holding::Lost => Location::Mat(LOST),
        Holding::Out => Location::Mat(OUT),
    }
}
