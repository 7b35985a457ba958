//! Following a match: [`Follower`].

use std::sync::Arc;

use edgehill_engine::registry::AnyGame;
use edgehill_engine::seat::Observer;
use tokio::sync::watch;

use super::Host;
use super::calls::SeatCall;
use super::error::Error;
use super::slot::{Content, Progress, Slot};
use crate::identity::SeatToken;
use crate::matches::{CallOutcome, LiveMatch, NewsCounters};
use crate::store::MatchId;

/// Somebody who looks at a match again and again.
#[derive(Debug)]
pub struct Follower {
    host: Host,
    slot: Arc<Slot>,
    /// Keeps the slot from being let go while it is empty.
    _progress: watch::Receiver<Progress>,
    /// The generation of the match when the follower saw it last, and the news then.
    seen: Option<(u64, NewsCounters)>,
}

impl Host {
    /// Follows a match, from now on.
    ///
    /// # Errors
    /// If there is no such match, or it can't be read.
    pub async fn follow(&self, id: MatchId) -> Result<Follower, Error> {
        let slot = self.0.slots.of(id);
        // A follower keeps a match in memory: so it has to be there.
        drop(self.lock(&slot).await?);
        let progress = slot.progress.subscribe();
        Ok(Follower { host: self.clone(), slot, _progress: progress, seen: None })
    }
}

impl Follower {
    /// The match.
    #[must_use]
    pub fn id(&self) -> MatchId {
        self.slot.id
    }

    /// Returns when there may be something new for `observer` since the match was seen last; at once, if it was not seen yet.
    pub async fn changed(&mut self, observer: Observer) {
        let seen = self.seen.map(|(generation, news)| (generation, news.of(observer)));
        self.slot.news_for(observer, seen).await;
    }

    /// The match's game.
    ///
    /// # Errors
    /// As [`Host::game`].
    pub async fn game(&self) -> Result<Arc<dyn AnyGame>, Error> {
        self.host.game_in(&self.slot).await
    }

    /// Shows the match, as [`Host::read`] does.
    ///
    /// # Errors
    /// As [`Host::read`].
    pub async fn read<T>(&mut self, mut show: impl FnMut(&Content) -> Result<T, Error>) -> Result<T, Error> {
        let show = |content: &Content| Ok((content.news(), show(content)?));
        let (mark, (news, shown)) = self.host.show(&self.slot, show).await?;
        self.seen = Some((mark.generation, news));
        Ok(shown)
    }

    /// Executes a call of a seat of the match, as [`Host::execute`] does.
    ///
    /// # Errors
    /// As [`Host::execute`].
    pub async fn execute<T>(
        &mut self,
        token: &SeatToken,
        call: SeatCall,
        show: impl FnOnce(&LiveMatch, &CallOutcome) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let request = Some(call.ask.id.clone());
        let show = |content: &Content, outcome: &CallOutcome| {
            let live = content.live()?;
            Ok((live.news(), show(live, outcome)?))
        };
        let (mark, (news, shown)) =
            self.host.execute_as(&self.slot, token, request, call.act(), show).await?;
        self.seen = Some((mark.generation, news));
        Ok(shown)
    }
}
