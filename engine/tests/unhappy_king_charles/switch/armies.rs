//! Tests by number of Generals, movement, Interception and Battles (8 to 10).

use crate::support::switch::Body;
use crate::{
    activation, battle, bonus_sets, covenanters, dispersal, evasion, generals, interception, levels,
    movement, retreat, turncoats, withdrawal,
};

/// Files of tests that are named after rules.
pub(super) const FILES: &[&[Body]] = &[
    activation::BODIES,
    battle::BODIES,
    bonus_sets::BODIES,
    covenanters::BODIES,
    dispersal::BODIES,
    evasion::BODIES,
    generals::BODIES,
    interception::BODIES,
    levels::BODIES,
    movement::BODIES,
    retreat::BODIES,
    turncoats::BODIES,
    withdrawal::BODIES,
];

/// Enforced rules that no test notices yet.
pub(super) const OPEN: &[&str] = &[];
