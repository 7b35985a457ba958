//! Content: a game's boards, pieces, cards and tables as named byte slices, typed and checked on load.
//!
//! The engine reads no files. Built-in content is compiled in ([`builtin_content!`](crate::builtin_content)),
//! another set can be laid over it ([`ContentFiles::overlay`]), read from wherever its owner keeps it. A content
//! file is TOML: arrays of records (`[[space]]`) and single records (`[clock]`), each with its provenance.
//!
//! ```toml
//! [sources]                       # what this file's records cite, by key
//! page = "Rules page, 1992"
//! atlas = "General knowledge of the historic counties"
//!
//! [defaults.space]                # for every [[space]] that doesn't say otherwise
//! source = "atlas"
//! confidence = { "*" = "reconstructed", label = "inferred" }
//!
//! [[space]]
//! id = "OXF"
//! name = "Oxford"
//! bias = 3
//! label = { lon = -135, lat = 5180 }
//! source = ["page 6, 10", "atlas"]  # a key, then where in it
//! confidence = { name = "official" }
//! note = "The royal capital."
//! ```
//!
//! * `id` names a record within its table; a single record's id is its table's name.
//! * `source` is one citation or a list; `[sources]` must define each key.
//! * `confidence` is one level for all fields, or a table of levels by field, `"*"` standing for the others.
//!   A field's level is the first found of: the record's own for that field, the record's `"*"`, the table's
//!   default for that field, the table's default `"*"`, the file's (`[defaults."*"]`, which holds one level and one
//!   source for all tables of the file). A field without a level is an error, and so is a record without a source.
//!   An optional field that is left out has a level too: that there is nothing is a statement.
//! * `note` is an optional remark on the record.
//! * Everything else belongs to the record's own type. Unknown fields, tables and keys are errors.
//!
//! A [`Loader`] reads any number of tables, collects every error that it finds, and gives either all of the
//! content or all of the errors.

mod confidence;
mod document;
mod error;
mod fields;
mod files;
mod hash;
mod loader;
mod provenance;
mod record;

pub use confidence::{Confidence, ParseConfidenceError};
pub(crate) use document::{Document, RawRecord};
pub use error::{ContentError, ContentErrors};
pub(crate) use fields::{Fault, decode};
pub use files::{ContentFiles, FILE_BYTES_MAX, FILE_NAME_BYTES_MAX, FILES_MAX};
pub use hash::{ContentHash, ParseContentHashError};
pub use loader::Loader;
pub use provenance::Source;
pub use record::{ContentRecord, Levels, Records};
