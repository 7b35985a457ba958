//! A course of play that is the same on both sides to everybody but one seat ([`Course`]).
//!
//! In the training game that seat's blocks have changed places with each other on one side: wherever one of its blocks marches
//! on the left, the one that stands there marches on the right. Nobody enters a space with enemies, so no face is turned up.
//! Before a choice is final that seat wanders about in drafts of its own on each side, and takes them back.

use edgehill_proto::v1::location::Place;
use edgehill_proto::v1::node_view::Node;
use edgehill_proto::v1::play_seats_request::Call;
use edgehill_proto::v1::{self, PassScope};

use crate::message::{batch, ids};
use crate::pair::Pair;
use crate::random::Random;
use crate::side::Side;

/// The static half of a game, as far as play needs it.
pub(crate) struct Game {
    notations: Vec<String>,
    spaces: Vec<String>,
    /// The names of the seats.
    seats: Vec<String>,
}

impl Game {
    pub(crate) fn new(game: &v1::Game, actions: &[v1::ActionDef]) -> Self {
        Self {
            notations: actions.iter().map(|action| action.notation.clone()).collect(),
            spaces: game.spaces.iter().map(|space| space.entry.as_ref().unwrap().id.clone()).collect(),
            seats: game.seats.iter().map(|seat| seat.id.clone()).collect(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.notations.len()
    }

    pub(crate) fn notation(&self, id: u32) -> &str {
        &self.notations[id as usize]
    }

    /// Returns whether an action commits to nothing, so that it can be taken back.
    fn is_free(&self, id: u32) -> bool {
        let verb = self.notation(id).split_whitespace().next().unwrap();
        let sealed = !self.notations.iter().any(|notation| notation == "go");
        if sealed { verb != "done" } else { ["card", "march", "take"].contains(&verb) }
    }

    fn id(&self, notation: &str) -> u32 {
        self.notations.iter().position(|one| one == notation).unwrap() as u32
    }
}

pub(crate) struct Course<'a> {
    pub(crate) pair: &'a mut Pair,
    pub(crate) game: &'a Game,
    pub(crate) random: Random,
    /// The places on the right of the blocks of the seat that hides them: that of strength n + 1 is where on
    /// the left the one of this strength is.
    pub(crate) blocks: [usize; 4],
    /// Number of further sealed choices of that seat that are the same on both sides; then one is not, and
    /// the course ends.
    pub(crate) alike: usize,
    /// Number of times that the two sides differed in something that was looked at.
    pub(crate) differences: usize,
    asked: usize,
}

impl<'a> Course<'a> {
    pub(crate) fn new(pair: &'a mut Pair, game: &'a Game, mut random: Random, alike: usize) -> Self {
        let mut blocks = [0, 1, 2, 3];
        for last in (1..blocks.len()).rev() {
            blocks.swap(last, random.below(last + 1));
        }
        let differences = usize::from(blocks != [0, 1, 2, 3]);
        Self { pair, game, random, blocks, alike, differences, asked: 0 }
    }

    /// Plays until the match is over, or the two sides have to differ in public.
    pub(crate) async fn play(&mut self, what: &str) {
        self.pair.caught_up(what).await;
        self.warm_up().await;
        self.look(what).await;
        loop {
            let (secret, other) = (self.pair.secret, self.pair.other());
            let legal = [self.pair.legal(0, secret).await, self.pair.legal(0, other).await];
            let acts = match (legal[0].is_empty(), legal[1].is_empty()) {
                (true, true) => return,
                (false, true) => secret,
                (true, false) => other,
                // The seat that chooses last shows both choices.
                (false, false) if self.alike == 0 => secret,
                (false, false) => self.random.below(2),
            };
            if acts == other {
                self.open_action(&legal[1], &legal[1], what).await;
            } else if self.secret_turn(!legal[1].is_empty(), what).await {
                // An action of the other seat before it commits itself is still answered alike.
                let legal = self.pair.legal(0, other).await;
                let drafts = legal.iter().copied().filter(|&id| self.game.notation(id) != "done");
                let drafts: Vec<u32> = drafts.collect();
                if !drafts.is_empty() {
                    self.open_action(&legal, &drafts, what).await;
                }
                self.look(what).await;
                return;
            }
            if self.pair.caught_up(what).await {
                return;
            }
            if self.random.percent(8) {
                self.look(what).await;
            }
        }
    }

