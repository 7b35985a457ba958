//! The log of acts of a store that no server has open.

use std::path::Path;
use std::sync::Arc;

use edgehill_service::admin::Administration;
use edgehill_service::clock::SystemClock;
use edgehill_service::identity::{Accounts, CurrentAccounts, ServerKey};
use edgehill_service::store::{ReadOnlyStore, Store};

/// All acts of the store in a folder, in order: their actors and their words.
pub(crate) async fn acts_in(folder: &Path) -> Vec<(String, String)> {
    let key = ServerKey::read(&folder.join("server.key")).unwrap().unwrap();
    let file: Arc<dyn Store> = Arc::new(ReadOnlyStore::open(folder.join("edgehill.sqlite")).unwrap());
    let store: Arc<dyn Store> = Arc::new(key.seal_store(file));
    let accounts = CurrentAccounts::new(Accounts::anonymous());
    let log = Administration::open(store, key, accounts, Arc::new(SystemClock::new())).await.unwrap();
    let (acts, more) = log.acts(0, None, 100).await.unwrap();
    assert_eq!(more, None);
    acts.iter().map(|one| (one.actor.as_bytes().escape_ascii().to_string(), one.act.to_string())).collect()
}
