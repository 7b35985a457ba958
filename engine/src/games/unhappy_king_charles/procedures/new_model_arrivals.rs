//! Steps 4 and 5 of the New Model Army (6.5): Cromwell, the Lord General and Poyntz come, with the New Model's Brigades.

use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::content::brigades::Faction;
use super::super::content::ids::{AreaId, AreaSet, CounterId, CounterSet, GeneralId};
use super::super::content::{AREAS, PARLIAMENT, ROYALIST};
use super::super::frames::Frame;
use super::super::state::{Holder, Post, State, Told};
use super::super::{UnhappyKing, rules};

impl UnhappyKing {
    /// MC20, MC21: where Cromwell, or a Lord General who is off the map, may come: under Parliament's marker, without enemy Brigades.
    fn arrival_areas(&self, state: &State, general: GeneralId) -> AreaSet {
        let numbers = &self.content.numbers.new_model;
        let free = state.control[PARLIAMENT.index()] - state.occupied(&self.content, ROYALIST);
        let or_free = |areas: AreaSet| if areas.is_empty() { free } else { areas };
        if general != self.content.people.cromwell {
            let areas = free & self.content.areas_of(numbers.lord_general_in.iter());
            return or_free(rules::LORD_GENERAL_PLACED.gives(areas, free));
        }
        let first = free & AreaSet::one(numbers.cromwell_at);
        let region = free & self.content.regions[numbers.cromwell_in].areas;
        or_free(rules::CROMWELL_PLACED.gives(if first.is_empty() { region } else { first }, free))
    }

    /// Step 4: a General comes to his Area, or Parliament names it; without any he waits.
    pub(in super::super) fn call_to_arms(&self, state: &mut State, general: GeneralId, out: &mut Events) {
        let areas = self.arrival_areas(state, general);
        if areas.count() > 1 {
            state.frames.open(Frame::ModelArrival { seat: PARLIAMENT, general });
        } else {
            self.raise_new_model(state, general, Some(areas.first()), out);
        }
    }

    /// Step 4, MC20 to MC22: a General gets New Model Army Brigades; he comes to the Area that is named or, if it is none, to the
    /// Reinforcements Box, and they to the pool.
    pub(in super::super) fn raise_new_model(
        &self,
        state: &mut State,
        general: GeneralId,
        arrives: Option<Option<AreaId>>,
        out: &mut Events,
    ) {
        let numbers = &self.content.numbers.new_model;
        let cromwell = general == self.content.people.cromwell;
        let count = if cromwell { numbers.cromwell } else { numbers.lord_general };
        let scene = Scene::open(self, state, 2, out);
        if let Some(area) = arrives {
            state.generals.place(general, area.map_or(Post::Reinforcements, Post::Area));
        }
        let area = state.area_of(general);
        let new_model = state.brigades.at(Holder::AWAY) & self.content.band(Faction::NewModel);
        let coming: CounterSet = new_model.iter().take(count.into()).collect();
        let room = match area {
            Some(area) => {
                let limit =
                    self.limit_of(state, general).saturating_sub(state.size(state.commander(general)));
                limit.min(self.room_or_way_out(state, general, area, coming.count() as u8))
            }
            None => 0,
        };
        let room = rules::NEW_MODEL_EXCESS.gives(room, count);
        let joining: CounterSet = coming.iter().take(room.into()).collect();
        let (display, rest) = match area {
            Some(_) => (Holder::from(general), Holder::OUT),
            None => (Holder::pool(PARLIAMENT), Holder::pool(PARLIAMENT)),
        };
        for counter in coming {
            self.leave_waiting(state, counter, if joining.contains(counter) { display } else { rest });
        }
        let refs: Vec<Ref> = [Ref::from(general)].into_iter().chain(area.map(Ref::from)).collect();
        scene.publish(self, state, out, || Event::new("new_model_raised", rules::NEW_MODEL, &refs));
    }

    /// The Brigades that have room with a General where they stand: inside a Fortress as many as fit (14.1). An Army that would be too large
    /// comes out, unless it is Masked or Besieged.
    fn room_or_way_out(&self, state: &mut State, general: GeneralId, area: AreaId, coming: u8) -> u8 {
        if !state.is_inside(general) {
            return u8::MAX;
        }
        let fortress = state.fortress(&self.content, area).expect("an Army is inside a Fortress");
        let garrison = state.garrison(&self.content, area).count() as u8;
        let room = self.content.fortresses[fortress].room.saturating_sub(garrison);
        if coming <= room || state.invests(&self.content, ROYALIST, area) {
            return room;
        }
        let commander = state.commander(general);
        state.generals.place(commander, Post::Area(area));
        u8::MAX
    }

