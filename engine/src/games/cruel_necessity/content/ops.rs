//! The small vocabulary of what cards do ([`Op`]), and how a card's record is read into it.

use serde::Deserialize;

use crate::content::{Confidence, ContentError, Loader};
use crate::numbered::SetOf;

use super::{
    ARMY_IDS, ArmyId, BattleCardId, CARDS_FILE, ChoiceId, CounterId, DeviltryId, FORT_IDS, FormationId,
    FortId, RevoltKindId, TRACK_IDS, TrackId, known,
};

/// One operation as it is written.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OpRecord {
    op: String,
    army: Option<String>,
    times: Option<u8>,
    strength: Option<i8>,
    track: Option<String>,
    arrows: Option<i8>,
    drm: Option<i8>,
    fortress: Option<String>,
    revolt: Option<String>,
    region: Option<String>,
    north: Option<Vec<u8>>,
    area: Option<u8>,
    counter: Option<String>,
    units: Option<Vec<String>>,
    zeal: Option<i8>,
    card: Option<String>,
    optional: Option<bool>,
    options: Option<Vec<OptionRecord>>,
    /// Confidence of this operation, where that differs from its field.
    #[expect(
        dead_code,
        reason = "for whoever reads the content; the card's confidence is its weakest field"
    )]
    confidence: Option<Confidence>,
}

/// One option of a choice.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OptionRecord {
    pub(super) id: String,
    pub(super) ops: Vec<OpRecord>,
}

/// An effect of a card, one thing at a time.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Op {
    /// A Tactical Battle (6.1).
    Battle,
    /// An Army activates so many times, with a Strength marker put on it first (6.2).
    Activate { army: ArmyId, times: u8, strength: i8 },
    /// A marker moves by arrows: up is good for the player (6.6).
    Track { track: TrackId, arrows: i8 },
    /// A modifier of this turn's Politics rolls (6.7).
    TrackDrm { track: TrackId, drm: i8 },
    /// 6.3.
    BesiegeOrFortify { fort: FortId },
    /// 6.4.
    Unrest,
    /// 6.5.
    PoliticalReaction,
    /// 6.5.
    ReligiousReaction,
    /// A Deviltry marker comes into play (6.8): the one of this ordinal.
    Deviltry { marker: DeviltryId },
    /// A revolt marker of this kind comes into a region (6.9).
    Revolt { kind: RevoltKindId, region: ArmyId },
    /// As that, with a die for the region: the faces that mean North, as bits.
    ClubmenSpecial { kind: RevoltKindId, north: u8 },
    /// 6.10.2.
    PermitOxford,
    /// 6.10.3.
    Fortify { fort: FortId },
    /// 6.10.4.
    Disorder { army: ArmyId },
    /// 6.10.4 at the end of the turn, if the Army then stands in this area.
    DisorderIfStillThere { army: ArmyId, area: u8 },
    /// Blue text with options (6.10.1).
    Choice { choice: ChoiceId },
    /// Another counter takes an Army's place.
    SwapArmy { counter: CounterId },
    /// Named units come into the Holding box.
    AddNamedUnits { units: SetOf<FormationId> },
    /// Formations go out of play.
    RemoveUnits { units: SetOf<FormationId> },
    /// Zeal Points.
    Zeal { zeal: i8 },
    /// The Zeal marker, free, this turn and the next.
    ZealMarker,
    /// One Campaign for nothing.
    FreeCampaign { army: ArmyId },
    /// Religious Reactions may be ignored from now on.
    ReactionImmunity,
    /// A Battle Event card goes out of play.
    RemoveBattleCard { card: BattleCardId },
}

impl Op {
    /// Returns whether it brings this Named unit into the game.
    pub(super) fn adds(&self, unit: FormationId) -> bool {
        matches!(self, Self::AddNamedUnits { units } if units.contains(unit))
    }
}

/// The place of an operation, and the items that it may refer to.
pub(super) struct Scope<'a> {
    pub(super) name: &'a str,
    pub(super) field: String,
    pub(super) formation: &'a dyn Fn(&str) -> Option<FormationId>,
    pub(super) battle_card: &'a dyn Fn(&str) -> Option<BattleCardId>,
    /// A later counter, with its Army.
    pub(super) counter: &'a dyn Fn(&str) -> Option<CounterId>,
    pub(super) revolt_kind: &'a dyn Fn(&str) -> Option<RevoltKindId>,
    /// The Deviltry marker of this card.
    pub(super) deviltry: Option<DeviltryId>,
}

/// The compiled form of an operation: a choice has lists of its own.
pub(super) enum Compiled {
    Op(Op),
    Choice { optional: bool, options: Vec<OptionRecord> },
}

