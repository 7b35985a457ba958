//! The Tactical Battle, stage by stage (7.0): what opens it, what each stage asks, offers, refuses, draws, does and tells.

use std::ops::ControlFlow;

use crate::chance::{Bag, Chance, Outcome, Weighted};
use crate::event::{Event, Events};
use crate::numbered::Listed;
use crate::reference::Ref;
use crate::refusal::Why;
use crate::view::{Procedure, Roles};

use super::super::actions::{Action, Target};
use super::super::catalogue::names;
use super::super::chance::{STREAM_BATTLE, STREAM_UNITS, dice, evenly};
use super::super::content::{ArmyId, CARDS, NORTH, SECTORS, SectorId, SlotId, WEST};
use super::super::frames::Frame;
use super::super::state::line::{Battle, Stage, own_slots, slots};
use super::super::state::{Options, State};
use super::super::{CruelNecessity, rules};

impl CruelNecessity {
    /// A Battle begins (6.1).
    pub(in super::super) fn open_battle(&self, state: &mut State, out: &mut Events) {
        if !rules::BATTLE_FIRST.applies(rules::BATTLE.applies(true)) {
            return;
        }
        let scene = self.scene(state, out);
        let asked = rules::QUICK.applies(rules::FULL_OR_QUICK.applies(state.opted(Options::QUICK)));
        let stage = if asked { Stage::Method } else { Stage::Name };
        state.battle = Battle { stage, ..Battle::default() };
        state.frames.open(Frame::Battle);
        scene.publish(self, state, out, || Event::new("battle", rules::BATTLE_FIRST, &[]));
    }

    /// Goes on with a Battle as far as nobody is asked; whether it went on.
    pub(in super::super) fn battle_goes_on(&self, state: &mut State, out: &mut Events) -> bool {
        match state.battle.stage {
            Stage::Commit if !self.may_commit(state) => state.battle.stage = Stage::Fill,
            Stage::Fill if self.empty_slot(state).is_none() => self.reveal_lines(state, out),
            Stage::Events if state.battle.draws == 0 => state.battle.stage = Stage::Green,
            Stage::Events if state.battle_deck.is_empty() => self.reshuffle(state, out),
            Stage::Redraw if self.redraw_kinds(state).is_empty() => self.nobody_to_draw(state, out),
            Stage::Target => return self.only_target(state, out),
            Stage::Green if !self.any_playable(state) => state.battle.stage = Stage::Inspire,
            Stage::Inspire if !self.may_inspire(state) => state.battle.stage = Stage::Before,
            Stage::Before if !self.any_playable(state) => state.battle.stage = Stage::Roll,
            Stage::After if !self.any_playable(state) => self.resolve_sector(state, out),
            Stage::Aftermath if !self.any_playable(state) => self.apply_outcome(state, out),
            Stage::Benefits if !self.any_benefit(state) => state.battle.stage = Stage::Return,
            Stage::Return => self.return_units(state, out),
            Stage::Deadly if self.next_deadly(state).is_none() => {
                state.battle = Battle::default();
                state.frames.close();
            }
            Stage::Idle => {
                state.frames.close();
            }
            _ => return false,
        }
        true
    }

    pub(in super::super) fn offer_battle(&self, state: &State, offer: &mut impl FnMut(Action)) {
        match state.battle.stage {
            Stage::Method => {
                offer(Action::Full);
                offer(Action::Quick);
            }
            Stage::Name => [NORTH, WEST].into_iter().for_each(|army| offer(Action::Army(army))),
            Stage::Commit => self.offer_commit(state, offer),
            Stage::Target => slots().for_each(|slot| offer(Action::On(slot))),
            Stage::Green | Stage::Aftermath => {
                self.offer_held(state, offer);
                offer(Action::Done);
            }
            Stage::Before | Stage::After => {
                self.offer_held(state, offer);
                offer(Action::Pass);
            }
            Stage::Inspire => {
                own_slots().for_each(|slot| offer(Action::Inspire(slot)));
                offer(Action::Pass);
            }
            Stage::Salvage => {
                offer(Action::Salvage);
                offer(Action::Pass);
            }
            Stage::Benefits => {
                self.offer_benefits(state, offer);
                offer(Action::Done);
            }
            _ => {}
        }
    }

