//! Generals from the Reinforcements Box, who come to Brigades that are on the map (7.2.3, 8.1, R13 to R16).

use crate::vocabulary::*;

use super::super::actions::{Action, TrainChoice};
use super::super::content::ids::{AreaId, AreaSet, CounterSet, GeneralId, LeaderId};
use super::super::content::{AREAS, ROYALIST};
use super::super::frames::Frame;
use super::super::state::{Holder, Occasion, Post, State, Told, Train};
use super::super::{UnhappyKing, catalogue, rules};
use super::brigade_choice::{BrigadeChoice, ChoiceStep};
use super::consequences::Cause;

impl UnhappyKing {
    /// The Brigades in an Area that a General who is placed there may take: unled ones, and those of an own Local Notable. The recruit that a
    /// Grandee card has just brought him is not the one that they need, but may follow it: `taken` (R13, R16).
    fn enlisted(
        &self,
        state: &State,
        seat: Seat,
        (general, area): (GeneralId, AreaId),
        taken: bool,
    ) -> CounterSet {
        let own = |holder: Holder| state.brigades.of_side(&self.content, state.brigades.at(holder), seat);
        let mut all = own(Holder::outside(area));
        if state.is_inside(general) && !self.fortress_has_room(state, seat, area) {
            all = CounterSet::EMPTY;
        }
        if let Some(notable) = state.notable_at(&self.content, area) {
            let led = own(notable.into());
            let fresh = !taken
                && state.recruiting.as_ref().is_some_and(|recruiting| {
                    recruiting.seat == ROYALIST
                        && recruiting.occasion == Occasion::Card
                        && recruiting.receivers.contains(LeaderId::from(notable))
                });
            if !rules::PLACED_WITH_RECRUITS.applies(fresh) || led.count() > 1 {
                all |= led;
            }
        } else if let Some(fortress) = state.fortress(&self.content, area) {
            all |= own(Holder::inside(fortress));
        }
        all.that(|counter| self.may_lead_face(general, self.content.face_of[counter]))
    }

    /// 7.2.3: an enemy marker, Brigade or General in an Area, which keeps a General from being placed there.
    pub(in super::super) fn is_held_against(&self, state: &State, seat: Seat, area: AreaId) -> bool {
        let enemy = seat.other();
        state.control[enemy.index()].contains(area)
            || !state.brigades_in(&self.content, enemy, area).is_empty()
            || !state.generals_in(&self.content, enemy, area).is_empty()
    }

    /// 8.1: where a General may be placed by their Regions: a Regional one in their own, and where its Brigades may be recruited.
    pub(in super::super) fn home_of(&self, general: GeneralId) -> AreaSet {
        let def = &self.content.generals[general];
        if !def.is_regional() {
            return AreaSet::first_of(AREAS);
        }
        let drummers = &self.content.drummers[def.side.index()];
        let recruiting = def.regions.iter().fold(AreaSet::EMPTY, |areas, region| areas | drummers[region]);
        self.content.areas_of(def.regions.iter()) | recruiting
    }

    /// The Areas with Brigades that no General leads; for a Regional General those of their Regions, or where its Brigades may be recruited
    /// (7.2.3).
    #[must_use]
    pub(in super::super) fn placement_areas(&self, state: &State, general: GeneralId) -> AreaSet {
        let guarded = state.guarded(&self.content, self.content.generals[general].side);
        guarded & rules::GENERALS_PLACED.gives(self.home_of(general), guarded)
    }

    /// Returns whether a General of the Reinforcements Box may be placed in one of these Areas, but for an own Army there: no enemy counter,
    /// and a Brigade to take (7.2.3, 8.1, R13).
    #[must_use]
    pub(in super::super) fn may_be_placed(&self, state: &State, general: GeneralId, area: AreaId) -> bool {
        let seat = self.content.generals[general].side;
        rules::GENERALS_PLACED.allows(!self.is_held_against(state, seat, area))
            && !self.enlisted(state, seat, (general, area), false).is_empty()
    }

    /// The Areas where a General may be placed in a recruitment.
    fn reinforcement_areas(&self, state: &State, seat: Seat, general: GeneralId) -> AreaSet {
        self.placement_areas(state, general).that(|area| {
            self.may_be_placed(state, general, area) && self.fits_in(state, seat, (general, area))
        })
    }

