//! The model that plays beside the game: its board, the umpire, and what follows from a loss or a move at once (7.1.4, 8.2, 14.2, 14.4).

use super::atlas::{PARLIAMENT, ROYALIST};
use super::fight::Battle;
use super::march::March;
use super::reading::holder_word;
use super::umpire::{Halt, Play, Umpire};
use super::world::{At, Post, Presence, Siege, Stay, World, other};

pub(crate) struct Model<'a, 'u> {
    pub(crate) world: World<'a>,
    pub(crate) umpire: &'u mut Umpire<'a>,
    /// The Activation under way.
    pub(crate) march: Option<March>,
    /// The Battle under way.
    pub(crate) battle: Option<Battle>,
    /// Brigades of Armies that took a line in the Activation (X6).
    pub(crate) crossed: Vec<usize>,
    /// The New Model Army is being formed: nobody leaves for want of Brigades but who has lost them in a Battle, and no Train (6.5).
    pub(crate) forming: bool,
    /// Bonus sets that are owed: the side, and the number of its cards (10.7, 10.8).
    pub(crate) owed: Vec<(usize, usize)>,
    /// Bonus sets are being played, to whose end those come that are won meanwhile.
    pub(crate) plays_sets: bool,
}

impl<'a, 'u> Model<'a, 'u> {
    pub(crate) fn new(world: World<'a>, umpire: &'u mut Umpire<'a>) -> Self {
        let (owed, plays_sets) = (umpire.owed(), umpire.plays_sets());
        Self {
            world,
            umpire,
            march: None,
            battle: None,
            crossed: Vec::new(),
            forming: false,
            owed,
            plays_sets,
        }
    }

    pub(crate) fn ask(&mut self, side: usize, options: &[String]) -> Play<String> {
        self.umpire.ask(&self.world, side, options)
    }

    /// Lets one of some options be chosen: its place among them.
    pub(crate) fn ask_place(&mut self, side: usize, options: &[String]) -> Play<usize> {
        let chosen = self.ask(side, options)?;
        Ok(options.iter().position(|option| *option == chosen).expect("it was among the options"))
    }

    /// Lets one of a few words be chosen.
    pub(crate) fn ask_word(&mut self, side: usize, options: &[&str]) -> Play<String> {
        let options: Vec<String> = options.iter().map(|&word| word.to_owned()).collect();
        self.ask(side, &options)
    }

    pub(crate) fn roll(&mut self, dice: usize) -> Play<Vec<i32>> {
        self.umpire.roll(&self.world, dice)
    }

    pub(crate) fn area_word(&self, verb: &str, area: usize) -> String {
        format!("{verb} {}", self.world.atlas.areas[area].id)
    }

    pub(crate) fn general_word(&self, verb: &str, general: usize) -> String {
        format!("{verb} {}", self.world.atlas.generals[general].id)
    }

    pub(crate) fn holder_word(&self, verb: &str, at: At) -> String {
        format!("{verb} {}", holder_word(&self.world, at))
    }

    pub(crate) fn face_word(&self, brigade: usize) -> String {
        format!("brigade {}", self.world.atlas.faces[self.world.brigades[brigade].face].id)
    }

