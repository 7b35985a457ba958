//! The step table: every small choice of the game, and the two ways between ids and steps ([`Step`], [`Steps`]).

use crate::reference::Ref;
use crate::step::{StepId, StepTable, StepTableError, VerbKind};

use super::content::{ARMIES, Content, DEVILTRY, FORT_IDS, FORTS, RewardEffect, TRACK_IDS, TRACKS};
use super::content::{ARMY_IDS, REVOLTS};
use super::line::{OWN, SLOTS};
use super::names::{self, SLOT_IDS};

/// What the Zeal marker can lie on: Armies, fortresses, revolts, Deviltry, tracks, in this order.
pub(super) const TARGETS: usize = ARMIES + FORTS + REVOLTS + DEVILTRY + TRACKS;

/// Something that the Zeal marker can lie on, or that an action is about.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Target {
    Army(u8),
    Fort(u8),
    Revolt(u8),
    Deviltry(u8),
    Track(u8),
}

impl Target {
    /// The target of a number below [`TARGETS`].
    pub(super) const fn of(number: u8) -> Self {
        match number {
            0..=3 => Self::Army(number),
            4..=9 => Self::Fort(number - 4),
            10..=13 => Self::Revolt(number - 10),
            14..=21 => Self::Deviltry(number - 14),
            _ => Self::Track(number - 22),
        }
    }

    /// Its number.
    pub(super) const fn number(self) -> u8 {
        match self {
            Self::Army(index) => index,
            Self::Fort(index) => index + 4,
            Self::Revolt(index) => index + 10,
            Self::Deviltry(index) => index + 14,
            Self::Track(index) => index + 22,
        }
    }

    /// How views and steps name it.
    pub(super) const fn reference(self) -> Ref {
        match self {
            Self::Track(track) => Ref::Track(track as u16),
            _ => Ref::Piece(self.number() as u16),
        }
    }
}

/// A step, as the rules read it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// An Achievement gives up its box.
    Drop(u8),
    Full,
    Quick,
    /// The Army that a Battle is fought against.
    Army(u8),
    /// A Named unit (by ordinal among Parliament's) and its wing: 0 right, 1 left.
    Commit(u8, u8),
    /// A Battle Event card.
    Play(u8),
    /// A place for the card in play.
    On(u8),
    /// A place for the Zeal marker.
    Inspire(u8),
    Salvage,
    BenefitZeal,
    BenefitTrack(u8),
    BenefitFort(u8),
    /// 1 or 2.
    BenefitWeaken(u8),
    /// Which marker takes a movement that has nowhere to go.
    Shift(u8),
    /// An option of blue text.
    Choose(u8),
    Apply,
    Ignore,
    Infuse(Target),
    InfuseFree(Target),
    Purchase(u8),
    Campaign(Target),
    Besiege(Target),
    Fortify(u8),
    Politics(u8),
    /// A reward, by its place in the content.
    UsePolitics(u8),
    UseSiege(u8, u8),
    /// 0 Parliament, 1 Puritanism.
    Desperate(u8),
    Strike(u8),
    /// 0 Ireland, 1 Scotland.
    Settle(u8),
    RollOn(u8),
    Done,
    Pass,
}

/// The two ways between ids and steps.
#[derive(Debug, Default)]
pub(super) struct Steps {
    list: Vec<Step>,
    base: Bases,
    /// Free rolls that rewards give, in the table's order.
    uses: Vec<Step>,
}

/// The first id of each run of steps.
#[derive(Debug, Default)]
struct Bases {
    drop: u16,
    full: u16,
    army: u16,
    commit: u16,
    play: u16,
    on: u16,
    inspire: u16,
    salvage: u16,
    benefit: u16,
    shift: u16,
    choose: u16,
    apply: u16,
    infuse: u16,
    infuse_free: u16,
    purchase: u16,
    campaign: u16,
    besiege: u16,
    fortify: u16,
    politics: u16,
    uses: u16,
    desperate: u16,
    strike: u16,
    settle: u16,
    roll_on: u16,
    done: u16,
}

impl Steps {
    /// The step of an id that the table has.
    #[inline]
    pub(super) fn get(&self, id: StepId) -> Step {
        self.list[usize::from(id.0)]
    }

