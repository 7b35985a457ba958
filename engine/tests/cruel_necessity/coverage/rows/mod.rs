//! The checklist, item by item ([`Row`]): what has to come up, and where it is looked for.

mod actions;
mod battles;
mod cards;
mod ends;
mod options;
mod turns;

use super::facts::Met;

/// An item of the checklist.
pub(super) struct Row {
    pub(super) group: &'static str,
    pub(super) what: String,
    how: How,
}

/// The place where an item is looked for.
enum How {
    /// Among the facts of matches by bots: facts that begin with these words. Several are divided by `|`.
    Published(String),
    /// In a scripted position, by a test that asserts it; it is run once more.
    Shown(&'static str, Box<dyn Fn()>),
}

impl Row {
    /// Returns the number of times that matches met it, or that its script shows it, with the name of the script.
    ///
    /// # Panics
    /// If the script does not show what it should.
    pub(super) fn times(&self, met: &Met) -> (u32, &'static str) {
        match &self.how {
            How::Published(facts) => (facts.split('|').map(|fact| count(met, fact)).sum(), ""),
            How::Shown(name, body) => {
                body();
                (1, name)
            }
        }
    }
}

/// Returns the number of times that facts were met that are this one, or go on after it with a further word.
fn count(met: &Met, fact: &str) -> u32 {
    let from = met.range(fact.to_owned()..).take_while(|(met_fact, _)| met_fact.starts_with(fact));
    let whole = |met_fact: &str| {
        fact.ends_with(' ') || matches!(met_fact[fact.len()..].chars().next(), None | Some(' '))
    };
    from.filter(|(met_fact, _)| whole(met_fact)).map(|(_, times)| times).sum()
}

/// The checklist under way.
#[derive(Default)]
struct Rows(Vec<Row>);

impl Rows {
    /// Items that matches by bots meet: each with the facts that show it.
    fn facts(&mut self, group: &'static str, items: &[(&str, &str)]) {
        for (what, facts) in items {
            self.0.push(Row { group, what: (*what).to_owned(), how: How::Published((*facts).to_owned()) });
        }
    }

    /// As [`Rows::facts`], for what is the same for many: `{}` stands for each of them.
    fn each(&mut self, group: &'static str, what: &str, facts: &str, of: &[&str]) {
        for one in of {
            self.facts(group, &[(&what.replace("{}", one), &facts.replace("{}", one))]);
        }
    }

    /// An item that a scripted position shows.
    fn shown(&mut self, group: &'static str, what: &str, name: &'static str, body: impl Fn() + 'static) {
        self.0.push(Row { group, what: what.to_owned(), how: How::Shown(name, Box::new(body)) });
    }
}

/// Items that tests elsewhere show: `rows, group: what => test, ..`.
macro_rules! shown {
    ($rows:ident, $group:literal: $($what:literal => $module:ident::$test:ident),+ $(,)?) => {
        $($rows.shown($group, $what, concat!(stringify!($module), "::", stringify!($test)), crate::$module::$test);)+
    };
}
use shown;

/// All of it.
pub(super) fn all() -> Vec<Row> {
    let mut rows = Rows::default();
    cards::rows(&mut rows);
    turns::rows(&mut rows);
    actions::rows(&mut rows);
    battles::rows(&mut rows);
    ends::rows(&mut rows);
    options::rows(&mut rows);
    rows.0
}
