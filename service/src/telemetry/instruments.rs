//! All instruments of the server, in one table ([`ALL`]): docs/server.md shows it as it stands here, and a test holds what a server
//! sends to it. Names and labels of calls and of the process are those of OpenTelemetry's conventions, 1.45.

use std::fmt;

/// The way in which an instrument's figures go together.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum InstrumentKind {
    /// Grows alone.
    Counter,
    /// Grows and falls by what is added.
    UpDownCounter,
    /// The amount at the moment.
    Gauge,
    /// How many measurements were how large.
    Histogram,
}

impl fmt::Display for InstrumentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Counter => "counter",
            Self::UpDownCounter => "up-down counter",
            Self::Gauge => "gauge",
            Self::Histogram => "histogram",
        })
    }
}

/// One instrument.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Instrument {
    /// Its name, with dots.
    pub name: &'static str,
    /// How its figures go together.
    pub kind: InstrumentKind,
    /// The unit, as UCUM writes it.
    pub unit: &'static str,
    /// The labels that its figures may have.
    pub labels: &'static [&'static str],
    /// The thing that is counted or measured.
    pub description: &'static str,
}

/// The labels of a method.
pub(super) mod labels {
    pub(in super::super) const BOT_GAME: &str = "edgehill.game";
    pub(in super::super) const CPU_MODE: &str = "cpu.mode";
    pub(in super::super) const ERROR: &str = "error.type";
    pub(in super::super) const FAILURE: &str = "edgehill.failure";
    pub(in super::super) const METHOD: &str = "rpc.method";
    pub(in super::super) const REASON: &str = "edgehill.reason";
    pub(in super::super) const STATUS: &str = "rpc.response.status_code";
    pub(in super::super) const SYSTEM: &str = "rpc.system.name";
    pub(in super::super) const VERDICT: &str = "edgehill.verdict";
    pub(in super::super) const VERSION: &str = "edgehill.version";
}

macro_rules! instruments {
    ($($constant:ident: $kind:ident $name:literal $unit:literal [$($label:ident),*] $description:literal;)*) => {
        $(
            pub(super) const $constant: Instrument = Instrument {
                name: $name,
                kind: InstrumentKind::$kind,
                unit: $unit,
                labels: &[$(labels::$label),*],
                description: $description,
            };
        )*

        /// All of them, in the order of the manual.
        pub const ALL: &[Instrument] = &[$($constant),*];
    };
}

