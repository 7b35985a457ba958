//! The turn state of a view: the node, the flow, entitlements.

use edgehill_engine::reference::Ref;
use edgehill_engine::view::{Entitlement, NodeView, Procedure, TurnState, Window};
use edgehill_proto::v1;
use v1::node_view::Node;

use super::{TextMode, match_result, phrase, reference, seat};

/// A turn state.
#[must_use]
pub fn of(turn_state: &TurnState, words: TextMode<'_>) -> v1::TurnState {
    v1::TurnState {
        node: Some(node(&turn_state.node)),
        prompt: Some(phrase::of(&turn_state.prompt, words)),
        procedures: turn_state.procedures.iter().map(procedure).collect(),
        window: turn_state.window.as_ref().map(window),
        entitlements: turn_state.entitlements.iter().map(|one| entitlement(one, words)).collect(),
        warnings: turn_state.warnings.iter().map(|one| phrase::of(one, words)).collect(),
    }
}

fn node(node: &NodeView) -> v1::NodeView {
    let node = match node {
        NodeView::Decision(seat) => Node::Decision(seat::of(*seat)),
        NodeView::Sealed { to_act, committed } => {
            Node::Sealed(v1::SealedNode { to_act: seat::all(*to_act), committed: seat::all(*committed) })
        }
        NodeView::Chance => Node::Chance(v1::ChanceNode {}),
        NodeView::Over(how) => Node::Over(match_result::of(how)),
    };
    v1::NodeView { node: Some(node) }
}

fn procedure(procedure: &Procedure) -> v1::Procedure {
    let role =
        |&(name, what): &(&str, Ref)| v1::Role { name: name.to_owned(), what: Some(reference::of(what)) };
    v1::Procedure {
        frame: procedure.frame.to_owned(),
        rule: procedure.rule.id().to_owned(),
        stage: procedure.stage.into(),
        roles: procedure.roles.iter().map(role).collect(),
    }
}

fn window(window: &Window) -> v1::Window {
    v1::Window {
        code: window.code.to_owned(),
        rule: window.rule.id().to_owned(),
        seat: seat::of(window.seat),
        procedure: window.procedure,
        attacked: window.attacked,
        pass_action: window.pass_action.0.into(),
    }
}

fn entitlement(entitlement: &Entitlement, words: TextMode<'_>) -> v1::Entitlement {
    v1::Entitlement {
        seat: seat::of(entitlement.seat),
        what: Some(phrase::of(&entitlement.what, words)),
        rule: entitlement.rule.id().to_owned(),
    }
}
