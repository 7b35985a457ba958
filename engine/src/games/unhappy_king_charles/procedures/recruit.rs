//! One Brigade that is recruited or reforms: its face, of the New Model Army its Region, its place (7.1.7, 7.2.1).

use crate::numbered::Listed;
use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::content::brigades::Faction;
use super::super::content::ids::{AreaSet, BrigadeFace, LeaderId, RegionId};
use super::super::frames::Frame;
use super::super::state::{Holder, Holding, Occasion, State, Told};
use super::super::{UnhappyKing, catalogue, rules};

/// How far the choice of a Brigade has come: whether it reforms, its Region, its face.
pub(in super::super) type Enrolled = (bool, Option<RegionId>, Option<BrigadeFace>);

impl UnhappyKing {
    /// The Areas where a Dispersed Brigade may reform: an own marker in its Region, Irish anywhere, the New Model Army not where it is
    /// barred; no other Brigade of this Phase (7.1.7, R11, R12).
    fn reforming_areas(&self, state: &State, seat: Seat, face: BrigadeFace) -> AreaSet {
        let recruiting = self.recruiting(state);
        let def = &self.content.faces[face];
        let all = state.control[seat.index()];
        let home = match (def.region, def.faction) {
            (Some(region), _) => all & self.content.areas_of([region]),
            (None, Faction::NewModel) => {
                let barred = self.content.areas_of(self.content.numbers.recruitment.new_model_barred);
                all - rules::REFORMED_NEW_MODEL.gives(barred, AreaSet::EMPTY)
            }
            (None, _) => all,
        };
        let free = home - rules::REFORMING.gives(recruiting.areas, AreaSet::EMPTY);
        free.that(|area| !state.besieged(&self.content, area))
    }

    fn each_reforming_place(
        &self,
        state: &State,
        seat: Seat,
        face: BrigadeFace,
        place: &mut impl FnMut(Holder),
    ) {
        for area in self.reforming_areas(state, seat, face).iter() {
            self.each_place(state, seat, (area, face), place);
        }
    }

    fn reforms(&self, state: &State, seat: Seat, face: BrigadeFace) -> bool {
        let mut somewhere = false;
        self.each_reforming_place(state, seat, face, &mut |_| somewhere = true);
        somewhere
    }

    /// Returns whether a Brigade that was picked to reform could be placed.
    pub(in super::super) fn can_reform(&self, state: &State, seat: Seat) -> bool {
        let dispersed = state.brigades.at(Holder::unemployed(seat));
        self.recruiting(state).occasion == Occasion::Phase
            && state
                .brigades
                .faces(&self.content, dispersed)
                .iter()
                .any(|face| self.reforms(state, seat, face))
    }

    /// The heap that it comes from.
    fn heap(seat: Seat, reformed: bool) -> Holder {
        if reformed { Holder::unemployed(seat) } else { Holder::pool(seat) }
    }

    /// The Region that a recruit counts for.
    fn region_of(&self, region: Option<RegionId>, face: BrigadeFace) -> Option<RegionId> {
        self.content.faces[face].region.or(region)
    }

    /// Faces of the heap, or Regions, or places.
    pub(in super::super) fn offer_recruit(
        &self,
        state: &State,
        seat: Seat,
        (reformed, region, face): Enrolled,
        offer: &mut impl FnMut(Action),
    ) {
        let Some(face) = face else {
            let heap = state.brigades.at(Self::heap(seat, reformed));
            return state.brigades.faces(&self.content, heap).iter().map(Action::Brigade).for_each(offer);
        };
        if reformed {
            return self.each_reforming_place(state, seat, face, &mut |holder| offer(Action::To(holder)));
        }
        match self.region_of(region, face) {
            None => RegionId::all(&self.content).map(Action::Region).for_each(offer),
            Some(region) => {
                self.each_recruit_place(state, (face, region), &mut |holder| offer(Action::To(holder)));
            }
        }
    }

