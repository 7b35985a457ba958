//! Raids of Local Notables (13.0).

use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::content::ids::{AreaId, AreaSet, NotableId, NotableSet};
use super::super::frames::Frame;
use super::super::state::{Presence, State};
use super::super::{UnhappyKing, rules};

impl UnhappyKing {
    /// A card begins to let up to `left` Local Notables Raid, one after the other (NB3).
    pub(in super::super) fn open_raids(&self, state: &mut State, seat: Seat, left: u8) {
        state.frames.open(Frame::Raids { seat, left, used: NotableSet::EMPTY });
    }

    /// The Areas that a Local Notable may Raid: of their Region, within the distance, no Fortress, without an enemy Brigade or an own
    /// marker (13.0, NB1).
    #[must_use]
    pub(in super::super) fn raided_by(&self, state: &State, notable: NotableId) -> AreaSet {
        self.raid_targets(state, notable).collect()
    }

    fn raid_targets(&self, state: &State, notable: NotableId) -> impl Iterator<Item = AreaId> {
        let of = &self.content.notables[notable];
        let near = self.content.within(of.area, self.content.numbers.raids.distance);
        let region = rules::RAID.gives(self.content.regions[self.content.areas[of.area].region].areas, near);
        let open = (near & region) - self.fortress_areas(state) - state.control[of.side.index()];
        let enemy = of.side.other();
        open.iter()
            .filter(move |&area| rules::RAID.allows(state.brigades_in(&self.content, enemy, area).is_empty()))
    }

    /// Returns whether a Local Notable can Raid: in play, without a Siege marker (NB2), and with an Area to Raid.
    #[must_use]
    pub(in super::super) fn can_raid(&self, state: &State, seat: Seat, notable: NotableId) -> bool {
        let of = &self.content.notables[notable];
        of.side == seat
            && state.notables[notable] == Presence::InPlay
            && rules::RAIDER.allows(!state.besieged(&self.content, of.area))
            && self.raid_targets(state, notable).next().is_some()
    }

    /// The Local Notables of a seat who can Raid.
    pub(in super::super) fn raiders(&self, state: &State, seat: Seat) -> NotableSet {
        self.content.notables_of[seat.index()].that(|notable| self.can_raid(state, seat, notable))
    }

    /// The card is done once as many have Raided, or nobody can any more.
    pub(in super::super) fn advance_raids(
        &self,
        state: &mut State,
        seat: Seat,
        left: u8,
        used: NotableSet,
    ) -> bool {
        let ends = left == 0 || (self.raiders(state, seat) - used).is_empty();
        if ends {
            state.frames.close();
        }
        ends
    }

    /// Everybody who can Raid, then to be done.
    pub(in super::super) fn offer_raids(
        &self,
        state: &State,
        seat: Seat,
        used: NotableSet,
        offer: &mut impl FnMut(Action),
    ) {
        (self.raiders(state, seat) - used).iter().map(Action::Raid).for_each(&mut *offer);
        offer(Action::Done);
    }

    /// 13.0, NB2, NB3: different ones, one at least.
    pub(in super::super) fn examine_raids(
        &self,
        state: &State,
        seat: Seat,
        used: NotableSet,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match action {
            Action::Done => why.require(!used.is_empty(), rules::RAIDS_BY_CARD, "NOBODY_RAIDED", &[]),
            Action::Raid(notable) => {
                why.require(!used.contains(notable), rules::RAIDS_BY_CARD, "HAS_RAIDED", &[notable.into()])?;
                why.require(
                    self.can_raid(state, seat, notable),
                    rules::RAID,
                    "CANNOT_RAID",
                    &[notable.into()],
                )
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_raids(
        &self,
        state: &mut State,
        seat: Seat,
        _: NotableSet,
        action: Action,
        _: &mut Events,
    ) {
        let Action::Raid(notable) = action else {
            state.frames.close();
            return;
        };
        if let Some(Frame::Raids { left, used, .. }) = state.frames.top_mut() {
            *left -= 1;
            used.insert(notable);
        }
        state.frames.open(Frame::Raid { seat, notable });
    }

    /// The Areas that the Local Notable may Raid.
    pub(in super::super) fn offer_raid(
        &self,
        state: &State,
        _: Seat,
        notable: NotableId,
        offer: &mut impl FnMut(Action),
    ) {
        self.raided_by(state, notable).iter().map(Action::At).for_each(offer);
    }

    /// 13.0, NB1.
    pub(in super::super) fn examine_raid(
        &self,
        state: &State,
        _: Seat,
        notable: NotableId,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let Action::At(area) = action else { return why.refuse(CONTRACT, "NOT_NOW") };
        let raided = self.raided_by(state, notable).contains(area);
        why.require(raided, rules::RAID, "NOT_RAIDED", &[notable.into(), area.into()])
    }

    pub(in super::super) fn apply_raid(
        &self,
        state: &mut State,
        seat: Seat,
        _: NotableId,
        action: Action,
        out: &mut Events,
    ) {
        let Action::At(area) = action else { unreachable!("an illegal action was applied") };
        state.frames.close();
        self.place_marker(state, seat, area, rules::RAID, out);
    }
}
