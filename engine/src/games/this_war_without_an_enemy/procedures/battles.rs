//! The Tactical Phase: which Battle, and which Siege, is fought next (7.02, 7.03, 7.1, 8.1).

use std::ops::ControlFlow;

use crate::event::{Event, Events, Scene};
use crate::game::CONTRACT;
use crate::reference::Ref;
use crate::refusal::Why;

use super::super::actions::Action;
use super::super::frames::Frame;
use super::super::state::{Fight, FightKind, LATE, NONE, RESERVE, Relief, Stage, State, UNMARKED, each};
use super::super::{ThisWar, rules};

impl ThisWar {
    /// The Areas, or the Cities.
    pub(in super::super) fn offer_battles(&self, frame: Frame, offer: &mut impl FnMut(Action)) {
        match frame {
            Frame::Battles => self.areas().map(Action::Battle).for_each(offer),
            _ => (0..self.content.cities.len() as u8).map(Action::Siege).for_each(offer),
        }
    }

    /// 7.02, 7.03: a Battle or a Siege that is still to be fought.
    pub(in super::super) fn examine_battles(
        &self,
        state: &State,
        (frame, action): (Frame, Action),
        why: &mut Why,
    ) -> ControlFlow<()> {
        match (frame, action) {
            (Frame::Battles, Action::Battle(area)) => {
                let contested = state.contested(&self.content, area);
                why.require(contested, rules::BATTLES, "NOT_CONTESTED", &[Ref::Space(area.into())])
            }
            (Frame::Sieges, Action::Siege(city)) => {
                let open = self.siege_open(state, city);
                let place = Ref::Space(self.content.city_place(city).into());
                why.require(open, rules::SIEGE_COMBAT, "NO_SIEGE", &[place])
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_battles(&self, state: &mut State, action: Action, out: &mut Events) {
        match action {
            Action::Battle(area) => self.open_battle(state, area, out),
            Action::Siege(city) => self.open_siege(state, city, out),
            _ => debug_assert!(false, "an illegal action was applied"),
        }
    }

    /// 7.02: Player 1 names the next Battle, or there is only one.
    pub(in super::super) fn next_battle(&self, state: &mut State, out: &mut Events) -> bool {
        let areas = 0..self.content.areas.len() as u8;
        let mut contested = areas.filter(|&area| state.contested(&self.content, area));
        match (contested.next(), contested.next()) {
            (None, _) => self.replace(state, Frame::Sieges),
            (Some(area), None) => self.open_battle(state, area, out),
            _ => return false,
        }
        true
    }

    /// 7.1, 8.1: a Battle begins.
    pub(in super::super) fn open_battle(&self, state: &mut State, area: u8, out: &mut Events) {
        let content = &self.content;
        let attacker = state.attacker(content, area);
        let city = content.areas[usize::from(area)].city.filter(|&city| {
            state.siege[usize::from(city)] >= UNMARKED
                && state.inside(content, area, attacker) != 0
                && rules::RELIEF.on()
        });
        let mut fight = Fight::new(FightKind::Battle, Stage::Main, area, city.unwrap_or(NONE), attacker);
        if let Some(city) = city {
            fight.relief = Relief::Unmarked;
            if state.siege[usize::from(city)] > UNMARKED {
                let outside = state.out(content, area, attacker.other()).count_ones();
                let size = u32::from(content.cities[usize::from(city)].size);
                fight.stage = if outside > size { Stage::Relief } else { Stage::BreakOff };
            }
        }
        let scene = Scene::open(self, state, 2, out);
        // 7.1: who came to the defence when the Area was Contested already.
        let defence = state.out(content, area, attacker.other());
        for block in each(defence) {
            if state.blocks[block].by != NONE && rules::RESERVES.on() {
                state.blocks[block].flags |= RESERVE | LATE;
            }
        }
        self.bring_tactics(state, &mut fight);
        state.fight = Some(fight);
        state.frames.open(Frame::Fight);
        let refs = [Ref::Space(area.into()), Ref::Seat(attacker)];
        scene.publish(self, state, out, || Event::new("battle", rules::BATTLES, &refs));
    }

    /// 7.03: Player 1 names the next City, or there is only one.
    pub(in super::super) fn next_siege(&self, state: &mut State, out: &mut Events) -> bool {
        let mut open = (0..self.content.cities.len() as u8).filter(|&city| self.siege_open(state, city));
        match (open.next(), open.next()) {
            (None, _) => {
                self.replace(state, Frame::Supply { done: 0, area: 0 });
                let scene = Scene::open(self, state, 2, out);
                state.tactic = [NONE; 2];
                scene.publish(self, state, out, || Event::new("supply_phase", rules::SUPPLY_ATTRITION, &[]));
            }
            (Some(city), None) => self.open_siege(state, city, out),
            _ => return false,
        }
        true
    }

    /// Returns whether Siege Combat at a City is still to come.
    pub(in super::super) fn siege_open(&self, state: &State, city: u8) -> bool {
        state.siege[usize::from(city)] >= UNMARKED
            && state.resolved >> city & 1 == 0
            && rules::SIEGE_COMBAT.on()
    }
}
