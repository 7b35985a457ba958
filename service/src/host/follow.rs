//! Following a match: [`Follower`].

use std::sync::Arc;

use tokio::sync::watch;

use super::Host;
use super::calls::SeatCall;
use super::error::Error;
use super::slot::{Content, Progress, Slot};
use crate::identity::SeatToken;
use crate::matches::{LiveMatch, Outcome};
use crate::store::MatchId;

/// Somebody who looks at a match again and again.
#[derive(Debug)]
pub struct Follower {
    host: Host,
    slot: Arc<Slot>,
    progress: watch::Receiver<Progress>,
    /// The generation and the revision that he saw last.
    seen: (u64, u64),
}

impl Host {
    /// Follows a match, from now on.
    #[must_use]
    pub fn follow(&self, id: MatchId) -> Follower {
        let slot = self.0.slots.of(id);
        let progress = slot.progress.subscribe();
        Follower { host: self.clone(), slot, progress, seen: (0, 0) }
    }
}

impl Follower {
    /// The match.
    #[must_use]
    pub fn id(&self) -> MatchId {
        self.slot.id
    }

    /// Returns when the match is not as it was seen last.
    pub async fn changed(&mut self) {
        let seen = self.seen;
        // The slot, which has the sender, is held here.
        let _ = self.progress.wait_for(|progress| (progress.generation, progress.revision) != seen).await;
    }

    /// Shows the match, as [`Host::read`] does.
    ///
    /// # Errors
    /// As [`Host::read`].
    pub async fn read<T>(&mut self, show: impl FnOnce(&Content) -> Result<T, Error>) -> Result<T, Error> {
        let locked = self.host.lock(&self.slot).await?;
        let (generation, revision) = (locked.generation, locked.revision());
        let shown = show(locked.content()?);
        drop(locked);
        self.slot.durable(generation, revision).await?;
        self.seen = (generation, revision);
        shown
    }

    /// Carries a call of a seat of the match out, as [`Host::call`] does.
    ///
    /// # Errors
    /// As [`Host::call`].
    pub async fn call<T>(
        &mut self,
        token: &SeatToken,
        call: SeatCall,
        show: impl FnOnce(&LiveMatch, &Outcome) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let SeatCall { call, ask, expected } = call;
        let act = |live: &mut LiveMatch, seat, now_ms| {
            live.call(seat, call, Some(ask), expected, now_ms).map(|done| (done.outcome, done.change))
        };
        let (at, shown) = self.host.call_on(&self.slot, token, show, act).await;
        if shown.is_ok() {
            self.seen = at;
        }
        shown
    }
}
