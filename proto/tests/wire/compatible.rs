//! The wire still is what `api-1.binpb` and `released.binpb` say, and at most more. `buf breaking` looks closer; this needs only cargo.

use std::collections::BTreeMap;

use prost::Message;
use prost_types::FileDescriptorSet;

use crate::descriptors::{compiled, enums, messages};

/// The wire as it was frozen, and as it was when something was last added.
const RELEASED: [&[u8]; 2] = [include_bytes!("../../api-1.binpb"), include_bytes!("../../released.binpb")];

/// Returns what a peer of an older build relies on: each place on the wire, with what stands there.
fn wire(set: &FileDescriptorSet) -> BTreeMap<String, String> {
    let mut wire = BTreeMap::new();
    for (name, message) in messages(set) {
        for field in &message.field {
            let of =
                format!("{} {:?} {:?} {}", field.name(), field.label(), field.r#type(), field.type_name());
            wire.insert(format!("{name} {}", field.number()), of);
        }
    }
    for (name, one) in enums(set) {
        for value in &one.value {
            wire.insert(format!("{name} {}", value.number()), value.name().to_owned());
        }
    }
    for service in set.file.iter().flat_map(|file| &file.service) {
        for rpc in &service.method {
            let streams = (rpc.client_streaming(), rpc.server_streaming());
            let of = format!("{} {} {streams:?}", rpc.input_type(), rpc.output_type());
            wire.insert(format!("{}/{}", service.name(), rpc.name()), of);
        }
    }
    wire
}

#[test]
fn what_was_released_still_holds() {
    let now = wire(&compiled());
    for released in RELEASED {
        let mut released = FileDescriptorSet::decode(released).expect("the released image can be read");
        released.file.retain(|file| file.package() == "edgehill.v1");
        let released = wire(&released);
        assert!(released.len() > 300, "the released image is not the whole wire");
        let changed: Vec<_> = released.iter().filter(|(place, of)| now.get(*place) != Some(of)).collect();
        assert!(changed.is_empty(), "changed or gone since the release, see proto/README.md: {changed:#?}");
    }
}
