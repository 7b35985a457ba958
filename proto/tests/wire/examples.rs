//! Every call and every reply of docs/api.md is one that the wire has.

use edgehill_proto::v1::FILE_DESCRIPTOR_SET;
use prost_reflect::{DescriptorPool, DeserializeOptions, DynamicMessage, MessageDescriptor};

const PAGE: &str = include_str!("../../../docs/api.md");

/// The fenced blocks of the page: what stands behind the fence, and the text.
fn blocks() -> Vec<(&'static str, &'static str)> {
    let fences = PAGE.split("```").skip(1).step_by(2);
    fences.map(|block| block.split_once('\n').expect("a block has lines")).collect()
}

/// Reads each JSON value of `text` as a message; unknown fields are errors.
fn read_all(message: &MessageDescriptor, text: &str) -> usize {
    let mut reader = serde_json::Deserializer::from_str(text);
    let mut count = 0;
    while reader.end().is_err() {
        let read = DynamicMessage::deserialize_with_options(
            message.clone(),
            &mut reader,
            &DeserializeOptions::new().deny_unknown_fields(true),
        );
        read.unwrap_or_else(|error| panic!("not a {}: {error}\n{text}", message.name()));
        count += 1;
    }
    count
}

#[test]
fn messages_of_the_walk_are_messages_of_the_wire() {
    let pool = DescriptorPool::decode(FILE_DESCRIPTOR_SET).expect("the descriptors are whole");
    let mut seen = 0;
    for (info, text) in blocks() {
        if let Some(name) = info.strip_prefix("json ") {
            let message = pool.get_message_by_name(&format!("edgehill.v1.{name}"));
            seen += read_all(&message.unwrap_or_else(|| panic!("there is no message {name}")), text);
        } else {
            assert_eq!(info, "sh", "a block of JSON says which message it is");
        }
    }
    assert!(seen > 30, "only {seen} messages were read");
}

#[test]
fn calls_of_the_walk_are_calls_of_the_wire() {
    let pool = DescriptorPool::decode(FILE_DESCRIPTOR_SET).expect("the descriptors are whole");
    let calls = |service: &str| {
        pool.get_service_by_name(service).into_iter().flat_map(|s| s.methods().collect::<Vec<_>>())
    };
    let mut walked = Vec::new();
    for (_, text) in blocks().into_iter().filter(|(info, _)| *info == "sh") {
        for command in text.split("grpcurl ").skip(1) {
            let Some((before, path)) = command.split_once("$server ") else { panic!("no server: {command}") };
            let Some((service, name)) = path.split_whitespace().next().and_then(|path| path.split_once('/'))
            else {
                continue; // `list` and `describe` are the client's own
            };
            let call = calls(service).find(|call| call.name() == name);
            let call = call.unwrap_or_else(|| panic!("there is no call {service}/{name}"));
            let data = before
                .split_once("-d '")
                .and_then(|(_, rest)| rest.split_once('\''))
                .map_or("{}", |(data, _)| data);
            assert_eq!(read_all(&call.input(), data), 1);
            walked.push(call.name().to_owned());
        }
    }
    for name in [
        "ListGames",
        "GetGame",
        "GetLimits",
        "Create",
        "Join",
        "View",
        "Legal",
        "Apply",
        "Explain",
        "Watch",
        "Resign",
    ] {
        assert!(walked.iter().any(|call| call == name), "the walk leaves {name} out");
    }
}
