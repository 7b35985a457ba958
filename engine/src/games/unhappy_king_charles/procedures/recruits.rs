//! Recruits: which Brigade of the pool may come, and where to (7.1.1 to 7.1.3, 7.2, 7.3, R2 to R8, R17, R20; options O1, O3).

use crate::numbered::Listed;
use crate::vocabulary::*;

use super::super::content::brigades::Faction;
use super::super::content::ids::{AreaSet, BrigadeFace, CounterId, RegionId};
use super::super::content::turns::RuleOption;
use super::super::content::{PARLIAMENT, ROYALIST};
use super::super::state::{Happened, Holder, Occasion, Recruiting, State};
use super::super::{UnhappyKing, rules};

/// The rules and benefits that a recruit takes up (R4, R20).
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct Claims {
    /// It is the extra Brigade of the naval benefit.
    pub(in super::super) extra: bool,
    /// It comes before Militia by Powicke Bridge.
    pub(in super::super) powicke: bool,
    /// It comes before Militia by the naval benefit.
    pub(in super::super) naval: bool,
}

impl UnhappyKing {
    /// Returns whether the naval benefit of a distance from 0 is a seat's, and not used this Turn (15.3, R4, N4).
    fn has_benefit(&self, state: &State, recruiting: &Recruiting, distance: u8) -> bool {
        let used = state.has(Happened::veteran(recruiting.seat));
        rules::NAVAL_BENEFIT.applies(self.may_have_benefit(state, recruiting, distance) && !used)
    }

    /// As far as everybody knows: whether it went to a Veteran only the seat does.
    fn may_have_benefit(&self, state: &State, recruiting: &Recruiting, distance: u8) -> bool {
        let seat = recruiting.seat;
        let status = self.naval_status(state);
        let level = if seat == ROYALIST { -status } else { status };
        let occasion = matches!(recruiting.occasion, Occasion::Phase | Occasion::Card);
        let favoured = rules::NAVAL_LEVEL.allows(level >= distance.into());
        occasion && favoured && !state.has(Happened::benefit(seat))
    }

    /// Veterans of a seat come as freely as Militia, without Powicke Bridge or a naval benefit (R3).
    fn militia_is_lifted(state: &State, seat: Seat) -> bool {
        rules::MILITIA_LIFTED.applies(seat == ROYALIST && state.has(Happened::NEW_MODEL))
    }

    /// A recruit that came took up Powicke Bridge or the naval benefit (R20). Others are told what they can see: that one came over the
    /// number, or that one came while a Veteran could.
    pub(in super::super) fn note_claims(&self, state: &mut State, claims: Claims) {
        let recruiting = self.recruiting(state);
        let seat = recruiting.seat;
        let veteran = self.may_have_benefit(state, recruiting, self.content.numbers.naval.veteran)
            && !Self::militia_is_lifted(state, seat);
        if claims.powicke {
            state.happened |= Happened::POWICKE;
        }
        if claims.naval {
            state.happened |= Happened::veteran(seat);
        }
        if claims.extra {
            state.happened = (state.happened - Happened::chance(seat)) | Happened::benefit(seat);
        } else if veteran {
            state.happened |= Happened::chance(seat);
        }
    }

    /// Returns whether a Brigade more may be recruited, be it by the naval benefit.
    pub(in super::super) fn recruits_left(&self, state: &State) -> bool {
        let recruiting = self.recruiting(state);
        recruiting.left > 0 || self.has_benefit(state, recruiting, self.content.numbers.naval.extra)
    }

