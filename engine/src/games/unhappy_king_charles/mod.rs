//! Unhappy King Charles! (GMT Games, 2008): cards, hidden Brigades, sieges, a whole war. Two players, 1642 to 1645.
//! Rules: `engine/content/unhappy-king-charles/rules.toml`.
//!
//! The game is under way and not in the registry: its content stands, its rules are being written. The files: README.md beside this one.

pub mod content;
mod rules;
