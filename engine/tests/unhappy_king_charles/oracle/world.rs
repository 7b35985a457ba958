//! The oracle's own board: plain maps, and what sections 8, 9 and 14 derive of them.

use std::collections::{BTreeMap, BTreeSet};

use super::atlas::{Atlas, Line, PARLIAMENT, ROYALIST};

/// A place of Brigades.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum At {
    General(usize),
    Notable(usize),
    Outside(usize),
    Inside(usize),
    Pool(usize),
    Unemployed(usize),
    Away,
    Lost,
    Out,
}

/// The place of a General.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Post {
    Area(usize),
    Inside(usize),
    Under(usize),
    Reinforcements,
    Unemployed,
    Waiting,
    Scotland,
    Out,
}

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Presence {
    Waiting,
    InPlay,
    Out,
}

/// The place of a Siege Train, or of the Queen.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Stay {
    /// The Train: available; the Queen: abroad.
    Off,
    Resting,
    In(usize),
    With(usize),
    /// The Train: out of the game; the Queen: captured.
    Gone,
    /// The Queen has left.
    Left,
}

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Brigade {
    pub(crate) at: At,
    pub(crate) face: usize,
    pub(crate) turned: bool,
    /// It has moved on the card being played (X6).
    pub(crate) moved: bool,
    /// Selected for Desertion, picked to fight, or fallen: a mark of the procedure under way.
    pub(crate) marked: bool,
}

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Siege {
    pub(crate) blockade: bool,
    pub(crate) value: i32,
    pub(crate) bonus: i32,
}

#[derive(Clone, Debug)]
pub(crate) struct World<'a> {
    pub(crate) atlas: &'a Atlas,
    /// From 1.
    pub(crate) turn: usize,
    pub(crate) control: BTreeMap<usize, usize>,
    pub(crate) posts: Vec<Post>,
    pub(crate) notables: Vec<Presence>,
    pub(crate) brigades: Vec<Brigade>,
    pub(crate) sieges: BTreeMap<usize, Siege>,
    pub(crate) trains: [Stay; 2],
    pub(crate) queen: Stay,
    pub(crate) may_not_assault: BTreeSet<usize>,
    pub(crate) happened: BTreeSet<String>,
    /// The Naval Status (15.0).
    pub(crate) naval: i32,
    /// The optional rules that hold (17.1, 18).
    pub(crate) options: Options,
}

/// Ids of optional rules.
pub(crate) type Options = BTreeSet<&'static str>;

/// The optional rules of a match that sets none.
pub(crate) fn default_options() -> Options {
    Options::from(["king-surrenders"])
}

pub(crate) const fn other(side: usize) -> usize {
    1 - side
}

