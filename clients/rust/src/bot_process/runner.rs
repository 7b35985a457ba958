//! The runner of a bot ([`run`]): the seats that are kept for an account, played as they come.

use std::sync::Arc;

use edgehill_client::v1::{MatchConfig, MatchStatus, WatchAccountResponse, WatchedMatch};
use edgehill_client::{AccountWatch, Client};
use tokio::task::JoinSet;

use super::config::BotConfig;
use super::queue::SeatQueue;
use super::report::{SeatOutcome, SeatReport, has_ended};
use super::seat::{self, Player, SeatToPlay};
use super::seats_folder::SeatsFolder;
use super::stop::Stop;
use crate::error::Error;

/// The seats that a runner plays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RunnerConfig {
    /// The match of this id alone; `None`: all matches.
    pub only: Option<String>,
    /// The number of seats that are played to the end of their matches before the runner ends; `None`: it goes on.
    pub games_max: Option<usize>,
    /// The most seats that are played at the same time, at least 1. The matches of a seed group begin together, and count as one.
    pub at_once: usize,
}

/// Plays the seats that are kept for the account of `client`, oldest match first, until the runner is told to stop or all that it was to
/// play is played; each outcome goes to `report`. Returns the number of seats in which the bot broke.
///
/// Seats that the runner has taken before, and whose tokens are in `seats`, are gone on with.
///
/// # Errors
/// If the program can't be started, a file can't be written, the server refuses the account or does not answer any more, or nothing of
/// the match that was named can be played. Processes and seats are then left as by an order to stop.
pub(crate) async fn run(
    client: &Client,
    bot: BotConfig,
    seats: SeatsFolder,
    config: RunnerConfig,
    stop: Stop,
    report: &mut dyn FnMut(&SeatReport) -> Result<(), Error>,
) -> Result<usize, Error> {
    let (end, ended) = Stop::new();
    let player = Arc::new(Player { client: client.clone(), bot, seats });
    let (queue, only) = (SeatQueue::new(&config), config.only);
    let mut runner =
        Runner { player, only, ended, queue, playing: JoinSet::new(), caught_up: false, broken: 0 };
    let done = runner.work(client.matches().watch_account(), stop, report).await;
    // Where no seat is played, nobody waits for it.
    let _ = end.send(true);
    let left = runner.leave(report).await;
    done.and(left).map(|()| runner.broken)
}

struct Runner {
    player: Arc<Player>,
    /// The match that is played alone.
    only: Option<String>,
    /// The order to stop, of the seats that are played.
    ended: Stop,
    queue: SeatQueue,
    playing: JoinSet<Result<SeatReport, Error>>,
    caught_up: bool,
    broken: usize,
}

impl Runner {
    async fn work(
        &mut self,
        mut watch: AccountWatch,
        mut stop: Stop,
        report: &mut dyn FnMut(&SeatReport) -> Result<(), Error>,
    ) -> Result<(), Error> {
        loop {
            // All that there is has to be known: two runners that both begin with the oldest of their matches meet in it.
            while self.caught_up
                && let Some(to_play) = self.queue.begin()
            {
                self.playing.spawn(seat::play(Arc::clone(&self.player), to_play, self.ended.clone()));
            }
            if self.is_done()? {
                return Ok(());
            }
            tokio::select! {
                biased;
                () = stop.ordered() => return Ok(()),
                Some(done) = self.playing.join_next() => self.take(joined(done)?, report)?,
                response = watch.next() => self.note(response?)?,
            }
        }
    }

    /// Waits for the seats that are played, which were told to stop. The first error is what counts.
    async fn leave(&mut self, report: &mut dyn FnMut(&SeatReport) -> Result<(), Error>) -> Result<(), Error> {
        let mut first = Ok(());
        while let Some(done) = self.playing.join_next().await {
            let taken = joined(done).and_then(|done| self.take(done, report));
            first = first.and(taken);
        }
        first
    }

    fn take(
        &mut self,
        done: SeatReport,
        report: &mut dyn FnMut(&SeatReport) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let counts = !matches!(done.outcome, SeatOutcome::NotTaken | SeatOutcome::Stopped);
        self.broken += usize::from(done.outcome == SeatOutcome::Broken);
        self.queue.end(&(done.match_id.clone(), done.seat), counts);
        report(&done)
    }

    /// Notes how a match stands.
    fn note(&mut self, response: WatchAccountResponse) -> Result<(), Error> {
        self.caught_up |= response.caught_up;
        let Some(WatchedMatch { r#match, seats, .. }) = response.r#match else { return Ok(()) };
        let of = r#match.unwrap_or_default();
        let (config, state) = (of.config.unwrap_or_default(), of.state.unwrap_or_default());
        if self.only.as_ref().is_some_and(|only| *only != config.match_id) {
            return Ok(());
        }
        self.queue.forget(&config.match_id);
        if has_ended(state.status()) {
            return Ok(());
        }
        let goes_on = state.status() == MatchStatus::Running;
        for watched in seats {
            let (seat, is_free) = (watched.seat, watched.is_invited);
            let is_known = self.queue.knows(&(config.match_id.clone(), seat));
            if !is_known && (is_free || self.has_taken(&config, seat)?) {
                let config = config.clone();
                self.queue.add(SeatToPlay { config, seat, seats: state.seats.len(), is_free, goes_on });
            }
        }
        Ok(())
    }

    /// True if this runner, or one with its folder before it, has taken a seat, or has asked for it and does not know the answer.
    fn has_taken(&self, config: &MatchConfig, seat: u32) -> Result<bool, Error> {
        let Player { client, seats, .. } = &*self.player;
        let has_token = seats.file(config, seat, client.url())?.seats().iter().any(|own| own.seat == seat);
        Ok(has_token || seats.asked_for(&config.match_id, seat)?.is_some())
    }

    /// True if all that was to be played is played.
    ///
    /// # Errors
    /// If nothing of the match that was named can be played.
    fn is_done(&self) -> Result<bool, Error> {
        match &self.only {
            Some(only) if self.caught_up && self.queue.is_unused() => {
                let why = format!("match {only} has no seat that is kept for this account and to be played");
                Err(Error::Usage(why))
            }
            Some(_) if self.caught_up && self.queue.is_empty() => Ok(true),
            _ => Ok(self.queue.is_idle() && self.queue.has_played_enough()),
        }
    }
}

fn joined(done: Result<Result<SeatReport, Error>, tokio::task::JoinError>) -> Result<SeatReport, Error> {
    done.unwrap_or_else(|error| Err(Error::Fault(format!("a seat was played no further: {error}"))))
}
