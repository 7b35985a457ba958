//! Plays a skirmish by notation, with scripted dice that must be used up.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use edgehill_engine::action::ActionId;
use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::event::ChanceRef;
use edgehill_engine::game::{Game, MatchResult, Node};
use edgehill_engine::games::skirmish::Skirmish;
use edgehill_engine::reference::{Location, Ref};
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::setup::Setup;
use edgehill_engine::table::{Applied, ApplyMode, ObservedEvent, Refusal, Table};
use edgehill_engine::view::View;
use serde_json::Value;

pub(crate) const NORTH: Seat = Seat::new(0);
pub(crate) const SOUTH: Seat = Seat::new(1);
pub(crate) const SPECTATOR: Observer = Observer::Spectator;

static GAME: LazyLock<Arc<Skirmish>> =
    LazyLock::new(|| Arc::new(Skirmish::load(&Skirmish::builtin()).expect("built-in content loads")));

pub(crate) fn game() -> Arc<Skirmish> {
    GAME.clone()
}

pub(crate) fn setup(scenario: &str) -> Setup {
    Setup::new(game().catalogue(), Some(scenario), &BTreeMap::new()).expect("a scenario of the game")
}

/// A match whose script of dice and draws must be used up when the test ends.
pub(crate) struct Match(pub(crate) Table<Skirmish>);

impl Match {
    /// From the start: the script begins with the first deal.
    pub(crate) fn start(scenario: &str, script: &str) -> Self {
        Self::checked(Table::open(game(), setup(scenario), ChanceSource::script(script)))
    }

    /// From a described position.
    pub(crate) fn at(scenario: &str, position: Value, chance_source: ChanceSource) -> Self {
        let table = Table::open_position(game(), setup(scenario), position, chance_source);
        Self::checked(table.expect("a position that the game accepts"))
    }

    /// From a position of two seats, up to the first activation: each seat's only card is chosen.
    pub(crate) fn acting(position: Value, script: &str) -> Self {
        Self::acting_with(position, ChanceSource::script(script))
    }

    pub(crate) fn acting_with(position: Value, chance_source: ChanceSource) -> Self {
        let mut one = Self::at("skirmish", position, chance_source);
        for seat in [NORTH, SOUTH] {
            if one.legal(seat).len() == 1 {
                let card = one.legal(seat).remove(0);
                one.play(seat, &format!("{card}; done"));
            }
        }
        one
    }

    fn checked(table: Table<Skirmish>) -> Self {
        assert_eq!(table.chance_source_error(), None);
        Self(table)
    }

    /// Takes the actions of a line, which must be legal; the script must have the dice that follow.
    pub(crate) fn play(&mut self, seat: Seat, line: &str) -> &mut Self {
        let taken = self.try_line(seat, line);
        assert!(taken.is_ok(), "{seat}, `{line}`: {taken:?}");
        assert_eq!(self.0.chance_source_error(), None, "{seat}, `{line}`");
        self
    }

    pub(crate) fn try_line(&mut self, seat: Seat, line: &str) -> Result<Applied, Refusal> {
        self.0.apply_line(seat, line, ApplyMode::Atomic)
    }

    /// Every ground against an action, as `CODE rule`; the call must be refused and change nothing.
    pub(crate) fn refused(&mut self, seat: Seat, notation: &str) -> Vec<String> {
        let before = (self.0.save(), self.0.chance_source().left_over());
        let refusal = self.0.apply(seat, &[action(notation)], ApplyMode::Atomic);
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

    /// The code with which the driver refuses a call.
    pub(crate) fn undo_refused(&mut self, seat: Seat) -> &'static str {
        self.0.undo(seat, 0).expect_err("nothing can be taken back here").code()
    }

    /// The legal actions of a seat, as notation.
    pub(crate) fn legal(&self, seat: Seat) -> Vec<String> {
        self.0.legal(seat).into_iter().map(|action| game().catalogue().actions.notation(action)).collect()
    }

    /// Those of a seat's legal actions that begin with a verb, without it.
    pub(crate) fn choices(&self, seat: Seat, verb: &str) -> Vec<String> {
        let rest = |action: String| action.strip_prefix(verb).map(|rest| rest.trim().to_owned());
        self.legal(seat).into_iter().filter_map(rest).collect()
    }

    pub(crate) fn asked(&self) -> Node {
        self.0.node()
    }

    pub(crate) fn result(&self) -> Option<MatchResult> {
        self.0.result()
    }

    pub(crate) fn view(&self, seat: Seat) -> View {
        self.0.view(Observer::Seat(seat))
    }

