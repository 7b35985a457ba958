//! A fight under way, and how far it is.

use crate::seat::Seat;

use super::NONE;

/// The kind of a fight.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(in super::super) enum FightKind {
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
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(in super::super) enum Relief {
    #[default]
    None,
    /// There is no Siege Marker.
    Unmarked,
    Maintained,
    Broken,
}

/// The stage of a fight.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(in super::super) enum Stage {
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

impl Stage {
    pub(in super::super) const ALL: [Self; 37] = [
        Self::Relief,
        Self::BreakOff,
        Self::Hold,
        Self::Main,
        Self::Withdraw,
        Self::WithdrawRoll,
        Self::WithdrawLoss,
        Self::Joining,
        Self::Guns,
        Self::GunTarget,
        Self::GunRoll,
        Self::SallyPick,
        Self::SallyDraw,
        Self::Mine,
        Self::MineRoll,
        Self::Bombard,
        Self::BombardRoll,
        Self::StormPick,
        Self::Round,
        Self::Stand,
        Self::Well,
        Self::GunsFirst,
        Self::GunsFirstRoll,
        Self::GunsSecond,
        Self::GunsSecondRoll,
        Self::HorseFirst,
        Self::HorseSecond,
        Self::FootFirst,
        Self::FootSecond,
        Self::RoundEnd,
        Self::GoOn,
        Self::Exchange,
        Self::End,
        Self::Retreat,
        Self::Regroup,
        Self::RegroupPick,
        Self::Close,
    ];
}

/// A fight under way: all of it is public.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct Fight {
    pub(in super::super) kind: FightKind,
    pub(in super::super) stage: Stage,
    pub(in super::super) area: u8,
    /// The City that it is about, or [`NONE`].
    pub(in super::super) city: u8,
    /// The Attacker of this moment.
    pub(in super::super) attacker: Seat,
    pub(in super::super) swapped: bool,
    /// 7.1: the border of the Main Attack, as the Area beyond it; else [`NONE`].
    pub(in super::super) main: u8,
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
    /// Sides whose Determined Last Stand and Well-positioned Artillery are still to be asked this Round, a bit a side.
    pub(in super::super) ask: u8,
    /// The block of a Determined Last Stand, and the gun of Well-positioned Artillery, by side; else [`NONE`].
    pub(in super::super) stand: [u8; 2],
    pub(in super::super) well: [u8; 2],
    /// Blocks with a half-hit.
    pub(in super::super) halves: u64,
    /// Guns that have declared, and those that fire at Cavalry.
    pub(in super::super) declared: u64,
    pub(in super::super) at_horse: u64,
    /// Hits still to be taken, and by whom: on Cavalry, on Infantry (then on Cavalry, if `spill`), on any.
    pub(in super::super) hits: [u8; 3],
    pub(in super::super) spill: bool,
    pub(in super::super) struck: Seat,
    pub(in super::super) loser: Option<Seat>,
    /// Areas fought over or entered, for the stranded.
    pub(in super::super) touched: u64,
    /// Area where the Victor regroups.
    pub(in super::super) goal: u8,
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
        area: u8,
        city: u8,
        attacker: Seat,
    ) -> Self {
        Self {
            kind,
            stage,
            area,
            city,
            attacker,
            swapped: false,
            main: NONE,
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
            ask: 0,
            stand: [NONE; 2],
            well: [NONE; 2],
            halves: 0,
            declared: 0,
            at_horse: 0,
            hits: [0; 3],
            spill: false,
            struck: attacker,
            loser: None,
            touched: 0,
            goal: NONE,
        }
    }

    pub(in super::super) const fn defender(&self) -> Seat {
        self.attacker.other()
    }

    /// Returns whether an event of `side` is in force.
    pub(in super::super) const fn has(&self, event: u8, side: Seat) -> bool {
        self.force & event << side.index() != 0
    }
}
