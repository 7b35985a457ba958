//! The services without a wire: the same calls, with their messages written and read, but no connection. What is left of the
//! difference to an echo of the same kind is what a call itself costs.

use std::sync::Arc;
use std::time::Instant;

use edgehill_proto::v1;
use edgehill_proto::v1::match_service_client::MatchServiceClient;
use edgehill_proto::v1::match_service_server::{MatchService, MatchServiceServer};
use edgehill_service::api::Matches;
use edgehill_service::store::MemoryStore;

use crate::echo::Echo;
use crate::unary::{Sizes, Table, by};
use crate::{load, serve};

/// Number of calls: always the same, so that their instructions can be counted, too.
const CALLS: u64 = 20_000;

/// A client of a service in this process.
fn client<S: MatchService>(service: S) -> MatchServiceClient<MatchServiceServer<S>> {
    MatchServiceClient::new(MatchServiceServer::new(service))
}

/// Actions a second of one worker, in as many matches as are played over the wire, one after another.
pub(crate) async fn play() -> f64 {
    let matches: Matches = serve::service(Arc::new(MemoryStore::new())).await;
    let mut client = client(matches);
    let mut tables = Vec::new();
    for index in 0..load::MATCHES {
        tables.push(Table::open(&mut client, &format!("alone-{index}")).await);
    }
    let (mut calls, mut games) = (0_u64, tables.len());
    let started = Instant::now();
    while calls < CALLS {
        for table in &mut tables {
            if table.action(&mut client, calls).await.is_none() {
                *table = Table::open(&mut client, &format!("alone-{games}")).await;
                games += 1;
            }
            calls += 1;
        }
    }
    calls as f64 / started.elapsed().as_secs_f64()
}

/// Echoes a second of one worker.
pub(crate) async fn echo(sizes: Sizes) -> f64 {
    let mut client = client(Echo::new(sizes));
    let token = "ehs_".to_owned() + &"a".repeat(86);
    let started = Instant::now();
    for _ in 0..CALLS {
        let request =
            v1::ApplyActionsRequest { request_id: " ".repeat(sizes.request - 2), ..Default::default() };
        client.apply_actions(by(&token, request)).await.expect("an answer");
    }
    CALLS as f64 / started.elapsed().as_secs_f64()
}
