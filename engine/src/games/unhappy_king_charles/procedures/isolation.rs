//! The Political Control Phase (5.2, 11.2) and Political Isolation (11.3).

use crate::numbered::Listed;
use crate::vocabulary::*;

use super::super::content::ids::{AreaId, AreaSet, NotableId};
use super::super::content::{AREAS, PARLIAMENT, ROYALIST, SEATS};
use super::super::state::{Presence, State};
use super::super::{UnhappyKing, rules};

impl UnhappyKing {
    /// 11.2: markers come where Brigades stand, then isolated ones go: Parliament's first, then the Royalist's on what is left (P4).
    pub(in super::super) fn political_control(&self, state: &mut State, out: &mut Events) {
        let scene = Scene::open(self, state, 2, out);
        for seat in SEATS {
            let occupied = state.occupied(&self.content, seat) - self.fortress_areas(state);
            for area in occupied {
                if rules::OCCUPIED_AREAS.applies(state.controller(area) != Some(seat)) {
                    state.set_control(area, Some(seat));
                }
            }
        }
        scene.publish(self, state, out, || Event::new("occupied", rules::OCCUPIED_AREAS, &[]));
        for seat in rules::ISOLATION_ORDER.gives([PARLIAMENT, ROYALIST], [ROYALIST, PARLIAMENT]) {
            let isolated = self.isolated(state, seat);
            if !rules::ISOLATION.applies(!isolated.is_empty()) {
                continue;
            }
            let scene = Scene::open(self, state, 2, out);
            isolated.iter().for_each(|area| state.set_control(area, None));
            scene.publish(self, state, out, || {
                let refs: Vec<Ref> =
                    [Ref::Seat(seat)].into_iter().chain(isolated.iter().map(Ref::from)).collect();
                Event::new("isolated", rules::ISOLATION, &refs)
            });
        }
    }

    /// The Areas that are Fortresses now: printed ones, and those of Local Notables in play (13.0), but of no others (P5).
    pub(in super::super) fn fortress_areas(&self, state: &State) -> AreaSet {
        let notables = NotableId::all(&self.content)
            .filter(|&notable| rules::NOTABLE_AREA.allows(state.notables[notable] == Presence::InPlay))
            .map(|notable| self.content.notables[notable].area);
        self.content.fortified | rules::NOTABLE_FORTRESS.gives(notables.collect(), AreaSet::EMPTY)
    }

    /// The markers of a seat that are Isolated (11.3): none of them a Fortress (P3), and no chain of own and empty Areas leads to a Supply
    /// Fortress that is free, a Local Notable without a Siege marker, or an Army (P2).
    #[must_use]
    pub(in super::super) fn isolated(&self, state: &State, seat: Seat) -> AreaSet {
        self.isolated_under(state, state.control, seat)
    }

    /// The markers of a seat that would be Isolated if Areas that are no Fortresses were controlled so.
    #[must_use]
    pub(in super::super) fn isolated_under(
        &self,
        state: &State,
        control: [AreaSet; 2],
        seat: Seat,
    ) -> AreaSet {
        let passable = AreaSet::first_of(AREAS) - control[seat.other().index()];
        control[seat.index()]
            - self.reached(self.suppliers(state, seat), passable)
            - rules::NEVER_ISOLATED.gives(self.fortress_areas(state), AreaSet::EMPTY)
    }

    /// The Areas from which chains of a seat keep off Isolation, and those that chains go through: own and empty ones (P2).
    pub(in super::super) fn chains(&self, state: &State, seat: Seat) -> (AreaSet, AreaSet) {
        (self.suppliers(state, seat), AreaSet::first_of(AREAS) - state.control[seat.other().index()])
    }

    /// The Areas from which a chain keeps off Isolation.
    fn suppliers(&self, state: &State, seat: Seat) -> AreaSet {
        let supplies = |area: &AreaId| {
            state.controller(*area) == Some(seat)
                && match state.fortress(&self.content, *area) {
                    Some(_) if state.notable_at(&self.content, *area).is_some() => {
                        !state.besieged(&self.content, *area)
                    }
                    Some(fortress) => {
                        self.content.fortresses[fortress].supplies
                            && rules::MASKING.allows(!state.invests(&self.content, seat.other(), *area))
                    }
                    None => false,
                }
        };
        let fortresses: AreaSet = self.fortress_areas(state).iter().filter(supplies).collect();
        fortresses | state.armies(&self.content, seat)
    }

    /// All Areas that lines other than Maritime ones join to some, through passable Areas.
    pub(in super::super) fn reached(&self, from: AreaSet, passable: AreaSet) -> AreaSet {
        let (mut reached, mut edge) = (from, from);
        while !edge.is_empty() {
            let near = edge.iter().fold(AreaSet::EMPTY, |near, area| near | self.content.by_land[area]);
            edge = (near & passable) - reached;
            reached |= edge;
        }
        reached
    }
}
