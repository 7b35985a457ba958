//! A client's way to a server that may be killed at any moment ([`Line`]), and the server's address meanwhile ([`Epochs`]).

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use edgehill_proto::v1::match_service_client::MatchServiceClient;
use edgehill_proto::v1::{self, ErrorReason};
use edgehill_service::wire::status;
use tokio::sync::watch;
use tokio::time::timeout;
use tonic::transport::Channel;
use tonic::{Code, Status};

pub(crate) type Client = MatchServiceClient<Channel>;

/// The time in which a client has its answer, or gives up: that of the SDKs for one try.
pub(crate) const DEADLINE: Duration = Duration::from_secs(10);

/// The time that each answer took, from the first try.
#[derive(Clone, Debug, Default)]
pub(crate) struct Waits(Arc<Mutex<Vec<Duration>>>);

impl Waits {
    /// Notes that a call which was made at `asked` is answered.
    pub(crate) fn answered(&self, asked: Instant) {
        self.0.lock().unwrap().push(asked.elapsed());
    }

    pub(crate) fn count(&self) -> usize {
        self.0.lock().unwrap().len()
    }

    /// The longest of those after so many.
    pub(crate) fn longest_after(&self, count: usize) -> Duration {
        self.0.lock().unwrap().iter().skip(count).max().copied().unwrap_or_default()
    }

    /// The time within which so many of a hundred answers came.
    pub(crate) fn percentile(&self, percent: usize) -> Duration {
        let mut waits = self.0.lock().unwrap().clone();
        waits.sort();
        waits.get(waits.len() * percent / 100).copied().unwrap_or_default()
    }
}

/// The time in which a machine has to take a connection; after which one that says nothing is asked whether it is there; and that it has to
/// say so.
const CONNECT: Duration = Duration::from_secs(2);
const ASK: Duration = Duration::from_secs(2);
const ANSWER: Duration = Duration::from_secs(3);

/// The time after which a client asks again that was told to wait.
const PAUSE: Duration = Duration::from_millis(50);

/// One life of the server.
#[derive(Clone, Default, Debug)]
struct Epoch {
    number: u64,
    /// None: it is dead, or not looked through yet. Several: each of them takes calls for all.
    addresses: Vec<String>,
}

/// The lives of the server, as its clients are told of them.
#[derive(Debug, Default)]
pub(crate) struct Epochs {
    now: watch::Sender<Epoch>,
    pub(crate) waits: Waits,
}

impl Epochs {
    /// From here on connections may break. Said before the server is killed: so a connection that breaks without it is a
    /// fault of the server.
    pub(crate) fn down(&self) {
        self.now.send_modify(|epoch| epoch.addresses.clear());
    }

    /// The server runs again, at this address.
    pub(crate) fn up(&self, address: &str) {
        self.now.send_modify(|epoch| {
            epoch.number += 1;
            epoch.addresses = vec![address.to_owned()];
        });
    }

    /// These servers run, of which any may die at any moment, while the others go on.
    pub(crate) fn are(&self, addresses: Vec<String>) {
        self.now.send_modify(|epoch| epoch.addresses = addresses);
    }

    /// A connection; `cluster`: to one server after the other of several, beginning with the one of this number.
    pub(crate) fn line(&self, cluster: Option<usize>) -> Line {
        let (epochs, waits) = (self.now.subscribe(), self.waits.clone());
        Line { epochs, waits, at: 0, client: None, cluster, may_hang: false }
    }

    /// The same, where machines and links may hang: who says nothing is left for another.
    pub(crate) fn line_to_nodes(&self, number: usize) -> Line {
        Line { may_hang: true, ..self.line(Some(number)) }
    }
}

/// A client's connection, which is made again after each death of the server.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    epochs: watch::Receiver<Epoch>,
    pub(crate) waits: Waits,
    at: u64,
    client: Option<Client>,
    /// The server that it is connected to next, of several; `None`: there is one.
    cluster: Option<usize>,
    /// True if a call may have no answer, ever.
    may_hang: bool,
}

impl Line {
    /// A connection to the server that runs. Waits until one does.
    pub(crate) async fn client(&mut self) -> Client {
        if self.cluster.is_some() {
            return self.client_of_any().await;
        }
        loop {
            let up = self.epochs.wait_for(|epoch| !epoch.addresses.is_empty()).await.unwrap().clone();
            if let (true, Some(client)) = (self.at == up.number, &self.client) {
                return client.clone();
            }
            let endpoint = Channel::from_shared(format!("http://{}", up.addresses[0])).unwrap();
            if let Ok(channel) = endpoint.connect().await {
                let client = Client::new(channel);
                (self.at, self.client) = (up.number, Some(client.clone()));
                return client;
            }
            // It was killed on the way here.
            let over = |now: &Epoch| now.number != up.number || now.addresses.is_empty();
            timeout(DEADLINE, self.epochs.wait_for(over))
                .await
                .expect("the server runs and lets nobody in")
                .unwrap();
        }
    }

