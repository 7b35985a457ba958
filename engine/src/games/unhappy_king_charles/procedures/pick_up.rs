//! Brigades that an Army takes up, or puts down: the place, the face, the display that gets it (8.3, G4 to G8, G10).

use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::catalogue;
use super::super::content::brigades::BrigadeBack;
use super::super::content::brigades::Faction;
use super::super::content::ids::{AreaId, BrigadeFace, CounterId, CounterSet, GeneralId, GeneralSet};
use super::super::frames::Frame;
use super::super::state::{Holder, Holding, Post, State, Told};
use super::super::{UnhappyKing, rules};
use super::consequences::Cause;

/// A Brigade that is being taken up, as far as it is chosen.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct Pick {
    /// The commander of the Army.
    pub(in super::super) commander: GeneralId,
    /// The place that it is taken from.
    pub(in super::super) from: Option<Holder>,
    /// Its face.
    pub(in super::super) face: Option<BrigadeFace>,
}

impl Pick {
    /// Returns whether a choice is open.
    #[must_use]
    pub(in super::super) const fn is_begun(self) -> bool {
        self.from.is_some()
    }

    const fn done(self) -> Self {
        Self { from: None, face: None, ..self }
    }
}

impl UnhappyKing {
    /// Returns whether a General may have Brigades with this back on their display: foreigners only under their own, Lorraine none but his own
    /// (8.3, MC10).
    #[must_use]
    pub(in super::super) fn may_lead(&self, general: GeneralId, back: BrigadeBack) -> bool {
        let faction = self.content.generals[general].faction;
        let leads = match back {
            BrigadeBack::Royalist => faction != Faction::Lorrainer,
            BrigadeBack::Parliament => true,
            BrigadeBack::Covenanter => faction == Faction::Covenanter,
            BrigadeBack::Lorrainer => faction == Faction::Lorrainer,
        };
        rules::FOREIGN_COMMAND.allows(leads)
    }

    /// The Generals of an Army who may take one more Brigade with this back: none in an Army at its limit, or that a small card has
    /// Activated (8.4, G8, AC2).
    #[must_use]
    pub(in super::super) fn receivers(
        &self,
        state: &State,
        commander: GeneralId,
        back: BrigadeBack,
    ) -> GeneralSet {
        let size = state.size(commander) + 1;
        let active = state.activation.as_ref().is_some_and(|activation| activation.general == commander);
        let fits = rules::ARMY_LIMIT.allows(size <= self.limit_of(state, commander))
            && (!active || self.fits_card(state, size));
        if !fits {
            return GeneralSet::EMPTY;
        }
        let army = rules::PICK_UP_DISPLAY.gives(state.army(commander), GeneralSet::one(commander));
        army.that(|general| {
            let room = state.brigades.count(general) < self.limit_of(state, general);
            self.may_lead(general, back) && rules::ARMY_LIMIT.allows(room)
        })
    }

    /// The places in an Area of which Brigades may be taken up: outside, inside a printed Fortress, with a Local Notable (G4).
    fn pick_sources(&self, state: &State, area: AreaId) -> impl Iterator<Item = Holder> + use<> {
        let notable = state.notable_at(&self.content, area);
        let fortress = state.fortress(&self.content, area).filter(|_| notable.is_none());
        let places = [notable.map(Holder::from), Some(Holder::outside(area)), fortress.map(Holder::inside)];
        places.into_iter().flatten()
    }

