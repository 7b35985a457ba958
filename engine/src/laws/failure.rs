//! Reports of a broken law: a [`Breach`] where it shows, a [`Failure`] with the run that led there.

use std::fmt::{self, Debug, Write as _};

use crate::action::ActionId;
use crate::catalogue::Catalogue;
use crate::render;
use crate::seat::Observer;
use crate::view::View;

use super::outline_difference::outline_difference;
use super::{Law, Run};

/// A law that does not hold, at the place where it shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Breach {
    /// The law that is broken.
    pub law: Law,
    /// For whose eyes, if it is about sight.
    pub observer: Option<Observer>,
    /// Description of what was found and what should have been.
    pub detail: String,
}

/// The result of a check of a law.
pub type LawResult<T = ()> = Result<T, Box<Breach>>;

/// A law that does not hold, with the run that shows it.
#[derive(Clone, PartialEq, Debug)]
pub struct Failure {
    /// The law that is broken.
    pub law: Law,
    /// The seed of the checks' own choices.
    pub seed: u64,
    /// For whose eyes, if it is about sight.
    pub observer: Option<Observer>,
    /// Number of calls of the run that had been made.
    pub action: usize,
    /// Description of what was found and what should have been.
    pub detail: String,
    /// The calls so far, the last one included.
    pub run: Run,
}

impl Failure {
    /// The report in words: what to fix, and the run to see it again.
    #[must_use]
    pub fn report(&self, catalogue: &Catalogue) -> String {
        let mut text =
            format!("law `{}` is broken after {} calls (seed {})", self.law, self.action, self.seed);
        match self.observer {
            Some(Observer::Seat(seat)) => {
                let id = catalogue.seats.get(seat.index()).map_or("?", |seat| seat.id);
                let _ = write!(text, ", for {id}");
            }
            Some(Observer::Spectator) => text.push_str(", for a spectator"),
            None => {}
        }
        let _ = write!(text, "\n{}\n--- run\n{}", self.detail, self.run.print(catalogue));
        text
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "law `{}` is broken after {} calls: {}", self.law, self.action, self.detail)
    }
}

impl std::error::Error for Failure {}

/// A breach of `law`.
pub(super) fn broken<T>(law: Law, detail: impl Into<String>) -> LawResult<T> {
    Err(Box::new(Breach { law, observer: None, detail: detail.into() }))
}

/// A breach of `law` for `observer`.
pub(super) fn broken_for<T>(law: Law, observer: Observer, detail: impl Into<String>) -> LawResult<T> {
    Err(Box::new(Breach { law, observer: Some(observer), detail: detail.into() }))
}

/// `holds`, or a breach of `law`.
pub(super) fn ensure(holds: bool, law: Law, detail: impl FnOnce() -> String) -> LawResult {
    if holds { Ok(()) } else { broken(law, detail()) }
}

/// `left` and `right` are equal, or a breach of `law` that shows where they differ.
pub(super) fn same<T: PartialEq + Debug + ?Sized>(
    law: Law,
    observer: Option<Observer>,
    what: &str,
    left: &T,
    right: &T,
) -> LawResult {
    if left == right {
        return Ok(());
    }
    let detail = format!("{what}:\n{}", difference(left, right));
    Err(Box::new(Breach { law, observer, detail }))
}

/// Two views are equal, or a breach of `law` that tells in words where they differ.
pub(super) fn same_view(law: Law, what: &str, catalogue: &Catalogue, left: &View, right: &View) -> LawResult {
    if left == right {
        return Ok(());
    }
    let told = outline_difference(&render::view(catalogue, left), &render::view(catalogue, right));
    // Words can be the same for what is not.
    let told = if told.is_empty() { difference(left, right) } else { told };
    broken_for(law, left.observer, format!("{what}:\n{told}"))
}

/// Two lists of actions are equal, or a breach of `law` that names the actions of one of them only.
pub(super) fn same_list(
    law: Law,
    observer: Observer,
    what: &str,
    catalogue: &Catalogue,
    left: &[ActionId],
    right: &[ActionId],
) -> LawResult {
    if left == right {
        return Ok(());
    }
    let only = |here: &[ActionId], there: &[ActionId]| -> String {
        let only = here.iter().filter(|action| !there.contains(action));
        only.map(|&action| format!("`{}`", catalogue.actions.notation(action))).collect::<Vec<_>>().join(", ")
    };
    let (gone, come) = (only(left, right), only(right, left));
    let told = if gone.is_empty() && come.is_empty() {
        "only the order differs".to_owned()
    } else {
        format!("- {gone}\n+ {come}")
    };
    broken_for(law, observer, format!("{what}:\n{told}"))
}

/// Shows where two values first differ when they are written out, with the lines around it.
pub(super) fn difference<T: Debug + ?Sized>(left: &T, right: &T) -> String {
    const AROUND: usize = 6;
    let (left, right) = (format!("{left:#?}"), format!("{right:#?}"));
    let at = left.lines().zip(right.lines()).take_while(|(a, b)| a == b).count();
    let excerpt = |sign: char, text: &str| {
        let lines = text.lines().skip(at.saturating_sub(AROUND)).take(2 * AROUND);
        lines.map(|line| format!("{sign} {line}\n")).collect::<String>()
    };
    format!("from line {} on\n{}{}", at + 1, excerpt('-', &left), excerpt('+', &right))
}
