//! Section 7: the Recruitment Phase and Recruitment cards.

use std::collections::BTreeSet;

use super::atlas::{PARLIAMENT, ROYALIST};
use super::model::Model;
use super::placing::Placed;
use super::umpire::Play;
use super::world::{At, Post, Presence, Stay, World, other};

const REGIONS: [&str; 5] = ["south", "east", "wales", "midlands", "north"];

/// The occasion of a recruitment.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Occasion {
    Phase,
    /// A Recruitment card (7.3).
    Card,
    /// The Raising of the Standard, for Parliament (MC4).
    Standard,
    /// The Solemn League, for the Royalist (MC11).
    League,
}

/// A recruitment under way.
pub(crate) struct Recruiting {
    side: usize,
    occasion: Occasion,
    left: usize,
    /// Regions of which a Brigade was recruited.
    regions: BTreeSet<String>,
    /// Areas where any was placed, and where any reformed.
    areas: BTreeSet<usize>,
    reformed: BTreeSet<usize>,
    receivers: BTreeSet<At>,
}

impl Recruiting {
    fn by_card(&self) -> bool {
        self.occasion == Occasion::Card
    }

    /// 7.1, 15.3: the benefits, the Train and Generals come in the Phase and by a Recruitment card alone.
    fn is_regular(&self) -> bool {
        matches!(self.occasion, Occasion::Phase | Occasion::Card)
    }
}

/// The naval benefit of each side was used for an extra Brigade.
const BENEFIT: [&str; 2] = ["royalist-benefit", "parliament-benefit"];
/// It was used for a Veteran, as the side alone knows.
const VETERAN: [&str; 2] = ["royalist-veteran", "parliament-veteran"];
/// It may have been.
const CHANCE: [&str; 2] = ["royalist-chance", "parliament-chance"];

