//! A server to play on ([`TestServer`]).

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::SystemTime;

use tempfile::TempDir;

/// A server with a store of its own on a free port; it ends with the test.
pub(crate) struct TestServer {
    child: Child,
    url: String,
    store: TempDir,
    env: Vec<(&'static str, String)>,
}

impl TestServer {
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    /// Starts one whose configuration has these variables.
    pub(crate) fn start_with(env: &[(&'static str, String)]) -> Self {
        let store = TempDir::new().expect("a folder for the store");
        let (child, url) = start_process(store.path(), "127.0.0.1:0", env);
        Self { child, url, store, env: env.to_vec() }
    }

    /// A server that asks for accounts, with an operator of this id, and the key of theirs.
    pub(crate) fn start_with_operator(id: &str) -> (Self, String) {
        Self::start_with_operator_and(id, &[])
    }

    /// The same with these variables in its configuration.
    pub(crate) fn start_with_operator_and(id: &str, env: &[(&'static str, String)]) -> (Self, String) {
        let store = TempDir::new().expect("a folder for the store");
        let made = Command::new(binary())
            .args(["key", "--account", id, "--role", "operator", "--store"])
            .arg(store.path())
            .output()
            .expect("the command runs");
        let made = String::from_utf8(made.stdout).expect("it prints text");
        let accounts = store.path().join("accounts.toml");
        fs::write(&accounts, &made).expect("the accounts are written");
        let key = made.split_whitespace().find(|word| word.starts_with("ehk_")).expect("a key").to_owned();
        let accounts = accounts.to_str().expect("a path that is text").to_owned();
        let env = [env, &[("EDGEHILL_ACCOUNTS", accounts)]].concat();
        let (child, url) = start_process(store.path(), "127.0.0.1:0", &env);
        (Self { child, url, store, env }, key)
    }

    /// Ends the server as a crash does, and starts another on its store; the port is another, too.
    pub(crate) fn kill_and_start_again(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
        (self.child, self.url) = start_process(self.store.path(), "127.0.0.1:0", &self.env);
    }

    /// The same at the port that it had, where its clients find it again.
    pub(crate) fn crash(&mut self) {
        let address = self.address().to_string();
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
        (self.child, self.url) = start_process(self.store.path(), &address, &self.env);
    }

    /// Ends the server, runs a command on its store, and starts another there.
    pub(crate) fn stop_for(&mut self, args: &[&str]) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
        let done = Command::new(binary()).args(args).arg("--store").arg(self.store.path()).output();
        let done = done.expect("the command runs");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        (self.child, self.url) = start_process(self.store.path(), "127.0.0.1:0", &self.env);
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Its process.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Host and port.
    pub(crate) fn address(&self) -> std::net::SocketAddr {
        self.url["http://".len()..].parse().expect("an address")
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A server on this store, and its address.
fn start_process(store: &Path, listen: &str, env: &[(&'static str, String)]) -> (Child, String) {
    let mut child = Command::new(binary())
        .args(["--listen", listen, "--store"])
        .arg(store)
        .envs(env.iter().map(|(name, value)| (name, value)))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the server starts");
    let mut line = String::new();
    let out = child.stdout.as_mut().expect("it is piped");
    BufReader::new(out).read_line(&mut line).expect("the server says where it listens");
    let address = line.trim().rsplit(' ').next().expect("a word");
    assert!(address.starts_with("127.0.0.1:"), "`{line}` has no address");
    (child, format!("http://{address}"))
}

/// The server's binary beside the command's; built, if it is not there or older than its sources.
pub(crate) fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        let folder = Path::new(env!("CARGO_BIN_EXE_edgehill")).parent().expect("the folder of the binaries");
        let binary = folder.join(format!("edgehill-server{}", std::env::consts::EXE_SUFFIX));
        let built = fs::metadata(&binary).and_then(|file| file.modified()).ok();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let sources = ["service/src", "engine/src", "engine/content", "proto/src", "proto/edgehill"];
        let newest = sources.iter().filter_map(|source| newest(&root.join(source))).max();
        if built.is_none() || built < newest {
            let mut cargo = Command::new(env!("CARGO"));
            cargo.current_dir(&root).args([
                "build",
                "--quiet",
                "-p",
                "edgehill-service",
                "--bin",
                "edgehill-server",
            ]);
            if folder.ends_with("release") {
                cargo.arg("--release");
            }
            assert!(cargo.status().expect("cargo runs").success(), "the server can't be built");
        }
        binary
    })
}

/// When the newest file below a folder was changed.
fn newest(folder: &Path) -> Option<SystemTime> {
    let entries = fs::read_dir(folder).ok()?;
    let changed = entries.flatten().filter_map(|entry| {
        let path = entry.path();
        if path.is_dir() { newest(&path) } else { entry.metadata().and_then(|file| file.modified()).ok() }
    });
    changed.max()
}
