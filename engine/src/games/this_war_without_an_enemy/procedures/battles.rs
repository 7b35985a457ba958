//! The Tactical Phase: which Battle, and which Siege, is fought next (7.02, 7.03, 7.1, 8.1).

use std::ops::ControlFlow;

use crate::event::{Event, Events, Scene};
use crate::game::CONTRACT;
use crate::numbered::Listed;
use crate::reference::Ref;
use crate::refusal::Why;

use super::super::actions::Action;
use super::super::content::things::{AreaId, CityId};
use super::super::frames::Frame;
use super::super::state::{Fight, FightKind, Flags, Relief, Stage, State, UNMARKED};
use super::super::{ThisWar, rules};
use crate::seat::Seat;

impl ThisWar {
    /// The Areas, or the Cities.
    pub(in super::super) fn offer_battles(
        &self,
        _: &State,
        _: Seat,
        frame: Frame,
        offer: &mut impl FnMut(Action),
    ) {
        match frame {
            Frame::Battles => AreaId::all(&self.content).map(Action::Battle).for_each(offer),
            _ => CityId::all(&self.content).map(Action::Siege).for_each(offer),
        }
    }

    /// 7.02, 7.03: a Battle or a Siege that is still to be fought.
    pub(in super::super) fn examine_battles(
        &self,
        state: &State,
        _: Seat,
        frame: Frame,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match (frame, action) {
            (Frame::Battles, Action::Battle(area)) => {
                let contested = state.contested(&self.content, area);
                why.require(contested, rules::BATTLES, "NOT_CONTESTED", &[Ref::from(area)])
            }
            (Frame::Sieges, Action::Siege(city)) => {
                let open = self.siege_open(state, city);
                let place = Ref::from(self.content.city_place(city));
                why.require(open, rules::SIEGE_COMBAT, "NO_SIEGE", &[place])
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_battles(
        &self,
        state: &mut State,
        _: Seat,
        _: Frame,
        action: Action,
        out: &mut Events,
    ) {
        match action {
            Action::Battle(area) => self.open_battle(state, area, out),
            Action::Siege(city) => self.open_siege(state, city, out),
            _ => unreachable!("an illegal action was applied"),
        }
    }

    /// 7.02: Player 1 names the next Battle, or there is only one.
    pub(in super::super) fn next_battle(&self, state: &mut State, out: &mut Events) -> bool {
        let mut contested = AreaId::all(&self.content).filter(|&area| state.contested(&self.content, area));
        match (contested.next(), contested.next()) {
            (None, _) => self.replace(state, Frame::Sieges),
            (Some(area), None) => self.open_battle(state, area, out),
            _ => return false,
        }
        true
    }

    /// 7.1, 8.1: a Battle begins.
    pub(in super::super) fn open_battle(&self, state: &mut State, area: AreaId, out: &mut Events) {
        let content = &self.content;
        let attacker = state.attacker(content, area);
        let relieves = !state.inside(content, area, attacker).is_empty();
        let besieged = |city: &CityId| state.siege[*city] >= UNMARKED;
        let city = content.areas[area].city.filter(|city| rules::RELIEF.applies(relieves && besieged(city)));
        let mut fight = Fight::new(FightKind::Battle, Stage::Main, area, city, attacker);
        if let Some(city) = city {
            fight.relief = Relief::Unmarked;
            if state.siege[city] > UNMARKED {
                let outside = state.out(content, area, attacker.other()).count();
                let size = u32::from(content.cities[city].size);
                fight.stage = if outside > size { Stage::Relief } else { Stage::BreakOff };
            }
        }
        let scene = Scene::open(self, state, 2, out);
        // 7.1: who came to the defence when the Area was Contested already.
        let defence = state.out(content, area, attacker.other());
        for block in defence.iter() {
            if rules::RESERVES.applies(state.blocks[block].by.is_some()) {
                state.blocks[block].flags |= Flags::RESERVE | Flags::LATE;
            }
        }
        self.bring_tactics(state, &mut fight);
        state.fight = Some(fight);
        state.frames.open(Frame::Fight);
        let refs = [Ref::from(area), Ref::Seat(attacker)];
        scene.publish(self, state, out, || Event::new("battle", rules::BATTLES, &refs));
    }

    /// 7.03: Player 1 names the next City, or there is only one.
    pub(in super::super) fn next_siege(&self, state: &mut State, out: &mut Events) -> bool {
        let mut open = CityId::all(&self.content).filter(|&city| self.siege_open(state, city));
        match (open.next(), open.next()) {
            (None, _) => {
                self.replace(state, Frame::Supply { done: 0, area: 0 });
                let scene = Scene::open(self, state, 2, out);
                state.tactic = [None; 2];
                scene.publish(self, state, out, || Event::new("supply_phase", rules::SUPPLY_ATTRITION, &[]));
            }
            (Some(city), None) => self.open_siege(state, city, out),
            _ => return false,
        }
        true
    }

    /// Returns whether Siege Combat at a City is still to come.
    pub(in super::super) fn siege_open(&self, state: &State, city: CityId) -> bool {
        rules::SIEGE_COMBAT.applies(state.siege[city] >= UNMARKED && !state.resolved.contains(city))
    }
}
