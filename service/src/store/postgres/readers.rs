//! The threads that read a database, each with a connection of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use super::super::error::{Error, Failure};
use super::super::readers::{self, Look, Readers};
use super::connecting::PostgresServer;
use super::fence::HeldShards;
use super::schema;
use super::session::{Begin, Connection, Session};
use super::tables::Tables;

/// The time in which a connection has to show that it is still one.
const SHOWN_WITHIN: Duration = Duration::from_secs(5);

/// One of the threads.
struct Reader {
    server: PostgresServer,
    connection: Option<Connection>,
    /// True while the writer knows what the database holds.
    settled: Arc<AtomicBool>,
    held: HeldShards,
    /// How much of what was committed the connection's node has shown ([`HeldShards::commits`]).
    shown: u64,
}

/// Starts `count` threads, which connect when they are first needed, and again when a connection was lost.
pub(super) fn start(
    server: &PostgresServer,
    count: usize,
    settled: &Arc<AtomicBool>,
    held: &HeldShards,
) -> Result<(Readers, Vec<JoinHandle<()>>), Error> {
    let reader = || Reader {
        server: server.clone(),
        connection: None,
        settled: Arc::clone(settled),
        held: held.clone(),
        shown: 0,
    };
    let open = || {
        let reader = reader();
        move || Ok(reader.reading())
    };
    readers::start((0..count).map(|_| open()), &server.name())
}

/// Starts one thread, for a store that nobody here writes. It has looked at the database when this returns.
pub(super) fn start_alone(server: &PostgresServer) -> Result<(Readers, Vec<JoinHandle<()>>), Error> {
    let settled = Arc::new(AtomicBool::new(true));
    let held = HeldShards::default();
    let mut reader = Reader { server: server.clone(), connection: None, settled, held, shown: 0 };
    let open = move || {
        reader.open_checked()?;
        Ok(reader.reading())
    };
    readers::start([open], &server.name())
}

impl Reader {
    /// Runs look-ups.
    fn reading(mut self) -> impl FnMut(Look) {
        move |look| self.run(look)
    }

    fn run(&mut self, look: Look) {
        if let Err(Failure(error)) = self.connect() {
            return look(Err(error));
        }
        let Some(connection) = &mut self.connection else { return };
        let mut tables = Tables::new(Session::new(connection, Begin::Look), true);
        look(Ok(&mut tables));
        if tables.roll_back().is_err() {
            self.connection = None;
        }
    }

    /// Connects to a database whose schema is known.
    fn open_checked(&mut self) -> Result<(), Error> {
        let name = self.server.name();
        let mut connection =
            Connection::open(&self.server, &self.held).map_err(|error| error.opening(&name))?;
        schema::check(&mut connection)?;
        self.connection = Some(connection);
        Ok(())
    }

    /// Has a connection that answers, to a node which has all that was written.
    fn connect(&mut self) -> Result<(), Failure> {
        if !self.settled.load(Ordering::Acquire) {
            let why = "it is not known yet what the database holds".to_owned();
            return Err(Failure(Error::Unavailable { why }));
        }
        let commits = self.held.commits();
        if let Some(connection) = &mut self.connection
            && connection.is_there(SHOWN_WITHIN)
            && (self.shown == commits || matches!(self.held.is_behind(connection), Ok(false)))
        {
            self.shown = commits;
            return Ok(());
        }
        self.connection = None;
        let name = self.server.name();
        let connected = Connection::open(&self.server, &self.held).map_err(|error| error.failure(&name));
        self.connection = Some(connected.map_err(|Failure(error)| {
            Failure(match error {
                Error::Failed { why } => Error::Unavailable { why },
                other => other,
            })
        })?);
        self.shown = commits;
        Ok(())
    }
}
