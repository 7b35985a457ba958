//! Sources, precedence, faults, and the table of fields.

use std::collections::BTreeSet;
use std::path::Path;

use super::*;
use crate::limits::Limits;

fn env(pairs: &[(&str, &str)]) -> Env {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// Loads `text` as the file, then the environment.
fn load_text(text: &str, pairs: &[(&str, &str)]) -> Result<Loaded, Invalid> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("edgehill.toml");
    std::fs::write(&path, text).unwrap();
    load(&Flags { config: Some(path), fields: Vec::new() }, &env(pairs))
}

fn fault(text: &str, pairs: &[(&str, &str)]) -> String {
    load_text(text, pairs).unwrap_err().to_string()
}

/// A configuration in which nothing is absent.
pub(super) fn full() -> Config {
    Config {
        listen: "127.0.0.1:1".parse().unwrap(),
        store: Some("a".into()),
        key_file: Some("b".into()),
        accounts: Some("c".into()),
        anonymous: Some(true),
        content: Some("d".into()),
        exhibition: true,
        limits: Limits::default(),
        capacity: Capacity {
            calls_per_second: Some(7),
            bytes_per_second: Some(8),
            bot_threads: Some(3),
            bot_turns_per_second: Some(9),
            delete_days: Some(365),
            ..Capacity::default()
        },
        proxy: Proxy { addresses: vec!["10.0.0.0/8".to_owned()], header: Some("x-forwarded-for".to_owned()) },
        tls: Tls { certificate: Some("e".into()), key: Some("f".into()), client_ca: Some("g".into()) },
        web: Web { origins: Some(vec!["*".to_owned()]) },
        docs: Docs { folder: Some("h".into()) },
        deadlines: Deadlines { preface_seconds: 1, request_seconds: 2, answer_seconds: 3 },
        shutdown: Shutdown { delay_seconds: 1, grace_seconds: 1 },
        sqlite: Sqlite { file_bytes_max: Some(1 << 40), ..Sqlite::default() },
        postgres: Postgres {
            address: Some("postgres://h/i".to_owned()),
            password_file: Some("j".into()),
            ca_file: Some("k".into()),
            ..Postgres::default()
        },
        cluster: ClusterConfig {
            address: Some("http://l:7400".to_owned()),
            ca_file: Some("m".into()),
            ..ClusterConfig::default()
        },
        log: Log { format: LogFormat::Json, filter: "warn".to_owned() },
        telemetry: TelemetryConfig {
            otlp_endpoint: Some("http://localhost:4317".to_owned()),
            ..TelemetryConfig::default()
        },
    }
}

/// The paths of all values in a table.
fn leaves(table: &toml::Table, above: &str) -> Vec<(String, toml::Value)> {
    let below = table.iter().flat_map(|(name, value)| {
        let path = if above.is_empty() { name.clone() } else { format!("{above}.{name}") };
        match value {
            toml::Value::Table(table) => leaves(table, &path),
            value => vec![(path, value.clone())],
        }
    });
    below.collect()
}

fn table_of(config: &Config) -> toml::Table {
    config.to_toml().parse().unwrap()
}

/// The fields of a table as its own reader knows them.
fn known<T: serde::de::DeserializeOwned + std::fmt::Debug>() -> &'static [&'static str] {
    let error = figment::Figment::from(("?", 0)).extract::<T>().unwrap_err();
    let figment::error::Kind::UnknownField(_, known) = error.kind else { panic!("{error}") };
    known
}

#[test]
fn nothing_is_absent_from_the_full_configuration() {
    let full = table_of(&full());
    let has = |table: &toml::Table| table.keys().cloned().collect::<BTreeSet<_>>();
    let expected = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(has(&full), expected(known::<Config>()));
    let sections = [
        ("limits", known::<Limits>()),
        ("capacity", known::<Capacity>()),
        ("tls", known::<Tls>()),
        ("web", known::<Web>()),
        ("docs", known::<Docs>()),
        ("proxy", known::<Proxy>()),
        ("deadlines", known::<Deadlines>()),
        ("shutdown", known::<Shutdown>()),
        ("sqlite", known::<Sqlite>()),
        ("postgres", known::<Postgres>()),
        ("cluster", known::<ClusterConfig>()),
        ("log", known::<Log>()),
        ("telemetry", known::<TelemetryConfig>()),
    ];
    assert_eq!(full.values().filter(|value| value.is_table()).count(), sections.len());
    for (name, known) in sections {
        assert_eq!(has(full[name].as_table().unwrap()), expected(known), "{name}");
    }
}

