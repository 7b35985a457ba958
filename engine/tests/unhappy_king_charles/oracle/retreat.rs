//! Sections 10.3 and 10.4: Retreat, the way back after a draw, Surrender.

use super::atlas::Line;
use super::fight::{Kind, Margin};
use super::march::allowance;
use super::model::Model;
use super::umpire::Play;
use super::world::{At, Post, other};

/// A stack on its Retreat, as far as it has come or could come.
#[derive(Copy, Clone, Debug)]
struct Stand {
    at: usize,
    begun: bool,
    left: usize,
    paid: bool,
    army: usize,
    unled: usize,
}

impl Model<'_, '_> {
    /// B9 to B11.
    pub(crate) fn retreat(&mut self) -> Play<()> {
        let (attacker, area, kind) = (self.battle().attacker, self.battle().area, self.battle().kind);
        let loser = other(self.battle().winner.expect("the dice have fallen"));
        let drawn = self.battle().margin == Some(Margin::Drawn);
        // O5: after a sortie as well.
        if self.is_lostwithiel(loser) {
            let going = self.battle_stack(loser);
            let army = self.field_army(loser).map_or(Vec::new(), |general| self.world.army(general));
            return self.disperse(loser, &army, &going);
        }
        let comes_from = kind == Kind::Sortie || self.battle().origin.is_none();
        let back = kind != Kind::Relief && loser == attacker && (drawn || comes_from);
        if back {
            return self.attacker_returns();
        }
        if self.battle_stack(loser).is_empty() {
            return Ok(());
        }
        let general = self.field_army(loser);
        let army = general.map_or(Vec::new(), |general| self.world.led(general));
        let without = loser == attacker && kind != Kind::Relief;
        let mut unled = if without { Vec::new() } else { self.world.unled(loser, area) };
        unled.retain(|one| !army.contains(one));
        let left = allowance(army.len() + unled.len()).1;
        let mut stand =
            Stand { at: area, begun: false, left, paid: false, army: army.len(), unled: unled.len() };
        if !self.can_finish(loser, general, stand) {
            return self.army_surrenders(loser, general, &unled);
        }
        loop {
            let goals = self.retreat_steps(loser, general, stand);
            let mut words: Vec<String> = goals.iter().map(|&to| self.area_word("move", to)).collect();
            let ends = stand.begun && self.can_end(loser, general, stand);
            words.extend(ends.then(|| "done".to_owned()));
            let Some(&to) = goals.get(self.ask_place(loser, &words)?) else {
                break;
            };
            let held = self.world.held_under_siege();
            if let Some(general) = general.filter(|&general| self.world.commands(general)) {
                self.world.posts[general] = Post::Area(to);
            }
            for &brigade in &unled {
                self.world.brigades[brigade].at = At::Outside(to);
            }
            (stand.at, stand.begun, stand.left) = (to, true, stand.left - 1);
            self.consequences(&held, false)?;
            if !stand.paid && self.world.controller(to) == Some(other(loser)) {
                stand.paid = true;
                self.retreat_loss(loser, general, &mut stand, &mut unled)?;
            }
            if stand.left == 0 || stand.army + stand.unled == 0 {
                break;
            }
        }
        match general.filter(|&general| self.world.commands(general)) {
            Some(general) => self.join_there(general),
            None => Ok(()),
        }
    }

    /// 18.5, O5: Essex is Decisively defeated four Areas or more from London.
    fn is_lostwithiel(&self, loser: usize) -> bool {
        let atlas = self.world.atlas;
        let mut near = vec![atlas.area("london")];
        for _ in 0..3 {
            let next: Vec<usize> = near.iter().flat_map(|&area| self.world.neighbours(area)).collect();
            near.extend(next);
        }
        self.world.option("lostwithiel")
            && self.field_army(loser) == Some(atlas.general("essex"))
            && self.battle().margin == Some(Margin::Decisive)
            && !near.contains(&self.battle().area)
    }

    /// RT2, EV14: the Areas to which a stack may go, from where it can come to an end.
    fn retreat_steps(&self, side: usize, general: Option<usize>, stand: Stand) -> Vec<usize> {
        let battle = self.battle();
        let few = stand.army + stand.unled <= 2;
        let step = |&(to, line): &(usize, Line)| {
            let way = match battle.origin {
                // X5.
                _ if battle.kind == Kind::Relief => true,
                // I10: an interceptor's own origin is open to it.
                origin if side != battle.attacker => origin != Some(to) || battle.kind == Kind::Sortie,
                // 9.7.5: an interceptor goes back to where they came from outside.
                origin => {
                    let taken =
                        battle.kind == Kind::Apart && battle.interceptor_origin == Some(Post::Area(to));
                    !taken && (stand.begun || origin == Some(to))
                }
            };
            let open = self.world.in_area(other(side), to).is_empty();
            let goes = stand.left > 0 && way && open && (few || line != Line::Maritime);
            (goes && self.comes_to_an_end(side, general, stand, to)).then_some(to)
        };
        self.world.atlas.areas[stand.at].next.iter().filter_map(step).collect()
    }

