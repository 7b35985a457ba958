//! Reasons for which an action is refused: one predicate lists, refuses and explains ([`Why`], [`RuleViolation`]).

use std::ops::ControlFlow;

use crate::ledger::Rule;
use crate::reference::Ref;

/// One ground for refusing an action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleViolation {
    /// Stable name in SCREAMING_CASE, such as `NOT_ADJACENT`; the catalogue has a template for it.
    pub code: &'static str,
    /// The rule or ruling that is not met.
    pub rule: Rule,
    /// Things that it is about; never anything that the asking seat may not know.
    pub refs: Vec<Ref>,
}

/// The listener of a predicate: quiet (stops at the first ground) or collecting (hears all of them).
#[derive(Clone, Debug)]
pub struct Why {
    collecting: bool,
    refused: bool,
    rule_violations: Vec<RuleViolation>,
}

impl Why {
    /// For listing: only whether, not why.
    #[must_use]
    pub const fn quiet() -> Self {
        Self { collecting: false, refused: false, rule_violations: Vec::new() }
    }

    /// For refusals: every ground at once.
    #[must_use]
    pub const fn collecting() -> Self {
        Self { collecting: true, refused: false, rule_violations: Vec::new() }
    }

    /// The action is legal only if `holds`. A collecting listener goes on to the next condition.
    #[inline]
    pub fn require(&mut self, holds: bool, rule: Rule, code: &'static str, refs: &[Ref]) -> ControlFlow<()> {
        if rule.allows(holds) {
            return ControlFlow::Continue(());
        }
        self.refused = true;
        if self.collecting {
            self.rule_violations.push(RuleViolation { code, rule, refs: refs.to_vec() });
            return ControlFlow::Continue(());
        }
        ControlFlow::Break(())
    }

    /// As [`Why::require`], where the conditions that follow make no sense without this one.
    #[inline]
    pub fn demand(&mut self, holds: bool, rule: Rule, code: &'static str, refs: &[Ref]) -> ControlFlow<()> {
        let flow = self.require(holds, rule, code, refs);
        if rule.allows(holds) { flow } else { ControlFlow::Break(()) }
    }

    /// The action has no meaning at this node: refuses with `code`, whatever else holds.
    #[inline]
    pub fn refuse(&mut self, rule: Rule, code: &'static str) -> ControlFlow<()> {
        self.refused = true;
        if self.collecting {
            self.rule_violations.push(RuleViolation { code, rule, refs: Vec::new() });
        }
        ControlFlow::Break(())
    }

    /// Returns whether any condition failed.
    #[must_use]
    pub const fn refused(&self) -> bool {
        self.refused
    }

    /// Returns the reasons that a collecting listener gathered.
    #[must_use]
    pub fn into_rule_violations(self) -> Vec<RuleViolation> {
        self.rule_violations
    }
}
