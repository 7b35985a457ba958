//! The way of a call to the server that answers it ([`Router`]): the one that has its match, or what belongs to no match.
//!
//! A call goes from server to server once. Who hands it on keeps its message until it is answered, and hands it to another one if the match
//! has moved meanwhile: a client does not hear of that. Streams that go on are passed on by the services themselves
//! ([`crate::api::Peers`]).

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context as Task, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Request, Response};
use http_body_util::{BodyExt as _, Full};
use prost::encoding::{WireType, decode_key, decode_varint};
use tokio::sync::watch;
use tonic::body::Body;
use tower::{Service, ServiceExt as _};

use super::asking::Reading;
use super::front::App;
use super::hop::Hop;
use super::methods::{Answerer, Method, Methods};
use super::refusals;
use super::ways::Ways;
use crate::api::{HandedOn, Peers as _, Whereabouts};
use crate::clock::Clock;
use crate::store::MatchId;
use crate::wire::status::ELSEWHERE;

/// The time for which a call waits for a match that moves, or that nobody has.
const PATIENCE: Duration = Duration::from_secs(5);

/// Has a call answered where that can be done. Cheap to clone.
#[derive(Clone)]
pub(super) struct Router {
    pub(super) hop: Hop,
    pub(super) methods: Methods,
    pub(super) reading: Reading,
    pub(super) ways: Arc<Ways>,
    pub(super) clock: Arc<dyn Clock>,
    /// Answers here for matches, and for all that any server answers for.
    pub(super) here: App,
    /// Answers here for what belongs to no match; `None`: it is elsewhere.
    pub(super) home: watch::Receiver<Option<App>>,
}

/// A call whose message is at hand, so that it can be made again.
struct Whole {
    head: http::request::Parts,
    message: Bytes,
}

impl Whole {
    fn again(&self) -> Request<Body> {
        Request::from_parts(self.head.clone(), Body::new(Full::new(self.message.clone())))
    }

    /// The match that this field of the message names; `None` if it names none, or is compressed.
    fn match_in(&self, field: u32) -> Option<MatchId> {
        let (&[0, _, _, _, _], message) = self.message.split_first_chunk::<5>()? else { return None };
        let mut rest = message;
        while !rest.is_empty() {
            let (number, kind) = decode_key(&mut rest).ok()?;
            let length = match kind {
                WireType::LengthDelimited => usize::try_from(decode_varint(&mut rest).ok()?).ok()?,
                WireType::Varint => {
                    decode_varint(&mut rest).ok()?;
                    0
                }
                WireType::SixtyFourBit => 8,
                WireType::ThirtyTwoBit => 4,
                WireType::StartGroup | WireType::EndGroup => return None,
            };
            let (value, after) = rest.split_at_checked(length)?;
            if number == field {
                return std::str::from_utf8(value).ok()?.parse().ok();
            }
            rest = after;
        }
        None
    }
}

/// The match of a call that is elsewhere, by the answer to it.
fn elsewhere(headers: &HeaderMap) -> Option<MatchId> {
    headers.get(ELSEWHERE)?.to_str().ok()?.parse().ok()
}

/// Takes that from an answer: clients get no such header.
fn take_elsewhere(answer: &mut Response<Body>) -> Option<MatchId> {
    let id = elsewhere(answer.headers());
    answer.headers_mut().remove(ELSEWHERE);
    id
}

/// Where a call is to be answered.
enum Target {
    Match(MatchId),
    Home,
    Maker,
    Here,
}

impl Router {
    async fn answer(self, mut request: Request<Body>) -> Response<Body> {
        let was_handed_on = self.hop.take_word(&mut request);
        let method = Arc::clone(self.methods.at(request.uri().path()));
        if was_handed_on {
            request.extensions_mut().insert(HandedOn);
            let mut answer = self.handed_on(&method, request).await;
            answer.extensions_mut().insert(HandedOn);
            return answer;
        }
        let target = match method.answerer {
            Answerer::Any => return self.without_word(request).await,
            Answerer::Passing if !self.ways.may_answer() => return refusals::no_owner().into_http(),
            Answerer::Passing => return self.without_word(request).await,
            Answerer::Home => Target::Home,
            Answerer::Maker => Target::Maker,
            Answerer::Owner { .. } => Target::Here,
        };
        let whole = match self.reading.whole(request).await {
            Ok(request) => request,
            Err(status) => return status.into_http(),
        };
        let (head, body) = whole.into_parts();
        // It is at hand already.
        let message = body.collect().await.map(|message| message.to_bytes()).unwrap_or_default();
        let whole = Whole { head, message };
        let target = match method.answerer {
            Answerer::Owner { field } => whole.match_in(field).map_or(target, Target::Match),
            _ => target,
        };
        self.insist(&whole, target).await
    }

