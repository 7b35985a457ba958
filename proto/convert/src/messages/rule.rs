//! The rules ledger.

use edgehill_engine::content::{Confidence, Source};
use edgehill_engine::ledger::{Ledger, RuleEntry, RuleStatus};
use edgehill_proto::v1;

/// All rules, in the order of the rulebook.
#[must_use]
pub fn all(ledger: &Ledger) -> Vec<v1::Rule> {
    ledger.iter().map(of).collect()
}

/// A rule.
#[must_use]
pub fn of(entry: &RuleEntry) -> v1::Rule {
    v1::Rule {
        id: entry.id.clone(),
        title: entry.title.clone(),
        text: entry.text.clone(),
        status: status(entry.status).into(),
        reason: entry.reason.clone().unwrap_or_default(),
        ground: entry.ground.iter().map(source).collect(),
        supersedes: entry.supersedes.clone(),
        see: entry.see.clone(),
    }
}

const fn status(status: RuleStatus) -> v1::RuleStatus {
    match status {
        RuleStatus::Enforced => v1::RuleStatus::Enforced,
        RuleStatus::Content => v1::RuleStatus::Content,
        RuleStatus::Presentation => v1::RuleStatus::Presentation,
        RuleStatus::NotUsed => v1::RuleStatus::NotUsed,
    }
}

fn source(source: &Source) -> v1::Source {
    v1::Source { key: source.key.clone(), title: source.title.clone(), locator: source.locator.clone() }
}

/// Returns the confidence in a value of the content.
#[must_use]
pub const fn confidence(level: Confidence) -> v1::Confidence {
    match level {
        Confidence::Official => v1::Confidence::Official,
        Confidence::PublicSecondary => v1::Confidence::PublicSecondary,
        Confidence::Inferred => v1::Confidence::Inferred,
        Confidence::House => v1::Confidence::House,
        Confidence::Reconstructed => v1::Confidence::Reconstructed,
    }
}
