//! The procedures of the game ([`Frame`]): what each has to remember, outermost first on the stack of the state.

use crate::codec::{Coding, DecodeError, Reader, Writer};
use crate::flow::{Count, FrameField, Side};
use crate::reference::Ref;
use crate::view::Procedure;

use super::catalogue::REGION_MATS;
use super::content::{Content, REGIONS};
use super::rules;
use super::state::{NONE, each};

crate::frames! {
    /// A procedure under way.
    pub(super) enum Frame of Content, 4 bytes {
        /// So many cards are still to be dealt.
        0 "deal" "Deal" (rules::DEAL) Deal { left: Count<64> },
        /// Cards are discarded in secret.
        1 "discards" "Cards are laid aside" (rules::DISCARD) Discards,
        /// Cards are chosen in secret.
        2 "initiative" "Choice of cards" (rules::CHOICE) Initiative,
        /// The Royalist says who is Player 1.
        3 "tie" "Tie of Initiative" (rules::TIE) Tie,
        /// Operational events: so many players have had theirs.
        4 "op-events" "Operational events" (rules::OPERATIONAL_EVENTS) OpEvents { done: Count<3> },
        /// A player may use their Operational event.
        5 "offer" "An event is offered" (rules::OPERATIONAL_EVENTS) Offer { seat: Side } asks seat,
        /// Camp Fever: its player names an Area.
        6 "fever" "Camp Fever" (rules::CAMP_FEVER) Fever { seat: Side } asks seat,
        /// Its victim names the blocks, `first` being the one that has suffered.
        7 "fever-loss" "Losses of Camp Fever" (rules::CAMP_FEVER)
        FeverLoss { seat: Side, area: Area, left: Count, first as "block": OwnBlockOrNone } asks seat,
        /// Desertion: its victim names a block.
        8 "desertion" "Desertion" (rules::DESERTION) Desertion { seat: Side, regional: bool } asks seat,
        /// They name its new place.
        9 "desertion-place" "A deserter goes to another place" (rules::DESERTION)
        DesertionPlace { seat: Side, block: OwnBlock } asks seat,
        /// Free recruitment of an event.
        10 "free" "Free Recruitment" (rules::FREE_RECRUITMENT) Free { seat: Side, left: Count, guns: bool } asks seat,
        /// A block leaves the pool; `points`: of which Recruitment Points, at Year End.
        11 "place" "A recruit is placed" (rules::DEPLOY)
        Place { seat: Side, block: OwnBlock, guns: bool, points as "region": RegionOrNone } asks seat,
        /// Actions: so many players have had theirs.
        12 "operations" "Operations" (rules::ACTIONS) Operations { done: Count<3> },
        /// A player acts.
        13 "actions" "Actions" (rules::ACTIONS) Actions { seat: Side, points: Count } asks seat,
        /// A Group Move from an Area.
        14 "group-move" "Group Move" (rules::GROUP_MOVE) GroupMove { seat: Side, from: Area } asks seat,
        /// A Muster at an Area.
        15 "muster" "Muster" (rules::MUSTER) Muster { seat: Side, to: Area } asks seat,
        /// The way of a block of a Muster.
        16 "via" "Way of a block of a Muster" (rules::MUSTER) Via { seat: Side, block: OwnBlock, to: Area } asks seat,
        /// The other seat may withdraw into the City of an Area that was entered from `by`.
        17 "withdrawal" "Withdrawal into a City" (rules::CITY_WITHDRAWAL)
        Window { seat: Side, area: Area, by: Area } asks seat,
        /// Tactical events: so many players have named an Area.
        18 "tactical-events" "Tactical events" (rules::TACTICAL) TacticalEvents { done: Count<3> },
        /// A player names the Area of their Tactical event.
        19 "tactic" "An event's Area is named" (rules::TACTICAL) Tactic { seat: Side } asks seat,
        /// Player 1 names the next Battle.
        20 "battles" "Battles" (rules::BATTLES) Battles,
        /// Player 1 names the next Siege.
        21 "sieges" "Siege Combat" (rules::SIEGE_COMBAT) Sieges,
        /// The fight of the state.
        22 "fight" "Fight" (rules::ROUNDS) Fight,
        /// A block retreats, or leaves a City that surrendered.
        23 "retreat-to" "A block retreats" (rules::RETREAT) RetreatTo { seat: Side, block: OwnBlock } asks seat,
        /// Supply: so many players are done, and the Areas before this one.
        24 "supply" "Supply" (rules::SUPPLY) Supply { done: Count<3>, area as "next": NextArea },
        /// Supply of an Area: who is picked already, and whether somebody has lost strength.
        25 "short" "Supply Attrition" (rules::SUPPLY_ATTRITION)
        Short { seat: Side, area: Area, left: Count, losing: bool, picked: OwnBlocks } asks seat,
        /// Siege Resolution: the Cities before this one are done.
        26 "resolution" "Siege Resolution" (rules::RESOLUTION) Resolution { city as "next": NextCity },
        /// The besieged lose so much, the first of it on a horse if `horse`; then they surrender, or not.
        27 "attrition" "Siege Attrition" (rules::SIEGE_ATTRITION)
        Attrition { city: City, left: Count, horse: bool, surrender: bool },
        /// A City is left; Areas that were entered, for the stranded.
        28 "surrender" "Surrender" (rules::SURRENDER)
        Surrender { seat: Side, city: City, far: bool, entered: Areas } asks seat,
        /// Year End: so many players are done.
        29 "year-end" "Year End" (rules::YEAR_END) YearEnd { done: Count<3> },
        /// Recruitment with the points of each Region.
        30 "recruit" "Recruitment" (rules::RECRUIT) Recruit { seat: Side, left: RegionPoints } asks seat,
        /// Recruitment with those of one.
        31 "region" "Recruitment in a Region" (rules::RECRUIT) Region { seat: Side, region: RegionMat } asks seat,
        /// A player brings blocks home.
        32 "return" "Return home" (rules::RETURN_HOME) Return { seat: Side } asks seat,
        /// One of them returns.
        33 "return-to" "A block returns home" (rules::RETURN_HOME) ReturnTo { seat: Side, block: OwnBlock } asks seat,
    }
}

