//! The static half of a game.

use edgehill_client::v1;
use edgehill_engine::action::{ACTION_REFS_MAX, ActionTable, VerbKind};
use edgehill_engine::catalogue::{Catalogue, Entry, KindDef, PileDef, ScenarioDef, SeatDef, SpaceDef};
use edgehill_engine::content::{Confidence, ContentHash, Source};
use edgehill_engine::ledger::{self, Ledger, Status};
use edgehill_engine::seat::Seat;
use edgehill_engine::setup::{OptionDef, OptionKind};
use v1::option_def::Accepts;

use super::reference::{owner, references};
use super::text::kept;
use super::{Garbled, index};

/// A game's catalogue.
pub(crate) fn catalogue(game: &v1::Game) -> Result<Catalogue, Garbled> {
    if game.scenarios.is_empty() || game.seats.is_empty() {
        return Err(Garbled::new("a game without scenarios or seats"));
    }
    let summary = game.summary.as_ref().ok_or_else(|| Garbled::missing("summary"))?;
    let rules = summary.rules.as_ref().ok_or_else(|| Garbled::missing("rules"))?;
    let hash: [u8; 32] = rules
        .content_hash
        .as_slice()
        .try_into()
        .map_err(|_| Garbled::new(format!("a content hash of {} bytes", rules.content_hash.len())))?;
    let seat = |seat: &v1::SeatDef| SeatDef { id: kept(&seat.id), name: kept(&seat.name) };
    let flags = game.flags.iter().map(|flag| kept(flag)).collect();
    Ok(Catalogue {
        id: kept(&summary.id),
        title: kept(&summary.title),
        summary: kept(&summary.summary),
        rules_version: rules.rules_version,
        content: ContentHash::from_bytes(hash),
        seats: game.seats.iter().map(seat).collect(),
        scenarios: game
            .scenarios
            .iter()
            .map(|one| scenario(one, game.seats.len()))
            .collect::<Result<_, _>>()?,
        options: game.options.iter().map(option).collect::<Result<_, _>>()?,
        map_unit: kept(&game.map_unit),
        spaces: game.spaces.iter().map(space).collect::<Result<_, _>>()?,
        mats: entries(&game.mats)?,
        tracks: entries(&game.tracks)?,
        piles: game.piles.iter().map(pile).collect::<Result<_, _>>()?,
        kinds: game.kinds.iter().map(kind).collect::<Result<_, _>>()?,
        pieces: entries(&game.pieces)?,
        cards: entries(&game.cards)?,
        markers: entries(&game.markers)?,
        arrows: entries(&game.arrows)?,
        flags,
        actions: actions(game.actions.as_ref().ok_or_else(|| Garbled::missing("actions"))?)?,
        phrases: game.phrases.iter().map(|one| (kept(&one.code), kept(&one.template))).collect(),
        ledger: game.rules.iter().map(rule).collect::<Result<Ledger, _>>()?,
        phase_ends: game.phase_ends.iter().map(|code| kept(code)).collect(),
    })
}

fn scenario(scenario: &v1::ScenarioDef, of: usize) -> Result<ScenarioDef, Garbled> {
    let seats = scenario.seats as usize;
    if seats == 0 || seats > Seat::MAX || seats > of {
        return Err(Garbled::new(format!("a scenario with {seats} of {of} seats")));
    }
    Ok(ScenarioDef { id: kept(&scenario.id), title: kept(&scenario.title), seats })
}

fn option(option: &v1::OptionDef) -> Result<OptionDef, Garbled> {
    let kind = match option.accepts.as_ref().ok_or_else(|| Garbled::missing("accepts"))? {
        Accepts::Flag(_) => OptionKind::Flag,
        Accepts::Number(bounds) => OptionKind::Number { min: bounds.min, max: bounds.max },
        Accepts::Choice(choice) => OptionKind::Choice(choice.words.iter().map(|word| kept(word)).collect()),
    };
    let value = option.default_value.as_str();
    let default = match &kind {
        OptionKind::Flag => value.parse::<bool>().ok().map(i32::from),
        OptionKind::Number { .. } => value.parse().ok(),
        OptionKind::Choice(words) => words.iter().position(|word| *word == value).map(|place| place as i32),
    };
    let default =
        default.ok_or_else(|| Garbled::new(format!("option `{}` with the default `{value}`", option.id)))?;
    Ok(OptionDef { id: kept(&option.id), title: kept(&option.title), kind, default })
}

