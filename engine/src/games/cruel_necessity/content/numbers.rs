//! The numbers of the rules, rewards, revolts, set-ups and victory bands.

use serde::Deserialize;

use crate::content::{Confidence, ContentError, ContentRecord, Levels, Loader, Records};
use crate::numbered::SetOf;

use super::{
    ARMY_IDS, ArmyId, CARDS, CardId, CounterId, DEVILTRY, DeviltryId, FORT_IDS, FortId, GAME, Named, REVOLTS,
    RevoltKindId, TRACK_IDS, TrackId,
};
use super::{battle, board, known, position, starts, within};

/// Grades of victory and defeat, in rising order, with what they are called.
pub(crate) const GRADES: [(&str, &str); 8] = [
    ("crushing-defeat", "Crushing Defeat"),
    ("decisive-defeat", "Decisive Defeat"),
    ("substantive-defeat", "Substantive Defeat"),
    ("marginal-defeat", "Marginal Defeat"),
    ("minor-victory", "Minor Victory"),
    ("moderate-victory", "Moderate Victory"),
    ("substantive-victory", "Substantive Victory"),
    ("decisive-victory", "Decisive Victory"),
];

#[derive(Deserialize, Clone, Copy, Debug)]
pub(crate) struct Zeal {
    pub(crate) max: u8,
    pub(crate) london: u8,
    pub(crate) fortress: u8,
    pub(crate) catholicism_top: i8,
    pub(crate) puritanism_bottom: i8,
    pub(crate) settlers: u8,
    pub(crate) strike_won: u8,
    pub(crate) strike_lost: u8,
}

#[derive(Deserialize, Clone, Copy, Debug)]
pub(crate) struct Score {
    pub(crate) rear_area: i8,
    pub(crate) disordered: i8,
    pub(crate) deviltry: i8,
    pub(crate) revolt: i8,
}

#[derive(Deserialize, Clone, Copy, Debug)]
pub(crate) struct Flip {
    pub(crate) monarchy_bottom: i8,
    pub(crate) morale: i8,
}

#[derive(Deserialize, Clone, Copy, Debug)]
pub(crate) struct Quick {
    pub(crate) defeat: i8,
    pub(crate) victory: i8,
    pub(crate) victory_cromwell: i8,
    pub(crate) victory_new_model: i8,
}

#[derive(Deserialize, Clone, Copy, Debug)]
pub(crate) struct Battle {
    pub(crate) margin: i8,
    pub(crate) major: u8,
    pub(crate) salvage: u8,
    pub(crate) zeal_cost: u8,
    pub(crate) track_cost: u8,
    pub(crate) fortress_cost: u8,
    pub(crate) weaken_one_cost: u8,
    pub(crate) weaken_two_cost: u8,
}

#[derive(Deserialize)]
struct QuickRecord {
    defeat: i8,
    victory: i8,
    victory_cromwell: i8,
    victory_new_model: i8,
    cromwell_card: String,
    new_model_card: String,
}

#[derive(Deserialize)]
struct DeviltryRecord {
    strength: i8,
}

#[derive(Deserialize)]
struct DefeatRecord {
    f_grades: u8,
}

#[derive(Deserialize)]
struct LeagueRecord {
    france_up_to: u8,
    france: String,
    france_spain: String,
}

#[derive(Deserialize)]
struct MarkerRecord {
    place: String,
}

#[derive(Deserialize)]
struct RewardRecord {
    name: String,
    effect: RewardOp,
}

#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "kebab-case", deny_unknown_fields)]
enum RewardOp {
    Politics { track: String },
    Siege { fortresses: Vec<String> },
    NextTurnDisorder { army: String },
    NextTurnStrength { army: String, value: i8 },
    Vp { value: i8 },
}

#[derive(Deserialize)]
struct RevoltRecord {
    name: String,
    kind: String,
    strength: i8,
}

#[derive(Deserialize)]
struct BandRecord {
    war: u8,
    grade: String,
    least: Option<i32>,
}

/// The reward on the back of a Deviltry marker.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum RewardEffect {
    /// A free Politics roll on this track.
    Politics(TrackId),
    /// A free Siege roll at one of these fortresses.
    Siege(SetOf<FortId>),
    /// An Army is disordered before the next card.
    NextDisorder(ArmyId),
    /// An Army has this Strength marker in the next turn.
    NextStrength(ArmyId, i8),
    /// Victory Points.
    Vp(i8),
}

