//! TLS: who gets in, what they are shown, and how certificates are replaced while the server runs.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use edgehill_proto::v1::catalog_service_client::CatalogServiceClient;
use edgehill_proto::v1::match_service_client::MatchServiceClient;
use edgehill_proto::v1::{self, ErrorReason};
use edgehill_service::config::{Config, Tls};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tonic::Code;
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint, Identity};

use crate::authority::{Authority, Certified, Files};
use crate::docs;
use crate::manual;
use crate::message::HasMatch;
use crate::process::{Running, by, player_key, said, soon, start};
use crate::service_manager::Manager;
use crate::start::reason;
use crate::web::{HERE, contains, message, post, send_over};

/// The variables that name the files.
fn variables(files: &Files, client_ca: Option<&Path>) -> Vec<(&'static str, String)> {
    let mut variables =
        vec![("EDGEHILL_TLS__CERTIFICATE", files.certificate()), ("EDGEHILL_TLS__KEY", files.key())];
    variables.extend(client_ca.map(|path| ("EDGEHILL_TLS__CLIENT_CA", path.to_owned())));
    variables.into_iter().map(|(name, path)| (name, path.to_str().unwrap().to_owned())).collect()
}

fn borrowed<'v>(variables: &'v [(&'static str, String)]) -> Vec<(&'static str, &'v str)> {
    variables.iter().map(|(name, value)| (*name, &**value)).collect()
}

fn started(files: &Files, client_ca: Option<&Path>, more: &[(&str, &str)]) -> Running {
    start(&[], &[&borrowed(&variables(files, client_ca)), more].concat())
}

/// The end of a channel whose client knows an authority, and shows a certificate if it has one.
fn endpoint(address: &str, authority: &Authority, shown: Option<&Certified>) -> Endpoint {
    let mut tls = ClientTlsConfig::new().ca_certificate(Certificate::from_pem(authority.pem()));
    if let Some(Certified { certificate, key, .. }) = shown {
        tls = tls.identity(Identity::from_pem(certificate, key));
    }
    Endpoint::from_shared(format!("https://{address}")).unwrap().tls_config(tls).unwrap()
}

async fn channel(address: &str, authority: &Authority) -> Channel {
    endpoint(address, authority, None).connect().await.unwrap()
}

/// Asks for the list of games, which takes no account.
async fn ask(endpoint: &Endpoint) -> Result<(), Box<dyn std::error::Error>> {
    let channel = endpoint.connect().await?;
    soon(CatalogServiceClient::new(channel).list_games(v1::ListGamesRequest::default())).await?;
    Ok(())
}

/// A connection through TLS on which `protocol` is spoken.
async fn secured(address: &str, authority: &Authority, protocol: &str) -> io::Result<TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(authority.pem().as_bytes()).unwrap()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder =
        ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let mut config = builder.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![protocol.as_bytes().to_vec()];
    let tcp = TcpStream::connect(address).await?;
    TlsConnector::from(Arc::new(config)).connect(ServerName::try_from("localhost").unwrap(), tcp).await
}

/// The certificate that a server shows to who comes now.
async fn shown(address: &str, authority: &Authority) -> Vec<u8> {
    let stream = soon(secured(address, authority, "h2")).await.unwrap();
    stream.get_ref().1.peer_certificates().unwrap()[0].to_vec()
}

fn create() -> v1::CreateMatchRequest {
    v1::CreateMatchRequest {
        request_id: "a".into(),
        game: "skirmish".into(),
        client_secret: vec![7; 32],
        ..v1::CreateMatchRequest::default()
    }
}

