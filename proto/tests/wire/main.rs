//! The wire as it is described: style, comments, documented reasons, and what must never change.

mod comments;
mod compatible;
mod descriptors;
mod examples;
mod names;
mod reasons;
mod receipts;
mod shape;
