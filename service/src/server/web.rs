//! Calls from web pages ([`Web`]): CORS, outside of everything else, so that refusals can be read too, and grpc-web.

use std::mem;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http::request::Parts;
use http::{HeaderName, HeaderValue, Method, Request, Response, Uri, Version, header};
use tokio_util::either::Either;
use tonic::body::Body;
use tonic_web::GrpcWebLayer;
use tower::{Layer, Service};
use tower_http::cors::{AllowHeaders, AllowOrigin, CorsLayer};

/// The time for which a browser may keep an answer to its question before it asks again.
const KEEP: Duration = Duration::from_secs(3_600);

/// The headers of an answer that pages may read: all that gRPC says of how a call ended.
const EXPOSED: [HeaderName; 3] = [
    HeaderName::from_static("grpc-status"),
    HeaderName::from_static("grpc-message"),
    HeaderName::from_static("grpc-status-details-bin"),
];

/// Puts what pages need before a service. Calls that can't be a page's go straight to it: they would pay for it otherwise,
/// and most calls of a server are a bot's.
#[derive(Clone, Debug)]
pub(super) struct Web(Arc<CorsLayer>);

impl Web {
    /// Lets in pages of these origins, of all with `*`, and of this machine where none are given.
    pub(super) fn new(origins: Option<&[String]>) -> Self {
        Self(Arc::new(cors(origins)))
    }
}

impl<S> Layer<S> for Web {
    type Service = WebService<S>;

    fn layer(&self, inner: S) -> WebService<S> {
        WebService { inner, cors: Arc::clone(&self.0) }
    }
}

/// A service that pages reach, too. Cheap to clone, as each call does.
#[derive(Clone, Debug)]
pub(super) struct WebService<S> {
    inner: S,
    cors: Arc<CorsLayer>,
}

impl<S> Service<Request<Body>> for WebService<S>
where
    S: Service<Request<Body>, Response = Response<Body>> + Clone,
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
        // The one that said it was ready is the one that is called.
        let another = self.inner.clone();
        let inner = mem::replace(&mut self.inner, another);
        Either::Right(Box::pin(self.cors.layer(GrpcWebLayer::new().layer(inner)).call(request)))
    }
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

/// Lets in pages of these origins, of all with `*`, and of this machine where none are given.
fn cors(origins: Option<&[String]>) -> CorsLayer {
    let allowed = match origins.map(<[String]>::to_vec) {
        None => AllowOrigin::predicate(|origin, _: &Parts| is_this_machine(origin)),
        Some(origins) if origins.iter().any(|origin| origin == "*") => AllowOrigin::any(),
        Some(origins) => AllowOrigin::predicate(move |origin: &HeaderValue, _: &Parts| {
            origins.iter().any(|allowed| allowed.as_bytes() == origin.as_bytes())
        }),
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
