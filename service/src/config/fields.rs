//! Every field of the configuration in words: [`FIELDS`]. The table of docs/server.md is made of it, and so is what an
//! error says that would be accepted.

/// Calls of one caller a second, where `listen` is not loopback and nothing is set.
pub(super) const CALLS_PER_SECOND_ELSEWHERE: u32 = 200;

/// Bytes of one caller's requests a second, where `listen` is not loopback and nothing is set.
pub(super) const BYTES_PER_SECOND_ELSEWHERE: u32 = 1_048_576;

/// Turns a second of house bots that play alone, where `listen` is not loopback and nothing is set: about as much work, and as
/// much to keep, as one caller may make at that many calls.
pub(super) const BOT_TURNS_PER_SECOND_ELSEWHERE: u32 = 100;

/// One field.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Its path, such as `limits.streams`.
    pub path: &'static str,
    /// Its meaning.
    pub what: &'static str,
    /// The values that are accepted.
    pub accepts: &'static str,
    /// Its value where nobody sets it, in TOML; empty: absent.
    pub default: &'static str,
    /// The range of a number.
    pub range: Option<(u64, u64)>,
    /// True if it is a text: then flags and variables have it as it is, and not as TOML.
    pub is_text: bool,
}

impl Field {
    /// The field of this path.
    #[must_use]
    pub fn of(path: &str) -> Option<&'static Self> {
        FIELDS.iter().find(|field| field.path == path)
    }

    /// The environment variable that sets it.
    #[must_use]
    pub fn variable(&self) -> String {
        format!("{}{}", super::load::PREFIX, self.path.replace('.', "__").to_uppercase())
    }
}

const fn text(path: &'static str, what: &'static str, accepts: &'static str, default: &'static str) -> Field {
    Field { path, what, accepts, default, range: None, is_text: true }
}

const fn value(
    path: &'static str,
    what: &'static str,
    accepts: &'static str,
    default: &'static str,
) -> Field {
    Field { path, what, accepts, default, range: None, is_text: false }
}

const fn number(
    path: &'static str,
    what: &'static str,
    accepts: &'static str,
    default: &'static str,
    range: (u64, u64),
) -> Field {
    Field { path, what, accepts, default, range: Some(range), is_text: false }
}

