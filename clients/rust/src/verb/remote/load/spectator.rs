//! Those who watch the matches that are played: [`Spectator`].

use std::time::Duration;

use edgehill_client::v1::SeatUpdate;
use edgehill_client::{Client, Error, MatchWatch};
use tokio::sync::watch;
use tokio::time::{Instant, Interval, interval, sleep_until};

use super::figures::{Figures, Kind};

/// The pause before a spectator whose stream failed comes back.
const PAUSE: Duration = Duration::from_millis(100);

/// The pause of a slow reader between two messages.
const SLOW: Duration = Duration::from_secs(1);

/// A spectator of one match after another.
pub(super) struct Spectator {
    client: Client,
    /// The id of the match that is played now.
    current: watch::Receiver<String>,
    figures: Figures,
    pauses: Option<Interval>,
    /// The last number of the match's sequence that they were told.
    seq: u64,
}

impl Spectator {
    pub(super) fn new(
        client: Client,
        current: watch::Receiver<String>,
        figures: Figures,
        is_slow: bool,
    ) -> Self {
        Self { client, current, figures, pauses: is_slow.then(|| interval(SLOW)), seq: 0 }
    }

    /// Watches on and on; whenever `storm` changes they go away, and come back where they were.
    pub(super) async fn watch(mut self, mut storm: watch::Receiver<u32>) {
        loop {
            let Ok(id) = self.current.wait_for(|id| !id.is_empty()).await.map(|id| id.clone()) else {
                return;
            };
            self.seq = 0;
            while !self.follow(&id, &mut storm).await {}
            if self.current.changed().await.is_err() {
                return;
            }
        }
    }

    /// Follows a match from where they were; returns whether it is over.
    async fn follow(&mut self, id: &str, storm: &mut watch::Receiver<u32>) -> bool {
        let mut watching = self.client.matches().watch(id).after(self.seq);
        let mut coming = (self.seq > 0).then(Instant::now);
        loop {
            tokio::select! {
                told = next(&mut watching, &mut self.pauses) => match told {
                    Ok(Some(update)) => {
                        if let Some(since) = coming.take() {
                            self.figures.answered(Kind::Resume, since.elapsed());
                        }
                        self.told(&update);
                    }
                    Ok(None) => return true,
                    Err(error) => {
                        self.figures.failed(&error);
                        sleep_until(Instant::now() + PAUSE).await;
                        return false;
                    }
                },
                _ = storm.changed() => return false,
            }
        }
    }

    fn told(&mut self, update: &SeatUpdate) {
        let mut gaps = 0;
        for event in &update.events {
            gaps += u64::from(event.seq != self.seq + 1);
            self.seq = event.seq;
        }
        self.figures.told(update.events.len() as u64, gaps);
    }
}

async fn next(watching: &mut MatchWatch, pauses: &mut Option<Interval>) -> Result<Option<SeatUpdate>, Error> {
    if let Some(pauses) = pauses {
        pauses.tick().await;
    }
    watching.next().await
}
