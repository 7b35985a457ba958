//! A server in a process of its own ([`Apart`]), which says what time of the processor it has used.

use std::io::{BufRead, BufReader, Write, stdin, stdout};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use cpu_time::ProcessTime;
use tokio::sync::oneshot;

use crate::kind::Peer;

/// A server in a process of its own, until this is dropped.
pub(crate) struct Apart {
    child: Child,
    said: BufReader<ChildStdout>,
    pub(crate) address: SocketAddr,
}

impl Apart {
    /// Starts it, with these variables beside its own.
    pub(crate) fn start(peer: Peer, folder: &Path, env: &[(&str, String)]) -> Self {
        let itself = std::env::current_exe().expect("this program");
        let mut command = Command::new(itself);
        command.arg(format!("serve={}", peer.name())).arg(folder);
        command.envs(env.iter().map(|(name, value)| (*name, value)));
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("this program again");
        let mut said = BufReader::new(child.stdout.take().expect("its output"));
        let address = line(&mut said).parse().expect("an address");
        Self { child, said, address }
    }

    /// The time of the processor that it has used so far.
    pub(crate) fn used(&mut self) -> Duration {
        self.child.stdin.as_mut().expect("its input").write_all(b"\n").expect("it listens");
        Duration::from_nanos(line(&mut self.said).parse().expect("a number"))
    }
}

impl Drop for Apart {
    fn drop(&mut self) {
        // At the end of its input it ends.
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

fn line(said: &mut impl BufRead) -> String {
    let mut line = String::new();
    said.read_line(&mut line).expect("it goes on");
    line.trim().to_owned()
}

/// Serves until the input ends, and says after each line of it what has been used.
pub(crate) async fn serve(peer: Peer, folder: &Path) {
    println!("{}", peer.serve(folder).await);
    let (over, ended) = oneshot::channel();
    let answer = move || {
        for _ in stdin().lock().lines() {
            println!("{}", ProcessTime::now().as_duration().as_nanos());
            stdout().flush().expect("somebody listens");
        }
        let _ = over.send(());
    };
    std::thread::Builder::new().name("input".into()).spawn(answer).expect("a thread");
    ended.await.expect("it only prints");
}
