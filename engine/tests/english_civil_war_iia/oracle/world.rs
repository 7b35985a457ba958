//! One conceivable result: what the rulings say of everything, when it is given which moves succeed.

use std::collections::BTreeMap;

use edgehill_engine::games::english_civil_war_iia::adjudicator::Order;

use super::search::{Joint, Oracle, Unit, place};

/// A dislodged stack: space, armies, leaders, retreats, retreats of leaders alone.
pub(crate) type DislodgedAt = (usize, usize, Vec<usize>, Vec<usize>, Vec<usize>);

/// The findings of the oracle.
pub(crate) struct Verdict {
    /// Code, cause and dislodgement of each part, by space and order.
    pub(crate) results: BTreeMap<(usize, Order), String>,
    /// The spaces of stand-offs.
    pub(crate) standoffs: Vec<usize>,
    pub(crate) dislodged: Vec<DislodgedAt>,
    /// Number of consistent results.
    pub(crate) consistent: usize,
}

/// The rulings, when it is given which joint moves succeed.
pub(crate) struct World<'a> {
    pub(crate) oracle: &'a Oracle<'a>,
    pub(crate) success: &'a [bool],
}

impl World<'_> {
    fn unit(&self, index: usize) -> &Unit {
        &self.oracle.units[index]
    }

    fn has_left(&self, unit: &Unit) -> bool {
        unit.goes.is_some_and(|joint| self.success[joint])
    }

    /// Units that are in a space when the moves are made.
    fn still_in(&self, at: usize) -> Vec<&Unit> {
        self.oracle.units.iter().filter(|unit| unit.at == at && !self.has_left(unit)).collect()
    }

    fn owner(&self, at: usize) -> Option<usize> {
        self.oracle.units.iter().find(|unit| unit.at == at).map(|unit| unit.side)
    }

    /// The joint move that took a space from others who are still in it.
    fn taken_by(&self, at: usize) -> Option<usize> {
        let owner = self.owner(at)?;
        let enters = |joint: &usize| {
            let Joint { side, to, .. } = self.oracle.joints[*joint];
            to == at && side != owner && self.success[*joint]
        };
        if self.still_in(at).is_empty() { None } else { (0..self.success.len()).find(enters) }
    }

    fn support(&self, wanted: impl Fn(Order) -> bool, without: Option<usize>) -> usize {
        let counts = |unit: &&Unit| unit.void.is_none() && wanted(unit.order) && Some(unit.side) != without;
        let supporters = self.oracle.units.iter().filter(counts);
        supporters.filter(|unit| self.taken_by(unit.at).is_none()).map(|unit| unit.points).sum()
    }

    fn hold_support(&self, at: usize) -> usize {
        self.support(|order| matches!(order, Order::SupportHold(z) if place(z) == at), None)
    }

    fn move_support(&self, joint: &Joint, without: Option<usize>) -> usize {
        let origins: Vec<usize> = joint.units.iter().map(|unit| self.unit(*unit).at).collect();
        let supports = |order| matches!(order, Order::SupportMove { from, to } if place(to) == joint.to && origins.contains(&place(from)));
        self.support(supports, without)
    }

    fn base(&self, joint: &Joint) -> usize {
        joint.units.iter().map(|unit| self.unit(*unit).strength).sum()
    }

    /// Own parts that were told to stay in the target of a merge (M17).
    fn pool(&self, joint: &Joint) -> Vec<&Unit> {
        let stays = |unit: &&Unit| unit.at == joint.to && unit.side == joint.side && unit.goes.is_none();
        if joint.merge { self.oracle.units.iter().filter(stays).collect() } else { Vec::new() }
    }

    /// M2, M17, L14.
    fn strength(&self, joint: &Joint, without: Option<usize>) -> usize {
        let pool = self.pool(joint);
        let own = self.base(joint) + pool.iter().map(|unit| unit.strength).sum::<usize>();
        let held = if pool.is_empty() { 0 } else { self.hold_support(joint.to) };
        if own == 0 { 0 } else { own + held + self.move_support(joint, without) }
    }

    /// M10, M17: what is in a space, but for the members of one joint move.
    fn holds(&self, at: usize, besides: Option<usize>) -> usize {
        let mut strength = 0;
        let units = || self.oracle.units.iter().filter(|unit| unit.at == at);
        let staying: Vec<&Unit> = units().filter(|unit| unit.goes.is_none()).collect();
        if let Some(first) = staying.first() {
            strength += staying.iter().map(|unit| unit.strength).sum::<usize>() + self.hold_support(at);
            let comes = |joint: &&Joint| joint.merge && joint.to == at && joint.side == first.side;
            if let Some(merge) = self.oracle.joints.iter().find(comes) {
                let alive = self.base(merge) + staying.iter().map(|unit| unit.strength).sum::<usize>() > 0;
                strength += if alive { self.base(merge) + self.move_support(merge, None) } else { 0 };
            }
        }
        let stuck =
            units().filter(|unit| unit.goes.is_some() && unit.goes != besides && !self.has_left(unit));
        strength + stuck.map(|unit| unit.strength).sum::<usize>()
    }

    /// Returns a part of each of two joint moves that goes where a part of the other comes from, if both have one.
    fn crossing(&self, one: &Joint, other: &Joint) -> Option<(&Unit, &Unit)> {
        let from = |joint: &Joint, at: usize| {
            joint.units.iter().map(|unit| self.unit(*unit)).find(|unit| unit.at == at)
        };
        from(one, other.to).zip(from(other, one.to))
    }

    fn opponents(&self, joint: &Joint) -> Vec<usize> {
        let opposes = |other: &usize| {
            let other = &self.oracle.joints[*other];
            other.side != joint.side && self.crossing(joint, other).is_some()
        };
        (0..self.oracle.joints.len()).filter(opposes).collect()
    }

    /// Returns the cause that keeps a joint move out; nothing if it succeeds.
    pub(crate) fn stopped(&self, index: usize) -> Option<String> {
        let joint = &self.oracle.joints[index];
        let is_own = self.owner(joint.to) == Some(joint.side);
        let present = self.still_in(joint.to);
        let army = joint.units.iter().any(|unit| self.unit(*unit).armies > 0);

        // M12, L7, L13, M29.
        if is_own && army && !joint.merge && present.iter().any(|unit| unit.armies > 0) {
            return Some("own_unit M12".into());
        }
        let exchanges = |other: &Joint| {
            let crossing = self.crossing(joint, other);
            other.side == joint.side
                && crossing.is_some_and(|(one, other)| one.armies > 0 && other.armies > 0)
        };
        if self.oracle.joints.iter().any(exchanges) {
            return Some("own_unit M29".into());
        }

        // L17.
        let feeble = self.base(joint) == 0;
        let others = || self.oracle.joints.iter().enumerate().filter(move |(other, _)| *other != index);
        let own_leaders =
            |joint: &Joint| joint.units.iter().map(|unit| self.unit(*unit).leaders.len()).sum::<usize>();
        let mut leaders = own_leaders(joint);
        if leaders > 0 {
            if is_own {
                leaders += present.iter().map(|unit| unit.leaders.len()).sum::<usize>();
            }
            if feeble {
                let too = others().filter(|(_, other)| other.to == joint.to && other.side == joint.side);
                leaders += too
                    .filter(|(_, other)| self.base(other) == 0)
                    .map(|(_, other)| own_leaders(other))
                    .sum::<usize>();
            }
            if leaders > 2 {
                return Some("limit L17".into());
            }
        }

        // L19. A merge of leaders into a space held with strength has the strength of its pool.
        let opponents = self.opponents(joint);
        let defended = !is_own && !present.is_empty();
        if feeble && self.pool(joint).iter().all(|unit| unit.strength == 0) {
            let ordered = others()
                .any(|(_, other)| other.to == joint.to && (other.side != joint.side || self.base(other) > 0));
            return (ordered || defended || !opponents.is_empty()).then(|| "contested L19".into());
        }

        // M11, M10, M21.
        let victim = if defended || !opponents.is_empty() { self.owner(joint.to) } else { None };
        let attack = self.strength(joint, victim);
        for opponent in &opponents {
            let defend = self.strength(&self.oracle.joints[*opponent], None);
            if attack <= defend + self.holds(joint.to, Some(*opponent)) {
                return Some("head_to_head M11".into());
            }
        }
        if defended && opponents.is_empty() && attack <= self.holds(joint.to, None) {
            return Some("strength M10".into());
        }

        // M5, M17.
        let mut standoff = None;
        for (_, rival) in others().filter(|(_, other)| other.to == joint.to) {
            let beaten = self.opponents(rival).iter().any(|opponent| self.success[*opponent]);
            if !beaten && attack <= self.strength(rival, None) {
                let own = rival.side == joint.side;
                standoff = Some(if own { "standoff M5" } else { standoff.unwrap_or("standoff r0") });
            }
        }
        standoff.map(str::to_string)
    }

    pub(crate) fn verdict(&self, consistent: usize) -> Verdict {
        let mut results = BTreeMap::new();
        for unit in &self.oracle.units {
            let mut words = self.result(unit);
            if let (false, Some(taker)) = (self.has_left(unit), self.taken_by(unit.at)) {
                let taker = &self.oracle.joints[taker];
                words = format!("{words}; dislodged by {} from {:?}", taker.side, self.origins(taker));
            }
            results.insert((unit.at, unit.order), words);
        }
        let standoffs = (0..self.oracle.case.spaces).filter(|at| self.is_standoff(*at)).collect();
        let dislodged = (0..self.oracle.case.spaces).filter_map(|at| self.dislodged(at)).collect();
        Verdict { results, standoffs, dislodged, consistent }
    }

    fn origins(&self, joint: &Joint) -> Vec<usize> {
        let mut origins: Vec<usize> = joint.units.iter().map(|unit| self.unit(*unit).at).collect();
        origins.sort_unstable();
        origins
    }

    fn result(&self, unit: &Unit) -> String {
        if let Some(void) = unit.void {
            return void.into();
        }
        let Some(joint) = unit.goes else {
            let left = if self.taken_by(unit.at).is_some() { 0 } else { unit.points };
            return match unit.order {
                Order::Hold => "held".into(),
                _ if left == unit.strength => "given".into(),
                _ if left == 0 => "cut".into(),
                _ => format!("cut to {left} of {}", unit.strength),
            };
        };
        if !self.success[joint] {
            return format!("bounced {}", self.stopped(joint).unwrap_or("knot M30".into()));
        }
        let joint = &self.oracle.joints[joint];
        let meets = self.still_in(joint.to).iter().any(|other| other.side == unit.side);
        match (joint.merge, meets, unit.armies) {
            (true, _, _) => "merged".into(),
            (false, false, _) => "moved".into(),
            (false, true, 0) => "joined L7".into(),
            (false, true, _) => "joined L13".into(),
        }
    }

    fn is_occupied(&self, at: usize) -> bool {
        let arrives = |joint: usize| self.success[joint] && self.oracle.joints[joint].to == at;
        !self.still_in(at).is_empty() || (0..self.success.len()).any(arrives)
    }

    /// M24.
    fn is_standoff(&self, at: usize) -> bool {
        !self.is_occupied(at)
            && self.oracle.joints.iter().enumerate().any(|(index, joint)| {
                let beaten = self.opponents(joint).iter().any(|opponent| self.success[*opponent]);
                joint.to == at && self.base(joint) > 0 && !self.success[index] && !beaten
            })
    }

    /// M13, M14, L9.
    fn dislodged(&self, at: usize) -> Option<DislodgedAt> {
        let origins = self.origins(&self.oracle.joints[self.taken_by(at)?]);
        let lost = self.still_in(at);
        let side = lost.first()?.side;
        let mut leaders: Vec<usize> = lost.iter().flat_map(|unit| unit.leaders.clone()).collect();
        leaders.sort_unstable();
        let open = |to: &usize| {
            self.oracle.touch(at, *to)
                && !self.is_occupied(*to)
                && !origins.contains(to)
                && !self.is_standoff(*to)
        };
        let retreats: Vec<usize> = (0..self.oracle.case.spaces).filter(open).collect();
        let enemy = &self.oracle.case.enemy_ground[side];
        let alone = retreats.iter().copied().filter(|to| !enemy.contains(to)).collect();
        Some((at, lost.iter().map(|unit| unit.armies).sum(), leaders, retreats, alone))
    }
}