    /// The id of a step that the table has.
    #[inline]
    pub(super) fn id(&self, step: Step) -> StepId {
        let base = &self.base;
        let at = |base: u16, offset: u8| base + u16::from(offset);
        StepId(match step {
            Step::Drop(index) => at(base.drop, index),
            Step::Full => base.full,
            Step::Quick => base.full + 1,
            Step::Army(army) => at(base.army, army),
            Step::Commit(unit, wing) => at(base.commit, unit * 2 + wing),
            Step::Play(card) => at(base.play, card),
            Step::On(slot) => at(base.on, slot),
            Step::Inspire(slot) => at(base.inspire, slot),
            Step::Salvage => base.salvage,
            Step::BenefitZeal => base.benefit,
            Step::BenefitTrack(track) => at(base.benefit, 1 + track),
            Step::BenefitFort(fort) => at(base.benefit, 7 + fort),
            Step::BenefitWeaken(value) => at(base.benefit, 12 + value),
            Step::Shift(track) => at(base.shift, track),
            Step::Choose(option) => at(base.choose, option),
            Step::Apply => base.apply,
            Step::Ignore => base.apply + 1,
            Step::Infuse(target) => at(base.infuse, target.number()),
            Step::InfuseFree(target) => at(base.infuse_free, target.number()),
            Step::Purchase(index) => at(base.purchase, index),
            Step::Campaign(Target::Army(army)) => at(base.campaign, army),
            Step::Campaign(target) => at(base.campaign, target.number() - 10),
            Step::Besiege(target) => at(base.besiege, target.number() - 4),
            Step::Fortify(fort) => at(base.fortify, fort),
            Step::Politics(track) => at(base.politics, track),
            Step::UsePolitics(_) | Step::UseSiege(..) => {
                let place = self.uses.iter().position(|&known| known == step).unwrap_or(0);
                at(base.uses, place as u8)
            }
            Step::Desperate(which) => at(base.desperate, which),
            Step::Strike(army) => at(base.strike, army),
            Step::Settle(which) => at(base.settle, which),
            Step::RollOn(track) => at(base.roll_on, track),
            Step::Done => base.done,
            Step::Pass => base.done + 1,
        })
    }

    /// The free rolls that rewards give.
    pub(super) fn uses(&self) -> &[Step] {
        &self.uses
    }
}

/// Builds the table while it notes where each run of steps begins.
struct Builder<'a> {
    content: &'a Content,
    table: StepTable,
    steps: Steps,
}