impl World<'_> {
    /// 15.3, R4: the naval benefit of a side at this level, not used this Turn.
    fn has_benefit(&self, of: &Recruiting, level: i32) -> bool {
        let side = of.side;
        let own = if side == ROYALIST { -self.naval } else { self.naval };
        of.is_regular() && own >= level && !self.has(BENEFIT[side]) && !self.has(VETERAN[side])
    }

    /// 16.0: whether a recruit may be a Veteran by the naval benefit, for all that the enemy knows.
    fn may_be_veteran(&self, of: &Recruiting) -> bool {
        let side = of.side;
        let own = if side == ROYALIST { -self.naval } else { self.naval };
        of.is_regular()
            && own >= 3
            && !self.has(BENEFIT[side])
            && !(side == ROYALIST && self.has("new-model"))
    }

    /// R6: the General may have the Brigade, and the Army has room.
    fn has_room(&self, general: usize, brigade: usize) -> bool {
        let commander = self.commander(general);
        let faction = &*self.atlas.generals[general].faction;
        let leads = match self.faction(brigade) {
            "covenanter" => faction == "covenanter",
            "lorrainer" => faction == "lorrainer",
            _ => faction != "lorrainer",
        };
        leads && self.size(commander) < self.limit(commander)
    }

    fn notable_has_room(&self, side: usize, notable: usize) -> bool {
        let of = &self.atlas.notables[notable];
        of.side == side
            && self.notables[notable] == Presence::InPlay
            && !self.besieged(of.area)
            && self.at(At::Notable(notable)).len() < of.limit
    }

    /// 14.1: an own printed Fortress without a Siege marker has room for one more.
    fn fortress_has_room(&self, side: usize, area: usize) -> bool {
        self.atlas.areas[area].printed.is_some()
            && self.controller(area) == Some(side)
            && !self.besieged(area)
            && self.garrison(area).len() < self.room(area)
    }

    /// R5, R6: the places in an Area for a Brigade of a side.
    fn places_in(&self, side: usize, area: usize, brigade: usize) -> Vec<At> {
        let open = self.stack(other(side), area).is_empty();
        let inside = self.fortress_has_room(side, area);
        let mut places = Vec::new();
        for general in (0..self.posts.len()).filter(|&one| self.atlas.generals[one].side == side) {
            if self.area_of(general) != Some(area) || !self.has_room(general, brigade) {
                continue;
            }
            let within = matches!(self.posts[self.commander(general)], Post::Inside(_));
            let free = if within { inside } else { open };
            places.extend(free.then_some(At::General(general)));
        }
        if let Some(notable) = self.notable_in(area).filter(|&notable| self.notable_has_room(side, notable)) {
            places.push(At::Notable(notable));
        }
        places.extend(open.then_some(At::Outside(area)));
        places.extend(inside.then_some(At::Inside(area)));
        places
    }

    /// 7.2.1, 7.3, R2, R5 to R8, R17: the places of a recruit that counts for a Region.
    fn recruit_places(&self, of: &Recruiting, brigade: usize, region: &str) -> BTreeSet<At> {
        let side = of.side;
        let mut places = BTreeSet::new();
        let in_region = |area: usize| self.atlas.areas[area].region == region;
        if of.by_card() && side == ROYALIST {
            for general in self.commanders(side) {
                let area = self.area_of(general).expect("commanders are on the map");
                let inside = matches!(self.posts[general], Post::Inside(_));
                let regional = self.atlas.generals[general].regions.iter().any(|one| one == region);
                if regional
                    && in_region(area)
                    && !self.besieged(area)
                    && self.has_room(general, brigade)
                    && (!inside || self.fortress_has_room(side, area))
                {
                    places.insert(At::General(general));
                }
            }
            for (notable, def) in self.atlas.notables.iter().enumerate() {
                if in_region(def.area) && self.notable_has_room(side, notable) {
                    places.insert(At::Notable(notable));
                }
            }
            return places.difference(&of.receivers).copied().collect();
        }
        let taken = |area: &usize| {
            of.reformed.contains(area) || of.by_card() && side == PARLIAMENT && of.areas.contains(area)
        };
        // O1, O3: the one Recruitment Area, and the one Notable.
        let id = &*self.atlas.faces[self.brigades[brigade].face].id;
        let cornish = ["grenviles-cornish", "slannings-cornish"].contains(&id);
        let association = side == PARLIAMENT && ["eastern-association", "ironsides"].contains(&id);
        let stranger = region == "south" && side == ROYALIST && self.option("cornish") && !cornish;
        let only = match region {
            _ if stranger && of.occasion == Occasion::Phase => Some(("bath", "")),
            _ if association && self.option("manchester") => Some(("cambridge", "willoughby")),
            _ => None,
        };
        let manchester = self.atlas.general("manchester");
        if let Some(area) = self.area_of(manchester).filter(|_| only.is_some_and(|(id, _)| id == "cambridge"))
        {
            let inside = matches!(self.posts[self.commander(manchester)], Post::Inside(_));
            let fits = self.atlas.areas[area].region == "east"
                && !taken(&area)
                && !self.besieged(area)
                && self.has_room(manchester, brigade)
                && (!inside || self.fortress_has_room(side, area));
            places.extend(fits.then_some(At::General(manchester)));
        }
        for area in (0..self.atlas.areas.len()).filter(|area| !taken(area)) {
            let drummer = self.atlas.areas[area].drummers[side].iter().any(|one| one == region)
                && only.is_none_or(|(id, _)| self.atlas.areas[area].id == id)
                && !(stranger && self.atlas.areas[area].id == "truro");
            if drummer && self.controller(area) != Some(other(side)) && !self.besieged(area) {
                places.extend(self.places_in(side, area, brigade));
            }
            let notable = self.notable_in(area).filter(|&notable| self.notable_has_room(side, notable));
            let named = |notable: &usize| only.is_none_or(|(_, id)| self.atlas.notables[*notable].id == id);
            places.extend(notable.filter(|_| in_region(area)).filter(named).map(At::Notable));
        }
        places
    }

    /// R3, R4, R20: what a recruit takes up: Powicke Bridge, or the naval benefit; none if it can't come.
    fn claims(&self, of: &Recruiting, brigade: usize, region: &str) -> Option<(bool, bool, bool)> {
        let side = of.side;
        let militia = self.at(At::Pool(side)).into_iter().any(|one| {
            let face = &self.atlas.faces[self.brigades[one].face];
            face.value == 1 && face.region.as_deref() == Some(region)
        });
        let lifted = side == ROYALIST && self.has("new-model");
        let barred = self.value(brigade) == 2 && militia && !lifted;
        let turn = &self.atlas.turns[self.turn - 1];
        let phase = of.occasion == Occasion::Phase;
        let bridge = barred && side == ROYALIST && phase && turn.powicke && !self.has("powicke");
        let needs_veteran = barred && !bridge;
        let needs_extra = of.left == 0;
        let veteran = !needs_veteran || self.has_benefit(of, 3);
        let extra = !needs_extra || self.has_benefit(of, 5);
        let once = !(needs_veteran && needs_extra);
        (veteran && extra && once).then_some((bridge, needs_veteran, needs_extra))
    }

    /// The Regions for which a Brigade of the pool can be recruited: its own, of the New Model Army any but Wales (7.1.3).
    fn recruit_regions(&self, of: &Recruiting, brigade: usize) -> Vec<&'static str> {
        let face = &self.atlas.faces[self.brigades[brigade].face];
        let fits = |region: &&str| {
            let home = match &face.region {
                Some(own) => own == region,
                None => face.faction == "new-model" && *region != "wales",
            };
            let barred = of.occasion == Occasion::League && *region == "north";
            home && !barred
                && (of.by_card() || !of.regions.contains(*region))
                && self.claims(of, brigade, region).is_some()
                && !self.recruit_places(of, brigade, region).is_empty()
        };
        REGIONS.into_iter().filter(fits).collect()
    }

    /// R11, R12: the places where a Dispersed Brigade reforms.
    fn reform_places(&self, of: &Recruiting, brigade: usize) -> BTreeSet<At> {
        let face = &self.atlas.faces[self.brigades[brigade].face];
        let home = |area: usize| match (&face.region, &*face.faction) {
            (Some(region), _) => self.atlas.areas[area].region == *region,
            (None, "new-model") => self.atlas.areas[area].region != "wales",
            _ => true,
        };
        let own = self.control.iter().filter(|&(_, &side)| side == of.side).map(|(&area, _)| area);
        own.filter(|&area| home(area) && !of.areas.contains(&area) && !self.besieged(area))
            .flat_map(|area| self.places_in(of.side, area, brigade))
            .collect()
    }
}

