//! The games, a folder each; no game knows another.

pub mod skirmish;
