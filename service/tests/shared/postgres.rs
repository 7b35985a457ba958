//! A real PostgreSQL for tests: one server for each program of tests, and a database for each test.

use std::io::{BufRead, BufReader};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, mpsc};

use edgehill_service::store::PostgresServer;

/// The role and the database that a cluster begins with.
const ROLE: &str = "edgehill";

/// A server that ends with the program of tests, however that ends: it reads from a pipe that closes then.
#[derive(Debug)]
pub(crate) struct Postgres {
    folder: PathBuf,
    /// The port on loopback.
    port: u16,
    /// Told whenever it is ready.
    is_ready: Mutex<mpsc::Receiver<()>>,
    _child: Child,
    _open: ChildStdin,
}

/// The server of this program of tests; `None` where PostgreSQL is not installed, which in CI is a fault.
pub(crate) fn postgres() -> Option<&'static Postgres> {
    static SERVER: OnceLock<Option<Postgres>> = OnceLock::new();
    SERVER.get_or_init(|| programs().map(|programs| Postgres::start(&programs))).as_ref()
}

/// A server of its own, which may be killed without a word to other tests; `None` as above.
pub(crate) fn postgres_apart() -> Option<Postgres> {
    programs().map(|programs| Postgres::start(&programs))
}

/// The folder of PostgreSQL's programs, as Debian has it or on the path.
pub(crate) fn programs() -> Option<PathBuf> {
    let debian = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = debian.map(|version| version.path().join("bin")).collect();
    folders.sort();
    folders.extend(std::env::var_os("PATH").iter().flat_map(std::env::split_paths));
    let found = folders
        .into_iter()
        .rev()
        .find(|folder| ["initdb", "postgres"].iter().all(|program| folder.join(program).is_file()));
    if found.is_none() {
        assert!(std::env::var_os("CI").is_none(), "PostgreSQL is missing");
        eprintln!("skipped: the tests on PostgreSQL (no initdb and postgres on the path)");
    }
    found
}

/// User and group that PostgreSQL is started as, which root may not be: `None` for those who are not root.
pub(crate) fn user() -> Option<(u32, u32)> {
    let id = |arguments: &[&str]| {
        let printed = Command::new("id").args(arguments).output().expect("id is there").stdout;
        String::from_utf8_lossy(&printed).trim().parse::<u32>().expect("a number")
    };
    (id(&["-u"]) == 0).then(|| (id(&["-u", "postgres"]), id(&["-g", "postgres"])))
}

/// A command in the cluster's folder, as the user who may.
fn as_user(program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder);
    if let Some((user, group)) = user() {
        command.uid(user).gid(group);
    }
    command
}

/// A port of loopback that is free: PostgreSQL takes none of the system's choice.
#[expect(clippy::disallowed_types, reason = "it listens to nobody")]
pub(crate) fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    listener.local_addr().unwrap().port()
}

