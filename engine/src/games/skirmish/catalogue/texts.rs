//! Texts: what blocks and cards do, from their numbers.

use super::super::content::Content;
use super::super::state::SIDE;

/// A card of the deck.
pub(in super::super) fn card(content: &Content, index: usize) -> Vec<String> {
    let card = content.cards[index];
    let stretch = &content.stretches[usize::from(card.stretch)].0;
    let marches = if card.marches == 1 { "1 march".to_owned() } else { format!("{} marches", card.marches) };
    vec![
        format!(
            "Chosen in secret, it orders the turn: the higher number acts first, and this is {} (rule 2.4)",
            card.number
        ),
        format!(
            "Gives {marches}: each takes blocks that have not marched this turn along one road (rule 3.1)"
        ),
        format!(
            "Of the {stretch} stretch; as a bonus card it can be kept, or spent to turn up an enemy block (rule 6.2)"
        ),
    ]
}

/// The back of a card.
pub(in super::super) fn card_back(content: &Content, stretch: usize) -> Vec<String> {
    let (cards, slots) = (content.stretch(stretch).len(), content.slots(stretch));
    vec![format!(
        "A card that you can't see, one of the {cards} of the {} stretch, of which {slots} come (rule 2.1)",
        content.stretches[stretch].0
    )]
}

/// The back of a block.
pub(in super::super) fn back() -> Vec<String> {
    vec![format!(
        "A block that you can't see: its strength is one of 1 to {SIDE}, each of which a side has once (rule 1.1)"
    )]
}

/// The face of a block.
pub(in super::super) fn face(strength: usize) -> Vec<String> {
    vec![
        format!("In a battle it rolls a die, and hits with {strength} or less (rule 5.1)"),
        "Hits are taken by the weakest blocks first, one block each (rule 5.2)".to_owned(),
    ]
}

/// A block.
pub(in super::super) fn block(content: &Content, index: usize) -> Vec<String> {
    let side = index / SIDE;
    let camp = &content.spaces[usize::from(content.camps[side])].name;
    let begins = if side == 0 {
        format!("Begins in {camp}")
    } else {
        let post = &content.spaces[usize::from(content.garrison[index % SIDE])].name;
        format!("Begins in {camp}; in the drill it is of the garrison, at {post}")
    };
    vec![
        format!("{begins} (rules 1.1, 9.1)"),
        "Its strength is its face; the other side sees it only once it is turned up (rule 7.1)".to_owned(),
    ]
}