    /// Answers a call for the server that was asked, which tells its client.
    async fn handed_on(&self, method: &Method, request: Request<Body>) -> Response<Body> {
        // Of games any server knows all.
        let is_of_matches = method.answerer != Answerer::Any;
        match method.answerer {
            _ if is_of_matches && !self.ways.may_answer() => refusals::no_owner().into_http(),
            Answerer::Home => self.at_home(request).await,
            _ => {
                let answer = call(self.here.clone(), request).await;
                if elsewhere(answer.headers()).is_some() {
                    // It may have been handed to this server just now: who asks again finds it here.
                    self.ways.changed().await;
                }
                answer
            }
        }
    }

    /// Makes a call where its match is, from one server to the next.
    async fn insist(&self, whole: &Whole, mut target: Target) -> Response<Body> {
        let patience = self.clock.elapsed().saturating_add(PATIENCE);
        let mut last = None;
        loop {
            let place = match &target {
                Target::Match(id) => self.ways.whereabouts(*id),
                Target::Home => self.ways.home(),
                Target::Maker => self.ways.maker(),
                Target::Here if self.ways.may_answer() => Whereabouts::Here,
                Target::Here => Whereabouts::Nowhere,
            };
            let answer = match place {
                Whereabouts::Here if matches!(target, Target::Home) => {
                    Some(self.at_home(whole.again()).await)
                }
                Whereabouts::Here => Some(call(self.here.clone(), whole.again()).await),
                Whereabouts::There(app) => Some(call(app, whole.again()).await),
                Whereabouts::Nowhere => None,
            };
            if let Some(mut answer) = answer {
                let Some(id) = take_elsewhere(&mut answer) else { return answer };
                target = Target::Match(id);
                last = Some(answer);
            }
            if self.clock.elapsed() > patience {
                return last.unwrap_or_else(|| refusals::no_owner().into_http());
            }
            self.ways.changed().await;
        }
    }

    /// Has this server answer, whose services ask others where they have to.
    async fn without_word(self, request: Request<Body>) -> Response<Body> {
        let mut answer = call(self.here, request).await;
        take_elsewhere(&mut answer);
        answer
    }

    async fn at_home(&self, request: Request<Body>) -> Response<Body> {
        let home = self.home.borrow().clone();
        match home {
            Some(app) => call(app, request).await,
            None => refusals::no_owner().into_http(),
        }
    }
}

async fn call(app: App, request: Request<Body>) -> Response<Body> {
    let Ok(answer) = app.oneshot(request).await;
    answer
}

impl Service<Request<Body>> for Router {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Task<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let router = self.clone();
        Box::pin(async move { Ok(router.answer(request).await) })
    }
}

#[cfg(test)]
mod tests {
    use edgehill_proto::v1;
    use prost::{Message, encoding};

    use super::*;

    fn whole(message: &impl Message) -> Whole {
        framed(&message.encode_to_vec())
    }

    fn framed(bytes: &[u8]) -> Whole {
        let mut framed = vec![0];
        framed.extend_from_slice(&(bytes.len() as u32).to_be_bytes());
        framed.extend_from_slice(bytes);
        Whole { head: Request::new(()).into_parts().0, message: framed.into() }
    }

    #[test]
    fn the_match_of_a_call_is_found_in_its_message() {
        let id = MatchId::from_bytes([7; 16]);
        let message = v1::GetViewRequest { match_id: id.to_string(), ..v1::GetViewRequest::default() };
        assert_eq!(whole(&message).match_in(1), Some(id));
        let message = v1::RematchMatchRequest::default();
        assert_eq!(whole(&message).match_in(1), None);
        // Fields of any kind before it are passed over.
        let mut fields = Vec::new();
        encoding::uint64::encode(1, &300, &mut fields);
        encoding::fixed32::encode(2, &7, &mut fields);
        encoding::fixed64::encode(3, &7, &mut fields);
        encoding::string::encode(4, &MatchId::from_bytes([8; 16]).to_string(), &mut fields);
        encoding::string::encode(9, &id.to_string(), &mut fields);
        assert_eq!(framed(&fields).match_in(9), Some(id));
        assert_eq!(framed(&fields).match_in(5), None);
        for bad in
            [&b""[..], &[0; 4], &[1, 0, 0, 0, 1, 0], &[0, 0, 0, 0, 2, 0x0a, 200], &[0, 0, 0, 0, 1, 0x0b]]
        {
            let whole = Whole { head: Request::new(()).into_parts().0, message: bad.to_vec().into() };
            assert_eq!(whole.match_in(1), None, "{bad:?}");
        }
    }
}
