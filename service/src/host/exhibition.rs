//! Exhibition matches: each game once, house bot against house bot, so that a new server has something to see.

use edgehill_engine::setup::Setup;

use super::create::{CreateMatch, Creator, MatchPlan, SeedWanted};
use super::error::Error;
use super::{Created, Host};
use crate::identity::{CallerKey, HOUSE_ID};
use crate::matches::{Ask, EntropyMode, SeatConfig};
use crate::store::{AccountId, BodyHash, RequestId};

impl Host {
    /// Makes an exhibition match of each game, the first time that it is asked to; after that it finds them. The game's own
    /// bots play, the best one last; a game that has none is played by `random`.
    ///
    /// # Errors
    /// If a match can't be made.
    pub async fn exhibit(&self) -> Result<Vec<(&'static str, Created)>, Error> {
        let mut made = Vec::new();
        for game in self.registry().games() {
            let catalogue = game.catalogue();
            let setup = Setup::default_of(catalogue);
            let mut bots: Vec<&str> = game.bots().iter().map(|bot| bot.name).collect();
            if bots.len() > 1 {
                bots.retain(|&name| name != "random");
            }
            let bot = |index: usize| bots.iter().rev().cycle().nth(index).copied().unwrap_or("random");
            let seats = (0..catalogue.seats_of(&setup)).map(|index| SeatConfig::Bot(bot(index).to_owned()));
            let house = AccountId::new(HOUSE_ID)?;
            let request = format!("exhibition/{}/{}", catalogue.id, catalogue.rules_version);
            let ask = Ask { id: RequestId::new(&request)?, body: BodyHash::of(request.as_bytes()) };
            let wanted = CreateMatch {
                creator: Creator {
                    account: house.clone(),
                    secret: None,
                    counted_as: CallerKey::Account(house.clone()),
                },
                ask,
                plan: MatchPlan {
                    game: std::sync::Arc::clone(game),
                    seats: seats.collect(),
                    setup,
                    position: None,
                    entropy_mode: EntropyMode::Open,
                    clock: None,
                    spectator_delay: None,
                    conduct: None,
                },
                seed: SeedWanted::Server,
            };
            let created = match self.create(wanted).await {
                // It was made by another server of several, and is there.
                Err(Error::Elsewhere(id)) => Created { id },
                created => created?,
            };
            made.push((catalogue.id, created));
        }
        Ok(made)
    }
}
