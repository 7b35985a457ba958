//! `edgehill-server rotate-key`: another key for the server, and the end of those before it.

use std::path::PathBuf;
use std::sync::Arc;

use super::acts::note;
use super::{file_of, wait_for};
use crate::admin::{Act, ServerAct};
use crate::clock::SystemClock;
use crate::command::failure::Failure;
use crate::command::say;
use crate::config::Config;
use crate::entropy::SystemEntropy;
use crate::identity::date;
use crate::rotation::{self, Forgotten, Rotated, RotationError};
use crate::server::open_sealed;
use crate::store::NoFaults;

/// Makes a new key and seals the store with it, or completes what was begun; or forgets the keys of before. No server may have the
/// store open.
pub(crate) fn rotate_key(config: &Config, forget: bool) -> Result<(), Failure> {
    let (store, key) = files_of(config)?;
    let clock = SystemClock::new();
    if forget {
        let options = config.sqlite.options();
        let forgotten = wait_for(async {
            let forgotten = rotation::forget((&store, &key), &options, Arc::new(clock)).await?;
            if let Some(Forgotten { keys, .. }) = forgotten {
                note_rotation(config, ServerAct::KeysForgotten { count: keys as u64 }).await?;
            }
            Ok(forgotten)
        })?;
        return say(&match forgotten {
            None => format!("{}: no former key is held\n", key.display()),
            Some(of) => format!(
                "{}: {} former keys are forgotten; what was made before {} is refused from now on, keys of the accounts file among it\n",
                key.display(),
                of.keys,
                date(of.before_ms)
            ),
        });
    }
    let rotated = rotation::rotate((&store, &key), &clock, &SystemEntropy, &NoFaults)?;
    let Rotated { was_completed, since_ms, former_keys, matches, bytes, unreadable_secrets } = rotated;
    wait_for(note_rotation(config, ServerAct::KeyRotated))?;
    let done = if was_completed { "the rotation is completed, and no other key was made" } else { "rotated" };
    let mut text = format!(
        "{}: {done}; the key of now is held since {}, {former_keys} before it are kept\n\
         {}: {matches} matches sealed anew, {bytes} bytes\n",
        key.display(),
        date(since_ms),
        store.display(),
    );
    if unreadable_secrets > 0 {
        text +=
            &format!("{unreadable_secrets} secrets of matches could not be read before, and can't be now\n");
    }
    say(&text)
}

/// Writes down, in the store as it is sealed now, that its keys are others.
async fn note_rotation(config: &Config, act: ServerAct) -> Result<(), Failure> {
    let (store, key) = open_sealed(config).await.map_err(Failure::fault)?;
    note(&store, &key, Act::Server(act)).await?;
    store.close().await;
    Ok(())
}

/// The files of the store and of its key.
fn files_of(config: &Config) -> Result<(PathBuf, PathBuf), Failure> {
    let store = file_of(config)?;
    let no_key = || Failure::Configuration("which key? Name its file with --key-file".to_owned());
    Ok((store, config.key_path().ok_or_else(no_key)?))
}

impl From<RotationError> for Failure {
    fn from(error: RotationError) -> Self {
        match error {
            RotationError::Store(error) => error.into(),
            error => Self::Fault(error.to_string()),
        }
    }
}
