//! The sequence of play: the phases of a Turn, one after the other, until somebody or the dice are asked; and which procedure is
//! offered to, examined, carried out, or given the dice.

use crate::chance::Outcome;
use crate::event::{Event, Events, Scene};
use crate::numbered::Listed;
use crate::reference::Ref;
use crate::seat::Seat;

use super::actions::Action;
use super::content::CardEvent;
use super::content::things::{AreaId, BlockId, CityId, CitySet};
use super::frames::Frame;
use super::state::{CROSSINGS, Flags, State, Verdict};
use super::{ThisWar, rules};

crate::dispatch! {
    /// Offers a superset of the legal actions, of the procedure that asks.
    pub(super) impl ThisWar, by |state: State| state.frames.top().copied(), of Action:
    offer_action, examine_action, apply_action;
    Some(frame @ (Frame::Discards | Frame::Initiative | Frame::Tie)) => (offer_cards, examine_cards, apply_cards)(frame);
    Some(Frame::Offer { .. }) => (offer_event, examine_event, apply_event)();
    Some(frame @ (Frame::Fever { .. } | Frame::FeverLoss { .. }))
        => (offer_camp_fever, examine_camp_fever, apply_camp_fever)(frame);
    Some(frame @ (Frame::Desertion { .. } | Frame::DesertionPlace { .. }))
        => (offer_desertion, examine_desertion, apply_desertion)(frame);
    Some(frame @ (Frame::Free { .. } | Frame::Place { .. } | Frame::Region { .. }))
        => (offer_recruitment, examine_recruitment, apply_recruitment)(frame);
    Some(Frame::Actions { points, .. }) => (offer_operations, examine_operations, apply_operations)(points);
    Some(frame @ Frame::GroupMove { .. }) => (offer_group_move, examine_group_move, apply_group_move)(frame);
    Some(frame @ (Frame::Muster { .. } | Frame::Via { .. })) => (offer_muster, examine_muster_step, apply_muster)(frame);
    Some(Frame::Window { area, .. })
        => (offer_city_withdrawal, examine_city_withdrawal, apply_city_withdrawal)(area);
    Some(Frame::Tactic { .. }) => (offer_tactic, examine_tactic, apply_tactic)();
    Some(frame @ (Frame::Battles | Frame::Sieges)) => (offer_battles, examine_battles, apply_battles)(frame);
    Some(Frame::Fight) => (offer_fight, examine_fight, apply_fight)();
    Some(Frame::Short { area, picked, losing, .. })
        => (offer_supply, examine_supply, apply_supply)((area, picked, losing));
    Some(Frame::Attrition { city, horse, .. })
        => (offer_attrition, examine_attrition, apply_attrition)((city, horse));
    Some(frame @ (Frame::Surrender { .. } | Frame::RetreatTo { .. }))
        => (offer_surrender, examine_surrender, apply_surrender)(frame);
    Some(frame @ (Frame::Recruit { .. } | Frame::Return { .. } | Frame::ReturnTo { .. }))
        => (offer_year_end, examine_year_end, apply_year_end)(frame);
}

impl ThisWar {
    /// Goes on until somebody, or the dice, are asked, or the match is over.
    pub(super) fn settle(&self, state: &mut State, out: &mut Events) {
        while state.result.is_none() {
            let cities = self.cities(state, out);
            let went_on = self.advance(state, out);
            self.publish_cities(state, cities, out);
            if !went_on {
                break;
            }
        }
        state.part_plain_bags(&self.content);
        if state.result.is_some() {
            state.frames.clear();
            state.fight = None;
        }
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
                let seat = state.player(rules::OPERATIONAL_EVENTS.gives(done, 1 - done));
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
                state.crossed = [0; CROSSINGS];
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
                let some = |area: AreaId| self.tactic_fits(state, seat, area);
                if self.event_of(state, seat).is_some_and(CardEvent::tactical)
                    && AreaId::all(&self.content).any(some)
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

    /// 9.3, 10.0: the end of a Turn.
    pub(super) fn end_turn(&self, state: &mut State, out: &mut Events) {
        let points = state.points(&self.content);
        let first_year = state.epoch() == 0;
        if rules::VICTORY_1642.allows(!first_year) {
            let major = i32::from(self.content.major);
            if rules::VICTORY.applies(points.abs() >= major) {
                state.result = Some(Verdict { major: true, winner: Seat::new(u8::from(points < 0)) });
                return;
            }
            if state.winter(&self.content) {
                let royalist = rules::VICTORY.applies(points > 0);
                state.result = Some(Verdict { major: false, winner: Seat::new(u8::from(!royalist)) });
                return;
            }
        }
        if rules::TURNS.applies(state.turn == 1) {
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
                let def = &self.content.card(card);
                if rules::OUT_OF_GAME.applies(def.removed) {
                    state.removed[seat].insert(card);
                } else {
                    state.played[seat].insert(card);
                }
            }
        }
        state.tactic = [None; 2];
        state.mining = [false; 2];
        state.exempt = [0; 2];
        state.crossed = [0; CROSSINGS];
        state.entered = [0; CROSSINGS];
        state.resolved = CitySet::EMPTY;
        state.last = None;
        for block in BlockId::all(&self.content) {
            state.blocks[block].flags = Flags::empty();
            state.blocks[block].by = None;
        }
        state.turn += 1;
        state.player1 = Seat::new(0);
        self.replace(state, frame);
        let turn = [state.turn + 1, state.turn].map(|turn| Ref::Number(turn.into()));
        scene.publish(self, state, out, || Event::new("turn_begins", rules::TURNS, &turn));
    }

    /// Goes on with what chance has brought.
    pub(super) fn resolve_outcome(&self, state: &mut State, outcome: &Outcome, out: &mut Events) {
        let stage = state.fight.map(|fight| fight.stage);
        match (state.frames.top().copied(), stage, outcome) {
            (Some(Frame::Deal { left }), _, &Outcome::Pick(Ref::Card(card))) => {
                self.dealt(state, card, left, out);
            }
            (Some(Frame::Resolution { city }), _, Outcome::Roll(dice)) => {
                self.resolve_siege(state, CityId::new(city), dice[0], out);
            }
            (Some(Frame::Fight), Some(stage), outcome) => self.resolve_fight(state, stage, outcome, out),
            _ => unreachable!("an outcome that the chance event does not admit"),
        }
    }
}
