//! Armies and Brigades that are put elsewhere without an Activation: ways of up to three Areas (6.5, 6.6), Armies that can't stay together,
//! Generals who leave, and those who take their places.

use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::content::ids::{AreaId, AreaSet, CounterSet, GeneralId, GeneralSet, LeaderId};
use super::super::content::map::LineKind;
use super::super::frames::Frame;
use super::super::state::{Holder, Post, Siege, State};
use super::super::{UnhappyKing, rules};
use super::consequences::Cause;

impl UnhappyKing {
    /// The Areas to which so many Brigades of a side may be put from one: up to three lines away, never through or into enemy Brigades,
    /// garrisons among them, and over Maritime lines only as few as may cross one (MC24, MC25). None for those whom enemies outside shut
    /// in.
    #[must_use]
    pub(in super::super) fn free_ways(
        &self,
        state: &State,
        seat: Seat,
        from: AreaId,
        brigades: u8,
    ) -> AreaSet {
        let enemies =
            rules::NEW_MODEL_STACKS.gives(state.occupied(&self.content, seat.other()), AreaSet::EMPTY);
        let by_sea = brigades <= self.content.numbers.movement.maritime_brigades;
        let start = AreaSet::one(from);
        let shut_in = !state.stack(&self.content, seat.other(), from).is_empty();
        let (mut reached, mut edge) = (start, if shut_in { AreaSet::EMPTY } else { start });
        for _ in 0..self.content.numbers.events.relocation {
            let near = edge.iter().fold(AreaSet::EMPTY, |near, area| {
                let kind = |kind: LineKind| self.content.near[kind as usize][area];
                let by_land = near | kind(LineKind::Road) | kind(LineKind::Mountain);
                if by_sea { by_land | kind(LineKind::Maritime) } else { by_land }
            });
            edge = near - reached - enemies;
            reached |= edge;
        }
        reached - start
    }

    /// S7: where Armies of a side are together that must not be, they join, or their owner parts them.
    pub(in super::super) fn settle_stacks(&self, state: &mut State, seat: Seat) {
        if self.crowd(state, seat).is_some() {
            state.frames.open(Frame::Illegal { seat, stage: 0 });
        }
    }

    /// The first Armies that can't stay together, and who of them is to go: those who can, or all if nobody can.
    fn parting(&self, state: &State, seat: Seat) -> GeneralSet {
        let crowd = self.crowd(state, seat).unwrap_or_default();
        let able = crowd.that(|general| !self.exits(state, seat, general).is_empty());
        if able.is_empty() { crowd } else { able }
    }

    /// The Areas to which an Army can be put that can't stay: where nobody of its side stands whom it can't join (MC25).
    fn exits(&self, state: &State, seat: Seat, general: GeneralId) -> AreaSet {
        let Some(from) = state.area_of(general) else { return AreaSet::EMPTY };
        let ways = self.free_ways(state, seat, from, state.size(general));
        ways.that(|area| self.may_part_to(state, general, area))
    }

    /// MC25, V17: joins what can be one Army; done once nothing stands together that can't.
    pub(in super::super) fn advance_relocation(
        &self,
        state: &mut State,
        seat: Seat,
        general: Option<GeneralId>,
        out: &mut Events,
    ) -> bool {
        if general.is_some() {
            return false;
        }
        match self.crowd(state, seat) {
            Some(crowd) => self.join_crowd(state, crowd, out),
            None => {
                state.frames.close();
                true
            }
        }
    }

    /// Whoever is to go; then where.
    pub(in super::super) fn offer_relocation(
        &self,
        state: &State,
        seat: Seat,
        general: Option<GeneralId>,
        offer: &mut impl FnMut(Action),
    ) {
        match general {
            None => self
                .parting(state, seat)
                .iter()
                .map(|general| Action::Leader(LeaderId::from(general)))
                .for_each(offer),
            Some(general) => self.exits(state, seat, general).iter().map(Action::At).for_each(offer),
        }
    }

