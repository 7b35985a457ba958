//! Lines and how long ones are wrapped.
//!
//! A line of a record that is longer than [`LINE_WIDTH`] is broken; each further line begins with two blanks. Where the break
//! took the place of a blank, nothing else marks it; elsewhere a backslash follows the two blanks.

use super::ParseError;

/// The most bytes of a line, its end not counted.
pub const LINE_WIDTH: usize = 100;
/// The most bytes of a record.
pub const RECORD_BYTES_MAX: usize = 8 << 20;

const FURTHER: &str = "  ";
const JOINED: char = '\\';

/// A line of a record, unwrapped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Line {
    /// Number of the line of text that it begins in, from 1.
    pub(super) number: usize,
    pub(super) text: String,
}

/// Puts `line` (printable ASCII without blanks at its ends and without two together) into `text`.
pub(super) fn wrap(line: &str, text: &mut String) {
    let (mut rest, mut lead, mut room) = (line, "", LINE_WIDTH);
    while rest.len() > room {
        let bytes = rest.as_bytes();
        // A blank before a backslash is no place to break: the break would be read as one without a blank.
        let breakable = |&at: &usize| bytes[at] == b' ' && bytes.get(at + 1) != Some(&(JOINED as u8));
        text.push_str(lead);
        if let Some(at) = (1..=room).rev().find(breakable) {
            text.push_str(&rest[..at]);
            rest = &rest[at + 1..];
            (lead, room) = (FURTHER, LINE_WIDTH - 2);
        } else {
            // No line ends with a blank: those get lost when text is pasted.
            let at = if bytes[room - 1] == b' ' { room - 1 } else { room };
            text.push_str(&rest[..at]);
            rest = &rest[at..];
            (lead, room) = ("  \\", LINE_WIDTH - 3);
        }
        text.push('\n');
    }
    text.push_str(lead);
    text.push_str(rest);
    text.push('\n');
}

/// The lines of `text`, unwrapped. Line ends may be CR LF, and blanks at line ends and empty lines at the end are dropped.
pub(super) fn unwrap(text: &str) -> Result<Vec<Line>, ParseError> {
    if text.len() > RECORD_BYTES_MAX {
        return Err(ParseError::new(1, format!("at most {RECORD_BYTES_MAX} bytes"), text.len().to_string()));
    }
    let mut lines: Vec<Line> = Vec::new();
    for (index, raw) in text.trim_end().split('\n').enumerate() {
        let number = index + 1;
        let raw = raw.trim_end_matches(['\r', ' ']);
        if raw.len() > LINE_WIDTH {
            let found = format!("{} bytes", raw.len());
            return Err(ParseError::new(number, format!("a line of at most {LINE_WIDTH} bytes"), found));
        }
        if let Some(at) = raw.bytes().position(|byte| !matches!(byte, b' '..=b'~')) {
            let found = format!("byte {:#04x} at {}", raw.as_bytes()[at], at + 1);
            return Err(ParseError::new(number, "printable ASCII", found));
        }
        match (raw.strip_prefix(FURTHER), lines.last_mut()) {
            (Some(further), Some(line)) => match further.strip_prefix(JOINED) {
                Some(joined) => line.text.push_str(joined),
                None => {
                    line.text.push(' ');
                    line.text.push_str(further);
                }
            },
            (None, _) if !raw.is_empty() && !raw.starts_with(' ') => {
                lines.push(Line { number, text: raw.to_owned() });
            }
            _ => return Err(ParseError::new(number, "a line of a record", raw)),
        }
    }
    Ok(lines)
}
