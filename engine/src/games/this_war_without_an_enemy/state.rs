//! The state: where every block stands, what is known of it, the cards, and the procedures under way.
//!
//! Invariant: `here` has the bit of a block at its place and nowhere else; a block in a City has enemies in the Area; blocks in
//! the pool have no strength.

use crate::deck::CardSet;
use crate::flow::Frames;
use crate::game::Ending;
use crate::seat::Seat;

use super::content::Content;
use super::rules;

/// The most blocks, and directed borders.
pub(super) const BLOCKS: usize = 48;
pub(super) const EDGES: usize = 160;
/// The most Cities.
pub(super) const CITIES: usize = 16;
/// The Recruitment Pools.
pub(super) const POOL: u8 = 63;
/// No place, no block.
pub(super) const NONE: u8 = u8::MAX;

/// Public properties of a block, as bits; [`TAKEN`] is its owner's alone, and never outlasts his draft.
pub(super) const MOVED: u16 = 1;
/// It has stopped in the action under way.
pub(super) const ACTING: u16 = 1 << 1;
/// It has gone one Area in the action under way, and may go on.
pub(super) const MOVING: u16 = 1 << 2;
/// It withdrew into a City this Turn.
pub(super) const WITHDREW: u16 = 1 << 3;
pub(super) const RESERVE: u16 = 1 << 4;
/// It stays out of a Battle to keep up the Siege.
pub(super) const HELD: u16 = 1 << 5;
/// It takes part in the present Round.
pub(super) const FIGHTING: u16 = 1 << 6;
/// Its face is up.
pub(super) const SHOWN: u16 = 1 << 7;
/// It retreated into a Siege, and has no part in this Turn's Siege Combat.
pub(super) const TIRED: u16 = 1 << 8;
/// It came out of the City, and may go back.
pub(super) const JOINED: u16 = 1 << 9;
/// It is the target of a gun in a City.
pub(super) const DRAWN: u16 = 1 << 10;
/// It was in Reserve at the start of the Battle.
pub(super) const LATE: u16 = 1 << 11;
/// It is being picked.
pub(super) const TAKEN: u16 = 1 << 12;
/// It has fired from the City.
pub(super) const FIRED: u16 = 1 << 13;
/// Flags that end with a Battle.
pub(super) const OF_BATTLE: u16 = RESERVE | HELD | FIGHTING | SHOWN | JOINED | DRAWN | LATE | FIRED;

/// A wooden block, or an entry that the content has no block for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Block {
    /// Its place: an Area, a City, or [`POOL`].
    pub(super) at: u8,
    /// Its strength; 0 in the pool.
    pub(super) strength: u8,
    pub(super) flags: u16,
    /// The Area that it came from into a Contested Area, or while it moves; else [`NONE`].
    pub(super) by: u8,
    /// Where it began the Muster under way, and the first Area that it entered in the action under way; else [`NONE`].
    pub(super) began: u8,
    pub(super) via: u8,
    /// What everybody last saw of its strength.
    pub(super) seen: u8,
    /// Its bag: the least block of those that nobody but their owner can tell apart.
    pub(super) bag: u8,
}

/// A seat's part of a sealed choice.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Choosing {
    pub(super) picks: CardSet,
    pub(super) committed: bool,
}

/// What kind of fight it is.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(super) enum FightKind {
    /// A Battle in a Contested Area.
    #[default]
    Battle,
    /// A Sally where there is no Siege Marker: a Battle.
    SallyBattle,
    /// A Sally against a Siege Marker.
    Sally,
    Storm,
}

/// How a Siege stands to a Battle for its relief.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(super) enum Relief {
    #[default]
    None,
    /// There is no Siege Marker.
    Unmarked,
    Maintained,
    Broken,
}

