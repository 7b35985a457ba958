//! The static half: names, templates and the action table.

use std::collections::BTreeMap;

use crate::action::{ActionId, ActionTable, ActionTableError, VerbKind};
use crate::catalogue::{
    CatalogEntry, Catalogue, KindDef, MarkerDef, MarkerPriority, PileDef, PileFacing, PileLayout,
    ScenarioDef, SeatDef,
};
use crate::content::{Confidence, ContentError, ContentErrors, ContentFiles};
use crate::ledger::Ledger;
use crate::reference::Ref;
use crate::seat::Seat;

use super::content::Content;
use super::state::{BLOCKS, SIDE};
use super::{Skirmish, attributes, boards, charts, roles, texts};

/// Index of the drill among the scenarios.
pub(super) const DRILL: usize = 1;

/// Kinds of pieces: the back of a block, then faces by strength, then the backs of cards by stretch.
pub(super) const BACK: u16 = 0;
pub(super) const CARD_BACK: u16 = 5;

/// Piles: hands by seat, the cards shown by seat, the stretches, the discards.
pub(super) const HAND: u16 = 0;
pub(super) const SHOWN: u16 = 2;
pub(super) const STRETCH: u16 = 4;
pub(super) const DISCARD: u16 = 6;
/// The mat of lost blocks.
pub(super) const LOST_MAT: u16 = 0;
/// The turn track and its marker.
pub(super) const TURN_TRACK: u16 = 0;
pub(super) const TURN_MARKER: u16 = 0;
/// Flags of pieces.
pub(super) const MARCHED: u32 = 1;
pub(super) const SEEN: u32 = 2;

/// An action, as the rules read it.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Action {
    Card(u16),
    Done,
    March(u8, u8),
    Take(u8),
    Go,
    Intercept(u8),
    Pass,
    Retreat(u8),
    Scout(u8),
    Keep,
}

/// The two ways between ids and actions.
#[derive(Debug, Default)]
pub(super) struct Actions {
    list: Vec<Action>,
    ids: BTreeMap<Action, ActionId>,
}

impl Actions {
    /// The action of an id that the table has.
    pub(super) fn get(&self, id: ActionId) -> Action {
        self.list[usize::from(id.0)]
    }

    /// The id of an action that the table has.
    pub(super) fn id(&self, action: Action) -> ActionId {
        self.ids[&action]
    }
}

pub(super) fn build(content: &Content, files: &ContentFiles) -> Result<(Catalogue, Actions), ContentErrors> {
    use PileFacing::{Everybody, Nobody, Owner};
    use PileLayout::{Fan, Stack};
    let ledger = Ledger::load(files)?;
    let (table, actions) = action_table(content).map_err(|error: ActionTableError| {
        ContentErrors::from(ContentError::file("board.toml", error.to_string()))
    })?;
    let ours = |id: &str, name: &str| CatalogEntry::new(id, name, Confidence::Official);
    let pile = |entry, owner, layout, facing| PileDef { entry, owner, ordered: false, layout, facing };
    let stretch = |index: usize| {
        let name = &content.stretches[index].0;
        let entry = ours(&name.to_lowercase(), &format!("{name} deck"));
        pile(entry.with_attributes(attributes::of_stretch(content, index)), None, Stack, Nobody)
    };
    let catalogue = Catalogue {
        id: Skirmish::ID,
        title: "Skirmish",
        summary: "A training game of hidden blocks and secret cards, or a drill for one.",
        rules_version: 1,
        content: files.hash(),
        seats: vec![
            SeatDef { id: "north", name: "North", color: "#2f5d9b", emblem: "star" },
            SeatDef { id: "south", name: "South", color: "#b23a33", emblem: "sun" },
        ],
        sides: Vec::new(),
        scenarios: [("skirmish", "Skirmish", 2), ("drill", "Drill for one", 1)]
            .map(|(id, title, seats)| ScenarioDef { id, title, seats, returns_min: -1, returns_max: 1 })
            .into(),
        options: Vec::new(),
        attributes: attributes::declared(),
        boards: boards::boards(content),
        space_kinds: boards::space_kinds(),
        adjacency_kinds: Vec::new(),
        spaces: boards::spaces(content),
        mats: boards::mats(),
        tracks: boards::tracks(content),
        grades: Vec::new(),
        piles: vec![
            pile(ours("north-hand", "North's hand"), Some(Seat::new(0)), Fan, Owner),
            pile(ours("south-hand", "South's hand"), Some(Seat::new(1)), Fan, Owner),
            pile(ours("north-shown", "North's card"), Some(Seat::new(0)), Stack, Everybody),
            pile(ours("south-shown", "South's card"), Some(Seat::new(1)), Stack, Everybody),
            stretch(0),
            stretch(1),
            pile(ours("discard", "Discards"), None, Stack, Everybody),
        ],
        kinds: kinds(content),
        pieces: (0..BLOCKS).map(|index| block(content, index)).collect(),
        cards: (0..content.cards.len()).map(|index| card(content, index)).collect(),
        markers: vec![MarkerDef {
            entry: ours("turn", "Turn"),
            priority: MarkerPriority::Position,
            unit: "",
            short_label: "T".to_owned(),
        }],
        arrows: Vec::new(),
        arrow_results: Vec::new(),
        charts: charts::charts(content),
        procedures: roles::procedures(),
        roles: roles::roles(),
        flags: vec!["marched", "seen"],
        actions: table,
        phrases: PHRASES.iter().copied().collect(),
        ledger,
        phase_ends: vec!["turn_begins", "all_shown"],
    };
    Ok((catalogue, actions))
}

