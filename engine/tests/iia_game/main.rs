//! English Civil War IIa as a whole game, through the driver: rules by their numbers, worked examples, laws, coverage.

mod bots;
mod coverage;
mod leaders;
mod lines;
mod multiple_units;
mod play;
mod positions;
mod random;
mod seasons;
mod victory;
#[path = "../support/volume.rs"]
mod volume;
mod worked;
