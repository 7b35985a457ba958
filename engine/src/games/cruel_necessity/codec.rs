//! The canonical encoding of a state.

use crate::codec::{DecodeError, Reader, Writer};
use crate::flow::Frames;

use super::actions::TARGETS;
use super::content::{ARMIES, CardKind, Content, FORTS, KINDS_MAX, REVOLTS, TRACKS};
use super::frames::Frame;
use super::state::line::{Battle, Outcome, Place, SLOTS, Stage};
use super::state::{Army, DEPTH, Fort, NONE, State, Verdict};

/// Bits of [`State::flags`] that mean something.
const FLAGS: u16 = (1 << 13) - 1;

impl State {
    pub(super) fn encode(&self, to: &mut Writer) {
        for byte in [self.options, self.first, self.last, self.war, self.turn, self.current, self.zeal] {
            to.u8(byte);
        }
        for set in [self.seen, self.available, self.scored] {
            to.u64(set);
        }
        to.u16(self.flags);
        self.tracks.iter().for_each(|&at| to.u8(at));
        self.drm.iter().for_each(|&drm| to.u8(drm as u8));
        to.u8(self.troubles);
        for army in self.armies {
            to.u8(army.area);
            to.bool(army.disordered);
            to.u8(army.markers as u8);
            to.u8(army.counter);
        }
        for fort in self.forts {
            to.bool(fort.royalist);
            to.u8(fort.click);
            to.u8(fort.fortified);
        }
        to.u8(self.zeal_on);
        self.revolts.iter().for_each(|&revolt| to.u8(revolt));
        for byte in [self.deviltry, self.found, self.waiting] {
            to.u8(byte);
        }
        self.pool.iter().for_each(|&count| to.u8(count));
        to.u32(self.recovery);
        for set in [self.battle_deck, self.battle_hand, self.battle_discard] {
            to.u16(set);
        }
        to.u8(self.shuffles);
        self.battle.encode(to);
        let frames: Vec<Frame> = self.frames.iter().copied().collect();
        to.list(&frames, |to, frame| frame.encode(to));
        to.option(self.verdict, |to, verdict| to.u8(verdict as u8));
    }

    pub(super) fn decode(content: &Content, from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let options = from.u8()?;
        let (first, last) = (from.below(3, "a war")?, from.below(3, "a war")?);
        let war = {
            let error = from.error("a war of the match");
            Some(from.u8()?).filter(|war| (first..=last).contains(war)).ok_or(error)?
        };
        let turn = from.u8()?;
        let current = {
            let error = from.error("an Event card");
            let event = |card: u8| {
                let card = content.cards.get(usize::from(card));
                card.is_some_and(|card| matches!(card.kind, CardKind::Event { .. }))
            };
            Some(from.u8()?).filter(|&card| card == NONE || event(card)).ok_or(error)?
        };
        let zeal = from.below(content.numbers.zeal.max + 1, "Zeal Points")?;
        let seen = set_of(from, content.cards.len(), "a set of cards")?;
        let achievements = content.achievements.iter().fold(0u64, |set, one| set | 1 << one.card);
        let available = subset(from, seen & achievements, "Achievements that were seen")?;
        let scored = subset(from, seen & achievements & !available, "other Achievements that were seen")?;
        let flags = {
            let error = from.error("flags");
            Some(from.u16()?).filter(|flags| flags & !FLAGS == 0).ok_or(error)?
        };
        let mut tracks = [0; TRACKS];
        for at in &mut tracks {
            *at = from.below(6, "a box")?;
        }
        let mut drm = [0; TRACKS];
        for drm in &mut drm {
            *drm = from.u8()? as i8;
        }
        let troubles = from.below(3, "a column")?;
        let mut armies = [Army::default(); ARMIES];
        for (index, army) in armies.iter_mut().enumerate() {
            *army = decode_army(content, index, from)?;
        }
        let mut forts = [Fort::default(); FORTS];
        for fort in &mut forts {
            let (royalist, error) = (from.bool()?, from.error("a click from 1 to 5"));
            let click = Some(from.u8()?).filter(|click| (1..=5).contains(click)).ok_or(error)?;
            *fort = Fort { royalist, click, fortified: from.u8()? };
        }
        let zeal_on = below_or_none(from, TARGETS, "a target")?;
        let mut revolts = [0; REVOLTS];
        for revolt in &mut revolts {
            let error = from.error("a region and an area");
            let sound = |&at: &u8| at == 0 || (at < 32 && (1..=5).contains(&(at % 8)));
            *revolt = Some(from.u8()?).filter(sound).ok_or(error)?;
        }
        let (deviltry, found, error) = (from.u8()?, from.u8()?, from.error("rewards that were found"));
        let waiting = Some(from.u8()?).filter(|waiting| waiting & !found == 0).ok_or(error)?;
        let mut pool = [0; KINDS_MAX];
        for (kind, count) in pool.iter_mut().enumerate() {
            let most = content.formations.get(kind).map_or(0, |formation| formation.count);
            *count = from.below(most + 1, "how many there are in the pool")?;
        }
        let recovery = {
            let error = from.error("Named units");
            let named = |&kind: &usize| content.formations[kind].is_named;
            let all = (0..content.formations.len()).filter(named).fold(0, |set, kind| set | 1u32 << kind);
            Some(from.u32()?).filter(|set| set & !all == 0).ok_or(error)?
        };
        let mut left = ((1u32 << content.battle_cards.len()) - 1) as u16;
        let mut piles = [0; 3];
        for pile in &mut piles {
            let error = from.error("Battle Event cards, each in one pile");
            *pile = Some(from.u16()?).filter(|set| set & !left == 0).ok_or(error)?;
            left &= !*pile;
        }
        let shuffles = from.u8()?;
        let battle = Battle::decode(content, from)?;
        let mut frames = Frames::default();
        let listed = from.list(DEPTH, |from| {
            let error = from.error("a procedure");
            let frame = Frame::decode(content, from)?;
            if is_sound(content, frame) { Ok(frame) } else { Err(error) }
        })?;
        listed.into_iter().for_each(|frame| frames.open(frame));
        let verdict = from.option(|from| {
            let verdicts = [Verdict::London, Verdict::Grades, Verdict::Finished];
            from.below(3, "an ending").map(|verdict| verdicts[usize::from(verdict)])
        })?;
        let [battle_deck, battle_hand, battle_discard] = piles;
        Ok(Self {
            options,
            first,
            last,
            war,
            turn,
            current,
            zeal,
            seen,
            available,
            scored,
            flags,
            tracks,
            drm,
            troubles,
            armies,
            forts,
            zeal_on,
            revolts,
            deviltry,
            found,
            waiting,
            pool,
            recovery,
            battle_deck,
            battle_hand,
            battle_discard,
            shuffles,
            battle,
            frames,
            verdict,
        })
    }
}

