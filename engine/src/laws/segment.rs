//! Walks on bare states: within a seat's segment, or to the end of a match.

use rand_chacha::ChaCha8Rng;

use crate::action::{ActionId, VerbKind};
use crate::chance_source::{below, sampled};
use crate::event::Events;
use crate::game::{Game, Node};
use crate::seat::{Observer, Seat};
use crate::table::Table;

/// An index below `len`, which is at least 1.
pub(super) fn pick(len: usize, rng: &mut ChaCha8Rng) -> usize {
    below(len as u64, rng) as usize
}

/// The state that `observer`'s view is made from (docs/contract.md, section 4).
pub(super) fn seen_by<G: Game>(table: &Table<G>, observer: Observer) -> &G::State {
    match (table.game().node(table.released()), observer) {
        (Node::Sealed(_), _) => table.state(),
        (Node::Decision(seat), observer) if observer.is(seat) => table.state(),
        _ => table.released(),
    }
}

/// Returns what an action's verb does to the flow.
pub(super) fn kind_of<G: Game>(game: &G, action: ActionId) -> VerbKind {
    game.catalogue().actions.verb_of(action).map_or(VerbKind::Play, |verb| verb.kind)
}

/// Applies `action` and says whether the segment of its seat ends with it.
pub(super) fn advance<G: Game>(
    game: &G,
    state: &mut G::State,
    seat: Seat,
    action: ActionId,
    out: &mut Events,
) -> bool {
    let sealed = matches!(game.node(state), Node::Sealed(_));
    game.apply(state, seat, action, out);
    if sealed {
        return kind_of(game, action) == VerbKind::Done;
    }
    game.node(state) != Node::Decision(seat) || out.has_revealed()
}

/// A run of actions from a state, of one seat and within one segment.
#[derive(Clone, Debug)]
pub(super) struct Stretch<S> {
    pub(super) actions: Vec<ActionId>,
    /// The state after them.
    pub(super) after: S,
    /// True if the segment ends with the last one.
    pub(super) ended: bool,
    /// True if the last one revealed something to its seat, or made final what it did.
    pub(super) released: bool,
}

impl<S> Stretch<S> {
    fn take<G: Game<State = S>>(&mut self, game: &G, seat: Seat, action: ActionId) {
        let mut out = Events::silent();
        self.ended = advance(game, &mut self.after, seat, action, &mut out);
        self.released = out.has_released();
        self.actions.push(action);
    }
}

/// A random run of at most `max` actions of `seat`, which is to act; empty only at a dead end.
pub(super) fn stretch<G: Game>(
    game: &G,
    state: &G::State,
    seat: Seat,
    max: usize,
    rng: &mut ChaCha8Rng,
) -> Stretch<G::State> {
    let mut found = Stretch { actions: Vec::new(), after: state.clone(), ended: false, released: false };
    let mut legal = Vec::new();
    while found.actions.len() < max && !found.ended {
        game.legal(&found.after, seat, &mut legal);
        let Some(&action) = legal.get(below(legal.len().max(1) as u64, rng) as usize) else { break };
        found.take(game, seat, action);
    }
    found
}

/// A run of steps of `seat` to the end of its segment: random at first, then in a hurry.
pub(super) fn to_segment_end<G: Game>(
    game: &G,
    state: &G::State,
    seat: Seat,
    leisure: usize,
    limit: usize,
    rng: &mut ChaCha8Rng,
) -> Stretch<G::State> {
    let mut found = stretch(game, state, seat, leisure, rng);
    let mut legal = Vec::new();
    while found.actions.len() < limit && !found.ended {
        game.legal(&found.after, seat, &mut legal);
        let Some(action) = hurried(game, &legal) else { break };
        found.take(game, seat, action);
    }
    found
}

/// Returns the action of a player in a hurry, who passes or ends if they may, and never looks around.
fn hurried<G: Game>(game: &G, legal: &[ActionId]) -> Option<ActionId> {
    let ends = |action: &&ActionId| matches!(kind_of(game, **action), VerbKind::Pass | VerbKind::Done);
    let acts = |action: &&ActionId| kind_of(game, **action) != VerbKind::Navigate;
    legal.iter().find(ends).or_else(|| legal.iter().find(acts)).or(legal.first()).copied()
}

/// Plays a state at random to its end; `None` if that takes more than `limit` actions and outcomes, or no action is legal.
pub(super) fn play_out<G: Game>(game: &G, state: &G::State, limit: u32, rng: &mut ChaCha8Rng) -> Option<u32> {
    let mut state = state.clone();
    let mut legal = Vec::new();
    for length in 0..=limit {
        match game.node(&state) {
            Node::Over => return Some(length),
            Node::Chance => {
                let outcome = sampled(&game.chance(&state), rng);
                game.resolve(&mut state, &outcome, &mut Events::silent());
            }
            node => {
                let to_act: Vec<Seat> = node.to_act().iter().collect();
                let seat = to_act[pick(to_act.len(), rng)];
                game.legal(&state, seat, &mut legal);
                if legal.is_empty() {
                    return None;
                }
                let action = legal[pick(legal.len(), rng)];
                game.apply(&mut state, seat, action, &mut Events::silent());
            }
        }
    }
    None
}
