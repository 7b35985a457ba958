//! The calls that clients are told were refused, counted by the server that the client asked: [`counted`].

use http::{HeaderMap, Response};
use tonic::body::Body;
use tonic::{Code, Status};

use super::body::{Listener, Watched};
use crate::api::HandedOn;
use crate::telemetry::{RefusedCalls, code_name};
use crate::wire;

/// The answer, which counts among `refused` if its end says so. One for a server that has handed its call on here does not: that
/// server tells the client, and may ask a third one first.
pub(super) fn counted(answer: Response<Body>, refused: &RefusedCalls) -> Response<Body> {
    if answer.extensions().get::<HandedOn>().is_some() {
        return answer;
    }
    let mut end = End { refused: refused.clone(), reason: None };
    // An answer without messages has its status up here.
    end.trailers(answer.headers());
    answer.map(|body| Watched::body(body, end))
}

/// The reason for which an answer with these trailers refuses its call: its name, or the code's if the refusal is the transport's own.
/// `None`: they refuse nothing.
pub(super) fn refused_for(trailers: &HeaderMap) -> Option<&'static str> {
    let code = Code::from_bytes(trailers.get("grpc-status")?.as_bytes());
    let refusal = || Status::from_header_map(trailers).and_then(|status| wire::status::read(&status));
    (code != Code::Ok).then(|| {
        refusal().map_or_else(|| code_name(code), |refusal| wire::error_reason::name(refusal.reason()))
    })
}

/// Counts a call as refused when its answer is dropped, if it was.
struct End {
    refused: RefusedCalls,
    reason: Option<&'static str>,
}

impl Listener for End {
    fn trailers(&mut self, trailers: &HeaderMap) {
        self.reason = refused_for(trailers);
    }
}

impl Drop for End {
    fn drop(&mut self) {
        if let Some(reason) = self.reason {
            self.refused.count(reason);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::wire::Refused;

    const RETRY: Duration = Duration::from_millis(100);

    #[test]
    fn what_a_client_is_told_counts_and_what_another_server_is_told_does_not() {
        let refused = RefusedCalls::default();
        let answer = || Status::from(Refused::store_unavailable(RETRY)).into_http::<Body>();
        drop(counted(answer(), &refused));
        assert_eq!(refused.take(), Some((1, "STORE_UNAVAILABLE 1".to_owned())));
        let mut for_a_server = answer();
        for_a_server.extensions_mut().insert(HandedOn);
        drop(counted(for_a_server, &refused));
        drop(counted(Response::new(Body::empty()), &refused));
        assert_eq!(refused.take(), None);
    }
}
