//! Every catalogue is complete: whoever knows it and the view can draw the game, read its numbers and play.

#[path = "catalogue/flows.rs"]
mod flows;
#[path = "catalogue/notations.rs"]
mod notations;
#[path = "catalogue/templates.rs"]
mod templates;
#[path = "support/volume.rs"]
mod volume;
#[path = "catalogue/words.rs"]
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use edgehill_engine::action::VerbKind;
use edgehill_engine::catalogue::{
    Attribute, AttributeScope, AttributeValue, CatalogEntry, Catalogue, MarkerPriority, SpaceDef,
};
use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::content::Confidence;
use edgehill_engine::game::{MatchResult, Node};
use edgehill_engine::reference::{Location, Ref};
use edgehill_engine::registry::{AnyGame, AnyTable, Registry};
use edgehill_engine::render;
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::setup::Setup;
use edgehill_engine::table::ApplyMode;
use edgehill_engine::view::View;
use volume::volume;
use words::{piles_lie_as_declared, sided};

/// Matches of each scenario in full.
const MATCHES: usize = 200;
/// A view is looked at once for so many nodes.
const NODES_A_VIEW: usize = 5;

/// The games of the registry, or the one that `EDGEHILL_GAME` names (`make kit`).
#[expect(clippy::disallowed_methods, reason = "tests may read the environment, the engine may not")]
fn games() -> Vec<Arc<dyn AnyGame>> {
    let registry = Registry::built_in().expect("the built-in content is sound");
    match std::env::var("EDGEHILL_GAME") {
        Ok(id) => vec![Arc::clone(registry.game(&id).expect("EDGEHILL_GAME is a game of the registry"))],
        Err(_) => registry.games().cloned().collect(),
    }
}

fn game(id: &str) -> Arc<dyn AnyGame> {
    Arc::clone(Registry::built_in().expect("the built-in content is sound").game(id).expect("a game"))
}

/// Every entry that can carry attributes, with its list.
fn entries(catalogue: &Catalogue) -> Vec<(AttributeScope, &CatalogEntry)> {
    use AttributeScope::*;
    let mut entries: Vec<(AttributeScope, &CatalogEntry)> = Vec::new();
    entries.extend(catalogue.spaces.iter().map(|one| (Spaces, &one.entry)));
    entries.extend(catalogue.mats.iter().map(|one| (Mats, &one.entry)));
    entries.extend(catalogue.tracks.iter().map(|one| (Tracks, &one.entry)));
    entries.extend(catalogue.piles.iter().map(|one| (Piles, &one.entry)));
    entries.extend(catalogue.kinds.iter().map(|one| (Kinds, &one.entry)));
    entries.extend(catalogue.pieces.iter().map(|one| (Pieces, one)));
    entries.extend(catalogue.cards.iter().map(|one| (Cards, one)));
    entries.extend(catalogue.markers.iter().map(|one| (Markers, &one.entry)));
    entries
}

/// Tells that the catalogue has what a reference names.
fn is_there(catalogue: &Catalogue, what: Ref) -> bool {
    match what {
        Ref::Seat(seat) => seat.index() < catalogue.seats.len(),
        Ref::Number(_) => true,
        other => catalogue.entry(other).is_some(),
    }
}

fn attribute<'a>(catalogue: &'a Catalogue, what: Ref, id: &str) -> &'a Attribute {
    catalogue.attribute(what, id).unwrap_or_else(|| panic!("{what:?} of {} has no {id}", catalogue.id))
}

fn number(catalogue: &Catalogue, what: Ref, id: &str) -> i32 {
    attribute(catalogue, what, id).number().expect("a number")
}

fn space<'a>(catalogue: &'a Catalogue, id: &str) -> (u16, &'a SpaceDef) {
    let found = catalogue.spaces.iter().position(|space| space.entry.id == id).expect("a space");
    (found as u16, &catalogue.spaces[found])
}

