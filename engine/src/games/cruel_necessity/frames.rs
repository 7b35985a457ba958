//! Procedures under way ([`Frame`]), outermost first on the stack of the state.

use crate::codec::{Coding, DecodeError, Reader, Writer};
use crate::flow::{Count, FrameField, Stage};
use crate::reference::Ref;
use crate::view::Procedure;

use super::actions::Target;
use super::content::{ARMIES, CardKind, Content, DEVILTRY, FORTS, REVOLTS, TRACKS};
use super::rules;
use super::state::NONE;

/// The way in which a Campaign is paid for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Cost {
    /// With Zeal (8.3).
    Zeal,
    /// A card gives it.
    Card,
    /// The strike of 12.5.
    Strike,
}

/// The next thing in a Game Turn (4.0).
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Phase {
    Action,
    EndTimes,
    Housekeeping,
}

crate::frames! {
    /// A procedure under way.
    pub(super) enum Frame of Content, 3 bytes {
        /// The Game Turn, in the phase that comes when what is inside has closed.
        0 "turn" "Game Turn" (rules::SEQUENCE) Turn { next: NextPhase },
        /// A card is turned up.
        1 "reveal" "A card is turned up" (rules::EVENT_PHASE) Reveal,
        /// A box has to be emptied for this Achievement.
        2 "displace" "An Achievement makes room" (rules::EVENT_PHASE) Displace { card: Achievement },
        /// A list of operations, with the next one.
        3 "items" "Instructions of a card" (rules::EVENT_PHASE) Items { list: Operations, next: Stage<{ u8::MAX }> },
        /// An Army activates, `left` times more; `troubles`: the Irish Troubles marker moves when what is inside has closed.
        4 "activation" "Activation of an Army" (rules::ACTIVATION)
        Activate { army: Army, left: Count, troubles: InStage },
        /// An Army fights Clubmen.
        5 "clubmen" "An Army fights Clubmen" (rules::CLUBMEN) Clubmen { army: Army, revolt: Revolt },
        /// Royalists besiege a fortress, with so many rolls left; `unrest`: within London.
        6 "siege" "Royalists besiege a fortress" (rules::ROYAL_SIEGE)
        Siege { fort as "fortress": Fort, left: Count, unrest: InStage },
        /// A track marker moves, `left` arrows more.
        7 "track" "A track's marker moves" (rules::TRACK) Track { track: Track, up: InStage, left: Count },
        /// A Religious Reaction that the player may ignore.
        8 "reaction" "Religious Reaction" (rules::REACTIONS) Reaction,
        /// Blue text.
        9 "choice" "Choice of a card" (rules::BLUE_TEXT) Choice { choice: Choice },
        /// A place for a revolt marker; `region`: `NONE` while a die for it is due, with the faces that mean North.
        10 "revolt" "Revolt" (rules::REVOLT) Revolt { revolt: Revolt, region as "army": RegionOrNone, north: North },
        /// The support that the Catholic League sends.
        11 "league" "Support of the Catholic League" (rules::LEAGUE) League,
        /// The Action Phase.
        12 "actions" "Action Phase" (rules::ACTIONS) Actions,
        /// A free Zeal marker looks for its place.
        13 "place" "A free Zeal marker is placed" (rules::INFUSE) PlaceMarker,
        /// Is an Army found at all?
        14 "search" "An Army is searched for" (rules::RECONNAISSANCE) Search { army: Army, cost: Paid },
        /// A Campaign against an Army.
        15 "campaign" "Campaign against an Army" (rules::CAMPAIGN) Campaign { army: Army, cost: Paid },
        /// A Campaign against a Deviltry marker.
        16 "exorcise" "Campaign against Deviltry" (rules::EXORCISE) Exorcise { marker as "deviltry": Deviltry },
        /// The back of a Deviltry marker.
        17 "reward" "Back of a Deviltry marker" (rules::EXORCISE) Reward { marker as "deviltry": Deviltry },
        /// A fortress is besieged.
        18 "besiege" "A fortress is besieged" (rules::BESIEGE) Besiege { fort as "fortress": Fort },
        /// A revolt is besieged.
        19 "crush" "A revolt is besieged" (rules::REVOLTS) Crush { revolt: Revolt },
        /// A Politics roll; `settlers`: of 12.4, without modifiers.
        20 "politics" "Politics roll" (rules::POLITICS) Politics { track: Track, settlers: InStage },
        /// English settlers may be sent.
        21 "settle" "English settlers may be sent" (rules::SETTLERS) Settle,
        /// They are sent: on which track is rolled?
        22 "settlers" "Track of the settlers" (rules::SETTLERS) SettlersTrack,
        /// A Tactical Battle; how far it is stands in the state.
        23 "battle" "Tactical Battle" (rules::BATTLE) Battle,
    }
}

