//! A client of the swarm ([`Hostile`]), and what the swarm has done so far ([`Swarm`]).

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use edgehill_proto::v1::{self, ErrorReason};
use edgehill_service::wire::status;
use tonic::Status;
use tonic::transport::{Channel, Endpoint};

use crate::line::{Client, DEADLINE, Line};
use crate::random::Random;

/// The usual window of a stream, in bytes.
pub(crate) const WINDOW: u32 = 65_535;

/// Addresses of each client.
const ADDRESSES: u8 = 250;

/// The attacks that were made, by kind.
#[derive(Debug, Default)]
pub(crate) struct Swarm {
    over: AtomicBool,
    attacks: Mutex<BTreeMap<&'static str, u64>>,
}

impl Swarm {
    pub(crate) fn new() -> Arc<Self> {
        Arc::default()
    }

    /// Number of the attacks of the rarest kind.
    pub(crate) fn least(&self) -> u64 {
        self.attacks.lock().unwrap().values().min().copied().unwrap_or_default()
    }

    pub(crate) fn stop(&self) {
        self.over.store(true, Ordering::Relaxed);
    }
}

impl Display for Swarm {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let attacks = self.attacks.lock().unwrap();
        let attacks: Vec<String> = attacks.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        f.write_str(&attacks.join(", "))
    }
}

/// A hostile client.
#[derive(Debug)]
pub(crate) struct Hostile {
    /// The last of its addresses that it called from: it has many, so that no limit of one address holds it up for long.
    from: Ipv4Addr,
    line: Line,
    swarm: Arc<Swarm>,
    pub(crate) random: Random,
}

impl Hostile {
    pub(crate) fn new(from: Ipv4Addr, line: Line, swarm: Arc<Swarm>, random: Random) -> Self {
        Self { from, line, swarm, random }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.swarm.over.load(Ordering::Relaxed)
    }

    /// Counts an attack.
    pub(crate) fn made(&self, attack: &'static str) {
        *self.swarm.attacks.lock().unwrap().entry(attack).or_default() += 1;
    }

    pub(crate) const fn from(&self) -> Ipv4Addr {
        self.from
    }

    /// The address of the server that runs. Waits until one does.
    pub(crate) async fn address(&mut self) -> String {
        self.line.address().await
    }

    /// A connection from the next of its addresses, which takes so many bytes of an answer before it has read any.
    pub(crate) async fn connect(&mut self, window: u32) -> Channel {
        let [_, _, kind, last] = self.from.octets();
        self.from = Ipv4Addr::new(127, 0, kind, last % ADDRESSES + 1);
        loop {
            let address = self.address().await;
            let endpoint = Endpoint::from_shared(format!("http://{address}"))
                .unwrap()
                .local_address(Some(IpAddr::V4(self.from)));
            match endpoint.initial_stream_window_size(window).connect().await {
                Ok(channel) => {
                    self.line.connected(&address);
                    return channel;
                }
                // Its connections of before may still be on their way out.
                Err(_) => tokio::task::yield_now().await,
            }
        }
    }

    /// A client on a connection of its own.
    pub(crate) async fn client(&mut self) -> Client {
        Client::new(self.connect(WINDOW).await)
    }

    /// The answer of a call that is made as the transport has it: the server says something, in time, or was killed.
    pub(crate) async fn answer<T>(
        &self,
        call: impl Future<Output = Result<T, Status>>,
    ) -> Option<Result<T, Status>> {
        let Ok(answer) = tokio::time::timeout(6 * DEADLINE, call).await else {
            assert!(self.line.is_killed(), "a call is not answered");
            return None;
        };
        match &answer {
            Err(status) if status::read(status).is_none() && is_broken(status) => {
                assert!(self.line.is_killed(), "the server runs, and a connection broke: {status:?}");
                None
            }
            _ => {
                answer.as_ref().err().inspect(|status| assert_clear(status));
                Some(answer)
            }
        }
    }

    /// Ids of matches that everybody sees, and that others play.
    pub(crate) async fn seen(&mut self, client: &mut Client) -> Vec<String> {
        let list = v1::ListMatchesRequest { page_size: 50, ..v1::ListMatchesRequest::default() };
        let listed = self.answer(client.list_matches(list)).await.and_then(Result::ok);
        let matches = listed.map(|page| page.into_inner().matches).unwrap_or_default();
        matches.into_iter().filter_map(|one| one.config).map(|config| config.match_id).collect()
    }
}

/// Returns whether a status is of a connection that broke, on this side.
fn is_broken(status: &Status) -> bool {
    std::error::Error::source(status).is_some()
}

/// A refusal says of what it is one; nothing is a fault of the server.
fn assert_clear(status: &Status) {
    match status::read(status) {
        Some(refusal) => {
            let reason = refusal.reason();
            let clear = !matches!(reason, ErrorReason::InternalFault | ErrorReason::Unspecified);
            assert!(clear, "a fault of the server: {refusal:?}");
        }
        // The transport's own: bytes that are no message, a method that no service has.
        None => assert!(!status.message().is_empty(), "nothing is said: {status:?}"),
    }
}
