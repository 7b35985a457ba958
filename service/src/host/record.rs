//! Records of matches.

use super::Host;
use super::error::Error;
use crate::matches::{MatchRecord, Phase};
use crate::store::MatchId;

impl Host {
    /// The record of a match, signed by this server: of one that is over, for everybody; before, for a referee, and without
    /// what is secret about its dice.
    ///
    /// # Errors
    /// If the match has not begun, or is not over and the caller is no referee.
    pub async fn record(&self, id: MatchId, referee: bool) -> Result<MatchRecord, Error> {
        self.read(id, |content| {
            let live = content.live()?;
            if live.course().phase() != Phase::Over && !referee {
                live.begun()?;
                return Err(Error::NotOver);
            }
            Ok(live.record(self.reveals(live.course()), &self.0.signing)?)
        })
        .await
    }
}
