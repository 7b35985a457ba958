//! One seat of one match, played by a bot's processes one after the other ([`play`]).

use std::sync::Arc;

use edgehill_client::v1::{EntropyMode, MatchConfig, ResponseOptions, VerbKind};
use edgehill_client::{Client, GameCatalog};

use super::config::BotConfig;
use super::life::{self, End};
use super::log::BotLog;
use super::report::{SeatOutcome, SeatReport};
use super::seats_folder::{SeatAsked, SeatsFolder, file_name};
use super::stop::Stop;
use crate::error::Error;
use crate::seating::{self, Wanted};
use crate::seats_file::SeatsFile;

/// A bot at a server, with the folder of its seats.
#[derive(Debug)]
pub(super) struct Player {
    pub client: Client,
    pub bot: BotConfig,
    pub seats: SeatsFolder,
}

/// A seat to be played.
#[derive(Clone, Debug)]
pub(super) struct SeatToPlay {
    /// The match.
    pub config: MatchConfig,
    /// The seat, from 0.
    pub seat: u32,
    /// Number of seats that play.
    pub seats: usize,
    /// True if it is free; otherwise it was taken before, and the folder has its token, or the request for it.
    pub is_free: bool,
    /// True if the match has begun without the player of this seat: it was another one's.
    pub goes_on: bool,
}

/// A seat that is played, from one process of the bot to the next.
pub(super) struct PlayedSeat {
    pub player: Arc<Player>,
    pub to_play: SeatToPlay,
    pub game: Arc<GameCatalog>,
    pub log: Arc<BotLog>,
    /// Number of prompts so far.
    pub prompts: u64,
    file: SeatsFile,
    /// By action id: true of those that move the attention, not the game.
    navigates: Vec<bool>,
}

/// Plays a seat until the match is over, the bot is broken, or the runner is told to stop.
///
/// # Errors
/// If the program can't be started, a file can't be written, or the server does not answer any more.
pub(super) async fn play(
    player: Arc<Player>,
    to_play: SeatToPlay,
    mut stop: Stop,
) -> Result<SeatReport, Error> {
    let mut report = SeatReport {
        match_id: to_play.config.match_id.clone(),
        game: to_play.config.game.clone(),
        seat: to_play.seat,
        seat_id: to_play.seat.to_string(),
        ..SeatReport::default()
    };
    let mut seat = match PlayedSeat::open(player, to_play).await {
        Ok(seat) => seat,
        Err(Error::Client(error)) if error.refusal().is_some() || is_other_rules(&error) => {
            report.outcome = SeatOutcome::NotTaken;
            report.reason = error.to_string();
            return Ok(report);
        }
        Err(error) => return Err(error),
    };
    if let Some(def) = seat.game.game.seats.get(report.seat as usize) {
        report.seat_id.clone_from(&def.id);
    }
    loop {
        let (outcome, reason) = match life::live(&mut seat, &mut report, &mut stop).await {
            End::Over => (SeatOutcome::Over, None),
            End::Stopped => (SeatOutcome::Stopped, None),
            End::Left(reason) => (SeatOutcome::Left, Some(reason)),
            End::NotTaken(reason) => (SeatOutcome::NotTaken, Some(reason)),
            End::Failed(error) => return Err(error),
            End::Died(reason) if report.restarts < seat.player.bot.restarts_max => {
                report.restarts += 1;
                let most = seat.player.bot.restarts_max;
                seat.log.note(&format!("restart {} of {most}: {reason}", report.restarts));
                report.reason = reason;
                continue;
            }
            End::Died(reason) => {
                seat.resign(&mut report).await?;
                (SeatOutcome::Broken, Some(reason))
            }
        };
        report.outcome = outcome;
        report.reason = reason.unwrap_or(report.reason);
        seat.log.note(&report.to_string());
        return Ok(report);
    }
}

/// True if the server does not have the rules of the match any more.
fn is_other_rules(error: &edgehill_client::Error) -> bool {
    matches!(error, edgehill_client::Error::OtherRules { .. })
}

