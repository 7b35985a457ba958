//! Settings made before a match: scenario and options, checked against the catalogue ([`Setup`]).

use std::collections::BTreeMap;

use thiserror::Error;

use crate::catalogue::Catalogue;

/// The values that an option accepts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// On or off, written `true` and `false`; its number is 1 or 0.
    Flag,
    /// A whole number within bounds, both included.
    Number {
        /// The least.
        min: i32,
        /// The greatest.
        max: i32,
    },
    /// One of these words; its number is the index.
    Choice(Vec<&'static str>),
}

/// An option of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionDef {
    /// Stable name in lower case.
    pub id: &'static str,
    /// Its effect, in our words.
    pub title: &'static str,
    /// The values that it accepts.
    pub kind: OptionKind,
    /// Its number where nothing is said.
    pub default: i32,
}

/// A scenario and a number for each option: made by [`Setup::new`], so always within the catalogue's bounds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    scenario: usize,
    options: Vec<i32>,
}

/// The error of a scenario or an option that is not accepted.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SetupError {
    /// No such scenario.
    #[error("scenario `{given}`: this game has {known}")]
    Scenario {
        /// As it was written.
        given: String,
        /// Description of what would be accepted.
        known: String,
    },
    /// No such option.
    #[error("option `{given}`: this game has {known}")]
    Option {
        /// As it was written.
        given: String,
        /// Description of what would be accepted.
        known: String,
    },
    /// Not a value of this option.
    #[error("option `{option}`: `{given}` is not {expected}")]
    Value {
        /// The option.
        option: &'static str,
        /// As it was written.
        given: String,
        /// Description of what would be accepted.
        expected: String,
    },
}

impl OptionKind {
    /// The number of a written value.
    fn parse(&self, text: &str) -> Option<i32> {
        match self {
            Self::Flag => text.parse::<bool>().ok().map(i32::from),
            Self::Number { min, max } => text.parse().ok().filter(|n| (min..=max).contains(&n)),
            Self::Choice(words) => words.iter().position(|word| *word == text).map(|index| index as i32),
        }
    }

    /// A value as it is written.
    #[must_use]
    pub fn print(&self, number: i32) -> String {
        match self {
            Self::Flag => (number != 0).to_string(),
            Self::Number { .. } => number.to_string(),
            Self::Choice(words) => {
                usize::try_from(number).ok().and_then(|i| words.get(i)).unwrap_or(&"?").to_string()
            }
        }
    }

    /// Describes in words what it accepts.
    #[must_use]
    pub fn expected(&self) -> String {
        match self {
            Self::Flag => "true or false".to_owned(),
            Self::Number { min, max } => format!("a whole number from {min} to {max}"),
            Self::Choice(words) => format!("one of {}", words.join(", ")),
        }
    }
}

impl Setup {
    /// The scenario of this id (or the first, if `scenario` is `None`) with `options`; the others take their defaults.
    ///
    /// # Errors
    /// Names the scenario, option or value that the game does not have, and what it has.
    pub fn new(
        catalogue: &Catalogue,
        scenario: Option<&str>,
        options: &BTreeMap<String, String>,
    ) -> Result<Self, SetupError> {
        let known = |ids: Vec<&str>| if ids.is_empty() { "none".to_owned() } else { ids.join(", ") };
        let scenario = match scenario {
            None => 0,
            Some(id) => {
                catalogue.scenarios.iter().position(|s| s.id == id).ok_or_else(|| SetupError::Scenario {
                    given: id.to_owned(),
                    known: known(catalogue.scenarios.iter().map(|s| s.id).collect()),
                })?
            }
        };
        let mut numbers: Vec<i32> = catalogue.options.iter().map(|option| option.default).collect();
        for (id, text) in options {
            let index = catalogue.options.iter().position(|option| option.id == id).ok_or_else(|| {
                SetupError::Option {
                    given: id.clone(),
                    known: known(catalogue.options.iter().map(|o| o.id).collect()),
                }
            })?;
            let option = &catalogue.options[index];
            numbers[index] = option.kind.parse(text).ok_or_else(|| SetupError::Value {
                option: option.id,
                given: text.clone(),
                expected: option.kind.expected(),
            })?;
        }
        Ok(Self { scenario, options: numbers })
    }

    /// The game's first scenario with default options.
    #[must_use]
    pub fn default_of(catalogue: &Catalogue) -> Self {
        Self { scenario: 0, options: catalogue.options.iter().map(|option| option.default).collect() }
    }

    /// Index of the scenario in the catalogue.
    #[must_use]
    pub const fn scenario(&self) -> usize {
        self.scenario
    }

    /// The number of the option at `index` in the catalogue; 0 for an option that the game does not have.
    #[must_use]
    pub fn option(&self, index: usize) -> i32 {
        self.options.get(index).copied().unwrap_or(0)
    }

    /// All options as they are written, by id.
    #[must_use]
    pub fn written(&self, catalogue: &Catalogue) -> BTreeMap<String, String> {
        let write = |(def, &number): (&OptionDef, &i32)| (def.id.to_owned(), def.kind.print(number));
        catalogue.options.iter().zip(&self.options).map(write).collect()
    }
}