/// The back of a block, the faces by strength, the backs of cards by stretch.
fn kinds(content: &Content) -> Vec<KindDef> {
    let ours = |id: &str, name: &str| CatalogEntry::new(id, name, Confidence::Official);
    let face = |strength: usize| {
        ours(&format!("strength-{strength}"), &format!("block of strength {strength}"))
            .with_rules_text(texts::face(strength))
            .with_attributes(attributes::of_face(strength))
    };
    let card_back = |index: usize| {
        let name = &content.stretches[index].0;
        ours(&format!("{}-back", name.to_lowercase()), &format!("a {name} card"))
            .with_rules_text(texts::card_back(content, index))
            .with_attributes(attributes::of_card_back(index))
    };
    let back = KindDef::new(ours("back", "a block").with_rules_text(texts::back()), true);
    let mut kinds = vec![back.with_short_label("?")];
    kinds.extend((1..=SIDE).map(|strength| KindDef::new(face(strength), false)));
    kinds.extend((0..2).map(|index| {
        let label: String = content.stretches[index].0.chars().take(3).collect();
        KindDef::new(card_back(index), true).with_short_label(&label)
    }));
    kinds
}

fn block(content: &Content, index: usize) -> CatalogEntry {
    let (id, name) = [("north", "North"), ("south", "South")][index / SIDE];
    let number = index % SIDE + 1;
    CatalogEntry::new(format!("{id}-{number}"), format!("{name}'s block {number}"), Confidence::Official)
        .with_rules_text(texts::block(content, index))
        .with_attributes(attributes::of_block(index))
}

fn card(content: &Content, index: usize) -> CatalogEntry {
    let named = &content.card_names[index];
    CatalogEntry::new(&*named.id, &*named.name, named.confidence)
        .with_rules_text(texts::card(content, index))
        .with_attributes(attributes::of_card(content, index))
}

fn action_table(content: &Content) -> Result<(ActionTable, Actions), ActionTableError> {
    let mut table = ActionTable::default();
    let mut actions = Actions::default();
    let mut add = |table: &mut ActionTable, verb: u8, action: Action, refs: &[Ref], notation: String| {
        let id = table.add(verb, refs, notation)?;
        actions.list.push(action);
        actions.ids.insert(action, id);
        Ok::<(), ActionTableError>(())
    };
    let name = |space: u8| &content.spaces[usize::from(space)].id;
    let spaces = 0..content.spaces.len() as u8;
    let verb = table.verb("card", VerbKind::Play, "Choose a card", &["card"]);
    for (card, named) in content.card_names.iter().enumerate() {
        let card = card as u16;
        add(&mut table, verb, Action::Card(card), &[Ref::Card(card)], format!("card {}", named.id))?;
    }
    let verb = table.verb("march", VerbKind::Play, "March along a road", &["from", "to"]);
    for from in spaces.clone() {
        for &to in &content.roads[usize::from(from)] {
            let refs = [Ref::Space(from.into()), Ref::Space(to.into())];
            add(
                &mut table,
                verb,
                Action::March(from, to),
                &refs,
                format!("march {} {}", name(from), name(to)),
            )?;
        }
    }
    let verb = table.verb("take", VerbKind::Play, "Take a block along", &["block"]);
    for block in 0..BLOCKS as u8 {
        let side = ["north", "south"][usize::from(block) / SIDE];
        let notation = format!("take {side}-{}", usize::from(block) % SIDE + 1);
        add(&mut table, verb, Action::Take(block), &[Ref::Piece(block.into())], notation)?;
    }
    let over_spaces: [(&str, &str, &[&str]); 3] = [
        ("intercept", "Intercept with the stack at", &["from"]),
        ("retreat", "Retreat to", &["to"]),
        ("scout", "Turn up a block at", &["at"]),
    ];
    for (id, title, refs) in over_spaces {
        let verb = table.verb(id, VerbKind::Play, title, refs);
        for space in spaces.clone() {
            let action = match id {
                "intercept" => Action::Intercept(space),
                "retreat" => Action::Retreat(space),
                _ => Action::Scout(space),
            };
            add(&mut table, verb, action, &[Ref::Space(space.into())], format!("{id} {}", name(space)))?;
        }
    }
    for (id, kind, title, action) in [
        ("go", VerbKind::Play, "March with those", Action::Go),
        ("keep", VerbKind::Pass, "Keep the bonus card", Action::Keep),
        ("pass", VerbKind::Pass, "Let them pass", Action::Pass),
        ("done", VerbKind::Done, "Done", Action::Done),
    ] {
        let verb = table.verb(id, kind, title, &[]);
        add(&mut table, verb, action, &[], id.to_owned())?;
    }
    Ok((table, actions))
}

