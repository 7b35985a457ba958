//! The wire of Edgehill: the messages of [`edgehill.v1`](v1), their clients and servers, and their descriptors.
//!
//! All of it is generated from `edgehill/v1/*.proto`, where each element says what it means; `docs/api.md`
//! walks through a match. It knows nothing of the engine: `edgehill-convert` goes
//! between these messages and the engine's values.
//!
//! ```
//! use edgehill_proto::prost::Message;
//! use edgehill_proto::v1::{ActionBatch, ActionList, PlaySeatsRequest, action_list, play_seats_request::Call};
//!
//! let ids = action_list::Encoding::Ids(action_list::Ids { values: vec![17, 230] });
//! let actions = Some(ActionList { encoding: Some(ids) });
//! let batch = ActionBatch { expected_seq: Some(41), actions, ..ActionBatch::default() };
//! let request = PlaySeatsRequest { channel: 1, request_id: "9".to_owned(), call: Some(Call::Apply(batch)) };
//! assert_eq!(request.encoded_len(), 18);
//! ```

pub mod fold;
pub mod receipts;

pub use prost;
pub use prost_types;
pub use tonic;

/// Version 1 of the wire. It only grows.
pub mod v1 {
    // The code that the generators add around the messages has no comments of its own, and its shape is theirs.
    #![allow(missing_docs, clippy::all)]

    tonic::include_proto!("edgehill.v1");

    /// All files of the package with their comments, as an encoded `google.protobuf.FileDescriptorSet`: what a reflection
    /// service serves.
    pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/edgehill.binpb"));
}
