//! Legal actions, in the detail that a caller wants.

use edgehill_engine::action::ActionId;
use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::render;
use edgehill_proto::v1;
use v1::LegalDetail;

use super::{action, reference};

/// A legal list; `None` for LEGAL_DETAIL_NONE.
#[must_use]
pub fn of(catalogue: &Catalogue, legal: &[ActionId], detail: LegalDetail) -> Option<v1::LegalActions> {
    let mut list = v1::LegalActions { ids: action::ids(legal), ..v1::LegalActions::default() };
    match detail {
        LegalDetail::None => return None,
        LegalDetail::Unspecified | LegalDetail::Ids => {}
        LegalDetail::Notation => {
            list.notations = legal.iter().map(|&id| catalogue.actions.notation(id)).collect();
        }
        LegalDetail::Full => list.actions = legal.iter().map(|&id| full(catalogue, id)).collect(),
    }
    Some(list)
}

/// An action in full.
#[must_use]
pub fn full(catalogue: &Catalogue, id: ActionId) -> v1::LegalAction {
    let verb = catalogue.actions.verb_of(id);
    v1::LegalAction {
        id: id.0.into(),
        verb: verb.map_or_else(String::new, |verb| verb.id.to_owned()),
        kind: verb.map_or(v1::VerbKind::Unspecified, |verb| action::kind(verb.kind)).into(),
        refs: catalogue.actions.get(id).map_or_else(Vec::new, |def| reference::all(&def.refs)),
        notation: catalogue.actions.notation(id),
        text: render::action(catalogue, id),
    }
}