#[test]
fn every_card_piece_and_kind_has_its_rules() {
    for game in games() {
        let catalogue = game.catalogue();
        let kinds = catalogue.kinds.iter().map(|kind| &kind.entry);
        for entry in catalogue.cards.iter().chain(&catalogue.pieces).chain(kinds) {
            let said =
                !entry.rules_text.is_empty() && entry.rules_text.iter().all(|line| !line.trim().is_empty());
            assert!(said, "{} of {} says nothing of itself", entry.id, catalogue.id);
        }
    }
}

#[test]
fn rules_that_texts_cite_are_in_the_ledger() {
    for game in games() {
        let catalogue = game.catalogue();
        let charts = catalogue.charts.iter().flat_map(|chart| &chart.entry.rules_text);
        let boxes = catalogue.tracks.iter().flat_map(|track| &track.boxes).flat_map(|one| &one.gives);
        let of_entries = entries(catalogue);
        let of_entries = of_entries.iter().flat_map(|(_, entry)| &entry.rules_text);
        let mut cited = 0;
        for line in charts.chain(boxes).chain(of_entries) {
            for cites in line.split("(rule").skip(1) {
                let cites = cites.trim_start_matches('s').split(')').next().unwrap_or_default();
                for id in cites.split(',').map(str::trim) {
                    assert!(catalogue.ledger.get(id).is_some(), "{}: `{line}` cites {id}", catalogue.id);
                    cited += 1;
                }
            }
        }
        assert!(cited > 0, "{} cites no rule", catalogue.id);
    }
}

#[test]
fn attributes_are_what_they_are_declared_to_be() {
    for game in games() {
        let catalogue = game.catalogue();
        let mut used = BTreeSet::new();
        let boxes = catalogue.tracks.iter().flat_map(|track| &track.boxes);
        let boxes = boxes.map(|one| (AttributeScope::Boxes, one.label.as_str(), &one.attributes));
        let entries = entries(catalogue);
        let entries = entries.iter().map(|&(on, entry)| (on, entry.id.as_str(), &entry.attributes));
        for (on, id, attributes) in entries.chain(boxes) {
            let order: Vec<u16> = attributes.iter().map(|attribute| attribute.def).collect();
            assert!(order.is_sorted_by(|a, b| a < b), "{id} of {}: {order:?}", catalogue.id);
            for attribute in attributes {
                let def = &catalogue.attributes[usize::from(attribute.def)];
                let of = format!("{} of {id} in {}", def.id, catalogue.id);
                used.insert(def.id);
                assert!(def.on.contains(&on), "{of} is not declared for {on:?}");
                assert!(
                    def.many || attribute.values.len() == 1,
                    "{of} has {} values",
                    attribute.values.len()
                );
                assert!(!attribute.values.is_empty(), "{of} is empty");
                for value in &attribute.values {
                    assert_eq!(value.kind(), def.kind, "{of}");
                    if let AttributeValue::Reference(what) = value {
                        assert!(is_there(catalogue, *what), "{of} names {what:?}");
                    }
                }
            }
        }
        let declared: BTreeSet<&str> = catalogue.attributes.iter().map(|def| def.id).collect();
        assert_eq!(declared.len(), catalogue.attributes.len(), "{}: an id twice", catalogue.id);
        assert_eq!(declared, used, "{}: declared, but nothing carries it", catalogue.id);
        for def in &catalogue.attributes {
            let kebab =
                |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
            assert!(def.id.chars().all(kebab) && !def.label.is_empty(), "{}", def.id);
        }
    }
}

#[test]
fn charts_have_a_cell_a_column() {
    for game in games() {
        let catalogue = game.catalogue();
        assert!(!catalogue.charts.is_empty(), "{}", catalogue.id);
        for chart in &catalogue.charts {
            assert!(!chart.rows.is_empty(), "{}", chart.entry.id);
            for row in &chart.rows {
                assert_eq!(row.cells.len(), chart.columns.len(), "{} of {}", chart.entry.id, catalogue.id);
                for cell in &row.cells {
                    let there = |what: Ref| is_there(catalogue, what);
                    assert!(!matches!(cell, AttributeValue::Reference(what) if !there(*what)), "{cell:?}");
                }
            }
        }
    }
}

