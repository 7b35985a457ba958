//! Recruitment (7.0): in its Phase three parts, the reform pick, then recruits, reformed Brigades, the Siege Train and Generals in any
//! order, then Blockade & Siege markers (X7); by a card, or by a Mandatory card, the second part alone.

use crate::vocabulary::*;

use super::super::actions::{Action, TrainChoice};
use super::super::content::ids::{AreaSet, GeneralId, LeaderId};
use super::super::frames::Frame;
use super::super::state::{Happened, Holder, Occasion, Post, Recruiting, SiegeMarker, State, Train};
use super::super::{UnhappyKing, catalogue, rules};

/// The stage at which the reform pick comes.
const REFORM: u8 = 0;
/// Recruits, reformed Brigades, the Siege Train and Generals.
const RECRUITS: u8 = 1;
/// Blockade & Siege markers.
const MARKERS: u8 = 2;

impl UnhappyKing {
    /// The recruitment under way.
    ///
    /// # Panics
    /// If there is none: its procedures alone ask for it.
    #[must_use]
    pub(in super::super) fn recruiting<'s>(&self, state: &'s State) -> &'s Recruiting {
        state.recruiting.as_ref().expect("a procedure of a recruitment has its recruitment")
    }

    /// See [`UnhappyKing::recruiting`].
    pub(in super::super) fn recruiting_mut<'s>(&self, state: &'s mut State) -> &'s mut Recruiting {
        state.recruiting.as_mut().expect("a procedure of a recruitment has its recruitment")
    }

    /// The parts follow each other; the last one is passed over without an Army that could bear a marker. Returns `false` if somebody is
    /// asked.
    pub(in super::super) fn advance_recruitment(
        &self,
        state: &mut State,
        seat: Seat,
        stage: u8,
        out: &mut Events,
    ) -> bool {
        let phase = self.recruiting(state).occasion == Occasion::Phase;
        match stage {
            REFORM => {
                self.to_part(state, RECRUITS);
                if phase {
                    self.open_reform(state, seat, out);
                }
            }
            RECRUITS => return false,
            _ => {
                let blockades = phase && !self.blockaded_by(state, seat).is_empty();
                if rules::RECRUITMENT_PARTS.applies(blockades) {
                    return false;
                }
                state.frames.close();
                state.recruiting = None;
            }
        }
        true
    }

    fn to_part(&self, state: &mut State, part: u8) {
        let Some(Frame::Recruitment { stage, .. }) = state.frames.top_mut() else {
            unreachable!("a part of a recruitment ends within it");
        };
        *stage = part;
    }

    /// Pool, Dispersed Brigades, Siege Train, Generals; or the Areas of Sieges; then to be done.
    pub(in super::super) fn offer_recruitment(
        &self,
        state: &State,
        seat: Seat,
        stage: u8,
        offer: &mut impl FnMut(Action),
    ) {
        if stage == MARKERS {
            self.blockaded_by(state, seat).iter().map(Action::At).for_each(&mut *offer);
        } else {
            State::generals_of(&self.content, seat)
                .filter(|&general| state.generals[general].post == Post::Reinforcements)
                .map(|general| Action::Leader(LeaderId::from(general)))
                .for_each(&mut *offer);
            offer(Action::From(Holder::pool(seat)));
            offer(Action::From(Holder::unemployed(seat)));
            offer(Action::Train(TrainChoice::Recruit));
        }
        offer(Action::Done);
    }

    /// 7.2, 7.3, R1: what is left to bring in, and where it could be placed.
    pub(in super::super) fn examine_recruitment(
        &self,
        state: &State,
        seat: Seat,
        stage: u8,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match action {
            Action::Done => ControlFlow::Continue(()),
            Action::At(area) if stage == MARKERS => {
                let fits = self.blockaded_by(state, seat).contains(area);
                why.require(fits, rules::BLOCKADE_MARKERS, "CANNOT_BLOCKADE", &[area.into()])
            }
            Action::From(holder) if stage == RECRUITS && holder == Holder::pool(seat) => {
                let left = self.recruits_left(state);
                why.demand(left, rules::RECRUITMENT_ORDER, "NO_RECRUITS_LEFT", &[])?;
                why.require(self.can_recruit(state, seat), rules::RECRUITMENT_ORDER, "NOBODY_TO_RECRUIT", &[])
            }
            Action::From(holder) if stage == RECRUITS && holder == Holder::unemployed(seat) => {
                why.require(self.can_reform(state, seat), rules::REFORMING, "NOBODY_REFORMS", &[])
            }
            Action::Train(TrainChoice::Recruit) if stage == RECRUITS => {
                self.examine_train_recruit(state, seat, why)
            }
            Action::Leader(leader) if stage == RECRUITS => match leader.general() {
                Some(general) => self.examine_reinforcement(state, seat, general, why),
                None => why.refuse(CONTRACT, "NOT_NOW"),
            },
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_recruitment(
        &self,
        state: &mut State,
        seat: Seat,
        stage: u8,
        action: Action,
        out: &mut Events,
    ) {
        match action {
            Action::At(area) => {
                let fortress = self.content.areas[area].fortress.expect("a Fortress was offered");
                self.lay_siege(state, seat, fortress, SiegeMarker::Blockade, out);
            }
            Action::From(holder) => {
                let reformed = holder == Holder::unemployed(seat);
                state.frames.open(Frame::Recruit { seat, reformed, region: None, face: None });
            }
            Action::Train(_) => state.frames.open(Frame::TrainPlace { seat }),
            Action::Leader(leader) => {
                let general = leader.general().expect("a General was offered");
                state.frames.open(Frame::Arrival { seat, general });
            }
            _ if stage == RECRUITS => {
                if self.recruiting(state).occasion == Occasion::Phase {
                    self.leave_box(state, seat, out);
                }
                let scene = Scene::open(self, state, 2, out);
                // Nothing asks for it any more, and nobody else ever knew.
                state.happened -= Happened::POWICKE;
                self.to_part(state, MARKERS);
                scene.publish(self, state, out, || {
                    Event::new("recruitment_done", rules::RECRUITMENT_ORDER, &[Ref::Seat(seat)])
                });
                out.release();
            }
            _ => {
                state.frames.close();
                state.recruiting = None;
                out.release();
            }
        }
    }

    /// R18: Areas of enemy Fortresses without a Blockade & Siege marker that an own Army there could Besiege (14.2).
    fn blockaded_by(&self, state: &State, seat: Seat) -> AreaSet {
        let besieged = |general: GeneralId| {
            let Post::Area(area) = state.generals[general].post else { return None };
            let enemy =
                state.fortress(&self.content, area).is_some() && state.controller(area) == Some(seat.other());
            let strong = rules::SIEGE_STRENGTH.allows(state.size(general) >= self.siege_need(state, area));
            let marked = state.siege(&self.content, area).marker == SiegeMarker::Blockade;
            (enemy && strong && !marked).then_some(area)
        };
        state.commanders_of(&self.content, seat).iter().filter_map(besieged).collect()
    }

    /// The Areas where a seat may place its Siege Train: own Fortresses and Local Notables without a Siege marker (R9).
    fn train_places(&self, state: &State, seat: Seat) -> AreaSet {
        let own = self.fortress_areas(state) & state.control[seat.index()];
        own.that(|area| !state.besieged(&self.content, area))
    }

    /// 7.1.4, R9: instead of one Brigade, in the Phase or by a card.
    fn examine_train_recruit(&self, state: &State, seat: Seat, why: &mut Why) -> ControlFlow<()> {
        let recruiting = self.recruiting(state);
        let available = state.trains[seat.index()] == Train::Available;
        why.require(available, rules::SIEGE_TRAIN, "TRAIN_NOT_AVAILABLE", &[])?;
        let counts = recruiting.left > 0 && matches!(recruiting.occasion, Occasion::Phase | Occasion::Card);
        why.require(counts, rules::SIEGE_TRAIN_PLACE, "NO_RECRUITS_LEFT", &[])?;
        let somewhere = !self.train_places(state, seat).is_empty();
        why.require(somewhere, rules::SIEGE_TRAIN_PLACE, "NO_PLACE_FOR_THE_TRAIN", &[])
    }

    /// The Areas for the Siege Train.
    pub(in super::super) fn offer_train_place(
        &self,
        state: &State,
        seat: Seat,
        offer: &mut impl FnMut(Action),
    ) {
        self.train_places(state, seat).iter().map(Action::At).for_each(offer);
    }

    /// R9.
    pub(in super::super) fn examine_train_place(
        &self,
        state: &State,
        seat: Seat,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let Action::At(area) = action else { return why.refuse(CONTRACT, "NOT_NOW") };
        let fits = self.train_places(state, seat).contains(area);
        why.require(fits, rules::SIEGE_TRAIN_PLACE, "NO_PLACE_FOR_THE_TRAIN", &[area.into()])
    }

    pub(in super::super) fn apply_train_place(
        &self,
        state: &mut State,
        seat: Seat,
        action: Action,
        out: &mut Events,
    ) {
        let Action::At(area) = action else { unreachable!("an illegal action was applied") };
        state.frames.close();
        self.recruiting_mut(state).left -= 1;
        self.note_grandee(state, seat);
        let scene = Scene::open(self, state, 2, out);
        state.trains[seat.index()] = Train::In(area);
        let at = Ref::from(catalogue::location(&self.content, Holder::outside(area)));
        scene.publish(self, state, out, || {
            Event::new("train_recruited", rules::SIEGE_TRAIN, &[Ref::Seat(seat), at])
        });
    }
}
