//! Records of matches.

use super::Host;
use super::error::Error;
use super::slot::Content;
use crate::matches::{DiceSecret, MatchRecord, Phase};
use crate::store::MatchId;

impl Host {
    /// The record of a match, signed by this server: of one that is over, for everybody; before, for a referee, and without
    /// what is secret about its dice. Of one whose rules are not there it is what its archive keeps.
    ///
    /// # Errors
    /// If the match has not begun, or is not over and the caller is no referee; or its rules are not there, and it has no archive with
    /// a record.
    pub async fn record(&self, id: MatchId, referee: bool) -> Result<MatchRecord, Error> {
        let made = self.read(id, |content| {
            let live = match content {
                Content::Live(live) => live,
                Content::Closed(closed) if closed.is_kept() && closed.why().is_unplayable() => {
                    return Ok(Err(closed.course().header().clone()));
                }
                Content::Closed(closed) => return Err(closed.refusal().into()),
            };
            if live.course().phase() != Phase::Over && !referee {
                live.begun()?;
                return Err(Error::NotOver);
            }
            Ok(Ok(live.record(self.reveals(live.course()), &self.0.signing)?))
        });
        let header = match made.await? {
            Ok(record) => return Ok(record),
            Err(header) => header,
        };
        let secret = self.0.reader.dice_secret(id, &header).await?;
        self.read(id, |content| self.kept_record(content, &secret)).await
    }

    fn kept_record(&self, content: &Content, secret: &DiceSecret) -> Result<MatchRecord, Error> {
        match content {
            Content::Live(live) => Ok(live.record(self.reveals(live.course()), &self.0.signing)?),
            Content::Closed(closed) => {
                let secret = Some(secret).filter(|_| self.reveals(closed.course()));
                Ok(closed.record(secret, &self.0.signing)?)
            }
        }
    }
}
