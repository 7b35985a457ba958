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
use edgehill_proto::v1::ErrorReason;
use http::{HeaderMap, HeaderValue, Request, Response};
use http_body_util::{BodyExt as _, Full};
use prost::encoding::{WireType, decode_key, decode_varint};
use tokio::sync::watch;
use tonic::Status;
use tonic::body::Body;
use tower::{Service, ServiceExt as _};

use super::asking::Reading;
use super::deadline::Deadline;
use super::forwarding::Unanswered;
use super::front::App;
use super::hop::Hop;
use super::methods::{Answerer, Method, Methods};
use super::refusals;
use super::ways::Directory;
use crate::api::{HandedOn, Whereabouts};
use crate::clock::Clock;
use crate::store::{MatchId, ServerId, Shard};
use crate::wire::status::{self, ELSEWHERE, NOWHERE};

/// The time for which a call waits for a match that moves, or that nobody has.
const PATIENCE: Duration = Duration::from_secs(5);

/// The time in which it is found out whether somebody has the matches of a server that does not answer.
const FOUND_OUT: Duration = Duration::from_secs(1);

/// Has a call answered where that can be done. Cheap to clone.
#[derive(Clone)]
pub(super) struct Router {
    pub(super) hop: Hop,
    pub(super) methods: Methods,
    pub(super) reading: Reading,
    pub(super) ways: Arc<dyn Directory>,
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
    /// The call once more, with what is left of its time.
    fn again(&self) -> Request<Body> {
        let mut head = self.head.clone();
        if let Some(deadline) = head.extensions.get::<Deadline>().copied() {
            deadline.tell(&mut head.headers);
        }
        Request::from_parts(head, Body::new(Full::new(self.message.clone())))
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

/// The word of a server on a call that it has done nothing of: it is to be made elsewhere, or again.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Elsewhere {
    /// It is of this match, which another server has.
    Match(MatchId),
    /// Nobody can answer it at this moment.
    Nowhere,
}

/// That word, by the answer's headers.
fn elsewhere(headers: &HeaderMap) -> Option<Elsewhere> {
    match headers.get(ELSEWHERE)?.to_str().ok()? {
        NOWHERE => Some(Elsewhere::Nowhere),
        id => id.parse().ok().map(Elsewhere::Match),
    }
}

/// Takes it from an answer: clients get no such header.
fn take_elsewhere(answer: &mut Response<Body>) -> Option<Elsewhere> {
    let elsewhere = elsewhere(answer.headers());
    answer.headers_mut().remove(ELSEWHERE);
    elsewhere
}

/// The answer to a call that nobody can answer at this moment, for the server that has handed it on.
fn nowhere() -> Response<Body> {
    let mut answer = refusals::no_owner().into_http();
    answer.headers_mut().insert(ELSEWHERE, HeaderValue::from_static(NOWHERE));
    answer
}

/// Returns whether an answer says that the server which was asked stops, or has said nothing. What it has done by then is known to whoever
/// has its matches next, by the call's request id.
fn has_gone(answer: &Response<Body>) -> bool {
    let refusal = || Status::from_header_map(answer.headers()).and_then(|status| status::read(&status));
    answer.extensions().get::<Unanswered>().is_some()
        || refusal().is_some_and(|refusal| refusal.reason() == ErrorReason::Draining)
}

/// Where a call is to be answered.
enum Target {
    Match(MatchId),
    Home,
    Maker,
    Here,
}

impl Target {
    /// The shard whose owner it is another's to answer by.
    fn shard(&self) -> Shard {
        match self {
            Self::Match(id) => Shard::of(*id),
            Self::Home | Self::Maker | Self::Here => Shard::OF_STORE,
        }
    }
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
            _ if is_of_matches && !self.ways.may_answer() => nowhere(),
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
            let is_there = matches!(place, Whereabouts::There(_));
            let owner = self.ways.owner(target.shard());
            let answer = match place {
                Whereabouts::Here if matches!(target, Target::Home) => {
                    Some(self.at_home(whole.again()).await)
                }
                Whereabouts::Here => Some(call(self.here.clone(), whole.again()).await),
                Whereabouts::There(app) => Some(call(app, whole.again()).await),
                Whereabouts::Nowhere => None,
            };
            if let Some(mut answer) = answer {
                if is_there && has_gone(&answer) {
                    if !self.is_left_by(owner, target.shard()).await {
                        return answer;
                    }
                    last = Some(answer);
                    continue;
                }
                match take_elsewhere(&mut answer) {
                    None => return answer,
                    Some(Elsewhere::Match(id)) => target = Target::Match(id),
                    // It may be opening what has become its own.
                    Some(Elsewhere::Nowhere) => {}
                }
                last = Some(answer);
            }
            if self.clock.elapsed() > patience {
                return last.unwrap_or_else(|| refusals::no_owner().into_http());
            }
            self.ways.changed().await;
        }
    }

    /// Returns whether a shard has left the server that owned it, once that can be known: who stops has handed over what it had, maybe before
    /// that was heard of here.
    async fn is_left_by(&self, owner: Option<ServerId>, shard: Shard) -> bool {
        let until = self.clock.elapsed().saturating_add(FOUND_OUT);
        while self.ways.owner(shard) == owner {
            if self.clock.elapsed() >= until {
                return false;
            }
            tokio::select! {
                () = self.ways.changed() => {}
                () = self.clock.reach(until) => {}
            }
        }
        true
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
            None => nowhere(),
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
    use std::net::IpAddr;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicU8, Ordering};

    use async_trait::async_trait;
    use edgehill_proto::v1;
    use prost::{Message, encoding};
    use tokio_util::sync::CancellationToken;
    use tower::service_fn;

    use super::super::front::app;
    use super::super::peer::Peer;
    use super::*;
    use crate::api::{PeerApp, Peers};
    use crate::clock::ManualClock;
    use crate::identity::ServerKey;
    use crate::server::descriptors;

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

    const ID: MatchId = MatchId::from_bytes([7; 16]);

    /// A server that is asked, and keeps the times that the calls to it had left.
    #[derive(Clone, Default)]
    struct Asked(Arc<Mutex<Vec<Option<String>>>>);

    impl Asked {
        /// It has the match from the call of this number on; until then it says that somebody else has it.
        fn app(&self, found_at: usize) -> App {
            let mut elsewhere = Status::unavailable("it is elsewhere");
            elsewhere.metadata_mut().insert(ELSEWHERE, ID.to_string().parse().unwrap());
            self.refusing(elsewhere, found_at)
        }

        /// It answers from the call of this number on, and refuses those before.
        fn refusing(&self, refusal: Status, answers_at: usize) -> App {
            let asked = Arc::clone(&self.0);
            app(service_fn(move |request: Request<Body>| {
                let left =
                    request.headers().get("grpc-timeout").map(|left| left.to_str().unwrap().to_owned());
                let mut asked = asked.lock().unwrap();
                asked.push(left);
                let is_answered = asked.len() >= answers_at;
                let answer = if is_answered { Response::default() } else { refusal.clone().into_http() };
                std::future::ready(Ok(answer))
            }))
        }

        fn times(&self) -> Vec<Option<String>> {
            self.0.lock().unwrap().clone()
        }
    }

    /// Another server has all matches, as far as is known, and a moment goes by whenever somebody waits for a change.
    struct Other {
        app: PeerApp,
        owner: AtomicU8,
        /// There is a change whenever somebody waits for one.
        moves: bool,
        clock: Arc<ManualClock>,
    }

    impl std::fmt::Debug for Other {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("another server")
        }
    }

    #[async_trait]
    impl Peers for Other {
        fn own(&self) -> ServerId {
            ServerId::from_bytes([1; 16])
        }

        fn whereabouts(&self, _: MatchId) -> Whereabouts {
            Whereabouts::There(self.app.clone())
        }

        fn others(&self) -> Vec<(ServerId, PeerApp)> {
            vec![(ServerId::from_bytes([2; 16]), self.app.clone())]
        }

        async fn changed(&self) {
            let moment = Duration::from_millis(20);
            tokio::time::advance(moment).await;
            self.clock.advance(moment);
            self.owner.fetch_add(u8::from(self.moves), Ordering::Relaxed);
        }
    }

    impl Directory for Other {
        fn home(&self) -> Whereabouts {
            self.whereabouts(ID)
        }

        fn maker(&self) -> Whereabouts {
            self.whereabouts(ID)
        }

        fn may_answer(&self) -> bool {
            true
        }

        fn owner(&self, _: Shard) -> Option<ServerId> {
            Some(ServerId::from_bytes([self.owner.load(Ordering::Relaxed); 16]))
        }
    }

    fn hop() -> Hop {
        Hop::new(ServerKey::from_bytes([1; 32]))
    }

    fn router(here: App, there: App, moves: bool) -> Router {
        let clock = Arc::new(ManualClock::new(0));
        let ways = Other { app: there, owner: AtomicU8::new(2), moves, clock: Arc::clone(&clock) };
        Router {
            hop: hop(),
            methods: Methods::of(&descriptors()),
            reading: Reading::new(1_024, Duration::from_secs(10)),
            ways: Arc::new(ways),
            clock,
            here,
            home: watch::channel(None).1,
        }
    }

    fn get() -> Request<Body> {
        let message = whole(&v1::GetMatchRequest { match_id: ID.to_string() }).message;
        let mut request = Request::new(Body::new(Full::new(message)));
        *request.uri_mut() = "/edgehill.v1.MatchService/GetMatch".parse().unwrap();
        let client = IpAddr::from([192, 0, 2, 7]);
        request.extensions_mut().insert(Peer::new(client, CancellationToken::new()));
        request
    }

    /// The server that has handed it on hears where it was not found, and asks the next one.
    #[tokio::test(start_paused = true)]
    async fn a_call_that_was_handed_on_is_not_handed_on_again() {
        let (here, there) = (Asked::default(), Asked::default());
        let router = router(here.app(usize::MAX), there.app(1), false);
        let mut handed = get();
        hop().vouch(&mut handed);
        let answer = router.clone().answer(handed).await;
        assert_eq!(elsewhere(answer.headers()), Some(Elsewhere::Match(ID)));
        assert!(answer.extensions().get::<HandedOn>().is_some());
        assert_eq!((here.times().len(), there.times().len()), (1, 0));
        // Of a client it is, and the client hears of nothing.
        let answer = router.answer(get()).await;
        assert_eq!((elsewhere(answer.headers()), answer.headers().get("grpc-status")), (None, None));
        assert_eq!((here.times().len(), there.times().len()), (1, 1));
    }

    /// It had handed its matches over, and this server had not heard of that.
    #[tokio::test(start_paused = true)]
    async fn a_call_to_a_server_that_stops_is_made_again_if_somebody_else_has_its_matches() {
        for (moves, calls) in [(true, 2), (false, 1)] {
            let there = Asked::default();
            let stopping = there.refusing(refusals::draining(), 2);
            let answer = router(Asked::default().app(1), stopping, moves).answer(get()).await;
            assert_eq!(answer.headers().contains_key("grpc-status"), !moves);
            assert_eq!(there.times().len(), calls);
        }
    }

    /// Another server has become the home, and is opening what belongs to no match.
    #[tokio::test(start_paused = true)]
    async fn a_call_for_a_home_that_is_not_open_yet_is_made_again() {
        let list = || {
            let mut request = get();
            *request.uri_mut() = "/edgehill.v1.MatchService/ListMatches".parse().unwrap();
            request
        };
        let mut handed = list();
        hop().vouch(&mut handed);
        let opening = router(Asked::default().app(1), Asked::default().app(1), false);
        let word = opening.answer(handed).await;
        assert_eq!(elsewhere(word.headers()), Some(Elsewhere::Nowhere));
        let there = Asked::default();
        let status = Status::from_header_map(word.headers()).unwrap();
        let asking = |answers_at: usize| {
            let app = there.refusing(status.clone(), answers_at);
            router(Asked::default().app(1), app, false).answer(list())
        };
        let answer = asking(3).await;
        assert_eq!((there.times().len(), answer.headers().get("grpc-status")), (3, None));
        // One that never opens is told of, in what clients know.
        let answer = asking(usize::MAX).await;
        let refused = Status::from_header_map(answer.headers()).and_then(|status| status::read(&status));
        assert_eq!(refused.unwrap().reason(), ErrorReason::StoreUnavailable);
        assert_eq!(elsewhere(answer.headers()), None);
    }

    #[tokio::test(start_paused = true)]
    async fn each_try_has_what_is_left_of_the_time() {
        let there = Asked::default();
        let mut request = get();
        request.headers_mut().insert("grpc-timeout", "1S".parse().unwrap());
        let bounded = tower::ServiceBuilder::new()
            .layer(super::super::deadline::deadlines())
            .service(router(Asked::default().app(1), there.app(3), false));
        let Ok(answer) = bounded.oneshot(request).await;
        assert_eq!(answer.headers().get("grpc-status"), None);
        let times = ["1000000u", "980000u", "960000u"].map(|time| Some(time.to_owned()));
        assert_eq!(there.times(), times);
        router(Asked::default().app(1), there.app(1), false).answer(get()).await;
        assert_eq!(there.times().last(), Some(&None), "who gives no time has no end");
    }
}