instruments! {
    CALL_DURATION: Histogram "rpc.server.call.duration" "s" [SYSTEM, METHOD, STATUS, ERROR]
        "Time of a call that is no stream, to the end of its answer";
    CALLS_REFUSED: Counter "edgehill.calls.refused" "{call}" [REASON]
        "Calls, and messages of streams, that were refused; of several servers a call counts at the one that its client asked";
    STREAMS_OPEN: UpDownCounter "edgehill.streams.open" "{stream}" [METHOD]
        "Streams that are open";
    STREAMS_ENDED: Counter "edgehill.streams.ended" "{stream}" [METHOD, STATUS]
        "Streams that ended";
    CONNECTIONS_OPEN: Gauge "edgehill.connections.open" "{connection}" []
        "Connections that are open";
    CONNECTIONS_LIMIT: Gauge "edgehill.connections.limit" "{connection}" []
        "Connections that are accepted at once; more wait";
    HANDSHAKES_FAILED: Counter "edgehill.tls.handshakes.failed" "{handshake}" []
        "TLS handshakes that failed: no TLS, no certificate that is asked for, one that a client does not accept, or no time left";
    MATCHES_LOADED: Gauge "edgehill.matches.loaded" "{match}" []
        "Matches in memory";
    MATCHES_LOADED_BYTES: Gauge "edgehill.matches.loaded_bytes" "By" []
        "Bytes of the matches in memory, about";
    MATCHES_EVICTED: Counter "edgehill.matches.evicted" "{match}" []
        "Matches that left the memory to make room";
    MATCHES_REPLAY_DURATION: Histogram "edgehill.matches.replay.duration" "s" []
        "Time in which a match came from its log into the memory";
    MATCHES_UNPLAYABLE: Gauge "edgehill.matches.unplayable" "{match}" []
        "Matches that were not over at the start and can't be played: this build lacks their rules, or the store their content";
    MATCHES_QUARANTINED: Gauge "edgehill.matches.quarantined" "{match}" []
        "Matches that are closed to play until somebody has looked at them";
    APPEND_DURATION: Histogram "edgehill.store.append.duration" "s" []
        "Time from an append's place in line to the disk";
    STORE_APPENDS: Counter "edgehill.store.appends" "{append}" []
        "Creations and appends that became durable";
    STORE_TRANSACTIONS: Counter "edgehill.store.transactions" "{transaction}" []
        "Transactions that became durable; appends by transactions is how well they are grouped";
    STORE_FAILURES: Counter "edgehill.store.failures" "{transaction}" [FAILURE]
        "Transactions that failed: nothing of them was done, nobody knows, or the file is damaged";
    STORE_WRITABLE: Gauge "edgehill.store.writable" "1" []
        "1 while writes succeed, else 0";
    STORE_LINE_OPERATIONS: Gauge "edgehill.store.line.operations" "{operation}" []
        "Operations that wait to be written";
    STORE_LINE_BYTES: Gauge "edgehill.store.line.bytes" "By" []
        "Bytes that wait to be written";
    STORE_FILE_BYTES: Gauge "edgehill.store.file.bytes" "By" []
        "Size of the store's file";
    STORE_LOG_BYTES: Gauge "edgehill.store.log.bytes" "By" []
        "Size of the store's write-ahead log";
    BOT_TURN_DURATION: Histogram "edgehill.bots.turn.duration" "s" [BOT_GAME]
        "Time that a house bot thought about a turn";
    BOT_TURNS_WAITING: Gauge "edgehill.bots.turns.waiting" "{turn}" []
        "Turns of house bots that wait for a thread";
    COMPETITIONS_RUNNING: Gauge "edgehill.competitions.running" "{competition}" []
        "Competitions that are being played";
    COMPETITIONS_HINDERED: Gauge "edgehill.competitions.hindered" "{competition}" []
        "Competitions that do not go on: something hinders them, or their log can't be read";
    COMPETITIONS_VERDICTS: Counter "edgehill.competitions.verdicts" "{match}" [VERDICT]
        "Matches of competitions that got a verdict";
    CLUSTER_SHARDS: Gauge "edgehill.cluster.shards" "{shard}" []
        "Shards whose matches this server of several has, of 1,024";
    CLUSTER_HOME: Gauge "edgehill.cluster.home" "1" []
        "1 while this server of several has what belongs to no match, else 0";
    CLUSTER_TAKEOVERS: Counter "edgehill.cluster.takeovers" "{takeover}" []
        "Times that this server took over shards that nobody had";
    CLUSTER_LEASE_REMAINING: Gauge "edgehill.cluster.lease.remaining" "s" []
        "Time for which nobody else may take the shards of this server over; 0 where it has none";
    CLUSTER_DATABASE_ANSWERS: Gauge "edgehill.cluster.database.answers" "1" []
        "1 while the database answers who has which shards, else 0";
    CLUSTER_CALLS_FORWARDED: Counter "edgehill.cluster.calls.forwarded" "{call}" [STATUS]
        "Calls and streams that this server handed on to the one that has their match";
    MEMORY_USAGE: UpDownCounter "process.memory.usage" "By" []
        "Physical memory of the process";
    CPU_TIME: Counter "process.cpu.time" "s" [CPU_MODE]
        "Time of processors that the process has used";
    OPEN_FILES: UpDownCounter "process.unix.file_descriptor.count" "{file_descriptor}" []
        "Files and connections that the process has open";
    BUILD: Gauge "edgehill.build" "1" [VERSION]
        "1, with the build";
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The table of docs/server.md.
    fn manual() -> String {
        let label = |label: &&str| format!("`{label}`");
        let row = |one: &Instrument| {
            let labels: Vec<_> = one.labels.iter().map(label).collect();
            format!(
                "| `{}` | {} | `{}` | {} | {} |\n",
                one.name,
                one.kind,
                one.unit,
                labels.join(", "),
                one.description
            )
            .replace("|  |", "| |")
        };
        ALL.iter().map(row).collect()
    }

    #[test]
    fn the_manual_has_all_instruments_and_no_other() {
        let text = include_str!("../../../docs/server.md");
        let head = "| metric | kind | unit | labels | what |\n| --- | --- | --- | --- | --- |\n";
        let (_, table) = text.split_once(head).expect("docs/server.md has the table of metrics");
        let (table, _) = table.split_once("\n\n").expect("the table ends");
        assert_eq!(format!("{table}\n"), manual(), "docs/server.md");
    }

    #[test]
    fn no_two_have_one_name() {
        let names: BTreeSet<_> = ALL.iter().map(|one| one.name).collect();
        assert_eq!(names.len(), ALL.len());
    }
}
