//! Declaration of a game's procedures ([`frames!`](crate::frames)): of each the variant, its bounded encoding, who is asked, its name
//! and rule, and the roles that tell it in a view, both ways.
//!
//! A procedure is then spelled where it is declared, and in the file that plays it.

use crate::codec::{DecodeError, Reader, Writer};
use crate::reference::Ref;
use crate::seat::Seat;
use crate::view::Procedure;

/// A kind of field of a procedure: its values with their bounds, their bytes, and the roles that tell them. `C` is what the bounds
/// come from: the content of a game.
pub trait FrameField<C> {
    /// The values of such a field.
    type Value: Copy;

    /// True of a field that is told after all others.
    const LAST: bool = false;

    /// Writes a value.
    fn encode(value: Self::Value, to: &mut FieldWriter<'_>);

    /// Reads a value.
    ///
    /// # Errors
    /// If it is out of bounds.
    fn decode(content: &C, from: &mut FieldReader<'_, '_>) -> Result<Self::Value, DecodeError>;

    /// Tells a value by a role; `own`: to the seat that the procedure asks.
    fn tell(content: &C, value: Self::Value, role: &'static str, own: bool, to: &mut Procedure);

    /// The value that a procedure tells; `None` if it tells none.
    fn read(content: &C, role: &str, of: &Procedure) -> Option<Self::Value>;
}

/// Writes the fields of a frame: bytes, up to so many as all frames of the game have, then what is wider.
#[derive(Debug)]
pub struct FieldWriter<'w> {
    to: &'w mut Writer,
    unused: usize,
}

impl<'w> FieldWriter<'w> {
    /// The fields of a frame of which all have `bytes` bytes before wider fields.
    pub const fn new(to: &'w mut Writer, bytes: usize) -> Self {
        Self { to, unused: bytes }
    }

    /// One byte.
    pub fn byte(&mut self, value: u8) {
        self.unused = self.unused.saturating_sub(1);
        self.to.u8(value);
    }

    /// The place of a field that is wider than a byte, behind all bytes.
    pub fn wide(&mut self) -> &mut Writer {
        (0..std::mem::take(&mut self.unused)).for_each(|_| self.to.u8(0));
        self.to
    }
}

/// Reads what a [`FieldWriter`] wrote.
#[derive(Debug)]
pub struct FieldReader<'r, 'b> {
    from: &'r mut Reader<'b>,
    unused: usize,
}

impl<'r, 'b> FieldReader<'r, 'b> {
    /// The fields of a frame of which all have `bytes` bytes before wider fields.
    pub const fn new(from: &'r mut Reader<'b>, bytes: usize) -> Self {
        Self { from, unused: bytes }
    }

    /// One byte.
    ///
    /// # Errors
    /// At the end of the bytes.
    pub fn byte(&mut self) -> Result<u8, DecodeError> {
        self.unused = self.unused.saturating_sub(1);
        self.from.u8()
    }

    /// An error at the present place.
    #[must_use]
    pub const fn error(&self, expected: &'static str) -> DecodeError {
        self.from.error(expected)
    }

    /// One byte below `bound`.
    ///
    /// # Errors
    /// If it is not below `bound`.
    pub fn below(&mut self, bound: u8, expected: &'static str) -> Result<u8, DecodeError> {
        self.unused = self.unused.saturating_sub(1);
        self.from.below(bound, expected)
    }

    /// The place of a field that is wider than a byte, behind all bytes.
    ///
    /// # Errors
    /// If a byte that no field uses is not 0.
    pub fn wide(&mut self) -> Result<&mut Reader<'b>, DecodeError> {
        for _ in 0..std::mem::take(&mut self.unused) {
            self.from.below(1, "an unused field")?;
        }
        Ok(self.from)
    }
}

/// A seat of two.
#[derive(Debug)]
pub enum Side {}

impl<C> FrameField<C> for Side {
    type Value = Seat;

    fn encode(value: Seat, to: &mut FieldWriter<'_>) {
        to.byte(value.index() as u8);
    }