#[test]
fn everything_lies_in_the_frame_of_its_board() {
    for game in games() {
        let catalogue = game.catalogue();
        let inside = |board: u16, x: i32, y: i32, id: &str| {
            let board = &catalogue.boards[usize::from(board)];
            assert!(board.contains(x, y), "{id} of {} is not on {}", catalogue.id, board.entry.id);
        };
        for board in &catalogue.boards {
            assert!(board.x_min < board.x_max && board.y_min < board.y_max, "{}", board.entry.id);
            assert!(board.x_scale > 0 && board.y_scale > 0 && !board.unit.is_empty());
        }
        let mut places: BTreeMap<(u16, i32, i32), &str> = BTreeMap::new();
        for space in &catalogue.spaces {
            inside(space.board, space.x, space.y, &space.entry.id);
            let other = places.insert((space.board, space.x, space.y), &space.entry.id);
            assert_eq!(other, None, "{} lies on another", space.entry.id);
            assert!(usize::from(space.kind) < catalogue.space_kinds.len());
            assert!(space.adjacencies.iter().all(|near| usize::from(near.to) < catalogue.spaces.len()));
        }
        for mat in &catalogue.mats {
            inside(mat.board, mat.x, mat.y, &mat.entry.id);
            let other = places.insert((mat.board, mat.x, mat.y), &mat.entry.id);
            assert_eq!(other, None, "{} lies on another", mat.entry.id);
        }
        for track in &catalogue.tracks {
            assert!(!track.boxes.is_empty(), "{}", track.entry.id);
            track.places().for_each(|(x, y)| inside(track.board, x, y, &track.entry.id));
            let apart: BTreeSet<(i32, i32)> = track.places().collect();
            assert_eq!(apart.len(), track.boxes.len(), "{}: a box on another", track.entry.id);
            let numbers: BTreeSet<i32> = track.boxes.iter().map(|one| one.number).collect();
            assert_eq!(numbers.len(), track.boxes.len(), "{}: a number twice", track.entry.id);
        }
        for (index, space) in catalogue.spaces.iter().enumerate() {
            let mut seen = BTreeSet::from([index]);
            let mut at = space.within;
            while let Some(outer) = at.map(usize::from) {
                assert!(seen.insert(outer), "{} lies in itself", space.entry.id);
                assert_eq!(catalogue.spaces[outer].board, space.board);
                at = catalogue.spaces[outer].within;
            }
        }
    }
}

#[test]
fn whoever_holds_a_place_is_named_by_their_seat() {
    let marker = |game: &str, id: &str| {
        let game = self::game(game);
        let def = game.catalogue().markers.iter().find(|def| def.entry.id == id).expect("a kind of marker");
        def.entry.values.iter().map(|value| (value.number, value.what)).collect::<Vec<_>>()
    };
    let [first, second] = [0, 1].map(|seat| Some(Ref::Seat(Seat::new(seat))));
    let control = marker("this-war-without-an-enemy", "control");
    assert_eq!(control, [(0, None), (1, first), (2, second), (3, None)]);
    for id in ["owner", "centre"] {
        assert_eq!(marker("english-civil-war-iia", id), [(1, first), (-1, second)]);
    }
}

#[test]
fn seats_have_a_color_and_an_emblem() {
    for game in games() {
        let colors: BTreeSet<&str> = game.catalogue().seats.iter().map(|seat| seat.color).collect();
        assert_eq!(colors.len(), game.catalogue().seats.len(), "colors tell the seats apart");
        for seat in &game.catalogue().seats {
            let hex = seat.color.strip_prefix('#').expect("a color begins with #");
            assert!(hex.len() == 6 && hex.chars().all(|digit| digit.is_ascii_hexdigit()), "{}", seat.color);
            assert!(!seat.emblem.is_empty());
        }
    }
}