fn watch(match_id: String) -> v1::WatchMatchRequest {
    v1::WatchMatchRequest { match_id, ..v1::WatchMatchRequest::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_goes_through_tls_and_what_is_none_is_turned_away_without_holding_up_others() {
    let authority = Authority::new("here");
    let certified = authority.server();
    let files = Files::new(&certified);
    let more = [("EDGEHILL_LOG__FILTER", "trace"), ("EDGEHILL_DEADLINES__PREFACE_SECONDS", "3600")];
    let server = started(&files, None, &more);
    // Some who begin no handshake, and one who leaves off in the midst of it.
    let mut silent = Vec::new();
    for _ in 0..8 {
        silent.push(TcpStream::connect(&server.address).await.unwrap());
    }
    silent[0].write_all(&[22, 3, 1, 2, 0, 1]).await.unwrap();
    for plain in [&b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n"[..], b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"] {
        let mut stream = TcpStream::connect(&server.address).await.unwrap();
        stream.write_all(plain).await.unwrap();
        let mut answer = Vec::new();
        // It may be reset, since not all of it was read.
        let _ = soon(stream.read_to_end(&mut answer)).await;
        // At most an alert of TLS, which is no HTTP.
        assert!(!contains(&answer, "HTTP"), "{answer:?}");
    }
    let strange = ask(&endpoint(&server.address, &Authority::new("elsewhere"), None)).await;
    strange.expect_err("a client that does not know the authority goes");
    ask(&endpoint(&server.address, &authority, None)).await.unwrap();
    drop(silent);
    let said = tokio::task::block_in_place(|| server.stop());
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let failed: Vec<_> = said.stderr.lines().filter(|line| line.contains("a TLS handshake failed")).collect();
    assert!(
        failed.len() >= 3 && failed[0].contains("127.0.0.1") && failed[0].contains("DEBUG"),
        "{failed:?}"
    );
    // Nothing of the key, at any level.
    for line in certified.key.lines().filter(|line| !line.starts_with('-')) {
        assert!(!said.stderr.contains(line));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_calls_over_http_1_in_tls() {
    let authority = Authority::new("here");
    let server = started(&Files::new(&authority.server()), None, &[]);
    let stream = secured(&server.address, &authority, "http/1.1").await.unwrap();
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"http/1.1"[..]));
    let path = "/edgehill.v1.CatalogService/ListGames";
    let (head, body) = soon(send_over(stream, &post(path, HERE), &message(&[]))).await;
    assert!(head.starts_with("http/1.1 200"), "{head}");
    assert!(contains(&body, "skirmish") && contains(&body, "grpc-status:0"));
    let stream = secured(&server.address, &authority, "h2").await.unwrap();
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"h2"[..]));
    secured(&server.address, &authority, "spdy/1").await.expect_err("nothing here speaks it");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_shows_its_certificate_where_one_is_asked_for_and_is_named_by_its_key_alone() {
    let (authority, clients) = (Authority::new("here"), Authority::new("clients"));
    let files = Files::new(&authority.server());
    let client_ca = files.write("clients.pem", &clients.pem());
    let store = files.path("store");
    let store = store.to_str().unwrap();
    let (key, made) = player_key("ada", store);
    let accounts = files.write("accounts.toml", &made);
    let variables = variables(&files, Some(&client_ca));
    let server = start(&["--store", store, "--accounts", accounts.to_str().unwrap()], &borrowed(&variables));
    let known = clients.client();
    let good = endpoint(&server.address, &authority, Some(&known));
    ask(&good).await.unwrap();
    ask(&endpoint(&server.address, &authority, None)).await.expect_err("there is no certificate");
    let other = Authority::new("others").client();
    ask(&endpoint(&server.address, &authority, Some(&other))).await.expect_err("it is another authority's");
    // A server's certificate is no client's, whoever signed it.
    let wrong = clients.server();
    ask(&endpoint(&server.address, &authority, Some(&wrong))).await.expect_err("it is for a server");
    let mut client = MatchServiceClient::new(good.connect().await.unwrap());
    let nobody = client.create_match(create()).await.unwrap_err();
    assert_eq!((nobody.code(), reason(&nobody)), (Code::Unauthenticated, ErrorReason::BadToken));
    client.create_match(by(&key, create())).await.unwrap();
    drop(client);
    assert_eq!(server.stop().code, Some(0));
}

/// A server with files that are replaced, and the test as its service manager.
struct Site {
    authority: Authority,
    files: Files,
    manager: Manager,
}

impl Site {
    fn new() -> Self {
        let authority = Authority::new("here");
        let files = Files::new(&authority.server());
        Self { authority, files, manager: Manager::new() }
    }

    fn configure(&self, more: &str) -> String {
        let (certificate, key) = (self.files.certificate(), self.files.key());
        let text = format!("tls = {{ certificate = {certificate:?}, key = {key:?} }}\n{more}");
        self.files.write("edgehill.toml", &text).to_str().unwrap().to_owned()
    }

    async fn start(&self) -> Running {
        let server = self.manager.start(&["--config", &self.configure("")], &[]);
        assert_eq!(self.manager.told().await, ["READY=1"]);
        server
    }

    async fn reload(&self, server: &Running) {
        server.signal("HUP");
        assert_eq!(self.manager.told().await[0], "RELOADING=1");
        assert_eq!(self.manager.told().await, ["READY=1"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replaced_certificate_is_shown_after_sighup_and_streams_go_on() {
    let site = Site::new();
    let server = site.start().await;
    let mut client = MatchServiceClient::new(channel(&server.address, &site.authority).await);
    let made = client.create_match(create()).await.unwrap().into_inner();
    let mut old = client.watch_match(watch(made.id())).await.unwrap().into_inner();
    old.message().await.unwrap().unwrap();

    let renewed = site.authority.server();
    site.files.put(&renewed);
    site.reload(&server).await;
    assert_eq!(shown(&server.address, &site.authority).await, renewed.der);
    // News of a call on a connection with the new certificate comes on the stream with the old one.
    let mut other = MatchServiceClient::new(channel(&server.address, &site.authority).await);
    let abort = v1::AbortMatchRequest {
        match_id: made.id(),
        request_id: "b".into(),
        creator_token: made.creator_token.clone(),
    };
    other.abort_match(abort).await.unwrap();
    while soon(old.message()).await.unwrap().is_some() {}
    drop((client, other));
    assert_eq!(server.stop().code, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_accepted_changes_nothing_of_a_reload() {
    let site = Site::new();
    let server = site.start().await;
    let before = shown(&server.address, &site.authority).await;
    let streams = async || {
        let mut client = CatalogServiceClient::new(channel(&server.address, &site.authority).await);
        let limits = client.get_limits(v1::GetLimitsRequest::default()).await.unwrap().into_inner().limits;
        limits.into_iter().find(|limit| limit.name() == v1::LimitName::Streams).unwrap().value
    };
    site.configure("[limits]\nstreams = 7\n");
    // The certificate is new, and the key is not yet.
    let renewed = site.authority.server();
    site.files.write("server.pem", &renewed.certificate);
    site.reload(&server).await;
    assert_eq!((shown(&server.address, &site.authority).await, streams().await), (before, 256));
    site.files.put(&renewed);
    site.reload(&server).await;
    assert_eq!((shown(&server.address, &site.authority).await, streams().await), (renewed.der, 7));

    let said = tokio::task::block_in_place(|| server.stop());
    let fault = said.stderr.lines().find(|line| line.contains("were not read again")).unwrap();
    let (certificate, key) = (site.files.certificate(), site.files.key());
    let expected =
        format!("tls.key: {} is not the key of the certificate in {}", key.display(), certificate.display());
    assert!(fault.contains("ERROR") && fault.contains(&expected), "{fault}");
}

/// The configuration of a server in this process.
fn configured(files: &Files) -> impl FnOnce(&mut Config) {
    let tls = Tls { certificate: Some(files.certificate()), key: Some(files.key()), client_ca: None };
    move |config| config.tls = tls
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replaced_certificate_is_found_by_itself() {
    let authority = Authority::new("here");
    let first = authority.server();
    let files = Files::new(&first);
    let server = manual::start(configured(&files)).await;
    let address = server.handle.local_addr().to_string();
    assert_eq!(shown(&address, &authority).await, first.der);
    let mut before = first.der;
    for _ in 0..2 {
        let renewed = authority.server();
        files.put(&renewed);
        assert_eq!(shown(&address, &authority).await, before, "nobody has looked");
        let found = async {
            while shown(&address, &authority).await != renewed.der {
                server.advance(Duration::from_secs(60));
            }
        };
        soon(found).await;
        before = renewed.der;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_through_tls_are_cut_off_with_the_others() {
    let authority = Authority::new("here");
    let files = Files::new(&authority.server());
    let server = manual::start(configured(&files)).await;
    let address = server.handle.local_addr().to_string();
    let mut stream = secured(&address, &authority, "h2").await.unwrap();
    // In the midst of a handshake, as well.
    let mut begun = TcpStream::connect(&address).await.unwrap();
    server.handle.severed().cancel();
    let ended = async { while stream.read(&mut [0; 64]).await.unwrap_or(0) > 0 {} };
    soon(ended).await;
    assert_eq!(soon(begun.read(&mut [0; 64])).await.unwrap_or(0), 0);
    soon(server.handle.shutdown()).await;
}

#[test]
fn what_the_files_hold_is_checked_before_anything_is_made() {
    let authority = Authority::new("here");
    let (certified, other) = (authority.server(), authority.server());
    let files = Files::new(&certified);
    let store = files.folder().join("store");
    let store = store.to_str().unwrap();
    let client_ca = files.write("clients.pem", "");
    let cut = &certified.certificate[..certified.certificate.len() / 2];
    let encrypted = certified.key.replace("PRIVATE KEY", "ENCRYPTED PRIVATE KEY");
    let no_certificate = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    for (name, text, expected) in [
        (
            "server.pem",
            "",
            "tls.certificate: FILE holds no certificate in PEM; accepted: a PEM file: the server's",
        ),
        ("server.pem", &*certified.key, "tls.certificate: FILE holds no certificate in PEM"),
        ("server.pem", cut, "tls.certificate: FILE is PEM that is damaged or breaks off"),
        (
            "server.pem",
            no_certificate,
            "tls.certificate: FILE holds a certificate that can't be read (number 1)",
        ),
        ("server.pem", &*other.certificate, "server.key.pem is not the key of the certificate in FILE"),
        (
            "server.key.pem",
            "",
            "tls.key: FILE holds no private key in PEM, or one that is encrypted; accepted: a PEM file of one key",
        ),
        (
            "server.key.pem",
            &*encrypted,
            "tls.key: FILE holds no private key in PEM, or one that is encrypted",
        ),
        (
            "server.key.pem",
            &*certified.key.replace('M', "!"),
            "tls.key: FILE is PEM that is damaged or breaks off",
        ),
        ("server.key.pem", &*other.key, "tls.key: FILE is not the key of the certificate in "),
        (
            "clients.pem",
            "",
            "tls.client_ca: FILE holds no certificate in PEM; accepted: a PEM file of one or more authorities",
        ),
        (
            "clients.pem",
            no_certificate,
            "tls.client_ca: FILE holds a certificate that can't be read (number 1)",
        ),
    ] {
        files.put(&certified);
        files.write("clients.pem", &authority.pem());
        let path = files.write(name, text);
        let variables = variables(&files, Some(&client_ca));
        let (code, stdout, stderr) =
            said(&["--listen", "127.0.0.1:0", "--store", store], &borrowed(&variables));
        let expected = expected.replace("FILE", path.to_str().unwrap());
        assert_eq!((code, &*stdout), (Some(1), ""), "{expected:?}: {stderr}");
        assert!(stderr.contains(&expected), "{expected:?} is not in {stderr:?}");
        let secret = certified.key.lines().nth(1).unwrap();
        assert!(!stderr.contains(secret) && !stderr.contains(&secret.replace('M', "!")), "{stderr}");
    }
    files.put(&certified);
    files.set_mode("server.key.pem", 0o644);
    let (code, _, stderr) = said(&["--store", store], &borrowed(&variables(&files, None)));
    assert_eq!(code, Some(1));
    assert!(
        stderr.contains("server.key.pem has mode 0644: whoever reads it can pass for this server"),
        "{stderr}"
    );
    assert!(!Path::new(store).exists(), "nothing was made");
    // The key that is refused is one for all that: else the table would show nothing.
    PrivateKeyDer::from_pem_slice(certified.key.as_bytes()).unwrap();
}

#[test]
fn who_serves_others_in_clear_is_told_so() {
    let authority = Authority::new("here");
    let files = Files::new(&authority.server());
    let store = files.folder().join("store");
    let store = store.to_str().unwrap();
    let accounts = files.write("accounts.toml", &player_key("ada", store).1);
    // An address that no machine has: the server says what it has to say, and then can't listen.
    let args = ["--listen", "192.0.2.7:7400", "--store", store, "--accounts", accounts.to_str().unwrap()];
    let proxy =
        [("EDGEHILL_PROXY__ADDRESSES", r#"["10.0.0.1"]"#), ("EDGEHILL_PROXY__HEADER", "x-forwarded-for")];
    let tls = variables(&files, None);
    for (env, told) in [(&[][..], true), (&proxy[..], false), (&borrowed(&tls)[..], false)] {
        let (code, _, stderr) = said(&args, env);
        assert!(code == Some(1) && stderr.contains("can't be listened on"), "{stderr}");
        assert_eq!(stderr.contains("keys and tokens travel in the clear"), told, "{env:?}: {stderr}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_come_through_tls_as_calls_do() {
    let authority = Authority::new("here");
    let files = Files::new(&authority.server());
    let site = docs::site();
    let (name, folder) = docs::named(&site);
    let server = started(&files, None, &[(name, &folder)]);
    let stream = soon(secured(&server.address, &authority, "http/1.1")).await.unwrap();
    let (head, body) = soon(send_over(stream, "GET /docs/ HTTP/1.1", &[])).await;
    assert!(head.starts_with("http/1.1 200") && contains(&body, "start"), "{head}");
    // Nothing in clear.
    let mut plain = TcpStream::connect(&server.address).await.unwrap();
    plain.write_all(b"GET /docs/ HTTP/1.1\r\nhost: localhost\r\n\r\n").await.unwrap();
    let mut answer = Vec::new();
    // It may be reset, since not all of it was read.
    let _ = soon(plain.read_to_end(&mut answer)).await;
    assert!(!contains(&answer, "HTTP"), "{answer:?}");
}