    /// R14: without an own Army, or if the two may join with one Brigade of the newcomer.
    fn fits_in(&self, state: &State, seat: Seat, (general, area): (GeneralId, AreaId)) -> bool {
        let Some(other) = self.company(state, general, area).first() else { return true };
        let joined = self.taken_in(state, (general, other), state.size(other) + 1);
        let inside = joined.is_some_and(|(commander, _)| commander == other) && state.is_inside(other);
        let room = !inside || self.inside_to_take(state, seat, (general, area));
        rules::PLACED_WITH_ARMY.allows(self.stands_with_all(state, general, area, 1) && room)
    }

    /// Returns whether a General who joins an Army inside a Fortress finds a Brigade: there, or outside with room for it inside.
    fn inside_to_take(&self, state: &State, seat: Seat, (general, area): (GeneralId, AreaId)) -> bool {
        let outside = state.brigades.at(Holder::outside(area));
        self.fortress_has_room(state, seat, area)
            || !(self.enlisted(state, seat, (general, area), false) - outside).is_empty()
    }

    /// 7.2.3, 7.3: who may be placed on this occasion.
    pub(in super::super) fn examine_reinforcement(
        &self,
        state: &State,
        seat: Seat,
        general: GeneralId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let refs = [Ref::from(general)];
        let def = &self.content.generals[general];
        let waits = def.side == seat && state.generals[general].post == Post::Reinforcements;
        why.demand(waits, rules::HOUSEKEEPING, "NOT_IN_REINFORCEMENTS", &refs)?;
        let recruiting = self.recruiting(state);
        let occasion = matches!(recruiting.occasion, Occasion::Phase | Occasion::Card);
        why.require(occasion, rules::GENERALS_PLACED, "NO_GENERALS_NOW", &refs)?;
        let grandee = seat == ROYALIST && recruiting.occasion == Occasion::Card;
        let regional = !grandee || def.is_regional() && !recruiting.generals_placed;
        why.require(regional, rules::PLACED_WITH_RECRUITS, "NO_GENERALS_NOW", &refs)?;
        let somewhere = !self.reinforcement_areas(state, seat, general).is_empty();
        why.require(somewhere, rules::GENERALS_PLACED, "NO_PLACE_FOR_THEM", &refs)
    }

    /// The Areas.
    pub(in super::super) fn offer_reinforcement(
        &self,
        state: &State,
        seat: Seat,
        general: GeneralId,
        offer: &mut impl FnMut(Action),
    ) {
        self.reinforcement_areas(state, seat, general).iter().map(Action::At).for_each(offer);
    }

    /// R13, R14.
    pub(in super::super) fn examine_reinforcement_place(
        &self,
        state: &State,
        seat: Seat,
        general: GeneralId,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let Action::At(area) = action else { return why.refuse(CONTRACT, "NOT_NOW") };
        let fits = self.reinforcement_areas(state, seat, general).contains(area);
        why.require(fits, rules::GENERALS_PLACED, "NO_PLACE_FOR_THEM", &[general.into(), area.into()])
    }

    pub(in super::super) fn apply_reinforcement(
        &self,
        state: &mut State,
        seat: Seat,
        general: GeneralId,
        action: Action,
        out: &mut Events,
    ) {
        let Action::At(area) = action else { unreachable!("an illegal action was applied") };
        state.frames.close();
        self.place_general(state, (general, area), out);
        state.frames.open(Frame::Enlist { seat, general, taken: false, from: None });
    }

    /// A General comes to an Area, and under or over the commander of an own Army there (R14). They have no Brigade yet: one is taken next.
    pub(in super::super) fn place_general(
        &self,
        state: &mut State,
        (general, area): (GeneralId, AreaId),
        out: &mut Events,
    ) {
        let scene = Scene::open(self, state, 2, out);
        let other = self.company(state, general, area).first();
        let joined = other.and_then(|other| self.taken_in(state, (general, other), state.size(other) + 1));
        match joined {
            Some((commander, under)) if under == general => {
                state.generals.place(general, Post::Under(commander));
            }
            Some((_, under)) => {
                for under in state.army(under) {
                    state.generals.place(under, Post::Under(general));
                }
                state.generals.place(general, Post::Area(area));
            }
            None => state.generals.place(general, Post::Area(area)),
        }
        let refs = [Ref::from(general), Ref::from(area)];
        scene.publish(self, state, out, || Event::new("general_placed", rules::GENERALS_PLACED, &refs));
    }

