//! A state from a view: what the view shows, and the rest dealt over what it leaves open.

use rand_core::Rng;

use crate::chance_source::below;
use crate::deck::CardSet;
use crate::event::Events;
use crate::flow::Frames;
use crate::game::Game;
use crate::reference::{Location, Ref};
use crate::seat::{Observer, Seat, SeatSet};
use crate::setup::Setup;
use crate::view::{HiddenSet, Marker, NodeView, PieceGroup, Procedure, View};

use super::catalogue::{
    BESIEGED, DECK, DISCARDS, FIRST, GAINED, HAND, LOST, MARKER, MINING_LEFT, PLAYED, QUARTERMASTER_LEFT,
    REMOVED, RESOLVED, SHOWN_CARD, STRENGTH, TACTIC, TURN, TURN_TRACK, WALLS,
};
use super::frames::Frame;
use super::state::{
    Block, EDGES, FREE, Fight, FightKind, NONE, POOL, Relief, SHOWN, Stage, State, UNMARKED, Verdict,
};
use super::view::announced::faults;
use super::{ThisWar, both};

/// Number of deals of the backs that are tried for one that public facts allow; then number of them from
/// which such a one is looked for by changes of places, and how many changes are tried from each.
const TRIES: usize = 256;
const CLIMBS: usize = 32;
const SWAPS: usize = 4_000;

pub(super) fn resample(game: &ThisWar, _: &Setup, view: &View, rng: &mut dyn Rng) -> State {
    let content = &game.content;
    let mut state = State::new(content);
    let marker = |at: Location, kind: u16| view.board.markers.get(&Marker { at, kind }).copied();
    state.turn = marker(Location::Track(TURN_TRACK), TURN).unwrap_or(0) as u8;
    state.player1 = Seat::new(u8::from(marker(Location::Seat(Seat::new(1)), FIRST).is_some()));
    for city in 0..content.cities.len() {
        let at = Location::Space(content.city_place(city as u8).into());
        state.siege[city] = match (marker(at, MARKER), marker(at, BESIEGED)) {
            (Some(value), _) => value as i8,
            (None, Some(_)) => UNMARKED,
            (None, None) => FREE,
        };
        if marker(at, RESOLVED).is_some() {
            state.resolved |= 1 << city;
        }
        state.walls |= marker(at, WALLS).is_some();
    }
    let stirred = |(up, kind): (bool, u16)| {
        (0..content.places() as u8)
            .find(|&at| marker(Location::Space(at.into()), kind).is_some())
            .map(|at| (at, up))
    };
    state.last = [(true, GAINED), (false, LOST)].into_iter().find_map(stirred);
    for side in 0..2u16 {
        let seat = Location::Seat(Seat::new(side as u8));
        let named = |area: &usize| marker(Location::Space(*area as u16), TACTIC + side).is_some();
        state.tactic[usize::from(side)] =
            (0..content.areas.len()).find(named).map_or(NONE, |area| area as u8);
        state.mining[usize::from(side)] = marker(seat, MINING_LEFT).is_some();
        state.exempt[usize::from(side)] = marker(seat, QUARTERMASTER_LEFT).unwrap_or(0) as u8;
    }
    (state.crossed, state.entered) = ([0; EDGES], [0; EDGES]);
    for (key, arrow) in &view.board.arrows {
        let edge = content.edges.iter().position(|&(from, to)| {
            key.from == Location::Space(from.into()) && key.to == Location::Space(to.into())
        });
        match (edge, arrow.refs.first()) {
            (Some(edge), Some(&Ref::Number(number))) => state.crossed[edge] = number as u8,
            (Some(edge), Some(&Ref::Seat(seat))) => state.entered[edge] = seat.index() as u8 + 1,
            _ => {}
        }
    }
    deal_cards(&mut state, view, rng);
    state.frames = Frames::default();
    for procedure in &view.turn_state.procedures {
        if procedure.frame == "fight" {
            state.fight = Some(fight(game, procedure));
        }
        if let Some(frame) = Frame::read(&game.content, procedure) {
            state.frames.open(frame);
        }
        traces(&mut state, procedure);
        shortages(&mut state, procedure);
    }
    stand_shown(game, &mut state, view);
    deal_blocks(game, &mut state, view, rng);
    match &view.turn_state.node {
        NodeView::Sealed { committed, .. } => choose(game, &mut state, view, *committed, rng),
        NodeView::Over(result) => {
            let winner = result.returns.iter().position(|&value| value > 0).unwrap_or(0);
            state.result = Some(Verdict { major: result.grade == "major", winner: Seat::new(winner as u8) });
        }
        _ => {}
    }
    state
}

