//! The parts of a server before it listens: [`Context`].

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use edgehill_engine::registry::{Registry, RegistryError};
use thiserror::Error;
use tokio_util::sync::CancellationToken;

use super::certificates::{TlsError, TlsFiles};
use super::content::{self, ContentFolderError};
use super::tls::CurrentTls;
use crate::admin::{self, Administration};
use crate::clock::{Clock, SystemClock};
use crate::competitions::{self, Competitions};
use crate::config::Config;
use crate::entropy::{EntropyError, EntropySource, SystemEntropy};
use crate::host::{self, FormerContents, Host, MatchReader, Parts};
use crate::identity::{Accounts, AccountsError, CurrentAccounts, KeyFileError, SealedWith, ServerKey};
use crate::limits::CurrentLimits;
use crate::store::{self, MemoryStore, ReadOnlyStore, SqliteStore, Store};
use crate::telemetry::Metrics;

/// The parts that services are built from. Cheap to clone.
#[derive(Clone)]
pub struct Context {
    /// The configuration that was set.
    pub config: Arc<Config>,
    /// The games.
    pub registry: Registry,
    /// The store in which matches are kept.
    pub store: Arc<dyn Store>,
    /// The key that tokens are made and known by.
    pub key: ServerKey,
    /// The accounts that may call.
    pub accounts: CurrentAccounts,
    /// The limits of what callers may ask for.
    pub limits: CurrentLimits,
    /// The settings of TLS; `None`: connections are in clear.
    pub tls: Option<CurrentTls>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub entropy: Arc<dyn EntropySource>,
    /// The metrics that are counted.
    pub metrics: Metrics,
    /// Cancelled when the server begins to stop. From then on calls that change something are refused with DRAINING before
    /// they reach a service; streams that are open send what is due, and end by themselves.
    pub stopping: CancellationToken,
}

