use std::collections::BTreeMap;
use std::fmt;

use toml::{Table, Value};

use super::Confidence;
use super::fields::Fault;

/// The key that stands for all fields, or all tables, that are not named.
pub(super) const REST: &str = "*";

/// One citation: a source, and where in it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Source {
    /// The source's key in the `[sources]` of its file.
    pub key: String,
    /// Description of the source, in words.
    pub title: String,
    /// Place in the source (a page, a rule); may be empty.
    pub locator: String,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.title)?;
        if self.locator.is_empty() { Ok(()) } else { write!(f, ", {}", self.locator) }
    }
}

/// The provenance that a record, or a default, states.
#[derive(Clone, Default)]
pub(super) struct Provenance {
    /// The citations, where any are given.
    pub(super) source: Option<Vec<Source>>,
    /// Levels by field.
    pub(super) fields: BTreeMap<String, Confidence>,
    /// The level of the fields that are not named.
    pub(super) rest: Option<Confidence>,
}

impl Provenance {
    /// Takes `source` and `confidence` out of a record or default. What is faulty is left out and reported.
    pub(super) fn take(
        table: &mut Table,
        sources: &BTreeMap<String, String>,
        faults: &mut Vec<Fault>,
    ) -> Self {
        let mut provenance = Self::default();
        if let Some(value) = table.remove("source") {
            provenance.source = Some(cite_all(&value, "source", sources, faults));
        }
        match table.remove("confidence") {
            Some(Value::Table(levels)) => {
                for (field, value) in levels {
                    let level = level(&value, &format!("confidence.{field}"), faults);
                    if field == REST {
                        provenance.rest = level;
                    } else if let Some(level) = level {
                        provenance.fields.insert(field, level);
                    }
                }
            }
            Some(value) => provenance.rest = level(&value, "confidence", faults),
            None => {}
        }
        provenance
    }

    /// Reports levels of fields that the record's type doesn't have.
    pub(super) fn check_fields(&self, known: &[&str], faults: &mut Vec<Fault>) {
        for field in self.fields.keys().filter(|field| !known.contains(&field.as_str())) {
            let what = format!("no such field, expected one of {}", known.join(", "));
            faults.push((format!("confidence.{field}"), what));
        }
    }

    /// The level that this says for a field.
    pub(super) fn level(&self, field: &str) -> Option<Confidence> {
        self.fields.get(field).copied().or(self.rest)
    }
}

fn level(value: &Value, path: &str, faults: &mut Vec<Fault>) -> Option<Confidence> {
    let Some(word) = value.as_str() else {
        faults.push((path.to_owned(), "expected a level, or a table of levels by field".to_owned()));
        return None;
    };
    word.parse().map_err(|error| faults.push((path.to_owned(), format!("{error}")))).ok()
}

/// Resolves a citation or a list of them (`"page 6, 10"`: a key of `[sources]`, then where in it).
pub(super) fn cite_all(
    value: &Value,
    field: &str,
    sources: &BTreeMap<String, String>,
    faults: &mut Vec<Fault>,
) -> Vec<Source> {
    let one = std::slice::from_ref(value);
    let list = value.as_array().map_or(one, Vec::as_slice);
    if list.is_empty() {
        faults.push((field.to_owned(), "expected at least one source".to_owned()));
    }
    list.iter()
        .filter_map(|item| cite(item, sources).map_err(|what| faults.push((field.to_owned(), what))).ok())
        .collect()
}

fn cite(value: &Value, sources: &BTreeMap<String, String>) -> Result<Source, String> {
    let text = value.as_str().ok_or("expected the key of a source, or a list of keys")?;
    let (key, locator) = text.split_once(' ').unwrap_or((text, ""));
    let title = sources.get(key).ok_or_else(|| format!("there is no source {key:?} in [sources]"))?;
    Ok(Source { key: key.to_owned(), title: title.clone(), locator: locator.trim().to_owned() })
}
