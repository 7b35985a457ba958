//! The tables of the configuration.

use std::net::IpAddr;
use std::path::PathBuf;

use ipnet::IpNet;
use serde::{Deserialize, Serialize};

/// The load that the server takes on at once.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Capacity {
    /// Connections at once; more wait until one ends.
    pub connections: u32,
    /// Calls and streams under way at once on one connection; more wait.
    pub connection_calls: u32,
    /// Calls under way at once, of all callers, streams not counted.
    pub calls: u32,
    /// Connections at once from one address; more are closed.
    pub address_connections: u32,
    /// Calls under way at once of one caller, streams not counted.
    pub caller_calls: u32,
    /// Calls of one caller a second, over time; 0: as many as they like. Absent: 0 where `listen` is
    /// loopback, else 200.
    pub calls_per_second: Option<u32>,
    /// Calls of one caller at once before `calls_per_second` holds them up.
    pub calls_burst: u32,
    /// Bytes of one caller's requests a second, over time; 0: as many as they like. Absent: 0 where `listen` is
    /// loopback, else 1,048,576.
    pub bytes_per_second: Option<u32>,
    /// Bytes of one caller's requests at once before `bytes_per_second` holds them up.
    pub bytes_burst: u32,
    /// Matches that stay in memory, besides those that somebody uses.
    pub loaded_matches: u32,
    /// Bytes of the matches that stay in memory, besides those that somebody uses.
    pub loaded_bytes: u64,
    /// Seconds after which a match that nobody touches leaves the memory.
    pub rest_seconds: u32,
    /// Threads on which house bots think. Absent: half of the processors, and at least 1.
    pub bot_threads: Option<u32>,
    /// Turns a second of house bots that play alone, of all matches together; 0: as many as they like. Absent: 0 where
    /// `listen` is loopback, else 100.
    pub bot_turns_per_second: Option<u32>,
    /// Seconds from the end of a match until its log is archived.
    pub archive_seconds: u32,
    /// Days from the end of a match until it is deleted; absent: it never is.
    pub delete_days: Option<u32>,
}

/// The encryption of connections. Absent: they are in clear.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tls {
    /// The file of the server's certificate, with those between it and its authority.
    pub certificate: Option<PathBuf>,
    /// The file of the certificate's key.
    pub key: Option<PathBuf>,
    /// The file of the authorities of which every client has to show a certificate. Absent: no client is asked for one.
    pub client_ca: Option<PathBuf>,
}

/// Pages that may call by grpc-web.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Web {
    /// Their origins, such as `https://play.example`; `*`: all. Absent: pages that come from this machine.
    pub origins: Option<Vec<String>>,
}

/// Pages that the server shows beside its calls, under `/docs`.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Docs {
    /// The folder with their files, which has an `index.html`. Absent: there are none.
    pub folder: Option<PathBuf>,
}

/// Proxies through which clients call.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proxy {
    /// The addresses and networks from which they call, such as `127.0.0.1` or `10.0.0.0/8`. Nobody else is believed.
    pub addresses: Vec<String>,
    /// The header to whose end each of them adds the address that it was called from.
    pub header: Option<String>,
}

/// A network, or an address as one, if `text` is one.
pub(crate) fn network(text: &str) -> Option<IpNet> {
    text.parse().ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from))
}

/// The time that a client has for its part.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deadlines {
    /// Seconds from the begin of a connection to the end of HTTP/2's preface, or of the first request's head.
    pub preface_seconds: u32,
    /// Seconds from the head of a request to the end of its message; a `PlaySeats` stream has none.
    pub request_seconds: u32,
    /// Seconds that a client has to read the answer of a call; streams have none.
    pub answer_seconds: u32,
}

/// Settings of the server's stop.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shutdown {
    /// Seconds that the server goes on after its health says NOT_SERVING, so that those who ask for it go elsewhere.
    pub delay_seconds: u32,
    /// Seconds that calls and streams have to end by themselves before they are cut off.
    pub grace_seconds: u32,
}

/// Settings of the store's file (docs/store.md).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sqlite {
    /// The most operations that wait to be written.
    pub line_operations: u32,
    /// The most bytes that wait to be written.
    pub line_bytes: u32,
    /// The most operations of one transaction.
    pub batch_operations: u32,
    /// Threads that read.
    pub readers: u32,
    /// Pages of 4 KiB that the write-ahead log gathers before they go into the file.
    pub checkpoint_pages: u32,
    /// The most bytes of the file; absent: as many as the disk has.
    pub file_bytes_max: Option<u64>,
}

