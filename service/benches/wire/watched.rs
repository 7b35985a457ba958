//! The cost to a server of sending traces and metrics: the same server with its log alone, and with a receiver beside it.

use std::path::Path;
use std::time::Duration;

use edgehill_service::config::TelemetryConfig;
use edgehill_service::server::{self, Context, Services};
use edgehill_service::telemetry::Telemetry;
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
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};

use crate::kind::{Kind, Peer};
use crate::serve;

/// The variable that names the receiver to a server in a process of its own.
const RECEIVER: &str = "EDGEHILL_BENCH_RECEIVER";

/// Rounds of each kind: the differences are smaller than the noise of one round.
const ROUNDS: usize = 21;

/// Takes what it is sent, and forgets it.
#[derive(Copy, Clone)]
struct Receiver;

#[tonic::async_trait]
impl TraceService for Receiver {
    async fn export(
        &self,
        _: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

#[tonic::async_trait]
impl MetricsService for Receiver {
    async fn export(
        &self,
        _: Request<ExportMetricsServiceRequest>,
    ) -> Result<Response<ExportMetricsServiceResponse>, Status> {
        Ok(Response::new(ExportMetricsServiceResponse::default()))
    }
}

/// A server in memory as its command runs it, which keeps this share of its traces; `None`: nobody receives any.
pub(crate) async fn server(share: Option<f64>) -> server::Handle {
    let config = serve::config();
    let otlp_endpoint = share.and_then(|_| std::env::var(RECEIVER).ok());
    let telemetry = TelemetryConfig {
        otlp_endpoint,
        sampling_ratio: share.unwrap_or_default(),
        ..config.telemetry.clone()
    };
    let telemetry = Telemetry::start(&config.log, &telemetry).expect("a process without logs");
    let context = Context::open(config, telemetry.metrics().clone()).expect("a server without a store");
    let services = Services::all(&context).await.expect("an empty store");
    // It sends until the process ends.
    Box::leak(Box::new(telemetry));
    server::start(context, services).await.expect("a free port")
}

/// Prints what a call costs of the processor of each of them. The servers take turns, and each is held against the one with its
/// log alone of the same turn: the median of these ratios, and the middle half of them.
pub(crate) async fn costs(folder: &Path) {
    let incoming = TcpIncoming::bind(serve::free_port()).expect("a free port");
    let address = incoming.local_addr().expect("an address");
    let receiver = Server::builder()
        .add_service(TraceServiceServer::new(Receiver))
        .add_service(MetricsServiceServer::new(Receiver));
    tokio::spawn(receiver.serve_with_incoming(incoming));
    let receiver = [(RECEIVER, format!("http://{address}"))];
    println!("us of the server's processor    alone               1 % of traces                 all of them");
    for (name, way) in [("a call", Kind::Unary as fn(Peer) -> Kind), ("a message of PlaySeats", Kind::Play)] {
        let mut used = [Peer::Logged, Peer::Sampled, Peer::Traced].map(|peer| (peer, Vec::new()));
        for _ in 0..ROUNDS {
            for (peer, used) in &mut used {
                let inner = tempfile::tempdir_in(folder).expect("a folder to write in");
                used.push(us(way(*peer).cost(inner.path(), &receiver).await));
            }
        }
        let [alone, sampled, traced] = used.map(|(_, used)| used);
        let (sampled, traced) = (more(&sampled, &alone), more(&traced, &alone));
        println!("{name:<31}{:>6.1}{sampled:>28}{traced:>28}", crate::median(alone));
    }
}

/// The median of what is used, and by how many percent it is more than `alone`: the median, and the middle half.
fn more(used: &[f64], alone: &[f64]) -> String {
    let mut ratios: Vec<f64> =
        used.iter().zip(alone).map(|(with, alone)| 100.0 * (with / alone - 1.0)).collect();
    ratios.sort_by(f64::total_cmp);
    let [low, middle, high] = [1, 2, 3].map(|quarter| ratios[quarter * ratios.len() / 4]);
    format!("{:.1} ({middle:+.0} %; {low:+.0} to {high:+.0})", crate::median(used.to_vec()))
}

fn us(cost: Duration) -> f64 {
    cost.as_secs_f64() * 1e6
}
