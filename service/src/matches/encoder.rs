//! The encoding of what a match publishes ([`Encoder`]), which is handed to it.

use std::fmt::Debug;

use edgehill_engine::reference::Ref;
use edgehill_engine::seat::Observer;
use edgehill_engine::table::ObservedEvent;
use edgehill_engine::view::View;

/// The 32 bytes of a running hash over what was published to an observer (docs/record.md, "Receipts").
pub type StreamHashBytes = [u8; 32];

/// Encodes what a match publishes, as it is kept and sent. A match has it from its host and knows none of the messages: to
/// the match they are bytes.
///
/// All of it is a function of its arguments alone, and events have neither numbers nor words.
pub trait Encoder: Debug + Send + Sync {
    /// Writes an event to the end of `to`.
    fn write_event(&self, seen: &ObservedEvent, to: &mut Vec<u8>);

    /// Checks that bytes are an event.
    ///
    /// # Errors
    /// Says what of them can't be read.
    fn check_event(&self, bytes: &[u8]) -> Result<(), String>;

    /// Returns the event that takes the place of `events`, all of them in order and none left out, after which the
    /// observer's own draft is `draft`. Folded over the view before any of them, it gives the view after the last. It says
    /// what the observer's running hash came to with them.
    fn superseding(&self, events: &[&[u8]], draft: &[u16], stream_hash: StreamHashBytes) -> Vec<u8>;

    /// Returns the event at a number whose own is gone: another one has taken over what it changed.
    fn superseded(&self) -> Vec<u8>;

    /// Returns the running hash of an observer of a match before their first event.
    fn stream_start(&self, match_id: &str, observer: Observer) -> StreamHashBytes;

    /// Returns the running hash after an event of these bytes, which was `before` ahead of it.
    fn stream_hash(&self, before: StreamHashBytes, event: &[u8]) -> StreamHashBytes;

    /// Returns a view without words.
    fn view(&self, view: &View) -> Vec<u8>;

    /// Checks that bytes are a view.
    ///
    /// # Errors
    /// Says what of them can't be read.
    fn check_view(&self, bytes: &[u8]) -> Result<(), String>;

    /// Returns a reference.
    fn reference(&self, what: Ref) -> Vec<u8>;
}