/// The reason that a server does not start.
#[derive(Debug, Error)]
pub enum StartError {
    /// The games' content is not accepted.
    #[error("content: {0}")]
    Content(#[from] ContentFolderError),
    /// The games can't be played with it.
    #[error("content: {0}")]
    Registry(#[from] RegistryError),
    /// The store's folder can't be made.
    #[error("store: the folder {path} can't be made: {why}")]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The operating system's error.
        why: io::Error,
    },
    /// There are matches, and the key that they were made with is gone.
    #[error(
        "the store {store} is there, and its key {key} is not: no seat token is good and no running match can go on without \
         it. Restore the key, or name it with --key-file"
    )]
    KeyLost {
        /// The store.
        store: PathBuf,
        /// The path at which the key should be.
        key: PathBuf,
    },
    /// The matches were made with another key.
    #[error(
        "the store {store} was made with another key than that in {key}: no seat token would be good and no running match \
         could go on. Restore the key, or name it with --key-file"
    )]
    KeyForeign {
        /// The store.
        store: PathBuf,
        /// The path at which the key stands.
        key: PathBuf,
    },
    /// The key was rotated, and the store is not sealed with the new one.
    #[error(
        "the store {store} is sealed with a former key of {key}: the rotation of the key was cut short, or the store is a copy from \
         before it. `edgehill-server rotate-key` seals it anew, and makes no other key"
    )]
    KeyRotated {
        /// The store.
        store: PathBuf,
        /// The path at which the key stands.
        key: PathBuf,
    },
    /// There is no key.
    #[error(transparent)]
    Key(#[from] KeyFileError),
    /// There is nothing to make a key of.
    #[error(transparent)]
    EntropySource(#[from] EntropyError),
    /// The accounts are not accepted.
    #[error(transparent)]
    Accounts(#[from] AccountsError),
    /// The contents of the files of TLS can't be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The store can't be opened.
    #[error("{reason}: {0}", reason = .0.reason())]
    Store(#[from] store::Error),
    /// The address can't be listened on.
    #[error("listen: {address} can't be listened on: {why}")]
    Listen {
        /// The address.
        address: std::net::SocketAddr,
        /// The operating system's error.
        why: io::Error,
    },
    /// The matches in the store can't be hosted.
    #[error("the matches can't be hosted: {0}")]
    Host(#[from] host::Error),
    /// The accounts in the store can't be read.
    #[error("the accounts in the store can't be read: {0}")]
    Administration(#[from] admin::Error),
    /// The competitions in the store can't be read.
    #[error(transparent)]
    Competitions(#[from] competitions::Error),
    /// The descriptors can't be served.
    #[error("reflection: {0}")]
    Reflection(String),
}

impl Context {
    /// Opens everything that `config` names, with the machine's own clock and randomness. Blocks while the store is opened.
    ///
    /// # Errors
    /// All of [`StartError`] but [`StartError::Listen`]. Nothing is left open then.
    pub fn open(config: Config, metrics: Metrics) -> Result<Self, StartError> {
        let (clock, entropy) = (Arc::new(SystemClock::new()), Arc::new(SystemEntropy));
        let registry = content::load(config.content.as_deref())?;
        let tls = TlsFiles::of(&config.tls)?.map(CurrentTls::open).transpose()?;
        let key = server_key(&config, &*entropy)?;
        let accounts = accounts(&config, &key)?.with_kept(&key, Arc::<SystemClock>::clone(&clock));
        let accounts = CurrentAccounts::new(accounts);
        let store: Arc<dyn Store> = match config.store_file() {
            Some(file) => {
                let store = Arc::new(SqliteStore::open(file, &config.sqlite.options())?);
                Arc::new(key.seal_store(store))
            }
            None => Arc::new(MemoryStore::new()),
        };
        metrics.watch_store(&store);
        Ok(Self {
            limits: config.limits.into(),
            config: Arc::new(config),
            registry,
            store,
            key,
            accounts,
            tls,
            clock,
            entropy,
            metrics,
            stopping: CancellationToken::new(),
        })
    }
}

impl Context {
    /// The host of the matches in the store.
    ///
    /// # Errors
    /// [`StartError::Host`], [`StartError::KeyForeign`], [`StartError::KeyRotated`], [`StartError::Store`].
    pub async fn host(&self) -> Result<Host, StartError> {
        self.check_key().await?;
        let parts = Parts {
            registry: self.registry.clone(),
            store: Arc::clone(&self.store),
            key: self.key.clone(),
            clock: Arc::clone(&self.clock),
            entropy: Arc::clone(&self.entropy),
            accounts: self.accounts.clone(),
            limits: self.limits.clone(),
            capacity: self.config.host_capacity(),
            metrics: self.metrics.clone(),
        };
        Ok(Host::open(parts).await?)
    }

    /// The competitions in the store, of which those that are running go on.
    ///
    /// # Errors
    /// [`StartError::Competitions`].
    pub async fn competitions(&self, host: Host) -> Result<Competitions, StartError> {
        // As the host has it: sealed, under the same key.
        let (store, key) = (Arc::clone(&self.store), self.key.clone());
        let (clock, stopping) = (Arc::clone(&self.clock), self.stopping.clone());
        Ok(Competitions::open(host, store, key, clock, stopping).await?)
    }

    /// The administration of the accounts in the store, which are among those that may call from then on.
    ///
    /// # Errors
    /// [`StartError::Administration`].
    pub async fn administration(&self) -> Result<Administration, StartError> {
        let (store, key) = (Arc::clone(&self.store), self.key.clone());
        Ok(Administration::open(store, key, self.accounts.clone(), Arc::clone(&self.clock)).await?)
    }

    /// Checks that the store was made with this key. A new store takes something that only this key opens.
    async fn check_key(&self) -> Result<(), StartError> {
        if check_key(&self.config, &*self.store, &self.key).await? {
            return Ok(());
        }
        let name = ServerKey::check_name()?;
        let sealed = self.key.check(&name, &*self.entropy)?;
        Ok(self.store.keep_secret(name, sealed).await?)
    }
}

/// Checks that a store is sealed with this key, if that can be known: returns `false` for one that is new, and `true` for one that
/// nobody keeps.
async fn check_key(config: &Config, store: &dyn Store, key: &ServerKey) -> Result<bool, StartError> {
    let (Some(file), Some(path)) = (config.store_file(), config.key_path()) else { return Ok(true) };
    let name = ServerKey::check_name()?;
    let Some(sealed) = store.secret(name.clone()).await? else { return Ok(false) };
    match key.key_of(&name, &sealed) {
        Some(SealedWith::Current) => Ok(true),
        Some(SealedWith::Former(_)) => Err(StartError::KeyRotated { store: file, key: path }),
        None => Err(StartError::KeyForeign { store: file, key: path }),
    }
}

/// Opens the store that `config` names to read alone, whether or not a server has it open, and what reads matches there.
///
/// # Errors
/// [`StartError::Content`], [`StartError::Registry`], [`StartError::Store`], [`StartError::KeyLost`], [`StartError::KeyForeign`],
/// [`StartError::KeyRotated`], [`StartError::Key`].
pub async fn open_to_read(config: &Config) -> Result<(Arc<dyn Store>, MatchReader), StartError> {
    let registry = content::load(config.content.as_deref())?;
    let file = config.store_file().unwrap_or_default();
    let store: Arc<dyn Store> = Arc::new(ReadOnlyStore::open(&file)?);
    // It is there, so that none is made.
    let key = server_key(config, &SystemEntropy)?;
    check_key(config, &*store, &key).await?;
    let store: Arc<dyn Store> = Arc::new(key.seal_store(store));
    let former = FormerContents::load(&registry, &*store).await?;
    let reader = MatchReader::new(registry, former, Arc::clone(&store), key);
    Ok((store, reader))
}

/// Opens the store that `config` names, which no server may have open, to change matches in it, and what reads them there. The
/// contents at hand are kept in it first.
///
/// # Errors
/// As [`open_to_read`], and [`StartError::Host`] if they can't be kept.
pub async fn open_to_change(config: &Config) -> Result<(Arc<dyn Store>, MatchReader), StartError> {
    let registry = content::load(config.content.as_deref())?;
    let (store, key) = open_sealed(config).await?;
    let former = FormerContents::keep_and_load(&registry, &*store).await?;
    let reader = MatchReader::new(registry, former, Arc::clone(&store), key);
    Ok((store, reader))
}

/// Opens the store that `config` names, which no server may have open, as its key opens it.
///
/// # Errors
/// [`StartError::Store`], [`StartError::KeyLost`], [`StartError::KeyForeign`], [`StartError::KeyRotated`], [`StartError::Key`].
pub async fn open_sealed(config: &Config) -> Result<(Arc<dyn Store>, ServerKey), StartError> {
    let file = config.store_file().unwrap_or_default();
    // A store that is not there is not made.
    drop(ReadOnlyStore::open(&file)?);
    let key = server_key(config, &SystemEntropy)?;
    let store: Arc<dyn Store> = Arc::new(SqliteStore::open(&file, &config.sqlite.options())?);
    check_key(config, &*store, &key).await?;
    Ok((Arc::new(key.seal_store(store)), key))
}

/// The accounts that `config` names.
pub(super) fn accounts(config: &Config, key: &ServerKey) -> Result<Accounts, AccountsError> {
    match &config.accounts {
        Some(path) => Ok(Accounts::load(path, key)?.with_anonymous(config.is_anonymous())),
        None => Ok(Accounts::anonymous()),
    }
}

/// The key that `config` names, made if there is none and nothing that was made with one; of a server without a store one that
/// nobody keeps.
///
/// # Errors
/// [`StartError::Folder`], [`StartError::KeyLost`], [`StartError::Key`], [`StartError::EntropySource`].
pub fn server_key(config: &Config, entropy: &dyn EntropySource) -> Result<ServerKey, StartError> {
    if let Some(folder) = &config.store {
        make_folder(folder).map_err(|why| StartError::Folder { path: folder.clone(), why })?;
    }
    let Some(path) = config.key_path() else { return Ok(ServerKey::generate(entropy)?) };
    if let Some(store) = config.store_file().filter(|store| store.exists())
        && !path.exists()
    {
        return Err(StartError::KeyLost { store, key: path });
    }
    Ok(ServerKey::read_or_make(&path, entropy)?)
}

/// Makes the folder for its owner alone, if it is not there.
fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}
