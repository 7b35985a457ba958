//! Plays any game by notation, from described positions, with scripted dice that must be used up.
//!
//! A game's `main.rs` mounts this file as `support`, its `play.rs` says `plays!(Game)` and adds what only this game's tests ask. A file
//! of tests that are named after rules ends with its `bodies!`, and `main.rs` lists these files in `notices_each_rule!`: with the feature
//! `rule-switch` each enforced rule is then switched off in turn, and a test that is named after it must fail.

#![allow(dead_code, reason = "a game's tests use what they need of it")]

#[cfg(feature = "rule-switch")]
#[path = "switch.rs"]
pub(crate) mod switch;

use std::collections::BTreeMap;
use std::sync::Arc;

use edgehill_engine::action::ActionId;
use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::event::ChanceRef;
use edgehill_engine::game::{Game, MatchResult, Node};
use edgehill_engine::reference::{Location, Ref};
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::setup::Setup;
use edgehill_engine::table::{Applied, ApplyMode, ObservedEvent, Refusal, Table};
use edgehill_engine::view::{CardPile, View};
use serde_json::Value;

pub(crate) const SPECTATOR: Observer = Observer::Spectator;

/// A game under test, loaded once.
pub(crate) trait Played: Game {
    fn played() -> &'static Arc<Self>;
}

/// The game of a test binary: its matches, and the words of its catalogue.
macro_rules! plays {
    ($Game:ty) => {
        #[allow(unused_imports, reason = "a game's tests use what they need of it")]
        pub(crate) use crate::support::SPECTATOR;

        pub(crate) type Match = crate::support::Match<$Game>;

        impl crate::support::Played for $Game {
            fn played() -> &'static std::sync::Arc<Self> {
                static GAME: std::sync::LazyLock<std::sync::Arc<$Game>> = std::sync::LazyLock::new(|| {
                    std::sync::Arc::new(<$Game>::load(&<$Game>::builtin()).expect("built-in content loads"))
                });
                &GAME
            }
        }

        #[allow(dead_code, reason = "a game's tests use what they need of it")]
        pub(crate) fn game() -> std::sync::Arc<$Game> {
            std::sync::Arc::clone(<$Game as crate::support::Played>::played())
        }

        /// The id of what a reference names.
        #[allow(dead_code, reason = "a game's tests use what they need of it")]
        pub(crate) fn id(what: edgehill_engine::reference::Ref) -> String {
            Match::id(what)
        }
    };
}

/// The tests of a file that are named after rules.
macro_rules! bodies {
    ($($name:ident),* $(,)?) => {
        #[cfg(feature = "rule-switch")]
        pub(crate) const BODIES: &[crate::support::switch::Body] = &[$((stringify!($name), $name)),*];
    };
}

/// Would the tests notice? Each enforced rule is switched off in turn, and a test that is named after it must fail.
macro_rules! notices_each_rule {
    ($Game:ty: $($module:ident),+ $(,)?) => {
        #[cfg(feature = "rule-switch")]
        #[test]
        fn no_enforced_rule_can_be_switched_off_unnoticed() {
            use edgehill_engine::game::Game;
            let ledger = &<$Game as crate::support::Played>::played().catalogue().ledger;
            let unnoticed = crate::support::switch::unnoticed(ledger, &[$($module::BODIES),+]);
            assert!(unnoticed.is_empty(), "tests still pass without: {}", unnoticed.join(", "));
        }
    };
}

/// A match whose script of dice and draws must be used up when the test ends.
pub(crate) struct Match<G: Played>(pub(crate) Table<G>);

impl<G: Played> Match<G> {
    pub(crate) fn setup(scenario: &str, options: &[(&str, &str)]) -> Setup {
        let options: BTreeMap<String, String> =
            options.iter().map(|&(id, value)| (id.to_owned(), value.to_owned())).collect();
        Setup::new(G::played().catalogue(), Some(scenario), &options)
            .expect("a scenario and options of the game")
    }

    /// From the start: the script begins with the first dice or draw.
    pub(crate) fn start(scenario: &str, script: &str) -> Self {
        Self::open(Self::setup(scenario, &[]), ChanceSource::script(script))
    }

    pub(crate) fn open(setup: Setup, chance_source: ChanceSource) -> Self {
        Self::checked(Table::open(Arc::clone(G::played()), setup, chance_source))
    }

    /// From a described position.
    pub(crate) fn at(scenario: &str, position: Value, chance_source: ChanceSource) -> Self {
        Self::described(Self::setup(scenario, &[]), position, chance_source)
    }

    /// From a described position of a scenario with its options.
    pub(crate) fn described(setup: Setup, position: Value, chance_source: ChanceSource) -> Self {
        let table = Table::open_position(Arc::clone(G::played()), setup, position, chance_source);
        Self::checked(table.unwrap_or_else(|error| panic!("a position that the game accepts: {error}")))
    }

    /// The fault of a position, as `field: what is expected`.
    pub(crate) fn fault(scenario: &str, position: &Value) -> String {
        let error = G::played()
            .position(&Self::setup(scenario, &[]), position)
            .expect_err("it should not be accepted");
        format!("{}: {}", error.field, error.expected)
    }

    fn checked(table: Table<G>) -> Self {
        assert_eq!(table.chance_source_error(), None);
        Self(table)
    }

