//! The configuration as the command takes it.

use std::fs;

use edgehill_service::config::{Config, FIELDS};

use crate::process::said;

#[test]
fn what_would_hold_is_printed_and_reads_back_as_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("edgehill.toml");
    fs::write(&file, "listen = '127.0.0.1:1'\nexhibition = true\n[limits]\nstreams = 3\nstream_seats = 4\n")
        .unwrap();
    let file = file.to_str().unwrap();
    let args = ["--config", file, "--listen", "127.0.0.1:9", "--print-config"];
    let env =
        [("EDGEHILL_LIMITS__STREAMS", "5"), ("EDGEHILL_LISTEN", "127.0.0.1:2"), ("EDGEHILL_VOLUME", "full")];
    let (code, stdout, stderr) = said(&args, &env);
    assert_eq!((code, &*stderr), (Some(0), ""));
    let config: Config = toml::from_str(&stdout).unwrap();
    // The flag, the variable, the file, the default.
    assert_eq!(config.listen.port(), 9);
    assert_eq!((config.limits.streams, config.limits.stream_seats, config.exhibition), (5, 4, true));
    assert_eq!(config.limits.page_matches, Config::default().limits.page_matches);

    let printed = folder.path().join("printed.toml");
    fs::write(&printed, &stdout).unwrap();
    let again = said(&["--config", printed.to_str().unwrap(), "--print-config"], &[]);
    assert_eq!(again, (Some(0), stdout, String::new()));
}

#[test]
fn what_is_printed_holds_no_secret() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().to_str().unwrap();
    let (code, made, _) = said(&["key", "--account", "ada", "--role", "player", "--store", store], &[]);
    assert_eq!(code, Some(0));
    let accounts = folder.path().join("accounts.toml");
    fs::write(&accounts, &made).unwrap();
    let (code, stdout, _) =
        said(&["--store", store, "--accounts", accounts.to_str().unwrap(), "--print-config"], &[]);
    assert_eq!(code, Some(0));
    let key = fs::read_to_string(folder.path().join("server.key")).unwrap();
    let words = made.split_whitespace().filter(|word| word.len() > 40);
    let secrets: Vec<&str> = words.chain([key.trim()]).map(|word| word.trim_matches('"')).collect();
    assert_eq!(secrets.len(), 3, "the key, its hash, the server's key");
    for secret in secrets {
        assert!(!stdout.contains(secret), "{secret}");
    }
}

#[test]
fn each_bad_configuration_ends_with_2_before_anything_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    let file = folder.path().join("edgehill.toml");
    let (store_text, file_text) = (store.to_str().unwrap(), file.to_str().unwrap());
    for (text, args, env, expected) in [
        ("", &["--listen", "here"][..], &[][..], "the flag --listen: listen: "),
        ("", &["--listen", "0.0.0.0:0"], &[], "set `accounts`, or `anonymous = true`"),
        (
            "",
            &["--listen", "[::]:0"],
            &[],
            "the flag --listen: listen: [::]:0 can be reached from other machines",
        ),
        (
            "",
            &["--accounts", "/nowhere/accounts.toml"],
            &[],
            "the flag --accounts: accounts: /nowhere/accounts.toml is not there",
        ),
        ("", &["--frobnicate"], &[], "--frobnicate"),
        (
            "",
            &[],
            &[("EDGEHILL_CAPACITY__CALLS", "none")],
            "the environment variable EDGEHILL_CAPACITY__CALLS: capacity.calls: ",
        ),
        (
            "limits.streams = 0",
            &[],
            &[],
            "edgehill.toml: limits.streams: 0 is out of range; accepted: 1 to 65536",
        ),
        ("limits.steams = 1", &[], &[], "edgehill.toml: limits.steams: there is no such field"),
        ("listen = ", &[], &[], "edgehill.toml: "),
        ("log.filter = 'a=b=c'", &[], &[], "edgehill.toml: log.filter: "),
        (
            "log.filter = 'inof'",
            &[],
            &[],
            "log.filter: \"inof\" is neither a level nor a target with one, such as edgehill_service=debug; accepted: a level",
        ),
        (
            "",
            &[],
            &[("EDGEHILL_LOG__FILTER", "info,edgehill::store=debug")],
            "EDGEHILL_LOG__FILTER: log.filter: nothing here logs as \"edgehill::store\"; the server does as edgehill_service",
        ),
    ] {
        fs::write(&file, text).unwrap();
        let args = [&["--config", file_text, "--store", store_text], args].concat();
        let (code, stdout, stderr) = said(&args, env);
        assert_eq!((code, &*stdout), (Some(2), ""), "{text:?} {args:?} {env:?}: {stderr}");
        assert!(stderr.contains(expected), "{expected:?} is not in {stderr:?}");
    }
    assert!(!store.exists(), "nothing was made");
}

fn page(path: &str) -> String {
    let path = format!("{}/../{path}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn the_sample_is_accepted_and_has_every_field() {
    let sample = page("deploy/edgehill.toml");
    let path = format!("{}/../deploy/edgehill.toml", env!("CARGO_MANIFEST_DIR"));
    let (code, stdout, stderr) = said(&["--config", &path, "--print-config"], &[]);
    assert_eq!((code, &*stderr), (Some(0), ""));
    // Nothing is set otherwise than where there is no file.
    assert_eq!(stdout, said(&["--print-config"], &[]).1);

    // Every field stands in its table, set or as a comment; and what is set there as a comment is of the field's form.
    let mut table = String::new();
    let mut found = Vec::new();
    let mut whole = String::new();
    for line in sample.lines() {
        let setting = line.strip_prefix("# ").unwrap_or(line);
        if let Some(name) = setting.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            table = format!("{name}.");
            whole += &format!("{setting}\n");
        } else if let Some((name, _)) = setting.split_once(" = ")
            && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
        {
            found.push(format!("{table}{name}"));
            whole += &format!("{setting}\n");
        }
    }
    let expected: Vec<_> = FIELDS.iter().map(|field| field.path).collect();
    assert_eq!(found, expected);
    toml::from_str::<Config>(&whole).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn the_manual_has_every_field() {
    let manual = page("docs/server.md");
    let mut table = String::from("| field | what | accepted | default |\n| --- | --- | --- | --- |\n");
    for field in FIELDS {
        let default =
            if field.default.is_empty() { "absent".to_owned() } else { format!("`{}`", field.default) };
        table += &format!("| `{}` | {} | {} | {default} |\n", field.path, field.what, field.accepts);
    }
    assert!(manual.contains(&table), "docs/server.md needs this table:\n{table}");
}
