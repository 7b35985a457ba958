//! Law `course`: two matches that a seat can't tell apart stay so under the same public course, event for event.
//!
//! A true match and its scrambled twin get the same actions of the seat, the same actions of the others where both allow them,
//! and the same outcomes. They may part only where something is shown: both then publish the same kind of fact about different
//! things, and it shows on the board or afterwards, or where a rule announces it ([`Game::announces`]). A fact that only one of them publishes, one that differs although nothing else does,
//! or a prompt, a window or a turn that differs after equal facts, is a leak.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;

use crate::action::ActionId;
use crate::catalogue::Catalogue;
use crate::chance_source::{ChanceSource, sampled};
use crate::game::{Game, Node};
use crate::reference::Ref;
use crate::seat::{Observer, Seat, SeatSet};
use crate::table::{ApplyMode, ObservedEvent, Table};
use crate::view::{Board, View};

use super::facts::{Fact, fact_difference, facts};
use super::failure::{broken_for, difference, same, same_list, same_view};
use super::segment::pick;
use super::{Law, LawResult};

/// Number of calls for which a pair is followed.
const CALLS: usize = 24;
/// Number of steps of another seat, and of outcomes, that are tried before a pair is left.
const TRIES: usize = 6;

/// The relation of two matches in the eyes of a seat.
enum Standing {
    Equal,
    Parted,
}

/// Follows the match and a twin of it for each seat. Returns how many calls were compared in pairs of different states.
///
/// # Errors
/// If something is published, shown or allowed to a seat in one of the two only.
pub fn course<G: Game>(table: &Table<G>, rng: &mut ChaCha8Rng) -> LawResult<u32> {
    let game = table.game();
    let mut compared = 0;
    if table.node() == Node::Over {
        return Ok(0);
    }
    for index in 0..table.seats() {
        let seat = Seat::new(index as u8);
        let observer = Observer::Seat(seat);
        let Some(state) = start(table, seat) else { continue };
        let secret = table.state() != table.released();
        let twin = game.scramble(state, seat, rng);
        if twin == *state || game.view(&twin, observer) != game.view(state, observer) {
            continue;
        }
        let open = |state| {
            Table::from_state(Arc::clone(game), table.setup().clone(), None, state, ChanceSource::Manual)
        };
        let mut pair = Pair { left: open(state.clone()), right: open(twin), seat, secret };
        for _ in 0..CALLS {
            match pair.go_on(rng)? {
                Standing::Equal => compared += 1,
                Standing::Parted => break,
            }
        }
    }
    Ok(compared)
}

/// The state that a pair starts from: one without drafts, but that others may have committed theirs already, which `seat` may not
/// know.
fn start<G: Game>(table: &Table<G>, seat: Seat) -> Option<&G::State> {
    if table.state() == table.released() {
        return Some(table.released());
    }
    let is_open = |other: &Seat| !table.committed(*other) && !table.draft(*other).is_empty();
    let drafting = SeatSet::first(table.seats()).iter().any(|other| is_open(&other));
    let waiting = matches!(table.node(), Node::Sealed(to_act) if to_act.contains(seat));
    (waiting && !drafting).then(|| table.state())
}

/// Two matches that `seat` can't tell apart so far.
struct Pair<G: Game> {
    left: Table<G>,
    right: Table<G>,
    seat: Seat,
    /// True if others have committed choices before the two matches begin, which need not be the same.
    secret: bool,
}

impl<G: Game> Pair<G> {
    fn copy(&self) -> Self {
        Self { left: self.left.clone(), right: self.right.clone(), seat: self.seat, secret: self.secret }
    }

    /// One call more on both.
    fn go_on(&mut self, rng: &mut ChaCha8Rng) -> LawResult<Standing> {
        let observer = Observer::Seat(self.seat);
        let acts = |table: &Table<G>| table.node().to_act().contains(self.seat);
        same(
            Law::Course,
            Some(observer),
            "it is to act in one of two equal matches only",
            &acts(&self.left),
            &acts(&self.right),
        )?;
        match self.left.node() {
            Node::Over => Ok(Standing::Parted),
            Node::Chance => self.same_outcome(rng),
            node => {
                let to_act: Vec<Seat> = node.to_act().iter().collect();
                let seat = to_act[pick(to_act.len(), rng)];
                if seat == self.seat { self.own_action(rng) } else { self.action_of(seat, rng) }
            }
        }
    }

