//! The figures that are looked up whenever they are sent.

use std::sync::{Arc, Weak};

use opentelemetry::KeyValue;

use super::Metrics;
use super::instruments::{self, Instrument, InstrumentKind, labels};
use crate::clock::Clock;
use crate::competitions::Competitions;
use crate::host::Host;
use crate::store::{Membership, Shard, ShardSet, Stats, Store, StoreFailures, StoreHealth};
use crate::telemetry::process;

/// A figure with its labels.
type Figure = (u64, Vec<KeyValue>);

/// An instrument, and how its figure is looked up.
type LookUp<T> = (Instrument, fn(&T) -> u64);

impl Metrics {
    /// Looks up the figures of an instrument whenever they are sent.
    fn observe(&self, instrument: Instrument, figures: impl Fn() -> Vec<Figure> + Send + Sync + 'static) {
        let Instrument { name, kind, unit, description, .. } = instrument;
        let meter = &self.0.meter;
        match kind {
            InstrumentKind::Counter => {
                let counter = meter.u64_observable_counter(name).with_unit(unit);
                let counter = counter.with_description(description).with_callback(move |observer| {
                    figures().iter().for_each(|(figure, labels)| observer.observe(*figure, labels));
                });
                counter.build();
            }
            InstrumentKind::UpDownCounter => {
                let counter = meter.i64_observable_up_down_counter(name).with_unit(unit);
                let counter = counter.with_description(description).with_callback(move |observer| {
                    for (figure, labels) in figures() {
                        observer.observe(i64::try_from(figure).unwrap_or(i64::MAX), &labels);
                    }
                });
                counter.build();
            }
            InstrumentKind::Gauge => {
                let gauge = meter.u64_observable_gauge(name).with_unit(unit);
                let gauge = gauge.with_description(description).with_callback(move |observer| {
                    figures().iter().for_each(|(figure, labels)| observer.observe(*figure, labels));
                });
                gauge.build();
            }
            InstrumentKind::Histogram => unreachable!("a histogram is not looked up"),
        }
    }

    /// The same of one figure without labels.
    fn observe_one(&self, instrument: Instrument, figure: impl Fn() -> u64 + Send + Sync + 'static) {
        self.observe(instrument, move || vec![(figure(), Vec::new())]);
    }

    /// Tells which build this is, and what the process has.
    pub(in super::super) fn watch_process(&self) {
        self.observe(instruments::BUILD, || vec![(1, vec![KeyValue::new(labels::VERSION, crate::VERSION)])]);
        self.observe(instruments::MEMORY_USAGE, || {
            process::memory_bytes().map(|bytes| (bytes, Vec::new())).into_iter().collect()
        });
        self.observe(instruments::OPEN_FILES, || {
            process::open_files().map(|files| (files, Vec::new())).into_iter().collect()
        });
        let Instrument { name, unit, description, .. } = instruments::CPU_TIME;
        let counter = self.0.meter.f64_observable_counter(name).with_unit(unit).with_description(description);
        let counter = counter.with_callback(|observer| {
            for (mode, seconds) in process::cpu_seconds().into_iter().flatten() {
                observer.observe(seconds, &[KeyValue::new(labels::CPU_MODE, mode)]);
            }
        });
        counter.build();
    }

    /// Tells how many connections there are of those that there may be.
    pub fn watch_connections(&self, limit: usize, open: impl Fn() -> usize + Send + Sync + 'static) {
        self.observe_one(instruments::CONNECTIONS_OPEN, move || open() as u64);
        self.observe_one(instruments::CONNECTIONS_LIMIT, move || limit as u64);
    }

    /// Tells how many TLS handshakes failed.
    pub fn watch_handshakes(&self, failed: impl Fn() -> u64 + Send + Sync + 'static) {
        self.observe_one(instruments::HANDSHAKES_FAILED, failed);
    }