/// The back of a Deviltry marker.
#[derive(Debug)]
pub(crate) struct Reward {
    pub(crate) named: Named,
    pub(crate) effect: RewardEffect,
}

/// A revolt marker.
#[derive(Debug)]
pub(crate) struct Revolt {
    pub(crate) named: Named,
    pub(crate) kind: RevoltKindId,
    pub(crate) strength: i8,
}

/// A Deviltry marker; its id is the number of the card that brings it.
#[derive(Debug)]
pub(crate) struct Deviltry {
    pub(crate) named: Named,
}

/// All numbers.
#[derive(Debug)]
pub(crate) struct Numbers {
    pub(crate) zeal: Zeal,
    pub(crate) score: Score,
    pub(crate) flip: Flip,
    pub(crate) quick: Quick,
    pub(crate) cromwell_card: CardId,
    pub(crate) new_model_card: CardId,
    pub(crate) battle: Battle,
    pub(crate) deviltry_strength: i8,
    pub(crate) f_grades: u8,
    /// The highest die that brings France alone, and both counters.
    pub(crate) league: (u8, [CounterId; 2]),
    pub(crate) deviltry: Vec<Deviltry>,
    pub(crate) rewards: Vec<Reward>,
    pub(crate) revolts: Vec<Revolt>,
    /// Ids of the kinds of revolts; Clubmen are 0.
    pub(crate) revolt_kinds: Vec<String>,
    /// By the war that they begin with.
    pub(crate) starts: Vec<starts::Start>,
    /// By the last war that is played: (least points, grade), rising.
    pub(crate) bands: [Vec<(i32, u8)>; 3],
    /// How sure each band is.
    pub(crate) band_levels: [Vec<Confidence>; 3],
    pub(crate) levels: NumberLevels,
}

/// How sure the numbers are, by table.
#[derive(Clone, Debug)]
pub(crate) struct NumberLevels {
    pub(crate) zeal: Levels,
    pub(crate) score: Levels,
    pub(crate) quick: Levels,
    pub(crate) battle: Levels,
    pub(crate) deviltry: Levels,
    pub(crate) defeat: Levels,
}

/// The items that were read; faults are with the loader.
pub(crate) struct Read {
    fixed: Option<Fixed>,
    deviltry: Vec<Deviltry>,
    rewards: Vec<Reward>,
    revolts: Vec<Revolt>,
    kinds: Vec<String>,
    pub(super) starts: Vec<starts::Start>,
    bands: [Vec<(i32, u8)>; 3],
    band_levels: [Vec<Confidence>; 3],
}

struct Fixed {
    levels: NumberLevels,
    zeal: Zeal,
    score: Score,
    flip: Flip,
    quick: Quick,
    cromwell_card: CardId,
    new_model_card: CardId,
    battle: Battle,
    deviltry_strength: i8,
    f_grades: u8,
    league: (u8, [CounterId; 2]),
}

impl Read {
    pub(super) fn of(load: &mut Loader<'_>, board: &board::Read, battle: &battle::Read) -> Self {
        let fixed = read_fixed(load, board);
        let deviltry = read_deviltry(load);
        let rewards = read_rewards(load);
        let (revolts, kinds) = read_revolts(load);
        let starts = starts::read(load, board, battle, &deviltry);
        let (bands, band_levels) = read_bands(load);
        Self { fixed, deviltry, rewards, revolts, kinds, starts, bands, band_levels }
    }

    /// The ordinal of the Deviltry marker that a card brings.
    pub(super) fn deviltry(&self, card: &str) -> Option<DeviltryId> {
        self.deviltry.iter().position(|marker| marker.named.id == card).map(DeviltryId::new)
    }

    /// The kind of revolt of this id.
    pub(super) fn revolt_kind(&self, id: &str) -> Option<RevoltKindId> {
        self.kinds.iter().position(|kind| kind == id).map(RevoltKindId::new)
    }

    pub(super) fn finish(self) -> Option<Numbers> {
        let fixed = self.fixed?;
        Some(Numbers {
            zeal: fixed.zeal,
            score: fixed.score,
            flip: fixed.flip,
            quick: fixed.quick,
            cromwell_card: fixed.cromwell_card,
            new_model_card: fixed.new_model_card,
            battle: fixed.battle,
            deviltry_strength: fixed.deviltry_strength,
            f_grades: fixed.f_grades,
            league: fixed.league,
            deviltry: self.deviltry,
            rewards: self.rewards,
            revolts: self.revolts,
            revolt_kinds: self.kinds,
            starts: self.starts,
            bands: self.bands,
            band_levels: self.band_levels,
            levels: fixed.levels,
        })
    }
}

