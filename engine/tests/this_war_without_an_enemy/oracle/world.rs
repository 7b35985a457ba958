//! The places of everything, and what follows from them at once: control, Cities, Sieges and their markers
//! (4.15, 4.21, 4.51, 8.0).

use super::atlas::{Atlas, Kind};

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Place {
    Pool,
    Area(usize),
    City(usize),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Piece {
    pub(crate) place: Place,
    pub(crate) strength: u8,
    /// The neighbour that it came from into the Area where it stopped, in this Turn's moves (C11).
    pub(crate) from: Option<usize>,
    /// It reinforced the Defender of a Contested Area (T6).
    pub(crate) reserve: bool,
    /// It retreated into a Siege (V7).
    pub(crate) tired: bool,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Control {
    Neutral,
    Of(usize),
    Contested,
}

/// Cities held at the start (12.23): the Royalists', then Parliament's.
const AT_START: [&[&str]; 2] =
    [&["chester", "york", "newcastle"], &["plymouth", "bristol", "london", "cambridge", "hull", "oxford"]];

#[derive(Clone, Debug)]
pub(crate) struct World<'a> {
    pub(crate) atlas: &'a Atlas,
    pub(crate) pieces: Vec<Piece>,
    /// The side that was first in each Contested Area, or has become the Defender there.
    pub(crate) defender: Vec<Option<usize>>,
    pub(crate) besieged: Vec<bool>,
    pub(crate) marker: Vec<Option<u8>>,
    /// The Area in which a fight is under way: no Siege begins there before its end (G1, G6).
    pub(crate) fighting: Option<usize>,
    /// Blocks that came out of a City as it went on, with no part in it (B8).
    pub(crate) aside: Vec<usize>,
    /// Blocks that came out of a City for it: they count as in it until it ends (B10).
    pub(crate) sallied: Vec<usize>,
    /// Borders crossed by blocks that stopped behind them, with the side: from, to, side.
    pub(crate) crossed: Vec<(usize, usize, usize)>,
    pub(crate) walls: bool,
    pub(crate) first: usize,
    /// The events of the cards of the Turn.
    pub(crate) event: [String; 2],
    /// The place at which a Tactical event is to work.
    pub(crate) named: [Option<usize>; 2],
    pub(crate) mining: [bool; 2],
    pub(crate) exempt: [usize; 2],
}

impl<'a> World<'a> {
    pub(crate) fn new(atlas: &'a Atlas) -> Self {
        let piece = Piece { place: Place::Pool, strength: 0, from: None, reserve: false, tired: false };
        Self {
            atlas,
            pieces: vec![piece; atlas.blocks.len()],
            defender: vec![None; atlas.areas.len()],
            besieged: vec![false; atlas.cities.len()],
            marker: vec![None; atlas.cities.len()],
            fighting: None,
            aside: Vec::new(),
            sallied: Vec::new(),
            crossed: Vec::new(),
            walls: false,
            first: 0,
            event: [String::new(), String::new()],
            named: [None; 2],
            mining: [false; 2],
            exempt: [0; 2],
        }
    }

    pub(crate) fn at(&self, place: Place, side: usize) -> Vec<usize> {
        (0..self.pieces.len())
            .filter(|&block| self.pieces[block].place == place && self.atlas.blocks[block].side == side)
            .collect()
    }

    /// Blocks of a side in an Area, outside of its City.
    pub(crate) fn outside(&self, area: usize, side: usize) -> Vec<usize> {
        self.at(Place::Area(area), side)
    }

    pub(crate) fn inside(&self, city: usize, side: usize) -> Vec<usize> {
        self.at(Place::City(city), side)
    }

    pub(crate) fn field(&self, blocks: Vec<usize>) -> Vec<usize> {
        blocks.into_iter().filter(|&block| self.atlas.is_field(block)).collect()
    }

    /// The side with blocks in a City.
    pub(crate) fn garrison(&self, city: usize) -> Option<usize> {
        (0..2).find(|&side| !self.inside(city, side).is_empty())
    }

    /// The Area of a block, which a City in it is part of.
    pub(crate) fn area_of(&self, block: usize) -> Option<usize> {
        match self.pieces[block].place {
            Place::Pool => None,
            Place::Area(area) => Some(area),
            Place::City(city) => Some(self.atlas.cities[city].area),
        }
    }

    pub(crate) fn is_contested(&self, area: usize) -> bool {
        (0..2).all(|side| !self.outside(area, side).is_empty())
    }

    /// No block of either side, the City included (B3).
    pub(crate) fn is_vacant(&self, area: usize) -> bool {
        (0..self.pieces.len()).all(|block| self.area_of(block) != Some(area))
    }

    /// 4.15.
    pub(crate) fn control(&self, area: usize) -> Control {
        if self.is_contested(area) {
            return Control::Contested;
        }
        if let Some(side) = (0..2).find(|&side| !self.outside(area, side).is_empty()) {
            return Control::Of(side);
        }
        self.atlas.areas[area].loyal.map_or(Control::Neutral, Control::Of)
    }

    pub(crate) fn is_friendly(&self, area: usize, side: usize) -> bool {
        self.control(area) == Control::Of(side)
    }

    /// 4.21, B6: who holds a City.
    pub(crate) fn holder(&self, city: usize) -> Option<usize> {
        let area = self.atlas.cities[city].area;
        self.garrison(city).or(match self.control(area) {
            Control::Of(side) => Some(side),
            Control::Contested => self.defender[area],
            Control::Neutral => self.atlas.cities[city].sympathy,
        })
    }

    /// A12: the Royalists' points.
    pub(crate) fn points(&self) -> i32 {
        let mut points = -1;
        for (city, def) in self.atlas.cities.iter().enumerate() {
            let holder = self.holder(city);
            if AT_START[1].contains(&def.id.as_str()) && holder == Some(0) {
                points += def.points;
            }
            if AT_START[0].contains(&def.id.as_str()) && holder == Some(1) {
                points -= def.points;
            }
        }
        points
    }

    /// 3.3: whether a Regional block is outside its Home Region without a chaperone in its Area.
    pub(crate) fn is_stranded(&self, block: usize) -> bool {
        let Some(area) = self.area_of(block) else { return false };
        self.atlas.blocks[block].kind == Kind::Regional
            && !self.atlas.is_home(block, area)
            && !self.has_chaperone(block, area)
    }

    pub(crate) fn has_chaperone(&self, block: usize, area: usize) -> bool {
        (0..self.pieces.len()).any(|other| {
            other != block && self.area_of(other) == Some(area) && self.atlas.chaperones(other, block)
        })
    }

    /// Applies what changes at once when blocks have come or gone (B6-B9, G1-G3).
    pub(crate) fn settle(&mut self) {
        for area in 0..self.atlas.areas.len() {
            if !self.is_contested(area) {
                self.defender[area] = None;
            }
        }
        for city in 0..self.atlas.cities.len() {
            let Some(side) = self.garrison(city) else {
                self.besieged[city] = false;
                self.marker[city] = None;
                continue;
            };
            let area = self.atlas.cities[city].area;
            let enemies = self.outside(area, 1 - side);
            if enemies.is_empty() {
                for block in self.inside(city, side) {
                    if !self.sallied.contains(&block) {
                        self.pieces[block].place = Place::Area(area);
                        self.aside.push(block);
                    }
                }
                self.besieged[city] = false;
                self.marker[city] = None;
                continue;
            }
            if self.outside(area, side).is_empty() && self.fighting != Some(area) {
                self.besieged[city] = true;
            }
            let enough = self.besieged[city] && self.field(enemies).len() >= self.atlas.cities[city].size;
            if !enough {
                self.marker[city] = None;
            } else if self.fighting != Some(area) {
                self.marker[city] = self.marker[city].or(Some(0));
            }
        }
    }

    pub(crate) fn put(&mut self, block: usize, place: Place) {
        self.pieces[block].place = place;
        self.settle();
    }

    pub(crate) fn eliminate(&mut self, block: usize) {
        let piece = &mut self.pieces[block];
        *piece = Piece { place: Place::Pool, strength: 0, from: None, reserve: false, tired: false };
        self.settle();
    }

    /// One strength less.
    pub(crate) fn weaken(&mut self, block: usize) {
        self.pieces[block].strength -= 1;
        if self.pieces[block].strength == 0 {
            self.eliminate(block);
        }
    }

    pub(crate) fn is_alive(&self, block: usize) -> bool {
        self.pieces[block].strength > 0
    }

    /// 9.11, H1: how many of these blocks go short.
    pub(crate) fn shortage(&self, area: usize, side: usize, blocks: &[usize]) -> usize {
        let def = &self.atlas.areas[area];
        let (base, horse_most) = if def.mountain { (3, 1) } else { (4, 2) };
        let city = self.atlas.cities.iter().position(|city| city.area == area);
        let bonus = city.map_or(0, |city| {
            let besieges = self.garrison(city) == Some(1 - side);
            match self.atlas.cities[city].class.as_str() {
                _ if besieges => 0,
                "london" => 4,
                "major" => 2,
                _ => 1,
            }
        });
        let horse = blocks.iter().filter(|&&block| self.atlas.is_horse(block)).count();
        let foot = blocks.len() - horse;
        let fed_horse = horse.min(horse_most);
        blocks.len() - fed_horse - foot.min(bonus + base - fed_horse)
    }
}
