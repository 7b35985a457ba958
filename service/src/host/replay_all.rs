//! A look ahead: what the rules at hand would do to the matches of a store ([`MatchReader::replayed`]).

use std::sync::Arc;

use edgehill_engine::registry::AnyGame;

use super::error::Error;
use super::reader::{MatchReader, course_of};
use crate::limits::Limits;
use crate::matches::{ClosedMatch, LiveMatch, MatchError, MatchHeader, WhyClosed};
use crate::store::{Append, MatchId, MatchLog};
use crate::wire::encoder::MessageEncoder;

/// The outcome of playing a match again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Replayed {
    /// It is played by rules at hand, which lead where it had led.
    Same,
    /// It is played by rules that are not at hand, and others lead where it had led: they take it up with this append.
    TakenUp(Append),
    /// It is played by rules that are not at hand, and those that are do not lead where it had led: it can be read. Says where.
    Unplayable(String),
    /// It is played by rules at hand, and they do not lead where it had led: it would be put in quarantine. Says where.
    Stops(String),
    /// It is played by rules at hand, which lead where it had led, and show something else on the way. Says where.
    ShowsOther(String),
}

impl MatchReader {
    /// Plays a match again from its beginning, by its own rules or, if they are not at hand, by those that are: all of its log has
    /// to come about, and each observer has to be shown what they were shown. Changes nothing. `at_ms`: the time of the append.
    ///
    /// # Errors
    /// If there is no such match, it is in quarantine, or its log can't be read.
    pub async fn replayed(&self, id: MatchId, at_ms: u64) -> Result<Replayed, Error> {
        let log = self.log(id).await?;
        let mut course = course_of(&log)?;
        course.take_rules_of(&log.records)?;
        let header = course.header();
        if let Some(game) = self.game_of(header) {
            return Ok(match self.again(&log, game).await? {
                Ok(_) => Replayed::Same,
                Err(Unlike::Course(why)) => Replayed::Stops(why),
                Err(Unlike::Shown(why)) => Replayed::ShowsOther(why),
            });
        }
        let mut why = "there is no such game".to_owned();
        for game in self.at_hand(header) {
            match self.again(&log, game).await? {
                Ok(mut live) => return Ok(Replayed::TakenUp(live.repin(at_ms)?.append)),
                Err(Unlike::Course(unlike) | Unlike::Shown(unlike)) => why = unlike,
            }
        }
        Ok(Replayed::Unplayable(why))
    }

    /// The games that could take up a match: with its own content, if that is there, and with that of new matches.
    fn at_hand(&self, header: &MatchHeader) -> impl Iterator<Item = &Arc<dyn AnyGame>> {
        let with_its_content = self.former().with_content(&header.game, header.played_by().content);
        with_its_content.into_iter().chain(self.current(&header.game))
    }

    /// Plays a log again by a game.
    async fn again(
        &self,
        log: &MatchLog,
        game: &Arc<dyn AnyGame>,
    ) -> Result<Result<LiveMatch, Unlike>, Error> {
        let id = log.header.id;
        let shown =
            ClosedMatch::read(course_of(log)?, &log.records, WhyClosed::RulesUnknown, &MessageEncoder)?;
        let secret = self.dice_secret(id, shown.course().header()).await?;
        let limits = Limits::default().match_log();
        let replayed =
            LiveMatch::replay(course_of(log)?, Arc::clone(game), secret, log, limits, &MessageEncoder);
        Ok(match replayed {
            Ok(live) => match live.check_shows(&shown) {
                Ok(()) => Ok(live),
                Err(why) => Err(Unlike::Shown(why)),
            },
            Err(MatchError::Unreplayable { revision, why }) => {
                Err(Unlike::Course(format!("revision {revision}: {why}")))
            }
            Err(fault @ MatchError::Fault(_)) => Err(Unlike::Course(fault.to_string())),
            Err(error) => return Err(error.into()),
        })
    }
}

/// The way in which a replay is not what was.
enum Unlike {
    /// An entry does not come about.
    Course(String),
    /// It comes about, and something else is shown.
    Shown(String),
}
