//! Logs, traces and metrics of one process: [`Telemetry`].

use std::io::stderr;
use std::panic;
use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::{ExporterBuildError, MetricExporter, SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::{PeriodicReader, SdkMeterProvider};
use opentelemetry_sdk::trace::{Sampler, SdkTracerProvider};
use thiserror::Error;
use tracing_subscriber::filter::ParseError;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::{SubscriberInitExt, TryInitError};
use tracing_subscriber::{EnvFilter, fmt};

use super::Metrics;
use super::sampling::Sampled;
use crate::config::{self, Log, LogFormat};

/// The time that one export may take, and so the time that unsent data may hold up the end.
const EXPORT: Duration = Duration::from_secs(5);

/// The reason that there are no logs or no telemetry.
#[derive(Debug, Error)]
pub enum TelemetryError {
    /// The filter can't be read; the configuration was not checked.
    #[error("log.filter: {0}")]
    Filter(#[from] ParseError),
    /// The exporter can't be made.
    #[error("telemetry.otlp_endpoint: {0}")]
    Exporter(#[from] ExporterBuildError),
    /// The process logs already.
    #[error("the process logs already: {0}")]
    Twice(#[from] TryInitError),
}

/// The telemetry that has to be sent before the process ends.
#[derive(Debug)]
pub struct Telemetry {
    metrics: Metrics,
    tracing: Option<SdkTracerProvider>,
    metering: Option<SdkMeterProvider>,
}

impl Telemetry {
    /// Sends logs to stderr and, if there is a receiver, traces and metrics to it; for the whole process, once. Has to be
    /// called within the runtime, which the exporters use.
    ///
    /// # Errors
    /// [`TelemetryError`].
    pub fn start(log: &Log, telemetry: &config::TelemetryConfig) -> Result<Self, TelemetryError> {
        let (tracing, metering) = match &telemetry.otlp_endpoint {
            Some(endpoint) => (Some(tracer(endpoint, telemetry)?), Some(meter(endpoint, telemetry)?)),
            None => (None, None),
        };
        let traces = tracing.as_ref().map(|provider| {
            let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("edgehill"));
            layer.with_filter(Sampled::new(telemetry.sampling_ratio, telemetry.client_sampling))
        });
        let lines = fmt::layer().with_writer(stderr);
        let lines = match log.format {
            LogFormat::Text => lines.with_ansi(false).boxed(),
            LogFormat::Json => lines.json().flatten_event(true).boxed(),
        };
        let lines = lines.with_filter(log.filter.parse::<EnvFilter>()?);
        tracing_subscriber::registry().with(lines).with(traces).try_init()?;
        log_panics();
        let metrics = metering.as_ref().map_or_else(Metrics::nowhere, Metrics::new);
        metrics.watch_process();
        Ok(Self { metrics, tracing, metering })
    }

    /// The instruments.
    #[must_use]
    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// Sends what was not sent yet. Blocks for as long as that takes, at most some seconds, and needs the runtime to go on
    /// meanwhile: it must not be called on one of its threads.
    pub fn stop(self) {
        let stopped = [
            self.tracing.map(|provider| provider.shutdown_with_timeout(EXPORT)),
            self.metering.map(|provider| provider.shutdown_with_timeout(EXPORT)),
        ];
        for error in stopped.into_iter().flatten().filter_map(Result::err) {
            tracing::warn!(%error, "the last traces or metrics were not sent");
        }
    }
}

/// The sender as receivers are told of it: each start is an instance of its own.
fn resource(telemetry: &config::TelemetryConfig) -> Resource {
    let instance = format!("{:016x}{:016x}", fastrand::u64(..), fastrand::u64(..));
    let attributes =
        [KeyValue::new("service.version", crate::VERSION), KeyValue::new("service.instance.id", instance)];
    Resource::builder().with_service_name(telemetry.service_name.clone()).with_attributes(attributes).build()
}

fn tracer(endpoint: &str, telemetry: &config::TelemetryConfig) -> Result<SdkTracerProvider, TelemetryError> {
    let exporter =
        SpanExporter::builder().with_tonic().with_endpoint(endpoint).with_timeout(EXPORT).build()?;
    let provider = SdkTracerProvider::builder()
        .with_batch_exporter(exporter)
        // The choice is made before a span comes here.
        .with_sampler(Sampler::AlwaysOn)
        .with_resource(resource(telemetry));
    Ok(provider.build())
}

fn meter(endpoint: &str, telemetry: &config::TelemetryConfig) -> Result<SdkMeterProvider, TelemetryError> {
    let exporter =
        MetricExporter::builder().with_tonic().with_endpoint(endpoint).with_timeout(EXPORT).build()?;
    let interval = Duration::from_secs(telemetry.metric_interval_seconds.into());
    let reader = PeriodicReader::builder(exporter).with_interval(interval).build();
    Ok(SdkMeterProvider::builder().with_reader(reader).with_resource(resource(telemetry)).build())
}

/// Tells of panics in the log and in its form, where they are found.
fn log_panics() {
    panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        let what = panic.payload_as_str().unwrap_or("a panic without words");
        tracing::error!(place, "a panic: {what}");
    }));
}
