//! Declaration of a game's procedures ([`frames!`](crate::frames)): of each the variant, its bounded encoding, who is asked, its name
//! and rule, and the roles that tell it in a view, both ways.
//!
//! A procedure is then spelled where it is declared, and in the file that plays it.

use crate::codec::{Coding, DecodeError, Flagged, Reader, Writer};
use crate::reference::Ref;
use crate::seat::{Seat, SeatSet};
use crate::view::Procedure;

/// A kind of field of a procedure: its values with their bounds and bytes ([`Coding`]), and the roles that tell them.
pub trait FrameField<C>: Coding<C> {
    /// True of a field that is told after all others.
    const LAST: bool = false;

    /// True of a field that is wider than a byte: it stands behind the bytes that each procedure of the game has.
    const WIDE: bool = false;

    /// Tells a value by a role; `own`: to the seat that the procedure asks.
    fn tell(content: &C, value: &Self::Value, role: &'static str, own: bool, to: &mut Procedure);

    /// The value that a procedure tells; `None` if it tells none.
    fn read(content: &C, role: &str, of: &Procedure) -> Option<Self::Value>;
}

/// The bytes of a procedure's fields: so many for each procedure of the game, then what is wider.
#[derive(Debug)]
pub struct FieldBytes {
    /// Offset behind them.
    end: usize,
}

impl FieldBytes {
    /// So many, from the writer's present place.
    #[must_use]
    pub const fn to(to: &Writer, bytes: usize) -> Self {
        Self { end: to.len() + bytes }
    }

    /// So many, from the reader's present place.
    #[must_use]
    pub const fn of(from: &Reader<'_>, bytes: usize) -> Self {
        Self { end: from.at() + bytes }
    }

    /// Fills those that no field uses.
    pub fn fill(&self, to: &mut Writer) {
        (to.len()..self.end).for_each(|_| to.u8(0));
    }

    /// Passes those that no field uses.
    ///
    /// # Errors
    /// If one of them is not 0.
    pub fn pass(&self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        (from.at()..self.end).try_for_each(|_| from.below(1, "an unused field").map(drop))
    }
}

/// A seat of two.
#[derive(Debug)]
pub enum Side {}

impl<C> Coding<C> for Side {
    type Value = Seat;

    fn encode(value: &Seat, to: &mut Writer) {
        to.u8(value.index() as u8);
    }

    fn decode(_: &C, from: &mut Reader<'_>) -> Result<Seat, DecodeError> {
        from.below(2, "a seat").map(Seat::new)
    }
}

impl<C> FrameField<C> for Side {
    fn tell(_: &C, &value: &Seat, role: &'static str, _: bool, to: &mut Procedure) {
        to.roles.push((role, Ref::Seat(value)));
    }

    fn read(_: &C, role: &str, of: &Procedure) -> Option<Seat> {
        if let Some(Ref::Seat(seat)) = of.role(role) { Some(seat) } else { None }
    }
}

/// A set of seats, of two.
#[derive(Debug)]
pub enum Seats {}

impl<C> Coding<C> for Seats {
    type Value = SeatSet;

    fn encode(value: &SeatSet, to: &mut Writer) {
        to.u8(value.iter().fold(0, |bits, seat| bits | 1 << seat.index()));
    }

    fn decode(_: &C, from: &mut Reader<'_>) -> Result<SeatSet, DecodeError> {
        let bits = from.below(4, "a set of seats")?;
        let seats = SeatSet::first(2).iter().filter(|seat| bits >> seat.index() & 1 != 0);
        Ok(seats.fold(SeatSet::EMPTY, SeatSet::with))
    }
}

/// A number below `BOUND`.
#[derive(Debug)]
pub enum Count<const BOUND: u8 = { u8::MAX }> {}

impl<C, const BOUND: u8> Coding<C> for Count<BOUND> {
    type Value = u8;

    fn encode(value: &u8, to: &mut Writer) {
        to.u8(*value);
    }

