//! Year End: regional recruitment, the return home, the decks of the next year (11).

use std::ops::ControlFlow;

use crate::event::{Event, Events, Scene};
use crate::game::CONTRACT;
use crate::numbered::Listed;
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::Seat;

use super::super::actions::Action;
use super::super::content::things::{AreaId, AreaSet, BlockId, BlockSet, CityId, Place, RegionId};
use super::super::content::{CityClass, REGIONS};
use super::super::frames::Frame;
use super::super::state::{State, UNMARKED};
use super::super::{ThisWar, rules};

impl ThisWar {
    /// The Regions, then the way home; the blocks, then to end; of a block the Areas, and the pool.
    pub(in super::super) fn offer_year_end(
        &self,
        state: &State,
        seat: Seat,
        frame: Frame,
        offer: &mut impl FnMut(Action),
    ) {
        match frame {
            Frame::Recruit { .. } => {
                RegionId::all(&self.content).map(Action::Region).for_each(&mut *offer);
                offer(Action::Done);
            }
            Frame::Return { .. } => {
                let map = self.content.of_side[seat.index()] - state.at(Place::POOL);
                map.iter().for_each(|block| offer(Action::Home(block)));
                offer(Action::Done);
            }
            _ => {
                AreaId::all(&self.content).map(Action::At).for_each(&mut *offer);
                offer(Action::Pool);
            }
        }
    }

