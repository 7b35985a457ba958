//! Records of matches.

use super::Host;
use super::error::Error;
use super::slot::Content;
use crate::matches::{MatchRecord, Phase};
use crate::store::MatchId;

impl Host {
    /// The record of a match, signed by this server: of one that is over, for everybody; before, for a referee, and without
    /// what is secret about its dice. Of one whose rules are not there it is what its archive keeps.
    ///
    /// # Errors
    /// If the match has not begun, or is not over and the caller is no referee; or its rules are not there, and it has no archive with
    /// a record.
    pub async fn record(&self, id: MatchId, referee: bool) -> Result<MatchRecord, Error> {
        self.read(id, |content| {
            let reveal = self.reveals(content.course());
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
