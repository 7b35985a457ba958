//! The head half of a view: the node, the flow, what is owed.

use edgehill_engine::reference::Ref;
use edgehill_engine::view::{Context, Entitlement, Head, NodeView, Window};
use edgehill_proto::v1;
use v1::node_view::Node;

use super::{Words, ending, phrase, reference, seat};

/// A head.
#[must_use]
pub fn of(head: &Head, words: Words<'_>) -> v1::Head {
    v1::Head {
        node: Some(node(&head.node)),
        prompt: Some(phrase::of(&head.prompt, words)),
        context: head.context.iter().map(context).collect(),
        window: head.window.as_ref().map(window),
        entitlements: head.entitlements.iter().map(|one| entitlement(one, words)).collect(),
        warnings: head.warnings.iter().map(|one| phrase::of(one, words)).collect(),
    }
}

fn node(node: &NodeView) -> v1::NodeView {
    let node = match node {
        NodeView::Decision(seat) => Node::Decision(seat::of(*seat)),
        NodeView::Sealed { owing, committed } => {
            Node::Sealed(v1::SealedNode { owing: seat::all(*owing), committed: seat::all(*committed) })
        }
        NodeView::Chance => Node::Chance(v1::ChanceNode {}),
        NodeView::Over(how) => Node::Over(ending::of(how)),
    };
    v1::NodeView { node: Some(node) }
}

fn context(context: &Context) -> v1::Context {
    let role =
        |&(name, what): &(&str, Ref)| v1::Role { name: name.to_owned(), what: Some(reference::of(what)) };
    v1::Context {
        frame: context.frame.to_owned(),
        rule: context.rule.id().to_owned(),
        step: context.step.into(),
        roles: context.roles.iter().map(role).collect(),
    }
}

fn window(window: &Window) -> v1::Window {
    v1::Window {
        code: window.code.to_owned(),
        rule: window.rule.id().to_owned(),
        seat: seat::of(window.seat),
        procedure: window.procedure,
        attacked: window.attacked,
        decline: window.decline.0.into(),
    }
}

fn entitlement(entitlement: &Entitlement, words: Words<'_>) -> v1::Entitlement {
    v1::Entitlement {
        seat: seat::of(entitlement.seat),
        what: Some(phrase::of(&entitlement.what, words)),
        rule: entitlement.rule.id().to_owned(),
    }
}
