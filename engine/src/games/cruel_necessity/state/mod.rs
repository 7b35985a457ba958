//! The state: everything that the rules remember, as small numbers ([`State`]).

pub(super) mod line;

use crate::flow::Frames;

use self::line::Battle;
use super::content::{ARMIES, Content, FORTS, KINDS_MAX, REVOLTS, TRACKS};
use super::frames::Frame;

/// The deepest that procedures nest.
pub(super) const DEPTH: usize = 8;
/// Nothing: no marker, no card, no slot.
pub(super) const NONE: u8 = u8::MAX;
/// The top and the bottom box of a track.
pub(super) const TOP: u8 = 0;
pub(super) const BOTTOM: u8 = 5;

/// Options of the match, as bits in [`State::options`].
pub(super) const OPT_NUMERICAL: u8 = 1;
pub(super) const OPT_LICENSING_3: u8 = 1 << 1;
pub(super) const OPT_FORTIFY_LIMIT: u8 = 1 << 2;
pub(super) const OPT_RECONNAISSANCE: u8 = 1 << 3;
pub(super) const OPT_LEAGUE: u8 = 1 << 4;
pub(super) const OPT_QUICK: u8 = 1 << 5;
pub(super) const OPT_SETTLERS: u8 = 1 << 6;
pub(super) const OPT_STRIKE: u8 = 1 << 7;

/// Things that are so or not, as bits in [`State::flags`].
pub(super) const OXFORD_PERMITTED: u16 = 1;
/// A Battle was won this turn, or the turn before.
pub(super) const WON_NOW: u16 = 1 << 1;
pub(super) const WON_BEFORE: u16 = 1 << 2;
/// The Zeal marker was placed on the map this turn.
pub(super) const ZEAL_PLACED: u16 = 1 << 3;
/// A Desperate Act was made on Parliament, on Puritanism this turn.
pub(super) const DESPERATE: [u16; 2] = [1 << 4, 1 << 5];
/// A free placement of the Zeal marker waits for the next turn, or is at hand.
pub(super) const LICENCE_NEXT: u16 = 1 << 6;
pub(super) const LICENCE_NOW: u16 = 1 << 7;
/// Religious Reactions may be ignored.
pub(super) const IMMUNE: u16 = 1 << 8;
/// English settlers were sent to Ireland, to Scotland.
pub(super) const SETTLED: [u16; 2] = [1 << 9, 1 << 10];
/// The strike of 12.5 was made.
pub(super) const STRUCK: u16 = 1 << 11;
/// An Army is looked at when the turn ends (the card says which).
pub(super) const WATCHED: u16 = 1 << 12;

/// An invading Army.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Army {
    /// 5 to 1; 0 is London Under Siege.
    pub(super) area: u8,
    pub(super) disordered: bool,
    /// The sum of its temporary Strength markers.
    pub(super) markers: i8,
    /// Its counter, in the content's list.
    pub(super) counter: u8,
}

/// A fortress.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Fort {
    pub(super) royalist: bool,
    /// 1 to 5.
    pub(super) click: u8,
    /// Clicks that were paid for this turn; counted only where the option limits them.
    pub(super) fortified: u8,
}

/// The verdict on a match at its end.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// London is lost (9.0).
    London,
    /// Too many F grades (9.0).
    Grades,
    /// The last card is done (11.2).
    Finished,
}

/// The state of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    pub(super) options: u8,
    /// The first and the last war that are played, 0 to 2, and the one that is on.
    pub(super) first: u8,
    pub(super) last: u8,
    pub(super) war: u8,
    /// Game Turns begun.
    pub(super) turn: u8,
    /// The Event card of the turn, by number - 1, or [`NONE`] until it is turned up.
    pub(super) current: u8,
    pub(super) zeal: u8,
    /// Cards turned up in this match, as bits by number - 1.
    pub(super) seen: u64,
    /// Achievements in the boxes and in the Victory Point pile; others that were seen are discarded.
    pub(super) available: u64,
    pub(super) scored: u64,
    pub(super) flags: u16,
    /// Boxes of the markers, from the top.
    pub(super) tracks: [u8; TRACKS],
    /// This turn's modifiers of Politics rolls.
    pub(super) drm: [i8; TRACKS],
    /// The column of the Irish Troubles marker: Scotland, Parliament, Puritanism.
    pub(super) troubles: u8,
    pub(super) armies: [Army; ARMIES],
    pub(super) forts: [Fort; FORTS],
    /// The thing that the Zeal marker lies on, as a target's number, or [`NONE`].
    pub(super) zeal_on: u8,
    /// 0: in the pool; otherwise 8 * region + area.
    pub(super) revolts: [u8; REVOLTS],
    /// Deviltry markers on the map, as bits.
    pub(super) deviltry: u8,
    /// Rewards that were found, and those of them that wait to be used, as bits.
    pub(super) found: u8,
    pub(super) waiting: u8,
    /// Formations in each pool or Holding box, by kind.
    pub(super) pool: [u8; KINDS_MAX],
    /// Named units in the Recovery box, as bits by kind.
    pub(super) recovery: u32,
    /// Battle Event cards: still to be drawn, held, discarded.
    pub(super) battle_deck: u16,
    pub(super) battle_hand: u16,
    pub(super) battle_discard: u16,
    /// Number of times that the discards have become the draw pile.
    pub(super) shuffles: u8,
    pub(super) battle: Battle,
    pub(super) frames: Frames<Frame, DEPTH>,
    pub(super) verdict: Option<Verdict>,
}

impl State {
    pub(super) const fn has(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }

    pub(super) const fn set(&mut self, flag: u16, on: bool) {
        if on {
            self.flags |= flag;
        } else {
            self.flags &= !flag;
        }
    }

    /// Gives the innermost procedure's place to another, or to what is left of it.
    pub(super) fn replace(&mut self, frame: Frame) {
        *self.frames.top_mut().expect("a procedure is under way") = frame;
    }

    pub(super) const fn opted(&self, option: u8) -> bool {
        self.options & option != 0
    }

    /// Returns whether a card has been turned up, in this match or in the wars before it.
    pub(super) fn revealed(&self, content: &Content, card: u8) -> bool {
        self.seen & 1 << card != 0 || content.cards[usize::from(card)].deck < self.first
    }

    /// Returns whether cards come in numerical order.
    pub(super) const fn numerical(&self) -> bool {
        self.opted(OPT_NUMERICAL)
    }

    /// Cards of the war that is on that nobody has seen, as bits.
    pub(super) fn unseen(&self, content: &Content) -> u64 {
        content.decks[usize::from(self.war)] & !self.seen
    }

    /// Region and area of a revolt marker that is on the map.
    pub(super) fn revolt_at(&self, revolt: usize) -> Option<(usize, u8)> {
        let at = self.revolts[revolt];
        (at != 0).then_some((usize::from(at / 8), at % 8))
    }

    /// Returns the number of a kind of formation that are out of play, or have not come into it yet.
    pub(super) fn out_of_play(&self, content: &Content, kind: usize) -> u8 {
        let inside =
            self.pool[kind] + u8::from(self.recovery & 1 << kind != 0) + self.battle.of_kind(kind as u8);
        content.formations[kind].count.saturating_sub(inside)
    }
}
