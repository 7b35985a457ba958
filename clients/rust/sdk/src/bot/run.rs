//! Bots at the seats of matches, until the matches are finished ([`run_bot`], [`run_bots`]).

use std::collections::BTreeMap;

use edgehill_proto::v1::{ErrorReason, LegalActions, MatchConfig, MatchResult, MatchStatus, SeatUpdate};

use super::{ClientBot, Turn};
use crate::batch::Batch;
use crate::client::Client;
use crate::error::Error;
use crate::play::{Channel, OpenOptions, OpenedChannel, PlayEvent, PlayMessage, PlaySession, RefusedCall};
use crate::refusal::ServerRefusal;
use crate::view_options::ViewOptions;
use crate::view_tracker::{FoldError, ViewTracker};

/// The outcome of a match for a bot.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BotReport {
    /// The match's id.
    pub match_id: String,
    /// The bot's seat, from 0.
    pub seat: u32,
    /// The status of the match: finished, aborted, expired, or stopped by the server.
    pub status: MatchStatus,
    /// The result, if it was finished.
    pub result: Option<MatchResult>,
    /// Number of actions that the bot took.
    pub actions: u64,
}

/// Plays the seat of `token` until its match is finished.
///
/// # Errors
/// If the server can't be reached for as long as the client's retry policy lasts, closes the seat's channel, or refuses what
/// the bot chooses.
pub async fn run_bot(
    client: &Client,
    token: impl Into<String>,
    bot: impl ClientBot,
) -> Result<BotReport, Error> {
    let reports = run_bots(client, [(token.into(), bot)]).await?;
    reports.into_iter().next().ok_or_else(|| Error::Protocol("a match without an outcome".to_owned()))
}

/// Plays many seats, of one match or of many, over one stream, until all their matches are finished. The reports are in the
/// order of the bots.
///
/// # Errors
/// As [`run_bot`], as soon as the first bot meets one.
pub async fn run_bots<B: ClientBot>(
    client: &Client,
    bots: impl IntoIterator<Item = (String, B)>,
) -> Result<Vec<BotReport>, Error> {
    let mut session = client.play();
    let mut runners = BTreeMap::new();
    for (token, bot) in bots {
        let options = OpenOptions { omit_events: !bot.looks(), ..OpenOptions::default() };
        runners.insert(session.open(token.clone(), options), Runner::new(token, bot));
    }
    while let Some(PlayEvent { channel, message }) = session.next().await? {
        let Some(runner) = runners.get_mut(&channel) else { continue };
        match message {
            PlayMessage::Opened(opened) => runner.opened(*opened),
            PlayMessage::Update { update, .. } => {
                runner.update(client, &mut session, channel, *update).await?;
            }
            PlayMessage::Refused(call) => runner.refused(&mut session, channel, *call)?,
            PlayMessage::Closed(refusal) => runner.closed(refusal)?,
        }
    }
    Ok(runners.into_values().map(|runner| runner.report).collect())
}

/// A bot, and its view.
struct Runner<B> {
    token: String,
    bot: B,
    config: MatchConfig,
    tracker: ViewTracker,
    report: BotReport,
}

impl<B: ClientBot> Runner<B> {
    fn new(token: String, bot: B) -> Self {
        let (config, tracker) = (MatchConfig::default(), ViewTracker::new());
        Self { token, bot, config, tracker, report: BotReport::default() }
    }

    fn opened(&mut self, opened: OpenedChannel) {
        let seq = opened.r#match.seq;
        self.config = opened.r#match.config.unwrap_or_default();
        self.report.match_id.clone_from(&self.config.match_id);
        self.report.seat = opened.seat;
        if let Some(view) = opened.view.filter(|_| self.bot.looks()) {
            self.tracker = ViewTracker::at(seq, view);
        }
    }

    async fn update(
        &mut self,
        client: &Client,
        session: &mut PlaySession,
        channel: Channel,
        update: SeatUpdate,
    ) -> Result<(), Error> {
        if let Some(result) = &update.apply_result {
            self.report.actions += u64::from(result.actions);
        }
        if self.bot.looks() {
            match self.tracker.fold(&update) {
                Ok(()) => {}
                Err(FoldError::Unknown { .. } | FoldError::NoView { .. }) => self.look_again(client).await?,
                Err(gap) => return Err(Error::Protocol(gap.to_string())),
            }
        }
        self.bot.on_event(&update);
        if let Some(state) = update.state {
            self.report.status = state.status();
            self.report.result = state.result;
            if has_ended(self.report.status) {
                session.close(channel);
                return Ok(());
            }
        }
        match update.legal_actions {
            Some(legal) => self.answer(session, channel, update.seq, &legal),
            None => Ok(()),
        }
    }

    /// Gets the present view from the server, where events do not give it.
    async fn look_again(&mut self, client: &Client) -> Result<(), Error> {
        let seat = client.seat(self.config.match_id.clone(), self.token.clone());
        self.tracker = seat.view(ViewOptions::default()).await?.into();
        Ok(())
    }

    fn answer(
        &mut self,
        session: &mut PlaySession,
        channel: Channel,
        seq: u64,
        legal: &LegalActions,
    ) -> Result<(), Error> {
        let turn = Turn {
            config: &self.config,
            seat: self.report.seat,
            seq,
            view: self.tracker.view().filter(|_| self.bot.looks()),
            legal: &legal.ids,
            answer_deadline: session.answer_deadline(channel),
        };
        let actions = self.bot.choose(&turn);
        // Without the number: where others choose in secret, that one of them has committed moves the sequence on, and
        // changes nothing for this choice.
        session.apply(channel, Batch::ids(actions)).map(drop)
    }

    fn refused(
        &mut self,
        session: &mut PlaySession,
        channel: Channel,
        call: RefusedCall,
    ) -> Result<(), Error> {
        match call.refusal.reason() {
            // A clock has chosen for the seat, or the match is adjourned or has ended: the next update says which.
            ErrorReason::NotYourTurn | ErrorReason::MatchFinished | ErrorReason::Adjourned => Ok(()),
            ErrorReason::StaleSequence => match call.legal_actions {
                Some(legal) => self.answer(session, channel, call.refusal.seq().unwrap_or(0), &legal),
                None => Ok(()),
            },
            _ => Err(Error::Bot { seat: self.report.seat, refusal: Box::new(call.refusal) }),
        }
    }

    fn closed(&self, refusal: Option<Box<ServerRefusal>>) -> Result<(), Error> {
        match refusal {
            Some(refusal) => Err(Error::Closed(refusal)),
            None => Ok(()),
        }
    }
}

/// True if a match of this status is played no more.
fn has_ended(status: MatchStatus) -> bool {
    match status {
        MatchStatus::Finished
        | MatchStatus::Aborted
        | MatchStatus::Expired
        | MatchStatus::Unplayable
        | MatchStatus::Quarantined => true,
        MatchStatus::Unspecified | MatchStatus::Waiting | MatchStatus::Revealing | MatchStatus::Running => {
            false
        }
    }
}
