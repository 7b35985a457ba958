//! The built-in content, and questions that several files ask of it.

use std::sync::LazyLock;

use edgehill_engine::content::{Confidence, ContentErrors, ContentFiles};
use edgehill_engine::games::unhappy_king_charles::content::ids::{AreaId, AreaSet, CardId, GeneralId};
use edgehill_engine::games::unhappy_king_charles::content::map::LineKind;
use edgehill_engine::games::unhappy_king_charles::content::operations::{Operation, Step};
use edgehill_engine::games::unhappy_king_charles::content::{Content, builtin};

static CONTENT: LazyLock<Content> =
    LazyLock::new(|| load(&builtin()).unwrap_or_else(|errors| panic!("{errors}")));

/// The built-in content.
pub(crate) fn content() -> &'static Content {
    &CONTENT
}

pub(crate) fn load(files: &ContentFiles) -> Result<Content, ContentErrors> {
    Content::load(files)
}

/// The built-in content with a file in which `from`, which must stand there, is `to`.
pub(crate) fn replaced(file: &str, from: &str, to: &str) -> Result<Content, ContentErrors> {
    let files = builtin();
    let text = std::str::from_utf8(files.get(file).expect("the file is there")).expect("content is text");
    assert!(text.contains(from), "{file} has no {from:?}");
    let text = text.replacen(from, to, 1);
    load(&files.overlay([(file.to_owned(), text.into_bytes())]).expect("the game has such a file"))
}

/// The Area of an id.
pub(crate) fn area(id: &str) -> AreaId {
    let found = content().areas.iter().position(|area| area.named.id == id);
    AreaId::new(found.unwrap_or_else(|| panic!("there is no Area {id}")))
}

/// The Areas of some ids.
pub(crate) fn areas(ids: &[&str]) -> AreaSet {
    ids.iter().map(|id| area(id)).collect()
}

/// The General of an id.
pub(crate) fn general(id: &str) -> GeneralId {
    let found = content().generals.iter().position(|general| general.named.id == id);
    GeneralId::new(found.unwrap_or_else(|| panic!("there is no General {id}")))
}

/// The card of an id.
pub(crate) fn card(id: &str) -> CardId {
    let found = content().cards.iter().position(|card| card.named.id == id);
    CardId::new(found.unwrap_or_else(|| panic!("there is no card {id}")))
}

/// The steps of a card, those of lists within them not.
pub(crate) fn steps(id: &str) -> &'static [Step] {
    &content().lists[content().cards[card(id)].list]
}

/// The operations of a card, those of lists within them among them.
pub(crate) fn operations(id: &str) -> Vec<Operation> {
    let mut found = Vec::new();
    let mut open = vec![content().cards[card(id)].list];
    while let Some(list) = open.pop() {
        for step in &content().lists[list] {
            found.push(step.operation);
            open.extend(step.otherwise);
            match step.operation {
                Operation::Choice { options: lists } | Operation::BySide { lists } => open.extend(lists),
                _ => {}
            }
        }
    }
    found
}

/// The line between two Areas.
pub(crate) fn line(from: &str, to: &str) -> Option<LineKind> {
    let found = content().line_between(area(from), area(to))?;
    Some(content().lines[found].kind)
}

/// The least lines of any kind between two Areas.
pub(crate) fn distance(from: &str, to: &str) -> u8 {
    content().distances[area(from)][area(to)]
}

/// Areas that lines of some kinds lead to from one, without passing others.
pub(crate) fn reach(from: AreaSet, kinds: &[LineKind], barred: AreaSet) -> AreaSet {
    let mut reached = from;
    loop {
        let near = |area: AreaId| {
            kinds.iter().fold(AreaSet::EMPTY, |all, &kind| all | content().near[kind as usize][area])
        };
        let next = (reached.iter().fold(reached, |all, area| all | near(area)) - barred) | from;
        if next == reached {
            return reached;
        }
        reached = next;
    }
}

/// How many of some levels are each of the five, strongest first.
pub(crate) fn tally(levels: impl IntoIterator<Item = Confidence>) -> [usize; 5] {
    let mut tally = [0; 5];
    for level in levels {
        tally[Confidence::ALL.iter().position(|&one| one == level).expect("there are five levels")] += 1;
    }
    tally
}
