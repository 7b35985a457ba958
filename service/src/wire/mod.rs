//! Between the messages of `edgehill.v1` and the server: the requests of callers, read or refused, and the encoding of what
//! matches publish ([`encoder`]).
//!
//! Each module is a noun. `read` makes the engine's value from what a caller gave, and refuses what is none, with the field
//! and what would be accepted. It is total: no input panics. The engine's values as messages, with which callers are answered,
//! are made by [`edgehill_convert::messages`].

pub mod action;
pub mod action_list;
pub mod encoder;
pub mod error_reason;
pub mod legal;
pub mod observer;
pub mod position;
mod quota_subject;
pub mod reference;
pub mod refusal;
mod refused;
pub mod rules_version;
pub mod seat;
pub mod setup;
pub mod standing;
pub mod status;
mod superseding;

pub use refused::{DESCRIPTION_BYTES_MAX, FIELD_BYTES_MAX, MESSAGE_BYTES_MAX, Refused, VIOLATIONS_MAX};
