//! Records of matches.

use super::Host;
use super::error::Error;
use super::slot::Content;
use crate::matches::{MatchRecord, Phase};
use crate::store::{AccountId, MatchId};

/// The one who reads a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RecordReader {
    /// A referee.
    Referee,
    /// An account.
    Account(AccountId),
    /// A seat of the match, by its token.
    Seat,
    /// Anybody else.
    Anybody,
}

impl Host {
    /// The record of a match, signed by this server: of one that is over, for everybody, or for its players alone as long as the
    /// competition that it is of has not published it; before, for a referee, and without what is secret about its dice. Of one whose
    /// rules are not there it is what its archive keeps.
    ///
    /// # Errors
    /// If the match has not begun, is not over and the reader is no referee, or is not published and they are none of its players; or its
    /// rules are not there, and it has no archive with a record.
    pub async fn record(&self, id: MatchId, reader: &RecordReader) -> Result<MatchRecord, Error> {
        self.read(id, |content| {
            let course = content.course();
            let referee = *reader == RecordReader::Referee;
            let is_own = match reader {
                RecordReader::Account(account) => !course.current_part(account).held.is_empty(),
                RecordReader::Seat => true,
                RecordReader::Referee | RecordReader::Anybody => referee,
            };
            let is_published = self.is_published(course);
            if course.phase() == Phase::Over && !is_published && !is_own {
                return Err(Error::NotPublished);
            }
            let reveal = self.reveals_to_players(course);
            let live = match content {
                Content::Live(live) => live,
                Content::Closed(closed) if closed.why().is_unplayable() => {
                    return Ok(closed.record(reveal, &self.0.signing)?);
                }
                Content::Closed(closed) => return Err(closed.refusal().into()),
            };
            if live.course().phase() != Phase::Over && !referee {
                live.begun()?;
                return Err(Error::NotOver);
            }
            Ok(live.record(reveal, &self.0.signing)?)
        })
        .await
    }
}
