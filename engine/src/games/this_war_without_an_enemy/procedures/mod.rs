//! Procedures of the rulebook: when each opens, what it offers, what it refuses, what it does.

pub(super) mod battle_withdrawal;
pub(super) mod cards;
pub(super) mod chaperones;
pub(super) mod city_withdrawal;
pub(super) mod control;
pub(super) mod dice;
pub(super) mod engage;
pub(super) mod fight;
pub(super) mod group_move;
pub(super) mod muster;
pub(super) mod recruitment;
pub(super) mod retreat;
pub(super) mod sally;
pub(super) mod supply;
pub(super) mod year_end;
