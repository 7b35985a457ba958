//! Procedures of the rules, a file each: when it opens, what it offers, what it refuses, what it does.

pub(super) mod activation;
pub(super) mod battle;
pub(super) mod bonus;
pub(super) mod choice;
pub(super) mod deal;
pub(super) mod ending;
pub(super) mod interception;
pub(super) mod march;
