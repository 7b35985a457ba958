//! Tests by number of control, Desertion, Local Notables, Fortresses, Naval Status and victory (11 to 18).

use crate::support::switch::Body;
use crate::{
    assault, attrition, bombardment, control, desertion, hidden, housekeeping, isolation, naval, notables,
    optional, relief, sieges, surrender, winning,
};

/// Files of tests that are named after rules.
pub(super) const FILES: &[&[Body]] = &[
    assault::BODIES,
    attrition::BODIES,
    bombardment::BODIES,
    control::BODIES,
    desertion::BODIES,
    hidden::BODIES,
    housekeeping::BODIES,
    isolation::BODIES,
    naval::BODIES,
    notables::BODIES,
    optional::BODIES,
    relief::BODIES,
    sieges::BODIES,
    surrender::BODIES,
    winning::BODIES,
];

/// Enforced rules that no test notices yet.
pub(super) const OPEN: &[&str] = &[];
