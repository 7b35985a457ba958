//! Unhappy King Charles!: its content against all that the rulebook and the rulings fix, and against faults; its rules by number, from
//! described positions, with scripted chance that must be used up.

#[macro_use]
#[path = "../support/play.rs"]
mod support;

/// Tests that are named after rules: [`switch`] runs each once more with its rule switched off.
macro_rules! rules {
    ($($(#[doc = $about:literal])* #[test] fn $name:ident() $body:block)+) => {
        $($(#[doc = $about])* #[test] pub(crate) fn $name() $body)+

        bodies!($($name),+);
    };
}

mod addenda;
mod assault;
mod attrition;
mod bombardment;
mod built_in;
mod colonel;
mod content;
mod control;
mod desertion;
mod faults;
mod fuzz;
mod hidden;
mod housekeeping;
mod invariants;
mod isolation;
mod known;
mod naval;
mod notables;
mod optional;
mod play;
mod random;
mod relief;
mod sieges;
mod surrender;
#[cfg(feature = "rule-switch")]
mod switch;
mod turns;
#[path = "../support/volume.rs"]
mod volume;
mod winning;
mod words;
mod worked;
