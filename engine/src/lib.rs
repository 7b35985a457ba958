//! The rules of four English Civil War board games behind one contract: pure, synchronous, deterministic. No clock, no runtime, no
//! file: a program that embeds it brings its own.
//!
//! A match from its beginning to the check of its record, which is the same for every game:
//!
//! ```
//! use edgehill_engine::record::{DiceCheck, Origin, verify};
//! use edgehill_engine::view::NodeView;
//! use edgehill_engine::{ApplyMode, ChanceSource, Observer, Record, Registry, Seed, Setup, render};
//!
//! // All games of this build, with their content.
//! let registry = Registry::built_in()?;
//! let game = registry.game("skirmish")?;
//! let catalogue = game.catalogue();
//!
//! // A match is a scenario with its options, and a source of chance. This seed decides all dice.
//! let dice = ChanceSource::Seeded(Seed::from_bytes([7; 32]));
//! let origin = Origin { players: vec!["Ada".to_owned(), "Ben".to_owned()], ..Origin::local(&dice) };
//! let mut table = game.open(Setup::default_of(catalogue), dice);
//!
//! // Whoever is to act takes legal actions, one or several at once. A refusal says why, and changes nothing.
//! while table.result().is_none() {
//!     let mut to_act = table.node().to_act().iter();
//!     let seat = to_act.find(|&seat| !table.committed(seat)).expect("a match that goes on waits for a seat");
//!     let legal = table.legal(seat);
//!     table.apply(seat, &legal[..1], ApplyMode::Atomic)?;
//! }
//!
//! // Each observer sees what they may know, as data; `render` has words for it.
//! let view = table.view(Observer::Spectator);
//! println!("{}", render::brief(catalogue, &view));
//! assert!(matches!(view.turn_state.node, NodeView::Over(_)));
//!
//! // The record is text. Whoever has it plays the match again: each action by the rules, each die by the seed.
//! let text = Record::of(&*table, &origin)?.to_text();
//! let report = verify(&**game, &Record::parse(&text)?, &[]);
//! assert!(report.is_consistent(), "{report}");
//! assert_eq!(report.dice, DiceCheck::Chosen);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The front door
//!
//! A program that embeds the engine needs these, and the modules that they come from where it goes further:
//!
//! | type | for |
//! | --- | --- |
//! | [`Registry`], [`AnyGame`] | the games, by id, without their types: nobody asks which game they hold |
//! | [`Catalogue`], [`Ref`] | the static half of a game, from which anybody can draw it; a thing in it |
//! | [`Setup`] | scenario and options, checked against the catalogue |
//! | [`ChanceSource`], [`Seed`] | where outcomes come from: a seed, a script, a person, a playout's own dice |
//! | [`AnyTable`] | one match: what is legal, what is played, taken back, seen, published, saved |
//! | [`Seat`], [`SeatSet`], [`Observer`] | who plays, and who looks |
//! | [`Node`], [`MatchResult`] | who is to act; how the match ended |
//! | [`ActionId`], [`ApplyMode`] | an action, as the table of the game counts them; how far a list of them goes |
//! | [`Refusal`] | why a call was not accepted, by the numbers of the rules |
//! | [`View`], [`ObservedEvent`] | what an observer sees, and what changes it |
//! | [`Record`] | a match as text: [`record::verify`] checks it, [`record::replay`] plays it again |
//!
//! A game is written against the other side: [`game::Game`] is pure rules over a state that is a value, and [`table::Table`] drives one
//! match of it. docs/contract.md is the contract, docs/adding-a-game.md the way.

#![deny(clippy::float_arithmetic)]

pub mod action;
pub mod bot;
pub mod cards;
pub mod catalogue;
pub mod chance;
pub mod chance_source;
pub mod codec;
pub mod content;
pub mod deck;
pub mod dice;
pub mod event;
pub mod flow;
pub mod game;
pub mod games;
#[cfg(feature = "laws")]
pub mod laws;
pub mod ledger;
pub mod numbered;
pub mod position;
pub mod record;
pub mod reference;
pub mod refusal;
pub mod registry;
pub mod render;
pub mod sealed;
pub mod seat;
pub mod setup;
pub mod signing;
pub mod table;
pub mod view;
mod vocabulary;

pub use action::ActionId;
pub use catalogue::Catalogue;
pub use chance_source::ChanceSource;
pub use dice::Seed;
pub use game::{MatchResult, Node};
pub use record::Record;
pub use reference::Ref;
pub use registry::{AnyGame, AnyTable, Registry};
pub use seat::{Observer, Seat, SeatSet};
pub use setup::Setup;
pub use table::{ApplyMode, ObservedEvent, Refusal};
pub use view::View;