impl Battle {
    fn encode(&self, to: &mut Writer) {
        to.u8(self.stage as u8);
        to.bool(self.quick);
        to.u8(self.army);
        for slot in 0..SLOTS {
            to.u8(self.line[slot]);
            to.u8(self.places[slot] as u8);
            to.u8(self.markers[slot] as u8);
        }
        to.u16(self.marked);
        for byte in
            [self.draws, self.card, self.slot, self.sector, self.extra as u8, self.dice[0], self.dice[1]]
        {
            to.u8(byte);
        }
        to.u8(self.outcome as u8);
        to.bool(self.salvaged);
        to.bool(self.trusted);
        to.u8(self.points);
    }

    fn decode(content: &Content, from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let stage = from.below(Stage::ALL.len() as u8, "a stage of a Battle")?;
        let mut battle =
            Self { stage: Stage::ALL[usize::from(stage)], quick: from.bool()?, ..Self::default() };
        battle.army = below_or_none(from, 2, "an Army in England")?;
        for slot in 0..SLOTS {
            battle.line[slot] = below_or_none(from, content.formations.len(), "a kind of formation")?;
            battle.places[slot] = Place::ALL[usize::from(from.below(5, "a box of the Battle")?)];
            battle.markers[slot] = from.u8()? as i8;
        }
        let error = from.error("places of the line");
        battle.marked = Some(from.u16()?).filter(|set| set >> SLOTS == 0).ok_or(error)?;
        battle.draws = from.u8()?;
        battle.card = below_or_none(from, content.battle_cards.len(), "a Battle Event card")?;
        battle.slot = below_or_none(from, SLOTS, "a place of the line")?;
        battle.sector = from.below(4, "a sector")?;
        battle.extra = from.u8()? as i8;
        battle.dice = [from.below(7, "a die")?, from.below(7, "a die")?];
        battle.outcome = Outcome::ALL[usize::from(from.below(4, "an outcome")?)];
        battle.salvaged = from.bool()?;
        battle.trusted = from.bool()?;
        battle.points = from.u8()?;
        Ok(battle)
    }
}

fn set_of(from: &mut Reader<'_>, size: usize, what: &'static str) -> Result<u64, DecodeError> {
    let error = from.error(what);
    Some(from.u64()?).filter(|set| set >> size == 0).ok_or(error)
}

fn subset(from: &mut Reader<'_>, of: u64, what: &'static str) -> Result<u64, DecodeError> {
    let error = from.error(what);
    Some(from.u64()?).filter(|set| set & !of == 0).ok_or(error)
}

fn below_or_none(from: &mut Reader<'_>, bound: usize, what: &'static str) -> Result<u8, DecodeError> {
    let error = from.error(what);
    Some(from.u8()?).filter(|&value| value == NONE || usize::from(value) < bound).ok_or(error)
}

fn decode_army(content: &Content, army: usize, from: &mut Reader<'_>) -> Result<Army, DecodeError> {
    let error = from.error("an area of the region");
    let least = u8::from(army > 1);
    let area = Some(from.u8()?).filter(|area| (least..=5).contains(area)).ok_or(error)?;
    let (disordered, markers) = (from.bool()?, from.u8()? as i8);
    let error = from.error("a counter of the Army");
    let ours = |&counter: &u8| {
        content.counters.get(usize::from(counter)).is_some_and(|counter| usize::from(counter.army) == army)
    };
    let counter = Some(from.u8()?).filter(ours).ok_or(error)?;
    Ok(Army { area, disordered, markers, counter })
}

/// Returns whether the fields of a frame agree.
fn is_sound(content: &Content, frame: Frame) -> bool {
    match frame {
        Frame::Items { list, next } => {
            content.lists.get(usize::from(list)).is_some_and(|ops| usize::from(next) <= ops.len())
        }
        Frame::Siege { left, .. } => (1..=2).contains(&left),
        Frame::Track { left, .. } => left <= 5,
        Frame::Revolt { region, north, .. } => {
            if region == NONE {
                north & 0b1000_0001 == 0
            } else {
                north == 0
            }
        }
        _ => true,
    }
}
