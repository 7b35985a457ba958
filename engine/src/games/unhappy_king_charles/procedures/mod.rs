//! Procedures of the rules, a file each: when it opens, what it offers, what it refuses, what it does.

pub(super) mod campaign;
pub(super) mod consequences;
pub(super) mod deal;
pub(super) mod first_play;
pub(super) mod housekeeping;
pub(super) mod isolation;
pub(super) mod markers;
pub(super) mod raids;
pub(super) mod turn;
pub(super) mod victory;
pub(super) mod mandatory;
