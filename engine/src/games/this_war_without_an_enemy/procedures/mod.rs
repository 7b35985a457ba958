//! Procedures of the rulebook, a file each: when it opens, what it offers, what it refuses, what it does.

pub(super) mod battle_withdrawal;
pub(super) mod battles;
pub(super) mod breach;
pub(super) mod camp_fever;
pub(super) mod chaperones;
pub(super) mod city_withdrawal;
pub(super) mod control;
pub(super) mod desertion;
pub(super) mod dice;
pub(super) mod engage;
pub(super) mod fight;
pub(super) mod group_move;
pub(super) mod initiative;
pub(super) mod muster;
pub(super) mod operational_event;
pub(super) mod operations;
pub(super) mod recruitment;
pub(super) mod retreat;
pub(super) mod sally;
pub(super) mod siege_resolution;
pub(super) mod supply;
pub(super) mod surrender;
pub(super) mod tactical_event;
pub(super) mod year_end;
