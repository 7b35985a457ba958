//! Tests by number of Generals, movement, Interception and Battles (8 to 10).

use crate::support::switch::Body;

/// Files of tests that are named after rules.
pub(super) const FILES: &[&[Body]] = &[];

/// Enforced rules that no test notices yet.
#[rustfmt::skip]
pub(super) const OPEN: &[&str] = &[
    "8.2", "8.3", "8.4", "G1", "G2", "G3", "G4", "G5", "G6", "G7", "G8", "G9", "G10", "G11", "9.6", "AC1", "AC2", "AC4",
    "AC5", "AC6", "AC7", "AC8", "AC9", "AC11", "AC12", "AC13", "AC14", "AC15", "AC17", "AC18", "S1", "S2", "S3", "S4",
    "S5", "S6", "S7", "S8", "S9", "S10", "S12", "S13", "I1", "I2", "I3", "I4", "I5", "I8", "I9", "I10", "I11", "10.0",
    "EV1", "EV2", "EV3", "EV4", "EV6", "EV7", "EV8", "EV9", "EV10", "EV11", "EV12", "EV13", "EV14", "10.2", "B1", "B2",
    "B3", "B4", "B5", "B6", "B8", "B9", "B10", "B11", "B12", "B13", "B14", "B15", "B16", "B17", "B18", "RT1", "RT2",
    "RT3", "RT4", "RT5", "RT7", "RT8",
];