    /// A connection to one of several servers: another one whenever it was lost, after a pause, as the servers ask for.
    async fn client_of_any(&mut self) -> Client {
        loop {
            if let Some(client) = &self.client {
                return client.clone();
            }
            if self.at > 0 {
                pause().await;
            }
            let up = self.epochs.wait_for(|epoch| !epoch.addresses.is_empty()).await.unwrap().clone();
            let next = self.cluster.as_mut().unwrap();
            *next += 1;
            let endpoint =
                Channel::from_shared(format!("http://{}", up.addresses[*next % up.addresses.len()]));
            let mut endpoint = endpoint.unwrap();
            if self.may_hang {
                endpoint = endpoint
                    .connect_timeout(CONNECT)
                    .http2_keep_alive_interval(ASK)
                    .keep_alive_timeout(ANSWER)
                    .keep_alive_while_idle(true);
            }
            match endpoint.connect().await {
                Ok(channel) => {
                    self.at += 1;
                    self.client = Some(Client::new(channel));
                }
                Err(_) => pause().await,
            }
        }
    }

    /// The address of the server that runs. Waits until one does.
    pub(crate) async fn address(&mut self) -> String {
        self.epochs.wait_for(|epoch| !epoch.addresses.is_empty()).await.unwrap().addresses[0].clone()
    }

    /// From here on it is of the life at `address`, which somebody has connected to by themselves.
    pub(crate) fn connected(&mut self, address: &str) {
        let now = self.epochs.borrow();
        self.at = if now.addresses.first().is_some_and(|first| first == address) { now.number } else { 0 };
    }

    /// Returns whether the server has been killed since this line was connected.
    pub(crate) fn is_killed(&self) -> bool {
        let now = self.epochs.borrow();
        now.number != self.at || now.addresses.is_empty()
    }

    /// Returns the life of the server that the connection is to.
    pub(crate) fn epoch(&self) -> u64 {
        self.at
    }

    /// Makes a call until the server has answered it, from one life of the server to the next.
    pub(crate) async fn insist<T, F>(&mut self, call: impl Fn(Client) -> F) -> Result<T, v1::Refusal>
    where
        F: Future<Output = Result<T, Status>>,
    {
        self.insist_noting(call, |_| {}).await.1
    }

    /// The same; when the try began that was answered, with the answer. `unanswered` is told of each other one when that began.
    pub(crate) async fn insist_noting<T, F>(
        &mut self,
        call: impl Fn(Client) -> F,
        unanswered: impl Fn(Instant),
    ) -> (Instant, Result<T, v1::Refusal>)
    where
        F: Future<Output = Result<T, Status>>,
    {
        let wanted = Instant::now();
        loop {
            let client = self.client().await;
            let asked = Instant::now();
            match timeout(DEADLINE, call(client)).await {
                Ok(Ok(answer)) => {
                    self.waits.answered(wanted);
                    return (asked, Ok(answer));
                }
                Ok(Err(status)) => {
                    if let Some(refusal) = status::read(&status).filter(|refusal| !self.asks_again(refusal)) {
                        self.waits.answered(wanted);
                        return (asked, Err(refusal));
                    }
                    unanswered(asked);
                    self.lost(&status);
                }
                Err(_) => {
                    unanswered(asked);
                    self.outlived();
                }
            }
        }
    }

    /// A call has outlived its deadline.
    pub(crate) fn outlived(&mut self) {
        assert!(self.may_hang, "a call outlived its deadline");
        self.client = None;
    }

    /// Returns whether a refusal is one of several servers that says to ask again: nobody owns the matches, or whoever does is about to end.
    pub(crate) fn asks_again(&self, refusal: &v1::Refusal) -> bool {
        let reasons = [ErrorReason::StoreUnavailable, ErrorReason::Draining];
        self.cluster.is_some() && reasons.contains(&refusal.reason())
    }

    /// The connection broke: the server must have been killed.
    pub(crate) fn lost(&mut self, status: &Status) {
        if let Some(refusal) = status::read(status) {
            assert!(self.asks_again(&refusal), "refused: {refusal:?}");
        } else {
            let may_break = self.cluster.is_some() || self.is_killed();
            assert!(may_break && is_broken(status), "a server runs, and says {status:?}");
        }
        self.client = None;
    }

    /// The server is about to end: another connection is made.
    pub(crate) fn leave(&mut self) {
        self.client = None;
    }
}

/// Returns whether a status without a refusal is one that a connection, or the way behind it, ends with: no fault of a server's own.
fn is_broken(status: &Status) -> bool {
    match status.code() {
        Code::Unavailable | Code::Cancelled | Code::Unknown | Code::DeadlineExceeded => true,
        Code::Internal => status.message().contains("h2 protocol error"),
        _ => false,
    }
}

/// Waits as a server has asked for.
#[expect(clippy::disallowed_methods, reason = "a client waits before it asks again")]
async fn pause() {
    tokio::time::sleep(PAUSE).await;
}
