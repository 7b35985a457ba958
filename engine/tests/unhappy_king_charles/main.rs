//! Unhappy King Charles!: its content against all that the rulebook and the rulings fix, and against faults.

mod addenda;
mod content;
mod faults;
mod fuzz;
mod known;
mod play;
mod support;
#[path = "../support/volume.rs"]
mod volume;
mod words;
