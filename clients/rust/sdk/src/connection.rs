//! The connection to a server ([`Connection`]), under all calls and streams.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use edgehill_proto::v1::admin_service_client::AdminServiceClient;
use edgehill_proto::v1::catalog_service_client::CatalogServiceClient;
use edgehill_proto::v1::competition_service_client::CompetitionServiceClient;
use edgehill_proto::v1::match_service_client::MatchServiceClient;
use edgehill_proto::v1::referee_service_client::RefereeServiceClient;
use tonic::Status;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::Channel;

use crate::client_secret::ClientSecret;
use crate::connector;
use crate::error::Error;
use crate::headers::{Headers, bearer};
use crate::options::Options;
use crate::request_id::RequestIds;
use crate::retry::{Contact, Outage, RetryPolicy};

/// The most bytes of one message from the server: a game with its action table and ledger has a few hundred thousand.
const MESSAGE_BYTES_MAX: usize = 16 << 20;

/// The channels to a server, and what belongs to each call on them: who calls, under which ids, how often it is made again.
/// Copies are the same connection.
///
/// It knows none of the calls that are made on it, so that each of them can know it.
#[derive(Clone, Debug)]
pub(crate) struct Connection(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    options: Options,
    contact: Contact,
    channels: Vec<Channel>,
    turn: AtomicUsize,
    ids: RequestIds,
    secret: ClientSecret,
}

/// A generated client with this client's headers.
pub(crate) type MatchWire = MatchServiceClient<InterceptedService<Channel, Headers>>;
pub(crate) type AdminWire = AdminServiceClient<InterceptedService<Channel, Headers>>;
pub(crate) type CompetitionWire = CompetitionServiceClient<InterceptedService<Channel, Headers>>;
pub(crate) type RefereeWire = RefereeServiceClient<InterceptedService<Channel, Headers>>;
pub(crate) type CatalogWire = CatalogServiceClient<InterceptedService<Channel, Headers>>;

impl Connection {
    /// Connects as the options say.
    ///
    /// # Errors
    /// If the URL is none, or nothing answers there within [`RetryPolicy::first_connection`].
    pub(crate) async fn open(options: Options) -> Result<Self, Error> {
        let endpoint = options.endpoint()?;
        let connection = Self::with(options)?;
        let options = &connection.0.options;
        let mut outage = Outage::new(&options.retry_policy);
        // The channels are opened by calls; this one finds out whether anything is there.
        let connector = || connector::write_coalescer(options.connect_timeout);
        while let Err(error) = endpoint.connect_with_connector(connector()).await {
            outage.pause(Status::from_error(Box::new(error)), connection.contact()).await?;
        }
        connection.contact().note();
        Ok(connection)
    }

    /// A connection as the options say; the first call connects.
    ///
    /// # Errors
    /// If the URL is none.
    pub(crate) fn with(options: Options) -> Result<Self, Error> {
        let endpoint = options.endpoint()?;
        let connect =
            |_| endpoint.connect_with_connector_lazy(connector::write_coalescer(options.connect_timeout));
        let channels = (0..options.channels).map(connect).collect();
        let contact = Contact::new(options.url.clone());
        let secret = options.secret.clone().map_or_else(ClientSecret::fresh, Ok)?;
        let ids = RequestIds::new()?;
        let shared = Shared { options, contact, channels, turn: AtomicUsize::new(0), ids, secret };
        Ok(Self(Arc::new(shared)))
    }

    /// A request id that was not used on it.
    pub(crate) fn next_request_id(&self) -> String {
        self.0.ids.next()
    }

    /// The secret that tells its requests from others'.
    pub(crate) fn client_secret(&self) -> &ClientSecret {
        &self.0.secret
    }

    pub(crate) fn retry_policy(&self) -> &RetryPolicy {
        &self.0.options.retry_policy
    }

    pub(crate) fn contact(&self) -> &Contact {
        &self.0.contact
    }

    /// Calls on matches, by a seat's token or the account's key.
    pub(crate) fn match_wire(&self, token: Option<&str>) -> Result<MatchWire, Error> {
        let headers = self.headers(token)?;
        let wire = MatchServiceClient::with_interceptor(self.channel(), headers);
        Ok(wire.max_decoding_message_size(MESSAGE_BYTES_MAX))
    }

    pub(crate) fn catalog_wire(&self) -> Result<CatalogWire, Error> {
        let headers = self.headers(None)?;
        let wire = CatalogServiceClient::with_interceptor(self.channel(), headers);
        Ok(wire.max_decoding_message_size(MESSAGE_BYTES_MAX))
    }

    /// Calls of an operator, by the account's key.
    pub(crate) fn admin_wire(&self) -> Result<AdminWire, Error> {
        let headers = self.headers(None)?;
        let wire = AdminServiceClient::with_interceptor(self.channel(), headers);
        Ok(wire.max_decoding_message_size(MESSAGE_BYTES_MAX))
    }

    /// Calls on competitions, by the account's key.
    pub(crate) fn competition_wire(&self) -> Result<CompetitionWire, Error> {
        let headers = self.headers(None)?;
        let wire = CompetitionServiceClient::with_interceptor(self.channel(), headers);
        Ok(wire.max_decoding_message_size(MESSAGE_BYTES_MAX))
    }

    /// Calls of a referee, by the account's key.
    pub(crate) fn referee_wire(&self) -> Result<RefereeWire, Error> {
        let headers = self.headers(None)?;
        let wire = RefereeServiceClient::with_interceptor(self.channel(), headers);
        Ok(wire.max_decoding_message_size(MESSAGE_BYTES_MAX))
    }

    fn headers(&self, token: Option<&str>) -> Result<Headers, Error> {
        let options = &self.0.options;
        let bearer = match token {
            Some(token) => Some(bearer(token)?),
            None => options.key.clone(),
        };
        Ok(Headers { bearer, trace: options.trace.clone() })
    }

    /// The channels, each in its turn.
    fn channel(&self) -> Channel {
        let shared = &self.0;
        let turn = shared.turn.fetch_add(1, Ordering::Relaxed) % shared.channels.len();
        shared.channels[turn].clone()
    }
}
