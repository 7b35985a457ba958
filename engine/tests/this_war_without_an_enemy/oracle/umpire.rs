//! Holds the game to the model: at each decision, roll and draw both must be at the same point, with the same board.

use std::collections::VecDeque;

use edgehill_engine::action::ActionId;
use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::chance::{Chance, Outcome};
use edgehill_engine::event::Events;
use edgehill_engine::game::{Game, Node};
use edgehill_engine::games::this_war_without_an_enemy::{State, ThisWarWithoutAnEnemy as ThisWar};
use edgehill_engine::reference::{Location, Ref};
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::view::{Board, Marker};

use super::atlas::Atlas;
use super::random::Random;
use super::world::{Control, Place, World};

/// A result, or the point where game and model part.
pub(crate) type Play<T> = Result<T, String>;

pub(crate) struct Umpire<'a> {
    pub(crate) game: &'a ThisWar,
    pub(crate) state: State,
    pub(crate) random: Random,
    /// The choices, rolls and draws made first; then it is left to chance.
    pub(crate) script: VecDeque<String>,
    /// The choices, rolls and draws that were made.
    pub(crate) told: Vec<String>,
    legal: Vec<ActionId>,
}

pub(crate) fn marker_kind(catalogue: &Catalogue, id: &str) -> u16 {
    catalogue.markers.iter().position(|marker| marker.entry.id == id).expect("a marker") as u16
}

impl<'a> Umpire<'a> {
    pub(crate) fn new(game: &'a ThisWar, state: State, random: Random) -> Self {
        Self { game, state, random, script: VecDeque::new(), told: Vec::new(), legal: Vec::new() }
    }

    /// Lets one of the options be chosen, which must be the legal list.
    pub(crate) fn ask(&mut self, world: &World<'_>, seat: usize, options: &[String]) -> Play<String> {
        let at = self.game.node(&self.state);
        if at != Node::Decision(Seat::new(seat as u8)) {
            return Err(format!("the model asks seat {seat} for {options:?}, {}", self.where_the_game_is()));
        }
        self.game.legal(&self.state, Seat::new(seat as u8), &mut self.legal);
        let mut found = self.notations();
        let mut expected = options.to_vec();
        found.sort_unstable();
        expected.sort_unstable();
        if found != expected {
            return Err(format!("seat {seat} may in the game {found:?}, in the model {expected:?}"));
        }
        compare(self.game, &self.state, world)?;
        let chosen = match self.script.pop_front() {
            Some(word) if options.contains(&word) => word,
            Some(word) => return Err(format!("the script says {word}, the options are {options:?}")),
            None => self.random.pick(options).expect("there is an option").clone(),
        };
        let action = self.game.catalogue().actions.parse(&chosen).expect("an action");
        self.told.push(chosen.clone());
        self.game.apply(&mut self.state, Seat::new(seat as u8), action, &mut Events::silent());
        Ok(chosen)
    }

    pub(crate) fn roll(&mut self, world: &World<'_>, dice: usize) -> Play<Vec<u8>> {
        if self.game.node(&self.state) != Node::Chance {
            return Err(format!("the model rolls {dice} dice, {}", self.where_the_game_is()));
        }
        match self.game.chance(&self.state) {
            Chance::Roll { dice: rolled, sides: 6, .. } if usize::from(rolled) == dice => {}
            other => return Err(format!("the model rolls {dice} dice, the game {other:?}")),
        }
        compare(self.game, &self.state, world)?;
        let faces: Vec<u8> = match self.script.pop_front() {
            Some(word) => {
                serde_json::from_str(&word).map_err(|_| format!("the script says {word}, not dice"))?
            }
            None => (0..dice).map(|_| self.random.below(6) as u8 + 1).collect(),
        };
        if faces.len() != dice {
            return Err(format!("the script has {faces:?} for {dice} dice"));
        }
        self.told.push(format!("{faces:?}"));
        let outcome = Outcome::Roll(faces.iter().copied().collect());
        self.game.resolve(&mut self.state, &outcome, &mut Events::silent());
        Ok(faces)
    }

