//! Faults of the nodes ([`Fault`]), and how they pass.

use std::time::Duration;

use super::network::LinkFault;
use super::site::{NODES, Site, Standing, wait};

/// The time for which something stands still, a link has a fault, or a disk is full.
const LASTS: Duration = Duration::from_secs(30);
/// The time that a slow link takes more, each way: 200 ms for a packet and its answer.
const SLOW_MS: u32 = 100;

/// A fault. That of one node is of the node that it hits most: of the home of what belongs to no match, or of the primary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    ServerKilled,
    DatabaseKilled,
    SwitchOver,
    ServersRestarted,
    NodeKilled,
    ServerSuspended,
    DatabaseSuspended,
    NodeSuspended,
    LinkDown,
    DeafTo,
    DumbFrom,
    Slow,
    DiskFull,
    AllKilled,
}

/// The faults that CI has.
pub(crate) const FEW: [Fault; 3] = [Fault::ServerKilled, Fault::DatabaseKilled, Fault::SwitchOver];

/// All of them.
pub(crate) const ALL: [Fault; 14] = [
    Fault::SwitchOver,
    Fault::ServersRestarted,
    Fault::ServerKilled,
    Fault::DatabaseKilled,
    Fault::NodeKilled,
    Fault::ServerSuspended,
    Fault::DatabaseSuspended,
    Fault::NodeSuspended,
    Fault::LinkDown,
    Fault::DeafTo,
    Fault::DumbFrom,
    Fault::Slow,
    Fault::DiskFull,
    Fault::AllKilled,
];

/// The trace that a fault leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Change {
    /// Another server, or another process of the same, is the home.
    Home,
    /// Another process is the primary.
    Database,
    /// Another node has it.
    Primary,
}

impl Fault {
    /// Its name in the table.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::ServerKilled => "kill -9 of the home",
            Self::DatabaseKilled => "kill -9 of the primary's process",
            Self::SwitchOver => "switchover",
            Self::ServersRestarted => "rolling restart of the servers",
            Self::NodeKilled => "kill -9 of the primary's node",
            Self::ServerSuspended => "SIGSTOP of the home for 30 s",
            Self::DatabaseSuspended => "SIGSTOP of the primary for 30 s",
            Self::NodeSuspended => "SIGSTOP of the primary's node for 30 s",
            Self::LinkDown => "link of the primary's node down for 30 s",
            Self::DeafTo => "all to the primary's node lost for 30 s",
            Self::DumbFrom => "all from the primary's node lost for 30 s",
            Self::Slow => "200 ms to the primary's node and back for 30 s",
            Self::DiskFull => "disk of the primary's node full for 30 s",
            Self::AllKilled => "kill -9 of all three nodes",
        }
    }

    /// The time without an answer that it may cost; `None`: nothing was left that could go on.
    pub(crate) const fn bar(self) -> Option<Duration> {
        match self {
            Self::SwitchOver | Self::ServersRestarted | Self::Slow => Some(Duration::from_secs(1)),
            Self::ServerKilled | Self::DatabaseKilled => Some(Duration::from_secs(10)),
            Self::AllKilled => None,
            _ => Some(Duration::from_secs(25)),
        }
    }

    /// Returns whether it takes networks and disks of the nodes' own.
    pub(crate) const fn needs_networks(self) -> bool {
        matches!(self, Self::LinkDown | Self::DeafTo | Self::DumbFrom | Self::Slow | Self::DiskFull)
    }

    /// Returns what it has to have changed for good, once all is well again; `None`: nothing, and what it does is seen while it lasts. A primary
    /// whose disk is full goes on as long as its log has room.
    const fn changes(self) -> Option<Change> {
        match self {
            Self::ServerKilled | Self::ServersRestarted | Self::ServerSuspended => Some(Change::Home),
            Self::DatabaseKilled | Self::AllKilled => Some(Change::Database),
            Self::Slow | Self::DiskFull => None,
            _ => Some(Change::Primary),
        }
    }

    /// Asserts that it did what it is named after: else its row of the table would say nothing.
    pub(crate) fn assert_bitten(self, before: &Standing, after: &Standing) {
        let is_changed = match self.changes() {
            Some(Change::Home) => after.home_epoch > before.home_epoch,
            Some(Change::Database) => after.database_since != before.database_since,
            Some(Change::Primary) => after.primary != before.primary,
            None => true,
        };
        assert!(is_changed, "{}: it changed nothing: {before:?}, {after:?}", self.name());
    }

    /// Has it happen, and pass.
    pub(crate) fn happen(self, site: &mut Site) {
        let (home, primary) = (site.home().expect("a home"), site.primary().expect("a primary"));
        match self {
            Self::ServerKilled => site.signal(home, "server", "KILL"),
            Self::DatabaseKilled => site.signal_database(primary, "KILL"),
            Self::SwitchOver => site.switch_over(),
            Self::ServersRestarted => {
                // The home last: it moves once.
                for node in (1..=NODES).map(|after| (home + after) % NODES) {
                    site.restart_server(node);
                }
            }
            Self::NodeKilled => {
                site.kill_node(primary);
                wait(LASTS);
                site.start_again(primary);
            }
            Self::ServerSuspended => {
                site.signal(home, "server", "STOP");
                wait(LASTS);
                site.signal(home, "server", "CONT");
            }
            Self::DatabaseSuspended => {
                site.signal_postgres(primary, "STOP");
                wait(LASTS);
                site.signal_postgres(primary, "CONT");
            }
            Self::NodeSuspended => {
                site.signal_node(primary, "STOP");
                wait(LASTS);
                site.signal_node(primary, "CONT");
            }
            Self::LinkDown => of_link(site, primary, LinkFault::Down),
            Self::DeafTo => of_link(site, primary, LinkFault::DeafTo),
            Self::DumbFrom => of_link(site, primary, LinkFault::DumbFrom),
            Self::Slow => {
                let slow = site.slow(primary, SLOW_MS);
                let round_trip = site.round_trip(primary);
                assert!(round_trip >= Duration::from_millis(2 * u64::from(SLOW_MS)), "{round_trip:?}");
                wait(LASTS);
                drop(slow);
            }
            Self::DiskFull => {
                site.fill_disk(primary);
                assert!(!site.has_room(primary), "there is room on a disk that is full");
                site.use_up_log();
                wait(LASTS);
                site.free_disk(primary);
            }
            Self::AllKilled => {
                (0..NODES).for_each(|node| site.kill_node(node));
                assert_eq!(site.primary(), None, "a database of nodes that are off");
                (0..NODES).for_each(|node| site.start_again(node));
            }
        }
    }
}

fn of_link(site: &mut Site, node: usize, fault: LinkFault) {
    site.begin(node, fault);
    wait(LASTS);
    site.end(node, fault);
}
