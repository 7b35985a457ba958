//! The board of a game, from both seats' views, as the oracle's plain maps.

use std::collections::{BTreeMap, BTreeSet};

use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::game::Game;
use edgehill_engine::games::unhappy_king_charles::{State, UnhappyKing};
use edgehill_engine::reference::{Location, Ref};
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::view::{Board, Marker};

use super::atlas::Atlas;
use super::world::{At, Brigade, Post, Presence, Siege, Stay, World, default_options};

/// Flags of Brigades, as the catalogue names them.
fn flag(catalogue: &Catalogue, name: &str) -> u32 {
    1 << catalogue.flags.iter().position(|&flag| flag == name).expect("a flag")
}

fn kind(catalogue: &Catalogue, id: &str) -> u16 {
    catalogue.markers.iter().position(|marker| marker.entry.id == id).expect("a marker") as u16
}

/// The id of a mat.
fn mat(catalogue: &Catalogue, mat: u16) -> &str {
    &catalogue.mats[usize::from(mat)].entry.id
}

struct Reader<'g> {
    atlas: &'g Atlas,
    catalogue: &'g Catalogue,
}

impl Reader<'_> {
    fn inside(&self, id: &str) -> Option<usize> {
        id.strip_prefix("inside-").map(|area| self.atlas.area(area))
    }

    fn holder(&self, at: Location) -> At {
        let generals = self.atlas.generals.len();
        match at {
            Location::Space(area) => At::Outside(area.into()),
            Location::Piece(leader) if usize::from(leader) < generals => At::General(leader.into()),
            Location::Piece(leader) => At::Notable(usize::from(leader) - generals),
            Location::Mat(number) => match mat(self.catalogue, number) {
                "pool-royalist" => At::Pool(0),
                "pool-parliament" => At::Pool(1),
                "unemployed-royalist" => At::Unemployed(0),
                "unemployed-parliament" => At::Unemployed(1),
                "away" => At::Away,
                "lost" => At::Lost,
                "out" => At::Out,
                id => At::Inside(self.inside(id).unwrap_or_else(|| panic!("Brigades are at {id}"))),
            },
            other => panic!("Brigades are at {other:?}"),
        }
    }

    fn post(&self, at: Location) -> Post {
        match at {
            Location::Space(area) => Post::Area(area.into()),
            Location::Piece(commander) => Post::Under(commander.into()),
            Location::Track(_) => Post::Waiting,
            Location::Mat(number) => match mat(self.catalogue, number) {
                "away" => Post::Waiting,
                "out" => Post::Out,
                "off-map" => Post::Scotland,
                id if id.starts_with("reinforcements") => Post::Reinforcements,
                id if id.starts_with("unemployed") => Post::Unemployed,
                id => Post::Inside(self.inside(id).unwrap_or_else(|| panic!("a General is at {id}"))),
            },
            other => panic!("a General is at {other:?}"),
        }
    }

    fn stay(&self, at: Location, flags: u32) -> Stay {
        match at {
            Location::Space(area) => Stay::In(area.into()),
            Location::Piece(general) => Stay::With(general.into()),
            Location::Track(_) => Stay::Resting,
            Location::Mat(number) if mat(self.catalogue, number) == "out" => {
                if flags & flag(self.catalogue, "left by sea") != 0 { Stay::Left } else { Stay::Gone }
            }
            _ => Stay::Off,
        }
    }

    /// The Brigades of a side, as its own board shows them.
    fn brigades(&self, board: &Board, side: usize, into: &mut Vec<Brigade>) {
        let bit = |name: &str| flag(self.catalogue, name);
        for (group, &count) in &board.groups {
            let face = usize::from(group.kind);
            if group.owner != Some(Seat::new(side as u8)) || face >= self.atlas.faces.len() {
                continue;
            }
            let brigade = Brigade {
                at: self.holder(group.at),
                face,
                turned: group.flags & bit("turncoat") != 0,
                moved: group.flags & bit("moved on this card") != 0,
                marked: group.flags & (bit("deserting") | bit("lost in this Battle") | bit("picked")) != 0,
            };
            into.extend((0..count).map(|_| brigade));
        }
    }
}

