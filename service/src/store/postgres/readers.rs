//! The threads that read, each with a connection of its own: [`Readers`].

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use tokio::sync::mpsc;

use super::super::error::{Error, Failure};
use super::super::lined::Look;
use super::connecting::PostgresServer;
use super::failure::{failure, opening};
use super::schema;
use super::session::{Begin, Connection, Session};
use super::tables::Tables;

/// The most look-ups that wait for a thread; callers wait beyond that.
const WAITING_MAX: usize = 1_024;

/// A way to the threads that read.
#[derive(Clone, Debug)]
pub(super) struct Readers(mpsc::Sender<Look>);

/// One of the threads.
struct Reader {
    server: PostgresServer,
    connection: Option<Connection>,
    /// True while the writer knows what the database holds.
    settled: Arc<AtomicBool>,
}

/// Starts `count` threads, which connect when they are first needed, and again when a connection was lost.
pub(super) fn start(
    server: &PostgresServer,
    count: usize,
    settled: &Arc<AtomicBool>,
) -> Result<(Readers, Vec<JoinHandle<()>>), Error> {
    let (looks, waiting) = mpsc::channel(WAITING_MAX);
    let waiting = Arc::new(Mutex::new(waiting));
    let reader = || Reader { server: server.clone(), connection: None, settled: Arc::clone(settled) };
    let threads = (0..count).map(|_| spawn(reader(), Arc::clone(&waiting), |_| true));
    Ok((Readers(looks), threads.collect::<Result<_, _>>()?))
}

/// Starts one thread, for a store that nobody here writes. It has looked at the database when this returns.
pub(super) fn start_alone(server: &PostgresServer) -> Result<(Readers, Vec<JoinHandle<()>>), Error> {
    let (looks, waiting) = mpsc::channel(WAITING_MAX);
    let settled = Arc::new(AtomicBool::new(true));
    let reader = Reader { server: server.clone(), connection: None, settled };
    let (tell, told) = std::sync::mpsc::sync_channel(1);
    let thread = spawn(reader, Arc::new(Mutex::new(waiting)), move |reader| {
        let checked = reader.open_checked();
        let is_open = checked.is_ok();
        tell.send(checked).is_ok() && is_open
    })?;
    let cant =
        || Error::Open { path: server.name().to_path_buf(), why: "the thread that reads ended".to_owned() };
    told.recv().map_err(|_| cant())??;
    Ok((Readers(looks), vec![thread]))
}

/// Starts a thread that reads if `begins` says so.
fn spawn(
    mut reader: Reader,
    waiting: Arc<Mutex<mpsc::Receiver<Look>>>,
    begins: impl FnOnce(&mut Reader) -> bool + Send + 'static,
) -> Result<JoinHandle<()>, Error> {
    let path = reader.server.name().to_path_buf();
    let work = move || {
        if !begins(&mut reader) {
            return;
        }
        // The thread that holds the receiver waits for the next look-up, the others wait for the receiver.
        let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).blocking_recv();
        while let Some(look) = next() {
            reader.run(look);
        }
    };
    let spawned = std::thread::Builder::new().name("store-read".into()).spawn(work);
    spawned.map_err(|error| Error::Open { path, why: error.to_string() })
}

impl Readers {
    /// Runs `look` on one of the threads, inside a transaction: it sees one moment.
    pub(super) async fn look(&self, look: Look) -> Result<(), Error> {
        self.0.send(look).await.map_err(|_| Error::Closed)
    }
}

impl Reader {
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
        let mut connection = Connection::open(&self.server).map_err(|error| opening(&name, &error))?;
        schema::check(&mut connection)?;
        self.connection = Some(connection);
        Ok(())
    }

    /// Has a connection that answers.
    fn connect(&mut self) -> Result<(), Failure> {
        if !self.settled.load(Ordering::Acquire) {
            let why = "it is not known yet what the database holds".to_owned();
            return Err(Failure(Error::Unavailable { why }));
        }
        if let Some(connection) = &mut self.connection
            && connection.client().is_valid(std::time::Duration::from_secs(5)).is_ok()
        {
            return Ok(());
        }
        self.connection = None;
        let name = self.server.name();
        let connected = Connection::open(&self.server).map_err(|error| failure(&name, &error));
        self.connection = Some(connected.map_err(|Failure(error)| {
            Failure(match error {
                Error::Failed { why } => Error::Unavailable { why },
                other => other,
            })
        })?);
        Ok(())
    }
}
