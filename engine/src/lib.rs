//! The rules of four English Civil War board games behind one contract.

#![deny(clippy::float_arithmetic)]

pub mod games;
