//! The canonical encoding of a state: kinds of its fields with their bounds, then the fields in the order of their bytes.

use std::marker::PhantomData;

use crate::codec::{Coding, DecodeError, Flagged, Reader, Writer};
use crate::flow::{Count, Frames};
use crate::numbered::{Listed, SetOf};

use super::actions::{TARGETS, Target};
use super::content::{
    ARMIES, ArmyId, BattleCardId, CardId, CardKind, Content, CounterId, DeviltryId, FORTS, FormationId,
    KINDS_MAX, REVOLTS, RewardId, SLOTS, SectorId, SlotId, TRACKS, WEST, WarId,
};
use super::frames::{DEPTH, Frame};
use super::state::line::{Battle, Outcome, Place, Stage, Standing};
use super::state::{Army, Flags, Fort, Options, RevoltArea, State, Verdict};

/// Kinds that are written as one number, and the words for a number that means none of their values.
macro_rules! written_as {
    ($($(#[$about:meta])* $Kind:ty: $Value:ty as $number:ident, $expected:literal, $write:expr, $read:expr;)+) => {
        $($(#[$about])* impl Coding<Content> for $Kind {
            type Value = $Value;

            fn encode(value: &$Value, to: &mut Writer) {
                let write: fn($Value) -> $number = $write;
                to.$number(write(*value));
            }

            fn decode(_: &Content, from: &mut Reader<'_>) -> Result<$Value, DecodeError> {
                let error = from.error($expected);
                let read: fn($number) -> Option<$Value> = $read;
                read(from.$number()?).ok_or(error)
            }
        })+
    };
}

/// A number that may be negative.
enum Signed {}

/// A click of a fortress that somebody holds.
enum Click {}

written_as! {
    Signed: i8 as u8, "a number", |number| number as u8, |byte| Some(byte as i8);
    Click: u8 as u8, "a click from 1 to 5", |click| click, |byte| Some(byte).filter(|click| (1..=5).contains(click));
    Options: Self as u8, "options", |options| options.bits(), Self::from_bits;
    Flags: Self as u16, "flags", |flags| flags.bits(), Self::from_bits;
    Option<Target>: Self as u8, "a target",
        |target| target.map_or(u8::MAX, |target| target.number() as u8),
        |byte| match usize::from(byte) {
            number if number < TARGETS => Some(Some(Target::of(number))),
            _ => (byte == u8::MAX).then_some(None),
        };
    /// 8 for each region before, and the area; 0: in the pool.
    Option<RevoltArea>: Self as u8, "a region and an area",
        |at| at.map_or(0, |at| 8 * at.region.index() as u8 + at.area),
        |byte| {
            let at = RevoltArea { region: ArmyId::new(usize::from(byte / 8)), area: byte % 8 };
            let sound = byte < 32 && (1..=5).contains(&at.area);
            (sound || byte == 0).then(|| Some(at).filter(|_| sound))
        };
}

/// A set in so many bytes.
struct SetIn<const BYTES: usize, T>(PhantomData<T>);

impl<const BYTES: usize, T: Listed<Content>> Coding<Content> for SetIn<BYTES, T> {
    type Value = SetOf<T>;

    fn encode(value: &SetOf<T>, to: &mut Writer) {
        value.bits().to_le_bytes()[..BYTES].iter().for_each(|&byte| to.u8(byte));
    }

    fn decode(content: &Content, from: &mut Reader<'_>) -> Result<SetOf<T>, DecodeError> {
        let error = from.error(T::EXPECTED);
        let mut bytes = [0; 8];
        for byte in &mut bytes[..BYTES] {
            *byte = from.u8()?;
        }
        let set = SetOf::of_bits(u64::from_le_bytes(bytes));
        if (set - SetOf::first_of(T::count(content))).is_empty() { Ok(set) } else { Err(error) }
    }
}

/// The numbers of formations of each kind.
enum Pools {}

impl Coding<Content> for Pools {
    type Value = [u8; KINDS_MAX];

    fn encode(value: &Self::Value, to: &mut Writer) {
        value.iter().for_each(|&count| to.u8(count));
    }

    fn decode(content: &Content, from: &mut Reader<'_>) -> Result<Self::Value, DecodeError> {
        let mut pool = [0; KINDS_MAX];
        for (kind, count) in pool.iter_mut().enumerate() {
            let most = content.formations.get(kind).map_or(0, |formation| formation.count);
            *count = from.below(most + 1, "how many there are in the pool")?;
        }
        Ok(pool)
    }
}

crate::coded! {
    Army, of Content { area: Count<6>, disordered: bool, markers: Signed, counter: CounterId }

    Fort, of Content { royalist: bool, click: Click, fortified: u8 }

    Standing, of Content { kind: Option<FormationId>, place: Place, markers: Signed }

    Battle, of Content {
        stage: Stage,
        quick: bool,
        army: Option<ArmyId>,
        line: [Standing; SLOTS],
        marked: SetIn<2, SlotId>,
        draws: u8,
        card: Option<BattleCardId>,
        slot: Option<SlotId>,
        sector: SectorId,
        extra: Signed,
        dice: [Count<7>; 2],
        outcome: Outcome,
        salvaged: bool,
        trusted: bool,
        points: u8,
    }

    State, of Content {
        options: Options,
        first: WarId,
        last: WarId,
        war: WarId,
        turn: u8,
        current: Option<CardId>,
        zeal: u8,
        seen: SetIn<8, CardId>,
        available: SetIn<8, CardId>,
        scored: SetIn<8, CardId>,
        flags: Flags,
        tracks: [Count<6>; TRACKS],
        drm: [Signed; TRACKS],
        troubles: Count<3>,
        armies: [Army; ARMIES],
        forts: [Fort; FORTS],
        zeal_on: Option<Target>,
        revolts: [Option<RevoltArea>; REVOLTS],
        deviltry: SetIn<1, DeviltryId>,
        found: SetIn<1, RewardId>,
        waiting: SetIn<1, RewardId>,
        pool: Pools,
        recovery: SetIn<4, FormationId>,
        battle_deck: SetIn<2, BattleCardId>,
        battle_hand: SetIn<2, BattleCardId>,
        battle_discard: SetIn<2, BattleCardId>,
        shuffles: u8,
        battle: Battle,
        frames: Frames<Frame, DEPTH>,
        verdict: Flagged<Verdict>,
    }
}

impl State {
    /// Reads a state whose fields agree.
    pub(super) fn decode_sound(content: &Content, from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let error = from.error("a state whose fields agree");
        let state = <Self as Coding<Content>>::decode(content, from)?;
        if state.cards_are_sound(content) && state.units_are_sound(content) { Ok(state) } else { Err(error) }
    }

    fn cards_are_sound(&self, content: &Content) -> bool {
        let achievements: SetOf<CardId> = content.achievements.iter().map(|one| one.card).collect();
        let laid_out = self.available | self.scored;
        let event = |card: CardId| matches!(content.cards[card].kind, CardKind::Event { .. });
        let piles = [self.battle_deck, self.battle_hand, self.battle_discard];
        let [deck, hand, discard] = piles;
        (self.first..=self.last).contains(&self.war)
            && self.current.is_none_or(event)
            && (laid_out - (self.seen & achievements)).is_empty()
            && !self.available.meets(self.scored)
            && !deck.meets(hand | discard)
            && !hand.meets(discard)
    }

    fn units_are_sound(&self, content: &Content) -> bool {
        let named = |kind: FormationId| content.formations[kind].is_named;
        let army = |army: ArmyId| {
            let unit = self.armies[army];
            content.counters[unit.counter].army == army && (unit.area > 0 || army <= WEST)
        };
        self.zeal <= content.numbers.zeal.max
            && ArmyId::all(content).all(army)
            && (self.waiting - self.found).is_empty()
            && self.recovery.iter().all(named)
            && self.battle.army.is_none_or(|army| army <= WEST)
            && self.frames.iter().all(|&frame| is_sound(content, frame))
    }
}

/// Returns whether the fields of a frame agree.
fn is_sound(content: &Content, frame: Frame) -> bool {
    match frame {
        Frame::Items { list, next } => usize::from(next) <= content.lists[list].len(),
        Frame::Siege { left, .. } => (1..=2).contains(&left),
        Frame::Track { left, .. } => left <= 5,
        Frame::Displace { card } => content.achievement(card).is_some(),
        Frame::Revolt { region: Some(region), north, .. } => region <= WEST && north == 0,
        // The faces of a die, while it is due.
        Frame::Revolt { region: None, north, .. } => north & 0b1000_0001 == 0,
        _ => true,
    }
}
