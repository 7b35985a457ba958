//! The Main Attack of a Battle (7.1): by which border it comes; the other attackers are in Reserve.

use std::ops::ControlFlow;

use crate::event::{Event, Events, Scene};
use crate::game::CONTRACT;
use crate::reference::Ref;
use crate::refusal::Why;

use super::super::actions::{Action, offer_each};
use super::super::content::things::{AreaId, AreaSet};
use super::super::state::{Fight, Flags, Stage, State};
use super::super::{ThisWar, rules};
use crate::seat::Seat;

impl ThisWar {
    /// The borders by which the attackers came.
    pub(in super::super) fn offer_main_attack(
        &self,
        state: &State,
        _: Seat,
        fight: &Fight,
        offer: &mut impl FnMut(Action),
    ) {
        offer_each(self.borders_crossed(state, fight), Action::Main, offer);
    }

    /// 7.1: one of these borders.
    pub(in super::super) fn examine_main_attack(
        &self,
        state: &State,
        _: Seat,
        fight: &Fight,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let Action::Main(by) = action else { return why.refuse(CONTRACT, "NOT_NOW") };
        let crossed = self.borders_crossed(state, fight).contains(by);
        why.require(crossed, rules::MAIN_ATTACK, "NOT_CROSSED", &[by.into()])
    }

    pub(in super::super) fn apply_main_attack(
        &self,
        state: &mut State,
        _: Seat,
        _: &Fight,
        action: Action,
        out: &mut Events,
    ) {
        let Action::Main(by) = action else { unreachable!("an illegal action of a fight") };
        self.main_attack(state, by, out);
    }

    /// The borders by which the attackers came.
    pub(in super::super) fn borders_crossed(&self, state: &State, fight: &Fight) -> AreaSet {
        let own = state.out(&self.content, fight.area, fight.attacker);
        own.iter().filter_map(|block| state.blocks[block].by).collect()
    }

    /// 7.1: the Main Attack; who came by other borders is in Reserve.
    pub(in super::super) fn main_attack(&self, state: &mut State, by: AreaId, out: &mut Events) {
        let mut fight = state.ongoing_fight();
        let scene = Scene::open(self, state, 2, out);
        let own = state.out(&self.content, fight.area, fight.attacker);
        let others = own.that(|block| rules::RESERVES.applies(state.blocks[block].by != Some(by)));
        state.set_flags(others, Flags::RESERVE | Flags::LATE);
        (fight.main, fight.stage) = (Some(by), Stage::Withdraw);
        state.fight = Some(fight);
        let refs = [Ref::Seat(fight.attacker), Ref::from(by), Ref::from(fight.area)];
        scene.publish(self, state, out, || Event::new("main_attack", rules::MAIN_ATTACK, &refs));
    }
}
