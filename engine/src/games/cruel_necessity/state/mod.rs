//! The state: everything that the rules remember ([`State`]).

pub(super) mod line;

use bitflags::bitflags;

use crate::flow::Frames;
use crate::numbered::SetOf;

use self::line::Battle;
use super::actions::Target;
use super::content::{
    ARMIES, ArmyId, BattleCardId, CardId, Content, CounterId, DeviltryId, FORTS, FormationId, IRELAND,
    KINDS_MAX, REVOLTS, RewardId, T_PARLIAMENT, TRACKS, TrackId, WarId,
};
use super::frames::{DEPTH, Frame};

/// The top and the bottom box of a track.
pub(super) const TOP: u8 = 0;
pub(super) const BOTTOM: u8 = 5;

bitflags! {
    /// Options of the match.
    #[derive(Copy, Clone, PartialEq, Eq, Debug)]
    pub(super) struct Options: u8 {
        const NUMERICAL = 1;
        const LICENSING_3 = 1 << 1;
        const FORTIFY_LIMIT = 1 << 2;
        const RECONNAISSANCE = 1 << 3;
        const LEAGUE = 1 << 4;
        const QUICK = 1 << 5;
        const SETTLERS = 1 << 6;
        const STRIKE = 1 << 7;
    }

    /// Things that are so or not.
    #[derive(Copy, Clone, PartialEq, Eq, Debug)]
    pub(super) struct Flags: u16 {
        const OXFORD_PERMITTED = 1;
        /// A Battle was won this turn.
        const WON_NOW = 1 << 1;
        /// One was won the turn before.
        const WON_BEFORE = 1 << 2;
        /// The Zeal marker was placed on the map this turn.
        const ZEAL_PLACED = 1 << 3;
        /// A Desperate Act was made on Parliament this turn.
        const DESPERATE_PARLIAMENT = 1 << 4;
        /// One was made on Puritanism.
        const DESPERATE_PURITANISM = 1 << 5;
        /// A free placement of the Zeal marker waits for the next turn.
        const LICENCE_NEXT = 1 << 6;
        /// One is at hand.
        const LICENCE_NOW = 1 << 7;
        /// Religious Reactions may be ignored.
        const IMMUNE = 1 << 8;
        /// English settlers were sent to Ireland.
        const SETTLED_IRELAND = 1 << 9;
        /// They were sent to Scotland.
        const SETTLED_SCOTLAND = 1 << 10;
        /// The strike of 12.5 was made.
        const STRUCK = 1 << 11;
        /// An Army is looked at when the turn ends (the card says which).
        const WATCHED = 1 << 12;
    }
}

impl Flags {
    /// A Desperate Act was made on a track this turn.
    pub(super) fn desperate(track: TrackId) -> Self {
        if track == T_PARLIAMENT { Self::DESPERATE_PARLIAMENT } else { Self::DESPERATE_PURITANISM }
    }

    /// English settlers were sent to the land of an Army.
    pub(super) fn settled(army: ArmyId) -> Self {
        if army == IRELAND { Self::SETTLED_IRELAND } else { Self::SETTLED_SCOTLAND }
    }
}

/// An invading Army.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Army {
    /// 5 to 1; 0 is London Under Siege.
    pub(super) area: u8,
    pub(super) disordered: bool,
    /// The sum of its temporary Strength markers.
    pub(super) markers: i8,
    pub(super) counter: CounterId,
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

/// The area in which a revolt is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct RevoltArea {
    pub(super) region: ArmyId,
    /// 1 to 5.
    pub(super) area: u8,
}

crate::coded_variants! {
    /// The verdict on a match at its end.
    pub(super) enum Verdict "an ending" {
        /// London is lost (9.0).
        London,
        /// Too many F grades (9.0).
        Grades,
        /// The last card is done (11.2).
        Finished,
    }
}

