//! The server of the Edgehill engine; docs/server.md is its manual.

use std::process::ExitCode;

use mimalloc::MiMalloc;

// Calls make many small things that another thread drops: glibc's allocator takes a lock for that, and this one none.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    // Names and values that are not UTF-8 set nothing of ours.
    let env = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect();
    edgehill_service::command::main(std::env::args_os(), &env)
}
