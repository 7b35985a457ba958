//! A folder whose files are served, and nothing outside of it ([`Folder`]).

use std::future::Future;
use std::io;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;

use bytes::Bytes;
use http::request::Parts;
use http::uri::PathAndQuery;
use http::{HeaderValue, Request, Response, StatusCode, Uri, header};
use http_body_util::Empty;
use tonic::body::Body;
use tower::Service;
use tower_http::services::fs::{Backend, DefaultServeDirFallback, ServeDir, TokioBackend, TokioFile};

/// The page that is shown where there is none.
const MISSING: &str = "/404.html";

/// Directives under which pages show what lies beside them, and neither run scripts that stand in them nor fetch or send anything
/// elsewhere. Colours of code are attributes of its words, which is what `unsafe-inline` is for.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; \
     connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);

/// The answer's age where a file bears a hash of what is in it: for a year, and without asking again.
const FOREVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// The answer's age of all others: each use asks whether it is still the same.
const ASK_AGAIN: HeaderValue = HeaderValue::from_static("no-cache");

/// The fewest characters of a part of a file's name that is a hash.
const HASH_CHARS_MIN: usize = 8;

/// The files of a folder, by path. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Folder(ServeDir<DefaultServeDirFallback, Contained>);

impl Folder {
    /// The folder at `path`, which is served as `served_as`. Links in it that lead out of it lead nowhere.
    ///
    /// # Errors
    /// If the path leads nowhere.
    pub(super) fn open(path: &Path, served_as: &str) -> io::Result<Self> {
        let root = path.canonicalize()?;
        let contained = Contained { root: Arc::from(&*root) };
        Ok(Self(ServeDir::with_backend(root, contained).redirect_path_prefix(served_as)))
    }

    /// The answer to a request for what is at `path`, which begins with `/`: a file, a part of it, that it has not changed, or the page
    /// that says that there is none.
    pub(super) async fn answer(&self, asked: &Parts, path: &str) -> Response<Body> {
        let mut found = self.found(of(asked, path)).await;
        let age = if is_hashed(path) && found.status().is_success() { FOREVER } else { ASK_AGAIN };
        if found.status() == StatusCode::NOT_FOUND {
            // Whatever the request says of a file that it knows is not about this page.
            let mut missing = Request::new(Empty::new());
            (*missing.method_mut(), *missing.uri_mut()) = (asked.method.clone(), Uri::from_static(MISSING));
            found = self.found(missing).await;
            *found.status_mut() = StatusCode::NOT_FOUND;
        }
        let headers = found.headers_mut();
        headers.insert(header::CACHE_CONTROL, age);
        headers.insert(header::CONTENT_SECURITY_POLICY, POLICY);
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        found
    }

    async fn found(&self, request: Request<Empty<Bytes>>) -> Response<Body> {
        match self.0.clone().call(request).await {
            Ok(answer) => answer.map(Body::new),
            Err(never) => match never {},
        }
    }
}

/// The same request for `path`, without a message.
fn of(asked: &Parts, path: &str) -> Request<Empty<Bytes>> {
    let mut request = Request::new(Empty::new());
    // A part of a path that was read is one.
    let path = PathAndQuery::try_from(path).unwrap_or_else(|_| PathAndQuery::from_static(MISSING));
    (*request.method_mut(), *request.uri_mut()) = (asked.method.clone(), Uri::from(path));
    request.headers_mut().clone_from(&asked.headers);
    request
}

/// Returns whether a file's name has a hash between points, such as `app.BY6WzMhu.js`: what is in it never changes.
fn is_hashed(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let parts: Vec<_> = name.split('.').collect();
    let is_hash = |part: &&str| {
        part.len() >= HASH_CHARS_MIN
            && part.bytes().any(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
    };
    path.contains("/assets/") && parts.len() > 2 && parts[1..parts.len() - 1].iter().any(is_hash)
}

/// The files of the machine, as far as they are in a folder wherever links lead.
#[derive(Clone, Debug)]
struct Contained {
    root: Arc<Path>,
}

impl Contained {
    /// The path without links, if it is in the folder.
    async fn resolve(self, path: PathBuf) -> io::Result<PathBuf> {
        let resolved = tokio::fs::canonicalize(path).await?;
        if resolved.starts_with(&self.root) { Ok(resolved) } else { Err(io::ErrorKind::NotFound.into()) }
    }
}

impl Backend for Contained {
    type File = TokioFile;
    type Metadata = std::fs::Metadata;
    type OpenFuture = Pin<Box<dyn Future<Output = io::Result<TokioFile>> + Send>>;
    type MetadataFuture = Pin<Box<dyn Future<Output = io::Result<std::fs::Metadata>> + Send>>;

    fn open(&self, path: PathBuf) -> Self::OpenFuture {
        let resolved = self.clone().resolve(path);
        Box::pin(async move { TokioBackend.open(resolved.await?).await })
    }

    fn metadata(&self, path: PathBuf) -> Self::MetadataFuture {
        let resolved = self.clone().resolve(path);
        Box::pin(async move { TokioBackend.metadata(resolved.await?).await })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_told_from_words() {
        for (path, expected) in [
            ("/assets/app.BY6WzMhu.js", true),
            ("/assets/chunks/@localSearchIndexroot.Baggk9hG.js", true),
            ("/assets/style.BKT-_alD.css", true),
            ("/assets/api.md.yTIyxxIl.lean.js", true),
            ("/assets/check-dark-mode.0d052034.js", true),
            ("/assets/some.ordinary.js", false),
            ("/assets/BY6WzMhu.js", false),
            ("/assets/app.js", false),
            ("/guide.BY6WzMhu.html", false),
            ("/", false),
        ] {
            assert_eq!(is_hashed(path), expected, "{path}");
        }
    }
}
