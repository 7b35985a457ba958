//! The action table: every small choice of the game, and the two ways between ids and actions ([`Action`], [`Actions`]).

use crate::action::{ActionId, ActionTable, ActionTableError, VerbKind};
use crate::reference::Ref;

use super::catalogue::names;
use super::catalogue::names::SLOT_IDS;
use super::content::{
    ARMIES, ARMY_IDS, Content, DEVILTRY, FORT_IDS, FORTS, REVOLTS, RewardEffect, TRACK_IDS, TRACKS,
};
use super::state::line::{OWN, SLOTS};

/// Number of things that the Zeal marker can lie on: Armies, fortresses, revolts, Deviltry, tracks, in this order.
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

    /// Returns its name in views and actions.
    pub(super) const fn reference(self) -> Ref {
        match self {
            Self::Track(track) => Ref::Track(track as u16),
            _ => Ref::Piece(self.number() as u16),
        }
    }
}

/// An action, as the rules read it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Action {
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
    /// The marker that takes a movement that has nowhere to go.
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

/// The two ways between ids and actions.
#[derive(Debug, Default)]
pub(super) struct Actions {
    list: Vec<Action>,
    base: Bases,
    /// Free rolls that rewards give, in the table's order.
    uses: Vec<Action>,
}

/// The first id of each run of actions.
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

impl Actions {
    /// The action of an id that the table has.
    #[inline]
    pub(super) fn get(&self, id: ActionId) -> Action {
        self.list[usize::from(id.0)]
    }

    /// The id of an action that the table has.
    #[inline]
    pub(super) fn id(&self, action: Action) -> ActionId {
        let base = &self.base;
        let at = |base: u16, offset: u8| base + u16::from(offset);
        ActionId(match action {
            Action::Drop(index) => at(base.drop, index),
            Action::Full => base.full,
            Action::Quick => base.full + 1,
            Action::Army(army) => at(base.army, army),
            Action::Commit(unit, wing) => at(base.commit, unit * 2 + wing),
            Action::Play(card) => at(base.play, card),
            Action::On(slot) => at(base.on, slot),
            Action::Inspire(slot) => at(base.inspire, slot),
            Action::Salvage => base.salvage,
            Action::BenefitZeal => base.benefit,
            Action::BenefitTrack(track) => at(base.benefit, 1 + track),
            Action::BenefitFort(fort) => at(base.benefit, 7 + fort),
            Action::BenefitWeaken(value) => at(base.benefit, 12 + value),
            Action::Shift(track) => at(base.shift, track),
            Action::Choose(option) => at(base.choose, option),
            Action::Apply => base.apply,
            Action::Ignore => base.apply + 1,
            Action::Infuse(target) => at(base.infuse, target.number()),
            Action::InfuseFree(target) => at(base.infuse_free, target.number()),
            Action::Purchase(index) => at(base.purchase, index),
            Action::Campaign(Target::Army(army)) => at(base.campaign, army),
            Action::Campaign(target) => at(base.campaign, target.number() - 10),
            Action::Besiege(target) => at(base.besiege, target.number() - 4),
            Action::Fortify(fort) => at(base.fortify, fort),
            Action::Politics(track) => at(base.politics, track),
            Action::UsePolitics(_) | Action::UseSiege(..) => {
                let place = self.uses.iter().position(|&known| known == action).unwrap_or(0);
                at(base.uses, place as u8)
            }
            Action::Desperate(which) => at(base.desperate, which),
            Action::Strike(army) => at(base.strike, army),
            Action::Settle(which) => at(base.settle, which),
            Action::RollOn(track) => at(base.roll_on, track),
            Action::Done => base.done,
            Action::Pass => base.done + 1,
        })
    }

    /// The free rolls that rewards give.
    pub(super) fn uses(&self) -> &[Action] {
        &self.uses
    }
}

/// Builds the table while it notes where each run of actions begins.
struct Builder<'a> {
    content: &'a Content,
    table: ActionTable,
    actions: Actions,
}

