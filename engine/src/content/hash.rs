use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};
use toml::{Table, Value};

use crate::ledger::RULES_FILE;

/// Prefix of the data under the hash of a content set, so that it can't be taken for a hash of anything else.
const DOMAIN: &[u8] = b"edgehill/content/2";

/// Keys of provenance: they tell how a value is known, and not what it is.
const PROVENANCE: [&str; 5] = ["confidence", "defaults", "note", "source", "sources"];

/// The SHA-256 of the meaning of a content set; part of the rules version, of commitments and of records.
///
/// Two sets have the same hash if they give the same game: comments, layout, the order of keys, provenance (`source`,
/// `confidence`, `note`, `[sources]`, `[defaults]`) and the rules ledger's words have no part in it. The hashed bytes are,
/// in this order:
///
/// ```text
/// "edgehill/content/2"                       18 bytes
/// for each file but rules.toml, by name in byte order:
///     text(the name)
///     value(the file's top-level table)
///
/// text(t)      le64(number of its bytes), its bytes in UTF-8
/// value(v)     a table     "t", le64(number of its keys that count), for each in byte order: text(key), value(its value)
///              an array    "a", le64(number of its items), value(item) of each in order
///              a text      "s", text(it)
///              an integer  "i", le64(it, in two's complement)
///              a boolean   "b", one byte, 0 or 1
///              a date      "d", text(it as TOML writes it)
///              a float     "f", le64(its IEEE 754 bits)
/// ```
///
/// `le64` is 64 bits, least significant byte first. The keys of provenance do not count, at any depth. A file that is no
/// TOML, which no game loads, is hashed as `"x"`, le64(its length), its bytes. Displays as 64 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash([u8; 32]);

/// Writes the canonical form of content into a hash.
struct Canonical(Sha256);

impl Canonical {
    fn number(&mut self, number: u64) {
        self.0.update(number.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.update(text);
    }

    fn table(&mut self, table: &Table) {
        let mut counted: Vec<_> =
            table.iter().filter(|(key, _)| !PROVENANCE.contains(&key.as_str())).collect();
        counted.sort_unstable_by_key(|(key, _)| key.as_bytes());
        self.0.update(b"t");
        self.number(counted.len() as u64);
        for (key, value) in counted {
            self.text(key);
            self.value(value);
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Table(table) => self.table(table),
            Value::Array(items) => {
                self.0.update(b"a");
                self.number(items.len() as u64);
                items.iter().for_each(|item| self.value(item));
            }
            Value::String(text) => {
                self.0.update(b"s");
                self.text(text);
            }
            Value::Integer(number) => {
                self.0.update(b"i");
                self.number(number.cast_unsigned());
            }
            Value::Boolean(yes) => self.0.update([b'b', u8::from(*yes)]),
            Value::Datetime(date) => {
                self.0.update(b"d");
                self.text(&date.to_string());
            }
            Value::Float(number) => {
                self.0.update(b"f");
                self.number(number.to_bits());
            }
        }
    }

    fn file(&mut self, name: &str, bytes: &[u8]) {
        self.text(name);
        match std::str::from_utf8(bytes).ok().and_then(|text| text.parse::<Table>().ok()) {
            Some(table) => self.table(&table),
            None => {
                self.0.update(b"x");
                self.number(bytes.len() as u64);
                self.0.update(bytes);
            }
        }
    }
}

impl ContentHash {
    /// Hashes files that come in byte order of their names, each name once.
    pub(super) fn of<'a>(files: impl Iterator<Item = (&'a str, &'a [u8])>) -> Self {
        let mut canonical = Canonical(Sha256::new());
        canonical.0.update(DOMAIN);
        for (name, bytes) in files.filter(|(name, _)| *name != RULES_FILE) {
            canonical.file(name, bytes);
        }
        Self(canonical.0.finalize().into())
    }

    /// A hash from its 32 bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The 32 bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&hex::encode(self.0))
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ContentHash({self})")
    }
}

/// A text that is not 64 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a content hash is 64 lower-case hex digits")]
pub struct ParseContentHashError;

impl FromStr for ContentHash {
    type Err = ParseContentHashError;

    fn from_str(text: &str) -> Result<Self, ParseContentHashError> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes).map_err(|_| ParseContentHashError)?;
        // One spelling a hash: what parses prints as it was.
        if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return Err(ParseContentHashError);
        }
        Ok(Self(bytes))
    }
}
