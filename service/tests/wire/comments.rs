//! The comments of the wire: what they promise is held here against what the server does.

use std::collections::BTreeMap;

use edgehill_proto::v1::FILE_DESCRIPTOR_SET;
use prost::Message;
use prost_types::FileDescriptorSet;

/// Field numbers of descriptors, as paths of comments are made of them: `FileDescriptorProto.enum_type`, and
/// `EnumDescriptorProto.value`.
const ENUM_TYPE: i32 = 5;
const VALUE: i32 = 2;

/// The comment of each value of an enum, by the value's name.
pub(crate) fn of_values(name: &str) -> BTreeMap<String, String> {
    let set = FileDescriptorSet::decode(FILE_DESCRIPTOR_SET).expect("the descriptors are whole");
    let mut comments = BTreeMap::new();
    for file in &set.file {
        let Some(place) = file.enum_type.iter().position(|one| one.name() == name) else { continue };
        for location in file.source_code_info.iter().flat_map(|info| &info.location) {
            let [ENUM_TYPE, at, VALUE, value] = location.path[..] else { continue };
            if at == place as i32 {
                let value = file.enum_type[place].value[value as usize].name();
                comments.insert(value.to_owned(), location.leading_comments().trim().to_owned());
            }
        }
    }
    assert!(!comments.is_empty(), "there is no enum {name} with comments");
    comments
}
