//! The server of a run: a child process on a free loopback port, with its store in the run's folder ([`OwnServer`]).

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use crate::error::Error;
use crate::match_file::{Readers, replace};

/// The name of the server's program.
const PROGRAM: &str = "edgehill-server";

/// The file with the address that it had last: bots that keep seats of their own find it there again.
const ADDRESS_FILE: &str = "address";

/// A server that runs, and ends with this.
pub(super) struct OwnServer {
    child: Child,
    url: String,
    chief: String,
}

impl OwnServer {
    /// Starts it: `program`, or the one beside this command, or the one in `PATH`.
    ///
    /// # Errors
    /// If it can't be started.
    pub(super) async fn start(folder: &Path, program: Option<&Path>) -> Result<Self, Error> {
        let program = program.map_or_else(beside, |program| program.as_os_str().to_owned());
        let failed = |error| Error::Run { path: PathBuf::from(&program), error };
        let (store, accounts) = (folder.join("store"), folder.join("accounts.toml"));
        if !accounts.exists() {
            let made = Command::new(&program)
                .args(["key", "--account", "league", "--role", "operator", "--store"])
                .arg(&store)
                .output()
                .await
                .map_err(failed)?;
            if !made.status.success() {
                let why = String::from_utf8_lossy(&made.stderr);
                return Err(Error::Fault(format!("the server makes no key: {}", why.trim())));
            }
            replace(&accounts, &made.stdout, Readers::Owner)?;
        }
        let text =
            fs::read_to_string(&accounts).map_err(|error| Error::Read { path: accounts.clone(), error })?;
        let chief = text.split_whitespace().find(|word| word.starts_with("ehk_"));
        let chief =
            chief.ok_or_else(|| Error::Usage(format!("{} has no key", accounts.display())))?.to_owned();
        let log_path = folder.join("server.log");
        let log = fs::OpenOptions::new().create(true).append(true).open(&log_path);
        let log = log.map_err(|error| Error::Write { path: log_path.clone(), error })?;
        let listen = address_for(&folder.join(ADDRESS_FILE)).await;
        let mut child = Command::new(&program)
            .args(["--listen", &listen, "--store"])
            .arg(&store)
            .arg("--accounts")
            .arg(&accounts)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            // Ctrl-C is for this command, which stops the server when nobody plays any more.
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .map_err(failed)?;
        let told = child.stdout.take().ok_or_else(|| Error::Fault("the server has no output".to_owned()))?;
        let line = BufReader::new(told).lines().next_line().await.map_err(failed)?.unwrap_or_default();
        let address = line.rsplit(' ').next().unwrap_or_default();
        if !address.contains(':') {
            return Err(Error::Fault(format!("the server did not start: {} says why", log_path.display())));
        }
        replace(&folder.join(ADDRESS_FILE), address.as_bytes(), Readers::Usual)?;
        Ok(Self { child, url: format!("http://{address}"), chief })
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// The key of an operator.
    pub(super) fn chief(&self) -> &str {
        &self.chief
    }

    /// Has it end in order.
    ///
    /// # Errors
    /// If it can't be waited for.
    pub(super) async fn stop(mut self) -> Result<(), Error> {
        if let Some(id) = self.child.id().and_then(|id| rustix::process::Pid::from_raw(id.cast_signed())) {
            // One that has ended already needs no signal.
            let _ = rustix::process::kill_process(id, rustix::process::Signal::TERM);
        }
        self.child.wait().await.map(drop).map_err(|error| Error::Fault(format!("the server: {error}")))
    }
}

/// The address that the server had last, if nobody else has it now, or any free one.
async fn address_for(file: &Path) -> String {
    let last = fs::read_to_string(file).unwrap_or_default();
    match tokio::net::TcpListener::bind(&last).await {
        Ok(_) => last,
        Err(_) => "127.0.0.1:0".to_owned(),
    }
}

/// The program beside this command or, where there is none, the one in `PATH`.
fn beside() -> OsString {
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    let own = std::env::current_exe().ok().map(|own| own.with_file_name(&name));
    own.filter(|path| path.exists()).map_or_else(|| OsString::from(&name), PathBuf::into_os_string)
}
