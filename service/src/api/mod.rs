//! The services of `edgehill.v1`.

pub mod catalog;
