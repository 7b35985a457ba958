//! Bots at the seats of matches, until the matches are over ([`run_bot`], [`run_bots`]).

use std::collections::BTreeMap;

use edgehill_proto::v1::{MatchResult, LegalList, MatchStatus, MatchConfig, ErrorReason};

use super::{Bot, Turn};
use crate::client::Client;
use crate::error::Error;
use crate::fold::{FoldError, ViewTracker};
use crate::matches::Look;
use crate::play::{CallRefused, Channel, PlayEvent, Opened, Opening, Play, Update, What};
use crate::refused::Refused;
use crate::actions::Actions;

/// The outcome for a bot.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BotReport {
    /// The match's id.
    pub match_id: String,
    /// The bot's seat, from 0.
    pub seat: u32,
    /// The status of the match: over, or stopped by the server.
    pub status: MatchStatus,
    /// The ending, if it ended.
    pub ending: Option<MatchResult>,
    /// Number of actions that the bot took.
    pub actions: u64,
}

/// Plays the seat of `token` until its match is over.
///
/// # Errors
/// If the server can't be reached for as long as the client's retry_policy lasts, closes the seat's channel, or refuses what the
/// bot chooses.
pub async fn run_bot(client: &Client, token: impl Into<String>, bot: impl Bot) -> Result<BotReport, Error> {
    let outcomes = run_bots(client, [(token.into(), bot)]).await?;
    outcomes.into_iter().next().ok_or_else(|| Error::Protocol("a match without an outcome".to_owned()))
}

/// Plays many seats, of one match or of many, over one stream, until all their matches are over. The outcomes are in the
/// order of the bots.
///
/// # Errors
/// As [`run_bot`], as soon as the first bot meets one.
pub async fn run_bots<B: Bot>(
    client: &Client,
    bots: impl IntoIterator<Item = (String, B)>,
) -> Result<Vec<BotReport>, Error> {
    let mut play = client.play();
    let mut players = BTreeMap::new();
    for (token, bot) in bots {
        let opening = Opening { no_events: !bot.looks(), ..Opening::default() };
        players.insert(play.open(token.clone(), opening), Player::new(token, bot));
    }
    while let Some(PlayEvent { channel, what }) = play.next().await? {
        let Some(player) = players.get_mut(&channel) else { continue };
        match what {
            What::Opened(opened) => player.opened(*opened),
            What::Update(update) => player.update(client, &mut play, channel, *update).await?,
            What::Refused(refused) => player.refused(&mut play, channel, *refused)?,
            What::Closed(refused) => player.closed(refused)?,
        }
    }
    Ok(players.into_values().map(|player| player.outcome).collect())
}

/// A bot, and what it sees.
struct Player<B> {
    token: String,
    bot: B,
    terms: MatchConfig,
    sight: Option<ViewTracker>,
    outcome: BotReport,
}

impl<B: Bot> Player<B> {
    fn new(token: String, bot: B) -> Self {
        Self { token, bot, terms: MatchConfig::default(), sight: None, outcome: BotReport::default() }
    }

    fn opened(&mut self, opened: Opened) {
        self.outcome.match_id.clone_from(&opened.terms.match_id);
        self.outcome.seat = opened.seat;
        self.terms = opened.terms;
        self.sight = opened.view.filter(|_| self.bot.looks()).map(|view| ViewTracker::new(opened.seq, view));
    }

    async fn update(
        &mut self,
        client: &Client,
        play: &mut Play,
        channel: Channel,
        update: Update,
    ) -> Result<(), Error> {
        if let Some(accepted) = update.accepted {
            self.outcome.actions += u64::from(accepted.actions);
        }
        if self.bot.looks() {
            match (update.view, &mut self.sight) {
                (Some(view), sight) => *sight = Some(ViewTracker::new(update.seq, view)),
                (None, Some(sight)) => match sight.fold(&update.events) {
                    Ok(()) => {}
                    Err(FoldError::Unknown { .. }) => self.look_again(client).await?,
                    Err(gap) => return Err(Error::Protocol(gap.to_string())),
                },
                (None, None) if update.prompt.is_some() => self.look_again(client).await?,
                (None, None) => {}
            }
        }
        if let Some(state) = update.state {
            self.outcome.status = state.status();
            self.outcome.ending = state.ending;
            let ended = [MatchStatus::Finished, MatchStatus::Unplayable, MatchStatus::Quarantined]
                .contains(&self.outcome.status);
            if ended {
                play.close(channel);
                return Ok(());
            }
        }
        match update.prompt {
            Some(legal) => self.answer(play, channel, update.seq, &legal),
            None => Ok(()),
        }
    }

    /// The present view from the server, where events do not give it.
    async fn look_again(&mut self, client: &Client) -> Result<(), Error> {
        let seat = client.seat(self.terms.match_id.clone(), self.token.clone());
        let answer = seat.view(Look::default()).await?;
        self.sight = answer.view.map(|view| ViewTracker::new(answer.seq, view));
        Ok(())
    }

    fn answer(
        &mut self,
        play: &mut Play,
        channel: Channel,
        seq: u64,
        legal: &LegalList,
    ) -> Result<(), Error> {
        let turn = Turn {
            terms: &self.terms,
            seat: self.outcome.seat,
            seq,
            view: self.sight.as_ref().map(ViewTracker::view),
            legal: &legal.ids,
        };
        let actions = self.bot.choose(&turn);
        // Without the number: where others choose in secret, that one of them has committed moves the sequence on, and
        // changes nothing for this choice.
        play.apply(channel, Actions::ids(actions)).map(drop)
    }

    fn refused(&mut self, play: &mut Play, channel: Channel, call: CallRefused) -> Result<(), Error> {
        match call.refused.reason() {
            // A clock has chosen for the seat, or the match has ended: what comes next is told.
            ErrorReason::NotYourTurn | ErrorReason::MatchFinished => Ok(()),
            ErrorReason::StaleSequence => match call.prompt {
                Some(legal) => self.answer(play, channel, call.refused.seq().unwrap_or(0), &legal),
                None => Ok(()),
            },
            _ => Err(Error::Bot { seat: self.outcome.seat, refused: Box::new(call.refused) }),
        }
    }

    fn closed(&self, refused: Option<Box<Refused>>) -> Result<(), Error> {
        match refused {
            Some(refused) => Err(Error::Closed(refused)),
            None => Ok(()),
        }
    }
}
