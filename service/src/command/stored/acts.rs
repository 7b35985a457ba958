//! Acts of those who run commands on a store, in its log of acts.

use std::sync::Arc;

use crate::admin::{Act, Administration};
use crate::clock::SystemClock;
use crate::command::failure::Failure;
use crate::identity::{Accounts, CurrentAccounts, ServerKey};
use crate::store::Store;

/// The log of acts of a store that is sealed with `key`, which no server has open.
///
/// # Errors
/// If it can't be read.
pub(super) async fn log_of_acts(store: &Arc<dyn Store>, key: &ServerKey) -> Result<Administration, Failure> {
    let (store, accounts) = (Arc::clone(store), CurrentAccounts::new(Accounts::anonymous()));
    Administration::open(store, key.clone(), accounts, Arc::new(SystemClock::new()))
        .await
        .map_err(Failure::fault)
}

/// Writes an act down there.
///
/// # Errors
/// If it can't be written.
pub(super) async fn note(store: &Arc<dyn Store>, key: &ServerKey, act: Act) -> Result<(), Failure> {
    log_of_acts(store, key).await?.note_own(act).await.map_err(Failure::fault)
}