    /// Draws one of some blocks.
    pub(crate) fn draw(&mut self, world: &World<'_>, among: &[usize]) -> Play<usize> {
        if self.game.node(&self.state) != Node::Chance {
            return Err(format!("the model draws of {among:?}, {}", self.where_the_game_is()));
        }
        let Chance::Choice { options, .. } = self.game.chance(&self.state) else {
            return Err(format!("the model draws of {among:?}, the game rolls"));
        };
        let found: Vec<Ref> = options.iter().map(|option| option.what).collect();
        // The game names no block: it counts them.
        let expected: Vec<Ref> = (1..=among.len()).map(|number| Ref::Number(number as i32)).collect();
        if found != expected || options.iter().any(|option| option.weight != options[0].weight) {
            return Err(format!("the game draws of {options:?}, the model of {among:?}"));
        }
        compare(self.game, &self.state, world)?;
        let scripted = self.script.pop_front().map(|word| {
            among.iter().copied().find(|&block| word == format!("draws {}", world.atlas.blocks[block].id))
        });
        let drawn = match scripted {
            Some(drawn) => drawn.ok_or("the script draws another")?,
            None => *self.random.pick(among).expect("there is a block"),
        };
        self.told.push(format!("draws {}", world.atlas.blocks[drawn].id));
        let number = among.iter().filter(|&&block| block <= drawn).count();
        let outcome = Outcome::Pick(Ref::Number(number as i32));
        self.game.resolve(&mut self.state, &outcome, &mut Events::silent());
        Ok(drawn)
    }

    fn notations(&self) -> Vec<String> {
        self.legal.iter().map(|&action| self.game.catalogue().actions.notation(action)).collect()
    }

    fn where_the_game_is(&mut self) -> String {
        match self.game.node(&self.state) {
            Node::Decision(seat) => {
                self.game.legal(&self.state, seat, &mut self.legal);
                format!("the game asks {seat} for {:?}", self.notations())
            }
            Node::Chance => format!("the game is at {:?}", self.game.chance(&self.state)),
            node => format!("the game is at {node:?}"),
        }
    }
}

/// Returns whether the boards are the same.
pub(crate) fn compare(game: &ThisWar, state: &State, world: &World<'_>) -> Play<()> {
    let boards = [0, 1].map(|seat| game.board(state, Observer::Seat(Seat::new(seat))));
    for (block, def) in world.atlas.blocks.iter().enumerate() {
        let found = place_of(game, world.atlas, &boards[def.side], block);
        let piece = &world.pieces[block];
        let expected = (piece.place, piece.strength);
        if found != expected {
            return Err(format!("{}: in the game {found:?}, in the model {expected:?}", def.id));
        }
    }
    compare_markers(game.catalogue(), world, &boards[0])
}

/// Returns the place of a block on its side's board, and its strength.
pub(crate) fn place_of(game: &ThisWar, atlas: &Atlas, board: &Board, block: usize) -> (Place, u8) {
    let place = match board.pieces[&(block as u16)].at {
        Location::Space(at) if usize::from(at) < atlas.areas.len() => Place::Area(at.into()),
        Location::Space(at) => Place::City(usize::from(at) - atlas.areas.len()),
        _ => Place::Pool,
    };
    let at = Marker { at: Location::Piece(block as u16), kind: marker_kind(game.catalogue(), "strength") };
    (place, board.markers.get(&at).map_or(0, |&strength| strength as u8))
}

fn compare_markers(catalogue: &Catalogue, world: &World<'_>, board: &Board) -> Play<()> {
    let number =
        |at: Location, id: &str| board.markers.get(&Marker { at, kind: marker_kind(catalogue, id) }).copied();
    let same = |what: &str, found: Option<i32>, expected: Option<i32>| {
        if found == expected {
            return Ok(());
        }
        Err(format!("{what}: in the game {found:?}, in the model {expected:?}"))
    };
    for (area, def) in world.atlas.areas.iter().enumerate() {
        let expected = match world.control(area) {
            Control::Neutral => 0,
            Control::Of(side) => side as i32 + 1,
            Control::Contested => 3,
        };
        let found = number(Location::Space(area as u16), "control");
        same(&format!("control of {}", def.id), found, Some(expected))?;
    }
    for (city, def) in world.atlas.cities.iter().enumerate() {
        let at = Location::Space((world.atlas.areas.len() + city) as u16);
        if def.points > 0 {
            let expected = world.holder(city).map_or(0, |side| side as i32 + 1);
            same(&format!("control of {}", def.id), number(at, "control"), Some(expected))?;
        }
        same(&format!("siege of {}", def.id), number(at, "besieged"), world.besieged[city].then_some(1))?;
        let marker = world.marker[city].map(i32::from);
        same(&format!("marker at {}", def.id), number(at, "siege"), marker)?;
    }
    same("points", number(Location::Track(1), "victory"), Some(world.points()))
}
