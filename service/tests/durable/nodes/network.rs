//! The network of the nodes ([`Network`]): a router in a namespace of its own, and a link from it to each node and to the test.
//!
//! What a packet needs to come through is a route, so that a fault of a link is a change of routes in the router: of packets to a node, of
//! those from it, or by the way through a slow link.

use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::shell::Shell;

/// The last byte of the router's address, and of the test's.
const ROUTER: u8 = 100;
const TEST: u8 = 101;

/// The network, which goes away with its shell.
#[derive(Debug)]
pub(crate) struct Network {
    router: Shell,
    /// The third byte of its addresses.
    number: u8,
    folder: std::path::PathBuf,
}

/// A fault of a node's link, while it lasts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LinkFault {
    Down,
    /// All that is sent to the node is lost.
    DeafTo,
    /// All that the node sends is lost.
    DumbFrom,
}

/// A slow link of a node, until it is dropped.
#[derive(Debug)]
pub(crate) struct SlowLink(Child);

impl Drop for SlowLink {
    fn drop(&mut self) {
        // Its input ends, and so does it.
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

impl Network {
    /// Makes the router, and the link to it from here. (198.18.0.0/15 is for tests of networks: RFC 2544.)
    pub(crate) fn make(folder: &Path) -> Self {
        let mut unshare = Command::new("unshare");
        unshare.args(["--net", "--mount"]);
        let router = Shell::start(unshare, folder);
        let router_id = router.id().to_string();
        let is_made = |number: &u8| {
            let name = format!("edgehill{number}");
            let link = ["link", "add", &name, "type", "veth", "peer", "name", "test", "netns", &router_id];
            Command::new("ip").args(link).stderr(Stdio::null()).status().unwrap().success()
        };
        // Another test on this machine may have one.
        let number = (0..=u8::MAX).find(is_made).expect("a link can be made");
        let mut network = Self { router, number, folder: folder.to_owned() };
        let (link, router, test) =
            (format!("edgehill{number}"), network.address(ROUTER), network.address(TEST));
        network.router.tell(&format!(
            "ip link set lo up && ip addr add {router}/32 dev lo && ip link set test up && ip route add {test} dev test \
             && sysctl -q -w net.ipv4.ip_forward=1"
        ));
        let here = format!(
            "ip addr add {test}/32 dev {link} && ip link set {link} up && ip route add {router} dev {link} \
             && ip route add {}/24 via {router}",
            network.address(0)
        );
        assert!(Command::new("sh").args(["-c", &here]).status().unwrap().success());
        network
    }

    fn address(&self, last: u8) -> String {
        format!("198.18.{}.{last}", self.number)
    }

    /// The address of a node.
    pub(crate) fn address_of(&self, node: u8) -> String {
        self.address(node)
    }

    /// Makes the disk of a node: a file system of so many MiB in memory, which outlives the node.
    pub(crate) fn disk(&mut self, folder: &Path, mebibytes: u32) {
        let folder = folder.display();
        self.router.tell(&format!("mount -t tmpfs -o size={mebibytes}m,mode=755 edgehill {folder}"));
    }

    /// Has nodes find a folder of this machine at another path.
    pub(crate) fn bind(&mut self, from: &Path, to: &Path) {
        self.router.tell(&format!("mkdir {0} && mount --bind {1} {0}", to.display(), from.display()));
    }

    /// The begin of a command that starts a node in what it has of the machine.
    pub(crate) fn enter(&self) -> Command {
        let mut enter = Command::new("nsenter");
        enter.args(["--target", &self.router.id().to_string(), "--mount"]);
        enter
    }

    /// Links a node that was started. What is sent to one that is not there is lost, as to a machine that is off.
    pub(crate) fn link(&mut self, node: u8, shell: &mut Shell) {
        let (address, router, id) = (self.address(node), self.address(ROUTER), shell.id());
        self.router.tell(&format!(
            "ip link del node{node} 2>/dev/null; ip route replace blackhole {address} metric 4000; \
             ip link add node{node} type veth peer name eth0 netns {id} && ip link set node{node} up \
             && ip route add {address} dev node{node} metric 100"
        ));
        shell.tell(&format!(
            "ip link set lo up && ip addr add {address}/32 dev eth0 && ip link set eth0 up \
             && ip route add {router} dev eth0 && ip route add default via {router} metric 100"
        ));
    }

    /// Begins a fault of a node's link.
    pub(crate) fn begin(&mut self, node: u8, fault: LinkFault) {
        let address = self.address(node);
        self.router.tell(&match fault {
            LinkFault::Down => format!("ip link set node{node} down"),
            LinkFault::DeafTo => format!("ip route add blackhole {address} metric 50"),
            LinkFault::DumbFrom => format!("ip rule add from {address} blackhole"),
        });
    }

    /// Ends it.
    pub(crate) fn end(&mut self, node: u8, fault: LinkFault) {
        let address = self.address(node);
        self.router.tell(&match fault {
            LinkFault::Down => {
                format!("ip link set node{node} up && ip route replace {address} dev node{node} metric 100")
            }
            LinkFault::DeafTo => format!("ip route del blackhole {address} metric 50"),
            LinkFault::DumbFrom => format!("ip rule del from {address} blackhole"),
        });
    }

    /// Has all that a node sends and is sent take so much longer.
    pub(crate) fn slow(&mut self, node: u8, shell: &mut Shell, milliseconds: u32) -> SlowLink {
        let script = self.folder.join("slow_link.py");
        std::fs::write(&script, include_str!("slow_link.py")).unwrap();
        let mut child = Command::new("nsenter")
            .args(["--target", &self.router.id().to_string(), "--net", "python3"])
            .arg(script)
            .args(["near", "far", &milliseconds.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = std::io::BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        std::io::BufRead::read_line(&mut said, &mut line).unwrap();
        assert_eq!(line, "ready\n");
        let (address, id) = (self.address(node), shell.id());
        self.router.tell(&format!(
            "ip link set far netns {id} && ip link set near up && ip route add {address} dev near"
        ));
        shell.tell(&format!("ip link set far up && ip route add default dev far src {address}"));
        SlowLink(child)
    }
}
