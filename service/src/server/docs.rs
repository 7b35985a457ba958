//! The pages under `/docs` ([`Docs`]): a folder's files, beside the calls and not among them.
//!
//! Invariants: a call is told from a page by its path, at the cost of a comparison, and nothing that pages take is taken from calls:
//! places, shares and figures are their own. A page that is not read in time ends its connection, as an answer does.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context as Task, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::request::Parts;
use http::{HeaderValue, Request, Response, StatusCode, header};
use http_body_util::Full;
use tokio::sync::Semaphore;
use tokio_util::either::Either;
use tonic::body::Body;
use tower::{Layer, Service};

use super::answering::Answers;
use super::folder::Folder;
use super::peer::{CameFrom, Proxies};
use super::{Context, StartError};
use crate::identity::{CallerKey, CurrentAccounts};
use crate::shares::Shares;

/// The path below which pages are.
const UNDER: &str = "/docs";

/// Files that are sent at once, to all together: each takes one that the process may open.
const FILES_MAX: usize = 128;

/// Files that are sent at once to one caller.
const CALLER_FILES_MAX: usize = 32;

/// The time that a client has to read a file, on a slow line, too.
const READ_WITHIN: Duration = Duration::from_secs(120);

/// The answer where no folder is served.
const UNSET: &str =
    "this server has no pages: its operator names the folder that `make docs` builds in `docs.folder`\n";

/// The answer to more requests at once than are answered.
const TOO_MANY: &str = "too many pages are under way at once: try again\n";

/// Puts pages before a service.
#[derive(Clone)]
pub(super) struct Docs(Arc<Shelf>);

/// The folder, and those who read in it.
struct Shelf {
    folder: Option<Folder>,
    places: Arc<Semaphore>,
    shares: Shares<CallerKey>,
    proxies: Proxies,
    accounts: CurrentAccounts,
    answers: Arc<Answers>,
}

impl Docs {
    /// The pages that the configuration names. Needs a runtime.
    ///
    /// # Errors
    /// [`StartError::Docs`].
    pub(super) fn open(context: &Context) -> Result<Self, StartError> {
        let folder = context.config.docs.folder.as_ref().map(|path| {
            let unreadable = |why: io::Error| StartError::Docs { path: path.clone(), why };
            Folder::open(path, UNDER).map_err(unreadable)
        });
        Ok(Self(Arc::new(Shelf {
            folder: folder.transpose()?,
            places: Arc::new(Semaphore::new(FILES_MAX)),
            shares: Shares::default(),
            proxies: Proxies::new(&context.config.proxy),
            accounts: context.accounts.clone(),
            answers: Answers::new(READ_WITHIN),
        })))
    }
}

impl<S> Layer<S> for Docs {
    type Service = BesideDocs<S>;

    fn layer(&self, inner: S) -> BesideDocs<S> {
        BesideDocs { inner, shelf: Arc::clone(&self.0) }
    }
}

/// A service beside the pages. Cheap to clone, as each call does.
#[derive(Clone)]
pub(super) struct BesideDocs<S> {
    inner: S,
    shelf: Arc<Shelf>,
}

impl<S> Service<Request<Body>> for BesideDocs<S>
where
    S: Service<Request<Body>, Response = Response<Body>>,
    S::Error: Send + 'static,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Either<S::Future, Pin<Box<dyn Future<Output = Result<Response<Body>, S::Error>> + Send>>>;

    fn poll_ready(&mut self, cx: &mut Task<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        if !is_page(request.uri().path()) {
            return Either::Left(self.inner.call(request));
        }
        let shelf = Arc::clone(&self.shelf);
        // The message of a request for a page is not read.
        let (asked, _) = request.into_parts();
        Either::Right(Box::pin(async move { Ok(shelf.answer(&asked).await) }))
    }
}

impl Shelf {
    async fn answer(&self, asked: &Parts) -> Response<Body> {
        let Some(folder) = &self.folder else { return said(StatusCode::NOT_FOUND, UNSET) };
        let path = below(asked.uri.path()).unwrap_or_default();
        if path.is_empty() {
            let mut moved = said(StatusCode::TEMPORARY_REDIRECT, "the pages are at /docs/\n");
            moved.headers_mut().insert(header::LOCATION, HeaderValue::from_static("/docs/"));
            return moved;
        }
        let accounts = self.accounts.now();
        let CameFrom { caller, connection } =
            self.proxies.came_from(&asked.headers, &asked.extensions, &accounts);
        let place = Arc::clone(&self.places).try_acquire_owned().ok();
        let held = place.zip(self.shares.take(caller, CALLER_FILES_MAX));
        let Some(held) = held else {
            let mut refused = said(StatusCode::SERVICE_UNAVAILABLE, TOO_MANY);
            refused.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
            return refused;
        };
        let answer = folder.answer(asked, path).await;
        answer.map(|body| self.answers.send(body, held, connection))
    }
}

/// Returns whether a page is at this path, and no call.
pub(super) fn is_page(path: &str) -> bool {
    below(path).is_some()
}

/// The path below that of the pages, with the `/` that it begins with; `None`: it is none of them.
fn below(path: &str) -> Option<&str> {
    path.strip_prefix(UNDER).filter(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// An answer of one line.
fn said(status: StatusCode, line: &'static str) -> Response<Body> {
    let mut answer = Response::new(Body::new(Full::new(Bytes::from_static(line.as_bytes()))));
    *answer.status_mut() = status;
    answer.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    answer.headers_mut().insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_told_from_calls() {
        for (path, expected) in [
            ("/docs", Some("")),
            ("/docs/", Some("/")),
            ("/docs/games/skirmish.html", Some("/games/skirmish.html")),
            ("/docsify", None),
            ("/edgehill.v1.CatalogService/ListGames", None),
            ("/", None),
            ("", None),
        ] {
            assert_eq!(below(path), expected, "{path}");
        }
    }
}
