//! The way to a database: [`PostgresServer`].
//!
//! An address may name several hosts, of which one can be written to, and another one after a failover. All are asked at once: one that
//! takes connections and says nothing keeps nobody from the others, which are asked again meanwhile; and one that shows the past is passed
//! over.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use std::{fmt, io};

use postgres::NoTls;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use tokio::runtime;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::timeout;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::super::error::{Error, Failure};
use super::client::{Client, drive};
use super::failure::{failure, opening};
use super::fence::{BEHIND, Written};

/// The time in which a database has to take a connection, where its address names none.
const CONNECT: Duration = Duration::from_secs(5);

/// The time after which a host that has refused is asked again, while another one says nothing.
const ASKED_AGAIN: Duration = Duration::from_millis(200);

/// The time after which a peer that has not confirmed what was sent to it counts as gone, and so does one that has not answered what it
/// was asked, where its address names none (`tcp_user_timeout`): a node that was cut off answers nothing, not even a refusal.
const SILENCE: Duration = Duration::from_secs(10);

/// A database of PostgreSQL, and how it is reached.
#[derive(Clone)]
pub struct PostgresServer {
    /// One for each of its hosts.
    hosts: Vec<Config>,
    /// The time in which a host has to take a connection, and to be ready on it.
    connect: Duration,
    /// The time in which it has to answer.
    answer: Duration,
    tls: Option<Arc<ClientConfig>>,
    name: Arc<Path>,
}

impl PostgresServer {
    /// The database of this address, as PostgreSQL's own programs take it: `postgres://user@host1,host2/database`, or
    /// `host=... dbname=...`. Of several hosts one that can be written to is taken. TLS follows from its `sslmode`; `ca` is
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
        let connect = config.get_connect_timeout().copied().unwrap_or(CONNECT);
        let answer = config.get_tcp_user_timeout().copied().unwrap_or(SILENCE);
        config.connect_timeout(connect);
        config.tcp_user_timeout(answer);
        config.keepalives_idle(SILENCE / 2);
        config.keepalives_interval(SILENCE / 10);
        config.keepalives_retries(5);
        let hosts = each_host(&config).map_err(invalid)?;
        let name: Arc<Path> = Path::new(&name_of(&config)).into();
        let tls = (config.get_ssl_mode() != SslMode::Disable).then(|| tls(ca)).transpose();
        let tls = tls.map_err(|why| Error::Open { path: name.to_path_buf(), why })?;
        Ok(Self { hosts, connect, answer, tls, name })
    }

    /// Its address, without what is secret of it.
    pub(super) fn name(&self) -> Arc<Path> {
        Arc::clone(&self.name)
    }

    /// The time in which it has to answer what it is asked.
    pub(super) const fn answer(&self) -> Duration {
        self.answer
    }

    /// Connects to the host that can be written to, shows what was `written`, and says so first. `warned` is set when the database warns of
    /// something, as it does of a commit that no longer waits for its standbys.
    pub(super) fn connect(
        &self,
        warned: &Arc<AtomicBool>,
        written: Option<&Arc<Written>>,
    ) -> Result<Client, ConnectError> {
        let runtime = runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(ConnectError::Runtime)?;
        let first = runtime.block_on(async {
            let mut tries = JoinSet::new();
            let ask = |tries: &mut JoinSet<_>, number: usize, is_again: bool| {
                let (host, tls, connect) = (self.hosts[number].clone(), self.tls.clone(), self.connect);
                let (warned, written) = (Arc::clone(warned), written.map(Arc::clone));
                tries.spawn(async move {
                    if is_again {
                        pause().await;
                    }
                    (number, timeout(connect, reach(host, tls, warned, written)).await)
                });
            };
            (0..self.hosts.len()).for_each(|number| ask(&mut tries, number, false));
            let mut silent = vec![true; self.hosts.len()];
            let mut ended = ConnectError::Silent(self.connect);
            while silent.contains(&true)
                && let Some(tried) = tries.join_next().await
            {
                let Ok((number, tried)) = tried else { continue };
                silent[number] = false;
                match tried {
                    Ok(Ok(reached)) => return Ok(reached),
                    Ok(Err(refused)) => {
                        ended = refused;
                        // It may become the one that can be written to while nothing is heard of another one.
                        ask(&mut tries, number, true);
                    }
                    // It has said nothing; what another one has said tells more.
                    Err(_) => {}
                }
            }
            Err(ended)
        });
        let (client, connection) = first?;
        Ok(Client::new(client, runtime, connection, self.answer))
    }
}

/// Waits before a host that has refused is asked again.
#[expect(clippy::disallowed_methods, reason = "a database does not tell when it can be written to")]
async fn pause() {
    tokio::time::sleep(ASKED_AGAIN).await;
}

/// Connects to one host, and begins to read what it sends.
async fn reach(
    host: Config,
    tls: Option<Arc<ClientConfig>>,
    warned: Arc<AtomicBool>,
    written: Option<Arc<Written>>,
) -> Result<(tokio_postgres::Client, JoinHandle<()>), ConnectError> {
    let (client, driven) = match tls {
        Some(tls) => {
            let tls = MakeRustlsConnect::new(ClientConfig::clone(&tls));
            let (client, connection) = host.connect(tls).await.map_err(ConnectError::Refused)?;
            (client, tokio::spawn(drive(connection, warned)))
        }
        None => {
            let (client, connection) = host.connect(NoTls).await.map_err(ConnectError::Refused)?;
            (client, tokio::spawn(drive(connection, warned)))
        }
    };
    if let Some(written) = written {
        let lacks = client.query(BEHIND, &written.values()).await.map_err(ConnectError::Refused)?;
        if !lacks.is_empty() {
            return Err(ConnectError::Behind);
        }
    }
    Ok((client, driven))
}