    pub(crate) fn spectated(&self) -> View {
        self.0.view(SPECTATOR)
    }

    /// The spaces and strengths of a side's blocks as its own seat sees them; lost ones at `lost`.
    pub(crate) fn blocks(&self, side: Seat) -> Vec<String> {
        faces_in(&self.view(side), side)
    }

    /// Returns the number of blocks of a side at a space, for everybody to see.
    pub(crate) fn count(&self, side: Seat, space: &str) -> usize {
        let view = self.spectated();
        let here = |at: Location, owner| owner == Some(side) && place(at) == space;
        let backs = view.board.groups.iter().filter(|(group, _)| here(group.at, group.owner));
        let faces = view.board.pieces.values().filter(|piece| here(piece.at, piece.owner)).count();
        faces + backs.map(|(_, &count)| usize::from(count)).sum::<usize>()
    }

    /// The cards in a seat's hand, as it sees them.
    pub(crate) fn hand(&self, seat: Seat) -> Vec<String> {
        cards_in(&self.view(seat), hand_of(seat))
    }

    /// Returns the events published to an observer so far.
    pub(crate) fn published(&self, observer: Observer) -> &[ObservedEvent] {
        self.0.published(observer, 0)
    }

    /// The events published to an observer, by code, with what they are about.
    pub(crate) fn facts(&self, observer: Observer) -> Vec<String> {
        let words = |seen: &ObservedEvent| {
            let refs = seen.form.refs.iter().map(|&what| id(what));
            std::iter::once(seen.code.to_owned()).chain(refs).collect::<Vec<_>>().join(" ")
        };
        self.published(observer).iter().map(words).collect()
    }

    /// Returns the events of one kind that were published to the spectator.
    pub(crate) fn public(&self, code: &str) -> Vec<String> {
        let facts = self.facts(SPECTATOR);
        facts.into_iter().filter(|event| event.split(' ').next() == Some(code)).collect()
    }

    /// The draw that the last event of this code rests on.
    pub(crate) fn chance_ref(&self, code: &str) -> Option<ChanceRef> {
        self.published(SPECTATOR).iter().rev().find(|seen| seen.code == code)?.chance_ref
    }
}

impl Drop for Match {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert_eq!(self.0.chance_source().left_over(), 0, "words of the script are left over");
        }
    }
}

pub(crate) fn action(notation: &str) -> ActionId {
    game().catalogue().actions.parse(notation).unwrap_or_else(|| panic!("`{notation}` is no action"))
}

/// The id of what a reference names.
pub(crate) fn id(what: Ref) -> String {
    game().catalogue().id_of(what)
}

/// The id of a place.
pub(crate) fn place(at: Location) -> String {
    id(Ref::from(at))
}

/// The pile of a seat's hand.
pub(crate) fn hand_of(seat: Seat) -> &'static str {
    ["north-hand", "south-hand"][seat.index()]
}

/// The faces of a side that a view shows, as `space strength`, sorted.
pub(crate) fn faces_in(view: &View, side: Seat) -> Vec<String> {
    let own = view.board.pieces.values().filter(|piece| piece.owner == Some(side));
    let mut faces: Vec<String> = own.map(|piece| format!("{} {}", place(piece.at), piece.kind)).collect();
    faces.sort();
    faces
}

/// The sizes of a side's groups of backs, as `space count`, those that differ in flags added up.
pub(crate) fn backs_in(view: &View, side: Seat) -> Vec<String> {
    let mut backs: BTreeMap<String, u16> = BTreeMap::new();
    for (group, count) in view.board.groups.iter().filter(|(group, _)| group.owner == Some(side)) {
        *backs.entry(place(group.at)).or_default() += count;
    }
    backs.into_iter().map(|(space, count)| format!("{space} {count}")).collect()
}

/// The cards of a pile that a view shows.
pub(crate) fn cards_in(view: &View, pile: &str) -> Vec<String> {
    let index = game().catalogue().piles.iter().position(|def| def.entry.id == pile).expect("a pile");
    let cards = view.board.piles.get(&(index as u16)).map(|pile| pile.cards.clone()).unwrap_or_default();
    cards.into_iter().map(|card| id(Ref::Card(card))).collect()
}

/// Returns the number of cards that a view shows in a pile.
pub(crate) fn pile_size(view: &View, pile: &str) -> u16 {
    let index = game().catalogue().piles.iter().position(|def| def.entry.id == pile).expect("a pile");
    view.board.piles.get(&(index as u16)).map_or(0, |pile| pile.count)
}
