//! `edgehill-server` as a process.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::JoinHandle;
use std::time::Duration;

use edgehill_proto::v1::admin_service_client::AdminServiceClient;
use edgehill_proto::v1::catalog_service_client::CatalogServiceClient;
use edgehill_proto::v1::match_service_client::MatchServiceClient;
use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};
use tonic::Request;
use tonic::transport::Channel;
use tonic_health::pb::health_client::HealthClient;

/// A server that runs, and is killed when this is dropped.
pub(crate) struct Running {
    child: Child,
    pub(crate) address: String,
    rest: Option<(JoinHandle<String>, JoinHandle<String>)>,
}

/// The output of a server, and how it ended.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    /// All but the line with the address.
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Said {
    /// Returns whether something panicked, in the words of the server's log or of the runtime.
    pub(crate) fn panicked(&self) -> bool {
        self.stderr.contains("a panic: ") || self.stderr.contains("panicked at")
    }
}

/// The command with these arguments, and with these variables alone.
pub(crate) fn command(args: &[&str], env: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_edgehill-server"));
    command.args(args).env_clear().envs(env.iter().copied());
    command
}

/// Runs a command that ends by itself.
pub(crate) fn output(args: &[&str], env: &[(&str, &str)]) -> Output {
    command(args, env).output().unwrap()
}

