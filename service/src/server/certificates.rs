//! The certificate, the key and the authorities of TLS, as they stand in their files ([`TlsFiles`]).
//!
//! Invariant: nothing of the key gets into an error or into what is printed.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::{Error as PemError, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ParsedCertificate, WebPkiClientVerifier};
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use rustls::{InconsistentKeys, RootCertStore, ServerConfig};
use thiserror::Error;

use crate::config::{Field, Tls};
use crate::identity::exposed_mode;

const CERTIFICATE: &str = "tls.certificate";
const KEY: &str = "tls.key";
const CLIENT_CA: &str = "tls.client_ca";

/// More than any chain or list of authorities has: a file that is longer is another one.
const FILE_BYTES_MAX: u64 = 4 << 20;

/// The protocols that are spoken inside TLS: gRPC and grpc-web, and grpc-web of pages whose way has no HTTP/2.
const PROTOCOLS: [&[u8]; 2] = [b"h2", b"http/1.1"];

/// The reason that what the files of TLS hold can't be used. Each names the field and the file.
#[derive(Debug, Error)]
pub enum TlsError {
    /// A file can't be read.
    #[error("{field}: {path} can't be read: {why}")]
    Read {
        /// The field that names the file.
        field: &'static str,
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        why: io::Error,
    },
    /// Others can read the key.
    #[error(
        "tls.key: {path} has mode {mode:04o}: whoever reads it can pass for this server. Take the rights of others away \
         (chmod 600), and think of the key as known if others had them"
    )]
    Exposed {
        /// The file.
        path: PathBuf,
        /// Its mode.
        mode: u32,
    },
    /// A file holds something else.
    #[error("{field}: {path} {what}; accepted: {accepts}", accepts = accepts(field))]
    Content {
        /// The field that names the file.
        field: &'static str,
        /// The file.
        path: PathBuf,
        /// The fault, in words.
        what: String,
    },
    /// The key is that of another certificate.
    #[error(
        "tls.key: {key} is not the key of the certificate in {certificate}; accepted: the key that the first certificate \
         there was made for"
    )]
    Mismatch {
        /// The key's file.
        key: PathBuf,
        /// The certificate's file.
        certificate: PathBuf,
    },
}

/// The values that a field accepts, in words.
fn accepts(field: &str) -> &'static str {
    Field::of(field).map_or("", |field| field.accepts)
}

/// The files in which a server's certificate stands, with its key and the authorities of its clients' certificates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct TlsFiles {
    certificate: PathBuf,
    key: PathBuf,
    client_ca: Option<PathBuf>,
}

impl TlsFiles {
    /// The files that the configuration names; `None`: there is no TLS.
    ///
    /// # Errors
    /// If it names some of them and not those that go with them, which is refused where a configuration is loaded: nobody
    /// who asked for TLS is served in clear.
    pub(super) fn of(config: &Tls) -> Result<Option<Self>, TlsError> {
        let alone = |field, path: &Path| Err(content(field, path, "is set without what goes with it"));
        match (config.certificate.clone(), config.key.clone(), config.client_ca.clone()) {
            (Some(certificate), Some(key), client_ca) => Ok(Some(Self { certificate, key, client_ca })),
            (Some(certificate), None, _) => alone(CERTIFICATE, &certificate),
            (None, Some(key), _) => alone(KEY, &key),
            (None, None, Some(client_ca)) => alone(CLIENT_CA, &client_ca),
            (None, None, None) => Ok(None),
        }
    }

    /// Reads them, which blocks.
    pub(super) fn read(self) -> TlsReading {
        let mut hasher = blake3::Hasher::new();
        let mut note = |contents: &Result<Vec<u8>, TlsError>| {
            // Lengths, so that no byte can go from one file to the next unseen.
            let (tag, bytes) = match contents {
                Ok(bytes) => (0, bytes.clone()),
                Err(error) => (1, error.to_string().into_bytes()),
            };
            hasher.update(&[tag]).update(&(bytes.len() as u64).to_le_bytes()).update(&bytes);
        };
        let certificate = read(CERTIFICATE, &self.certificate);
        let key = read(KEY, &self.key);
        let client_ca = self.client_ca.as_deref().map(|path| read(CLIENT_CA, path));
        note(&certificate);
        note(&key);
        client_ca.iter().for_each(note);
        TlsReading { hash: hasher.finalize(), files: self, certificate, key, client_ca }
    }
}

/// The contents of the files at one moment, good or not.
pub(super) struct TlsReading {
    pub(super) files: TlsFiles,
    /// The same for the same contents, and for the same fault in the place of one.
    pub(super) hash: blake3::Hash,
    certificate: Result<Vec<u8>, TlsError>,
    key: Result<Vec<u8>, TlsError>,
    client_ca: Option<Result<Vec<u8>, TlsError>>,
}