    pub(in super::super) fn examine_battle(
        &self,
        state: &State,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let legal = ControlFlow::Continue(());
        match (state.battle.stage, action) {
            (Stage::Method, Action::Full | Action::Quick) | (Stage::Name, Action::Army(_)) => legal,
            (Stage::Commit, Action::Commit(kind, wing)) => self.examine_commit(state, (kind, wing), why),
            (Stage::Commit | Stage::Green | Stage::Aftermath | Stage::Benefits, Action::Done) => legal,
            (Stage::Before | Stage::After | Stage::Inspire | Stage::Salvage, Action::Pass) => legal,
            (Stage::Green | Stage::Before | Stage::After | Stage::Aftermath, Action::Play(card)) => {
                self.examine_play(state, card, why)
            }
            (Stage::Target, Action::On(slot)) => self.examine_target(state, slot, why),
            (Stage::Inspire, Action::Inspire(slot)) => self.examine_inspire(state, slot, why),
            (Stage::Salvage, Action::Salvage) => legal,
            (
                Stage::Benefits,
                Action::BenefitZeal
                | Action::BenefitTrack(_)
                | Action::BenefitFort(_)
                | Action::BenefitWeaken(_),
            ) => self.examine_benefit(state, action, why),
            _ => why.refuse(rules::BATTLE, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_battle(&self, state: &mut State, action: Action, out: &mut Events) {
        match (state.battle.stage, action) {
            (Stage::Method, _) => {
                state.battle.quick = action == Action::Quick && state.opted(Options::QUICK);
                state.battle.stage = Stage::Name;
            }
            (Stage::Name, Action::Army(army)) => self.name_army(state, army, out),
            (Stage::Commit, Action::Commit(kind, wing)) => self.commit(state, (kind, wing), out),
            (Stage::Commit, _) => state.battle.stage = Stage::Fill,
            (Stage::Target, Action::On(slot)) => self.hit(state, slot, out),
            (_, Action::Play(card)) => self.play_card(state, card, out),
            (Stage::Green, _) => state.battle.stage = Stage::Inspire,
            (Stage::Inspire, Action::Inspire(slot)) => self.inspire(state, slot, out),
            (Stage::Inspire, _) => state.battle.stage = Stage::Before,
            (Stage::Before, _) => state.battle.stage = Stage::Roll,
            (Stage::After, _) => self.resolve_sector(state, out),
            (Stage::Salvage, Action::Salvage) => self.salvage(state, out),
            (Stage::Salvage, _) => state.battle.stage = Stage::Aftermath,
            (Stage::Aftermath, _) => self.apply_outcome(state, out),
            (Stage::Benefits, Action::Done) => state.battle.stage = Stage::Return,
            (Stage::Benefits, _) => self.spend_benefit(state, action, out),
            _ => unreachable!("{action:?} is not legal"),
        }
    }

    /// The Army is named, and with it the region (7.0 step 1).
    pub(in super::super) fn name_army(&self, state: &mut State, army: ArmyId, out: &mut Events) {
        let scene = self.scene(state, out);
        state.battle.army = Some(army);
        state.battle.stage = if state.battle.quick { Stage::QuickRoll } else { Stage::Commit };
        scene.publish(self, state, out, || {
            Event::new("battle_against", rules::BATTLE, &[Target::Army(army).reference()])
        });
    }

    /// The draw or the roll of a stage.
    pub(in super::super) fn battle_chance(&self, state: &State) -> Chance {
        match state.battle.stage {
            Stage::Fill => self.unit_chance(state, self.empty_slot(state).expect("a place is empty")),
            Stage::Redraw => self.unit_chance(state, state.battle.slot.expect("a place is drawn for again")),
            Stage::Events => {
                let cards = state.battle_deck.iter().map(|card| (CARDS + card.index()) as u16);
                let (epoch, cards) = (state.shuffles.into(), cards.collect());
                Chance::Bag(Bag { stream: STREAM_BATTLE, epoch, cards, tokens: Vec::new() })
            }
            Stage::RandomUnit => {
                let options = self.aimed(state).iter().map(|slot| evenly(names::slot_ref(slot))).collect();
                Chance::Choice { stream: STREAM_UNITS, options }
            }
            Stage::Deadly => dice(1),
            Stage::Reroll => dice(self.reroll_dice(state)),
            _ => dice(2),
        }
    }

    /// A formation of the pool for a place.
    fn unit_chance(&self, state: &State, slot: SlotId) -> Chance {
        let kinds = self.pool_kinds(state, slot);
        let options = kinds.iter().map(|kind| Weighted {
            what: names::formation_ref(&self.content, kind),
            weight: state.pool[kind].into(),
        });
        Chance::Choice { stream: STREAM_UNITS, options: options.collect() }
    }

    /// Goes on with what was drawn or rolled.
    pub(in super::super) fn resolve_battle(&self, state: &mut State, outcome: &Outcome, out: &mut Events) {
        let unit = |what| names::formation_of(&self.content, what).expect("a formation is drawn");
        match (state.battle.stage, outcome) {
            (Stage::Fill, &Outcome::Pick(what)) => self.fill(state, unit(what), out),
            (Stage::Redraw, &Outcome::Pick(what)) => self.replaced(state, unit(what), out),
            (Stage::Events, &Outcome::Pick(what)) => {
                let card = names::battle_card_of(&self.content, what).expect("a Battle Event card is drawn");
                self.battle_card_drawn(state, card, out);
            }
            (Stage::RandomUnit, &Outcome::Pick(what)) => {
                self.hit(state, names::slot_of(what).expect("a place of the line is drawn"), out);
            }
            (Stage::QuickRoll, Outcome::Roll(dice)) => self.quick_roll(state, [dice[0], dice[1]], out),
            (Stage::Roll, Outcome::Roll(dice)) => self.sector_roll(state, [dice[0], dice[1]], out),
            (Stage::Reroll, Outcome::Roll(dice)) => self.rerolled(state, dice, out),
            (Stage::Deadly, Outcome::Roll(dice)) => self.deadly_roll(state, dice[0], out),
            _ => unreachable!("an outcome that the chance event does not admit"),
        }
    }
}

/// Returns whether the player is asked at a stage; otherwise something is drawn or rolled, or the Battle goes on by itself.
pub(in super::super) const fn battle_asks(stage: Stage) -> bool {
    matches!(
        stage,
        Stage::Method
            | Stage::Name
            | Stage::Commit
            | Stage::Target
            | Stage::Green
            | Stage::Inspire
            | Stage::Before
            | Stage::After
            | Stage::Salvage
            | Stage::Aftermath
            | Stage::Benefits
    )
}

/// The code of the prompt at a stage.
pub(in super::super) const fn battle_prompt(stage: Stage) -> &'static str {
    match stage {
        Stage::Method => "full_or_quick",
        Stage::Name => "name_army",
        Stage::Commit => "commit_units",
        Stage::Fill | Stage::Redraw | Stage::RandomUnit => "unit_due",
        Stage::Events => "battle_card_due",
        Stage::Target => "target_of_card",
        Stage::Green => "play_green",
        Stage::Inspire => "inspire_whom",
        Stage::Before => "play_before",
        Stage::After => "play_after",
        Stage::Roll | Stage::Reroll | Stage::QuickRoll => "battle_dice_due",
        Stage::Salvage => "salvage_asked",
        Stage::Aftermath => "play_aftermath",
        Stage::Benefits => "benefits_asked",
        Stage::Deadly => "deadly_due",
        Stage::Return | Stage::Idle => "goes_on",
    }
}

/// The references of the prompt.
pub(in super::super) fn battle_refs(state: &State) -> Vec<Ref> {
    match state.battle.stage {
        Stage::Before | Stage::After | Stage::Roll | Stage::Reroll => {
            vec![sector_number(state.battle.sector)]
        }
        Stage::Benefits => vec![Ref::Number(state.battle.points.into())],
        Stage::Target => state.battle.card.map(names::battle_card_ref).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// The Battle in public words; `resample` reads it back.
pub(in super::super) fn battle_context(game: &CruelNecessity, state: &State) -> Procedure {
    let battle = &state.battle;
    let mut roles = Roles::new();
    let mut role = |name: &'static str, what: Ref| roles.push((name, what));
    if let Some(army) = battle.army {
        role("army", Target::Army(army).reference());
    }
    if let Some(card) = battle.card {
        role("card", names::battle_card_ref(card));
    }
    if let Some(slot) = battle.slot {
        role("at", names::slot_ref(slot));
    }
    if (Stage::Before..=Stage::Reroll).contains(&battle.stage) {
        role("sector", sector_number(battle.sector));
    } else if battle.sector != SectorId::default() {
        role("sectors", sector_number(battle.sector));
    }
    for die in battle.dice.into_iter().filter(|&die| die > 0) {
        role("die", Ref::Number(die.into()));
    }
    for (name, number) in [
        ("quick", i32::from(battle.quick)),
        ("extra", battle.extra.into()),
        ("draws", battle.draws.into()),
        ("outcome", battle.outcome as i32),
        ("salvaged", i32::from(battle.salvaged)),
        ("trusted", i32::from(battle.trusted)),
        ("points", battle.points.into()),
    ] {
        if number != 0 {
            role(name, Ref::Number(number));
        }
    }
    if game.lines_face(state) {
        for sector in SectorId::all(&game.content).filter(|&sector| sector >= battle.sector) {
            for (name, number) in SECTOR_ROLES[sector].into_iter().zip(game.sector_odds(state, sector)) {
                roles.push((name, Ref::Number(number)));
            }
        }
    }
    Procedure { frame: "battle", rule: rules::BATTLE, stage: battle.stage as u8, roles }
}

/// The number of a sector, from 1.
const fn sector_number(sector: SectorId) -> Ref {
    Ref::Number(sector.index() as i32 + 1)
}

/// Roles of each sector that is still to be fought: both totals, and the ways in 36 that it is won and lost.
const SECTOR_ROLES: [[&str; 4]; SECTORS] = [
    ["total-1", "royalist-total-1", "wins-1", "losses-1"],
    ["total-2", "royalist-total-2", "wins-2", "losses-2"],
    ["total-3", "royalist-total-3", "wins-3", "losses-3"],
    ["total-4", "royalist-total-4", "wins-4", "losses-4"],
];