    fn decode(_: &C, from: &mut FieldReader<'_, '_>) -> Result<Seat, DecodeError> {
        from.below(2, "a seat").map(Seat::new)
    }

    fn tell(_: &C, value: Seat, role: &'static str, _: bool, to: &mut Procedure) {
        to.roles.push((role, Ref::Seat(value)));
    }

    fn read(_: &C, role: &str, of: &Procedure) -> Option<Seat> {
        if let Some(Ref::Seat(seat)) = of.role(role) { Some(seat) } else { None }
    }
}

/// A number below `BOUND`.
#[derive(Debug)]
pub enum Count<const BOUND: u8 = { u8::MAX }> {}

impl<C, const BOUND: u8> FrameField<C> for Count<BOUND> {
    type Value = u8;

    fn encode(value: u8, to: &mut FieldWriter<'_>) {
        to.byte(value);
    }

    fn decode(_: &C, from: &mut FieldReader<'_, '_>) -> Result<u8, DecodeError> {
        from.below(BOUND, "a number within its bounds")
    }

    fn tell(_: &C, value: u8, role: &'static str, _: bool, to: &mut Procedure) {
        to.roles.push((role, Ref::Number(value.into())));
    }

    fn read(_: &C, role: &str, of: &Procedure) -> Option<u8> {
        number(role, of).map(|number| number as u8)
    }
}

/// A fact that holds or not.
#[derive(Debug)]
pub enum Flag {}

impl<C> FrameField<C> for Flag {
    type Value = bool;

    fn encode(value: bool, to: &mut FieldWriter<'_>) {
        to.byte(value.into());
    }

    fn decode(_: &C, from: &mut FieldReader<'_, '_>) -> Result<bool, DecodeError> {
        from.below(2, "a flag").map(|value| value == 1)
    }

    fn tell(_: &C, value: bool, role: &'static str, _: bool, to: &mut Procedure) {
        to.roles.push((role, Ref::Number(value.into())));
    }

    fn read(_: &C, role: &str, of: &Procedure) -> Option<bool> {
        number(role, of).map(|number| number != 0)
    }
}

/// The stage that the procedure has reached, a number below `BOUND`: no role tells it.
#[derive(Debug)]
pub enum Stage<const BOUND: u8> {}

impl<C, const BOUND: u8> FrameField<C> for Stage<BOUND> {
    type Value = u8;

    fn encode(value: u8, to: &mut FieldWriter<'_>) {
        to.byte(value);
    }

    fn decode(_: &C, from: &mut FieldReader<'_, '_>) -> Result<u8, DecodeError> {
        from.below(BOUND, "a stage")
    }

    fn tell(_: &C, value: u8, _: &'static str, _: bool, to: &mut Procedure) {
        to.stage = value;
    }

    fn read(_: &C, _: &str, of: &Procedure) -> Option<u8> {
        Some(of.stage)
    }
}

/// A value that the procedure reaches with its second stage.
#[derive(Debug)]
pub enum Reached<K> {
    /// No value of this type is ever made.
    #[doc(hidden)]
    Never(std::convert::Infallible, std::marker::PhantomData<K>),
}

impl<C, K: FrameField<C>> FrameField<C> for Reached<K> {
    type Value = Option<K::Value>;

    fn encode(value: Self::Value, to: &mut FieldWriter<'_>) {
        to.wide().bool(value.is_some());
        if let Some(value) = value {
            K::encode(value, to);
        }
    }

    fn decode(content: &C, from: &mut FieldReader<'_, '_>) -> Result<Self::Value, DecodeError> {
        if from.wide()?.bool()? { K::decode(content, from).map(Some) } else { Ok(None) }
    }

    fn tell(content: &C, value: Self::Value, role: &'static str, own: bool, to: &mut Procedure) {
        if let Some(value) = value {
            to.stage = 1;
            K::tell(content, value, role, own, to);
        }
    }

    fn read(content: &C, role: &str, of: &Procedure) -> Option<Self::Value> {
        if of.stage == 0 { Some(None) } else { K::read(content, role, of).map(Some) }
    }
}

