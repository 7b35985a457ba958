//! Cutting of supports by attacks (M6). What dislodgement cuts is not known yet and not done here.

use arrayvec::ArrayVec;

use super::super::rules;
use super::bits::ones;
use super::board::{Space, SpaceSet};
use super::order::{MAX_PARTS, Order};
use super::plan::Plan;

/// Takes from [`Plan::points`] what attacks cut, whatever comes of them.
pub(super) fn cut_supports(plan: &mut Plan<'_>, cut_all: bool) {
    let mut done = SpaceSet::EMPTY;
    for part in plan.parts {
        let ground = plan.ground(part.space);
        let attacked = ground.supporting != 0 && ground.enemies != 0;
        if rules::CUT.applies(attacked && !done.contains(part.space)) {
            cut_in(plan, part.space, cut_all);
            done.insert(part.space);
        }
    }
}

fn cut_in(plan: &mut Plan<'_>, space: Space, cut_all: bool) {
    let ground = plan.ground(space);
    let mut supporting: ArrayVec<usize, MAX_PARTS> = ones(ground.supporting).collect();
    // Largest first; a stable sort keeps equal ones in canonical order. An insertion sort, for a few parts.
    for end in 1..supporting.len() {
        let mut at = end;
        while at > 0 && plan.parts[supporting[at]].strength > plan.parts[supporting[at - 1]].strength {
            supporting.swap(at, at - 1);
            at -= 1;
        }
    }
    let aims: SpaceSet = supporting.iter().filter_map(|part| aim(plan.parts[*part].order)).collect();
    let attackers = ones(ground.enemies).fold(0, |set, group| set | plan.groups[group].members);

    // Attackers whom a support is aimed at go first, since there are parts that they can't cut.
    for aimed_at_first in [true, false] {
        for attacker in ones(attackers) {
            let attacker = &plan.parts[attacker];
            if aims.contains(attacker.space) != aimed_at_first {
                continue;
            }
            let mut cutting = attacker.strength;
            for part in &supporting {
                if aim(plan.parts[*part].order) == Some(attacker.space) || cutting == 0 {
                    continue;
                }
                let points = &mut plan.points[*part];
                if cut_all {
                    *points = 0;
                } else {
                    let cut = cutting.min(*points);
                    *points -= cut;
                    cutting -= cut;
                }
            }
        }
    }
}

/// The space a support is aimed at: an attack from there does not cut it.
fn aim(order: Order) -> Option<Space> {
    match order {
        Order::SupportHold(at) => Some(at),
        Order::SupportMove { to, .. } => Some(to),
        _ => None,
    }
}
