//! A client's way to a server that may be killed at any moment ([`Line`]), and the server's address meanwhile ([`Epochs`]).

use edgehill_proto::v1;
use edgehill_proto::v1::match_service_client::MatchServiceClient;
use edgehill_service::wire::status;
use tokio::sync::watch;
use tonic::Status;
use tonic::transport::Channel;

pub(crate) type Client = MatchServiceClient<Channel>;

/// One life of the server.
#[derive(Clone, Default, Debug)]
struct Epoch {
    number: u64,
    /// `None`: it is dead, or not looked through yet.
    address: Option<String>,
}

/// The lives of the server, as its clients are told of them.
#[derive(Debug, Default)]
pub(crate) struct Epochs(watch::Sender<Epoch>);

impl Epochs {
    /// From here on connections may break. Said before the server is killed: so a connection that breaks without it is a
    /// fault of the server.
    pub(crate) fn down(&self) {
        self.0.send_modify(|epoch| epoch.address = None);
    }

    /// The server runs again, at this address.
    pub(crate) fn up(&self, address: &str) {
        self.0.send_modify(|epoch| {
            epoch.number += 1;
            epoch.address = Some(address.to_owned());
        });
    }

    pub(crate) fn line(&self) -> Line {
        Line { epochs: self.0.subscribe(), at: 0, client: None }
    }
}

/// A client's connection, which is made again after each death of the server.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    epochs: watch::Receiver<Epoch>,
    at: u64,
    client: Option<Client>,
}

impl Line {
    /// A connection to the server that runs. Waits until one does.
    pub(crate) async fn client(&mut self) -> Client {
        loop {
            let up = self.epochs.wait_for(|epoch| epoch.address.is_some()).await.unwrap().clone();
            if let (true, Some(client)) = (self.at == up.number, &self.client) {
                return client.clone();
            }
            let endpoint = Channel::from_shared(format!("http://{}", up.address.unwrap())).unwrap();
            if let Ok(channel) = endpoint.connect().await {
                let client = Client::new(channel);
                (self.at, self.client) = (up.number, Some(client.clone()));
                return client;
            }
            // It was killed on the way here.
            let over = |now: &Epoch| now.number != up.number || now.address.is_none();
            self.epochs.wait_for(over).await.unwrap();
        }
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
        loop {
            let client = self.client().await;
            match call(client).await {
                Ok(answer) => return Ok(answer),
                Err(status) => {
                    if let Some(refusal) = status::read(&status) {
                        return Err(refusal);
                    }
                    self.lost(&status);
                }
            }
        }
    }

    /// The connection broke: the server must have been killed.
    pub(crate) fn lost(&mut self, status: &Status) {
        if let Some(refusal) = status::read(status) {
            panic!("refused: {refusal:?}");
        }
        let now = self.epochs.borrow();
        let killed = now.number != self.at || now.address.is_none();
        assert!(killed, "the server runs, and a connection broke: {status:?}");
        drop(now);
        self.client = None;
    }
}
