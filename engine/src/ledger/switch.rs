//! Switches one rule off, to see whether its tests notice. Only with the feature `rule-switch`.
//!
//! The switch belongs to the thread that sets it: tests that run side by side don't disturb each other. It goes by
//! the rule's number alone, so it concerns every game that has a rule of this number.

use std::cell::RefCell;

use super::Rule;

thread_local! {
    static OFF: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Switches the rule with this number off on this thread, and the one that was off on; `None`: all are on.
pub fn disable(rule: Option<&str>) {
    OFF.set(rule.map(str::to_owned));
}

pub(super) fn is_off(rule: Rule) -> bool {
    OFF.with_borrow(|off| off.as_deref() == Some(rule.id()))
}
