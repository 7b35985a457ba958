//! Desertion, an event (6.44).

use std::ops::ControlFlow;

use crate::event::{Event, Events, Scene};
use crate::game::CONTRACT;
use crate::numbered::Listed;
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::Seat;

use super::super::actions::Action;
use super::super::content::things::{AreaId, AreaSet, BlockId, BlockSet, Place};
use super::super::frames::Frame;
use super::super::state::State;
use super::super::{ThisWar, rules};
use super::control::Control;

impl ThisWar {
    /// The blocks of the victim on the map; then the Areas, and the pool.
    pub(in super::super) fn offer_desertion(
        &self,
        state: &State,
        seat: Seat,
        frame: Frame,
        offer: &mut impl FnMut(Action),
    ) {
        if matches!(frame, Frame::Desertion { .. }) {
            let map = self.content.of_side[seat.index()] - state.at(Place::POOL);
            return map.iter().for_each(|block| offer(Action::Lose(block)));
        }
        AreaId::all(&self.content).map(Action::At).for_each(&mut *offer);
        offer(Action::Pool);
    }

    /// 6.44: a block abroad where there is one; then a place at home, or the pool where there is none.
    pub(in super::super) fn examine_desertion(
        &self,
        state: &State,
        seat: Seat,
        frame: Frame,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match (frame, action) {
            (Frame::Desertion { regional, .. }, Action::Lose(block)) => {
                self.examine_deserter(state, seat, regional, block, why)
            }
            (Frame::DesertionPlace { block, .. }, Action::At(area)) => {
                let goals = self.deserter_goals(state, seat, block);
                why.require(goals.contains(area), rules::DESERTION, "NOT_OPEN", &[Ref::from(area)])
            }
            (Frame::DesertionPlace { block, .. }, Action::Pool) => {
                let none = self.deserter_goals(state, seat, block).is_empty();
                why.require(none, rules::DESERTION, "THERE_IS_ROOM", &[])
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_desertion(
        &self,
        state: &mut State,
        seat: Seat,
        frame: Frame,
        action: Action,
        out: &mut Events,
    ) {
        match (frame, action) {
            (Frame::Desertion { .. }, Action::Lose(block)) => self.desert(state, seat, block, out),
            (Frame::DesertionPlace { block, .. }, Action::At(area)) => {
                state.frames.close();
                self.relocate(state, block, area.into(), ("deserts", rules::DESERTION), out);
            }
            (Frame::DesertionPlace { block, .. }, Action::Pool) => self.leave_map(state, block, out),
            _ => unreachable!("an illegal action was applied"),
        }
    }

    /// 6.44: the victim's choices.
    pub(in super::super) fn examine_deserter(
        &self,
        state: &State,
        seat: Seat,
        regional: bool,
        block: BlockId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let index = block;
        let area = self.content.area_of(state.blocks[index].at);
        let piece = Ref::from(block);
        let own = self.content.blocks[index].side == seat && area.is_some();
        why.demand(own, rules::DESERTION, "NOT_ON_THE_MAP", &[piece])?;
        let abroad = area.is_some_and(|area| self.content.abroad(index, area));
        why.require(!regional || abroad, rules::DESERTION, "NOT_ABROAD", &[piece])
    }

    pub(in super::super) fn desert(&self, state: &mut State, seat: Seat, block: BlockId, out: &mut Events) {
        let regional = matches!(state.frames.top(), Some(Frame::Desertion { regional: true, .. }));
        self.lose_one(state, block, rules::DESERTION, out);
        state.frames.close();
        if regional && state.blocks[block].strength > 0 {
            state.frames.open(Frame::DesertionPlace { seat, block });
        }
    }

    /// 6.44: a Friendly Area at home, else a Neutral one, else the pool ([`None`]).
    pub(in super::super) fn deserter_goals(&self, state: &State, seat: Seat, block: BlockId) -> AreaSet {
        let home = self.content.blocks[block].home;
        let of = |control: Control| home.that(|area| state.control(&self.content, area) == control);
        let friendly = of(Control::Of(seat));
        if friendly.is_empty() { of(Control::Neutral) } else { friendly }
    }

    /// A block is put elsewhere, upright.
    pub(in super::super) fn relocate(
        &self,
        state: &mut State,
        block: BlockId,
        to: Place,
        fact: (&'static str, crate::ledger::Rule),
        out: &mut Events,
    ) {
        let scene = Scene::open(self, state, 2, out);
        let index = block;
        let (seat, from) = (self.content.blocks[index].side, state.blocks[index].at);
        if to == Place::POOL {
            state.eliminate(&self.content, index);
        } else {
            state.depart(&self.content, BlockSet::one(index));
            state.put(index, to);
            for place in [from, to] {
                if let Some(area) = self.content.area_of(place) {
                    state.touch(&self.content, area);
                }
            }
        }
        let place = |at: Place| {
            if at == Place::POOL {
                Ref::Mat(super::super::catalogue::POOL_MAT + seat.index() as u16)
            } else {
                Ref::from(at)
            }
        };
        let back = Ref::Kind(super::super::catalogue::BACK + seat.index() as u16);
        let refs = |what| [Ref::Seat(seat), what, place(from), place(to)];
        scene.publish(self, state, out, || {
            Event::new(fact.0, fact.1, &refs(back)).private(seat, &refs(Ref::from(block)), [])
        });
    }

    /// A block that finds no place goes to the pool.
    pub(in super::super) fn leave_map(&self, state: &mut State, block: BlockId, out: &mut Events) {
        state.frames.close();
        self.relocate(state, block, Place::POOL, ("leaves", rules::RETURN_HOME), out);
    }
}
