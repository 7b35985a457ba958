//! Retreat and Regroup (7.6, 7.7).

use std::ops::ControlFlow;

use crate::event::{Event, Events, Scene};
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::Seat;

use super::super::frames::Frame;
use super::super::state::{
    FIGHTING, Fight, FightKind, HELD, JOINED, NONE, RESERVE, Relief, Stage, State, TAKEN, TIRED, UNMARKED,
    WITHDREW, each,
};
use super::super::{ThisWar, rules};
use super::control::{Control, chaperoned};

impl ThisWar {
    /// 7.5: the Loser's blocks that have still to go.
    pub(in super::super) fn retreating(&self, state: &State, fight: &Fight) -> u64 {
        let Some(loser) = fight.loser else { return 0 };
        let own = state.out(&self.content, fight.area, loser);
        // Blocks that kept up the Siege go, too; those that came out of the City in mid-Battle have no part in it.
        let aside = if fight.relief == Relief::Maintained { 0 } else { state.flagged(own, HELD) };
        own & !aside | self.fighters(state, fight, loser, JOINED)
    }

    /// 7.6: where a block may retreat to: places, a bit each.
    pub(in super::super) fn retreat_goals(&self, state: &State, fight: &Fight, block: u8) -> u64 {
        let content = &self.content;
        let index = usize::from(block);
        let seat = content.blocks[index].side;
        let mut goals = 0u64;
        for way in &content.areas[usize::from(fight.area)].ways {
            let open = self.free_for(state, seat, way.to);
            let used = state.crossed[usize::from(way.out)];
            let room = used < way.limit || !rules::RETREAT_LIMIT.on();
            let barred = state.entered[usize::from(way.back)] == seat.other().index() as u8 + 1
                && rules::RETREAT_BORDERS.on();
            let company = state.out(content, way.to, seat);
            let settled = !content.abroad(index, way.to)
                || chaperoned(content, index, company)
                || !rules::REGIONAL_RETREAT.on();
            if open && room && !barred && settled {
                goals |= 1 << way.to;
            }
        }
        if let Some(city) = content.areas[usize::from(fight.area)].city {
            let place = content.city_place(city);
            let joined = state.blocks[index].flags & JOINED != 0;
            let relieved =
                fight.kind != FightKind::Battle || fight.relief != super::super::state::Relief::None;
            let defends =
                seat == fight.defender() && !relieved && self.shelter(state, fight.area) == Some(seat);
            let within = state.at(place);
            let waiting = state.flagged(within, JOINED);
            let field = (within & !waiting & content.field()).count_ones();
            let gun = content.guns >> block & 1 != 0;
            let room = gun || field < u32::from(content.cities[usize::from(city)].size);
            if (joined || defends) && room && rules::RETREAT_CITY.on() {
                goals |= 1 << place;
            }
        }
        goals
    }

    /// 7.6, 7.7: a Friendly or Vacant Area.
    fn free_for(&self, state: &State, seat: Seat, area: u8) -> bool {
        state.control(&self.content, area) == Control::Of(seat) || state.vacant(&self.content, area)
    }

    pub(in super::super) fn examine_retreat(
        &self,
        state: &State,
        seat: Seat,
        block: u8,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let Some(fight) = state.fight else { return ControlFlow::Break(()) };
        let piece = Ref::Piece(block.into());
        let goes = self.retreating(state, &fight) >> block & 1 != 0 && fight.loser == Some(seat);
        why.demand(goes, rules::RETREAT, "NOT_THERE", &[piece])?;
        let goals = self.retreat_goals(state, &fight, block);
        why.require(goals != 0, rules::RETREAT, "NO_WAY_OUT", &[Ref::Space(fight.area.into())])
    }

    pub(in super::super) fn examine_retreat_done(&self, state: &State, why: &mut Why) -> ControlFlow<()> {
        let Some(fight) = state.fight else { return ControlFlow::Break(()) };
        let able =
            each(self.retreating(state, &fight)).any(|b| self.retreat_goals(state, &fight, b as u8) != 0);
        why.require(!able, rules::RETREAT, "MUST_RETREAT", &[])
    }

    /// 7.6: a block retreats.
    pub(in super::super) fn retreat(&self, state: &mut State, block: u8, to: u8, out: &mut Events) {
        let Some(mut fight) = state.fight else { return };
        let scene = Scene::open(self, state, 2, out);
        state.frames.close();
        let index = usize::from(block);
        if let Some(way) = self.content.way(fight.area, to) {
            let count = &mut state.crossed[usize::from(way.out)];
            *count = count.saturating_add(1);
        }
        let area = self.content.area_of(to).unwrap_or(fight.area);
        let besieges = to == area
            && self.content.areas[usize::from(area)]
                .city
                .is_some_and(|c| state.siege[usize::from(c)] >= UNMARKED);
        fight.touched |= 1 << area;
        state.fight = Some(fight);
        // Its look changes with its place: both are one departure.
        state.depart(&self.content, 1 << index);
        let flags = &mut state.blocks[index].flags;
        *flags &= !(FIGHTING | RESERVE | HELD | JOINED);
        if to != area {
            *flags |= WITHDREW;
        } else if besieges {
            *flags |= TIRED;
        }
        state.blocks[index].by = NONE;
        let (seat, from) = (self.content.blocks[index].side, state.blocks[index].at);
        state.put(index, to);
        for area in [fight.area, area] {
            state.touch(&self.content, area);
        }
        let refs = |what| [Ref::Seat(seat), what, Ref::Space(from.into()), Ref::Space(to.into())];
        let back = Ref::Kind(super::super::catalogue::BACK + seat.index() as u16);
        scene.publish(self, state, out, || {
            Event::new("retreats", rules::RETREAT, &refs(back)).private(
                seat,
                &refs(Ref::Piece(block.into())),
                [],
            )
        });
    }

