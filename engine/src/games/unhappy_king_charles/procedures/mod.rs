//! Procedures of the rules, a file each: when it opens, what it offers, what it refuses, what it does.

pub(super) mod brigade_choice;
pub(super) mod campaign;
pub(super) mod consequences;
pub(super) mod deal;
pub(super) mod first_play;
pub(super) mod housekeeping;
pub(super) mod isolation;
pub(super) mod joining;
pub(super) mod laughter;
pub(super) mod london_rising;
pub(super) mod mandatory;
pub(super) mod markers;
pub(super) mod new_model;
pub(super) mod new_model_arrivals;
pub(super) mod new_model_moves;
pub(super) mod raids;
pub(super) mod relocation;
pub(super) mod special_events;
pub(super) mod turn;
pub(super) mod turnham_green;
pub(super) mod victory;
