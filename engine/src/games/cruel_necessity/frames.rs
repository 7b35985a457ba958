//! Procedures under way ([`Frame`]), outermost first on the stack of the state.

use std::marker::PhantomData;

use crate::codec::{Coding, DecodeError, Reader, Writer};
use crate::flow::{Count, FrameField, Stage};
use crate::numbered::Listed;
use crate::reference::Ref;
use crate::view::Procedure;

use super::catalogue::names;
use super::content::{
    ArmyId, CardId, CardKind, ChoiceId, Content, DeviltryId, FortId, ListId, OptionId, RevoltId, TrackId,
};
use super::{PLAYER, rules};

crate::coded_variants! {
    /// The way in which a Campaign is paid for.
    pub(super) enum Cost "a way of paying" {
        /// With Zeal (8.3).
        Zeal,
        /// A card gives it.
        Card,
        /// The strike of 12.5.
        Strike,
    }

    /// The next thing in a Game Turn (4.0).
    pub(super) enum Phase "a phase" {
        Action,
        EndTimes,
        Housekeeping,
    }
}

crate::frames! {
    /// A procedure under way.
    pub(super) enum Frame of Content, 3 bytes {
        /// The Game Turn, in the phase that comes when what is inside has closed.
        0 "turn" "Game Turn" (rules::SEQUENCE) Turn { next: InStage<Phase> },
        /// A card is turned up.
        1 "reveal" "A card is turned up" (rules::EVENT_PHASE) Reveal,
        /// A box has to be emptied for this Achievement.
        2 "displace" "An Achievement makes room" (rules::EVENT_PHASE) Displace { card: CardId } for PLAYER,
        /// A list of operations, with the next one.
        3 "items" "Instructions of a card" (rules::EVENT_PHASE) Items { list: Operations, next: Stage<{ u8::MAX }> },
        /// An Army activates, `left` times more; `troubles`: the Irish Troubles marker moves when what is inside has closed.
        4 "activation" "Activation of an Army" (rules::ACTIVATION)
        Activate { army: ArmyId, left: Count, troubles: InStage<bool> },
        /// An Army fights Clubmen.
        5 "clubmen" "An Army fights Clubmen" (rules::CLUBMEN) Clubmen { army: ArmyId, revolt: RevoltId },
        /// Royalists besiege a fortress, with so many rolls left; `unrest`: within London.
        6 "siege" "Royalists besiege a fortress" (rules::ROYAL_SIEGE)
        Siege { fort as "fortress": FortId, left: Count, unrest: InStage<bool> },
        /// A track marker moves, `left` arrows more.
        7 "track" "A track's marker moves" (rules::TRACK) Track { track: TrackId, up: InStage<bool>, left: Count } for PLAYER,
        /// A Religious Reaction that the player may ignore.
        8 "reaction" "Religious Reaction" (rules::REACTIONS) Reaction for PLAYER,
        /// Blue text.
        9 "choice" "Choice of a card" (rules::BLUE_TEXT) Choice { choice: Choice } for PLAYER,
        /// A place for a revolt marker; `region`: none while a die for it is due, with the faces that mean North.
        10 "revolt" "Revolt" (rules::REVOLT) Revolt { revolt: RevoltId, region as "army": Option<ArmyId>, north: North },
        /// The support that the Catholic League sends.
        11 "league" "Support of the Catholic League" (rules::LEAGUE) League,
        /// The Action Phase.
        12 "actions" "Action Phase" (rules::ACTIONS) Actions for PLAYER,
        /// A free Zeal marker looks for its place.
        13 "place" "A free Zeal marker is placed" (rules::INFUSE) PlaceMarker for PLAYER,
        /// Is an Army found at all?
        14 "search" "An Army is searched for" (rules::RECONNAISSANCE) Search { army: ArmyId, cost: InStage<Cost> },
        /// A Campaign against an Army.
        15 "campaign" "Campaign against an Army" (rules::CAMPAIGN) Campaign { army: ArmyId, cost: InStage<Cost> },
        /// A Campaign against a Deviltry marker.
        16 "exorcise" "Campaign against Deviltry" (rules::EXORCISE) Exorcise { marker as "deviltry": DeviltryId },
        /// The back of a Deviltry marker.
        17 "reward" "Back of a Deviltry marker" (rules::EXORCISE) Reward { marker as "deviltry": DeviltryId },
        /// A fortress is besieged.
        18 "besiege" "A fortress is besieged" (rules::BESIEGE) Besiege { fort as "fortress": FortId },
        /// A revolt is besieged.
        19 "crush" "A revolt is besieged" (rules::REVOLTS) Crush { revolt: RevoltId },
        /// A Politics roll; `settlers`: of 12.4, without modifiers.
        20 "politics" "Politics roll" (rules::POLITICS) Politics { track: TrackId, settlers: InStage<bool> },
        /// English settlers may be sent.
        21 "settle" "English settlers may be sent" (rules::SETTLERS) Settle for PLAYER,
        /// They are sent: on which track is rolled?
        22 "settlers" "Track of the settlers" (rules::SETTLERS) SettlersTrack for PLAYER,
        /// A Tactical Battle; how far it is stands in the state.
        23 "battle" "Tactical Battle" (rules::BATTLE) Battle,
    }
}

