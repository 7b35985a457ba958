//! Everything that the clients have made so far ([`World`]).

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use edgehill_proto::v1;
use tokio::sync::{oneshot, watch};

use crate::history::History;
use crate::journal::{Made, Sat};
use crate::line::{Epochs, Line};
use crate::seat::Published;

/// A match that was made.
#[derive(Debug)]
pub(crate) struct Played {
    pub(crate) made: Made,
    pub(crate) seats: Vec<PlayedSeat>,
    /// The events that a spectator got when the match was last looked through.
    pub(crate) public: Mutex<Vec<v1::Event>>,
    /// The events of each spectator who has watched it to its end.
    pub(crate) watched: Mutex<Vec<Published>>,
    /// True if its players have ended.
    pub(crate) done: AtomicBool,
}

impl Played {
    pub(crate) fn done(&self) -> bool {
        self.done.load(Ordering::Relaxed)
    }
}

/// A seat of a match.
#[derive(Debug)]
pub(crate) struct PlayedSeat {
    pub(crate) sat: Sat,
    pub(crate) published: Arc<Mutex<Published>>,
    /// The path of its acknowledged requests.
    pub(crate) journal: PathBuf,
}

/// The place where the server keeps its matches.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// The world's folder.
    Folder,
    /// The database of this address.
    Database(String),
    /// The same, of several servers.
    Cluster(String),
    /// The same, of several servers that somebody else has started, on machines of their own: links may be cut, and machines hang.
    Nodes,
}

/// Everything that the clients have made, and how far they are.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) place: Place,
    pub(crate) folder: tempfile::TempDir,
    pub(crate) epochs: Epochs,
    pub(crate) played: Mutex<Vec<Arc<Played>>>,
    /// Answers that were noted.
    acknowledged: watch::Sender<u64>,
    stopping: AtomicBool,
    files: AtomicU64,
    lines: AtomicUsize,
    /// The longest that a player thinks before each call.
    pub(crate) thought_max: Duration,
    /// The spectators of each match.
    pub(crate) watchers: usize,
    pub(crate) history: Option<History>,
}

impl World {
    /// A world whose players think for so long at most.
    pub(crate) fn new(place: Place, thought_max: Duration) -> Arc<Self> {
        Arc::new(Self::make(place, thought_max))
    }

    /// Notes a try of a request that makes a match, or takes a seat: when it began, and what it came to just now.
    pub(crate) fn once(&self, request: &str, begin: Instant, came_to: Option<&str>) {
        if let Some(history) = &self.history {
            history.once(request, begin, came_to);
        }
    }

    /// The same, of which the history is written, and whose matches have so many spectators.
    pub(crate) fn recorded(place: Place, thought_max: Duration, watchers: usize) -> Arc<Self> {
        let mut world = Self::make(place, thought_max);
        world.watchers = watchers;
        world.history = Some(History::new(world.folder.path()));
        Arc::new(world)
    }

    fn make(place: Place, thought_max: Duration) -> Self {
        Self {
            place,
            thought_max,
            watchers: 0,
            history: None,
            folder: tempfile::tempdir().unwrap(),
            epochs: Epochs::default(),
            played: Mutex::default(),
            acknowledged: watch::Sender::new(0),
            stopping: AtomicBool::new(false),
            files: AtomicU64::new(0),
            lines: AtomicUsize::new(0),
        }
    }

    pub(crate) fn store(&self) -> PathBuf {
        self.folder.path().join("store")
    }

    /// The fields of the server's configuration that name where it keeps its matches, as variables.
    pub(crate) fn variables(&self) -> Vec<(&'static str, String)> {
        let path = |path: PathBuf| path.to_str().unwrap().to_owned();
        match &self.place {
            Place::Nodes => Vec::new(),
            Place::Folder => vec![("EDGEHILL_STORE", path(self.store()))],
            Place::Database(address) | Place::Cluster(address) => {
                let mut variables = vec![
                    ("EDGEHILL_POSTGRES__ADDRESS", address.clone()),
                    ("EDGEHILL_KEY_FILE", path(self.folder.path().join("server.key"))),
                ];
                if let Place::Cluster(_) = self.place {
                    variables.push(("EDGEHILL_CLUSTER__ADDRESS", "http://127.0.0.1:0".to_owned()));
                    variables.push(("EDGEHILL_CLUSTER__LEASE_SECONDS", "2".to_owned()));
                }
                variables
            }
        }
    }

    /// A path that nothing is at.
    pub(crate) fn new_file(&self) -> PathBuf {
        self.folder.path().join(format!("journal-{}", self.files.fetch_add(1, Ordering::Relaxed)))
    }

    pub(crate) fn line(&self) -> Line {
        let number = self.lines.fetch_add(1, Ordering::Relaxed);
        match self.place {
            Place::Folder | Place::Database(_) => self.epochs.line(None),
            Place::Cluster(_) => self.epochs.line(Some(number)),
            Place::Nodes => self.epochs.line_to_nodes(number),
        }
    }

    pub(crate) fn acknowledged(&self) {
        self.acknowledged.send_modify(|count| *count += 1);
    }

    pub(crate) fn count(&self) -> u64 {
        *self.acknowledged.borrow()
    }

    /// The number of answers that have been noted, now and whenever it grows.
    pub(crate) fn counted(&self) -> watch::Receiver<u64> {
        self.acknowledged.subscribe()
    }

    /// Returns when `more` answers have been noted.
    pub(crate) async fn after(&self, more: u64) {
        let enough = self.count() + more;
        self.acknowledged.subscribe().wait_for(|count| *count >= enough).await.unwrap();
    }

    /// No more matches are begun.
    pub(crate) fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    pub(crate) fn all(&self) -> Vec<Arc<Played>> {
        self.played.lock().unwrap().clone()
    }
}

/// The longest time without an answer to anybody, until that is asked.
pub(crate) async fn longest_gap(world: Arc<World>, mut asked: oneshot::Receiver<()>) -> Duration {
    let (mut counted, mut last, mut longest) = (world.counted(), Instant::now(), Duration::ZERO);
    loop {
        tokio::select! {
            _ = &mut asked => return longest.max(last.elapsed()),
            _ = counted.changed() => {
                longest = longest.max(last.elapsed());
                last = Instant::now();
            }
        }
    }
}