/// The oracle's board of a state; the optional rules are those of a match that sets none.
pub(crate) fn read<'a>(game: &UnhappyKing, atlas: &'a Atlas, state: &State) -> World<'a> {
    let catalogue = game.catalogue();
    let reader = Reader { atlas, catalogue };
    let boards = [0, 1].map(|seat| game.board(state, Observer::Seat(Seat::new(seat))));
    let mut brigades = Vec::new();
    for (side, board) in boards.iter().enumerate() {
        reader.brigades(board, side, &mut brigades);
    }
    brigades.sort_unstable();
    let [board, _] = &boards;
    let piece = |number: usize| board.pieces[&(number as u16)];
    let (generals, notables) = (atlas.generals.len(), atlas.notables.len());
    let presence = |number: usize| match piece(generals + number).at {
        Location::Space(_) => Presence::InPlay,
        Location::Mat(at) if mat(catalogue, at) == "out" => Presence::Out,
        _ => Presence::Waiting,
    };
    let marker = |at: Location, id: &str| {
        board.markers.get(&Marker { at, kind: kind(catalogue, id) }).copied().unwrap_or(0)
    };
    let space = |area: usize| Location::Space(area as u16);
    let areas = 0..atlas.areas.len();
    let controlled = areas.clone().filter_map(|area| match marker(space(area), "control") {
        0 => None,
        side => Some((area, side as usize - 1)),
    });
    let besieged = areas.filter_map(|area| match marker(space(area), "siege") {
        0 => None,
        level => {
            let number = |id: &str| marker(space(area), id);
            let (value, bonus) = (number("bombardment-value"), number("siege-bonus"));
            Some((area, Siege { blockade: level == 2, value, bonus }))
        }
    });
    let stay = |number: usize| {
        let piece = piece(generals + notables + number);
        reader.stay(piece.at, piece.flags)
    };
    let may_not =
        (0..generals).filter(|&general| marker(Location::Piece(general as u16), "may-not") > 0).collect();
    let first = usize::from(kind(catalogue, "standard"));
    // The markers of what has happened are followed by those of the score.
    let scores = usize::from(kind(catalogue, "in-play"));
    let happened = boards
        .iter()
        .flat_map(|board| board.markers.keys())
        .map(|marker| usize::from(marker.kind))
        .filter(|kind| (first..scores).contains(kind))
        .map(|kind| catalogue.markers[kind].entry.id.clone());
    World {
        atlas,
        turn: marker(Location::Track(0), "turn") as usize,
        control: controlled.collect(),
        posts: (0..generals).map(|general| reader.post(piece(general).at)).collect(),
        notables: (0..notables).map(presence).collect(),
        brigades,
        sieges: besieged.collect::<BTreeMap<_, _>>(),
        trains: [stay(1), stay(2)],
        queen: stay(0),
        may_not_assault: may_not,
        happened: happened.collect::<BTreeSet<_>>(),
        naval: marker(Location::Track(1), "naval"),
        options: default_options(),
    }
}

/// The cards that a side may play out of its hand: none once it has passed (5.5).
pub(crate) fn hand(game: &UnhappyKing, state: &State, side: usize) -> Vec<String> {
    let (catalogue, seat) = (game.catalogue(), Seat::new(side as u8));
    let board = game.board(state, Observer::Seat(seat));
    let passed = Marker { at: Location::Seat(seat), kind: kind(catalogue, "passed") };
    if board.markers.contains_key(&passed) {
        return Vec::new();
    }
    let id = format!("{}-hand", super::atlas::SIDES[side]);
    let pile = catalogue.piles.iter().position(|pile| pile.entry.id == id).expect("a hand");
    let cards = board.piles.get(&(pile as u16)).map_or(&[][..], |pile| &pile.cards);
    cards.iter().map(|&card| catalogue.cards[usize::from(card)].id.clone()).collect()
}

/// The cards of the bonus set that a side is playing, as far as it is playing one (B16).
pub(crate) fn set_in_play(game: &UnhappyKing, state: &State, side: usize) -> Vec<String> {
    let seat = Seat::new(side as u8);
    let path = game.turn_state(state, Observer::Seat(seat));
    let plays = path.procedures.iter().any(|procedure| procedure.frame == "queue");
    let first = path.entitlements.first().filter(|set| plays && set.seat == seat);
    let refs = first.map_or(&[][..], |set| &set.what.refs);
    let card = |one: &Ref| match *one {
        Ref::Card(card) => Some(game.catalogue().cards[usize::from(card)].id.clone()),
        _ => None,
    };
    refs.iter().filter_map(card).collect()
}