pub(super) fn card_number(load: &mut Loader<'_>, record: &str, field: &str, id: &str) -> Option<CardId> {
    let number = id.parse::<usize>().ok().filter(|number| (1..=CARDS).contains(number));
    if number.is_none() {
        load.report(ContentError::reference(GAME, record, field, format!("card {id}")));
    }
    number.map(|number| CardId::new(number - 1))
}

fn read_fixed(load: &mut Loader<'_>, board: &board::Read) -> Option<Fixed> {
    let zeal = load.record::<Zeal>(GAME, "zeal");
    let score = load.record::<Score>(GAME, "score");
    let flip = load.record::<Flip>(GAME, "flip");
    let quick = load.record::<QuickRecord>(GAME, "quick");
    let battle = load.record::<Battle>(GAME, "battle");
    let deviltry = load.record::<DeviltryRecord>(GAME, "deviltry");
    let defeat = load.record::<DefeatRecord>(GAME, "defeat");
    let league = load.record::<LeagueRecord>(GAME, "league");
    let levels = NumberLevels {
        zeal: zeal.as_ref()?.levels(),
        score: score.as_ref()?.levels(),
        quick: quick.as_ref()?.levels(),
        battle: battle.as_ref()?.levels(),
        deviltry: deviltry.as_ref()?.levels(),
        defeat: defeat.as_ref()?.levels(),
    };
    let (zeal, score, flip, quick, battle) =
        (zeal?.value, score?.value, flip?.value, quick?.value, battle?.value);
    let (deviltry, defeat, league) = (deviltry?.value, defeat?.value, league?.value);
    let small = [zeal.london, zeal.fortress, zeal.settlers, zeal.strike_won, zeal.strike_lost];
    let costs = [battle.zeal_cost, battle.track_cost, battle.fortress_cost];
    let costs = [&costs[..], &[battle.weaken_one_cost, battle.weaken_two_cost]].concat();
    let signed = [zeal.catholicism_top, zeal.puritanism_bottom, score.rear_area, score.disordered];
    let signed =
        [&signed[..], &[score.deviltry, score.revolt, flip.monarchy_bottom, flip.morale, battle.margin]]
            .concat();
    let sound = (1..=9).contains(&zeal.max)
        && small.iter().all(|&number| number <= 9)
        && costs.iter().all(|cost| (1..=9).contains(cost))
        && signed.iter().all(|number| (-9..=9).contains(number))
        && [quick.defeat, quick.victory, quick.victory_cromwell, quick.victory_new_model, deviltry.strength]
            .iter()
            .all(|number| (-9..=9).contains(number))
        && (1..=5).contains(&battle.major)
        && battle.salvage <= 9
        && (1..=6).contains(&defeat.f_grades);
    if !sound {
        let what = "numbers from -9 to 9, costs and the Zeal limit from 1, `major` 1 to 5, `f_grades` 1 to 6";
        load.report(ContentError::file(GAME, what));
    }
    let counter = |load: &mut Loader<'_>, field: &str, id: &str| {
        let found = board.later_counter(id).filter(|&counter| board.counters[counter].army == super::IRELAND);
        if found.is_none() {
            load.report(ContentError::reference(
                GAME,
                "league",
                field,
                format!("later counter {id} of Ireland"),
            ));
        }
        found
    };
    let counters =
        [counter(load, "france", &league.france)?, counter(load, "france_spain", &league.france_spain)?];
    let cromwell_card = card_number(load, "quick", "cromwell_card", &quick.cromwell_card)?;
    let new_model_card = card_number(load, "quick", "new_model_card", &quick.new_model_card)?;
    Some(Fixed {
        levels,
        zeal,
        score,
        flip,
        quick: Quick {
            defeat: quick.defeat,
            victory: quick.victory,
            victory_cromwell: quick.victory_cromwell,
            victory_new_model: quick.victory_new_model,
        },
        cromwell_card,
        new_model_card,
        battle,
        deviltry_strength: deviltry.strength,
        f_grades: defeat.f_grades,
        league: (within(load, GAME, "league", "france_up_to", league.france_up_to, (0, 6)), counters),
    })
}

