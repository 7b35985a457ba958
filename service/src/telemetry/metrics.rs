//! The counts and measurements: [`Metrics`].
//!
//! | instrument | kind | labels |
//! | --- | --- | --- |
//! | `rpc.server.calls` | counter | `rpc.service`, `rpc.method`, `rpc.grpc.status_code` |
//! | `rpc.server.duration` | histogram, seconds; calls that are no streams | the same |
//! | `edgehill.streams.open` | up and down | `rpc.service`, `rpc.method` |
//! | `edgehill.matches.loaded` | gauge: matches in memory | none |
//! | `edgehill.matches.loaded_bytes` | gauge: about how many bytes they have | none |
//! | `edgehill.matches.unplayable` | gauge: those that were not over at the start and can't be played | none |
//! | `edgehill.store.appends`, `edgehill.store.flushes`, `edgehill.store.failures` | counters | none |

use std::sync::{Arc, Weak};
use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::metrics::{Counter, Histogram, Meter, MeterProvider, NoopMeterProvider, UpDownCounter};

use crate::host::Host;
use crate::store::{Stats, Store};

/// Bounds of the buckets of a call's duration, in seconds: from a call that only looks into memory to one that waits.
const SECONDS: [f64; 14] =
    [0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];

/// One figure of those that a store has.
type Figure = fn(Stats) -> u64;

/// The server's instruments. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Metrics {
    meter: Meter,
    calls: Counter<u64>,
    duration: Histogram<f64>,
    streams: UpDownCounter<i64>,
}

/// The labels of calls that end alike, made once: each call has some.
#[derive(Debug)]
pub struct CallEnd([KeyValue; 3]);

impl CallEnd {
    /// Calls of a method that end with a gRPC status code; service and method by their names, or `unknown`.
    #[must_use]
    pub fn new(service: &Arc<str>, method: &Arc<str>, code: i32) -> Self {
        Self([
            KeyValue::new("rpc.service", Arc::clone(service)),
            KeyValue::new("rpc.method", Arc::clone(method)),
            KeyValue::new("rpc.grpc.status_code", i64::from(code)),
        ])
    }
}

impl Metrics {
    /// Instruments whose figures go to `provider`.
    #[must_use]
    pub fn new(provider: &impl MeterProvider) -> Self {
        let meter = provider.meter("edgehill");
        Self {
            calls: meter.u64_counter("rpc.server.calls").with_description("calls that ended").build(),
            duration: meter
                .f64_histogram("rpc.server.duration")
                .with_unit("s")
                .with_boundaries(SECONDS.to_vec())
                .build(),
            streams: meter.i64_up_down_counter("edgehill.streams.open").build(),
            meter,
        }
    }

    /// Instruments whose figures go nowhere.
    #[must_use]
    pub fn nowhere() -> Self {
        Self::new(&NoopMeterProvider::new())
    }

    /// Counts a call that ended, and measures how long it took, which is `None` for streams.
    pub fn call(&self, end: &CallEnd, took: Option<Duration>) {
        let CallEnd(labels) = end;
        self.calls.add(1, labels);
        if let Some(took) = took {
            self.duration.record(took.as_secs_f64(), labels);
        }
    }

    /// Counts streams that are opened (1) and closed (-1).
    pub fn streams(&self, service: &Arc<str>, method: &Arc<str>, by: i64) {
        let labels = [
            KeyValue::new("rpc.service", Arc::clone(service)),
            KeyValue::new("rpc.method", Arc::clone(method)),
        ];
        self.streams.add(by, &labels);
    }

    /// Tells how many matches `host` has in memory, and how large they are, whenever the figures are read.
    pub fn watch_host(&self, host: &Host) {
        let unplayable = host.unplayable_matches();
        self.meter
            .u64_observable_gauge("edgehill.matches.unplayable")
            .with_description("matches that were not over at the start and can't be played")
            .with_callback(move |observer| observer.observe(unplayable, &[]))
            .build();
        let (host, weighed) = (host.clone(), host.clone());
        self.meter
            .u64_observable_gauge("edgehill.matches.loaded")
            .with_description("matches in memory")
            .with_callback(move |observer| observer.observe(host.loaded_matches() as u64, &[]))
            .build();
        self.meter
            .u64_observable_gauge("edgehill.matches.loaded_bytes")
            .with_description("bytes of the matches in memory")
            .with_unit("By")
            .with_callback(move |observer| observer.observe(weighed.loaded_bytes(), &[]))
            .build();
    }

    /// Tells what `store` has done, whenever the figures are read.
    pub fn watch_store(&self, store: &Arc<dyn Store>) {
        let counters: [(&'static str, &'static str, Figure); 3] = [
            ("edgehill.store.appends", "creates and appends that became durable", |stats| stats.appends),
            ("edgehill.store.flushes", "transactions that became durable", |stats| stats.transactions),
            ("edgehill.store.failures", "transactions that failed", |stats| stats.failures),
        ];
        for (name, description, of) in counters {
            // The figures do not keep the store alive.
            let store: Weak<dyn Store> = Arc::downgrade(store);
            self.meter
                .u64_observable_counter(name)
                .with_description(description)
                .with_callback(move |observer| {
                    if let Some(store) = store.upgrade() {
                        observer.observe(of(store.stats()), &[]);
                    }
                })
                .build();
        }
    }
}
