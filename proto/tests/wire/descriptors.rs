//! The compiled files as a flat list of elements with their comments.

use std::collections::BTreeMap;

use edgehill_proto::v1::FILE_DESCRIPTOR_SET;
use prost::Message;
use prost_types::{DescriptorProto, EnumDescriptorProto, FileDescriptorProto, FileDescriptorSet};

/// The kind of an element of a file.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    File,
    Message,
    Field,
    Oneof,
    Enum,
    Value,
    Service,
    Rpc,
}

/// One element of a file.
#[derive(Debug)]
pub(crate) struct Element {
    pub(crate) kind: Kind,
    /// With package and parents.
    pub(crate) name: String,
    /// The comment before it, on one line.
    pub(crate) comment: String,
}

pub(crate) fn compiled() -> FileDescriptorSet {
    let set = FileDescriptorSet::decode(FILE_DESCRIPTOR_SET);
    let mut set = set.expect("the descriptors that were compiled can be read");
    // The well-known types beside it are Google's.
    set.file.retain(|file| file.package() == "edgehill.v1");
    set
}

/// All messages by full name; none of them is nested.
pub(crate) fn messages(set: &FileDescriptorSet) -> BTreeMap<String, &DescriptorProto> {
    let of = |file: &'_ FileDescriptorProto| file.package().to_owned();
    let all =
        set.file.iter().flat_map(|file| file.message_type.iter().map(move |message| (of(file), message)));
    all.map(|(package, message)| (format!("{package}.{}", message.name()), message)).collect()
}

/// All enums by full name; none of them is nested.
pub(crate) fn enums(set: &FileDescriptorSet) -> BTreeMap<String, &EnumDescriptorProto> {
    let all = set.file.iter().flat_map(|file| file.enum_type.iter().map(move |one| (file, one)));
    all.map(|(file, one)| (format!("{}.{}", file.package(), one.name()), one)).collect()
}

/// Everything that can have a comment.
pub(crate) fn elements(set: &FileDescriptorSet) -> Vec<Element> {
    set.file.iter().flat_map(elements_of).collect()
}

fn elements_of(file: &FileDescriptorProto) -> Vec<Element> {
    let comments = comments(file);
    let package = file.package();
    let mut list = Vec::new();
    let mut add = |kind, name: String, path: &[i32]| {
        list.push(Element { kind, name, comment: comments.get(path).cloned().unwrap_or_default() });
    };
    // Paths are field numbers of the descriptor messages and indices, in turn: 12 is the syntax line of a file, 4 its
    // messages, 5 its enums, 6 its services; 2 is a message's fields, an enum's values, a service's calls; 8 its oneofs.
    add(Kind::File, file.name().to_owned(), &[12]);
    for (m, message) in (0..).zip(&file.message_type) {
        let name = format!("{package}.{}", message.name());
        add(Kind::Message, name.clone(), &[4, m]);
        for (f, field) in (0..).zip(&message.field) {
            add(Kind::Field, format!("{name}.{}", field.name()), &[4, m, 2, f]);
        }
        let written = |o: i32| message.field.iter().any(|f| f.oneof_index == Some(o) && !f.proto3_optional());
        for (o, oneof) in (0..).zip(&message.oneof_decl).filter(|(o, _)| written(*o)) {
            add(Kind::Oneof, format!("{name}.{}", oneof.name()), &[4, m, 8, o]);
        }
    }
    for (e, one) in (0..).zip(&file.enum_type) {
        add(Kind::Enum, format!("{package}.{}", one.name()), &[5, e]);
        for (v, value) in (0..).zip(&one.value) {
            add(Kind::Value, format!("{package}.{}.{}", one.name(), value.name()), &[5, e, 2, v]);
        }
    }
    for (s, service) in (0..).zip(&file.service) {
        let name = format!("{package}.{}", service.name());
        add(Kind::Service, name.clone(), &[6, s]);
        for (r, rpc) in (0..).zip(&service.method) {
            add(Kind::Rpc, format!("{name}.{}", rpc.name()), &[6, s, 2, r]);
        }
    }
    list
}

fn comments(file: &FileDescriptorProto) -> BTreeMap<Vec<i32>, String> {
    let locations = file.source_code_info.iter().flat_map(|info| &info.location);
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    locations
        .filter(|location| location.leading_comments.is_some())
        .map(|location| (location.path.clone(), one_line(location.leading_comments())))
        .collect()
}
