use std::fmt;

use serde::Deserialize;

use crate::content::Source;

/// The treatment of a rule in the engine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RuleStatus {
    /// The engine plays by it: code cites it, and a test fails without it.
    Enforced,
    /// The game's content keeps it (a map, a number): no code decides it, and a test of the content fails without it.
    Content,
    /// It tells people at a table how to handle things that the engine has no need of.
    Presentation,
    /// The engine doesn't play by it, or there is nothing in it to play by; the reason is given.
    NotUsed,
}

impl RuleStatus {
    /// The word for this status in the ledger.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Enforced => "enforced",
            Self::Content => "content",
            Self::Presentation => "presentation",
            Self::NotUsed => "not-used",
        }
    }
}

impl fmt::Display for RuleStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A rule of the ledger.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleEntry {
    /// Its number, as [`Rule`](super::Rule) cites it.
    pub id: String,
    /// A few words.
    pub title: String,
    /// The rule's text, in our own words.
    pub text: String,
    /// Its treatment.
    pub status: RuleStatus,
    /// Reason why it is neither enforced nor kept by the content; present in just those cases.
    pub reason: Option<String>,
    /// Sources that it stands on; at least one.
    pub ground: Vec<Source>,
    /// The rules whose wording this one replaces.
    pub supersedes: Vec<String>,
    /// The rules that a reader of this one will want to see.
    pub see: Vec<String>,
}
