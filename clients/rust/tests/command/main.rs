//! The command as a person or a script uses it: the real binary, its output, its exit codes and its files.

mod arena;
mod content;
mod dice;
mod games;
mod match_file;
mod page;
mod play;
mod records;
mod sessions;
mod shrink;
mod vectors;
#[path = "../workspace/mod.rs"]
mod workspace;

use workspace::{Answer, Workspace, has};
