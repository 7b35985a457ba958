//! Armies of a side that may not stand in one Area (9.5, S7, S12, S13): they join if they can, else their owner parts them.

use crate::vocabulary::*;

use super::super::actions::{Action, Goal};
use super::super::content::ids::{AreaId, AreaSet, GeneralId, GeneralSet, LeaderId};
use super::super::content::map::LineKind;
use super::super::frames::Frame;
use super::super::state::{Post, State};
use super::super::{UnhappyKing, rules};
use super::consequences::Cause;

impl UnhappyKing {
    /// The commanders of a side who stand together in the first Area where several do that must not; none if there is none.
    #[must_use]
    pub(in super::super) fn crowd(&self, state: &State, seat: Seat) -> Option<GeneralSet> {
        state.commanders_of(&self.content, seat).iter().find_map(|general| {
            let area = state.area_of(general)?;
            let mut crowd = self.company(state, general, area);
            crowd.insert(general);
            // S13: that numbers alone keep them apart makes a position illegal as well.
            let illegal = crowd.count() > 1
                && (rules::ILLEGAL_BY_NUMBER.applies(true) || !self.levels_fit(state, crowd));
            illegal.then_some(crowd)
        })
    }

    /// Returns whether one of these commanders might serve under another, whatever their numbers.
    fn levels_fit(&self, state: &State, crowd: GeneralSet) -> bool {
        crowd.iter().any(|one| crowd.iter().any(|other| self.may_serve(state, one, other)))
    }

    /// S1, S7: an Army that has come to its Area joins the one there, or they stand illegally: at once, but while the New Model Army is being
    /// formed, whose last steps part Armies (MC25, MC26).
    pub(in super::super) fn join_or_part(
        &self,
        state: &mut State,
        seat: Seat,
        newcomer: GeneralId,
        out: &mut Events,
    ) {
        if !self.join_company(state, newcomer, out) && !Self::forms_new_model(state) {
            state.frames.open(Frame::Illegal { seat, stage: 0 });
        }
    }

    /// S1: Armies that may join do; returns whether two have.
    pub(in super::super) fn join_crowd(
        &self,
        state: &mut State,
        crowd: GeneralSet,
        out: &mut Events,
    ) -> bool {
        let pairs = crowd.iter().flat_map(|one| crowd.iter().map(move |other| (one, other)));
        let mut meetings = pairs
            .filter(|(one, other)| one != other)
            .filter_map(|(one, other)| self.meeting(state, one, other).filter(|meeting| meeting.cost == 0));
        let meeting = meetings.next().filter(|_| rules::SUBORDINATION.applies(true));
        let Some(meeting) = meeting else { return false };
        self.unite(state, meeting, out);
        true
    }

    /// The procedure goes on by itself: Armies join, or it is done; `false` if its seat is to name one that goes.
    pub(in super::super) fn advance_illegal(&self, state: &mut State, seat: Seat, out: &mut Events) -> bool {
        match self.crowd(state, seat).filter(|_| rules::ILLEGAL_POSITION.applies(true)) {
            Some(crowd) => self.join_crowd(state, crowd, out),
            None => {
                state.frames.close();
                true
            }
        }
    }

    /// The commanders who stand together.
    pub(in super::super) fn offer_illegal(&self, state: &State, seat: Seat, offer: &mut impl FnMut(Action)) {
        let crowd = self.crowd(state, seat).unwrap_or_default();
        crowd.iter().map(|general| Action::Leader(general.into())).for_each(offer);
    }

    pub(in super::super) fn examine_illegal(
        &self,
        state: &State,
        seat: Seat,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let Action::Leader(leader) = action else { return why.refuse(CONTRACT, "NOT_NOW") };
        let crowd = self.crowd(state, seat).unwrap_or_default();
        let one = leader.general().is_some_and(|general| crowd.contains(general));
        why.require(one, rules::ILLEGAL_POSITION, "NOT_IN_ILLEGAL_POSITION", &[leader.into()])
    }

