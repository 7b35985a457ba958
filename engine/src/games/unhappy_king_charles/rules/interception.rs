//! Citations: Interception.

use crate::ledger::Rule;

/// Interception may come at each entry by movement, before anything but a Response.
pub(in super::super) const INTERCEPTION: Rule = Rule::new("I1");
/// Armies that may Intercept.
pub(in super::super) const INTERCEPTOR: Rule = Rule::new("I2");
/// No Interception to where own Brigades are.
pub(in super::super) const INTERCEPTION_BARRED: Rule = Rule::new("I3");
/// One interceptor an Area; the others keep their try.
pub(in super::super) const ONE_INTERCEPTOR: Rule = Rule::new("I4");
/// The die of an Interception, and what modifies it.
pub(in super::super) const INTERCEPTION_ROLL: Rule = Rule::new("I5");
/// The interceptor defends; nobody evades or withdraws.
pub(in super::super) const INTERCEPTION_BATTLE: Rule = Rule::new("I8");
/// Among enemies the interceptor fights the active Army alone, and goes back unless it loses.
pub(in super::super) const INTERCEPTION_AMONG_ENEMIES: Rule = Rule::new("I9");
/// An interceptor does not retreat to where the active Army came from.
pub(in super::super) const INTERCEPTOR_RETREAT: Rule = Rule::new("I10");
/// No second Interception in one Area.
pub(in super::super) const AFTER_INTERCEPTION: Rule = Rule::new("I11");
