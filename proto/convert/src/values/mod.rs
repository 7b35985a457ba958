//! The messages of a server as the engine's values, so that one renderer draws local matches and those of a server alike.
//!
//! The server may play rules and content that this build does not have: everything is taken from its messages, and nothing
//! from the games of this build. All of it is checked: a message that no server sends is [`Garbled`].
//!
//! Codes, names and other text are kept as long as the program runs. A server, which is sent what anybody likes, reads nothing
//! here but what has no text: [`seat`] and [`reference`](fn@reference).

mod board;
mod catalogue;
mod reference;
#[cfg(test)]
mod tests;
mod text;
mod turn_state;
mod view;

pub use catalogue::catalogue;
pub use reference::{reference, seat};
pub use turn_state::result;
pub use view::{Beside, action_ids, event, view};

/// A message that no server of this API sends.
#[derive(Debug, thiserror::Error)]
#[error("the server sent what can't be: {0}")]
pub struct Garbled(String);

impl Garbled {
    /// The fault of a message.
    pub fn new(what: impl Into<String>) -> Self {
        Self(what.into())
    }

    /// A field that has to be there.
    fn missing(field: &str) -> Self {
        Self(format!("a message without its `{field}`"))
    }
}

/// An index of a list of the catalogue.
fn index(number: u32) -> Result<u16, Garbled> {
    u16::try_from(number).map_err(|_| Garbled::new(format!("index {number}")))
}

/// A count of pieces or cards.
fn count(number: u32) -> Result<u16, Garbled> {
    u16::try_from(number).map_err(|_| Garbled::new(format!("a count of {number}")))
}