/// The number that takes a role.
fn number(role: &str, of: &Procedure) -> Option<i32> {
    if let Some(Ref::Number(number)) = of.role(role) { Some(number) } else { None }
}

/// Declares the procedures of a game, each once: its tag in encodings, name, label, rule, fields with their kinds
/// ([`FrameField`](crate::flow::FrameField)) in the order of their bytes, and the field that holds the seat it asks. A field's role is its name,
/// or what stands behind `as`.
///
/// It gives the enum, with `encode` and `decode`, `asked`, `procedure` and `read` (a view's context both ways), and `NAMES` with the
/// name and label of each.
#[macro_export]
macro_rules! frames {
    (
        $(#[$meta:meta])*
        $vis:vis enum $Frame:ident of $Content:ty, $bytes:literal bytes {
            $(
                $(#[$about:meta])*
                $tag:literal $name:literal $label:literal ($rule:expr)
                $Variant:ident $({ $($field:ident $(as $role:literal)? : $Kind:ty),+ $(,)? })? $(asks $asked:ident)?
            ),+ $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Copy, Clone, PartialEq, Eq, Debug)]
        $vis enum $Frame {
            $(
                $(#[$about])*
                $Variant $({ $($field: <$Kind as $crate::flow::FrameField<$Content>>::Value),+ })?
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
                            #[allow(unused_mut, reason = "a procedure without fields")]
                            let mut fields = $crate::flow::FieldWriter::new(to, $bytes);
                            $($(<$Kind as $crate::flow::FrameField<$Content>>::encode($field, &mut fields);)+)?
                            fields.wide();
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
                #[allow(unused_mut, reason = "a procedure without fields")]
                let mut fields = $crate::flow::FieldReader::new(from, $bytes);
                let frame = match tag {
                    $(
                        $tag => Self::$Variant {
                            $($($field: <$Kind as $crate::flow::FrameField<$Content>>::decode(content, &mut fields)?),+)?
                        },
                    )+
                    _ => return Err(error),
                };
                fields.wide()?;
                Ok(frame)
            }

            /// The seat that the procedure asks, if its fields say so.
            $vis const fn asked(&self) -> Option<$crate::seat::Seat> {
                match *self {
                    $($(Self::$Variant { $asked, .. } => Some($asked),)?)+
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
                                    <$Kind as $crate::flow::FrameField<$Content>>::tell(content, $field, role, own, &mut procedure);
                                }
                            )+
                            $(
                                if <$Kind as $crate::flow::FrameField<$Content>>::LAST {
                                    let role = $crate::frames!(@role $field $($role)?);
                                    <$Kind as $crate::flow::FrameField<$Content>>::tell(content, $field, role, own, &mut procedure);
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

            impl $crate::flow::FrameField<$Content> for $Kind {
                type Value = u8;
                $(const LAST: bool = $last;)?

                fn encode(value: u8, to: &mut $crate::flow::FieldWriter<'_>) {
                    to.byte(value);
                }

                fn decode(
                    content: &$Content,
                    from: &mut $crate::flow::FieldReader<'_, '_>,
                ) -> Result<u8, $crate::codec::DecodeError> {
                    type Decode =
                        fn(&$Content, &mut $crate::flow::FieldReader<'_, '_>) -> Result<u8, $crate::codec::DecodeError>;
                    let decode: Decode = $decode;
                    decode(content, from)
                }

                fn tell(
                    content: &$Content,
                    value: u8,
                    role: &'static str,
                    own: bool,
                    to: &mut $crate::view::Procedure,
                ) {
                    let tell: fn(&$Content, u8, bool) -> Option<$crate::reference::Ref> = $tell;
                    to.roles.extend(tell(content, value, own).map(|what| (role, what)));
                }

                fn read(content: &$Content, role: &str, of: &$crate::view::Procedure) -> Option<u8> {
                    let read: fn(&$Content, &str, &$crate::view::Procedure) -> Option<u8> = $read;
                    read(content, role, of)
                }
            }
        )+
    };
}