#[test]
fn verbs_name_the_references_of_their_actions() {
    for game in games() {
        let catalogue = game.catalogue();
        let mut most: BTreeMap<&str, usize> = BTreeMap::new();
        for id in catalogue.actions.ids() {
            let action = catalogue.actions.get(id).expect("an id of the table");
            let verb = catalogue.actions.verb_of(id).expect("a verb");
            let least = most.entry(verb.id).or_default();
            *least = (*least).max(action.refs.len());
        }
        for verb in catalogue.actions.verbs() {
            let actions = most.get(verb.id).copied().unwrap_or(0);
            assert_eq!(verb.refs.len(), actions, "{} of {}", verb.id, catalogue.id);
            let unknown = verb.refs.iter().find(|name| catalogue.role(name).is_none());
            assert_eq!(unknown, None, "{} of {}", verb.id, catalogue.id);
        }
        let names: BTreeSet<&str> = catalogue.roles.iter().map(|role| role.name).collect();
        assert_eq!(names.len(), catalogue.roles.len(), "{}: a role twice", catalogue.id);
    }
}

/// All that a playout has met.
#[derive(Default)]
struct Met {
    views: usize,
    positions: BTreeSet<(u16, i32)>,
    /// Numbers met in each role.
    numbers: BTreeMap<&'static str, BTreeSet<i32>>,
}

impl Met {
    fn look(&mut self, catalogue: &Catalogue, view: &View) {
        self.views += 1;
        for procedure in &view.turn_state.procedures {
            for (name, _) in &procedure.roles {
                let known = catalogue.role(name).is_some_and(|role| !role.label.is_empty());
                assert!(known, "{}: nothing is said of {name}, in {}", catalogue.id, procedure.frame);
            }
            let numbers = procedure.roles.iter().filter_map(|&(name, what)| match what {
                Ref::Number(number) => Some((name, number)),
                _ => None,
            });
            for (name, number) in numbers {
                self.numbers.entry(name).or_default().insert(number);
            }
            let of = format!("{}, stage {}, of {}", procedure.frame, procedure.stage, catalogue.id);
            let def = catalogue.procedure(procedure.frame).unwrap_or_else(|| panic!("{of} has no label"));
            let one = procedure.stage == 0 && def.stages.is_empty();
            let named = def.stage(procedure.stage).is_some_and(|name| !name.is_empty());
            assert!(!def.label.is_empty() && (one || named || !def.counts.is_empty()), "{of} has no name");
        }
        for arrow in view.board.arrows.values().filter_map(|arrow| arrow.result) {
            let named = catalogue.arrow_results.iter().any(|result| result.id == arrow);
            assert!(named, "an arrow's result {arrow} in {} has no name", catalogue.id);
        }
        sided(catalogue, view);
        piles_lie_as_declared(catalogue, view);
        for (marker, &number) in &view.board.markers {
            let def = &catalogue.markers[usize::from(marker.kind)];
            if let (Location::Track(track), MarkerPriority::Position) = (marker.at, def.priority) {
                let track_def = &catalogue.tracks[usize::from(track)];
                let there = track_def.of_number(number).is_some();
                assert!(there, "{} of {} has no box {number}", track_def.entry.id, catalogue.id);
                self.positions.insert((track, number));
            }
        }
    }

    /// Plays a match at random to its end, looking at some views of all observers.
    fn play(&mut self, game: &dyn AnyGame, setup: Setup, seed: u64) {
        let scenario = game.catalogue().scenarios[setup.scenario()].clone();
        let mut table = game.open(setup, ChanceSource::playout(seed));
        let seats: Vec<Seat> = (0..table.seats() as u8).map(Seat::new).collect();
        let bot = |&seat: &Seat| game.bot("random", seat, seed).expect("every game has it");
        let mut bots: Vec<_> = seats.iter().map(bot).collect();
        for node in 0.. {
            if node % NODES_A_VIEW == 0 {
                let observers = seats.iter().map(|&seat| Observer::Seat(seat)).chain([Observer::Spectator]);
                observers.for_each(|observer| self.look(game.catalogue(), &table.view(observer)));
                table.forget_published();
            }
            let seat = match table.node() {
                Node::Decision(seat) => seat,
                Node::Sealed(to_act) => to_act.iter().next().expect("a sealed node is owed"),
                Node::Chance => panic!("a playout draws by itself"),
                Node::Over => break,
            };
            let legal = table.legal(seat);
            let action = bots[seat.index()].choose(&table.view(Observer::Seat(seat)), &legal);
            table.apply(seat, &[action], ApplyMode::Atomic).expect("a legal action is taken");
        }
        self.returns(&*table, scenario.returns_min, scenario.returns_max);
    }

