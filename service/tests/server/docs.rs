//! Pages under `/docs`: what is served of a folder, how, and that nothing else is.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use http::{Method, Request, Response, StatusCode};
use http_body_util::BodyExt;
use tempfile::TempDir;
use tokio::net::TcpStream;
use tonic::body::Body;
use tonic::transport::Channel;
use tower::{Service, ServiceExt};

use crate::process::{Running, channel, start, try_start};
use crate::web::{contains, send_over};

/// The text that no page may show.
const SECRET: &str = "the key of the server";

/// A folder with a site, and beside it a file that is none of its.
pub(crate) fn site() -> TempDir {
    let above = tempfile::tempdir().unwrap();
    let folder = above.path().join("site");
    for (path, text) in [
        ("../secret.html", SECRET),
        ("index.html", "<h1>start</h1>"),
        ("404.html", "<h1>no such page</h1>"),
        ("games/skirmish.html", "<h1>skirmish</h1>"),
        ("assets/app.BY6WzMhu.js", "console.log(1)"),
        ("assets/style.css", "h1 { color: red }"),
    ] {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    symlink("../secret.html", folder.join("out.html")).unwrap();
    symlink("..", folder.join("above")).unwrap();
    symlink("index.html", folder.join("also.html")).unwrap();
    above
}

/// The folder of a site as the variable that names it.
pub(crate) fn named(above: &TempDir) -> (&'static str, String) {
    ("EDGEHILL_DOCS__FOLDER", above.path().join("site").to_str().unwrap().to_owned())
}

fn serving(above: &TempDir) -> Running {
    let (name, folder) = named(above);
    start(&[], &[(name, &folder)])
}

/// Asks over HTTP/1.1, with the path as it stands: the head, in lower case, and the body.
async fn ask(server: &Running, line: &str) -> (String, Vec<u8>) {
    send_over(TcpStream::connect(&server.address).await.unwrap(), line, &[]).await
}

async fn get(server: &Running, path: &str) -> (String, Vec<u8>) {
    ask(server, &format!("GET {path} HTTP/1.1")).await
}

/// The value of a header; empty: it is not there.
fn header<'h>(head: &'h str, name: &str) -> &'h str {
    head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": ")).unwrap_or_default()
}

