//! The messages of a server, as the engine's values, so that one renderer draws local matches and those of a
//! server alike.
//!
//! The server may play rules and content that this build does not have: everything is taken from its messages, and nothing
//! from the games of this build. All of it is checked: a message that no server sends is [`Garbled`].

mod board;
mod catalogue;
mod reference;
#[cfg(test)]
mod tests;
mod text;
mod turn_state;
mod view;

pub(crate) use catalogue::catalogue;
pub(crate) use reference::seat;
pub(crate) use turn_state::result;
pub(crate) use view::{Beside, action_ids, event, view};

/// A message that no server of this API sends.
#[derive(Debug, thiserror::Error)]
#[error("the server sent what can't be: {0}")]
pub(crate) struct Garbled(String);

impl Garbled {
    pub(crate) fn new(what: impl Into<String>) -> Self {
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
