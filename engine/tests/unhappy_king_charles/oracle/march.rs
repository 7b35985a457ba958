//! Sections 8.3, 9.1 to 9.6 and 14.2: an Activation for movement, one thing after another.

use std::collections::BTreeSet;

use super::atlas::{Line, ROYALIST};
use super::model::Model;
use super::placing::ENTRIES;
use super::umpire::Play;
use super::world::{At, Post, Stay, other};

/// The Movement Points, and the Areas of an Evasion or Retreat, of so many Brigades (9.2).
pub(crate) const fn allowance(brigades: usize) -> (i32, usize) {
    match brigades {
        0..=3 => (4, 2),
        4..=6 => (3, 1),
        _ => (2, 1),
    }
}

/// An Activation under way.
#[derive(Clone, Debug)]
pub(crate) struct March {
    pub(crate) side: usize,
    pub(crate) general: usize,
    /// The value of the card; none Activates an Army of any size.
    pub(crate) card: Option<i32>,
    pub(crate) spent: i32,
    /// A Movement Point is owed for leaving a Battle (9.4).
    pub(crate) fee: bool,
    pub(crate) shipped: usize,
    pub(crate) path: Vec<usize>,
    pub(crate) line: Option<Line>,
    pub(crate) tried: BTreeSet<usize>,
    pub(crate) parted: BTreeSet<usize>,
    pub(crate) dropped: BTreeSet<usize>,
    pub(crate) queen_left: bool,
    pub(crate) besieging: bool,
    pub(crate) over: bool,
}

impl March {
    pub(crate) fn new(side: usize, general: usize, card: Option<i32>, path: Vec<usize>) -> Self {
        Self {
            side,
            general,
            card,
            spent: 0,
            fee: false,
            shipped: 0,
            path,
            line: None,
            tried: BTreeSet::new(),
            parted: BTreeSet::new(),
            dropped: BTreeSet::new(),
            queen_left: false,
            besieging: false,
            over: false,
        }
    }

    /// The Area that the present one was entered from.
    pub(crate) fn previous(&self) -> Option<usize> {
        self.path.len().checked_sub(2).map(|place| self.path[place])
    }
}

/// An Army on its way, as far as it has come or could come.
#[derive(Copy, Clone)]
struct Ahead {
    area: usize,
    spent: i32,
    fee: bool,
    shipped: usize,
}

const fn cost(line: Line) -> i32 {
    match line {
        Line::Road => 1,
        Line::Mountain | Line::Maritime => 2,
    }
}

impl Model<'_, '_> {
    pub(crate) fn march(&self) -> &March {
        self.march.as_ref().expect("an Activation is under way")
    }

    pub(crate) fn march_mut(&mut self) -> &mut March {
        self.march.as_mut().expect("an Activation is under way")
    }

    fn here(&self) -> usize {
        self.world.area_of(self.march().general).expect("the active Army is on the map")
    }

    /// The Army has the Siege marker of its Area.
    fn is_besieging(&self) -> bool {
        self.march().besieging && self.world.besieged(self.here())
    }

    /// The size of the Army that the active General is in.
    fn active_size(&self) -> usize {
        self.world.size(self.world.commander(self.march().general))
    }

    fn can_pay(&self, spent: i32, points: i32) -> bool {
        spent + points <= allowance(self.active_size()).0
    }

    /// AC2: with a 1 or 2 the Army never reaches five.
    pub(crate) fn fits_card(&self, size: usize) -> bool {
        size < 5 || self.march().card.is_none_or(|card| card >= 3)
    }

    /// 9.5, AC1: who is Activated; a Subordinate leaves.
    pub(crate) fn begin_activation(&mut self, general: usize, card: Option<i32>) -> Play<()> {
        let side = self.world.atlas.generals[general].side;
        let area = self.world.area_of(general);
        let mut march = March::new(side, general, card, area.into_iter().collect());
        march.besieging = self.has_siege_marker(general);
        let commander = self.world.commander(general);
        self.march = Some(march);
        let inside = area.is_some_and(|area| self.world.unmasked().contains(&(side, area)))
            && matches!(self.world.posts[commander], Post::Inside(_));
        if inside {
            let alone = commander == general;
            self.umpire.saw(if alone { "an Army inside beside enemies" } else { "a Subordinate of one" });
        }
        if let Some(area) = area.filter(|_| commander != general) {
            let held = self.world.held_under_siege();
            // AC13: nobody stands outside beside enemies.
            self.world.posts[general] = if inside { Post::Inside(area) } else { Post::Area(area) };
            self.consequences(&held, false)?;
        }
        Ok(())
    }

