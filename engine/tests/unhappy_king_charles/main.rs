//! Unhappy King Charles!: its content against all that the rulebook and the rulings fix, and against faults; its rules by number, from
//! described positions, with scripted chance that must be used up.

#[macro_use]
#[path = "../support/play.rs"]
mod support;

/// Tests that are named after rules: each is run once more with its rule switched off (`notices_each_rule!`).
macro_rules! rules {
    ($($(#[doc = $about:literal])* #[test] fn $name:ident() $body:block)+) => {
        $($(#[doc = $about])* #[test] pub(crate) fn $name() $body)+

        bodies!($($name),+);
    };
}

mod activation;
mod addenda;
mod armies;
mod assault;
mod attrition;
mod battle;
mod bombardment;
mod bonus_sets;
mod built_in;
mod colonel;
mod content;
mod control;
mod covenanters;
mod coverage;
mod decks;
mod depth;
mod desertion;
mod dispersal;
mod evasion;
mod events;
mod faults;
#[path = "../support/page.rs"]
mod fenced;
mod fog;
mod fuzz;
mod generals;
mod goldens;
mod hidden;
mod housekeeping;
mod interception;
mod invariants;
mod isolation;
mod known;
mod levels;
mod mandatory;
mod movement;
mod naval;
mod new_model;
mod notables;
mod odds;
mod optional;
mod oracle;
mod page;
mod pairs;
mod play;
mod plays;
mod random;
mod recruitment;
mod relief;
mod retreat;
mod sieges;
mod special_events;
mod stubborn;
mod surrender;
mod turncoats;
mod turns;
#[path = "../support/volume.rs"]
mod volume;
mod winning;
mod withdrawal;
mod words;
mod worked;

notices_each_rule! {
    edgehill_engine::games::unhappy_king_charles::UnhappyKing:
    activation, assault, attrition, battle, bombardment, bonus_sets, control, covenanters, decks,
    desertion, dispersal, evasion, events, fog, generals, hidden, housekeeping, interception, isolation,
    levels, mandatory, movement, naval, new_model, notables, optional, plays, recruitment, relief,
    retreat, sieges, special_events, surrender, turncoats, turns, winning, withdrawal,
}
