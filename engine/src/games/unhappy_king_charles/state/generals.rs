//! Generals: the status of each, and what follows from their posts ([`Generals`]).
//!
//! Invariant: `armies`, `commanders`, `on_map`, `outside` and `inside` follow from the posts.

use std::ops::Index;

use super::super::content::GENERALS;
use super::super::content::ids::{AreaSet, GeneralId, GeneralSet};
use super::leaders::{GeneralStatus, Post};

/// All Generals.
#[derive(Clone, Debug)]
pub(in super::super) struct Generals {
    each: [GeneralStatus; GENERALS],
    /// Each with their Subordinates.
    armies: [GeneralSet; GENERALS],
    /// Those who command an Army on the map.
    commanders: GeneralSet,
    /// Those on the map, as commanders or Subordinates.
    on_map: GeneralSet,
    /// Areas where an Army of either side stands outside a Fortress.
    outside: AreaSet,
    /// Areas where an Army of either side is inside the printed Fortress.
    inside: AreaSet,
}

impl Generals {
    /// Generals of these statuses.
    #[must_use]
    pub(in super::super) fn of(each: [GeneralStatus; GENERALS]) -> Self {
        let mut generals = Self {
            each,
            armies: [GeneralSet::EMPTY; GENERALS],
            commanders: GeneralSet::EMPTY,
            on_map: GeneralSet::EMPTY,
            outside: AreaSet::EMPTY,
            inside: AreaSet::EMPTY,
        };
        generals.derive();
        generals
    }

    /// Their statuses, in order.
    #[must_use]
    pub(in super::super) const fn each(&self) -> &[GeneralStatus; GENERALS] {
        &self.each
    }

    /// A General goes to a post.
    pub(in super::super) fn place(&mut self, general: GeneralId, post: Post) {
        self.each[general].post = post;
        self.derive();
    }

    /// A General may make no further Assault (14.5).
    pub(in super::super) fn bar_from_assault(&mut self, general: GeneralId) {
        self.each[general].may_not_assault = true;
    }

    /// A General and their Subordinates.
    #[must_use]
    pub(in super::super) fn army(&self, commander: GeneralId) -> GeneralSet {
        self.armies[commander]
    }

    /// Those who command an Army on the map.
    #[must_use]
    pub(in super::super) const fn commanders(&self) -> GeneralSet {
        self.commanders
    }

    /// Those on the map, as commanders or Subordinates.
    #[must_use]
    pub(in super::super) const fn on_map(&self) -> GeneralSet {
        self.on_map
    }

    /// Areas where an Army of either side stands outside a Fortress.
    #[must_use]
    pub(in super::super) const fn outside(&self) -> AreaSet {
        self.outside
    }

    /// Areas where an Army of either side is inside the printed Fortress.
    #[must_use]
    pub(in super::super) const fn inside(&self) -> AreaSet {
        self.inside
    }

    fn derive(&mut self) {
        (self.outside, self.inside) = (AreaSet::EMPTY, AreaSet::EMPTY);
        self.commanders = GeneralSet::EMPTY;
        for general in (0..GENERALS).map(GeneralId::new) {
            self.armies[general] = GeneralSet::one(general);
            let (stands, area) = match self.each[general].post {
                Post::Area(area) => (&mut self.outside, area),
                Post::Inside(area) => (&mut self.inside, area),
                _ => continue,
            };
            stands.insert(area);
            self.commanders.insert(general);
        }
        self.on_map = self.commanders;
        for general in (0..GENERALS).map(GeneralId::new) {
            if let Post::Under(commander) = self.each[general].post {
                self.armies[commander].insert(general);
                if self.commanders.contains(commander) {
                    self.on_map.insert(general);
                }
            }
        }
    }
}

/// Everything else follows from the statuses.
impl PartialEq for Generals {
    fn eq(&self, other: &Self) -> bool {
        self.each == other.each
    }
}

impl Eq for Generals {}

impl Index<GeneralId> for Generals {
    type Output = GeneralStatus;

    fn index(&self, general: GeneralId) -> &GeneralStatus {
        &self.each[general]
    }
}