#[test]
fn the_table_of_fields_has_every_field_and_its_default() {
    let paths: BTreeSet<String> = leaves(&table_of(&full()), "").into_iter().map(|(path, _)| path).collect();
    let named: BTreeSet<String> = FIELDS.iter().map(|field| field.path.to_owned()).collect();
    assert_eq!(named, paths);
    assert_eq!(FIELDS.len(), paths.len(), "no field stands in the table twice");
    let mut defaults: Vec<_> = leaves(&table_of(&Config::default()), "");
    defaults.sort_by(|one, other| one.0.cmp(&other.0));
    let mut named: Vec<_> = FIELDS.iter().filter(|field| !field.default.is_empty()).collect();
    named.sort_by_key(|field| field.path);
    let named: Vec<(String, toml::Value)> = named
        .into_iter()
        .map(|field| {
            (
                field.path.to_owned(),
                format!("x = {}", field.default).parse::<toml::Table>().unwrap()["x"].clone(),
            )
        })
        .collect();
    assert_eq!(named, defaults);
}

#[test]
fn the_ranges_of_limits_are_those_that_the_server_keeps_to() {
    let with = |path: &str, number: u64| {
        let mut table = toml::Table::try_from(Limits::default()).unwrap();
        table.insert(path.to_owned(), toml::Value::Integer(i64::try_from(number).unwrap()));
        // So large that what has to fit into it does.
        if path != "request_bytes" {
            table.insert("request_bytes".to_owned(), toml::Value::Integer(4_194_304));
        } else {
            table.insert("position_bytes".to_owned(), toml::Value::Integer(1));
        }
        table.try_into::<Limits>().unwrap().check()
    };
    for field in FIELDS {
        let (Some(name), Some((min, max))) = (field.path.strip_prefix("limits."), field.range) else {
            continue;
        };
        assert!(with(name, min).is_ok() && with(name, max).is_ok(), "{name}");
        assert!(with(name, min - 1).is_err() && with(name, max + 1).is_err(), "{name}");
    }
}

#[test]
fn every_number_is_held_to_its_range() {
    let numbers: Vec<_> = FIELDS.iter().filter(|field| field.range.is_some()).collect();
    let whole = leaves(&table_of(&full()), "").into_iter().filter(|(_, value)| value.is_integer()).count();
    assert_eq!(numbers.len(), whole, "every whole number has a range");
    for field in numbers {
        let (min, max) = field.range.unwrap();
        let variable = field.variable();
        for good in [min, max] {
            // A field that has to fit something else is given room.
            let room =
                [("EDGEHILL_LIMITS__REQUEST_BYTES", "4194304"), ("EDGEHILL_LIMITS__POSITION_BYTES", "1")];
            let text = good.to_string();
            let pairs: Vec<_> = room
                .into_iter()
                .filter(|(name, _)| *name != variable)
                .chain([(&*variable, &*text)])
                .collect();
            assert!(load(&Flags::default(), &env(&pairs)).is_ok(), "{variable}={good}");
        }
        let below = min.checked_sub(1).map_or("-1".to_owned(), |below| below.to_string());
        for bad in [below, (u128::from(max) + 1).to_string()] {
            let error = load(&Flags::default(), &env(&[(&variable, &bad)])).unwrap_err().to_string();
            let expected = format!("the environment variable {variable}: {}: ", field.path);
            assert!(error.contains(&expected) && error.contains(field.accepts), "{error}");
        }
    }
}

#[test]
fn what_is_printed_reads_back_as_the_same() {
    for config in [Config::default(), full()] {
        assert_eq!(toml::from_str::<Config>(&config.to_toml()).unwrap(), config);
    }
}

#[test]
fn the_defaults_are_good_and_the_stores_own() {
    let loaded = load(&Flags::default(), &Env::new()).unwrap();
    assert_eq!(loaded, Loaded { config: Config::default(), ignored: Vec::new() });
    let (ours, theirs) = (Sqlite::default().options(), crate::store::Options::default());
    assert_eq!(
        format!("{:?}", (ours.line_operations, ours.line_bytes, ours.batch_operations, ours.readers)),
        format!("{:?}", (theirs.line_operations, theirs.line_bytes, theirs.batch_operations, theirs.readers))
    );
    assert_eq!(
        (ours.checkpoint_pages, ours.file_bytes_max),
        (theirs.checkpoint_pages, theirs.file_bytes_max)
    );
}