    fn decode(_: &C, from: &mut Reader<'_>) -> Result<u8, DecodeError> {
        from.below(BOUND, "a number within its bounds")
    }
}

impl<C, const BOUND: u8> FrameField<C> for Count<BOUND> {
    fn tell(_: &C, &value: &u8, role: &'static str, _: bool, to: &mut Procedure) {
        to.roles.push((role, Ref::Number(value.into())));
    }

    fn read(_: &C, role: &str, of: &Procedure) -> Option<u8> {
        number(role, of).map(|number| number as u8)
    }
}

impl<C> FrameField<C> for bool {
    fn tell(_: &C, &value: &bool, role: &'static str, _: bool, to: &mut Procedure) {
        to.roles.push((role, Ref::Number(value.into())));
    }

    fn read(_: &C, role: &str, of: &Procedure) -> Option<bool> {
        number(role, of).map(|number| number != 0)
    }
}

/// The stage that the procedure has reached, a number below `BOUND`: no role tells it.
#[derive(Debug)]
pub enum Stage<const BOUND: u8> {}

impl<C, const BOUND: u8> Coding<C> for Stage<BOUND> {
    type Value = u8;

    fn encode(value: &u8, to: &mut Writer) {
        to.u8(*value);
    }

    fn decode(_: &C, from: &mut Reader<'_>) -> Result<u8, DecodeError> {
        from.below(BOUND, "a stage")
    }
}

impl<C, const BOUND: u8> FrameField<C> for Stage<BOUND> {
    fn tell(_: &C, &value: &u8, _: &'static str, _: bool, to: &mut Procedure) {
        to.stage = value;
    }

    fn read(_: &C, _: &str, of: &Procedure) -> Option<u8> {
        Some(of.stage)
    }
}

/// A value that the procedure reaches with its second stage.
#[derive(Debug)]
pub struct Reached<K>(std::marker::PhantomData<K>);

impl<C, K: Coding<C>> Coding<C> for Reached<K> {
    type Value = Option<K::Value>;

    fn encode(value: &Self::Value, to: &mut Writer) {
        Flagged::<K>::encode(value, to);
    }

    fn decode(content: &C, from: &mut Reader<'_>) -> Result<Self::Value, DecodeError> {
        Flagged::<K>::decode(content, from)
    }
}

impl<C, K: FrameField<C>> FrameField<C> for Reached<K> {
    const WIDE: bool = true;

    fn tell(content: &C, value: &Self::Value, role: &'static str, own: bool, to: &mut Procedure) {
        if let Some(value) = value {
            to.stage = 1;
            K::tell(content, value, role, own, to);
        }
    }

    fn read(content: &C, role: &str, of: &Procedure) -> Option<Self::Value> {
        if of.stage == 0 { Some(None) } else { K::read(content, role, of).map(Some) }
    }
}

/// A value that is told to the seat that the procedure asks, and to nobody else, after all other fields.
#[derive(Debug)]
pub struct Own<K>(std::marker::PhantomData<K>);

/// Values that may be kept from a view: then something stands in their place.
pub trait Untold {
    /// The value that a procedure has for those whom it isn't told.
    const UNTOLD: Self;
}

impl<T> Untold for Option<T> {
    const UNTOLD: Self = None;
}

impl<C, K: Coding<C>> Coding<C> for Own<K> {
    type Value = K::Value;

    fn encode(value: &Self::Value, to: &mut Writer) {
        K::encode(value, to);
    }