/// Asks over HTTP/2.
async fn ask_http2(to: &mut Channel, method: Method, path: &str) -> Response<Body> {
    let request = Request::builder().method(method).uri(path).body(Body::empty()).unwrap();
    to.ready().await.unwrap().call(request).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_are_served_with_their_types_and_under_a_policy() {
    let (site, kinds) = (site(), ["text/html", "text/javascript", "text/css"]);
    let server = serving(&site);
    let forever = "public, max-age=31536000, immutable";
    for (path, kind, text, age) in [
        ("/docs/", kinds[0], "<h1>start</h1>", "no-cache"),
        ("/docs/index.html?from=here", kinds[0], "<h1>start</h1>", "no-cache"),
        ("/docs/games/skirmish.html", kinds[0], "<h1>skirmish</h1>", "no-cache"),
        ("/docs/also.html", kinds[0], "<h1>start</h1>", "no-cache"),
        ("/docs/assets/app.BY6WzMhu.js", kinds[1], "console.log(1)", forever),
        ("/docs/assets/style.css", kinds[2], "h1 { color: red }", "no-cache"),
    ] {
        let (head, body) = get(&server, path).await;
        assert!(head.starts_with("http/1.1 200"), "{path}: {head}");
        assert_eq!(String::from_utf8(body).unwrap(), text, "{path}");
        assert!(header(&head, "content-type").starts_with(kind), "{path}: {head}");
        assert_eq!(header(&head, "cache-control"), age, "{path}");
        assert_eq!(header(&head, "x-content-type-options"), "nosniff", "{path}");
        let policy = header(&head, "content-security-policy");
        assert!(policy.contains("default-src 'none'") && policy.contains("script-src 'self';"), "{policy}");

        let (head, body) = ask(&server, &format!("HEAD {path} HTTP/1.1")).await;
        assert!(head.starts_with("http/1.1 200") && body.is_empty(), "{path}: {head}");
        assert_eq!(header(&head, "content-length"), text.len().to_string(), "{path}");
    }
    let (head, _) = get(&server, "/docs").await;
    assert!(head.starts_with("http/1.1 307") && header(&head, "location") == "/docs/", "{head}");
    let (head, _) = get(&server, "/docs/games").await;
    assert_eq!(header(&head, "location"), "/docs/games/", "{head}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_has_not_changed_is_not_sent_again() {
    let site = site();
    let server = serving(&site);
    let (head, _) = get(&server, "/docs/").await;
    let known = format!("\r\nif-none-match: {}", header(&head, "etag"));
    let (head, body) = ask(&server, &format!("GET /docs/ HTTP/1.1{known}")).await;
    assert!(head.starts_with("http/1.1 304") && body.is_empty(), "{head}");
    // Of a page that is not there nothing is known.
    let (head, body) =
        ask(&server, "GET /docs/nowhere HTTP/1.1\r\nrange: bytes=0-3\r\nif-none-match: *").await;
    assert!(head.starts_with("http/1.1 404") && contains(&body, "no such page"), "{head}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_path_that_leads_nowhere_gets_the_page_that_says_so() {
    let site = site();
    let server = serving(&site);
    for path in ["/docs/nowhere.html", "/docs/games/", "/docs/index.html/more", "/docs/%00", "/docs/%ff"] {
        let (head, body) = get(&server, path).await;
        assert!(head.starts_with("http/1.1 404"), "{path}: {head}");
        assert!(header(&head, "content-type").starts_with("text/html"), "{path}: {head}");
        assert!(contains(&body, "no such page"), "{path}: {head}");
        assert_eq!(header(&head, "x-content-type-options"), "nosniff", "{path}");
    }
    let (head, body) = ask(&server, "HEAD /docs/nowhere.html HTTP/1.1").await;
    assert!(head.starts_with("http/1.1 404") && body.is_empty(), "{head}");
    fs::remove_file(site.path().join("site/404.html")).unwrap();
    let (head, _) = get(&server, "/docs/nowhere.html").await;
    assert!(head.starts_with("http/1.1 404"), "{head}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_outside_of_the_folder_can_be_read() {
    let site = site();
    let server = serving(&site);
    let absolute = site.path().join("secret.html").to_str().unwrap().to_owned();
    let mut paths: Vec<String> = [
        "/docs/../secret.html",
        "/docs/games/../../secret.html",
        "/docs/%2e%2e/secret.html",
        "/docs/%2E%2e%2fsecret.html",
        "/docs/..%2fsecret.html",
        "/docs/..%5csecret.html",
        "/docs/.%2e/secret.html",
        "/docs/%252e%252e/secret.html",
        "/docs/out.html",
        "/docs/above/secret.html",
        "/docs/above/site/../secret.html",
        "/docs//etc/passwd",
        "/docs/%2fetc%2fpasswd",
        "/docs/file:///etc/passwd",
    ]
    .map(str::to_owned)
    .to_vec();
    paths.extend(["/docs", "/docs/", "/docs//", "/docs/%2f"].map(|before| format!("{before}{absolute}")));
    for path in &paths {
        let (head, body) = get(&server, path).await;
        assert!(head.starts_with("http/1.1 404"), "{path}: {head}");
        assert!(!contains(&body, SECRET) && !contains(&body, "root:"), "{path}");
        let (head, _) = ask(&server, &format!("HEAD {path} HTTP/1.1")).await;
        assert!(head.starts_with("http/1.1 404"), "{path}: {head}");
    }
    // A link within the folder is one of its files, even by the way of the folder above.
    let (head, _) = get(&server, "/docs/above/site/index.html").await;
    assert!(head.starts_with("http/1.1 200"), "{head}");
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_are_read_and_nothing_else_is_done_with_them() {
    let site = site();
    let server = serving(&site);
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"] {
        let (head, _) = ask(&server, &format!("{method} /docs/index.html HTTP/1.1")).await;
        assert!(head.starts_with("http/1.1 405"), "{method}: {head}");
        assert!(header(&head, "allow").contains("get"), "{method}: {head}");
    }
    assert!(Path::new(&site.path().join("site/index.html")).exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_and_calls_share_a_connection() {
    let site = site();
    let server = serving(&site);
    let mut to = channel(&server.address).await;
    let mut catalog = edgehill_proto::v1::catalog_service_client::CatalogServiceClient::new(to.clone());
    for (method, path, status, text) in [
        (Method::GET, "/docs/", StatusCode::OK, "<h1>start</h1>"),
        (Method::GET, "/docs/nowhere.html", StatusCode::NOT_FOUND, "<h1>no such page</h1>"),
        (Method::HEAD, "/docs/", StatusCode::OK, ""),
        (Method::POST, "/docs/", StatusCode::METHOD_NOT_ALLOWED, ""),
        (Method::GET, "/docs/%2e%2e/secret.html", StatusCode::NOT_FOUND, "<h1>no such page</h1>"),
    ] {
        let answer = ask_http2(&mut to, method, path).await;
        assert_eq!(answer.status(), status, "{path}");
        let body = answer.into_body().collect().await.unwrap().to_bytes();
        assert_eq!(body, text.as_bytes(), "{path}");
        catalog.list_games(edgehill_proto::v1::ListGamesRequest::default()).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_who_reads_no_page_takes_none_from_others() {
    let site = site();
    // More than lies in the buffers of a connection.
    fs::File::create(site.path().join("site/large.bin")).unwrap().set_len(64 << 20).unwrap();
    let server = serving(&site);
    let mut to = channel(&server.address).await;
    let mut unread = Vec::new();
    for _ in 0..32 {
        let answer = ask_http2(&mut to, Method::GET, "/docs/large.bin").await;
        assert_eq!(answer.status(), StatusCode::OK);
        unread.push(answer);
    }
    let refused = ask_http2(&mut to, Method::GET, "/docs/").await;
    assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(refused.headers()["retry-after"], "1");
    // Calls are none of them.
    server.catalog().await.list_games(edgehill_proto::v1::ListGamesRequest::default()).await.unwrap();
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.2:0".parse().unwrap()).unwrap();
    let other = socket.connect(server.address.parse().unwrap()).await.unwrap();
    let (head, _) = send_over(other, "GET /docs/ HTTP/1.1", &[]).await;
    assert!(head.starts_with("http/1.1 200"), "{head}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_without_pages_says_how_they_are_had() {
    let server = start(&[], &[]);
    for path in ["/docs", "/docs/", "/docs/index.html"] {
        let (head, body) = get(&server, path).await;
        assert!(head.starts_with("http/1.1 404"), "{path}: {head}");
        assert!(contains(&body, "`docs.folder`"), "{path}");
    }
    let (head, _) = get(&server, "/docsify").await;
    assert!(head.starts_with("http/1.1 415"), "{head}");
}

#[test]
fn a_folder_that_is_no_site_is_refused_at_the_start() {
    let empty = tempfile::tempdir().unwrap();
    for (folder, fault) in [
        (empty.path().to_str().unwrap(), "has no `index.html`: it is not the folder that `make docs` builds"),
        ("/nowhere/at/all", "is not a folder"),
        ("", "the path is empty"),
    ] {
        let said = try_start(&[], &[("EDGEHILL_DOCS__FOLDER", folder)]).err().unwrap();
        assert_eq!(said.code, Some(2), "{folder}: {said:?}");
        let field = "the environment variable EDGEHILL_DOCS__FOLDER: docs.folder: ";
        assert!(said.stderr.contains(field) && said.stderr.contains(fault), "{}", said.stderr);
        assert!(said.stderr.contains("; accepted: a folder with an `index.html`"), "{}", said.stderr);
    }
}
