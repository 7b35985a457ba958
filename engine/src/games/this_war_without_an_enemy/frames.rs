//! The procedures of the game ([`Frame`]): what each has to remember, outermost first on the stack of the state.

use crate::codec::{Coding, DecodeError, Reader, Writer};
use crate::flow::{Count, FrameField, Own, Side};
use crate::numbered::{Listed, Next};
use crate::reference::Ref;
use crate::view::Procedure;

use super::content::things::{AreaId, AreaSet, BlockId, BlockSet, CityId, RegionId};
use super::content::{Content, REGIONS};
use super::rules;

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
        FeverLoss { seat: Side, area: AreaId, left: Count, first as "block": Own<Option<BlockId>> } asks seat,
        /// Desertion: its victim names a block.
        8 "desertion" "Desertion" (rules::DESERTION) Desertion { seat: Side, regional: bool } asks seat,
        /// They name its new place.
        9 "desertion-place" "A deserter goes to another place" (rules::DESERTION)
        DesertionPlace { seat: Side, block: Own<BlockId> } asks seat,
        /// Free recruitment of an event.
        10 "free" "Free Recruitment" (rules::FREE_RECRUITMENT) Free { seat: Side, left: Count, guns: bool } asks seat,
        /// A block leaves the pool; `points`: of which Recruitment Points, at Year End.
        11 "place" "A recruit is placed" (rules::DEPLOY)
        Place { seat: Side, block: Own<BlockId>, guns: bool, points as "region": Option<RegionId> } asks seat,
        /// Actions: so many players have had theirs.
        12 "operations" "Operations" (rules::ACTIONS) Operations { done: Count<3> },
        /// A player acts.
        13 "actions" "Actions" (rules::ACTIONS) Actions { seat: Side, points: Count } asks seat,
        /// A Group Move from an Area.
        14 "group-move" "Group Move" (rules::GROUP_MOVE) GroupMove { seat: Side, from: AreaId } asks seat,
        /// A Muster at an Area.
        15 "muster" "Muster" (rules::MUSTER) Muster { seat: Side, to: AreaId } asks seat,
        /// The way of a block of a Muster.
        16 "via" "Way of a block of a Muster" (rules::MUSTER) Via { seat: Side, block: Own<BlockId>, to: AreaId } asks seat,
        /// The other seat may withdraw into the City of an Area that was entered from `by`.
        17 "withdrawal" "Withdrawal into a City" (rules::CITY_WITHDRAWAL)
        Window { seat: Side, area: AreaId, by: AreaId } asks seat,
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
        23 "retreat-to" "A block retreats" (rules::RETREAT) RetreatTo { seat: Side, block: Own<BlockId> } asks seat,
        /// Supply: so many players are done, and the Areas before this one.
        24 "supply" "Supply" (rules::SUPPLY) Supply { done: Count<3>, area as "next": Next<AreaId> },
        /// Supply of an Area: who is picked already, and whether somebody has lost strength.
        25 "short" "Supply Attrition" (rules::SUPPLY_ATTRITION)
        Short { seat: Side, area: AreaId, left: Count, losing: bool, picked: Own<BlockSet> } asks seat,
        /// Siege Resolution: the Cities before this one are done.
        26 "resolution" "Siege Resolution" (rules::RESOLUTION) Resolution { city as "next": Next<CityId> },
        /// The besieged lose so much, the first of it on a horse if `horse`; then they surrender, or not.
        27 "attrition" "Siege Attrition" (rules::SIEGE_ATTRITION)
        Attrition { city: CityId, left: Count, horse: bool, surrender: bool },
        /// A City is left; Areas that were entered, for the stranded.
        28 "surrender" "Surrender" (rules::SURRENDER)
        Surrender { seat: Side, city: CityId, far: bool, entered: AreaSet } asks seat,
        /// Year End: so many players are done.
        29 "year-end" "Year End" (rules::YEAR_END) YearEnd { done: Count<3> },
        /// Recruitment with the points of each Region.
        30 "recruit" "Recruitment" (rules::RECRUIT) Recruit { seat: Side, left: RegionPoints } asks seat,
        /// Recruitment with those of one.
        31 "region" "Recruitment in a Region" (rules::RECRUIT) Region { seat: Side, region: RegionId } asks seat,
        /// A player brings blocks home.
        32 "return" "Return home" (rules::RETURN_HOME) Return { seat: Side } asks seat,
        /// One of them returns.
        33 "return-to" "A block returns home" (rules::RETURN_HOME) ReturnTo { seat: Side, block: Own<BlockId> } asks seat,
    }
}

/// The procedures at their deepest, by name, outermost first: a player's action brings a group before a City, whose blocks may withdraw into
/// it (6.15). A block of a Muster with two ways (6.12), and one that a Region's point brings in at Year End (11.2), lie as deep.
pub(super) const DEEPEST: [&str; 4] = ["operations", "actions", "group-move", "withdrawal"];
/// The most frames that a state holds.
pub(super) const DEPTH: usize = DEEPEST.len();

/// The points of each Region: its mat as `region`, then its `points`.
pub(super) enum RegionPoints {}

impl Coding<Content> for RegionPoints {
    type Value = [u8; REGIONS + 1];

    fn encode(value: &Self::Value, to: &mut Writer) {
        <[u8; REGIONS + 1] as Coding<Content>>::encode(value, to);
    }

    fn decode(content: &Content, from: &mut Reader<'_>) -> Result<Self::Value, DecodeError> {
        <[u8; REGIONS + 1]>::decode(content, from)
    }
}

impl FrameField<Content> for RegionPoints {
    const WIDE: bool = true;

    fn tell(content: &Content, value: &Self::Value, _: &'static str, _: bool, to: &mut Procedure) {
        for (region, points) in RegionId::all(content).zip(*value) {
            to.roles.extend([("region", region.reference(content)), ("points", Ref::Number(points.into()))]);
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
