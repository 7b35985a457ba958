//! Armies: a commanding General, their Subordinates, and the Brigades of all of them (3.0, 9.5); stacks and garrisons.

use crate::seat::Seat;

use super::super::content::ids::{AreaId, AreaSet, CounterSet, FortressId, GeneralId, GeneralSet, NotableId};
use super::super::content::{Content, SEATS};
use super::holder::{Holder, Holding};
use super::leaders::{Post, Presence};
use super::{Siege, SiegeMarker, State};

impl State {
    /// The Generals of a side, in order.
    pub(in super::super) fn generals_of(
        content: &Content,
        seat: Seat,
    ) -> impl Iterator<Item = GeneralId> + use<'_> {
        content.generals_of[seat.index()].iter()
    }

    /// The General who commands the Army of a General: they themselves, unless they are a Subordinate (9.5).
    #[must_use]
    pub(in super::super) fn commander(&self, general: GeneralId) -> GeneralId {
        if let Post::Under(commander) = self.generals[general].post { commander } else { general }
    }

    /// Returns whether a General commands an Army on the map.
    #[must_use]
    pub(in super::super) fn commands(&self, general: GeneralId) -> bool {
        matches!(self.generals[general].post, Post::Area(_) | Post::Inside(_))
    }

    /// A commander and their Subordinates.
    #[must_use]
    pub(in super::super) fn army(&self, commander: GeneralId) -> GeneralSet {
        self.generals.army(commander)
    }

    /// The Brigades on the displays of these Generals.
    #[must_use]
    pub(in super::super) fn led_by(&self, generals: GeneralSet) -> CounterSet {
        generals.iter().fold(CounterSet::EMPTY, |brigades, general| brigades | self.brigades.at(general))
    }

    /// The number of Brigades in the Army of a commander, Subordinates' included (6.2, 9.5).
    #[must_use]
    pub(in super::super) fn size(&self, commander: GeneralId) -> u8 {
        self.led_by(self.army(commander)).count() as u8
    }

    /// The Area of a General on the map, outside or inside its Fortress, as commander or Subordinate.
    #[must_use]
    pub(in super::super) fn area_of(&self, general: GeneralId) -> Option<AreaId> {
        match self.generals[self.commander(general)].post {
            Post::Area(area) | Post::Inside(area) => Some(area),
            _ => None,
        }
    }

    /// Returns whether a General is inside a printed Fortress, as commander or Subordinate.
    #[must_use]
    pub(in super::super) fn is_inside(&self, general: GeneralId) -> bool {
        matches!(self.generals[self.commander(general)].post, Post::Inside(_))
    }

    /// The commander of a side's Army that stands in an Area, outside its Fortress. There is at most one, but while a position is
    /// illegal (9.5): then the first.
    #[must_use]
    pub(in super::super) fn commander_at(
        &self,
        content: &Content,
        seat: Seat,
        area: AreaId,
    ) -> Option<GeneralId> {
        self.commanders_at(content, seat, area).next()
    }

    /// All commanders of a side's Armies that stand in an Area, outside its Fortress.
    pub(in super::super) fn commanders_at<'s>(
        &'s self,
        content: &'s Content,
        seat: Seat,
        area: AreaId,
    ) -> impl Iterator<Item = GeneralId> + use<'s> {
        let stands = self.generals.outside().contains(area);
        let among = if stands { self.commanders_of(content, seat) } else { GeneralSet::EMPTY };
        among.iter().filter(move |&general| self.generals[general].post == Post::Area(area))
    }

    /// The commander of a side's Army inside the printed Fortress of an Area. There is at most one, but while an Army in its Activation has
    /// left Subordinates there: then the first.
    #[must_use]
    pub(in super::super) fn commander_inside(
        &self,
        content: &Content,
        seat: Seat,
        area: AreaId,
    ) -> Option<GeneralId> {
        self.commanders_inside(content, seat, area).next()
    }

    /// All commanders of a side's Armies inside the printed Fortress of an Area.
    pub(in super::super) fn commanders_inside<'s>(
        &'s self,
        content: &'s Content,
        seat: Seat,
        area: AreaId,
    ) -> impl Iterator<Item = GeneralId> + use<'s> {
        let is_one = self.generals.inside().contains(area);
        let among = if is_one { self.commanders_of(content, seat) } else { GeneralSet::EMPTY };
        among.iter().filter(move |&general| self.generals[general].post == Post::Inside(area))
    }

    /// A side's unled Brigades in an Area, outside its Fortress.
    #[must_use]
    pub(in super::super) fn unled(&self, content: &Content, seat: Seat, area: AreaId) -> CounterSet {
        self.brigades.of_side(content, self.brigades.at(Holder::outside(area)), seat)
    }

    /// The Generals of a side who command an Army on the map.
    #[must_use]
    pub(in super::super) fn commanders_of(&self, content: &Content, seat: Seat) -> GeneralSet {
        content.generals_of[seat.index()] & self.generals.commanders()
    }

    /// The Brigades of the Armies of these commanders.
    fn armies_of(&self, commanders: impl Iterator<Item = GeneralId>) -> CounterSet {
        commanders.fold(CounterSet::EMPTY, |led, general| led | self.led_by(self.army(general)))
    }

    /// A side's Brigades in an Area, outside its Fortress: Armies and unled ones.
    #[must_use]
    pub(in super::super) fn stack(&self, content: &Content, seat: Seat, area: AreaId) -> CounterSet {
        self.armies_of(self.commanders_at(content, seat, area)) | self.unled(content, seat, area)
    }

    /// The Brigades inside the Fortress of an Area: unled ones and Armies in a printed Fortress, the display of a Local Notable.
    #[must_use]
    pub(in super::super) fn garrison(&self, content: &Content, area: AreaId) -> CounterSet {
        if let Some(notable) = self.notable_at(content, area) {
            return self.brigades.at(notable);
        }
        let Some(fortress) = self.fortress(content, area) else { return CounterSet::EMPTY };
        let inside = SEATS.into_iter().flat_map(|seat| self.commanders_inside(content, seat, area));
        self.brigades.at(Holder::inside(fortress)) | self.armies_of(inside)
    }

    /// A side's Brigades in an Area, outside and inside.
    #[must_use]
    pub(in super::super) fn brigades_in(&self, content: &Content, seat: Seat, area: AreaId) -> CounterSet {
        let outside = self.commanders_at(content, seat, area);
        let led = self.armies_of(outside.chain(self.commanders_inside(content, seat, area)));
        let unled = match (self.notable_at(content, area), self.fortress(content, area)) {
            (Some(notable), _) => self.brigades.at(notable),
            (None, Some(fortress)) => self.brigades.at(Holder::inside(fortress)),
            (None, None) => CounterSet::EMPTY,
        };
        led | self.brigades.of_side(content, unled | self.brigades.at(Holder::outside(area)), seat)
    }

    /// The Local Notable in play in an Area.
    #[must_use]
    pub(in super::super) fn notable_at(&self, content: &Content, area: AreaId) -> Option<NotableId> {
        content.areas[area].notable.filter(|&notable| self.notables[notable] == Presence::InPlay)
    }

    /// The Fortress that an Area is now: a printed one, or that of a Local Notable in play (13.0).
    #[must_use]
    pub(in super::super) fn fortress(&self, content: &Content, area: AreaId) -> Option<FortressId> {
        let is_one = content.areas[area].notable.is_none() || self.notable_at(content, area).is_some();
        content.areas[area].fortress.filter(|_| is_one)
    }

    /// The side that controls an Area (3.0).
    #[must_use]
    pub(in super::super) fn controller(&self, area: AreaId) -> Option<Seat> {
        SEATS.into_iter().find(|&seat| self.control[seat.index()].contains(area))
    }

    /// Returns whether a side's Army stands at an enemy Fortress, which it Masks or Besieges (14.0); an unled stack does neither (AC16).
    #[must_use]
    pub(in super::super) fn invests(&self, content: &Content, seat: Seat, area: AreaId) -> bool {
        self.fortress(content, area).is_some()
            && self.controller(area) == Some(seat.other())
            && self.commander_at(content, seat, area).is_some()
    }

    /// The Siege of an Area.
    #[must_use]
    pub(in super::super) fn siege(&self, content: &Content, area: AreaId) -> Siege {
        content.areas[area].fortress.map_or(Siege::NONE, |fortress| self.sieges[fortress])
    }

    /// Returns whether a Siege marker of either kind stands at the Fortress of an Area (14.2).
    #[must_use]
    pub(in super::super) fn besieged(&self, content: &Content, area: AreaId) -> bool {
        self.siege(content, area).marker != SiegeMarker::None
    }

    /// The Area of a place of Brigades; none for pools, boxes, and displays off the map.
    #[must_use]
    pub(in super::super) fn area_of_holder(&self, content: &Content, holder: Holder) -> Option<AreaId> {
        match holder.holding() {
            Holding::General(general) => self.area_of(general),
            Holding::Notable(notable) => {
                (self.notables[notable] == Presence::InPlay).then(|| content.notables[notable].area)
            }
            Holding::Outside(area) => Some(area),
            Holding::Inside(fortress) => Some(content.fortresses[fortress].area),
            _ => None,
        }
    }

    /// The Areas with Brigades of a side that no General leads: unled ones outside or inside, or on the display of a Local Notable.
    #[must_use]
    pub(in super::super) fn guarded(&self, content: &Content, seat: Seat) -> AreaSet {
        let inside =
            self.brigades.fortresses_inside(seat).iter().map(|fortress| content.fortresses[fortress].area);
        let served = content.notables_of[seat.index()].that(|notable| {
            self.notables[notable] == Presence::InPlay && !self.brigades.at(notable).is_empty()
        });
        let served = served.iter().map(|notable| content.notables[notable].area);
        self.brigades.areas_outside(seat) | inside.chain(served).collect()
    }

    /// The Areas with Brigades of a side, outside or inside.
    #[must_use]
    pub(in super::super) fn occupied(&self, content: &Content, seat: Seat) -> AreaSet {
        let led = self
            .commanders_of(content, seat)
            .iter()
            .filter(|&general| !self.led_by(self.army(general)).is_empty())
            .filter_map(|general| self.area_of(general));
        self.guarded(content, seat) | led.collect()
    }

    /// The Areas with an Army of a side, outside or inside.
    #[must_use]
    pub(in super::super) fn armies(&self, content: &Content, seat: Seat) -> AreaSet {
        let [outside, inside] = self.armies_by_post(content, seat);
        outside | inside
    }

    /// The Areas with an Army of a side outside any Fortress, and those with one inside the printed Fortress.
    #[must_use]
    pub(in super::super) fn armies_by_post(&self, content: &Content, seat: Seat) -> [AreaSet; 2] {
        let [mut outside, mut inside] = [AreaSet::EMPTY; 2];
        for general in self.commanders_of(content, seat).iter() {
            match self.generals[general].post {
                Post::Area(area) => outside.insert(area),
                Post::Inside(area) => inside.insert(area),
                _ => unreachable!("a commander on the map is in an Area"),
            }
        }
        [outside, inside]
    }

    /// The Generals of a side in an Area, outside or inside, as commanders or Subordinates.
    #[must_use]
    pub(in super::super) fn generals_in(&self, content: &Content, seat: Seat, area: AreaId) -> GeneralSet {
        let outside = self.commanders_at(content, seat, area);
        let commanders = outside.chain(self.commanders_inside(content, seat, area));
        commanders.fold(GeneralSet::EMPTY, |all, commander| all | self.army(commander))
    }

    /// A side's Brigades on the map (12.1).
    #[must_use]
    pub(in super::super) fn on_map(&self, content: &Content, seat: Seat) -> CounterSet {
        let absent = (content.generals_of[seat.index()] - self.generals.on_map()).iter().map(Holder::from);
        let waiting = content.notables_of[seat.index()]
            .that(|notable| self.notables[notable] != Presence::InPlay)
            .iter()
            .map(Holder::from);
        let all = CounterSet::first_of(content.face_of.len());
        let off = absent.chain(waiting).chain(Holder::off_map());
        let on_map = off.fold(all, |all, holder| all - self.brigades.at(holder));
        self.brigades.of_side(content, on_map, seat)
    }
}
