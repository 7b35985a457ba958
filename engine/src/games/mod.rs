//! The games: one folder each, and no game knows another.

pub mod english_civil_war_iia;