impl TlsReading {
    /// The settings of TLS by these contents.
    ///
    /// # Errors
    /// The first fault.
    pub(super) fn server_config(self) -> Result<Arc<ServerConfig>, TlsError> {
        let Self { files, certificate, key, client_ca, .. } = self;
        let provider = Arc::new(ring::default_provider());
        let chain = certificates(CERTIFICATE, &files.certificate, &certificate?)?;
        let certified = certified(&files, chain, &key?, &provider)?;
        let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(|error| content(CERTIFICATE, &files.certificate, format!("is not served: {error}")))?;
        let builder = match (&files.client_ca, client_ca) {
            (Some(path), Some(bytes)) => {
                let roots = authorities(path, &bytes?)?;
                let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build();
                let unfit =
                    |error| content(CLIENT_CA, path, format!("has authorities that can't be used: {error}"));
                builder.with_client_cert_verifier(verifier.map_err(unfit)?)
            }
            _ => builder.with_no_client_auth(),
        };
        let mut config = builder.with_cert_resolver(Arc::new(SingleCertAndKey::from(certified)));
        config.alpn_protocols = PROTOCOLS.map(<[u8]>::to_vec).into();
        Ok(Arc::new(config))
    }
}

/// Reads a whole file; that of the key only if it is its owner's alone.
fn read(field: &'static str, path: &Path) -> Result<Vec<u8>, TlsError> {
    let unread = |why| TlsError::Read { field, path: path.to_owned(), why };
    let file = File::open(path).map_err(unread)?;
    let metadata = file.metadata().map_err(unread)?;
    if let Some(mode) = exposed_mode(&metadata).filter(|_| field == KEY) {
        return Err(TlsError::Exposed { path: path.to_owned(), mode });
    }
    let mut bytes = Vec::new();
    file.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes).map_err(unread)?;
    match bytes.len() as u64 > FILE_BYTES_MAX {
        true => Err(content(field, path, format!("has more than {FILE_BYTES_MAX} bytes"))),
        false => Ok(bytes),
    }
}

fn content(field: &'static str, path: &Path, what: impl Into<String>) -> TlsError {
    TlsError::Content { field, path: path.to_owned(), what: what.into() }
}

/// The certificates in a file, at least one.
fn certificates(
    field: &'static str,
    path: &Path,
    pem: &[u8],
) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let read = CertificateDer::pem_slice_iter(pem).collect::<Result<Vec<_>, PemError>>();
    let certificates = read.map_err(|_| content(field, path, "is PEM that is damaged or breaks off"))?;
    if certificates.is_empty() {
        return Err(content(field, path, "holds no certificate in PEM"));
    }
    for (number, certificate) in (1..).zip(&certificates) {
        ParsedCertificate::try_from(certificate).map_err(|error| {
            content(field, path, format!("holds a certificate that can't be read (number {number}): {error}"))
        })?;
    }
    Ok(certificates)
}

/// The certificate with its key, which fit each other.
fn certified(
    files: &TlsFiles,
    chain: Vec<CertificateDer<'static>>,
    pem: &[u8],
    provider: &CryptoProvider,
) -> Result<CertifiedKey, TlsError> {
    // The parsers' words are not repeated: they may be of the key.
    let fault = |what: &str| content(KEY, &files.key, what);
    let key = PrivateKeyDer::from_pem_slice(pem).map_err(|error| match error {
        PemError::NoItemsFound => fault("holds no private key in PEM, or one that is encrypted"),
        _ => fault("is PEM that is damaged or breaks off"),
    })?;
    let key = provider.key_provider.load_private_key(key);
    let key = key.map_err(|_| fault("holds a private key that can't be read, or of another kind"))?;
    let certified = CertifiedKey::new(chain, key);
    match certified.keys_match() {
        // Some keys don't tell their public half.
        Ok(()) | Err(rustls::Error::InconsistentKeys(InconsistentKeys::Unknown)) => Ok(certified),
        Err(rustls::Error::InconsistentKeys(_)) => {
            Err(TlsError::Mismatch { key: files.key.clone(), certificate: files.certificate.clone() })
        }
        Err(error) => Err(content(
            CERTIFICATE,
            &files.certificate,
            format!("holds no certificate of a server: {error}"),
        )),
    }
}

/// The authorities that clients' certificates may be of, at least one.
fn authorities(path: &Path, pem: &[u8]) -> Result<RootCertStore, TlsError> {
    let mut roots = RootCertStore::empty();
    for (number, certificate) in (1..).zip(certificates(CLIENT_CA, path, pem)?) {
        roots.add(certificate).map_err(|error| {
            content(
                CLIENT_CA,
                path,
                format!("holds a certificate that is no authority's (number {number}): {error}"),
            )
        })?;
    }
    Ok(roots)
}
