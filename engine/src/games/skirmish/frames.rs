//! Procedures under way ([`Frame`]), outermost first on the stack of the state.

use crate::codec::{Coding, DecodeError, Reader, Writer};
use crate::flow::{Count, FrameField, Reached, Side, Stage};
use crate::reference::Ref;
use crate::view::Procedure;

use super::content::Content;
use super::rules;
use super::state::BLOCKS;

crate::frames! {
    /// A procedure under way.
    pub(super) enum Frame of Content, 0 bytes {
        /// So many cards are still to be dealt.
        0 "deal" "Deal" (rules::DEAL) Deal { left: Count },
        /// Cards are being chosen in secret.
        1 "choose" "Choice of cards" (rules::CHOICE) Choose,
        /// The seats act; this many have.
        2 "act" "Turn" (rules::ORDER) Act { done: Stage<3> },
        /// A seat acts, with so many marches left.
        3 "activation" "Activation" (rules::MARCHES) Activation { seat as "active": Side, marches: Count } asks seat,
        /// A march is being put together.
        4 "march" "March" (rules::MARCHERS) March { seat as "active": Side, from: Space, to: Space, taken: Marchers } asks seat,
        /// The other seat may intercept a march from `from` to `to`; `by`: the stack there tries.
        5 "interception" "Interception" (rules::INTERCEPTION)
        Interception { asked: Side, from: Space, to: Space, by: Reached<Space> } asks asked,
        /// A battle; the attacker came from `from`. `beaten`: it was fought, and this seat has a choice where to go.
        6 "battle" "Battle" (rules::BATTLE) Battle { at: Space, from: Space, attacker: Side, beaten: Reached<Side> },
        /// A bonus card is drawn, then kept or spent.
        7 "bonus" "Bonus card" (rules::BONUS) Bonus { seat as "active": Side, card: Reached<Drawn> } asks seat,
        /// A back of the other seat is about to be turned up.
        8 "scouting" "Scouting" (rules::SCOUTING) Scout { seat as "active": Side, at: Space } asks seat,
    }
}

/// The procedures at their deepest, by name, outermost first: a battle (5.1), as an interception before it (4.1), takes the place of the
/// march that leads to it.
pub(super) const DEEPEST: [&str; 3] = ["act", "activation", "battle"];
/// The most frames that a state holds.
pub(super) const DEPTH: usize = DEEPEST.len();

crate::things! {
    of Content;

    /// A space of the board.
    pub(super) Space(u8) "a space" as Space: |content| content.spaces.len(), |content, space| content.spaces[usize::from(space)].id.clone();

    /// A block.
    pub(super) Block(u8) "a block" as Piece: |_| BLOCKS, |_, block| super::catalogue::block_id(block.into());

    /// A card.
    pub(super) Card(u16) "a card" as Card: |content| content.cards.len(), |content, card| content.card_names[usize::from(card)].id.clone();
}

/// The blocks that go along, a bit each: their own seat alone is told.
pub(super) enum Marchers {}

impl Coding<Content> for Marchers {
    type Value = u8;

    fn encode(value: &u8, to: &mut Writer) {
        to.u8(*value);
    }

    fn decode(_: &Content, from: &mut Reader<'_>) -> Result<u8, DecodeError> {
        from.u8()
    }
}

impl FrameField<Content> for Marchers {
    fn tell(_: &Content, &value: &u8, role: &'static str, own: bool, to: &mut Procedure) {
        let along = (0..BLOCKS as u16).filter(|block| own && value & 1 << block != 0);
        to.roles.extend(along.map(|block| (role, Ref::Piece(block))));
    }

    fn read(_: &Content, role: &str, of: &Procedure) -> Option<u8> {
        let bit = |what: Ref| if let Ref::Piece(block) = what { 1 << block } else { 0u8 };
        Some(of.roles(role).fold(0, |taken, what| taken | bit(what)))
    }
}

/// A bonus card: everybody sees its back, its own seat the card.
pub(super) enum Drawn {}

impl Coding<Content> for Drawn {
    type Value = u16;

    fn encode(value: &u16, to: &mut Writer) {
        <Card as Coding<Content>>::encode(value, to);
    }

    fn decode(content: &Content, from: &mut Reader<'_>) -> Result<u16, DecodeError> {
        Card::decode(content, from)
    }
}

impl FrameField<Content> for Drawn {
    const WIDE: bool = true;

    fn tell(content: &Content, &value: &u16, role: &'static str, own: bool, to: &mut Procedure) {
        to.roles.push(("back", Ref::Kind(content.back(value))));
        to.roles.extend(own.then_some((role, Ref::Card(value))));
    }

    fn read(content: &Content, role: &str, of: &Procedure) -> Option<u16> {
        Card::read(content, role, of)
    }
}
