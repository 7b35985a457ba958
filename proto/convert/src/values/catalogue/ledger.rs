//! The rules ledger.

use edgehill_engine::content::Source;
use edgehill_engine::ledger::{RuleEntry, RuleStatus};
use edgehill_proto::v1;

use crate::values::Garbled;

/// A rule or a ruling.
pub(super) fn rule(rule: &v1::Rule) -> Result<RuleEntry, Garbled> {
    let status = match rule.status() {
        v1::RuleStatus::Enforced => RuleStatus::Enforced,
        v1::RuleStatus::Content => RuleStatus::Content,
        v1::RuleStatus::Presentation => RuleStatus::Presentation,
        v1::RuleStatus::NotUsed => RuleStatus::NotUsed,
        v1::RuleStatus::Unspecified => return Err(Garbled::missing("status")),
    };
    let source = |source: &v1::Source| Source {
        key: source.key.clone(),
        title: source.title.clone(),
        locator: source.locator.clone(),
    };
    Ok(RuleEntry {
        id: rule.id.clone(),
        title: rule.title.clone(),
        text: rule.text.clone(),
        status,
        reason: (!rule.reason.is_empty()).then(|| rule.reason.clone()),
        ground: rule.ground.iter().map(source).collect(),
        supersedes: rule.supersedes.clone(),
        see: rule.see.clone(),
    })
}
