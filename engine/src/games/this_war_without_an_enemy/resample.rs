//! A state from a view: what the view shows, and the rest dealt over what it leaves open.

use rand_core::Rng;

use crate::chance_source::{below, shuffle};
use crate::deck::CardSet;
use crate::event::Events;
use crate::flow::{FrameField, Frames, Side};
use crate::game::Game;
use crate::numbered::Listed;
use crate::reference::{Location, Ref};
use crate::seat::{Observer, Seat, SeatSet};
use crate::setup::Setup;
use crate::view::{HiddenSet, Marker, NodeView, PieceGroup, Procedure, View};

use super::catalogue::{
    BESIEGED, DECK, DISCARDS, FIRST, GAINED, HAND, LOST, MARKER, MINING_LEFT, PLAYED, QUARTERMASTER_LEFT,
    REMOVED, RESOLVED, SHOWN_CARD, STRENGTH, TACTIC, TURN, TURN_TRACK, WALLS,
};
use super::content::Content;
use super::content::things::{AreaId, BlockId, CityId, Place};
use super::frames::Frame;
use super::state::{
    Block, CROSSINGS, FREE, Fight, FightKind, Flags, Goal, Relief, Stage, State, UNMARKED, Verdict,
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
    for city in CityId::all(content) {
        let at = content.city_place(city).location();
        state.siege[city] = match (marker(at, MARKER), marker(at, BESIEGED)) {
            (Some(value), _) => value as i8,
            (None, Some(_)) => UNMARKED,
            (None, None) => FREE,
        };
        if marker(at, RESOLVED).is_some() {
            state.resolved.insert(city);
        }
        state.walls |= marker(at, WALLS).is_some();
    }
    let stirred = |(up, kind): (bool, u16)| {
        let mut places = (0..content.places()).map(Place::new);
        places.find(|at| marker(at.location(), kind).is_some()).map(|at| (at, up))
    };
    state.last = [(true, GAINED), (false, LOST)].into_iter().find_map(stirred);
    for side in 0..2 {
        let seat = Location::Seat(Seat::new(side as u8));
        let named = |&area: &AreaId| marker(Place::from(area).location(), TACTIC + side as u16).is_some();
        state.tactic[side] = AreaId::all(content).find(named);
        state.mining[side] = marker(seat, MINING_LEFT).is_some();
        state.exempt[side] = marker(seat, QUARTERMASTER_LEFT).unwrap_or(0) as u8;
    }
    (state.crossed, state.entered) = ([0; CROSSINGS], [0; CROSSINGS]);
    for (key, arrow) in &view.board.arrows {
        let (from, to) = (content.area_in(key.from), content.area_in(key.to));
        let crossing = content.crossings.iter().position(|way| (Some(way.0), Some(way.1)) == (from, to));
        match (crossing, arrow.refs.first()) {
            (Some(crossing), Some(&Ref::Number(number))) => state.crossed[crossing] = number as u8,
            (Some(crossing), Some(&Ref::Seat(seat))) => state.entered[crossing] = seat.index() as u8 + 1,
            _ => {}
        }
    }
    deal_cards(&mut state, view, rng);
    state.frames = Frames::default();
    for procedure in &view.turn_state.procedures {
        if procedure.frame == "fight" {
            state.fight = fight(content, procedure);
        }
        if let Some(frame) = Frame::read(&game.content, procedure) {
            state.frames.open(frame);
        }
        traces(content, &mut state, procedure);
        shortages(content, &mut state, procedure);
    }
    stand_shown(content, &mut state, view);
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

fn place_of(content: &Content, at: Location) -> Place {
    Place::referred(content, at.into()).unwrap_or(Place::POOL)
}

/// Blocks that the view shows are where it shows them.
fn stand_shown(content: &Content, state: &mut State, view: &View) {
    for (&index, piece) in &view.board.pieces {
        let strength = Marker { at: Location::Piece(index), kind: STRENGTH };
        let strength = view.board.markers.get(&strength).copied().unwrap_or(0) as u8;
        let id = BlockId::new(index.into());
        let block = &mut state.blocks[id];
        block.at = place_of(content, piece.at);
        block.flags = Flags::from_bits_truncate(piece.flags as u16);
        block.by = piece.from.and_then(|from| content.area_in(from));
        block.strength = strength;
        block.bag = id;
        if block.flags.contains(Flags::SHOWN) {
            block.seen = strength;
        }
    }
    state.count_places(content);
}

/// The bags: own blocks are where they are; of the others, each face goes to one of its bag's places. A deal that public facts
/// don't allow is dealt anew, so that what remains is as likely as the bags have it; where they allow hardly any, faces change
/// places until one is found.
fn deal_blocks(game: &ThisWar, state: &mut State, view: &View, rng: &mut dyn Rng) {
    let own = if let Observer::Seat(seat) = view.observer { Some(seat) } else { None };
    let open = state.clone();
    for attempt in 0..TRIES + CLIMBS {
        state.clone_from(&open);
        for set in view.known.iter() {
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
    let hidden: Vec<BlockId> = BlockId::all(&game.content)
        .filter(|&b| {
            !state.blocks[b].flags.contains(Flags::SHOWN) && Some(game.content.blocks[b].side) != own
        })
        .collect();
    // A block keeps its bag wherever it goes.
    let pairs: Vec<(BlockId, BlockId)> = hidden
        .iter()
        .flat_map(|&a| hidden.iter().map(move |&b| (a, b)))
        .filter(|&(a, b)| a < b && state.blocks[a].bag == state.blocks[b].bag)
        .collect();
    for _ in 0..SWAPS {
        if left == 0 || pairs.is_empty() {
            break;
        }
        let (a, b) = pairs[below(pairs.len() as u64, rng) as usize];
        let look = |block: BlockId| (state.blocks[block].sight(), state.blocks[block].strength);
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
pub(super) fn change_places(game: &ThisWar, state: &mut State, a: BlockId, b: BlockId) {
    let (x, y) = (state.blocks[a], state.blocks[b]);
    let fit = |strength: u8, block: BlockId| strength.min(game.content.blocks[block].strength);
    state.blocks[a] = Block { strength: fit(y.strength, a), seen: x.seen, bag: x.bag, ..y };
    state.blocks[b] = Block { strength: fit(x.strength, b), seen: y.seen, bag: y.bag, ..x };
    state.count_places(&game.content);
}

fn deal_bag(game: &ThisWar, state: &mut State, view: &View, set: &HiddenSet, rng: &mut dyn Rng) {
    let face = |&(face, seen): &(Ref, Option<i32>)| match face {
        Ref::Piece(block) => Some((BlockId::new(block.into()), seen.unwrap_or(0) as u8)),
        _ => None,
    };
    let members: Vec<(BlockId, u8)> = set.faces.iter().filter_map(face).collect();
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
        state.blocks[block].bag = if whole { first } else { block };
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
    let mut standing: Vec<BlockId> = Vec::new();
    for (&(block, seen), group) in members.iter().zip(&places) {
        let entry = &mut state.blocks[block];
        entry.at = place_of(&game.content, group.at);
        entry.flags = Flags::from_bits_truncate(group.flags as u16);
        entry.by = group.from.and_then(|from| game.content.area_in(from));
        if entry.at == Place::POOL {
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
        let able = |block: &BlockId| {
            let strength = state.blocks[*block].strength;
            if gains { strength < game.content.blocks[*block].strength } else { strength > 1 }
        };
        let able: Vec<BlockId> = standing.iter().copied().filter(able).collect();
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
fn traces(content: &Content, state: &mut State, procedure: &Procedure) {
    let mut went = None;
    for &(role, what) in &procedure.roles {
        match (role, went) {
            ("went", _) => went = BlockId::referred(content, what),
            ("began", Some(block)) => state.blocks[block].began = AreaId::referred(content, what),
            ("via", Some(block)) => state.blocks[block].via = AreaId::referred(content, what),
            _ => {}
        }
    }
}

/// Restores what was announced of the Areas whose Supply is still to come.
fn shortages(content: &Content, state: &mut State, procedure: &Procedure) {
    let pairs = procedure.roles.windows(2).filter(|_| procedure.frame == "supply");
    for role in pairs {
        if let [("area", area), ("short", Ref::Number(short))] = *role
            && let Some(area) = AreaId::referred(content, area)
        {
            state.short[area] = short as u8;
        }
    }
}

fn fight(content: &Content, procedure: &Procedure) -> Option<Fight> {
    let number =
        |role: &str| if let Some(Ref::Number(number)) = procedure.role(role) { number as u8 } else { 0 };
    let flag = |role: &str| number(role) != 0;
    let seat = |role: &str| Side::read(content, role, procedure);
    let area = |role: &str| AreaId::read(content, role, procedure);
    let block = |role: &str| BlockId::read(content, role, procedure);
    let blocks =
        |role: &str| procedure.roles(role).filter_map(|what| BlockId::referred(content, what)).collect();
    let city = procedure.role("city").and_then(|city| CityId::referred(content, city));
    let kind = *FightKind::ALL.get(usize::from(number("kind")))?;
    let stage = *Stage::ALL.get(usize::from(procedure.stage))?;
    let attacker = seat("attacker")?;
    Some(Fight {
        swapped: flag("swapped"),
        main: area("main"),
        relief: *Relief::ALL.get(usize::from(number("relief")))?,
        round: number("round"),
        tried: flag("tried"),
        horse: [number("defending-horse"), number("attacking-horse")],
        guns: flag("guns"),
        horse_only: flag("horse-only"),
        withdrawn: flag("withdrawn"),
        waits: flag("waits"),
        owed: number("owed"),
        force: number("force"),
        breach: flag("breach"),
        ask: both()
            .iter()
            .filter(|seat| number("ask") >> seat.index() & 1 != 0)
            .fold(SeatSet::EMPTY, SeatSet::with),
        stand: ["stand-royalist", "stand-parliament"].map(block),
        well: ["well-royalist", "well-parliament"].map(block),
        halves: blocks("half"),
        declared: blocks("declared"),
        at_horse: blocks("at-horse"),
        hits: [number("hits-horse"), number("hits-foot"), number("hits-any")],
        spill: flag("spill"),
        struck: seat("struck").unwrap_or(attacker),
        loser: seat("loser"),
        touched: procedure.roles("touched").filter_map(|what| AreaId::referred(content, what)).collect(),
        goal: area("regroup-to").map(Goal::from).or(block("firing").map(Goal::from)).unwrap_or(Goal::NONE),
        ..Fight::new(kind, stage, area("area")?, city, attacker)
    })
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
