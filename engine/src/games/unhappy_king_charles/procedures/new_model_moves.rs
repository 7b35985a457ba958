//! Step 6 of the New Model Army (6.5): Brigades that a General has left, those that would make a new Major Army, and the Siege Train go up
//! to three Areas, and Parliament's Generals take up Brigades where they stand (MC24).
//!
//! The list ends: each Brigade is moved once, and goes from the ground to a display once more.

use crate::vocabulary::*;

use super::super::actions::{Action, TrainChoice};
use super::super::content::PARLIAMENT;
use super::super::content::brigades::Faction;
use super::super::content::ids::{AreaSet, BrigadeFace, CounterId, CounterSet, GeneralId, GeneralSet};
use super::super::frames::Frame;
use super::super::state::{Holder, Holding, Marks, State, Told, Train};
use super::super::{UnhappyKing, catalogue, rules};
use super::consequences::Cause;

/// The Train is being placed.
const TRAIN_IN_HAND: u8 = 1;
/// The Train has been moved.
const TRAIN_MOVED: u8 = 2;

/// How far the step has come.
#[derive(Copy, Clone, Debug)]
pub(in super::super) struct Gathered {
    /// See [`TRAIN_IN_HAND`] and [`TRAIN_MOVED`].
    pub(in super::super) train: u8,
    /// The place that a Brigade is taken from.
    pub(in super::super) from: Option<Holder>,
    /// The Brigade that is taken.
    pub(in super::super) face: Option<BrigadeFace>,
    /// The Areas that a General has left.
    pub(in super::super) vacated: AreaSet,
}

/// Where a Brigade or the Train may go.
#[derive(Copy, Clone, Default, Debug)]
struct Destinations {
    areas: AreaSet,
    generals: GeneralSet,
}

impl Destinations {
    const fn is_empty(self) -> bool {
        self.areas.is_empty() && self.generals.is_empty()
    }
}

impl UnhappyKing {
    /// The Brigades at a place that may be moved: unled where a General left, or on a display of Armies that are together as large as a
    /// Major Army, none of them moved before, and none a Covenanter's.
    fn loose_brigades(&self, state: &State, vacated: AreaSet, holder: Holder) -> CounterSet {
        let there = state.brigades.of_side(&self.content, state.brigades.at(holder), PARLIAMENT);
        let there = there - state.brigades.marked(there, Marks::MOVED);
        let native = there - self.content.band(Faction::Covenanter);
        let loose = match holder.holding() {
            Holding::Outside(area) => vacated.contains(area),
            Holding::Inside(fortress) => vacated.contains(self.content.fortresses[fortress].area),
            Holding::General(general) => self.is_in_new_major_army(state, general),
            _ => false,
        };
        rules::NEW_MODEL_MOVES.gives(if loose { native } else { CounterSet::EMPTY }, CounterSet::EMPTY)
    }

    /// Returns whether the English Armies of Parliament where a General stands have together as many Brigades as a Major Army (6.2): none of those
    /// that were there before the card has a General who may command one.
    fn is_in_new_major_army(&self, state: &State, general: GeneralId) -> bool {
        let english = |one: GeneralId| self.content.generals[one].faction == Faction::Parliament;
        let Some(area) = state.area_of(general) else { return false };
        let armies = state.commanders_at(&self.content, PARLIAMENT, area).filter(|&one| english(one));
        let brigades: u8 = armies.map(|commander| state.size(commander)).sum();
        english(general)
            && english(state.commander(general))
            && !state.is_inside(general)
            && brigades >= self.content.numbers.movement.major_army
    }

    /// The Generals of Parliament who could take up a Brigade from where it stands, or from a Local Notable: in its Area, with room in the
    /// whole Army, and in the Fortress if it comes in from outside (G4, G6, MC10).
    fn takers(&self, state: &State, holder: Holder, counter: CounterId) -> GeneralSet {
        let outside = match holder.holding() {
            Holding::Outside(_) => true,
            Holding::Inside(_) | Holding::Notable(_) => false,
            _ => return GeneralSet::EMPTY,
        };
        let Some(area) = state.area_of_holder(&self.content, holder) else { return GeneralSet::EMPTY };
        let room_inside = state.fortress(&self.content, area).is_some_and(|fortress| {
            state.garrison(&self.content, area).count() < self.content.fortresses[fortress].room.into()
        });
        let takes = |general: &GeneralId| {
            let commander = state.commander(*general);
            state.area_of(*general) == Some(area)
                && rules::ARMY_LIMIT.allows(state.size(commander) < self.limit_of(state, commander))
                && rules::COVENANTER_DISPLAYS.allows(
                    !self.content.band(Faction::Covenanter).contains(counter)
                        || self.content.generals[*general].faction == Faction::Covenanter,
                )
                && (!outside || !state.is_inside(*general) || room_inside)
        };
        State::generals_of(&self.content, PARLIAMENT).filter(takes).collect()
    }

