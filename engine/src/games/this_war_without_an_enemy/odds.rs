//! The exact odds of a fight up to the next decision, for people: parts of the context of a view.
//!
//! Invariant: they follow from what the observer sees; what is hidden from them has no part in the odds.

use crate::reference::Ref;
use crate::seat::Observer;

use super::ThisWar;
use super::content::things::BlockSet;
use super::procedures::dice::Dice;
use super::procedures::fight::after_roll;
use super::state::{Fight, FightKind, Stage, State};

/// Roles for so many hits.
const HITS: [&str; 13] = [
    "no-hit", "1-hit", "2-hits", "3-hits", "4-hits", "5-hits", "6-hits", "7-hits", "8-hits", "9-hits",
    "10-hits", "11-hits", "12-hits",
];

impl ThisWar {
    /// Returns what a fight's next dice can bring, where somebody is asked before they fall: ways in six of a
    /// single die, and of a roll the ways in all (`of`) with those of so many hits.
    pub(super) fn odds(&self, state: &State, fight: &Fight, observer: Observer) -> Vec<(&'static str, Ref)> {
        let ways = |role: &'static str, ways: u8| vec![(role, Ref::Number(ways.into()))];
        if fight.hits != [0; 3] {
            return Vec::new();
        }
        match fight.stage {
            Stage::Withdraw if observer.is(fight.defender()) => self
                .withdrawals(state, fight)
                .map_or_else(Vec::new, |ways_in_6| ways("withdraws-in-6", ways_in_6)),
            Stage::Mine => {
                let card = state.cards[fight.attacker.index()];
                let least = card.map_or(7, |card| self.content.card(card).amount);
                ways("breach-in-6", 7u8.saturating_sub(least))
            }
            Stage::Bombard if observer.is(fight.attacker) => {
                let least = self.content.breach(state.strength(self.besieging_guns(state, fight)));
                least.map_or_else(Vec::new, |least| ways("breach-in-6", 7u8.saturating_sub(least)))
            }
            Stage::GunsFirst | Stage::GunsSecond => {
                let side = if fight.stage == Stage::GunsFirst { fight.defender() } else { fight.attacker };
                let Some(gun) = self.next_gun(state, fight, side) else { return Vec::new() };
                let aim = |horse: bool| {
                    let mut aimed = *fight;
                    aimed.stage = after_declaring(fight.stage);
                    aimed.at_horse = if horse { BlockSet::one(gun) } else { BlockSet::EMPTY };
                    let rolls = self.dice(state, &aimed);
                    rolls.iter().find(|roll| roll.block == gun).map_or((0, 0), |r| (r.count, r.at_most))
                };
                let ((dice, horse), (_, foot)) = (aim(true), aim(false));
                let numbers = [("dice", dice), ("at-cavalry-in-6", horse), ("at-infantry-in-6", foot)];
                numbers.map(|(role, number)| (role, Ref::Number(number.into()))).into()
            }
            Stage::GoOn | Stage::Stand | Stage::Well => self.next_roll(state, fight),
            _ => Vec::new(),
        }
    }

    /// 7.2: in how many of six cases the Defender withdraws, if everybody knows how much Cavalry attacks them.
    fn withdrawals(&self, state: &State, fight: &Fight) -> Option<u8> {
        let (attack, defence) = (self.attack(state, fight), self.defence(state, fight));
        let horse = self.known_horse(state, attack)?;
        let mut tried = *fight;
        tried.horse = [(defence & self.content.horse).count() as u8, horse];
        tried.guns = defence.meets(self.content.guns);
        tried.horse_only = !defence.is_empty() && (defence - self.content.horse).is_empty();
        Some(match tried.horse {
            [1..=u8::MAX, 0] => 6,
            [0, 1..=u8::MAX] => 0,
            _ => {
                let succeeds = |&die: &u8| self.content.withdrawal[self.withdrawal_column(&tried, die)].0;
                (1..=6).filter(succeeds).count() as u8
            }
        })
    }

