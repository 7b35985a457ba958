//! The configuration of a server: [`Config`], from defaults, a file, the environment and flags, each above
//! the ones before.
//!
//! Invariants: nothing is bound, opened or made before all of it was checked; each [`ConfigFault`] names where the value comes
//! from, the field, and what would be accepted; and no secret stands in it, only the names of files that hold some, so
//! that it can be printed.

mod check;
mod fields;
mod load;
mod log_filter;
mod reload;
mod sections;

pub use fields::{FIELDS, Field};
pub use load::{ConfigFault, Env, Flags, Invalid, Loaded, load};
pub use reload::Reloaded;
pub(crate) use sections::network;
pub use sections::{
    Capacity, ClusterConfig, Deadlines, Docs, Log, LogFormat, Postgres, Proxy, Shutdown, Sqlite,
    TelemetryConfig, Tls, Web,
};

use std::net::{Ipv4Addr, SocketAddr};
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::host::HostCapacity;
use crate::limits::Limits;

/// A day, in which `capacity.delete_days` counts.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The port where nobody asks for another.
pub const DEFAULT_PORT: u16 = 7400;

/// Everything that can be set. [`FIELDS`] has the same in words, and docs/server.md as a table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Address and port; port 0: any free one.
    pub listen: SocketAddr,
    /// The folder of the matches and, unless `key_file` is set, of the key. Absent: matches are kept in memory.
    pub store: Option<PathBuf>,
    /// The file of the server's key.
    pub key_file: Option<PathBuf>,
    /// The accounts file.
    pub accounts: Option<PathBuf>,
    /// True if those without an account may play. Absent: only if there is no accounts file.
    pub anonymous: Option<bool>,
    /// A folder whose files replace the games' built-in content.
    pub content: Option<PathBuf>,
    /// True if house bots play a match of each game, to be watched.
    pub exhibition: bool,
    /// The limits of what callers may ask for.
    #[serde(default)]
    pub limits: Limits,
    /// The load that the server takes on at once.
    #[serde(default)]
    pub capacity: Capacity,
    /// The encryption of connections.
    #[serde(default)]
    pub tls: Tls,
    /// Pages that may call.
    #[serde(default)]
    pub web: Web,
    /// Pages that the server shows.
    #[serde(default)]
    pub docs: Docs,
    /// Proxies through which clients call.
    pub proxy: Proxy,
    /// The time that a client has for its part.
    #[serde(default)]
    pub deadlines: Deadlines,
    /// Settings of the server's stop.
    #[serde(default)]
    pub shutdown: Shutdown,
    /// Settings of the store's file.
    #[serde(default)]
    pub sqlite: Sqlite,
    /// Settings of the store's database.
    #[serde(default)]
    pub postgres: Postgres,
    /// Several servers on one database.
    #[serde(default)]
    pub cluster: ClusterConfig,
    /// Settings of the log.
    #[serde(default)]
    pub log: Log,
    /// The target of traces and metrics.
    #[serde(default)]
    pub telemetry: TelemetryConfig,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, DEFAULT_PORT)),
            store: None,
            key_file: None,
            accounts: None,
            anonymous: None,
            content: None,
            exhibition: false,
            limits: Limits::default(),
            capacity: Capacity::default(),
            tls: Tls::default(),
            web: Web::default(),
            docs: Docs::default(),
            proxy: Proxy::default(),
            deadlines: Deadlines::default(),
            shutdown: Shutdown::default(),
            sqlite: Sqlite::default(),
            postgres: Postgres::default(),
            cluster: ClusterConfig::default(),
            log: Log::default(),
            telemetry: TelemetryConfig::default(),
        }
    }
}

/// The file of the store in a folder.
#[must_use]
pub fn store_file_in(folder: &Path) -> PathBuf {
    folder.join("edgehill.sqlite")
}

impl Config {
    /// The store's file.
    #[must_use]
    pub fn store_file(&self) -> Option<PathBuf> {
        self.store.as_deref().map(store_file_in)
    }

    /// The store by its name: its file, or the database's address; `None`: matches are kept in memory.
    #[must_use]
    pub fn store_name(&self) -> Option<PathBuf> {
        self.store_file().or_else(|| self.postgres.address.as_ref().map(PathBuf::from))
    }

    /// The key's file; `None`: the key lives as long as the process, as do the matches.
    #[must_use]
    pub fn key_path(&self) -> Option<PathBuf> {
        self.key_file.clone().or_else(|| self.store.as_ref().map(|folder| folder.join("server.key")))
    }

    /// Returns whether keys and tokens come from other machines as they are, with nothing before the server that could end TLS.
    #[must_use]
    pub fn is_in_clear(&self) -> bool {
        let encrypted = self.tls.certificate.is_some() || !self.proxy.addresses.is_empty();
        !self.listen.ip().is_loopback() && !encrypted
    }

    /// Returns whether those without an account may play.
    #[must_use]
    pub fn is_anonymous(&self) -> bool {
        self.anonymous.unwrap_or(self.accounts.is_none())
    }

    /// Calls of one caller a second; `None`: as many as they like.
    #[must_use]
    pub fn calls_per_second(&self) -> Option<NonZeroU32> {
        let unset = || self.elsewhere(fields::CALLS_PER_SECOND_ELSEWHERE);
        NonZeroU32::new(self.capacity.calls_per_second.unwrap_or_else(unset))
    }

    /// Bytes of one caller's requests a second; `None`: as many as they like.
    #[must_use]
    pub fn bytes_per_second(&self) -> Option<NonZeroU32> {
        let unset = || self.elsewhere(fields::BYTES_PER_SECOND_ELSEWHERE);
        NonZeroU32::new(self.capacity.bytes_per_second.unwrap_or_else(unset))
    }

    /// The value of a bound that holds where other machines can come from; on loopback there is none.
    fn elsewhere(&self, bound: u32) -> u32 {
        if self.listen.ip().is_loopback() { 0 } else { bound }
    }

    /// The load that the host of the matches takes on.
    #[must_use]
    pub fn host_capacity(&self) -> HostCapacity {
        let processors = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let Capacity { loaded_matches, loaded_bytes, bot_threads, bot_turns_per_second, .. } = self.capacity;
        let archive_after = Duration::from_secs(self.capacity.archive_seconds.into());
        let turns =
            bot_turns_per_second.unwrap_or_else(|| self.elsewhere(fields::BOT_TURNS_PER_SECOND_ELSEWHERE));
        HostCapacity {
            loaded_matches: loaded_matches as usize,
            loaded_bytes,
            rest_after: Some(Duration::from_secs(self.capacity.rest_seconds.into())),
            bot_threads: bot_threads.map_or_else(|| (processors() / 2).max(1), |threads| threads as usize),
            bot_turns_per_second: NonZeroU32::new(turns),
            archive_after: Some(archive_after),
            delete_after: self.capacity.delete_days.map(|days| DAY * days),
        }
    }

    /// The configuration as TOML, which reads back as the same; what is absent stays away.
    #[must_use]
    pub fn to_toml(&self) -> String {
        // Numbers, texts and lists in tables are TOML whatever they hold, but for paths that are not UTF-8, which no
        // source can give.
        toml::to_string(self)
            .unwrap_or_else(|error| format!("# this configuration can't be written: {error}\n"))
    }
}

#[cfg(test)]
mod page_tests;
#[cfg(test)]
mod tests;
