//! Board of a state: what lies where. Nothing is hidden, so it is the same for everybody.

mod part;

use crate::numbered::SetOf;
use crate::reference::Location;
use crate::view::{Board, CardPile, Changes, Marker, Piece, PieceGroup};

use self::part::Part;
use super::actions::Target;
use super::catalogue::names::*;
use super::content::{BattleCardId, CARDS, CardId, Content, FormationId, OXFORD};
use super::frames::Frame;
use super::procedures::politics::DESPERATE_TRACKS;
use super::procedures::settlers::SETTLED_LANDS;
use super::procedures::{campaign, deviltry, fortresses, revolts, tracks};
use super::state::line::{Place, slots};
use super::state::*;
use super::{CruelNecessity, PLAYER, score};

/// A part of a board that is being laid out.
struct Layout<'a> {
    game: &'a CruelNecessity,
    content: &'a Content,
    state: &'a State,
    part: &'a Part,
    board: Board,
}

pub(super) fn board(game: &CruelNecessity, state: &State) -> Board {
    lay_out(game, state, &Part::all(&game.content))
}

/// How the board has changed.
pub(super) fn board_changes(game: &CruelNecessity, before: &State, after: &State) -> Changes {
    let part = Part::differing(&game.content, before, after);
    lay_out(game, before, &part).changes_to(&lay_out(game, after, &part))
}

