//! Procedures of the rules, a file each: when it opens, what it offers, what it refuses, what it does.

pub(super) mod aftermath;
pub(super) mod assault;
pub(super) mod attrition;
pub(super) mod battle;
pub(super) mod battle_losses;
pub(super) mod bombardment;
pub(super) mod brigade_choice;
pub(super) mod campaign;
pub(super) mod combat_cards;
pub(super) mod consequences;
pub(super) mod deal;
pub(super) mod deserters;
pub(super) mod desertion;
pub(super) mod dispersal;
pub(super) mod first_play;
pub(super) mod housekeeping;
pub(super) mod isolation;
pub(super) mod joining;
pub(super) mod markers;
pub(super) mod raids;
pub(super) mod retreat;
pub(super) mod surrender;
pub(super) mod turn;
pub(super) mod victory;
