//! The action table: every small choice of the game, and the two ways between ids and actions ([`Action`], [`Actions`]).

use crate::action::{ActionId, ActionTable, ActionTableError, VerbKind};
use crate::numbered::Listed;
use crate::reference::{Location, Ref};

use super::catalogue::names;
use super::catalogue::names::SLOT_IDS;
use super::content::{
    ARMIES, AchievementId, ArmyId, BattleCardId, Content, DEVILTRY, DeviltryId, FORT_IDS, FORTS, FormationId,
    FortId, IRELAND, NORTH, OptionId, REVOLTS, RevoltId, RewardEffect, RewardId, SCOTLAND, SlotId, TRACK_IDS,
    TRACKS, TrackId, WEST,
};
use super::procedures::politics::DESPERATE_TRACKS;
use super::procedures::settlers::SETTLED_LANDS;
use super::state::line::{own_slots, slots};

/// Number of things that the Zeal marker can lie on: Armies, fortresses, revolts, Deviltry, tracks, in this order.
pub(super) const TARGETS: usize = ARMIES + FORTS + REVOLTS + DEVILTRY + TRACKS;

/// Something that the Zeal marker can lie on, or that an action is about.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Target {
    Army(ArmyId),
    Fort(FortId),
    Revolt(RevoltId),
    Deviltry(DeviltryId),
    Track(TrackId),
}

/// The first target of each kind but the first.
const FIRST_FORT: usize = ARMIES;
const FIRST_REVOLT: usize = FIRST_FORT + FORTS;
const FIRST_DEVILTRY: usize = FIRST_REVOLT + REVOLTS;
const FIRST_TRACK: usize = FIRST_DEVILTRY + DEVILTRY;

impl Target {
    /// The target of a number below [`TARGETS`].
    pub(super) const fn of(number: usize) -> Self {
        match number {
            0..FIRST_FORT => Self::Army(ArmyId::new(number)),
            FIRST_FORT..FIRST_REVOLT => Self::Fort(FortId::new(number - FIRST_FORT)),
            FIRST_REVOLT..FIRST_DEVILTRY => Self::Revolt(RevoltId::new(number - FIRST_REVOLT)),
            FIRST_DEVILTRY..FIRST_TRACK => Self::Deviltry(DeviltryId::new(number - FIRST_DEVILTRY)),
            _ => Self::Track(TrackId::new(number - FIRST_TRACK)),
        }
    }

    /// All of them.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        (0..TARGETS).map(Self::of)
    }

    /// Its number.
    pub(super) const fn number(self) -> usize {
        match self {
            Self::Army(army) => army.index(),
            Self::Fort(fort) => FIRST_FORT + fort.index(),
            Self::Revolt(revolt) => FIRST_REVOLT + revolt.index(),
            Self::Deviltry(marker) => FIRST_DEVILTRY + marker.index(),
            Self::Track(track) => FIRST_TRACK + track.index(),
        }
    }

    /// Returns its name in views and actions.
    pub(super) const fn reference(self) -> Ref {
        match self {
            Self::Track(track) => Ref::Track(track.index() as u16),
            _ => Ref::Piece(self.number() as u16),
        }
    }

    /// The target that a reference names.
    pub(super) fn referred(what: Ref) -> Option<Self> {
        match what {
            Ref::Piece(piece) if usize::from(piece) < FIRST_TRACK => Some(Self::of(piece.into())),
            Ref::Track(track) if usize::from(track) < TRACKS => Some(Self::Track(TrackId::new(track.into()))),
            _ => None,
        }
    }

    /// Its piece, or its track.
    pub(super) const fn location(self) -> Location {
        match self {
            Self::Track(track) => Location::Track(track.index() as u16),
            _ => Location::Piece(self.number() as u16),
        }
    }
}

/// A wing of a line.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Wing {
    Right,
    Left,
}

impl Wing {
    /// Both, in order.
    pub(super) const BOTH: [Self; 2] = [Self::Right, Self::Left];
}

