//! A fight under way, and how far it is.

use crate::codec::{Coding, DecodeError, Flagged, Reader, Writer};
use crate::flow::{Count, Seats, Side};
use crate::seat::{Seat, SeatSet};

use super::super::content::Content;
use super::super::content::things::{AreaId, AreaSet, BlockId, BlockSet, CityId};

crate::coded_variants! {
    /// The kind of a fight.
    #[derive(Default)]
    pub(in super::super) enum FightKind "a kind of fight" {
        /// A Battle in a Contested Area.
        #[default]
        Battle,
        /// A Sally where there is no Siege Marker: a Battle.
        SallyBattle,
        /// A Sally against a Siege Marker.
        Sally,
        Storm,
    }

    /// The relation of a Siege to a Battle for its relief.
    #[derive(Default)]
    pub(in super::super) enum Relief "a relief" {
        #[default]
        None,
        /// There is no Siege Marker.
        Unmarked,
        Maintained,
        Broken,
    }

    /// The stage of a fight.
    #[derive(Default)]
    pub(in super::super) enum Stage "a stage" {
        #[default]
        Relief,
        /// There are too few besiegers for a choice.
        BreakOff,
        Hold,
        Main,
        Withdraw,
        WithdrawRoll,
        WithdrawLoss,
        Joining,
        /// Sally and Storm: what comes before the Rounds.
        Guns,
        GunTarget,
        GunRoll,
        SallyPick,
        SallyDraw,
        Mine,
        MineRoll,
        Bombard,
        BombardRoll,
        StormPick,
        /// Rounds.
        Round,
        Stand,
        Well,
        GunsFirst,
        GunsFirstRoll,
        GunsSecond,
        GunsSecondRoll,
        HorseFirst,
        HorseSecond,
        FootFirst,
        FootSecond,
        RoundEnd,
        GoOn,
        Exchange,
        End,
        Retreat,
        Regroup,
        RegroupPick,
        Close,
    }
}

/// A fight under way: all of it is public.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct Fight {
    pub(in super::super) kind: FightKind,
    pub(in super::super) stage: Stage,
    pub(in super::super) area: AreaId,
    /// The City that it is about.
    pub(in super::super) city: Option<CityId>,
    /// The Attacker of this moment.
    pub(in super::super) attacker: Seat,
    pub(in super::super) swapped: bool,
    /// 7.1: the border of the Main Attack, as the Area beyond it.
    pub(in super::super) main: Option<AreaId>,
    pub(in super::super) relief: Relief,
    pub(in super::super) round: u8,
    /// An attempt to withdraw: horse of Defender and Attacker, whether the Defender has guns, whether horse
    /// only; its result.
    pub(in super::super) tried: bool,
    pub(in super::super) horse: [u8; 2],
    pub(in super::super) guns: bool,
    pub(in super::super) horse_only: bool,
    pub(in super::super) withdrawn: bool,
    /// The Attacker's Infantry waits, since Cavalry alone failed to withdraw.
    pub(in super::super) waits: bool,
    /// Strength still to be lost.
    pub(in super::super) owed: u8,
    /// Events in force: Advantageous Terrain and Determined Last Stand by side, and so on; bits of [`Fight::ADVANTAGE`].
    pub(in super::super) force: u8,
    pub(in super::super) breach: bool,
    /// Sides whose Determined Last Stand and Well-positioned Artillery are still to be asked this Round.
    pub(in super::super) ask: SeatSet,
    /// The block of a Determined Last Stand, and the gun of Well-positioned Artillery, by side.
    pub(in super::super) stand: [Option<BlockId>; 2],
    pub(in super::super) well: [Option<BlockId>; 2],
    /// Blocks with a half-hit.
    pub(in super::super) halves: BlockSet,
    /// Guns that have declared, and those that fire at Cavalry.
    pub(in super::super) declared: BlockSet,
    pub(in super::super) at_horse: BlockSet,
    /// Hits still to be taken, and by whom: on Cavalry, on Infantry (then on Cavalry, if `spill`), on any.
    pub(in super::super) hits: [u8; 3],
    pub(in super::super) spill: bool,
    pub(in super::super) struck: Seat,
    pub(in super::super) loser: Option<Seat>,
    /// Areas fought over or entered, for the stranded.
    pub(in super::super) touched: AreaSet,
    pub(in super::super) goal: Goal,
}

