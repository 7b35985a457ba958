//! Procedures of the rules, a file each: when it opens, what it offers, what it refuses, what it does.

pub(super) mod consequences;
