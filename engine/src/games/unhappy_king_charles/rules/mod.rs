//! Citations of the rules ledger, `engine/content/unhappy-king-charles/rules.toml`: a file a chapter, sections of the rulebook
//! before rulings.

#![expect(dead_code, reason = "the procedures that cite them are still to come")]

pub(super) mod battle;
pub(super) mod cards;
pub(super) mod control;
pub(super) mod desertion;
pub(super) mod evasion;
pub(super) mod events;
pub(super) mod fog;
pub(super) mod fortresses;
pub(super) mod generals;
pub(super) mod interception;
pub(super) mod mandatory;
pub(super) mod movement;
pub(super) mod naval;
pub(super) mod notables;
pub(super) mod options;
pub(super) mod recruitment;
pub(super) mod retreat;
pub(super) mod subordination;
pub(super) mod turns;
pub(super) mod winning;
