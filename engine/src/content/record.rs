use std::collections::BTreeSet;
use std::ops::Deref;

use super::{Confidence, Source};

/// One record of the content, with where it comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContentRecord<T> {
    /// The record's own fields.
    pub value: T,
    /// Its name, unique in its table.
    pub id: String,
    /// Sources of its values; at least one.
    pub source: Vec<Source>,
    /// A remark on the record as a whole.
    pub note: Option<String>,
    /// Every field of `T` with its level, in the order declared.
    pub(super) confidence: Vec<(&'static str, Confidence)>,
}

impl<T> ContentRecord<T> {
    /// Returns how sure a field is; `None` if the record's type has no such field.
    pub fn confidence(&self, field: &str) -> Option<Confidence> {
        self.fields().find(|&(name, _)| name == field).map(|(_, level)| level)
    }

    /// The fields of the record's type and how sure each is, in the order declared.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, Confidence)> {
        self.confidence.iter().copied()
    }

    /// Returns how sure the record is: its weakest field.
    pub fn weakest(&self) -> Confidence {
        self.fields().fold(Confidence::Official, |least, (_, level)| least.weakest(level))
    }

    /// How sure each field is, to be kept by whoever takes the record apart.
    pub fn levels(&self) -> Levels {
        Levels(self.confidence.clone())
    }
}

impl<T> Deref for ContentRecord<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// How sure each field of a record is, without the record.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Levels(Vec<(&'static str, Confidence)>);

impl Levels {
    /// How sure a field is. The record's type must have it; the weakest level stands in for one that it has not.
    pub fn of(&self, field: &str) -> Confidence {
        let found = self.0.iter().find(|&&(name, _)| name == field);
        debug_assert!(found.is_some(), "the record has no field {field}");
        found.map_or(Confidence::Reconstructed, |&(_, level)| level)
    }

    /// How sure several fields are together.
    pub fn of_all(&self, fields: &[&str]) -> Confidence {
        fields.iter().fold(Confidence::Official, |weakest, field| weakest.weakest(self.of(field)))
    }
}

/// The records of one table, in the order of its file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Records<T> {
    pub(super) file: String,
    pub(super) table: String,
    pub(super) records: Vec<ContentRecord<T>>,
    /// All ids that the table declares, those of faulty records included, so that one fault isn't reported again
    /// by everything that refers to its record.
    pub(super) declared: BTreeSet<String>,
}

impl<T> Records<T> {
    /// The record with this id.
    pub fn get(&self, id: &str) -> Option<&ContentRecord<T>> {
        self.records.iter().find(|record| record.id == id)
    }

    /// The place of a record in the order of its file, from 0.
    pub fn position(&self, id: &str) -> Option<usize> {
        self.records.iter().position(|record| record.id == id)
    }

    /// The file that the records were read from.
    pub(crate) fn file(&self) -> &str {
        &self.file
    }

    /// A record's name in errors: table and id.
    pub(crate) fn name_of(&self, id: &str) -> String {
        format!("{} {id}", self.table)
    }

    /// The records alone.
    pub(crate) fn into_vec(self) -> Vec<ContentRecord<T>> {
        self.records
    }
}

impl<T> Deref for Records<T> {
    type Target = [ContentRecord<T>];

    fn deref(&self) -> &[ContentRecord<T>] {
        &self.records
    }
}

impl<'a, T> IntoIterator for &'a Records<T> {
    type Item = &'a ContentRecord<T>;
    type IntoIter = std::slice::Iter<'a, ContentRecord<T>>;

    fn into_iter(self) -> Self::IntoIter {
        self.records.iter()
    }
}
