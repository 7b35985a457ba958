//! Builds and removals: what is left to decide once the sites and numbers are known.

use arrayvec::ArrayVec;

use super::board::{Board, MAX_SPACES, Space, SpaceSet};
use super::position::{Position, Side};

/// The builds that a side may still make: one a site in a season (B4), up to its room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Builds {
    sites: SpaceSet,
    room: usize,
}

impl Builds {
    /// At most `room` builds in `sites`: its own vacant centres (B3).
    pub const fn new(sites: SpaceSet, room: usize) -> Self {
        Self { sites, room }
    }

    /// Returns whether an army can be built at `site` now.
    pub const fn allows(&self, site: Space) -> bool {
        self.room > 0 && self.sites.contains(site)
    }

    /// Builds at `site` if that is allowed; says whether it was.
    pub const fn build(&mut self, site: Space) -> bool {
        let allowed = self.allows(site);
        if allowed {
            self.room -= 1;
            self.sites.remove(site);
        }
        allowed
    }
}

/// The removals that a side is still to act.
#[derive(Clone, Debug)]
pub struct Removals {
    armies: [u8; MAX_SPACES],
    owed: usize,
}

impl Removals {
    /// `side` owes `owed` of the armies that it has in `position`.
    pub fn new(position: &Position, side: Side, owed: usize) -> Self {
        let mut armies = [0; MAX_SPACES];
        for (space, stack) in position.stacks().filter(|(_, stack)| stack.side == side) {
            armies[space.index()] = stack.armies;
        }
        Self { armies, owed }
    }

    /// Returns the number that are still owed.
    pub const fn owed(&self) -> usize {
        self.owed
    }

    /// Returns whether an army in `space` can be removed now.
    pub const fn allows(&self, space: Space) -> bool {
        self.owed > 0 && self.armies[space.index()] > 0
    }

    /// Removes an army from `space` if that is allowed; says whether it was.
    pub const fn remove(&mut self, space: Space) -> bool {
        let allowed = self.allows(space);
        if allowed {
            self.owed -= 1;
            self.armies[space.index()] -= 1;
        }
        allowed
    }

    /// Makes the removals that nobody ordered (S8, S11): from the space farthest from the nearest of `centres`,
    /// over any spaces, until it has no army left, then from the next. Of equally far spaces the one with the
    /// least `rank` goes first (ranks by name, indexed by space; a space without a rank comes last), then board
    /// order. Gives the spaces with how many armies each loses, in this sequence.
    pub fn by_default(
        &mut self,
        board: &Board,
        centres: SpaceSet,
        rank: &[u8],
    ) -> ArrayVec<(Space, u8), MAX_SPACES> {
        let distances = distances(board, centres);
        let mut removed = ArrayVec::new();
        while self.owed > 0 {
            let armed = (0..MAX_SPACES as u8).filter_map(Space::new).filter(|space| self.allows(*space));
            let key = |space: &Space| {
                let rank = rank.get(space.index()).copied().unwrap_or(u8::MAX);
                (u8::MAX - distances[space.index()], rank, space.index())
            };
            let Some(farthest) = armed.min_by_key(key) else { break };
            let armies = self.armies[farthest.index()].min(u8::try_from(self.owed).unwrap_or(u8::MAX));
            self.armies[farthest.index()] -= armies;
            self.owed -= usize::from(armies);
            removed.push((farthest, armies));
        }
        removed
    }
}

/// Returns the number of actions from each space to the nearest of `centres`; [`u8::MAX`] where none can be reached.
fn distances(board: &Board, centres: SpaceSet) -> [u8; MAX_SPACES] {
    let mut distances = [u8::MAX; MAX_SPACES];
    let (mut reached, mut frontier) = (centres, centres);
    for distance in 0.. {
        if frontier.is_empty() {
            break;
        }
        let mut next = SpaceSet::EMPTY;
        for space in frontier {
            distances[space.index()] = distance;
            next |= board.neighbours(space);
        }
        frontier = next & !reached;
        reached |= frontier;
    }
    distances
}