/// Regions, and London, whose points are its own.
const REGION_COUNT: usize = REGIONS + 1;

/// The space that takes a role.
fn space(role: &str, of: &Procedure) -> Option<u8> {
    if let Some(Ref::Space(space)) = of.role(role) { Some(space as u8) } else { None }
}

/// Reads a byte below `bound`, or [`NONE`].
fn or_none(bound: u8, from: &mut Reader<'_>, error: DecodeError) -> Result<u8, DecodeError> {
    let value = from.u8()?;
    if value < bound || value == NONE { Ok(value) } else { Err(error) }
}

crate::byte_fields! {
    of Content;

    /// An Area.
    Area: |content, from| from.below(content.areas.len() as u8, "an Area"),
        |_, area, _| Some(Ref::Space(area.into())),
        |_, role, of| space(role, of);

    /// An Area that is next, or none behind the last one.
    NextArea: |content, from| from.below(content.areas.len() as u8 + 1, "an Area, or the end of them"),
        |content, area, _| (usize::from(area) < content.areas.len()).then_some(Ref::Space(area.into())),
        |content, role, of| Some(space(role, of).unwrap_or(content.areas.len() as u8));

    /// A City.
    City: |content, from| from.below(content.cities.len() as u8, "a City"),
        |content, city, _| Some(Ref::Space(content.city_place(city).into())),
        |content, role, of| content.city_at(space(role, of)?);

    /// A City that is next, or none behind the last one.
    NextCity: |content, from| from.below(content.cities.len() as u8 + 1, "a City, or the end of them"),
        |content, city, _| {
            (usize::from(city) < content.cities.len()).then(|| Ref::Space(content.city_place(city).into()))
        },
        |content, role, of| {
            Some(space(role, of).and_then(|place| content.city_at(place)).unwrap_or(content.cities.len() as u8))
        };

    /// A block that its own seat alone is told.
    OwnBlock(true): |content, from| from.below(content.blocks.len() as u8, "a block"), tell_own_block, read_block;

    /// The same, or [`NONE`].
    OwnBlockOrNone(true): |content, from| {
            let error = from.error("a block, or none");
            or_none(content.blocks.len() as u8, from, error)
        },
        tell_own_block, read_block;

    /// A Region, told by its mat.
    RegionMat: |_, from| from.below(REGION_COUNT as u8, "a Region"),
        |_, region, _| Some(region_ref(region)),
        |_, role, of| region(role, of);

    /// The same, or [`NONE`].
    RegionOrNone: |_, from| {
            let error = from.error("a Region, or none");
            or_none(REGION_COUNT as u8, from, error)
        },
        |_, region, _| (region != NONE).then(|| region_ref(region)),
        |_, role, of| Some(region(role, of).unwrap_or(NONE));
}

