//! English Civil War IIa as a whole game, through the driver: rules by their numbers, worked examples, laws, coverage.
//!
//! Files of short tests end with their [`bodies`], which `switch.rs` runs once more with one rule after the other switched
//! off (`cargo test --features rule-switch`).

/// The tests of a file.
macro_rules! bodies {
    ($($name:ident),* $(,)?) => {
        #[cfg(feature = "rule-switch")]
        pub(crate) const BODIES: &[crate::switch::Body] = &[$((stringify!($name), $name)),*];
    };
}

mod bots;
mod checklist;
mod content;
mod coverage;
mod datc;
mod datc_case;
mod facts;
mod land;
mod leaders;
mod lines;
mod multiple_units;
mod oracle;
mod play;
mod positions;
mod random;
mod rulings;
mod seasons;
#[cfg(feature = "rule-switch")]
mod switch;
mod told;
mod victory;
#[path = "../support/volume.rs"]
mod volume;
mod worked;
mod worked_months;
