//! A life of the server ([`live`]): the real one, on the network, the disk, the time and the randomness of the world.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use edgehill_service::clock::Clock;
use edgehill_service::config::{Capacity, Config, Shutdown};
use edgehill_service::entropy::{EntropySource, SeededEntropy};
use edgehill_service::identity::CurrentAccounts;
use edgehill_service::limits::Limits;
use edgehill_service::server::{self, Context, Ended, Handle, Listener, Services, StartError};
use edgehill_service::telemetry::Metrics;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use turmoil::net::{TcpListener, TcpStream};

use crate::date::{LifeClock, now, pause};
use crate::flaw::Flaw;
use crate::store::LifeStore;
use crate::world::{PORT, World};

/// The time after which a server that could not start is started again.
const RESTART_AFTER: Duration = Duration::from_millis(300);

/// The time that a match waits for its seats to be taken.
pub(crate) const WAITS: Duration = Duration::from_secs(60);

/// The server, from its start until it is asked to stop. One that crashes is dropped meanwhile.
pub(crate) async fn live(world: Arc<World>) -> turmoil::Result {
    let (life, stop) = world.begin_life();
    let handle = loop {
        let begun = now();
        match start(&world, life).await {
            Ok(handle) => {
                world.outages().end(begun);
                break handle;
            }
            Err(error) => {
                world.note(format_args!("life {life} does not start: {error}"));
                assert!(passes(&error), "the server does not start: {error}");
                pause(RESTART_AFTER).await;
            }
        }
    };
    world.note(format_args!("life {life} begins"));
    tokio::select! {
        biased;
        ended = handle.ended() => panic!("the server ended by itself: {ended:?}"),
        () = stop.cancelled() => {}
    }
    let ended = handle.shutdown().await;
    assert!(!matches!(ended, Ended::Failed(_)), "{ended:?}");
    world.outages().begin(now());
    world.note(format_args!("life {life} ends: {ended:?}"));
    Ok(())
}

/// Returns whether a server that does not start for this is started again: its disk does not write now.
fn passes(error: &StartError) -> bool {
    let words = error.to_string();
    matches!(
        error,
        StartError::Store(_)
            | StartError::Host(_)
            | StartError::Administration(_)
            | StartError::Competitions(_)
    ) && words.contains("of the world")
        || words.contains("the disk")
}

fn config(world: &World) -> Config {
    let mut random = world.random(11);
    let loaded_matches = if random.percent(20) { 3 } else { 1_000 };
    Config {
        listen: ([127, 0, 0, 1], PORT).into(),
        // Archives are made while others still play, and clients ask for them.
        capacity: Capacity {
            bot_threads: Some(1),
            loaded_matches,
            archive_seconds: 20,
            ..Capacity::default()
        },
        limits: Limits { waiting_seconds: WAITS.as_secs(), ..Limits::default() },
        shutdown: Shutdown { delay_seconds: 0, grace_seconds: 1 },
        ..Config::default()
    }
}

async fn start(world: &Arc<World>, life: u64) -> Result<Handle, StartError> {
    let config = config(world);
    let clock: Arc<dyn Clock> =
        Arc::new(LifeClock::new(Arc::clone(&world.date), world.flaw == Some(Flaw::TrustsDate)));
    let entropy: Arc<dyn EntropySource> = Arc::new(SeededEntropy::new(world.seed ^ life << 48));
    let context = Context {
        limits: config.limits.into(),
        config: Arc::new(config),
        registry: world.registry.clone(),
        store: world.sealed(LifeStore::open(Arc::clone(&world.disk))),
        key: world.key.clone(),
        accounts: CurrentAccounts::default(),
        tls: None,
        clock,
        entropy,
        metrics: Metrics::nowhere(),
        stopping: CancellationToken::new(),
        peers: None,
    };
    let services = Services::all(&context).await?;
    server::start_on(listen().await, context, services).await
}

/// The connections that come in over the network of the world.
async fn listen() -> Listener {
    let socket = TcpListener::bind(("0.0.0.0", PORT)).await.expect("one server at a time listens");
    let address = ([127, 0, 0, 1], PORT).into();
    let (accepted, incoming) = mpsc::channel::<io::Result<(TcpStream, std::net::SocketAddr)>>(16);
    tokio::spawn(async move {
        loop {
            tokio::select! {
                biased;
                () = accepted.closed() => return,
                connection = socket.accept() => {
                    // It is closed if nobody takes it.
                    let _ = accepted.send(connection).await;
                }
            }
        }
    });
    Listener::over(address, ReceiverStream::new(incoming))
}