    /// Where a Brigade may go from its place; `ways`: where the moved ones may go from there.
    fn destinations(
        &self,
        state: &State,
        (vacated, holder): (AreaSet, Holder),
        counter: CounterId,
    ) -> Destinations {
        let loose = self.loose_brigades(state, vacated, holder).contains(counter);
        let area = state.area_of_holder(&self.content, holder).filter(|_| loose);
        Destinations {
            areas: area.map_or(AreaSet::EMPTY, |area| self.free_ways(state, PARLIAMENT, area, 1)),
            generals: self.takers(state, holder, counter),
        }
    }

    /// Parliament's Brigades at a place that can go anywhere: the faces of them are asked.
    fn gathered_from(&self, state: &State, vacated: AreaSet, holder: Holder) -> CounterSet {
        let there = state.brigades.of_side(&self.content, state.brigades.at(holder), PARLIAMENT);
        if there.is_empty() {
            return CounterSet::EMPTY;
        }
        let loose = self.loose_brigades(state, vacated, holder);
        let area = state.area_of_holder(&self.content, holder).filter(|_| !loose.is_empty());
        let ways = area.is_some_and(|area| !self.free_ways(state, PARLIAMENT, area, 1).is_empty());
        there.that(|counter| {
            ways && loose.contains(counter) || !self.takers(state, holder, counter).is_empty()
        })
    }

    /// Where the Train may go, if it waits with nobody: once to an Area, or to a General who is there (7.1.4).
    fn train_destinations(&self, state: &State, moved: bool) -> Destinations {
        let Train::In(area) = state.trains[PARLIAMENT.index()] else { return Destinations::default() };
        let ways = if moved { AreaSet::EMPTY } else { self.free_ways(state, PARLIAMENT, area, 1) };
        let here = |general: &GeneralId| state.area_of(*general) == Some(area);
        let generals = State::generals_of(&self.content, PARLIAMENT).filter(here).collect();
        Destinations { areas: rules::NEW_MODEL_MOVES.gives(ways, AreaSet::EMPTY), generals }
    }

    /// Returns what is asked for now: the places of a Brigade, or of the Train, once one is in hand.
    fn asked_destinations(&self, state: &State, gathered: Gathered) -> Option<Destinations> {
        if gathered.train & TRAIN_IN_HAND != 0 {
            return Some(self.train_destinations(state, gathered.train & TRAIN_MOVED != 0));
        }
        let (holder, face) = (gathered.from?, gathered.face?);
        let counter = self.taken(state, gathered.vacated, holder, face)?;
        Some(self.destinations(state, (gathered.vacated, holder), counter))
    }

    /// The counter of a face that is taken from a place: one that can go furthest, of those that are alike.
    fn taken(&self, state: &State, vacated: AreaSet, holder: Holder, face: BrigadeFace) -> Option<CounterId> {
        let any = self.gathered_from(state, vacated, holder);
        let loose = self.loose_brigades(state, vacated, holder) & any;
        let unmoved = any - state.brigades.marked(any, Marks::MOVED);
        [loose, unmoved, any].into_iter().find_map(|of| state.brigades.of_face(&self.content, of, face))
    }

    /// Places, then faces, then where it goes; the Train; to be done.
    pub(in super::super) fn offer_model_moves(
        &self,
        state: &State,
        _: Seat,
        gathered: Gathered,
        offer: &mut impl FnMut(Action),
    ) {
        if let Some(to) = self.asked_destinations(state, gathered) {
            to.generals.iter().map(|general| Action::To(Holder::from(general))).for_each(&mut *offer);
            to.areas.iter().map(|area| Action::To(Holder::outside(area))).for_each(offer);
            return;
        }
        if let Some(holder) = gathered.from {
            let there = self.gathered_from(state, gathered.vacated, holder);
            state.brigades.faces(&self.content, there).iter().map(Action::Brigade).for_each(offer);
            return;
        }
        let filled = |&holder: &Holder| !state.brigades.at(holder).is_empty();
        Holder::of_map().filter(filled).map(Action::From).for_each(&mut *offer);
        if matches!(state.trains[PARLIAMENT.index()], Train::In(_)) {
            offer(Action::Train(TrainChoice::Take));
        }
        offer(Action::Done);
    }