    /// Which Brigade, and where it may come.
    pub(in super::super) fn examine_recruit(
        &self,
        state: &State,
        seat: Seat,
        (reformed, region, chosen): Enrolled,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match (chosen, action) {
            (None, Action::Brigade(face)) => {
                let heap = state.brigades.at(Self::heap(seat, reformed));
                let there = state.brigades.of_face(&self.content, heap, face).is_some();
                why.demand(there, CONTRACT, "BRIGADE_NOT_THERE", &[face.into()])?;
                if reformed {
                    let can = self.reforms(state, seat, face);
                    return why.require(can, rules::REFORMING, "NO_PLACE_FOR_IT", &[face.into()]);
                }
                match self.content.faces[face].region {
                    Some(region) => self.examine_region(state, face, region, why),
                    None => {
                        let can =
                            RegionId::all(&self.content).any(|region| self.recruitable(state, face, region));
                        why.require(can, rules::NEW_MODEL_REGION, "NO_PLACE_FOR_IT", &[face.into()])
                    }
                }
            }
            (Some(face), Action::Region(region)) if !reformed && self.region_of(None, face).is_none() => {
                self.examine_region(state, face, region, why)
            }
            (Some(face), Action::To(holder)) => {
                let mut fits = false;
                let mut test = |place: Holder| fits |= place == holder;
                if reformed {
                    self.each_reforming_place(state, seat, face, &mut test);
                } else if let Some(region) = self.region_of(region, face) {
                    self.each_recruit_place(state, (face, region), &mut test);
                } else {
                    return why.refuse(CONTRACT, "NOT_NOW");
                }
                let at = Ref::from(catalogue::location(&self.content, holder));
                let rule = if reformed { rules::REFORMING } else { rules::RECRUITMENT_AREA };
                why.require(fits, rule, "NO_PLACE_FOR_IT", &[face.into(), at])
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    /// A Brigade may come for a Region: R2, 7.1.1, and a place for it.
    fn examine_region(
        &self,
        state: &State,
        face: BrigadeFace,
        region: RegionId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let recruiting = self.recruiting(state);
        let refs = [Ref::from(face), region.reference(&self.content)];
        why.demand(self.recruited_in(face, region), rules::NEW_MODEL_RECRUITS, "OTHER_REGION", &refs)?;
        let open = self.region_is_open(recruiting, region);
        why.require(open, rules::REGION_LIMIT, "REGION_IS_USED", &refs)?;
        let claims = self.claims_of(state, recruiting, face, region).is_some();
        why.require(claims, rules::MILITIA_FIRST, "MILITIA_COME_FIRST", &refs)?;
        let mut somewhere = false;
        self.each_recruit_place(state, (face, region), &mut |_| somewhere = true);
        why.require(somewhere, rules::RECRUITMENT_AREA, "NO_PLACE_FOR_IT", &refs)
    }

    pub(in super::super) fn apply_recruit(
        &self,
        state: &mut State,
        seat: Seat,
        (reformed, for_region, chosen): Enrolled,
        action: Action,
        out: &mut Events,
    ) {
        let Some(Frame::Recruit { region, face, .. }) = state.frames.top_mut() else {
            unreachable!("a Brigade is placed within its procedure");
        };
        match (chosen, action) {
            (None, Action::Brigade(named)) => *face = Some(named),
            (Some(_), Action::Region(named)) => *region = Some(named),
            (Some(of_face), Action::To(holder)) => {
                state.frames.close();
                let scene = Scene::open(self, state, 2, out);
                if !reformed {
                    let region = self.region_of(for_region, of_face).expect("a recruit is of a Region");
                    self.note_recruit(state, (of_face, region));
                }
                self.enrol(state, seat, (reformed, of_face), holder);
                let at = Ref::from(catalogue::location(&self.content, holder));
                let (code, rule) = if reformed {
                    ("reformed", rules::REFORMING)
                } else {
                    ("recruited", rules::RECRUIT_PLACE)
                };
                scene.publish(self, state, out, || {
                    Event::new(code, rule, &[Ref::Seat(seat), at]).private(
                        seat,
                        &[Ref::Seat(seat), at, of_face.into()],
                        [],
                    )
                });
                if !reformed {
                    self.note_grandee(state, seat);
                }
            }
            _ => unreachable!("an illegal action was applied"),
        }
    }

    /// A recruit takes up one of those that are left, or the naval benefit, or Powicke Bridge (R20).
    fn note_recruit(&self, state: &mut State, (face, region): (BrigadeFace, RegionId)) {
        let claims = self.claims_of(state, self.recruiting(state), face, region);
        let claims = claims.expect("a recruit was offered that may come");
        self.note_claims(state, claims);
        let recruiting = self.recruiting_mut(state);
        recruiting.regions.insert(region);
        recruiting.left = recruiting.left.saturating_sub(1);
    }

    /// The counter goes to its place, where that is remembered.
    fn enrol(&self, state: &mut State, seat: Seat, (reformed, face): (bool, BrigadeFace), holder: Holder) {
        let heap = state.brigades.at(Self::heap(seat, reformed));
        let counter = state.brigades.of_face(&self.content, heap, face);
        let counter = counter.expect("a Brigade of the face was offered");
        state.brigades.put(&self.content, counter, holder, Told::Hidden);
        let area = state.area_of_holder(&self.content, holder).expect("a place on the map was offered");
        let leader = match holder.holding() {
            Holding::General(general) => Some(LeaderId::from(general)),
            Holding::Notable(notable) => Some(LeaderId::from(notable)),
            _ => None,
        };
        let recruiting = self.recruiting_mut(state);
        recruiting.areas.insert(area);
        recruiting.receivers.extend(leader);
        if reformed {
            recruiting.reformed.insert(area);
        }
    }
}