    /// 11.2, 11.3: a Region with points; blocks that must, or may, return, and their homes.
    pub(in super::super) fn examine_year_end(
        &self,
        state: &State,
        seat: Seat,
        frame: Frame,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match (frame, action) {
            (Frame::Recruit { left, .. }, Action::Region(region)) => {
                self.examine_region(state, (seat, left), region, why)
            }
            (Frame::Recruit { .. }, Action::Done) => ControlFlow::Continue(()),
            (Frame::Return { .. }, Action::Home(block)) => self.examine_home(state, seat, block, why),
            (Frame::Return { .. }, Action::Done) => {
                let (must, _) = self.away(state, seat);
                why.require(must.is_empty(), rules::RETURN_HOME, "MUST_RETURN", &[])
            }
            (Frame::ReturnTo { block, .. }, Action::At(area)) => {
                let goals = self.returns_to(state, seat, block);
                why.require(goals.contains(area), rules::RETURN_HOME, "NOT_OPEN", &[Ref::from(area)])
            }
            (Frame::ReturnTo { block, .. }, Action::Pool) => {
                let none = self.returns_to(state, seat, block).is_empty();
                why.require(none, rules::RETURN_HOME, "THERE_IS_ROOM", &[])
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_year_end(
        &self,
        state: &mut State,
        seat: Seat,
        frame: Frame,
        action: Action,
        out: &mut Events,
    ) {
        let who = Ref::Seat(seat);
        match (frame, action) {
            (Frame::Recruit { .. }, Action::Region(region)) => {
                state.frames.open(Frame::Region { seat, region });
                out.emit(|| Event::new("recruits", rules::RECRUIT, &[who, region.reference(&self.content)]));
            }
            (Frame::Recruit { .. }, _) => {
                self.replace(state, Frame::Return { seat });
                out.emit(|| Event::new("recruited", rules::RECRUIT, &[who]));
            }
            (Frame::Return { .. }, Action::Home(block)) => {
                state.frames.open(Frame::ReturnTo { seat, block });
                let refs = [who, Ref::from(block)];
                out.emit(|| Event::only(seat, "picked_block", rules::RETURN_HOME, &refs));
            }
            (Frame::Return { .. }, _) => {
                state.frames.close();
                out.emit(|| Event::new("at_home", rules::RETURN_HOME, &[who]));
            }
            (Frame::ReturnTo { block, .. }, Action::At(area)) => {
                state.frames.close();
                self.relocate(state, block, area.into(), ("returns", rules::RETURN_HOME), out);
            }
            (Frame::ReturnTo { block, .. }, Action::Pool) => self.leave_map(state, block, out),
            _ => unreachable!("an illegal action was applied"),
        }
    }

    /// 11.0: the Royalist recruits and brings their blocks home, then Parliament; then the decks.
    pub(in super::super) fn year_end(&self, state: &mut State, done: u8, out: &mut Events) {
        if done < 2 {
            let scene = Scene::open(self, state, 2, out);
            let seat = Seat::new(rules::YEAR_END.gives(done, 1 - done));
            self.replace(state, Frame::YearEnd { done: done + 1 });
            let left = self.recruitment_points(state, seat);
            state.frames.open(Frame::Recruit { seat, left });
            let total: i32 = left.iter().map(|&points| i32::from(points)).sum();
            let refs = [Ref::Seat(seat), Ref::Number(total)];
            scene.publish(self, state, out, || Event::new("year_end", rules::YEAR_END, &refs));
            return;
        }
        self.next_turn(state, Frame::Deal { left: 2 * self.content.deal }, out);
        let scene = Scene::open(self, state, 2, out);
        self.shuffle_decks(state);
        scene.publish(self, state, out, || Event::new("decks", rules::DECKS, &[]));
    }

    /// 11.2, 11.22: points by Region, London's apart.
    pub(in super::super) fn recruitment_points(&self, state: &State, seat: Seat) -> [u8; REGIONS + 1] {
        let content = &self.content;
        let mut left = [0; REGIONS + 1];
        for area in AreaId::all(content).filter(|&area| state.friendly(content, area, seat)) {
            left[content.areas[area].region] += 1;
        }
        let held =
            |city: &CityId| state.holder(content, *city) == Some(seat) && state.siege[*city] < UNMARKED;
        for city in CityId::all(content).filter(held).map(|city| &content.cities[city]) {
            match city.class {
                CityClass::London => left[RegionId::LONDON] += rules::LONDON_RECRUITS.gives(city.recruits, 0),
                CityClass::Major => left[content.areas[city.area].region] += city.recruits,
                _ => {}
            }
        }
        rules::RECRUIT.gives(left, [0; REGIONS + 1])
    }

    /// 11.3: Regional blocks and Regional Leaders that are outside home: those that must return, and those that may.
    pub(in super::super) fn away(&self, state: &State, seat: Seat) -> (BlockSet, BlockSet) {
        let content = &self.content;
        let (mut must, mut may) = (BlockSet::EMPTY, BlockSet::EMPTY);
        let own = content.of_side[seat.index()] & (content.regional | content.regional_leaders);
        for block in own {
            let at = content.as_area(state.blocks[block].at);
            let Some(at) = at.filter(|&at| !content.blocks[block].base.contains(at)) else { continue };
            let led = state.out(content, at, seat).meets(content.leaders);
            (if led { &mut may } else { &mut must }).insert(block);
        }
        (rules::RETURN_HOME.gives(must, BlockSet::EMPTY), may)
    }

    /// 11.3: where a block can return to.
    pub(in super::super) fn returns_to(&self, state: &State, seat: Seat, block: BlockId) -> AreaSet {
        let content = &self.content;
        let open = |area: AreaId| {
            let london = content.blocks[block].base == AreaSet::one(content.london)
                && content.regional.contains(block);
            let welcome = match state.control(content, area) {
                super::control::Control::Of(holder) => holder == seat,
                super::control::Control::Neutral => london,
                super::control::Control::Contested => false,
            };
            welcome && self.shortage(state, seat, area, BlockSet::EMPTY, BlockSet::one(block)) == 0
        };
        content.blocks[block].base.that(open)
    }

    pub(in super::super) fn examine_home(
        &self,
        state: &State,
        seat: Seat,
        block: BlockId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let (must, may) = self.away(state, seat);
        let piece = Ref::from(block);
        why.require((must | may).contains(block), rules::RETURN_HOME, "NOT_AWAY", &[piece])
    }

    /// 11.2: whether a point of a Region can be used at all.
    pub(in super::super) fn examine_region(
        &self,
        state: &State,
        (seat, left): (Seat, [u8; REGIONS + 1]),
        region: RegionId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let mat = region.reference(&self.content);
        why.demand(left[region] > 0, rules::RECRUIT, "NO_POINTS", &[mat])?;
        let paid = super::recruitment::Paid::Region(region);
        let useful = self.content.of_side[seat.index()].iter().any(|block| {
            let (mut raise, mut deploy) = (Why::quiet(), Why::quiet());
            let _ = self.examine_raise(state, seat, block, paid, &mut raise);
            let _ = self.examine_deploy(state, seat, block, paid, &mut deploy);
            !raise.refused() || !deploy.refused()
        });
        why.require(useful, rules::RECRUIT, "NOTHING_TO_RECRUIT", &[mat])
    }
}
