//! Random games: they end, and hold what must always hold; the bot against chance.

use std::collections::BTreeMap;

use edgehill_engine::bot::{Bot, random};
use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::game::{Game, Node};
use edgehill_engine::games::this_war_without_an_enemy::{ThisWarWithoutAnEnemy as ThisWar, captain};
use edgehill_engine::reference::{Location, Ref};
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::setup::Setup;
use edgehill_engine::table::{ApplyMode, Table};
use edgehill_engine::view::{Marker, View};

use crate::play::game;
use crate::volume::volume;

/// Mirrored pairs that the bot plays in full, and games that are looked at.
const PAIRS: usize = 200;
const GAMES: usize = 400;

/// Plays a match between these bots, looking at each node.
fn play(seed: u64, mut bots: Vec<Box<dyn Bot>>, mut look: impl FnMut(&Table<ThisWar>)) -> Table<ThisWar> {
    let mut table = Table::open(game(), Setup::default_of(game().catalogue()), ChanceSource::playout(seed));
    while table.node() != Node::Over {
        let seat = table.node().to_act().iter().next().expect("somebody is to act");
        let action = bots[seat.index()].choose(&table.view(Observer::Seat(seat)), &table.legal(seat));
        table.apply(seat, &[action], ApplyMode::Atomic).expect("a legal action");
        look(&table);
    }
    table
}

#[test]
fn the_captain_beats_chance() {
    let volume = volume(PAIRS);
    let mut won = 0;
    for pair in 0..volume.cases as u64 {
        for side in [0u8, 1] {
            let bots = [0u8, 1].map(|seat| {
                let house = if seat == side { captain() } else { random() };
                (house.make)(&game(), Seat::new(seat), pair)
            });
            let result = play(volume.seed + pair, bots.into(), |_| ()).result().expect("the match is over");
            won += usize::from(result.returns[usize::from(side)] > 0);
        }
    }
    println!("the captain won {won} of {}", 2 * volume.cases);
    assert!(won * 10 >= 2 * volume.cases * 9, "the captain won {won} of {}", 2 * volume.cases);
}

/// The statements of the views about a place, by ids.
struct Look<'a> {
    game: &'a ThisWar,
    views: [View; 2],
}

impl Look<'_> {
    fn space(&self, id: &str) -> Location {
        let spaces = &self.game.catalogue().spaces;
        Location::Space(spaces.iter().position(|space| space.entry.id == id).expect("a space") as u16)
    }

    fn marker(&self, at: Location, id: &str) -> Option<i32> {
        let kind =
            self.game.catalogue().markers.iter().position(|marker| marker.entry.id == id).expect("a marker");
        self.views[0].board.markers.get(&Marker { at, kind: kind as u16 }).copied()
    }

    /// Infantry and Cavalry of a side at a place, and all of its blocks there.
    fn at(&self, side: usize, at: Location) -> (usize, usize) {
        let own = self.views[side].board.pieces.values();
        let here = own.filter(|piece| piece.owner == Some(Seat::new(side as u8)) && piece.at == at);
        let guns = self.game.catalogue().kinds.iter().position(|kind| kind.entry.id == "artillery");
        let guns = guns.expect("a kind") as u16;
        here.fold((0, 0), |(field, all), piece| (field + usize::from(piece.kind != guns), all + 1))
    }
}

/// The Victory Cities, the Area of each, its Size, its points, and whether the Royalist held it at the start.
const CITIES: [(&str, &str, usize, i32, bool); 9] = [
    ("london", "buckinghamshire-hertfordshire", 4, 2, false),
    ("bristol", "somerset", 2, 1, false),
    ("oxford", "oxfordshire", 2, 1, false),
    ("york", "north-riding", 2, 1, true),
    ("newcastle", "northumberland", 2, 1, true),
    ("plymouth", "devon", 1, 1, false),
    ("chester", "cheshire", 1, 1, true),
    ("cambridge", "bedfordshire-cambridgeshire", 1, 1, false),
    ("hull", "east-riding", 1, 1, false),
];

