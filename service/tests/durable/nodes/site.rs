//! Three nodes, each with etcd, Patroni, PostgreSQL and a server, as operators would have them ([`Site`]).

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use super::network::{LinkFault, Network, SlowLink};
use super::patroni::{self, Member};
use super::programs::{Apart, Programs, unshared};
use super::shell::Shell;
use crate::real_postgres::{free_port, with_client};

/// Number of nodes.
pub(crate) const NODES: usize = 3;
/// The size of a node's disk, in MiB.
const DISK: u32 = 1_024;
/// The most files that the database keeps for its log: `max_wal_size` of 16 MiB each.
const LOG_FILES: usize = 12;
/// The time in which a host that is asked how it is has to answer.
const ASK: Duration = Duration::from_secs(2);
/// The most times that a switchover is asked for: Patroni refuses one while a standby is not ready in its own books.
const SWITCHES_MAX: usize = 10;
/// The most times that it is asked whether all is well, some time apart: more than any recovery takes.
const LOOKS_MAX: usize = 600;

/// The addresses of what runs on a node.
#[derive(Clone, Debug)]
struct Addresses {
    host: String,
    etcd: u16,
    etcd_peer: u16,
    patroni: u16,
    postgres: u16,
    server: u16,
}

/// A node. Its folder outlives it.
#[derive(Debug)]
struct Node {
    at: Addresses,
    folder: PathBuf,
    /// `None`: it is off.
    shell: Option<Shell>,
}

/// The holders of all that there is one of: faults change them.
#[derive(Debug)]
pub(crate) struct Standing {
    /// The node that has the primary.
    pub(crate) primary: usize,
    /// When its first process was started.
    pub(crate) database_since: String,
    /// How often what belongs to no match was taken over.
    pub(crate) home_epoch: i64,
}

/// The nodes, which end with this, however the test ends.
#[derive(Debug)]
pub(crate) struct Site {
    nodes: Vec<Node>,
    /// `None`: they are on ports of loopback. Dropped after the nodes.
    network: Option<Network>,
    programs: Programs,
    folder: tempfile::TempDir,
}

impl Site {
    /// Makes the nodes, and waits until all is well.
    pub(crate) fn start(programs: Programs) -> Self {
        let folder = tempfile::Builder::new().prefix("edgehill-nodes-").tempdir().unwrap();
        let path = folder.path().to_owned();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        let mut network = (programs.apart == Apart::Networks).then(|| Network::make(&path));
        if let Some(network) = &mut network {
            // The user who runs the database may not read where it was built.
            network.bind(&programs.python.0, &path.join("python"));
            network.bind(&programs.packages, &path.join("packages"));
        }
        let nodes = (1..=NODES as u8).map(|number| {
            let at = addresses(network.as_ref(), number);
            let folder = path.join(format!("node{number}"));
            std::fs::create_dir_all(folder.join("disk")).unwrap();
            if let Some(network) = &mut network {
                network.disk(&folder.join("disk"), DISK);
            }
            Node { at, folder, shell: None }
        });
        let nodes = nodes.collect();
        let mut site = Self { nodes, network, programs, folder };
        for node in 0..NODES {
            site.write_patroni(node);
            site.start_node(node);
        }
        site.wait_for("a primary with two standbys", |site| site.is_database_whole());
        let address = site.database("postgres");
        with_client(&address, |client| client.batch_execute("CREATE DATABASE edgehill")).unwrap();
        for node in 0..NODES {
            // One makes the key for all.
            site.start_server(node);
            site.wait_for("a server", |site| site.takes_connections(node));
        }
        site
    }

    /// Returns whether links can be cut, and disks be full.
    pub(crate) fn has_networks(&self) -> bool {
        self.network.is_some()
    }

    /// The addresses of the servers.
    pub(crate) fn servers(&self) -> Vec<String> {
        self.nodes.iter().map(|node| format!("{}:{}", node.at.host, node.at.server)).collect()
    }

    /// The address of a database, as clients take it: with all hosts.
    pub(crate) fn database(&self, name: &str) -> String {
        let each = |of: fn(&Addresses) -> String| {
            self.nodes.iter().map(|node| of(&node.at)).collect::<Vec<_>>().join(",")
        };
        let hosts = each(|at| format!("{}:{}", at.host, at.postgres));
        format!(
            "postgres://edgehill@{hosts}/{name}?sslmode=disable&target_session_attrs=read-write&connect_timeout=2"
        )
    }