    /// MC24: see [`UnhappyKing::loose_brigades`] and [`UnhappyKing::takers`].
    pub(in super::super) fn examine_model_moves(
        &self,
        state: &State,
        _: Seat,
        gathered: Gathered,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let in_hand = gathered.train & TRAIN_IN_HAND != 0;
        match (gathered.from, action) {
            (None, Action::Done) if !in_hand => ControlFlow::Continue(()),
            (None, Action::From(holder)) if !in_hand => {
                let any = !self.gathered_from(state, gathered.vacated, holder).is_empty();
                let place = Ref::from(catalogue::location(&self.content, holder));
                why.demand(any, rules::NEW_MODEL_MOVES, "NOTHING_TO_GATHER", &[place])
            }
            (None, Action::Train(TrainChoice::Take)) if !in_hand => {
                let any = !self.train_destinations(state, gathered.train & TRAIN_MOVED != 0).is_empty();
                why.demand(any, rules::NEW_MODEL_MOVES, "TRAIN_CANNOT_GO", &[])
            }
            (Some(holder), Action::Brigade(face)) if gathered.face.is_none() => {
                let taken = self.taken(state, gathered.vacated, holder, face);
                let refs = [Ref::from(face), Ref::from(catalogue::location(&self.content, holder))];
                why.demand(taken.is_some(), rules::NEW_MODEL_MOVES, "BRIGADE_NOT_THERE", &refs)
            }
            (_, Action::To(holder)) => {
                let place = Ref::from(catalogue::location(&self.content, holder));
                let Some(to) = self.asked_destinations(state, gathered) else {
                    return why.refuse(CONTRACT, "NOT_NOW");
                };
                let goes = match holder.holding() {
                    Holding::General(general) => to.generals.contains(general),
                    Holding::Outside(area) => to.areas.contains(area),
                    _ => false,
                };
                why.demand(goes, rules::NEW_MODEL_MOVES, "CANNOT_GO_THERE", &[place])
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_model_moves(
        &self,
        state: &mut State,
        seat: Seat,
        gathered: Gathered,
        action: Action,
        out: &mut Events,
    ) {
        if action == Action::Done {
            state.frames.close();
            out.emit(|| Event::new("brigades_gathered", rules::NEW_MODEL_MOVES, &[Ref::Seat(seat)]));
            return;
        }
        let Some(Frame::ModelMoves { train, from, face, .. }) = state.frames.top_mut() else {
            unreachable!("Brigades are gathered within the step");
        };
        match action {
            Action::From(holder) => *from = Some(holder),
            Action::Brigade(chosen) => *face = Some(chosen),
            Action::Train(_) => *train |= TRAIN_IN_HAND,
            Action::To(to) => {
                (*train, *from, *face) = (*train & TRAIN_MOVED, None, None);
                if gathered.train & TRAIN_IN_HAND != 0 {
                    self.put_train(state, to, out);
                } else {
                    self.put_gathered(state, gathered, to, out);
                }
            }
            _ => unreachable!("an illegal action was applied"),
        }
    }

    /// The Train goes to an Area, or with a General.
    fn put_train(&self, state: &mut State, to: Holder, out: &mut Events) {
        let scene = Scene::open(self, state, 2, out);
        state.trains[PARLIAMENT.index()] = match to.holding() {
            Holding::General(general) => Train::With(general),
            Holding::Outside(area) => {
                if let Some(Frame::ModelMoves { train, .. }) = state.frames.top_mut() {
                    *train |= TRAIN_MOVED;
                }
                Train::In(area)
            }
            _ => unreachable!("an illegal action was applied"),
        };
        let refs = [Ref::Seat(PARLIAMENT), Ref::from(catalogue::location(&self.content, to))];
        scene.publish(self, state, out, || Event::new("train_relocated", rules::NEW_MODEL_MOVES, &refs));
    }

    /// A Brigade goes; nobody else learns which one it is.
    fn put_gathered(&self, state: &mut State, gathered: Gathered, to: Holder, out: &mut Events) {
        let (Some(from), Some(face)) = (gathered.from, gathered.face) else {
            unreachable!("place and face are chosen first");
        };
        let counter =
            self.taken(state, gathered.vacated, from, face).expect("a face was offered that is there");
        let held = self.held_under_siege(state);
        let scene = Scene::open(self, state, 2, out);
        let counter = if matches!(to.holding(), Holding::Outside(_)) {
            // The mark tells it from others with its face; what is known of any of them lapses with the choice.
            state.brigades.mark(&self.content, CounterSet::one(counter), Marks::MOVED);
            let moved = state.brigades.marked(state.brigades.at(from), Marks::MOVED);
            state.brigades.of_face(&self.content, moved, face).expect("it was marked just now")
        } else {
            counter
        };
        state.brigades.put(&self.content, counter, to, Told::Hidden);
        let [from, to] = [from, to].map(|holder| Ref::from(catalogue::location(&self.content, holder)));
        scene.publish(self, state, out, || {
            Event::new("brigade_gathered", rules::NEW_MODEL_MOVES, &[from, to]).private(
                PARLIAMENT,
                &[from, to, face.into()],
                [],
            )
        });
        self.consequences(state, held, Cause::Other, out);
    }
}