crate::coded! {
    Fight, of Content {
        kind: FightKind,
        stage: Stage,
        area: AreaId,
        city: Option<CityId>,
        attacker: Side,
        swapped: bool,
        main: Option<AreaId>,
        relief: Relief,
        round: Count<4>,
        tried: bool,
        horse: [u8; 2],
        guns: bool,
        horse_only: bool,
        withdrawn: bool,
        waits: bool,
        owed: u8,
        force: Count<128>,
        breach: bool,
        ask: Seats,
        stand: [Option<BlockId>; 2],
        well: [Option<BlockId>; 2],
        hits: [u8; 3],
        spill: bool,
        struck: Side,
        goal: Goal,
        loser: Flagged<Side>,
        halves: BlockSet,
        declared: BlockSet,
        at_horse: BlockSet,
        touched: AreaSet,
    }
}

/// The City's gun that fires, while one does; then the Area where the Victor regroups.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct Goal(u8);

impl Goal {
    /// Neither.
    pub(in super::super) const NONE: Self = Self(u8::MAX);

    /// The Area where the Victor regroups.
    ///
    /// # Panics
    /// In a stage before they have named it.
    pub(in super::super) fn area(self) -> AreaId {
        assert!(self != Self::NONE, "the Victor names an Area first");
        AreaId::new(self.0.into())
    }

    /// The City's gun that fires.
    ///
    /// # Panics
    /// In a stage before one is named.
    pub(in super::super) fn gun(self) -> BlockId {
        assert!(self != Self::NONE, "a gun is named before it fires");
        BlockId::new(self.0.into())
    }
}

impl From<AreaId> for Goal {
    fn from(area: AreaId) -> Self {
        Self(area.index() as u8)
    }
}

impl From<BlockId> for Goal {
    fn from(gun: BlockId) -> Self {
        Self(gun.index() as u8)
    }
}

impl Coding<Content> for Goal {
    type Value = Self;

    fn encode(value: &Self, to: &mut Writer) {
        to.u8(value.0);
    }

    fn decode(content: &Content, from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let error = from.error("a block or an Area");
        let goal = from.u8()?;
        let bound = content.areas.len().max(content.blocks.len());
        if usize::from(goal) < bound || goal == Self::NONE.0 { Ok(Self(goal)) } else { Err(error) }
    }
}

impl Fight {
    /// Bits of `force`: by side, then common.
    pub(in super::super) const ADVANTAGE: u8 = 1;
    pub(in super::super) const STAND: u8 = 1 << 2;
    pub(in super::super) const WELL: u8 = 1 << 4;
    pub(in super::super) const DISFAVOUR: u8 = 1 << 6;

    pub(in super::super) const fn new(
        kind: FightKind,
        stage: Stage,
        area: AreaId,
        city: Option<CityId>,
        attacker: Seat,
    ) -> Self {
        Self {
            kind,
            stage,
            area,
            city,
            attacker,
            swapped: false,
            main: None,
            relief: Relief::None,
            round: 0,
            tried: false,
            horse: [0; 2],
            guns: false,
            horse_only: false,
            withdrawn: false,
            waits: false,
            owed: 0,
            force: 0,
            breach: false,
            ask: SeatSet::EMPTY,
            stand: [None; 2],
            well: [None; 2],
            halves: BlockSet::EMPTY,
            declared: BlockSet::EMPTY,
            at_horse: BlockSet::EMPTY,
            hits: [0; 3],
            spill: false,
            struck: attacker,
            loser: None,
            touched: AreaSet::EMPTY,
            goal: Goal::NONE,
        }
    }

    /// The City of a Sally or a Storming, or of a Battle about a Siege.
    ///
    /// # Panics
    /// In another Battle.
    pub(in super::super) const fn siege_city(&self) -> CityId {
        self.city.expect("a Sally, a Storming, and a Battle for a City's relief have their City")
    }

    pub(in super::super) const fn defender(&self) -> Seat {
        self.attacker.other()
    }

    /// Returns whether an event of `side` is in force.
    pub(in super::super) const fn has(&self, event: u8, side: Seat) -> bool {
        self.force & event << side.index() != 0
    }
}
