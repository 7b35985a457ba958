//! The dice against their published vectors, a second implementation, and the laws of `docs/dice.md`.

mod audit;
mod laws;
mod refusals;
mod rfc8439;
mod secrets;
mod vectors;