    /// The nodes that have etcd, by their client addresses.
    fn etcd_hosts(&self) -> String {
        let host = |node: &Node| format!("\"{}:{}\"", node.at.host, node.at.etcd);
        self.nodes.iter().map(host).collect::<Vec<_>>().join(", ")
    }

    fn write_patroni(&self, node: usize) {
        let Node { at: Addresses { host, patroni, postgres, .. }, folder, .. } = &self.nodes[node];
        let text = patroni::configuration(&Member {
            name: &format!("node{}", node + 1),
            host,
            patroni: *patroni,
            postgres: *postgres,
            etcd_hosts: &self.etcd_hosts(),
            folder: &folder.join("disk/postgres"),
            programs: &self.programs.postgres,
        });
        std::fs::write(folder.join("patroni.yml"), text).unwrap();
    }

    /// The begin of a command that runs as who may run a database.
    fn as_user(&self) -> &'static str {
        match self.network {
            Some(_) => "setpriv --reuid=postgres --regid=postgres --clear-groups ",
            None => "",
        }
    }

    /// Starts a node with its part of the database; its server is started apart.
    fn start_node(&mut self, node: usize) {
        let (number, folder) = (node as u8 + 1, self.nodes[node].folder.clone());
        let mut command = match &self.network {
            Some(network) => network.enter(),
            None => Command::new("env"),
        };
        command.arg("unshare").args(unshared(self.network.is_some(), &[]));
        let mut shell = Shell::start(command, &folder);
        if let Some(network) = &mut self.network {
            network.link(number, &mut shell);
        }
        let disk = folder.join("disk");
        let disk = disk.display();
        shell.tell(&format!("mkdir -p {disk}/etcd {disk}/postgres && chmod 700 {disk}/etcd {disk}/postgres"));
        if self.network.is_some() {
            shell.tell(&format!("chown postgres {disk}/etcd {disk}/postgres"));
        }
        let peers = self.nodes.iter().enumerate();
        let peers = peers
            .map(|(index, Node { at, .. })| format!("node{}=http://{}:{}", index + 1, at.host, at.etcd_peer));
        let peers = peers.collect::<Vec<_>>().join(",");
        let Addresses { host, etcd, etcd_peer, .. } = &self.nodes[node].at;
        let user = self.as_user();
        shell.tell(&format!(
            "keep etcd {user}etcd --name node{number} --data-dir {disk}/etcd/data --log-level warn \
             --listen-peer-urls http://{host}:{etcd_peer} --initial-advertise-peer-urls http://{host}:{etcd_peer} \
             --listen-client-urls http://{host}:{etcd} --advertise-client-urls http://{host}:{etcd} \
             --initial-cluster {peers} --initial-cluster-state new --heartbeat-interval 200 --election-timeout 1500"
        ));
        shell.tell(&format!(
            "cd /; keep patroni {} -m patroni {}/patroni.yml",
            self.python(),
            folder.display()
        ));
        self.nodes[node].shell = Some(shell);
    }

    /// The Python that has Patroni, as who runs the database.
    fn python(&self) -> String {
        let (user, path, (base, program)) = (self.as_user(), self.folder.path(), &self.programs.python);
        let (packages, base) = match self.network {
            Some(_) => (path.join("packages"), path.join("python")),
            None => (self.programs.packages.clone(), base.clone()),
        };
        // A Python of shared libraries looks for its own where it was built.
        format!(
            "{user}env LD_LIBRARY_PATH={} PYTHONPATH={} {}",
            base.join("lib").display(),
            packages.display(),
            base.join(program).display()
        )
    }

    fn start_server(&mut self, node: usize) {
        let Addresses { host, server, .. } = self.nodes[node].at.clone();
        let variables = [
            ("EDGEHILL_LISTEN", format!("{host}:{server}")),
            ("EDGEHILL_ANONYMOUS", "true".to_owned()),
            ("EDGEHILL_POSTGRES__ADDRESS", self.database("edgehill")),
            ("EDGEHILL_KEY_FILE", self.folder.path().join("server.key").display().to_string()),
            ("EDGEHILL_CLUSTER__ADDRESS", format!("http://{host}:{server}")),
            // All players come from one address here.
            ("EDGEHILL_CAPACITY__CALLS_PER_SECOND", "0".to_owned()),
            ("EDGEHILL_CAPACITY__BYTES_PER_SECOND", "0".to_owned()),
            ("EDGEHILL_CAPACITY__BOT_TURNS_PER_SECOND", "0".to_owned()),
            ("EDGEHILL_CAPACITY__ADDRESS_CONNECTIONS", "1000".to_owned()),
            // Those that an owner has not seen end yet are counted beside those that were opened anew.
            ("EDGEHILL_LIMITS__STREAMS", "1024".to_owned()),
        ];
        let variables = variables.map(|(name, value)| format!("{name}='{value}'")).join(" ");
        let program = env!("CARGO_BIN_EXE_edgehill-server");
        self.tell(node, &format!("keep server env -i {variables} {program}"));
    }

    /// Has a node do a command.
    pub(crate) fn tell(&mut self, node: usize, command: &str) -> String {
        self.nodes[node].shell.as_mut().expect("the node is on").tell(command)
    }

    /// The folder of a node.
    fn disk(&self, node: usize) -> PathBuf {
        self.nodes[node].folder.join("disk")
    }

    /// Sends a signal to what a node runs under this name, which is started again when it has ended.
    pub(crate) fn signal(&mut self, node: usize, program: &str, signal: &str) {
        self.tell(node, &format!("signal {program} {signal}"));
    }

    /// Sends a signal to the database's first process.
    pub(crate) fn signal_database(&mut self, node: usize, signal: &str) {
        let id = self.disk(node).join("postgres/data/postmaster.pid");
        self.tell(node, &format!("kill -s {signal} \"$(head -n 1 {})\"", id.display()));
    }

    /// Sends a signal to all processes of the database.
    pub(crate) fn signal_postgres(&mut self, node: usize, signal: &str) {
        let id = self.disk(node).join("postgres/data/postmaster.pid");
        let first = format!("first=$(head -n 1 {})", id.display());
        self.tell(node, &format!("{first}; kill -s {signal} $first $(cat /proc/$first/task/*/children)"));
    }

    /// Has a server stop in order, and waits until it has started again.
    pub(crate) fn restart_server(&mut self, node: usize) {
        let before = self.server_id(node);
        self.signal(node, "server", "TERM");
        self.wait_for("another server", |site| {
            site.server_id(node) != before && site.takes_connections(node)
        });
        self.wait_for("an owner", |site| site.home().is_some() && site.is_shared());
    }

    fn server_id(&self, node: usize) -> String {
        std::fs::read_to_string(self.nodes[node].folder.join("server.pid")).unwrap_or_default()
    }

    /// Kills a node with all that runs on it.
    pub(crate) fn kill_node(&mut self, node: usize) {
        self.nodes[node].shell.take().expect("the node is on").kill();
    }

    /// Starts a node that was killed.
    pub(crate) fn start_again(&mut self, node: usize) {
        self.start_node(node);
        self.start_server(node);
    }

    /// Sends a signal to all that runs on a node.
    pub(crate) fn signal_node(&mut self, node: usize, signal: &str) {
        self.tell(node, &format!("kill -s {signal} -1"));
    }

    /// Fills a node's disk to its last byte.
    pub(crate) fn fill_disk(&mut self, node: usize) {
        let filler = self.disk(node).join("filler");
        self.tell(node, &format!("cat /dev/zero >{} 2>/dev/null; true", filler.display()));
    }

    /// Has the primary use up the files of its log that it has room for: on a full disk it then ends, instead of when they are full.
    pub(crate) fn use_up_log(&self) {
        let files = 2 * LOG_FILES;
        let use_up = "SELECT pg_switch_wal(), txid_current()";
        // It is cut off when the primary ends.
        let _ = with_client(&self.database("postgres"), |client| {
            (0..files).try_for_each(|_| client.batch_execute(use_up))
        });
    }

    /// Makes room on it again.
    pub(crate) fn free_disk(&mut self, node: usize) {
        let filler = self.disk(node).join("filler");
        self.tell(node, &format!("rm {}", filler.display()));
    }

    /// Begins a fault of a node's link.
    pub(crate) fn begin(&mut self, node: usize, fault: LinkFault) {
        self.network.as_mut().expect("links can be cut").begin(node as u8 + 1, fault);
    }

    /// Ends it.
    pub(crate) fn end(&mut self, node: usize, fault: LinkFault) {
        self.network.as_mut().expect("links can be cut").end(node as u8 + 1, fault);
    }

    /// Has a node's link take so much longer each way, until that is dropped.
    pub(crate) fn slow(&mut self, node: usize, milliseconds: u32) -> SlowLink {
        let shell = self.nodes[node].shell.as_mut().expect("the node is on");
        self.network.as_mut().expect("links can be slow").slow(node as u8 + 1, shell, milliseconds)
    }

    /// Has another node have the primary, as an operator does.
    pub(crate) fn switch_over(&mut self) {
        let primary = self.primary().expect("a primary");
        let candidate = (primary + 1) % NODES;
        let (python, config) =
            (self.python(), self.nodes[primary].folder.join("patroni.yml").display().to_string());
        // The program `patronictl`, which says what became of it in words alone.
        let command = format!(
            "cd /; {python} -c 'from patroni.ctl import ctl; ctl()' -c {config} switchover edgehill --leader node{} --candidate node{} --force 2>&1",
            primary + 1,
            candidate + 1
        );
        let mut said = String::new();
        for _ in 0..SWITCHES_MAX {
            let shell = self.nodes[primary].shell.as_mut().expect("the node is on");
            said = shell.try_tell(&command).unwrap_or_else(|failed| failed);
            if said.contains("Successfully switched over") {
                return;
            }
            wait(Duration::from_millis(500));
        }
        panic!("no switchover: {said}");
    }

    /// The node that has the primary.
    pub(crate) fn primary(&self) -> Option<usize> {
        let sql = "SELECT host(inet_server_addr()) || ':' || inet_server_port()";
        let found = self.ask("postgres", sql)?;
        self.nodes.iter().position(|node| format!("{}:{}", node.at.host, node.at.postgres) == found)
    }

    /// The node whose server is the home of what belongs to no match.
    pub(crate) fn home(&self) -> Option<usize> {
        let home = "SELECT servers.address FROM servers JOIN shards ON shards.server = servers.id \
                    WHERE shards.shard = 0 AND servers.until > clock_timestamp()";
        let found = self.ask("edgehill", home)?;
        self.servers().iter().position(|server| format!("http://{server}") == found)
    }

    /// The holders of all that there is one of, while all is well.
    pub(crate) fn standing(&self) -> Standing {
        let epoch = self.ask("edgehill", "SELECT epoch::TEXT FROM shards WHERE shard = 0");
        Standing {
            primary: self.primary().expect("a primary"),
            database_since: self
                .ask("postgres", "SELECT pg_postmaster_start_time()::TEXT")
                .expect("a primary"),
            home_epoch: epoch.and_then(|epoch| epoch.parse().ok()).expect("a home"),
        }
    }

    /// The time that a packet to a node and its answer take.
    pub(crate) fn round_trip(&self, node: usize) -> Duration {
        let (asked, Addresses { host, postgres, .. }) = (Instant::now(), &self.nodes[node].at);
        connect(host, *postgres).expect("the database listens");
        asked.elapsed()
    }

    /// Returns whether anything more can be written on a node's disk.
    pub(crate) fn has_room(&mut self, node: usize) -> bool {
        let probe = self.disk(node).join("probe");
        let write =
            format!("head -c 4096 /dev/zero 2>/dev/null >{0}; wc -c <{0}; rm -f {0}", probe.display());
        self.tell(node, &write).trim() == "4096"
    }

    /// The text that a query on the primary has; `None`: it has none, or there is no primary.
    fn ask(&self, database: &str, query: &str) -> Option<String> {
        with_client(&self.database(database), |client| client.query_opt(query, &[])).ok()??.get(0)
    }

    /// Returns whether there is a primary on which two standbys follow, of which each may take over, and etcd is well on each node.
    fn is_database_whole(&self) -> bool {
        let quorum = "SELECT count(*)::TEXT FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = 'quorum'";
        let is_well = |node: &Node| {
            let etcd = http_get(&node.at.host, node.at.etcd, "/health");
            let patroni = http_get(&node.at.host, node.at.patroni, "/health");
            etcd.is_some_and(|said| said.contains("\"health\":\"true\""))
                && patroni.is_some_and(|said| said.contains(" 200 "))
        };
        self.nodes.iter().all(is_well) && self.ask("postgres", quorum).as_deref() == Some("2")
    }

    /// Returns whether each server has its share of the matches.
    fn is_shared(&self) -> bool {
        let least = "SELECT min(shards)::TEXT || ' of ' || count(*) FROM (SELECT count(*) AS shards FROM shards \
                     JOIN servers ON servers.id = shards.server WHERE servers.until > clock_timestamp() GROUP BY servers.id) AS counted";
        self.ask("edgehill", least) == Some(format!("{} of {NODES}", 1_024 / NODES))
    }

    fn takes_connections(&self, node: usize) -> bool {
        let Addresses { host, server, .. } = &self.nodes[node].at;
        connect(host, *server).is_some()
    }

    /// Returns whether all servers with a lease have renewed it since the latest of their leases was this one: a server that was killed has
    /// one yet.
    fn all_live_since(&self, latest: &str) -> bool {
        let all = format!(
            "SELECT (min(until) > TIMESTAMPTZ '{latest}')::TEXT FROM servers WHERE until > clock_timestamp()"
        );
        self.ask("edgehill", &all).as_deref() == Some("true")
    }

    /// Waits until all is as it was at first.
    pub(crate) fn wait_until_whole(&self) {
        let mut latest = None;
        self.wait_for("all well", |site| {
            latest = latest.take().or_else(|| site.ask("edgehill", "SELECT max(until)::TEXT FROM servers"));
            site.is_database_whole()
                && (0..NODES).all(|node| site.takes_connections(node))
                && latest.as_deref().is_some_and(|latest| site.all_live_since(latest))
                && site.home().is_some()
                && site.is_shared()
        });
    }

    fn wait_for(&self, what: &str, mut is_so: impl FnMut(&Self) -> bool) {
        for _ in 0..LOOKS_MAX {
            if is_so(self) {
                return;
            }
            wait(Duration::from_millis(500));
        }
        panic!("{what}: does not come; the logs are in {}\n{}", self.folder.path().display(), self.logs());
    }

    /// The last lines of all logs.
    pub(crate) fn logs(&self) -> String {
        let logs = self.nodes.iter().flat_map(|node| {
            ["etcd", "patroni", "server"].map(|name| node.folder.join(format!("{name}.log")))
        });
        let last = logs.map(|path| {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let lines: Vec<&str> = text.lines().collect();
            format!("== {}\n{}\n", path.display(), lines[lines.len().saturating_sub(12)..].join("\n"))
        });
        last.collect()
    }

    /// The codes with which servers have ended, and the lines in which one says that it panicked.
    pub(crate) fn server_ends(&self) -> (Vec<i32>, Vec<String>) {
        let (mut codes, mut panics) = (Vec::new(), Vec::new());
        for node in &self.nodes {
            let ends = std::fs::read_to_string(node.folder.join("ends")).unwrap_or_default();
            codes.extend(ends.lines().filter_map(|line| line.strip_prefix("server ")?.parse::<i32>().ok()));
            let log = std::fs::read_to_string(node.folder.join("server.log")).unwrap_or_default();
            let is_panic = |line: &&str| line.contains("a panic: ") || line.contains("panicked at");
            panics.extend(log.lines().filter(is_panic).map(str::to_owned));
        }
        (codes, panics)
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        // All at once: one that ends waits for nothing of the others.
        for node in &mut self.nodes {
            if let Some(shell) = node.shell.take() {
                shell.kill();
            }
        }
        if std::thread::panicking() {
            let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join("nodes");
            let _ = std::fs::remove_dir_all(&kept);
            let copied = Command::new("cp").arg("-r").arg(self.folder.path()).arg(&kept).status();
            eprintln!("the logs are in {}: {copied:?}", kept.display());
        }
    }
}

