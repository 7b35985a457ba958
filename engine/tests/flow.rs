//! The stack of procedures and the agenda: what a rule that goes beyond its declaration is told.

use edgehill_engine::codec::{Coding, DecodeError, Reader, Writer};
use edgehill_engine::flow::{Agenda, Frames, NamedFrame};

/// A procedure of a game that needs no more of it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Frame {
    Turn,
    March,
    Battle,
}

const ALL: [Frame; 3] = [Frame::Turn, Frame::March, Frame::Battle];

impl NamedFrame for Frame {
    fn name(&self) -> &'static str {
        ["turn", "march", "battle"][*self as usize]
    }
}

impl Coding<()> for Frame {
    type Value = Self;

    fn encode(value: &Self, to: &mut Writer) {
        to.u8(*value as u8);
    }

    fn decode((): &(), from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        from.below(ALL.len() as u8, "a frame").map(|frame| ALL[usize::from(frame)])
    }
}

fn frames<const N: usize>(open: &[Frame]) -> Frames<Frame, N> {
    let mut frames = Frames::default();
    open.iter().for_each(|&frame| frames.open(frame));
    frames
}

fn bytes<const N: usize>(open: &[Frame]) -> Vec<u8> {
    let mut to = Writer::new();
    <Frames<Frame, N> as Coding<()>>::encode(&frames(open), &mut to);
    to.finish()
}

#[test]
fn frames_lie_as_deep_as_is_declared() {
    let mut frames = frames::<3>(&ALL);
    assert_eq!((frames.len(), frames.top()), (3, Some(&Frame::Battle)));
    frames.close();
    frames.open(Frame::Battle);
    assert!(frames.iter().eq(&ALL), "one that gives way to another makes room for it");
}

#[test]
#[should_panic(
    expected = "the frame `battle` at depth 3 is deeper than the 2 that are declared: it would lie in turn > march"
)]
fn a_frame_that_lies_too_deep_is_named_with_its_path() {
    frames::<2>(&ALL);
}

#[test]
fn an_agenda_takes_as_much_as_is_declared() {
    let mut agenda = Agenda::<Frame, 2>::default();
    agenda.owe(Frame::March);
    agenda.owe(Frame::Battle);
    assert_eq!(agenda.take(), Some(Frame::March));
    agenda.owe(Frame::Turn);
    assert!(agenda.iter().eq(&[Frame::Battle, Frame::Turn]), "the oldest made room");
}

#[test]
#[should_panic(expected = "Turn is number 3 that is owed, of 2 that are declared, behind [March, Battle]")]
fn what_is_owed_beyond_the_agenda_is_shown() {
    let mut agenda = Agenda::<Frame, 2>::default();
    [Frame::March, Frame::Battle, Frame::Turn].into_iter().for_each(|item| agenda.owe(item));
}

#[test]
fn the_room_that_is_declared_is_no_part_of_the_encoding() {
    let open = [Frame::Turn, Frame::March];
    assert_eq!(bytes::<2>(&open), bytes::<16>(&open));
    let deep = bytes::<3>(&ALL);
    let read = <Frames<Frame, 2> as Coding<()>>::decode(&(), &mut Reader::new(&deep));
    assert!(read.is_err(), "more than there is room for is refused");
}
