//! A state from a view: since nothing is hidden, it is the state that the view shows, bit for bit.

use crate::flow::Frames;
use crate::reference::{Location, Ref};
use crate::setup::Setup;
use crate::view::{Marker, NodeView, Procedure, View};

use super::actions::{TARGETS, Target};
use super::catalogue::names::*;
use super::content::{ARMIES, CARDS, Content, DEVILTRY, FORTS, REVOLTS, TRACKS};
use super::frames::Frame;
use super::state::line::{Battle, Outcome, Place, SLOTS, Stage};
use super::state::*;
use super::{CruelNecessity, PLAYER};

pub(super) fn resample(game: &CruelNecessity, setup: &Setup, view: &View) -> State {
    let mut state = game.set_up(setup);
    let reader = Reader { content: &game.content, view };
    reader.tracks(&mut state);
    reader.units(&mut state);
    reader.piles(&mut state);
    reader.formations(&mut state);
    reader.rights(&mut state);
    reader.flow(&mut state);
    if let NodeView::Over(result) = &view.turn_state.node {
        state.verdict = Some(match result.code {
            "london_lost" => Verdict::London,
            "four_f" => Verdict::Grades,
            _ => Verdict::Finished,
        });
    }
    state
}

struct Reader<'a> {
    content: &'a Content,
    view: &'a View,
}

