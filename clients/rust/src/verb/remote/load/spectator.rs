//! Those who watch the matches that are played: [`Spectator`].

use std::time::Duration;

use edgehill_client::v1::SeatUpdate;
use edgehill_client::{Error, MatchWatch};
use tokio::sync::watch;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval, sleep_until};

use super::figures::{Figures, Kind, Watching};
use super::storm_client::StormClient;

/// The pause before a spectator whose stream failed comes back.
const PAUSE: Duration = Duration::from_millis(100);

/// The pause of a slow reader between two messages.
const SLOW: Duration = Duration::from_secs(1);

/// A spectator of one match after another.
pub(super) struct Spectator {
    client: StormClient,
    /// The id of the match that is played now.
    current: watch::Receiver<String>,
    watching: Watching,
    figures: Figures,
    pauses: Option<Interval>,
    /// The last number of the match's sequence that they were told.
    seq: u64,
    /// The call that lasts until they are told something, and when it began.
    coming: Option<(Kind, Instant)>,
}

impl Spectator {
    pub(super) fn new(
        client: StormClient,
        current: watch::Receiver<String>,
        watching: Watching,
        figures: Figures,
    ) -> Self {
        let pauses = watching.is_slow.then(|| {
            let mut pauses = interval(SLOW);
            // Those who had nothing to read for a while don't read the faster for it.
            pauses.set_missed_tick_behavior(MissedTickBehavior::Delay);
            pauses
        });
        Self { client, current, watching, figures, pauses, seq: 0, coming: None }
    }

    /// Watches on and on; a storm breaks the connection, and they come back over another, where they were.
    pub(super) async fn watch(mut self) {
        loop {
            let begun = self.current.wait_for(|id| !id.is_empty());
            let Ok(id) = self.client.wait(begun).await.map(|id| id.clone()) else {
                return;
            };
            (self.seq, self.coming) = (0, Some((Kind::Watch, Instant::now())));
            while !self.follow(&id).await {}
            if self.client.wait(self.current.changed()).await.is_err() {
                return;
            }
        }
    }

    /// Follows a match from where they were; returns whether it is over.
    async fn follow(&mut self, id: &str) -> bool {
        let mut stream = self.client.now().matches().watch(id).after(self.seq);
        loop {
            let told = tokio::select! {
                biased;
                () = self.client.reconnected() => {
                    self.come_back();
                    return false;
                }
                told = next(&mut stream, &mut self.pauses) => told,
            };
            match told {
                Ok(update) => {
                    self.client.note_answer();
                    let come = self.coming.take();
                    // The times of slow readers would be their own pauses.
                    if let (Some((kind, since)), None) = (come, &self.pauses) {
                        self.figures.answered(kind, since.elapsed());
                    }
                    match update {
                        Some(update) => self.told(&update),
                        None => return true,
                    }
                }
                Err(error) => {
                    let kind = self.come_back();
                    self.figures.failed(Some(kind), &error);
                    self.client.wait(sleep_until(Instant::now() + PAUSE)).await;
                    return false;
                }
            }
        }
    }

    /// Begins the call with which they come back, unless they are coming already; returns its kind.
    fn come_back(&mut self) -> Kind {
        let kind = if self.seq > 0 { Kind::Resume } else { Kind::Watch };
        self.coming.get_or_insert((kind, Instant::now())).0
    }

    fn told(&mut self, update: &SeatUpdate) {
        let mut gaps = 0;
        for event in &update.events {
            gaps += u64::from(event.seq != self.seq + 1);
            self.seq = event.seq;
        }
        self.figures.told(&self.watching, update.events.len() as u64, gaps);
    }
}

async fn next(stream: &mut MatchWatch, pauses: &mut Option<Interval>) -> Result<Option<SeatUpdate>, Error> {
    if let Some(pauses) = pauses {
        pauses.tick().await;
    }
    stream.next().await
}
