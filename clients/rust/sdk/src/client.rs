//! A connection to a server ([`Client`]) and how it is made ([`Options`]).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use edgehill_proto::v1::catalog_service_client::CatalogServiceClient;
use edgehill_proto::v1::match_service_client::MatchServiceClient;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Status};

use crate::catalog_calls::{CatalogCalls, Games};
use crate::client_secret::ClientSecret;
use crate::connector;
use crate::error::Error;
use crate::match_calls::MatchCalls;
use crate::play::PlaySession;
use crate::request_id::RequestIds;
use crate::retry::{Contact, Outage, RetryPolicy};
use crate::seat_handle::SeatHandle;
use crate::trace::{TraceContext, TraceSource};

/// The most bytes of one message from the server: a game with its action table and ledger has a few hundred thousand.
const MESSAGE_BYTES_MAX: usize = 16 << 20;

/// The interval at which an idle connection is tried, so that one that broke in silence is found.
const KEEP_ALIVE: Duration = Duration::from_secs(20);

/// The options for reaching a server.
#[derive(Clone, Debug)]
pub struct Options {
    url: String,
    channels: usize,
    connect_timeout: Duration,
    retry_policy: RetryPolicy,
    key: Option<MetadataValue<Ascii>>,
    secret: Option<ClientSecret>,
    trace: Option<TraceSource>,
}

impl Options {
    /// The server at `url`, such as `http://127.0.0.1:7400`; with `https`, by TLS with the roots of the operating system.
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            channels: 1,
            connect_timeout: Duration::from_millis(1_500),
            retry_policy: RetryPolicy::default(),
            key: None,
            secret: None,
            trace: None,
        }
    }

    /// Spreads calls over so many HTTP/2 connections, at least 1. One does for a few seats; a client with hundreds of
    /// calls in flight opens 2 to 4.
    #[must_use]
    pub fn channels(mut self, channels: usize) -> Self {
        self.channels = channels.max(1);
        self
    }

    /// Sets the time that one attempt to connect may take; 1.5 s.
    #[must_use]
    pub const fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = timeout;
        self
    }

    /// Sets the retry policy of lost calls: for how long, and how often, they are made again.
    #[must_use]
    pub fn retry_policy(mut self, retry_policy: RetryPolicy) -> Self {
        self.retry_policy = retry_policy;
        self
    }

    /// The account's key, for servers that ask for one.
    ///
    /// # Errors
    /// If the key has characters that no key has.
    pub fn key(mut self, key: &str) -> Result<Self, Error> {
        self.key = Some(bearer(key)?);
        Ok(self)
    }

    /// The secret that tells this client's requests from others'; without one the client makes it. A program that repeats a
    /// `CreateMatch` or `JoinMatch` after a restart gives the one that it had.
    #[must_use]
    pub const fn client_secret(mut self, secret: ClientSecret) -> Self {
        self.secret = Some(secret);
        self
    }

    /// Sends a trace context with every call for which `context` gives one.
    #[must_use]
    pub fn trace(mut self, context: impl Fn() -> Option<TraceContext> + Send + Sync + 'static) -> Self {
        self.trace = Some(TraceSource::new(context));
        self
    }

    fn endpoint(&self) -> Result<Endpoint, Error> {
        let invalid = |why: String| Error::InvalidUrl { url: self.url.clone(), why };
        let uri: http::Uri =
            self.url.parse().map_err(|error: http::uri::InvalidUri| invalid(error.to_string()))?;
        match uri.scheme_str() {
            Some("http") => {}
            Some("https") if cfg!(feature = "tls") => {}
            Some("https") => return Err(invalid("this build has no TLS".to_owned())),
            _ => return Err(invalid("it begins with http:// or https://".to_owned())),
        }
        let endpoint = Endpoint::from(uri)
            .connect_timeout(self.connect_timeout)
            .http2_keep_alive_interval(KEEP_ALIVE)
            .keep_alive_while_idle(true);
        #[cfg(feature = "tls")]
        let endpoint = if self.url.starts_with("https") {
            let tls = tonic::transport::ClientTlsConfig::new().with_native_roots();
            endpoint.tls_config(tls).map_err(|error| invalid(error.to_string()))?
        } else {
            endpoint
        };
        Ok(endpoint)
    }
}

/// The header of a token or key.
fn bearer(token: &str) -> Result<MetadataValue<Ascii>, Error> {
    let mut value: MetadataValue<Ascii> =
        format!("Bearer {token}").parse().map_err(|_| Error::InvalidToken)?;
    value.set_sensitive(true);
    Ok(value)
}

