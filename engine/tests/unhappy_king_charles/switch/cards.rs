//! Tests by number of turns, cards, Mandatory cards, events and recruitment (2 to 7).

use crate::support::switch::Body;

/// Files of tests that are named after rules.
pub(super) const FILES: &[&[Body]] = &[];

/// Enforced rules that no test notices yet.
#[rustfmt::skip]
pub(super) const OPEN: &[&str] = &[
    "5.0", "5.3", "5.4", "5.5", "T6", "T7", "T8", "T9", "T10", "T11", "T13",
    "T14", "T15", "T17", "T24", "D1", "D3", "D5", "D6", "D7", "D8", "D11", "D13",
    "6.1", "6.2", "6.3", "6.4", "6.5", "6.6", "K1", "K2", "K3", "K4", "K5", "K7", "K9", "K10", "K11", "K12", "K13",
    "K15", "K16", "K17", "K18", "X15", "X16", "7.0", "7.1.1", "7.1.2", "7.1.3", "7.1.4", "7.1.5", "7.1.6", "7.2",
    "7.3.1", "7.3.2", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9", "R10", "R11", "R12", "R13", "R14", "R15", "R16",
    "R17", "R18", "R19", "R20", "R21", "R22", "X7", "MC1", "MC2", "MC4", "MC8", "MC10", "MC11",
    "MC13", "MC14", "MC15", "MC16", "MC17", "MC18", "MC19", "MC20", "MC21", "MC22", "MC23", "MC24", "MC25", "MC26",
    "MC28", "V1", "V2", "V3", "V4", "V5", "V6", "V7", "V8", "V9", "V10", "V11", "V13", "V14", "V15", "V16",
    "V17", "V18", "V19", "V20", "V21", "V22", "V23",
];
