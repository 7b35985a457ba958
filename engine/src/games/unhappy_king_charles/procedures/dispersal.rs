//! Dispersal: Armies and unled Brigades that scatter rather than fight (10.1, EV9 to EV13).

use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::content::brigades::Faction;
use super::super::content::ids::{AreaId, CounterSet, GeneralSet};
use super::super::frames::Frame;
use super::super::state::{BattleKind, Holder, Post, Queen, SiegeFight, State, Train};
use super::super::{UnhappyKing, rules};
use super::consequences::Cause;

impl UnhappyKing {
    /// The Brigades of a side's stack in the Battle that may Disperse of their own will: no foreigners, and no garrison (EV9, EV11). A
    /// besieger who keeps up the Siege can't (F13).
    fn dispersing(&self, state: &State, seat: Seat) -> CounterSet {
        let battle = state.ongoing_battle();
        if rules::BESIEGER_ATTACKED.applies(seat != battle.attacker && battle.siege == SiegeFight::Surplus) {
            return CounterSet::EMPTY;
        }
        self.natives(self.battle_stack(state, seat))
    }

    /// The stack of a side in the Battle: without a garrison that joined it.
    #[must_use]
    pub(in super::super) fn battle_stack(&self, state: &State, seat: Seat) -> CounterSet {
        let battle = state.ongoing_battle();
        let army = self.field_army(state, seat);
        let army = army.map_or(CounterSet::EMPTY, |general| state.led_by(state.army(general)));
        match battle.kind {
            _ if seat != battle.attacker => army | state.stack(&self.content, seat, battle.area),
            BattleKind::Model => army | state.unled(&self.content, seat, battle.area),
            _ => army,
        }
    }

    /// EV12: those who are out of the game when they are made to Disperse: foreigners.
    pub(in super::super) fn eliminated(&self, counters: CounterSet) -> CounterSet {
        let foreign = counters & self.content.bands_that(Faction::is_foreign);
        rules::FOREIGN_ELIMINATED.gives(foreign, CounterSet::EMPTY)
    }

    fn natives(&self, counters: CounterSet) -> CounterSet {
        counters
            - rules::FOREIGN_DISPERSAL.gives(self.content.bands_that(Faction::is_foreign), CounterSet::EMPTY)
    }

    /// EV9: a side is asked if it has anybody who may Disperse; all of it lies open.
    pub(in super::super) fn ask_dispersal(&self, state: &mut State, seat: Seat) {
        // EV13: unled Brigades may, too.
        let may = self.field_army(state, seat).is_some() || rules::UNLED_DEFENDERS.applies(true);
        if rules::DISPERSAL.applies(may && !self.dispersing(state, seat).is_empty()) {
            state.frames.open(Frame::Dispersal { seat });
        }
    }

    /// To Disperse, or to stand.
    pub(in super::super) fn offer_dispersal(&self, _: &State, _: Seat, offer: &mut impl FnMut(Action)) {
        offer(Action::Disperse);
        offer(Action::Stand);
    }

    pub(in super::super) fn examine_dispersal(
        &self,
        _: &State,
        _: Seat,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match action {
            Action::Disperse | Action::Stand => ControlFlow::Continue(()),
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_dispersal(
        &self,
        state: &mut State,
        seat: Seat,
        action: Action,
        out: &mut Events,
    ) {
        state.frames.close();
        if action == Action::Disperse {
            let (area, army) = (state.ongoing_battle().area, self.field_army(state, seat));
            let army = army.map_or(GeneralSet::EMPTY, |general| state.army(general));
            let going = self.dispersing(state, seat);
            self.disperse(state, seat, (area, army, going), out);
        }
    }

    /// EV10: Brigades go to the Unemployed Generals Box, and with them the Generals of `army` who have none left; the Siege Train to the
    /// Turn Record Track; the Queen is captured. Foreigners are eliminated (EV12).
    pub(in super::super) fn disperse(
        &self,
        state: &mut State,
        seat: Seat,
        (area, army, going): (AreaId, GeneralSet, CounterSet),
        out: &mut Events,
    ) {
        let held = self.held_under_siege(state);
        let scene = Scene::open(self, state, 2, out);
        let foreign = self.eliminated(going);
        self.to_box(state, seat, going, foreign);
        let leaving = army.that(|general| match state.generals[general].post {
            Post::Under(_) => state.brigades.at(general).is_empty(),
            _ => state.led_by(army).is_empty(),
        });
        let mut queen = false;
        for general in leaving {
            if state.trains[seat.index()] == Train::With(general) {
                state.trains[seat.index()] = Train::Resting;
            }
            queen |= state.queen == Queen::With(general);
            state.generals.place(general, Post::Unemployed);
        }
        let refs = [Ref::Seat(seat), Ref::from(area)];
        scene.publish(self, state, out, || Event::new("dispersed", rules::DISPERSED, &refs));
        if rules::DISPERSED.applies(queen) {
            self.capture_queen(state, out);
        }
        self.consequences(state, held, Cause::Other, out);
    }

    /// Brigades go to the Unemployed Generals Box of their side, those of `eliminated` out of the game; what was known of them stays known.
    pub(in super::super) fn to_box(
        &self,
        state: &mut State,
        seat: Seat,
        going: CounterSet,
        eliminated: CounterSet,
    ) {
        // All changes at once: counters of a face are numbered anew by each.
        let faces = state.brigades.faces(&self.content, eliminated);
        let (out_of_game, to) = (Holder::OUT, Holder::unemployed(seat));
        let foreign = going.that(|counter| faces.contains(self.content.face_of[counter]));
        state.brigades.change(&self.content, foreign, |counter| counter.at = out_of_game);
        state.brigades.change(&self.content, going - foreign, |counter| counter.at = to);
    }
}
