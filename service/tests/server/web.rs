//! Calls from web pages: grpc-web over HTTP/1.1, byte by byte.

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::process::start;

pub(crate) const HERE: &str = "http://localhost:5173";

/// Sends a request and gives the head, in lower case, and the body of what comes back.
pub(crate) async fn send(address: &str, head: &str, body: &[u8]) -> (String, Vec<u8>) {
    send_over(TcpStream::connect(address).await.unwrap(), head, body).await
}

/// The same over a connection that is there.
pub(crate) async fn send_over(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    head: &str,
    body: &[u8],
) -> (String, Vec<u8>) {
    let head =
        format!("{head}\r\nhost: localhost\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", body.len());
    stream.write_all(&[head.as_bytes(), body].concat()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    let end = answer.windows(4).position(|window| window == b"\r\n\r\n").unwrap();
    (String::from_utf8(answer[..end].to_vec()).unwrap().to_lowercase(), answer[end + 4..].to_vec())
}

pub(crate) fn post(path: &str, origin: &str) -> String {
    format!(
        "POST {path} HTTP/1.1\r\ncontent-type: application/grpc-web+proto\r\nx-grpc-web: 1\r\norigin: {origin}"
    )
}

/// A message of grpc-web: a flag, the length, the bytes.
pub(crate) fn message(bytes: &[u8]) -> Vec<u8> {
    [&[0], &u32::try_from(bytes.len()).unwrap().to_be_bytes()[..], bytes].concat()
}

pub(crate) fn contains(bytes: &[u8], part: &str) -> bool {
    bytes.windows(part.len()).any(|window| window == part.as_bytes())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_of_this_machine_calls_over_http_1() {
    let server = start(&[], &[]);
    let path = "/edgehill.v1.CatalogService/ListGames";
    let (head, body) = send(&server.address, &post(path, HERE), &message(&[])).await;
    assert!(head.starts_with("http/1.1 200"), "{head}");
    assert!(head.contains("content-type: application/grpc-web+proto"), "{head}");
    assert!(head.contains(&format!("access-control-allow-origin: {HERE}")), "{head}");
    for exposed in ["grpc-status", "grpc-message", "grpc-status-details-bin"] {
        let line = head.lines().find(|line| line.starts_with("access-control-expose-headers")).unwrap();
        assert!(line.contains(exposed), "{line}");
    }
    assert!(contains(&body, "skirmish") && contains(&body, "grpc-status:0"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_can_be_read_by_a_page() {
    let server = start(&[], &[]);
    // GetGameRequest.game = "chess".
    let body = message(b"\x0a\x05chess");
    let (head, body) = send(&server.address, &post("/edgehill.v1.CatalogService/GetGame", HERE), &body).await;
    assert!(head.contains(&format!("access-control-allow-origin: {HERE}")), "{head}");
    let all = [head.as_bytes(), &body].concat();
    assert!(contains(&all, "grpc-status-details-bin"), "{head}");
    assert!(contains(&all, "grpc-status:5") || contains(&all, "grpc-status: 5"), "{head}");
}

fn preflight(path: &str, origin: &str) -> String {
    format!(
        "OPTIONS {path} HTTP/1.1\r\norigin: {origin}\r\naccess-control-request-method: POST\r\n\
         access-control-request-headers: authorization,content-type,x-grpc-web,traceparent"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_learns_which_pages_may_call() {
    let path = "/edgehill.v1.MatchService/CreateMatch";
    let allow = "access-control-allow-origin";
    let server = start(&[], &[]);
    let (head, _) = send(&server.address, &preflight(path, HERE), &[]).await;
    assert!(head.starts_with("http/1.1 200"), "{head}");
    assert!(
        head.contains(&format!("{allow}: {HERE}")) && head.contains("access-control-allow-methods: post"),
        "{head}"
    );
    let line = head.lines().find(|line| line.starts_with("access-control-allow-headers")).unwrap();
    assert!(line.contains("authorization") && line.contains("traceparent"), "{line}");
    for origin in ["https://elsewhere.example", "http://localhost.elsewhere.example", "null"] {
        let (head, body) = send(&server.address, &preflight(path, origin), &[]).await;
        assert!(!head.contains(allow), "{origin}: {head}");
        assert!(head.starts_with("http/1.1 403") && contains(&body, "web.origins"), "{origin}: {head}");
    }

    let named = start(&[], &[("EDGEHILL_WEB__ORIGINS", r#"["https://play.example"]"#)]);
    let (head, _) = send(&named.address, &preflight(path, "https://play.example"), &[]).await;
    assert!(head.contains(&format!("{allow}: https://play.example")), "{head}");
    let (head, _) = send(&named.address, &preflight(path, HERE), &[]).await;
    assert!(!head.contains(allow), "{head}");

    let all = start(&[], &[("EDGEHILL_WEB__ORIGINS", r#"["*"]"#)]);
    let (head, _) = send(&all.address, &preflight(path, "https://anywhere.example"), &[]).await;
    assert!(head.contains(&format!("{allow}: *")), "{head}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_of_a_foreign_origin_is_in_the_log_once_and_gets_a_hint() {
    let server = start(&[], &[("EDGEHILL_LOG__FORMAT", "json")]);
    let path = "/edgehill.v1.CatalogService/ListGames";
    let foreign = "https://elsewhere.example";
    for _ in 0..3 {
        let (head, _) = send(&server.address, &post(path, foreign), &message(&[])).await;
        assert!(head.contains("edgehill-hint: ") && head.contains("web.origins"), "{head}");
        assert!(!head.contains("access-control-allow-origin"), "{head}");
    }
    let (head, _) = send(&server.address, &post(path, HERE), &message(&[])).await;
    assert!(!head.contains("edgehill-hint"), "{head}");
    // However many are made up, the log does not fill, and a long one is cut.
    for number in 0..100 {
        let made_up = format!("https://{}.{number}.example", "x".repeat(300));
        send(&server.address, &post(path, &made_up), &message(&[])).await;
    }
    let said = tokio::task::block_in_place(|| server.stop());
    let lines: Vec<&str> =
        said.stderr.lines().filter(|line| line.contains("edgehill_service::server::web")).collect();
    assert_eq!(lines.iter().filter(|line| line.contains(foreign)).count(), 1, "{}", said.stderr);
    assert!(lines[0].contains("WARN") && lines[0].contains("web.origins"), "{}", lines[0]);
    assert!(lines.len() <= 32 && lines.iter().all(|line| !line.contains(&"x".repeat(129))), "{lines:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn other_protocols_get_an_answer_that_says_which_are_served() {
    let server = start(&[], &[]);
    let path = "/edgehill.v1.CatalogService/ListGames";
    let kinds =
        ["application/connect+proto", "application/proto", "application/json", "application/connect+json"];
    for kind in kinds.into_iter().chain(["text/plain", "application/grpc"]) {
        let head = format!("POST {path} HTTP/1.1\r\ncontent-type: {kind}\r\norigin: {HERE}");
        let (head, body) = send(&server.address, &head, b"{}").await;
        assert!(head.starts_with("http/1.1 415"), "{kind}: {head}");
        // A page of this machine can read it.
        assert!(head.contains(&format!("access-control-allow-origin: {HERE}")), "{kind}: {head}");
        let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(body["code"], "unimplemented", "{kind}");
        let words = body["message"].as_str().unwrap();
        assert!(words.contains("gRPC over HTTP/2") && words.contains("gRPC-Web"), "{kind}: {words}");
    }
    let (head, body) = send(&server.address, &format!("POST {path} HTTP/1.1"), b"{}").await;
    assert!(head.starts_with("http/1.1 415") && contains(&body, "gRPC-Web"), "no content type: {head}");
    let (head, body) = send(&server.address, "GET / HTTP/1.1", &[]).await;
    assert!(head.starts_with("http/1.1 415") && contains(&body, "gRPC-Web"), "{head}");
    // gRPC itself goes on.
    server.catalog().await.list_games(edgehill_proto::v1::ListGamesRequest::default()).await.unwrap();
}
