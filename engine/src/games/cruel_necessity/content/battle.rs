//! Formations and Battle Event cards, with the small vocabulary of what the latter do.

use serde::Deserialize;

use crate::content::{Confidence, ContentError, Loader};
use crate::numbered::SetOf;

use super::{BATTLE, BATTLE_CARDS_MAX, BattleCardId, FormationId, KINDS_MAX, Named, within};

#[derive(Deserialize)]
struct FormationRecord {
    name: String,
    side: String,
    arm: Arm,
    strength: i8,
    count: u8,
    #[serde(default)]
    named: bool,
    #[serde(default)]
    event: bool,
    #[serde(default)]
    turns: i8,
}

#[derive(Deserialize)]
struct CardRecord {
    title: String,
    timing: Timing,
    effect: EffectRecord,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EffectRecord {
    op: String,
    target: Option<Target>,
    #[serde(default)]
    units: Vec<String>,
    value: Option<i8>,
    otherwise: Option<Target>,
    otherwise_value: Option<i8>,
    #[serde(default)]
    leaves: bool,
    arm: Option<Arm>,
    dice: Option<Dice>,
    #[serde(default)]
    victory_points: u8,
    #[serde(default)]
    draw_zeal: u8,
}

/// Horse or foot.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Arm {
    Horse,
    Foot,
}

/// When a Battle Event card acts.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Timing {
    Immediate,
    #[serde(rename = "step-4")]
    Green,
    BeforeRoll,
    AfterRoll,
    Aftermath,
}

/// The dice of a sector that are rolled again.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Dice {
    Both,
    Parliament,
}

/// The units that a card is about.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Target {
    /// The units that the card names, where they are in the line.
    Unit,
    StrongestRoyalistHorse,
    WeakestRoyalistHorse,
    RandomRoyalistFoot,
    RandomParliamentFoot,
    StrongestParliamentFoot,
    ChosenParliamentFoot,
    ChosenUnmarkedParliament,
    ChosenRoyalistHorse,
    ChosenParliament,
}

/// The effect of a Battle Event card.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum CardEffect {
    /// A Strength marker on each target; where the named units are not there, `otherwise` instead.
    Strength {
        target: Target,
        units: SetOf<FormationId>,
        value: i8,
        otherwise: Option<(Target, i8)>,
        leaves: bool,
    },
    /// The target goes back, another of its pool takes its place.
    Replace { target: Target },
    /// The dice of a sector are rolled again.
    Reroll { arm: Arm, dice: Dice },
    /// Added to Parliament's sum in a sector.
    Sector { arm: Arm, value: i8 },
    /// Benefit Points after a Victory; after a Draw, Zeal, and nothing is lost for a salvage.
    Outcome { victory_points: u8, draw_zeal: u8 },
}

/// A kind of formation.
#[derive(Debug)]
pub(crate) struct Formation {
    pub(crate) named: Named,
    pub(crate) royalist: bool,
    pub(crate) arm: Arm,
    pub(crate) strength: i8,
    /// Number of its counters.
    pub(crate) count: u8,
    /// True if it is a Named unit.
    pub(crate) is_named: bool,
    pub(crate) event: bool,
    /// Number that it adds to the foot of its wing after it has won its sector (7.1); 0: nothing.
    pub(crate) turns: i8,
}

/// A Battle Event card.
#[derive(Debug)]
pub(crate) struct BattleCard {
    pub(crate) named: Named,
    pub(crate) timing: Timing,
    pub(crate) effect: CardEffect,
}

/// The items that were read; faults are with the loader.
pub(crate) struct Read {
    pub(super) formations: Vec<Formation>,
    pub(super) cards: Vec<BattleCard>,
}

impl Read {
    pub(super) fn of(load: &mut Loader<'_>) -> Self {
        let formations = read_formations(load);
        let cards = read_cards(load, &formations);
        Self { formations, cards }
    }

    /// The kind of formation of this id.
    pub(super) fn formation(&self, id: &str) -> Option<FormationId> {
        kind_of(&self.formations, id)
    }

    /// The Battle Event card of this id.
    pub(super) fn card(&self, id: &str) -> Option<BattleCardId> {
        self.cards.iter().position(|card| card.named.id == id).map(BattleCardId::new)
    }
}

fn kind_of(formations: &[Formation], id: &str) -> Option<FormationId> {
    formations.iter().position(|formation| formation.named.id == id).map(FormationId::new)
}

fn read_formations(load: &mut Loader<'_>) -> Vec<Formation> {
    let records = load.records::<FormationRecord>(BATTLE, "formation");
    let mut formations = Vec::new();
    for record in &records {
        let name = records.name_of(&record.id);
        let royalist = match record.side.as_str() {
            "parliament" => false,
            "royalist" => true,
            _ => {
                load.report(ContentError::field(BATTLE, &name, "side", "parliament or royalist is expected"));
                false
            }
        };
        let strength = within(load, BATTLE, &name, "strength", record.strength, (0, 9));
        let count = within(load, BATTLE, &name, "count", record.count, (1, 20));
        let turns = within(load, BATTLE, &name, "turns", record.turns, (0, 9));
        if record.named && count != 1 {
            load.report(ContentError::field(BATTLE, &name, "count", "a Named unit is there once"));
        }
        if turns > 0 && (royalist || record.arm != Arm::Horse || !record.named) {
            let what = "only Named horse of Parliament turns on the foot";
            load.report(ContentError::field(BATTLE, &name, "turns", what));
        }
        formations.push(Formation {
            named: Named::of(record, &*record.name),
            royalist,
            arm: record.arm,
            strength,
            count,
            is_named: record.named,
            event: record.event,
            turns,
        });
    }
    if formations.len() > KINDS_MAX {
        load.report(ContentError::file(BATTLE, format!("at most {KINDS_MAX} kinds of formations")));
    }
    formations
}