impl World<'_> {
    pub(crate) fn option(&self, id: &str) -> bool {
        self.options.contains(id)
    }

    pub(crate) fn has(&self, happened: &str) -> bool {
        self.happened.contains(happened)
    }

    /// The side that a Brigade fights for.
    pub(crate) fn side(&self, brigade: usize) -> usize {
        let one = self.brigades[brigade];
        let side = self.atlas.faces[one.face].side();
        if one.turned { other(side) } else { side }
    }

    pub(crate) fn faction(&self, brigade: usize) -> &str {
        &self.atlas.faces[self.brigades[brigade].face].faction
    }

    pub(crate) fn is_foreign(&self, brigade: usize) -> bool {
        self.atlas.faces[self.brigades[brigade].face].is_foreign()
    }

    pub(crate) fn value(&self, brigade: usize) -> i32 {
        self.atlas.faces[self.brigades[brigade].face].value
    }

    pub(crate) fn at(&self, at: At) -> Vec<usize> {
        (0..self.brigades.len()).filter(|&brigade| self.brigades[brigade].at == at).collect()
    }

    /// 9.5: who commands the Army of a General.
    pub(crate) fn commander(&self, general: usize) -> usize {
        if let Post::Under(commander) = self.posts[general] { commander } else { general }
    }

    pub(crate) fn commands(&self, general: usize) -> bool {
        matches!(self.posts[general], Post::Area(_) | Post::Inside(_))
    }

    /// A commander, then their Subordinates.
    pub(crate) fn army(&self, commander: usize) -> Vec<usize> {
        let under = (0..self.posts.len()).filter(|&one| self.posts[one] == Post::Under(commander));
        [commander].into_iter().chain(under).collect()
    }

    /// The Brigades of an Army, its Subordinates' among them (3.0).
    pub(crate) fn led(&self, commander: usize) -> Vec<usize> {
        let army = self.army(commander);
        let led = |&brigade: &usize| matches!(self.brigades[brigade].at, At::General(general) if army.contains(&general));
        (0..self.brigades.len()).filter(led).collect()
    }

    pub(crate) fn size(&self, commander: usize) -> usize {
        self.led(commander).len()
    }

    pub(crate) fn area_of(&self, general: usize) -> Option<usize> {
        match self.posts[self.commander(general)] {
            Post::Area(area) | Post::Inside(area) => Some(area),
            _ => None,
        }
    }

    /// The commanders of a side, in order.
    pub(crate) fn commanders(&self, side: usize) -> Vec<usize> {
        let own = |&general: &usize| self.atlas.generals[general].side == side && self.commands(general);
        (0..self.posts.len()).filter(own).collect()
    }

    /// The commanders of a side outside in an Area.
    pub(crate) fn outside(&self, side: usize, area: usize) -> Vec<usize> {
        let mut all = self.commanders(side);
        all.retain(|&general| self.posts[general] == Post::Area(area));
        all
    }

    /// The commander of a side inside the Fortress of an Area.
    pub(crate) fn inside(&self, side: usize, area: usize) -> Option<usize> {
        self.commanders(side).into_iter().find(|&general| self.posts[general] == Post::Inside(area))
    }

    /// The Local Notable whose counter lies in an Area (13.0).
    pub(crate) fn notable_in(&self, area: usize) -> Option<usize> {
        self.atlas.notable_of(area).filter(|&notable| self.notables[notable] == Presence::InPlay)
    }

    /// 13.0, 14.0: a printed Fortress, or a Local Notable's counter.
    pub(crate) fn is_fortress(&self, area: usize) -> bool {
        self.atlas.areas[area].printed.is_some() || self.notable_in(area).is_some()
    }

    /// 14.1: how many Brigades a Fortress holds; 14.2: its class.
    pub(crate) fn room(&self, area: usize) -> usize {
        let notable = self.notable_in(area).map(|notable| self.atlas.notables[notable].limit);
        notable.or(self.atlas.areas[area].printed.map(|(room, _)| room)).unwrap_or(0)
    }

    pub(crate) fn class(&self, area: usize) -> usize {
        self.atlas.areas[area].printed.map_or(0, |(_, class)| class)
    }

    pub(crate) fn controller(&self, area: usize) -> Option<usize> {
        self.control.get(&area).copied()
    }

    /// 14.0: an Army of this side Masks or Besieges the enemy Fortress of an Area.
    pub(crate) fn invests(&self, side: usize, area: usize) -> bool {
        self.is_fortress(area)
            && self.controller(area) == Some(other(side))
            && !self.outside(side, area).is_empty()
    }

    /// AC16: the Fortresses with an Army of a side inside and enemy Brigades outside that do not Mask it, since no General leads them.
    pub(crate) fn unmasked(&self) -> Vec<(usize, usize)> {
        let beside = |&(side, area): &(usize, usize)| {
            let enemy = other(side);
            self.inside(side, area).is_some()
                && !self.unled(enemy, area).is_empty()
                && self.outside(enemy, area).is_empty()
        };
        (0..self.atlas.areas.len()).flat_map(|area| [(0, area), (1, area)]).filter(beside).collect()
    }

    pub(crate) fn besieged(&self, area: usize) -> bool {
        self.sieges.contains_key(&area)
    }

    /// The Brigades inside the Fortress of an Area.
    pub(crate) fn garrison(&self, area: usize) -> Vec<usize> {
        if let Some(notable) = self.notable_in(area) {
            return self.at(At::Notable(notable));
        }
        let mut all = self.at(At::Inside(area));
        for side in 0..2 {
            // While one is active, those whom it left stand beside it.
            let inside =
                self.commanders(side).into_iter().filter(|&one| self.posts[one] == Post::Inside(area));
            all.extend(inside.flat_map(|general| self.led(general)));
        }
        all
    }

    /// Unled Brigades of a side outside in an Area.
    pub(crate) fn unled(&self, side: usize, area: usize) -> Vec<usize> {
        let mut all = self.at(At::Outside(area));
        all.retain(|&brigade| self.side(brigade) == side);
        all
    }

    /// The stack of a side: all that is in an Area outside a Fortress.
    pub(crate) fn stack(&self, side: usize, area: usize) -> Vec<usize> {
        let armies = self.outside(side, area);
        let mut all: Vec<usize> = armies.into_iter().flat_map(|general| self.led(general)).collect();
        all.extend(self.unled(side, area));
        all
    }

    /// All Brigades of a side in an Area.
    pub(crate) fn in_area(&self, side: usize, area: usize) -> Vec<usize> {
        let mut all = self.stack(side, area);
        all.extend(self.garrison(area).into_iter().filter(|&brigade| self.side(brigade) == side));
        all.sort_unstable();
        all
    }

    /// All Brigades of a side on the map.
    pub(crate) fn on_map(&self, side: usize) -> Vec<usize> {
        let mut all: Vec<usize> =
            (0..self.atlas.areas.len()).flat_map(|area| self.in_area(side, area)).collect();
        all.sort_unstable();
        all
    }

    pub(crate) fn neighbours(&self, area: usize) -> impl Iterator<Item = usize> + '_ {
        self.atlas.areas[area].next.iter().map(|&(next, _)| next)
    }

    pub(crate) fn line(&self, from: usize, to: usize) -> Option<Line> {
        self.atlas.areas[from].next.iter().find(|&&(next, _)| next == to).map(|&(_, line)| line)
    }

    /// 9.5, 6.6: a General's level; Rupert's rises.
    pub(crate) fn level(&self, general: usize) -> i32 {
        let promoted = self.is_promoted(general);
        if promoted { 1 } else { self.atlas.generals[general].level }
    }

    fn is_promoted(&self, general: usize) -> bool {
        self.atlas.generals[general].id == "prince-rupert" && self.has("lieutenant-general")
    }

    /// 8.4: the most Brigades of their Army.
    pub(crate) fn limit(&self, general: usize) -> usize {
        if self.is_promoted(general) { 9 } else { self.atlas.generals[general].limit }
    }

    /// 9.5, S2, S9, S10: one General may be the Subordinate of another.
    pub(crate) fn serves(&self, general: usize, commander: usize) -> bool {
        let [low, high] = [general, commander].map(|one| &self.atlas.generals[one]);
        let rivals = low.id == "waller" && high.id == "essex" && !self.has("joint-venture");
        let foreign = match &*low.faction {
            "covenanter" => high.faction != "covenanter",
            "lorrainer" => true,
            _ => false,
        };
        self.level(general) > self.level(commander) && !rivals && !foreign
    }

    /// S2 to S4: which of two commanders takes the other's Army in, so many Brigades in all; none if neither can.
    pub(crate) fn takes_in(&self, one: usize, two: usize, brigades: usize) -> Option<(usize, usize)> {
        [(one, two), (two, one)].into_iter().find(|&(commander, under)| {
            brigades <= self.limit(commander)
                && self.army(under).iter().all(|&general| self.serves(general, commander))
        })
    }

    /// S1, S8, AC14: the other Armies of its side in an Area with which an Army there has to be one. Inside an invested Fortress one stands
    /// apart from those outside.
    pub(crate) fn company(&self, general: usize, area: usize, is_inside: bool) -> Vec<usize> {
        let side = self.atlas.generals[general].side;
        let apart = self.invests(other(side), area);
        let mut all = self.commanders(side);
        all.retain(|&one| {
            one != general
                && match self.posts[one] {
                    Post::Area(there) => there == area && !(apart && is_inside),
                    Post::Inside(there) => there == area && (is_inside || !apart),
                    _ => false,
                }
        });
        all
    }

    /// 14.2, F2, NB6: the Brigades that a Siege takes.
    pub(crate) fn siege_need(&self, area: usize) -> usize {
        (self.class(area) + self.garrison(area).len()).max(1)
    }

    /// R19: where a Brigade goes that leaves the map and may come back.
    pub(crate) fn pool_of(&self, brigade: usize) -> At {
        match self.faction(brigade) {
            _ if self.brigades[brigade].turned => At::Out,
            "covenanter" | "lorrainer" => At::Out,
            "irish" => At::Away,
            _ => At::Pool(self.side(brigade)),
        }
    }

    /// 7.1.4, R21, V23: what a General who goes from an Area leaves behind.
    pub(crate) fn leave_display(&mut self, general: usize, area: usize) {
        let side = self.atlas.generals[general].side;
        if self.trains[side] == Stay::With(general) {
            let held = self.is_fortress(area) && self.controller(area) == Some(side);
            self.trains[side] = if held { Stay::In(area) } else { Stay::Resting };
        }
        if side == ROYALIST && self.queen == Stay::With(general) {
            self.queen = Stay::In(area);
        }
    }

    /// The Queen falls to Parliament (15.2).
    pub(crate) fn capture_queen(&mut self) {
        if self.queen != Stay::Gone {
            (self.queen, self.naval) = (Stay::Gone, self.naval + 2);
        }
    }

    /// 15.1: the Naval Status with London or Bristol in the King's hand.
    pub(crate) fn set_control(&mut self, area: usize, side: usize) {
        let held = |world: &Self| {
            let held = ["london", "bristol"].map(|id| world.controller(world.atlas.area(id)));
            i32::from(held.contains(&Some(ROYALIST)))
        };
        let before = held(self);
        self.control.insert(area, side);
        self.naval += before - held(self);
    }

    /// 14.3, F8: the sea is with the besieged of a side.
    pub(crate) fn sea_helps(&self, side: usize) -> bool {
        if side == PARLIAMENT { self.naval > 0 } else { self.naval < 0 }
    }
}
