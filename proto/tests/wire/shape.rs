//! The structure of the messages: habits that let the wire grow, and promises that every call keeps.

use prost_types::field_descriptor_proto::Type;
use prost_types::method_options::IdempotencyLevel;
use prost_types::{DescriptorProto, FileDescriptorSet};

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
fn no_message_has_maps_or_floats_and_only_streams_and_lists_have_messages_within() {
    let set = compiled();
    for (message, field, of) in fields(&set) {
        assert!(!matches!(of, Type::Float | Type::Double | Type::Group), "{message}.{field} is a {of:?}");
    }
    let nesting = ["PlaySeatsRequest", "PlaySeatsResponse", "ActionList"];
    for (name, message) in messages(&set) {
        // A map is a message within a message.
        let map =
            |nested: &DescriptorProto| nested.options.as_ref().is_some_and(|options| options.map_entry());
        assert!(!message.nested_type.iter().any(map) && message.enum_type.is_empty(), "{name}");
        let may = nesting.iter().any(|nesting| *name == format!("edgehill.v1.{nesting}"));
        assert!(may || message.nested_type.is_empty(), "{name} has messages within");
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

/// The names of fields that are a length of time, and no moment.
const SPANS: [&str; 14] = [
    "retry_after",
    "bank",
    "increment",
    "delay",
    "decision_limit",
    "window_limit",
    "left",
    "server_delay",
    "overlap",
    "added",
    "adjourn_for",
    "hold_back",
    "wait",
    "absence_limit",
];

#[test]
fn times_are_well_known_types() {
    let set = compiled();
    let mut times = 0;
    for (name, message) in messages(&set) {
        for field in &message.field {
            let time = field.name().ends_with("_time") || field.name().ends_with("_deadline");
            let span = SPANS.contains(&field.name());
            assert_eq!(time, field.type_name() == ".google.protobuf.Timestamp", "{name}.{}", field.name());
            assert_eq!(span, field.type_name() == ".google.protobuf.Duration", "{name}.{}", field.name());
            times += usize::from(time);
        }
    }
    assert!(times > 3);
}

#[test]
fn requests_and_responses_are_named_after_their_methods() {
    for rpc in compiled().file.iter().flat_map(|file| &file.service).flat_map(|service| &service.method) {
        assert_eq!(rpc.input_type(), format!(".edgehill.v1.{}Request", rpc.name()));
        assert_eq!(rpc.output_type(), format!(".edgehill.v1.{}Response", rpc.name()));
    }
}

#[test]
fn pages_are_asked_for_alike() {
    let set = compiled();
    let messages = messages(&set);
    let mut paged = 0;
    for rpc in set.file.iter().flat_map(|file| &file.service).flat_map(|service| &service.method) {
        let field = |of: &str, name: &str| {
            let message = messages[of.trim_start_matches('.')];
            message.field.iter().find(|field| field.name() == name).map(|field| field.r#type())
        };
        let size = field(rpc.input_type(), "page_size");
        assert_eq!(size.is_some(), field(rpc.input_type(), "page_token").is_some(), "{}", rpc.name());
        assert_eq!(size.is_some(), field(rpc.output_type(), "next_page_token").is_some(), "{}", rpc.name());
        assert!(size.is_none_or(|of| of == Type::Int32), "{}", rpc.name());
        paged += usize::from(size.is_some());
    }
    assert_eq!(paged, 7);
}

#[test]
fn every_file_names_its_packages_for_other_languages() {
    for file in compiled().file {
        let options = file.options.clone().unwrap_or_default();
        let named = (options.go_package(), options.java_package(), options.csharp_namespace());
        let expected = ("edgehill.dev/gen/edgehill/v1;edgehillv1", "dev.edgehill.v1", "Edgehill.V1");
        assert_eq!(named, expected, "{}", file.name());
        assert!(options.java_multiple_files(), "{}", file.name());
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
            ("PlaySeats", IdempotencyLevel::IdempotencyUnknown) | (_, IdempotencyLevel::Idempotent) => {
                assert!(id.is_some_and(|field| field.r#type() == Type::String), "{}", rpc.name());
                changing += 1;
            }
            (name, IdempotencyLevel::NoSideEffects) => assert!(id.is_none(), "{name}"),
            (name, level) => panic!("{name}: {level:?}"),
        }
    }
    assert_eq!(changing, 41);
}

#[test]
fn a_place_reads_as_a_reference() {
    let set = compiled();
    let messages = messages(&set);
    let reference = &messages["edgehill.v1.Ref"].field;
    for place in &messages["edgehill.v1.Location"].field {
        let same = reference.iter().find(|field| field.number() == place.number());
        assert_eq!(same.map(|field| field.name()), Some(place.name()));
    }
}