    /// Numbers of roles have their names: those of a role that names some, and those of one that is only so or not.
    fn roles(&self, catalogue: &Catalogue) {
        let mut unsure = Vec::new();
        for (name, numbers) in &self.numbers {
            let role = catalogue.role(name).expect("a role that is known");
            let of = format!("{name} of {}: {numbers:?}", catalogue.id);
            let all = role.values.iter().fold(0, |all, value| all | value.number);
            if role.bits {
                assert!(numbers.iter().all(|number| number & !all == 0), "{of} beyond {all}");
            } else if role.values.is_empty() {
                assert!(!numbers.contains(&255), "{of}: a number that stands for none");
                let plain = !role.unit.is_empty() || COUNTS.contains(name);
                if !plain && numbers.iter().all(|number| (0..=1).contains(number)) {
                    unsure.push(of);
                }
            } else if role.values.iter().all(|value| (0..255).contains(&value.number)) {
                let named = |number: &i32| role.values.iter().any(|value| value.number == *number);
                assert!(numbers.iter().all(named), "{of}: a number without a name");
            }
        }
        assert!(unsure.is_empty(), "yes or no? {unsure:#?}");
    }

    fn returns(&mut self, table: &dyn AnyTable, least: i32, most: i32) {
        let result = table.result().expect("a match that is over has an ending");
        let inside = result.returns.iter().all(|value| (least..=most).contains(value));
        assert!(inside, "{}: {:?} beyond {least} to {most}", table.catalogue().id, result.returns);
        said_in_full(table.catalogue(), &result);
    }
}

/// Roles whose number counts or is an index, although it may meet none beyond 1.
const COUNTS: [&str; 3] = ["option", "choice", "extra"];

/// Fails unless the template of a result takes up its references, each of them.
fn said_in_full(catalogue: &Catalogue, result: &MatchResult) {
    let template =
        catalogue.phrases.get(result.code).unwrap_or_else(|| panic!("nothing says {}", result.code));
    let places = (0..9).filter(|place| template.contains(&format!("{{{place}}}"))).count();
    assert_eq!(places, result.refs.len(), "{template:?} of {} with {:?}", catalogue.id, result.refs);
}

#[test]
fn who_gave_up_is_named_in_every_game() {
    for game in games() {
        let catalogue = game.catalogue();
        let scenario = catalogue.scenarios.iter().find(|scenario| scenario.seats == 2);
        let Some(scenario) = scenario else { continue };
        let setup = Setup::new(catalogue, Some(scenario.id), &BTreeMap::default()).expect("a setup");
        let mut table = game.open(setup, ChanceSource::playout(1));
        table.resign(Seat::new(1)).expect("a seat of a match that runs");
        let result = table.result().expect("it is over");
        assert_eq!(result.refs[..], [Ref::Seat(Seat::new(1))]);
        said_in_full(catalogue, &result);
        assert!(render::result(catalogue, &result).contains(catalogue.seats[1].name));
    }
}

