//! A receiver of traces and metrics, in this process.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use opentelemetry_proto::tonic::collector::metrics::v1::metrics_service_server::{
    MetricsService, MetricsServiceServer,
};
use opentelemetry_proto::tonic::collector::metrics::v1::{
    ExportMetricsServiceRequest, ExportMetricsServiceResponse,
};
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{
    TraceService, TraceServiceServer,
};
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use opentelemetry_proto::tonic::common::v1::{KeyValue, any_value};
use opentelemetry_proto::tonic::metrics::v1::{Metric, NumberDataPoint, metric, number_data_point};
use opentelemetry_proto::tonic::trace::v1::Span;
use tokio::net::TcpListener;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};

/// Keeps what it is sent.
#[derive(Clone, Default)]
pub(crate) struct Receiver {
    pub(crate) spans: Arc<Mutex<Vec<Span>>>,
    pub(crate) metrics: Arc<Mutex<Vec<Metric>>>,
    pub(crate) resources: Arc<Mutex<Vec<KeyValue>>>,
}

#[tonic::async_trait]
impl TraceService for Receiver {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        for resource in request.into_inner().resource_spans {
            self.resources.lock().unwrap().extend(resource.resource.unwrap().attributes);
            let spans = resource.scope_spans.into_iter().flat_map(|scope| scope.spans);
            self.spans.lock().unwrap().extend(spans);
        }
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

#[tonic::async_trait]
impl MetricsService for Receiver {
    async fn export(
        &self,
        request: Request<ExportMetricsServiceRequest>,
    ) -> Result<Response<ExportMetricsServiceResponse>, Status> {
        let resources = request.into_inner().resource_metrics.into_iter();
        let metrics = resources.flat_map(|resource| resource.scope_metrics).flat_map(|scope| scope.metrics);
        self.metrics.lock().unwrap().extend(metrics);
        Ok(Response::new(ExportMetricsServiceResponse::default()))
    }
}

impl Receiver {
    /// The last figure of a metric that came with these labels alone.
    pub(crate) fn figure(&self, name: &str, labels: &[(&str, &str)]) -> f64 {
        let metrics = self.metrics.lock().unwrap();
        let of_name = metrics.iter().filter(|metric| metric.name == name);
        let mut points = of_name.flat_map(|metric| match metric.data.as_ref().unwrap() {
            metric::Data::Sum(sum) => sum.data_points.clone(),
            metric::Data::Gauge(gauge) => gauge.data_points.clone(),
            other => panic!("{other:?}"),
        });
        let is_asked = |point: &NumberDataPoint| {
            let given: Vec<_> = point.attributes.iter().map(label).collect();
            given.iter().map(|(key, value)| (&**key, &**value)).eq(labels.iter().copied())
        };
        let point = points.rfind(is_asked).unwrap_or_else(|| panic!("no {name} with {labels:?}"));
        match point.value.unwrap() {
            number_data_point::Value::AsDouble(figure) => figure,
            number_data_point::Value::AsInt(figure) => u32::try_from(figure).unwrap().into(),
        }
    }
}

/// The key and the text of a label.
fn label(label: &KeyValue) -> (String, String) {
    let value = label.value.as_ref().and_then(|value| value.value.as_ref());
    let Some(any_value::Value::StringValue(text)) = value else { panic!("{label:?}") };
    (label.key.clone(), text.clone())
}

pub(crate) async fn receiver() -> (Receiver, SocketAddr) {
    let receiver = Receiver::default();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = tonic::transport::Server::builder()
        .add_service(TraceServiceServer::new(receiver.clone()))
        .add_service(MetricsServiceServer::new(receiver.clone()));
    tokio::spawn(server.serve_with_incoming(TcpIncoming::from(listener)));
    (receiver, address)
}

/// The labels of each of a metric's points.
pub(crate) fn labels(metric: &Metric) -> Vec<Vec<KeyValue>> {
    match metric.data.clone().unwrap() {
        metric::Data::Sum(sum) => sum.data_points.into_iter().map(|point| point.attributes).collect(),
        metric::Data::Gauge(gauge) => gauge.data_points.into_iter().map(|point| point.attributes).collect(),
        metric::Data::Histogram(all) => all.data_points.into_iter().map(|point| point.attributes).collect(),
        other => panic!("{other:?}"),
    }
}
