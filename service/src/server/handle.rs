//! A server that runs: [`Handle`].

use std::net::SocketAddr;
use std::time::Duration;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tonic_health::ServingStatus;

use super::services::Health;
use super::{Closing, Context};

/// A server that runs. Dropping it leaves the server running until its runtime ends.
#[derive(Debug)]
pub struct Handle {
    running: Running,
    local_addr: SocketAddr,
    stopping: CancellationToken,
    severed: CancellationToken,
}

/// The work that the end has to wait for.
struct Running {
    context: Context,
    health: Health,
    /// The end of serving, as soon as it has come.
    ended: watch::Receiver<Option<Ended>>,
    closing: Closing,
}

impl std::fmt::Debug for Running {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Running")
    }
}

/// The end of a server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ended {
    /// All calls and streams had ended by themselves.
    Drained,
    /// Calls and streams that had not ended in time were cut off.
    CutOff,
    /// The server could not go on.
    Failed(String),
}

impl Handle {
    pub(super) fn new(
        context: Context,
        local_addr: SocketAddr,
        health: Health,
        serving: impl Future<Output = Result<(), tonic::transport::Error>> + Send + 'static,
        severed: CancellationToken,
        closing: Closing,
    ) -> Self {
        let (tell, ended) = watch::channel(None);
        tokio::spawn(async move {
            let ended =
                serving.await.map_or_else(|error| Ended::Failed(error.to_string()), |()| Ended::Drained);
            tell.send_replace(Some(ended));
        });
        let stopping = context.stopping.clone();
        Self { running: Running { context, health, ended, closing }, local_addr, stopping, severed }
    }

    /// The address that the server listens on, with the port that it was given.
    #[must_use]
    pub const fn local_addr(&self) -> SocketAddr {
        self.local_addr
    }

    /// Cancelled when the server begins to stop.
    #[must_use]
    pub const fn stopping(&self) -> &CancellationToken {
        &self.stopping
    }

    /// Returns the token that cuts off all connections at once, for those who won't wait for
    /// `shutdown.grace_seconds`.
    #[must_use]
    pub const fn severed(&self) -> &CancellationToken {
        &self.severed
    }

    /// Returns when the server has ended, which it does not do unasked unless something is wrong.
    pub async fn ended(&self) -> Ended {
        ended(&mut self.running.ended.clone()).await
    }

    /// Ends the server: health says NOT_SERVING, calls that change something are refused, streams end by themselves, what has
    /// not ended in time is cut off, and the store is closed.
    pub async fn shutdown(self) -> Ended {
        let Running { context, health, ended: mut serving, closing } = self.running;
        health.set(ServingStatus::NotServing).await;
        let grace = Duration::from_secs(context.config.shutdown.grace_seconds.into());
        let deadline = context.clock.elapsed().saturating_add(grace);
        self.stopping.cancel();
        let late = tokio::select! {
            _ = ended(&mut serving) => false,
            () = context.clock.reach(deadline) => true,
            () = self.severed.cancelled() => true,
        };
        // The connections may be severed faster than we hear of it.
        let late = late || self.severed.is_cancelled();
        if late {
            tracing::warn!("calls or streams have not ended in time, and are cut off");
            self.severed.cancel();
        }
        let ended = match ended(&mut serving).await {
            Ended::Drained if late => Ended::CutOff,
            ended => ended,
        };
        closing.close().await;
        ended
    }
}

async fn ended(serving: &mut watch::Receiver<Option<Ended>>) -> Ended {
    let told = serving.wait_for(Option::is_some).await.ok().and_then(|ended| ended.clone());
    told.unwrap_or_else(|| Ended::Failed("the server panicked".to_owned()))
}
