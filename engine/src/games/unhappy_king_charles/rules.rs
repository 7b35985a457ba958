//! Citations of the rules ledger, by chapter.

#![expect(dead_code, reason = "some rulings are still to be cited where they are kept")]

mod battle;
mod cards;
mod control;
mod desertion;
mod evasion;
mod events;
mod fog;
mod fortresses;
mod generals;
mod interception;
mod mandatory;
mod movement;
mod naval;
mod notables;
mod options;
mod recruitment;
mod retreat;
mod subordination;
mod turns;
mod winning;

pub(super) use battle::*;
pub(super) use cards::*;
pub(super) use control::*;
pub(super) use desertion::*;
pub(super) use evasion::*;
pub(super) use events::*;
pub(super) use fog::*;
pub(super) use fortresses::*;
pub(super) use generals::*;
pub(super) use interception::*;
pub(super) use mandatory::*;
pub(super) use movement::*;
pub(super) use naval::*;
pub(super) use notables::*;
pub(super) use options::*;
pub(super) use recruitment::*;
pub(super) use retreat::*;
pub(super) use subordination::*;
pub(super) use turns::*;
pub(super) use winning::*;