/// Templates: prompts, events, entitlements, endings, refusals.
const PHRASES: &[(&str, &str)] = &[
    ("choose", "Choose a card for turn {0}, in secret"),
    ("act", "{0} acts: {1} {1|march|marches} left"),
    ("march", "{0} marches from {1} to {2}: who goes along?"),
    ("interception", "An interception"),
    ("intercept", "{0} may intercept at {1}"),
    ("die_due", "A die for the interception at {0}"),
    ("dice_due", "Dice for the battle at {0}"),
    ("face_due", "A face of the garrison at {0} is drawn"),
    ("retreat", "{0} is beaten at {1} and retreats"),
    ("card_due", "A card is drawn for {0}"),
    ("bonus", "{0} keeps the bonus card or scouts with it"),
    ("back_due", "A block at {0} is turned up"),
    ("over", "The skirmish is over"),
    ("turn_begins", "Turn {0}"),
    ("dealt", "{0} is dealt {1}"),
    ("shown", "{0} shows {1}"),
    ("all_shown", "The cards are on the table"),
    ("picked", "{0} picks {1}"),
    ("committed", "{0} has committed"),
    ("takes", "{0} takes {1} along"),
    ("marched", "{0} marches {3} {3|block|blocks} from {1} to {2}"),
    ("lets_pass", "{0} lets them pass"),
    ("intercepts", "{0} tries to intercept at {2} from {1}"),
    ("attempt", "The die shows {0}"),
    ("met", "{0} meets them at {1}"),
    ("battle", "Battle at {0}: {1} attacks"),
    ("drawn", "The garrison at {1} is {0}"),
    ("rolled", "The dice at {0} show {1..}"),
    ("lost", "{0} loses {1} {1|block|blocks}"),
    ("holds", "{0} holds {1}"),
    ("deserted", "Nobody is left at {0}"),
    ("retreated", "{0} retreats to {1}"),
    ("nowhere", "{0} has nowhere to go"),
    ("bonus_owed", "A bonus card for {0}"),
    ("bonus_drawn", "{0} draws {1} as a bonus"),
    ("no_bonus", "The deck is used up: no bonus card for {0}"),
    ("scouts", "{0} spends {2} to scout {1}"),
    ("scouted", "At {1} a {0} is turned up{2..||}"),
    ("kept", "{0} keeps the bonus card"),
    ("rests", "{0} has acted"),
    ("undo", "Taken back"),
    ("camp", "The enemy's camp is taken"),
    ("last_block", "A side has no block left"),
    ("nightfall", "Night falls"),
    ("resigned", "{0} gave up"),
    ("agreed", "A draw was agreed"),
    ("NOT_IN_HAND", "{0} is not in the hand"),
    ("CARD_PICKED", "A card is picked already"),
    ("NO_CARD_PICKED", "No card is picked yet"),
    ("NO_MARCHES_LEFT", "No marches are left"),
    ("NOBODY_TO_MARCH", "No block at {0} can still march"),
    ("NOT_HERE", "{0} is not in {1}"),
    ("HAS_MARCHED", "{0} has marched this turn"),
    ("OUT_OF_ORDER", "Blocks are named weakest first"),
    ("NOBODY_TAKEN", "At least one block marches"),
    ("NO_STACK", "There is no stack at {0} next to {1}"),
    ("NOT_A_WAY_OUT", "{0} is no way out of {1}"),
    ("NO_BACKS", "No unknown enemy block is at {0}"),
    ("NOT_NOW", "That is not what is asked now"),
];