/// The target that takes a role.
fn target(role: &str, of: &Procedure) -> Option<Target> {
    match of.role(role)? {
        Ref::Piece(piece) => Some(Target::of(piece as u8)),
        Ref::Track(track) => Some(Target::Track(track as u8)),
        _ => None,
    }
}

fn number(role: &str, of: &Procedure) -> u8 {
    if let Some(Ref::Number(number)) = of.role(role) { number as u8 } else { 0 }
}

fn card(of: &Procedure) -> Option<u8> {
    if let Some(Ref::Card(card)) = of.role("card") { Some(card as u8) } else { None }
}

crate::byte_fields! {
    of Content;

    /// An Army.
    Army: |_, from| from.below(ARMIES as u8, "an Army"),
        |_, army, _| Some(Target::Army(army).reference()),
        |_, role, of| if let Target::Army(army) = target(role, of)? { Some(army) } else { None };

    /// The Army of a region, or `NONE`.
    RegionOrNone: |_, from| {
            let error = from.error("North, West or neither");
            from.u8().and_then(|region| if region < 2 || region == NONE { Ok(region) } else { Err(error) })
        },
        |_, region, _| (region != NONE).then_some(Target::Army(region).reference()),
        |_, role, of| match target(role, of) {
            Some(Target::Army(army)) => Some(army),
            _ => Some(NONE),
        };

    /// The faces of a die that mean North, a bit each: told while no region is known.
    North: |_, from| from.u8(),
        |_, _, _| None,
        |_, role, of| Some(number(role, of));

    /// A fortress.
    Fort: |_, from| from.below(FORTS as u8, "a fortress"),
        |_, fort, _| Some(Target::Fort(fort).reference()),
        |_, role, of| if let Target::Fort(fort) = target(role, of)? { Some(fort) } else { None };

    /// A revolt marker.
    Revolt: |_, from| from.below(REVOLTS as u8, "a revolt marker"),
        |_, revolt, _| Some(Target::Revolt(revolt).reference()),
        |_, role, of| if let Target::Revolt(revolt) = target(role, of)? { Some(revolt) } else { None };

    /// A Deviltry marker.
    Deviltry: |_, from| from.below(DEVILTRY as u8, "a Deviltry marker"),
        |_, marker, _| Some(Target::Deviltry(marker).reference()),
        |_, role, of| if let Target::Deviltry(marker) = target(role, of)? { Some(marker) } else { None };

    /// A track.
    Track: |_, from| from.below(TRACKS as u8, "a track"),
        |_, track, _| Some(Ref::Track(track.into())),
        |_, role, of| if let Target::Track(track) = target(role, of)? { Some(track) } else { None };

    /// An Achievement, by its card.
    Achievement: |content, from| {
            let error = from.error("an Achievement");
            let card = from.u8()?;
            let is_one = usize::from(card) < content.cards.len() && content.achievement(card.into()).is_some();
            if is_one { Ok(card) } else { Err(error) }
        },
        |_, card, _| Some(Ref::Card(card.into())),
        |_, _, of| card(of);
}

/// A flag that is the stage of its procedure.
pub(super) enum InStage {}

impl Coding<Content> for InStage {
    type Value = bool;

    fn encode(value: &bool, to: &mut Writer) {
        to.u8((*value).into());
    }

    fn decode(_: &Content, from: &mut Reader<'_>) -> Result<bool, DecodeError> {
        from.below(2, "a flag").map(|value| value == 1)
    }
}

impl FrameField<Content> for InStage {
    fn tell(_: &Content, &value: &bool, _: &'static str, _: bool, to: &mut Procedure) {
        to.stage = value.into();
    }

