//! Odds that can be read from a view: Battles, Interceptions and Evasions, Bombardments, Assaults.

use super::super::content::brigades::Faction;
use super::super::content::cards::CardKind;
use super::super::content::ids::{AreaId, CardId, GeneralId};
use super::super::content::map::LineKind;
use super::super::content::numbers::Attempt;
use super::super::content::{PARLIAMENT, ROYALIST};
use super::super::state::{Cards, Train};
use super::Sight;
use super::sight::{EnemyArmy, Force, TENTHS};

/// The worth of a Brigade, of a card, of a General who is left without any.
pub(super) const BRIGADE: i32 = 170;
const CARD: i32 = 120;
const GENERAL: i32 = 100;
/// The worth of the King's person, and of ground that a beaten stack gives up.
const KING: i32 = 9_000;
const GROUND: i32 = 60;
/// Six times six: the ways two dice fall.
const WAYS: i32 = 36;

impl Sight<'_> {
    /// The mean worth of a Battle for this side, with `spoils` for a victory.
    pub(super) fn battle(&self, mine: Force, theirs: Force, spoils: i32) -> i32 {
        let lead = (mine.strength - theirs.strength + TENTHS / 2).div_euclid(TENTHS);
        let total: i32 = (-5..=5)
            .map(|dice: i32| (6 - dice.abs()) * self.outcome(lead + dice, mine, theirs, spoils))
            .sum();
        total / WAYS
    }

    /// The worth of a Battle that was decided by so much.
    pub(super) fn outcome(&self, lead: i32, mine: Force, theirs: Force, spoils: i32) -> i32 {
        let battle = &self.content.numbers.battle;
        let (margin, drawn, major) = (lead.abs(), i32::from(battle.drawn), i32::from(battle.major));
        let lost = |force: Force, losses: u8| {
            let fallen = i32::from(force.size.min(losses));
            let gone = force.size <= losses;
            BRIGADE * fallen + if gone { GENERAL } else { 0 } + if gone && force.king { KING } else { 0 }
        };
        if margin <= drawn {
            return lost(theirs, battle.drawn_losses) - lost(mine, battle.drawn_losses);
        }
        let (losses, cards) = if margin >= major {
            (battle.major_losses, battle.major_cards)
        } else {
            (battle.indecisive_losses, 0)
        };
        let card = CARD * i32::from(cards);
        if lead > 0 {
            lost(theirs, losses) + card + spoils + GROUND
        } else {
            -lost(mine, losses) - card - GROUND
        }
    }

    /// The chance in sixths that a die with so much added does it.
    fn sixths(attempt: &Attempt, added: i8) -> i32 {
        (7 - (i32::from(attempt.at_least) - i32::from(added))).clamp(0, 6)
    }

    /// The chance in sixths that a General slips away from another (10.1).
    pub(super) fn evades(&self, own: GeneralId, from: GeneralId, line: Option<LineKind>) -> i32 {
        let attempt = self.content.numbers.evasion;
        Self::sixths(&attempt, self.game.attempt_modifier(attempt, [own, from], line))
    }

    /// The chance in sixths that a General steps in the way of another at one line (9.7).
    pub(super) fn intercepts(&self, own: GeneralId, of: GeneralId, line: LineKind) -> i32 {
        let attempt = self.content.numbers.interception;
        Self::sixths(&attempt, self.game.attempt_modifier(attempt, [own, of], Some(line)))
    }

    /// The worth of an attack on all that stands outside in an Area: those who can slip away or shut themselves in do so when they had
    /// better.
    pub(super) fn attack(&self, general: GeneralId, mine: Force, area: AreaId, line: LineKind) -> i32 {
        let theirs = self.stack(self.foe, area);
        let mut mine = mine;
        // Those whom the enemy besieges or Masks join in (14.6).
        if self.state.controller(area) == Some(self.me) {
            mine.strength += self.value(self.state.garrison(self.content, area));
        }
        mine.strength += self.combat_card() / 2;
        let open = !self.fortresses.contains(area);
        let worth = self.battle(mine, theirs, if open { self.gains[area] } else { 0 });
        let Some(defender) = self.state.commander_at(self.content, self.foe, area) else { return worth };
        if worth <= 0 {
            return worth;
        }
        let sheltered = self.fortresses.contains(area)
            && self.state.controller(area) == Some(self.foe)
            && self.game.shelter(&self.state, self.foe, area).is_some_and(|room| room >= theirs.size);
        let away = if sheltered { 5 } else { self.evades(defender, general, Some(line)) };
        let left = if open { self.gains[area] / 3 } else { 0 };
        (worth * (6 - away) + left * away) / 6
    }

    /// The best that the own hand would add to a Battle Score, in tenths.
    pub(super) fn combat_card(&self) -> i32 {
        let hand = Cards::ids(self.state.cards.hands[self.me.index()]);
        let added = |card: CardId| {
            let of = &self.content.cards[card];
            let fits = of.kind == CardKind::Combat && of.is_for(self.me);
            if fits { i32::from(self.game.combat_card(card).0) } else { 0 }
        };
        TENTHS * hand.map(added).max().unwrap_or(0)
    }

    /// The mean loss of an Army by a Battle with each enemy Army; 0 of one that it need not fear.
    pub(super) fn losses(&self, mine: Force) -> Vec<i32> {
        if !self.is_war() || mine.size == 0 {
            return vec![0; self.enemies.len()];
        }
        self.enemies.iter().map(|enemy| (-self.battle(mine, enemy.force, 0)).max(0)).collect()
    }

    /// The danger that an enemy Army near an Area attacks there an Army with these losses: the worst one, by how far it has to come.
    pub(super) fn danger(&self, losses: &[i32], area: AreaId) -> i32 {
        let danger = |(enemy, &loss): (&EnemyArmy, &i32)| {
            let lines = self.lines(enemy.area, area);
            let reach = if enemy.force.size > 6 { 2 } else { 3 };
            if lines > reach || lines == 0 && self.state.is_inside(enemy.general) {
                return 0;
            }
            loss * (6 - lines) / 15
        };
        self.enemies.iter().zip(losses).map(danger).max().unwrap_or(0)
    }

    /// The risk of stepping into an Area at whose border enemy Armies stand: the worst Interception (9.7).
    pub(super) fn ambush(&self, general: GeneralId, losses: &[i32], area: AreaId) -> i32 {
        if self.held.contains(area) {
            return 0;
        }
        let risk = |(enemy, &loss): (&EnemyArmy, &i32)| {
            if loss == 0 || !self.content.adjacent[area].contains(enemy.area) {
                return 0;
            }
            let line = self.game.line_kind(enemy.area, area).filter(|&line| line != LineKind::Maritime);
            let Some(line) = line.filter(|_| !self.game.has_siege_marker(&self.state, enemy.general)) else {
                return 0;
            };
            loss * self.intercepts(enemy.general, general, line) / 6
        };
        self.enemies.iter().zip(losses).map(risk).max().unwrap_or(0)
    }

    /// All that is added to a Bombardment by a General of one's own at a Fortress (14.3).
    fn guns(&self, general: GeneralId, area: AreaId) -> i32 {
        let siege = &self.content.numbers.siege;
        let army = self.state.army(general);
        let train = army.iter().any(|one| self.state.trains[self.me.index()] == Train::With(one));
        let new_model = self
            .state
            .led_by(army)
            .iter()
            .filter(|&one| self.content.band(Faction::NewModel).contains(one))
            .count();
        let notable = self.state.notable_at(self.content, area).is_some();
        let status = self.game.naval_status(&self.state);
        let hostile = if self.me == PARLIAMENT { -status } else { status }
            >= i16::from(self.content.numbers.naval.siege);
        let mut added = 0;
        if train || new_model >= usize::from(siege.new_model) {
            added += i32::from(siege.train);
        }
        if notable {
            added += i32::from(siege.notable);
        } else if hostile && self.content.ports.contains(area) {
            added += i32::from(siege.port);
        }
        added
    }

    /// The mean Bombardment Value of one Bombardment, in sixths.
    pub(super) fn shot(&self, general: GeneralId, area: AreaId) -> i32 {
        let added = self.guns(general, area);
        (1..=6).map(|die: i32| (die + added).max(0)).sum()
    }

    /// The worth of one Bombardment by an Army that stands at a Fortress: what it brings nearer, and what falls at once.
    pub(super) fn bombardment(&self, general: GeneralId) -> i32 {
        let Some(area) = self.state.area_of(general) else { return 0 };
        let Some(fortress) = self.state.fortress(self.content, area) else { return 0 };
        let surrender = i32::from(self.content.fortresses[fortress].surrender).max(1);
        let siege = self.state.sieges[fortress];
        let left = (surrender - i32::from(siege.value)).max(1);
        let added = self.guns(general, area) + i32::from(siege.bonus);
        let worth = self.fortress_worth(area);
        let of_die = |die: i32| {
            let shot = (die + added).max(0);
            if shot >= left { worth * (left + surrender) / surrender } else { worth * shot / surrender }
        };
        (1..=6).map(of_die).sum::<i32>() / 6
    }

    /// The worth of an Assault now, beside that of going on with the Siege (14.5).
    pub(super) fn assault(&self, general: GeneralId) -> i32 {
        let siege = &self.content.numbers.siege;
        let Some(area) = self.state.area_of(general) else { return 0 };
        let Some(fortress) = self.state.fortress(self.content, area) else { return 0 };
        let of = &self.content.fortresses[fortress];
        let value = self.state.sieges[fortress].value;
        let inside = self.state.garrison(self.content, area).count() as i32;
        let added = i32::from(self.state.size(general).min(siege.attackers))
            + i32::from(siege.classes[usize::from(of.class)])
            - inside
            + if value < siege.assault_value { i32::from(siege.early) } else { 0 };
        let need = i32::from(siege.assault) - added;
        let ways =
            (1..=6).map(|one: i32| (1..=6).filter(|two: &i32| one + two >= need).count() as i32).sum::<i32>();
        let left = i32::from(of.surrender) - i32::from(value);
        let worth = self.fortress_worth(area) * left.max(1) / i32::from(of.surrender).max(1);
        let general_lost = 60;
        worth * ways / WAYS - BRIGADE - general_lost * (WAYS - ways) / WAYS
    }

    /// Returns whether this side fears for the King in a stack.
    pub(super) fn fears_for_the_king(&self, force: Force) -> bool {
        force.king && self.me == ROYALIST
    }
}
