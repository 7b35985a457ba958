//! Victory: the Royalist's automatic one, the Power Base, and points at the end (5.8, 17.0).

use crate::numbered::Listed;
use crate::vocabulary::*;

use super::super::content::ids::{InfrastructureId, InfrastructureSet, RegionId, RegionSet};
use super::super::content::{PARLIAMENT, ROYALIST, SEATS};
use super::super::state::{State, Verdict};
use super::super::{UnhappyKing, rules};

impl UnhappyKing {
    /// The Regions that a seat controls: markers in the majority of their Areas (17.3).
    #[must_use]
    pub(in super::super) fn regions_of(&self, state: &State, seat: Seat) -> RegionSet {
        let control = state.control[seat.index()];
        let held = |region: &RegionId| {
            let region = &self.content.regions[*region];
            (control & region.areas).count() >= region.majority.into()
        };
        RegionId::all(&self.content).filter(held).collect()
    }

    /// The economic infrastructures that a seat controls: a marker in each of their Areas, and no enemy Brigade in any (17.3, W4).
    #[must_use]
    pub(in super::super) fn infrastructures_of(&self, state: &State, seat: Seat) -> InfrastructureSet {
        let occupied = state.occupied(&self.content, seat.other());
        let held = |infrastructure: &InfrastructureId| {
            let areas = self.content.infrastructures[*infrastructure].areas;
            areas.is_within(state.control[seat.index()])
                && rules::INFRASTRUCTURE.allows(!areas.meets(occupied))
        };
        InfrastructureId::all(&self.content).filter(held).collect()
    }

    /// 5.8, T21: the Royalist's automatic victory, then the Power Base of both.
    pub(in super::super) fn power_base(&self, state: &mut State, out: &mut Events) {
        let victory = &self.content.numbers.victory;
        let regions = self.regions_of(state, ROYALIST).count();
        let ascendant =
            state.control[ROYALIST.index()].contains(victory.capital) && regions >= victory.regions.into();
        let scene = Scene::open(self, state, 2, out);
        state.ascendancy = if ascendant { state.ascendancy + 1 } else { 0 };
        let count = |seat: Seat| state.control[seat.index()].count();
        let counts = SEATS.map(count);
        let need = self.content.turns[state.turn].power_base;
        scene.publish(self, state, out, || {
            let number = |number: u32| Ref::Number(number as i32);
            Event::new(
                "areas_counted",
                rules::POWER_BASE,
                &[number(counts[0]), number(counts[1]), number(need.into())],
            )
        });
        let lasts = rules::CONSECUTIVE_TURNS.allows(state.ascendancy >= victory.turns);
        let ascends = rules::ROYALIST_VICTORY.applies(ascendant && lasts).then_some(Verdict::Ascendancy);
        let short = counts.map(|count| rules::POWER_BASE.applies(count < need.into()));
        let fallen = match short {
            [true, true] => rules::BOTH_SHORT.gives(Some(Verdict::BothShort), None),
            [true, false] => Some(Verdict::PowerBase(PARLIAMENT)),
            [false, true] => Some(Verdict::PowerBase(ROYALIST)),
            [false, false] => None,
        };
        state.result = rules::POWER_BASE_PHASE.gives(ascends.or(fallen), fallen.or(ascends));
    }

    /// Parliament's points, if the war ended now (17.3, W3).
    #[must_use]
    pub(in super::super) fn points_of_parliament(&self, state: &State) -> u32 {
        let victory = &self.content.numbers.victory;
        let regions = self.regions_of(state, PARLIAMENT).count() * u32::from(victory.region_points);
        regions
            + self.infrastructures_of(state, PARLIAMENT).count() * u32::from(victory.infrastructure_points)
    }

    /// 17.3: after the last Turn Parliament's Regions and infrastructures decide.
    pub(in super::super) fn count_points(&self, state: &mut State, out: &mut Events) {
        let victory = &self.content.numbers.victory;
        let points = rules::FINAL_POINTS.gives(self.points_of_parliament(state), 0);
        out.emit(|| Event::new("points_counted", rules::FINAL_POINTS, &[Ref::Number(points as i32)]));
        let winner = if points >= victory.points.into() { PARLIAMENT } else { ROYALIST };
        state.result = Some(Verdict::Points(winner));
    }
}
