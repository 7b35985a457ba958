//! What is going on.

use edgehill_client::v1;
use edgehill_engine::game::Ending;
use edgehill_engine::view::{Context, Entitlement, Head, NodeView, Window};
use v1::node_view::Node;

use super::Garbled;
use super::reference::{phrase, phrases, reference, rule, seat, seats};
use super::text::kept;
use super::view::step_id;

pub(super) fn head(head: &v1::Head) -> Result<Head, Garbled> {
    let node = head.node.as_ref().and_then(|node| node.node.as_ref());
    let prompt = head.prompt.as_ref().ok_or_else(|| Garbled::missing("prompt"))?;
    Ok(Head {
        node: node_view(node.ok_or_else(|| Garbled::missing("node"))?)?,
        prompt: phrase(prompt)?,
        context: head.context.iter().map(context).collect::<Result<_, _>>()?,
        window: head.window.as_ref().map(window).transpose()?,
        entitlements: head.entitlements.iter().map(entitlement).collect::<Result<_, _>>()?,
        warnings: phrases(&head.warnings)?,
    })
}

/// How a match ended.
pub(crate) fn ending(ending: &v1::Ending) -> Result<Ending, Garbled> {
    Ok(Ending {
        returns: ending.returns.clone(),
        code: kept(&ending.code),
        rule: rule(&ending.rule)?,
        grade: kept(&ending.grade),
    })
}

fn node_view(node: &Node) -> Result<NodeView, Garbled> {
    Ok(match node {
        Node::Decision(who) => NodeView::Decision(seat(*who)?),
        Node::Sealed(sealed) => {
            NodeView::Sealed { owing: seats(&sealed.owing)?, committed: seats(&sealed.committed)? }
        }
        Node::Chance(_) => NodeView::Chance,
        Node::Over(how) => NodeView::Over(ending(how)?),
    })
}

fn context(context: &v1::Context) -> Result<Context, Garbled> {
    let role = |role: &v1::Role| {
        let what = role.what.as_ref().ok_or_else(|| Garbled::missing("what"))?;
        Ok::<_, Garbled>((kept(&role.name), reference(what)?))
    };
    Ok(Context {
        frame: kept(&context.frame),
        rule: rule(&context.rule)?,
        step: u8::try_from(context.step)
            .map_err(|_| Garbled::new(format!("step {} of a procedure", context.step)))?,
        roles: context.roles.iter().map(role).collect::<Result<_, _>>()?,
    })
}

fn window(window: &v1::Window) -> Result<Window, Garbled> {
    Ok(Window {
        code: kept(&window.code),
        rule: rule(&window.rule)?,
        seat: seat(window.seat)?,
        procedure: window.procedure,
        attacked: window.attacked,
        decline: step_id(window.decline)?,
    })
}

fn entitlement(entitlement: &v1::Entitlement) -> Result<Entitlement, Garbled> {
    let what = entitlement.what.as_ref().ok_or_else(|| Garbled::missing("what"))?;
    Ok(Entitlement { seat: seat(entitlement.seat)?, what: phrase(what)?, rule: rule(&entitlement.rule)? })
}
