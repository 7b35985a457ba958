//! The options for reaching a server ([`Options`]).

use std::time::Duration;

use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::Endpoint;

use crate::client_secret::ClientSecret;
use crate::error::Error;
use crate::headers::bearer;
use crate::retry::RetryPolicy;
#[cfg(feature = "tls")]
use crate::tls::Tls;
use crate::trace::{TraceContext, TraceSource};

/// The interval at which an idle connection is tried, so that one that broke in silence is found.
const KEEP_ALIVE: Duration = Duration::from_secs(20);

/// The options for reaching a server.
#[derive(Clone, Debug)]
pub struct Options {
    pub(crate) url: String,
    pub(crate) channels: usize,
    pub(crate) connect_timeout: Duration,
    pub(crate) retry_policy: RetryPolicy,
    pub(crate) key: Option<MetadataValue<Ascii>>,
    pub(crate) secret: Option<ClientSecret>,
    pub(crate) trace: Option<TraceSource>,
    #[cfg(feature = "tls")]
    tls: Tls,
}

impl Options {
    /// The server at `url`, such as `http://127.0.0.1:7400`; with `https`, by TLS with the roots of the operating system, or with
    /// those of [`Options::ca`].
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
            #[cfg(feature = "tls")]
            tls: Tls::default(),
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

    /// The authorities of which the server's certificate has to be, in PEM, instead of those that the operating system trusts. Goes
    /// with a URL that begins with https.
    ///
    /// # Errors
    /// If it holds no certificate.
    #[cfg(feature = "tls")]
    pub fn ca(mut self, pem: impl Into<Vec<u8>>) -> Result<Self, Error> {
        self.tls.set_ca(pem.into())?;
        Ok(self)
    }

    /// The certificate that this client shows to servers that ask for one, and its key, in PEM. It opens the connection, and
    /// names nobody: that is for [`Options::key`]. Goes with a URL that begins with https.
    ///
    /// # Errors
    /// If `certificate` holds none.
    #[cfg(feature = "tls")]
    pub fn client_certificate(
        mut self,
        certificate: impl Into<Vec<u8>>,
        key: impl Into<Vec<u8>>,
    ) -> Result<Self, Error> {
        self.tls.set_shown(certificate.into(), key.into())?;
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

    /// The server's end of the connection.
    pub(crate) fn endpoint(&self) -> Result<Endpoint, Error> {
        let invalid = |why: String| Error::InvalidUrl { url: self.url.clone(), why };
        let uri: http::Uri =
            self.url.parse().map_err(|error: http::uri::InvalidUri| invalid(error.to_string()))?;
        match uri.scheme_str() {
            #[cfg(feature = "tls")]
            Some("http") if !self.tls.is_unset() => {
                return Err(invalid("a CA or a client certificate goes with https://".to_owned()));
            }
            Some("http") => {}
            Some("https") if cfg!(feature = "tls") => {}
            Some("https") => return Err(invalid("this build has no TLS".to_owned())),
            _ => return Err(invalid("it begins with http:// or https://".to_owned())),
        }
        #[cfg(feature = "tls")]
        let is_secure = uri.scheme_str() == Some("https");
        let endpoint = Endpoint::from(uri)
            .connect_timeout(self.connect_timeout)
            .http2_keep_alive_interval(KEEP_ALIVE)
            .keep_alive_while_idle(true);
        #[cfg(feature = "tls")]
        let endpoint = if is_secure { self.tls.secure(endpoint)? } else { endpoint };
        Ok(endpoint)
    }
}
