//! Brigades that an event brings to the map: Militia first, then Veterans, then those lost for good (6.4, K15).

use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::catalogue;
use super::super::content::AREAS;
use super::super::content::brigades::Faction;
use super::super::content::ids::{AreaSet, BrigadeFace, CounterId, CounterSet, FaceSet, RegionId, RegionSet};
use super::super::content::operations::{Operation, Placed, Places};
use super::super::frames::Frame;
use super::super::state::{Happened, Holder, Marks, State, Told};
use super::super::{UnhappyKing, rules};

impl UnhappyKing {
    /// Brigades of a Region in their order: Militia of the pool, Veterans of the pool, those lost for good.
    fn next_of_region(&self, state: &State, seat: Seat, region: RegionId) -> CounterSet {
        let native = |counter: CounterId| {
            let face = &self.content.faces[self.content.face_of[counter]];
            face.region == Some(region)
                && face.faction.seat() == seat
                && !state.brigades.get(counter).marks.contains(Marks::TURNED)
        };
        let veteran = |counter: CounterId| self.content.faces[self.content.face_of[counter]].is_veteran();
        let pool = state.brigades.at(Holder::pool(seat)).that(native);
        let veterans = pool.that(veteran);
        let militia = pool - veterans;
        let lost = state.brigades.at(Holder::LOST).that(native);
        let first = [militia, veterans, lost].into_iter().find(|counters| !counters.is_empty());
        rules::EVENT_BRIGADES.gives(first.unwrap_or_default(), pool | lost)
    }

    /// The Brigades that an event may place, wherever.
    fn event_recruits(&self, state: &State, seat: Seat, brigades: Placed) -> CounterSet {
        match brigades {
            Placed::OfRegions(regions) => regions
                .iter()
                .fold(CounterSet::EMPTY, |all, region| all | self.next_of_region(state, seat, region)),
            Placed::Irish => {
                let off = self.irish_off_map(state);
                let away = off & state.brigades.at(Holder::AWAY);
                if away.is_empty() { off } else { away }
            }
            Placed::NewModel => {
                let model = self.content.band(Faction::NewModel);
                let pool = state.brigades.at(Holder::pool(seat)) & model;
                if pool.is_empty() { state.brigades.at(Holder::LOST) & model } else { pool }
            }
        }
    }

    /// The Areas in which an event may place a Brigade of a face, by its card.
    fn event_areas(&self, state: &State, seat: Seat, face: BrigadeFace, places: Places) -> AreaSet {
        let def = &self.content.faces[face];
        let everywhere = AreaSet::first_of(AREAS);
        match places {
            Places::OwnRegion if def.faction == Faction::NewModel => {
                let barred = self.content.numbers.recruitment.new_model_barred;
                everywhere - self.content.areas_of(barred.iter())
            }
            Places::OwnRegion => self.content.areas_of(def.region),
            Places::Area(area) => AreaSet::one(area),
            Places::OwnPort(regions) => {
                let regions: RegionSet = regions;
                self.content.areas_of(regions.iter()) & self.content.ports & state.control[seat.index()]
            }
        }
    }

    /// The places where an event may put a Brigade of a face: with an own Army, Local Notable or marker, not inside a Besieged Fortress,
    /// not beside enemy Brigades outside.
    fn event_receivers(
        &self,
        state: &State,
        seat: Seat,
        face: BrigadeFace,
        places: Places,
        place: &mut impl FnMut(Holder),
    ) {
        let own = state.control[seat.index()] | state.armies(&self.content, seat);
        for area in (self.event_areas(state, seat, face, places) & own).iter() {
            self.each_place(state, seat, (area, face), place);
        }
    }

    /// Faces with a place to go to, of those that come next.
    fn event_faces(&self, state: &State, seat: Seat, operation: Operation) -> FaceSet {
        let Operation::PlaceBrigades { brigades, places, after_new_model, .. } = operation else {
            return FaceSet::EMPTY;
        };
        if after_new_model && !state.has(Happened::NEW_MODEL) {
            return FaceSet::EMPTY;
        }
        let recruits = self.event_recruits(state, seat, brigades);
        state.brigades.faces(&self.content, recruits).that(|face| {
            let mut any = false;
            self.event_receivers(state, seat, face, places, &mut |_| any = true);
            any
        })
    }