/// Every scenario at random, with every option off and on.
#[test]
fn playouts_stay_within_what_the_catalogue_declares() {
    let volume = volume(MATCHES);
    for game in games() {
        let catalogue = game.catalogue();
        let mut met = Met::default();
        for scenario in &catalogue.scenarios {
            for seed in 0..volume.cases as u64 {
                let number = volume.seed.wrapping_add(seed);
                let flag = if seed % 2 == 1 { "true" } else { "false" };
                let flags =
                    catalogue.options.iter().filter(|option| option.kind.expected() == "true or false");
                let options = flags.map(|option| (option.id.to_owned(), flag.to_owned())).collect();
                let setup = Setup::new(catalogue, Some(scenario.id), &options).expect("a setup");
                met.play(&*game, setup, number);
            }
        }
        met.roles(catalogue);
        assert!(met.views > 50, "{}: {} views", catalogue.id, met.views);
        for (track, def) in catalogue.tracks.iter().enumerate() {
            let stood: Vec<i32> =
                met.positions.iter().filter(|&&(at, _)| usize::from(at) == track).map(|&(_, n)| n).collect();
            println!("{} {}: {stood:?}", catalogue.id, def.entry.id);
            assert!(
                !stood.is_empty(),
                "no marker of position stands on {} of {}",
                def.entry.id,
                catalogue.id
            );
        }
        let navigates = catalogue.actions.verbs().iter().filter(|verb| verb.kind == VerbKind::Navigate);
        assert!(navigates.count() <= 1);
    }
}

#[test]
fn a_city_of_this_war_lies_in_its_area() {
    let game = game("this-war-without-an-enemy");
    let catalogue = game.catalogue();
    let cities: Vec<&SpaceDef> = catalogue.spaces.iter().filter(|space| space.within.is_some()).collect();
    assert_eq!(cities.len(), 15);
    for (city, area) in [
        ("london", "buckinghamshire-hertfordshire"),
        ("bristol", "somerset"),
        ("hull", "east-riding"),
        ("york", "north-riding"),
    ] {
        assert_eq!(space(catalogue, city).1.within, Some(space(catalogue, area).0), "{city}");
    }
    let kind = |id: &str| catalogue.space_kinds[usize::from(space(catalogue, id).1.kind)].id;
    assert_eq!((kind("hull"), kind("york"), kind("somerset")), ("port", "city", "area"));
    for city in cities {
        assert!(city.adjacencies.is_empty());
        assert_eq!(catalogue.spaces[usize::from(city.within.expect("an Area"))].region, city.region);
    }
}

#[test]
fn what_is_reconstructed_stays_marked() {
    use Confidence::{Inferred, Official, Reconstructed};
    let this_war = game("this-war-without-an-enemy");
    let catalogue = this_war.catalogue();
    for piece in 0..catalogue.pieces.len() as u16 {
        let level = |id| attribute(catalogue, Ref::Piece(piece), id).confidence;
        assert_eq!((level("strength"), level("effectiveness")), (Reconstructed, Reconstructed));
        assert_eq!((level("class"), level("side"), level("setup")), (Official, Official, Official));
    }
    let newcastle = catalogue.pieces.iter().position(|piece| piece.id == "r-newcastle").expect("a block");
    assert_eq!(attribute(catalogue, Ref::Piece(newcastle as u16), "home").confidence, Inferred);
    let borders = catalogue.spaces.iter().flat_map(|space| &space.adjacencies);
    assert!(borders.clone().count() == 136 && borders.clone().all(|near| near.confidence == Reconstructed));
    let durham = Ref::Space(space(catalogue, "durham").0);
    assert_eq!(attribute(catalogue, durham, "loyal").confidence, Reconstructed);
    assert_eq!(attribute(catalogue, durham, "mountain").confidence, Official);
    let siege = catalogue.charts.iter().find(|chart| chart.entry.id == "siege").expect("a chart");
    assert!(siege.rows.len() == 30 && siege.rows.iter().all(|row| row.confidence == Reconstructed));

    let iia = game("english-civil-war-iia");
    let catalogue = iia.catalogue();
    let london = Ref::Space(space(catalogue, "LON").0);
    assert_eq!(attribute(catalogue, london, "rating").confidence, Reconstructed);
    assert_eq!(attribute(catalogue, london, "armies").confidence, Official);
    let borders = catalogue.spaces.iter().flat_map(|space| &space.adjacencies);
    assert!(borders.clone().count() == 206 && borders.clone().all(|near| near.confidence == Inferred));

    let cruel = game("cruel-necessity");
    let catalogue = cruel.catalogue();
    let west = catalogue.pieces.iter().position(|piece| piece.id == "west").expect("an Army") as u16;
    assert_eq!(attribute(catalogue, Ref::Piece(west), "strength").confidence, Reconstructed);
    let track = |id: &str| catalogue.tracks.iter().find(|track| track.entry.id == id).expect("a track");
    let (monarchy, parliament) = (track("monarchy"), track("parliament"));
    assert_eq!(monarchy.boxes[4].confidence, Inferred, "of number, grade and triangles the weakest");
    assert_eq!(parliament.boxes[1].confidence, Official);
    assert_eq!(monarchy.boxes[5].confidence, Reconstructed);
    let level = |place: usize, id: &str| {
        let def = catalogue.attributes.iter().position(|def| def.id == id).expect("an attribute") as u16;
        let found = monarchy.boxes[place].attributes.iter().find(|attribute| attribute.def == def);
        found.expect("a fact of the box").confidence
    };
    assert_eq!((level(5, "beats"), level(5, "victory-points")), (Inferred, Reconstructed));
}

