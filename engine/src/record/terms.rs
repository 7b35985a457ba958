//! Terms to which a server seed is committed, as far as the setup goes: [`options_hash`].

use serde_json::Value;

use crate::catalogue::Catalogue;
use crate::dice::OptionsSalt;
use crate::setup::Setup;

use super::ascii;

/// The hash of scenario, options and described position that a commitment is bound to (docs/dice.md): of the position its
/// JSON as records write it.
#[must_use]
pub fn options_hash(
    catalogue: &Catalogue,
    setup: &Setup,
    position: Option<&Value>,
    salt: &OptionsSalt,
) -> [u8; 32] {
    let options = setup.written(catalogue);
    let scenario = catalogue.scenarios.get(setup.scenario()).map_or("", |scenario| scenario.id);
    let written = options.iter().map(|(id, value)| (id.as_str(), value.as_str()));
    salt.options_hash(scenario, written, &position.map(ascii::json).unwrap_or_default())
}