    /// The Activation from its start.
    pub(crate) fn activation(&mut self) -> Play<()> {
        let general = self.march().general;
        if self.world.area_of(general).is_none() {
            return self.come();
        }
        self.umpire.no_response(&self.world, other(self.march().side))?;
        if let Post::Inside(area) = self.world.posts[general]
            && self.world.invests(other(self.march().side), area)
        {
            self.approach(true)?;
        }
        self.activation_steps()
    }

    /// The steps, from where the Army stands.
    pub(crate) fn activation_steps(&mut self) -> Play<()> {
        let general = self.march().general;
        while !self.march().over && self.world.commands(general) {
            if self.step()? {
                break;
            }
        }
        self.end_activation()
    }

    /// One step; `true` if it was the last.
    fn step(&mut self) -> Play<bool> {
        let side = self.march().side;
        let general = self.march().general;
        let area = self.here();
        let mut options = self.moves();
        let leaving = self.leavers();
        options.extend(leaving.iter().map(|&one| self.general_word("leave", one)));
        let joining = self.joiners();
        options.extend(joining.iter().map(|&one| self.general_word("join", one)));
        let sources = self.sources(general);
        options.extend(sources.keys().map(|&at| self.holder_word("from", at)));
        let mut words = Vec::new();
        words.extend(self.may_place_marker().then_some("pc"));
        words.extend(self.may_lay_siege().then_some("siege place"));
        words.extend((self.is_besieging() && self.can_pay(self.march().spent, 1)).then_some("siege lift"));
        words.extend((self.world.trains[side] == Stay::In(area)).then_some("train take"));
        let late = self.world.turn == 7;
        let lady =
            side == ROYALIST && self.world.queen == Stay::In(area) && !late && !self.march().queen_left;
        words.extend(lady.then_some("queen take"));
        words.extend(self.has_queen().then_some("queen leave"));
        words.extend(self.may_go_inside().then_some("inside"));
        words.extend(self.may_be_done().then_some("done"));
        options.extend(words.into_iter().map(str::to_owned));
        let chosen = self.ask(side, &options)?;
        let (verb, thing) = chosen.split_once(' ').unwrap_or((&chosen, ""));
        match (verb, thing) {
            ("move", "off-map") => self.leave_map()?,
            ("move", to) => self.enter(self.world.atlas.area(to))?,
            ("leave", id) => {
                let one = self.world.atlas.general(id);
                self.march_mut().parted.insert(one);
                self.leave_behind(general, one)?;
            }
            ("join", id) => self.join(self.world.atlas.general(id))?,
            ("from", _) => {
                let at =
                    *sources.keys().find(|&&at| self.holder_word("from", at) == chosen).expect("offered");
                self.take_up(side, general, at, &sources[&at], false)?;
            }
            ("pc", _) => {
                self.march_mut().spent += 1;
                self.world.set_control(area, side);
            }
            ("siege", "place") => {
                self.march_mut().besieging = true;
                self.lay_siege(area, false);
            }
            ("siege", _) => {
                self.march_mut().spent += 1;
                self.march_mut().besieging = false;
                self.world.sieges.remove(&area);
            }
            ("train", _) => self.world.trains[side] = Stay::With(general),
            ("queen", "take") => self.world.queen = Stay::With(general),
            ("queen", _) => {
                self.world.queen = Stay::In(area);
                self.march_mut().queen_left = true;
            }
            ("inside", _) => {
                self.world.posts[general] = Post::Inside(area);
                return Ok(true);
            }
            _ => return Ok(true),
        }
        Ok(false)
    }

    fn has_queen(&self) -> bool {
        let army = self.world.army(self.march().general);
        matches!(self.world.queen, Stay::With(general) if army.contains(&general))
    }

    fn ahead(&self) -> Ahead {
        let march = self.march();
        Ahead { area: self.here(), spent: march.spent, fee: march.fee, shipped: march.shipped }
    }

    /// 9.2, K4, V8: nothing keeps the Army where it is.
    fn may_set_out(&self) -> bool {
        let led = self.world.led(self.march().general);
        let stays = self.world.turn == 7 && self.has_queen();
        !self.is_besieging() && !stays && led.iter().all(|&one| !self.world.brigades[one].moved)
    }

    /// The ways along one line: 9.2, 9.3, MC1.
    fn ways(&self, from: Ahead) -> Vec<Ahead> {
        let size = self.active_size();
        let enemy = other(self.march().side);
        let standard = self.world.has("standard");
        let way = |&(to, line): &(usize, Line)| {
            let points = cost(line) + i32::from(from.fee);
            let shipped = if line == Line::Maritime { from.shipped + size } else { from.shipped };
            let few = line != Line::Maritime || shipped <= 2;
            let open = standard || self.world.in_area(enemy, to).is_empty();
            let ahead = Ahead { area: to, spent: from.spent + points, fee: false, shipped };
            (self.can_pay(from.spent, points) && few && open).then_some(ahead)
        };
        self.world.atlas.areas[from.area].next.iter().filter_map(way).collect()
    }

