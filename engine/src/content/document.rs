use std::collections::{BTreeMap, BTreeSet};

use serde::de::DeserializeOwned;
use toml::{Table, Value};

use super::fields::{Fault, decode, fields_of};
use super::provenance::{Provenance, REST, cite_all};
use super::{ContentError, ContentFiles, ContentRecord, Source};

/// The field by which a record is named.
const ID: &str = "id";
/// A remark on a record.
const NOTE: &str = "note";

/// One parsed file: its sources and defaults, and tables of records that are not yet typed.
pub(crate) struct Document {
    file: String,
    sources: BTreeMap<String, String>,
    defaults: BTreeMap<String, Provenance>,
    tables: Table,
    read: BTreeSet<String>,
}

/// A record before it is typed.
pub(crate) struct RawRecord {
    /// Its id, where it has a good one.
    pub(crate) id: Option<String>,
    /// Its name in errors: the table and the id or, without one, the ordinal from 1.
    pub(crate) name: String,
    /// Its fields, `id` included where it was written.
    pub(crate) fields: Table,
}

impl Document {
    /// Parses a file of the set. A file that is missing or isn't TOML is reported and gives `None`.
    pub(crate) fn open(files: &ContentFiles, file: &str, errors: &mut Vec<ContentError>) -> Option<Self> {
        let tables = parse(files, file).map_err(|error| errors.push(error)).ok()?;
        let mut document = Self {
            file: file.to_owned(),
            sources: BTreeMap::new(),
            defaults: BTreeMap::new(),
            tables,
            read: BTreeSet::new(),
        };
        if let Some(value) = document.tables.remove("sources") {
            document.read_sources(value, errors);
        }
        if let Some(value) = document.tables.remove("defaults") {
            document.read_defaults(value, errors);
        }
        Some(document)
    }

    fn read_sources(&mut self, value: Value, errors: &mut Vec<ContentError>) {
        let Value::Table(sources) = value else {
            return errors.push(ContentError::record(&self.file, "sources", "expected a table"));
        };
        for (key, title) in sources {
            match title {
                Value::String(title) if !title.trim().is_empty() => {
                    self.sources.insert(key, title);
                }
                _ => errors.push(ContentError::field(&self.file, "sources", &key, "expected some words")),
            }
        }
    }

    fn read_defaults(&mut self, value: Value, errors: &mut Vec<ContentError>) {
        let Value::Table(defaults) = value else {
            return errors.push(ContentError::record(&self.file, "defaults", "expected a table"));
        };
        for (table, value) in defaults {
            let name = format!("defaults {table}");
            let Value::Table(mut value) = value else {
                errors.push(ContentError::record(&self.file, &name, "expected a table"));
                continue;
            };
            let mut faults = Vec::new();
            let provenance = Provenance::take(&mut value, &self.sources, &mut faults);
            if table == REST {
                // The set of fields depends on the table, so a level for one of them belongs there.
                provenance.check_fields(&[REST], &mut faults);
            }
            let unknown = value.into_iter().map(|(key, _)| (key, "expected source or confidence".to_owned()));
            faults.extend(unknown);
            self.report(&name, faults, errors);
            self.defaults.insert(table, provenance);
        }
    }

    /// The records of `[[table]]`, untyped, in the file's order. A table that is missing or no array of tables, and
    /// ids that are missing or come twice, are reported.
    pub(crate) fn entries(&mut self, table: &str, errors: &mut Vec<ContentError>) -> Vec<RawRecord> {
        let Some(Value::Array(values)) = self.take(table) else {
            errors.push(ContentError::file(&self.file, format!("expected records [[{table}]]")));
            return Vec::new();
        };
        let mut seen = BTreeSet::new();
        let mut entries = Vec::new();
        for (index, value) in values.into_iter().enumerate() {
            let ordinal = format!("{table} #{}", index + 1);
            let Value::Table(fields) = value else {
                errors.push(ContentError::record(&self.file, &ordinal, "expected a record"));
                continue;
            };
            let id = fields.get(ID).and_then(Value::as_str).filter(|id| !id.is_empty()).map(str::to_owned);
            let name = id.as_ref().map_or(ordinal, |id| format!("{table} {id}"));
            match &id {
                None => errors.push(ContentError::field(&self.file, &name, ID, "expected a name")),
                Some(id) if !seen.insert(id.clone()) => {
                    errors.push(ContentError::field(&self.file, &name, ID, "comes twice"));
                }
                Some(_) => {}
            }
            entries.push(RawRecord { id, name, fields });
        }
        entries
    }