#[test]
fn flags_stand_above_the_environment_and_that_above_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("edgehill.toml");
    std::fs::write(
        &path,
        "listen = '127.0.0.1:1'\n[limits]\nstreams = 1\nstream_seats = 1\n[capacity]\ncalls = 9\n",
    )
    .unwrap();
    let flags =
        Flags { config: Some(path.clone()), fields: vec![("listen", "--listen", "127.0.0.1:3".to_owned())] };
    let pairs = [
        ("EDGEHILL_LISTEN", "127.0.0.1:2"),
        ("EDGEHILL_LIMITS__STREAMS", "2"),
        ("EDGEHILL_WEB__ORIGINS", r#"["https://play.example", "*"]"#),
        ("EDGEHILL_EXHIBITION", "true"),
        ("EDGEHILL_LOG__FILTER", "info,edgehill_service=debug"),
        ("EDGEHILL_STORE", "1642"),
    ];
    let config = load(&flags, &env(&pairs)).unwrap().config;
    assert_eq!(config.listen.port(), 3);
    assert_eq!((config.limits.streams, config.limits.stream_seats, config.capacity.calls), (2, 1, 9));
    assert_eq!(config.limits.open_matches, Limits::default().open_matches);
    assert_eq!(config.web.origins.unwrap(), ["https://play.example", "*"]);
    assert!(config.exhibition);
    assert_eq!(config.log.filter, "info,edgehill_service=debug");
    assert_eq!(config.store.as_deref(), Some(Path::new("1642")));
    // The file may be named by the environment too.
    let named = env(&[("EDGEHILL_CONFIG", path.to_str().unwrap())]);
    assert_eq!(load(&Flags::default(), &named).unwrap().config.capacity.calls, 9);
}

#[test]
fn variables_of_others_are_told_and_ignored() {
    let loaded =
        load(&Flags::default(), &env(&[("EDGEHILL_VOLUME", "full"), ("HOME", "/"), ("EDGEHILL_", "x")]))
            .unwrap();
    assert_eq!(loaded.ignored, ["EDGEHILL_VOLUME", "EDGEHILL_"]);
    assert_eq!(loaded.config, Config::default());
}

