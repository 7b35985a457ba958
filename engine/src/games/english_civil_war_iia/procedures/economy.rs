//! Yield of the ground that a side controls: income, capacity, building sites.

use crate::seat::Seat;

use super::super::adjudicator::{Removals, Space, SpaceSet};
use super::super::content::Numbers;
use super::super::realm::{Realm, SIDES};
use super::super::rules;
use super::super::state::State;

impl State {
    /// Returns the number of counties that `seat` controls, blocks by their weight and London not at all (r4,
    /// C11, C12).
    pub(in super::super) fn weight(&self, realm: &Realm, seat: Seat) -> u16 {
        let own = realm.spaces().filter(|&space| self.controls(seat, space));
        let weight = |space| {
            let weight = u16::from(realm.county(space).weight);
            rules::BLOCK_WEIGHT.gives(rules::LONDON.gives(weight, weight.max(1)), weight.min(1))
        };
        own.map(weight).sum()
    }

    /// The points that `seat` is awarded in a season (r4).
    pub(in super::super) fn income(&self, realm: &Realm, numbers: &Numbers, seat: Seat) -> u16 {
        rules::INFLUENCE.gives(self.weight(realm, seat).div_ceil(numbers.counties_per_point), 0)
    }

    /// The centres dedicated to `seat`: its home centres and those that its leaders have made (B6, B14).
    pub(in super::super) fn dedicated(&self, realm: &Realm, seat: Seat) -> SpaceSet {
        let homes = realm.homes[seat.index()];
        rules::NEW_CENTRE.gives(homes | self.founded[seat.index()], homes)
    }

    /// Every space that is a centre of any kind and either side, active or not (B13).
    pub(in super::super) fn any_centre(&self, realm: &Realm) -> SpaceSet {
        let of = |seat: Seat| realm.homes[seat.index()] | self.founded[seat.index()];
        SIDES.into_iter().fold(realm.regular, |all, seat| all | of(seat))
    }

    /// The dedicated centres of `seat` that count: under its control and without an enemy unit (C10).
    pub(in super::super) fn active(&self, realm: &Realm, seat: Seat) -> SpaceSet {
        let counts = |&space: &Space| {
            let clear = !self.stands[seat.other().index()].contains(space);
            rules::HOME_COUNTS.allows(self.controls(seat, space) && clear)
        };
        self.dedicated(realm, seat).iter().filter(counts).collect()
    }

    /// Returns the number of armies that `seat` can keep (B1).
    pub(in super::super) fn capacity(&self, realm: &Realm, seat: Seat) -> u8 {
        let regular = self.regular[seat.index()].iter().map(|space| realm.county(space).regular);
        let regular: u8 = rules::CENTRES.gives(regular.sum(), 0);
        regular + rules::CAPACITY.gives(self.active(realm, seat).len() as u8, 0)
    }

    /// Returns the number of armies that `seat` has to take off (B9), and the number that it may build at most (B10).
    pub(in super::super) fn owed_and_room(&self, realm: &Realm, seat: Seat) -> (u8, u8) {
        let (armies, capacity) = (self.army_count(seat), self.capacity(realm, seat));
        let owed = rules::OWED.gives(armies.saturating_sub(capacity), 0);
        let room = rules::BUILDS.gives(capacity.saturating_sub(armies), 0);
        rules::ADJUSTMENT.gives((owed, room), (0, 0))
    }

    /// Returns where `seat` may build: its own dedicated centres that count and have no army (B3, B5).
    pub(in super::super) fn sites(&self, realm: &Realm, seat: Seat) -> SpaceSet {
        let captured = rules::OWN_SITES.gives(SpaceSet::EMPTY, self.regular[seat.index()]);
        let centres = self.active(realm, seat) | captured;
        centres.iter().filter(|space| rules::SITES.allows(self.armies[space.index()] == 0)).collect()
    }

    /// The removals that are made for a side that makes none (S8, S11): spaces with the number of armies each loses.
    pub(in super::super) fn default_removals(
        &self,
        realm: &Realm,
        seat: Seat,
        owed: u8,
    ) -> [u8; super::super::realm::SPACES_MAX] {
        let mut armies = [0; super::super::realm::SPACES_MAX];
        if rules::DEFAULT_REMOVAL.allows(false) {
            return self.first_removals(seat, owed);
        }
        let position = super::super::flow::position_of(self, realm);
        let side = super::super::flow::side(seat);
        let ranks: &[u8] = rules::TIES.gives(&realm.name_rank, &[]);
        let mut removals = Removals::new(&position, side, usize::from(owed));
        // Every centre that counts for B1, dedicated or regular.
        let centres = self.active(realm, seat) | self.regular[seat.index()];
        for (space, taken) in removals.by_default(&realm.board, centres, ranks) {
            armies[space.index()] += taken;
        }
        armies
    }

    /// Removals from the first spaces in board order.
    fn first_removals(&self, seat: Seat, owed: u8) -> [u8; super::super::realm::SPACES_MAX] {
        let (mut armies, mut owed) = ([0; super::super::realm::SPACES_MAX], owed);
        for space in self.stands[seat.index()] {
            let taken = self.armies[space.index()].min(owed);
            armies[space.index()] = taken;
            owed -= taken;
        }
        armies
    }
}
