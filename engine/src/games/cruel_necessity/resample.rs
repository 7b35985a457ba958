//! A state from a view: since nothing is hidden, it is the state that the view shows, bit for bit.

use crate::flow::Frames;
use crate::numbered::{Listed, Numbered, SetOf};
use crate::reference::{Location, Ref};
use crate::setup::Setup;
use crate::view::{Marker, NodeView, Piece, Procedure, View};

use super::actions::Target;
use super::catalogue::names::*;
use super::content::{
    ArmyId, CARDS, Content, CounterId, DeviltryId, FormationId, FortId, IRELAND, OXFORD, RevoltId, RewardId,
    SCOTLAND, SectorId, T_PARLIAMENT, T_PURITANISM, TRACKS, TrackId, WarId,
};
use super::frames::{Frame, card};
use super::state::line::{Battle, Outcome, Place, Stage, slots};
use super::state::{Army, Flags, Fort, RevoltArea, State, Verdict};
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
        for track in TrackId::all(self.content) {
            let at = Target::Track(track).location();
            state.tracks[track] = self.number(at, M_BOX) as u8;
            state.drm[track] = self.number(at, M_DRM) as i8;
        }
        let column = |column: &u16| self.number(Location::Track(TRACKS as u16 / 2 + column), M_TROUBLES) == 1;
        state.troubles = (0..3).find(column).unwrap_or(0) as u8;
        state.zeal = self.number(Location::Track(TRACK_ZEAL), M_ZEAL) as u8;
        state.turn = self.number(Location::Track(TRACK_TURN), M_TURN) as u8;
        let war = Ref::Number(self.number(Location::Track(TRACK_TURN), M_WAR));
        state.war = WarId::referred(self.content, war).expect("the war is shown");
        state.zeal_on = Target::all().find(|target| self.number(target.location(), M_ZEAL_MARKER) == 1);
    }

    /// Region and area of a space.
    fn area(&self, at: Location) -> Option<RevoltArea> {
        match at {
            Location::Space(space) if space < SPACE_LONDON => {
                let region = ArmyId::new(usize::from(space) / 5);
                Some(RevoltArea { region, area: (space % 5) as u8 + 1 })
            }
            _ => None,
        }
    }

    /// The piece of a target, if it is on the board.
    fn piece(&self, target: Target) -> Option<&Piece> {
        self.view.board.pieces.get(&(target.number() as u16))
    }

    fn units(&self, state: &mut State) {
        for army in ArmyId::all(self.content) {
            let target = Target::Army(army);
            let piece = self.piece(target).expect("every Army is shown");
            state.armies[army] = Army {
                area: self.area(piece.at).map_or(0, |at| at.area),
                disordered: piece.flags & FLAG_DISORDERED != 0,
                markers: self.number(target.location(), M_MARKER) as i8,
                counter: CounterId::new(piece.kind.into()),
            };
        }
        for fort in FortId::all(self.content) {
            let target = Target::Fort(fort);
            let piece = self.piece(target).expect("every fortress is shown");
            state.forts[fort] = Fort {
                royalist: piece.kind == kind_fort(self.content, true),
                click: self.number(target.location(), M_CLICK) as u8,
                fortified: self.number(target.location(), M_FORTIFIED) as u8,
            };
        }
        for revolt in RevoltId::all(self.content) {
            state.revolts[revolt] = self.piece(Target::Revolt(revolt)).and_then(|piece| self.area(piece.at));
        }
        let there = |&marker: &DeviltryId| self.piece(Target::Deviltry(marker)).is_some();
        state.deviltry = DeviltryId::all(self.content).filter(there).collect();
    }

    /// The cards that lie in a pile, by what their numbers mean there.
    fn cards<T: Numbered>(&self, pile: u16, first: usize) -> SetOf<T> {
        let cards = self.view.board.piles.get(&pile).map(|pile| pile.cards.as_slice()).unwrap_or_default();
        cards.iter().map(|&card| T::new(usize::from(card) - first)).collect()
    }

    fn piles(&self, state: &mut State) {
        state.available = self.cards(PILE_AVAILABLE, 0);
        state.scored = self.cards(PILE_SCORED, 0);
        state.seen = state.available | state.scored | self.cards(PILE_DISCARD, 0);
        state.battle_hand = self.cards(PILE_HAND, CARDS);
        state.battle_discard = self.cards(PILE_BATTLE_DISCARD, CARDS);
        let elsewhere = state.battle_hand | state.battle_discard | self.cards(PILE_BATTLE_OUT, CARDS);
        state.battle_deck = SetOf::first_of(self.content.battle_cards.len()) - elsewhere;
        state.shuffles = self.number(Location::Pile(PILE_BATTLE), M_SHUFFLES) as u8;
    }

    /// Puts one formation, or several, where the view shows them.
    fn stands(
        &self,
        state: &mut State,
        (kind, count): (FormationId, u16),
        at: Location,
        from: Option<Location>,
    ) {
        let slot = |at: Location| slot_of(at.into());
        match at {
            Location::Mat(mat) if mat == pool_mat(self.content, kind) => state.pool[kind] = count as u8,
            Location::Mat(MAT_RECOVERY) => state.recovery.insert(kind),
            Location::Space(_) => {
                if let Some(slot) = slot(at) {
                    state.battle.line[slot].kind = Some(kind);
                }
            }
            Location::Mat(mat @ MAT_VICTORY..=MAT_TURNED) => {
                if let Some(slot) = from.and_then(slot) {
                    state.battle.line[slot].kind = Some(kind);
                    state.battle.line[slot].place = Place::ALL[usize::from(mat - MAT_VICTORY) + 1];
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
                self.stands(state, (kind, 1), piece.at, piece.from);
            }
        }
        for (group, &count) in &board.groups {
            if let Some(kind) = formation_of(self.content, Ref::Kind(group.kind)) {
                self.stands(state, (kind, count), group.at, group.from);
            }
        }
        for slot in slots() {
            let key = Marker { at: Location::Space(slot_space(slot)), kind: M_MARKER };
            if let Some(&number) = board.markers.get(&key) {
                state.battle.mark(slot, number as i8);
            }
        }
    }

    fn rights(&self, state: &mut State) {
        let me = Location::Seat(PLAYER);
        let (won, licence) = (self.number(me, M_WON), self.number(me, M_LICENCE));
        let at = |target: Target, kind: u16| self.number(target.location(), kind) != 0;
        let mine = |kind: u16| self.number(me, kind) != 0;
        state.flags = Flags::empty();
        for (flag, on) in [
            (Flags::OXFORD_PERMITTED, at(Target::Fort(OXFORD), M_OXFORD)),
            (Flags::WON_NOW, won & 1 != 0),
            (Flags::WON_BEFORE, won & 2 != 0),
            (Flags::ZEAL_PLACED, mine(M_PLACED)),
            (Flags::DESPERATE_PARLIAMENT, at(Target::Track(T_PARLIAMENT), M_DESPERATE)),
            (Flags::DESPERATE_PURITANISM, at(Target::Track(T_PURITANISM), M_DESPERATE)),
            (Flags::LICENCE_NEXT, licence & 1 != 0),
            (Flags::LICENCE_NOW, licence & 2 != 0),
            (Flags::IMMUNE, mine(M_IMMUNE)),
            (Flags::SETTLED_IRELAND, at(Target::Army(IRELAND), M_SETTLED)),
            (Flags::SETTLED_SCOTLAND, at(Target::Army(SCOTLAND), M_SETTLED)),
            (Flags::STRUCK, mine(M_STRUCK)),
            (Flags::WATCHED, mine(M_WATCHED)),
        ] {
            state.set(flag, on);
        }
        let shown =
            |reward: RewardId| self.number(Location::Mat(MAT_REWARDS), M_REWARD + reward.index() as u16);
        state.found = RewardId::all(self.content).filter(|&reward| shown(reward) != 0).collect();
        state.waiting = state.found.that(|reward| shown(reward) == 1);
    }

    fn flow(&self, state: &mut State) {
        state.frames = Frames::default();
        for procedure in &self.view.turn_state.procedures {
            let frame = self.frame(state, procedure).expect("a view tells each procedure in full");
            if let Frame::Displace { card } = frame {
                state.seen.insert(card);
            }
            state.frames.open(frame);
        }
        if state.frames.is_empty() {
            // Over: the current card is the last Event that was discarded; nothing asks for it any more.
            state.current = None;
        }
    }

    fn frame(&self, state: &mut State, procedure: &Procedure) -> Option<Frame> {
        match procedure.frame {
            "turn" => {
                state.current = card(self.content, procedure);
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
        battle.army = procedure.role("army").and_then(|what| ArmyId::referred(self.content, what));
        battle.card = procedure.role("card").and_then(|what| battle_card_of(self.content, what));
        battle.slot = procedure.role("at").and_then(slot_of);
        let sector = number("sector").max(number("sectors"));
        battle.sector = SectorId::new((sector - 1).max(0) as usize);
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
