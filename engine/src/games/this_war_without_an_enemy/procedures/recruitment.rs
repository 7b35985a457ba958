//! Recruitment with Action Points and by events (6.3, 6.4), and at Year End (11.2).

use std::ops::ControlFlow;

use crate::event::{Event, Events, Scene};
use crate::game::CONTRACT;
use crate::numbered::Listed;
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::Seat;

use super::super::actions::Action;
use super::super::content::things::{AreaId, AreaSet, BlockId, BlockSet, Place, RegionId};
use super::super::frames::Frame;
use super::super::state::{Block, Flags, State, UNMARKED};
use super::super::{ThisWar, rules};
use super::control::Control;

/// The payment of a recruitment, and so the rules that hold.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(in super::super) enum Paid {
    /// An Action Point, or a point of an event; whether it may be Artillery.
    Action { guns: bool },
    /// A Recruitment Point of a Region, or of London.
    Region(RegionId),
}

impl ThisWar {
    /// Blocks on the map for strength, and those of the pool.
    pub(in super::super) fn offer_recruits(&self, state: &State, seat: Seat, offer: &mut impl FnMut(Action)) {
        let own = self.content.of_side[seat.index()];
        let pool = state.at(Place::POOL) & own;
        (own - pool).iter().for_each(|block| offer(Action::Raise(block)));
        pool.iter().for_each(|block| offer(Action::Deploy(block)));
    }

    /// Of an event the same, then to end; of a Region at Year End the same; for a recruit the Areas.
    pub(in super::super) fn offer_recruitment(
        &self,
        state: &State,
        seat: Seat,
        frame: Frame,
        offer: &mut impl FnMut(Action),
    ) {
        match frame {
            Frame::Place { .. } => AreaId::all(&self.content).map(Action::At).for_each(offer),
            Frame::Region { .. } => self.offer_recruits(state, seat, offer),
            _ => {
                self.offer_recruits(state, seat, offer);
                offer(Action::Done);
            }
        }
    }