/// The procedures at their deepest, by name, outermost first: in a turn, an Event (6.0) has an option of blue text (6.10.1) that activates
/// Scotland, which from its area 1 activates the North (6.2.6), which besieges a fortress (6.2.4). The second "items" is the option's: of the
/// cards at hand none has an option that activates an Army, but other content's may.
pub(super) const DEEPEST: [&str; 6] = ["turn", "items", "items", "activation", "activation", "siege"];
/// The most frames that a state holds.
pub(super) const DEPTH: usize = DEEPEST.len();

fn number(role: &str, of: &Procedure) -> u8 {
    if let Some(Ref::Number(number)) = of.role(role) { number as u8 } else { 0 }
}

/// The card that a procedure tells.
pub(super) fn card(content: &Content, of: &Procedure) -> Option<CardId> {
    of.role("card").and_then(|what| names::card_of(content, what))
}

/// Kinds of fields that are written as other kinds are, but told in their own way.
macro_rules! written_as {
    ($($(#[$about:meta])* $Kind:ident: $Inner:ty;)+) => {
        $(
            $(#[$about])*
            pub(super) enum $Kind {}

            impl Coding<Content> for $Kind {
                type Value = $Inner;

                fn encode(value: &$Inner, to: &mut Writer) {
                    <$Inner as Coding<Content>>::encode(value, to);
                }

                fn decode(content: &Content, from: &mut Reader<'_>) -> Result<$Inner, DecodeError> {
                    <$Inner as Coding<Content>>::decode(content, from)
                }
            }
        )+
    };
}

written_as! {
    /// The faces of a die that mean North, a bit each: told while no region is known.
    North: u8;
    /// A list of operations: the card that it stands on, and which of its options.
    Operations: ListId;
    /// A choice of a card, by its place there.
    Choice: ChoiceId;
}

impl FrameField<Content> for North {
    fn tell(_: &Content, _: &u8, _: &'static str, _: bool, _: &mut Procedure) {}

    fn read(_: &Content, role: &str, of: &Procedure) -> Option<u8> {
        Some(number(role, of))
    }
}

/// A value that is the stage of its procedure, and told by it.
pub(super) struct InStage<T>(PhantomData<T>);

/// Values by number.
pub(super) trait Staged: Copy {
    /// The number of a value.
    fn stage(self) -> u8;

    /// The value of a number.
    fn of_stage(stage: u8) -> Option<Self>;
}

impl Staged for bool {
    fn stage(self) -> u8 {
        self.into()
    }

    fn of_stage(stage: u8) -> Option<Self> {
        [false, true].get(usize::from(stage)).copied()
    }
}

/// Enums of plain variants.
macro_rules! staged {
    ($($Enum:ty),+) => {
        $(impl Staged for $Enum {
            fn stage(self) -> u8 {
                self as u8
            }

            fn of_stage(stage: u8) -> Option<Self> {
                Self::ALL.get(usize::from(stage)).copied()
            }
        })+
    };
}

staged!(Phase, Cost);

impl<T: Coding<Content>> Coding<Content> for InStage<T> {
    type Value = T::Value;

    fn encode(value: &T::Value, to: &mut Writer) {
        T::encode(value, to);
    }

    fn decode(content: &Content, from: &mut Reader<'_>) -> Result<T::Value, DecodeError> {
        T::decode(content, from)
    }
}

impl<T: Coding<Content>> FrameField<Content> for InStage<T>
where
    T::Value: Staged,
{
    fn tell(_: &Content, &value: &T::Value, _: &'static str, _: bool, to: &mut Procedure) {
        to.stage = value.stage();
    }

    fn read(_: &Content, _: &str, of: &Procedure) -> Option<T::Value> {
        T::Value::of_stage(of.stage)
    }
}

impl FrameField<Content> for Operations {
    fn tell(content: &Content, &value: &ListId, _: &'static str, _: bool, to: &mut Procedure) {
        let option = OptionId::all(content).find(|&option| content.options[option].1 == value);
        if let Some((owner, place)) = option.and_then(|option| content.printed_option(option)) {
            to.roles.push(("card", names::card_ref(owner)));
            to.roles.push(("option", Ref::Number(place.into())));
        } else if let Some(owner) = content.list_owner(value) {
            to.roles.push(("card", names::card_ref(owner)));
        }
    }

    fn read(content: &Content, _: &str, of: &Procedure) -> Option<ListId> {
        let card = card(content, of)?;
        if of.role("option").is_some() {
            let option = content.option_of(card, number("option", of))?;
            return Some(content.options[option].1);
        }
        Some(match content.cards[card].kind {
            CardKind::Event { list } => list,
            CardKind::Achievement(achievement) => content.achievements[achievement].list,
        })
    }
}

impl FrameField<Content> for Choice {
    fn tell(content: &Content, &value: &ChoiceId, role: &'static str, _: bool, to: &mut Procedure) {
        let (owner, place) = content.printed_choice(value);
        to.roles.push(("card", names::card_ref(owner)));
        to.roles.push((role, Ref::Number(place.into())));
    }

    fn read(content: &Content, role: &str, of: &Procedure) -> Option<ChoiceId> {
        content.choice_of(card(content, of)?, number(role, of))
    }
}
