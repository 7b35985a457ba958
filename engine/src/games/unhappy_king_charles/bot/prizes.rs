//! The worth of Areas: a marker counts for the Power Base, and for majorities of Regions and infrastructures where it tips them (17.0).

use crate::numbered::Listed;
use crate::seat::Seat;

use super::super::actions::Action;
use super::super::content::ids::{AreaId, AreaSet, InfrastructureId, RegionId};
use super::super::content::{AREAS, INFRASTRUCTURES, PARLIAMENT, REGIONS, ROYALIST};
use super::Sight;

/// The worth of any marker, and of one that the enemy loses.
const MARKER: i32 = 100;
const TAKEN: i32 = 30;
/// The worth of a marker that decides who has a Region, and how fast that falls with the markers that are lacking.
const REGION: i32 = 260;
const REGION_STEP: i32 = 45;
/// The least worth of a marker for its Region.
const REGION_LEAST: i32 = 20;
/// Parliament must come to its points, the Royalist has but to keep it from them: its own worth of them is greater, in halves.
const ZEAL: i32 = 3;
/// The worth of an infrastructure of Parliament, which both sides count, and of one that pays the Royalist's recruits.
const INFRASTRUCTURE: i32 = 160;
const FUNDS: i32 = 60;
/// The worth of London for the Royalist's automatic victory.
const CAPITAL: i32 = 300;
/// The worth of each marker that is lacking to a safe Power Base, so many above the number of the Turn.
const SHORT: i32 = 60;
const SAFE: i32 = 4;

impl Sight<'_> {
    /// The worth of a marker of one's own in each Area.
    pub(super) fn marker_gains(&self) -> [i32; AREAS] {
        let control = self.state.control;
        let need = i32::from(self.content.turns[self.state.turn].power_base) + SAFE;
        let short = (need - control[self.me.index()].count() as i32).clamp(0, 2 * SAFE);
        let (own, theirs) = (MARKER + SHORT * short, TAKEN);
        let mut regions = [[0; 2]; REGIONS];
        for region in RegionId::all(self.content) {
            regions[region.index()] = self.region_gains(region);
        }
        let mut infrastructures = [0; INFRASTRUCTURES];
        for infrastructure in InfrastructureId::all(self.content) {
            infrastructures[infrastructure.index()] = self.infrastructure_gain(infrastructure);
        }
        let mut gains = [0; AREAS];
        for area in AreaId::all(self.content) {
            if control[self.me.index()].contains(area) {
                continue;
            }
            let taken = control[self.foe.index()].contains(area);
            let of = &self.content.areas[area];
            let [on_open, on_enemy] = regions[of.region.index()];
            let mut gain = if taken { own + theirs + on_enemy } else { own + on_open };
            gain += of.infrastructure.map_or(0, |one| infrastructures[one.index()]);
            if self.me == ROYALIST && area == self.content.numbers.victory.capital {
                gain += CAPITAL;
            }
            gains[area] = gain;
        }
        gains
    }

    /// The worth for a Region of a marker of one's own on an open Area, and on an enemy's.
    fn region_gains(&self, region: RegionId) -> [i32; 2] {
        let of = &self.content.regions[region];
        let count = |seat: Seat| (self.state.control[seat.index()] & of.areas).count() as i32;
        let majority = i32::from(of.majority);
        let tips = |lacking: i32| (REGION - REGION_STEP * lacking.abs()).max(REGION_LEAST);
        // Parliament's points are what decides: it gains by the marker that completes a majority, the Royalist by taking that one away.
        let late = 8 + self.turn();
        let gains = if self.me == PARLIAMENT {
            let gain = tips(majority - 1 - count(PARLIAMENT)) * ZEAL / 2;
            [gain, gain]
        } else {
            let own = tips(majority - 1 - count(ROYALIST)) / 2;
            [own, own + tips(count(PARLIAMENT) - majority)]
        };
        gains.map(|gain| gain * late / 16)
    }

    /// The worth of one Area of an infrastructure: more, the fewer are lacking.
    fn infrastructure_gain(&self, infrastructure: InfrastructureId) -> i32 {
        let areas = self.content.infrastructures[infrastructure].areas;
        let lacking = (areas - self.state.control[self.me.index()]).count() as i32;
        let parliaments = areas.is_within(self.state.control[PARLIAMENT.index()]);
        if self.me == PARLIAMENT {
            return INFRASTRUCTURE * ZEAL / 2 / lacking.max(1);
        }
        FUNDS / lacking.max(1) + if parliaments { INFRASTRUCTURE } else { 0 }
    }

    /// The worth of a marker in an Area with what it cuts off: enemy markers that would be Isolated, and one's own that no longer would.
    pub(super) fn marker_at(&self, area: AreaId) -> i32 {
        self.gains[area] + self.cut(area)
    }

    /// The worth of all that a marker in an Area cuts off, or joins again (11.3).
    pub(super) fn cut(&self, area: AreaId) -> i32 {
        let mut world = self.state.control;
        world[self.foe.index()].remove(area);
        world[self.me.index()].insert(area);
        let isolated = |control: [AreaSet; 2], seat: Seat| self.isolated_by(control, seat).count() as i32;
        let theirs = isolated(world, self.foe) - isolated(self.state.control, self.foe);
        let own = isolated(self.state.control, self.me) - isolated(world, self.me);
        TAKEN * theirs + MARKER * own / 2
    }

    /// The markers of a seat that would be Isolated if control were so.
    fn isolated_by(&self, control: [AreaSet; 2], seat: Seat) -> AreaSet {
        self.game.isolated_under(&self.state, control, seat)
    }

    /// The worth of a Fortress that changes hands: its marker, those inside, supply, drums, a Local Notable.
    pub(super) fn fortress_worth(&self, area: AreaId) -> i32 {
        let Some(fortress) = self.state.fortress(self.content, area) else { return 0 };
        let of = &self.content.fortresses[fortress];
        let inside = self.state.garrison(self.content, area).count() as i32;
        let drums = self.content.areas[area].drummers[self.foe.index()].count() as i32;
        self.gains[area]
            + 80 * inside
            + 60 * drums
            + if of.supplies { 100 } else { 0 }
            + if of.notable.is_some() { 100 } else { 0 }
            + if area == self.content.numbers.victory.capital { CAPITAL } else { 0 }
    }

    /// The worth of an action that places one marker, or none.
    pub(super) fn marker_worth(&self, action: Action) -> i32 {
        if let Action::At(area) = action { self.marker_at(area) } else { 0 }
    }

    /// The sum of the best gains among some Areas.
    pub(super) fn best_gains(&self, areas: AreaSet, most: usize) -> i32 {
        let mut best = [0; 9];
        for area in areas {
            let gain = self.gains[area];
            let slot = best.iter().position(|&other| gain > other);
            if let Some(slot) = slot.filter(|&slot| slot < most) {
                best[slot..].rotate_right(1);
                best[slot] = gain;
            }
        }
        best.iter().take(most).sum()
    }
}
