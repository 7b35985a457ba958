//! Stormings (8.3): who storms, who takes their place between Rounds.

use std::ops::ControlFlow;

use crate::event::{Event, Events, Scene};
use crate::game::CONTRACT;
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::Seat;

use super::super::actions::{Action, offer_each};
use super::super::content::things::BlockSet;
use super::super::state::{Fight, Flags, Goal, Stage, State};
use super::super::{ThisWar, rules};

impl ThisWar {
    /// Infantry and Cavalry of the besiegers, to storm or to take the stormers' place.
    pub(in super::super) fn offer_storm(
        &self,
        state: &State,
        seat: Seat,
        fight: &Fight,
        offer: &mut impl FnMut(Action),
    ) {
        let here = state.out(&self.content, fight.area, seat);
        offer_each(here & self.content.field(), Action::Storm, offer);
        offer(Action::Done);
    }

    /// 8.3: so many as the City lets storm; an exchange needs somebody.
    pub(in super::super) fn examine_storm(
        &self,
        state: &State,
        _: Seat,
        fight: &Fight,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let (able, picked, limit) = self.stormers(state, fight);
        match (fight.stage, action) {
            (_, Action::Storm(block)) => {
                why.demand(able.contains(block), rules::STORM, "NOT_HERE", &[block.into()])?;
                why.demand(!picked.contains(block), rules::STORM, "TAKEN_ALREADY", &[block.into()])?;
                why.require(picked.count() < limit, rules::STORM_LIMIT, "TOO_MANY_STORMERS", &[])
            }
            (Stage::StormPick, Action::Done) => ControlFlow::Continue(()),
            (Stage::Exchange, Action::Done) => {
                why.require(!picked.is_empty(), rules::EXCHANGE, "NOBODY_TAKEN", &[])
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_storm(
        &self,
        state: &mut State,
        seat: Seat,
        fight: &Fight,
        action: Action,
        out: &mut Events,
    ) {
        match action {
            Action::Storm(block) => self.pick(state, seat, block, rules::STORM, out),
            Action::Done => self.storm(state, seat, *fight, out),
            _ => unreachable!("an illegal action of a fight"),
        }
    }

    /// 8.3: those who may storm, those picked so far, and how many may be.
    pub(in super::super) fn stormers(&self, state: &State, fight: &Fight) -> (BlockSet, BlockSet, u32) {
        let own = state.out(&self.content, fight.area, fight.attacker) & self.content.field();
        let able = own - state.flagged(own, Flags::TIRED);
        let limit = self.content.cities[fight.siege_city()].storm.into();
        (able, state.flagged(able, Flags::TAKEN), rules::STORM_LIMIT.gives(limit, u32::MAX))
    }

    /// 8.3: those who were picked storm; the others are in Reserve.
    pub(in super::super) fn storm(&self, state: &mut State, seat: Seat, mut fight: Fight, out: &mut Events) {
        let scene = Scene::open(self, state, 2, out);
        let (_, picked, _) = self.stormers(state, &fight);
        let own = state.out(&self.content, fight.area, seat);
        state.clear_flags(own, Flags::FIGHTING | Flags::TAKEN);
        state.depart(&self.content, picked);
        state.set_flags(picked, Flags::FIGHTING);
        fight.stage = if rules::STORM.allows(picked.is_empty()) { Stage::Close } else { Stage::Round };
        fight.goal = Goal::NONE;
        state.fight = Some(fight);
        let refs = [Ref::Seat(seat), Ref::Number(picked.count() as i32)];
        scene.publish(self, state, out, || Event::new("storms", rules::STORM, &refs));
    }

    /// 8.3: whether there is somebody to take the place of the stormers.
    pub(in super::super) fn can_exchange(&self, state: &State, fight: &Fight) -> bool {
        let own = state.out(&self.content, fight.area, fight.attacker);
        let fresh = own - state.flagged(own, Flags::FIGHTING | Flags::TIRED);
        rules::EXCHANGE.applies(!fresh.is_empty())
    }
}
