//! The games, a folder each; no game knows another.

pub mod cruel_necessity;
pub mod english_civil_war_iia;
pub mod skirmish;
pub mod this_war_without_an_enemy;
pub mod unhappy_king_charles;