#[test]
fn faults_name_source_and_field_and_what_would_be_accepted() {
    for (text, pairs, expected) in [
        ("listen = 7", vec![], vec!["edgehill.toml: listen: ", "; accepted: an IP address and a port"]),
        ("listen = 'localhost:1'", vec![], vec!["edgehill.toml: listen: "]),
        ("limit = 7", vec![], vec!["edgehill.toml: limit: there is no such field", "`limits`"]),
        (
            "limits.stream = 7",
            vec![],
            vec!["edgehill.toml: limits.stream: there is no such field", "`streams`"],
        ),
        ("limits = 7", vec![], vec!["edgehill.toml: limits: "]),
        ("listen = ", vec![], vec!["edgehill.toml: "]),
        ("limits.streams = -1", vec![], vec!["edgehill.toml: limits.streams: ", "accepted: 1 to 65536"]),
        (
            "",
            vec![("EDGEHILL_LIMITS__STREAM", "7")],
            vec!["the environment variable EDGEHILL_LIMITS__STREAM: limits.stream: "],
        ),
        (
            "",
            vec![("EDGEHILL_LIMITS__STREAMS", "many")],
            vec!["EDGEHILL_LIMITS__STREAMS: limits.streams: ", "1 to 65536"],
        ),
        ("log.format = 'xml'", vec![], vec!["log.format: ", "`text`", "`json`"]),
        (
            "log.filter = 'loud=very'",
            vec![],
            vec!["edgehill.toml: log.filter: \"very\" is not a level", "accepted: a level"],
        ),
        (
            "limits.position_bytes = 70000",
            vec![],
            vec![
                "limits.position_bytes: 70000 is out of range beside",
                "no more than `limits.request_bytes`",
            ],
        ),
        (
            "proxy.addresses = ['10.0.0.0/33', '10.0.0.1']\nproxy.header = 'x-forwarded-for'",
            vec![],
            vec!["proxy.addresses: \"10.0.0.0/33\" is neither an address nor a network"],
        ),
        ("proxy.header = 'x forwarded'", vec![], vec!["proxy.header: \"x forwarded\" is no header's name"]),
        ("proxy.header = 'x-forwarded-for'", vec![], vec!["proxy.header: it is believed from"]),
        ("proxy.addresses = ['::1']", vec![], vec!["proxy.addresses: clients are told apart by"]),
        ("web.origins = ['play.example']", vec![], vec!["web.origins: \"play.example\" is not an origin"]),
        ("web.origins = ['https://play.example/x']", vec![], vec!["web.origins: "]),
        ("telemetry.sampling_ratio = 1.5", vec![], vec!["telemetry.sampling_ratio: 1.5 is not a share"]),
        ("telemetry.sampling_ratio = nan", vec![], vec!["telemetry.sampling_ratio: NaN is not a share"]),
        ("telemetry.service_name = ''", vec![], vec!["telemetry.service_name: "]),
        ("telemetry.otlp_endpoint = 'localhost:4317'", vec![], vec!["telemetry.otlp_endpoint: "]),
        ("store = ''", vec![], vec!["store: the path is empty"]),
        ("store = '/dev/null'", vec![], vec!["store: /dev/null is not a folder"]),
        ("docs.folder = '/dev/null'", vec![], vec!["docs.folder: /dev/null is not a folder"]),
        ("docs.folder = '/dev'", vec![], vec!["docs.folder: /dev has no `index.html`"]),
        ("content = '/nowhere'", vec![], vec!["content: /nowhere is not a folder"]),
        ("accounts = '/nowhere/a.toml'\nstore = 's'", vec![], vec!["accounts: /nowhere/a.toml is not there"]),
        (
            "tls.certificate = '/dev/null'",
            vec![],
            vec![
                "edgehill.toml: tls.certificate: it is served with its key",
                "accepted: a PEM file: the server's",
            ],
        ),
        ("tls.key = '/dev/null'", vec![], vec!["tls.key: it is the key of a certificate", "not encrypted"]),
        (
            "tls.client_ca = '/dev/null'",
            vec![],
            vec![
                "tls.client_ca: clients show certificates in TLS alone",
                "accepted: a PEM file of one or more",
            ],
        ),
        (
            "tls.certificate = '/nowhere/chain.pem'\ntls.key = '/'",
            vec![],
            vec!["tls.certificate: /nowhere/chain.pem is not there", "tls.key: / is a folder"],
        ),
        ("tls.certificate = ''\ntls.key = ''", vec![], vec!["tls.certificate: the path is empty"]),
        ("accounts = '/dev/null'", vec![], vec!["accounts: accounts are known by hashes"]),
        (
            "store = 's'\nkey_file = 's/edgehill.sqlite'",
            vec![],
            vec!["key_file: the key never stands inside the store"],
        ),
        (
            "store = 's'\n[postgres]\naddress = 'postgres://me:secret@h/d'",
            vec![],
            vec![
                "postgres.address: a password stands in a file of its own",
                "postgres.address: matches are kept in a database or in a folder",
                "postgres.address: what is in a database is sealed with the server's key, which stands elsewhere: set `key_file`",
            ],
        ),
        ("[postgres]\naddress = 'postgres://h:port/d'", vec![], vec!["postgres.address: it can't be read"]),
        (
            "[postgres]\nca_file = '/nowhere/ca.pem'",
            vec![],
            vec!["postgres.ca_file: it is of a database", "postgres.ca_file: /nowhere/ca.pem is not there"],
        ),
        (
            "[cluster]\naddress = 'http://h'\nca_file = '/nowhere/ca.pem'\nlease_seconds = 1",
            vec![],
            vec![
                "cluster.lease_seconds: 1 is out of range",
                "cluster.address: \"http://h\" is not such an address",
                "cluster.address: servers share a database",
                "cluster.ca_file: the other servers are called without TLS",
                "cluster.ca_file: /nowhere/ca.pem is not there",
            ],
        ),
        (
            "[cluster]\naddress = 'https://h:7400'",
            vec![],
            vec![
                "cluster.address: it is of a server with a certificate",
                "cluster.ca_file: servers are called through TLS, and nobody is named",
            ],
        ),
        ("[cluster]\nca_file = '/dev/null'", vec![], vec!["cluster.ca_file: it is of a cluster"]),
        (
            "[cluster]\naddress = 'http://h:7400'\n[tls]\ncertificate = '/dev/null'\nkey = '/dev/null'\nclient_ca = '/dev/null'",
            vec![],
            vec![
                "cluster.address: the server takes connections through TLS alone",
                "tls.client_ca: every client has to show a certificate, and a server",
            ],
        ),
        ("anonymous = false", vec![], vec!["anonymous: it is false and there is no accounts file"]),
    ] {
        let error = fault(text, &pairs);
        for expected in expected {
            assert!(error.contains(expected), "{text:?} {pairs:?}: {expected:?} is not in {error:?}");
        }
    }
    let missing = Flags { config: Some("/nowhere/x.toml".into()), fields: Vec::new() };
    let error = load(&missing, &Env::new()).unwrap_err().to_string();
    assert!(error.starts_with("the flag --config: /nowhere/x.toml can't be read: "), "{error}");
}

