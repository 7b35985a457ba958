//! Competitions by their laws, and by examples that were reckoned by hand.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod crashes;
mod driver;
mod exports;
mod formats;
mod golden;
mod knockouts;
mod log;
mod refusals;
mod settings;
mod standings;
mod swiss;
#[path = "../../../tests/durable/volume.rs"]
#[expect(clippy::disallowed_methods, reason = "tests may read the environment, competitions may not")]
mod volume;
mod words;