    /// 6.3, 6.4, 11.2: whom the points or the event allow.
    pub(in super::super) fn examine_recruitment(
        &self,
        state: &State,
        seat: Seat,
        frame: Frame,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match (frame, action) {
            (Frame::Free { left, guns, .. }, Action::Raise(block)) => {
                why.require(left > 0, rules::ACTIONS, "NO_POINTS_LEFT", &[])?;
                self.examine_raise(state, seat, block, Paid::Action { guns }, why)
            }
            (Frame::Free { left, guns, .. }, Action::Deploy(block)) => {
                why.require(left > 0, rules::ACTIONS, "NO_POINTS_LEFT", &[])?;
                self.examine_deploy(state, seat, block, Paid::Action { guns }, why)
            }
            (Frame::Free { .. }, Action::Done) => ControlFlow::Continue(()),
            (Frame::Region { region, .. }, Action::Raise(block)) => {
                self.examine_raise(state, seat, block, Paid::Region(region), why)
            }
            (Frame::Region { region, .. }, Action::Deploy(block)) => {
                self.examine_deploy(state, seat, block, Paid::Region(region), why)
            }
            (Frame::Place { block, guns, points, .. }, Action::At(area)) => {
                let paid = points.map_or(Paid::Action { guns }, Paid::Region);
                self.examine_at(state, (seat, block), area, paid, why)
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_recruitment(
        &self,
        state: &mut State,
        seat: Seat,
        frame: Frame,
        action: Action,
        out: &mut Events,
    ) {
        match (frame, action) {
            (_, Action::Raise(block)) => self.raise(state, block, out),
            (Frame::Free { guns, .. }, Action::Deploy(block)) => {
                self.pick_recruit(state, seat, block, (guns, None), out);
            }
            (Frame::Region { region, .. }, Action::Deploy(block)) => {
                self.pick_recruit(state, seat, block, (false, Some(region)), out);
            }
            (Frame::Place { block, .. }, Action::At(area)) => self.deploy(state, block, area, out),
            (Frame::Free { .. }, _) => self.acted(state, seat, out),
            _ => unreachable!("an illegal action was applied"),
        }
    }

    /// A block of the pool is named, with the Recruitment Points or the event that pay for it; its Area comes next.
    pub(in super::super) fn pick_recruit(
        &self,
        state: &mut State,
        seat: Seat,
        block: BlockId,
        (guns, points): (bool, Option<RegionId>),
        out: &mut Events,
    ) {
        state.frames.open(Frame::Place { seat, block, guns, points });
        let refs = [Ref::Seat(seat), Ref::from(block)];
        out.emit(|| Event::only(seat, "picked_block", rules::DEPLOY, &refs));
    }

    /// 9.11: how many Infantry and Cavalry blocks a side has outside the City beyond what its Area supplies.
    pub(in super::super) fn shortage(
        &self,
        state: &State,
        seat: Seat,
        area: AreaId,
        exempt: BlockSet,
        extra: BlockSet,
    ) -> u32 {
        let content = &self.content;
        let here = (state.out(content, area, seat) | extra) - exempt;
        let horse = (here & content.horse).count();
        let foot = (here & content.foot).count();
        let def = &content.areas[area];
        let (base, most) = (u32::from(def.supply.0), u32::from(def.supply.1));
        let besieging = !state.inside(content, area, seat.other()).is_empty();
        let bonus = match def.city {
            Some(city) if !besieging => u32::from(content.cities[city].supply),
            _ => 0,
        };
        let ridden = horse.min(most);
        let supplied = ridden + foot.min(bonus + base.saturating_sub(ridden));
        rules::SUPPLY.gives((horse + foot).saturating_sub(supplied), 0)
    }

    /// 6.3, 11.2: whether a block may be given strength.
    pub(in super::super) fn examine_raise(
        &self,
        state: &State,
        seat: Seat,
        block: BlockId,
        paid: Paid,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let content = &self.content;
        let (piece, index) = (Ref::from(block), block);
        let def = &content.blocks[index];
        let at = state.blocks[index].at;
        let area = content.area_of(at).filter(|_| def.side == seat);
        why.demand(area.is_some(), rules::STRENGTH, "NOT_ON_THE_MAP", &[piece])?;
        let Some(area) = area else { return ControlFlow::Break(()) };
        let weak = state.blocks[index].strength < def.strength;
        why.require(weak, rules::STRENGTH, "FULL_STRENGTH", &[piece])?;
        let gun = content.guns.contains(block);
        let city = content.city_at(at);
        let besieged = city.is_some_and(|city| state.siege[city] >= UNMARKED);
        match paid {
            Paid::Action { guns } => {
                why.require(!gun || guns, rules::STRENGTH, "NO_ARTILLERY", &[piece])?;
                let contested = state.contested(content, area);
                why.require(!contested, rules::STRENGTH, "CONTESTED", &[piece, Ref::from(area)])?;
                let port = city.is_none_or(|city| content.cities[city].port);
                why.require(port || !besieged, rules::STRENGTH, "BESIEGED", &[piece])?;
                let regional = (content.regional | content.regional_leaders).contains(block);
                let home = !regional || def.home.contains(area);
                why.require(home, rules::STRENGTH, "NOT_AT_HOME", &[piece])
            }
            Paid::Region(region) => {
                why.require(!gun || region == RegionId::LONDON, rules::RECRUIT, "NO_ARTILLERY", &[piece])?;
                why.require(self.in_region(region, area), rules::RECRUIT, "OTHER_REGION", &[piece])?;
                why.require(city.is_none(), rules::RECRUIT, "BESIEGED", &[piece])?;
                why.require(!content.abroad(index, area), rules::RECRUIT, "NOT_AT_HOME", &[piece])
            }
        }
    }

    /// 11.2, 11.22: whether points of a Region can be used in an Area; London's in its Area and those next to it.
    pub(in super::super) fn in_region(&self, region: RegionId, area: AreaId) -> bool {
        if region == RegionId::LONDON {
            let london = self.content.london;
            return area == london || self.content.areas[london].near.contains(area);
        }
        self.content.areas[area].region == region
    }

    /// 6.3, 11.2: whether a block of the pool may be deployed in an Area.
    pub(in super::super) fn examine_at(
        &self,
        state: &State,
        (seat, block): (Seat, BlockId),
        area: AreaId,
        paid: Paid,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let content = &self.content;
        let (piece, index, space) = (Ref::from(block), block, Ref::from(area));
        let def = &content.blocks[index];
        let control = state.control(content, area);
        let friendly = control == Control::Of(seat);
        let regional = content.regional.contains(block);
        let home = def.base.contains(area);
        match paid {
            Paid::Action { .. } => {
                why.require(friendly, rules::DEPLOY, "NOT_FRIENDLY", &[space])?;
                why.require(home, rules::DEPLOY, "NOT_AT_HOME", &[piece, space])?;
            }
            Paid::Region(region) => {
                why.require(self.in_region(region, area), rules::RECRUIT, "OTHER_REGION", &[space])?;
                why.require(home, rules::RECRUIT, "NOT_AT_HOME", &[piece, space])?;
                let city = content.areas[area].city;
                let own_city = city.is_some_and(|c| content.cities[c].sympathy == Some(seat));
                let open = friendly
                    || (regional && state.vacant(content, area))
                    || (!regional && control == Control::Neutral && own_city);
                why.require(open, rules::RECRUIT, "NOT_FRIENDLY", &[space])?;
            }
        }
        let rule = if matches!(paid, Paid::Action { .. }) { rules::DEPLOY } else { rules::RECRUIT };
        let gun = content.guns.contains(block);
        let fed = gun || self.shortage(state, seat, area, BlockSet::EMPTY, BlockSet::one(block)) == 0;
        why.require(fed, rule, "NO_SUPPLY", &[space])
    }

    /// Examines whether a block of the pool may be deployed somewhere.
    pub(in super::super) fn examine_deploy(
        &self,
        state: &State,
        seat: Seat,
        block: BlockId,
        paid: Paid,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let piece = Ref::from(block);
        let index = block;
        let pooled = state.blocks[index].at == Place::POOL && self.content.blocks[index].side == seat;
        why.demand(pooled, rules::DEPLOY, "NOT_IN_THE_POOL", &[piece])?;
        let gun = self.content.guns.contains(block);
        let allowed = match paid {
            Paid::Action { guns } => !gun || guns,
            Paid::Region(region) => !gun || region == RegionId::LONDON,
        };
        why.demand(allowed, rules::STRENGTH, "NO_ARTILLERY", &[piece])?;
        let mut base = self.content.blocks[index].base;
        if !matches!(paid, Paid::Region(_)) {
            base &= state.held_by(&self.content, seat) | self.loyal(state, seat);
        }
        let somewhere = base.iter().any(|area| {
            let mut quiet = Why::quiet();
            let _ = self.examine_at(state, (seat, block), area, paid, &mut quiet);
            !quiet.refused()
        });
        why.require(somewhere, rules::DEPLOY, "NOWHERE_TO_DEPLOY", &[piece])
    }

    /// Areas without blocks outside a City that are loyal to a seat.
    fn loyal(&self, state: &State, seat: Seat) -> AreaSet {
        let loyal = |area: AreaId| self.content.areas[area].loyal == Some(seat);
        AreaId::all(&self.content).filter(|&area| loyal(area) && state.at(area).is_empty()).collect()
    }

    /// A point of strength is added.
    pub(in super::super) fn raise(&self, state: &mut State, block: BlockId, out: &mut Events) {
        let scene = Scene::open(self, state, 2, out);
        let index = block;
        let seat = self.content.blocks[index].side;
        state.strengthen(&self.content, index);
        self.spend(state);
        let refs = |what| [Ref::Seat(seat), what, Ref::from(state.blocks[index].at)];
        let back = Ref::Kind(super::super::catalogue::BACK + seat.index() as u16);
        scene.publish(self, state, out, || {
            Event::new("raises", rules::STRENGTH, &refs(back)).private(seat, &refs(Ref::from(block)), [])
        });
    }

    /// A block leaves the pool for an Area, at strength 1.
    pub(in super::super) fn deploy(&self, state: &mut State, block: BlockId, area: AreaId, out: &mut Events) {
        let scene = Scene::open(self, state, 2, out);
        let index = block;
        let seat = self.content.blocks[index].side;
        state.frames.close();
        state.depart(&self.content, BlockSet::one(index));
        state.put(index, area.into());
        let old = state.blocks[index];
        state.blocks[index] = Block { strength: 1, flags: Flags::empty(), by: None, ..old };
        state.touch(&self.content, area);
        self.spend(state);
        let refs = |what| [Ref::Seat(seat), what, Ref::from(area)];
        let back = Ref::Kind(super::super::catalogue::BACK + seat.index() as u16);
        scene.publish(self, state, out, || {
            Event::new("deploys", rules::DEPLOY, &refs(back)).private(seat, &refs(Ref::from(block)), [])
        });
    }

    /// The point that was used goes; a Region's list closes after one use.
    fn spend(&self, state: &mut State) {
        let region = match state.frames.top_mut() {
            Some(Frame::Actions { points, .. }) => {
                *points = points.saturating_sub(1);
                None
            }
            Some(Frame::Free { left, .. }) => {
                *left = left.saturating_sub(1);
                None
            }
            Some(&mut Frame::Region { region, .. }) => Some(region),
            _ => None,
        };
        if let Some(region) = region {
            state.frames.close();
            if let Some(Frame::Recruit { left, .. }) = state.frames.top_mut() {
                left[region] = left[region].saturating_sub(1);
            }
        }
    }
}
