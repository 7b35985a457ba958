//! The way to a database: [`PostgresServer`].

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use postgres::config::{Host, SslMode, TargetSessionAttrs};
use postgres::{Client, Config, NoTls};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::super::error::Error;

/// The time in which a database has to take a connection, where its address names none.
const CONNECT: Duration = Duration::from_secs(5);

/// The time after which a peer that has not confirmed what was sent to it counts as gone, where its address names none: a node that
/// was cut off answers nothing, not even a refusal.
const SILENCE: Duration = Duration::from_secs(10);

/// A database of PostgreSQL, and how it is reached.
#[derive(Clone)]
pub struct PostgresServer {
    config: Config,
    tls: Option<Arc<ClientConfig>>,
    name: Arc<Path>,
}

impl PostgresServer {
    /// The database of this address, as PostgreSQL's own programs take it: `postgres://user@host1,host2/database`, or
    /// `host=... dbname=...`. Of several hosts the one that can be written to is taken. TLS follows from its `sslmode`; `ca` is
    /// a file of certificates (PEM) of those who vouch for the database's, instead of those that the machine trusts.
    ///
    /// # Errors
    /// [`Error::Open`] if the address can't be read, or the file of certificates.
    pub fn new(address: &str, password: Option<&str>, ca: Option<&Path>) -> Result<Self, Error> {
        let invalid = |why: String| Error::Open { path: "postgres".into(), why };
        let mut config: Config =
            address.parse().map_err(|error| invalid(format!("its address can't be read: {error}")))?;
        if let Some(password) = password {
            config.password(password);
        }
        if config.get_application_name().is_none() {
            config.application_name("edgehill-server");
        }
        config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(SILENCE);
        }
        config.keepalives_idle(SILENCE / 2);
        config.keepalives_interval(SILENCE / 10);
        config.keepalives_retries(5);
        let name: Arc<Path> = Path::new(&name_of(&config)).into();
        let tls = (config.get_ssl_mode() != SslMode::Disable).then(|| tls(ca)).transpose();
        let tls = tls.map_err(|why| Error::Open { path: name.to_path_buf(), why })?;
        Ok(Self { config, tls, name })
    }

    /// Its address, without what is secret of it.
    pub(super) fn name(&self) -> Arc<Path> {
        Arc::clone(&self.name)
    }

    /// Connects to it. `warned` is set when the database warns of something, as it does of a commit that no longer waits for
    /// its standbys.
    pub(super) fn connect(&self, warned: &Arc<AtomicBool>) -> Result<Client, postgres::Error> {
        let mut config = self.config.clone();
        let warned = Arc::clone(warned);
        config.notice_callback(move |notice| {
            let is_warning = notice.severity() == "WARNING";
            if is_warning {
                warned.store(true, Ordering::Relaxed);
            }
            tracing::debug!(message = notice.message(), is_warning, "the database says");
        });
        match &self.tls {
            Some(tls) => config.connect(MakeRustlsConnect::new(ClientConfig::clone(tls))),
            None => config.connect(NoTls),
        }
    }
}

/// Those who vouch for the database.
fn tls(ca: Option<&Path>) -> Result<Arc<ClientConfig>, String> {
    let mut roots = RootCertStore::empty();
    if let Some(path) = ca {
        let unreadable =
            |error: &dyn fmt::Display| format!("the certificates in {}: {error}", path.display());
        let certificates = CertificateDer::pem_file_iter(path).map_err(|error| unreadable(&error))?;
        for certificate in certificates {
            let certificate = certificate.map_err(|error| unreadable(&error))?;
            roots.add(certificate).map_err(|error| unreadable(&error))?;
        }
        if roots.is_empty() {
            return Err(format!("{} holds no certificate", path.display()));
        }
    } else {
        // Those that can't be read vouch for nobody.
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let builder = builder.map_err(|error| error.to_string())?;
    Ok(Arc::new(builder.with_root_certificates(roots).with_no_client_auth()))
}

fn name_of(config: &Config) -> String {
    let hosts = config.get_hosts().iter().enumerate().map(|(index, host)| {
        let port = config.get_ports().get(index).or(config.get_ports().first()).copied().unwrap_or(5432);
        match host {
            Host::Tcp(host) => format!("{host}:{port}"),
            Host::Unix(folder) => format!("{}:{port}", folder.display()),
        }
    });
    let hosts: Vec<String> = hosts.collect();
    format!("postgres://{}/{}", hosts.join(","), config.get_dbname().unwrap_or_default())
}

impl fmt::Debug for PostgresServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresServer").field("name", &self.name).finish_non_exhaustive()
    }
}