fn tell_own_block(_: &Content, block: u8, own: bool) -> Option<Ref> {
    (own && block != NONE).then_some(Ref::Piece(block.into()))
}

#[expect(clippy::unnecessary_wraps, reason = "a field that is not told is none")]
fn read_block(_: &Content, role: &str, of: &Procedure) -> Option<u8> {
    Some(if let Some(Ref::Piece(block)) = of.role(role) { block as u8 } else { NONE })
}

/// The mat of a Region.
pub(super) fn region_ref(region: u8) -> Ref {
    Ref::Mat(REGION_MATS + u16::from(region))
}

/// The Region whose mat takes a role.
fn region(role: &str, of: &Procedure) -> Option<u8> {
    if let Some(Ref::Mat(mat)) = of.role(role) { Some((mat - REGION_MATS) as u8) } else { None }
}

/// Reads a set within another.
fn set(within: u64, from: &mut Reader<'_>, expected: &'static str) -> Result<u64, DecodeError> {
    let error = from.error(expected);
    let set = from.u64()?;
    if set & !within == 0 { Ok(set) } else { Err(error) }
}

/// A set of blocks that their own seat alone is told.
pub(super) enum OwnBlocks {}

impl Coding<Content> for OwnBlocks {
    type Value = u64;

    fn encode(value: &u64, to: &mut Writer) {
        to.u64(*value);
    }

    fn decode(content: &Content, from: &mut Reader<'_>) -> Result<u64, DecodeError> {
        set(content.of_side[0] | content.of_side[1], from, "a set of blocks")
    }
}

impl FrameField<Content> for OwnBlocks {
    const LAST: bool = true;
    const WIDE: bool = true;

    fn tell(_: &Content, &value: &u64, role: &'static str, own: bool, to: &mut Procedure) {
        to.roles.extend(each(value).filter(|_| own).map(|block| (role, Ref::Piece(block as u16))));
    }

    fn read(_: &Content, role: &str, of: &Procedure) -> Option<u64> {
        let bit = |what: Ref| if let Ref::Piece(block) = what { 1 << block } else { 0u64 };
        Some(of.roles(role).fold(0, |blocks, what| blocks | bit(what)))
    }
}

/// A set of Areas.
pub(super) enum Areas {}

impl Coding<Content> for Areas {
    type Value = u64;

    fn encode(value: &u64, to: &mut Writer) {
        to.u64(*value);
    }

    fn decode(content: &Content, from: &mut Reader<'_>) -> Result<u64, DecodeError> {
        set(u64::MAX >> (64 - content.areas.len()), from, "a set of Areas")
    }
}

impl FrameField<Content> for Areas {
    const WIDE: bool = true;

    fn tell(_: &Content, &value: &u64, role: &'static str, _: bool, to: &mut Procedure) {
        to.roles.extend(each(value).map(|area| (role, Ref::Space(area as u16))));
    }

    fn read(_: &Content, role: &str, of: &Procedure) -> Option<u64> {
        let bit = |what: Ref| if let Ref::Space(area) = what { 1 << area } else { 0u64 };
        Some(of.roles(role).fold(0, |areas, what| areas | bit(what)))
    }
}

/// The points of each Region: its mat as `region`, then its `points`.
pub(super) enum RegionPoints {}

impl Coding<Content> for RegionPoints {
    type Value = [u8; REGION_COUNT];

    fn encode(value: &Self::Value, to: &mut Writer) {
        <[u8; REGION_COUNT] as Coding<Content>>::encode(value, to);
    }

    fn decode(content: &Content, from: &mut Reader<'_>) -> Result<Self::Value, DecodeError> {
        <[u8; REGION_COUNT]>::decode(content, from)
    }
}

impl FrameField<Content> for RegionPoints {
    const WIDE: bool = true;

    fn tell(_: &Content, value: &Self::Value, _: &'static str, _: bool, to: &mut Procedure) {
        for (region, points) in (0..).zip(*value) {
            to.roles.extend([("region", region_ref(region)), ("points", Ref::Number(points.into()))]);
        }
    }

    fn read(_: &Content, _: &str, of: &Procedure) -> Option<Self::Value> {
        let mut points = of.roles("points");
        Some(std::array::from_fn(|_| match points.next() {
            Some(Ref::Number(number)) => number as u8,
            _ => 0,
        }))
    }
}
