//! Scenario and options.

use std::collections::{BTreeMap, BTreeSet};

use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::setup::{Setup, SetupError};
use edgehill_proto::v1;
use v1::ErrorReason;

use super::{Refused, refused};

/// The id of a setup's scenario.
#[must_use]
pub fn scenario(catalogue: &Catalogue, setup: &Setup) -> String {
    catalogue.scenarios.get(setup.scenario()).map_or_else(String::new, |scenario| scenario.id.to_owned())
}

/// Every option with its value, in the catalogue's order.
#[must_use]
pub fn options(catalogue: &Catalogue, setup: &Setup) -> Vec<v1::OptionValue> {
    let value = |(index, option): (usize, &edgehill_engine::setup::OptionDef)| v1::OptionValue {
        id: option.id.to_owned(),
        value: option.kind.print(setup.option(index)),
    };
    catalogue.options.iter().enumerate().map(value).collect()
}

/// Reads the fields `scenario` and `options`.
///
/// # Errors
/// UNKNOWN_SCENARIO; UNKNOWN_OPTION or BAD_OPTION_VALUE, whichever comes first, with a violation for each option at fault;
/// INVALID_FIELD for an option that comes twice.
pub fn read(catalogue: &Catalogue, scenario: &str, options: &[v1::OptionValue]) -> Result<Setup, Refused> {
    let scenario = Some(scenario).filter(|id| !id.is_empty());
    Setup::new(catalogue, scenario, &BTreeMap::new()).map_err(|error| fault(error, 0))?;
    let mut seen = BTreeSet::new();
    for (index, option) in options.iter().enumerate() {
        if !seen.insert(&option.id) {
            let what = format!("`{}` is there already: each option comes once", refused::shown(&option.id));
            return Err(Refused::field(format!("options[{index}].id"), what));
        }
    }
    // Each by itself, so that all faults are told at once.
    let one = |option: &v1::OptionValue| BTreeMap::from([(option.id.clone(), option.value.clone())]);
    let faults = options.iter().enumerate().filter_map(|(index, option)| {
        Setup::new(catalogue, None, &one(option)).err().map(|error| fault(error, index))
    });
    if let Some(refused) = faults.reduce(Refused::and) {
        return Err(refused);
    }
    let options = options.iter().map(|option| (option.id.clone(), option.value.clone())).collect();
    Setup::new(catalogue, scenario, &options).map_err(|error| fault(error, 0))
}

fn fault(error: SetupError, index: usize) -> Refused {
    let shown = refused::shown;
    match error {
        SetupError::Scenario { given, known } => {
            let what = format!("`{}`: this game has {known}", shown(&given));
            Refused::new(ErrorReason::UnknownScenario, format!("scenario {what}")).violation("scenario", what)
        }
        SetupError::Option { given, known } => {
            let what = format!("`{}`: this game has {known}", shown(&given));
            let message = format!("option {what}");
            Refused::new(ErrorReason::UnknownOption, message).violation(format!("options[{index}].id"), what)
        }
        SetupError::Value { option, given, expected } => {
            let what = format!("`{}` is not {expected}", shown(&given));
            let message = format!("option `{option}`: {what}");
            Refused::new(ErrorReason::BadOptionValue, message)
                .violation(format!("options[{index}].value"), what)
        }
    }
}