impl Model<'_, '_> {
    /// 5.3: both sides' parts.
    pub(crate) fn recruitment_phase(&mut self) -> Play<()> {
        for side in [PARLIAMENT, ROYALIST] {
            self.reform_pick(side)?;
            let recruits = self.world.atlas.turns[self.world.turn - 1].recruits;
            self.recruits(side, Occasion::Phase, recruits)?;
            for brigade in self.world.at(At::Unemployed(side)) {
                self.world.brigades[brigade].at = self.world.pool_of(brigade);
            }
            self.blockades(side)?;
        }
        Ok(())
    }

    /// 7.1.7: half of the Dispersed Brigades are picked, the others leave the box.
    fn reform_pick(&mut self, side: usize) -> Play<()> {
        let mut dispersed = self.world.at(At::Unemployed(side));
        for _ in 0..dispersed.len() / 2 {
            let picked = self.pick_face(side, &dispersed)?;
            dispersed.retain(|&one| one != picked);
        }
        for brigade in dispersed {
            self.world.brigades[brigade].at = self.world.pool_of(brigade);
        }
        Ok(())
    }

    /// Recruits, reformed Brigades and the Siege Train, in any order.
    pub(crate) fn recruits(&mut self, side: usize, occasion: Occasion, left: usize) -> Play<()> {
        let mut of = Recruiting {
            side,
            occasion,
            left,
            regions: BTreeSet::new(),
            areas: BTreeSet::new(),
            reformed: BTreeSet::new(),
            receivers: BTreeSet::new(),
        };
        loop {
            let mut pool = Vec::new();
            if of.left > 0 || self.world.has_benefit(&of, 5) {
                pool = self.world.at(At::Pool(side));
                pool.retain(|&one| !self.world.recruit_regions(&of, one).is_empty());
            }
            let mut dispersed = self.world.at(At::Unemployed(side));
            dispersed.retain(|_| occasion == Occasion::Phase);
            dispersed.retain(|&one| !self.world.reform_places(&of, one).is_empty());
            let depots: Vec<usize> = (0..self.world.atlas.areas.len())
                .filter(|&area| {
                    self.world.is_fortress(area)
                        && self.world.controller(area) == Some(side)
                        && !self.world.besieged(area)
                })
                .collect();
            let train =
                of.is_regular() && self.world.trains[side] == Stay::Off && of.left > 0 && !depots.is_empty();
            let placed = self.generals_placed(&of);
            let mut words: Vec<String> =
                placed.iter().map(|one| self.general_word("general", one.general)).collect();
            words.extend((!pool.is_empty()).then(|| self.holder_word("from", At::Pool(side))));
            words.extend((!dispersed.is_empty()).then(|| self.holder_word("from", At::Unemployed(side))));
            words.extend(train.then(|| "train recruit".to_owned()));
            words.push("done".to_owned());
            let chosen = self.ask(side, &words)?;
            if chosen == "done" {
                self.world.happened.remove("powicke");
                return Ok(());
            }
            if let Some(id) = chosen.strip_prefix("general ") {
                let general = self.world.atlas.general(id);
                let placed = placed.into_iter().find(|one| one.general == general).expect("offered");
                self.place_general(&placed)?;
            } else if chosen == "train recruit" {
                let words: Vec<String> = depots.iter().map(|&area| self.area_word("at", area)).collect();
                let place = self.ask_place(side, &words)?;
                self.world.trains[side] = Stay::In(depots[place]);
                of.left -= 1;
            } else if chosen == self.holder_word("from", At::Pool(side)) {
                self.recruit(&mut of, &pool)?;
            } else {
                let brigade = self.pick_face(side, &dispersed)?;
                let places = self.world.reform_places(&of, brigade);
                let area = self.place(&mut of, brigade, &places)?;
                of.reformed.insert(area);
            }
        }
    }

