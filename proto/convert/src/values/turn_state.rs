//! The turn state of a view: the flow of the game.

use edgehill_engine::game::{MatchResult, Termination};
use edgehill_engine::view::{Entitlement, NodeView, Procedure, TurnState, Window};
use edgehill_proto::v1;
use v1::node_view::Node;

use super::Garbled;
use super::reference::{phrase, phrases, reference, references, rule, seat, seats};
use super::text::kept;
use super::view::action_id;

pub(super) fn turn_state(turn_state: &v1::TurnState) -> Result<TurnState, Garbled> {
    let node = turn_state.node.as_ref().and_then(|node| node.node.as_ref());
    let prompt = turn_state.prompt.as_ref().ok_or_else(|| Garbled::missing("prompt"))?;
    Ok(TurnState {
        node: node_view(node.ok_or_else(|| Garbled::missing("node"))?)?,
        prompt: phrase(prompt)?,
        procedures: turn_state.procedures.iter().map(procedure).collect::<Result<_, _>>()?,
        window: turn_state.window.as_ref().map(window).transpose()?,
        entitlements: turn_state.entitlements.iter().map(entitlement).collect::<Result<_, _>>()?,
        warnings: phrases(&turn_state.warnings)?,
    })
}

/// The result of a match.
///
/// # Errors
/// If no server sends it.
pub fn result(result: &v1::MatchResult) -> Result<MatchResult, Garbled> {
    Ok(MatchResult {
        returns: result.returns.clone(),
        code: kept(&result.code),
        refs: references(&result.refs)?,
        rule: rule(&result.rule)?,
        grade: kept(&result.grade),
        termination: termination(result.termination()),
    })
}

/// The way in which a match was finished, as far as the engine has it: code, rule and returns of the result say the rest.
const fn termination(termination: v1::Termination) -> Termination {
    match termination {
        v1::Termination::Victory => Termination::Victory,
        // One seat's fault, at its cost.
        v1::Termination::Resignation
        | v1::Termination::Time
        | v1::Termination::Absence
        | v1::Termination::Illegal => Termination::Resignation,
        v1::Termination::Agreement | v1::Termination::Void | v1::Termination::Unspecified => {
            Termination::Agreement
        }
    }
}

fn node_view(node: &Node) -> Result<NodeView, Garbled> {
    Ok(match node {
        Node::Decision(to_act) => NodeView::Decision(seat(*to_act)?),
        Node::Sealed(sealed) => {
            NodeView::Sealed { to_act: seats(&sealed.to_act)?, committed: seats(&sealed.committed)? }
        }
        Node::Chance(_) => NodeView::Chance,
        Node::Over(how) => NodeView::Over(result(how)?),
    })
}

fn procedure(procedure: &v1::Procedure) -> Result<Procedure, Garbled> {
    let role = |role: &v1::Role| {
        let what = role.what.as_ref().ok_or_else(|| Garbled::missing("what"))?;
        Ok::<_, Garbled>((kept(&role.name), reference(what)?))
    };
    Ok(Procedure {
        frame: kept(&procedure.frame),
        rule: rule(&procedure.rule)?,
        stage: u8::try_from(procedure.stage)
            .map_err(|_| Garbled::new(format!("stage {} of a procedure", procedure.stage)))?,
        roles: procedure.roles.iter().map(role).collect::<Result<_, _>>()?,
    })
}

fn window(window: &v1::Window) -> Result<Window, Garbled> {
    Ok(Window {
        code: kept(&window.code),
        rule: rule(&window.rule)?,
        seat: seat(window.seat)?,
        procedure: window.procedure,
        attacked: window.attacked,
        pass_action: action_id(window.pass_action)?,
    })
}

fn entitlement(entitlement: &v1::Entitlement) -> Result<Entitlement, Garbled> {
    let what = entitlement.what.as_ref().ok_or_else(|| Garbled::missing("what"))?;
    Ok(Entitlement { seat: seat(entitlement.seat)?, what: phrase(what)?, rule: rule(&entitlement.rule)? })
}
