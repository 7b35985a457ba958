//! Places in an Area where a Brigade that comes to the map may be put: outside, inside, or on a display (7.2, 7.2.1, 8.4, 14.1, R6).

use crate::vocabulary::*;

use super::super::content::ids::{AreaId, BrigadeFace, GeneralId, NotableId};
use super::super::state::{Holder, Presence, State};
use super::super::{UnhappyKing, rules};

impl UnhappyKing {
    /// Returns whether a General may have a Brigade of a face on their display (8.3, MC10): a turncoat is under no foreign back either way.
    #[must_use]
    pub(in super::super) fn may_lead_face(&self, general: GeneralId, face: BrigadeFace) -> bool {
        let back = self.content.faces[face].faction.back();
        self.may_lead(general, back)
    }

    /// Returns whether a Local Notable of a seat is in play without a Siege marker, and has room for one Brigade more (13.0, R7).
    #[must_use]
    pub(in super::super) fn notable_has_room(&self, state: &State, seat: Seat, notable: NotableId) -> bool {
        let def = &self.content.notables[notable];
        def.side == seat
            && state.notables[notable] == Presence::InPlay
            && rules::NOTABLE_RECRUITS.allows(!state.besieged(&self.content, def.area))
            && state.brigades.at(notable).count() < def.limit.into()
    }

    /// The Local Notables of a seat of whom that is so.
    pub(in super::super) fn roomy_notables(
        &self,
        state: &State,
        seat: Seat,
    ) -> impl Iterator<Item = NotableId> {
        self.content.notables_of[seat.index()]
            .iter()
            .filter(move |&notable| self.notable_has_room(state, seat, notable))
    }

    /// Returns whether there is room for one Brigade more inside the own printed Fortress of an Area, which has no Siege marker (14.1, R5).
    #[must_use]
    pub(in super::super) fn fortress_has_room(&self, state: &State, seat: Seat, area: AreaId) -> bool {
        let Some(fortress) = state.fortress(&self.content, area) else { return false };
        let def = &self.content.fortresses[fortress];
        def.notable.is_none()
            && state.controller(area) == Some(seat)
            && !state.besieged(&self.content, area)
            && rules::ROOM_INSIDE.allows(state.garrison(&self.content, area).count() < def.room.into())
    }

    /// Returns whether the Army of a General has room for one Brigade more by its commander's limit (8.4).
    #[must_use]
    pub(in super::super) fn army_has_room(&self, state: &State, general: GeneralId) -> bool {
        let commander = state.commander(general);
        rules::ARMY_LIMIT.allows(state.size(commander) < self.limit_of(state, commander))
    }

    /// Every place in an Area for a Brigade of a face: outside only if no enemy Brigades stand there, inside and with a Local Notable only
    /// without a Siege marker.
    pub(in super::super) fn each_place(
        &self,
        state: &State,
        seat: Seat,
        (area, face): (AreaId, BrigadeFace),
        place: &mut impl FnMut(Holder),
    ) {
        let enemies = !state.stack(&self.content, seat.other(), area).is_empty();
        let open = rules::RECRUITS_AND_ENEMIES.allows(!enemies);
        let inside = self.fortress_has_room(state, seat, area);
        for general in state.generals_in(&self.content, seat, area).iter() {
            if (if state.is_inside(general) { inside } else { open })
                && rules::RECRUIT_PLACE.allows(self.may_lead_face(general, face))
                && self.army_has_room(state, general)
            {
                place(general.into());
            }
        }
        if let Some(notable) = state.notable_at(&self.content, area)
            && self.notable_has_room(state, seat, notable)
        {
            place(notable.into());
        }
        if open {
            place(Holder::outside(area));
        }
        if inside && let Some(fortress) = state.fortress(&self.content, area) {
            place(Holder::inside(fortress));
        }
    }
}
