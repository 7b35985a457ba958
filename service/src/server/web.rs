//! Calls from web pages: CORS, outside of everything else, so that refusals can be read too.

use std::time::Duration;

use http::request::Parts;
use http::{HeaderName, HeaderValue, Method, Uri};
use tower_http::cors::{AllowHeaders, AllowOrigin, CorsLayer};

/// How long a browser may keep an answer to its question before it asks again.
const KEEP: Duration = Duration::from_secs(3_600);

/// What pages may read of an answer: all that gRPC says of how a call ended.
const EXPOSED: [HeaderName; 3] = [
    HeaderName::from_static("grpc-status"),
    HeaderName::from_static("grpc-message"),
    HeaderName::from_static("grpc-status-details-bin"),
];

/// Lets in pages of these origins, of all with `*`, and of this machine where none are given.
pub(super) fn cors(origins: Option<&[String]>) -> CorsLayer {
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