fn lay_out(game: &CruelNecessity, state: &State, part: &Part) -> Board {
    let mut layout = Layout { game, content: &game.content, state, part, board: Board::default() };
    layout.armies();
    layout.fortresses();
    layout.troubles_of_the_realm();
    layout.tracks();
    if part.piles {
        layout.piles();
    }
    layout.formations();
    layout.line();
    if part.turn {
        layout.turn();
    }
    if part.rights {
        layout.rights();
    }
    if part.score {
        layout.score();
    }
    layout.board
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
        self.board.pieces.insert(target.number() as u16, piece);
    }

    /// In how many cases the player's next roll there succeeds, while he may act: faces of the one die, or ways of two where an
    /// Army has to be found first (12.1).
    fn odds(&mut self, target: Target) {
        let of_two = matches!(target, Target::Army(_)) && self.state.opted(Options::RECONNAISSANCE);
        if let Some(odds) = self.game.odds(self.state, target) {
            let (kind, odds) = if of_two { (M_ODDS_OF_TWO, odds) } else { (M_ODDS, odds / 6) };
            self.marker(target.location(), kind, odds.into());
        }
    }

    fn armies(&mut self) {
        for army in self.part.armies {
            let (unit, target) = (self.state.armies[army], Target::Army(army));
            let flags = if unit.disordered { FLAG_DISORDERED } else { 0 };
            let at = Location::Space(area_space(army, unit.area));
            self.piece(target, unit.counter.index() as u16, at, flags);
            let strength = campaign::army_strength(self.content, self.state, army);
            self.marker(target.location(), M_STRENGTH, strength.into());
            self.marker_unless_0(target.location(), M_MARKER, unit.markers.into());
            let points = score::of_army(self.content, self.state, army);
            self.marker_unless_0(target.location(), M_POINTS, points);
            self.odds(target);
        }
    }

    fn fortresses(&mut self) {
        for fort in self.part.forts {
            let (there, target) = (self.state.forts[fort], Target::Fort(fort));
            let at = fort_space(self.content, fort);
            self.piece(target, kind_fort(self.content, there.royalist), at, 0);
            self.marker(target.location(), M_CLICK, there.click.into());
            let value = fortresses::fort_value(self.content, self.state, fort);
            self.marker(target.location(), M_VALUE, value.into());
            self.marker_unless_0(target.location(), M_FORTIFIED, there.fortified.into());
            let points = score::of_fort(self.content, self.state, fort);
            self.marker_unless_0(target.location(), M_POINTS, points);
            self.odds(target);
        }
    }

    /// Revolts and Deviltry.
    fn troubles_of_the_realm(&mut self) {
        for revolt in self.part.revolts {
            let target = Target::Revolt(revolt);
            let kind = kind_revolt(self.content, self.content.numbers.revolts[revolt].kind);
            let Some(RevoltArea { region, area }) = self.state.revolts[revolt] else {
                self.piece(target, kind, Location::Mat(MAT_UNUSED), 0);
                continue;
            };
            self.piece(target, kind, Location::Space(area_space(region, area)), 0);
            let strength = revolts::revolt_strength(self.content, self.state, revolt);
            self.marker(target.location(), M_VALUE, strength.into());
            self.marker_unless_0(target.location(), M_POINTS, score::of_revolt(self.content));
            self.odds(target);
        }
        for marker in self.state.deviltry & self.part.deviltry {
            let target = Target::Deviltry(marker);
            self.piece(target, kind_deviltry(self.content), Location::Mat(MAT_DEVILTRY), 0);
            let strength = deviltry::deviltry_strength(self.content, self.state);
            self.marker(target.location(), M_VALUE, strength.into());
            self.marker_unless_0(target.location(), M_POINTS, score::of_deviltry(self.content));
            self.odds(target);
        }
    }

    fn tracks(&mut self) {
        for track in self.part.tracks {
            let (at, index) = (Target::Track(track).location(), self.state.tracks[track]);
            let grade = tracks::grade(self.content, self.state, track);
            let number = self.content.tracks[track].numbers[usize::from(index)];
            self.marker(at, M_BOX, index.into());
            self.marker(at, M_GRADE + u16::from(grade), number.into());
            self.marker_unless_0(at, M_DRM, self.state.drm[track].into());
            self.marker_unless_0(at, M_POINTS, score::of_track(self.content, self.state, track));
            self.odds(Target::Track(track));
        }
    }

    fn pile(&mut self, pile: u16, cards: SetOf<CardId>) {
        self.pile_of(pile, cards.iter().map(|card| card.index() as u16).collect());
    }

    fn battle_pile(&mut self, pile: u16, cards: SetOf<BattleCardId>) {
        self.pile_of(pile, cards.iter().map(|card| (CARDS + card.index()) as u16).collect());
    }

    fn pile_of(&mut self, pile: u16, cards: Vec<u16>) {
        self.board.piles.insert(pile, CardPile { count: cards.len() as u16, cards });
    }

    fn piles(&mut self) {
        let state = self.state;
        let unseen = state.unseen(self.content).count() as u16;
        self.board.piles.insert(PILE_DECK, CardPile { count: unseen, cards: Vec::new() });
        let coming = state.frames.iter().filter_map(|frame| match frame {
            Frame::Displace { card } => Some(*card),
            _ => None,
        });
        let coming: SetOf<CardId> = coming.collect();
        self.pile(PILE_DISCARD, state.seen - state.available - state.scored - coming);
        self.pile(PILE_AVAILABLE, state.available);
        self.pile(PILE_SCORED, state.scored);
        let deck = CardPile { count: state.battle_deck.count() as u16, cards: Vec::new() };
        self.board.piles.insert(PILE_BATTLE, deck);
        self.battle_pile(PILE_HAND, state.battle_hand);
        self.battle_pile(PILE_BATTLE_DISCARD, state.battle_discard);
        let all = SetOf::first_of(self.content.battle_cards.len());
        let inside = state.battle_deck | state.battle_hand | state.battle_discard;
        self.battle_pile(PILE_BATTLE_OUT, all - inside);
        self.marker_unless_0(Location::Pile(PILE_BATTLE), M_SHUFFLES, state.shuffles.into());
    }

    /// Formations of a kind at a place: the piece of a Named unit, a group of the others.
    fn stand(&mut self, kind: FormationId, count: u8, at: Location, from: Option<Location>) {
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
        for kind in self.part.formations {
            self.stand(kind, state.pool[kind], Location::Mat(pool_mat(self.content, kind)), None);
            if state.recovery.contains(kind) {
                self.stand(kind, 1, Location::Mat(MAT_RECOVERY), None);
            }
            if state.has_entered(self.content, kind) {
                self.stand(kind, state.out_of_play(self.content, kind), Location::Mat(MAT_OUT), None);
            }
        }
        for slot in slots() {
            let space = Location::Space(slot_space(slot));
            let Some(kind) = state.battle.line[slot].kind.filter(|&kind| self.part.formations.contains(kind))
            else {
                continue;
            };
            let (at, from) = match state.battle.line[slot].place {
                Place::Line => (space, None),
                Place::Victory => (Location::Mat(MAT_VICTORY), Some(space)),
                Place::Draw => (Location::Mat(MAT_DRAW), Some(space)),
                Place::Defeat => (Location::Mat(MAT_DEFEAT), Some(space)),
                Place::Turned => (Location::Mat(MAT_TURNED), Some(space)),
            };
            self.stand(kind, 1, at, from);
        }
    }

    /// The numbers beside the places of the lines.
    fn line(&mut self) {
        let battle = &self.state.battle;
        for slot in self.part.slots.iter().filter(|&slot| battle.line[slot].kind.is_some()) {
            let space = Location::Space(slot_space(slot));
            if battle.marked.contains(slot) {
                self.marker(space, M_MARKER, battle.line[slot].markers.into());
            }
            if battle.line[slot].place == Place::Line {
                self.marker(space, M_STRENGTH, self.game.strength_at(self.state, slot).into());
            }
        }
    }

    /// The turn, Zeal and the Irish Troubles.
    fn turn(&mut self) {
        let state = self.state;
        self.marker(Target::Track(state.troubled()).location(), M_TROUBLES, 1);
        self.marker(Location::Track(TRACK_ZEAL), M_ZEAL, state.zeal.into());
        self.marker(Location::Track(TRACK_TURN), M_TURN, state.turn.into());
        self.marker(Location::Track(TRACK_TURN), M_WAR, state.war.index() as i32 + 1);
        if let Some(target) = state.zeal_on {
            self.marker(target.location(), M_ZEAL_MARKER, 1);
        }
    }

    /// Rights, permissions and what was done this turn.
    fn rights(&mut self) {
        let (state, me) = (self.state, Location::Seat(PLAYER));
        let flag = |flag: Flags| i32::from(state.has(flag));
        self.marker_unless_0(Target::Fort(OXFORD).location(), M_OXFORD, flag(Flags::OXFORD_PERMITTED));
        self.marker_unless_0(me, M_WON, flag(Flags::WON_NOW) + 2 * flag(Flags::WON_BEFORE));
        self.marker_unless_0(me, M_PLACED, flag(Flags::ZEAL_PLACED));
        for track in DESPERATE_TRACKS {
            self.marker_unless_0(Target::Track(track).location(), M_DESPERATE, flag(Flags::desperate(track)));
        }
        self.marker_unless_0(me, M_LICENCE, flag(Flags::LICENCE_NEXT) + 2 * flag(Flags::LICENCE_NOW));
        self.marker_unless_0(me, M_IMMUNE, flag(Flags::IMMUNE));
        for army in SETTLED_LANDS {
            self.marker_unless_0(Target::Army(army).location(), M_SETTLED, flag(Flags::settled(army)));
        }
        self.marker_unless_0(me, M_STRUCK, flag(Flags::STRUCK));
        self.marker_unless_0(me, M_WATCHED, flag(Flags::WATCHED));
        for reward in state.found {
            let used = if state.waiting.contains(reward) { 1 } else { 2 };
            self.marker(Location::Mat(MAT_REWARDS), M_REWARD + reward.index() as u16, used);
        }
    }

    /// The score, and what counts for it beside the things on the map.
    fn score(&mut self) {
        let (state, me) = (self.state, Location::Seat(PLAYER));
        let found = score::of_rewards(self.content, state);
        self.marker_unless_0(Location::Mat(MAT_REWARDS), M_POINTS, found);
        let achieved = score::of_achievements(self.content, state);
        self.marker_unless_0(Location::Pile(PILE_SCORED), M_POINTS, achieved);
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
