//! Generals who come from off the map by a card: placed with Brigades there (7.2.3, 8.1, R13 to R15), or Covenanters who enter (6.5).

use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::content::ids::{AreaId, AreaSet, GeneralId};
use super::super::frames::Frame;
use super::super::state::{Happened, Holder, Post, State, Warrant};
use super::super::{UnhappyKing, rules};
use super::activation::stages;
use super::entry::stages as entering;

impl UnhappyKing {
    /// The Brigades of a General who can be Activated from off the map: of a Covenanter those on the display, or that come with them; of
    /// one in the Reinforcements Box none yet. None of others.
    #[must_use]
    pub(in super::super) fn arriving_size(&self, state: &State, general: GeneralId) -> Option<u8> {
        match state.generals[general].post {
            Post::Reinforcements => Some(0),
            Post::Scotland => Some(state.brigades.count(general)),
            Post::Waiting if self.callander_may_come(state, general) => {
                Some(self.waiting_covenanters(state, general))
            }
            _ => None,
        }
    }

    /// MC8: Callander comes from Late 1644 on, if the Solemn League was called.
    fn callander_may_come(&self, state: &State, general: GeneralId) -> bool {
        let due =
            state.turn.number() >= self.content.numbers.league.callander_from && state.has(Happened::LEAGUE);
        general == self.content.people.callander
            && rules::CALLANDER.allows(due)
            && self.waiting_covenanters(state, general) > 0
    }

    /// The Brigades that come with a Covenanter General and are not in the game yet.
    fn waiting_covenanters(&self, state: &State, general: GeneralId) -> u8 {
        let brigades = &self.content.numbers.league.brigades;
        let faces =
            brigades.iter().find(|(who, _)| *who == general).map(|&(_, faces)| faces).unwrap_or_default();
        let away = state.brigades.at(Holder::AWAY);
        away.that(|counter| faces.contains(self.content.face_of[counter])).count() as u8
    }

    /// The Areas to which a General may come from off the map, in order.
    pub(in super::super) fn arrivals<'s>(
        &'s self,
        state: &'s State,
        general: GeneralId,
        warrant: Warrant,
    ) -> impl Iterator<Item = AreaId> + use<'s> {
        let post = state.generals[general].post;
        let areas = match post {
            Post::Reinforcements => state.guarded(&self.content, self.content.generals[general].side),
            Post::Scotland | Post::Waiting => self.content.numbers.league.entries,
            _ => AreaSet::EMPTY,
        };
        areas.iter().filter(move |&area| match post {
            Post::Reinforcements => self.fits_placement(state, general, area, warrant),
            _ => self.may_come_in(state, general, area),
        })
    }

    /// MC5, MC27, MC1: an Area of entry, unless an own Army stands there that the General could not join.
    fn may_come_in(&self, state: &State, general: GeneralId, area: AreaId) -> bool {
        let seat = self.content.generals[general].side;
        if !self.content.numbers.league.entries.contains(area) {
            return false;
        }
        let Some(size) = self.arriving_size(state, general).filter(|&size| size > 0) else { return false };
        let company = self.company(state, general, area);
        let joins = company.iter().all(|other| self.could_join(state, general, (other, size)));
        let enemies = !state.brigades_in(&self.content, seat.other(), area).is_empty();
        let peace = enemies && !state.has(Happened::STANDARD);
        rules::BEFORE_THE_STANDARD.allows(!peace) && rules::ENTRY_BARRED.allows(company.count() < 2 && joins)
    }

    /// Returns whether a General with so many Brigades, and no Subordinates, could join an Army by levels and limits alone.
    fn could_join(&self, state: &State, general: GeneralId, (other, brigades): (GeneralId, u8)) -> bool {
        let size = state.size(other).saturating_add(brigades);
        let under = |commander: GeneralId, below: GeneralId| {
            state.army(below).iter().all(|one| self.may_serve(state, one, commander))
                && size <= self.limit_of(state, commander)
        };
        under(other, general) || under(general, other) && !self.has_siege_marker(state, other)
    }

    /// 7.2.3, R13 to R15: no enemy marker, Brigade or General; a Regional General's own Region, or where it is recruited; a Brigade to take
    /// up, and an Army there only if the General may join it.
    fn fits_placement(&self, state: &State, general: GeneralId, area: AreaId, warrant: Warrant) -> bool {
        if !self.has_brigade_for(state, general, area) {
            return false;
        }
        let seat = self.content.generals[general].side;
        let fits = !self.is_held_against(state, seat, area) && self.home_of(general).contains(area);
        if !rules::GENERALS_PLACED.allows(fits) {
            return false;
        }
        let company = self.company(state, general, area);
        let joins = company.iter().all(|other| self.could_join(state, general, (other, 1)));
        let minor = 1 < self.content.numbers.movement.major_army || warrant.moves_major_armies();
        minor && rules::PLACED_WITH_ARMY.allows(company.count() < 2 && joins)
    }

    /// Returns whether an unled Brigade, or one with a Local Notable, is there that the General may lead (R13).
    fn has_brigade_for(&self, state: &State, general: GeneralId, area: AreaId) -> bool {
        let seat = self.content.generals[general].side;
        let notable = state.notable_at(&self.content, area);
        let garrison = match (notable, state.fortress(&self.content, area)) {
            (Some(notable), _) => state.brigades.at(notable),
            (None, Some(fortress)) => state.brigades.at(Holder::inside(fortress)),
            (None, None) => Default::default(),
        };
        let there =
            state.brigades.of_side(&self.content, garrison | state.brigades.at(Holder::outside(area)), seat);
        there.iter().any(|counter| self.may_lead(general, state.brigades.back(&self.content, counter)))
    }

    /// An Area where the General may come.
    pub(in super::super) fn examine_arrival(
        &self,
        state: &State,
        general: GeneralId,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let Action::At(area) = action else { return why.refuse(CONTRACT, "NOT_NOW") };
        let refs = [Ref::from(general), Ref::from(area)];
        match state.generals[general].post {
            Post::Reinforcements => {
                let warrant = state.ongoing_activation().warrant;
                let free = self.fits_placement(state, general, area, warrant);
                why.require(free, rules::PLACED_BY_CARD, "NOT_PLACED_THERE", &refs)
            }
            _ => why.require(self.may_come_in(state, general, area), rules::LEAGUE, "NO_ENTRY_THERE", &refs),
        }
    }

    /// The General is there: a Covenanter enters with their Army (MC5), another one takes a Brigade first (R15).
    pub(in super::super) fn arrive(
        &self,
        state: &mut State,
        (seat, general): (Seat, GeneralId),
        area: AreaId,
        out: &mut Events,
    ) {
        let enters = state.generals[general].post == Post::Scotland;
        let scene = Scene::open(self, state, 2, out);
        state.generals.place(general, Post::Area(area));
        state.ongoing_activation_mut().path.push(area);
        let refs = [Ref::from(general), Ref::from(area)];
        if enters {
            self.set_activation_stage(state, stages::STEPS);
            state.frames.open(Frame::Entry { seat, stage: entering::ENTERED, surplus: false, lifted: false });
            scene.publish(self, state, out, || Event::new("enters_map", rules::LEAGUE, &refs));
        } else {
            self.set_activation_stage(state, stages::FIRST_BRIGADE);
            scene.publish(self, state, out, || Event::new("general_placed", rules::PLACED_BY_CARD, &refs));
        }
    }
}