    /// Returns whether an event could place a Brigade now (own pool: K19).
    pub(in super::super) fn can_place_by_event(
        &self,
        state: &State,
        seat: Seat,
        operation: Operation,
    ) -> bool {
        !self.event_faces(state, seat, operation).is_empty()
    }

    /// The event goes on once its Brigades are placed, or none can be.
    pub(in super::super) fn advance_event_brigades(
        &self,
        state: &mut State,
        (seat, left): (Seat, u8),
        face: Option<BrigadeFace>,
    ) -> bool {
        let ends = face.is_none()
            && (left == 0 || !self.can_place_by_event(state, seat, self.event_operation(state)));
        if ends {
            state.frames.close();
        }
        ends
    }

    /// Faces; of a face the places.
    pub(in super::super) fn offer_event_brigades(
        &self,
        state: &State,
        seat: Seat,
        face: Option<BrigadeFace>,
        offer: &mut impl FnMut(Action),
    ) {
        let operation = self.event_operation(state);
        match (face, operation) {
            (Some(face), Operation::PlaceBrigades { places, .. }) => {
                self.event_receivers(state, seat, face, places, &mut |holder| offer(Action::To(holder)));
            }
            _ => self.event_faces(state, seat, operation).iter().map(Action::Brigade).for_each(offer),
        }
    }

    /// K15: which Brigade is next, and where it may come.
    pub(in super::super) fn examine_event_brigades(
        &self,
        state: &State,
        seat: Seat,
        chosen: Option<BrigadeFace>,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let operation = self.event_operation(state);
        match (chosen, action, operation) {
            (None, Action::Brigade(face), _) => {
                let next = self.event_faces(state, seat, operation).contains(face);
                why.require(next, rules::EVENT_BRIGADES, "NOT_THE_BRIGADE_OF_THE_EVENT", &[face.into()])
            }
            (Some(face), Action::To(holder), Operation::PlaceBrigades { places, .. }) => {
                let mut fits = false;
                self.event_receivers(state, seat, face, places, &mut |place| fits |= place == holder);
                let at = Ref::from(catalogue::location(&self.content, holder));
                why.require(fits, rules::EVENT_BRIGADES, "NO_PLACE_FOR_IT", &[face.into(), at])
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_event_brigades(
        &self,
        state: &mut State,
        seat: Seat,
        chosen: Option<BrigadeFace>,
        action: Action,
        out: &mut Events,
    ) {
        let operation = self.event_operation(state);
        let Some(Frame::EventBrigades { left, face, .. }) = state.frames.top_mut() else {
            unreachable!("a Brigade is placed within the event that brings it");
        };
        let (Some(of_face), Action::To(holder)) = (chosen, action) else {
            let Action::Brigade(named) = action else { unreachable!("an illegal action was applied") };
            *face = Some(named);
            return;
        };
        (*left, *face) = (*left - 1, None);
        self.event_did(state);
        let Operation::PlaceBrigades { brigades, .. } = operation else {
            unreachable!("an event that places Brigades");
        };
        let among = self.event_recruits(state, seat, brigades);
        let counter = state.brigades.of_face(&self.content, among, of_face);
        let counter = counter.expect("a Brigade of the face was offered");
        let pooled = state.brigades.get(counter).at == Holder::pool(seat);
        let told = if pooled { Told::Hidden } else { Told::AsBefore };
        let scene = Scene::open(self, state, 2, out);
        state.brigades.put(&self.content, counter, holder, told);
        let at = Ref::from(catalogue::location(&self.content, holder));
        scene.publish(self, state, out, || {
            Event::new("brigade_by_event", rules::EVENT_BRIGADES, &[Ref::Seat(seat), at]).private(
                seat,
                &[Ref::Seat(seat), at, of_face.into()],
                [],
            )
        });
    }
}