    /// Each kind of call that the hiding seat may make later, once on both sides: what is counted by method has them then.
    async fn warm_up(&mut self) {
        let secret = self.pair.secret;
        for side in 0..2 {
            let legal = self.pair.legal(side, secret).await;
            let id = *legal.iter().find(|&&id| self.game.is_free(id)).unwrap();
            let side = &mut self.pair.sides[side];
            apply(side, secret, id).await;
            stand(side, secret).await;
            undo(side, secret, 0).await;
        }
    }

    async fn look(&mut self, what: &str) {
        self.pair.caught_up(what).await;
        self.pair.look(&mut self.random, self.game.len(), what).await;
    }

    /// One of these actions of the seat that hides nothing, which has these legal ones, on both sides, over its stream.
    async fn open_action(&mut self, legal: &[u32], among: &[u32], what: &str) {
        let other = self.pair.other();
        assert_eq!(legal, self.pair.legal(1, other).await, "{what}");
        let id = self.choose(among, other).await;
        self.asked += 1;
        let request = format!("open {}", self.asked);
        for side in &self.pair.sides {
            side.play(&request, Call::Apply(batch(ids(&[id])))).await;
        }
    }

    /// An action that brings no enemies together.
    async fn choose(&mut self, legal: &[u32], seat: usize) -> u32 {
        let enemies = self.enemies(seat).await;
        let is_peaceful = |notation: &str| match notation.split_whitespace().collect::<Vec<_>>()[..] {
            ["march", _, to] => !enemies.iter().any(|space| space == to),
            ["intercept", _] => false,
            _ => true,
        };
        let peaceful: Vec<u32> =
            legal.iter().copied().filter(|&id| is_peaceful(self.game.notation(id))).collect();
        *self.random.pick(&peaceful).unwrap()
    }

    /// Returns the places where a seat sees things of the other.
    async fn enemies(&self, seat: usize) -> Vec<String> {
        let board = self.pair.sides[0].view(seat).await.board.unwrap();
        let theirs = |owner: Option<u32>| owner.is_some_and(|owner| owner as usize != seat);
        let groups = board.groups.iter().filter(|group| group.count > 0 && theirs(group.owner));
        let pieces = board.pieces.iter().filter(|piece| theirs(piece.owner));
        let at =
            groups.filter_map(|group| group.at.as_ref()).chain(pieces.filter_map(|piece| piece.at.as_ref()));
        at.filter_map(space_of).map(|space| self.game.spaces[space as usize].clone()).collect()
    }

    /// A turn of the seat that hides something; whether the two sides have chosen differently for good. `first`: the other
    /// seat has not chosen yet, if it is asked too.
    async fn secret_turn(&mut self, first: bool, what: &str) -> bool {
        let secret = self.pair.secret;
        let sealed = self.is_sealed(secret).await;
        if self.random.percent(40) {
            self.wander(what).await;
        }
        if !sealed {
            self.action_or_march(secret).await;
            return false;
        }
        let final_difference = self.alike == 0 && first;
        self.alike = self.alike.saturating_sub(1);
        if !final_difference {
            let actions = self.commit(0, secret, None).await;
            self.commit(1, secret, Some(&actions)).await;
            return false;
        }
        let left = self.commit(0, secret, None).await;
        let right = self.commit(1, secret, None).await;
        self.differences += usize::from(left != right);
        true
    }

    async fn is_sealed(&self, seat: usize) -> bool {
        let turn_state = self.pair.sides[0].view(seat).await.turn_state.unwrap();
        matches!(turn_state.node.unwrap().node, Some(Node::Sealed(_)))
    }

    /// Takes actions on one side until the seat has committed: these, or any. Returns them.
    async fn commit(&mut self, side: usize, seat: usize, actions: Option<&[u32]>) -> Vec<u32> {
        let mut taken = Vec::new();
        loop {
            let legal = self.pair.legal(side, seat).await;
            if legal.is_empty() {
                return taken;
            }
            let id = match actions {
                Some(actions) => actions[taken.len()],
                None => *self.random.pick(&legal).unwrap(),
            };
            apply(&mut self.pair.sides[side], seat, id).await;
            taken.push(id);
            if self.game.notation(id) == "done" {
                return taken;
            }
        }
    }