/// How far a fight is.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) enum Stage {
    #[default]
    Relief,
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
    pub(super) const ALL: [Self; 36] = [
        Self::Relief,
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
pub(super) struct Fight {
    pub(super) kind: FightKind,
    pub(super) stage: Stage,
    pub(super) area: u8,
    /// The City that it is about, or [`NONE`].
    pub(super) city: u8,
    /// The Attacker of this moment.
    pub(super) attacker: Seat,
    pub(super) swapped: bool,
    pub(super) relief: Relief,
    pub(super) round: u8,
    /// An attempt to withdraw: horse of Defender and Attacker, whether he has guns, whether horse only; its result.
    pub(super) tried: bool,
    pub(super) horse: [u8; 2],
    pub(super) guns: bool,
    pub(super) horse_only: bool,
    pub(super) withdrawn: bool,
    /// Strength still to be lost.
    pub(super) owed: u8,
    /// Events in force: Advantageous Terrain and Determined Last Stand by side, and so on; bits of [`Fight::ADVANTAGE`].
    pub(super) force: u8,
    pub(super) breach: bool,
    /// Whose Determined Last Stand and Well-positioned Artillery are still to be asked this Round, a bit a side.
    pub(super) ask: u8,
    /// The block of a Determined Last Stand, and the gun of Well-positioned Artillery, by side; else [`NONE`].
    pub(super) stand: [u8; 2],
    pub(super) well: [u8; 2],
    /// Blocks with a half-hit.
    pub(super) halves: u64,
    /// Guns that have declared, and those that fire at Cavalry.
    pub(super) declared: u64,
    pub(super) at_horse: u64,
    /// Hits still to be taken, and by whom: on Cavalry, on Infantry (then on Cavalry, if `spill`), on any.
    pub(super) hits: [u8; 3],
    pub(super) spill: bool,
    pub(super) struck: Seat,
    pub(super) loser: Option<Seat>,
    /// Areas fought over or entered, for the stranded.
    pub(super) touched: u64,
    /// Where the Victor regroups.
    pub(super) goal: u8,
}

impl Fight {
    /// Bits of `force`: by side, then common.
    pub(super) const ADVANTAGE: u8 = 1;
    pub(super) const STAND: u8 = 1 << 2;
    pub(super) const WELL: u8 = 1 << 4;
    pub(super) const DISFAVOUR: u8 = 1 << 6;

    pub(super) const fn new(kind: FightKind, stage: Stage, area: u8, city: u8, attacker: Seat) -> Self {
        Self {
            kind,
            stage,
            area,
            city,
            attacker,
            swapped: false,
            relief: Relief::None,
            round: 0,
            tried: false,
            horse: [0; 2],
            guns: false,
            horse_only: false,
            withdrawn: false,
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

    pub(super) const fn defender(&self) -> Seat {
        self.attacker.other()
    }

    /// Whether an event of `side` is in force.
    pub(super) const fn has(&self, event: u8, side: Seat) -> bool {
        self.force & event << side.index() != 0
    }
}

/// A procedure under way.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Frame {
    /// So many cards are still to be dealt.
    Deal {
        left: u8,
    },
    /// Cards are discarded in secret.
    Discards,
    /// Cards are chosen in secret.
    Initiative,
    /// The Royalist says who is Player 1.
    Tie,
    /// Operational events: so many players have had theirs.
    OpEvents {
        done: u8,
    },
    /// A player may use his Operational event.
    Offer {
        seat: Seat,
    },
    /// Camp Fever: its player names an Area; then its victim the blocks, `first` being the one that has suffered.
    Fever {
        seat: Seat,
    },
    FeverLoss {
        seat: Seat,
        area: u8,
        left: u8,
        first: u8,
    },
    /// Desertion: its victim names a block, and its new place.
    Desertion {
        seat: Seat,
        regional: bool,
    },
    DesertionPlace {
        seat: Seat,
        block: u8,
    },
    /// Free recruitment of an event.
    Free {
        seat: Seat,
        left: u8,
        guns: bool,
    },
    /// A block leaves the pool; `points`: of which Recruitment Points, at Year End.
    Place {
        seat: Seat,
        block: u8,
        guns: bool,
        points: u8,
    },
    /// Actions: so many players have had theirs.
    Operations {
        done: u8,
    },
    Actions {
        seat: Seat,
        points: u8,
    },
    GroupMove {
        seat: Seat,
        from: u8,
    },
    Muster {
        seat: Seat,
        to: u8,
    },
    Via {
        seat: Seat,
        block: u8,
        to: u8,
    },
    /// The other seat may withdraw into the City of an Area that was entered from `by`.
    Window {
        seat: Seat,
        area: u8,
        by: u8,
    },
    /// Tactical events: so many players have named an Area.
    TacticalEvents {
        done: u8,
    },
    Tactic {
        seat: Seat,
    },
    Battles,
    Sieges,
    /// The fight of the state.
    Fight,
    /// A block retreats, or leaves a City that surrendered.
    RetreatTo {
        seat: Seat,
        block: u8,
    },
    /// Supply: so many players are done, and the Areas before this one.
    Supply {
        done: u8,
        area: u8,
    },
    Short {
        seat: Seat,
        area: u8,
        left: u8,
        picked: u64,
    },
    /// Siege Resolution: the Cities before this one are done.
    Resolution {
        city: u8,
    },
    /// The besieged lose so much, the first of it on a horse if `horse`; then they surrender, or not.
    Attrition {
        city: u8,
        left: u8,
        horse: bool,
        surrender: bool,
    },
    Surrender {
        seat: Seat,
        city: u8,
        far: bool,
    },
    /// Year End: so many players are done.
    YearEnd {
        done: u8,
    },
    Recruit {
        seat: Seat,
        left: [u8; 6],
    },
    Region {
        seat: Seat,
        region: u8,
    },
    Return {
        seat: Seat,
    },
    ReturnTo {
        seat: Seat,
        block: u8,
    },
}

/// How it ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Verdict {
    pub(super) major: bool,
    pub(super) winner: Seat,
}

impl Verdict {
    pub(super) fn ending(self) -> Ending {
        let returns = [0, 1].map(|seat| if self.winner.index() == seat { 1 } else { -1 }).to_vec();
        let (code, grade) = if self.major { ("major_victory", "major") } else { ("minor_victory", "minor") };
        Ending { returns, code, rule: rules::VICTORY, grade }
    }
}

/// The state of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// Which of the eight Turns, from 0.
    pub(super) turn: u8,
    pub(super) player1: Seat,
    /// The cards of the Turn, once they are up.
    pub(super) cards: [Option<u16>; 2],
    pub(super) hands: [CardSet; 2],
    pub(super) decks: [CardSet; 2],
    pub(super) discards: [CardSet; 2],
    /// Cards played this year before this Turn, and those out of the game.
    pub(super) played: [CardSet; 2],
    pub(super) removed: [CardSet; 2],
    pub(super) choosing: [Choosing; 2],
    /// 6.45: London's walls are complete.
    pub(super) walls: bool,
    /// Where a Tactical event will work, by side; else [`NONE`].
    pub(super) tactic: [u8; 2],
    /// Mining is still to be used; blocks that can still be exempt from Supply.
    pub(super) mining: [bool; 2],
    pub(super) exempt: [u8; 2],
    pub(super) blocks: [Block; BLOCKS],
    /// The blocks at each place: derived.
    pub(super) here: [u64; 64],
    /// How many blocks crossed each directed border, in this segment or Retreat; who stopped behind it last (side + 1).
    pub(super) crossed: [u8; EDGES],
    pub(super) entered: [u8; EDGES],
    /// -2: no Siege; -1: a Siege without a marker; else the marker.
    pub(super) siege: [i8; CITIES],
    /// Cities whose Siege Combat is done this Turn.
    pub(super) resolved: u16,
    /// By bag: strength gained and lost unseen.
    pub(super) stir: [[u8; 2]; BLOCKS],
    pub(super) fight: Option<Fight>,
    pub(super) frames: Frames<Frame, 8>,
    pub(super) result: Option<Verdict>,
}