/// The number of cards in a pile, which is public.
pub(crate) fn pile_count(game: &UnhappyKing, state: &State, id: &str) -> usize {
    let board = game.board(state, Observer::Spectator);
    let pile = game.catalogue().piles.iter().position(|pile| pile.entry.id == id).expect("a pile");
    board.piles.get(&(pile as u16)).map_or(0, |pile| pile.count.into())
}

/// Returns where two boards part, marks of procedures aside.
pub(crate) fn difference(game: &World<'_>, model: &World<'_>) -> Option<String> {
    let atlas = game.atlas;
    for (number, general) in atlas.generals.iter().enumerate() {
        let [found, expected] = [game, model].map(|world| world.posts[number]);
        if found != expected {
            return Some(format!(
                "{} is at {}, in the model at {}",
                general.id,
                post_word(game, found),
                post_word(game, expected)
            ));
        }
    }
    let tally = |world: &World<'_>| {
        let mut tally = BTreeMap::<(usize, At, bool), i32>::new();
        for one in &world.brigades {
            let gone = matches!(one.at, At::Pool(_) | At::Away | At::Lost | At::Out);
            *tally.entry((one.face, one.at, one.turned && !gone)).or_default() += 1;
        }
        tally
    };
    let [found, expected] = [game, model].map(tally);
    if found != expected {
        let word = |(&(face, at, turned), &count): (&(usize, At, bool), &i32)| {
            let turned = if turned { " turned" } else { "" };
            format!("{count} {}{turned} {}", atlas.faces[face].id, holder_word(game, at))
        };
        let only = |one: &BTreeMap<_, i32>, other: &BTreeMap<_, i32>| -> Vec<String> {
            one.iter().filter(|&(key, count)| other.get(key) != Some(count)).map(word).collect()
        };
        let (of_game, of_model) = (only(&found, &expected), only(&expected, &found));
        return Some(format!("Brigades: in the game {of_game:?}, in the model {of_model:?}"));
    }
    let named = |world: &World<'_>| -> BTreeMap<String, usize> {
        world.control.iter().map(|(&area, &side)| (atlas.areas[area].id.clone(), side)).collect()
    };
    let parts = [
        ("control", format!("{:?}", named(game)), format!("{:?}", named(model))),
        ("Notables", format!("{:?}", game.notables), format!("{:?}", model.notables)),
        ("Sieges", format!("{:?}", game.sieges), format!("{:?}", model.sieges)),
        ("Trains", format!("{:?}", game.trains), format!("{:?}", model.trains)),
        ("the Queen", format!("{:?}", game.queen), format!("{:?}", model.queen)),
        ("May-Not", format!("{:?}", game.may_not_assault), format!("{:?}", model.may_not_assault)),
        ("the Naval Status", game.naval.to_string(), model.naval.to_string()),
    ];
    let part = parts.into_iter().find(|(_, found, expected)| found != expected)?;
    Some(format!("{}: in the game {}, in the model {}", part.0, part.1, part.2))
}

/// The word of a place of Brigades, in actions and positions.
pub(crate) fn holder_word(world: &World<'_>, at: At) -> String {
    let side = |side: usize| super::atlas::SIDES[side];
    let area = |area: usize| &world.atlas.areas[area].id;
    match at {
        At::General(general) => world.atlas.generals[general].id.clone(),
        At::Notable(notable) => world.atlas.notables[notable].id.clone(),
        At::Outside(at) => format!("unled-{}", area(at)),
        At::Inside(at) => format!("inside-{}", area(at)),
        At::Pool(seat) => format!("pool-{}", side(seat)),
        At::Unemployed(seat) => format!("unemployed-{}", side(seat)),
        At::Away => "away".to_owned(),
        At::Lost => "lost".to_owned(),
        At::Out => "out".to_owned(),
    }
}

/// The word of a General's place, in positions.
pub(crate) fn post_word(world: &World<'_>, post: Post) -> String {
    match post {
        Post::Area(area) => world.atlas.areas[area].id.clone(),
        Post::Inside(area) => format!("inside-{}", world.atlas.areas[area].id),
        Post::Under(general) => format!("under-{}", world.atlas.generals[general].id),
        Post::Reinforcements => "reinforcements".to_owned(),
        Post::Unemployed => "unemployed".to_owned(),
        Post::Waiting => "waiting".to_owned(),
        Post::Scotland => "off-map".to_owned(),
        Post::Out => "out".to_owned(),
    }
}
