//! The times at which the server of a world was down ([`Outages`]), by the time of the world.

use std::time::Duration;

/// The times at which there was no server.
#[derive(Clone, Debug)]
pub(crate) struct Outages {
    over: Vec<(Duration, Duration)>,
    /// Since when there is none; `None`: there is one.
    down: Option<Duration>,
}

impl Default for Outages {
    fn default() -> Self {
        Self { over: Vec::new(), down: Some(Duration::ZERO) }
    }
}

impl Outages {
    /// The server is gone.
    pub(crate) fn begin(&mut self, at: Duration) {
        self.down.get_or_insert(at);
    }

    /// A server is there again, since then.
    pub(crate) fn end(&mut self, at: Duration) {
        if let Some(from) = self.down.take() {
            self.over.push((from, at));
        }
    }

    /// The time between two moments in which the server was up, and how often it went down between them.
    pub(crate) fn up_between(&self, from: Duration, until: Duration) -> (Duration, u32) {
        let within = self.over.iter().filter(|(begin, end)| *end > from && *begin < until);
        let (mut down, mut count) = (Duration::ZERO, 0);
        for (begin, end) in within {
            down += (*end).min(until).saturating_sub((*begin).max(from));
            count += 1;
        }
        (until.saturating_sub(from).saturating_sub(down), count)
    }

    /// How often the server went down.
    pub(crate) fn count(&self) -> usize {
        self.over.len().saturating_sub(1)
    }
}
