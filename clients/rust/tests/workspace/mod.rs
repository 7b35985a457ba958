//! A folder to run the command in, and what it said.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// The output of a call of the command.
pub(crate) struct Answer {
    pub code: i32,
    pub out: String,
    pub err: String,
}

/// A folder of its own to work in.
pub(crate) struct Workspace(TempDir);

impl Workspace {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().expect("a folder for the test"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("the file is there")
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a name within the folder")).expect("a folder for the file");
        fs::write(path, text).expect("the file can be written");
    }

    /// Runs `edgehill` here with these arguments and nothing to read.
    pub(crate) fn run(&self, args: &[&str]) -> Answer {
        self.run_with(args, "")
    }

    /// Runs `edgehill` here; `input` is what it reads.
    pub(crate) fn run_with(&self, args: &[&str], input: &str) -> Answer {
        self.run_in(args, input, &[])
    }

    /// The same where these variables say how to write, and no other does.
    pub(crate) fn run_in(&self, args: &[&str], input: &str, variables: &[(&str, &str)]) -> Answer {
        let mut child = Command::new(env!("CARGO_BIN_EXE_edgehill"))
            .args(args)
            .env_remove("CLICOLOR_FORCE")
            .env_remove("NO_COLOR")
            .envs(variables.iter().copied())
            .current_dir(self.0.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        // One that does not read is gone before all of it is written.
        let _ = child.stdin.take().expect("it is piped").write_all(input.as_bytes());
        let output = child.wait_with_output().expect("the command ends");
        Answer {
            code: output.status.code().expect("the command ends by itself"),
            out: String::from_utf8(output.stdout).expect("text"),
            err: String::from_utf8(output.stderr).expect("text"),
        }
    }

    /// The words of `verify` about records that contradict nothing and that nobody has vouched for: it ends with exit code 6.
    pub(crate) fn consistent(&self, files: &[&str]) -> String {
        let answer = self.run(&[&["verify"], files].concat());
        assert_eq!((answer.code, &*answer.err), (6, ""), "{files:?}: {}", answer.out);
        answer.out
    }

    /// As [`Workspace::run`], for a call that has to succeed; what it printed.
    pub(crate) fn ok(&self, args: &[&str]) -> String {
        let answer = self.run(args);
        assert_eq!(answer.code, 0, "{args:?}: {}{}", answer.out, answer.err);
        assert_eq!(answer.err, "", "{args:?}");
        answer.out
    }
}

/// Asserts that `text` has `part`; says both if not.
#[track_caller]
pub(crate) fn has(text: &str, part: &str) {
    assert!(text.contains(part), "`{part}` is not in:\n{text}");
}