/// No Siege.
pub(super) const FREE: i8 = -2;
/// A Siege without a marker.
pub(super) const UNMARKED: i8 = -1;

/// The blocks of a set, in order.
pub(super) fn each(mut set: u64) -> impl Iterator<Item = usize> + Clone {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let next = set.trailing_zeros() as usize;
        set &= set - 1;
        Some(next)
    })
}

impl State {
    /// 12.22, 12.23: the set-up, before the first card is dealt.
    pub(super) fn new(content: &Content) -> Self {
        let empty =
            Block { at: NONE, strength: 0, flags: 0, by: NONE, began: NONE, via: NONE, seen: 0, bag: 0 };
        let mut state = Self {
            turn: 0,
            player1: Seat::new(0),
            cards: [None; 2],
            hands: [CardSet::default(); 2],
            decks: content.first_deck,
            discards: [CardSet::default(); 2],
            played: [CardSet::default(); 2],
            removed: [CardSet::default(); 2],
            choosing: [Choosing::default(); 2],
            walls: false,
            tactic: [NONE; 2],
            mining: [false; 2],
            exempt: [0; 2],
            blocks: [empty; BLOCKS],
            here: [0; 64],
            crossed: [0; EDGES],
            entered: [0; EDGES],
            siege: [FREE; CITIES],
            resolved: 0,
            stir: [[0; 2]; BLOCKS],
            fight: None,
            frames: Frames::default(),
            result: None,
        };
        for (index, def) in content.blocks.iter().enumerate() {
            let strength = if def.setup == POOL { 0 } else { def.strength };
            state.blocks[index] =
                Block { at: def.setup, strength, seen: strength, bag: index as u8, ..empty };
        }
        state.count_places(content);
        state
    }

