//! `edgehill-server`: a server from its start to its end.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::signal::unix::{Signal, SignalKind, signal};

use super::failure::Failure;
use super::open_files::room_for_connections;
use super::reload::{Sources, reload};
use super::{say, service_manager};
use crate::admin::{Act, Administration, ServerAct};
use crate::config::{Config, Loaded};
use crate::server::{self, Cluster, Context, Ended, Handle, Services};
use crate::telemetry::{Metrics, Telemetry};

/// Serves until a signal comes.
///
/// # Errors
/// If the server can't start or go on.
pub(super) fn run(loaded: Loaded, sources: &Sources) -> Result<(), Failure> {
    let fault = |error: &dyn std::fmt::Display| Failure::Fault(error.to_string());
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(|error| fault(&error))?;
    let telemetry = {
        // The exporters run on the runtime, and have to be made within it.
        let _within = runtime.enter();
        Telemetry::start(&loaded.config.log, &loaded.config.telemetry).map_err(|error| fault(&error))?
    };
    let done = runtime.block_on(serve(loaded, sources, telemetry.metrics().clone()));
    // Outside of the runtime: this blocks until it has sent what is left.
    telemetry.stop();
    done
}

async fn serve(loaded: Loaded, sources: &Sources, metrics: Metrics) -> Result<(), Failure> {
    tracing::info!(version = crate::VERSION, "starting");
    let Loaded { mut config, ignored } = loaded;
    for name in ignored {
        tracing::warn!(name, "this variable sets nothing; docs/server.md has those that do");
    }
    // As it was set: what follows makes less of it.
    let mut set = config.clone();
    let room = room_for_connections();
    if room < config.capacity.connections {
        tracing::warn!(
            room,
            "fewer connections than `capacity.connections`: this process may not open more files"
        );
        config.capacity.connections = room;
        // No address has all of them.
        config.capacity.address_connections = config.capacity.address_connections.min(room.div_ceil(4));
    }
    // Signals first, so that none is missed between the start and here.
    let mut signals = Signals::new().map_err(|error| Failure::Fault(error.to_string()))?;
    let mut hangups = signal(SignalKind::hangup()).map_err(|error| Failure::Fault(error.to_string()))?;
    let fault = |error: server::StartError| Failure::Fault(error.to_string());
    server::check_before_taking_over(&config).await.map_err(fault)?;
    let grace = Duration::from_secs(config.shutdown.grace_seconds.into());
    let cluster = Cluster::join(&config, &metrics).map_err(fault)?;
    let opened = tokio::select! {
        opened = open(config, metrics, cluster.as_ref()) => opened.map(Some),
        name = signals.next() => {
            tracing::info!(signal = name, "stopping");
            Ok(None)
        }
    };
    let (context, services) = match opened {
        Ok(Some(opened)) => opened,
        ended => {
            service_manager::stopping();
            if let Some(cluster) = cluster {
                cluster.end(if ended.is_ok() { grace } else { Duration::ZERO }).await;
            }
            return ended.map(drop);
        }
    };
    let administration = services.administration().cloned();
    let handle = match cluster {
        Some(cluster) => server::start_in(cluster, context, services).await,
        None => server::start(context, services).await,
    };
    let handle = handle.map_err(fault)?;
    let mut why = listening(handle.local_addr());
    if why.is_ok() {
        tokio::select! {
            name = signals.next() => tracing::info!(signal = name, "stopping"),
            () = reload_when_asked(&mut hangups, (sources, &mut set), &handle, administration.as_ref()) => {}
            ended = handle.ended() => tracing::error!(?ended, "the server can't go on"),
            lost = lost(&handle) => why = Err(lost),
        }
    }
    service_manager::stopping();
    end(handle, &mut signals).await.and(why)
}

/// Opens the store, and all that works with it.
async fn open(
    config: Config,
    metrics: Metrics,
    cluster: Option<&Cluster>,
) -> Result<(Context, Services), Failure> {
    let fault = |error: server::StartError| Failure::Fault(error.to_string());
    let context = match cluster {
        Some(cluster) => Context::open_in(cluster, config, metrics),
        None => Context::open(config, metrics),
    };
    let context = context.map_err(fault)?;
    announce(&context.config, &context);
    let services = match cluster {
        Some(_) => Services::of_member(&context).await.map_err(fault)?,
        None => Services::all(&context).await.map_err(fault)?,
    };
    if cluster.is_none() {
        exhibit(&context.config, &services).await?;
    }
    Ok((context, services))
}

