//! Kinds of values that encode themselves ([`Coding`]), and structures of them ([`coded!`](crate::coded)).

use super::{DecodeError, Reader, Writer};

/// A kind of values with its canonical encoding and its bounds. `C` is what the bounds come from: the content of a game.
///
/// Most kinds are the type of their values; others ([`Count`](crate::flow::Count)) say more than the type does.
pub trait Coding<C> {
    /// The values.
    type Value;

    /// Writes a value.
    fn encode(value: &Self::Value, to: &mut Writer);

    /// Reads a value.
    ///
    /// # Errors
    /// If the bytes end, or the value is out of bounds.
    fn decode(content: &C, from: &mut Reader<'_>) -> Result<Self::Value, DecodeError>;
}

/// Numbers of which every value may come.
macro_rules! whole {
    ($($number:ident),+) => {
        $(impl<C> Coding<C> for $number {
            type Value = Self;

            fn encode(value: &Self, to: &mut Writer) {
                to.$number(*value);
            }

            fn decode(_: &C, from: &mut Reader<'_>) -> Result<Self, DecodeError> {
                from.$number()
            }
        })+
    };
}

whole!(u8, bool, u16, u32, u64, u128, i32);

impl<C, K: Coding<C>, const N: usize> Coding<C> for [K; N]
where
    K::Value: Copy + Default,
{
    type Value = [K::Value; N];

    fn encode(value: &Self::Value, to: &mut Writer) {
        value.iter().for_each(|item| K::encode(item, to));
    }

    fn decode(content: &C, from: &mut Reader<'_>) -> Result<Self::Value, DecodeError> {
        let mut items = [K::Value::default(); N];
        for item in &mut items {
            *item = K::decode(content, from)?;
        }
        Ok(items)
    }
}

/// A value or none: a flag, then the value if there is one.
#[derive(Debug)]
pub struct Flagged<K>(std::marker::PhantomData<K>);

impl<C, K: Coding<C>> Coding<C> for Flagged<K> {
    type Value = Option<K::Value>;

    fn encode(value: &Self::Value, to: &mut Writer) {
        to.option(value.as_ref(), |to, value| K::encode(value, to));
    }

    fn decode(content: &C, from: &mut Reader<'_>) -> Result<Self::Value, DecodeError> {
        from.option(|from| K::decode(content, from))
    }
}

/// Gives structures their encoding: the fields in the order of their bytes, each with its kind ([`Coding`]).
#[macro_export]
macro_rules! coded {
    ($(
        $Structure:ty, of $Content:ty { $($field:ident: $Kind:ty),+ $(,)? }
    )+) => {
        $(impl $crate::codec::Coding<$Content> for $Structure {
            type Value = Self;

            fn encode(value: &Self, to: &mut $crate::codec::Writer) {
                $(<$Kind as $crate::codec::Coding<$Content>>::encode(&value.$field, to);)+
            }

            fn decode(
                content: &$Content,
                from: &mut $crate::codec::Reader<'_>,
            ) -> std::result::Result<Self, $crate::codec::DecodeError> {
                $(let $field = <$Kind as $crate::codec::Coding<$Content>>::decode(content, from)?;)+
                Ok(Self { $($field),+ })
            }
        })+
    };
}

/// Declares enums of plain variants, whose encoding is one byte: the number of the variant, in order from 0.
#[macro_export]
macro_rules! coded_variants {
    ($(
        $(#[$meta:meta])*
        $vis:vis enum $Enum:ident $expected:literal { $($(#[$about:meta])* $Variant:ident),+ $(,)? }
    )+) => {
        $($(#[$meta])*
        #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
        $vis enum $Enum { $($(#[$about])* $Variant),+ }

        impl $Enum {
            /// All variants, in order.
            $vis const ALL: &[Self] = &[$(Self::$Variant),+];
        }

        impl<C> $crate::codec::Coding<C> for $Enum {
            type Value = Self;

            fn encode(value: &Self, to: &mut $crate::codec::Writer) {
                to.u8(*value as u8);
            }

            fn decode(_: &C, from: &mut $crate::codec::Reader<'_>) -> std::result::Result<Self, $crate::codec::DecodeError> {
                from.below(Self::ALL.len() as u8, $expected).map(|number| Self::ALL[usize::from(number)])
            }
        })+
    };
}

/// Gives enums whose variants have fields an encoding: a tag of one byte, then the fields, each with its kind.
#[macro_export]
macro_rules! coded_choices {
    ($(
        $Enum:ty, $expected:literal of $Content:ty {
            $(
                $tag:literal $Variant:ident $(($($item:ident: $Item:ty),+))? $({ $($field:ident: $Field:ty),+ })?
            ),+ $(,)?
        }
    )+) => {
        $(impl $crate::codec::Coding<$Content> for $Enum {
            type Value = Self;

            fn encode(value: &Self, to: &mut $crate::codec::Writer) {
                match value {
                    $(Self::$Variant $(($($item),+))? $({ $($field),+ })? => {
                        to.u8($tag);
                        $($(<$Item as $crate::codec::Coding<$Content>>::encode($item, to);)+)?
                        $($(<$Field as $crate::codec::Coding<$Content>>::encode($field, to);)+)?
                    })+
                }
            }

            fn decode(
                content: &$Content,
                from: &mut $crate::codec::Reader<'_>,
            ) -> std::result::Result<Self, $crate::codec::DecodeError> {
                let error = from.error($expected);
                Ok(match from.u8()? {
                    $($tag => Self::$Variant
                        $(($(<$Item as $crate::codec::Coding<$Content>>::decode(content, from)?),+))?
                        $({ $($field: <$Field as $crate::codec::Coding<$Content>>::decode(content, from)?),+ })?,)+
                    _ => return Err(error),
                })
            }
        })+
    };
}
