//! Events as they are published to one observer: [`super::written`] makes them, and here they are read again to be sent.

use edgehill_proto::v1;
use prost::{DecodeError, Message};

use super::TextMode;

/// Reads the event of these bytes, as number `seq` of its observer's sequence: the one published first is number 1.
///
/// # Errors
/// If they are none of an event.
pub fn read(bytes: &[u8], seq: u64, words: TextMode<'_>) -> Result<v1::Event, DecodeError> {
    let mut event = v1::Event { seq, ..v1::Event::decode(bytes)? };
    words.add_to(&mut event);
    Ok(event)
}
