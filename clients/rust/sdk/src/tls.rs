//! The settings of TLS at the client's end ([`Tls`]).

use std::error::Error as _;
use std::fmt;

use tonic::transport::{Certificate, ClientTlsConfig, Endpoint, Identity};

use crate::error::Error;

/// The mark with which a certificate begins in PEM.
const BEGIN: &[u8] = b"-----BEGIN CERTIFICATE-----";

/// The certificates that a client trusts and shows, as they were given.
#[derive(Clone, Default)]
pub(crate) struct Tls {
    ca: Option<Vec<u8>>,
    /// The certificate and its key.
    shown: Option<(Vec<u8>, Vec<u8>)>,
}

impl Tls {
    /// Trusts these authorities alone.
    pub(crate) fn set_ca(&mut self, pem: Vec<u8>) -> Result<(), Error> {
        self.ca = Some(certificates("the CA", pem)?);
        Ok(())
    }

    /// Shows this certificate to the server.
    pub(crate) fn set_shown(&mut self, certificate: Vec<u8>, key: Vec<u8>) -> Result<(), Error> {
        self.shown = Some((certificates("the client certificate", certificate)?, key));
        Ok(())
    }

    /// True if nothing was set.
    pub(crate) fn is_unset(&self) -> bool {
        self.ca.is_none() && self.shown.is_none()
    }

    /// The endpoint with TLS.
    pub(crate) fn secure(&self, endpoint: Endpoint) -> Result<Endpoint, Error> {
        let mut config = ClientTlsConfig::new();
        config = match &self.ca {
            Some(pem) => config.ca_certificate(Certificate::from_pem(pem)),
            None => config.with_native_roots(),
        };
        if let Some((certificate, key)) = &self.shown {
            config = config.identity(Identity::from_pem(certificate, key));
        }
        endpoint.tls_config(config).map_err(|error| {
            // The cause is the one that says something.
            let cause = error.source().map_or_else(|| error.to_string(), ToString::to_string);
            Error::InvalidCertificate(format!("what TLS was given can't be used: {cause}"))
        })
    }
}

impl fmt::Debug for Tls {
    /// Without the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (has_ca, has_certificate) = (self.ca.is_some(), self.shown.is_some());
        f.debug_struct("Tls").field("ca", &has_ca).field("certificate", &has_certificate).finish()
    }
}

/// Checks that a text holds a certificate: one that holds none would count as a list without entries.
fn certificates(what: &str, pem: Vec<u8>) -> Result<Vec<u8>, Error> {
    match pem.windows(BEGIN.len()).any(|part| part == BEGIN) {
        true => Ok(pem),
        false => Err(Error::InvalidCertificate(format!("{what} holds no certificate in PEM"))),
    }
}

#[cfg(test)]
mod tests {
    use crate::Options;

    #[test]
    fn what_is_printed_of_options_holds_no_key() {
        let certificate = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
        let options = Options::new("https://play.example").client_certificate(certificate, "hush").unwrap();
        let printed = format!("{options:?}");
        assert!(printed.contains("certificate: true") && !printed.contains("hush"), "{printed}");
        assert!(!printed.contains(&format!("{:?}", b"hush")), "{printed}");
    }
}
