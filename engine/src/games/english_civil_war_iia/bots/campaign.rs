//! Campaign of the marshal's armies: merge where it is stronger, walk into open centres, close up behind.

use std::cmp::Reverse;

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::seat::Seat;

use super::super::EnglishCivilWar;
use super::super::adjudicator::{Space, SpaceSet};
use super::super::realm::SPACES_MAX;
use super::super::state::State;

/// Orders as items of a line; what is not named holds, leaders among it.
pub(super) fn orders(game: &EnglishCivilWar, state: &State, seat: Seat, seed: u64) -> Vec<String> {
    let mut campaign = Campaign::new(game, state, seat);
    campaign.attack(seed);
    campaign.walk_in();
    campaign.close_up();
    campaign.items
}

/// Whole stacks retreat to their own side's ground first, then to nobody's.
pub(super) fn retreats(game: &EnglishCivilWar, state: &State, seat: Seat) -> Vec<String> {
    let own = state.driven.iter().filter(|stack| stack.seat == seat && stack.can_retreat());
    let line = |stack: &super::super::state::Driven| {
        let open = if stack.armies > 0 { stack.to } else { stack.alone_to };
        let to = open
            .iter()
            .min_by_key(|&space| (!state.controls(seat, space), state.enemy_controls(seat, space), space))?;
        let (from, to) = (&game.realm().county(stack.space).id, &game.realm().county(to).id);
        let names: Vec<&str> =
            stack.leaders.iter().map(|leader| game.realm().leaders[leader.index()].id.as_str()).collect();
        let units = match (stack.armies, names.is_empty()) {
            (0, _) => format!("L {}", names.join("+")),
            (armies, true) => format!("{armies}A"),
            (armies, false) => format!("{armies}A+{}", names.join("+")),
        };
        Some(format!("{units} {from} R {to}"))
    };
    own.filter_map(line).collect()
}

struct Campaign<'a> {
    game: &'a EnglishCivilWar,
    state: &'a State,
    seat: Seat,
    /// Armies without an order, by space.
    free: [u8; SPACES_MAX],
    /// Spaces to which something of ours goes.
    taken: SpaceSet,
    items: Vec<String>,
}

impl<'a> Campaign<'a> {
    fn new(game: &'a EnglishCivilWar, state: &'a State, seat: Seat) -> Self {
        let mut free = [0; SPACES_MAX];
        for space in state.stands[seat.index()] {
            free[space.index()] = state.armies_of(seat, space);
        }
        Self { game, state, seat, free, taken: SpaceSet::EMPTY, items: Vec::new() }
    }

    fn strength(&self, seat: Seat, space: Space) -> u16 {
        let armies = u16::from(self.state.armies_of(seat, space));
        if armies == 0 && !self.state.controls(seat, space) {
            return 0;
        }
        armies + self.state.leaders_in(space).len() as u16
    }

    fn near_own(&self, space: Space) -> Vec<Space> {
        let near = self.game.realm().near(space) & self.state.stands[self.seat.index()];
        near.iter().filter(|space| self.free[space.index()] > 0).collect()
    }

    fn go(&mut self, from: Space, armies: u8, word: &str, to: Space) {
        let realm = self.game.realm();
        let (from_id, to_id) = (&realm.county(from).id, &realm.county(to).id);
        self.items.push(match word {
            "-" => format!("{armies}A {from_id}-{to_id}"),
            word => format!("{armies}A {from_id} {word} {to_id}"),
        });
        self.free[from.index()] -= armies;
    }

    /// Merges on enemy stacks that what stands around them outweighs, the most valuable first.
    fn attack(&mut self, seed: u64) {
        let enemy = self.seat.other();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let value = |space: Space| {
            let centre = self.state.any_centre(self.game.realm()).contains(space);
            let led = self.state.leaders_in(space).len();
            (led * 3 + usize::from(centre) * 2, rng.next_u32())
        };
        let mut targets: Vec<_> = self.state.stands[enemy.index()].iter().map(value_of(value)).collect();
        targets.sort_by_key(|&(value, _)| Reverse(value));
        for (_, target) in targets {
            let from = self.near_own(target);
            let ours: u16 = from.iter().map(|space| u16::from(self.free[space.index()])).sum();
            let theirs = self.strength(enemy, target);
            if ours <= theirs || from.is_empty() {
                continue;
            }
            // One more than is needed, for a support or a cut.
            let mut wanted = theirs + 2;
            let mut sent = Vec::new();
            for space in from {
                let armies = u16::from(self.free[space.index()]).min(wanted);
                wanted -= armies;
                if armies > 0 {
                    sent.push((space, armies as u8));
                }
            }
            let word = if sent.len() > 1 { "MERGE" } else { "-" };
            for (space, armies) in sent {
                self.go(space, armies, word, target);
            }
            self.taken.insert(target);
        }
    }

