//! Between the engine's types and the messages of `edgehill.v1`: what is said to callers, and what they say.
//!
//! Each module is a noun. `of` makes its message from the engine's value, `read` makes the engine's value
//! from its message and refuses what is none. Both are total: no input panics. `of` is a function of its
//! arguments alone, so two values that are equal to an observer are equal in every byte that they get.
//!
//! The calls that stand on a match beside its game ([`edgehill_engine::view::Calls`]) are no part of a view
//! or an event here: draw offers are in `MatchState`, standing passes in `GetViewResponse`, and what can be
//! taken back is the draft.

pub mod action;
pub mod action_list;
pub mod board;
pub mod change;
pub mod encoder;
pub mod error_reason;
pub mod event;
pub mod game;
pub mod known;
pub mod legal;
pub mod match_result;
pub mod observer;
pub mod phrase;
pub mod position;
pub mod reference;
pub mod refusal;
mod refused;
pub mod rule;
pub mod rule_violation;
pub mod rules_version;
pub mod seat;
pub mod setup;
pub mod standing;
pub mod status;
mod superseding;
mod text_mode;
pub mod turn_state;
pub mod view;
pub mod written;

pub use refused::{DESCRIPTION_BYTES_MAX, FIELD_BYTES_MAX, MESSAGE_BYTES_MAX, Refused, VIOLATIONS_MAX};
pub use text_mode::TextMode;