    /// Tells of this server's place among those that share its database.
    pub fn watch_membership(&self, membership: &Membership, clock: &Arc<dyn Clock>) {
        let (standing, clock) = (membership.standing(), Arc::clone(clock));
        let remaining = {
            let (standing, clock) = (standing.clone(), Arc::clone(&clock));
            move || standing.borrow().remaining(clock.elapsed())
        };
        // Those of a lease that has run out may be others' already.
        let owned = {
            let (standing, remaining) = (standing.clone(), remaining.clone());
            move || if remaining().is_some() { standing.borrow().owned() } else { ShardSet::NONE }
        };
        let of_home = owned.clone();
        self.observe_one(instruments::CLUSTER_SHARDS, move || owned().len() as u64);
        self.observe_one(instruments::CLUSTER_HOME, move || u64::from(of_home().contains(Shard::OF_STORE)));
        self.observe_one(instruments::CLUSTER_TAKEOVERS, move || standing.borrow().claims.count);
        let answers = membership.database_answers();
        self.observe_one(instruments::CLUSTER_DATABASE_ANSWERS, move || u64::from(answers()));
        let Instrument { name, unit, description, .. } = instruments::CLUSTER_LEASE_REMAINING;
        let gauge = self.0.meter.f64_observable_gauge(name).with_unit(unit).with_description(description);
        let gauge = gauge.with_callback(move |observer| {
            observer.observe(remaining().unwrap_or_default().as_secs_f64(), &[]);
        });
        gauge.build();
    }

    /// Tells of the matches that `host` has in memory, and of its house bots.
    pub fn watch_host(&self, host: &Host) {
        let figures: [LookUp<Host>; 5] = [
            (instruments::MATCHES_LOADED, |host| host.loaded_matches() as u64),
            (instruments::MATCHES_LOADED_BYTES, Host::loaded_bytes),
            (instruments::MATCHES_EVICTED, Host::evicted_matches),
            (instruments::MATCHES_UNPLAYABLE, Host::unplayable_matches),
            (instruments::BOT_TURNS_WAITING, |host| host.waiting_bot_turns() as u64),
        ];
        for (instrument, figure) in figures {
            let host = host.clone();
            self.observe_one(instrument, move || figure(&host));
        }
    }

    /// Tells of the competitions that are played, of those that do not go on, and of verdicts.
    pub fn watch_competitions(&self, competitions: &Competitions) {
        let figures: [LookUp<Competitions>; 2] = [
            (instruments::COMPETITIONS_RUNNING, |competitions| competitions.running() as u64),
            (instruments::COMPETITIONS_HINDERED, |competitions| competitions.hindered() as u64),
        ];
        for (instrument, figure) in figures {
            let competitions = competitions.clone();
            self.observe_one(instrument, move || figure(&competitions));
        }
        let competitions = competitions.clone();
        self.observe(instruments::COMPETITIONS_VERDICTS, move || {
            let labelled = |(kind, count)| (count, vec![KeyValue::new(labels::VERDICT, kind)]);
            competitions.verdicts().into_iter().map(labelled).collect()
        });
    }

    /// Tells what `store` has and has done.
    pub fn watch_store(&self, store: &Arc<dyn Store>) {
        let figures: [LookUp<Stats>; 7] = [
            (instruments::MATCHES_QUARANTINED, |stats| stats.quarantined),
            (instruments::STORE_APPENDS, |stats| stats.appends),
            (instruments::STORE_TRANSACTIONS, |stats| stats.transactions),
            (instruments::STORE_LINE_OPERATIONS, |stats| stats.line_operations),
            (instruments::STORE_LINE_BYTES, |stats| stats.line_bytes),
            (instruments::STORE_FILE_BYTES, |stats| stats.file_bytes),
            (instruments::STORE_LOG_BYTES, |stats| stats.log_bytes),
        ];
        // The figures do not keep the store alive.
        let store = Arc::downgrade(store);
        for (instrument, figure) in figures {
            let store: Weak<dyn Store> = Weak::clone(&store);
            self.observe(instrument, move || {
                store.upgrade().map(|store| (figure(&store.stats()), Vec::new())).into_iter().collect()
            });
        }
        let health = Weak::clone(&store);
        self.observe(instruments::STORE_WRITABLE, move || {
            let writable = |store: Arc<dyn Store>| *store.health().borrow() == StoreHealth::Writable;
            health.upgrade().map(|store| (u64::from(writable(store)), Vec::new())).into_iter().collect()
        });
        self.observe(instruments::STORE_FAILURES, move || {
            let Some(store) = store.upgrade() else { return Vec::new() };
            let StoreFailures { undone, unknown, damaged } = store.stats().failures;
            let label = |failure: &'static str| vec![KeyValue::new(labels::FAILURE, failure)];
            vec![(undone, label("undone")), (unknown, label("unknown")), (damaged, label("damaged"))]
        });
    }
}