    /// A Brigade with the face of one that has not arrived goes to a place, seen by all.
    fn leave_waiting(&self, state: &mut State, like: CounterId, to: Holder) {
        let waiting = state.brigades.at(Holder::AWAY);
        let counter = state.brigades.of_face(&self.content, waiting, self.content.face_of[like]);
        let counter = counter.expect("as many were counted as have this face");
        state.brigades.put(&self.content, counter, to, Told::Public);
    }

    pub(in super::super) fn offer_model_arrival(
        &self,
        state: &State,
        _: Seat,
        general: GeneralId,
        offer: &mut impl FnMut(Action),
    ) {
        self.arrival_areas(state, general).iter().map(Action::At).for_each(offer);
    }

    /// MC20, MC21.
    pub(in super::super) fn examine_model_arrival(
        &self,
        state: &State,
        _: Seat,
        general: GeneralId,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let Action::At(area) = action else { return why.refuse(CONTRACT, "NOT_NOW") };
        let cromwell = general == self.content.people.cromwell;
        let rule = if cromwell { rules::CROMWELL_PLACED } else { rules::LORD_GENERAL_PLACED };
        let comes = self.arrival_areas(state, general).contains(area);
        why.demand(comes, rule, "DOES_NOT_COME_THERE", &[general.into(), area.into()])
    }

    pub(in super::super) fn apply_model_arrival(
        &self,
        state: &mut State,
        _: Seat,
        general: GeneralId,
        action: Action,
        out: &mut Events,
    ) {
        let Action::At(area) = action else { unreachable!("an illegal action was applied") };
        state.frames.close();
        self.raise_new_model(state, general, Some(Some(area)), out);
    }

    /// The Areas with a stack of Parliament's outside (MC23).
    fn stacks_for_poyntz(&self, state: &State) -> AreaSet {
        let stands = |&area: &AreaId| !state.stack(&self.content, PARLIAMENT, area).is_empty();
        AreaSet::first_of(AREAS).iter().filter(stands).collect()
    }

    /// Step 5: Poyntz joins a stack, or waits in the Reinforcements Box; without a stack nobody is asked.
    pub(in super::super) fn call_poyntz(&self, state: &mut State, out: &mut Events) {
        if rules::POYNTZ.allows(self.stacks_for_poyntz(state).is_empty()) {
            self.place_poyntz(state, None, out);
        } else {
            state.frames.open(Frame::ModelPoyntz { seat: PARLIAMENT });
        }
    }

    fn place_poyntz(&self, state: &mut State, area: Option<AreaId>, out: &mut Events) {
        let poyntz = self.content.people.poyntz;
        let scene = Scene::open(self, state, 2, out);
        state.generals.place(poyntz, area.map_or(Post::Reinforcements, Post::Area));
        let refs: Vec<Ref> = [Ref::from(poyntz)].into_iter().chain(area.map(Ref::from)).collect();
        scene.publish(self, state, out, || Event::new("poyntz_comes", rules::POYNTZ, &refs));
    }

    pub(in super::super) fn offer_model_poyntz(
        &self,
        state: &State,
        _: Seat,
        offer: &mut impl FnMut(Action),
    ) {
        self.stacks_for_poyntz(state).iter().map(Action::At).for_each(&mut *offer);
        offer(Action::Pass);
    }

    /// MC23.
    pub(in super::super) fn examine_model_poyntz(
        &self,
        state: &State,
        _: Seat,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match action {
            Action::Pass => ControlFlow::Continue(()),
            Action::At(area) => {
                let stands = self.stacks_for_poyntz(state).contains(area);
                why.require(stands, rules::POYNTZ, "NO_STACK_THERE", &[area.into()])
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_model_poyntz(
        &self,
        state: &mut State,
        _: Seat,
        action: Action,
        out: &mut Events,
    ) {
        state.frames.close();
        let area = if let Action::At(area) = action { Some(area) } else { None };
        self.place_poyntz(state, area, out);
    }
}
