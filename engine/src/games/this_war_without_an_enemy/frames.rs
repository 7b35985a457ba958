//! The procedures of the game: what each has to remember.

use crate::seat::Seat;

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
    /// A player may use their Operational event.
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
    /// Supply of an Area: who is picked already, and whether somebody has lost strength.
    Short {
        seat: Seat,
        area: u8,
        left: u8,
        picked: u64,
        losing: bool,
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
    /// A City is left; Areas that were entered, for the stranded.
    Surrender {
        seat: Seat,
        city: u8,
        far: bool,
        entered: u64,
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
