//! A server with TLS, and the certificates that the command and the crate trust and show.

use edgehill_client::{Client, Options};

use crate::authority::{Authority, Certified, Files};
use crate::has;
use crate::test_server::TestServer;
use crate::workspace::Workspace;

/// A server that asks for certificates, and what its clients need.
struct Site {
    server: TestServer,
    authority: Authority,
    client: Certified,
    files: Files,
}

impl Site {
    fn start() -> Self {
        let (authority, clients) = (Authority::new("here"), Authority::new("clients"));
        let files = Files::new(&authority.server());
        let client_ca = files.write("clients.pem", &clients.pem());
        let named = [
            ("EDGEHILL_TLS__CERTIFICATE", files.certificate()),
            ("EDGEHILL_TLS__KEY", files.key()),
            ("EDGEHILL_TLS__CLIENT_CA", client_ca),
        ];
        let named = named.map(|(name, path)| (name, path.to_str().expect("text").to_owned()));
        let server = TestServer::start_with(&named);
        Self { server, authority, client: clients.client(), files }
    }

    fn url(&self) -> String {
        format!("https://{}", self.server.address())
    }

    /// A file of these contents, by its path.
    fn file(&self, name: &str, text: &str) -> String {
        self.files.write(name, text).to_str().expect("text").to_owned()
    }
}

#[test]
fn the_command_names_its_authorities_and_shows_a_certificate() {
    let (site, here) = (Site::start(), Workspace::new());
    let url = site.url();
    let (ca, other) = (site.file("ca.pem", &site.authority.pem()), Authority::new("elsewhere").pem());
    let other = site.file("other.pem", &other);
    let cert = site.file("client.pem", &site.client.certificate);
    let cert_key = site.file("client.key.pem", &site.client.key);
    let shown = ["--ca", &ca, "--cert", &cert, "--cert-key", &cert_key];
    let with = |more: &[&str]| here.run(&[&["--server", &*url, "games"], more].concat());
    let good = with(&shown);
    assert_eq!(good.code, 0, "{}", good.err);
    has(&good.out, "skirmish");
    let variables = [("EDGEHILL_CA", &*ca), ("EDGEHILL_CERT", &cert), ("EDGEHILL_CERT_KEY", &cert_key)];
    assert_eq!(here.run_in(&["--server", &url, "games"], "", &variables).code, 0);

    for (more, code) in [
        // Of those without a certificate, and those who don't know the server's, nobody comes through.
        (&["--ca", &*ca][..], 5),
        (&["--ca", &other, "--cert", &cert, "--cert-key", &cert_key], 5),
        (&["--ca", &ca, "--cert", &cert], 2),
        (&["--ca", &cert_key], 2),
        (&["--ca", &ca, "--cert", &cert, "--cert-key", &cert], 2),
        (&["--ca", "nowhere.pem"], 3),
    ] {
        let answer = with(more);
        assert_eq!(answer.code, code, "{more:?}: {}", answer.err);
    }
    has(&with(&["--ca", &ca, "--cert", &cert]).err, "--cert FILE --cert-key FILE");
    has(&with(&["--ca", &cert_key]).err, "the CA holds no certificate in PEM");
    let clear = here.run(&["--server", &url.replace("https", "http"), "games", "--ca", &ca]);
    assert_eq!(clear.code, 2);
    has(&clear.err, "goes with https://");
}

#[tokio::test]
async fn the_crate_plays_through_tls() {
    let site = Site::start();
    let options = Options::new(site.url()).ca(site.authority.pem()).expect("a certificate");
    let options = options.client_certificate(&*site.client.certificate, &*site.client.key).expect("another");
    let client = Client::open(options).await.expect("it is there");
    client.catalog().game("skirmish").await.expect("it is served");
}