    /// Returns what a recruit takes up; `None` if it would need what there is not: Militia of the Region in the pool bar its Veterans (7.1.1, R3).
    pub(in super::super) fn claims_of(
        &self,
        state: &State,
        recruiting: &Recruiting,
        face: BrigadeFace,
        region: RegionId,
    ) -> Option<Claims> {
        let seat = recruiting.seat;
        let naval = &self.content.numbers.naval;
        let militia = |counter: CounterId| {
            let face = &self.content.faces[self.content.face_of[counter]];
            !face.is_veteran() && face.region == Some(region)
        };
        let lifted = Self::militia_is_lifted(state, seat);
        let barred = self.content.faces[face].is_veteran()
            && !lifted
            && state.brigades.at(Holder::pool(seat)).iter().any(militia);
        let barred = rules::MILITIA_FIRST.applies(barred);
        let bridge = seat == ROYALIST
            && recruiting.occasion == Occasion::Phase
            && self.content.turns[state.turn].powicke
            && !state.has(Happened::POWICKE);
        let powicke = barred && rules::POWICKE_BRIDGE.applies(bridge);
        let powicke = powicke
            && (rules::BENEFIT_ORDER.applies(true) || !self.has_benefit(state, recruiting, naval.veteran));
        let claims = Claims { extra: recruiting.left == 0, powicke, naval: barred && !powicke };
        let extra = !claims.extra || self.has_benefit(state, recruiting, naval.extra);
        let veteran = !claims.naval || self.has_benefit(state, recruiting, naval.veteran);
        (extra && veteran && !(claims.extra && claims.naval)).then_some(claims)
    }

    /// A Region in which a Brigade may be recruited: its own; of the New Model Army any but those that are barred (7.1.3, R8).
    pub(in super::super) fn recruited_in(&self, face: BrigadeFace, region: RegionId) -> bool {
        let def = &self.content.faces[face];
        match def.region {
            Some(own) => own == region,
            None => {
                let barred = self.content.numbers.recruitment.new_model_barred;
                let native = rules::FOREIGN_RECRUITS.allows(def.faction == Faction::NewModel);
                native && rules::NEW_MODEL_RECRUITS.allows(!barred.contains(region))
            }
        }
    }

    /// Returns whether a Region is still open to this recruitment: one Brigade each but by a card (R2), none of those that are barred (MC11).
    pub(in super::super) fn region_is_open(&self, recruiting: &Recruiting, region: RegionId) -> bool {
        let barred =
            recruiting.occasion == Occasion::League && self.content.numbers.league.barred.contains(region);
        let used = recruiting.occasion != Occasion::Card && recruiting.regions.contains(region);
        rules::LEAGUE_COMPENSATION.allows(!barred) && rules::REGION_LIMIT.allows(!used)
    }

    /// Every place for a recruit of a Region.
    pub(in super::super) fn each_recruit_place(
        &self,
        state: &State,
        (face, region): (BrigadeFace, RegionId),
        place: &mut impl FnMut(Holder),
    ) {
        let recruiting = self.recruiting(state);
        if recruiting.seat == ROYALIST && recruiting.occasion == Occasion::Card {
            return self.each_grandee(state, recruiting, (face, region), place);
        }
        let seat = recruiting.seat;
        // R2, 7.1.7: Parliament's card brings one Brigade to an Area; where one has reformed no other comes.
        let once = seat == PARLIAMENT && recruiting.occasion == Occasion::Card;
        let taken =
            if once { rules::ASSESSMENT.gives(recruiting.areas, AreaSet::EMPTY) } else { AreaSet::EMPTY };
        let taken = taken | recruiting.reformed;
        let mut areas =
            self.content.drummers[seat.index()][region] - state.control[seat.other().index()] - taken;
        let mut with_notables = true;
        let mut only_willoughby = false;
        let optional = &self.content.numbers.optional;
        let option = |option: RuleOption| state.options[option as usize];
        let cornish = seat == ROYALIST && option(RuleOption::Cornish) && region == RegionId::SOUTH;
        if rules::CORNISH.applies(cornish) && !self.content.restricted.cornish.contains(face) {
            areas = areas.without(optional.cornish_at);
            if recruiting.occasion == Occasion::Phase {
                areas &= AreaSet::one(optional.others_at);
                with_notables = false;
            }
        }
        let association = seat == PARLIAMENT
            && option(RuleOption::Manchester)
            && self.content.restricted.manchester.contains(face);
        if rules::MANCHESTER.applies(association) {
            areas &= AreaSet::one(optional.manchester_at);
            only_willoughby = true;
            self.manchester_display(state, taken, (face, areas), place);
        }
        for area in areas.iter().filter(|&area| !state.besieged(&self.content, area)) {
            self.each_place(state, seat, (area, face), place);
        }
        for notable in self.roomy_notables(state, seat).filter(|_| with_notables) {
            let area = self.content.notables[notable].area;
            let native = rules::NOTABLE_RECRUITS.allows(self.content.areas[area].region == region);
            let named = !only_willoughby || notable == self.content.people.willoughby;
            if native && named && !areas.contains(area) && !taken.contains(area) {
                place(notable.into());
            }
        }
    }