    pub(in super::super) fn apply_illegal(
        &self,
        state: &mut State,
        seat: Seat,
        action: Action,
        out: &mut Events,
    ) {
        let Action::Leader(leader) = action else { unreachable!("an illegal action was applied") };
        let general = LeaderId::general(leader).expect("Generals command Armies");
        let area = state.area_of(general).expect("an Army that parts stands on the map");
        state.frames.open(Frame::Parting { seat, general, visited: AreaSet::one(area) });
        let refs = [Ref::Seat(seat), Ref::from(general)];
        out.emit(|| Event::new("is_to_part", rules::ILLEGAL_POSITION, &refs));
    }

    /// S12: the Areas to which an Army may go that parts from another: no enemy Brigades there, by sea only a few; those where it may stay
    /// before others, and none twice.
    fn parting_goals(&self, state: &State, general: GeneralId, visited: AreaSet) -> AreaSet {
        let area = state.area_of(general).expect("an Army that parts stands on the map");
        let enemy = self.content.generals[general].side.other();
        let few = state.size(general) <= self.content.numbers.movement.maritime_brigades;
        let by_sea = if rules::MARITIME_LIMIT.allows(few) {
            self.content.near[LineKind::Maritime as usize][area]
        } else {
            AreaSet::EMPTY
        };
        let near = self.content.near[LineKind::Road as usize][area]
            | self.content.near[LineKind::Mountain as usize][area]
            | by_sea;
        let open = (near - visited).that(|to| state.brigades_in(&self.content, enemy, to).is_empty());
        let mending = open.that(|to| self.may_part_to(state, general, to));
        if rules::ILLEGAL_POSITION_ORDER.applies(!mending.is_empty()) { mending } else { open }
    }

    /// Returns whether an Army stands legally in an Area: alone, or by joining who is there.
    pub(in super::super) fn may_part_to(&self, state: &State, general: GeneralId, area: AreaId) -> bool {
        let company = self.company(state, general, area);
        company.count() < 2
            && company
                .iter()
                .all(|other| self.coming(state, general, other).is_some_and(|meeting| meeting.cost == 0))
    }

    /// S7, S12: an Army without any Area to go to Disperses; foreigners are eliminated.
    pub(in super::super) fn advance_parting(
        &self,
        state: &mut State,
        (seat, general, visited): (Seat, GeneralId, AreaSet),
        out: &mut Events,
    ) -> bool {
        if !self.parting_goals(state, general, visited).is_empty() {
            return false;
        }
        state.frames.close();
        let area = state.area_of(general).expect("an Army that parts stands on the map");
        let army = state.army(general);
        let going = state.led_by(army);
        self.disperse(state, seat, (area, army, going), out);
        true
    }

    /// Neighbours.
    pub(in super::super) fn offer_parting(
        &self,
        state: &State,
        _: Seat,
        (general, visited): (GeneralId, AreaSet),
        offer: &mut impl FnMut(Action),
    ) {
        let goals = self.parting_goals(state, general, visited);
        goals.iter().map(|to| Action::Move(Goal(Some(to)))).for_each(offer);
    }

    pub(in super::super) fn examine_parting(
        &self,
        state: &State,
        _: Seat,
        (general, visited): (GeneralId, AreaSet),
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let Action::Move(Goal(Some(to))) = action else { return why.refuse(CONTRACT, "NOT_NOW") };
        let open = self.parting_goals(state, general, visited).contains(to);
        why.require(open, rules::ILLEGAL_POSITION, "NO_WAY_THERE", &[Ref::from(general), Ref::from(to)])
    }

    pub(in super::super) fn apply_parting(
        &self,
        state: &mut State,
        _: Seat,
        (general, _): (GeneralId, AreaSet),
        action: Action,
        out: &mut Events,
    ) {
        let Action::Move(Goal(Some(to))) = action else { unreachable!("an illegal action was applied") };
        let settles = self.may_part_to(state, general, to);
        let held = self.held_under_siege(state);
        let scene = Scene::open(self, state, 2, out);
        state.generals.place(general, Post::Area(to));
        let Some(Frame::Parting { visited, .. }) = state.frames.top_mut() else {
            unreachable!("an Army parts within the procedure");
        };
        visited.insert(to);
        if settles {
            state.frames.close();
        }
        let refs = [Ref::from(general), Ref::from(to)];
        scene.publish(self, state, out, || Event::new("parts", rules::ILLEGAL_POSITION, &refs));
        self.consequences(state, held, Cause::Other, out);
        if settles {
            self.join_company(state, general, out);
        }
    }
}