    /// Returns how much Cavalry is in a set of upright blocks, if their bags leave no doubt: each is in the
    /// set as a whole, or of one class.
    fn known_horse(&self, state: &State, set: BlockSet) -> Option<u8> {
        let horse = self.content.horse;
        let certain = set.iter().all(|block| {
            let bag = state.bag(&self.content, state.blocks[block].bag);
            (bag - set).is_empty() || !bag.meets(horse) || (bag - horse).is_empty()
        });
        certain.then(|| (set & horse).count() as u8)
    }

    /// The next roll of the Rounds if nothing comes between: whose, the ways in all, and those of so many hits.
    fn next_roll(&self, state: &State, fight: &Fight) -> Vec<(&'static str, Ref)> {
        let mut next = *fight;
        if fight.stage == Stage::GoOn {
            next.round += 1;
            (next.declared, next.at_horse) = (BlockSet::EMPTY, BlockSet::EMPTY);
            // 8.3: others may take the stormers' place.
            if fight.kind == FightKind::Storm && self.can_exchange(state, fight) {
                return Vec::new();
            }
        }
        next.stage = Stage::GunsFirstRoll;
        while next.stage != Stage::RoundEnd {
            let guns = matches!(next.stage, Stage::GunsFirstRoll | Stage::GunsSecondRoll);
            if guns
                && next.kind != FightKind::Storm
                && !self.firing(state, &next, Self::roller(&next)).is_empty()
            {
                // The target of their fire is still to be said.
                return Vec::new();
            }
            let rolls = self.dice(state, &next);
            if !rolls.is_empty() {
                let mut roles = vec![("next-roll", Ref::Seat(Self::roller(&next)))];
                roles.extend(distribution(&rolls));
                return roles;
            }
            next.stage = match after_roll(next.stage) {
                Stage::GunsSecond => Stage::GunsSecondRoll,
                stage => stage,
            };
        }
        Vec::new()
    }
}

const fn after_declaring(stage: Stage) -> Stage {
    match stage {
        Stage::GunsFirst => Stage::GunsFirstRoll,
        _ => Stage::GunsSecondRoll,
    }
}

const fn common(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// In how many of all ways a roll brings so many hits, in least terms, of a single die in sixths; nothing where the numbers are too large to be shown.
fn distribution(rolls: &[Dice]) -> Vec<(&'static str, Ref)> {
    let mut ways = vec![1u64];
    for roll in rolls {
        let divisor = common(6, roll.at_most.into());
        let (hit, of) = (u64::from(roll.at_most) / divisor, 6 / divisor);
        for _ in 0..roll.count {
            let mut next = vec![0u64; ways.len() + 1];
            for (hits, &number) in ways.iter().enumerate() {
                next[hits] = next[hits].saturating_add(number.saturating_mul(of - hit));
                next[hits + 1] = next[hits + 1].saturating_add(number.saturating_mul(hit));
            }
            ways = next;
        }
    }
    if let [Dice { count: 1, at_most, .. }] = *rolls {
        ways = vec![6 - u64::from(at_most), at_most.into()];
    }
    let single = matches!(rolls, [Dice { count: 1, .. }]);
    let divisor =
        if single { 1 } else { ways.iter().fold(0, |divisor, &number| common(divisor, number)).max(1) };
    let all: u64 = ways.iter().fold(0u64, |sum, &number| sum.saturating_add(number)) / divisor;
    let Ok(of) = i32::try_from(all) else { return Vec::new() };
    let mut roles = vec![("of", Ref::Number(of))];
    for (role, number) in HITS.into_iter().zip(&ways) {
        if *number > 0 {
            roles.push((role, Ref::Number((number / divisor) as i32)));
        }
    }
    if ways.len() > HITS.len() { Vec::new() } else { roles }
}