fn shuffle<T>(items: &mut [T], rng: &mut dyn Rng) {
    for last in (1..items.len()).rev() {
        items.swap(last, below(last as u64 + 1, rng) as usize);
    }
}

/// The cards that nobody has seen of a side go over its hand, its discards and its deck.
fn deal_cards(state: &mut State, view: &View, rng: &mut dyn Rng) {
    let is_cards = |set: &&HiddenSet| set.faces.first().is_some_and(|(face, _)| matches!(face, Ref::Card(_)));
    for seat in both().iter() {
        let side = seat.index() as u16;
        let pile = |id: u16| view.board.piles.get(&(id + side)).cloned().unwrap_or_default();
        state.cards[seat.index()] = pile(SHOWN_CARD).cards.first().copied();
        state.played[seat.index()] = CardSet::of(pile(PLAYED).cards);
        state.removed[seat.index()] = CardSet::of(pile(REMOVED).cards);
        let (hand, discards) = (pile(HAND), pile(DISCARDS));
        let set = view.known.iter().filter(is_cards).find(|set| set.owner == Some(seat));
        let face =
            |&(face, _): &(Ref, Option<i32>)| if let Ref::Card(card) = face { Some(card) } else { None };
        let mut unseen: Vec<u16> = set.iter().flat_map(|set| set.faces.iter().filter_map(face)).collect();
        unseen.retain(|card| !hand.cards.contains(card) && !discards.cards.contains(card));
        shuffle(&mut unseen, rng);
        let mut draw = |shown: &[u16], count: u16| {
            let mut cards = CardSet::of(shown.iter().copied());
            while cards.len() < usize::from(count) {
                let Some(card) = unseen.pop() else { break };
                cards.insert(card);
            }
            cards
        };
        state.hands[seat.index()] = draw(&hand.cards, hand.count);
        state.discards[seat.index()] = draw(&discards.cards, discards.count);
        let deck = view.board.piles.get(&(DECK + side)).map_or(0, |pile| pile.count);
        state.decks[seat.index()] = draw(&[], deck);
    }
}

fn place_of(at: Location) -> u8 {
    match at {
        Location::Space(space) => space as u8,
        _ => POOL,
    }
}

/// Blocks that the view shows are where it shows them.
fn stand_shown(game: &ThisWar, state: &mut State, view: &View) {
    for (&index, piece) in &view.board.pieces {
        let strength = Marker { at: Location::Piece(index), kind: STRENGTH };
        let strength = view.board.markers.get(&strength).copied().unwrap_or(0) as u8;
        let block = &mut state.blocks[usize::from(index)];
        block.at = place_of(piece.at);
        block.flags = piece.flags as u16;
        block.by = piece.from.map_or(NONE, place_of);
        block.strength = strength;
        block.bag = index as u8;
        if block.flags & SHOWN != 0 {
            block.seen = strength;
        }
    }
    state.count_places(&game.content);
}

/// The bags: own blocks are where they are; of the others, each face goes to one of its bag's places. A deal that public facts
/// don't allow is dealt anew, so that what remains is as likely as the bags have it; where they allow hardly any, faces change
/// places until one is found.
fn deal_blocks(game: &ThisWar, state: &mut State, view: &View, rng: &mut dyn Rng) {
    let own = if let Observer::Seat(seat) = view.observer { Some(seat) } else { None };
    let open = state.clone();
    for attempt in 0..TRIES + CLIMBS {
        state.clone_from(&open);
        for set in &view.known {
            deal_bag(game, state, view, set, rng);
        }
        state.count_places(&game.content);
        let left = faults(game, state, own);
        if left == 0 || attempt >= TRIES && climb(game, state, own, left, rng) {
            return;
        }
    }
    debug_assert!(false, "a view that no deal agrees with: {}", faults(game, state, own));
}

/// Lets faces of a bag change places until public facts allow the deal, if it comes to that.
fn climb(game: &ThisWar, state: &mut State, own: Option<Seat>, mut left: u32, rng: &mut dyn Rng) -> bool {
    let hidden: Vec<usize> = (0..game.content.blocks.len())
        .filter(|&b| state.blocks[b].flags & SHOWN == 0 && Some(game.content.blocks[b].side) != own)
        .collect();
    // A block keeps its bag wherever it goes.
    let pairs: Vec<(usize, usize)> = hidden
        .iter()
        .flat_map(|&a| hidden.iter().map(move |&b| (a, b)))
        .filter(|&(a, b)| a < b && state.blocks[a].bag == state.blocks[b].bag)
        .collect();
    for _ in 0..SWAPS {
        if left == 0 || pairs.is_empty() {
            break;
        }
        let (a, b) = pairs[below(pairs.len() as u64, rng) as usize];
        let look = |block: usize| (state.blocks[block].sight(), state.blocks[block].strength);
        if look(a) == look(b) {
            continue;
        }
        let mut other = state.clone();
        change_places(game, &mut other, a, b);
        let now = faults(game, &other, own);
        // Now and then one that is worse, the seldomer the worse it is, so that no place is a trap.
        if now <= left || below(1 << (4 * (now - left).min(8)), rng) == 0 {
            (*state, left) = (other, now);
        }
    }
    left == 0
}