    /// X17: the Army may stop there.
    fn may_stop(&self, ahead: Ahead) -> bool {
        let march = self.march();
        let inside = ahead.area == self.here() && matches!(self.world.posts[march.general], Post::Inside(_));
        let company = self.world.company(march.general, ahead.area, inside);
        let joins = |&one: &usize| self.affordable(ahead.spent, one).is_some();
        company.is_empty()
            || company.len() == 1 && company.iter().all(joins)
            || !self.world.stack(other(march.side), ahead.area).is_empty()
            || self.may_leave_map(ahead)
    }

    fn may_finish(&self, ahead: Ahead) -> bool {
        self.may_stop(ahead) || self.ways(ahead).into_iter().any(|way| self.may_finish(way))
    }

    /// How the active Army and another become one, if it can pay, and stays within its card.
    fn affordable(&self, spent: i32, one: usize) -> Option<(usize, usize, i32)> {
        let general = self.march().general;
        let meeting = self.meeting(general, one)?;
        let size = self.active_size() + self.world.size(one);
        let fits = meeting.1 == general || self.fits_card(size);
        (fits && self.can_pay(spent, meeting.2)).then_some(meeting)
    }

    /// MC9: a Covenanter Army can leave the map from an Area.
    fn may_leave_map(&self, ahead: Ahead) -> bool {
        let general = self.march().general;
        let entry = ENTRIES.contains(&&*self.world.atlas.areas[ahead.area].id);
        let scots = |&one: &usize| self.world.atlas.generals[one].faction == "covenanter";
        let brigades = self.world.led(general);
        entry
            && self.world.army(general).iter().all(scots)
            && brigades.iter().all(|&one| self.world.faction(one) == "covenanter")
            && self.can_pay(ahead.spent, 1 + i32::from(ahead.fee))
    }

    /// The moves that are offered.
    fn moves(&self) -> Vec<String> {
        if !self.may_set_out() {
            return Vec::new();
        }
        let ahead = self.ahead();
        let ways = self.ways(ahead).into_iter().filter(|&way| self.may_finish(way));
        let mut moves: Vec<String> = ways.map(|way| self.area_word("move", way.area)).collect();
        moves.extend(self.may_leave_map(ahead).then(|| "move off-map".to_owned()));
        moves
    }

    /// AC11, AC12: the Army may stay, or can do nothing else.
    fn may_be_done(&self) -> bool {
        let march = self.march();
        let inside = matches!(self.world.posts[march.general], Post::Inside(_));
        let company = self.world.company(march.general, self.here(), inside);
        let stays =
            company.len() < 2 && company.iter().all(|&one| self.affordable(march.spent, one).is_some());
        let goes_on = || self.ways(self.ahead()).into_iter().any(|way| self.may_finish(way));
        stays || !self.may_set_out() || !goes_on()
    }

    /// S5, G10: Subordinates who may be left in the Area.
    fn leavers(&self) -> Vec<usize> {
        let general = self.march().general;
        self.world.army(general)[1..].iter().copied().filter(|&one| self.leaves(general, one)).collect()
    }

    /// S5: a Subordinate may be left with all others who stay there; a Siege marker there stays with its commander.
    fn leaves(&self, commander: usize, one: usize) -> bool {
        let (company, staying) = self.stayers(commander);
        let mut left = staying.clone();
        left.push(one);
        self.may_leave(commander, one, &staying)
            && company
                .into_iter()
                .filter(|&army| self.has_siege_marker(army))
                .all(|army| self.left_commander(&left) == Some(army))
    }

    /// The other Armies where an Army stands, and all their Generals.
    fn stayers(&self, commander: usize) -> (Vec<usize>, Vec<usize>) {
        let area = self.world.area_of(commander).expect("it is on the map");
        let inside = matches!(self.world.posts[commander], Post::Inside(_));
        let company = self.world.company(commander, area, inside);
        let staying = company.iter().flat_map(|&army| self.world.army(army)).collect();
        (company, staying)
    }

    /// S5: a Subordinate stays.
    pub(crate) fn leave_behind(&mut self, commander: usize, one: usize) -> Play<()> {
        let (company, mut left) = self.stayers(commander);
        left.push(one);
        let area = self.world.area_of(commander).expect("it is on the map");
        let post = if company.is_empty() { self.world.posts[commander] } else { Post::Area(area) };
        let held = self.world.held_under_siege();
        self.leave_together(&left, post);
        self.consequences(&held, false)
    }

