//! The rules of the skirmish, by number: from described positions, with scripted dice that must be used up.
//!
//! Each file ends with its [`bodies`], which `switch.rs` runs once more with the rule that they are named after switched
//! off (`cargo test --features rule-switch`).

/// The tests of a file that are named after rules.
macro_rules! bodies {
    ($($name:ident),* $(,)?) => {
        #[cfg(feature = "rule-switch")]
        pub(crate) const BODIES: &[crate::switch::Body] = &[$((stringify!($name), $name)),*];
    };
}

mod battle;
mod bonus;
mod cards;
mod content;
mod default_action;
mod drill;
mod endings;
mod interception;
mod knowledge;
mod manual;
mod marches;
mod odds;
mod page;
mod pieces;
mod play;
mod positions;
mod sealed;
mod secrets;
mod standing;
#[cfg(feature = "rule-switch")]
mod switch;
mod undo;