    fn own_action(&mut self, rng: &mut ChaCha8Rng) -> LawResult<Standing> {
        let (legal, twin) = (self.left.legal(self.seat), self.right.legal(self.seat));
        let observer = Observer::Seat(self.seat);
        let catalogue = self.left.game().catalogue();
        same_list(Law::Course, observer, "the lists of two equal matches differ", catalogue, &legal, &twin)?;
        let Some(&action) = legal.get(pick(legal.len().max(1), rng)) else { return Ok(Standing::Parted) };
        self.both(|table, seat| table.apply(seat, &[action], ApplyMode::Atomic).is_ok(), self.seat)
    }

    /// An action of another seat that both allow and after which they still look the same, if one is found.
    fn action_of(&mut self, other: Seat, rng: &mut ChaCha8Rng) -> LawResult<Standing> {
        let twin = self.right.legal(other);
        let both: Vec<ActionId> =
            self.left.legal(other).into_iter().filter(|action| twin.contains(action)).collect();
        for _ in 0..TRIES.min(both.len()) {
            let action = both[pick(both.len(), rng)];
            let mut tried = self.copy();
            let standing =
                tried.both(|table, seat| table.apply(seat, &[action], ApplyMode::Atomic).is_ok(), other)?;
            if let Standing::Equal = standing {
                *self = tried;
                return Ok(Standing::Equal);
            }
        }
        Ok(Standing::Parted)
    }

    fn same_outcome(&mut self, rng: &mut ChaCha8Rng) -> LawResult<Standing> {
        if self.right.node() != Node::Chance {
            return Ok(Standing::Parted);
        }
        let game = Arc::clone(self.left.game());
        let (chance, twin) = (game.chance(self.left.state()), game.chance(self.right.state()));
        for _ in 0..TRIES {
            let outcome = sampled(&chance, rng);
            if twin.admits(&outcome).is_err() {
                continue;
            }
            let mut tried = self.copy();
            if let Standing::Equal = tried.both(|table, _| table.enter(&outcome).is_ok(), self.seat)? {
                *self = tried;
                return Ok(Standing::Equal);
            }
        }
        Ok(Standing::Parted)
    }

    /// Makes one call on both and compares what was published to the seat and what it sees.
    fn both(&mut self, call: impl Fn(&mut Table<G>, Seat) -> bool, caller: Seat) -> LawResult<Standing> {
        let observer = Observer::Seat(self.seat);
        let from = self.left.published_count(observer);
        let before = self.left.view(observer);
        let was_sealed = matches!(self.left.node(), Node::Sealed(_));
        let done = (call(&mut self.left, caller), call(&mut self.right, caller));
        same(
            Law::Course,
            Some(observer),
            "a call is refused in one of two equal matches only",
            &done.0,
            &done.1,
        )?;
        let (news, twin_news) = (self.left.published(observer, from), self.right.published(observer, from));
        if news == twin_news {
            let views = (self.left.view(observer), self.right.view(observer));
            let catalogue = self.left.game().catalogue();
            same_view(Law::Course, "views differ after equal events", catalogue, &views.0, &views.1)?;
            return Ok(Standing::Equal);
        }
        if announced(&**self.left.game(), news, twin_news) {
            return Ok(Standing::Parted);
        }
        if self.secret && was_sealed {
            return revealed(self.left.game().catalogue(), &before, news, twin_news);
        }
        if self.left.view(observer) == self.right.view(observer) && !it_showed(&before, news, twin_news) {
            return leak(self.left.game().catalogue(), observer, news, twin_news);
        }
        parted(self.left.game().catalogue(), &before, news, twin_news)
    }
}

/// Returns whether the first facts that differ made a difference to what lies on the board, if only for a moment.
fn it_showed(before: &View, news: &[ObservedEvent], twin_news: &[ObservedEvent]) -> bool {
    let (left, right) = at_parting(before, &facts(news), &facts(twin_news));
    left != right
}

