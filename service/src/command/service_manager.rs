//! The news that the service manager is told (`sd_notify`), where one started the server and wants to know.

use std::time::Duration;

use sd_notify::NotifyState;
use tokio::time::{MissedTickBehavior, interval};

/// The server accepts connections, or has read its configuration again.
pub(super) fn ready() {
    tell(&[NotifyState::Ready]);
}

/// The server reads its configuration again; [`ready`] follows.
pub(super) fn reloading() {
    match NotifyState::monotonic_usec_now() {
        Ok(now) => tell(&[NotifyState::Reloading, now]),
        Err(_) => tell(&[NotifyState::Reloading]),
    }
}

/// The server begins to stop.
pub(super) fn stopping() {
    tell(&[NotifyState::Stopping]);
}

/// Says that the server is alive, twice within the time after which the service manager takes it for stuck. On the runtime that
/// calls are worked on: if nothing is done there any more, nothing is said.
pub(super) fn start_watchdog() {
    let Some(within) = sd_notify::watchdog_enabled() else { return };
    tokio::spawn(async move {
        let mut ticks = interval((within / 2).max(Duration::from_millis(1)));
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            tell(&[NotifyState::Watchdog]);
        }
    });
}

fn tell(states: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(states) {
        tracing::warn!(%error, "the service manager was not told");
    }
}