fn addresses(network: Option<&Network>, number: u8) -> Addresses {
    match network {
        Some(network) => Addresses {
            host: network.address_of(number),
            etcd: 2379,
            etcd_peer: 2380,
            patroni: 8008,
            postgres: 5432,
            server: 7400,
        },
        None => Addresses {
            host: "127.0.0.1".to_owned(),
            etcd: free_port(),
            etcd_peer: free_port(),
            patroni: free_port(),
            postgres: free_port(),
            server: free_port(),
        },
    }
}

fn connect(host: &str, port: u16) -> Option<TcpStream> {
    let address: SocketAddr = format!("{host}:{port}").parse().unwrap();
    let stream = TcpStream::connect_timeout(&address, ASK).ok()?;
    stream.set_read_timeout(Some(ASK)).ok()?;
    Some(stream)
}

/// The answer to a request without a word more than it needs, head and all.
fn http_get(host: &str, port: u16, path: &str) -> Option<String> {
    let mut stream = connect(host, port)?;
    write!(stream, "GET {path} HTTP/1.0\r\nHost: {host}\r\n\r\n").ok()?;
    let mut said = String::new();
    stream.read_to_string(&mut said).ok()?;
    Some(said)
}

/// Lets time pass, where that is what a fault is made of, or where nobody tells when a database is well.
pub(crate) fn wait(time: Duration) {
    let slept = Command::new("sleep").arg(time.as_secs_f64().to_string()).status().unwrap();
    assert!(slept.success());
}