/// Asserts what holds at every node at which nobody is in the middle of something.
fn holds(table: &Table<ThisWar>) {
    let game = game();
    let views = [0, 1].map(|seat| table.view(Observer::Seat(Seat::new(seat))));
    if views.iter().any(|view| !view.draft.is_empty()) {
        return;
    }
    let look = Look { game: &game, views };
    let fights = look.views[0].turn_state.procedures.iter().any(|procedure| procedure.frame == "fight");
    let mut blocks = 0;
    for side in 0..2 {
        let own = look.views[side].board.pieces.values();
        blocks += own.filter(|piece| piece.owner == Some(Seat::new(side as u8))).count();
    }
    assert_eq!(blocks, 45, "map and pools");
    let mut points = -1;
    for (city, area, size, value, royalist) in CITIES {
        let (at, around) = (look.space(city), look.space(area));
        let holder = look.marker(at, "control").expect("a Victory City is somebody's");
        points += match (royalist, holder) {
            (true, 2) => -value,
            (false, 1) => value,
            _ => 0,
        };
        let inside: Vec<usize> = (0..2).filter(|&side| look.at(side, at).1 > 0).collect();
        assert!(inside.len() < 2, "{city}: blocks of one side");
        let Some(&side) = inside.first() else {
            assert_eq!(look.marker(at, "besieged"), None, "{city}: nobody is in it");
            continue;
        };
        assert!(look.at(side, at).0 <= size, "{city} is overfull");
        assert_eq!(holder, side as i32 + 1, "{city} is held by who is in it");
        let besiegers = look.at(1 - side, around).0;
        if let Some(marker) = look.marker(at, "siege") {
            assert!((0..=5).contains(&marker) && besiegers >= size, "{city}: {marker}, {besiegers}");
        } else if !fights && look.marker(at, "besieged").is_some() {
            assert!(besiegers < size, "{city}: {besiegers} and no marker");
        }
    }
    let track = look.marker(Location::Track(1), "victory");
    assert_eq!(track, Some(points), "the track is a function of the Cities");
    phases(&game, &look);
}

/// Asserts what holds in some phases, and the number that has crossed each border.
fn phases(game: &ThisWar, look: &Look<'_>) {
    let spaces = &game.catalogue().spaces;
    let frames: Vec<&str> =
        look.views[0].turn_state.procedures.iter().map(|procedure| procedure.frame).collect();
    let after = ["sieges", "supply", "resolution", "year-end", "initiative", "op-events"];
    if frames.first().is_some_and(|frame| after.contains(frame)) {
        for (at, space) in spaces.iter().enumerate().filter(|(_, space)| !space.adjacencies.is_empty()) {
            let both = (0..2).all(|side| look.at(side, Location::Space(at as u16)).1 > 0);
            assert!(!both, "{} is Contested after the Battles", space.entry.id);
        }
    }
    if frames.first() == Some(&"operations") {
        let mut crossed: BTreeMap<(Location, Location), i32> = BTreeMap::new();
        for (key, arrow) in &look.views[0].board.arrows {
            let counts = game.catalogue().arrows[usize::from(key.kind)].id == "crossed";
            if let Some(Ref::Number(number)) = arrow.refs.first().copied().filter(|_| counts) {
                crossed.insert((key.from, key.to), number);
            }
        }
        for ((from, to), number) in crossed {
            let (Location::Space(from), Location::Space(to)) = (from, to) else {
                panic!("a border is between Areas")
            };
            let kind = spaces[usize::from(from)]
                .adjacencies
                .iter()
                .find(|near| near.to == to)
                .expect("neighbours")
                .kind;
            let limit = match kind {
                "river" => 4,
                "mountain" => 2,
                _ => i32::MAX,
            };
            assert!(number <= limit, "{number} across a {kind} border");
        }
    }
}

#[test]
fn what_must_always_hold_holds() {
    let volume = volume(GAMES);
    for seed in 0..volume.cases as u64 {
        let bots = [0u8, 1].map(|seat| {
            let house = if seed % 2 == 0 { random() } else { captain() };
            (house.make)(&game(), Seat::new(seat), volume.seed + seed)
        });
        play(volume.seed.wrapping_add(seed), bots.into(), holds);
    }
}
