//! The reading of accounts, limits and certificates while the server runs, as SIGHUP asks for it.

use crate::config::{self, Config, Env, Flags, Reloaded};
use crate::server::Handle;

/// The sources of the configuration, of which files may have changed since.
#[derive(Debug)]
pub(super) struct Sources {
    pub(super) flags: Flags,
    pub(super) env: Env,
}

/// Reads the sources again, and has the server take up what it can of them; all of it or, if there is any fault, nothing.
/// `set` is what holds, as it was set. Returns whether it was taken up.
pub(super) fn reload(sources: &Sources, set: &mut Config, handle: &Handle) -> bool {
    match taken_up(sources, set, handle) {
        Ok(Reloaded { config, restart }) => {
            *set = config;
            tracing::info!("accounts, limits and certificates were read again");
            if !restart.is_empty() {
                let fields = restart.join(", ");
                tracing::warn!(fields, "these fields are set otherwise now, and take a restart");
            }
            true
        }
        Err(faults) => {
            for fault in faults.lines() {
                tracing::error!(
                    fault,
                    "accounts, limits and certificates were not read again, and those of before hold"
                );
            }
            false
        }
    }
}

/// The configuration that holds from now on.
///
/// # Errors
/// The faults, a line each.
fn taken_up(sources: &Sources, set: &Config, handle: &Handle) -> Result<Reloaded, String> {
    let loaded = config::load(&sources.flags, &sources.env).map_err(|invalid| invalid.to_string())?;
    let fits =
        |error| format!("limits: {error}, while `limits.request_bytes` stays as it is until a restart");
    let reloaded = set.reloaded(&loaded.config).map_err(fits)?;
    handle.reload(&reloaded.config).map_err(|error| error.to_string())?;
    Ok(reloaded)
}