/// Tells whoever started the server that it takes connections.
fn listening(address: SocketAddr) -> Result<(), Failure> {
    say(&format!("listening on {address}\n"))?;
    tracing::info!(%address, "listening");
    service_manager::ready();
    service_manager::start_watchdog();
    Ok(())
}

/// Returns when nothing can be written any more, with the reason for it.
async fn lost(handle: &Handle) -> Failure {
    let is_overtaken = tokio::select! {
        () = handle.overtaken() => true,
        // The store hears of an overtaking as soon as it writes.
        () = handle.store_lost() => handle.is_overtaken().await,
    };
    if is_overtaken {
        // Others answer by now: nothing of what this one knows is of use to anybody.
        handle.severed().cancel();
        let words = "another server has taken the matches over (docs/operations-cluster.md): started again, this one follows it";
        return Failure::Fault(words.to_owned());
    }
    let words = "the store is damaged, or another file stands in its place, or another server has taken it over: nothing \
                 can be written. Look through it (docs/store.md) before you start the server again, and beside the \
                 other server do not start it";
    Failure::Damage(words.to_owned())
}

/// Reads accounts and limits again at each SIGHUP; does not return.
async fn reload_when_asked(
    hangups: &mut Signal,
    (sources, set): (&Sources, &mut Config),
    handle: &Handle,
    administration: Option<&Administration>,
) {
    while hangups.recv().await.is_some() {
        service_manager::reloading();
        let was_read = reload(sources, set, handle);
        if let Some(administration) = administration.filter(|_| was_read)
            && let Err(error) = administration.note_own(Act::Server(ServerAct::ConfigurationRead)).await
        {
            tracing::warn!(%error, "that accounts, limits and certificates were read again is not in the log of acts");
        }
        service_manager::ready();
    }
    std::future::pending().await
}

/// Begins the matches to watch, if they are wanted.
async fn exhibit(config: &Config, services: &Services) -> Result<(), Failure> {
    let Some(host) = services.host().filter(|_| config.exhibition) else { return Ok(()) };
    let made = host.exhibit().await;
    let made = made.map_err(|error| Failure::Fault(format!("exhibition: a match can't be made: {error}")))?;
    for (game, made) in made {
        tracing::info!(game, match_id = %made.id, "an exhibition match");
    }
    Ok(())
}

/// Ends it; a second signal ends it at once.
async fn end(handle: Handle, signals: &mut Signals) -> Result<(), Failure> {
    let severed = handle.severed().clone();
    let shutdown = handle.shutdown();
    tokio::pin!(shutdown);
    let ended = tokio::select! {
        ended = &mut shutdown => ended,
        name = signals.next() => {
            tracing::warn!(signal = name, "a second signal: stopping at once");
            severed.cancel();
            shutdown.await
        }
    };
    match ended {
        Ended::Drained | Ended::CutOff => {
            tracing::info!("stopped");
            Ok(())
        }
        Ended::Failed(why) => Err(Failure::Fault(why)),
    }
}

/// Says what the server does that its operator may not have meant.
fn announce(config: &Config, context: &Context) {
    match config.store_name() {
        Some(store) => tracing::info!(store = %store.display(), "matches are kept"),
        None => tracing::warn!(
            "matches are kept in memory, and are lost when the server stops; --store DIR keeps them"
        ),
    }
    let accounts = context.accounts.now();
    if accounts.is_anonymous() {
        tracing::info!("no account is asked for");
    } else {
        tracing::info!(accounts = accounts.len(), "accounts are asked for");
        if config.is_in_clear() {
            tracing::warn!(
                listen = %config.listen,
                "keys and tokens travel in the clear: set `tls.certificate` and `tls.key`, or `proxy.addresses` if a proxy ends TLS"
            );
        }
    }
    match (&config.tls.certificate, &config.tls.client_ca) {
        (None, _) => {}
        (Some(certificate), None) => {
            tracing::info!(certificate = %certificate.display(), "connections are encrypted");
        }
        (Some(certificate), Some(client_ca)) => {
            let (certificate, client_ca) = (certificate.display(), client_ca.display());
            tracing::info!(%certificate, %client_ca, "connections are encrypted, and clients show certificates");
        }
    }
}

/// The signals that stop a server.
struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    fn new() -> std::io::Result<Self> {
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    /// The name of the next one.
    async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.terminate.recv() => "SIGTERM",
            _ = self.interrupt.recv() => "SIGINT",
        }
    }
}
