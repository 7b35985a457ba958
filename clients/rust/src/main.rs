//! The `edgehill` command.
fn main() {}