    /// 7.6: who can't retreat is lost.
    pub(in super::super) fn retreat_over(&self, state: &mut State, out: &mut Events) {
        let Some(mut fight) = state.fight else { return };
        let scene = Scene::open(self, state, 2, out);
        let left = self.retreating(state, &fight);
        fight.stage = Stage::Regroup;
        state.fight = Some(fight);
        each(left).for_each(|block| state.eliminate(&self.content, block));
        // 7.7: the Besieged who joined and won are outside now.
        let victor = fight.loser.unwrap_or(fight.attacker).other();
        if state.out(&self.content, fight.area, victor.other()) == 0 {
            let joined = self.fighters(state, &fight, victor, JOINED);
            each(joined).for_each(|block| state.put(block, fight.area));
            state.touch(&self.content, fight.area);
        }
        let refs = [Ref::Seat(victor.other()), Ref::Number(left.count_ones() as i32)];
        scene.publish(self, state, out, || Event::new("retreat_over", rules::RETREAT, &refs));
    }

    /// 7.7: the Victor's blocks of the Battle.
    pub(in super::super) fn victors(&self, state: &State, fight: &Fight) -> u64 {
        let Some(loser) = fight.loser else { return 0 };
        let own = state.out(&self.content, fight.area, loser.other());
        own & !state.flagged(own, HELD | TIRED)
    }

    /// 7.7: Areas to which the Victor may regroup.
    pub(in super::super) fn regroup_goals(&self, state: &State, fight: &Fight) -> u64 {
        let Some(loser) = fight.loser else { return 0 };
        let near = each(self.content.areas[usize::from(fight.area)].near);
        near.filter(|&area| self.free_for(state, loser.other(), area as u8) && rules::REGROUP.on())
            .fold(0, |set, area| set | 1 << area)
    }

    pub(in super::super) fn examine_regroup(
        &self,
        state: &State,
        area: u8,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let Some(fight) = state.fight else { return ControlFlow::Break(()) };
        let open = self.regroup_goals(state, &fight) >> area & 1 != 0;
        why.require(open, rules::REGROUP, "NOT_OPEN", &[Ref::Space(area.into())])
    }

    /// 7.7, 7.71: whether a block may regroup along.
    pub(in super::super) fn examine_regroup_take(
        &self,
        state: &State,
        block: u8,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let Some(fight) = state.fight else { return ControlFlow::Break(()) };
        let piece = Ref::Piece(block.into());
        let victors = self.victors(state, &fight);
        why.demand(victors >> block & 1 != 0, rules::REGROUP, "NOT_THERE", &[piece])?;
        let taken = state.flagged(victors, TAKEN);
        why.demand(taken >> block & 1 == 0, rules::REGROUP, "TAKEN_ALREADY", &[piece])?;
        let index = usize::from(block);
        let led = !self.content.abroad(index, fight.goal) || chaperoned(&self.content, index, taken);
        why.require(led, rules::REGROUP_REGIONAL, "NO_CHAPERONE", &[piece])
    }

    /// 7.7: those that were picked regroup.
    pub(in super::super) fn regroup(&self, state: &mut State, out: &mut Events) {
        let Some(mut fight) = state.fight else { return };
        let scene = Scene::open(self, state, 2, out);
        let taken = state.flagged(self.victors(state, &fight), TAKEN);
        state.clear_flags(taken, TAKEN);
        state.depart(&self.content, taken);
        fight.touched |= 1 << fight.goal;
        fight.stage = Stage::Close;
        state.fight = Some(fight);
        for block in each(taken) {
            state.put(block, fight.goal);
            state.blocks[block].by = NONE;
            state.blocks[block].flags &= !super::super::state::OF_BATTLE;
        }
        state.touch(&self.content, fight.area);
        state.touch(&self.content, fight.goal);
        let number = Ref::Number(taken.count_ones() as i32);
        let victor = fight.loser.unwrap_or(fight.attacker).other();
        let refs = [Ref::Seat(victor), number, Ref::Space(fight.goal.into())];
        scene.publish(self, state, out, || Event::new("regroups", rules::REGROUP, &refs));
    }

    /// The frame in which a block's goal is named.
    pub(in super::super) fn open_goals(&self, state: &mut State, seat: Seat, block: u8, out: &mut Events) {
        state.frames.open(Frame::RetreatTo { seat, block });
        let refs = [Ref::Seat(seat), Ref::Piece(block.into())];
        out.emit(|| Event::only(seat, "picked_block", rules::RETREAT, &refs));
    }
}