fn read_deviltry(load: &mut Loader<'_>) -> Vec<Deviltry> {
    let records = load.records::<MarkerRecord>(GAME, "deviltry_marker");
    let mut markers = Vec::new();
    for record in &records {
        let name = records.name_of(&record.id);
        let _ = card_number(load, &name, "id", &record.id);
        let title = format!("Deviltry at {} (card {})", record.place, record.id);
        let named = Named::of(record, title);
        markers.push(Deviltry { named });
    }
    if markers.len() != DEVILTRY {
        load.report(ContentError::file(GAME, format!("{DEVILTRY} Deviltry markers are needed")));
    }
    markers
}

fn read_rewards(load: &mut Loader<'_>) -> Vec<Reward> {
    let records = load.records::<RewardRecord>(GAME, "reward");
    let mut rewards = Vec::new();
    for record in &records {
        let name = records.name_of(&record.id);
        let effect = match &record.effect {
            RewardOp::Politics { track } => {
                known(load, GAME, &name, "effect.track", &TRACK_IDS, track).map(RewardEffect::Politics)
            }
            RewardOp::Siege { fortresses } => {
                let known = |fort: &String| known(load, GAME, &name, "effect.fortresses", &FORT_IDS, fort);
                Some(RewardEffect::Siege(fortresses.iter().filter_map(known).collect()))
            }
            RewardOp::NextTurnDisorder { army } => {
                known(load, GAME, &name, "effect.army", &ARMY_IDS, army).map(RewardEffect::NextDisorder)
            }
            RewardOp::NextTurnStrength { army, value } => {
                let value = within(load, GAME, &name, "effect.value", *value, (-9, 9));
                let army = known(load, GAME, &name, "effect.army", &ARMY_IDS, army);
                army.map(|army| RewardEffect::NextStrength(army, value))
            }
            RewardOp::Vp { value } => {
                Some(RewardEffect::Vp(within(load, GAME, &name, "effect.value", *value, (-9, 9))))
            }
        };
        let named = Named::of(record, &*record.name);
        rewards.extend(effect.map(|effect| Reward { named, effect }));
    }
    if rewards.len() != DEVILTRY {
        load.report(ContentError::file(GAME, format!("{DEVILTRY} rewards are needed, one a marker")));
    }
    rewards
}

fn read_revolts(load: &mut Loader<'_>) -> (Vec<Revolt>, Vec<String>) {
    let records = load.records::<RevoltRecord>(GAME, "revolt");
    let mut kinds = vec!["clubmen".to_owned()];
    let mut revolts = Vec::new();
    for record in &records {
        let name = records.name_of(&record.id);
        if !kinds.contains(&record.kind) {
            kinds.push(record.kind.clone());
        }
        let kind = kinds.iter().position(|kind| *kind == record.kind).expect("the kind is among them");
        let kind = RevoltKindId::new(kind);
        let strength = within(load, GAME, &name, "strength", record.strength, (0, 9));
        let named = Named::of(record, &*record.name);
        revolts.push(Revolt { named, kind, strength });
    }
    if revolts.len() != REVOLTS {
        load.report(ContentError::file(GAME, format!("{REVOLTS} revolt markers are needed")));
    }
    (revolts, kinds)
}

/// The bands by the last war, and how sure each is.
type Bands = ([Vec<(i32, u8)>; 3], [Vec<Confidence>; 3]);

fn read_bands(load: &mut Loader<'_>) -> Bands {
    let records: Records<BandRecord> = load.records(GAME, "band");
    let mut read: [Vec<(i32, u8, Confidence)>; 3] = Default::default();
    let ids: Vec<&str> = GRADES.iter().map(|&(id, _)| id).collect();
    for record in &records {
        let record: &ContentRecord<BandRecord> = record;
        let name = records.name_of(&record.id);
        let war = within(load, GAME, &name, "war", record.war, (1, 3));
        let grade = position(load, GAME, &name, "grade", &ids, &record.grade).unwrap_or(0) as u8;
        let level = record.levels().of_all(&["war", "grade", "least"]);
        read[usize::from(war) - 1].push((record.least.unwrap_or(i32::MIN), grade, level));
    }
    let (mut bands, mut levels) = Bands::default();
    for (war, mut band) in read.into_iter().enumerate() {
        band.sort_unstable();
        if band.first().is_none_or(|&(least, ..)| least != i32::MIN) {
            let what = format!("the lowest band of war {} has no `least`", war + 1);
            load.report(ContentError::file(GAME, what));
        }
        bands[war] = band.iter().map(|&(least, grade, _)| (least, grade)).collect();
        levels[war] = band.iter().map(|&(.., level)| level).collect();
    }
    (bands, levels)
}
