//! The parts of a server before it listens: [`Context`].

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use edgehill_engine::registry::{Registry, RegistryError};
use thiserror::Error;
use tokio_util::sync::CancellationToken;

use super::certificates::{TlsError, TlsFiles};
use super::cluster::Cluster;
use super::content::{self, ContentFolderError};
use super::stores::{self, check_key, server_key};
use super::tls::CurrentTls;
use crate::admin::{self, Administration};
use crate::api::Peers;
use crate::clock::{Clock, SystemClock};
use crate::competitions::{self, Competitions};
use crate::config::Config;
use crate::entropy::{EntropyError, EntropySource, SystemEntropy};
use crate::host::{self, Host, Parts};
use crate::identity::{Accounts, AccountsError, CurrentAccounts, KeyFileError, ServerKey};
use crate::limits::CurrentLimits;
use crate::store::{self, MemoryStore, ShardSet, Store};
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
    /// The other servers that share the store; `None`: it is this one's alone.
    pub peers: Option<Arc<dyn Peers>>,
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
    /// Not all of another store's content is there yet.
    #[error(
        "the store {store} does not have all that is brought into it: run `edgehill-server migrate-store` again"
    )]
    Unmigrated {
        /// The store.
        store: PathBuf,
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
    /// The folder of the pages can't be read.
    #[error("docs.folder: {path} can't be read: {why}")]
    Docs {
        /// The folder.
        path: PathBuf,
        /// The operating system's error.
        why: io::Error,
    },
    /// The file of those who vouch for other servers can't be read.
    #[error("cluster.ca_file: {path} can't be read: {why}")]
    Cluster {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        why: io::Error,
    },
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
        let tls = TlsFiles::of(&config.tls)?.map(CurrentTls::open).transpose()?;
        let (clock, stopping) = (Arc::new(SystemClock::new()), CancellationToken::new());
        Self::with(config, metrics, Around { tls, clock, stopping, cluster: None })
    }

    /// As [`Context::open`], of a server that shares its store with others.
    ///
    /// # Errors
    /// As [`Context::open`].
    pub fn open_in(cluster: &Cluster, config: Config, metrics: Metrics) -> Result<Self, StartError> {
        let Cluster { tls, clock, stopping, .. } = cluster;
        let (tls, clock, stopping) = (tls.clone(), Arc::clone(clock), stopping.clone());
        Self::with(config, metrics, Around { tls, clock, stopping, cluster: Some(cluster) })
    }

    fn with(config: Config, metrics: Metrics, around: Around<'_>) -> Result<Self, StartError> {
        let Around { tls, clock, stopping, cluster } = around;
        let membership = cluster.map(|cluster| &*cluster.membership);
        let entropy = Arc::new(SystemEntropy);
        let registry = content::load(config.content.as_deref())?;
        let key = server_key(&config, &*entropy)?;
        let accounts = accounts(&config, &key)?.with_kept(&key, Arc::clone(&clock));
        let accounts = CurrentAccounts::new(accounts);
        let store: Arc<dyn Store> = match stores::open(&config, membership)? {
            Some(store) => Arc::new(key.seal_store(store)),
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
            stopping,
            peers: cluster.map(Cluster::peers),
        })
    }
}

/// The parts that a server has before its context.
struct Around<'a> {
    tls: Option<CurrentTls>,
    clock: Arc<dyn Clock>,
    stopping: CancellationToken,
    /// `None`: it shares its store with nobody.
    cluster: Option<&'a Cluster>,
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
            // With others it comes to some later.
            shards: if self.peers.is_some() { ShardSet::NONE } else { ShardSet::ALL },
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

/// The accounts that `config` names.
pub(super) fn accounts(config: &Config, key: &ServerKey) -> Result<Accounts, AccountsError> {
    match &config.accounts {
        Some(path) => Ok(Accounts::load(path, key)?.with_anonymous(config.is_anonymous())),
        None => Ok(Accounts::anonymous()),
    }
}