    /// Those that they may take now: the Army has room.
    fn enlist_choice(
        &self,
        state: &State,
        seat: Seat,
        (general, taken, from): (GeneralId, bool, Option<Holder>),
    ) -> BrigadeChoice {
        let area = state.area_of(general).expect("a General who takes Brigades stands somewhere");
        let among = if self.army_has_room(state, general) {
            self.enlisted(state, seat, (general, area), taken)
        } else {
            CounterSet::EMPTY
        };
        BrigadeChoice { among, allowed: among, from, rule: rules::GENERALS_PLACED }
    }

    fn finds_train(&self, state: &State, seat: Seat, general: GeneralId) -> bool {
        matches!(state.trains[seat.index()], Train::In(area) if state.area_of(general) == Some(area))
    }

    /// Ends by itself once there is nothing more to take.
    pub(in super::super) fn advance_enlist(
        &self,
        state: &mut State,
        (seat, general): (Seat, GeneralId),
        taken: bool,
        from: Option<Holder>,
    ) -> bool {
        let ends = taken
            && from.is_none()
            && !self.finds_train(state, seat, general)
            && self.enlist_choice(state, seat, (general, taken, None)).among.is_empty();
        if ends {
            state.frames.close();
        }
        ends
    }

    /// Places, then faces there; the Siege Train; to be done.
    pub(in super::super) fn offer_enlist(
        &self,
        state: &State,
        seat: Seat,
        (general, taken, from): (GeneralId, bool, Option<Holder>),
        offer: &mut impl FnMut(Action),
    ) {
        self.offer_brigades(state, self.enlist_choice(state, seat, (general, taken, from)), offer);
        if from.is_none() {
            offer(Action::Train(TrainChoice::Take));
            offer(Action::Done);
        }
    }

    /// R13: one Brigade at least; more up to the limit.
    pub(in super::super) fn examine_enlist(
        &self,
        state: &State,
        seat: Seat,
        (general, taken, from): (GeneralId, bool, Option<Holder>),
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match (from, action) {
            (None, Action::Done) => {
                why.require(taken, rules::GENERALS_PLACED, "NO_BRIGADE_TAKEN", &[general.into()])
            }
            (None, Action::Train(TrainChoice::Take)) => {
                let found = self.finds_train(state, seat, general);
                why.require(found, rules::SIEGE_TRAIN_GENERAL, "NO_TRAIN_HERE", &[general.into()])
            }
            _ => {
                let choice = self.enlist_choice(state, seat, (general, taken, from));
                self.examine_brigades(state, choice, action, why)
            }
        }
    }

    pub(in super::super) fn apply_enlist(
        &self,
        state: &mut State,
        seat: Seat,
        (general, taken, chosen): (GeneralId, bool, Option<Holder>),
        action: Action,
        out: &mut Events,
    ) {
        match action {
            Action::Done => {
                state.frames.close();
                return;
            }
            Action::Train(_) => {
                let scene = Scene::open(self, state, 2, out);
                state.trains[seat.index()] = Train::With(general);
                return scene.publish(self, state, out, || {
                    Event::new("train_taken", rules::SIEGE_TRAIN_GENERAL, &[general.into()])
                });
            }
            _ => {}
        }
        let step = self.choice_step(state, self.enlist_choice(state, seat, (general, taken, chosen)), action);
        let Some(Frame::Enlist { taken, from, .. }) = state.frames.top_mut() else {
            unreachable!("Brigades are taken within the procedure");
        };
        let counter = match step {
            ChoiceStep::Place(holder) => {
                *from = Some(holder);
                return;
            }
            ChoiceStep::Brigade(counter) => counter,
        };
        (*taken, *from) = (true, None);
        let face = self.content.face_of[counter];
        let at = Ref::from(catalogue::location(&self.content, state.brigades.get(counter).at));
        let held = self.held_under_siege(state);
        let scene = Scene::open(self, state, 2, out);
        state.brigades.put(&self.content, counter, general.into(), Told::Hidden);
        let refs = [Ref::from(general), at, face.into()];
        scene.publish(self, state, out, || {
            Event::new("brigade_taken", rules::GENERALS_PLACED, &refs[..2]).private(seat, &refs, [])
        });
        // G1: a commander who came under the newcomer with Subordinates' Brigades alone leaves.
        self.consequences(state, held, Cause::Other, out);
    }
}