impl Postgres {
    fn start(programs: &Path) -> Self {
        let folder = tempfile::Builder::new().prefix("edgehill-postgres-").tempdir().unwrap().keep();
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o700)).unwrap();
        if let Some((user, group)) = user() {
            chown(&folder, Some(user), Some(group)).unwrap();
        }
        let data = folder.join("data");
        let made = as_user(&programs.join("initdb"), &folder)
            .arg("--pgdata")
            .arg(&data)
            .args(["--no-sync", "--auth=trust", "--encoding=UTF8", "--locale=C", "--username", ROLE])
            .output()
            .unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let port = free_port();
        // The server writes that it is ready. It is started again whenever it ends, until the pipe is closed; then its folder goes.
        // One that follows a server which was killed can't start before the last of its processes has ended.
        let script = r#"
            (lives=0; while [ ! -e "$3/stop" ] && [ "$lives" -lt 1000 ]; do lives=$((lives + 1))
                "$1" -D "$2" -k "$3" -p "$4" -c listen_addresses=127.0.0.1 -c max_connections=200 2>&1 &
                echo "$!" > "$3/server"; wait "$!"; sleep 0.05
            done) &
            read -r _
            touch "$3/stop"; kill -INT "$(cat "$3/server")"; wait; cd /; rm -rf "$3"
        "#;
        let mut child = as_user(Path::new("/bin/sh"), &folder)
            .args(["-c", script, "sh"])
            .args([&programs.join("postgres"), &data, &folder])
            .arg(port.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let open = child.stdin.take().unwrap();
        let said = BufReader::new(child.stdout.take().unwrap());
        let (tell, told) = mpsc::channel();
        // All that it says is read, lest it waits.
        let read_on = move || {
            for line in said.lines().map_while(Result::ok) {
                if line.contains("ready to accept connections") {
                    let _ = tell.send(());
                }
            }
        };
        drop(std::thread::Builder::new().name("postgres-log".into()).spawn(read_on).unwrap());
        told.recv().expect("PostgreSQL starts");
        Self { folder, port, is_ready: Mutex::new(told), _child: child, _open: open }
    }

    /// Kills it (`kill -9`), and waits until it has started again.
    pub(crate) fn kill(&self) {
        let server = std::fs::read_to_string(self.folder.join("server")).unwrap();
        let killed = Command::new("sh").args(["-c", "kill -9 \"$0\"", server.trim()]).status().unwrap();
        assert!(killed.success());
        self.is_ready.lock().unwrap().recv().expect("PostgreSQL starts again");
    }

    /// Suspends it, with all of its processes that serve a database, until that is dropped.
    pub(crate) fn suspend(&self, database: &str) -> Suspended {
        let server = std::fs::read_to_string(self.folder.join("server")).unwrap();
        let serving = "SELECT string_agg(pid::TEXT, ' ') FROM pg_stat_activity \
                       WHERE datname = current_database() AND pid <> pg_backend_pid()";
        let serving = self.text(database, serving).unwrap_or_default();
        let processes = format!("{} {serving}", server.trim());
        signal("STOP", &processes);
        Suspended { processes }
    }

    /// The address of a new, empty database.
    pub(crate) fn database(&self) -> String {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        self.database_of(&format!("test_{}", NUMBER.fetch_add(1, Ordering::Relaxed)))
    }

    /// The same of a database of this name.
    pub(crate) fn database_of(&self, name: &str) -> String {
        self.run(ROLE, &format!("CREATE DATABASE {name}"));
        self.address(name)
    }

    /// The address of a database of this name.
    fn address(&self, name: &str) -> String {
        format!("host={} port={} user={ROLE} dbname={name}", self.folder.display(), self.port)
    }

    /// Has it show this certificate to those who ask for TLS; the port on which it listens to them. There is one at a time.
    pub(crate) fn listen_with(&self, certificate: &str, key: &str) -> u16 {
        for (name, content) in [("server.crt", certificate), ("server.key", key)] {
            let path = self.folder.join("data").join(name);
            std::fs::write(&path, content).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
            if let Some((user, group)) = user() {
                chown(&path, Some(user), Some(group)).unwrap();
            }
        }
        self.run(ROLE, "ALTER SYSTEM SET ssl = on");
        self.run(ROLE, "SELECT pg_reload_conf()");
        self.port
    }

    /// Does statements in a database, as whoever runs the server can.
    pub(crate) fn run(&self, database: &str, statements: &str) {
        let address = if database == ROLE { self.address("postgres") } else { database.to_owned() };
        with_client(&address, |client| client.batch_execute(statements)).unwrap();
    }

    /// The text that a query in a database has as its first row's first column; `None`: it has no row, or null.
    pub(crate) fn text(&self, database: &str, query: &str) -> Option<String> {
        let row = with_client(database, |client| client.query_opt(query, &[])).unwrap();
        row.and_then(|row| row.get(0))
    }
}

/// Processes that go on when this is dropped.
#[derive(Debug)]
pub(crate) struct Suspended {
    processes: String,
}

impl Drop for Suspended {
    fn drop(&mut self) {
        signal("CONT", &self.processes);
    }
}

/// Sends a signal to processes, whose ids blanks part.
fn signal(name: &str, processes: &str) {
    let sent = Command::new("sh").args(["-c", "kill -s \"$0\" $1", name, processes]).status().unwrap();
    assert!(sent.success());
}

/// Works with a connection to the database of this address. The client has a runtime of its own, which may not begin on a worker of
/// another one.
pub(crate) fn with_client<T: Send>(
    address: &str,
    work: impl FnOnce(&mut postgres::Client) -> Result<T, postgres::Error> + Send,
) -> Result<T, postgres::Error> {
    std::thread::scope(|scope| {
        let work = move || work(&mut postgres::Client::connect(address, postgres::NoTls)?);
        std::thread::Builder::new().spawn_scoped(scope, work).unwrap().join().unwrap()
    })
}

/// A new, empty database, and its address; `None` where PostgreSQL is not installed.
pub(crate) fn database() -> Option<(String, PostgresServer)> {
    let address = postgres()?.database();
    let server = PostgresServer::new(&address, None, None).unwrap();
    Some((address, server))
}