/// Two faces of a bag change places, and take each other's strength as far as they can.
pub(super) fn change_places(game: &ThisWar, state: &mut State, a: usize, b: usize) {
    let (x, y) = (state.blocks[a], state.blocks[b]);
    let fit = |strength: u8, block: usize| strength.min(game.content.blocks[block].strength);
    state.blocks[a] = Block { strength: fit(y.strength, a), seen: x.seen, bag: x.bag, ..y };
    state.blocks[b] = Block { strength: fit(x.strength, b), seen: y.seen, bag: y.bag, ..x };
    state.count_places(&game.content);
}

fn deal_bag(game: &ThisWar, state: &mut State, view: &View, set: &HiddenSet, rng: &mut dyn Rng) {
    let face = |&(face, seen): &(Ref, Option<i32>)| match face {
        Ref::Piece(block) => Some((usize::from(block), seen.unwrap_or(0) as u8)),
        _ => None,
    };
    let members: Vec<(usize, u8)> = set.faces.iter().filter_map(face).collect();
    let Some(&(first, _)) = members.first() else { return };
    let number = |code: &str| {
        let fact = set.facts.iter().find(|fact| fact.code == code).and_then(|fact| fact.refs.first());
        if let Some(&Ref::Number(number)) = fact { number as u8 } else { 0 }
    };
    let stir = [number("gained"), number("lost")];
    // Blocks that are known one by one are bags of their own: nothing tells the two apart.
    let whole = set.places.len() > 1 || stir != [0; 2];
    for &(block, seen) in &members {
        state.blocks[block].seen = seen;
        state.blocks[block].bag = if whole { first as u8 } else { block as u8 };
    }
    if whole {
        state.stir[first] = stir;
    }
    if set.owner.is_some_and(|owner| view.observer == Observer::Seat(owner)) {
        return;
    }
    let mut places: Vec<PieceGroup> = set
        .places
        .iter()
        .flat_map(|&(group, count)| std::iter::repeat_n(group, usize::from(count)))
        .collect();
    shuffle(&mut places, rng);
    let (mut up, mut down) = (u32::from(stir[0]), u32::from(stir[1]));
    let mut standing: Vec<usize> = Vec::new();
    for (&(block, seen), group) in members.iter().zip(&places) {
        let entry = &mut state.blocks[block];
        entry.at = place_of(group.at);
        entry.flags = group.flags as u16;
        entry.by = group.from.map_or(NONE, place_of);
        if entry.at == POOL {
            // A block in the pool has lost what it had.
            entry.strength = 0;
            down = down.saturating_sub(u32::from(seen));
        } else {
            entry.strength = seen.clamp(1, game.content.blocks[block].strength);
            standing.push(block);
        }
    }
    while (up > 0 || down > 0) && !standing.is_empty() {
        let gains = below(u64::from(up + down), rng) < u64::from(up);
        let able = |block: &usize| {
            let strength = state.blocks[*block].strength;
            if gains { strength < game.content.blocks[*block].strength } else { strength > 1 }
        };
        let able: Vec<usize> = standing.iter().copied().filter(able).collect();
        if able.is_empty() {
            // Strength that nobody can take, another bag's story has taken.
            if gains {
                up = if down > 0 { up } else { 0 };
                down = down.saturating_sub(1);
            } else {
                down = if up > 0 { down } else { 0 };
                up = up.saturating_sub(1);
            }
            continue;
        }
        let block = able[below(able.len() as u64, rng) as usize];
        if gains {
            state.blocks[block].strength += 1;
            up -= 1;
        } else {
            state.blocks[block].strength -= 1;
            down -= 1;
        }
    }
}

/// Restores where own blocks of the action under way came from.
fn traces(state: &mut State, procedure: &Procedure) {
    let mut went = None;
    for role in &procedure.roles {
        match (*role, went) {
            (("went", Ref::Piece(block)), _) => went = Some(usize::from(block)),
            (("began", Ref::Space(place)), Some(block)) => state.blocks[block].began = place as u8,
            (("via", Ref::Space(area)), Some(block)) => state.blocks[block].via = area as u8,
            _ => {}
        }
    }
}