    /// Derives `here`.
    pub(super) fn count_places(&mut self, content: &Content) {
        self.here = [0; 64];
        for block in 0..content.blocks.len() {
            self.here[usize::from(self.blocks[block].at)] |= 1 << block;
        }
    }

    /// Puts a block at a place, and nothing else.
    pub(super) fn put(&mut self, block: usize, place: u8) {
        let from = std::mem::replace(&mut self.blocks[block].at, place);
        self.here[usize::from(from)] &= !(1 << block);
        self.here[usize::from(place)] |= 1 << block;
    }

    /// The blocks at a place.
    pub(super) const fn at(&self, place: u8) -> u64 {
        self.here[place as usize]
    }

    /// The blocks of `set` with any of these flags.
    pub(super) fn flagged(&self, set: u64, flags: u16) -> u64 {
        each(set).filter(|&block| self.blocks[block].flags & flags != 0).fold(0, |set, b| set | 1 << b)
    }

    /// The strength of a set in all.
    pub(super) fn strength(&self, set: u64) -> u32 {
        each(set).map(|block| u32::from(self.blocks[block].strength)).sum()
    }

    pub(super) fn set_flags(&mut self, set: u64, flags: u16) {
        each(set).for_each(|block| self.blocks[block].flags |= flags);
    }

    pub(super) fn clear_flags(&mut self, set: u64, flags: u16) {
        each(set).for_each(|block| self.blocks[block].flags &= !flags);
    }

    /// The nth player of the Turn.
    pub(super) const fn player(&self, nth: u8) -> Seat {
        if nth == 0 { self.player1 } else { self.player1.other() }
    }

    /// Whether it is the Winter Turn.
    pub(super) fn winter(&self, content: &Content) -> bool {
        usize::from(self.turn) + 1 == content.turns.len()
    }

    /// Counts the shuffles of the decks.
    pub(super) const fn epoch(&self) -> u32 {
        (self.turn >= 2) as u32
    }
}
