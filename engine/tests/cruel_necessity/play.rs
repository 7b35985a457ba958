//! Plays Cruel Necessity by notation, from described positions, with scripted dice and draws that must be used up.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use edgehill_engine::action::ActionId;
use edgehill_engine::chance::Outcome;
use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::game::{Game, MatchResult, Node};
use edgehill_engine::games::cruel_necessity::CruelNecessity;
use edgehill_engine::reference::{Location, Ref};
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::setup::Setup;
use edgehill_engine::table::{ApplyMode, Refusal, Table};
use edgehill_engine::view::{Marker, View};
use serde_json::{Value, json};

pub(crate) const PLAYER: Seat = Seat::new(0);

static GAME: LazyLock<Arc<CruelNecessity>> = LazyLock::new(|| {
    Arc::new(CruelNecessity::load(&CruelNecessity::builtin()).expect("built-in content loads"))
});

pub(crate) fn game() -> Arc<CruelNecessity> {
    GAME.clone()
}

pub(crate) fn setup(scenario: &str, options: &[(&str, &str)]) -> Setup {
    let options: BTreeMap<String, String> =
        options.iter().map(|&(id, value)| (id.to_owned(), value.to_owned())).collect();
    Setup::new(game().catalogue(), Some(scenario), &options).expect("a scenario and options of the game")
}

/// A match whose script must be used up when the test ends.
pub(crate) struct Match(pub(crate) Table<CruelNecessity>);

/// In the Action Phase of card 2, with `changes` to the first war's set-up.
pub(crate) fn acting(changes: Value, script: &str) -> Match {
    let mut position = json!({ "at": "action", "current": "2" });
    merge(&mut position, changes);
    Match::at("whole-war", &[], position, script)
}

/// At an item of an Event card of the first war, counted from 0.
pub(crate) fn item(card: u8, item: u8, changes: Value, script: &str) -> Match {
    let war = if card <= 27 {
        1
    } else if card <= 45 {
        2
    } else {
        3
    };
    let mut position = json!({ "at": "event", "current": card.to_string(), "item": item, "war": war });
    merge(&mut position, changes);
    Match::at("whole-war", &[], position, script)
}

pub(crate) fn merge(into: &mut Value, changes: Value) {
    let (Value::Object(into), Value::Object(changes)) = (into, changes) else {
        panic!("positions are objects")
    };
    into.extend(changes);
}

impl Match {
    /// From the start of a scenario.
    pub(crate) fn start(scenario: &str, options: &[(&str, &str)], script: &str) -> Self {
        Self::checked(Table::open(game(), setup(scenario, options), ChanceSource::script(script)))
    }

    /// From a described position.
    pub(crate) fn at(scenario: &str, options: &[(&str, &str)], position: Value, script: &str) -> Self {
        let table =
            Table::open_position(game(), setup(scenario, options), position, ChanceSource::script(script));
        Self::checked(table.expect("a position that the game accepts"))
    }

    fn checked(table: Table<CruelNecessity>) -> Self {
        assert_eq!(table.chance_source_error(), None);
        Self(table)
    }

    /// Takes the actions of a line one by one, which must be legal; the script must have what follows.
    pub(crate) fn play(&mut self, line: &str) -> &mut Self {
        for one in line.split(';').map(str::trim) {
            let taken = self.0.apply(PLAYER, &[action(one)], ApplyMode::Atomic);
            assert!(taken.is_ok(), "`{one}`: {taken:?}, legal: {:?}", self.legal());
            assert_eq!(self.0.chance_source_error(), None, "`{one}`");
        }
        self
    }

    /// Every ground against an action, as `CODE rule`; the call must be refused and change nothing.
    pub(crate) fn refused(&mut self, notation: &str) -> Vec<String> {
        let before = (self.0.save(), self.0.chance_source().left_over());
        let refusal = self.0.apply(PLAYER, &[action(notation)], ApplyMode::Atomic);
        assert_eq!(
            (self.0.save(), self.0.chance_source().left_over()),
            before,
            "a refused call changes nothing"
        );
        match refusal {
            Err(Refusal::Action { index: 0, rule_violations, .. }) => {
                rule_violations.iter().map(|reason| format!("{} {}", reason.code, reason.rule)).collect()
            }
            other => panic!("`{notation}` should be refused: {other:?}"),
        }
    }