/// All fields, in the order of [`super::Config`].
pub const FIELDS: &[Field] = &[
    text(
        "listen",
        "address and port",
        "an IP address and a port, such as `127.0.0.1:7400`; port 0: any free one",
        "\"127.0.0.1:7400\"",
    ),
    text(
        "store",
        "folder of the matches and the key",
        "a folder, which is made if it is not there; absent: matches are kept in memory",
        "",
    ),
    text(
        "key_file",
        "file of the server's key",
        "a file for its owner alone, made if it is not there; absent: `server.key` in the store's folder",
        "",
    ),
    text(
        "accounts",
        "accounts file",
        "a TOML file of accounts; required unless `listen` is loopback or `anonymous` is true",
        "",
    ),
    value(
        "anonymous",
        "whether those without an account may play",
        "true or false; absent: true if there is no accounts file, on loopback only",
        "",
    ),
    text(
        "content",
        "folder whose files replace the games' built-in content",
        "a folder with a folder for each game's id; absent: the built-in content",
        "",
    ),
    value(
        "exhibition",
        "whether house bots play a match of each game, to be watched",
        "true or false",
        "false",
    ),
    number(
        "limits.request_bytes",
        "bytes of one request, or of one message in a stream",
        "16384 to 4194304",
        "65536",
        (16_384, 4_194_304),
    ),
    number(
        "limits.position_bytes",
        "bytes of a described position",
        "1 to 131072, and no more than `limits.request_bytes`",
        "32768",
        (1, 131_072),
    ),
    number("limits.request_id_bytes", "bytes of a request id", "1 to 64", "64", (1, 64)),
    number("limits.player_bytes", "bytes of a player's name", "1 to 256", "64", (1, 256)),
    number(
        "limits.stream_seats",
        "seats open at once in one `PlaySeats` stream",
        "1 to 65536",
        "1024",
        (1, 65_536),
    ),
    number(
        "limits.streams",
        "`PlaySeats`, `WatchMatch`, `WatchAccount` and `SeekMatch` streams of one caller at once",
        "1 to 65536",
        "256",
        (1, 65_536),
    ),
    number("limits.message_events", "events of one message", "1 to 4096", "256", (1, 4_096)),
    number("limits.page_matches", "matches on one page of `ListMatches`", "1 to 256", "100", (1, 256)),
    number(
        "limits.open_matches",
        "matches of one creator that are not over",
        "1 to 1000000000",
        "10000",
        (1, 1_000_000_000),
    ),
    number(
        "limits.waiting_matches",
        "matches of one creator that have seats for people and have not begun",
        "1 to 1000000000",
        "10000",
        (1, 1_000_000_000),
    ),
    number(
        "limits.bot_matches",
        "matches of one creator in which house bots have all seats, and that are not over",
        "1 to 1000000000",
        "16",
        (1, 1_000_000_000),
    ),
    number(
        "limits.server_bot_matches",
        "the same of all creators together, the server's own matches not counted",
        "1 to 1000000000",
        "64",
        (1, 1_000_000_000),
    ),
    number("limits.group_matches", "matches of one seed group", "2 to 256", "256", (2, 256)),
    number(
        "limits.reveal_seconds",
        "seconds that seats have to reveal their entropy",
        "1 to 604800",
        "600",
        (1, 604_800),
    ),
    number(
        "limits.waiting_seconds",
        "seconds that a match waits for its seats to be taken",
        "1 to 315360000",
        "604800",
        (1, 315_360_000),
    ),
    number(
        "limits.idle_seconds",
        "seconds in which nothing happens in a match that has begun, until it ends without a winner",
        "1 to 315360000",
        "7776000",
        (1, 315_360_000),
    ),
    number("limits.seeks", "open seeks of one caller", "1 to 65536", "16", (1, 65_536)),
    number("limits.server_seeks", "the same of all callers together", "1 to 65536", "4096", (1, 65_536)),
    number(
        "limits.seek_seconds",
        "seconds for which a caller may seek in one call",
        "1 to 604800",
        "3600",
        (1, 604_800),
    ),
    number(
        "limits.paired_seconds",
        "seconds that a match of callers who were paired waits for its seats to be taken",
        "1 to 604800",
        "120",
        (1, 604_800),
    ),
    number(
        "limits.competitions",
        "competitions of one account that are neither finished nor cancelled",
        "1 to 65536",
        "64",
        (1, 65_536),
    ),
    number(
        "limits.turn_changes",
        "changes of mind of a seat between two of its actions that are final",
        "16 to 65536",
        "1024",
        (16, 65_536),
    ),
    number(
        "limits.match_log_bytes",
        "bytes of the log of a match",
        "5242880 to 67108864",
        "67108864",
        (5_242_880, 67_108_864),
    ),
    number(
        "capacity.connections",
        "connections at once; more wait until one ends",
        "1 to 1000000",
        "10000",
        (1, 1_000_000),
    ),
    number(
        "capacity.connection_calls",
        "calls and streams under way at once on one connection; more wait",
        "1 to 65536",
        "1024",
        (1, 65_536),
    ),
    number(
        "capacity.calls",
        "calls under way at once, of all callers, streams not counted",
        "1 to 1000000",
        "4096",
        (1, 1_000_000),
    ),
    number(
        "capacity.address_connections",
        "connections at once from one address; more are closed",
        "1 to 1000000",
        "1024",
        (1, 1_000_000),
    ),
    number(
        "capacity.caller_calls",
        "calls of one caller under way at once, streams not counted",
        "1 to 1000000",
        "1024",
        (1, 1_000_000),
    ),
    number(
        "capacity.calls_per_second",
        "calls of one caller a second, over time",
        "0 to 1000000; 0: as many as they like; absent: 0 where `listen` is loopback, else 200",
        "",
        (0, 1_000_000),
    ),
    number(
        "capacity.calls_burst",
        "calls of one caller at once before `capacity.calls_per_second` holds them up",
        "1 to 1000000",
        "400",
        (1, 1_000_000),
    ),
    number(
        "capacity.bytes_per_second",
        "bytes of one caller's requests a second, over time",
        "0 to 1000000000; 0: as many as they like; absent: 0 where `listen` is loopback, else 1048576",
        "",
        (0, 1_000_000_000),
    ),
    number(
        "capacity.bytes_burst",
        "bytes of one caller's requests at once before `capacity.bytes_per_second` holds them up; more than this counts as this",
        "65536 to 1000000000",
        "4194304",
        (65_536, 1_000_000_000),
    ),
    number(
        "capacity.loaded_matches",
        "matches that stay in memory, besides those that somebody uses",
        "1 to 1000000",
        "10000",
        (1, 1_000_000),
    ),
    number(
        "capacity.loaded_bytes",
        "bytes of the matches that stay in memory, besides those that somebody uses",
        "1048576 to 1099511627776",
        "536870912",
        (1 << 20, 1 << 40),
    ),
    number(
        "capacity.rest_seconds",
        "seconds after which a match that nobody touches leaves the memory, although somebody follows it",
        "1 to 1000000000",
        "300",
        (1, 1_000_000_000),
    ),
    number(
        "capacity.bot_threads",
        "threads on which house bots think, which is as many processors as they have at most; calls come before them",
        "1 to 256; absent: half of the processors, and at least 1",
        "",
        (1, 256),
    ),
    number(
        "capacity.bot_turns_per_second",
        "turns a second of house bots that play alone, of all matches together: each is kept in the store",
        "0 to 1000000; 0: as many as they like; absent: 0 where `listen` is loopback, else 100",
        "",
        (0, 1_000_000),
    ),
    number(
        "capacity.archive_seconds",
        "seconds from the end of a match until its log is archived: compressed into one entry, and out of memory",
        "0 to 1000000000",
        "600",
        (0, 1_000_000_000),
    ),
    number(
        "capacity.delete_days",
        "days from the end of a match, or of the last of its seed group, until it is deleted with its record",
        "1 to 36500; absent: it never is",
        "",
        (1, 36_500),
    ),
    text(
        "tls.certificate",
        "file of the certificate that the server shows",
        "a PEM file: the server's certificate, then those between it and its authority; goes with `tls.key`; absent: no TLS",
        "",
    ),
    text(
        "tls.key",
        "file of the certificate's private key",
        "a PEM file of one key, not encrypted, for its owner alone; goes with `tls.certificate`",
        "",
    ),
    text(
        "tls.client_ca",
        "file of the authorities of which every client has to show a certificate",
        "a PEM file of one or more authorities; goes with `tls.certificate`; absent: no client is asked for a certificate",
        "",
    ),
    value(
        "web.origins",
        "origins of the pages that may call by grpc-web",
        "a list of origins such as `https://play.example`, or `*` for all; absent: pages from this machine",
        "",
    ),
    text(
        "docs.folder",
        "folder of the pages that are served under `/docs`",
        "a folder with an `index.html`, such as `make docs` builds; absent: no pages are served",
        "",
    ),
    value(
        "proxy.addresses",
        "proxies through which clients call",
        "a list of addresses and networks such as `127.0.0.1` and `10.0.0.0/8`; goes with `proxy.header`",
        "[]",
    ),
    text(
        "proxy.header",
        "header to whose end each proxy adds the address that it was called from",
        "a header's name, such as `x-forwarded-for`; goes with `proxy.addresses`; absent: no proxy is believed",
        "",
    ),
    number(
        "deadlines.preface_seconds",
        "seconds that a connection has to say what it is",
        "1 to 3600",
        "10",
        (1, 3_600),
    ),
    number(
        "deadlines.request_seconds",
        "seconds from the head of a request to the end of its message",
        "1 to 3600",
        "10",
        (1, 3_600),
    ),
    number(
        "deadlines.answer_seconds",
        "seconds that a client has to read the answer of a call",
        "1 to 3600",
        "30",
        (1, 3_600),
    ),
    number(
        "shutdown.delay_seconds",
        "seconds that the server goes on after health says NOT_SERVING, so that balancers send calls elsewhere",
        "0 to 3600",
        "0",
        (0, 3_600),
    ),
    number(
        "shutdown.grace_seconds",
        "seconds that calls and streams have to end when the server stops",
        "0 to 3600",
        "10",
        (0, 3_600),
    ),
    number(
        "sqlite.line_operations",
        "the most operations that wait to be written",
        "1 to 1048576",
        "1024",
        (1, 1_048_576),
    ),
    number(
        "sqlite.line_bytes",
        "the most bytes that wait to be written",
        "2097152 to 1073741824",
        "67108864",
        (2_097_152, 1_073_741_824),
    ),
    number(
        "sqlite.batch_operations",
        "the most operations of one transaction",
        "1 to 65536",
        "256",
        (1, 65_536),
    ),
    number("sqlite.readers", "threads that read", "1 to 64", "2", (1, 64)),
    number(
        "sqlite.checkpoint_pages",
        "pages of 4 KiB that the write-ahead log gathers before they go into the file, beside the writing; at four times as many writing waits",
        "16 to 1048576",
        "4096",
        (16, 1_048_576),
    ),
    number(
        "sqlite.file_bytes_max",
        "the most bytes of the file",
        "1048576 to 281474976710656; absent: as many as the disk has",
        "",
        (1_048_576, 1 << 48),
    ),
    text(
        "postgres.address",
        "database of the matches, instead of `store`",
        "`postgres://USER@HOST:PORT/DATABASE`, of several hosts with commas between, or `host=... dbname=...`, without a password; \
         absent: matches are kept in `store`, or in memory",
        "",
    ),
    text("postgres.password_file", "file with the database's password", "a text file", ""),
    text(
        "postgres.ca_file",
        "those who vouch for the database's certificate",
        "a PEM file of one or more certificates; absent: those whom the machine trusts",
        "",
    ),
    number(
        "postgres.line_operations",
        "the most operations that wait to be written",
        "1 to 1048576",
        "4096",
        (1, 1_048_576),
    ),
    number(
        "postgres.line_bytes",
        "the most bytes that wait to be written",
        "2097152 to 1073741824",
        "67108864",
        (2_097_152, 1_073_741_824),
    ),
    number(
        "postgres.batch_operations",
        "the most operations of one transaction",
        "1 to 65536",
        "512",
        (1, 65_536),
    ),
    number("postgres.readers", "connections that read", "1 to 64", "4", (1, 64)),
    text(
        "cluster.address",
        "address at which other servers on the same database reach this one",
        "`http://HOST:PORT` or, with `tls.certificate`, `https://HOST:PORT`; port 0: that of `listen`; absent: it shares its \
         matches with no other server",
        "",
    ),
    text(
        "cluster.ca_file",
        "those who vouch for the certificates of the other servers",
        "a PEM file of one or more certificates; required with `https`",
        "",
    ),
    number(
        "cluster.lease_seconds",
        "seconds without a word of a server until others take its matches over",
        "2 to 60",
        "6",
        (2, 60),
    ),
    text("log.format", "for people or for programs", "`text` or `json`", "\"text\""),
    text(
        "log.filter",
        "what is logged",
        "a level (`error`, `warn`, `info`, `debug`, `trace`, `off`), or levels by module: `info,edgehill_service=debug`",
        "\"info\"",
    ),
    text(
        "telemetry.otlp_endpoint",
        "receiver of traces and metrics, by OTLP over gRPC",
        "`http://` with host and port, such as `http://127.0.0.1:4317`, and nothing else; absent: nowhere",
        "",
    ),
    text(
        "telemetry.service_name",
        "what the server is called there",
        "1 to 64 printable ASCII characters",
        "\"edgehill-server\"",
    ),
    value("telemetry.sampling_ratio", "share of the traces begun here that are kept", "0.0 to 1.0", "1.0"),
    value(
        "telemetry.client_sampling",
        "whether a client's own decision to keep its trace, or not, holds; else the share is of its traces, too",
        "true or false",
        "true",
    ),
    number(
        "telemetry.metric_interval_seconds",
        "seconds between two reports of the metrics",
        "1 to 3600",
        "30",
        (1, 3_600),
    ),
];
