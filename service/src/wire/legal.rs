//! The legal actions that a caller wants: in which detail, and which of them.

use edgehill_engine::action::{ACTION_REFS_MAX, ActionId};
use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::reference::Ref;
use edgehill_proto::v1;
use v1::LegalDetail;

use super::{Refused, reference, refused};

/// Reads a detail; `default` is what the field means where nothing is given, and `field` is its name.
///
/// # Errors
/// INVALID_FIELD for a value that this server does not know.
pub fn detail(given: i32, default: LegalDetail, field: &str) -> Result<LegalDetail, Refused> {
    match LegalDetail::try_from(given) {
        Ok(LegalDetail::Unspecified) => Ok(default),
        Ok(detail) => Ok(detail),
        Err(_) => Err(Refused::field(
            field,
            "expected LEGAL_DETAIL_NONE, LEGAL_DETAIL_IDS, LEGAL_DETAIL_NOTATION or LEGAL_DETAIL_FULL",
        )),
    }
}

/// The legal actions that a caller asks for: all of the verbs and references that they name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LegalFilter {
    /// Indices into the table's verbs; empty: any.
    verbs: Vec<u8>,
    /// All of which an action is about.
    refs: Vec<Ref>,
}

impl LegalFilter {
    /// Reads the fields `verbs` and `refs`.
    ///
    /// # Errors
    /// INVALID_FIELD for a verb or a thing that the game does not have, and for more references than an action has.
    pub fn read(catalogue: &Catalogue, verbs: &[String], refs: &[v1::Ref]) -> Result<Self, Refused> {
        let known = catalogue.actions.verbs();
        let mut filter = Self::default();
        for (index, given) in verbs.iter().enumerate() {
            let Some(verb) = known.iter().position(|verb| verb.id == given) else {
                let ids: Vec<&str> = known.iter().map(|verb| verb.id).collect();
                let what = format!("`{}`: expected one of {}", refused::shown(given), ids.join(", "));
                return Err(Refused::field(format!("verbs[{index}]"), what));
            };
            // A table has fewer than 256 verbs: each action keeps its verb's index in a byte.
            filter.verbs.push(verb as u8);
        }
        if refs.len() > ACTION_REFS_MAX {
            let what = format!("expected at most {ACTION_REFS_MAX} references, found {}", refs.len());
            return Err(Refused::field("refs", what));
        }
        for (index, given) in refs.iter().enumerate() {
            let bad = |what: String| Refused::field(format!("refs[{index}]"), what);
            let what = reference::read(given).map_err(|fault| bad(fault.to_string()))?;
            reference::check(catalogue, what).map_err(bad)?;
            filter.refs.push(what);
        }
        Ok(filter)
    }

    /// Returns whether an action is among those asked for.
    #[must_use]
    pub fn admits(&self, catalogue: &Catalogue, action: ActionId) -> bool {
        catalogue.actions.get(action).is_some_and(|def| {
            let verb = self.verbs.is_empty() || self.verbs.contains(&def.verb);
            verb && self.refs.iter().all(|what| def.refs.contains(what))
        })
    }
}
