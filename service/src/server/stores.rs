//! The store that the configuration names, and the key that it is sealed with.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::content;
use super::context::StartError;
use crate::config::Config;
use crate::entropy::{EntropySource, SystemEntropy};
use crate::host::{FormerContents, MatchReader};
use crate::identity::{SealedWith, ServerKey};
use crate::store::{self, Membership, PostgresServer, PostgresStore, ReadOnlyStore, SqliteStore, Store};

/// Opens the store that `config` names, which is made if it is not there; `None`: matches are kept in memory. A database is taken over,
/// unless this server has done so among those that share it. Blocks until it is open.
pub(super) fn open(
    config: &Config,
    membership: Option<&Membership>,
) -> Result<Option<Arc<dyn Store>>, StartError> {
    if let Some(server) = database(config)? {
        let options = config.postgres.options();
        let store = match membership {
            Some(membership) => PostgresStore::open_owned(&server, &options, membership)?,
            None => PostgresStore::open(&server, &options)?,
        };
        return Ok(Some(Arc::new(store)));
    }
    let Some(file) = config.store_file() else { return Ok(None) };
    Ok(Some(Arc::new(SqliteStore::open(file, &config.sqlite.options())?)))
}

/// Opens the store that `config` names to read alone, whether or not a server has it open; what is sealed in it stays so. Blocks
/// until it is open.
///
/// # Errors
/// [`StartError::Store`].
pub fn open_beside(config: &Config) -> Result<Arc<dyn Store>, StartError> {
    if let Some(server) = database(config)? {
        return Ok(Arc::new(PostgresStore::open_to_read(&server)?));
    }
    let file = config.store_file().ok_or_else(nowhere)?;
    Ok(Arc::new(ReadOnlyStore::open(file)?))
}

/// The database that `config` names, with the password that its file has.
///
/// # Errors
/// [`StartError::Store`].
pub fn database(config: &Config) -> Result<Option<PostgresServer>, StartError> {
    config.postgres.address.as_ref().map(|address| database_at(config, address)).transpose()
}

/// The database of this address, with the password and the certificates that `config` names.
///
/// # Errors
/// [`StartError::Store`].
pub fn database_at(config: &Config, address: &str) -> Result<PostgresServer, StartError> {
    let unreadable = |path: &PathBuf, error: io::Error| {
        let why = format!("its password can't be read from {}: {error}", path.display());
        StartError::Store(store::Error::Open { path: address.into(), why })
    };
    let read = |path| fs::read_to_string(path).map_err(|error| unreadable(path, error));
    let password = config.postgres.password_file.as_ref().map(read).transpose()?;
    // Editors end a file with a line's end.
    let password = password.as_deref().map(|password| password.trim_end_matches(['\r', '\n']));
    Ok(PostgresServer::new(address, password, config.postgres.ca_file.as_deref())?)
}

/// The error of a command on a store where none is named.
fn nowhere() -> StartError {
    let why = "no store is named: set `store` or `postgres.address`".to_owned();
    StartError::Store(store::Error::Open { path: PathBuf::new(), why })
}

/// Checks that a store is sealed with this key, if that can be known: returns `false` for one that is new, and `true` for one that
/// nobody keeps.
pub(super) async fn check_key(
    config: &Config,
    store: &dyn Store,
    key: &ServerKey,
) -> Result<bool, StartError> {
    let (Some(file), Some(path)) = (config.store_name(), config.key_path()) else { return Ok(true) };
    let name = ServerKey::check_name()?;
    if store::is_unfinished(store).await? {
        return Err(StartError::Unmigrated { store: file });
    }
    let Some(sealed) = store.secret(name.clone()).await? else { return Ok(false) };
    match key.key_of(&name, &sealed) {
        Some(SealedWith::Current) => Ok(true),
        Some(SealedWith::Former(_)) => Err(StartError::KeyRotated { store: file, key: path }),
        None => Err(StartError::KeyForeign { store: file, key: path }),
    }
}

/// Checks, before a server takes a database over from whichever has it, that it could go on there: that its key is that of the store, and
/// all of that is there. (A file is nobody's to take over: who has it open holds a lock.)
///
/// # Errors
/// [`StartError::KeyLost`], [`StartError::KeyForeign`], [`StartError::KeyRotated`], [`StartError::Unmigrated`],
/// [`StartError::Store`], [`StartError::Key`].
pub async fn check_before_taking_over(config: &Config) -> Result<(), StartError> {
    let (Some(server), Some(path)) = (database(config)?, config.key_path()) else { return Ok(()) };
    let store = match PostgresStore::open_to_read(&server) {
        Ok(store) => store,
        // There is no store yet, or none that can be had: whoever opens it is told.
        Err(store::Error::Open { .. }) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    if !path.exists() && store.secret(ServerKey::check_name()?).await?.is_some() {
        return Err(StartError::KeyLost { store: store.name().to_owned(), key: path });
    }
    let key = server_key(config, &SystemEntropy)?;
    check_key(config, &store, &key).await?;
    store.close().await;
    Ok(())
}

/// Opens the store that `config` names to read alone, whether or not a server has it open, and what reads matches there.
///
/// # Errors
/// [`StartError::Content`], [`StartError::Registry`], [`StartError::Store`], [`StartError::KeyLost`], [`StartError::KeyForeign`],
/// [`StartError::KeyRotated`], [`StartError::Key`].
pub async fn open_to_read(config: &Config) -> Result<(Arc<dyn Store>, MatchReader), StartError> {
    let registry = content::load(config.content.as_deref())?;
    let store = open_beside(config)?;
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
    // A store that is not there is not made.
    drop(open_beside(config)?);
    check_before_taking_over(config).await?;
    let key = server_key(config, &SystemEntropy)?;
    let store = open(config, None)?.ok_or_else(nowhere)?;
    check_key(config, &*store, &key).await?;
    Ok((Arc::new(key.seal_store(store)), key))
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
