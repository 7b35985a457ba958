//! The client of a server ([`Client`]): the calls that it has, on one connection.

use std::sync::Arc;

use crate::admin_calls::AdminCalls;
use crate::catalog_calls::{CatalogCalls, Games};
use crate::client_secret::ClientSecret;
use crate::competition_calls::CompetitionCalls;
use crate::connection::Connection;
use crate::error::Error;
use crate::match_calls::MatchCalls;
use crate::options::Options;
use crate::play::PlaySession;
use crate::referee_calls::RefereeCalls;
use crate::seat_handle::SeatHandle;

#[cfg(doc)]
use crate::retry::RetryPolicy;

/// A connection to a server. Cheap to clone: clones share connections, catalogue and request ids.
///
/// Connections that break are made again by themselves; a call that was lost with one is made again with its request id.
#[derive(Clone, Debug)]
pub struct Client {
    connection: Connection,
    games: Arc<Games>,
}

impl Client {
    /// Connects to the server at `url`.
    ///
    /// # Errors
    /// If it is no URL, or nothing answers there within [`RetryPolicy::first_connection`].
    pub async fn connect(url: impl Into<String>) -> Result<Self, Error> {
        Self::open(Options::new(url)).await
    }

    /// As [`Client::connect`], without waiting: the first call connects.
    ///
    /// # Errors
    /// If it is no URL.
    pub fn lazy(url: impl Into<String>) -> Result<Self, Error> {
        Self::with(Options::new(url))
    }

    /// Connects as the options say.
    ///
    /// # Errors
    /// If the URL is none, or nothing answers there within [`RetryPolicy::first_connection`].
    pub async fn open(options: Options) -> Result<Self, Error> {
        Ok(Self::on(Connection::open(options).await?))
    }

    /// A client as the options say; the first call connects.
    ///
    /// # Errors
    /// If the URL is none.
    pub fn with(options: Options) -> Result<Self, Error> {
        Ok(Self::on(Connection::with(options)?))
    }

    fn on(connection: Connection) -> Self {
        Self { connection, games: Arc::default() }
    }

    /// Calls on the games, and on the limits of the server.
    #[must_use]
    pub fn catalog(&self) -> CatalogCalls<'_> {
        CatalogCalls::new(&self.connection, &self.games)
    }

    /// Calls on matches that need no seat.
    #[must_use]
    pub fn matches(&self) -> MatchCalls<'_> {
        MatchCalls::new(&self.connection)
    }

    /// Calls of those who look after the server.
    #[must_use]
    pub fn admin(&self) -> AdminCalls<'_> {
        AdminCalls::new(&self.connection)
    }

    /// Calls on competitions.
    #[must_use]
    pub fn competitions(&self) -> CompetitionCalls<'_> {
        CompetitionCalls::new(&self.connection)
    }

    /// Calls of referees.
    #[must_use]
    pub fn referee(&self) -> RefereeCalls<'_> {
        RefereeCalls::new(&self.connection)
    }

    /// A seat of a match, by the token that `JoinMatch` gave.
    #[must_use]
    pub fn seat(&self, match_id: impl Into<String>, token: impl Into<String>) -> SeatHandle {
        SeatHandle::new(self.connection.clone(), match_id.into(), token.into())
    }

    /// A session that plays any number of seats over one stream.
    #[must_use]
    pub fn play(&self) -> PlaySession {
        PlaySession::new(self.connection.clone())
    }

    /// A request id that this client has not used.
    #[must_use]
    pub fn next_request_id(&self) -> String {
        self.connection.next_request_id()
    }

    /// The secret that tells its requests from others'.
    #[must_use]
    pub fn client_secret(&self) -> &ClientSecret {
        self.connection.client_secret()
    }

    /// The server's URL, as it was given.
    #[must_use]
    pub fn url(&self) -> &str {
        self.connection.contact().url()
    }
}
