//! Things that follow of themselves: the phases of a Turn, one after the other, until somebody or the dice are asked.

use crate::event::{Event, Events, Scene};
use crate::reference::Ref;
use crate::seat::Seat;

use super::content::CardEvent;
use super::state::{EDGES, Fight, FightKind, Frame, NONE, Relief, Stage, State, UNMARKED, Verdict};
use super::{ThisWar, rules};

impl ThisWar {
    /// Goes on until somebody, or the dice, are asked, or the match is over.
    pub(super) fn settle(&self, state: &mut State, out: &mut Events) {
        while state.result.is_none() {
            let cities = self.cities(state, out);
            let went_on = self.advance(state, out);
            self.publish_cities(state, cities, out);
            if !went_on {
                return;
            }
        }
        state.frames.clear();
        state.fight = None;
    }

    /// One procedure further; `false` if somebody or the dice are asked.
    fn advance(&self, state: &mut State, out: &mut Events) -> bool {
        match state.frames.top().copied() {
            Some(Frame::Deal { left: 0 }) => {
                self.replace(state, if state.turn == 0 { Frame::Discards } else { Frame::Initiative });
            }
            Some(Frame::Deal { left }) if state.decks[self.dealing(left)].is_empty() => {
                self.replace(state, Frame::Deal { left: left - 1 });
            }
            Some(Frame::Discards) if state.choosing.iter().all(|choosing| choosing.committed) => {
                self.lay_aside(state, out);
            }
            Some(Frame::Initiative) if Self::chosen(state) => self.turn_up(state, out),
            Some(Frame::OpEvents { done: 2 }) => self.replace(state, Frame::Operations { done: 0 }),
            Some(Frame::OpEvents { done }) => {
                self.replace(state, Frame::OpEvents { done: done + 1 });
                let seat = state.player(if rules::OPERATIONAL_EVENTS.on() { done } else { 1 - done });
                if self.event_of(state, seat).is_some_and(|event| self.can_happen(state, seat, event)) {
                    state.frames.open(Frame::Offer { seat });
                }
            }
            Some(Frame::Operations { done: 2 }) => {
                self.replace(state, Frame::TacticalEvents { done: 0 });
            }
            Some(Frame::Operations { done }) => {
                self.replace(state, Frame::Operations { done: done + 1 });
                let scene = Scene::open(self, state, 2, out);
                state.crossed = [0; EDGES];
                let seat = state.player(done);
                let points = self.points_of(state, seat);
                state.frames.open(Frame::Actions { seat, points });
                let refs = [Ref::Seat(seat), Ref::Number(points.into())];
                scene.publish(self, state, out, || Event::new("operations", rules::ACTIONS, &refs));
            }
            Some(Frame::TacticalEvents { done: 2 }) => {
                self.replace(state, Frame::Battles);
                out.emit(|| Event::new("tactical_phase", rules::TACTICAL, &[]));
            }
            Some(Frame::TacticalEvents { done }) => {
                self.replace(state, Frame::TacticalEvents { done: done + 1 });
                let seat = state.player(done);
                let some = |area: u8| self.tactic_fits(state, seat, area);
                if self.event_of(state, seat).is_some_and(CardEvent::tactical)
                    && (0..self.content.areas.len() as u8).any(some)
                {
                    state.frames.open(Frame::Tactic { seat });
                }
            }
            Some(Frame::Battles) => return self.next_battle(state, out),
            Some(Frame::Sieges) => return self.next_siege(state, out),
            Some(Frame::Fight) => return self.fight_on(state, out),
            Some(Frame::Supply { done, area }) => self.supply(state, done, area, out),
            Some(Frame::Resolution { city }) => return self.resolution(state, city, out),
            Some(Frame::Attrition { city, left: 0, surrender, .. }) => {
                self.after_attrition(state, city, surrender, out);
            }
            Some(Frame::YearEnd { done }) => self.year_end(state, done, out),
            _ => return false,
        }
        true
    }

    /// The innermost procedure gives way to another.
    pub(super) fn replace(&self, state: &mut State, frame: Frame) {
        state.frames.close();
        state.frames.open(frame);
    }

    /// 7.02: Player 1 names the next Battle, or there is only one.
    fn next_battle(&self, state: &mut State, out: &mut Events) -> bool {
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
    pub(super) fn open_battle(&self, state: &mut State, area: u8, out: &mut Events) {
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
        for block in super::state::each(defence) {
            if state.blocks[block].by != NONE && rules::RESERVES.on() {
                state.blocks[block].flags |= super::state::RESERVE | super::state::LATE;
            }
        }
        self.bring_tactics(state, &mut fight);
        state.fight = Some(fight);
        state.frames.open(Frame::Fight);
        let refs = [Ref::Space(area.into()), Ref::Seat(attacker)];
        scene.publish(self, state, out, || Event::new("battle", rules::BATTLES, &refs));
    }

    /// 7.03: Player 1 names the next City, or there is only one.
    fn next_siege(&self, state: &mut State, out: &mut Events) -> bool {
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
    pub(super) fn siege_open(&self, state: &State, city: u8) -> bool {
        state.siege[usize::from(city)] >= UNMARKED
            && state.resolved >> city & 1 == 0
            && rules::SIEGE_COMBAT.on()
    }

    /// 9.3, 10.0: the end of a Turn.
    pub(super) fn end_turn(&self, state: &mut State, out: &mut Events) {
        let points = state.points(&self.content);
        let first_year = state.epoch() == 0;
        if !first_year || !rules::VICTORY_1642.on() {
            let major = i32::from(self.content.major);
            if points.abs() >= major && rules::VICTORY.on() {
                state.result = Some(Verdict { major: true, winner: Seat::new(u8::from(points < 0)) });
                return;
            }
            if state.winter(&self.content) {
                let royalist = points > 0 && rules::VICTORY.on();
                state.result = Some(Verdict { major: false, winner: Seat::new(u8::from(!royalist)) });
                return;
            }
        }
        if state.turn == 1 && rules::TURNS.on() {
            self.replace(state, Frame::YearEnd { done: 0 });
        } else {
            self.next_turn(state, Frame::Initiative, out);
        }
    }

    /// Clears what a Turn leaves behind, and begins the next.
    pub(super) fn next_turn(&self, state: &mut State, frame: Frame, out: &mut Events) {
        let scene = Scene::open(self, state, 2, out);
        for seat in 0..2 {
            if let Some(card) = state.cards[seat].take() {
                let def = &self.content.cards[usize::from(card)];
                if def.removed && rules::OUT_OF_GAME.on() {
                    state.removed[seat].insert(card);
                } else {
                    state.played[seat].insert(card);
                }
            }
        }
        state.tactic = [NONE; 2];
        state.mining = [false; 2];
        state.exempt = [0; 2];
        state.crossed = [0; EDGES];
        state.entered = [0; EDGES];
        state.resolved = 0;
        state.last = None;
        for block in 0..self.content.blocks.len() {
            state.blocks[block].flags = 0;
            state.blocks[block].by = NONE;
        }
        state.turn += 1;
        state.player1 = Seat::new(0);
        self.replace(state, frame);
        let turn = [state.turn + 1, state.turn].map(|turn| Ref::Number(turn.into()));
        scene.publish(self, state, out, || Event::new("turn_begins", rules::TURNS, &turn));
    }
}