    /// The stack after a step could end there, or further on. At the first enemy marker it loses a Brigade: whichever suits.
    fn comes_to_an_end(&self, side: usize, general: Option<usize>, stand: Stand, to: usize) -> bool {
        let mut next = Stand { at: to, begun: true, left: stand.left - 1, ..stand };
        if stand.paid || self.world.controller(to) != Some(other(side)) {
            return self.can_finish(side, general, next);
        }
        next.paid = true;
        let led = (next.army > 0).then(|| Stand { army: next.army - 1, ..next });
        let unled = (next.unled > 0).then(|| Stand { unled: next.unled - 1, ..next });
        [led, unled].into_iter().flatten().any(|next| self.can_finish(side, general, next))
    }

    fn can_finish(&self, side: usize, general: Option<usize>, stand: Stand) -> bool {
        stand.army + stand.unled == 0
            || stand.begun && self.can_end(side, general, stand)
            || !self.retreat_steps(side, general, stand).is_empty()
    }

    /// RT4: S1 can be met where the stack is.
    fn can_end(&self, side: usize, general: Option<usize>, stand: Stand) -> bool {
        let Some(general) = general.filter(|_| stand.army > 0) else { return true };
        let invested = self.world.invests(other(side), stand.at);
        let inside = self.world.inside(side, stand.at).filter(|_| !invested);
        let there = self.world.outside(side, stand.at).into_iter().chain(inside);
        there.filter(|&one| one != general).all(|one| {
            let brigades = stand.army + self.world.size(one);
            self.world.takes_in(general, one, brigades).is_some_and(|(commander, _)| {
                // Nobody can pay for taking a Siege marker off.
                commander == one || !self.has_siege_marker(one)
            })
        })
    }

    /// RT3.
    fn retreat_loss(
        &mut self,
        side: usize,
        general: Option<usize>,
        stand: &mut Stand,
        unled: &mut Vec<usize>,
    ) -> Play<()> {
        let mut all = general.map_or(Vec::new(), |general| self.world.led(general));
        all.extend(unled.iter().copied());
        let lost = match all[..] {
            [only] => only,
            _ => {
                let mut allowed = all.clone();
                allowed.retain(|one| {
                    let led = !unled.contains(one);
                    let (army, unled) = (stand.army - usize::from(led), stand.unled - usize::from(!led));
                    self.can_finish(side, general, Stand { army, unled, ..*stand })
                });
                self.pick_brigade(side, &all, &allowed)?
            }
        };
        let held = self.world.held_under_siege();
        if unled.contains(&lost) {
            stand.unled -= 1;
            unled.retain(|&one| one != lost);
        } else {
            stand.army -= 1;
        }
        self.world.brigades[lost].at = self.world.pool_of(lost);
        self.consequences(&held, false)
    }

    /// B9, F18: back to the Area it left, or inside; off the map, if it came from there.
    fn attacker_returns(&mut self) -> Play<()> {
        let (area, kind, origin) = (self.battle().area, self.battle().kind, self.battle().origin);
        let enemy = other(self.battle().attacker);
        let Some(general) = self.field_army(self.battle().attacker) else { return Ok(()) };
        let held = self.world.held_under_siege();
        let passed = |origin: usize| !self.world.unled(enemy, origin).is_empty();
        let back_inside = kind != Kind::Sortie && origin.is_some_and(passed);
        self.world.posts[general] = match origin {
            _ if kind == Kind::Sortie => Post::Inside(area),
            // B9: it had left its Fortress past those who stand outside.
            Some(origin) if back_inside => Post::Inside(origin),
            Some(origin) => Post::Area(origin),
            None => Post::Scotland,
        };
        if back_inside {
            self.umpire.saw("an Army back inside past enemies after a draw");
        }
        let path = &mut self.march_mut().path;
        if path.len() > 1 && path.last() == Some(&area) {
            path.pop();
        }
        self.consequences(&held, false)
    }

    /// 10.4, RT5.
    fn army_surrenders(&mut self, side: usize, general: Option<usize>, unled: &[usize]) -> Play<()> {
        let area = self.battle().area;
        let held = self.world.held_under_siege();
        let brigades: Vec<usize> = self.battle_stack(side);
        debug_assert!(unled.iter().all(|one| brigades.contains(one)), "unled Brigades are in the stack");
        let army = general.map_or(Vec::new(), |general| self.world.army(general));
        for brigade in brigades {
            self.world.brigades[brigade].at = At::Lost;
        }
        for &one in &army {
            self.world.leave_display(one, area);
            self.world.posts[one] = Post::Unemployed;
        }
        for &one in &army {
            self.general_surrenders(one)?;
        }
        self.consequences(&held, false)
    }
}
