//! Plays Unhappy King Charles! by notation, from described positions, with scripted chance that must be used up.
//!
//! A position of a test names all that stands on the map; nothing else does. Its match is played by whoever is to act: `act`, `offers`,
//! `refusal` ask no seat, since the position and the lines say whose turn it is.

use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::game::{Game, Node};
use edgehill_engine::games::unhappy_king_charles::UnhappyKing;
use edgehill_engine::reference::{Location, Ref};
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::view::View;
use serde_json::{Value, json};

use crate::support::Match as Generic;

plays!(UnhappyKing);

/// The Royalist.
pub(crate) const R: Seat = Seat::new(0);
/// Parliament.
pub(crate) const P: Seat = Seat::new(1);

/// The one scenario.
const SCENARIO: &str = "civil-war";

/// A position at a card play after the Standard was raised: `more` adds fields to it, or takes the place of what it would have.
pub(crate) fn position(turn: &str, on_turn: &str, more: &Value) -> Value {
    let with = json!({ "turn": turn, "phase": "campaign", "on_turn": on_turn, "happened": ["standard"] });
    merged(with, more)
}

/// A position at the start of a phase, after the Standard was raised: `more` adds fields to it, or takes the place of what it would have.
pub(crate) fn phase(turn: &str, phase: &str, more: &Value) -> Value {
    merged(json!({ "turn": turn, "phase": phase, "happened": ["standard"] }), more)
}

/// A position with the fields of another, which take the place of its own.
pub(crate) fn merged(mut position: Value, more: &Value) -> Value {
    for (field, value) in more.as_object().into_iter().flatten() {
        position[field] = value.clone();
    }
    position
}

/// A match at a position; the script begins with the first dice or draw.
pub(crate) fn at(position: Value, script: &str) -> Match {
    Match::at(SCENARIO, position, ChanceSource::script(script))
}

/// A match at a position, with options on or off.
pub(crate) fn with_options(options: &[(&str, &str)], position: Value, script: &str) -> Match {
    Match::described(Match::setup(SCENARIO, options), position, ChanceSource::script(script))
}

/// A match at a position that waits at its next chance event, for questions about what can come of it.
pub(crate) fn waiting(position: Value) -> Match {
    Match::at(SCENARIO, position, ChanceSource::Manual)
}

/// A match from its set-up on.
pub(crate) fn start(script: &str) -> Match {
    Match::start(SCENARIO, script)
}

/// The id of a kind of piece.
fn kind_id(kind: u16) -> String {
    game().catalogue().kinds[usize::from(kind)].entry.id.clone()
}

#[allow(dead_code, reason = "questions that tests of some rules alone ask")]
impl Generic<UnhappyKing> {
    /// Returns the seat that is to act.
    pub(crate) fn to_act(&self) -> Seat {
        match self.asked() {
            Node::Decision(seat) => seat,
            node => panic!("somebody should be to act: {node:?}"),
        }
    }

    /// Takes the actions of a line as the seats that are to act; each must be legal, and the script must have the chance that follows.
    pub(crate) fn act(&mut self, line: &str) -> &mut Self {
        for action in line.split(';').map(str::trim) {
            let seat = self.to_act();
            self.play(seat, action);
        }
        self
    }

    /// Takes the actions of a line as one seat, which must be to act at each of them.
    pub(crate) fn act_as(&mut self, seat: Seat, line: &str) -> &mut Self {
        for action in line.split(';').map(str::trim) {
            assert_eq!(self.to_act(), seat, "`{action}`");
            self.play(seat, action);
        }
        self
    }

    /// The legal actions of the seat that is to act; none where nobody is.
    pub(crate) fn offered(&self) -> Vec<String> {
        match self.asked() {
            Node::Decision(seat) => self.legal(seat),
            _ => Vec::new(),
        }
    }

    /// Returns whether an action is legal for the seat that is to act.
    pub(crate) fn offers(&self, action: &str) -> bool {
        Self::action(action);
        self.offered().iter().any(|legal| legal == action)
    }

    /// Those of the legal actions of the seat that is to act that begin with a verb, without it, in alphabetical order.
    pub(crate) fn options(&self, verb: &str) -> Vec<String> {
        let mut rest: Vec<String> = self
            .offered()
            .into_iter()
            .filter_map(|action| action.strip_prefix(verb)?.strip_prefix(' ').map(str::to_owned))
            .collect();
        rest.sort_unstable();
        rest
    }

    /// Every ground against an action of the seat that is to act, as `CODE rule`.
    pub(crate) fn refusal(&mut self, notation: &str) -> Vec<String> {
        let seat = self.to_act();
        self.refused(seat, notation)
    }

    /// Asserts that an action of the seat that is to act is refused, and that this rule is among the grounds.
    pub(crate) fn refuses(&mut self, notation: &str, rule: &str) -> &mut Self {
        let grounds = self.refusal(notation);
        let of_rule = |ground: &String| ground.split(' ').nth(1) == Some(rule);
        assert!(grounds.iter().any(of_rule), "`{notation}` should break {rule}: {grounds:?}");
        self
    }

    /// All that can come of the chance event that a match waits at, in alphabetical order.
    pub(crate) fn chances(&self) -> Vec<String> {
        assert_eq!(self.asked(), Node::Chance);
        let options = game().chance(self.0.state()).options();
        let mut ids: Vec<String> = options.into_iter().map(|(what, _)| Self::id(what)).collect();
        ids.sort_unstable();
        ids
    }

