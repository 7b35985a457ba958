//! Holds a game's code and tests against its ledger.

use std::collections::BTreeSet;
use std::fmt;

use edgehill_engine::ledger::{Ledger, RuleStatus};

use crate::scan::{Citation, File, citations, code, count_word, tests};

/// A place where code, tests and ledger disagree.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Finding {
    /// Code cites a rule that the ledger doesn't have.
    UnknownRule { rule: String, at: String },
    /// Code cites a rule that the ledger calls presentation or not used.
    NotHeld { rule: String, status: RuleStatus, at: String },
    /// A constant cites a rule, and nothing uses the constant.
    Unused { rule: String, constant: String, at: String },
    /// No code cites an enforced rule.
    NotCited { rule: String },
    /// No test names a rule that is enforced or that the content keeps.
    NotTested { rule: String, status: RuleStatus },
    /// A test is named after a rule that the ledger doesn't have.
    UnknownTest { test: String },
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownRule { rule, at } => write!(f, "{at} cites rule {rule}, which is not in the ledger"),
            Self::NotHeld { rule, status, at } => {
                write!(f, "{at} cites rule {rule}, which the ledger calls {status}")
            }
            Self::Unused { rule, constant, at } => {
                write!(f, "{at} cites rule {rule} as {constant}, which nothing uses")
            }
            Self::NotCited { rule } => write!(f, "rule {rule} is enforced, but no code cites it"),
            Self::NotTested { rule, status } => {
                write!(f, "rule {rule} is {status}, but there is no test {}_...", test_prefix(rule))
            }
            Self::UnknownTest { test } => write!(f, "test {test} names no rule of the ledger"),
        }
    }
}

/// All disagreements: those of citations, then those of rules in the ledger's order, then those of tests.
pub(crate) fn check(ledger: &Ledger, sources: &[File], test_files: &[File]) -> Vec<Finding> {
    let code: Vec<String> = sources.iter().map(code).collect();
    let citations: Vec<Citation> = sources.iter().flat_map(citations).collect();
    let names: Vec<String> = test_files.iter().flat_map(tests).collect();

    let mut findings = check_citations(ledger, &citations, &code);
    findings.extend(check_rules(ledger, &citations, &names));
    findings.extend(names.iter().filter(|name| name.starts_with("rule_")).filter_map(|test| {
        let known = rule_of(ledger, test).is_some();
        (!known).then(|| Finding::UnknownTest { test: test.clone() })
    }));
    findings
}

fn check_citations(ledger: &Ledger, citations: &[Citation], code: &[String]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for Citation { rule, constant, at } in citations {
        let (rule, at) = (rule.clone(), at.clone());
        match ledger.get(&rule).map(|entry| entry.status) {
            None => findings.push(Finding::UnknownRule { rule, at }),
            Some(RuleStatus::Enforced | RuleStatus::Content) => {
                let Some(name) = constant else { continue };
                let definitions =
                    citations.iter().filter(|other| other.constant.as_ref() == Some(name)).count();
                let occurrences: usize = code.iter().map(|code| count_word(code, name)).sum();
                if occurrences == definitions {
                    findings.push(Finding::Unused { rule, constant: name.clone(), at });
                }
            }
            Some(status) => findings.push(Finding::NotHeld { rule, status, at }),
        }
    }
    findings
}

fn check_rules(ledger: &Ledger, citations: &[Citation], tests: &[String]) -> Vec<Finding> {
    let cited: BTreeSet<&str> = citations.iter().map(|citation| citation.rule.as_str()).collect();
    let tested: BTreeSet<&str> = tests.iter().filter_map(|test| rule_of(ledger, test)).collect();
    let mut findings = Vec::new();
    for entry in ledger {
        let (rule, status) = (|| entry.id.clone(), entry.status);
        if status == RuleStatus::Enforced && !cited.contains(entry.id.as_str()) {
            findings.push(Finding::NotCited { rule: rule() });
        }
        if matches!(status, RuleStatus::Enforced | RuleStatus::Content) && !tested.contains(entry.id.as_str())
        {
            findings.push(Finding::NotTested { rule: rule(), status });
        }
    }
    findings
}

/// Returns the beginning of the name of a rule's test.
fn test_prefix(rule: &str) -> String {
    format!("rule_{}", rule.to_ascii_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "_"))
}

/// The rule that a test is named after: of several (`rule_10_8_...` with rules 10 and 10.8) the longest.
fn rule_of<'a>(ledger: &'a Ledger, test: &str) -> Option<&'a str> {
    let named = ledger.iter().map(|entry| entry.id.as_str()).filter(|id| {
        let rest = test.strip_prefix(&test_prefix(id));
        rest.is_some_and(|rest| rest.len() > 1 && rest.starts_with('_'))
    });
    named.max_by_key(|id| id.len())
}
