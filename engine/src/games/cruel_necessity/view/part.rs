//! The part of a board that two states of a match may show differently ([`Part`]).

use crate::numbered::{Listed, Numbered, SetOf};

use super::super::actions::Target;
use super::super::content::{
    ArmyId, Content, DEVILTRY, DeviltryId, FormationId, FortId, IRELAND, REVOLTS, RevoltId, SCOTLAND, SLOTS,
    SlotId, T_IRELAND, T_MONARCHY, T_SCOTLAND, TrackId,
};
use super::super::frames::Frame;
use super::super::state::line::slots;
use super::super::state::{Flags, State};

/// A part of the board. Of a kind of formation all are in it, or none.
pub(super) struct Part {
    pub(super) armies: SetOf<ArmyId>,
    pub(super) forts: SetOf<FortId>,
    pub(super) revolts: SetOf<RevoltId>,
    pub(super) deviltry: SetOf<DeviltryId>,
    pub(super) tracks: SetOf<TrackId>,
    pub(super) formations: SetOf<FormationId>,
    pub(super) slots: SetOf<SlotId>,
    pub(super) piles: bool,
    pub(super) turn: bool,
    pub(super) rights: bool,
    pub(super) score: bool,
}

impl Part {
    /// The whole board.
    pub(super) fn all(content: &Content) -> Self {
        Self {
            armies: ArmyId::all(content).collect(),
            forts: FortId::all(content).collect(),
            revolts: SetOf::first_of(REVOLTS),
            deviltry: SetOf::first_of(DEVILTRY),
            tracks: TrackId::all(content).collect(),
            formations: FormationId::all(content).collect(),
            slots: SetOf::first_of(SLOTS),
            piles: true,
            turn: true,
            rights: true,
            score: true,
        }
    }

    /// The part that differs between two states, if anything does.
    pub(super) fn differing(content: &Content, before: &State, after: &State) -> Self {
        let mut part = Self {
            armies: differing(&before.armies, &after.armies),
            forts: differing(&before.forts, &after.forts),
            revolts: differing(&before.revolts, &after.revolts),
            deviltry: either(before.deviltry, after.deviltry),
            tracks: differing(&before.tracks, &after.tracks) | differing(&before.drm, &after.drm),
            formations: formations(content, before, after),
            slots: differing(&before.battle.line, &after.battle.line)
                | either(before.battle.marked, after.battle.marked),
            piles: piles(before) != piles(after) || displaced(before) != displaced(after),
            turn: turn(before) != turn(after),
            rights: rights(before) != rights(after),
            score: false,
        };
        if before.zeal_on != after.zeal_on {
            before.zeal_on.into_iter().chain(after.zeal_on).for_each(|target| part.add(target));
        }
        part.add_what_tracks_do(before, after);
        // 12.5: a strike lets a Campaign against an Army make sense that would make none.
        if before.has(Flags::STRUCK) != after.has(Flags::STRUCK) {
            part.armies = ArmyId::all(content).collect();
        }
        part.score = part.counts() || scored(before) != scored(after);
        part
    }

    /// Returns whether things on the map that are worth points are in it.
    const fn counts(&self) -> bool {
        !(self.armies.is_empty()
            && self.forts.is_empty()
            && self.revolts.is_empty()
            && self.deviltry.is_empty()
            && self.tracks.is_empty())
    }

    fn add(&mut self, target: Target) {
        match target {
            Target::Army(army) => self.armies.insert(army),
            Target::Fort(fort) => self.forts.insert(fort),
            Target::Revolt(revolt) => self.revolts.insert(revolt),
            Target::Deviltry(marker) => self.deviltry.insert(marker),
            Target::Track(track) => self.tracks.insert(track),
        }
    }

    /// 6.6.3: what the flip boxes of tracks do to other things.
    fn add_what_tracks_do(&mut self, before: &State, after: &State) {
        let moved = differing(&before.tracks, &after.tracks);
        if moved.contains(T_IRELAND) {
            self.armies.insert(IRELAND);
        }
        if moved.contains(T_SCOTLAND) {
            self.armies.insert(SCOTLAND);
        }
        if moved.contains(T_MONARCHY) {
            (self.revolts, self.deviltry) = (SetOf::first_of(REVOLTS), SetOf::first_of(DEVILTRY));
        }
    }
}

/// The things whose entries differ.
fn differing<I: Numbered, T: PartialEq>(before: &[T], after: &[T]) -> SetOf<I> {
    let pairs = before.iter().zip(after).enumerate();
    pairs.filter(|(_, (before, after))| before != after).map(|(index, _)| I::new(index)).collect()
}

/// The things that are in one of two sets alone.
fn either<I: Numbered>(before: SetOf<I>, after: SetOf<I>) -> SetOf<I> {
    (before | after) - (before & after)
}

/// Kinds of formations of which some have come, gone or moved.
fn formations(content: &Content, before: &State, after: &State) -> SetOf<FormationId> {
    let mut kinds = differing(&before.pool, &after.pool) | either(before.recovery, after.recovery);
    let lines = [&before.battle.line, &after.battle.line];
    for slot in slots().filter(|&slot| lines[0][slot] != lines[1][slot]) {
        kinds.extend(lines.iter().filter_map(|line| line[slot].kind));
    }
    if before.seen != after.seen {
        let entered =
            |kind: &FormationId| before.has_entered(content, *kind) != after.has_entered(content, *kind);
        kinds.extend(FormationId::all(content).filter(entered));
    }
    kinds
}

/// All that the piles follow from, but for the card that displaces another.
fn piles(state: &State) -> impl PartialEq {
    let battle = (state.battle_deck, state.battle_hand, state.battle_discard, state.shuffles);
    (state.war, state.seen, state.available, state.scored, battle)
}

/// The markers of the turn, of Zeal and of the Irish Troubles.
fn turn(state: &State) -> impl PartialEq {
    (state.turn, state.war, state.zeal, state.zeal_on, state.troubles)
}

/// Rights, permissions and what was done this turn.
fn rights(state: &State) -> impl PartialEq {
    (state.flags, state.found, state.waiting)
}

/// The things that count beside those on the map.
fn scored(state: &State) -> impl PartialEq {
    (state.found, state.scored, state.verdict)
}

/// Returns whether a card waits for another to be displaced.
fn displaced(state: &State) -> bool {
    state.frames.iter().any(|frame| matches!(frame, Frame::Displace { .. }))
}
