//! The promises that hold in every state of the model, and what has to be possible in some.

use stateright::Property;

use crate::cluster::{Cluster, Record, SERVERS, World, entries};
use crate::machine::{REQUESTS, RequestIndex};

/// Names of the states that are to be found.
pub(crate) const POSSIBLE: [&str; 3] = [
    "both are acknowledged after a change of owner",
    "the second one is acted on first",
    "a watcher sees all after all faults",
];

/// The one that is to be found where the match is handed over.
pub(crate) const HANDED_OVER: &str = "one is acknowledged before a hand-over, and one after";

/// Returns whether a promise is broken in this state.
pub(crate) fn is_broken(cluster: &Cluster, world: &World) -> bool {
    all()
        .iter()
        .any(|promise| promise.expectation.discovery_is_failure() && !(promise.condition)(cluster, world))
}

pub(crate) fn all() -> Vec<Property<Cluster>> {
    vec![
        Property::always("acknowledged is in the log of the quorum", |_, world: &World| {
            let kept = entries(&world.log[..world.quorum]);
            (0..)
                .zip(&world.clients)
                .all(|(request, client)| client.acknowledged.is_none() || kept.contains(&request))
        }),
        Property::always("each request is in the log once", |_, world: &World| {
            let all = entries(&world.log);
            (0..).take(REQUESTS).all(|request| all.iter().filter(|&&one| one == request).count() <= 1)
        }),
        Property::always("a retry has the same outcome", |_, world: &World| {
            world.clients.iter().all(|client| !client.differs)
        }),
        Property::always("an epoch has one owner", |_, world: &World| {
            let epoch = |server| world.owning(server).map(|owner| owner.epoch);
            epoch(0).is_none() || epoch(0) != epoch(1)
        }),
        Property::always("who answers knows all that was acknowledged", |cluster, world: &World| {
            let mut acknowledged = (0..)
                .zip(&world.clients)
                .filter(|(_, client)| client.acknowledged.is_some())
                .map(|(request, _)| request);
            acknowledged.all(|request: RequestIndex| {
                (0..SERVERS).filter(|&server| world.answers(server, cluster.flaw)).all(|server| {
                    world.owning(server).is_some_and(|owner| owner.match_log.contains(&request))
                })
            })
        }),
        Property::always("a watcher is never ahead of the quorum", |_, world: &World| {
            entries(&world.log[..world.quorum]).starts_with(&world.watched)
        }),
        Property::sometimes("both are acknowledged after a change of owner", |_, world: &World| {
            let claims = world.log.iter().filter(|record| matches!(record, Record::Claimed(_))).count();
            claims > 1 && world.clients.iter().all(|client| client.acknowledged.is_some())
        }),
        Property::sometimes(HANDED_OVER, |_, world: &World| {
            let at = world.log.iter().position(|record| matches!(record, Record::TakenUp(_)));
            at.is_some_and(|at| {
                entries(&world.log[..at]).len() == 1
                    && world.clients.iter().all(|client| client.acknowledged.is_some())
            })
        }),
        Property::sometimes("the second one is acted on first", |_, world: &World| {
            entries(&world.log) == [1, 0]
        }),
        Property::sometimes("a watcher sees all after all faults", |_, world: &World| {
            world.faults == 0 && world.watched.len() == REQUESTS
        }),
    ]
}