    /// S1 to S4, G10.
    fn joiners(&self) -> Vec<usize> {
        let march = self.march();
        let inside = matches!(self.world.posts[march.general], Post::Inside(_));
        let mut company = self.world.company(march.general, self.here(), inside);
        company.retain(|&one| {
            self.world.army(one).iter().all(|general| !march.parted.contains(general))
                && self.affordable(march.spent, one).is_some()
        });
        company
    }

    fn join(&mut self, one: usize) -> Play<()> {
        let general = self.march().general;
        let (commander, under, points) = self.meeting(general, one).expect("it was offered");
        self.march_mut().spent += points;
        self.march_mut().over |= under == general;
        self.unite((commander, under, points))
    }

    /// 9.6, AC9, MC1.
    fn may_place_marker(&self) -> bool {
        let (area, side) = (self.here(), self.march().side);
        let open = match self.world.controller(area) {
            None => true,
            Some(controller) => controller != side && self.world.has("standard"),
        };
        open && !self.world.is_fortress(area) && self.can_pay(self.march().spent, 1)
    }

    /// 14.2, F2, F3.
    fn may_lay_siege(&self) -> bool {
        let (area, general) = (self.here(), self.march().general);
        self.world.is_fortress(area)
            && self.world.controller(area) == Some(other(self.march().side))
            && self.world.posts[general] == Post::Area(area)
            && !self.world.besieged(area)
            && self.world.company(general, area, false).is_empty()
            && self.world.size(general) >= self.world.siege_need(area)
    }

    /// 14.1, AC13.
    fn may_go_inside(&self) -> bool {
        let (area, general) = (self.here(), self.march().general);
        let own = self.world.atlas.areas[area].printed.is_some()
            && self.world.controller(area) == Some(self.march().side);
        let within = self.world.garrison(area).len() + self.world.size(general) <= self.world.room(area);
        own && within
            && self.world.posts[general] == Post::Area(area)
            && self.world.company(general, area, false).is_empty()
    }

    /// 9.2, 9.3: a line is taken.
    fn enter(&mut self, to: usize) -> Play<()> {
        let general = self.march().general;
        let from = self.ahead();
        let way = self.ways(from).into_iter().find(|way| way.area == to).expect("it was offered");
        let line = self.world.line(from.area, to);
        let march = self.march_mut();
        (march.spent, march.fee, march.shipped, march.line) = (way.spent, false, way.shipped, line);
        march.path.push(to);
        // A Siege marker stays with those whom it leaves.
        march.besieging = false;
        self.world.posts[general] = Post::Area(to);
        let led = self.world.led(general);
        self.crossed.extend(led);
        self.entry()
    }

    /// MC9: the Army has gone for good.
    fn leave_map(&mut self) -> Play<()> {
        let general = self.march().general;
        let area = self.here();
        let held = self.world.held_under_siege();
        let brigades = self.world.led(general);
        for one in self.world.army(general) {
            self.world.leave_display(one, area);
            self.world.posts[one] = Post::Out;
        }
        for brigade in brigades {
            self.world.brigades[brigade].at = At::Out;
        }
        self.march_mut().over = true;
        self.consequences(&held, false)
    }

    /// S1, AC12, AC17, X1, S7: who stands together joins; the active Army goes back the way it came if it can't; else Armies part.
    fn end_activation(&mut self) -> Play<()> {
        let general = self.world.commander(self.march().general);
        if self.world.commands(general) {
            let area = self.world.area_of(general).expect("it is on the map");
            let inside = matches!(self.world.posts[general], Post::Inside(_));
            if let Some(&one) = self.world.company(general, area, inside).first() {
                // A General who went under another in this Activation has been joined already.
                match self.affordable(self.march().spent, one).filter(|_| general == self.march().general) {
                    Some((commander, under, points)) => {
                        self.march_mut().spent += points;
                        self.unite((commander, under, points))?;
                    }
                    None => self.retrace(general)?,
                }
            }
        }
        for side in [1, 0] {
            self.illegal_positions(side)?;
        }
        self.march = None;
        Ok(())
    }

    fn retrace(&mut self, general: usize) -> Play<()> {
        let here = self.world.area_of(general);
        let path = self.march().path.clone();
        let last = path.iter().rposition(|&area| Some(area) == here).unwrap_or(path.len());
        let enemy = other(self.march().side);
        let back = path[..last]
            .iter()
            .rev()
            .copied()
            .find(|&area| self.world.in_area(enemy, area).is_empty() && self.may_stay(general, area));
        let Some(back) = back else { return Ok(()) };
        let held = self.world.held_under_siege();
        self.world.posts[general] = Post::Area(back);
        self.consequences(&held, false)?;
        self.join_there(general)
    }
}
