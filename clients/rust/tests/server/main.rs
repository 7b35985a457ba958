//! The command against the server: both real, each in a process of its own.

mod adjourning;
mod admin;
mod admin_matches;
mod arena;
#[path = "../../../../service/tests/shared/authority.rs"]
#[allow(dead_code, reason = "tests of other parts use the rest")]
mod authority;
mod bots;
mod course;
mod flaky;
mod fold;
mod inbox;
mod league;
#[cfg(unix)]
mod league_run;
mod league_swarm;
mod load;
mod new_matches;
mod play;
mod receipts;
mod referee;
mod refused;
#[cfg(unix)]
mod run_bot;
mod seats;
mod seeking;
mod sessions;
mod soak;
mod spectator_delay;
mod table;
mod test_server;
mod tls;
mod trouble;
mod verbs;
mod verify;
mod watch;
#[path = "../workspace/mod.rs"]
mod workspace;

use test_server::TestServer;
use workspace::{Answer, Workspace, has};

impl Workspace {
    /// Runs `edgehill --server` of this server here.
    fn on(&self, server: &TestServer, args: &[&str]) -> Answer {
        self.run(&with(server, args))
    }

    /// As [`Workspace::on`], for a call that has to succeed; what it printed.
    fn ok_on(&self, server: &TestServer, args: &[&str]) -> String {
        self.ok(&with(server, args))
    }
}

impl Workspace {
    /// Has a file with seats say that its match is on this server, which was another or had another port.
    fn moved(&self, file: &str, server: &TestServer) {
        let text = self.read(file);
        let url = text.split('"').find(|part| part.starts_with("http://")).expect("it says where");
        self.write(file, &text.replace(url, server.url()));
    }
}

fn with<'a>(server: &'a TestServer, args: &[&'a str]) -> Vec<&'a str> {
    ["--server", server.url()].iter().chain(args).copied().collect()
}