#[test]
fn a_password_in_an_endpoint_is_refused_and_not_repeated() {
    let error = fault("telemetry.otlp_endpoint = 'http://me:hunter2@host:4317'", &[]);
    assert!(error.contains("telemetry.otlp_endpoint") && !error.contains("hunter2"), "{error}");
}

#[test]
fn all_faults_are_told_at_once() {
    let invalid = load_text("limits.streams = 0\ncapacity.calls = 0\nanonymous = false", &[]).unwrap_err();
    let fields: Vec<_> = invalid.0.iter().map(|fault| &*fault.field).collect();
    assert_eq!(fields, ["limits.streams", "capacity.calls", "anonymous"]);
}

#[test]
fn a_server_that_others_can_reach_asks_for_accounts_or_says_that_it_does_not() {
    for (text, good) in [
        ("listen = '127.0.0.1:1'", true),
        ("listen = '127.8.8.8:1'", true),
        ("listen = '[::1]:1'", true),
        ("listen = '0.0.0.0:1'", false),
        ("listen = '[::]:1'", false),
        ("listen = '192.0.2.7:1'", false),
        ("listen = '0.0.0.0:1'\nanonymous = true", true),
        ("listen = '0.0.0.0:1'\nstore = 's'\naccounts = '/dev/null'", true),
    ] {
        let loaded = load_text(text, &[]);
        assert_eq!(loaded.is_ok(), good, "{text:?}");
        if let Err(error) = loaded {
            assert!(error.to_string().contains("edgehill.toml: listen: "), "{error}");
            assert!(error.to_string().contains("set `accounts`, or `anonymous = true`"), "{error}");
        }
    }
    let with = |text: &str| load_text(text, &[]).unwrap().config;
    assert!(with("").is_anonymous());
    assert!(!with("store = 's'\naccounts = '/dev/null'").is_anonymous());
    assert!(with("store = 's'\naccounts = '/dev/null'\nanonymous = true").is_anonymous());
}

#[test]
fn what_comes_from_elsewhere_without_tls_is_in_clear_unless_a_proxy_ends_it() {
    let with = |text: &str| load_text(text, &[]).unwrap().config.is_in_clear();
    let elsewhere = "listen = '0.0.0.0:1'\nanonymous = true\n";
    assert!(!with("") && with(elsewhere));
    assert!(!with(&format!("{elsewhere}tls.certificate = '/dev/null'\ntls.key = '/dev/null'")));
    assert!(!with(&format!("{elsewhere}proxy.addresses = ['10.0.0.1']\nproxy.header = 'x-forwarded-for'")));
}

#[test]
fn calls_are_counted_where_strangers_call() {
    let with =
        |text: &str| load_text(text, &[]).unwrap().config.calls_per_second().map(std::num::NonZeroU32::get);
    assert_eq!(with(""), None);
    assert_eq!(with("capacity.calls_per_second = 5"), Some(5));
    assert_eq!(with("listen = '0.0.0.0:1'\nanonymous = true"), Some(200));
    assert_eq!(with("listen = '0.0.0.0:1'\nanonymous = true\ncapacity.calls_per_second = 0"), None);
}
