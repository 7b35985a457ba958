//! Calls from web pages ([`Web`]): CORS, outside of everything else, so that refusals can be read too, and grpc-web.
//!
//! A caller who speaks another protocol gets an answer that names those that are served; a page of an origin that may not
//! call gets a hint, and the operator a line in the log.

use std::mem;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use http::request::Parts;
use http::{HeaderName, HeaderValue, Method, Request, Response, StatusCode, Uri, Version, header};
use tokio_util::either::Either;
use tonic::body::Body;
use tonic_web::GrpcWebLayer;
use tower::{Layer, Service, service_fn};
use tower_http::cors::{AllowHeaders, AllowOrigin, CorsLayer};

/// The time for which a browser may keep an answer to its question before it asks again.
const KEEP: Duration = Duration::from_secs(3_600);

/// The headers of an answer that pages may read: all that gRPC says of how a call ended.
const EXPOSED: [HeaderName; 3] = [
    HeaderName::from_static("grpc-status"),
    HeaderName::from_static("grpc-message"),
    HeaderName::from_static("grpc-status-details-bin"),
];

/// The answer to a call in another protocol, as Connect's clients read it.
const UNSERVED: &str = concat!(
    r#"{"code":"unimplemented","message":"this server speaks gRPC over HTTP/2 (application/grpc) and gRPC-Web "#,
    r#"(application/grpc-web+proto, application/grpc-web-text+proto), and neither Connect's own protocol nor JSON: "#,
    r#"see docs/clients.md"}"#,
);

/// The header of an answer that says what keeps a page from reading it.
const HINT: HeaderName = HeaderName::from_static("edgehill-hint");

/// The hint to the pages of an origin that may not call.
const FOREIGN: &str = "pages of this origin may not call: the operator lets them in with `web.origins`";

/// The most origins that are logged, each once: anybody can make one up.
const LOGGED_MAX: usize = 32;

/// The most bytes of an origin that are logged.
const ORIGIN_BYTES_MAX: usize = 128;

/// Puts what pages need before a service. Calls that can't be a page's go straight to it: they would pay for it otherwise,
/// and most calls of a server are a bot's.
#[derive(Clone, Debug)]
pub(super) struct Web(Arc<Pages>);

/// The pages that may call.
#[derive(Debug)]
struct Pages {
    origins: Arc<Origins>,
    cors: CorsLayer,
    /// The origins that were logged.
    logged: Mutex<Vec<HeaderValue>>,
}

/// The origins whose pages may call.
#[derive(Debug)]
enum Origins {
    ThisMachine,
    All,
    Named(Vec<String>),
}

impl Web {
    /// Lets in pages of these origins, of all with `*`, and of this machine where none are given.
    pub(super) fn new(origins: Option<&[String]>) -> Self {
        let origins = Arc::new(match origins {
            None => Origins::ThisMachine,
            Some(origins) if origins.iter().any(|origin| origin == "*") => Origins::All,
            Some(origins) => Origins::Named(origins.to_vec()),
        });
        let cors = cors(&origins);
        Self(Arc::new(Pages { origins, cors, logged: Mutex::default() }))
    }
}

impl<S> Layer<S> for Web {
    type Service = WebService<S>;

    fn layer(&self, inner: S) -> WebService<S> {
        WebService { inner, pages: Arc::clone(&self.0) }
    }
}

/// A service that pages reach, too. Cheap to clone, as each call does.
#[derive(Clone, Debug)]
pub(super) struct WebService<S> {
    inner: S,
    pages: Arc<Pages>,
}

impl<S> Service<Request<Body>> for WebService<S>
where
    S: Service<Request<Body>, Response = Response<Body>> + Clone,
    S::Error: Send + 'static,
    S::Future: Send + 'static,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Either<S::Future, Pin<Box<dyn Future<Output = Result<Response<Body>, S::Error>> + Send>>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        if !may_be_a_pages(&request) {
            return Either::Left(self.inner.call(request));
        }
        let is_foreign = self.pages.is_foreign(&request);
        if is_foreign && request.method() == Method::OPTIONS {
            return Either::Right(Box::pin(async {
                Ok(hinted(answer(StatusCode::FORBIDDEN, "text/plain", FOREIGN)))
            }));
        }
        if !is_served(&request) {
            let unserved = service_fn(|_: Request<Body>| async {
                Ok(answer(StatusCode::UNSUPPORTED_MEDIA_TYPE, "application/json", UNSERVED))
            });
            return Either::Right(Box::pin(self.pages.cors.layer(unserved).call(request)));
        }
        // The one that said it was ready is the one that is called.
        let another = self.inner.clone();
        let inner = mem::replace(&mut self.inner, another);
        let answered = self.pages.cors.layer(GrpcWebLayer::new().layer(inner)).call(request);
        Either::Right(Box::pin(async move {
            let answer = answered.await?;
            Ok(if is_foreign { hinted(answer) } else { answer })
        }))
    }
}