/// Settings of the store's database, and of the way there (docs/store.md).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Postgres {
    /// The database's address, without a password. Absent: matches are kept in `store`, or in memory.
    pub address: Option<String>,
    /// A file with the password.
    pub password_file: Option<PathBuf>,
    /// A PEM file of those who vouch for the database's certificate, instead of those whom the machine trusts.
    pub ca_file: Option<PathBuf>,
    /// The most operations that wait to be written.
    pub line_operations: u32,
    /// The most bytes that wait to be written.
    pub line_bytes: u32,
    /// The most operations of one transaction.
    pub batch_operations: u32,
    /// Connections that read.
    pub readers: u32,
}

/// Several servers on one database (docs/operations-cluster.md).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClusterConfig {
    /// The address at which the other servers reach this one; port 0: the one that it listens on. Absent: it shares its matches with
    /// nobody.
    pub address: Option<String>,
    /// A PEM file of those who vouch for the servers' certificates, where they are called through TLS.
    pub ca_file: Option<PathBuf>,
    /// Seconds without a word of a server until others take its matches over.
    pub lease_seconds: u32,
}

/// Settings of the log, to stderr.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Log {
    /// For people or for programs.
    pub format: LogFormat,
    /// The filter of the log: a level, or levels by module, such as `info,edgehill_service::store=debug`.
    pub filter: String,
}

/// The form of a line of the log.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// One line of text an event.
    Text,
    /// One JSON object an event.
    Json,
}

/// The target of traces and metrics, by OTLP over gRPC.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TelemetryConfig {
    /// The receiver, such as `http://127.0.0.1:4317`; absent: nowhere.
    pub otlp_endpoint: Option<String>,
    /// The server's name there.
    pub service_name: String,
    /// Share of the traces begun here that are kept.
    pub sampling_ratio: f64,
    /// True if a client's own decision to keep its trace or not holds here; else the share is of its traces, too.
    pub client_sampling: bool,
    /// Seconds between two reports of the metrics.
    pub metric_interval_seconds: u32,
}

impl Default for Capacity {
    fn default() -> Self {
        Self {
            connections: 10_000,
            connection_calls: 1_024,
            calls: 4_096,
            address_connections: 1_024,
            caller_calls: 1_024,
            calls_per_second: None,
            calls_burst: 400,
            bytes_per_second: None,
            bytes_burst: 4 * 1024 * 1024,
            loaded_matches: 10_000,
            loaded_bytes: 512 * 1024 * 1024,
            rest_seconds: 300,
            archive_seconds: 600,
            delete_days: None,
            bot_threads: None,
            bot_turns_per_second: None,
        }
    }
}

impl Default for Deadlines {
    fn default() -> Self {
        Self { preface_seconds: 10, request_seconds: 10, answer_seconds: 30 }
    }
}

impl Default for Shutdown {
    fn default() -> Self {
        Self { delay_seconds: 0, grace_seconds: 10 }
    }
}

impl Default for Sqlite {
    fn default() -> Self {
        Self {
            line_operations: 1_024,
            line_bytes: 64 * 1024 * 1024,
            batch_operations: 256,
            readers: 2,
            checkpoint_pages: 4_096,
            file_bytes_max: None,
        }
    }
}

impl Default for Postgres {
    fn default() -> Self {
        Self {
            address: None,
            password_file: None,
            ca_file: None,
            line_operations: 4_096,
            line_bytes: 64 * 1024 * 1024,
            batch_operations: 512,
            readers: 4,
        }
    }
}

impl Default for ClusterConfig {
    fn default() -> Self {
        Self { address: None, ca_file: None, lease_seconds: 6 }
    }
}

impl Default for Log {
    fn default() -> Self {
        Self { format: LogFormat::Text, filter: "info".to_owned() }
    }
}

impl Default for TelemetryConfig {
    fn default() -> Self {
        Self {
            otlp_endpoint: None,
            service_name: "edgehill-server".to_owned(),
            sampling_ratio: 1.0,
            client_sampling: true,
            metric_interval_seconds: 30,
        }
    }
}