    /// Goes some actions on one side, as many others as it likes on the other, and takes all of them back.
    async fn wander(&mut self, what: &str) {
        let secret = self.pair.secret;
        let before = self.pair.sides[0].view(secret).await.draft.len();
        let mut wandered = [0, 0];
        for (side, wandered) in wandered.iter_mut().enumerate() {
            for _ in 0..self.random.below(7) {
                let legal = self.pair.legal(side, secret).await;
                let free: Vec<u32> = legal.into_iter().filter(|&id| self.game.is_free(id)).collect();
                let Some(&id) = self.random.pick(&free) else { break };
                apply(&mut self.pair.sides[side], secret, id).await;
                *wandered += 1;
            }
            if *wandered > 0 && self.random.percent(50) {
                stand(&mut self.pair.sides[side], secret).await;
            }
        }
        let drafts =
            [self.pair.sides[0].view(secret).await.draft, self.pair.sides[1].view(secret).await.draft];
        self.differences += usize::from(drafts[0] != drafts[1]);
        if self.random.percent(50) {
            self.look(what).await;
        }
        for (side, wandered) in wandered.into_iter().enumerate() {
            if wandered > 0 {
                undo(&mut self.pair.sides[side], secret, before).await;
            }
        }
        if self.random.percent(20) {
            self.look(what).await;
        }
    }

    /// An action of an activation or a window; a march with all that goes along, on the right with the blocks' places changed.
    async fn action_or_march(&mut self, seat: usize) {
        let legal = self.pair.legal(0, seat).await;
        let id = self.choose(&legal, seat).await;
        for side in &mut self.pair.sides {
            apply(side, seat, id).await;
        }
        if !self.game.notation(id).starts_with("march ") {
            return;
        }
        let mut taken = Vec::new();
        loop {
            let legal = self.pair.legal(0, seat).await;
            let takes: Vec<u32> =
                legal.iter().copied().filter(|&id| self.game.notation(id).starts_with("take ")).collect();
            let go = legal.iter().any(|&id| self.game.notation(id) == "go");
            if takes.is_empty() || (go && self.random.percent(50)) {
                break;
            }
            let id = *self.random.pick(&takes).unwrap();
            apply(&mut self.pair.sides[0], seat, id).await;
            let (_, strength) = self.game.notation(id).rsplit_once('-').unwrap();
            taken.push(strength.parse::<usize>().unwrap());
        }
        let mut others: Vec<usize> = taken.iter().map(|strength| self.blocks[strength - 1] + 1).collect();
        others.sort_unstable();
        for strength in others {
            let id = self.game.id(&format!("take {}-{strength}", self.game.seats[seat]));
            apply(&mut self.pair.sides[1], seat, id).await;
        }
        let go = self.game.id("go");
        for side in &mut self.pair.sides {
            apply(side, seat, go).await;
        }
    }
}

/// The space that something is in.
fn space_of(at: &v1::Location) -> Option<u32> {
    match at.place {
        Some(Place::Space(space)) => Some(space),
        _ => None,
    }
}

pub(crate) async fn apply(side: &mut Side, seat: usize, id: u32) {
    let request = v1::ApplyActionsRequest {
        match_id: side.id.clone(),
        request_id: format!("secret {}", side.next()),
        batch: Some(batch(ids(&[id]))),
        ..v1::ApplyActionsRequest::default()
    };
    let token = side.tokens[seat].clone();
    let _: v1::ApplyActionsResponse = side.get("ApplyActions", &token, &request).await;
}

pub(crate) async fn undo(side: &mut Side, seat: usize, keep: usize) {
    let request = v1::UndoActionsRequest {
        match_id: side.id.clone(),
        request_id: format!("secret {}", side.next()),
        span: Some(v1::UndoSpan { keep_draft_actions: Some(keep as u32), ..v1::UndoSpan::default() }),
        ..v1::UndoActionsRequest::default()
    };
    let token = side.tokens[seat].clone();
    let _: v1::UndoActionsResponse = side.get("UndoActions", &token, &request).await;
}

/// Leaves word for a window that never opens.
pub(crate) async fn stand(side: &mut Side, seat: usize) {
    let request = v1::SetStandingPassesRequest {
        match_id: side.id.clone(),
        request_id: format!("secret {}", side.next()),
        standing_passes: vec![v1::StandingPass {
            window: "never".to_owned(),
            scope: PassScope::Always.into(),
            ..v1::StandingPass::default()
        }],
        ..v1::SetStandingPassesRequest::default()
    };
    let token = side.tokens[seat].clone();
    let _: v1::SetStandingPassesResponse = side.get("SetStandingPasses", &token, &request).await;
}
