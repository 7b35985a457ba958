//! Described positions.

use serde_json::Value;

use super::Refused;

/// Reads the field `position_json`, of at most `bytes_max` bytes; `None` if it is empty.
///
/// # Errors
/// INVALID_FIELD if it is too long, or no JSON: a number, a name or a nesting that can't be read, too. Whether a game accepts
/// it is the game's to say.
pub fn read(text: &str, bytes_max: usize) -> Result<Option<Value>, Refused> {
    if text.is_empty() {
        return Ok(None);
    }
    if text.len() > bytes_max {
        let what = format!("expected at most {bytes_max} bytes, found {}", text.len());
        return Err(Refused::field("position_json", what));
    }
    let read = serde_json::from_str(text);
    read.map(Some).map_err(|error| Refused::field("position_json", format!("expected JSON: {error}")))
}
