//! Relief of a Besieged City (8.1): the Siege is broken off or maintained, and those in the City join the Battle.

use std::ops::ControlFlow;

use crate::event::{Event, Events, Scene};
use crate::game::CONTRACT;
use crate::numbered::Listed;
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::Seat;

use super::super::actions::{Action, offer_each};
use super::super::content::things::BlockSet;
use super::super::state::{Fight, Flags, Relief, Stage, State, UNMARKED};
use super::super::{ThisWar, rules};

impl ThisWar {
    /// To break the Siege off, or to maintain it; who is held back for it; who joins from the City.
    pub(in super::super) fn offer_relief(
        &self,
        state: &State,
        seat: Seat,
        fight: &Fight,
        offer: &mut impl FnMut(Action),
    ) {
        match fight.stage {
            Stage::Relief => {
                offer(Action::Break);
                offer(Action::Maintain);
            }
            Stage::Hold => {
                offer_each(state.out(&self.content, fight.area, seat), Action::Hold, offer);
                offer(Action::Done);
            }
            _ => {
                offer_each(state.inside(&self.content, fight.area, seat), Action::Join, offer);
                offer(Action::Done);
            }
        }
    }

    /// 8.1: a Siege is maintained by as many as the City's Size, and somebody is left to fight.
    pub(in super::super) fn examine_relief(
        &self,
        state: &State,
        seat: Seat,
        fight: &Fight,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let content = &self.content;
        match (fight.stage, action) {
            (Stage::Relief, Action::Break) | (Stage::Joining, Action::Done) => ControlFlow::Continue(()),
            (Stage::Relief, Action::Maintain) => {
                let field = state.out(content, fight.area, seat) & content.field();
                let enough = field.count() > self.city_size(fight);
                why.require(enough, rules::RELIEF, "TOO_FEW_BESIEGERS", &[])
            }
            (Stage::Hold, Action::Hold(block)) => {
                let unheld = self.unheld(state, fight);
                why.demand(unheld.contains(block), rules::RELIEF, "NOT_HERE", &[block.into()])?;
                let gun = content.guns.contains(block);
                let left = (unheld & content.field()).count();
                why.require(gun || left > 1, rules::RELIEF, "ONE_MUST_FIGHT", &[block.into()])
            }
            (Stage::Hold, Action::Done) => {
                let own = state.out(content, fight.area, seat);
                let held = (state.flagged(own, Flags::HELD) & content.field()).count();
                why.require(held >= self.city_size(fight), rules::RELIEF, "TOO_FEW_BESIEGERS", &[])
            }
            (Stage::Joining, Action::Join(block)) => {
                let within = state.inside(content, fight.area, seat);
                let able = (within - state.flagged(within, Flags::JOINED)).contains(block);
                why.require(able, rules::JOINING, "NOT_IN_THE_CITY", &[block.into()])
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_relief(
        &self,
        state: &mut State,
        seat: Seat,
        fight: &Fight,
        action: Action,
        out: &mut Events,
    ) {
        let (who, mut fight) = (Ref::Seat(seat), *fight);
        match (fight.stage, action) {
            (Stage::Relief, Action::Break) => self.break_off(state, &fight, out),
            (Stage::Relief, Action::Maintain) => {
                fight.stage = Stage::Hold;
                let place = fight.siege_city().reference(&self.content);
                Self::go_on(state, fight, ("maintains", rules::RELIEF), &[who, place], out);
            }
            (Stage::Hold, Action::Hold(block)) => {
                self.mark(state, block, Flags::HELD, ("held", rules::RELIEF), out);
            }
            (Stage::Hold, Action::Done) => {
                (fight.relief, fight.stage) = (Relief::Maintained, Stage::Main);
                let held = state.flagged(self.content.of_side[seat.index()], Flags::HELD).count();
                Self::go_on(
                    state,
                    fight,
                    ("holds_back", rules::RELIEF),
                    &[who, Ref::Number(held as i32)],
                    out,
                );
                out.revealed();
            }
            (Stage::Joining, Action::Join(block)) => {
                let flags = Flags::JOINED | Flags::RESERVE | Flags::LATE;
                self.mark(state, block, flags, ("joins", rules::JOINING), out);
            }
            (Stage::Joining, Action::Done) => {
                fight.stage = Stage::Round;
                Self::go_on(state, fight, ("joined", rules::JOINING), &[who], out);
            }
            _ => unreachable!("an illegal action of a fight"),
        }
    }

    /// 8.1: besiegers who are not held back yet.
    pub(in super::super) fn unheld(&self, state: &State, fight: &Fight) -> BlockSet {
        let own = state.out(&self.content, fight.area, fight.defender());
        own - state.flagged(own, Flags::HELD)
    }

    pub(in super::super) fn city_size(&self, fight: &Fight) -> u32 {
        fight.city.map_or(0, |city| u32::from(self.content.cities[city].size))
    }

    /// 8.1: the Siege is broken off for the Battle.
    pub(in super::super) fn break_off(&self, state: &mut State, before: &Fight, out: &mut Events) {
        let scene = Scene::open(self, state, 2, out);
        let mut fight = *before;
        let marker = &mut state.siege[fight.siege_city()];
        *marker = rules::BREAK_OFF.gives((*marker - 1).max(UNMARKED), *marker);
        (fight.relief, fight.stage) = (Relief::Broken, Stage::Main);
        state.fight = Some(fight);
        let refs = [Ref::Seat(fight.defender()), fight.siege_city().reference(&self.content)];
        scene.publish(self, state, out, || Event::new("breaks_off", rules::BREAK_OFF, &refs));
    }
}
