//! Board of a state: what lies where. Nothing is hidden, so it is the same for everybody.

use crate::reference::Location;
use crate::view::{Board, CardPile, Marker, Piece, PieceGroup};

use super::actions::{TARGETS, Target};
use super::catalogue::names::*;
use super::content::{ARMIES, CARDS, Content, DEVILTRY, FORTS, Op, REVOLTS, TRACKS};
use super::procedures::{campaign, deviltry, fortresses, revolts, tracks};
use super::state::line::{Place, SLOTS};
use super::state::*;
use super::{CruelNecessity, PLAYER, score};

/// A board that is being laid out.
struct Layout<'a> {
    game: &'a CruelNecessity,
    content: &'a Content,
    state: &'a State,
    board: Board,
}

pub(super) fn board(game: &CruelNecessity, state: &State) -> Board {
    let mut layout = Layout { game, content: &game.content, state, board: Board::default() };
    layout.armies();
    layout.fortresses();
    layout.troubles_of_the_realm();
    layout.tracks();
    layout.piles();
    layout.formations();
    layout.rights();
    layout.board
}

const fn target_at(target: Target) -> Location {
    match target {
        Target::Track(track) => Location::Track(track as u16),
        _ => Location::Piece(target.number() as u16),
    }
}

impl Layout<'_> {
    fn marker(&mut self, at: Location, kind: u16, number: i32) {
        self.board.markers.insert(Marker { at, kind }, number);
    }

    fn marker_unless_0(&mut self, at: Location, kind: u16, number: i32) {
        if number != 0 {
            self.marker(at, kind, number);
        }
    }

    fn piece(&mut self, target: Target, kind: u16, at: Location, flags: u32) {
        let piece = Piece { kind, owner: None, at, flags, from: None };
        self.board.pieces.insert(target.number().into(), piece);
    }

    /// In how many cases the player's next roll there succeeds, while he may act: faces of the one die, or ways of two where an
    /// Army has to be found first (12.1).
    fn odds(&mut self, target: Target) {
        let Some(odds) = self.game.odds(self.state, target) else { return };
        let (kind, odds) = if matches!(target, Target::Army(_)) && self.state.opted(OPT_RECONNAISSANCE) {
            (M_ODDS_OF_TWO, odds)
        } else {
            (M_ODDS, odds / 6)
        };
        self.marker(target_at(target), kind, odds.into());
    }

    fn armies(&mut self) {
        for army in 0..ARMIES {
            let (unit, target) = (self.state.armies[army], Target::Army(army as u8));
            let flags = if unit.disordered { FLAG_DISORDERED } else { 0 };
            let at = Location::Space(area_space(army, unit.area));
            self.piece(target, unit.counter.into(), at, flags);
            let strength = campaign::army_strength(self.content, self.state, army);
            self.marker(target_at(target), M_STRENGTH, strength.into());
            self.marker_unless_0(target_at(target), M_MARKER, unit.markers.into());
            let points = score::of_army(self.content, self.state, army);
            self.marker_unless_0(target_at(target), M_POINTS, points);
            self.odds(target);
        }
    }

    fn fortresses(&mut self) {
        for fort in 0..FORTS {
            let (there, target) = (self.state.forts[fort], Target::Fort(fort as u8));
            let at = fort_space(self.content, fort);
            self.piece(target, kind_fort(self.content, there.royalist), at, 0);
            self.marker(target_at(target), M_CLICK, there.click.into());
            let value = fortresses::fort_value(self.content, self.state, fort);
            self.marker(target_at(target), M_VALUE, value.into());
            self.marker_unless_0(target_at(target), M_FORTIFIED, there.fortified.into());
            let points = score::of_fort(self.content, self.state, fort);
            self.marker_unless_0(target_at(target), M_POINTS, points);
            self.odds(target);
        }
    }

    /// Revolts and Deviltry.
    fn troubles_of_the_realm(&mut self) {
        for revolt in 0..REVOLTS {
            let target = Target::Revolt(revolt as u8);
            let kind = kind_revolt(self.content, self.content.numbers.revolts[revolt].kind);
            let Some((region, area)) = self.state.revolt_at(revolt) else {
                self.piece(target, kind, Location::Mat(MAT_UNUSED), 0);
                continue;
            };
            self.piece(target, kind, Location::Space(area_space(region, area)), 0);
            let strength = revolts::revolt_strength(self.content, self.state, revolt);
            self.marker(target_at(target), M_VALUE, strength.into());
            self.marker_unless_0(target_at(target), M_POINTS, score::of_revolt(self.content));
            self.odds(target);
        }
        for marker in (0..DEVILTRY).filter(|marker| self.state.deviltry & 1 << marker != 0) {
            let target = Target::Deviltry(marker as u8);
            self.piece(target, kind_deviltry(self.content), Location::Mat(MAT_DEVILTRY), 0);
            let strength = deviltry::deviltry_strength(self.content, self.state);
            self.marker(target_at(target), M_VALUE, strength.into());
            self.marker_unless_0(target_at(target), M_POINTS, score::of_deviltry(self.content));
            self.odds(target);
        }
    }

    fn tracks(&mut self) {
        for track in 0..TRACKS {
            let (at, index) = (Location::Track(track as u16), self.state.tracks[track]);
            let grade = tracks::grade(self.content, self.state, track);
            let number = self.content.tracks[track].numbers[usize::from(index)];
            self.marker(at, M_BOX, index.into());
            self.marker(at, M_GRADE + u16::from(grade), number.into());
            self.marker_unless_0(at, M_DRM, self.state.drm[track].into());
            self.marker_unless_0(at, M_POINTS, score::of_track(self.content, self.state, track));
            self.odds(Target::Track(track as u8));
        }
        self.marker(Location::Track(3 + u16::from(self.state.troubles)), M_TROUBLES, 1);
        self.marker(Location::Track(TRACK_ZEAL), M_ZEAL, self.state.zeal.into());
        self.marker(Location::Track(TRACK_TURN), M_TURN, self.state.turn.into());
        self.marker(Location::Track(TRACK_TURN), M_WAR, i32::from(self.state.war) + 1);
        if self.state.zeal_on != NONE {
            debug_assert!(usize::from(self.state.zeal_on) < TARGETS);
            self.marker(target_at(Target::of(self.state.zeal_on)), M_ZEAL_MARKER, 1);
        }
    }

    fn pile(&mut self, pile: u16, cards: u64, first: u16) {
        let cards: Vec<u16> =
            (0..64).filter(|card| cards & 1 << card != 0).map(|card| first + card).collect();
        self.board.piles.insert(pile, CardPile { count: cards.len() as u16, cards });
    }

    fn piles(&mut self) {
        let state = self.state;
        let unseen = state.unseen(self.content).count_ones() as u16;
        self.board.piles.insert(PILE_DECK, CardPile { count: unseen, cards: Vec::new() });
        let coming = state.frames.iter().fold(0, |set, frame| match frame {
            super::frames::Frame::Displace { card } => set | 1u64 << card,
            _ => set,
        });
        self.pile(PILE_DISCARD, state.seen & !state.available & !state.scored & !coming, 0);
        self.pile(PILE_AVAILABLE, state.available, 0);
        self.pile(PILE_SCORED, state.scored, 0);
        let deck = CardPile { count: state.battle_deck.count_ones() as u16, cards: Vec::new() };
        self.board.piles.insert(PILE_BATTLE, deck);
        self.pile(PILE_HAND, state.battle_hand.into(), CARDS as u16);
        self.pile(PILE_BATTLE_DISCARD, state.battle_discard.into(), CARDS as u16);
        let all = (1u64 << self.content.battle_cards.len()) - 1;
        let inside = state.battle_deck | state.battle_hand | state.battle_discard;
        self.pile(PILE_BATTLE_OUT, all & !u64::from(inside), CARDS as u16);
        self.marker_unless_0(Location::Pile(PILE_BATTLE), M_SHUFFLES, state.shuffles.into());
        let achieved = score::of_achievements(self.content, state);
        self.marker_unless_0(Location::Pile(PILE_SCORED), M_POINTS, achieved);
    }

    /// Formations of a kind at a place: the piece of a Named unit, a group of the others.
    fn stand(&mut self, kind: usize, count: u8, at: Location, from: Option<Location>) {
        if count == 0 {
            return;
        }
        let shown = kind_formation(self.content, kind);
        if self.content.formations[kind].is_named {
            let piece = Piece { kind: shown, owner: None, at, flags: 0, from };
            self.board.pieces.insert(named_piece(self.content, kind), piece);
        } else {
            let group = PieceGroup { at, owner: None, kind: shown, flags: 0, from };
            self.board.add_to_group(group, count.into());
        }
    }

    fn formations(&mut self) {
        let state = self.state;
        for kind in 0..self.content.formations.len() {
            self.stand(kind, state.pool[kind], Location::Mat(pool_mat(self.content, kind)), None);
            if state.recovery & 1 << kind != 0 {
                self.stand(kind, 1, Location::Mat(MAT_RECOVERY), None);
            }
            if self.has_entered(kind) {
                self.stand(kind, state.out_of_play(self.content, kind), Location::Mat(MAT_OUT), None);
            }
        }
        for slot in 0..SLOTS {
            let (kind, space) = (state.battle.line[slot], Location::Space(SPACE_SLOT + slot as u16));
            if kind == NONE {
                continue;
            }
            let (at, from) = match state.battle.places[slot] {
                Place::Line => (space, None),
                Place::Victory => (Location::Mat(MAT_VICTORY), Some(space)),
                Place::Draw => (Location::Mat(MAT_DRAW), Some(space)),
                Place::Defeat => (Location::Mat(MAT_DEFEAT), Some(space)),
                Place::Turned => (Location::Mat(MAT_TURNED), Some(space)),
            };
            self.stand(usize::from(kind), 1, at, from);
            if state.battle.marked & 1 << slot != 0 {
                self.marker(space, M_MARKER, state.battle.markers[slot].into());
            }
            if state.battle.places[slot] == Place::Line {
                self.marker(space, M_STRENGTH, self.game.strength_at(state, slot).into());
            }
        }
    }

    /// Returns whether a kind of formation has come into the game: Parliament's Named units come by cards.
    fn has_entered(&self, kind: usize) -> bool {
        let formation = &self.content.formations[kind];
        let adds = |op: &Op| matches!(op, Op::AddNamedUnits { units } if units & 1 << kind != 0);
        let card = |card: &super::content::Card| match card.kind {
            super::content::CardKind::Event { list } => {
                self.content.lists[usize::from(list)].iter().any(adds)
            }
            super::content::CardKind::Achievement(_) => false,
        };
        let revealed = |index: usize| self.state.revealed(self.content, index as u8);
        let mut cards = self.content.cards.iter().enumerate();
        !formation.is_named || formation.royalist || cards.any(|(index, one)| card(one) && revealed(index))
    }

    /// Rights, permissions and what was done this turn.
    fn rights(&mut self) {
        let (state, me) = (self.state, Location::Seat(PLAYER));
        let flag = |flag: u16| i32::from(state.has(flag));
        self.marker_unless_0(
            Location::Piece(Target::Fort(3).number().into()),
            M_OXFORD,
            flag(OXFORD_PERMITTED),
        );
        self.marker_unless_0(me, M_WON, flag(WON_NOW) + 2 * flag(WON_BEFORE));
        self.marker_unless_0(me, M_PLACED, flag(ZEAL_PLACED));
        self.marker_unless_0(Location::Track(4), M_DESPERATE, flag(DESPERATE[0]));
        self.marker_unless_0(Location::Track(5), M_DESPERATE, flag(DESPERATE[1]));
        self.marker_unless_0(me, M_LICENCE, flag(LICENCE_NEXT) + 2 * flag(LICENCE_NOW));
        self.marker_unless_0(me, M_IMMUNE, flag(IMMUNE));
        self.marker_unless_0(Location::Piece(3), M_SETTLED, flag(SETTLED[0]));
        self.marker_unless_0(Location::Piece(2), M_SETTLED, flag(SETTLED[1]));
        self.marker_unless_0(me, M_STRUCK, flag(STRUCK));
        self.marker_unless_0(me, M_WATCHED, flag(WATCHED));
        for reward in (0..DEVILTRY).filter(|reward| state.found & 1 << reward != 0) {
            let used = if state.waiting & 1 << reward != 0 { 1 } else { 2 };
            self.marker(Location::Mat(MAT_REWARDS), M_REWARD + reward as u16, used);
        }
        let found = score::of_rewards(self.content, state);
        self.marker_unless_0(Location::Mat(MAT_REWARDS), M_POINTS, found);
        let points = score::score(self.content, state);
        self.marker(me, M_SCORE, points);
        // After an automatic defeat the score is worth nothing any more (11.1).
        if !matches!(state.verdict, Some(Verdict::London | Verdict::Grades)) {
            self.marker(me, M_STANDING, grade_number(self.game.grade(state.last, points)));
            if let Some((_, least)) = self.game.next_grade(state.last, points) {
                self.marker(me, M_NEXT_GRADE, least);
            }
        }
    }
}