    /// O3: the display of Manchester, while he is in the East.
    fn manchester_display(
        &self,
        state: &State,
        taken: AreaSet,
        (face, areas): (BrigadeFace, AreaSet),
        place: &mut impl FnMut(Holder),
    ) {
        let manchester = self.content.people.manchester;
        let Some(area) = state.area_of(manchester) else { return };
        let seat = self.content.generals[manchester].side;
        let home = self.content.areas[area].region == self.content.numbers.optional.manchester_in;
        // In an Area that is offered whole his display is among its places.
        let fits = home
            && !areas.contains(area)
            && !taken.contains(area)
            && !state.besieged(&self.content, area)
            && self.may_lead_face(manchester, face)
            && self.army_has_room(state, manchester)
            && (!state.is_inside(manchester) || self.fortress_has_room(state, seat, area));
        if fits {
            place(manchester.into());
        }
    }

    /// 7.3.1, R17: commanding Regional Generals and Local Notables in an Area of the Brigade's Region, one recruit each; no Siege marker.
    fn each_grandee(
        &self,
        state: &State,
        recruiting: &Recruiting,
        (face, region): (BrigadeFace, RegionId),
        place: &mut impl FnMut(Holder),
    ) {
        let seat = recruiting.seat;
        let once = |leader| rules::GRANDEES.allows(!recruiting.receivers.contains(leader));
        for general in state.commanders_of(&self.content, seat).iter() {
            let Some(area) = state.area_of(general) else { continue };
            let regional = self.content.generals[general].regions.contains(region)
                && self.content.areas[area].region == region;
            if rules::GRANDEE_RECEIVER.allows(regional)
                && once(general.into())
                && !state.besieged(&self.content, area)
                && self.may_lead_face(general, face)
                && self.army_has_room(state, general)
                && (!state.is_inside(general) || self.fortress_has_room(state, seat, area))
            {
                place(general.into());
            }
        }
        for notable in self.roomy_notables(state, seat) {
            let area = self.content.notables[notable].area;
            let native = rules::GRANDEE_RECEIVER.allows(self.content.areas[area].region == region);
            if native && once(notable.into()) {
                place(notable.into());
            }
        }
    }

    /// Returns whether a Brigade of the pool could come for a Region.
    pub(in super::super) fn recruitable(&self, state: &State, face: BrigadeFace, region: RegionId) -> bool {
        let recruiting = self.recruiting(state);
        let mut somewhere = false;
        self.recruited_in(face, region)
            && self.region_is_open(recruiting, region)
            && self.claims_of(state, recruiting, face, region).is_some()
            && {
                self.each_recruit_place(state, (face, region), &mut |_| somewhere = true);
                somewhere
            }
    }

    /// Returns whether any could.
    pub(in super::super) fn can_recruit(&self, state: &State, seat: Seat) -> bool {
        let pool = state.brigades.at(Holder::pool(seat));
        let faces = state.brigades.faces(&self.content, pool);
        faces
            .iter()
            .any(|face| RegionId::all(&self.content).any(|region| self.recruitable(state, face, region)))
    }

    /// R16: once the last recruit of a Grandee card has come, no General comes any more.
    pub(in super::super) fn note_grandee(&self, state: &mut State, seat: Seat) {
        let grandee = seat == ROYALIST && self.recruiting(state).occasion == Occasion::Card;
        let last = grandee && !self.recruits_left(state);
        self.recruiting_mut(state).generals_placed |= rules::PLACED_WITH_RECRUITS.applies(last);
    }
}