/// A connection to a server. Cheap to clone: clones share connections, catalogue and request ids.
///
/// Connections that break are made again by themselves; a call that was lost with one is made again with its request id.
#[derive(Clone, Debug)]
pub struct Client(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    options: Options,
    contact: Contact,
    channels: Vec<Channel>,
    turn: AtomicUsize,
    ids: RequestIds,
    secret: ClientSecret,
    games: Games,
}

/// A generated client with this client's headers.
pub(crate) type MatchWire = MatchServiceClient<InterceptedService<Channel, Headers>>;
pub(crate) type CatalogWire = CatalogServiceClient<InterceptedService<Channel, Headers>>;

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
        let endpoint = options.endpoint()?;
        let client = Self::with(options)?;
        let options = &client.0.options;
        let mut outage = Outage::new(&options.retry_policy);
        // The connections of the client are made by its calls; this one finds out whether anything is there.
        let connector = || connector::write_coalescer(options.connect_timeout);
        while let Err(error) = endpoint.connect_with_connector(connector()).await {
            outage.pause(Status::from_error(Box::new(error)), client.contact()).await?;
        }
        client.contact().note();
        Ok(client)
    }

    /// A client as the options say; the first call connects.
    ///
    /// # Errors
    /// If the URL is none.
    pub fn with(options: Options) -> Result<Self, Error> {
        let endpoint = options.endpoint()?;
        let connect =
            |_| endpoint.connect_with_connector_lazy(connector::write_coalescer(options.connect_timeout));
        let channels = (0..options.channels).map(connect).collect();
        let contact = Contact::new(options.url.clone());
        let secret = options.secret.clone().map_or_else(ClientSecret::fresh, Ok)?;
        let shared = Shared {
            options,
            contact,
            channels,
            turn: AtomicUsize::new(0),
            ids: RequestIds::new()?,
            secret,
            games: Games::default(),
        };
        Ok(Self(Arc::new(shared)))
    }

    /// Calls on the games, and on the limits of the server.
    #[must_use]
    pub fn catalog(&self) -> CatalogCalls<'_> {
        CatalogCalls::of(self)
    }

    /// Calls on matches that need no seat.
    #[must_use]
    pub fn matches(&self) -> MatchCalls<'_> {
        MatchCalls::of(self)
    }

    /// A seat of a match, by the token that `JoinMatch` gave.
    #[must_use]
    pub fn seat(&self, match_id: impl Into<String>, token: impl Into<String>) -> SeatHandle {
        SeatHandle::new(self.clone(), match_id.into(), token.into())
    }

    /// A session that plays any number of seats over one stream.
    #[must_use]
    pub fn play(&self) -> PlaySession {
        PlaySession::new(self.clone())
    }

    /// A request id that this client has not used.
    #[must_use]
    pub fn next_request_id(&self) -> String {
        self.0.ids.next()
    }

    /// The secret that tells its requests from others'.
    #[must_use]
    pub fn client_secret(&self) -> &ClientSecret {
        &self.0.secret
    }

    /// The server's URL, as it was given.
    #[must_use]
    pub fn url(&self) -> &str {
        self.0.contact.url()
    }

    pub(crate) fn retry_policy(&self) -> &RetryPolicy {
        &self.0.options.retry_policy
    }

    pub(crate) fn contact(&self) -> &Contact {
        &self.0.contact
    }

    pub(crate) fn games(&self) -> &Games {
        &self.0.games
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

    fn headers(&self, token: Option<&str>) -> Result<Headers, Error> {
        let options = &self.0.options;
        let bearer = match token {
            Some(token) => Some(bearer(token)?),
            None => options.key.clone(),
        };
        Ok(Headers { bearer, trace: options.trace.clone() })
    }

    /// The connections, each in its turn.
    fn channel(&self) -> Channel {
        let shared = &self.0;
        let turn = shared.turn.fetch_add(1, Ordering::Relaxed) % shared.channels.len();
        shared.channels[turn].clone()
    }
}

/// Adds the caller to each call, and the trace that it belongs to.
#[derive(Clone, Debug)]
pub(crate) struct Headers {
    bearer: Option<MetadataValue<Ascii>>,
    trace: Option<TraceSource>,
}

impl Interceptor for Headers {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        let metadata = request.metadata_mut();
        if let Some(bearer) = &self.bearer {
            metadata.insert("authorization", bearer.clone());
        }
        if let Some(context) = self.trace.as_ref().and_then(TraceSource::context) {
            // A context that is no header is left out: a call does not fail for its trace.
            if let Ok(value) = context.traceparent.parse() {
                metadata.insert("traceparent", value);
                if let Some(value) = context.tracestate.and_then(|state| state.parse().ok()) {
                    metadata.insert("tracestate", value);
                }
            }
        }
        Ok(request)
    }
}
