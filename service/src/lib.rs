//! The server of the Edgehill engine.
//!
//! A match is its log ([`store`]): a header and appends, each durable before anybody sees it. Who may call is said by
//! keys and tokens ([`identity`]). What is outside of a match, the time ([`clock`]) and randomness ([`entropy`]), stands
//! behind small traits, so that one seed can drive a whole simulated server.

pub mod api;
pub mod clock;
pub mod command;
pub mod config;
pub mod entropy;
pub mod host;
pub mod identity;
pub mod limits;
pub mod matches;
pub mod server;
mod shares;
pub mod store;
pub mod telemetry;
pub mod wire;
