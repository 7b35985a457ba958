//! Messages of the API as protobuf's JSON has them ([`json`]): whole, with the names of docs/api.md.

use std::sync::LazyLock;

use edgehill_client::v1::FILE_DESCRIPTOR_SET;
use prost::{Message, Name};
use prost_reflect::{DescriptorPool, DynamicMessage};

static POOL: LazyLock<DescriptorPool> = LazyLock::new(|| {
    DescriptorPool::decode(FILE_DESCRIPTOR_SET).expect("the descriptors were compiled with this program")
});

/// A message in a form that serializes as protobuf's JSON: names in lowerCamelCase, fields of no value left out, 64-bit numbers
/// as strings, bytes in base64.
pub(super) fn json<M: Message + Name>(message: &M) -> DynamicMessage {
    let name = M::full_name();
    let descriptor = POOL.get_message_by_name(&name).expect("the descriptors have every message of the API");
    DynamicMessage::decode(descriptor, message.encode_to_vec().as_slice())
        .expect("it was encoded by the same descriptors")
}

/// Several of them.
pub(super) fn all<'a, M: Message + Name + 'a>(
    messages: impl IntoIterator<Item = &'a M>,
) -> Vec<DynamicMessage> {
    messages.into_iter().map(json).collect()
}
