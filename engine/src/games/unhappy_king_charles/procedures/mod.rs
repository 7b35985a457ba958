//! Procedures of the rules, a file each: when it opens, what it offers, what it refuses, what it does.

pub(super) mod activation;
pub(super) mod activity;
pub(super) mod arrivals;
pub(super) mod campaign;
pub(super) mod company;
pub(super) mod consequences;
pub(super) mod deal;
pub(super) mod entry;
pub(super) mod evasion;
pub(super) mod first_play;
pub(super) mod housekeeping;
pub(super) mod illegal;
pub(super) mod interception;
pub(super) mod isolation;
pub(super) mod march;
pub(super) mod markers;
pub(super) mod pick_up;
pub(super) mod raids;
pub(super) mod response_window;
pub(super) mod siege_choice;
pub(super) mod turn;
pub(super) mod victory;
pub(super) mod withdrawal;