/// The state of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    pub(super) options: Options,
    /// The first and the last war that are played, and the one that is on.
    pub(super) first: WarId,
    pub(super) last: WarId,
    pub(super) war: WarId,
    /// Game Turns begun.
    pub(super) turn: u8,
    /// The Event card of the turn, once it is turned up.
    pub(super) current: Option<CardId>,
    pub(super) zeal: u8,
    /// Cards turned up in this match.
    pub(super) seen: SetOf<CardId>,
    /// Achievements in the boxes and in the Victory Point pile; others that were seen are discarded.
    pub(super) available: SetOf<CardId>,
    pub(super) scored: SetOf<CardId>,
    pub(super) flags: Flags,
    /// Boxes of the markers, from the top.
    pub(super) tracks: [u8; TRACKS],
    /// This turn's modifiers of Politics rolls.
    pub(super) drm: [i8; TRACKS],
    /// The column of the Irish Troubles marker: Scotland, Parliament, Puritanism.
    pub(super) troubles: u8,
    pub(super) armies: [Army; ARMIES],
    pub(super) forts: [Fort; FORTS],
    /// The thing that the Zeal marker lies on.
    pub(super) zeal_on: Option<Target>,
    /// Where each revolt marker is; in the pool otherwise.
    pub(super) revolts: [Option<RevoltArea>; REVOLTS],
    /// Deviltry markers on the map.
    pub(super) deviltry: SetOf<DeviltryId>,
    /// Rewards that were found, and those of them that wait to be used.
    pub(super) found: SetOf<RewardId>,
    pub(super) waiting: SetOf<RewardId>,
    /// Formations in each pool or Holding box, by kind.
    pub(super) pool: [u8; KINDS_MAX],
    /// Named units in the Recovery box.
    pub(super) recovery: SetOf<FormationId>,
    /// Battle Event cards: still to be drawn, held, discarded.
    pub(super) battle_deck: SetOf<BattleCardId>,
    pub(super) battle_hand: SetOf<BattleCardId>,
    pub(super) battle_discard: SetOf<BattleCardId>,
    /// Number of times that the discards have become the draw pile.
    pub(super) shuffles: u8,
    pub(super) battle: Battle,
    pub(super) frames: Frames<Frame, DEPTH>,
    pub(super) verdict: Option<Verdict>,
}

impl State {
    /// Returns whether one of these things is so.
    pub(super) const fn has(&self, flags: Flags) -> bool {
        self.flags.intersects(flags)
    }

    pub(super) fn set(&mut self, flags: Flags, on: bool) {
        self.flags.set(flags, on);
    }

    /// Gives the innermost procedure's place to another, or to what is left of it.
    pub(super) fn replace(&mut self, frame: Frame) {
        *self.frames.top_mut().expect("a procedure is under way") = frame;
    }

    pub(super) const fn opted(&self, option: Options) -> bool {
        self.options.contains(option)
    }

    /// Returns whether a card has been turned up, in this match or in the wars before it.
    pub(super) fn revealed(&self, content: &Content, card: CardId) -> bool {
        self.seen.contains(card) || content.cards[card].deck < self.first
    }

    /// Returns whether cards come in numerical order.
    pub(super) const fn numerical(&self) -> bool {
        self.opted(Options::NUMERICAL)
    }

    /// Cards of the war that is on that nobody has seen.
    pub(super) fn unseen(&self, content: &Content) -> SetOf<CardId> {
        content.decks[self.war] - self.seen
    }

    /// The track over the Irish Troubles marker.
    pub(super) const fn troubled(&self) -> TrackId {
        TrackId::new(TRACKS / 2 + self.troubles as usize)
    }

    /// Returns whether a kind of formation has come into the game: Parliament's Named units come by cards.
    pub(super) fn has_entered(&self, content: &Content, kind: FormationId) -> bool {
        let formation = &content.formations[kind];
        let brought = || content.brought_by[kind].is_some_and(|card| self.revealed(content, card));
        !formation.is_named || formation.royalist || brought()
    }

    /// Returns the number of a kind of formation that are out of play, or have not come into it yet.
    pub(super) fn out_of_play(&self, content: &Content, kind: FormationId) -> u8 {
        let recovers = u8::from(self.recovery.contains(kind));
        let inside = self.pool[kind] + recovers + self.battle.of_kind(kind);
        content.formations[kind].count.saturating_sub(inside)
    }
}
