use std::collections::BTreeMap;

use serde::Deserialize;

use super::entry::{RuleEntry, RuleStatus};
use super::rule::is_rule_id;
use crate::content::{ContentError, ContentErrors, ContentFiles, Document, Fault, RawRecord, decode};

/// The content file that holds a game's ledger.
pub const RULES_FILE: &str = "rules.toml";

/// The table of its records.
const TABLE: &str = "rule";

/// The ledger of one game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ledger {
    entries: Vec<RuleEntry>,
    /// The place of each rule in `entries`, by number.
    by_id: BTreeMap<String, usize>,
}

/// The fields of a rule that need no more than decoding.
#[derive(Deserialize)]
struct Text {
    title: String,
    text: String,
    status: RuleStatus,
    reason: Option<String>,
    #[serde(default)]
    supersedes: Vec<String>,
    #[serde(default)]
    see: Vec<String>,
}

impl Ledger {
    /// Reads the ledger of a content set.
    ///
    /// # Errors
    ///
    /// Every fault found: fields that are missing, unknown or of the wrong type; rules whose number comes twice, or
    /// can't be told from another's in the name of a test; rules without a ground; rules that don't hold and
    /// don't say why, or the other way round; references to rules that there aren't.
    pub fn load(files: &ContentFiles) -> Result<Self, ContentErrors> {
        let mut errors = Vec::new();
        let mut entries = Vec::new();
        if let Some(mut document) = Document::open(files, RULES_FILE, &mut errors) {
            let raw = document.entries(TABLE, &mut errors);
            let ids: Vec<String> = raw.iter().filter_map(|raw| raw.id.clone()).collect();
            for raw in raw {
                let name = raw.name.clone();
                let mut faults = Vec::new();
                entries.extend(read(&document, raw, &ids, &mut faults));
                document.report(&name, faults, &mut errors);
            }
            document.close(&mut errors);
            errors.extend(lookalikes(&ids));
        }
        ContentErrors::none_of(errors)?;
        Ok(entries.into_iter().collect())
    }

    /// The rule with this number.
    pub fn get(&self, id: &str) -> Option<&RuleEntry> {
        self.by_id.get(id).map(|&place| &self.entries[place])
    }

    /// All rules, in the order of the file.
    pub fn iter(&self) -> std::slice::Iter<'_, RuleEntry> {
        self.entries.iter()
    }
}

/// Rules in their order, as a ledger that was checked elsewhere has them; of two with one number the later is found by it.
impl FromIterator<RuleEntry> for Ledger {
    fn from_iter<I: IntoIterator<Item = RuleEntry>>(entries: I) -> Self {
        let entries: Vec<RuleEntry> = entries.into_iter().collect();
        let places = entries.iter().enumerate().map(|(place, entry)| (entry.id.clone(), place));
        let by_id = places.collect();
        Self { entries, by_id }
    }
}

impl<'a> IntoIterator for &'a Ledger {
    type Item = &'a RuleEntry;
    type IntoIter = std::slice::Iter<'a, RuleEntry>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Types one rule and checks it by itself and against the other rules' numbers.
fn read(
    document: &Document,
    mut raw: RawRecord,
    ids: &[String],
    faults: &mut Vec<Fault>,
) -> Option<RuleEntry> {
    raw.fields.remove("id");
    let ground = match raw.fields.remove("ground") {
        Some(value) => document.cite(&value, "ground", faults),
        None => {
            faults.push(("ground".to_owned(), "missing".to_owned()));
            Vec::new()
        }
    };
    let text: Text = decode(raw.fields).map_err(|found| faults.extend(found)).ok()?;
    let id = raw.id?;
    check(&id, &text, ids, faults);
    let Text { title, text, status, reason, supersedes, see } = text;
    let (text, reason) = (one_line(&text), reason.as_deref().map(one_line));
    Some(RuleEntry { id, title, text, status, reason, ground, supersedes, see })
}

/// Words that the file spreads over several lines, on one.
fn one_line(words: &str) -> String {
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn check(id: &str, rule: &Text, ids: &[String], faults: &mut Vec<Fault>) {
    let mut fault = |field: &str, what: &str| faults.push((field.to_owned(), what.to_owned()));
    if !is_rule_id(id) {
        fault("id", "a rule's number is letters, digits, dots and hyphens");
    }
    for (field, words) in
        [("title", Some(&rule.title)), ("text", Some(&rule.text)), ("reason", rule.reason.as_ref())]
    {
        if words.is_some_and(|words| words.trim().is_empty()) {
            fault(field, "expected some words");
        }
    }
    match (rule.status, &rule.reason) {
        (RuleStatus::Enforced | RuleStatus::Content, Some(_)) => {
            fault("reason", "a rule that holds needs none")
        }
        (RuleStatus::Presentation | RuleStatus::NotUsed, None) => {
            fault("reason", "missing, and the rule does not hold")
        }
        _ => {}
    }
    for (field, references) in [("supersedes", &rule.supersedes), ("see", &rule.see)] {
        for other in references {
            if other == id {
                fault(field, "the rule itself");
            } else if !ids.contains(other) {
                fault(field, &format!("there is no rule {other}"));
            }
        }
    }
}

/// Rules that couldn't be told apart in the names of tests, where all but letters and digits becomes `_`.
fn lookalikes(ids: &[String]) -> Vec<ContentError> {
    let mut errors = Vec::new();
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    for id in ids {
        let plain = id.to_ascii_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        match seen.insert(plain, id) {
            Some(other) if other != id => {
                let what = format!("can't be told from {other} in the name of a test");
                errors.push(ContentError::field(RULES_FILE, &format!("{TABLE} {id}"), "id", what));
            }
            _ => {}
        }
    }
    errors
}