/// Restores what was announced of the Areas whose Supply is still to come.
fn shortages(state: &mut State, procedure: &Procedure) {
    let pairs = procedure.roles.windows(2).filter(|_| procedure.frame == "supply");
    for role in pairs {
        if let [("area", Ref::Space(area)), ("short", Ref::Number(short))] = *role {
            state.short[usize::from(area)] = short as u8;
        }
    }
}

struct Roles<'a>(&'a Procedure);

impl Roles<'_> {
    fn seat(&self, role: &str) -> Seat {
        if let Some(Ref::Seat(seat)) = self.0.role(role) { seat } else { Seat::new(0) }
    }

    fn number(&self, role: &str) -> u8 {
        if let Some(Ref::Number(number)) = self.0.role(role) { number as u8 } else { 0 }
    }

    fn flag(&self, role: &str) -> bool {
        self.number(role) != 0
    }

    fn space(&self, role: &str) -> u8 {
        if let Some(Ref::Space(space)) = self.0.role(role) { space as u8 } else { 0 }
    }

    fn piece(&self, role: &str) -> u8 {
        if let Some(Ref::Piece(block)) = self.0.role(role) { block as u8 } else { NONE }
    }

    fn set(&self, role: &str) -> u64 {
        let bit = |what: Ref| match what {
            Ref::Piece(block) => 1u64 << block,
            Ref::Space(area) => 1u64 << area,
            _ => 0,
        };
        self.0.roles(role).fold(0, |set, what| set | bit(what))
    }
}

fn fight(game: &ThisWar, procedure: &Procedure) -> Fight {
    let of = Roles(procedure);
    let kind = [FightKind::Battle, FightKind::SallyBattle, FightKind::Sally, FightKind::Storm]
        [usize::from(of.number("kind")).min(3)];
    let relief = [Relief::None, Relief::Unmarked, Relief::Maintained, Relief::Broken]
        [usize::from(of.number("relief")).min(3)];
    let stage = Stage::ALL[usize::from(procedure.stage).min(Stage::ALL.len() - 1)];
    let city = procedure.role("city").and_then(|_| game.content.city_at(of.space("city")));
    let attacker = of.seat("attacker");
    Fight {
        swapped: of.flag("swapped"),
        main: procedure.role("main").map_or(NONE, |_| of.space("main")),
        relief,
        round: of.number("round"),
        tried: of.flag("tried"),
        horse: [of.number("defending-horse"), of.number("attacking-horse")],
        guns: of.flag("guns"),
        horse_only: of.flag("horse-only"),
        withdrawn: of.flag("withdrawn"),
        waits: of.flag("waits"),
        owed: of.number("owed"),
        force: of.number("force"),
        breach: of.flag("breach"),
        ask: of.number("ask"),
        stand: ["stand-royalist", "stand-parliament"].map(|role| of.piece(role)),
        well: ["well-royalist", "well-parliament"].map(|role| of.piece(role)),
        halves: of.set("half"),
        declared: of.set("declared"),
        at_horse: of.set("at-horse"),
        hits: [of.number("hits-horse"), of.number("hits-foot"), of.number("hits-any")],
        spill: of.flag("spill"),
        struck: procedure.role("struck").map_or(attacker, |_| of.seat("struck")),
        loser: procedure.role("loser").map(|_| of.seat("loser")),
        touched: of.set("touched"),
        goal: procedure.role("regroup-to").map_or(of.piece("firing"), |_| of.space("regroup-to")),
        ..Fight::new(kind, stage, of.space("area"), city.unwrap_or(NONE), attacker)
    }
}

/// The own draft is replayed; who else has committed has picked something.
fn choose(game: &ThisWar, state: &mut State, view: &View, committed: SeatSet, rng: &mut dyn Rng) {
    let wanted = game.wanted(state);
    for seat in committed.iter().filter(|&seat| !view.observer.is(seat)) {
        let mut hand: Vec<u16> = state.hands[seat.index()].iter().collect();
        shuffle(&mut hand, rng);
        hand.truncate(wanted);
        state.choosing[seat.index()] = super::state::Choosing { picks: CardSet::of(hand), committed: true };
    }
    if let Observer::Seat(seat) = view.observer {
        for &action in &view.draft {
            if game.permits(state, seat, action) {
                game.apply_action(state, seat, game.actions.get(action), &mut Events::silent());
            }
        }
    }
}
