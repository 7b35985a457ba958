//! Commands on a store's file: what it holds and whether it is whole, copies of it, records out of it.

mod acts;
mod copies;
mod export;
mod figures;
mod fsck;
mod migrate_store;
mod quarantine;
mod replay_all;
mod rotate_key;

use std::future::Future;
use std::path::PathBuf;

pub(super) use copies::{backup, compact};
pub(super) use export::export;
pub(super) use figures::stats;
pub(super) use fsck::fsck;
pub(super) use migrate_store::migrate_store;
pub(super) use quarantine::quarantine;
pub(super) use replay_all::replay_all;
pub(super) use rotate_key::rotate_key;

use super::failure::Failure;
use crate::config::Config;

/// The store's file.
///
/// # Errors
/// If the configuration names no store, or one in a database.
fn file_of(config: &Config) -> Result<PathBuf, Failure> {
    check_named(config)?;
    let what = "this command is of a store in a file, and the matches are in a database, which has its own (docs/store.md)";
    config.store_file().ok_or_else(|| Failure::Configuration(what.to_owned()))
}

/// Checks that there is a store to look at.
///
/// # Errors
/// If the configuration names none.
fn check_named(config: &Config) -> Result<(), Failure> {
    let what = "which store? Name its folder with --store, or in the configuration";
    config.store_name().map(drop).ok_or_else(|| Failure::Configuration(what.to_owned()))
}

/// Runs to its end what waits for the store's threads.
fn wait_for<T>(what: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(Failure::fault)?.block_on(what)
}