    fn decode(content: &C, from: &mut Reader<'_>) -> Result<Self::Value, DecodeError> {
        K::decode(content, from)
    }
}

impl<C, K: FrameField<C>> FrameField<C> for Own<K>
where
    K::Value: Untold,
{
    const LAST: bool = true;
    const WIDE: bool = K::WIDE;

    fn tell(content: &C, value: &Self::Value, role: &'static str, own: bool, to: &mut Procedure) {
        if own {
            K::tell(content, value, role, own, to);
        }
    }

    fn read(content: &C, role: &str, of: &Procedure) -> Option<Self::Value> {
        K::read(content, role, of).or(Some(K::Value::UNTOLD))
    }
}

/// The number that takes a role.
fn number(role: &str, of: &Procedure) -> Option<i32> {
    if let Some(Ref::Number(number)) = of.role(role) { Some(number) } else { None }
}

/// Declares the procedures of a game, each once: its tag in encodings, name, label, rule, fields with their kinds
/// ([`FrameField`]) in the order of their bytes, and the field that holds the seat it asks (`asks FIELD`), or the
/// seat that it always asks (`for SEAT`). A field's role is its name, or what stands behind `as`.
///
/// It gives the enum, with `encode` and `decode`, `asked`, `procedure` and `read` (a view's context both ways), `NAMES` with the name and
/// label of each, and the name of each frame ([`NamedFrame`](crate::flow::NamedFrame)).
#[macro_export]
macro_rules! frames {
    (
        $(#[$meta:meta])*
        $vis:vis enum $Frame:ident of $Content:ty, $bytes:literal bytes {
            $(
                $(#[$about:meta])*
                $tag:literal $name:literal $label:literal ($rule:expr)
                $Variant:ident $({ $($field:ident $(as $role:literal)? : $Kind:ty),+ $(,)? })?
                $(asks $asked:ident)? $(for $seat:path)?
            ),+ $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Copy, Clone, PartialEq, Eq, Debug)]
        $vis enum $Frame {
            $(
                $(#[$about])*
                $Variant $({ $($field: <$Kind as $crate::codec::Coding<$Content>>::Value),+ })?
            ),+
        }

        impl $Frame {
            /// Name and label of each procedure.
            $vis const NAMES: &[(&'static str, &'static str)] = &[$(($name, $label)),+];

            /// Writes the canonical encoding: a tag, then the fields.
            $vis fn encode(&self, to: &mut $crate::codec::Writer) {
                match *self {
                    $(
                        Self::$Variant { $($($field),+)? } => {
                            to.u8($tag);
                            let bytes = $crate::flow::FieldBytes::to(to, $bytes);
                            $($(
                                if <$Kind as $crate::flow::FrameField<$Content>>::WIDE {
                                    bytes.fill(to);
                                }
                                <$Kind as $crate::codec::Coding<$Content>>::encode(&$field, to);
                            )+)?
                            bytes.fill(to);
                        }
                    ),+
                }
            }

            /// Reads an encoding.
            ///
            /// # Errors
            /// If it has no such tag, or a field is out of its bounds.
            $vis fn decode(
                content: &$Content,
                from: &mut $crate::codec::Reader<'_>,
            ) -> Result<Self, $crate::codec::DecodeError> {
                let error = from.error("a procedure");
                let tag = from.u8()?;
                let bytes = $crate::flow::FieldBytes::of(from, $bytes);
                let frame = match tag {
                    $(
                        $tag => Self::$Variant {
                            $($($field: {
                                if <$Kind as $crate::flow::FrameField<$Content>>::WIDE {
                                    bytes.pass(from)?;
                                }
                                <$Kind as $crate::codec::Coding<$Content>>::decode(content, from)?
                            }),+)?
                        },
                    )+
                    _ => return Err(error),
                };
                bytes.pass(from)?;
                Ok(frame)
            }

            /// The seat that the procedure asks, if its declaration says so.
            $vis const fn asked(&self) -> Option<$crate::seat::Seat> {
                match *self {
                    $($(Self::$Variant { $asked, .. } => Some($asked),)?)+
                    $($(Self::$Variant { .. } => Some($seat),)?)+
                    #[allow(unreachable_patterns, reason = "every procedure may ask")]
                    _ => None,
                }
            }

            /// The procedure as an observer is told of it.
            #[allow(unused_variables, reason = "a procedure without fields")]
            $vis fn procedure(&self, content: &$Content, observer: $crate::seat::Observer) -> $crate::view::Procedure {
                let own = self.asked().is_some_and(|seat| observer.is(seat));
                let of = |frame, rule| $crate::view::Procedure { frame, rule, stage: 0, roles: $crate::view::Roles::new() };
                match *self {
                    $(
                        Self::$Variant { $($($field),+)? } => {
                            #[allow(unused_mut, reason = "a procedure without fields")]
                            let mut procedure = of($name, $rule);
                            $($(
                                if !<$Kind as $crate::flow::FrameField<$Content>>::LAST {
                                    let role = $crate::frames!(@role $field $($role)?);
                                    <$Kind as $crate::flow::FrameField<$Content>>::tell(content, &$field, role, own, &mut procedure);
                                }
                            )+
                            $(
                                if <$Kind as $crate::flow::FrameField<$Content>>::LAST {
                                    let role = $crate::frames!(@role $field $($role)?);
                                    <$Kind as $crate::flow::FrameField<$Content>>::tell(content, &$field, role, own, &mut procedure);
                                }
                            )+)?
                            procedure
                        }
                    ),+
                }
            }

            /// The frame that a view tells of; `None` if it tells too little.
            #[allow(unused_variables, reason = "a game whose procedures have no fields")]
            $vis fn read(content: &$Content, procedure: &$crate::view::Procedure) -> Option<Self> {
                Some(match procedure.frame {
                    $(
                        $name => Self::$Variant {
                            $($($field: <$Kind as $crate::flow::FrameField<$Content>>::read(
                                content,
                                $crate::frames!(@role $field $($role)?),
                                procedure,
                            )?),+)?
                        },
                    )+
                    _ => return None,
                })
            }
        }

        impl $crate::flow::NamedFrame for $Frame {
            fn name(&self) -> &'static str {
                match self {
                    $(Self::$Variant { .. } => $name),+
                }
            }
        }

        impl $crate::codec::Coding<$Content> for $Frame {
            type Value = Self;

            fn encode(value: &Self, to: &mut $crate::codec::Writer) {
                value.encode(to);
            }

            fn decode(
                content: &$Content,
                from: &mut $crate::codec::Reader<'_>,
            ) -> Result<Self, $crate::codec::DecodeError> {
                Self::decode(content, from)
            }
        }
    };
    (@role $field:ident $role:literal) => { $role };
    (@role $field:ident) => { stringify!($field) };
}

/// Declares kinds of fields of one byte, of the content that is named first: how a value is read with its bounds, what takes the role
/// (`None`: nothing does), and the value that a procedure tells. `(true)` behind a kind: it is told after all others.
#[macro_export]
macro_rules! byte_fields {
    (
        of $Content:ty;
        $(
            $(#[$about:meta])*
            $Kind:ident $(($last:literal))?: $decode:expr, $tell:expr, $read:expr;
        )+
    ) => {
        $(
            $(#[$about])*
            pub(super) enum $Kind {}

            impl $crate::codec::Coding<$Content> for $Kind {
                type Value = u8;

                fn encode(value: &u8, to: &mut $crate::codec::Writer) {
                    to.u8(*value);
                }

                fn decode(
                    content: &$Content,
                    from: &mut $crate::codec::Reader<'_>,
                ) -> Result<u8, $crate::codec::DecodeError> {
                    type Decode =
                        fn(&$Content, &mut $crate::codec::Reader<'_>) -> Result<u8, $crate::codec::DecodeError>;
                    let decode: Decode = $decode;
                    decode(content, from)
                }
            }

            impl $crate::flow::FrameField<$Content> for $Kind {
                $(const LAST: bool = $last;)?

                fn tell(
                    content: &$Content,
                    value: &u8,
                    role: &'static str,
                    own: bool,
                    to: &mut $crate::view::Procedure,
                ) {
                    let tell: fn(&$Content, u8, bool) -> Option<$crate::reference::Ref> = $tell;
                    to.roles.extend(tell(content, *value, own).map(|what| (role, what)));
                }

                fn read(content: &$Content, role: &str, of: &$crate::view::Procedure) -> Option<u8> {
                    let read: fn(&$Content, &str, &$crate::view::Procedure) -> Option<u8> = $read;
                    read(content, role, of)
                }
            }
        )+
    };
}
