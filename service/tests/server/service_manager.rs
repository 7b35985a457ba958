//! The messages that a service manager hears of a server: here the test is one.

use std::path::PathBuf;

use tokio::net::UnixDatagram;

use crate::process::{Running, soon, start};

/// The socket that a server tells its state to, in a folder of its own.
pub(crate) struct Manager {
    socket: UnixDatagram,
    path: PathBuf,
    _folder: tempfile::TempDir,
}

impl Manager {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify");
        Self { socket: UnixDatagram::bind(&path).unwrap(), path, _folder: folder }
    }

    pub(crate) fn start(&self, args: &[&str], env: &[(&str, &str)]) -> Running {
        let env = [&[("NOTIFY_SOCKET", self.path.to_str().unwrap())], env].concat();
        start(args, &env)
    }

    /// The lines of the next message.
    pub(crate) async fn told(&self) -> Vec<String> {
        let mut bytes = [0; 4_096];
        let length = soon(self.socket.recv(&mut bytes)).await.unwrap();
        String::from_utf8_lossy(&bytes[..length]).lines().map(str::to_owned).collect()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_manager_hears_when_the_server_is_ready_reloads_and_stops() {
    let manager = Manager::new();
    let server = manager.start(&[], &[]);
    assert_eq!(manager.told().await, ["READY=1"]);
    server.signal("HUP");
    let reloading = manager.told().await;
    assert_eq!(reloading[0], "RELOADING=1");
    assert!(reloading[1].strip_prefix("MONOTONIC_USEC=").is_some_and(|now| now.parse::<u64>().is_ok()));
    assert_eq!(manager.told().await, ["READY=1"]);
    server.signal("TERM");
    assert_eq!(manager.told().await, ["STOPPING=1"]);
    assert_eq!(server.wait().code, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watchdog_is_told_again_and_again_that_the_server_is_alive() {
    let manager = Manager::new();
    let server = manager.start(&[], &[("WATCHDOG_USEC", "100000")]);
    assert_eq!(manager.told().await, ["READY=1"]);
    for _ in 0..3 {
        assert_eq!(manager.told().await, ["WATCHDOG=1"]);
    }
    assert_eq!(server.stop().code, Some(0));
}

/// The sample unit, by name of its settings.
fn unit() -> Vec<(String, String)> {
    let path = format!("{}/../deploy/edgehill-server.service", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let settings = text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('='));
    settings.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

#[test]
fn the_sample_unit_asks_for_what_the_server_tells_and_knows_its_exit_codes() {
    let unit = unit();
    let of = |name: &str| unit.iter().find(|(given, _)| given == name).map(|(_, value)| &**value);
    assert_eq!(of("Type"), Some("notify"));
    assert_eq!(of("ExecReload"), Some("/bin/kill -HUP $MAINPID"));
    assert_eq!(of("RestartPreventExitStatus"), Some("2 3"));
    for name in ["WatchdogSec", "MemoryHigh", "MemoryMax"] {
        assert!(of(name).is_some(), "{name}");
    }
    // The command line is one that the server takes, with a key file where the credential is.
    let (name, _) = of("LoadCredential").and_then(|value| value.split_once(':')).unwrap();
    let exec = of("ExecStart").unwrap();
    assert!(exec.contains(&format!("--key-file %d/{name}")), "{exec}");
    let args: Vec<_> =
        exec.split_whitespace().skip(1).filter(|word| !word.contains("edgehill.toml")).collect();
    let args: Vec<_> =
        args.into_iter().filter(|word| *word != "--config").chain(["--print-config"]).collect();
    let (code, _, stderr) = crate::process::said(&args, &[]);
    assert_eq!((code, &*stderr), (Some(0), ""));
    // It is given the time that its own settings take, and what it needs for the end.
    let seconds =
        |name: &str| of(name).and_then(|value| value.strip_suffix('s')).unwrap().parse::<u32>().unwrap();
    let shutdown = edgehill_service::config::Shutdown::default();
    assert!(seconds("TimeoutStopSec") >= shutdown.delay_seconds + shutdown.grace_seconds + 20);
}
