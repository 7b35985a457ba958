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
            assert!(["sh", "text"].contains(&info), "a block of JSON says which message it is");
        }
    }
    assert!(seen > 30, "only {seen} messages were read");
}

/// The body that a call of the page sends: what follows `-d`, or with `-d @` the here-document after the call or, of a call that is piped
/// into, before it.
fn sent<'a>(text: &'a str, start: usize, command: &'a str) -> &'a str {
    let document = |from: &'a str| {
        let (_, rest) = from.split_once("<<END\n").expect("a here-document");
        rest.split_once("\nEND\n").expect("its end").0
    };
    if let Some((_, rest)) = command.split_once("-d '") {
        rest.split_once('\'').expect("a closing quote").0
    } else if command.contains("<<END\n") {
        document(command)
    } else if command.contains("-d @") {
        document(&text[text[..start].rfind("<<END\n").expect("a here-document before the pipe")..])
    } else {
        "{}"
    }
}

/// The text with all that the shell would fill in made to something that is good as text, number and bytes.
fn filled_in(text: &str) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$') {
        let end = match after.strip_prefix('(') {
            Some(command) => command.find(')').expect("a closing parenthesis") + 2,
            None => after.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(after.len()),
        };
        filled += before;
        filled += "AAAA";
        rest = &after[end..];
    }
    filled + rest
}

#[test]
fn calls_of_the_walk_are_calls_of_the_wire() {
    let pool = DescriptorPool::decode(FILE_DESCRIPTOR_SET).expect("the descriptors are whole");
    let calls = |service: &str| {
        pool.get_service_by_name(service).into_iter().flat_map(|s| s.methods().collect::<Vec<_>>())
    };
    let mut walked = Vec::new();
    for (_, text) in blocks().into_iter().filter(|(info, _)| *info == "sh") {
        let starts: Vec<usize> = text.match_indices("grpcurl ").map(|(start, _)| start).collect();
        for (i, start) in starts.iter().enumerate() {
            let command = &text[*start..starts.get(i + 1).copied().unwrap_or(text.len())];
            let Some((_, path)) = command.split_once("$server ") else { panic!("no server: {command}") };
            let Some((service, name)) = path.split_whitespace().next().and_then(|path| path.split_once('/'))
            else {
                continue; // `list` and `describe` are the client's own
            };
            let call = calls(service).find(|call| call.name() == name);
            let call = call.unwrap_or_else(|| panic!("there is no call {service}/{name}"));
            let messages = read_all(&call.input(), &filled_in(sent(text, *start, command)));
            assert!(messages == 1 || call.is_client_streaming(), "{name} takes one message");
            walked.push(call.name().to_owned());
        }
    }
    // Those of a match with COMMIT_REVEAL, of lists of matches, and of operators and referees are in other pages.
    let is_walked = |name: &str| !["AdminService", "CompetitionService", "RefereeService"].contains(&name);
    for service in pool.services().filter(|service| is_walked(service.name())) {
        for call in service.methods() {
            let left_out = ["RevealEntropy", "ListMatches"].contains(&call.name());
            assert_eq!(
                walked.iter().any(|name| name == call.name()),
                !left_out,
                "the walk and {}",
                call.name()
            );
        }
    }
}