impl Builder<'_> {
    /// The next id.
    fn here(&self) -> u16 {
        self.table.len() as u16
    }

    fn add(&mut self, verb: u8, step: Step, refs: &[Ref], notation: String) -> Result<(), StepTableError> {
        self.table.add(verb, refs, notation)?;
        self.steps.list.push(step);
        Ok(())
    }

    fn act(&mut self, id: &'static str, title: &'static str) -> u8 {
        self.table.verb(id, VerbKind::Act, title)
    }

    /// A verb over targets by number.
    fn targets(
        &mut self,
        id: &'static str,
        title: &'static str,
        targets: impl Iterator<Item = u8>,
        step: impl Fn(Target) -> Step,
    ) -> Result<u16, StepTableError> {
        let (verb, first) = (self.act(id, title), self.here());
        for number in targets {
            let target = Target::of(number);
            let name = names::target_id(self.content, target);
            self.add(verb, step(target), &[target.reference()], format!("{id} {name}"))?;
        }
        Ok(first)
    }

    fn tracks(
        &mut self,
        id: &'static str,
        title: &'static str,
        step: impl Fn(u8) -> Step,
    ) -> Result<u16, StepTableError> {
        let (verb, first) = (self.act(id, title), self.here());
        for (track, name) in TRACK_IDS.iter().enumerate().take(TRACKS) {
            let refs = [Ref::Track(track as u16)];
            self.add(verb, step(track as u8), &refs, format!("{id} {name}"))?;
        }
        Ok(first)
    }

    fn battle(&mut self) -> Result<(), StepTableError> {
        let content = self.content;
        self.steps.base.full = self.here();
        let verb = self.act("full", "Fight the Battle out");
        self.add(verb, Step::Full, &[], "full".to_owned())?;
        let verb = self.act("quick", "Resolve the Battle quickly");
        self.add(verb, Step::Quick, &[], "quick".to_owned())?;
        self.steps.base.army =
            self.targets("army", "Fight the Battle against", 0..2, |target| Step::Army(target.number()))?;
        self.steps.base.commit = self.here();
        let verb = self.act("commit", "Commit a Named unit to the right (0) or left (1) wing");
        for (ordinal, kind) in names::own_named(content).enumerate() {
            for (wing, side) in ["right", "left"].into_iter().enumerate() {
                let refs = [names::formation_ref(content, kind), Ref::Number(wing as i32)];
                let notation = format!("commit {} {side}", content.formations[kind].named.id);
                self.add(verb, Step::Commit(ordinal as u8, wing as u8), &refs, notation)?;
            }
        }
        self.steps.base.play = self.here();
        let verb = self.act("play", "Play a Battle Event card");
        for (index, card) in content.battle_cards.iter().enumerate() {
            let refs = [names::battle_card_ref(index)];
            self.add(verb, Step::Play(index as u8), &refs, format!("play {}", card.named.id))?;
        }
        self.steps.base.on = self.here();
        let verb = self.act("on", "The card is about the formation at");
        for (slot, id) in SLOT_IDS.iter().enumerate().take(SLOTS) {
            self.add(verb, Step::On(slot as u8), &[names::slot_ref(slot)], format!("on {id}"))?;
        }
        self.steps.base.inspire = self.here();
        let verb = self.act("inspire", "Pay 1 Zeal for +1 Strength of the formation at");
        for (slot, id) in SLOT_IDS.iter().enumerate().take(OWN) {
            self.add(verb, Step::Inspire(slot as u8), &[names::slot_ref(slot)], format!("inspire {id}"))?;
        }
        self.steps.base.salvage = self.here();
        let verb = self.act("salvage", "Move the victors down to salvage a Draw");
        self.add(verb, Step::Salvage, &[], "salvage".to_owned())?;
        self.benefits()
    }

    fn benefits(&mut self) -> Result<(), StepTableError> {
        self.steps.base.benefit = self.here();
        let verb = self.act("benefit", "Spend Benefit Points");
        self.add(verb, Step::BenefitZeal, &[names::zeal_ref()], "benefit zeal".to_owned())?;
        for (track, id) in TRACK_IDS.iter().enumerate().take(TRACKS) {
            let refs = [Ref::Track(track as u16)];
            self.add(verb, Step::BenefitTrack(track as u8), &refs, format!("benefit {id}-track"))?;
        }
        for (fort, id) in FORT_IDS.iter().enumerate().take(FORTS) {
            let refs = [Target::Fort(fort as u8).reference()];
            self.add(verb, Step::BenefitFort(fort as u8), &refs, format!("benefit {id}"))?;
        }
        for value in 1..=2u8 {
            let notation = format!("benefit weaken {value}");
            self.add(verb, Step::BenefitWeaken(value), &[Ref::Number(-i32::from(value))], notation)?;
        }
        Ok(())
    }

    fn events(&mut self) -> Result<(), StepTableError> {
        let content = self.content;
        self.steps.base.shift = self.tracks("shift", "The movement goes to", Step::Shift)?;
        self.steps.base.choose = self.here();
        let verb = self.act("choose", "Take the option");
        for choice in &content.choices {
            for option in choice.options.clone() {
                let place = i32::from(option - choice.options.start) + 1;
                let refs = [Ref::Card(choice.card.into()), Ref::Number(place)];
                let notation = format!("choose {}", content.options[usize::from(option)].0);
                self.add(verb, Step::Choose(option), &refs, notation)?;
            }
        }
        self.steps.base.apply = self.here();
        let verb = self.act("apply", "Let the Religious Reaction happen");
        self.add(verb, Step::Apply, &[], "apply".to_owned())?;
        let verb = self.table.verb("ignore", VerbKind::Pass, "Ignore the Religious Reaction");
        self.add(verb, Step::Ignore, &[], "ignore".to_owned())
    }

    fn actions(&mut self) -> Result<(), StepTableError> {
        let content = self.content;
        let everything = 0..TARGETS as u8;
        self.steps.base.infuse =
            self.targets("infuse", "Pay 1 Zeal for +1 on rolls against", everything.clone(), Step::Infuse)?;
        let title = "Place the Zeal marker, free, on";
        self.steps.base.infuse_free = self.targets("place", title, everything, Step::InfuseFree)?;
        self.steps.base.purchase = self.here();
        let verb = self.act("purchase", "Purchase the Achievement");
        for (index, achievement) in content.achievements.iter().enumerate() {
            let card = usize::from(achievement.card);
            let notation = format!("purchase {}", content.cards[card].named.id);
            self.add(verb, Step::Purchase(index as u8), &[Ref::Card(card as u16)], notation)?;
        }
        let campaigns = (0..4).chain(14..22);
        self.steps.base.campaign =
            self.targets("campaign", "Pay 1 Zeal for a Campaign against", campaigns, Step::Campaign)?;
        self.steps.base.besiege = self.targets("besiege", "Pay 1 Zeal to Besiege", 4..14, Step::Besiege)?;
        self.steps.base.fortify = self.targets("fortify", "Pay 1 Zeal to Fortify", 4..10, |target| {
            Step::Fortify(target.number() - 4)
        })?;
        self.steps.base.politics =
            self.tracks("politics", "Pay 1 Zeal for a Politics roll to raise", Step::Politics)?;
        self.rewards()?;
        self.steps.base.desperate = self.here();
        let verb = self.act("desperate", "Lower a marker for 1 Zeal");
        for (which, track) in [4u8, 5].into_iter().enumerate() {
            let notation = format!("desperate {}", TRACK_IDS[usize::from(track)]);
            self.add(verb, Step::Desperate(which as u8), &[Ref::Track(track.into())], notation)?;
        }
        self.steps.base.strike = self.targets("strike", "Strike, free, once a game, at", 0..4, |target| {
            Step::Strike(target.number())
        })?;
        self.steps.base.settle = self.here();
        let verb = self.act("settle", "Send English settlers");
        for (which, army) in [3usize, 2].into_iter().enumerate() {
            let refs = [Target::Army(army as u8).reference()];
            self.add(verb, Step::Settle(which as u8), &refs, format!("settle {}", ARMY_IDS[army]))?;
        }
        self.steps.base.roll_on = self.tracks("roll-on", "Roll, free, to raise", Step::RollOn)?;
        self.steps.base.done = self.here();
        let verb = self.table.verb("done", VerbKind::Done, "Done");
        self.add(verb, Step::Done, &[], "done".to_owned())?;
        let verb = self.table.verb("pass", VerbKind::Pass, "Pass");
        self.add(verb, Step::Pass, &[], "pass".to_owned())
    }

    /// Free rolls that are found on the backs of Deviltry markers.
    fn rewards(&mut self) -> Result<(), StepTableError> {
        let content = self.content;
        self.steps.base.uses = self.here();
        let verb = self.act("use", "Use a reward for a free roll on");
        for (index, reward) in content.numbers.rewards.iter().enumerate() {
            let reward_ref = names::reward_ref(index);
            let id = &reward.named.id;
            match reward.effect {
                RewardEffect::Politics(track) => {
                    let step = Step::UsePolitics(index as u8);
                    self.add(verb, step, &[Ref::Track(track.into()), reward_ref], format!("use {id}"))?;
                    self.steps.uses.push(step);
                }
                RewardEffect::Siege(forts) => {
                    for fort in (0..FORTS as u8).filter(|fort| forts & 1 << fort != 0) {
                        let step = Step::UseSiege(index as u8, fort);
                        let refs = [Target::Fort(fort).reference(), reward_ref];
                        let notation = format!("use {id} {}", FORT_IDS[usize::from(fort)]);
                        self.add(verb, step, &refs, notation)?;
                        self.steps.uses.push(step);
                    }
                }
                RewardEffect::NextDisorder(_) | RewardEffect::NextStrength(..) | RewardEffect::Vp(_) => {}
            }
        }
        Ok(())
    }
}

pub(super) fn table(content: &Content) -> Result<(StepTable, Steps), StepTableError> {
    let mut builder = Builder { content, table: StepTable::default(), steps: Steps::default() };
    let verb = builder.act("drop", "Give up the Achievement, to make room");
    for (index, achievement) in content.achievements.iter().enumerate() {
        let card = usize::from(achievement.card);
        let notation = format!("drop {}", content.cards[card].named.id);
        builder.add(verb, Step::Drop(index as u8), &[Ref::Card(card as u16)], notation)?;
    }
    builder.battle()?;
    builder.events()?;
    builder.actions()?;
    Ok((builder.table, builder.steps))
}
