//! The server's counts and measurements: [`Metrics`], by the table of [`super::instruments`].

mod observed;

use std::sync::Arc;
use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::metrics::{Counter, Histogram, Meter, MeterProvider, NoopMeterProvider, UpDownCounter};
use tonic::Code;

use super::code_name;
use super::instruments::{self, Instrument, labels};

/// Bounds of the buckets of durations, in seconds: from a call that only looks into memory to one that waits.
const SECONDS: [f64; 14] =
    [0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];

/// The server's instruments. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Metrics(Arc<Instruments>);

#[derive(Debug)]
struct Instruments {
    meter: Meter,
    call_duration: Histogram<f64>,
    calls_refused: Counter<u64>,
    streams_open: UpDownCounter<i64>,
    streams_ended: Counter<u64>,
    replay_duration: Histogram<f64>,
    append_duration: Histogram<f64>,
    bot_turn_duration: Histogram<f64>,
    calls_forwarded: Counter<u64>,
}

/// The labels of a method's calls, made once: each call has some.
#[derive(Debug)]
pub struct MethodLabels {
    open: [KeyValue; 1],
    /// By status code.
    ended: Vec<Vec<KeyValue>>,
}

/// The status codes of gRPC are 0 to 16.
const CODES: i32 = 17;

impl MethodLabels {
    /// Calls of a method by its full name, or of one that no service has.
    #[must_use]
    pub fn new(full_name: &Arc<str>) -> Self {
        let method = KeyValue::new(labels::METHOD, Arc::clone(full_name));
        let ended = (0..CODES).map(Code::from_i32).map(|code| {
            let mut ended = vec![
                KeyValue::new(labels::SYSTEM, "grpc"),
                method.clone(),
                KeyValue::new(labels::STATUS, code_name(code)),
            ];
            if is_server_fault(code) {
                ended.push(KeyValue::new(labels::ERROR, code_name(code)));
            }
            ended
        });
        Self { ended: ended.collect(), open: [method] }
    }

    fn ended(&self, code: Code) -> &[KeyValue] {
        usize::try_from(code as i32).ok().and_then(|code| self.ended.get(code)).map_or(&[], Vec::as_slice)
    }
}

/// Returns whether the server, and not the caller, is at fault (OpenTelemetry's convention for servers).
#[must_use]
pub const fn is_server_fault(code: Code) -> bool {
    matches!(
        code,
        Code::Unknown
            | Code::DeadlineExceeded
            | Code::Unimplemented
            | Code::Internal
            | Code::Unavailable
            | Code::DataLoss
    )
}

impl Default for Metrics {
    /// [`Metrics::nowhere`].
    fn default() -> Self {
        Self::nowhere()
    }
}

impl Metrics {
    /// Instruments whose figures go to `provider`.
    #[must_use]
    pub fn new(provider: &impl MeterProvider) -> Self {
        let meter = provider.meter("edgehill");
        let counter = |Instrument { name, unit, description, .. }: Instrument| {
            meter.u64_counter(name).with_unit(unit).with_description(description).build()
        };
        let seconds = |Instrument { name, unit, description, .. }: Instrument| {
            let histogram = meter.f64_histogram(name).with_unit(unit).with_description(description);
            histogram.with_boundaries(SECONDS.to_vec()).build()
        };
        let Instrument { name, unit, description, .. } = instruments::STREAMS_OPEN;
        let streams_open =
            meter.i64_up_down_counter(name).with_unit(unit).with_description(description).build();
        let instruments = Instruments {
            call_duration: seconds(instruments::CALL_DURATION),
            calls_refused: counter(instruments::CALLS_REFUSED),
            streams_open,
            streams_ended: counter(instruments::STREAMS_ENDED),
            replay_duration: seconds(instruments::MATCHES_REPLAY_DURATION),
            append_duration: seconds(instruments::APPEND_DURATION),
            bot_turn_duration: seconds(instruments::BOT_TURN_DURATION),
            calls_forwarded: counter(instruments::CLUSTER_CALLS_FORWARDED),
            meter: meter.clone(),
        };
        Self(Arc::new(instruments))
    }

    /// Instruments whose figures go nowhere.
    #[must_use]
    pub fn nowhere() -> Self {
        Self::new(&NoopMeterProvider::new())
    }

    /// Notes a call that is no stream and ended, and how long it took.
    pub fn call_ended(&self, method: &MethodLabels, code: Code, took: Duration) {
        self.0.call_duration.record(took.as_secs_f64(), method.ended(code));
    }

    /// Notes a call, or a message of a stream, that was refused for this reason.
    pub fn refused(&self, reason: &'static str) {
        self.0.calls_refused.add(1, &[KeyValue::new(labels::REASON, reason)]);
    }

    /// Notes a stream that is opened.
    pub fn stream_opened(&self, method: &MethodLabels) {
        self.0.streams_open.add(1, &method.open);
    }

    /// Notes a stream that ended: whether it was open, and its status.
    pub fn stream_ended(&self, method: &MethodLabels, was_open: bool, code: Code) {
        if was_open {
            self.0.streams_open.add(-1, &method.open);
        }
        // A stream is of gRPC, and its faults are seen by their codes.
        let ended = method.ended(code);
        self.0.streams_ended.add(1, ended.get(1..3).unwrap_or_default());
    }

    /// Notes a match that came from its log into the memory.
    pub fn match_replayed(&self, took: Duration) {
        self.0.replay_duration.record(took.as_secs_f64(), &[]);
    }

    /// Notes an append that is durable, or refused, and how long that took from its place in line on.
    pub fn append_ended(&self, took: Duration) {
        self.0.append_duration.record(took.as_secs_f64(), &[]);
    }

    /// Notes a call that was another server's to answer, with the status that it ended with.
    pub fn call_forwarded(&self, code: Code) {
        self.0.calls_forwarded.add(1, &[KeyValue::new(labels::STATUS, code_name(code))]);
    }

    /// Notes a turn of a house bot.
    pub fn bot_turn(&self, game: &str, took: Duration) {
        let game = KeyValue::new(labels::BOT_GAME, game.to_owned());
        self.0.bot_turn_duration.record(took.as_secs_f64(), &[game]);
    }
}
