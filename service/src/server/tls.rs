//! TLS while the server runs: the settings that new connections have ([`CurrentTls`]), which follow their files.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustls::ServerConfig;
use tokio_util::sync::CancellationToken;

use super::certificates::{TlsError, TlsFiles};
use crate::clock::Clock;

/// The time between two looks at the files: programs that renew certificates put new ones there, and tell nobody.
const LOOK: Duration = Duration::from_secs(60);

/// The settings of TLS that new connections have, until there are others. Copies are the same.
#[derive(Clone)]
pub struct CurrentTls(Arc<Mutex<TlsRevision>>);

/// The settings that hold from some moment on.
struct TlsRevision {
    files: TlsFiles,
    /// That of the contents that were seen last: those of the settings, or such as are not accepted.
    seen: blake3::Hash,
    settings: Arc<ServerConfig>,
}

impl CurrentTls {
    /// The settings that the files hold. Blocks while they are read.
    pub(super) fn open(files: TlsFiles) -> Result<Self, TlsError> {
        let reading = files.read();
        let (files, seen) = (reading.files.clone(), reading.hash);
        let revision = TlsRevision { files, seen, settings: reading.server_config()? };
        Ok(Self(Arc::new(Mutex::new(revision))))
    }

    /// The settings for a connection that comes now.
    pub(super) fn now(&self) -> Arc<ServerConfig> {
        Arc::clone(&self.lock().settings)
    }

    /// Has connections that come from now on have the settings that these files hold, and follows these from now on. Blocks while
    /// they are read.
    ///
    /// # Errors
    /// If what they hold is not accepted; nothing has changed then.
    pub(super) fn reload(&self, files: TlsFiles) -> Result<(), TlsError> {
        let reading = files.read();
        let (files, seen) = (reading.files.clone(), reading.hash);
        let settings = reading.server_config();
        let mut revision = self.lock();
        if settings.is_ok() || revision.files == files {
            // Of this fault its caller tells.
            revision.seen = seen;
        }
        settings.map(|settings| {
            revision.files = files;
            revision.settings = settings;
        })
    }

    /// Looks whether the files hold something else than they did, and has new connections have it; `None`: they don't. What is not
    /// accepted changes nothing, and is not told of again until it changes. Blocks while the files are read.
    pub(super) fn look_again(&self) -> Option<Result<(), TlsError>> {
        let files = self.lock().files.clone();
        let reading = files.read();
        let (files, hash) = (reading.files.clone(), reading.hash);
        if self.lock().seen == hash {
            return None;
        }
        let settings = reading.server_config();
        let mut revision = self.lock();
        if revision.files != files {
            // They were replaced by those of other files meanwhile.
            return None;
        }
        revision.seen = hash;
        Some(settings.map(|settings| revision.settings = settings))
    }

    /// Follows the files until the server stops.
    pub(super) async fn follow(self, clock: Arc<dyn Clock>, stopping: CancellationToken) {
        loop {
            let next = clock.elapsed().saturating_add(LOOK);
            tokio::select! {
                () = clock.reach(next) => {}
                () = stopping.cancelled() => return,
            }
            let current = self.clone();
            #[expect(clippy::disallowed_methods, reason = "one at a time: the next look waits for this one")]
            let looked = tokio::task::spawn_blocking(move || current.look_again()).await;
            match looked {
                Ok(Some(Ok(()))) => {
                    tracing::info!("the certificate has changed: new connections have the new one")
                }
                Ok(Some(Err(error))) => {
                    tracing::error!(%error, "the files of TLS have changed and are not accepted: those of before hold");
                }
                Ok(None) => {}
                Err(error) => tracing::error!(%error, "the files of TLS were not looked at"),
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, TlsRevision> {
        // Each field of it is whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for CurrentTls {
    /// The files alone: the settings hold the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CurrentTls").field(&self.lock().files).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Tls;
    use crate::server::authority::{Authority, Files};

    fn files_of(files: &Files) -> TlsFiles {
        let tls = Tls { certificate: Some(files.certificate()), key: Some(files.key()), client_ca: None };
        TlsFiles::of(&tls).unwrap().unwrap()
    }

    #[test]
    fn a_look_finds_what_has_changed_and_tells_of_a_fault_once() {
        let authority = Authority::new("here");
        let files = Files::new(&authority.server());
        let current = CurrentTls::open(files_of(&files)).unwrap();
        let first = current.now();
        assert!(current.look_again().is_none());
        let renewed = authority.server();
        files.write("server.pem", &renewed.certificate);
        assert!(matches!(current.look_again(), Some(Err(TlsError::Mismatch { .. }))));
        assert!(
            current.look_again().is_none() && Arc::ptr_eq(&current.now(), &first),
            "those of before hold"
        );
        // The same bytes, and a right that others have.
        files.put(&renewed);
        files.set_mode("server.key.pem", 0o644);
        assert!(matches!(current.look_again(), Some(Err(TlsError::Exposed { mode: 0o644, .. }))));
        files.set_mode("server.key.pem", 0o640);
        assert!(matches!(current.look_again(), Some(Ok(()))));
        assert!(current.look_again().is_none() && !Arc::ptr_eq(&current.now(), &first));
        std::fs::remove_file(files.key()).unwrap();
        assert!(matches!(current.look_again(), Some(Err(TlsError::Read { .. }))));
        assert!(current.look_again().is_none());
    }

    #[test]
    fn a_fault_that_a_reload_told_of_is_not_told_again() {
        let authority = Authority::new("here");
        let (files, others) = (Files::new(&authority.server()), Files::new(&authority.server()));
        let current = CurrentTls::open(files_of(&files)).unwrap();
        let first = current.now();
        files.write("server.pem", "");
        current.reload(files_of(&files)).unwrap_err();
        assert!(current.look_again().is_none() && Arc::ptr_eq(&current.now(), &first));
        // Other files take their place, and are followed from then on.
        current.reload(files_of(&others)).unwrap();
        assert!(current.look_again().is_none() && !Arc::ptr_eq(&current.now(), &first));
        others.put(&authority.server());
        assert!(matches!(current.look_again(), Some(Ok(()))));
    }

    #[test]
    fn who_asks_for_a_part_of_tls_is_not_served_in_clear() {
        let path = || Some("a".into());
        for (tls, field) in [
            (Tls { certificate: path(), key: None, client_ca: path() }, "tls.certificate: a is set without"),
            (Tls { certificate: None, key: path(), client_ca: None }, "tls.key: a is set without"),
            (Tls { certificate: None, key: None, client_ca: path() }, "tls.client_ca: a is set without"),
        ] {
            let error = TlsFiles::of(&tls).unwrap_err().to_string();
            assert!(error.starts_with(field), "{error}");
        }
        assert!(TlsFiles::of(&Tls::default()).unwrap().is_none());
    }

    #[test]
    fn what_is_printed_of_it_is_its_files() {
        let files = Files::new(&Authority::new("here").server());
        let printed = format!("{:?}", CurrentTls::open(files_of(&files)).unwrap());
        assert!(printed.starts_with("CurrentTls(TlsFiles {") && !printed.contains("settings"), "{printed}");
    }
}
