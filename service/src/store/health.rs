//! The health of a store: [`StoreHealth`], and the one place that changes it.

use tokio::sync::watch;

/// The state of a store as far as writes go; reads go on in each of them.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub enum StoreHealth {
    /// Writes succeed, as far as is known.
    #[default]
    Writable,
    /// The last write failed, and none has succeeded since that needed as much. It may pass.
    Failing,
    /// The file is damaged, or another one stands in its place: nothing is written before a person has looked at it.
    Lost,
}

/// Tells those who follow a store how it is.
#[derive(Debug, Default)]
pub(super) struct HealthTeller(watch::Sender<StoreHealth>);

impl HealthTeller {
    /// Notes how the store is from now on.
    pub(super) fn set(&self, health: StoreHealth) {
        self.0.send_if_modified(|now| std::mem::replace(now, health) != health);
    }

    /// The health, now and whenever it changes.
    pub(super) fn follow(&self) -> watch::Receiver<StoreHealth> {
        self.0.subscribe()
    }
}