    /// The legal actions, as notation.
    pub(crate) fn legal(&self) -> Vec<String> {
        self.0.legal(PLAYER).into_iter().map(|action| game().catalogue().actions.notation(action)).collect()
    }

    /// Those legal actions that begin with a verb, without it.
    pub(crate) fn choices(&self, verb: &str) -> Vec<String> {
        let rest = |action: String| action.strip_prefix(verb).map(|rest| rest.trim().to_owned());
        self.legal().into_iter().filter_map(rest).collect()
    }

    pub(crate) fn may(&self, notation: &str) -> bool {
        self.0.legal(PLAYER).contains(&action(notation))
    }

    pub(crate) fn view(&self) -> View {
        self.0.view(Observer::Seat(PLAYER))
    }

    pub(crate) fn asked(&self) -> &'static str {
        self.view().turn_state.prompt.code
    }

    pub(crate) fn is_over(&self) -> bool {
        self.0.node() == Node::Over
    }

    pub(crate) fn result(&self) -> MatchResult {
        self.0.result().expect("the match is over")
    }

    /// A marker's number; 0 where there is none.
    pub(crate) fn marker(&self, at: Location, kind: &str) -> i32 {
        let kind =
            game().catalogue().markers.iter().position(|def| def.entry.id == kind).expect("a kind of marker");
        self.view().board.markers.get(&Marker { at, kind: kind as u16 }).copied().unwrap_or(0)
    }

    pub(crate) fn on_track(&self, track: &str, kind: &str) -> i32 {
        let track = game().catalogue().tracks.iter().position(|def| def.entry.id == track).expect("a track");
        self.marker(Location::Track(track as u16), kind)
    }

    pub(crate) fn on_piece(&self, id: &str, kind: &str) -> i32 {
        self.marker(Location::Piece(piece(id)), kind)
    }

    /// The box of a track's marker, from the top.
    pub(crate) fn track(&self, track: &str) -> i32 {
        self.on_track(track, "box")
    }

    pub(crate) fn zeal(&self) -> i32 {
        self.on_track("zeal", "zeal")
    }

    pub(crate) fn score(&self) -> i32 {
        self.marker(Location::Seat(PLAYER), "score")
    }

    /// Returns the place of a piece, by id; `gone` where it is nowhere.
    pub(crate) fn place(&self, id: &str) -> String {
        match self.view().board.pieces.get(&piece(id)) {
            Some(piece) => game().catalogue().id_of(Ref::from(piece.at)),
            None => "gone".to_owned(),
        }
    }

    /// Area and state of an Army: `3`, `5 disordered`; London Under Siege is 0.
    pub(crate) fn army(&self, army: &str) -> String {
        let view = self.view();
        let piece = &view.board.pieces[&piece(army)];
        let Location::Space(space) = piece.at else { panic!("an Army stands in an area") };
        let area = if space == 20 { 0 } else { space % 5 + 1 };
        let disordered = if piece.flags & 1 != 0 { " disordered" } else { "" };
        format!("{area}{disordered}")
    }

    pub(crate) fn strength(&self, army: &str) -> i32 {
        self.on_piece(army, "strength")
    }

    /// Owner and click of a fortress.
    pub(crate) fn fort(&self, fort: &str) -> String {
        let kind = self.view().board.pieces[&piece(fort)].kind;
        let owner = game().catalogue().id_of(Ref::Kind(kind));
        format!("{} {}", owner.trim_end_matches("-held"), self.on_piece(fort, "click"))
    }

    /// The cards of a pile, by id.
    pub(crate) fn pile(&self, pile: &str) -> Vec<String> {
        let index = game().catalogue().piles.iter().position(|def| def.entry.id == pile).expect("a pile");
        let view = self.view();
        let cards = view.board.piles.get(&(index as u16)).map(|pile| pile.cards.clone()).unwrap_or_default();
        cards.into_iter().map(|card| game().catalogue().id_of(Ref::Card(card))).collect()
    }

    /// Returns the number of formations of a kind in a mat.
    pub(crate) fn count(&self, kind: &str, mat: &str) -> u16 {
        let named = |what: Ref, id: &str| game().catalogue().id_of(what) == id;
        let view = self.view();
        let here = |at: Location| named(Ref::from(at), mat);
        let groups = view
            .board
            .groups
            .iter()
            .filter(|(group, _)| here(group.at) && named(Ref::Kind(group.kind), kind));
        groups.map(|(_, &count)| count).sum()
    }

    /// The formation at a place of the line.
    pub(crate) fn line(&self, slot: &str) -> String {
        let view = self.view();
        let here = |at: Location| game().catalogue().id_of(Ref::from(at)) == slot;
        let kind = view.board.pieces.values().filter(|piece| here(piece.at)).map(|piece| piece.kind).next();
        let kind =
            kind.or_else(|| view.board.groups.keys().find(|group| here(group.at)).map(|group| group.kind));
        kind.map_or_else(String::new, |kind| game().catalogue().id_of(Ref::Kind(kind)))
    }

    /// The marker of a kind at a place of the line.
    pub(crate) fn at_slot(&self, slot: &str, kind: &str) -> i32 {
        let space =
            game().catalogue().spaces.iter().position(|space| space.entry.id == slot).expect("a place");
        self.marker(Location::Space(space as u16), kind)
    }

    /// Returns the number of Parliament's formations in the Victory, Draw and Defeat boxes.
    pub(crate) fn boxes(&self) -> [usize; 3] {
        let view = self.view();
        let own = |from: Option<Location>| matches!(from, Some(Location::Space(space)) if space < 28);
        ["victory", "draw", "defeat"].map(|mat| {
            let here = |at: Location| game().catalogue().id_of(Ref::from(at)) == mat;
            let pieces = view.board.pieces.values().filter(|piece| here(piece.at) && own(piece.from)).count();
            let groups = view.board.groups.iter().filter(|(group, _)| here(group.at) && own(group.from));
            pieces + groups.map(|(_, &count)| usize::from(count)).sum::<usize>()
        })
    }

    /// Returns the published events of one kind, each by the things that it is about.
    pub(crate) fn facts(&self, code: &str) -> Vec<String> {
        let published = self.0.published(Observer::Seat(PLAYER), 0).iter().filter(|seen| seen.code == code);
        let words = |refs: &[Ref]| {
            refs.iter().map(|&what| game().catalogue().id_of(what)).collect::<Vec<_>>().join(" ")
        };
        published.map(|seen| words(&seen.form.refs)).collect()
    }
}

impl Drop for Match {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert_eq!(self.0.chance_source().left_over(), 0, "words of the script are left over");
        }
    }
}

/// Returns the options that can come of the draw that follows an action and a die.
pub(crate) fn drawable(position: Value, line: &str, die: u8) -> Vec<String> {
    let table = Table::open_position(game(), setup("whole-war", &[]), position, ChanceSource::Manual);
    let mut table = table.expect("a position that the game accepts");
    table.apply(PLAYER, &[action(line)], ApplyMode::Atomic).expect("a legal action");
    table.enter(&Outcome::Roll([die].into_iter().collect())).expect("a die is due");
    let options = game().chance(table.state()).options();
    options.into_iter().map(|(what, _)| game().catalogue().id_of(what)).collect()
}

pub(crate) fn action(notation: &str) -> ActionId {
    game().catalogue().actions.parse(notation).unwrap_or_else(|| panic!("`{notation}` is no action"))
}

fn piece(id: &str) -> u16 {
    let found = game().catalogue().pieces.iter().position(|entry| entry.id == id);
    found.unwrap_or_else(|| panic!("`{id}` is no piece")) as u16
}