    /// The view of the seat that is to act, which sees what it has not released yet; where nobody is, the spectator's.
    fn watched(&self) -> View {
        match self.asked() {
            Node::Decision(seat) => self.view(seat),
            _ => self.spectated(),
        }
    }

    /// The name of the procedure that the match is in: the innermost one.
    pub(crate) fn frame(&self) -> String {
        let turn_state = self.watched().turn_state;
        turn_state.procedures.last().map(|procedure| procedure.frame.to_owned()).unwrap_or_default()
    }

    fn whole(&self) -> [View; 2] {
        [R, P].map(|seat| self.view(seat))
    }

    /// Returns where a Leader, the Queen or a Siege Train is, by ids; inside a Fortress `inside-` and its Area.
    pub(crate) fn whereabouts(&self, piece: &str) -> String {
        let game = game();
        let pieces = &game.catalogue().pieces;
        let index = pieces.iter().position(|one| one.id == piece);
        let index = index.unwrap_or_else(|| panic!("there is no piece {piece}")) as u16;
        Self::place(self.watched().board.pieces[&index].at)
    }

    /// The faces of Brigades at a place, in alphabetical order, as those who own them see them. Places have the ids of Leaders, Areas,
    /// and mats: `inside-` an Area, `pool-` and `unemployed-` a side, `lost`, `out`, `away`. Where a Leader and an Area share an id the
    /// Area is `unled-` and that.
    pub(crate) fn brigades(&self, at: &str) -> Vec<String> {
        let mut faces = Vec::new();
        for (seat, view) in [R, P].into_iter().zip(self.whole()) {
            for (group, &number) in &view.board.groups {
                if group.owner == Some(seat) && Self::is_place(group.at, at) {
                    let face = kind_id(group.kind);
                    faces.extend(std::iter::repeat_n(face, number.into()));
                }
            }
        }
        faces.sort_unstable();
        faces
    }

    /// Returns the number of Brigades at a place, whose names are those of [`brigades`](Self::brigades).
    pub(crate) fn count(&self, at: &str) -> usize {
        self.brigades(at).len()
    }

    /// The faces of a seat's Brigades at a place that an observer knows, in alphabetical order.
    pub(crate) fn seen(&self, observer: Observer, at: &str) -> Vec<String> {
        let view = self.0.view(observer);
        let mut faces = Vec::new();
        for (group, &number) in &view.board.groups {
            if Self::is_place(group.at, at) {
                let kind = kind_id(group.kind);
                faces.extend(std::iter::repeat_n(kind, number.into()));
            }
        }
        faces.sort_unstable();
        faces
    }

    fn is_place(location: Location, at: &str) -> bool {
        match at.strip_prefix("unled-") {
            Some(area) => matches!(location, Location::Space(_)) && Self::place(location) == area,
            None => Self::place(location) == at,
        }
    }

    /// The controller of an Area: `royalist`, `parliament`, or nobody, which is empty.
    pub(crate) fn control(&self, area: &str) -> &'static str {
        ["", "royalist", "parliament"][self.mark(area, "control") as usize]
    }

    /// The Areas of a side's markers, in alphabetical order.
    pub(crate) fn controlled(&self, seat: Seat) -> Vec<String> {
        let mut ids: Vec<String> =
            game().catalogue().spaces.iter().map(|space| space.entry.id.clone()).collect();
        ids.retain(|id| self.mark(id, "control") == seat.index() as i32 + 1);
        ids.sort_unstable();
        ids
    }

    /// The number of a kind of marker, by ids of the marker and of the place that it is at, as whoever is to act sees it; 0 where there is
    /// none.
    pub(crate) fn mark(&self, at: &str, kind: &str) -> i32 {
        let view = self.watched();
        let mut here = view.board.markers.iter().filter(|(marker, _)| Self::place(marker.at) == at);
        here.find(|(marker, _)| Self::id(Ref::Marker(marker.kind)) == kind).map_or(0, |(_, &number)| number)
    }

    /// Returns whether something of the course of the match has happened, by the id of its marker.
    pub(crate) fn has_happened(&self, what: &str) -> bool {
        let view = self.watched();
        view.board.markers.keys().any(|marker| Self::id(Ref::Marker(marker.kind)) == what)
    }

    /// The number of a marker of a seat or of the course of the Turn, by its id, wherever it lies; 0 where there is none.
    pub(crate) fn number_of(&self, kind: &str, seat: Option<Seat>) -> i32 {
        let view = self.watched();
        let is = |marker: &edgehill_engine::view::Marker| {
            Self::id(Ref::Marker(marker.kind)) == kind
                && seat.is_none_or(|seat| marker.at == Location::Seat(seat))
        };
        view.board.markers.iter().find(|(marker, _)| is(marker)).map_or(0, |(_, &number)| number)
    }

    /// The cards of a pile as its owner sees it, in alphabetical order: `royalist-hand`, `discard` and so on.
    pub(crate) fn cards(&self, pile: &str) -> Vec<String> {
        let [royalist, parliament] = self.whole();
        let view = if pile.starts_with("parliament") { parliament } else { royalist };
        let mut cards = Self::cards_in(&view, pile);
        cards.sort_unstable();
        cards
    }
}