/// The boards after the first facts that differ.
fn at_parting(before: &View, news: &[Fact], twin_news: &[Fact]) -> (Board, Board) {
    let (mut left, mut right) = (before.board.clone(), before.board.clone());
    for (a, b) in news.iter().zip(twin_news) {
        a.changes.iter().for_each(|change| left.fold(change));
        b.changes.iter().for_each(|change| right.fold(change));
        if a != b {
            break;
        }
    }
    (left, right)
}

/// Returns whether the first facts that differ are a rule's own announcement in one of two matches.
fn announced<G: Game>(game: &G, news: &[ObservedEvent], twin_news: &[ObservedEvent]) -> bool {
    let (left, right) = (facts(news), facts(twin_news));
    let same = left.iter().zip(&right).take_while(|(a, b)| a == b).count();
    [left.get(same), right.get(same)].into_iter().flatten().any(|fact| game.announces(fact.code))
}

/// Two matches may part where both publish the same kind of fact about different things.
fn parted(
    catalogue: &Catalogue,
    before: &View,
    news: &[ObservedEvent],
    twin_news: &[ObservedEvent],
) -> LawResult<Standing> {
    let (left, right) = (facts(news), facts(twin_news));
    match left.iter().zip(&right).find(|(a, b)| a != b) {
        Some((a, b)) if a.code == b.code && a.rule == b.rule && a.chance_ref == b.chance_ref => {
            let boards = at_parting(before, &left, &right);
            equal_counts(catalogue, before, a, &boards)?;
            Ok(Standing::Parted)
        }
        _ => leak(catalogue, before.observer, news, twin_news),
    }
}

/// Two matches part where different choices are revealed, of whatever kind; of the same kind, they are about as many cards.
fn revealed(
    catalogue: &Catalogue,
    before: &View,
    news: &[ObservedEvent],
    twin_news: &[ObservedEvent],
) -> LawResult<Standing> {
    let (left, right) = (facts(news), facts(twin_news));
    if let Some((a, _)) = left.iter().zip(&right).find(|(a, b)| a != b).filter(|(a, b)| a.code == b.code) {
        equal_counts(catalogue, before, a, &at_parting(before, &left, &right))?;
    }
    Ok(Standing::Parted)
}

/// Which cards a hidden pile has is a secret, and how many it has is none: a fact leaves as many there as its twin does. Where it names a
/// card that it shows, in which of its owner's piles that card lay is shown with it: then all of an owner's piles count together.
fn equal_counts(
    catalogue: &Catalogue,
    before: &View,
    fact: &Fact,
    (left, right): &(Board, Board),
) -> LawResult {
    let hidden = before.board.piles.iter().filter(|(_, pile)| pile.cards.len() < usize::from(pile.count));
    let shows_a_card = fact.refs.iter().any(|what| matches!(what, Ref::Card(_)));
    for (&id, _) in hidden {
        let owner = catalogue.piles[usize::from(id)].owner.filter(|_| shows_a_card);
        let together = |other: u16| match owner {
            Some(_) => catalogue.piles[usize::from(other)].owner == owner,
            None => other == id,
        };
        let count = |board: &Board| -> u32 {
            let piles = board.piles.iter().filter(|(other, _)| together(**other));
            piles.map(|(_, pile)| u32::from(pile.count)).sum()
        };
        let (here, there) = (count(left), count(right));
        if here != there {
            let pile = catalogue.id_of(Ref::Pile(id));
            let detail = format!(
                "after event `{}` pile `{pile}` has {here} cards, and {there} in a match that looked the same",
                fact.code
            );
            return broken_for(Law::Course, before.observer, detail);
        }
    }
    Ok(())
}

fn leak<T>(
    catalogue: &Catalogue,
    observer: Observer,
    news: &[ObservedEvent],
    twin_news: &[ObservedEvent],
) -> LawResult<T> {
    let what = "after the same public course one match publishes or shows something that its twin does not";
    let told = fact_difference(catalogue, &facts(news), &facts(twin_news));
    let told = told.unwrap_or_else(|| difference(news, twin_news));
    broken_for(Law::Course, observer, format!("{what}: {told}"))
}
