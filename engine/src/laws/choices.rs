//! Players of the runs: choices from a generator or from bytes ([`ChoiceSource`]), and the kind of player that
//! makes them ([`Habits`]).

use rand_chacha::ChaCha8Rng;

use crate::action::{ActionId, VerbKind};
use crate::catalogue::Catalogue;
use crate::chance::{Chance, Outcome};
use crate::chance_source::below;
use crate::event::Events;
use crate::game::{Game, Node};
use crate::seat::{Observer, Seat};
use crate::setup::{OptionKind, Setup};
use crate::table::{ApplyMode, Table};
use crate::view::{PassScope, StandingPass};

use super::segment::{advance, kind_of};
use super::walk::guarded;
use super::{Law, MatchCall};

/// The longest list that a player enters at once.
const LIST_ACTIONS: usize = 6;

/// A source of choices.
pub trait ChoiceSource {
    /// A number below `bound` (at least 1); `None`: there is nothing more to come.
    fn pick(&mut self, bound: usize) -> Option<usize>;
}

impl ChoiceSource for ChaCha8Rng {
    fn pick(&mut self, bound: usize) -> Option<usize> {
        Some(below(bound as u64, self) as usize)
    }
}

/// Bytes as choices: one for small bounds, as many as needed for larger ones.
#[derive(Clone, Debug)]
pub struct Bytes<'a>(pub &'a [u8]);

impl ChoiceSource for Bytes<'_> {
    fn pick(&mut self, bound: usize) -> Option<usize> {
        let mut value: u64 = 0;
        let mut reach: u64 = 1;
        while reach < bound as u64 {
            let (&first, rest) = self.0.split_first()?;
            self.0 = rest;
            value = value << 8 | u64::from(first);
            reach <<= 8;
        }
        Some((value % bound as u64) as usize)
    }
}

/// A player's preference among actions.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Bent {
    /// All alike.
    Even,
    /// Goes on as long as it can.
    Stubborn,
    /// Passes and ends as soon as it may.
    Hasty,
}

/// The kind of player that drives a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Habits {
    bent: Bent,
    lists: bool,
    undo: bool,
    stands: bool,
    junk: bool,
    ends: bool,
}

impl Habits {
    /// A player of some kind; `None` if the source has nothing to say.
    pub fn draw(source: &mut impl ChoiceSource) -> Option<Self> {
        let bent = [Bent::Even, Bent::Even, Bent::Stubborn, Bent::Hasty][source.pick(4)?];
        Some(Self {
            bent,
            lists: source.pick(2)? == 0,
            undo: source.pick(2)? == 0,
            stands: source.pick(3)? == 0,
            junk: source.pick(3)? == 0,
            ends: source.pick(8)? == 0,
        })
    }

    /// A player who takes single actions, all alike: for goldens.
    #[must_use]
    pub const fn plain() -> Self {
        Self { bent: Bent::Even, lists: false, undo: false, stands: false, junk: false, ends: false }
    }
}

/// A setup of the game: any scenario, half of the time with other than the default options.
pub fn setup(catalogue: &Catalogue, source: &mut impl ChoiceSource) -> Option<Setup> {
    let scenario = catalogue.scenarios[source.pick(catalogue.scenarios.len().max(1))?].id;
    setup_of(catalogue, scenario, source)
}

/// A setup of one scenario, half of the time with other than the default options.
pub(super) fn setup_of(
    catalogue: &Catalogue,
    scenario: &str,
    source: &mut impl ChoiceSource,
) -> Option<Setup> {
    let mut options = std::collections::BTreeMap::new();
    if source.pick(2)? == 0 {
        for option in &catalogue.options {
            let number = match &option.kind {
                OptionKind::Flag => source.pick(2)? as i32,
                OptionKind::Number { min, max } => {
                    let span = i64::from(*max) - i64::from(*min) + 1;
                    (i64::from(*min) + source.pick(span as usize)? as i64) as i32
                }
                OptionKind::Choice(words) => source.pick(words.len())? as i32,
            };
            options.insert(option.id.to_owned(), option.kind.print(number));
        }
    }
    // A combination that the game does not accept gives way to the scenario's defaults.
    let setup = Setup::new(catalogue, Some(scenario), &options);
    setup.or_else(|_| Setup::new(catalogue, Some(scenario), &Default::default())).ok()
}

