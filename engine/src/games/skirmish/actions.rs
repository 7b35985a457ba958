//! The action table: verbs, and the things that they are about.

use super::content::Content;
use super::frames::{Block, Card, Space};

crate::actions! {
    /// An action, as the rules read it.
    pub(super) enum Action of Content {
        Play "card" "Choose a card" Card(card: Card),
        Play "march" "March along a road" March(from: Space, to: Space) over |content| content.roads(),
        Play "take" "Take a block along" Take(block: Block),
        Play "intercept" "Intercept with the stack at" Intercept(from: Space),
        Play "retreat" "Retreat to" Retreat(to: Space),
        Play "scout" "Turn up a block at" Scout(at: Space),
        Play "go" "March with those" Go,
        Pass "keep" "Keep the bonus card" Keep,
        Pass "pass" "Let them pass" Pass,
        Done "done" "Done" Done,
    }
}
