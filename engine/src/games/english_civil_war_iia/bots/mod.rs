//! House bots: plain players that go by a few rules of thumb ([`steward`], [`marshal`]).
//!
//! Both make up their mind once a node, as a line of orders, and then enter its actions one by one. They see what their view
//! shows: what they plan on is resampled from it.

mod campaign;
mod treasury;

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::action::{ActionId, VerbKind};
use crate::bot::{Bot, HouseBot};
use crate::game::Game;
use crate::seat::Seat;
use crate::setup::Setup;
use crate::view::View;

use super::EnglishCivilWar;
use super::state::draft::Draft;
use super::state::{Phase, State};

/// Keeps its armies at home, its centres loyal and its ranks full, and turns the enemy's weakest centres.
#[must_use]
pub fn steward() -> HouseBot<EnglishCivilWar> {
    HouseBot {
        name: "steward",
        about: "Holds its ground, spends its influence on the enemy's weakest centres, and builds what it can.",
        make: |game, seat, seed| Box::new(Player::new(game, seat, seed, false)),
    }
}

/// As the steward, and attacks wherever it is stronger.
#[must_use]
pub fn marshal() -> HouseBot<EnglishCivilWar> {
    HouseBot {
        name: "marshal",
        about: "Merges on weaker enemies, occupies open centres, and otherwise keeps house as the steward does.",
        make: |game, seat, seed| Box::new(Player::new(game, seat, seed, true)),
    }
}

struct Player {
    game: Arc<EnglishCivilWar>,
    seat: Seat,
    /// Breaks ties.
    rng: ChaCha8Rng,
    attacks: bool,
    /// The actions of the node that is being written.
    plan: Vec<ActionId>,
}

impl Player {
    fn new(game: &Arc<EnglishCivilWar>, seat: Seat, seed: u64, attacks: bool) -> Self {
        // Streams of one seed: two bots of a match may share it.
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(seat.index() as u64);
        Self { game: Arc::clone(game), seat, rng, attacks, plan: Vec::new() }
    }

    /// The actions for the node that `view` shows, from its opening.
    fn think(&mut self, view: &View) -> Vec<ActionId> {
        let opening = View { draft: Vec::new(), ..view.clone() };
        let setup = Setup::default_of(self.game.catalogue());
        let state = self.game.resample(&setup, &opening, &mut self.rng);
        let seed = self.rng.next_u64();
        let mut items = match (&state.side_drafts[self.seat.index()].draft, state.phase) {
            (Draft::Influence(fund), _) => treasury::influence(&self.game, &state, self.seat, fund.left),
            (Draft::Adjustment(adjust), _) => {
                return treasury::adjustment(&self.game, &state, self.seat, adjust);
            }
            (Draft::Parts(_), Phase::Orders) if self.attacks => {
                campaign::orders(&self.game, &state, self.seat, seed)
            }
            (Draft::Parts(_), Phase::Retreats) => campaign::retreats(&self.game, &state, self.seat),
            _ => Vec::new(),
        };
        items.push("Done".to_owned());
        self.read(&state, items)
    }

    /// The actions of these items; an item that can't be entered is left out.
    fn read(&self, state: &State, mut items: Vec<String>) -> Vec<ActionId> {
        loop {
            match self.game.parse_line(state, self.seat, &items.join("; ")) {
                Ok(actions) => return actions,
                Err(error) if error.index + 1 < items.len() => drop(items.remove(error.index)),
                Err(_) => return Vec::new(),
            }
        }
    }
}

impl Bot for Player {
    fn choose(&mut self, view: &View, legal: &[ActionId]) -> ActionId {
        if view.draft.is_empty() {
            self.plan = self.think(view);
        }
        let planned = self.plan.get(view.draft.len()).copied().filter(|action| legal.contains(action));
        let ends = |action: &&ActionId| {
            self.game.catalogue().actions.verb_of(**action).is_some_and(|verb| verb.kind == VerbKind::Done)
        };
        let otherwise = || legal.iter().find(ends).or_else(|| legal.first()).copied();
        planned.or_else(otherwise).expect("a bot is asked only when its seat is to act")
    }
}
