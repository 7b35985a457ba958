//! `edgehill arena` on a server: the same series as in this process, with the same dice.
//!
//! `random` runs in this program and chooses as the local one does; bots of other names are the server's house bots.

use std::cell::Cell;
use std::io::Write;
use std::sync::Arc;

use edgehill_client::bot::{BotReport, RandomBot, run_bots};
use edgehill_client::{
    CreatedMatch, GameCatalog, JoinRequest, NewMatch, ViewOptions, ViewTracker, seat_config,
};
use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::record::Record;
use edgehill_engine::registry::{AnyGame, Registry};
use edgehill_engine::seat::Seat;
use edgehill_engine::setup::Setup;
use futures_util::StreamExt;
use sha2::{Digest, Sha256};

use super::bot;
use super::link::Link;
use super::series_bot::SeriesBot;
use crate::error::Error;
use crate::match_file::{Readers, replace};
use crate::record_file;
use crate::verb::arena::{Arena, Plan, Score, bar};

pub(super) async fn run(
    verb: &Arena,
    link: &Link,
    registry: &Registry,
    out: &mut dyn Write,
) -> Result<(), Error> {
    if verb.local {
        let why = "a series is played in this process or on a server, not both";
        return Err(Error::NotOnServer { verb: "--local", why });
    }
    let (game, catalogue) = link.game(&verb.game).await?;
    let setup = verb.start.setup(&catalogue)?;
    let plan = verb.plan(catalogue.seats_of(&setup))?;
    let mut report = verb.report(&plan, &catalogue, &setup)?;
    let series = Series { link, game: &game, catalogue: &catalogue, registry, verb, plan: &plan };
    series.check_bots()?;
    let games = verb.prepare(&plan, out)?;
    let bar = bar(games);
    let decided = Cell::new(false);
    // Games that are under way when the series is decided go on to their end, and do not count.
    let mut played = futures_util::stream::iter((0..games).take_while(|_| !decided.get()))
        .map(|number| series.play(number))
        // In their order, whichever is over first.
        .buffered(verb.at_once.into());
    let mut number = 0;
    while let Some(played) = played.next().await {
        if decided.get() {
            continue;
        }
        let Played { score, record } = played?;
        series.keep(number, &record)?;
        report.add(&score)?;
        decided.set(report.is_decided());
        bar.inc(1);
        number += 1;
    }
    bar.finish_and_clear();
    verb.write(&report, &catalogue, out)
}

/// A game that was played to its end.
struct Played {
    score: Score,
    /// Its record.
    record: String,
}

/// A series on a server.
struct Series<'a> {
    link: &'a Link,
    game: &'a GameCatalog,
    catalogue: &'a Catalogue,
    registry: &'a Registry,
    verb: &'a Arena,
    plan: &'a Plan,
}

impl Series<'_> {
    fn check_bots(&self) -> Result<(), Error> {
        let known = || {
            let mut names = vec!["random"];
            names.extend(
                self.game
                    .game
                    .house_bots
                    .iter()
                    .map(|bot| bot.name.as_str())
                    .filter(|name| *name != "random"),
            );
            names
        };
        for name in self.plan.bots() {
            if !known().contains(&name.as_str()) {
                return Err(Error::Bot { given: name.clone(), known: known().join(", ") });
            }
        }
        Ok(())
    }

    /// Plays the game of this number to its end.
    async fn play(&self, number: u32) -> Result<Played, Error> {
        let entrants = self.plan.entrants(number);
        let names = self.plan.names(number);
        let created = self.create(number, &names).await?;
        let match_id = created.match_id();
        let mut bots = Vec::new();
        for (seat, (name, &entrant)) in (0..).zip(names.iter().zip(&entrants)) {
            if bot::is_ours(name) {
                let invitation = created.invitation(seat).unwrap_or_default();
                let join = JoinRequest::of(match_id).seat(seat).invitation(invitation).player(name);
                let joined = self.link.client.matches().join(join).await?;
                let seed = self.plan.bot_seed(number, entrant);
                let seed = u64::from_le_bytes(std::array::from_fn(|index| seed[index]));
                let random = RandomBot::new(self.game, seat, seed);
                let bot = SeriesBot::new(random, Seat::new(seat as u8), self.verb.pace, || self.rules())?;
                bots.push((joined.response.seat_token, bot));
            }
        }
        let reports = run_bots(&self.link.client, bots).await?;
        let returns = self.returns(number, match_id, &reports).await?;
        let record = self.link.client.matches().record(match_id).await?.text;
        let digest = self.digest(&record, match_id).await?;
        let score = Score { round: self.plan.round(number), entrants, returns, digest };
        Ok(Played { score, record })
    }

    /// Keeps the record of the game of this number, if that is asked for.
    fn keep(&self, number: u32, record: &str) -> Result<(), Error> {
        let Some(dir) = &self.verb.records else { return Ok(()) };
        let path = dir.join(self.plan.file_name(&self.verb.game, number));
        replace(&path, record.as_bytes(), Readers::Usual)
    }

    /// The rules of the game, as this build has them, and how the matches are set up.
    fn rules(&self) -> Result<(Arc<dyn AnyGame>, Setup), Error> {
        Ok((Arc::clone(self.registry.game(&self.verb.game)?), self.verb.start.setup(self.catalogue)?))
    }

    async fn create(&self, number: u32, names: &[String]) -> Result<CreatedMatch, Error> {
        let config = |name: &String| {
            if bot::is_ours(name) { seat_config::invited() } else { seat_config::house_bot(name) }
        };
        let mut new = NewMatch::of(&self.verb.game)
            .seats(names.iter().map(config))
            .chosen_seed(self.plan.match_seed(number));
        if let Some(scenario) = self.verb.start.scenario() {
            new = new.scenario(scenario);
        }
        for (id, value) in self.verb.start.setup(self.catalogue)?.written(self.catalogue) {
            new = new.option(id, value);
        }
        if let Some(position) = self.verb.start.position()? {
            new = new.position(position.to_string());
        }
        Ok(self.link.client.matches().create(new).await?)
    }

    /// Returns the return of each seat, once the match is finished.
    async fn returns(&self, number: u32, match_id: &str, reports: &[BotReport]) -> Result<Vec<i32>, Error> {
        let result = match reports.first() {
            Some(report) => report.result.clone(),
            // House bots among themselves.
            None => {
                let mut watch = self.link.client.matches().watch(match_id);
                let mut tracker = ViewTracker::new();
                while let Some(update) = watch.next().await? {
                    tracker.fold(&update).map_err(|error| Error::Fault(error.to_string()))?;
                }
                tracker.state().and_then(|state| state.result.clone())
            }
        };
        match result {
            Some(result) if result.returns.len() == self.plan.seats() => Ok(result.returns),
            _ => Err(Error::Fault(format!("game {}, {match_id}, was stopped by the server", number + 1))),
        }
    }

    /// Of the last state, as a local series has it; where this build does not play the match's rules, of what everybody sees
    /// at the end.
    async fn digest(&self, record: &str, match_id: &str) -> Result<[u8; 32], Error> {
        if let Ok(record) = Record::parse_damaged(record)
            && let Ok(table) = record_file::replayed(&record, self.registry)
        {
            return Ok(Sha256::digest(table.encoded()).into());
        }
        let answer = self.link.client.matches().view(match_id, ViewOptions::default()).await?;
        let view = answer.view.unwrap_or_default();
        Ok(Sha256::digest(prost::Message::encode_to_vec(&view)).into())
    }
}