/// An action, as the rules read it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Action {
    /// An Achievement gives up its box.
    Drop(AchievementId),
    Full,
    Quick,
    /// The Army that a Battle is fought against.
    Army(ArmyId),
    /// A Named unit of Parliament's.
    Commit(FormationId, Wing),
    Play(BattleCardId),
    /// A place for the card in play.
    On(SlotId),
    /// A place for the Zeal marker.
    Inspire(SlotId),
    Salvage,
    BenefitZeal,
    BenefitTrack(TrackId),
    BenefitFort(FortId),
    /// 1 or 2.
    BenefitWeaken(u8),
    /// The marker that takes a movement that has nowhere to go.
    Shift(TrackId),
    /// An option of blue text.
    Choose(OptionId),
    Apply,
    Ignore,
    Infuse(Target),
    InfuseFree(Target),
    Purchase(AchievementId),
    Campaign(Target),
    Besiege(Target),
    Fortify(FortId),
    Politics(TrackId),
    UsePolitics(RewardId),
    UseSiege(RewardId, FortId),
    /// Parliament or Puritanism.
    Desperate(TrackId),
    Strike(ArmyId),
    /// Ireland or Scotland.
    Settle(ArmyId),
    RollOn(TrackId),
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
    /// Named units of Parliament's, in the table's order.
    named: Vec<FormationId>,
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
        let at = |base: u16, offset: usize| base + offset as u16;
        ActionId(match action {
            Action::Drop(achievement) => at(base.drop, achievement.index()),
            Action::Full => base.full,
            Action::Quick => base.full + 1,
            Action::Army(army) => at(base.army, army.index()),
            Action::Commit(unit, wing) => {
                let place =
                    self.named.iter().position(|&known| known == unit).expect("a unit of Parliament's");
                at(base.commit, place * 2 + wing as usize)
            }
            Action::Play(card) => at(base.play, card.index()),
            Action::On(slot) => at(base.on, slot.index()),
            Action::Inspire(slot) => at(base.inspire, slot.index()),
            Action::Salvage => base.salvage,
            Action::BenefitZeal => base.benefit,
            Action::BenefitTrack(track) => at(base.benefit, 1 + track.index()),
            Action::BenefitFort(fort) => at(base.benefit, 1 + TRACKS + fort.index()),
            Action::BenefitWeaken(value) => at(base.benefit, TRACKS + FORTS + usize::from(value)),
            Action::Shift(track) => at(base.shift, track.index()),
            Action::Choose(option) => at(base.choose, option.index()),
            Action::Apply => base.apply,
            Action::Ignore => base.apply + 1,
            Action::Infuse(target) => at(base.infuse, target.number()),
            Action::InfuseFree(target) => at(base.infuse_free, target.number()),
            Action::Purchase(achievement) => at(base.purchase, achievement.index()),
            Action::Campaign(Target::Army(army)) => at(base.campaign, army.index()),
            Action::Campaign(target) => at(base.campaign, ARMIES + target.number() - FIRST_DEVILTRY),
            Action::Besiege(target) => at(base.besiege, target.number() - FIRST_FORT),
            Action::Fortify(fort) => at(base.fortify, fort.index()),
            Action::Politics(track) => at(base.politics, track.index()),
            Action::UsePolitics(_) | Action::UseSiege(..) => {
                let place = self.uses.iter().position(|&known| known == action);
                at(base.uses, place.expect("a reward with such a roll"))
            }
            Action::Desperate(track) => {
                let place = DESPERATE_TRACKS.iter().position(|&known| known == track);
                at(base.desperate, place.expect("Parliament or Puritanism"))
            }
            Action::Strike(army) => at(base.strike, army.index()),
            Action::Settle(army) => {
                let place = SETTLED_LANDS.iter().position(|&known| known == army);
                at(base.settle, place.expect("Ireland or Scotland"))
            }
            Action::RollOn(track) => at(base.roll_on, track.index()),
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
        targets: impl Iterator<Item = Target>,
        action: impl Fn(Target) -> Action,
    ) -> Result<u16, ActionTableError> {
        let (verb, first) = (self.act(id, title, &["target"]), self.here());
        for target in targets {
            let name = names::target_id(self.content, target);
            self.add(verb, action(target), &[target.reference()], format!("{id} {name}"))?;
        }
        Ok(first)
    }

    /// A verb over Armies.
    fn armies(
        &mut self,
        id: &'static str,
        title: &'static str,
        armies: &[ArmyId],
        action: impl Fn(ArmyId) -> Action,
    ) -> Result<u16, ActionTableError> {
        self.targets(id, title, armies.iter().copied().map(Target::Army), |target| {
            let Target::Army(army) = target else { unreachable!("they are Armies") };
            action(army)
        })
    }

    fn tracks(
        &mut self,
        id: &'static str,
        title: &'static str,
        action: impl Fn(TrackId) -> Action,
    ) -> Result<u16, ActionTableError> {
        let (verb, first) = (self.act(id, title, &["track"]), self.here());
        for track in TrackId::all(self.content) {
            let refs = [Target::Track(track).reference()];
            self.add(verb, action(track), &refs, format!("{id} {}", TRACK_IDS[track]))?;
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
            self.armies("army", "Fight the Battle against", &[NORTH, WEST], Action::Army)?;
        self.actions.base.commit = self.here();
        let verb = self.act("commit", "Commit a Named unit to the right or left wing", &["unit", "wing"]);
        for kind in names::own_named(content) {
            self.actions.named.push(kind);
            for (wing, side) in Wing::BOTH.into_iter().zip(["right", "left"]) {
                let refs = [names::formation_ref(content, kind), Ref::Number(wing as i32)];
                let notation = format!("commit {} {side}", content.formations[kind].named.id);
                self.add(verb, Action::Commit(kind, wing), &refs, notation)?;
            }
        }
        self.actions.base.play = self.here();
        let verb = self.act("play", "Play a Battle Event card", &["card"]);
        for card in BattleCardId::all(content) {
            let notation = format!("play {}", content.battle_cards[card].named.id);
            self.add(verb, Action::Play(card), &[names::battle_card_ref(card)], notation)?;
        }
        self.actions.base.on = self.here();
        let verb = self.act("on", "The card is about the formation at", &["slot"]);
        for slot in slots() {
            self.add(verb, Action::On(slot), &[names::slot_ref(slot)], format!("on {}", SLOT_IDS[slot]))?;
        }
        self.actions.base.inspire = self.here();
        let verb = self.act("inspire", "Pay 1 Zeal for +1 Strength of the formation at", &["slot"]);
        for slot in own_slots() {
            let notation = format!("inspire {}", SLOT_IDS[slot]);
            self.add(verb, Action::Inspire(slot), &[names::slot_ref(slot)], notation)?;
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
        for track in TrackId::all(self.content) {
            let refs = [Target::Track(track).reference()];
            self.add(
                verb,
                Action::BenefitTrack(track),
                &refs,
                format!("benefit {}-track", TRACK_IDS[track]),
            )?;
        }
        for fort in FortId::all(self.content) {
            let refs = [Target::Fort(fort).reference()];
            self.add(verb, Action::BenefitFort(fort), &refs, format!("benefit {}", FORT_IDS[fort]))?;
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
            for option in choice.options {
                let Some((card, place)) = content.printed_option(option) else { continue };
                let refs = [names::card_ref(card), Ref::Number(place.into())];
                let notation = format!("choose {}", content.options[option].0);
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
        self.actions.base.infuse =
            self.targets("infuse", "Pay 1 Zeal for +1 on rolls against", Target::all(), Action::Infuse)?;
        let title = "Place the Zeal marker, free, on";
        self.actions.base.infuse_free = self.targets("place", title, Target::all(), Action::InfuseFree)?;
        self.actions.base.purchase = self.here();
        let verb = self.act("purchase", "Purchase the Achievement", &["card"]);
        for achievement in AchievementId::all(content) {
            let card = content.achievements[achievement].card;
            let notation = format!("purchase {}", content.cards[card].named.id);
            self.add(verb, Action::Purchase(achievement), &[names::card_ref(card)], notation)?;
        }
        let armies = ArmyId::all(content).map(Target::Army);
        let forts = FortId::all(content).map(Target::Fort);
        let campaigns = armies.chain(DeviltryId::all(content).map(Target::Deviltry));
        let sieges = forts.clone().chain(RevoltId::all(content).map(Target::Revolt));
        self.actions.base.campaign =
            self.targets("campaign", "Pay 1 Zeal for a Campaign against", campaigns, Action::Campaign)?;
        self.actions.base.besiege =
            self.targets("besiege", "Pay 1 Zeal to Besiege", sieges, Action::Besiege)?;
        self.actions.base.fortify = self.targets("fortify", "Pay 1 Zeal to Fortify", forts, |target| {
            let Target::Fort(fort) = target else { unreachable!("a fortress is fortified") };
            Action::Fortify(fort)
        })?;
        self.actions.base.politics =
            self.tracks("politics", "Pay 1 Zeal for a Politics roll to raise", Action::Politics)?;
        self.rewards()?;
        self.actions.base.desperate = self.here();
        let verb = self.act("desperate", "Lower a marker for 1 Zeal", &["track"]);
        for track in DESPERATE_TRACKS {
            let notation = format!("desperate {}", TRACK_IDS[track]);
            self.add(verb, Action::Desperate(track), &[Target::Track(track).reference()], notation)?;
        }
        self.actions.base.strike = self.armies(
            "strike",
            "Strike, free, once a game, at",
            &[NORTH, WEST, SCOTLAND, IRELAND],
            Action::Strike,
        )?;
        self.actions.base.settle =
            self.armies("settle", "Send English settlers", &SETTLED_LANDS, Action::Settle)?;
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
        for reward in RewardId::all(content) {
            let (reward_ref, def) = (names::reward_ref(reward), &content.numbers.rewards[reward]);
            let id = &def.named.id;
            match def.effect {
                RewardEffect::Politics(track) => {
                    let action = Action::UsePolitics(reward);
                    self.add(
                        verb,
                        action,
                        &[Target::Track(track).reference(), reward_ref],
                        format!("use {id}"),
                    )?;
                    self.actions.uses.push(action);
                }
                RewardEffect::Siege(forts) => {
                    for fort in forts {
                        let action = Action::UseSiege(reward, fort);
                        let refs = [Target::Fort(fort).reference(), reward_ref];
                        let notation = format!("use {id} {}", FORT_IDS[fort]);
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
    for achievement in AchievementId::all(content) {
        let card = content.achievements[achievement].card;
        let notation = format!("drop {}", content.cards[card].named.id);
        builder.add(verb, Action::Drop(achievement), &[names::card_ref(card)], notation)?;
    }
    builder.battle()?;
    builder.events()?;
    builder.action_phase()?;
    Ok((builder.table, builder.actions))
}
