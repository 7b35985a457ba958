//! Standings and exports, reckoned beside the workers ([`Reckoner`]): in a competition of hundreds they take a while.

use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::api::refusing;
use crate::wire::Refused;

/// Reckons one thing at a time. Those who wait for it are calls under way, whose number the limits of the server bound.
#[derive(Clone, Debug)]
pub(super) struct Reckoner(Arc<Semaphore>);

impl Reckoner {
    pub(super) fn new() -> Self {
        Self(Arc::new(Semaphore::new(1)))
    }

    /// Returns what `reckon` returns, once it has been its turn.
    ///
    /// # Errors
    /// A fault, if it panics.
    pub(super) async fn reckon<T: Send + 'static>(
        &self,
        reckon: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refused> {
        let fault = |what: String| refusing::fault(&what);
        let turn = Arc::clone(&self.0).acquire_owned().await.map_err(|error| fault(error.to_string()))?;
        let turned = move || {
            let _turn = turn;
            reckon()
        };
        #[expect(clippy::disallowed_methods, reason = "one at a time: the next has to wait for its turn")]
        let reckoned = tokio::task::spawn_blocking(turned).await;
        reckoned.map_err(|error| fault(error.to_string()))
    }
}