impl Builder<'_> {
    /// The next id.
    fn here(&self) -> u16 {
        self.table.len() as u16
    }

    fn add(
        &mut self,
        verb: u8,
        action: Action,
        refs: &[Ref],
        notation: String,
    ) -> Result<(), ActionTableError> {
        self.table.add(verb, refs, notation)?;
        self.actions.list.push(action);
        Ok(())
    }

    fn act(&mut self, id: &'static str, title: &'static str, refs: &'static [&'static str]) -> u8 {
        self.table.verb(id, VerbKind::Play, title, refs)
    }

    /// A verb over targets by number.
    fn targets(
        &mut self,
        id: &'static str,
        title: &'static str,
        targets: impl Iterator<Item = u8>,
        action: impl Fn(Target) -> Action,
    ) -> Result<u16, ActionTableError> {
        let (verb, first) = (self.act(id, title, &["target"]), self.here());
        for number in targets {
            let target = Target::of(number);
            let name = names::target_id(self.content, target);
            self.add(verb, action(target), &[target.reference()], format!("{id} {name}"))?;
        }
        Ok(first)
    }

    fn tracks(
        &mut self,
        id: &'static str,
        title: &'static str,
        action: impl Fn(u8) -> Action,
    ) -> Result<u16, ActionTableError> {
        let (verb, first) = (self.act(id, title, &["track"]), self.here());
        for (track, name) in TRACK_IDS.iter().enumerate().take(TRACKS) {
            let refs = [Ref::Track(track as u16)];
            self.add(verb, action(track as u8), &refs, format!("{id} {name}"))?;
        }
        Ok(first)
    }

    fn battle(&mut self) -> Result<(), ActionTableError> {
        let content = self.content;
        self.actions.base.full = self.here();
        let verb = self.act("full", "Fight the Battle out", &[]);
        self.add(verb, Action::Full, &[], "full".to_owned())?;
        let verb = self.act("quick", "Resolve the Battle quickly", &[]);
        self.add(verb, Action::Quick, &[], "quick".to_owned())?;
        self.actions.base.army =
            self.targets("army", "Fight the Battle against", 0..2, |target| Action::Army(target.number()))?;
        self.actions.base.commit = self.here();
        let verb = self.act("commit", "Commit a Named unit to the right or left wing", &["unit", "wing"]);
        for (ordinal, kind) in names::own_named(content).enumerate() {
            for (wing, side) in ["right", "left"].into_iter().enumerate() {
                let refs = [names::formation_ref(content, kind), Ref::Number(wing as i32)];
                let notation = format!("commit {} {side}", content.formations[kind].named.id);
                self.add(verb, Action::Commit(ordinal as u8, wing as u8), &refs, notation)?;
            }
        }
        self.actions.base.play = self.here();
        let verb = self.act("play", "Play a Battle Event card", &["card"]);
        for (index, card) in content.battle_cards.iter().enumerate() {
            let refs = [names::battle_card_ref(index)];
            self.add(verb, Action::Play(index as u8), &refs, format!("play {}", card.named.id))?;
        }
        self.actions.base.on = self.here();
        let verb = self.act("on", "The card is about the formation at", &["slot"]);
        for (slot, id) in SLOT_IDS.iter().enumerate().take(SLOTS) {
            self.add(verb, Action::On(slot as u8), &[names::slot_ref(slot)], format!("on {id}"))?;
        }
        self.actions.base.inspire = self.here();
        let verb = self.act("inspire", "Pay 1 Zeal for +1 Strength of the formation at", &["slot"]);
        for (slot, id) in SLOT_IDS.iter().enumerate().take(OWN) {
            self.add(verb, Action::Inspire(slot as u8), &[names::slot_ref(slot)], format!("inspire {id}"))?;
        }
        self.actions.base.salvage = self.here();
        let verb = self.act("salvage", "Move the victors down to salvage a Draw", &[]);
        self.add(verb, Action::Salvage, &[], "salvage".to_owned())?;
        self.benefits()
    }

    fn benefits(&mut self) -> Result<(), ActionTableError> {
        self.actions.base.benefit = self.here();
        let verb = self.act("benefit", "Spend Benefit Points", &["benefit"]);
        self.add(verb, Action::BenefitZeal, &[names::zeal_ref()], "benefit zeal".to_owned())?;
        for (track, id) in TRACK_IDS.iter().enumerate().take(TRACKS) {
            let refs = [Ref::Track(track as u16)];
            self.add(verb, Action::BenefitTrack(track as u8), &refs, format!("benefit {id}-track"))?;
        }
        for (fort, id) in FORT_IDS.iter().enumerate().take(FORTS) {
            let refs = [Target::Fort(fort as u8).reference()];
            self.add(verb, Action::BenefitFort(fort as u8), &refs, format!("benefit {id}"))?;
        }
        for value in 1..=2u8 {
            let notation = format!("benefit weaken {value}");
            self.add(verb, Action::BenefitWeaken(value), &[Ref::Number(-i32::from(value))], notation)?;
        }
        Ok(())
    }

    fn events(&mut self) -> Result<(), ActionTableError> {
        let content = self.content;
        self.actions.base.shift = self.tracks("shift", "The movement goes to", Action::Shift)?;
        self.actions.base.choose = self.here();
        let verb = self.act("choose", "Take the option", &["card", "option"]);
        for choice in &content.choices {
            for option in choice.options.clone() {
                let Some((card, place)) = content.printed_option(option) else { continue };
                let refs = [Ref::Card(card.into()), Ref::Number(place.into())];
                let notation = format!("choose {}", content.options[usize::from(option)].0);
                self.add(verb, Action::Choose(option), &refs, notation)?;
            }
        }
        self.actions.base.apply = self.here();
        let verb = self.act("apply", "Let the Religious Reaction happen", &[]);
        self.add(verb, Action::Apply, &[], "apply".to_owned())?;
        let verb = self.table.verb("ignore", VerbKind::Pass, "Ignore the Religious Reaction", &[]);
        self.add(verb, Action::Ignore, &[], "ignore".to_owned())
    }

    fn action_phase(&mut self) -> Result<(), ActionTableError> {
        let content = self.content;
        let everything = 0..TARGETS as u8;
        self.actions.base.infuse =
            self.targets("infuse", "Pay 1 Zeal for +1 on rolls against", everything.clone(), Action::Infuse)?;
        let title = "Place the Zeal marker, free, on";
        self.actions.base.infuse_free = self.targets("place", title, everything, Action::InfuseFree)?;
        self.actions.base.purchase = self.here();
        let verb = self.act("purchase", "Purchase the Achievement", &["card"]);
        for (index, achievement) in content.achievements.iter().enumerate() {
            let card = usize::from(achievement.card);
            let notation = format!("purchase {}", content.cards[card].named.id);
            self.add(verb, Action::Purchase(index as u8), &[Ref::Card(card as u16)], notation)?;
        }
        let campaigns = (0..4).chain(14..22);
        self.actions.base.campaign =
            self.targets("campaign", "Pay 1 Zeal for a Campaign against", campaigns, Action::Campaign)?;
        self.actions.base.besiege =
            self.targets("besiege", "Pay 1 Zeal to Besiege", 4..14, Action::Besiege)?;
        self.actions.base.fortify = self.targets("fortify", "Pay 1 Zeal to Fortify", 4..10, |target| {
            Action::Fortify(target.number() - 4)
        })?;
        self.actions.base.politics =
            self.tracks("politics", "Pay 1 Zeal for a Politics roll to raise", Action::Politics)?;
        self.rewards()?;
        self.actions.base.desperate = self.here();
        let verb = self.act("desperate", "Lower a marker for 1 Zeal", &["track"]);
        for (which, track) in [4u8, 5].into_iter().enumerate() {
            let notation = format!("desperate {}", TRACK_IDS[usize::from(track)]);
            self.add(verb, Action::Desperate(which as u8), &[Ref::Track(track.into())], notation)?;
        }
        self.actions.base.strike =
            self.targets("strike", "Strike, free, once a game, at", 0..4, |target| {
                Action::Strike(target.number())
            })?;
        self.actions.base.settle = self.here();
        let verb = self.act("settle", "Send English settlers", &["target"]);
        for (which, army) in [3usize, 2].into_iter().enumerate() {
            let refs = [Target::Army(army as u8).reference()];
            self.add(verb, Action::Settle(which as u8), &refs, format!("settle {}", ARMY_IDS[army]))?;
        }
        self.actions.base.roll_on = self.tracks("roll-on", "Roll, free, to raise", Action::RollOn)?;
        self.actions.base.done = self.here();
        let verb = self.table.verb("done", VerbKind::Done, "Done", &[]);
        self.add(verb, Action::Done, &[], "done".to_owned())?;
        let verb = self.table.verb("pass", VerbKind::Pass, "Pass", &[]);
        self.add(verb, Action::Pass, &[], "pass".to_owned())
    }

    /// Free rolls that are found on the backs of Deviltry markers.
    fn rewards(&mut self) -> Result<(), ActionTableError> {
        let content = self.content;
        self.actions.base.uses = self.here();
        let verb = self.act("use", "Use a reward for a free roll on", &["target", "reward"]);
        for (index, reward) in content.numbers.rewards.iter().enumerate() {
            let reward_ref = names::reward_ref(index);
            let id = &reward.named.id;
            match reward.effect {
                RewardEffect::Politics(track) => {
                    let action = Action::UsePolitics(index as u8);
                    self.add(verb, action, &[Ref::Track(track.into()), reward_ref], format!("use {id}"))?;
                    self.actions.uses.push(action);
                }
                RewardEffect::Siege(forts) => {
                    for fort in (0..FORTS as u8).filter(|fort| forts & 1 << fort != 0) {
                        let action = Action::UseSiege(index as u8, fort);
                        let refs = [Target::Fort(fort).reference(), reward_ref];
                        let notation = format!("use {id} {}", FORT_IDS[usize::from(fort)]);
                        self.add(verb, action, &refs, notation)?;
                        self.actions.uses.push(action);
                    }
                }
                RewardEffect::NextDisorder(_) | RewardEffect::NextStrength(..) | RewardEffect::Vp(_) => {}
            }
        }
        Ok(())
    }
}

pub(super) fn table(content: &Content) -> Result<(ActionTable, Actions), ActionTableError> {
    let mut builder = Builder { content, table: ActionTable::default(), actions: Actions::default() };
    let verb = builder.act("drop", "Give up the Achievement, to make room", &["card"]);
    for (index, achievement) in content.achievements.iter().enumerate() {
        let card = usize::from(achievement.card);
        let notation = format!("drop {}", content.cards[card].named.id);
        builder.add(verb, Action::Drop(index as u8), &[Ref::Card(card as u16)], notation)?;
    }
    builder.battle()?;
    builder.events()?;
    builder.action_phase()?;
    Ok((builder.table, builder.actions))
}