    /// MC25: see [`UnhappyKing::parting`] and [`UnhappyKing::exits`].
    pub(in super::super) fn examine_relocation(
        &self,
        state: &State,
        seat: Seat,
        general: Option<GeneralId>,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match (general, action) {
            (None, Action::Leader(leader)) => {
                let parts = leader.general().is_some_and(|one| self.parting(state, seat).contains(one));
                why.demand(parts, CONTRACT, "NOT_TO_PART", &[leader.into()])
            }
            (Some(general), Action::At(area)) => {
                let free = self.exits(state, seat, general).contains(area);
                why.demand(free, rules::NEW_MODEL_STACKS, "NO_WAY_THERE", &[general.into(), area.into()])
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_relocation(
        &self,
        state: &mut State,
        seat: Seat,
        chosen: Option<GeneralId>,
        action: Action,
        out: &mut Events,
    ) {
        let (next, leaves) = match (chosen, action) {
            (None, Action::Leader(leader)) => {
                let general = leader.general().expect("a General was offered");
                let stuck = self.exits(state, seat, general).is_empty();
                (Some(general).filter(|_| !stuck), Some(general).filter(|_| stuck))
            }
            _ => (None, None),
        };
        if let Some(Frame::Relocation { general, .. }) = state.frames.top_mut() {
            *general = next;
        }
        match (chosen, action, leaves) {
            (Some(general), Action::At(area), _) => self.put_army(state, general, area, out),
            (_, _, Some(general)) => self.disband(state, seat, general, out),
            _ => {}
        }
    }

    /// An Army is put to an Area; the Siege that it kept up is over.
    fn put_army(&self, state: &mut State, general: GeneralId, to: AreaId, out: &mut Events) {
        let from = state.area_of(general).expect("an Army is put elsewhere from the map");
        let held = self.held_under_siege(state);
        self.end_siege_of(state, general, out);
        let scene = Scene::open(self, state, 2, out);
        state.generals.place(general, Post::Area(to));
        let refs = [Ref::from(general), Ref::from(from), Ref::from(to)];
        scene.publish(self, state, out, || Event::new("army_relocated", rules::NEW_MODEL_STACKS, &refs));
        self.consequences(state, held, Cause::Other, out);
    }

    /// MC25: an Army that can neither stay nor go: Generals to the Unemployed Generals Box, Brigades to be recruited again.
    fn disband(&self, state: &mut State, seat: Seat, commander: GeneralId, out: &mut Events) {
        let area = state.area_of(commander).expect("an Army that is disbanded is on the map");
        let held = self.held_under_siege(state);
        self.end_siege_of(state, commander, out);
        let army = state.army(commander);
        let scene = Scene::open(self, state, 2, out);
        for general in army {
            self.leave_display(state, general, area);
        }
        self.return_to_pool(state, seat, state.led_by(army));
        for general in army {
            state.generals.place(general, Post::Unemployed);
        }
        let refs = [Ref::from(commander), Ref::from(area)];
        scene.publish(self, state, out, || Event::new("army_disbanded", rules::NEW_MODEL_STACKS, &refs));
        self.consequences(state, held, Cause::Other, out);
    }

    /// R19: Brigades of a side go to where they can be recruited again, foreigners and turncoats out of the game. Those of one face go the
    /// same way, so their numbers hold until they are moved.
    pub(in super::super) fn return_to_pool(&self, state: &mut State, seat: Seat, going: CounterSet) {
        for to in [Holder::pool(seat), Holder::AWAY, Holder::OUT] {
            let there = going.that(|counter| self.pool_place(state, counter) == to);
            state.brigades.change(&self.content, there, |counter| counter.at = to);
        }
    }

    /// F21: the Siege that a commander's Army keeps up is over when they leave it.
    pub(in super::super) fn end_siege_of(&self, state: &mut State, general: GeneralId, out: &mut Events) {
        let Some(area) = state.area_of(general) else { return };
        let fortress = self.content.areas[area].fortress;
        if let Some(fortress) = fortress.filter(|_| self.has_siege_marker(state, general)) {
            self.lift_siege(state, fortress, out);
        }
    }

    /// A General goes from the map: their Brigades stay unled where they stand, inside or outside, their Subordinates as Armies of their
    /// own there; a Siege that they kept up is over (MC14). The Area that they leave, if they were on the map.
    pub(in super::super) fn dismiss(
        &self,
        state: &mut State,
        general: GeneralId,
        to: Post,
    ) -> Option<AreaId> {
        let area = state.area_of(general);
        if let Some(area) = area {
            let post = state.generals[state.commander(general)].post;
            if self.has_siege_marker(state, general)
                && let Some(fortress) = self.content.areas[area].fortress
            {
                state.sieges[fortress] = Siege::NONE;
            }
            for other in state.army(general) {
                state.generals.place(other, if state.commands(general) { post } else { to });
            }
            let fortress = self.content.areas[area].fortress.filter(|_| post == Post::Inside(area));
            let unled = fortress.map_or(Holder::outside(area), Holder::inside);
            state.brigades.put_all(&self.content, Holder::from(general), unled);
        }
        state.generals.place(general, to);
        area
    }

    /// A General takes the place of another on the map: their Brigades and those Subordinates who are lower; the others, and who can't
    /// serve the same commander, are Armies of their own there.
    pub(in super::super) fn succeed(&self, state: &mut State, general: GeneralId, successor: GeneralId) {
        let commander = state.commander(general);
        let post = state.generals[commander].post;
        let subordinates = state.army(general).that(|other| other != general);
        let serves = commander != general && self.may_serve(state, successor, commander);
        state.generals.place(successor, if serves { Post::Under(commander) } else { post });
        if commander == general {
            for other in subordinates {
                let stays = self.may_serve(state, other, successor);
                state.generals.place(other, if stays { Post::Under(successor) } else { post });
            }
        }
        state.brigades.put_all(&self.content, Holder::from(general), Holder::from(successor));
        state.generals.place(general, Post::Out);
    }
}
