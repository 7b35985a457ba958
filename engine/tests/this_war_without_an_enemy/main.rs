//! This War Without an Enemy: rules by number, worked examples, random games, the bot.
//!
//! Tests that are named after rules stand in `rules!`, so that `switch.rs` can run each once more with its rule switched off
//! (`cargo test --features rule-switch`).

/// Tests that are named after rules.
macro_rules! rules {
    ($(#[test] fn $name:ident() $body:block)+) => {
        $(#[test] pub(crate) fn $name() $body)+

        #[cfg(feature = "rule-switch")]
        pub(crate) const BODIES: &[crate::switch::Body] = &[$((stringify!($name), $name)),+];
    };
}

mod attempts;
mod battles;
mod content;
mod control;
mod coverage;
mod depth;
mod facts;
#[path = "../support/page.rs"]
mod fenced;
mod goldens;
mod moves;
mod oracle;
mod page;
mod play;
mod random;
mod recruits;
mod retreats;
mod sieges;
mod storms;
mod supply;
#[cfg(feature = "rule-switch")]
mod switch;
mod tactics;
mod told;
mod turns;
#[path = "../support/volume.rs"]
mod volume;
mod year;