    /// The Brigades of a place that an Army may take up, or put down, by what is public of them.
    #[must_use]
    pub(in super::super) fn takeable(
        &self,
        state: &State,
        commander: GeneralId,
        holder: Holder,
    ) -> CounterSet {
        let seat = self.content.generals[commander].side;
        let there = state.brigades.of_side(&self.content, state.brigades.at(holder), seat);
        if there.is_empty() {
            return there;
        }
        if let Holding::General(general) = holder.holding() {
            return self.droppable(state, general);
        }
        let activation = state.activation.as_ref().filter(|activation| activation.general == commander);
        let dropped = activation.is_some_and(|activation| {
            matches!(holder.holding(), Holding::Outside(area) if activation.dropped.contains(area))
        });
        let mut may = BrigadeBack::ALL.map(|back| !self.receivers(state, commander, back).is_empty());
        for foreign in [BrigadeBack::Covenanter, BrigadeBack::Lorrainer] {
            may[foreign as usize] &= rules::LEFT_BEHIND.allows(!dropped);
        }
        there.that(|counter| may[state.brigades.back(&self.content, counter) as usize])
    }

    /// G7: foreign Brigades on the display of their General, who keeps a Brigade.
    fn droppable(&self, state: &State, general: GeneralId) -> CounterSet {
        let faction = self.content.generals[general].faction;
        let own = state.brigades.at(general);
        if !rules::FOREIGN_DROPPED.allows(faction.is_foreign() && own.count() > 1) {
            return CounterSet::EMPTY;
        }
        own & self.content.band(faction)
    }

    /// The Generals of an Army who may put Brigades down.
    pub(in super::super) fn droppers(&self, state: &State, commander: GeneralId) -> GeneralSet {
        state.army(commander).that(|general| self.content.generals[general].faction.is_foreign())
    }

    /// Returns whether an Army can take up anything where it stands: by numbers, backs and limits, which are public.
    #[must_use]
    pub(in super::super) fn can_pick_up(&self, state: &State, commander: GeneralId) -> bool {
        let Some(area) = state.area_of(commander) else { return false };
        self.pick_sources(state, area).any(|holder| !self.takeable(state, commander, holder).is_empty())
    }

    /// The places; at one that is chosen the faces; of one the displays.
    pub(in super::super) fn offer_pick(&self, state: &State, pick: Pick, offer: &mut impl FnMut(Action)) {
        match (pick.from, pick.face) {
            (None, _) => {
                if let Some(area) = state.area_of(pick.commander) {
                    self.pick_sources(state, area).map(Action::From).for_each(offer);
                }
            }
            (Some(holder), None) => {
                let there = self.takeable(state, pick.commander, holder);
                state.brigades.faces(&self.content, there).iter().map(Action::Brigade).for_each(offer);
            }
            (Some(_), Some(_)) => {
                state.army(pick.commander).iter().map(|general| Action::To(general.into())).for_each(offer);
            }
        }
    }

