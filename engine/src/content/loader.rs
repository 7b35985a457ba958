use std::collections::{BTreeMap, BTreeSet};

use serde::de::DeserializeOwned;

use super::fields::fields_of;
use super::{ContentError, ContentErrors, ContentFiles, ContentRecord, Document, Records};

/// Reads the tables of a content set, and collects what is wrong with them.
///
/// Records that are faulty are left out of what a call returns and reported when the load is finished, so that a
/// game reads all its tables, checks their references, and then gets its content or every error at once.
///
/// ```
/// use edgehill_engine::content::{Confidence, ContentFiles, Loader};
///
/// #[derive(serde::Deserialize)]
/// struct Town {
///     garrison: u8,
/// }
///
/// let towns = br#"
///     [sources]
///     map = "A map"
///     [defaults.town]
///     source = "map"
///     confidence = "official"
///     [[town]]
///     id = "hull"
///     garrison = 3
/// "#;
/// let files = ContentFiles::builtin(&[("towns.toml", towns)]);
///
/// let mut load = Loader::new(&files);
/// let towns = load.records::<Town>("towns.toml", "town");
/// let towns = load.finish(|| Some(towns))?;
/// assert_eq!(towns[0].garrison, 3);
/// assert_eq!(towns[0].weakest(), Confidence::Official);
/// # Ok::<(), edgehill_engine::content::ContentErrors>(())
/// ```
pub struct Loader<'a> {
    files: &'a ContentFiles,
    /// The files opened so far; `None` for one that can't be read, which is reported once.
    documents: BTreeMap<String, Option<Document>>,
    errors: Vec<ContentError>,
}

impl<'a> Loader<'a> {
    /// A loader of this set.
    pub fn new(files: &'a ContentFiles) -> Self {
        Self { files, documents: BTreeMap::new(), errors: Vec::new() }
    }

    /// Returns whether the set is the built-in one ([`ContentFiles::is_builtin`]).
    pub(crate) fn is_builtin(&self) -> bool {
        self.files.is_builtin()
    }

    /// The records `[[table]]` of a file, without the faulty ones. A table is read once.
    ///
    /// # Panics
    ///
    /// If `T` is not a plain struct with fields.
    pub fn records<T: DeserializeOwned>(&mut self, file: &str, table: &str) -> Records<T> {
        let mut records = Records {
            file: file.to_owned(),
            table: table.to_owned(),
            records: Vec::new(),
            declared: BTreeSet::new(),
        };
        let Some((document, errors)) = self.open(file) else {
            return records;
        };
        document.check_defaults(table, fields_of::<T>(), errors);
        for entry in document.entries(table, errors) {
            records.declared.extend(entry.id.clone());
            records.records.extend(document.record(table, entry, errors));
        }
        records
    }

    /// The single record `[table]` of a file; `None` if it is faulty.
    ///
    /// # Panics
    ///
    /// If `T` is not a plain struct with fields.
    pub fn record<T: DeserializeOwned>(&mut self, file: &str, table: &str) -> Option<ContentRecord<T>> {
        let (document, errors) = self.open(file)?;
        document.check_defaults(table, fields_of::<T>(), errors);
        let entry = document.entry(table, errors)?;
        document.record(table, entry, errors)
    }

    /// Reports each id that a field of these records names and that `to` doesn't declare.
    pub fn check_references<'r, T, U, I>(
        &mut self,
        records: &'r Records<T>,
        field: &str,
        to: &Records<U>,
        ids: impl Fn(&'r T) -> I,
    ) where
        I: IntoIterator<Item = &'r str>,
    {
        for record in records {
            for id in ids(&record.value).into_iter().filter(|&id| !to.declared.contains(id)) {
                let name = records.name_of(&record.id);
                self.report(ContentError::reference(&records.file, &name, field, to.name_of(id)));
            }
        }
    }

    /// Adds a fault found by the game's own checks.
    pub(crate) fn report(&mut self, error: ContentError) {
        self.errors.push(error);
    }

    /// Ends the load: the content, built from what was read, if nothing was faulty.
    ///
    /// `build` may use `?` on what [`record`](Self::record) gave: a `None` has its error by now.
    ///
    /// # Errors
    ///
    /// Every fault found, tables that were not read in the files that were opened included.
    ///
    /// # Panics
    ///
    /// If `build` gives `None` though nothing was faulty.
    pub fn finish<C>(mut self, build: impl FnOnce() -> Option<C>) -> Result<C, ContentErrors> {
        for document in self.documents.into_values().flatten() {
            document.close(&mut self.errors);
        }
        ContentErrors::none_of(self.errors)?;
        Ok(build().expect("nothing was faulty, so everything was read"))
    }

    fn open(&mut self, file: &str) -> Option<(&mut Document, &mut Vec<ContentError>)> {
        if !self.documents.contains_key(file) {
            let document = Document::open(self.files, file, &mut self.errors);
            self.documents.insert(file.to_owned(), document);
        }
        let document = self.documents.get_mut(file)?.as_mut()?;
        Some((document, &mut self.errors))
    }
}