    /// The single record `[table]`, untyped; its id is the table's name.
    pub(crate) fn entry(&mut self, table: &str, errors: &mut Vec<ContentError>) -> Option<RawRecord> {
        let Some(Value::Table(mut fields)) = self.take(table) else {
            errors.push(ContentError::file(&self.file, format!("expected a record [{table}]")));
            return None;
        };
        if fields.insert(ID.to_owned(), Value::from(table)).is_some() {
            errors.push(ContentError::field(&self.file, table, ID, "a single record is named by its table"));
        }
        Some(RawRecord { id: Some(table.to_owned()), name: table.to_owned(), fields })
    }

    fn take(&mut self, table: &str) -> Option<Value> {
        self.read.insert(table.to_owned());
        self.tables.remove(table)
    }

    /// Reports levels that a table's defaults give to fields its type doesn't have.
    pub(crate) fn check_defaults(&self, table: &str, fields: &[&str], errors: &mut Vec<ContentError>) {
        let mut faults = Vec::new();
        if let Some(provenance) = self.defaults.get(table) {
            provenance.check_fields(fields, &mut faults);
        }
        self.report(&format!("defaults {table}"), faults, errors);
    }

    /// Types an entry and settles its provenance; `None` if anything in it is faulty.
    pub(crate) fn record<T: DeserializeOwned>(
        &self,
        table: &str,
        mut entry: RawRecord,
        errors: &mut Vec<ContentError>,
    ) -> Option<ContentRecord<T>> {
        let fields = fields_of::<T>();
        let mut faults = Vec::new();
        let own = Provenance::take(&mut entry.fields, &self.sources, &mut faults);
        own.check_fields(fields, &mut faults);
        let note = self.take_note(&mut entry.fields, fields, &mut faults);
        if !fields.contains(&ID) {
            entry.fields.remove(ID);
        }

        let nothing = Provenance::default();
        let for_table = self.defaults.get(table).unwrap_or(&nothing);
        let for_file = self.defaults.get(REST).unwrap_or(&nothing);
        let layers = [&own, for_table, for_file];
        let source = layers.iter().find_map(|layer| layer.source.clone());
        if source.is_none() {
            faults.push(("source".to_owned(), "missing, and no default".to_owned()));
        }
        let mut confidence = Vec::new();
        for &field in fields {
            match layers.iter().find_map(|layer| layer.level(field)) {
                Some(level) => confidence.push((field, level)),
                None => faults.push((format!("confidence.{field}"), "missing, and no default".to_owned())),
            }
        }

        let value = decode(entry.fields).map_err(|found| faults.extend(found)).ok();
        let faulty = !faults.is_empty();
        self.report(&entry.name, faults, errors);
        match (value, entry.id, source) {
            (Some(value), Some(id), Some(source)) if !faulty => {
                Some(ContentRecord { value, id, source, note, confidence })
            }
            _ => None,
        }
    }

    fn take_note(&self, table: &mut Table, fields: &[&str], faults: &mut Vec<Fault>) -> Option<String> {
        if fields.contains(&NOTE) {
            return None;
        }
        match table.remove(NOTE)? {
            Value::String(note) => Some(note),
            _ => {
                faults.push((NOTE.to_owned(), "expected some words".to_owned()));
                None
            }
        }
    }

    /// Resolves citations of this file's sources, as in a record's `source`.
    pub(crate) fn cite(&self, value: &Value, field: &str, faults: &mut Vec<Fault>) -> Vec<Source> {
        cite_all(value, field, &self.sources, faults)
    }

    /// Turns the faults of a record into errors of this file.
    pub(crate) fn report(&self, name: &str, faults: Vec<Fault>, errors: &mut Vec<ContentError>) {
        errors.extend(faults.into_iter().map(|(path, what)| match path.as_str() {
            "" => ContentError::record(&self.file, name, what),
            path => ContentError::field(&self.file, name, path, what),
        }));
    }

    /// Reports the tables that nobody has read, and defaults for tables that aren't read.
    pub(crate) fn close(self, errors: &mut Vec<ContentError>) {
        for table in self.tables.keys() {
            errors.push(ContentError::record(&self.file, table, "unknown table"));
        }
        let unread = |table: &&String| *table != REST && !self.read.contains(*table);
        for table in self.defaults.keys().filter(unread) {
            errors.push(ContentError::record(&self.file, &format!("defaults {table}"), "unknown table"));
        }
    }
}

fn parse(files: &ContentFiles, file: &str) -> Result<Table, ContentError> {
    let bytes = files.get(file).ok_or_else(|| ContentError::file(file, "missing"))?;
    let text = std::str::from_utf8(bytes)
        .map_err(|error| ContentError::file(file, format!("not UTF-8 from byte {}", error.valid_up_to())))?;
    toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        let before = text.get(..start).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        ContentError::file(file, format!("line {line}, column {column}: {}", error.message()))
    })
}
