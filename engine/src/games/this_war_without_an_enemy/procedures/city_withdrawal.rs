//! Withdrawal into a Fortified City that is entered upon (6.15).

use std::ops::ControlFlow;

use crate::event::{Event, Events, Scene};
use crate::game::CONTRACT;
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::Seat;

use super::super::actions::Action;
use super::super::content::things::{AreaId, BlockId, BlockSet};
use super::super::state::{Flags, State};
use super::super::{ThisWar, rules};

impl ThisWar {
    /// The blocks of the Area, then no more.
    pub(in super::super) fn offer_city_withdrawal(
        &self,
        state: &State,
        seat: Seat,
        area: AreaId,
        offer: &mut impl FnMut(Action),
    ) {
        state.out(&self.content, area, seat).iter().for_each(|block| offer(Action::Withdraw(block)));
        offer(Action::Done);
    }

    /// 6.15: who may withdraw; to decline is always allowed.
    pub(in super::super) fn examine_city_withdrawal(
        &self,
        state: &State,
        seat: Seat,
        area: AreaId,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match action {
            Action::Withdraw(block) => self.examine_withdraw(state, (seat, area), block, why),
            Action::Done => ControlFlow::Continue(()),
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_city_withdrawal(
        &self,
        state: &mut State,
        seat: Seat,
        area: AreaId,
        action: Action,
        out: &mut Events,
    ) {
        match action {
            Action::Withdraw(block) => self.withdraw(state, area, block, out),
            _ => self.close_window(state, seat, area, out),
        }
    }

    /// 6.15: who holds the Fortified City of an Area, if it has one.
    pub(in super::super) fn shelter(&self, state: &State, area: AreaId) -> Option<Seat> {
        let city = self.content.areas[area].city?;
        let fortified = self.content.cities[city].fortified;
        state.holder(&self.content, city).filter(|_| fortified)
    }

    pub(in super::super) fn examine_withdraw(
        &self,
        state: &State,
        (seat, area): (Seat, AreaId),
        block: BlockId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let piece = Ref::from(block);
        let here = state.out(&self.content, area, seat).contains(block);
        why.demand(here, rules::CITY_WITHDRAWAL, "NOT_HERE", &[piece])?;
        let size = self.content.areas[area].city.map_or(0, |c| self.content.cities[c].size);
        let within = state.inside(&self.content, area, seat) & self.content.field();
        let gun = self.content.guns.contains(block);
        let room = gun || within.count() < u32::from(size);
        why.require(room, rules::CITY_WITHDRAWAL, "CITY_FULL", &[piece])
    }

    pub(in super::super) fn withdraw(
        &self,
        state: &mut State,
        area: AreaId,
        block: BlockId,
        out: &mut Events,
    ) {
        let scene = Scene::open(self, state, 2, out);
        let index = block;
        let seat = self.content.blocks[index].side;
        let city = self.content.areas[area].city.expect("an Area with a City is withdrawn in");
        let place = self.content.city_place(city);
        state.depart(&self.content, BlockSet::one(index));
        state.put(index, place);
        state.blocks[index].flags |= Flags::WITHDREW;
        state.touch(&self.content, area);
        let refs = |what| [Ref::Seat(seat), what, Ref::from(place)];
        let back = Ref::Kind(super::super::catalogue::BACK + seat.index() as u16);
        scene.publish(self, state, out, || {
            Event::new("withdraws", rules::CITY_WITHDRAWAL, &refs(back)).private(
                seat,
                &refs(Ref::from(block)),
                [],
            )
        });
    }

    /// The window closes: who entered stops if enemies are left outside.
    pub(in super::super) fn close_window(
        &self,
        state: &mut State,
        seat: Seat,
        area: AreaId,
        out: &mut Events,
    ) {
        let scene = Scene::open(self, state, 2, out);
        state.frames.close();
        self.settle_party(state, seat.other(), area);
        let refs = [Ref::Seat(seat), Ref::from(area)];
        scene.publish(self, state, out, || Event::new("withdrawal_over", rules::CITY_WITHDRAWAL, &refs));
    }
}