impl Pages {
    /// Returns whether the call is one of a page that may not call; the operator finds the first of an origin in the log.
    fn is_foreign(&self, request: &Request<Body>) -> bool {
        let Some(origin) = request.headers().get(header::ORIGIN) else { return false };
        if self.origins.admit(origin) {
            return false;
        }
        let mut logged = self.logged.lock().unwrap_or_else(PoisonError::into_inner);
        if logged.len() < LOGGED_MAX && !logged.contains(origin) {
            let shown = &origin.as_bytes()[..origin.len().min(ORIGIN_BYTES_MAX)];
            tracing::warn!(
                origin = %shown.escape_ascii(),
                "a page of this origin has called and may not: `web.origins` names those that may"
            );
            logged.push(origin.clone());
        }
        true
    }
}

impl Origins {
    fn admit(&self, origin: &HeaderValue) -> bool {
        match self {
            Self::ThisMachine => is_this_machine(origin),
            Self::All => true,
            Self::Named(origins) => origins.iter().any(|allowed| allowed.as_bytes() == origin.as_bytes()),
        }
    }
}

/// Returns whether the call is in a protocol that is served here, as far as its head says.
fn is_served(request: &Request<Body>) -> bool {
    let kind = request.headers().get(header::CONTENT_TYPE).map_or(&[][..], HeaderValue::as_bytes);
    let plain = request.version() == Version::HTTP_2 && kind.starts_with(b"application/grpc");
    request.method() == Method::OPTIONS || plain || kind.starts_with(b"application/grpc-web")
}

/// An answer that is none of gRPC.
fn answer(status: StatusCode, kind: &'static str, text: &'static str) -> Response<Body> {
    let mut answer = Response::new(Body::new(text.to_owned()));
    *answer.status_mut() = status;
    answer.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    answer
}

/// The same with the hint to a page that may not call.
fn hinted(mut answer: Response<Body>) -> Response<Body> {
    answer.headers_mut().insert(HINT, HeaderValue::from_static(FOREIGN));
    answer
}

/// Returns whether a page may have made the call: pages say where they come from, and can't speak plain gRPC,
/// nor HTTP/2 of their own accord.
fn may_be_a_pages(request: &Request<Body>) -> bool {
    let plain = |kind: &HeaderValue| !kind.as_bytes().starts_with(b"application/grpc-web");
    request.version() != Version::HTTP_2
        || request.method() != Method::POST
        || request.headers().contains_key(header::ORIGIN)
        || !request.headers().get(header::CONTENT_TYPE).is_some_and(plain)
}

/// Lets in pages of these origins.
fn cors(origins: &Arc<Origins>) -> CorsLayer {
    let allowed = match **origins {
        Origins::All => AllowOrigin::any(),
        Origins::ThisMachine | Origins::Named(_) => {
            let origins = Arc::clone(origins);
            AllowOrigin::predicate(move |origin: &HeaderValue, _: &Parts| origins.admit(origin))
        }
    };
    CorsLayer::new()
        .allow_origin(allowed)
        .allow_methods([Method::POST])
        // Whatever gRPC and tracing send; `*` would leave out `authorization`.
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers(EXPOSED)
        .max_age(KEEP)
}

fn is_this_machine(origin: &HeaderValue) -> bool {
    let Some(origin) = origin.to_str().ok().and_then(|origin| origin.parse::<Uri>().ok()) else {
        return false;
    };
    let host = origin.host().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_no_page_can_send_passes_pages_by() {
        let call = |version, method: Method, headers: &[(&str, &str)]| {
            let request = Request::builder().version(version).method(method);
            let request =
                headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
            may_be_a_pages(&request.body(Body::empty()).unwrap())
        };
        let (plain, origin) = (("content-type", "application/grpc"), ("origin", "https://play.example"));
        assert!(!call(Version::HTTP_2, Method::POST, &[plain]));
        assert!(!call(Version::HTTP_2, Method::POST, &[("content-type", "application/grpc+proto")]));
        for (version, method, headers) in [
            (Version::HTTP_11, Method::POST, &[plain][..]),
            (Version::HTTP_2, Method::OPTIONS, &[plain]),
            (Version::HTTP_2, Method::POST, &[plain, origin]),
            (Version::HTTP_2, Method::POST, &[("content-type", "application/grpc-web+proto")]),
            (Version::HTTP_2, Method::POST, &[]),
        ] {
            assert!(call(version, method.clone(), headers), "{version:?} {method} {headers:?}");
        }
    }

    #[test]
    fn this_machine_is_told_from_others() {
        for (origin, expected) in [
            ("http://localhost:5173", true),
            ("https://localhost", true),
            ("http://127.0.0.1:8080", true),
            ("http://[::1]:8080", true),
            ("http://localhost.example", false),
            ("http://example/localhost", false),
            ("http://127.0.0.1.example", false),
            ("http://192.0.2.7", false),
            ("null", false),
            ("", false),
        ] {
            assert_eq!(is_this_machine(&HeaderValue::from_static(origin)), expected, "{origin:?}");
        }
    }
}
