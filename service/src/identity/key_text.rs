//! The text of a server's key, as its file has it: a line with the key of now and, once it has replaced another, a line with the key
//! of names and one for each key of before, in the order in which they were replaced, with the date of that for whoever looks.
//!
//! ```text
//! ehserver_...
//! ehnames_...
//! ehformer_... 2026-11-28T15:06:38.123Z
//! ```

use std::time::{Duration, UNIX_EPOCH};

use thiserror::Error;

use super::key_secret::KeySecret;
use super::server_key::{FORMER_KEYS_MAX, FormerKey, ServerKey};
use super::text::{self, Kind, TextError};
use crate::store::NamesKey;

/// The last moment that has a date, in milliseconds since 1970: the end of the year 9999.
pub(crate) const DATED_MS_MAX: u64 = 253_402_300_799_999;

/// Bytes of a key and of the moment at which it was replaced.
const FORMER_BYTES: usize = 32 + 8;

/// The reason that a text is no server's key. None of these repeats it.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum KeyTextError {
    /// A key can't be read.
    #[error("line {line}: {why}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// The fault.
        why: TextError,
    },
    /// The date of a former key is another one than its text has, or the keys are in another order.
    #[error(
        "line {line}: the date is not that at which the key was replaced, or not after that of the key before it"
    )]
    Date {
        /// The line, from 1.
        line: usize,
    },
    /// There are more than a server holds.
    #[error("it has {given} former keys, and a server holds {FORMER_KEYS_MAX} at most")]
    TooMany {
        /// Number of former keys.
        given: usize,
    },
}

impl ServerKey {
    /// The text that stands in the key's file, with the end of its last line.
    pub(super) fn to_text(&self) -> String {
        let mut text = text::write(Kind::ServerKey, self.current.as_bytes()) + "\n";
        if let Some(names) = &self.names {
            text += &(text::write(Kind::NamesKey, names.as_bytes()) + "\n");
        }
        for FormerKey { secret, replaced_ms } in &self.former {
            let mut bytes = [0; FORMER_BYTES];
            bytes[..32].copy_from_slice(secret.as_bytes());
            bytes[32..].copy_from_slice(&replaced_ms.to_be_bytes());
            text += &format!("{} {}\n", text::write(Kind::FormerKey, &bytes), date(*replaced_ms));
        }
        text
    }

    /// Reads what [`ServerKey::to_text`] gave.
    pub(super) fn from_text(text: &str) -> Result<Self, KeyTextError> {
        let mut lines = text.trim_end().split('\n').map(str::trim_end);
        let at = |line| move |why| KeyTextError::Line { line, why };
        let current = text::read(Kind::ServerKey, lines.next().unwrap_or_default()).map_err(at(1))?;
        let mut key = Self::from_bytes(current);
        let Some(names) = lines.next() else { return Ok(key) };
        key.names = Some(NamesKey::from_bytes(text::read(Kind::NamesKey, names).map_err(at(2))?));
        for (text, line) in lines.zip(3..) {
            let former = read_former(text, line)?;
            if key.former.last().is_some_and(|last| last.replaced_ms >= former.replaced_ms) {
                return Err(KeyTextError::Date { line });
            }
            key.former.push(former);
        }
        match key.former.len() {
            given if given > FORMER_KEYS_MAX => Err(KeyTextError::TooMany { given }),
            _ => Ok(key),
        }
    }
}

fn read_former(text: &str, line: usize) -> Result<FormerKey, KeyTextError> {
    let (former, said) = text.split_once(' ').unwrap_or((text, ""));
    let read = text::read::<FORMER_BYTES>(Kind::FormerKey, former);
    let bytes = read.map_err(|why| KeyTextError::Line { line, why })?;
    let (mut secret, mut moment) = ([0; 32], [0; 8]);
    secret.copy_from_slice(&bytes[..32]);
    moment.copy_from_slice(&bytes[32..]);
    let replaced_ms = u64::from_be_bytes(moment);
    if said != date(replaced_ms) {
        return Err(KeyTextError::Date { line });
    }
    Ok(FormerKey { secret: KeySecret::from_bytes(secret), replaced_ms })
}

/// A date as RFC 3339 has it; the last that there is for a moment beyond.
pub(crate) fn date(unix_ms: u64) -> String {
    let since = Duration::from_millis(unix_ms.min(DATED_MS_MAX));
    humantime::format_rfc3339_millis(UNIX_EPOCH + since).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entropy::SeededEntropy;

    fn rotated(times: u64) -> ServerKey {
        let entropy = SeededEntropy::new(1);
        (1..=times).fold(ServerKey::from_bytes([3; 32]), |key, time| {
            key.rotated(1_795_878_398_123 + time, &entropy).unwrap()
        })
    }

    #[test]
    fn a_key_is_read_as_it_was_written() {
        let alone = rotated(2).without_former();
        for key in [rotated(0), rotated(1), rotated(FORMER_KEYS_MAX as u64), alone] {
            let read = ServerKey::from_text(&key.to_text()).unwrap();
            assert!(read.current == key.current && read.names == key.names && read.former == key.former);
        }
        // A key that replaced none has the text that it had before keys were rotated.
        let first = text::write(Kind::ServerKey, &[3; 32]);
        assert_eq!(rotated(0).to_text(), format!("{first}\n"));
        let lines = rotated(2).to_text();
        let lines: Vec<&str> = lines.lines().collect();
        assert!(lines[1].starts_with("ehnames_") && lines[2].starts_with("ehformer_"), "{lines:?}");
        assert!(lines[2].ends_with(" 2026-11-28T15:06:38.124Z"), "{lines:?}");
    }

    #[test]
    fn what_is_no_key_is_told_by_its_line() {
        let text = rotated(2).to_text();
        let lines: Vec<&str> = text.lines().collect();
        let join = |lines: &[&str]| ServerKey::from_text(&lines.join("\n")).unwrap_err().to_string();
        let other_date = lines[3].replace("2026", "2027");
        for (lines, expected) in [
            (vec![lines[0], lines[2], lines[3]], "line 2: a key of names begins with ehnames_"),
            (vec![lines[1]], "line 1: a server key begins with ehserver_"),
            (vec![lines[0], lines[1], &lines[2][..30]], "line 3: a former server key has 80 characters"),
            (vec![lines[0], lines[1], lines[3], lines[2]], "line 4: the date is not that"),
            (vec![lines[0], lines[1], lines[2], lines[2]], "line 4: the date is not that"),
            (vec![lines[0], lines[1], lines[2], &other_date], "line 4: the date is not that"),
            (
                vec![lines[0], lines[1], ""].into_iter().chain([lines[2]]).collect(),
                "line 3: a former server key begins",
            ),
        ] {
            let said = join(&lines);
            assert!(said.starts_with(expected), "{expected:?} is not in {said:?}");
            assert!(!said.contains(&lines[0][12..30]), "it is not repeated");
        }
    }
}
