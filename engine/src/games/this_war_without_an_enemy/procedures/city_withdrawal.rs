//! Withdrawal into a Fortified City that is entered upon (6.15).

use std::ops::ControlFlow;

use crate::event::{Event, Events, Scene};
use crate::game::CONTRACT;
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::Seat;

use super::super::actions::Action;
use super::super::state::{State, WITHDREW, each};
use super::super::{ThisWar, rules};

impl ThisWar {
    /// The blocks of the Area, then no more.
    pub(in super::super) fn offer_city_withdrawal(
        &self,
        state: &State,
        seat: Seat,
        area: u8,
        offer: &mut impl FnMut(Action),
    ) {
        each(state.out(&self.content, area, seat)).for_each(|block| offer(Action::Withdraw(block as u8)));
        offer(Action::Done);
    }

    /// 6.15: who may withdraw; to decline is always allowed.
    pub(in super::super) fn examine_city_withdrawal(
        &self,
        state: &State,
        (seat, area): (Seat, u8),
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
        (seat, area): (Seat, u8),
        action: Action,
        out: &mut Events,
    ) {
        match action {
            Action::Withdraw(block) => self.withdraw(state, area, block, out),
            _ => self.close_window(state, seat, area, out),
        }
    }

    /// 6.15: who holds the Fortified City of an Area, if it has one.
    pub(in super::super) fn shelter(&self, state: &State, area: u8) -> Option<Seat> {
        let city = self.content.areas[usize::from(area)].city?;
        let fortified = self.content.cities[usize::from(city)].fortified;
        state.holder(&self.content, city).filter(|_| fortified)
    }

    pub(in super::super) fn examine_withdraw(
        &self,
        state: &State,
        (seat, area): (Seat, u8),
        block: u8,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let piece = Ref::Piece(block.into());
        let here = state.out(&self.content, area, seat) >> block & 1 != 0;
        why.demand(here, rules::CITY_WITHDRAWAL, "NOT_HERE", &[piece])?;
        let size = self.content.areas[usize::from(area)]
            .city
            .map_or(0, |c| self.content.cities[usize::from(c)].size);
        let within = state.inside(&self.content, area, seat) & self.content.field();
        let gun = self.content.guns >> block & 1 != 0;
        let room = gun || within.count_ones() < u32::from(size);
        why.require(room, rules::CITY_WITHDRAWAL, "CITY_FULL", &[piece])
    }

    pub(in super::super) fn withdraw(&self, state: &mut State, area: u8, block: u8, out: &mut Events) {
        let scene = Scene::open(self, state, 2, out);
        let index = usize::from(block);
        let seat = self.content.blocks[index].side;
        let Some(city) = self.content.areas[usize::from(area)].city else { return };
        let place = self.content.city_place(city);
        state.depart(&self.content, 1 << index);
        state.put(index, place);
        state.blocks[index].flags |= WITHDREW;
        state.touch(&self.content, area);
        let refs = |what| [Ref::Seat(seat), what, Ref::Space(place.into())];
        let back = Ref::Kind(super::super::catalogue::BACK + seat.index() as u16);
        scene.publish(self, state, out, || {
            Event::new("withdraws", rules::CITY_WITHDRAWAL, &refs(back)).private(
                seat,
                &refs(Ref::Piece(block.into())),
                [],
            )
        });
    }

    /// The window closes: who entered stops if enemies are left outside.
    pub(in super::super) fn close_window(&self, state: &mut State, seat: Seat, area: u8, out: &mut Events) {
        let scene = Scene::open(self, state, 2, out);
        state.frames.close();
        self.settle_party(state, seat.other(), area);
        let refs = [Ref::Seat(seat), Ref::Space(area.into())];
        scene.publish(self, state, out, || Event::new("withdrawal_over", rules::CITY_WITHDRAWAL, &refs));
    }
}