    /// 7.2.3, 7.3, R13, R16: the Generals who may be placed now: with a Grandee card Regional ones alone, before its last recruit.
    fn generals_placed(&self, of: &Recruiting) -> Vec<Placed> {
        let grandee = of.by_card() && of.side == ROYALIST;
        if !of.is_regular() || grandee && of.left == 0 && !self.world.has_benefit(of, 5) {
            return Vec::new();
        }
        let lone = |&at: &At| matches!(at, At::Notable(_)) && grandee && self.world.at(at).len() < 2;
        let barred: Vec<At> = of.receivers.iter().copied().filter(lone).collect();
        let waits = |&general: &usize| {
            let of_side = self.world.atlas.generals[general].side == of.side;
            let regional = !grandee || !self.world.atlas.generals[general].regions.is_empty();
            of_side && regional && self.world.posts[general] == Post::Reinforcements
        };
        let waiting = (0..self.world.posts.len()).filter(waits);
        waiting
            .map(|general| Placed { general, barred: barred.clone() })
            .filter(|placed| !self.placements(placed).is_empty())
            .collect()
    }

    fn recruit(&mut self, of: &mut Recruiting, pool: &[usize]) -> Play<()> {
        let brigade = self.pick_face(of.side, pool)?;
        let regions = self.world.recruit_regions(of, brigade);
        let region = if self.world.atlas.faces[self.world.brigades[brigade].face].region.is_some() {
            regions[0]
        } else {
            let words: Vec<String> = regions.iter().map(|region| format!("region {region}")).collect();
            regions[self.ask_place(of.side, &words)?]
        };
        let places = self.world.recruit_places(of, brigade, region);
        let (bridge, veteran, extra) = self.world.claims(of, brigade, region).expect("it can come");
        self.place(of, brigade, &places)?;
        if bridge {
            self.world.happened.insert("powicke".to_owned());
        }
        let (side, may_be) = (of.side, self.world.may_be_veteran(of));
        let happened = &mut self.world.happened;
        if veteran {
            happened.insert(VETERAN[side].to_owned());
        }
        if extra {
            happened.remove(CHANCE[side]);
            happened.insert(BENEFIT[side].to_owned());
        } else if may_be {
            happened.insert(CHANCE[side].to_owned());
        }
        of.regions.insert(region.to_owned());
        of.left = of.left.saturating_sub(1);
        Ok(())
    }

    /// The Brigade comes to one of these places; the Area.
    fn place(&mut self, of: &mut Recruiting, brigade: usize, places: &BTreeSet<At>) -> Play<usize> {
        let places: Vec<At> = places.iter().copied().collect();
        let words: Vec<String> = places.iter().map(|&at| self.holder_word("to", at)).collect();
        let at = places[self.ask_place(of.side, &words)?];
        self.world.brigades[brigade].at = at;
        let area = match at {
            At::General(general) => self.world.area_of(general).expect("it is on the map"),
            At::Notable(notable) => self.world.atlas.notables[notable].area,
            At::Outside(area) | At::Inside(area) => area,
            _ => unreachable!("recruits come to the map"),
        };
        of.areas.insert(area);
        of.receivers.insert(at);
        Ok(area)
    }

    /// 14.2, R18: Blockade & Siege markers.
    fn blockades(&mut self, side: usize) -> Play<()> {
        loop {
            let may = |&area: &usize| {
                let marked = self.world.sieges.get(&area).is_some_and(|siege| siege.blockade);
                let need = self.world.siege_need(area);
                let mut armies = self.world.outside(side, area).into_iter();
                self.world.is_fortress(area)
                    && self.world.controller(area) == Some(other(side))
                    && !marked
                    && armies.any(|army| self.world.size(army) >= need)
            };
            let areas: Vec<usize> = (0..self.world.atlas.areas.len()).filter(may).collect();
            if areas.is_empty() {
                return Ok(());
            }
            let mut words: Vec<String> = areas.iter().map(|&area| self.area_word("at", area)).collect();
            words.push("done".to_owned());
            let Some(&area) = areas.get(self.ask_place(side, &words)?) else {
                return Ok(());
            };
            self.lay_siege(area, true);
        }
    }
}