fn entry(entry: Option<&v1::Entry>) -> Result<Entry, Garbled> {
    let entry = entry.ok_or_else(|| Garbled::missing("entry"))?;
    let badge = match entry.badge() {
        v1::Confidence::Official => Confidence::Official,
        v1::Confidence::PublicSecondary => Confidence::PublicSecondary,
        v1::Confidence::Inferred => Confidence::Inferred,
        v1::Confidence::House => Confidence::House,
        // A level that a later version of the wire has between these is no surer than the least of them.
        v1::Confidence::Reconstructed | v1::Confidence::Unspecified => Confidence::Reconstructed,
    };
    let values = entry.values.iter().map(|value| (value.number, value.name.clone())).collect();
    Ok(Entry::new(&entry.id, &entry.name, badge).with_lines(entry.lines.clone()).with_values(values))
}

fn entries(entries: &[v1::Entry]) -> Result<Vec<Entry>, Garbled> {
    entries.iter().map(|one| entry(Some(one))).collect()
}

fn space(space: &v1::SpaceDef) -> Result<SpaceDef, Garbled> {
    let link = |link: &v1::Link| Ok::<_, Garbled>((index(link.to)?, kept(&link.kind)));
    Ok(SpaceDef {
        entry: entry(space.entry.as_ref())?,
        region: space.region.clone(),
        x: space.x,
        y: space.y,
        links: space.links.iter().map(link).collect::<Result<_, _>>()?,
    })
}

fn pile(pile: &v1::PileDef) -> Result<PileDef, Garbled> {
    Ok(PileDef { entry: entry(pile.entry.as_ref())?, owner: owner(pile.owner)?, ordered: pile.ordered })
}

fn kind(kind: &v1::KindDef) -> Result<KindDef, Garbled> {
    Ok(KindDef { entry: entry(kind.entry.as_ref())?, back: kind.back })
}

fn actions(table: &v1::ActionTable) -> Result<ActionTable, Garbled> {
    let mut actions = ActionTable::default();
    for verb in &table.verbs {
        let kind = match verb.kind() {
            v1::VerbKind::Play | v1::VerbKind::Unspecified => VerbKind::Play,
            v1::VerbKind::Pass => VerbKind::Pass,
            v1::VerbKind::Done => VerbKind::Done,
            v1::VerbKind::Navigate => VerbKind::Navigate,
        };
        actions.verb(kept(&verb.id), kind, kept(&verb.title));
    }
    for action in &table.actions {
        let verb = u8::try_from(action.verb).ok().filter(|&verb| usize::from(verb) < actions.verbs().len());
        let verb = verb.ok_or_else(|| Garbled::new(format!("an action of verb {}", action.verb)))?;
        let refs = references(&action.refs)?;
        if refs.len() > ACTION_REFS_MAX {
            return Err(Garbled::new(format!("action `{}` about {} things", action.notation, refs.len())));
        }
        actions.add(verb, &refs, action.notation.clone()).map_err(|error| Garbled::new(error.to_string()))?;
    }
    Ok(actions)
}

fn rule(rule: &v1::Rule) -> Result<ledger::Entry, Garbled> {
    let status = match rule.status() {
        v1::RuleStatus::Enforced => Status::Enforced,
        v1::RuleStatus::Content => Status::Content,
        v1::RuleStatus::Presentation => Status::Presentation,
        v1::RuleStatus::NotUsed => Status::NotUsed,
        v1::RuleStatus::Unspecified => return Err(Garbled::missing("status")),
    };
    let source = |source: &v1::Source| Source {
        key: source.key.clone(),
        title: source.title.clone(),
        locator: source.locator.clone(),
    };
    Ok(ledger::Entry {
        id: rule.id.clone(),
        title: rule.title.clone(),
        text: rule.text.clone(),
        status,
        reason: (!rule.reason.is_empty()).then(|| rule.reason.clone()),
        ground: rule.ground.iter().map(source).collect(),
        supersedes: rule.supersedes.clone(),
        see: rule.see.clone(),
    })
}
