//! A fault in one call is that call's alone.

use std::any::Any;

use http::Response;
use tonic::body::Body;
use tower_http::catch_panic::ResponseForPanic;

use super::refusals;

/// Answers INTERNAL_FAULT in place of a call that panicked. The panic itself is in the log, and not in the answer.
#[derive(Copy, Clone, Debug)]
pub(super) struct AnswerPanic;

impl ResponseForPanic for AnswerPanic {
    type ResponseBody = Body;

    fn response_for_panic(&mut self, _: Box<dyn Any + Send + 'static>) -> Response<Body> {
        refusals::fault().into_http()
    }
}
