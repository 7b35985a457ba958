//! The order to stop ([`Stop`]).

use tokio::sync::watch;

/// The order to stop, as all that it is for see it. It is given once.
#[derive(Clone, Debug)]
pub(crate) struct Stop(watch::Receiver<bool>);

impl Stop {
    /// An order that is given by sending `true`.
    pub(crate) fn new() -> (watch::Sender<bool>, Self) {
        let (order, stop) = watch::channel(false);
        (order, Self(stop))
    }

    /// Waits for the order. Without anybody left to give it, it never comes.
    pub(crate) async fn ordered(&mut self) {
        if self.0.wait_for(|stop| *stop).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
