//! The structure of the messages: habits that let the wire grow, and promises that every call keeps.

use prost_types::FileDescriptorSet;
use prost_types::field_descriptor_proto::Type;
use prost_types::method_options::IdempotencyLevel;

use crate::descriptors::{compiled, messages};

/// (message, field, type) of all fields.
fn fields(set: &FileDescriptorSet) -> Vec<(String, String, Type)> {
    let messages = messages(set);
    let all =
        messages.iter().flat_map(|(name, message)| message.field.iter().map(move |field| (name, field)));
    all.map(|(name, field)| (name.clone(), field.name().to_owned(), field.r#type())).collect()
}

#[test]
fn files_are_proto3_and_of_one_package() {
    for file in compiled().file {
        assert_eq!((file.syntax(), file.package()), ("proto3", "edgehill.v1"), "{}", file.name());
    }
}

#[test]
fn no_message_has_maps_floats_or_messages_within() {
    let set = compiled();
    for (message, field, of) in fields(&set) {
        assert!(!matches!(of, Type::Float | Type::Double | Type::Group), "{message}.{field} is a {of:?}");
    }
    for (name, message) in messages(&set) {
        // A map is a message within a message.
        assert!(message.nested_type.is_empty() && message.enum_type.is_empty(), "{name}");
    }
}

#[test]
fn sequence_numbers_are_of_one_type_and_the_only_numbering() {
    for (message, field, of) in fields(&compiled()) {
        assert!(!field.contains("revision"), "{message}.{field}: revisions stay inside the server");
        if field == "seq" || field.ends_with("_seq") {
            assert_eq!(of, Type::Uint64, "{message}.{field}");
        }
    }
}

#[test]
fn times_have_a_fixed_width() {
    let times: Vec<_> =
        fields(&compiled()).into_iter().filter(|(_, field, _)| field.contains("unix")).collect();
    assert!(!times.is_empty());
    for (message, field, of) in times {
        assert_eq!(of, Type::Fixed64, "{message}.{field}");
    }
}

#[test]
fn calls_that_change_something_have_a_request_id_and_the_others_none() {
    let set = compiled();
    let messages = messages(&set);
    let mut changing = 0;
    for rpc in set.file.iter().flat_map(|file| &file.service).flat_map(|service| &service.method) {
        let request = messages[rpc.input_type().trim_start_matches('.')];
        let id = request.field.iter().find(|field| field.name() == "request_id");
        let level =
            rpc.options.as_ref().map_or(IdempotencyLevel::IdempotencyUnknown, |o| o.idempotency_level());
        match (rpc.name(), level) {
            ("Play", IdempotencyLevel::IdempotencyUnknown) | (_, IdempotencyLevel::Idempotent) => {
                assert!(id.is_some_and(|field| field.r#type() == Type::String), "{}", rpc.name());
                changing += 1;
            }
            (name, IdempotencyLevel::NoSideEffects) => assert!(id.is_none(), "{name}"),
            (name, level) => panic!("{name}: {level:?}"),
        }
    }
    assert_eq!(changing, 10);
}

#[test]
fn a_place_reads_as_a_reference() {
    let set = compiled();
    let messages = messages(&set);
    let reference = &messages["edgehill.v1.Ref"].field;
    for place in &messages["edgehill.v1.At"].field {
        let same = reference.iter().find(|field| field.number() == place.number());
        assert_eq!(same.map(|field| field.name()), Some(place.name()));
    }
}
