//! Regrouping (7.7): the Victor's blocks of a Battle go to a neighbour.

use std::ops::ControlFlow;

use crate::event::{Event, Events, Scene};
use crate::game::CONTRACT;
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::Seat;

use super::super::actions::{Action, offer_each};
use super::super::content::things::{AreaSet, BlockSet};
use super::super::state::{Fight, Flags, Stage, State};
use super::super::{ThisWar, rules};
use super::control::chaperoned;

impl ThisWar {
    /// The Areas, or to stay; then who goes along.
    pub(in super::super) fn offer_regroup(
        &self,
        state: &State,
        _: Seat,
        fight: &Fight,
        offer: &mut impl FnMut(Action),
    ) {
        match fight.stage {
            Stage::Regroup => {
                offer_each(self.regroup_goals(state, fight), Action::Regroup, offer);
                offer(Action::Pass);
            }
            _ => {
                offer_each(self.victors(state, fight), Action::Take, offer);
                offer(Action::Done);
            }
        }
    }

    /// 7.7, 7.71: a Friendly or Vacant Area; Regional blocks with a chaperone.
    pub(in super::super) fn examine_regroup(
        &self,
        state: &State,
        _: Seat,
        fight: &Fight,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match (fight.stage, action) {
            (Stage::Regroup, Action::Regroup(area)) => {
                let open = self.regroup_goals(state, fight).contains(area);
                why.require(open, rules::REGROUP, "NOT_OPEN", &[area.into()])
            }
            (Stage::Regroup, Action::Pass) | (Stage::RegroupPick, Action::Done) => ControlFlow::Continue(()),
            (Stage::RegroupPick, Action::Take(block)) => {
                let victors = self.victors(state, fight);
                why.demand(victors.contains(block), rules::REGROUP, "NOT_THERE", &[block.into()])?;
                let taken = state.flagged(victors, Flags::TAKEN);
                why.demand(!taken.contains(block), rules::REGROUP, "TAKEN_ALREADY", &[block.into()])?;
                let abroad = self.content.abroad(block, fight.goal.area());
                let led = !abroad || chaperoned(&self.content, block, taken);
                why.require(led, rules::REGROUP_REGIONAL, "NO_CHAPERONE", &[block.into()])
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_regroup(
        &self,
        state: &mut State,
        seat: Seat,
        fight: &Fight,
        action: Action,
        out: &mut Events,
    ) {
        let (who, mut fight) = (Ref::Seat(seat), *fight);
        match (fight.stage, action) {
            (Stage::Regroup, Action::Regroup(area)) => {
                (fight.goal, fight.stage) = (area.into(), Stage::RegroupPick);
                Self::go_on(state, fight, ("regroup_goal", rules::REGROUP), &[who, area.into()], out);
            }
            (Stage::Regroup, Action::Pass) => {
                fight.stage = Stage::Close;
                Self::go_on(state, fight, ("no_regroup", rules::REGROUP), &[who], out);
            }
            (Stage::RegroupPick, Action::Take(block)) => self.pick(state, seat, block, rules::REGROUP, out),
            (Stage::RegroupPick, Action::Done) => self.regroup(state, out),
            _ => unreachable!("an illegal action of a fight"),
        }
    }

    /// 7.7: the Victor's blocks of the Battle.
    pub(in super::super) fn victors(&self, state: &State, fight: &Fight) -> BlockSet {
        let Some(loser) = fight.loser else { return BlockSet::EMPTY };
        let own = state.out(&self.content, fight.area, loser.other());
        own - state.flagged(own, Flags::HELD | Flags::TIRED)
    }

    /// 7.7: Areas to which the Victor may regroup.
    pub(in super::super) fn regroup_goals(&self, state: &State, fight: &Fight) -> AreaSet {
        let Some(loser) = fight.loser else { return AreaSet::EMPTY };
        let near = self.content.areas[fight.area].near.iter();
        near.filter(|&area| rules::REGROUP.applies(self.free_for(state, loser.other(), area))).collect()
    }

    /// 7.7: those that were picked regroup.
    pub(in super::super) fn regroup(&self, state: &mut State, out: &mut Events) {
        let mut fight = state.ongoing_fight();
        let scene = Scene::open(self, state, 2, out);
        let taken = state.flagged(self.victors(state, &fight), Flags::TAKEN);
        let goal = fight.goal.area();
        state.clear_flags(taken, Flags::TAKEN);
        state.depart(&self.content, taken);
        fight.touched.insert(goal);
        fight.stage = Stage::Close;
        state.fight = Some(fight);
        for block in taken {
            state.put(block, goal.into());
            state.blocks[block].by = None;
            state.blocks[block].flags -= Flags::OF_BATTLE;
        }
        state.touch(&self.content, fight.area);
        state.touch(&self.content, goal);
        let number = Ref::Number(taken.count() as i32);
        let victor = fight.loser.unwrap_or(fight.attacker).other();
        let refs = [Ref::Seat(victor), number, Ref::from(goal)];
        scene.publish(self, state, out, || Event::new("regroups", rules::REGROUP, &refs));
    }
}