impl OpRecord {
    /// Reads the operation; faults go to the loader.
    pub(super) fn compile(&self, load: &mut Loader<'_>, scope: &Scope<'_>) -> Option<Compiled> {
        let op = match self.op.as_str() {
            "battle" => Op::Battle,
            "activate" => {
                let times = self.times.unwrap_or(1);
                let strength = self.strength.unwrap_or(0);
                if !(1..=4).contains(&times) || !(-9..=9).contains(&strength) {
                    self.fault(load, scope, "times 1 to 4 and a strength from -9 to 9 are expected");
                }
                Op::Activate { army: self.army(load, scope)?, times, strength }
            }
            "track" => {
                let arrows = self.arrows.filter(|arrows| (1..=5).contains(&arrows.abs()));
                let arrows = self.needed(load, scope, arrows, "arrows from -5 to 5, not 0")?;
                Op::Track { track: self.track(load, scope)?, arrows }
            }
            "track-drm" => {
                let drm = self.needed(load, scope, self.drm.filter(|drm| (-5..=5).contains(drm)), "drm")?;
                Op::TrackDrm { track: self.track(load, scope)?, drm }
            }
            "besiege-or-fortify" => Op::BesiegeOrFortify { fort: self.fort(load, scope)? },
            "unrest-in-london" => Op::Unrest,
            "political-reaction" => Op::PoliticalReaction,
            "religious-reaction" => Op::ReligiousReaction,
            "deviltry" => {
                let what = "the card's number among the Deviltry markers of game.toml";
                Op::Deviltry { marker: self.needed(load, scope, scope.deviltry, what)? }
            }
            "revolt" => {
                let kind = self.revolt(load, scope)?;
                Op::Revolt { kind, region: self.english(load, scope)? }
            }
            "place-clubmen-special" => {
                let faces = self.north.as_deref().unwrap_or(&[]);
                if faces.iter().any(|face| !(1..=6).contains(face)) {
                    self.fault(load, scope, "the faces that mean North are from 1 to 6");
                    return None;
                }
                let north = faces.iter().fold(0, |set, face| set | 1 << face);
                Op::ClubmenSpecial { kind: self.revolt(load, scope)?, north }
            }
            "permit-oxford-siege" => Op::PermitOxford,
            "fortify" => Op::Fortify { fort: self.fort(load, scope)? },
            "disorder" => Op::Disorder { army: self.army(load, scope)? },
            "disorder-if-still-there" => {
                let area = self.area.filter(|area| (1..=5).contains(area));
                let area = self.needed(load, scope, area, "area from 1 to 5")?;
                Op::DisorderIfStillThere { army: self.army(load, scope)?, area }
            }
            "choice" => {
                let options = self.options.clone().filter(|options| (1..=3).contains(&options.len()));
                let options = self.needed(load, scope, options, "1 to 3 options")?;
                return Some(Compiled::Choice { optional: self.optional.unwrap_or(false), options });
            }
            "swap-army" => {
                let counter = self.counter.as_deref().and_then(scope.counter);
                Op::SwapArmy { counter: self.needed(load, scope, counter, "a later counter of an Army")? }
            }
            "add-named-units" => Op::AddNamedUnits { units: self.units(load, scope)? },
            "remove-units" => Op::RemoveUnits { units: self.units(load, scope)? },
            "zeal" => {
                let zeal = self.zeal.filter(|zeal| (-9..=9).contains(zeal));
                Op::Zeal { zeal: self.needed(load, scope, zeal, "zeal from -9 to 9")? }
            }
            "zeal-drm-marker" => Op::ZealMarker,
            "free-campaign" => Op::FreeCampaign { army: self.army(load, scope)? },
            "religious-reaction-immunity" => Op::ReactionImmunity,
            "remove-battle-card" => {
                let card = self.card.as_deref().and_then(scope.battle_card);
                Op::RemoveBattleCard { card: self.needed(load, scope, card, "a Battle Event card")? }
            }
            other => {
                self.fault(load, scope, &format!("`{other}` is no operation"));
                return None;
            }
        };
        Some(Compiled::Op(op))
    }

    fn fault(&self, load: &mut Loader<'_>, scope: &Scope<'_>, what: &str) {
        load.report(ContentError::field(CARDS_FILE, scope.name, &scope.field, what));
    }

    fn needed<T>(&self, load: &mut Loader<'_>, scope: &Scope<'_>, value: Option<T>, what: &str) -> Option<T> {
        if value.is_none() {
            self.fault(load, scope, &format!("{}: {what} is expected", self.op));
        }
        value
    }

    fn army(&self, load: &mut Loader<'_>, scope: &Scope<'_>) -> Option<ArmyId> {
        let army = self.needed(load, scope, self.army.as_deref(), "army")?;
        known(load, CARDS_FILE, scope.name, &scope.field, &ARMY_IDS, army)
    }

    fn english(&self, load: &mut Loader<'_>, scope: &Scope<'_>) -> Option<ArmyId> {
        let region = self.needed(load, scope, self.region.as_deref(), "region")?;
        known(load, CARDS_FILE, scope.name, &scope.field, &ARMY_IDS[..2], region)
    }

    fn track(&self, load: &mut Loader<'_>, scope: &Scope<'_>) -> Option<TrackId> {
        let track = self.needed(load, scope, self.track.as_deref(), "track")?;
        known(load, CARDS_FILE, scope.name, &scope.field, &TRACK_IDS, track)
    }

    fn fort(&self, load: &mut Loader<'_>, scope: &Scope<'_>) -> Option<FortId> {
        let fort = self.needed(load, scope, self.fortress.as_deref(), "fortress")?;
        known(load, CARDS_FILE, scope.name, &scope.field, &FORT_IDS, fort)
    }

    fn revolt(&self, load: &mut Loader<'_>, scope: &Scope<'_>) -> Option<RevoltKindId> {
        let kind = self.revolt.as_deref().and_then(scope.revolt_kind);
        self.needed(load, scope, kind, "a kind of revolt")
    }

    fn units(&self, load: &mut Loader<'_>, scope: &Scope<'_>) -> Option<SetOf<FormationId>> {
        let ids = self.needed(load, scope, self.units.as_deref(), "units")?;
        ids.iter()
            .map(|id| {
                let kind = (scope.formation)(id).filter(|kind| kind.index() < super::KINDS_MAX);
                self.needed(load, scope, kind, "a formation")
            })
            .collect()
    }
}