impl Reader<'_> {
    fn number(&self, at: Location, kind: u16) -> i32 {
        self.view.board.markers.get(&Marker { at, kind }).copied().unwrap_or(0)
    }

    fn tracks(&self, state: &mut State) {
        for track in 0..TRACKS {
            let at = Location::Track(track as u16);
            state.tracks[track] = self.number(at, M_BOX) as u8;
            state.drm[track] = self.number(at, M_DRM) as i8;
        }
        let column = |column: &u8| self.number(Location::Track(3 + u16::from(*column)), M_TROUBLES) == 1;
        state.troubles = (0..3).find(column).unwrap_or(0);
        state.zeal = self.number(Location::Track(TRACK_ZEAL), M_ZEAL) as u8;
        state.turn = self.number(Location::Track(TRACK_TURN), M_TURN) as u8;
        state.war = (self.number(Location::Track(TRACK_TURN), M_WAR) - 1) as u8;
        let marked = |target: &u8| {
            let at = match Target::of(*target) {
                Target::Track(track) => Location::Track(track.into()),
                target => Location::Piece(target.number().into()),
            };
            self.number(at, M_ZEAL_MARKER) == 1
        };
        state.zeal_on = (0..TARGETS as u8).find(marked).unwrap_or(NONE);
    }

    /// Region and area of a space.
    fn area(&self, at: Location) -> Option<(usize, u8)> {
        match at {
            Location::Space(space) if space < SPACE_LONDON => {
                Some((usize::from(space) / 5, (space % 5) as u8 + 1))
            }
            _ => None,
        }
    }

    fn units(&self, state: &mut State) {
        let board = &self.view.board;
        for army in 0..ARMIES {
            let Some(piece) = board.pieces.get(&(army as u16)) else { continue };
            state.armies[army] = Army {
                area: self.area(piece.at).map_or(0, |(_, area)| area),
                disordered: piece.flags & FLAG_DISORDERED != 0,
                markers: self.number(Location::Piece(army as u16), M_MARKER) as i8,
                counter: piece.kind as u8,
            };
        }
        for fort in 0..FORTS {
            let id = Target::Fort(fort as u8).number().into();
            let Some(piece) = board.pieces.get(&id) else { continue };
            state.forts[fort] = Fort {
                royalist: piece.kind == kind_fort(self.content, true),
                click: self.number(Location::Piece(id), M_CLICK) as u8,
                fortified: self.number(Location::Piece(id), M_FORTIFIED) as u8,
            };
        }
        for revolt in 0..REVOLTS {
            let id: u16 = Target::Revolt(revolt as u8).number().into();
            let area = board.pieces.get(&id).and_then(|piece| self.area(piece.at));
            state.revolts[revolt] = area.map_or(0, |(region, area)| 8 * region as u8 + area);
        }
        let there = |marker: &usize| {
            let id: u16 = Target::Deviltry(*marker as u8).number().into();
            board.pieces.contains_key(&id)
        };
        state.deviltry = (0..DEVILTRY).filter(there).fold(0, |set, marker| set | 1 << marker);
    }

    fn cards(&self, pile: u16, first: u16) -> u64 {
        let cards = self.view.board.piles.get(&pile).map(|pile| pile.cards.as_slice()).unwrap_or_default();
        cards.iter().fold(0, |set, card| set | 1 << (card - first))
    }

    fn piles(&self, state: &mut State) {
        state.available = self.cards(PILE_AVAILABLE, 0);
        state.scored = self.cards(PILE_SCORED, 0);
        state.seen = state.available | state.scored | self.cards(PILE_DISCARD, 0);
        let first = CARDS as u16;
        state.battle_hand = self.cards(PILE_HAND, first) as u16;
        state.battle_discard = self.cards(PILE_BATTLE_DISCARD, first) as u16;
        let out = self.cards(PILE_BATTLE_OUT, first) as u16;
        let all = ((1u32 << self.content.battle_cards.len()) - 1) as u16;
        state.battle_deck = all & !out & !state.battle_hand & !state.battle_discard;
        state.shuffles = self.number(Location::Pile(PILE_BATTLE), M_SHUFFLES) as u8;
    }

    /// Puts one formation, or several, where the view shows them.
    fn stands(&self, state: &mut State, kind: usize, count: u16, at: Location, from: Option<Location>) {
        let slot = |at: Location| slot_of(at.into());
        match at {
            Location::Mat(mat) if mat == pool_mat(self.content, kind) => state.pool[kind] = count as u8,
            Location::Mat(MAT_RECOVERY) => state.recovery |= 1 << kind,
            Location::Space(_) => {
                if let Some(slot) = slot(at) {
                    state.battle.line[slot] = kind as u8;
                }
            }
            Location::Mat(mat @ MAT_VICTORY..=MAT_TURNED) => {
                if let Some(slot) = from.and_then(slot) {
                    state.battle.line[slot] = kind as u8;
                    state.battle.places[slot] = Place::ALL[usize::from(mat - MAT_VICTORY) + 1];
                }
            }
            _ => {}
        }
    }

    fn formations(&self, state: &mut State) {
        let board = &self.view.board;
        state.pool.fill(0);
        state.battle = Battle::default();
        for kind in named(self.content) {
            if let Some(piece) = board.pieces.get(&named_piece(self.content, kind)) {
                self.stands(state, kind, 1, piece.at, piece.from);
            }
        }
        for (group, &count) in &board.groups {
            if let Some(kind) = formation_of(self.content, Ref::Kind(group.kind)) {
                self.stands(state, kind, count, group.at, group.from);
            }
        }
        for slot in 0..SLOTS {
            let key = Marker { at: Location::Space(SPACE_SLOT + slot as u16), kind: M_MARKER };
            if let Some(&number) = board.markers.get(&key) {
                state.battle.mark(slot, number as i8);
            }
        }
    }

    fn rights(&self, state: &mut State) {
        let me = Location::Seat(PLAYER);
        state.flags = 0;
        let mut set = |flag: u16, on: bool| state.set(flag, on);
        let (won, licence) = (self.number(me, M_WON), self.number(me, M_LICENCE));
        set(OXFORD_PERMITTED, self.number(Location::Piece(Target::Fort(3).number().into()), M_OXFORD) != 0);
        set(WON_NOW, won & 1 != 0);
        set(WON_BEFORE, won & 2 != 0);
        set(ZEAL_PLACED, self.number(me, M_PLACED) != 0);
        set(DESPERATE[0], self.number(Location::Track(4), M_DESPERATE) != 0);
        set(DESPERATE[1], self.number(Location::Track(5), M_DESPERATE) != 0);
        set(LICENCE_NEXT, licence & 1 != 0);
        set(LICENCE_NOW, licence & 2 != 0);
        set(IMMUNE, self.number(me, M_IMMUNE) != 0);
        set(SETTLED[0], self.number(Location::Piece(3), M_SETTLED) != 0);
        set(SETTLED[1], self.number(Location::Piece(2), M_SETTLED) != 0);
        set(STRUCK, self.number(me, M_STRUCK) != 0);
        set(WATCHED, self.number(me, M_WATCHED) != 0);
        (state.found, state.waiting) = (0, 0);
        for reward in 0..DEVILTRY {
            let shown = self.number(Location::Mat(MAT_REWARDS), M_REWARD + reward as u16);
            state.found |= u8::from(shown != 0) << reward;
            state.waiting |= u8::from(shown == 1) << reward;
        }
    }

    fn flow(&self, state: &mut State) {
        state.frames = Frames::default();
        for procedure in &self.view.turn_state.procedures {
            let Some(frame) = self.frame(state, procedure) else { continue };
            if let Frame::Displace { card } = frame {
                state.seen |= 1 << card;
            }
            state.frames.open(frame);
        }
        if state.frames.is_empty() {
            // Over: the current card is the last Event that was discarded; nothing asks for it any more.
            state.current = NONE;
        }
    }

    fn frame(&self, state: &mut State, procedure: &Procedure) -> Option<Frame> {
        match procedure.frame {
            "turn" => {
                state.current = match procedure.role("card") {
                    Some(Ref::Card(card)) => card as u8,
                    _ => NONE,
                };
            }
            "battle" => self.battle(&mut state.battle, procedure),
            _ => {}
        }
        Frame::read(self.content, procedure)
    }

    fn battle(&self, battle: &mut Battle, procedure: &Procedure) {
        let number = |role: &str| match procedure.role(role) {
            Some(Ref::Number(number)) => number,
            _ => 0,
        };
        battle.stage = Stage::ALL.get(usize::from(procedure.stage)).copied().unwrap_or_default();
        if let Some(Ref::Piece(army)) = procedure.role("army") {
            battle.army = army as u8;
        }
        if let Some(Ref::Card(card)) = procedure.role("card") {
            battle.card = (card - CARDS as u16) as u8;
        }
        if let Some(slot) = procedure.role("at").and_then(slot_of) {
            battle.slot = slot as u8;
        }
        let sector = number("sector").max(number("sectors"));
        battle.sector = (sector - 1).max(0) as u8;
        for (kept, die) in battle.dice.iter_mut().zip(procedure.roles("die")) {
            if let Ref::Number(die) = die {
                *kept = die as u8;
            }
        }
        battle.quick = number("quick") != 0;
        battle.extra = number("extra") as i8;
        battle.draws = number("draws") as u8;
        battle.outcome = Outcome::ALL.get(number("outcome") as usize).copied().unwrap_or_default();
        battle.salvaged = number("salvaged") != 0;
        battle.trusted = number("trusted") != 0;
        battle.points = number("points") as u8;
    }
}
