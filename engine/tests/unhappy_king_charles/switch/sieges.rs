//! Tests by number of control, Desertion, Local Notables, Fortresses, Naval Status and victory (11 to 18).

use crate::support::switch::Body;

/// Files of tests that are named after rules.
pub(super) const FILES: &[&[Body]] = &[];

/// Enforced rules that no test notices yet.
#[rustfmt::skip]
pub(super) const OPEN: &[&str] = &[
    "11.1", "P1", "P2", "P3", "P4", "P5", "P6", "P7", "12.0", "H1", "H2", "H3", "H4", "H5", "H6", "H7", "H8", "H9",
    "H10", "H11", "H13", "H14", "13.0", "NB1", "NB2", "NB3", "NB6", "NB7", "14.0", "F1", "F2", "F3", "F4", "F5", "F6",
    "F7", "F9", "F10", "F11", "F12", "F13", "F14", "F15", "F16", "F17", "F18", "15.0", "15.3", "N1", "N3", "Y2", "Y3",
    "W1", "W2", "W3", "W4", "W6", "O2", "O6", "O7", "O8",
];
