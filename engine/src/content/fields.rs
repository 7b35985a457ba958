//! Decodes one record into its type, and says which fields that type has.
//!
//! The type is a plain struct with derived `Deserialize`. Its field names are asked of serde, so that unknown fields
//! are refused whatever the type's own attributes say, and every field can be given its confidence.

use std::any::type_name;

use serde::de::value::Error as ProbeError;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor};
use serde::forward_to_deserialize_any;
use toml::{Table, Value};

/// A fault in a record: the field's path (empty for the record as a whole) and what is wrong.
pub(crate) type Fault = (String, String);

/// The names of `T`'s fields, in the order declared.
///
/// # Panics
///
/// If `T` is not a plain struct with at least one field: a mistake in the program, not in the content.
pub(crate) fn fields_of<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut fields: &[&str] = &[];
    // The probe always fails: it is asked for the fields, not for a value.
    let _ = T::deserialize(Probe(&mut fields));
    assert!(!fields.is_empty(), "{} is not a plain struct with fields", type_name::<T>());
    fields
}

struct Probe<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Probe<'_> {
    type Error = ProbeError;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, ProbeError> {
        Err(ProbeError::custom("not a struct"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, ProbeError> {
        *self.0 = fields;
        Err(ProbeError::custom("no value, the fields alone"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// Decodes a record, or gives every fault that can be told from it.
///
/// serde stops at the first bad field. That field is then taken out and the rest tried again, so that each bad field
/// is found; a missing field is looked for only where all present ones are good.
pub(crate) fn decode<T: DeserializeOwned>(mut table: Table) -> Result<T, Vec<Fault>> {
    let mut faults: Vec<Fault> = Vec::new();
    let fields = fields_of::<T>();
    let unknown: Vec<String> =
        table.keys().filter(|name| !fields.contains(&name.as_str())).cloned().collect();
    for name in unknown {
        table.remove(&name);
        faults.push((name, format!("unknown field, expected one of {}", fields.join(", "))));
    }

    let mut bad_fields = false;
    loop {
        let error = match serde_path_to_error::deserialize::<_, T>(Value::Table(table.clone())) {
            Ok(value) if faults.is_empty() => return Ok(value),
            Ok(_) => return Err(faults),
            Err(error) => error,
        };
        let path = error.path().to_string();
        let first = path.split(['.', '[']).next().unwrap_or_default();
        let removed = table.remove(first).is_some();
        if removed || !bad_fields {
            let path = if removed { path } else { String::new() };
            faults.push((path, error.inner().message().to_owned()));
        }
        if !removed {
            return Err(faults);
        }
        bad_fields = true;
    }
}
