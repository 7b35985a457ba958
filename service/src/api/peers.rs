//! The servers that share this one's store, as far as services call them: [`Peers`].

use std::convert::Infallible;
use std::fmt::Debug;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use async_trait::async_trait;
use edgehill_proto::v1::ErrorReason;
use edgehill_proto::v1::match_service_client::MatchServiceClient;
use http::{Extensions, HeaderMap, HeaderName, HeaderValue, Request, Response};
use tonic::body::Body;
use tonic::metadata::MetadataMap;
use tonic::{Code, Status};
use tower::Service;
use tower::util::BoxCloneSyncService;

use super::Matches;
use crate::store::{MatchId, ServerId};
use crate::wire::Refused;
use crate::wire::status::{self, ELSEWHERE};

/// The way to a server. Cheap to clone.
pub type PeerApp = BoxCloneSyncService<Request<Body>, Response<Body>, Infallible>;

/// Where a match is.
#[derive(Clone, Debug)]
pub enum Whereabouts {
    /// This server has it.
    Here,
    /// Another one has it.
    There(PeerApp),
    /// Nobody is known to have it.
    Nowhere,
}

/// The other servers.
#[async_trait]
pub trait Peers: Debug + Send + Sync {
    /// This server.
    fn own(&self) -> ServerId;

    /// Where a match is, as far as is known.
    fn whereabouts(&self, id: MatchId) -> Whereabouts;

    /// All others.
    fn others(&self) -> Vec<(ServerId, PeerApp)>;

    /// Returns when that may have changed, or after a moment.
    async fn changed(&self);
}

/// Marks a call that another server has handed on, which is not handed on again, and the answer to it.
#[derive(Copy, Clone, Debug)]
pub struct HandedOn;

/// A call that comes from a client of this server, and what it takes to make the same at another one.
#[derive(Clone, Debug)]
pub(super) struct OwnCall {
    peers: Arc<dyn Peers>,
    headers: HeaderMap,
    extensions: Extensions,
}

impl OwnCall {
    /// The call with this metadata, if there are others who may answer it, and none of them has handed it on.
    pub(super) fn new(
        peers: Option<&Arc<dyn Peers>>,
        metadata: &MetadataMap,
        extensions: &Extensions,
    ) -> Option<Self> {
        let peers = peers.filter(|_| extensions.get::<HandedOn>().is_none())?;
        Some(Self {
            peers: Arc::clone(peers),
            headers: metadata.clone().into_headers(),
            extensions: extensions.clone(),
        })
    }

    /// Opens a stream at the server that has a match, wherever it goes meanwhile; `None`: that is this one.
    ///
    /// # Errors
    /// As that server refuses, or if the match is nowhere for too long.
    pub(super) async fn open<T, Opening: Future<Output = Result<T, Status>>>(
        &self,
        matches: &Matches,
        id: MatchId,
        patience: &mut Patience,
        ask: impl Fn(&Self, PeerApp) -> Opening,
    ) -> Result<Option<T>, Status> {
        let now = || matches.host().elapsed();
        patience.broke_off(now());
        let mut last = None;
        loop {
            match self.peers.whereabouts(id) {
                Whereabouts::Here => return Ok(None),
                Whereabouts::There(app) => match ask(self, app).await {
                    Ok(stream) => {
                        patience.opened(now());
                        return Ok(Some(stream));
                    }
                    Err(status) if is_elsewhere(&status) => last = Some(status),
                    Err(status) => return Err(status),
                },
                Whereabouts::Nowhere => {}
            }
            if patience.is_over(now()) {
                return Err(given_up(last, matches.nowhere()));
            }
            self.peers.changed().await;
        }
    }

    pub(super) fn peers(&self) -> &dyn Peers {
        &*self.peers
    }

    /// The same call with one more header, instead of the one that it has of this name.
    pub(super) fn with(mut self, name: HeaderName, value: &str) -> Self {
        if let Ok(value) = HeaderValue::try_from(value) {
            self.headers.insert(name, value);
        }
        self
    }

    /// A client of another server, which calls as the caller did here.
    pub(super) fn client(&self, app: PeerApp) -> MatchServiceClient<Carried> {
        let (headers, extensions) = (self.headers.clone(), self.extensions.clone());
        MatchServiceClient::new(Carried { app, headers, extensions }).max_decoding_message_size(usize::MAX)
    }
}

/// The way to a server for calls that bear the headers of another call.
#[derive(Clone, Debug)]
pub(super) struct Carried {
    app: PeerApp,
    headers: HeaderMap,
    extensions: Extensions,
}

impl Service<Request<Body>> for Carried {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = <PeerApp as Service<Request<Body>>>::Future;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.app.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        let own = std::mem::take(request.headers_mut());
        let headers = request.headers_mut();
        headers.clone_from(&self.headers);
        // Those of the codec are its own. The time that the client gave is that of the stream's head, which this server bounds; the stream may
        // go on at another server when that is long over.
        for of_codec in ["grpc-encoding", "grpc-accept-encoding", "grpc-timeout", "content-length"] {
            headers.remove(of_codec);
        }
        for (name, value) in &own {
            headers.insert(name, value.clone());
        }
        request.extensions_mut().extend(self.extensions.clone());
        self.app.call(request)
    }
}

/// The time for which a match may be nowhere, before those who wait for it are told so.
const NOWHERE_MAX: Duration = Duration::from_secs(10);

/// The time after which a stream that breaks off counts as one that had been found.
const FOUND: Duration = Duration::from_secs(1);

/// The patience of a stream whose match moves: it begins anew where the match has been found.
#[derive(Copy, Clone, Debug)]
pub(super) struct Patience {
    until: Duration,
    opened: Duration,
}

impl Patience {
    /// Begins at this moment of the host's clock.
    pub(super) const fn new(now: Duration) -> Self {
        Self { until: now.saturating_add(NOWHERE_MAX), opened: now }
    }

    /// A stream is open.
    const fn opened(&mut self, now: Duration) {
        self.opened = now;
    }

    /// It has broken off.
    fn broke_off(&mut self, now: Duration) {
        if now.saturating_sub(self.opened) > FOUND {
            *self = Self::new(now);
        }
    }

    fn is_over(&self, now: Duration) -> bool {
        now > self.until
    }
}

/// The status for a client whose match nobody has: the last that was heard, without what servers tell each other.
fn given_up(last: Option<Status>, nowhere: Refused) -> Status {
    let mut status = last.unwrap_or_else(|| nowhere.into());
    status.metadata_mut().remove(ELSEWHERE);
    status
}

/// Returns whether a call that ended so is to be made again, where its match is by then.
pub(super) fn is_elsewhere(status: &Status) -> bool {
    let passes = [ErrorReason::StoreUnavailable, ErrorReason::Draining];
    status.metadata().contains_key(ELSEWHERE)
        || status::read(status).is_some_and(|refusal| passes.contains(&refusal.reason()))
        // The connection broke.
        || status.code() == Code::Unavailable
}