#[test]
fn numbers_are_there_as_numbers() {
    let this_war = game("this-war-without-an-enemy");
    let catalogue = this_war.catalogue();
    let card = catalogue.cards.iter().position(|card| card.id == "r-camp-fever").expect("a card") as u16;
    assert_eq!(number(catalogue, Ref::Card(card), "action-points"), 2);
    assert_eq!(number(catalogue, Ref::Card(card), "amount"), 2);
    let rupert = catalogue.pieces.iter().position(|piece| piece.id == "r-rupert").expect("a block") as u16;
    assert_eq!(number(catalogue, Ref::Piece(rupert), "strength"), 4);
    assert_eq!(number(catalogue, Ref::Piece(rupert), "effectiveness"), 3);
    let class = &attribute(catalogue, Ref::Piece(rupert), "class").values[0];
    let cavalry = catalogue.kinds.iter().position(|kind| kind.entry.id == "cavalry").expect("a kind") as u16;
    assert_eq!(*class, AttributeValue::Reference(Ref::Kind(cavalry)));

    let cruel = game("cruel-necessity");
    let catalogue = cruel.catalogue();
    let oxford = catalogue.pieces.iter().position(|piece| piece.id == "oxford").expect("a fortress") as u16;
    let strengths = &attribute(catalogue, Ref::Piece(oxford), "strengths").values;
    assert_eq!(*strengths, [0, 2, 2, 3, 3, 4].map(AttributeValue::Number));
    for track in catalogue.tracks.iter().take(6) {
        assert_eq!(track.boxes.len(), 6, "{}", track.entry.id);
    }
    let monarchy = &catalogue.tracks[1];
    let grades: Vec<&str> = monarchy.boxes.iter().map(|one| one.grade.as_str()).collect();
    assert_eq!(grades, ["A", "B", "C", "C", "D", "F"]);
    assert_eq!(catalogue.scenarios[0].returns_min, -100);

    let skirmish = game("skirmish");
    let catalogue = skirmish.catalogue();
    let drum = catalogue.cards.iter().position(|card| card.id == "drum").expect("a card") as u16;
    assert_eq!(
        (number(catalogue, Ref::Card(drum), "order"), number(catalogue, Ref::Card(drum), "marches")),
        (4, 2)
    );

    let iia = game("english-civil-war-iia");
    let catalogue = iia.catalogue();
    let london = Ref::Space(space(catalogue, "LON").0);
    assert_eq!((number(catalogue, london, "rating"), number(catalogue, london, "regular")), (-4, 2));
    assert_eq!(catalogue.tracks[0].boxes[0].label, "December 1642");
    // A degree of longitude is drawn shorter than one of latitude.
    assert_eq!((catalogue.boards[0].x_scale, catalogue.boards[0].y_scale), (3, 5));
}