/// The next call of a run; `None` if the match is over or the source has nothing more to say.
pub fn next_call<G: Game>(
    table: &Table<G>,
    habits: &Habits,
    source: &mut impl ChoiceSource,
) -> Option<MatchCall> {
    let node = table.node();
    if node == Node::Over {
        return None;
    }
    let aside = match source.pick(32)? {
        0 if habits.stands => Some(stand(table, source)?),
        1 if habits.ends => Some(end(table, source)?),
        2 | 3 if habits.junk => Some(junk(table, source)?),
        4..=8 if habits.undo => take_back(table, habits, source)?,
        _ => None,
    };
    if aside.is_some() {
        return aside;
    }
    if node == Node::Chance {
        return outcome(&table.game().chance(table.state()), source).map(MatchCall::Enter);
    }
    let to_act: Vec<Seat> = node.to_act().iter().collect();
    let seat = to_act[source.pick(to_act.len())?];
    let length = if habits.lists { 1 + source.pick(LIST_ACTIONS)? } else { 1 };
    let game = table.game().as_ref();
    let (mut actions, ended) = list(game, table.state(), seat, length, habits.bent, source)?;
    if actions.len() == 1 {
        return Some(MatchCall::Actions { seat, actions, mode: ApplyMode::Atomic });
    }
    let line = source.pick(4)? == 0;
    if line {
        return Some(MatchCall::Line { seat, line: game.print_line(table.state(), seat, &actions) });
    }
    let beyond = ended && source.pick(2)? == 0;
    if beyond {
        actions.push(ActionId(source.pick(game.catalogue().actions.len())? as u16));
    }
    let mode = if source.pick(2)? == 0 { ApplyMode::Atomic } else { ApplyMode::UntilReveal };
    Some(MatchCall::Actions { seat, actions, mode })
}

/// Actions that one seat takes one after the other, and whether its segment ends with them.
fn list<G: Game>(
    game: &G,
    state: &G::State,
    seat: Seat,
    length: usize,
    bent: Bent,
    source: &mut impl ChoiceSource,
) -> Option<(Vec<ActionId>, bool)> {
    let mut state = state.clone();
    let (mut actions, mut legal) = (Vec::new(), Vec::new());
    let mut ended = false;
    while actions.len() < length && !ended {
        game.legal(&state, seat, &mut legal);
        if legal.is_empty() {
            break;
        }
        let action = action(game, &legal, bent, source)?;
        // An action that panics is part of the list, so that the call that is made with it panics, too, and is on record.
        let gone = guarded(Law::Panic, || Ok(advance(game, &mut state, seat, action, &mut Events::silent())));
        ended = gone.unwrap_or(true);
        actions.push(action);
    }
    Some((actions, ended))
}

fn action<G: Game>(
    game: &G,
    legal: &[ActionId],
    bent: Bent,
    source: &mut impl ChoiceSource,
) -> Option<ActionId> {
    let any = |source: &mut dyn FnMut(usize) -> Option<usize>| Some(legal[source(legal.len())?]);
    let preferred = |action: &ActionId| {
        let ends = matches!(kind_of(game, *action), VerbKind::Pass | VerbKind::Done);
        match bent {
            Bent::Even => false,
            Bent::Stubborn => !ends && kind_of(game, *action) != VerbKind::Navigate,
            Bent::Hasty => ends,
        }
    };
    let preferred: Vec<ActionId> = legal.iter().copied().filter(preferred).collect();
    // One time in eight a player does not do what suits them.
    if preferred.is_empty() || source.pick(8)? == 0 {
        return any(&mut |bound| source.pick(bound));
    }
    Some(preferred[source.pick(preferred.len())?])
}

/// One outcome of a chance event, by its weights.
pub(super) fn outcome(chance: &Chance, source: &mut impl ChoiceSource) -> Option<Outcome> {
    if let Chance::Roll { dice, sides, .. } = chance {
        let faces = (0..*dice).map(|_| source.pick(usize::from(*sides)).map(|face| face as u8 + 1));
        return faces.collect::<Option<_>>().map(Outcome::Roll);
    }
    let options = chance.options();
    let total: u64 = options.iter().map(|&(_, weight)| weight).sum();
    let mut left = source.pick(total as usize)? as u64;
    for (what, weight) in options {
        if left < weight {
            return Some(Outcome::Pick(what));
        }
        left -= weight;
    }
    None
}