/// Runs a command that ends by itself: its exit code and what it said on stdout and on stderr.
pub(crate) fn said(args: &[&str], env: &[(&str, &str)]) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = output(args, env);
    (status.code(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

/// Makes a player's account by the key of a store: the account's key, and all that was printed, which its file takes as it is.
pub(crate) fn player_key(account: &str, store: &str) -> (String, String) {
    key_of(account, "player", store)
}

/// The same with another role.
pub(crate) fn key_of(account: &str, role: &str, store: &str) -> (String, String) {
    let (code, made, stderr) = said(&["key", "--account", account, "--role", role, "--store", store], &[]);
    assert_eq!(code, Some(0), "{stderr}");
    let key = made.split_whitespace().find(|word| word.starts_with("ehk_")).unwrap();
    (key.to_owned(), made)
}

/// Starts a server on a free port.
pub(crate) fn start(args: &[&str], env: &[(&str, &str)]) -> Running {
    try_start(args, env).unwrap_or_else(|said| panic!("{said:?}"))
}

/// Starts a server on a free port that may open so many files.
pub(crate) fn start_with_files(files: u32, env: &[(&str, &str)]) -> Running {
    let mut limited = Command::new("sh");
    limited.env_clear().envs(env.iter().copied());
    limited.args([
        "-c",
        &format!("ulimit -n {files} && exec \"$0\" \"$@\""),
        env!("CARGO_BIN_EXE_edgehill-server"),
    ]);
    started(limited).unwrap_or_else(|said| panic!("{said:?}"))
}

/// Starts a server that keeps its matches in `folder`, and whose disk may be made to fail ([`Running::fail_writes`]).
pub(crate) fn start_on_faulty_disk(folder: &Path, env: &[(&str, &str)]) -> Running {
    let mut trapped = Command::new("sh");
    trapped.env_clear().envs(env.iter().copied());
    // A write that fails is an error, and not a signal.
    trapped.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_edgehill-server")]);
    trapped.args(["--store", folder.to_str().unwrap()]);
    started(trapped).unwrap_or_else(|said| panic!("{said:?}"))
}

/// Starts a server on a free port, or says how it ended.
pub(crate) fn try_start(args: &[&str], env: &[(&str, &str)]) -> Result<Running, Said> {
    started(command(args, env))
}

fn started(mut command: Command) -> Result<Running, Said> {
    command
        .args(["--listen", "127.0.0.1:0"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let stderr = gather(child.stderr.take().unwrap());
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    let Some(address) = line.strip_prefix("listening on ") else {
        let code = child.wait().unwrap().code();
        return Err(Said { code, stdout: line, stderr: stderr.join().unwrap() });
    };
    Ok(Running { child, address: address.trim_end().to_owned(), rest: Some((gather(stdout), stderr)) })
}

/// Starts a server that keeps its matches in `folder`.
pub(crate) fn start_in(folder: &Path) -> Running {
    start(&["--store", folder.to_str().unwrap()], &[])
}

fn gather(mut from: impl Read + Send + 'static) -> JoinHandle<String> {
    let read = move || {
        let mut text = String::new();
        from.read_to_string(&mut text).unwrap();
        text
    };
    std::thread::Builder::new().name("output".into()).spawn(read).unwrap()
}

impl Running {
    /// Sends it a signal, such as `TERM`.
    pub(crate) fn signal(&self, name: &str) {
        let mut kill = Command::new("sh");
        kill.args(["-c", "kill -s \"$0\" \"$1\"", name]).arg(self.child.id().to_string());
        assert!(kill.status().unwrap().success());
    }

    /// Has all its writes to files fail (`EFBIG`), or succeed again.
    pub(crate) fn fail_writes(&self, fail: bool) {
        let pid = Pid::from_child(&self.child);
        // It has the same bound as this process.
        let maximum = getrlimit(Resource::Fsize).maximum;
        let current = if fail { Some(0) } else { maximum };
        prlimit(Some(pid), Resource::Fsize, Rlimit { current, maximum }).unwrap();
    }

    /// The most memory that it has had, in bytes.
    pub(crate) fn memory_peak(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        1_024 * line.trim().trim_end_matches(" kB").parse::<u64>().unwrap()
    }

    /// The files and connections that it has open.
    pub(crate) fn open_files(&self) -> Vec<PathBuf> {
        let open = std::fs::read_dir(format!("/proc/{}/fd", self.child.id())).unwrap();
        // One may be closed while they are read.
        open.filter_map(|file| std::fs::read_link(file.unwrap().path()).ok()).collect()
    }

    /// Returns whether it has ended.
    pub(crate) fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Waits until it has ended.
    pub(crate) fn wait(mut self) -> Said {
        let code = self.child.wait().unwrap().code();
        let (stdout, stderr) = self.rest.take().unwrap();
        Said { code, stdout: stdout.join().unwrap(), stderr: stderr.join().unwrap() }
    }

    /// Asks it to stop, and waits until it has.
    pub(crate) fn stop(self) -> Said {
        self.signal("TERM");
        self.wait()
    }

    pub(crate) async fn channel(&self) -> Channel {
        channel(&self.address).await
    }

    pub(crate) async fn matches(&self) -> MatchServiceClient<Channel> {
        MatchServiceClient::new(self.channel().await)
    }

    pub(crate) async fn admin(&self) -> AdminServiceClient<Channel> {
        AdminServiceClient::new(self.channel().await)
    }

    pub(crate) async fn catalog(&self) -> CatalogServiceClient<Channel> {
        CatalogServiceClient::new(self.channel().await)
    }

    pub(crate) async fn health(&self) -> HealthClient<Channel> {
        HealthClient::new(self.channel().await)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) async fn channel(address: &str) -> Channel {
    Channel::from_shared(format!("http://{address}")).unwrap().connect().await.unwrap()
}

/// Waits for what has to come, and fails where it does not.
pub(crate) async fn soon<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(60), what).await.expect("it does not come")
}

/// A call by the holder of a key or token.
pub(crate) fn by<T>(secret: &str, message: T) -> Request<T> {
    let mut request = Request::new(message);
    request.metadata_mut().insert("authorization", format!("Bearer {secret}").parse().unwrap());
    request
}

/// A call by the holder of a token, or by nobody.
pub(crate) fn as_holder<T>(token: &str, message: T) -> Request<T> {
    if token.is_empty() { Request::new(message) } else { by(token, message) }
}
