//! Strings and positions as JSON of printable ASCII, so that a record can go through any mail or chat.

use serde_json::Value;

/// `value` on one line: sorted keys, no blanks but those in strings, of which no two stand together; whatever is not
/// printable ASCII as `\uXXXX`.
pub(super) fn json(value: &Value) -> String {
    let mut text = String::new();
    let mut units = [0; 2];
    for character in value.to_string().chars() {
        // JSON has characters like these in strings only, where an escape means the same.
        let doubled = character == ' ' && text.ends_with(' ');
        if doubled || !matches!(character, ' '..='~') {
            for unit in character.encode_utf16(&mut units) {
                text.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            text.push(character);
        }
    }
    text
}

/// A string, in quotes.
pub(super) fn quoted(text: &str) -> String {
    json(&Value::from(text))
}

/// Reads a string in quotes back.
pub(super) fn unquoted(text: &str) -> Option<String> {
    match serde_json::from_str(text) {
        Ok(Value::String(text)) => Some(text),
        _ => None,
    }
}

/// Returns whether `text` can stand in a line as it is: printable ASCII, no blanks at its ends and no two together.
pub(super) fn is_plain(text: &str) -> bool {
    let printable = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    printable && !text.is_empty() && text.trim() == text && !text.contains("  ")
}

/// Returns whether `text` is one plain word.
pub(super) fn is_word(text: &str) -> bool {
    is_plain(text) && !text.contains(' ')
}
