//! The engine's values as messages: one module a noun.
//!
//! `of` is a function of its arguments alone, so two values that are equal to an observer are equal in every byte that they get.

pub mod action;
pub mod board;
pub mod change;
pub mod event;
pub mod game;
pub mod known;
pub mod legal;
pub mod match_result;
pub mod observer;
pub mod phrase;
pub mod reference;
pub mod rule;
pub mod rule_violation;
pub mod rules_version;
pub mod seat;
pub mod standing;
mod text_mode;
pub mod turn_state;
pub mod view;
pub mod written;

pub use text_mode::TextMode;