    /// 8.3, G4 to G8: a place with Brigades that somebody of the Army may take; the face of one; a display that may have it.
    pub(in super::super) fn examine_pick(
        &self,
        state: &State,
        pick: Pick,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let place = |holder| Ref::from(catalogue::location(&self.content, holder));
        match (pick.from, pick.face, action) {
            (None, _, Action::From(holder)) => {
                let area = state.area_of(pick.commander).expect("an Army that takes up stands on the map");
                let seat = self.content.generals[pick.commander].side;
                let there = self.pick_sources(state, area).any(|source| source == holder)
                    && !state.brigades.of_side(&self.content, state.brigades.at(holder), seat).is_empty();
                why.demand(there, rules::PICK_UP, "NO_BRIGADE_THERE", &[place(holder)])?;
                let some = !self.takeable(state, pick.commander, holder).is_empty();
                why.require(some, rules::ARMY_LIMIT, "NOBODY_CAN_TAKE_IT", &[place(holder)])
            }
            (Some(holder), None, Action::Brigade(face)) => {
                let there = self.takeable(state, pick.commander, holder);
                let some = there.meets(self.content.faces[face].counters());
                why.require(some, rules::PICK_UP, "BRIGADE_NOT_THERE", &[face.into(), place(holder)])
            }
            (Some(from), Some(face), Action::To(holder)) => {
                let counter = self.picked(state, pick, from, face);
                let back = state.brigades.back(&self.content, counter);
                let general =
                    if let Holding::General(general) = holder.holding() { Some(general) } else { None };
                let may = general
                    .is_some_and(|general| self.receivers(state, pick.commander, back).contains(general));
                why.require(may, rules::ARMY_LIMIT, "CANT_HAVE_IT", &[place(holder)])
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    /// As [`UnhappyKing::examine_pick`]; the active Army may put foreign Brigades down, too (G7).
    pub(in super::super) fn examine_active_pick(
        &self,
        state: &State,
        pick: Pick,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let (Action::From(holder), false) = (action, pick.is_begun()) else {
            return self.examine_pick(state, pick, action, why);
        };
        let Holding::General(general) = holder.holding() else {
            return self.examine_pick(state, pick, action, why);
        };
        let who = [Ref::from(general)];
        let own = state.army(pick.commander).contains(general) && state.size(pick.commander) > 0;
        why.demand(own, rules::FOREIGN_DROPPED, "NOT_A_SUBORDINATE", &who)?;
        let foreign = self.content.generals[general].faction.is_foreign();
        why.demand(foreign, rules::FOREIGN_DROPPED, "NO_DROPPING", &who)?;
        let keeps = !self.droppable(state, general).is_empty();
        why.require(keeps, rules::FOREIGN_DROPPED, "KEEPS_NO_BRIGADE", &who)
    }

    /// The counter of a face at the place that was chosen.
    fn picked(&self, state: &State, pick: Pick, from: Holder, face: BrigadeFace) -> CounterId {
        let there = self.takeable(state, pick.commander, from);
        state.brigades.of_face(&self.content, there, face).expect("a face was offered that is there")
    }

    /// A step of the choice; where the backs leave one Brigade, or one display, that is not asked. Returns what is still to be chosen.
    pub(in super::super) fn pick_step(
        &self,
        state: &mut State,
        pick: Pick,
        action: Action,
        out: &mut Events,
    ) -> Pick {
        let mut pick = pick;
        match action {
            Action::From(holder) => {
                pick.from = Some(holder);
                let there = self.takeable(state, pick.commander, holder);
                if let (1, Some(only)) = (there.count(), there.first()) {
                    pick.face = Some(self.content.face_of[only]);
                }
            }
            Action::Brigade(face) => pick.face = Some(face),
            Action::To(holder) => {
                let Holding::General(general) = holder.holding() else {
                    unreachable!("an illegal action was applied")
                };
                self.take_up(state, pick, general, out);
                return pick.done();
            }
            _ => unreachable!("an illegal action was applied"),
        }
        let (Some(from), Some(face)) = (pick.from, pick.face) else { return pick };
        if let Holding::General(general) = from.holding() {
            self.put_down(state, pick, general, out);
            return pick.done();
        }
        let back = state.brigades.back(&self.content, self.picked(state, pick, from, face));
        let receivers = self.receivers(state, pick.commander, back);
        if let (1, Some(only)) = (receivers.count(), receivers.first()) {
            self.take_up(state, pick, only, out);
            return pick.done();
        }
        pick
    }

    /// 8.3: a Brigade comes to the display of a General.
    fn take_up(&self, state: &mut State, pick: Pick, general: GeneralId, out: &mut Events) {
        let (Some(from), Some(face)) = (pick.from, pick.face) else { unreachable!("both are chosen before") };
        let counter = self.picked(state, pick, from, face);
        let seat = self.content.generals[general].side;
        let scene = Scene::open(self, state, 2, out);
        state.brigades.put(&self.content, counter, general.into(), Told::Hidden);
        let place = Ref::from(catalogue::location(&self.content, from));
        let refs = [Ref::from(general), place];
        let own = [Ref::from(general), place, Ref::from(face)];
        scene.publish(self, state, out, || {
            Event::new("picks_up", rules::PICK_UP, &refs).private(seat, &own, [])
        });
        self.come_out_if_full(state, pick.commander, out);
    }

    /// AC13, F1: an Army that has become too large for the Fortress in which it began stands outside.
    fn come_out_if_full(&self, state: &mut State, commander: GeneralId, out: &mut Events) {
        let Post::Inside(area) = state.generals[commander].post else { return };
        let Some(fortress) = state.fortress(&self.content, area) else { return };
        let inside = state.garrison(&self.content, area).count() as u8;
        if rules::ROOM_INSIDE.applies(inside > self.content.fortresses[fortress].room) {
            let scene = Scene::open(self, state, 2, out);
            state.generals.place(commander, Post::Area(area));
            let refs = [Ref::from(commander), Ref::from(area)];
            scene.publish(self, state, out, || Event::new("comes_out", rules::ROOM_INSIDE, &refs));
        }
    }

    /// G7, G10: a foreign Brigade stays in the Area without a General.
    fn put_down(&self, state: &mut State, pick: Pick, general: GeneralId, out: &mut Events) {
        let (Some(from), Some(face)) = (pick.from, pick.face) else { unreachable!("both are chosen before") };
        let counter = self.picked(state, pick, from, face);
        let area = state.area_of(general).expect("an active Army stands on the map");
        let seat = self.content.generals[general].side;
        let held = self.held_under_siege(state);
        let scene = Scene::open(self, state, 2, out);
        state.brigades.put(&self.content, counter, Holder::outside(area), Told::Hidden);
        state.ongoing_activation_mut().dropped.insert(area);
        let refs = [Ref::from(general), Ref::from(area)];
        let own = [Ref::from(general), Ref::from(area), Ref::from(face)];
        scene.publish(self, state, out, || {
            Event::new("puts_down", rules::FOREIGN_DROPPED, &refs).private(seat, &own, [])
        });
        self.consequences(state, held, Cause::Other, out);
    }

    /// G5, EV15: the Army that an enemy has come upon may take up Brigades, until it stands; asked only if there is something to take.
    pub(in super::super) fn open_pick_up(&self, state: &mut State, commander: GeneralId) {
        if rules::PICK_UP_WHEN_ATTACKED.applies(self.can_pick_up(state, commander)) {
            let seat = self.content.generals[commander].side;
            state.frames.open(Frame::PickUp { seat, general: commander, from: None, face: None });
        }
    }

    /// The steps of the choice, then to stand.
    pub(in super::super) fn offer_pick_up(
        &self,
        state: &State,
        _: Seat,
        pick: Pick,
        offer: &mut impl FnMut(Action),
    ) {
        self.offer_pick(state, pick, offer);
        offer(Action::Stand);
    }

    pub(in super::super) fn examine_pick_up(
        &self,
        state: &State,
        _: Seat,
        pick: Pick,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        if action == Action::Stand {
            return ControlFlow::Continue(());
        }
        self.examine_pick(state, pick, action, why)
    }

    pub(in super::super) fn apply_pick_up(
        &self,
        state: &mut State,
        seat: Seat,
        pick: Pick,
        action: Action,
        out: &mut Events,
    ) {
        if action == Action::Stand {
            state.frames.close();
            return out.emit(|| Event::new("picked_up", rules::PICK_UP_WHEN_ATTACKED, &[Ref::Seat(seat)]));
        }
        let next = self.pick_step(state, pick, action, out);
        let Some(Frame::PickUp { from, face, .. }) = state.frames.top_mut() else {
            unreachable!("Brigades are taken up within the procedure");
        };
        (*from, *face) = (next.from, next.face);
    }

    /// Nobody is asked once nothing is left to take up.
    pub(in super::super) fn advance_pick_up(&self, state: &mut State, pick: Pick) -> bool {
        let ends = !pick.is_begun() && !self.can_pick_up(state, pick.commander);
        if ends {
            state.frames.close();
        }
        ends
    }
}