    /// From the start of a scenario through an example of its page: `dice` and `draw` have the script, `seat: actions` are played, and the
    /// last line tells the ending.
    pub(crate) fn of_example(scenario: &str, example: &str) -> Self {
        let chance =
            |line: &str| line.strip_prefix("draw ").or_else(|| line.strip_prefix("dice ")).map(str::to_owned);
        let script: Vec<String> = example.lines().filter_map(chance).collect();
        let mut played = Self::start(scenario, &script.join(","));
        for line in example.lines() {
            let Some((name, actions)) = line.split_once(": ") else { continue };
            let seats = &G::played().catalogue().seats;
            let seat = seats.iter().position(|seat| seat.id == name).expect("a seat of the game");
            played.play(Seat::new(seat as u8), actions);
        }
        let result = played.result().expect("the example ends the match");
        assert_eq!(example.lines().last(), Some(&*format!("over {} {}", result.code, result.rule)));
        played
    }

    /// Takes the actions of a line, which must be legal; the script must have the dice that follow.
    pub(crate) fn play(&mut self, seat: Seat, line: &str) -> &mut Self {
        let taken = self.try_line(seat, line);
        assert!(taken.is_ok(), "{seat}, `{line}`: {taken:?}, legal: {:?}", self.legal(seat));
        assert_eq!(self.0.chance_source_error(), None, "{seat}, `{line}`");
        self
    }

    pub(crate) fn try_line(&mut self, seat: Seat, line: &str) -> Result<Applied, Refusal> {
        self.0.apply_line(seat, line, ApplyMode::Atomic)
    }

    /// Every ground against an action, as `CODE rule`; the call must be refused and change nothing.
    pub(crate) fn refused(&mut self, seat: Seat, notation: &str) -> Vec<String> {
        let before = (self.0.save(), self.0.chance_source().left_over());
        let refusal = self.0.apply(seat, &[Self::action(notation)], ApplyMode::Atomic);
        let after = (self.0.save(), self.0.chance_source().left_over());
        assert_eq!(after, before, "a refused call changes nothing");
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
        let actions = &G::played().catalogue().actions;
        self.0.legal(seat).into_iter().map(|action| actions.notation(action)).collect()
    }

    /// Those of a seat's legal actions that begin with a verb, without it.
    pub(crate) fn choices(&self, seat: Seat, verb: &str) -> Vec<String> {
        let rest = |action: String| action.strip_prefix(verb).map(|rest| rest.trim().to_owned());
        self.legal(seat).into_iter().filter_map(rest).collect()
    }

    pub(crate) fn asked(&self) -> Node {
        self.0.node()
    }

    /// The code of the prompt, as everybody sees it.
    pub(crate) fn prompt(&self) -> &'static str {
        self.spectated().turn_state.prompt.code
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

    /// Returns the events published to an observer so far.
    pub(crate) fn published(&self, observer: Observer) -> &[ObservedEvent] {
        self.0.published(observer, 0)
    }

    /// The events published to an observer, by code, with what they are about.
    pub(crate) fn facts(&self, observer: Observer) -> Vec<String> {
        let words = |seen: &ObservedEvent| {
            let refs = seen.form.refs.iter().map(|&what| Self::id(what));
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

    /// The number of a kind of marker, by ids of the marker and of the place that it is at; 0 where there is none.
    pub(crate) fn marker(&self, at: &str, kind: &str) -> i32 {
        let view = self.spectated();
        let here = |&(marker, _): &(&edgehill_engine::view::Marker, &i32)| {
            Self::place(marker.at) == at && Self::id(Ref::Marker(marker.kind)) == kind
        };
        view.board.markers.iter().find(here).map_or(0, |(_, &number)| number)
    }

    pub(crate) fn action(notation: &str) -> ActionId {
        let action = G::played().catalogue().actions.parse(notation);
        action.unwrap_or_else(|| panic!("`{notation}` is no action"))
    }

    /// The id of what a reference names.
    pub(crate) fn id(what: Ref) -> String {
        G::played().catalogue().id_of(what)
    }

    /// The id of a place.
    pub(crate) fn place(at: Location) -> String {
        Self::id(Ref::from(at))
    }

    fn pile(view: &View, pile: &str) -> CardPile {
        let piles = &G::played().catalogue().piles;
        let index = piles.iter().position(|def| def.entry.id == pile).expect("a pile");
        view.board.piles.get(&(index as u16)).cloned().unwrap_or_default()
    }

    /// The cards of a pile that a view shows.
    pub(crate) fn cards_in(view: &View, pile: &str) -> Vec<String> {
        Self::pile(view, pile).cards.into_iter().map(|card| Self::id(Ref::Card(card))).collect()
    }

    /// Returns the number of cards that a view shows in a pile.
    pub(crate) fn pile_size(view: &View, pile: &str) -> u16 {
        Self::pile(view, pile).count
    }
}

impl<G: Played> Drop for Match<G> {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert_eq!(self.0.chance_source().left_over(), 0, "words of the script are left over");
        }
    }
}

/// The block of a page in this language.
pub(crate) fn example_of(page: &'static str, language: &str) -> &'static str {
    let block = page.split(&format!("```{language}\n")).nth(1).and_then(|rest| rest.split("```").next());
    block.expect("the page has such an example")
}