    fn read(_: &Content, _: &str, of: &Procedure) -> Option<bool> {
        Some(of.stage == 1)
    }
}

/// The next phase of a turn: its stage.
pub(super) enum NextPhase {}

impl Coding<Content> for NextPhase {
    type Value = Phase;

    fn encode(value: &Phase, to: &mut Writer) {
        to.u8(*value as u8);
    }

    fn decode(_: &Content, from: &mut Reader<'_>) -> Result<Phase, DecodeError> {
        from.below(3, "a phase").map(phase)
    }
}

impl FrameField<Content> for NextPhase {
    fn tell(_: &Content, &value: &Phase, _: &'static str, _: bool, to: &mut Procedure) {
        to.stage = value as u8;
    }

    fn read(_: &Content, _: &str, of: &Procedure) -> Option<Phase> {
        Some(phase(of.stage))
    }
}

fn phase(number: u8) -> Phase {
    [Phase::Action, Phase::EndTimes, Phase::Housekeeping][usize::from(number.min(2))]
}

/// The way of paying: the stage of its procedure.
pub(super) enum Paid {}

impl Coding<Content> for Paid {
    type Value = Cost;

    fn encode(value: &Cost, to: &mut Writer) {
        to.u8(*value as u8);
    }

    fn decode(_: &Content, from: &mut Reader<'_>) -> Result<Cost, DecodeError> {
        from.below(3, "a way of paying").map(cost)
    }
}

impl FrameField<Content> for Paid {
    fn tell(_: &Content, &value: &Cost, _: &'static str, _: bool, to: &mut Procedure) {
        to.stage = value as u8;
    }

    fn read(_: &Content, _: &str, of: &Procedure) -> Option<Cost> {
        Some(cost(of.stage))
    }
}

fn cost(number: u8) -> Cost {
    [Cost::Zeal, Cost::Card, Cost::Strike][usize::from(number.min(2))]
}

/// A list of operations: the card that it stands on, and which of its options.
pub(super) enum Operations {}

impl Coding<Content> for Operations {
    type Value = u8;

    fn encode(value: &u8, to: &mut Writer) {
        to.u8(*value);
    }

    fn decode(content: &Content, from: &mut Reader<'_>) -> Result<u8, DecodeError> {
        from.below(content.lists.len() as u8, "a list of operations")
    }
}

impl FrameField<Content> for Operations {
    fn tell(content: &Content, &value: &u8, _: &'static str, _: bool, to: &mut Procedure) {
        let option = content.options.iter().position(|&(_, own)| own == value);
        let printed = option.and_then(|option| content.printed_option(option as u8));
        if let Some((owner, place)) = printed {
            to.roles.push(("card", Ref::Card(owner.into())));
            to.roles.push(("option", Ref::Number(place.into())));
        } else if let Some(owner) = content.list_owner(value) {
            to.roles.push(("card", Ref::Card(owner.into())));
        }
    }

    fn read(content: &Content, _: &str, of: &Procedure) -> Option<u8> {
        let card = card(of)?;
        if of.role("option").is_some() {
            let option = content.option_of(card, number("option", of))?;
            return Some(content.options.get(usize::from(option))?.1);
        }
        Some(match content.cards[usize::from(card)].kind {
            CardKind::Event { list } => list,
            CardKind::Achievement(index) => content.achievements[usize::from(index)].list,
        })
    }
}

/// A choice of a card, by its place there.
pub(super) enum Choice {}

impl Coding<Content> for Choice {
    type Value = u8;

    fn encode(value: &u8, to: &mut Writer) {
        to.u8(*value);
    }

    fn decode(content: &Content, from: &mut Reader<'_>) -> Result<u8, DecodeError> {
        from.below(content.choices.len() as u8, "a choice")
    }
}

impl FrameField<Content> for Choice {
    fn tell(content: &Content, &value: &u8, role: &'static str, _: bool, to: &mut Procedure) {
        let (owner, place) = content.printed_choice(value);
        to.roles.push(("card", Ref::Card(owner.into())));
        to.roles.push((role, Ref::Number(place.into())));
    }

    fn read(content: &Content, role: &str, of: &Procedure) -> Option<u8> {
        content.choice_of(card(of)?, number(role, of))
    }
}
