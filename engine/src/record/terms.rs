//! Terms to which a server seed is committed, as far as the setup goes: [`options_hash`].

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::catalogue::Catalogue;
use crate::setup::Setup;

use super::ascii;

const OPTIONS_TAG: &str = "edgehill/options/1";

/// The hash of scenario, options and described position that a commitment is bound to (docs/record.md):
/// `SHA-256("edgehill/options/1" || text scenario || le32 count || (text id || text value) by id || text position)`,
/// a text being le32(length in bytes) and its bytes, the position its JSON as records write it, empty for none.
#[must_use]
pub fn options_hash(catalogue: &Catalogue, setup: &Setup, position: Option<&Value>) -> [u8; 32] {
    let mut hash = Sha256::new_with_prefix(OPTIONS_TAG);
    let mut text = |text: &str, count: Option<usize>| {
        // Lengths and counts are far below 2^32: ids of a catalogue and positions of a bounded size.
        hash.update((text.len() as u32).to_le_bytes());
        hash.update(text);
        if let Some(count) = count {
            hash.update((count as u32).to_le_bytes());
        }
    };
    let options = setup.written(catalogue);
    let scenario = catalogue.scenarios.get(setup.scenario()).map_or("", |scenario| scenario.id);
    text(scenario, Some(options.len()));
    for (id, value) in &options {
        text(id, None);
        text(value, None);
    }
    text(&position.map(ascii::json).unwrap_or_default(), None);
    hash.finalize().into()
}
