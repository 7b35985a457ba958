//! The rules of four English Civil War board games behind one contract.
//!
//! A [`game::Game`] is pure rules over a state that is a value; a [`table::Table`] drives one match of it: it
//! lists, applies, undoes, resolves chance from a [`chance_source::ChanceSource`], and publishes to each observer what they may know.
//! docs/contract.md is the map.

#![deny(clippy::float_arithmetic)]

pub mod action;
pub mod bot;
pub mod cards;
pub mod catalogue;
pub mod chance;
pub mod chance_source;
pub mod codec;
pub mod content;
pub mod deck;
pub mod dice;
pub mod event;
pub mod flow;
pub mod game;
pub mod games;
#[cfg(feature = "laws")]
pub mod laws;
pub mod ledger;
pub mod numbered;
pub mod position;
pub mod record;
pub mod reference;
pub mod refusal;
pub mod registry;
pub mod render;
pub mod sealed;
pub mod seat;
pub mod setup;
pub mod signing;
pub mod table;
pub mod view;
mod vocabulary;
