//! The services without a wire: the same calls, with their messages written and read, but no connection. What is left of the
//! difference to an echo of the same kind is what a call itself costs.

use std::sync::Arc;
use std::time::{Duration, Instant};

use edgehill_proto::v1;
use edgehill_proto::v1::match_service_client::MatchServiceClient;
use edgehill_proto::v1::match_service_server::{MatchService, MatchServiceServer};
use edgehill_service::api::Matches;
use edgehill_service::store::MemoryStore;

use crate::echo::Echo;
use crate::serve;
use crate::unary::{Sizes, Table, by};

/// How long it is counted.
const ROUND: Duration = Duration::from_secs(2);

/// A client of a service in this process.
fn client<S: MatchService>(service: S) -> MatchServiceClient<MatchServiceServer<S>> {
    MatchServiceClient::new(MatchServiceServer::new(service))
}

/// Steps a second of one worker.
pub(crate) async fn play() -> f64 {
    let matches: Matches = serve::service(Arc::new(MemoryStore::new())).await;
    let mut client = client(matches);
    let (mut calls, mut games) = (0_u64, 0);
    let started = Instant::now();
    while started.elapsed() < ROUND {
        let mut table = Table::open(&mut client, &format!("alone-{games}")).await;
        games += 1;
        while started.elapsed() < ROUND && table.step(&mut client, calls).await.is_some() {
            calls += 1;
        }
    }
    calls as f64 / started.elapsed().as_secs_f64()
}

/// Echoes a second of one worker.
pub(crate) async fn echo(sizes: Sizes) -> f64 {
    let mut client = client(Echo::new(sizes));
    let token = "ehs_".to_owned() + &"a".repeat(86);
    let mut calls = 0_u64;
    let started = Instant::now();
    while started.elapsed() < ROUND {
        let request = v1::ApplyRequest { request_id: " ".repeat(sizes.request - 2), ..Default::default() };
        client.apply(by(&token, request)).await.expect("an answer");
        calls += 1;
    }
    calls as f64 / started.elapsed().as_secs_f64()
}
