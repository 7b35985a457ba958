//! The dice against their published vectors, a second implementation, and the laws of `docs/dice.md`; decks that are drawn with them.

mod audit;
mod deck;
mod deck_worlds;
mod four_stages;
mod laws;
mod odds;
mod refusals;
mod rfc8439;
mod secrets;
mod tokens;
mod vectors;
