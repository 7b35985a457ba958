//! The health that the server tells ([`Health`]), in step with its store.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tonic_health::ServingStatus;
use tonic_health::server::HealthReporter;

use crate::clock::Clock;
use crate::store::{Store, StoreHealth};

/// The time between two tries of a store whose writes fail.
const RETRY_EVERY: Duration = Duration::from_secs(1);

/// Says whether the server takes calls: the whole (the empty name), and each of its services.
#[derive(Clone, Debug)]
pub(super) struct Health {
    reporter: HealthReporter,
    names: Vec<&'static str>,
}

impl Health {
    /// The health of these services, which `reporter` tells.
    pub(super) const fn new(reporter: HealthReporter, names: Vec<&'static str>) -> Self {
        Self { reporter, names }
    }

    /// Says SERVING while the store takes writes, until `leaving` is cancelled; NOT_SERVING from then on. Has a store whose
    /// writes fail try again.
    pub(super) async fn follow(
        self,
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        leaving: CancellationToken,
    ) {
        let mut told = store.health();
        loop {
            let now = *told.borrow_and_update();
            self.set(if now == StoreHealth::Writable {
                ServingStatus::Serving
            } else {
                ServingStatus::NotServing
            })
            .await;
            let retry_at = clock.elapsed().saturating_add(RETRY_EVERY);
            tokio::select! {
                biased;
                () = leaving.cancelled() => break,
                // The store is there for as long as this is.
                _ = told.changed() => {}
                () = clock.reach(retry_at), if now == StoreHealth::Failing => store.retry(),
            }
        }
        self.set(ServingStatus::NotServing).await;
    }

    async fn set(&self, status: ServingStatus) {
        for name in self.names.iter().copied().chain([""]) {
            self.reporter.set_service_status(name, status).await;
        }
    }
}
