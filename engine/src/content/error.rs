use std::fmt;

/// One fault of the content: where it is, as exactly as is known, and what is wrong there.
///
/// Displays as `file: record: field: what`, without the parts that don't apply:
/// `spaces.toml: space KEN: bias: invalid type: string "x", expected i8`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ContentError {
    file: String,
    record: Option<String>,
    field: Option<String>,
    what: String,
}

impl ContentError {
    /// A fault of a whole file.
    pub(crate) fn file(file: &str, what: impl Into<String>) -> Self {
        Self { file: file.to_owned(), record: None, field: None, what: what.into() }
    }

    /// A fault of a record, given with its table (`space KEN`), or of a table of the file.
    pub(crate) fn record(file: &str, record: &str, what: impl Into<String>) -> Self {
        Self { record: Some(record.to_owned()), ..Self::file(file, what) }
    }

    /// A fault of a field, given by its path within the record (`label.lon`, `counties[2]`).
    pub(crate) fn field(file: &str, record: &str, field: &str, what: impl Into<String>) -> Self {
        Self { field: Some(field.to_owned()), ..Self::record(file, record, what) }
    }

    /// A field that refers to something the content doesn't have, such as `space XYZ`.
    pub(crate) fn reference(file: &str, record: &str, field: &str, what: impl fmt::Display) -> Self {
        Self::field(file, record, field, format!("there is no {what}"))
    }

    /// The file's name.
    pub fn file_name(&self) -> &str {
        &self.file
    }

    /// The record, with its table (`space KEN`), where the fault is in one.
    pub fn record_name(&self) -> Option<&str> {
        self.record.as_deref()
    }

    /// The field's path within the record, where the fault is in one.
    pub fn field_path(&self) -> Option<&str> {
        self.field.as_deref()
    }

    /// Describes the fault in words.
    pub fn what(&self) -> &str {
        &self.what
    }
}

impl fmt::Display for ContentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.file)?;
        for part in [&self.record, &self.field].into_iter().flatten() {
            write!(f, "{part}: ")?;
        }
        f.write_str(&self.what)
    }
}

impl std::error::Error for ContentError {}

/// Every fault that a load found, in the order found. Never empty. Displays one a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContentErrors(Vec<ContentError>);

impl ContentErrors {
    /// The faults as one error, or nothing to complain of.
    ///
    /// # Errors
    ///
    /// `errors` itself, unless it is empty.
    pub(crate) fn none_of(errors: Vec<ContentError>) -> Result<(), Self> {
        if errors.is_empty() { Ok(()) } else { Err(Self(errors)) }
    }

    /// The faults, in the order found.
    pub fn iter(&self) -> std::slice::Iter<'_, ContentError> {
        self.0.iter()
    }
}

impl fmt::Display for ContentErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(f, "{separator}{error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ContentErrors {}

impl From<ContentError> for ContentErrors {
    fn from(error: ContentError) -> Self {
        Self(vec![error])
    }
}

impl IntoIterator for ContentErrors {
    type Item = ContentError;
    type IntoIter = std::vec::IntoIter<ContentError>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a ContentErrors {
    type Item = &'a ContentError;
    type IntoIter = std::slice::Iter<'a, ContentError>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