/// The end of an attempt to connect.
#[derive(Debug)]
pub(super) enum ConnectError {
    /// A host was not reached, or has refused.
    Refused(postgres::Error),
    /// A host has answered that lacks what was written to another one.
    Behind,
    /// No host has said anything in this time.
    Silent(Duration),
    /// There is nothing to run a connection in.
    Runtime(io::Error),
}

impl ConnectError {
    /// The error of a database that can't be opened.
    pub(super) fn opening(&self, name: &Path) -> Error {
        match self {
            Self::Refused(error) => opening(name, error),
            other => Error::Open { path: name.to_owned(), why: other.to_string() },
        }
    }

    /// The failure of a store that was open.
    pub(super) fn failure(&self, name: &Path) -> Failure {
        match self {
            Self::Refused(error) => failure(name, error),
            other => Failure(Error::Failed { why: other.to_string() }),
        }
    }
}

impl fmt::Display for ConnectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(error) => write!(f, "{error}"),
            Self::Behind => write!(f, "a host of the database has answered which lacks what was written"),
            Self::Silent(within) => write!(f, "no host has answered within {within:?}"),
            Self::Runtime(error) => write!(f, "no connection can be begun: {error}"),
        }
    }
}

/// The hosts of an address, each with all that the address says of it.
fn each_host(config: &Config) -> Result<Vec<Config>, String> {
    let (hosts, addresses, ports) = (config.get_hosts(), config.get_hostaddrs(), config.get_ports());
    let count = hosts.len().max(addresses.len());
    let fits = |length: usize| length == 0 || length == count;
    if count == 0 || !fits(hosts.len()) || !fits(addresses.len()) {
        return Err(format!("it has {} hosts and {} addresses of hosts", hosts.len(), addresses.len()));
    }
    if ports.len() > 1 && ports.len() != count {
        return Err(format!("it has {count} hosts and {} ports", ports.len()));
    }
    let each = (0..count).map(|index| {
        let mut one = common(config);
        match hosts.get(index) {
            Some(Host::Tcp(host)) => _ = one.host(host),
            Some(Host::Unix(folder)) => _ = one.host_path(folder),
            None => {}
        }
        if let Some(&address) = addresses.get(index) {
            one.hostaddr(address);
        }
        if let Some(&port) = ports.get(index).or(ports.first()) {
            one.port(port);
        }
        one
    });
    Ok(each.collect())
}

/// All that an address says of its hosts together.
fn common(config: &Config) -> Config {
    let mut one = Config::new();
    if let Some(user) = config.get_user() {
        one.user(user);
    }
    if let Some(password) = config.get_password() {
        one.password(password);
    }
    if let Some(name) = config.get_dbname() {
        one.dbname(name);
    }
    if let Some(options) = config.get_options() {
        one.options(options);
    }
    if let Some(name) = config.get_application_name() {
        one.application_name(name);
    }
    if let Some(&time) = config.get_connect_timeout() {
        one.connect_timeout(time);
    }
    if let Some(&time) = config.get_tcp_user_timeout() {
        one.tcp_user_timeout(time);
    }
    if let Some(time) = config.get_keepalives_interval() {
        one.keepalives_interval(time);
    }
    if let Some(count) = config.get_keepalives_retries() {
        one.keepalives_retries(count);
    }
    one.keepalives(config.get_keepalives())
        .keepalives_idle(config.get_keepalives_idle())
        .ssl_mode(config.get_ssl_mode())
        .ssl_negotiation(config.get_ssl_negotiation())
        .channel_binding(config.get_channel_binding())
        .target_session_attrs(config.get_target_session_attrs())
        .load_balance_hosts(config.get_load_balance_hosts());
    one
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Nothing that an address says is lost on the way to one of its hosts: the library shows all that it knows.
    #[test]
    fn each_host_has_all_that_the_address_says_of_it() {
        let rest = "user=ada password=word dbname=games options=-cgeqo=off application_name=north sslmode=require \
                    sslnegotiation=direct connect_timeout=3 tcp_user_timeout=4 keepalives=0 keepalives_idle=5 \
                    keepalives_interval=6 keepalives_retries=7 target_session_attrs=read-write channel_binding=require \
                    load_balance_hosts=random";
        let config: Config =
            format!("host=one,/two hostaddr=10.0.0.1,10.0.0.2 port=1,2 {rest}").parse().unwrap();
        let each = each_host(&config).unwrap();
        let expected = ["host=one hostaddr=10.0.0.1 port=1", "host=/two hostaddr=10.0.0.2 port=2"];
        for (found, host) in each.iter().zip(expected) {
            let expected: Config = format!("{host} {rest}").parse().unwrap();
            assert_eq!(found, &expected);
        }
        assert_eq!(each.len(), 2);
    }

    #[test]
    fn one_port_is_that_of_all_hosts_and_others_are_one_each() {
        let each = |address: &str| each_host(&address.parse().unwrap()).map(|each| each.len());
        assert_eq!(each("host=one,two,three port=6000"), Ok(3));
        assert_eq!(each("host=one,two"), Ok(2));
        assert_eq!(each("host=one,two,three port=1,2"), Err("it has 3 hosts and 2 ports".to_owned()));
        assert_eq!(
            each("host=one,two hostaddr=10.0.0.1").unwrap_err(),
            "it has 2 hosts and 1 addresses of hosts"
        );
    }
}
