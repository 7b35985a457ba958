//! Answers within a procedure: windows, losses, Retreats, deserters, what Mandatory cards and special events ask.

use super::super::actions::{Action, Goal};
use super::super::content::ids::{AreaId, BrigadeFace, GeneralId};
use super::super::content::{PARLIAMENT, ROYALIST};
use super::super::frames::Frame;
use super::super::state::{Holder, Holding};
use super::Sight;
use super::odds::BRIGADE;
use super::sight::{Force, TENTHS};

/// The least worth of a Battle that is looked for, and the worst of one that is accepted.
const SOUGHT: i32 = 60;
const ACCEPTED: i32 = -40;
/// A Battle that costs so much is not fought: better scattered than lost.
const RUINOUS: i32 = -260;

impl Sight<'_> {
    /// The worth of an answer.
    pub(super) fn answer_worth(&self, frame: Frame, action: Action) -> i32 {
        match frame {
            Frame::Interception { general, .. } => self.interception_worth(general, action),
            Frame::Response { .. } => self.response_worth(action),
            Frame::PickUp { from, .. } => match action {
                Action::From(_) if from.is_none() => 10,
                _ => self.picked_worth(action),
            },
            Frame::SiegeChoice { left, .. } => match action {
                Action::Lift => 10,
                Action::Brigade(face) if left.is_some() => i32::from(self.content.faces[face].value),
                _ => 0,
            },
            Frame::Evasion { general, .. } => self.evasion_worth(general, action),
            Frame::Withdrawal { general, .. } => self.withdrawal_worth(general, action),
            Frame::Dispersal { .. } => self.dispersal_worth(action),
            Frame::CombatCard { .. } => self.combat_worth(action),
            Frame::Brentford { .. } => self.brentford_worth(action),
            Frame::Retreat { at, paid, .. } => self.retreat_worth(at, paid, action),
            Frame::Spoils { .. } => i32::from(action == Action::Marker),
            Frame::Turncoat { .. } => match action {
                Action::Brigade(face) => 10 + i32::from(self.content.faces[face].value),
                Action::To(holder) => self.holder_rating(holder),
                _ => 0,
            },
            Frame::Bombardment { general, .. } if action == Action::Assault => self.assault(general),
            Frame::Bombardment { .. } => 0,
            Frame::Blockade { .. } => i32::from(action != Action::Done && action != Action::Pass),
            Frame::Deserters { .. } | Frame::Attrition { .. } => self.desertion_worth(action),
            Frame::BattleLoss { .. }
            | Frame::AssaultLoss { .. }
            | Frame::EventRemovals { .. }
            | Frame::ModelLosses { .. }
            | Frame::Laughter { .. } => self.loss_worth(action),
            Frame::Mandatory { .. }
            | Frame::ModelArrival { .. }
            | Frame::Landing { .. }
            | Frame::Successor { .. } => self.landing_worth(action),
            Frame::ModelPoyntz { .. } | Frame::ModelMoves { .. } => self.gathering_worth(action),
            Frame::Gathering { .. } => self.london_worth(action),
            Frame::Illegal { .. } | Frame::Parting { .. } | Frame::Relocation { .. } => {
                self.parting_worth(action)
            }
            _ => 0,
        }
    }

    /// A General who steps in the way where the Battle is worth it (9.7).
    fn interception_worth(&self, named: Option<GeneralId>, action: Action) -> i32 {
        let activation = self.state.ongoing_activation();
        let theirs = self.army(self.state.commander(activation.general));
        let of = |general: GeneralId| self.battle(self.army(general), theirs, self.ground_lost());
        match action {
            Action::Intercept(general) => {
                let Some(area) = self.state.area_of(general) else { return 0 };
                let leaves = self.leaving(area);
                of(general)
                    - SOUGHT
                    - leaves
                    - if self.fears_for_the_king(self.army(general)) { 150 } else { 0 }
            }
            Action::Card(_) => named.map_or(0, of) - 2 * SOUGHT,
            Action::Leave(_) => -10,
            _ => 0,
        }
    }

    /// The worth of the ground that the active Army would win by going on.
    fn ground_lost(&self) -> i32 {
        let activation = self.state.ongoing_activation();
        let area = activation.path.last().copied();
        area.map_or(0, |area| if self.state.control[self.me.index()].contains(area) { 80 } else { 30 })
    }

    /// The worth of an Area that an Army of one's own gives up.
    fn leaving(&self, area: AreaId) -> i32 {
        let besieges =
            self.state.besieged(self.content, area) && self.state.controller(area) == Some(self.foe);
        if besieges { self.fortress_worth(area) / 4 } else { 0 }
    }

    /// Turnham Green: when a strong Royalist Army stands before a London that is all but empty.
    fn response_worth(&self, action: Action) -> i32 {
        let Action::Card(_) = action else { return 0 };
        let london = self.content.numbers.turnham_green.at;
        let inside = self.state.garrison(self.content, london).count() as i32;
        let outside = self.state.stack(self.content, PARLIAMENT, london).count() as i32;
        let near = self.enemies.iter().filter(|enemy| self.lines(enemy.area, london) <= 1);
        let strength = near.map(|enemy| i32::from(enemy.force.size)).max().unwrap_or(0);
        if strength >= 4 && inside + outside < 3 { 50 } else { -50 }
    }

    /// Slips away from a Battle that would not be accepted; then goes where it is safest.
    fn evasion_worth(&self, general: GeneralId, action: Action) -> i32 {
        match action {
            Action::Evade => {
                let worth = self.defence();
                let Some(area) = self.state.area_of(general) else { return 0 };
                ACCEPTED - worth - self.leaving(area)
            }
            Action::Move(Goal(Some(to))) => 10 + self.haven(self.army(general), to),
            Action::Done => {
                let area = self.state.area_of(general);
                area.map_or(0, |area| 10 + self.haven(self.army(general), area))
            }
            Action::Leave(_) => -1_000,
            _ => 0,
        }
    }

    /// The worth for this side of the Battle that the active Army offers.
    fn defence(&self) -> i32 {
        let activation = self.state.ongoing_activation();
        let Some(area) = self.state.area_of(activation.general) else { return 0 };
        let mut theirs = self.army(self.state.commander(activation.general));
        if self.state.controller(area) == Some(self.foe) && self.fortresses.contains(area) {
            theirs.strength += self.value(self.state.garrison(self.content, area));
        }
        let mut mine = self.stack(self.me, area);
        mine.strength += self.combat_card() / 2;
        self.battle(mine, theirs, 0)
    }

    /// The worth of an Area for an Army that gives way: own ground, no enemy near, a Fortress.
    fn haven(&self, force: Force, area: AreaId) -> i32 {
        let control = if self.state.control[self.me.index()].contains(area) {
            40
        } else if self.state.control[self.foe.index()].contains(area) {
            -10
        } else {
            10
        };
        control + i32::from(self.fortresses.contains(area)) * 20 - self.danger(&self.losses(force), area)
    }

    /// Goes inside rather than fight badly.
    fn withdrawal_worth(&self, general: GeneralId, action: Action) -> i32 {
        match action {
            Action::Withdraw => {
                ACCEPTED - 30 - self.defence() - if self.army(general).king { 200 } else { 0 }
            }
            Action::Brigade(_) => 10,
            _ => 0,
        }
    }

    /// The forces of a Battle as they lie open.
    fn forces(&self) -> Option<(Force, Force)> {
        let battle = self.state.battle.as_ref()?;
        let force = |seat: crate::seat::Seat| {
            let fighters = self.game.fighters(&self.state, seat);
            let commander = battle.commanders[seat.index()];
            let rating = commander.map_or(0, |general| self.content.generals[general].battle);
            let card = battle.cards[seat.index()].map_or(0, |card| self.game.combat_card(card).0);
            let king =
                commander.is_some_and(|general| self.state.army(general).contains(self.content.people.king));
            Force {
                strength: self.value(fighters) + TENTHS * i32::from(rating + card),
                size: fighters.count() as u8,
                king: king && seat == ROYALIST,
            }
        };
        Some((force(self.me), force(self.foe)))
    }

    /// Scatters where all would be lost.
    fn dispersal_worth(&self, action: Action) -> i32 {
        let Some((mut mine, theirs)) = self.forces() else { return 0 };
        if action != Action::Disperse {
            return 0;
        }
        mine.strength += self.combat_card() / 2;
        let cost = BRIGADE * i32::from(mine.size) / 2;
        RUINOUS.max(-cost - 100) - self.battle(mine, theirs, 0)
    }

    /// A Combat Card where it changes enough.
    fn combat_worth(&self, action: Action) -> i32 {
        let (Some((mine, theirs)), Action::Card(card)) = (self.forces(), action) else { return 0 };
        let (added, decisive) = self.game.combat_card(card);
        let better = Force { strength: mine.strength + TENTHS * i32::from(added), ..mine };
        let gain = self.battle(better, theirs, 0) - self.battle(mine, theirs, 0);
        let lead = better.strength - theirs.strength;
        gain - 25 + if decisive && lead > 0 { lead } else { 0 }
    }

    /// The Earl's point, where it makes a loss a draw, a draw a victory, or a rout less.
    fn brentford_worth(&self, action: Action) -> i32 {
        let (Some((mine, theirs)), Action::Brentford) = (self.forces(), action) else { return 0 };
        let battle = self.state.ongoing_battle();
        let [royalist, parliament] = battle.dice.map(i32::from);
        let lead = (mine.strength - theirs.strength) / TENTHS + royalist - parliament;
        let worth = |lead| self.outcome(lead, mine, theirs, 0);
        worth(lead + i32::from(self.content.numbers.brentford.modifier)) - worth(lead) - 1
    }

    /// The way back: own ground before open ground before the enemy's, where a Brigade is lost.
    fn retreat_worth(&self, at: AreaId, paid: bool, action: Action) -> i32 {
        let mine = self.forces().map_or_else(Force::default, |(mine, _)| mine);
        match action {
            Action::Move(Goal(Some(to))) => {
                let enemy = self.state.control[self.foe.index()].contains(to);
                10 + self.haven(mine, to) - if enemy && !paid { BRIGADE } else { 0 }
            }
            Action::Done => 10 + self.haven(mine, at),
            _ => self.loss_worth(action),
        }
    }

    /// The worth of losing a Brigade: the least one, and not a General's last.
    fn loss_worth(&self, action: Action) -> i32 {
        match action {
            Action::Brigade(face) => -self.face_worth(face),
            Action::From(holder) => {
                let count = i32::from(self.state.brigades.count(holder));
                let last =
                    if count <= 1 && !matches!(holder.holding(), Holding::Outside(_)) { 30 } else { 0 };
                count
                    - last
                    - if holder == Holder::from(self.content.people.king) && count <= 1 { 500 } else { 0 }
            }
            Action::At(area) => self.area_loss(area),
            Action::Done => -100,
            _ => 0,
        }
    }

    fn face_worth(&self, face: BrigadeFace) -> i32 {
        10 * i32::from(self.content.faces[face].value)
    }

    /// Deserters go where they are missed least (12.2).
    fn desertion_worth(&self, action: Action) -> i32 {
        match action {
            // Ends the selection, once that is legal at all.
            Action::Done => 1_000,
            _ => self.loss_worth(action),
        }
    }

    /// The worth of losing a Brigade in an Area: many there, no Siege that it breaks, no General who leaves.
    fn area_loss(&self, area: AreaId) -> i32 {
        let own = self.state.brigades_in(self.content, self.me, area).count() as i32;
        let mut worth = own;
        if let Some(general) = self.state.commander_at(self.content, self.me, area) {
            let size = self.state.size(general);
            if self.state.controller(area) == Some(self.foe)
                && self.fortresses.contains(area)
                && size <= self.game.siege_need(&self.state, area)
            {
                worth -= 10;
            }
            if size <= 1 {
                worth -= 15 + 5 * i32::from(self.content.generals[general].battle);
            }
        }
        worth
    }

    /// The rating of the General who gets a Brigade.
    fn holder_rating(&self, holder: Holder) -> i32 {
        match holder.holding() {
            Holding::General(general) => 10 * i32::from(self.content.generals[general].battle),
            _ => 0,
        }
    }

    /// The place where somebody comes ashore, or takes over: near what they can win, with Brigades of one's own, far from danger.
    fn landing_worth(&self, action: Action) -> i32 {
        match action {
            Action::At(area) => {
                let unled = self.state.unled(self.content, self.me, area).count() as i32;
                let near =
                    self.enemies.iter().filter(|enemy| self.lines(enemy.area, area) <= 1).count() as i32;
                let ground: i32 = self.content.adjacent[area].iter().map(|one| self.gains[one]).sum();
                50 * unled + ground / 10 - 60 * near + i32::from(self.fortresses.contains(area)) * 20
            }
            Action::Leader(leader) => {
                leader.general().map_or(0, |general| i32::from(self.content.generals[general].battle) + 1)
            }
            Action::To(holder) => self.holder_rating(holder),
            _ => 0,
        }
    }

    /// Brigades that a General has left are taken up where they stand, and else stay.
    fn gathering_worth(&self, action: Action) -> i32 {
        match action {
            Action::To(holder) => match holder.holding() {
                Holding::General(general) => 50 + 10 * i32::from(self.content.generals[general].battle),
                _ => 0,
            },
            Action::From(holder) => match holder.holding() {
                Holding::Outside(area) => {
                    let led = self.state.commander_at(self.content, self.me, area).is_some();
                    if led { 40 } else { -10 }
                }
                _ => -10,
            },
            Action::Brigade(face) => self.face_worth(face),
            Action::At(area) => 5 * self.state.unled(self.content, self.me, area).count() as i32,
            _ => 0,
        }
    }

    /// To London come Generals with few Brigades who stand near, until it holds.
    fn london_worth(&self, action: Action) -> i32 {
        let london = self.content.numbers.turnham_green.at;
        let there = self.state.brigades_in(self.content, PARLIAMENT, london).count() as i32;
        match action {
            Action::From(holder) => {
                let from = self.state.area_of_holder(self.content, holder);
                let near = from.is_some_and(|area| area != london);
                if near && there < 6 { 10 - from.map_or(0, |area| self.lines(area, london)) } else { -10 }
            }
            Action::To(holder) => match holder.holding() {
                Holding::Inside(_) => 30,
                _ => self.holder_rating(holder),
            },
            Action::Brigade(face) => self.face_worth(face),
            _ => 0,
        }
    }

    /// The lesser General goes, by the safest way.
    fn parting_worth(&self, action: Action) -> i32 {
        match action {
            Action::Leader(leader) => {
                leader.general().map_or(0, |general| -i32::from(self.content.generals[general].level))
            }
            Action::Move(Goal(Some(to))) | Action::At(to) => self.haven(Force::default(), to),
            _ => 0,
        }
    }
}
