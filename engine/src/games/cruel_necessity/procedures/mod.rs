//! Procedures of the rulebook: when each opens, what it offers, what it refuses, what it does.

pub(super) mod action_phase;
pub(super) mod aftermath;
pub(super) mod armies;
pub(super) mod battle;
pub(super) mod battle_cards;
pub(super) mod items;
pub(super) mod rolls;
pub(super) mod tracks;