fn read_cards(load: &mut Loader<'_>, formations: &[Formation]) -> Vec<BattleCard> {
    let records = load.records::<CardRecord>(BATTLE, "battle_card");
    let mut cards = Vec::new();
    for record in &records {
        let name = records.name_of(&record.id);
        let effect = compile(load, &name, &record.effect, formations);
        if let Some(what) = effect.and_then(|effect| misfit(record.timing, effect)) {
            load.report(ContentError::field(BATTLE, &name, "timing", what));
        }
        let title_known = record.confidence("title") != Some(Confidence::Reconstructed);
        let title = marked(&record.title, title_known, record.weakest());
        let named = Named::of(record, title);
        let nothing = CardEffect::Outcome { victory_points: 0, draw_zeal: 0 };
        cards.push(BattleCard { named, timing: record.timing, effect: effect.unwrap_or(nothing) });
    }
    if cards.len() > BATTLE_CARDS_MAX {
        load.report(ContentError::file(BATTLE, format!("at most {BATTLE_CARDS_MAX} Battle Event cards")));
    }
    cards
}

/// A title that says in text what of the card is not the published game's.
pub(super) fn marked(title: &str, title_known: bool, confidence: Confidence) -> String {
    match (title_known, confidence) {
        (false, _) => format!("{title} (reconstructed)"),
        (true, Confidence::Reconstructed) => format!("{title} (effect reconstructed)"),
        (true, _) => title.to_owned(),
    }
}

fn compile(
    load: &mut Loader<'_>,
    name: &str,
    record: &EffectRecord,
    formations: &[Formation],
) -> Option<CardEffect> {
    let mut fault = |field: &str, what: String| {
        load.report(ContentError::field(BATTLE, name, &format!("effect.{field}"), what));
    };
    let mut units = SetOf::EMPTY;
    for unit in &record.units {
        match kind_of(formations, unit) {
            Some(kind) if kind.index() < KINDS_MAX => units.insert(kind),
            _ => fault("units", format!("there is no formation {unit}")),
        }
    }
    let value = record.value.unwrap_or(0);
    if !(-9..=9).contains(&value) || !(-9..=9).contains(&record.otherwise_value.unwrap_or(0)) {
        fault("value", "a number from -9 to 9 is expected".to_owned());
    }
    if record.victory_points > 9 || record.draw_zeal > 9 {
        fault("victory_points", "a number up to 9 is expected".to_owned());
    }
    let compiled = match (record.op.as_str(), record.target, record.arm) {
        ("strength", Some(target), None) => CardEffect::Strength {
            target,
            units,
            value,
            otherwise: record.otherwise.map(|target| (target, record.otherwise_value.unwrap_or(0))),
            leaves: record.leaves,
        },
        ("replace", Some(target), None) => CardEffect::Replace { target },
        ("reroll", None, Some(arm)) => CardEffect::Reroll { arm, dice: record.dice.unwrap_or(Dice::Both) },
        ("sector", None, Some(arm)) => CardEffect::Sector { arm, value },
        ("outcome", None, None) => {
            CardEffect::Outcome { victory_points: record.victory_points, draw_zeal: record.draw_zeal }
        }
        _ => {
            let what =
                "strength or replace with a target, reroll or sector with an arm, or outcome is expected";
            fault("op", what.to_owned());
            return None;
        }
    };
    Some(compiled)
}

/// Returns why a card can't act at its time.
fn misfit(timing: Timing, effect: CardEffect) -> Option<&'static str> {
    let fits = match timing {
        Timing::Immediate | Timing::Green => {
            matches!(effect, CardEffect::Strength { .. } | CardEffect::Replace { .. })
        }
        Timing::BeforeRoll => matches!(effect, CardEffect::Sector { .. }),
        Timing::AfterRoll => matches!(effect, CardEffect::Reroll { .. }),
        Timing::Aftermath => matches!(effect, CardEffect::Outcome { .. }),
    };
    if !fits {
        return Some("its effect can't be carried out at this time");
    }
    let targets = match effect {
        CardEffect::Strength { target, otherwise, .. } => [Some(target), otherwise.map(|(target, _)| target)],
        CardEffect::Replace { target } => [Some(target), None],
        _ => [None, None],
    };
    let replaceable = [Target::StrongestParliamentFoot, Target::ChosenParliament];
    let replaces = matches!(effect, CardEffect::Replace { .. });
    if replaces && !targets.iter().flatten().all(|target| replaceable.contains(target)) {
        return Some("only a formation of Parliament that is not Named is replaced");
    }
    if !replaces && targets.contains(&Some(Target::ChosenParliament)) {
        return Some("that target is for replacing");
    }
    None
}