    /// Single armies take enemy ground that nobody stands in, centres first.
    fn walk_in(&mut self) {
        let realm = self.game.realm();
        let centres = self.state.any_centre(realm);
        let open = realm.spaces().filter(|&space| {
            self.state.side_in(space).is_none() && self.state.enemy_controls(self.seat, space)
        });
        let mut open: Vec<Space> = open.filter(|&space| !self.taken.contains(space)).collect();
        open.sort_by_key(|&space| (!centres.contains(space), space));
        for target in open {
            let from = self
                .near_own(target)
                .into_iter()
                .find(|&space| self.may_leave(space, centres.contains(target)));
            if let Some(space) = from {
                self.go(space, 1, "-", target);
                self.taken.insert(target);
            }
        }
    }

    /// Returns whether an army can leave: it is not the last one with leaders, nor already on enemy ground
    /// that is worth as much.
    fn may_leave(&self, space: Space, for_a_centre: bool) -> bool {
        let led = !self.state.leaders_in(space).is_empty();
        let working = self.state.enemy_controls(self.seat, space);
        let spare = self.free[space.index()] > 1;
        spare
            || (!led && !working)
            || (!led && for_a_centre && !self.game.realm().homes[1 - self.seat.index()].contains(space))
    }

    /// Armies behind the front join their neighbours before it.
    fn close_up(&mut self) {
        let realm = self.game.realm();
        let enemy = self.state.stands[self.seat.other().index()];
        for space in self.state.stands[self.seat.index()] {
            let free = self.free[space.index()];
            let led = !self.state.leaders_in(space).is_empty();
            let at_the_front = !(realm.near(space) & enemy).is_empty();
            if free == 0 || led || at_the_front {
                continue;
            }
            let before = realm.near(space) & self.state.stands[self.seat.index()];
            let forward = before
                .iter()
                .find(|&near| self.free[near.index()] > 0 && !(realm.near(near) & enemy).is_empty());
            match forward {
                // It merges with what stays there: its armies count as staying from now on.
                Some(to) => {
                    self.go(space, free, "MERGE", to);
                    self.free[to.index()] = 0;
                }
                None => self.advance(space, free),
            }
        }
    }

    /// Nothing near to join: one step towards the nearest enemy, over spaces that nobody stands in.
    fn advance(&mut self, space: Space, free: u8) {
        let realm = self.game.realm();
        let distances = self.distances();
        let open = realm.near(space) & !self.state.occupied() & !self.taken;
        let nearer = open.iter().filter(|near| distances[near.index()] < distances[space.index()]);
        if let Some(to) = nearer.min_by_key(|near| (distances[near.index()], near.index())) {
            self.go(space, free, "-", to);
            self.taken.insert(to);
        }
    }

    /// Returns how far each space is from an enemy unit.
    fn distances(&self) -> [u8; SPACES_MAX] {
        let mut distances = [u8::MAX; SPACES_MAX];
        let mut reached = self.state.stands[self.seat.other().index()];
        let mut frontier = reached;
        let mut distance = 0;
        while !frontier.is_empty() {
            let mut next = SpaceSet::EMPTY;
            for space in frontier {
                distances[space.index()] = distance;
                next |= self.game.realm().near(space);
            }
            frontier = next & !reached;
            reached |= next;
            distance += 1;
        }
        distances
    }
}

/// Pairs each space with its value.
fn value_of<V>(mut value: impl FnMut(Space) -> V) -> impl FnMut(Space) -> (V, Space) {
    move |space| (value(space), space)
}
