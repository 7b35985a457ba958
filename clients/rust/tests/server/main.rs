//! The command against the server: both real, each in a process of its own.

mod arena;
mod bots;
mod course;
mod flaky;
mod fold;
mod house;
mod play;
mod refused;
mod seats;
mod table;
mod trouble;
mod verbs;
mod watch;
#[path = "../desk/mod.rs"]
mod workspace;

use house::House;
use workspace::{Answer, Workspace, has};

impl Workspace {
    /// Runs `edgehill --server` of this server here.
    fn on(&self, house: &House, args: &[&str]) -> Answer {
        self.run(&with(house, args))
    }

    /// As [`Desk::on`], for a call that has to succeed; what it printed.
    fn ok_on(&self, house: &House, args: &[&str]) -> String {
        self.ok(&with(house, args))
    }
}

fn with<'a>(house: &'a House, args: &[&'a str]) -> Vec<&'a str> {
    ["--server", house.url()].iter().chain(args).copied().collect()
}
