use std::sync::Arc;

use edgehill_engine::action::ActionId;
use edgehill_engine::game::CONTRACT;
use edgehill_engine::reference::{Location, Ref};
use edgehill_engine::render;
use edgehill_engine::seat::{Observer, SeatSet};
use edgehill_engine::view::{HiddenSets, NodeView, PassScope, TurnState, View};

use crate::sample::{BATTLE, KING, PARLIAMENT, board, catalogue, sample};

/// Every single change of an entry, a number or a field shows in the text.
#[test]
fn nothing_of_a_view_is_left_out() {
    let catalogue = catalogue();
    let before = sample();
    let text = render::view(&catalogue, &before);
    for (index, change) in alterations().iter().enumerate() {
        let mut after = before.clone();
        change(&mut after);
        assert_ne!(after, before, "alteration {index} alters nothing");
        assert_ne!(render::view(&catalogue, &after), text, "alteration {index} can't be seen in\n{text}");
    }
}

type Alteration = Box<dyn Fn(&mut View)>;

fn alterations() -> Vec<Alteration> {
    let mut list: Vec<Alteration> = Vec::new();
    for id in [0, 1] {
        list.push(Box::new(move |view| {
            view.board.pieces.remove(&id);
        }));
        list.push(Box::new(move |view| view.board.pieces.get_mut(&id).unwrap().flags ^= 1 << 7));
        list.push(Box::new(move |view| view.board.pieces.get_mut(&id).unwrap().kind ^= 1));
        list.push(Box::new(move |view| view.board.pieces.get_mut(&id).unwrap().at = Location::Mat(0)));
        list.push(Box::new(move |view| {
            view.board.pieces.get_mut(&id).unwrap().from = Some(Location::Mat(0))
        }));
        list.push(Box::new(move |view| view.board.pieces.get_mut(&id).unwrap().owner = Some(PARLIAMENT)));
    }
    let board = board();
    for (key, _) in board.groups.into_tuple_vec() {
        list.push(Box::new(move |view| *view.board.groups.get_mut(&key).unwrap() += 1));
        list.push(Box::new(move |view| {
            view.board.groups.remove(&key);
        }));
    }
    for (key, _) in board.markers.into_tuple_vec() {
        list.push(Box::new(move |view| *view.board.markers.get_mut(&key).unwrap() += 1));
        list.push(Box::new(move |view| {
            view.board.markers.remove(&key);
        }));
    }
    for id in [0, 1, 2] {
        list.push(Box::new(move |view| view.board.piles.get_mut(&id).unwrap().count += 1));
        list.push(Box::new(move |view| view.board.piles.get_mut(&id).unwrap().cards.push(1)));
        list.push(Box::new(move |view| {
            view.board.piles.remove(&id);
        }));
    }
    for (key, _) in board.arrows.into_tuple_vec() {
        list.push(Box::new(move |view| {
            view.board.arrows.remove(&key);
        }));
        list.push(Box::new(move |view| view.board.arrows.get_mut(&key).unwrap().result = Some("taken")));
        list.push(Box::new(move |view| view.board.arrows.get_mut(&key).unwrap().refs.push(Ref::Number(77))));
    }
    list.extend(head_alterations());
    list.extend(knowledge_alterations());
    list
}

fn head_alterations() -> Vec<Alteration> {
    vec![
        Box::new(|view| view.observer = Observer::Seat(PARLIAMENT)),
        Box::new(|view| turn_state(view).node = NodeView::Decision(PARLIAMENT)),
        Box::new(|view| turn_state(view).prompt.refs[2] = Ref::Number(8)),
        Box::new(|view| turn_state(view).prompt.code = "other"),
        Box::new(|view| turn_state(view).procedures[0].roles[0].1 = Ref::Number(4)),
        Box::new(|view| turn_state(view).procedures[0].roles[0].0 = "ordinal"),
        Box::new(|view| turn_state(view).procedures[1].stage = 3),
        Box::new(|view| turn_state(view).procedures[1].rule = CONTRACT),
        Box::new(|view| turn_state(view).procedures.truncate(1)),
        Box::new(|view| turn_state(view).window = None),
        Box::new(|view| turn_state(view).window.as_mut().unwrap().attacked = false),
        Box::new(|view| turn_state(view).window.as_mut().unwrap().procedure = 6),
        Box::new(|view| turn_state(view).window.as_mut().unwrap().pass_action = ActionId(1)),
        Box::new(|view| turn_state(view).window.as_mut().unwrap().rule = BATTLE),
        Box::new(|view| turn_state(view).entitlements.clear()),
        Box::new(|view| turn_state(view).entitlements[0].rule = BATTLE),
        Box::new(|view| turn_state(view).entitlements[0].what.refs[0] = Ref::Number(3)),
        Box::new(|view| turn_state(view).entitlements[0].seat = PARLIAMENT),
        Box::new(|view| turn_state(view).warnings.clear()),
        Box::new(|view| view.calls.draw_offers = SeatSet::EMPTY),
        Box::new(|view| view.calls.standing.truncate(1)),
        Box::new(|view| view.calls.standing[0].window = None),
        Box::new(|view| view.calls.standing[0].scope = PassScope::Always),
        Box::new(|view| view.calls.undoable = 1),
        Box::new(|view| view.draft.truncate(1)),
        Box::new(|view| view.draft[0] = ActionId(0)),
    ]
}

fn knowledge_alterations() -> Vec<Alteration> {
    vec![
        Box::new(|view| view.known = HiddenSets::default()),
        Box::new(|view| Arc::make_mut(&mut view.known)[0].by = None),
        Box::new(|view| Arc::make_mut(&mut view.known)[0].owner = Some(KING)),
        Box::new(|view| Arc::make_mut(&mut view.known)[0].owner = None),
        Box::new(|view| Arc::make_mut(&mut view.known)[0].faces[0].1 = None),
        Box::new(|view| Arc::make_mut(&mut view.known)[0].faces.truncate(1)),
        Box::new(|view| Arc::make_mut(&mut view.known)[0].places[0].1 = 1),
        Box::new(|view| Arc::make_mut(&mut view.known)[0].places[0].0.at = Location::Mat(0)),
        Box::new(|view| Arc::make_mut(&mut view.known)[0].facts.clear()),
    ]
}

fn turn_state(view: &mut View) -> &mut TurnState {
    Arc::make_mut(&mut view.turn_state)
}
