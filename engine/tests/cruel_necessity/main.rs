//! The rules of Cruel Necessity, by number: from described positions, with scripted dice and draws that must be used up.
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

mod actions;
mod activation;
mod battle;
mod battle_cards;
mod bots;
mod cards;
mod cites;
mod content;
mod coverage;
mod depth;
mod ends;
mod facts;
#[path = "../support/page.rs"]
mod fenced;
mod goldens;
mod no_effect;
mod odds;
mod optional;
mod page;
mod play;
mod positions;
mod purchases;
mod random;
mod roles;
mod scenarios;
mod standing;
#[cfg(feature = "rule-switch")]
mod switch;
mod texts;
mod tracks;
mod undo;
#[path = "../support/volume.rs"]
mod volume;
mod worked;