    /// The places of some Brigades, each once.
    pub(crate) fn places(&self, brigades: &[usize]) -> Vec<At> {
        let mut places: Vec<At> = brigades.iter().map(|&one| self.world.brigades[one].at).collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// The owner picks one of the Brigades that are allowed: its place, unless all of `among` are at one, then its face, unless it is the only
    /// one there.
    pub(crate) fn pick_brigade(&mut self, side: usize, among: &[usize], allowed: &[usize]) -> Play<usize> {
        let places = self.places(among);
        let place = match places[..] {
            [only] => only,
            _ => {
                let open = self.places(allowed);
                let words: Vec<String> = open.iter().map(|&at| self.holder_word("from", at)).collect();
                let place = open[self.ask_place(side, &words)?];
                let there: Vec<usize> = self.at_place(among, place);
                if let [only] = there[..] {
                    return Ok(only);
                }
                place
            }
        };
        let there = self.at_place(allowed, place);
        self.pick_face(side, &there)
    }

    pub(crate) fn at_place(&self, brigades: &[usize], place: At) -> Vec<usize> {
        brigades.iter().copied().filter(|&one| self.world.brigades[one].at == place).collect()
    }

    /// One of some Brigades, by its face.
    pub(crate) fn pick_face(&mut self, side: usize, brigades: &[usize]) -> Play<usize> {
        let words = self.face_words(brigades);
        let chosen = self.ask(side, &words)?;
        Ok(self.of_face(brigades, &chosen))
    }

    pub(crate) fn face_words(&self, brigades: &[usize]) -> Vec<String> {
        let mut words: Vec<String> = brigades.iter().map(|&one| self.face_word(one)).collect();
        words.sort_unstable();
        words.dedup();
        words
    }

    pub(crate) fn of_face(&self, brigades: &[usize], word: &str) -> usize {
        let found = brigades.iter().find(|&&one| self.face_word(one) == word);
        *found.expect("a face was offered that is there")
    }

    /// All that follows at once from a change: lone Generals, weak Sieges, lone Trains, emptied garrisons; `held`: the Fortresses that were
    /// held under a Siege before.
    pub(crate) fn consequences(&mut self, held: &[usize], in_battle: bool) -> Play<()> {
        for subordinates in [true, false] {
            for general in 0..self.world.posts.len() {
                self.lone_general(general, subordinates, in_battle)?;
            }
        }
        self.weak_sieges();
        self.lone_trains();
        // F17. Those named last come first.
        for &area in held.iter().rev() {
            if self.world.besieged(area) && self.world.garrison(area).is_empty() {
                let besieger = other(self.world.controller(area).expect("a Siege is of a Fortress"));
                self.surrender(besieger, area, false)?;
            }
        }
        Ok(())
    }

    /// 8.2, G1 to G3.
    fn lone_general(&mut self, general: usize, subordinates: bool, in_battle: bool) -> Play<()> {
        let fought = self.battle.as_ref().filter(|_| in_battle).map(|battle| battle.area);
        if self.forming && (fought.is_none() || fought != self.world.area_of(general)) {
            return Ok(());
        }
        let alone = match self.world.posts[general] {
            Post::Under(_) => subordinates && self.world.at(At::General(general)).is_empty(),
            Post::Area(_) | Post::Inside(_) => !subordinates && self.world.size(general) == 0,
            _ => false,
        };
        if !alone {
            return Ok(());
        }
        let area = self.world.area_of(general).expect("they are on the map");
        let inside = matches!(self.world.posts[self.world.commander(general)], Post::Inside(_));
        let besieged = inside && self.world.besieged(area);
        self.world.leave_display(general, area);
        self.world.posts[general] = Post::Unemployed;
        if in_battle || besieged { self.general_surrenders(general) } else { Ok(()) }
    }

    /// 17.1.
    pub(crate) fn general_surrenders(&self, general: usize) -> Play<()> {
        let king = self.world.atlas.generals[general].id == "king-charles-i";
        if king && self.world.option("king-surrenders") { Err(Halt::Over) } else { Ok(()) }
    }

    /// F5.
    fn weak_sieges(&mut self) {
        let weak = |&area: &usize| {
            let Some(besieger) = self.world.controller(area).map(other) else { return true };
            let need = self.world.siege_need(area);
            let mut armies = self.world.outside(besieger, area).into_iter();
            !armies.any(|army| self.world.size(army) >= need && self.has_siege_marker(army))
        };
        let weak: Vec<usize> = self.world.sieges.keys().copied().filter(weak).collect();
        for area in weak {
            self.world.sieges.remove(&area);
        }
    }

    /// 7.1.4.
    fn lone_trains(&mut self) {
        if self.forming {
            return;
        }
        for side in 0..2 {
            let lone = match self.world.trains[side] {
                Stay::In(area) => !self.world.is_fortress(area) || self.world.controller(area) != Some(side),
                Stay::With(general) => self.world.area_of(general).is_none(),
                _ => false,
            };
            if lone {
                self.world.trains[side] = Stay::Resting;
            }
        }
    }

    /// 14.4, F9, F10, F12: a Fortress falls to a side, after an Assault `stormed`.
    pub(crate) fn surrender(&mut self, victor: usize, area: usize, stormed: bool) -> Play<()> {
        if self.world.controller(area) == Some(victor) {
            return Ok(());
        }
        let loser = other(victor);
        let garrison = self.world.garrison(area);
        let honours = !stormed && !garrison.is_empty() && self.roll(1)?[0] <= 2;
        let held: Vec<usize> = self.world.held_under_siege().into_iter().filter(|&one| one != area).collect();
        for brigade in garrison {
            let to = match honours {
                true if self.world.is_foreign(brigade) => At::Out,
                true => At::Unemployed(loser),
                false => self.world.pool_of(brigade),
            };
            self.world.brigades[brigade].at = to;
        }
        let commander = self.world.inside(loser, area);
        let generals = commander.map_or(Vec::new(), |commander| self.world.army(commander));
        let with = |stay: Stay| matches!(stay, Stay::With(general) if generals.contains(&general));
        if with(self.world.trains[loser]) || self.world.trains[loser] == Stay::In(area) {
            self.world.trains[loser] = Stay::Gone;
        }
        let queen = self.world.queen;
        let taken = victor == PARLIAMENT && (with(queen) || queen == Stay::In(area));
        for &general in &generals {
            self.world.posts[general] = if stormed { Post::Out } else { Post::Unemployed };
        }
        if let Some(notable) = self.world.notable_in(area) {
            self.world.notables[notable] = Presence::Out;
        }
        self.world.sieges.remove(&area);
        self.world.set_control(area, victor);
        if taken {
            self.world.capture_queen();
        }
        for &general in &generals {
            self.general_surrenders(general)?;
        }
        self.consequences(&held, false)
    }

    /// 10.1, EV10 to EV12: some Brigades of an Army and its Area scatter, with the Generals who have none left.
    pub(crate) fn disperse(&mut self, side: usize, army: &[usize], going: &[usize]) -> Play<()> {
        let held = self.world.held_under_siege();
        for &brigade in going {
            let foreign = self.world.is_foreign(brigade);
            self.world.brigades[brigade].at = if foreign { At::Out } else { At::Unemployed(side) };
        }
        let empty = |general: usize| self.world.at(At::General(general)).is_empty();
        let all_gone = army.iter().all(|&general| empty(general));
        let leaving: Vec<usize> = army
            .iter()
            .copied()
            .filter(|&general| match self.world.posts[general] {
                Post::Under(_) => empty(general),
                _ => all_gone,
            })
            .collect();
        for general in leaving {
            if self.world.trains[side] == Stay::With(general) {
                self.world.trains[side] = Stay::Resting;
            }
            let queen = side == ROYALIST && self.world.queen == Stay::With(general);
            self.world.posts[general] = Post::Unemployed;
            if queen {
                self.world.capture_queen();
            }
        }
        self.consequences(&held, false)
    }

    /// S2 to S4: two Armies become one, outside unless both are inside.
    pub(crate) fn unite(&mut self, (commander, under, points): (usize, usize, i32)) -> Play<()> {
        let held = self.world.held_under_siege();
        let area = self.world.area_of(commander).expect("Armies join on the map");
        if points > 0 {
            self.world.sieges.remove(&area);
        }
        if self.world.posts[under] == Post::Area(area) {
            self.world.posts[commander] = Post::Area(area);
        }
        for general in self.world.army(under) {
            self.world.posts[general] = Post::Under(commander);
        }
        self.consequences(&held, false)
    }

    /// 14.2: the Siege marker of an Area is this commander's. While the active Army is beside another of its side, it is the one that it had
    /// before or placed.
    pub(crate) fn has_siege_marker(&self, commander: usize) -> bool {
        let Post::Area(area) = self.world.posts[commander] else { return false };
        let side = self.world.atlas.generals[commander].side;
        if !self.world.besieged(area) || self.world.controller(area) != Some(other(side)) {
            return false;
        }
        match &self.march {
            Some(march) if march.side == side && self.world.posts[march.general] == Post::Area(area) => {
                march.besieging == (march.general == commander)
            }
            _ => true,
        }
    }

    /// How two Armies would become one: the commander, who goes under them, and the Movement Points that a Siege marker costs (S4).
    pub(crate) fn meeting(&self, one: usize, two: usize) -> Option<(usize, usize, i32)> {
        let brigades = self.world.size(one) + self.world.size(two);
        let (commander, under) = self.world.takes_in(one, two, brigades)?;
        Some((commander, under, i32::from(self.has_siege_marker(under))))
    }

    /// As they meet where one of them has just come: a Siege marker there is the other's.
    fn coming(&self, newcomer: usize, there: usize) -> Option<(usize, usize, i32)> {
        let (commander, under, points) = self.meeting(newcomer, there)?;
        Some((commander, under, if under == newcomer { 0 } else { points }))
    }

    /// S1: an Army may end in an Area where nobody can pay for anything: alone, or by joining who is there.
    pub(crate) fn may_stay(&self, general: usize, area: usize) -> bool {
        let company = self.world.company(general, area, false);
        company.len() < 2
            && company.iter().all(|&one| self.coming(general, one).is_some_and(|meeting| meeting.2 == 0))
    }

    /// S1: the Army joins who is in its Area, if anybody is.
    pub(crate) fn join_there(&mut self, general: usize) -> Play<()> {
        let Some(area) = self.world.area_of(general) else { return Ok(()) };
        let inside = matches!(self.world.posts[general], Post::Inside(_));
        if let Some(&one) = self.world.company(general, area, inside).first()
            && let Some(meeting) = self.coming(general, one)
        {
            self.unite(meeting)?;
        }
        Ok(())
    }

    /// S5: who would command some Generals who are left behind together; none if they form no stack.
    pub(crate) fn left_commander(&self, left: &[usize]) -> Option<usize> {
        let mut generals = left.to_vec();
        generals.sort_unstable();
        let own = |general: usize| self.world.at(At::General(general)).len();
        let brigades: usize = generals.iter().map(|&general| own(general)).sum();
        generals.iter().copied().find(|&commander| {
            brigades <= self.world.limit(commander)
                && generals.iter().all(|&one| one == commander || self.world.serves(one, commander))
        })
    }

    /// S5: a Subordinate may be left, with those who stay already.
    pub(crate) fn may_leave(&self, commander: usize, general: usize, staying: &[usize]) -> bool {
        if self.world.posts[general] != Post::Under(commander) || staying.contains(&general) {
            return false;
        }
        let mut left = staying.to_vec();
        left.push(general);
        let kept =
            self.world.led(commander).into_iter().any(
                |brigade| !matches!(self.world.brigades[brigade].at, At::General(of) if left.contains(&of)),
            );
        kept && self.left_commander(&left).is_some()
    }

    /// Generals stay behind under the highest of them, who stands here.
    pub(crate) fn leave_together(&mut self, left: &[usize], post: Post) {
        let Some(commander) = self.left_commander(left) else { return };
        for &general in left {
            self.world.posts[general] = Post::Under(commander);
        }
        self.world.posts[commander] = post;
    }

    /// S7, S12: Armies of a side that may not stand together join if they can, else they part.
    pub(crate) fn illegal_positions(&mut self, side: usize) -> Play<()> {
        while let Some(crowd) = self.crowd(side) {
            if self.join_crowd(&crowd)? {
                continue;
            }
            let words: Vec<String> = crowd.iter().map(|&one| self.general_word("general", one)).collect();
            let general = crowd[self.ask_place(side, &words)?];
            self.part(side, general)?;
        }
        Ok(())
    }

    /// The first Armies of a side that stand together and are not one.
    pub(crate) fn crowd(&self, side: usize) -> Option<Vec<usize>> {
        self.world.commanders(side).into_iter().find_map(|general| {
            let area = self.world.area_of(general)?;
            let inside = matches!(self.world.posts[general], Post::Inside(_));
            let mut crowd = self.world.company(general, area, inside);
            crowd.push(general);
            crowd.sort_unstable();
            (crowd.len() > 1).then_some(crowd)
        })
    }

    /// S1: two of them become one, if any two can at no cost.
    pub(crate) fn join_crowd(&mut self, crowd: &[usize]) -> Play<bool> {
        let pairs = crowd.iter().flat_map(|&one| crowd.iter().map(move |&two| (one, two)));
        let meeting = pairs
            .filter(|(one, two)| one != two)
            .filter_map(|(one, two)| self.meeting(one, two))
            .find(|meeting| meeting.2 == 0);
        match meeting {
            Some(meeting) => self.unite(meeting).map(|()| true),
            None => Ok(false),
        }
    }

    /// S12: from Area to Area until the Army may stay; without one to go to it Disperses.
    fn part(&mut self, side: usize, general: usize) -> Play<()> {
        let mut visited = vec![self.world.area_of(general).expect("it is on the map")];
        loop {
            let area = self.world.area_of(general).expect("it is on the map");
            let open = |&to: &usize| {
                let sea = self.world.line(area, to) == Some(super::atlas::Line::Maritime);
                !visited.contains(&to)
                    && (!sea || self.world.size(general) <= 2)
                    && self.world.in_area(other(side), to).is_empty()
            };
            let goals: Vec<usize> = self.world.neighbours(area).filter(open).collect();
            let mending: Vec<usize> =
                goals.iter().copied().filter(|&to| self.may_stay(general, to)).collect();
            let settles = !mending.is_empty();
            let goals = if settles { mending } else { goals };
            if goals.is_empty() {
                let (army, going) = (self.world.army(general), self.world.led(general));
                return self.disperse(side, &army, &going);
            }
            let words: Vec<String> = goals.iter().map(|&to| self.area_word("move", to)).collect();
            let to = goals[self.ask_place(side, &words)?];
            let held = self.world.held_under_siege();
            self.world.posts[general] = Post::Area(to);
            visited.push(to);
            self.consequences(&held, false)?;
            if settles {
                return self.join_there(general);
            }
        }
    }

    /// 14.2: a marker is laid.
    pub(crate) fn lay_siege(&mut self, area: usize, blockade: bool) {
        let siege = self.world.sieges.entry(area).or_insert(Siege { blockade, value: 0, bonus: 0 });
        siege.blockade |= blockade;
    }
}

impl World<'_> {
    /// The Fortresses under a Siege marker with Brigades inside.
    pub(crate) fn held_under_siege(&self) -> Vec<usize> {
        self.sieges.keys().copied().filter(|&area| !self.garrison(area).is_empty()).collect()
    }
}
