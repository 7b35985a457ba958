//! Unhappy King Charles!: its content against all that the rulebook and the rulings fix, and against faults.

mod addenda;
mod content;
mod faults;
mod fuzz;
mod support;
mod words;