impl PlayedSeat {
    async fn open(player: Arc<Player>, to_play: SeatToPlay) -> Result<Self, Error> {
        let game = player.client.catalog().game_of(&to_play.config).await?;
        let verbs = &game.game.verbs;
        let navigates =
            |verb: u32| verbs.get(verb as usize).is_some_and(|verb| verb.kind() == VerbKind::Navigate);
        let navigates = game.action_defs.iter().map(|action| navigates(action.verb)).collect();
        let name = file_name(&to_play.config.match_id, to_play.seat);
        let log = Arc::new(BotLog::open(&player.bot.log, &name)?);
        let mut file = player.seats.file(&to_play.config, to_play.seat, player.client.url())?;
        if to_play.is_free {
            // A token of before is void, and the answer to a request of before.
            file.remove(to_play.seat);
            player.seats.forget_asked(&to_play.config.match_id, to_play.seat)?;
        }
        Ok(Self { player, to_play, game, log, prompts: 0, file, navigates })
    }

    /// True if an action moves the attention, not the game.
    pub(super) fn navigates(&self, action: u32) -> bool {
        self.navigates.get(action as usize).copied().unwrap_or(false)
    }

    /// The seat's token, once it is taken.
    pub(super) fn token(&self) -> Option<&str> {
        let own = self.file.seats().iter().find(|own| own.seat == self.to_play.seat)?;
        Some(&own.token)
    }

    /// Takes the seat, if it is not taken yet, and returns its token.
    pub(super) async fn take(&mut self) -> Result<String, End> {
        let SeatToPlay { config, seat, goes_on, .. } = &self.to_play;
        let seats = &self.player.seats;
        if let Some(token) = self.token() {
            seats.forget_asked(&config.match_id, *seat).map_err(End::Failed)?;
            return Ok(token.to_owned());
        }
        let dice = config.dice.clone().unwrap_or_default();
        if dice.group.is_some() && dice.entropy_mode() == EntropyMode::CommitReveal && !goes_on {
            let why = "it would have to be bound to its entropy by the id of its seed group, which is its creator's secret";
            return Err(End::NotTaken(why.to_owned()));
        }
        let asked = match seats.asked_for(&config.match_id, *seat).map_err(End::Failed)? {
            Some(asked) => asked,
            None => {
                let request_id = self.player.client.next_request_id();
                let asked = SeatAsked { request_id, goes_on: *goes_on };
                seats.note_asked(&config.match_id, *seat, &asked).map_err(End::Failed)?;
                asked
            }
        };
        let wanted = Wanted {
            seat: Some(*seat),
            invitation: None,
            player: Some(self.player.bot.name.clone()),
            goes_on: asked.goes_on,
            entropy: Some(seats.entropy(config, *seat)),
            request: Some((asked.request_id, seats.client_secret())),
        };
        let taken = seating::take(&self.player.client, config, wanted, &mut self.file).await;
        match taken {
            Ok(_) => seats.forget_asked(&config.match_id, *seat).map_err(End::Failed)?,
            Err(Error::Client(error)) if error.refusal().is_some() => {
                seats.forget_asked(&config.match_id, *seat).map_err(End::Failed)?;
                return Err(End::NotTaken(error.to_string()));
            }
            Err(error) => return Err(End::Failed(error)),
        }
        self.token().map(str::to_owned).ok_or_else(|| {
            End::Failed(Error::Fault(format!("seat {seat} was asked for, and another was given")))
        })
    }

    /// Reveals the entropy that the seat is bound to, where the match waits for it.
    pub(super) async fn reveal(&self) -> Result<(), Error> {
        match seating::reveal(&self.player.client, &self.file).await {
            // It was too late, and the match says so.
            Err(Error::Client(error)) if error.refusal().is_some() => self.log.note(&error.to_string()),
            Err(error) => return Err(error),
            Ok(_) => {}
        }
        Ok(())
    }

    /// Resigns the seat of a broken bot, if that is wanted, and notes how the match stands then.
    async fn resign(&self, report: &mut SeatReport) -> Result<(), Error> {
        let Some(token) = self.token().filter(|_| self.player.bot.resigns_when_broken) else {
            return Ok(());
        };
        let seat = self.player.client.seat(&self.to_play.config.match_id, token);
        match seat.resign(ResponseOptions::default()).await {
            // It has not begun, or has ended by itself.
            Err(error) if error.refusal().is_some() => self.log.note(&error.to_string()),
            Err(error) => return Err(error.into()),
            Ok(_) => report.state = seat.get().await?.state,
        }
        Ok(())
    }
}
