//! Retreats of a movement month (M14, M22, L9): dislodged stacks go where their side sends them, disband, or are captured.

use smallvec::{SmallVec, smallvec};

use crate::view::{Change, Changes};

use super::super::actions::{leader_ref, space_ref};
use super::super::adjudicator::{
    Adjudication, Dislodged, Dislodgement, Order, RetreatOrder, RetreatOutcome, RetreatPart, Settlement,
    SpaceSet, resolve_retreats,
};
use super::super::codes;
use super::super::flow::{Touch, Umpire, position_of, side};
use super::super::realm::{SIDES, all_leaders};
use super::super::rules;
use super::super::state::draft::{Draft, SideDraft};
use super::super::state::list::List;
use super::super::state::{Place, ReportLine};
use super::super::view;
use super::grounds;

/// A retreat order in a list; the default fills unused places.
#[derive(Clone, Copy, Default)]
struct Sent(Option<RetreatOrder>);

impl Umpire<'_> {
    /// Shows the retreats of both sides and carries them out; then the month ends.
    pub(in super::super) fn settle_retreats(&mut self, side_drafts: &[SideDraft; 2]) {
        let mut orders: List<Sent, 54> = List::default();
        for side_draft in side_drafts {
            let Draft::Parts(entry) = &side_draft.draft else { continue };
            for part in entry.parts.iter() {
                let Order::Move(to) = part.order else { continue };
                orders.push(Sent(Some(RetreatOrder {
                    space: part.space,
                    armies: part.armies,
                    leaders: part.leaders,
                    to: Some(to),
                })));
            }
        }
        if !self.state.driven.is_empty() {
            self.retreat(&orders, view::no_more_drafts(side_drafts));
        }
        self.end_month();
    }

    fn retreat(&mut self, sent: &[Sent], written: impl Iterator<Item = Change>) {
        let adjudication = self.open_adjudication();
        let orders: arrayvec::ArrayVec<RetreatOrder, 54> = sent.iter().filter_map(|sent| sent.0).collect();
        let retreats = resolve_retreats(&adjudication, &orders, self.adjudication_rules())
            .unwrap_or_else(|_| unreachable!("drafts name dislodged units only, each once"));
        let driven = std::mem::take(&mut self.state.driven);
        self.take_position(&retreats.after);
        for leader in all_leaders() {
            if matches!(self.state.leaders[leader.index()], Place::Dislodged(_)) {
                self.state.leaders[leader.index()] = Place::Lost;
                self.state.clocks[leader.index()] = 0;
            }
        }
        if self.out.is_recording() {
            let mut changes: Changes = driven.iter().flat_map(view::no_more_retreat_changes).collect();
            changes.extend(written);
            self.publish_with("retreats_shown", rules::SEALED, &[], changes);
        }
        for part in &retreats.parts {
            let line = retreat_line(part);
            self.state.report.push(line);
            let open = driven.iter().any(|stack| stack.space == line.space && stack.can_retreat());
            self.publish_retreat(part, &line, open);
        }
    }

    /// Returns what the adjudicator needs to know for the retreats, made from the state again.
    fn open_adjudication(&self) -> Adjudication {
        let mut adjudication = Adjudication {
            results: arrayvec::ArrayVec::new(),
            dislodged: arrayvec::ArrayVec::new(),
            standoffs: SpaceSet::EMPTY,
            after: position_of(self.state, self.realm),
            settlement: Settlement::Deduced,
        };
        for stack in self.state.driven.iter() {
            let by = Dislodgement { by: side(stack.seat.other()), from: SpaceSet::EMPTY };
            adjudication.dislodged.push(Dislodged {
                space: stack.space,
                side: side(stack.seat),
                armies: stack.armies,
                leaders: stack.leaders,
                by,
                retreats: stack.to,
                lone_retreats: stack.alone_to,
            });
        }
        adjudication
    }

    /// Publishes a retreat, and who was captured in it; `open`: the stack had somewhere to go.
    fn publish_retreat(&mut self, part: &RetreatPart, line: &ReportLine, open: bool) {
        if !self.out.is_recording() {
            return;
        }
        let code = codes::retreat_code_of(part.outcome);
        let mut touched: SmallVec<[Touch; 4]> = smallvec![Touch::Space(line.space)];
        touched.extend(part.order.to.map(Touch::Space));
        touched.extend(line.leaders.iter().map(Touch::Leader));
        let mut changes = self.changes(&touched, 1);
        changes.push(view::line_change(line));
        let rule = match part.outcome {
            RetreatOutcome::Disbanded if open => rules::MISSING,
            _ => grounds::of_retreat(self.state, line),
        };
        self.publish_with(codes::name(code), rule, &view::order_refs(line), changes);
        let Some(capture) = part.capture else { return };
        let (code, rule) = match capture.code() {
            "clash" => ("captured.clash", rules::CLASH),
            "third" => ("captured.third", rules::THIRD),
            _ if part.order.armies > 0 => ("captured.no_retreat", rules::STACK_LEADERS),
            _ => ("captured.no_retreat", rules::LONE_RETREAT),
        };
        for leader in part.captured.iter() {
            let refs = [leader_ref(leader), space_ref(line.space)];
            self.publish(code, rule, &refs, &[Touch::Leader(leader)]);
        }
    }
}

fn retreat_line(part: &RetreatPart) -> ReportLine {
    let RetreatOrder { space, armies, leaders, to } = part.order;
    ReportLine {
        seat: SIDES[part.side.index()],
        space,
        armies,
        leaders,
        order: to.map_or(Order::Hold, Order::Move),
        retreat: true,
        code: codes::retreat_code_of(part.outcome),
        strength: 0,
        left: 0,
        dislodged: false,
    }
}
