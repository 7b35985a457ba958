//! Procedures of the rulebook: when each opens, what it offers, what it refuses, what it does.
