//! Year End: regional recruitment, the return home, the decks of the next year (11).

use std::ops::ControlFlow;

use crate::event::{Event, Events, Scene};
use crate::game::CONTRACT;
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::Seat;

use super::super::actions::Action;
use super::super::content::{CityClass, LONDON};
use super::super::frames::{Frame, region_ref};
use super::super::state::{POOL, State, UNMARKED, each};
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
                (0..6).map(Action::Region).for_each(&mut *offer);
                offer(Action::Done);
            }
            Frame::Return { .. } => {
                let map = self.content.of_side[seat.index()] & !state.at(POOL);
                each(map).for_each(|block| offer(Action::Home(block as u8)));
                offer(Action::Done);
            }
            _ => {
                self.areas().map(Action::At).for_each(&mut *offer);
                offer(Action::Pool);
            }
        }
    }

    /// 11.2, 11.3: a Region with points; blocks that must, or may, return, and their homes.
    pub(in super::super) fn examine_year_end(
        &self,
        state: &State,
        seat: Seat,
        (frame, action): (Frame, Action),
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
                why.require(must == 0, rules::RETURN_HOME, "MUST_RETURN", &[])
            }
            (Frame::ReturnTo { block, .. }, Action::At(area)) => {
                let goals = self.returns_to(state, seat, block);
                why.require(
                    goals >> area & 1 != 0,
                    rules::RETURN_HOME,
                    "NOT_OPEN",
                    &[Ref::Space(area.into())],
                )
            }
            (Frame::ReturnTo { block, .. }, Action::Pool) => {
                let none = self.returns_to(state, seat, block) == 0;
                why.require(none, rules::RETURN_HOME, "THERE_IS_ROOM", &[])
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_year_end(
        &self,
        state: &mut State,
        seat: Seat,
        (frame, action): (Frame, Action),
        out: &mut Events,
    ) {
        let who = Ref::Seat(seat);
        match (frame, action) {
            (Frame::Recruit { .. }, Action::Region(region)) => {
                state.frames.open(Frame::Region { seat, region });
                out.emit(|| Event::new("recruits", rules::RECRUIT, &[who, region_ref(region)]));
            }
            (Frame::Recruit { .. }, _) => {
                self.replace(state, Frame::Return { seat });
                out.emit(|| Event::new("recruited", rules::RECRUIT, &[who]));
            }
            (Frame::Return { .. }, Action::Home(block)) => {
                state.frames.open(Frame::ReturnTo { seat, block });
                let refs = [who, Ref::Piece(block.into())];
                out.emit(|| Event::only(seat, "picked_block", rules::RETURN_HOME, &refs));
            }
            (Frame::Return { .. }, _) => {
                state.frames.close();
                out.emit(|| Event::new("at_home", rules::RETURN_HOME, &[who]));
            }
            (Frame::ReturnTo { block, .. }, Action::At(area)) => {
                state.frames.close();
                self.relocate(state, block, area, ("returns", rules::RETURN_HOME), out);
            }
            (Frame::ReturnTo { block, .. }, Action::Pool) => self.leave_map(state, block, out),
            _ => debug_assert!(false, "an illegal action was applied"),
        }
    }

    /// 11.0: the Royalist recruits and brings their blocks home, then Parliament; then the decks.
    pub(in super::super) fn year_end(&self, state: &mut State, done: u8, out: &mut Events) {
        if done < 2 {
            let scene = Scene::open(self, state, 2, out);
            let seat = Seat::new(if rules::YEAR_END.on() { done } else { 1 - done });
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
    pub(in super::super) fn recruitment_points(&self, state: &State, seat: Seat) -> [u8; 6] {
        let content = &self.content;
        let mut left = [0u8; 6];
        if !rules::RECRUIT.on() {
            return left;
        }
        for (index, area) in content.areas.iter().enumerate() {
            if state.friendly(content, index as u8, seat) {
                left[area.region] += 1;
            }
        }
        for (index, city) in content.cities.iter().enumerate() {
            let held = state.holder(content, index as u8) == Some(seat);
            if !held || state.siege[index] >= UNMARKED {
                continue;
            }
            match city.class {
                CityClass::London if rules::LONDON_RECRUITS.on() => left[LONDON] += city.recruits,
                CityClass::Major => left[content.areas[usize::from(city.area)].region] += city.recruits,
                _ => {}
            }
        }
        left
    }

    /// 11.3: Regional blocks and Regional Leaders that are outside home: those that must return, and those that may.
    pub(in super::super) fn away(&self, state: &State, seat: Seat) -> (u64, u64) {
        let content = &self.content;
        let (mut must, mut may) = (0u64, 0u64);
        let own = content.of_side[seat.index()] & (content.regional | content.regional_leaders);
        for block in each(own) {
            let at = state.blocks[block].at;
            if usize::from(at) >= content.areas.len() || content.blocks[block].base >> at & 1 != 0 {
                continue;
            }
            let led = state.out(content, at, seat) & content.leaders != 0;
            *(if led { &mut may } else { &mut must }) |= 1 << block;
        }
        if rules::RETURN_HOME.on() { (must, may) } else { (0, may) }
    }

    /// 11.3: where a block can return to.
    pub(in super::super) fn returns_to(&self, state: &State, seat: Seat, block: u8) -> u64 {
        let content = &self.content;
        let open = |area: usize| {
            let area = area as u8;
            let london = content.blocks[usize::from(block)].base == 1 << content.london
                && content.regional >> block & 1 != 0;
            let welcome = match state.control(content, area) {
                super::control::Control::Of(holder) => holder == seat,
                super::control::Control::Neutral => london,
                super::control::Control::Contested => false,
            };
            welcome && self.shortage(state, seat, area, 0, 1 << block) == 0
        };
        each(content.blocks[usize::from(block)].base).filter(|&a| open(a)).fold(0, |set, a| set | 1 << a)
    }

    pub(in super::super) fn examine_home(
        &self,
        state: &State,
        seat: Seat,
        block: u8,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let (must, may) = self.away(state, seat);
        let piece = Ref::Piece(block.into());
        why.require((must | may) >> block & 1 != 0, rules::RETURN_HOME, "NOT_AWAY", &[piece])
    }

    /// 11.2: whether a point of a Region can be used at all.
    pub(in super::super) fn examine_region(
        &self,
        state: &State,
        (seat, left): (Seat, [u8; 6]),
        region: u8,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let mat = Ref::Mat(super::super::catalogue::REGION_MATS + u16::from(region));
        why.demand(left[usize::from(region)] > 0, rules::RECRUIT, "NO_POINTS", &[mat])?;
        let paid = super::recruitment::Paid::Region(region);
        let useful = each(self.content.of_side[seat.index()]).any(|block| {
            let block = block as u8;
            let (mut raise, mut deploy) = (Why::quiet(), Why::quiet());
            let _ = self.examine_raise(state, seat, block, paid, &mut raise);
            let _ = self.examine_deploy(state, seat, block, paid, &mut deploy);
            !raise.refused() || !deploy.refused()
        });
        why.require(useful, rules::RECRUIT, "NOTHING_TO_RECRUIT", &[mat])
    }
}
