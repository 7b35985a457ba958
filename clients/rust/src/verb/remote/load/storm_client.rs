//! The client of a player or a spectator, whose connection a storm breaks: [`StormClient`].

use std::future::{Future, pending};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use edgehill_client::{Client, Options, RetryPolicy};
use tokio::sync::watch;

use super::super::link;
use super::figures::Figures;
use crate::args::Args;
use crate::error::Error;

/// Makes the clients of a load: the same one for all of them or, where there are storms, each with a connection of its own.
pub(super) struct ClientSource {
    shared: Client,
    /// The options of those that have a connection of their own.
    own: Option<Options>,
    /// Its change is a storm.
    storm: watch::Sender<u32>,
    figures: Figures,
}

impl ClientSource {
    /// A source of clients of the server that `shared` is connected to.
    pub(super) fn new(
        shared: &Client,
        args: &Args,
        has_storms: bool,
        figures: &Figures,
    ) -> Result<Self, Error> {
        let own = has_storms.then(|| options(shared, args)).transpose()?;
        Ok(Self { shared: shared.clone(), own, storm: watch::Sender::new(0), figures: figures.clone() })
    }

    /// A client; its first call connects.
    pub(super) fn client(self: &Arc<Self>) -> Result<StormClient, Error> {
        let storm = self.storm.subscribe();
        Ok(StormClient { client: self.connect()?, source: Arc::clone(self), storm, is_unproven: false })
    }

    /// Breaks all connections at once.
    pub(super) fn storm(&self) {
        self.storm.send_modify(|number| *number += 1);
    }

    fn connect(&self) -> Result<Client, edgehill_client::Error> {
        self.own.clone().map_or_else(|| Ok(self.shared.clone()), Client::with)
    }
}

/// Options like those of `shared`, with one connection. The secret is the same, so that a call for a match or a seat which is repeated by
/// another client is the same call.
fn options(shared: &Client, args: &Args) -> Result<Options, Error> {
    let retry_policy =
        RetryPolicy { first_connection: Duration::ZERO, deadline: Duration::ZERO, ..RetryPolicy::default() };
    let options = link::options(shared.url(), args)?.retry_policy(retry_policy);
    Ok(options.client_secret(shared.client_secret().clone()))
}

/// A client whose connection every storm breaks, and that goes on with a new one.
pub(super) struct StormClient {
    client: Client,
    source: Arc<ClientSource>,
    storm: watch::Receiver<u32>,
    /// True after a storm, until there is an answer over the new connection.
    is_unproven: bool,
}

impl StormClient {
    /// The client of now.
    pub(super) fn now(&self) -> Client {
        self.client.clone()
    }

    /// A request id that was not used before.
    pub(super) fn next_request_id(&self) -> String {
        self.client.next_request_id()
    }

    /// Waits for the next storm, in which the connection is dropped for a new one. The old one breaks when the calls and streams over it
    /// are dropped, too.
    pub(super) async fn reconnected(&mut self) {
        if self.storm.changed().await.is_err() {
            // There are no more storms.
            pending::<()>().await;
        }
        match self.source.connect() {
            Ok(client) => {
                self.client = client;
                self.is_unproven = self.source.own.is_some();
            }
            Err(error) => self.source.figures.failed(None, &error),
        }
    }

    /// Waits for something that does not come over the connection; storms break it meanwhile.
    pub(super) async fn wait<T>(&mut self, awaited: impl Future<Output = T>) -> T {
        let mut awaited = pin!(awaited);
        loop {
            tokio::select! {
                biased;
                () = self.reconnected() => {}
                value = &mut awaited => return value,
            }
        }
    }

    /// Makes a call, and makes it again if a storm breaks the connection while it is on its way.
    pub(super) async fn call<T, F: Future<Output = T>>(&mut self, make: impl Fn(Client) -> F) -> T {
        loop {
            let client = self.now();
            tokio::select! {
                biased;
                () = self.reconnected() => {}
                answer = make(client) => return answer,
            }
        }
    }

    /// Notes an answer, with which a new connection counts.
    pub(super) fn note_answer(&mut self) {
        if std::mem::take(&mut self.is_unproven) {
            self.source.figures.reconnected();
        }
    }
}