fn any_seat<G: Game>(table: &Table<G>, source: &mut impl ChoiceSource) -> Option<Seat> {
    source.pick(table.seats()).map(|index| Seat::new(index as u8))
}

fn stand<G: Game>(table: &Table<G>, source: &mut impl ChoiceSource) -> Option<MatchCall> {
    let seat = any_seat(table, source)?;
    let open = table.view(Observer::Seat(seat)).turn_state.window.clone();
    let mut passes = Vec::new();
    for _ in 0..source.pick(3)? {
        let procedure = open.as_ref().map_or(1, |window| window.procedure);
        let scope = match source.pick(3)? {
            0 => PassScope::Always,
            1 => PassScope::Procedure(procedure),
            _ => PassScope::UntilAttacked,
        };
        let named = open.as_ref().filter(|_| seat.index() % 2 == 0).map(|window| window.code.to_owned());
        passes.push(StandingPass { window: named, scope });
    }
    Some(MatchCall::Stand { seat, passes })
}

/// Offers, sometimes accepted or declined; seldom a seat gives up.
fn end<G: Game>(table: &Table<G>, source: &mut impl ChoiceSource) -> Option<MatchCall> {
    let seat = any_seat(table, source)?;
    Some(match source.pick(16)? {
        0 => MatchCall::Resign(seat),
        1 | 2 => MatchCall::Accept(seat),
        3 => MatchCall::Decline(seat),
        _ => MatchCall::Offer(seat),
    })
}

/// Calls that mostly make no sense where they come.
fn junk<G: Game>(table: &Table<G>, source: &mut impl ChoiceSource) -> Option<MatchCall> {
    let seat = any_seat(table, source)?;
    let size = table.game().catalogue().actions.len();
    let mode = if source.pick(2)? == 0 { ApplyMode::Atomic } else { ApplyMode::UntilReveal };
    Some(match source.pick(5)? {
        0 => MatchCall::Actions { seat, actions: vec![ActionId(source.pick(size + 2)? as u16)], mode },
        1 => {
            let count = source.pick(4)?;
            let actions = (0..count).map(|_| source.pick(size).map(|id| ActionId(id as u16)));
            MatchCall::Actions { seat, actions: actions.collect::<Option<_>>()?, mode }
        }
        2 => {
            let length = source.pick(24)?;
            let letters = (0..length).map(|_| source.pick(95).map(|letter| char::from(b' ' + letter as u8)));
            MatchCall::Line { seat, line: letters.collect::<Option<_>>()? }
        }
        3 => MatchCall::Undo { seat, keep: source.pick(4)? },
        _ => MatchCall::Enter(Outcome::Roll([source.pick(256)? as u8].into_iter().collect())),
    })
}

/// Takes back some of a draft, half of the time to go on otherwise at once; no call if nobody has one.
#[expect(
    clippy::option_option,
    reason = "the outer one is the source's, the inner one says that nobody has a draft"
)]
fn take_back<G: Game>(
    table: &Table<G>,
    habits: &Habits,
    source: &mut impl ChoiceSource,
) -> Option<Option<MatchCall>> {
    let seats = (0..table.seats()).map(|index| Seat::new(index as u8));
    let drafting = seats.filter(|&seat| !table.draft(seat).is_empty() && !table.committed(seat));
    let drafting: Vec<Seat> = drafting.collect();
    if drafting.is_empty() {
        return Some(None);
    }
    let seat = drafting[source.pick(drafting.len())?];
    let keep = source.pick(table.draft(seat).len())?;
    if source.pick(2)? == 0 {
        return Some(Some(MatchCall::Undo { seat, keep }));
    }
    let mut back = table.clone();
    if back.undo(seat, keep).is_err() {
        return Some(Some(MatchCall::Undo { seat, keep }));
    }
    let length = 1 + source.pick(LIST_ACTIONS)?;
    let (actions, _) = list(table.game().as_ref(), back.state(), seat, length, habits.bent, source)?;
    Some(Some(MatchCall::Revise { seat, keep, actions, mode: ApplyMode::Atomic }))
}
