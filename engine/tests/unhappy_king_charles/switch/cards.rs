//! Tests by number of turns, cards, Mandatory cards, events and recruitment (2 to 7).

use crate::support::switch::Body;

/// Files of tests that are named after rules.
pub(super) const FILES: &[&[Body]] = &[
    crate::decks::BODIES,
    crate::events::BODIES,
    crate::mandatory::BODIES,
    crate::new_model::BODIES,
    crate::plays::BODIES,
    crate::recruitment::BODIES,
    crate::special_events::BODIES,
    crate::turns::BODIES,
];

/// Enforced rules that no test notices yet.
pub(super) const OPEN: &[&str] = &[];
