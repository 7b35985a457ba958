//! A shell that does what it is told ([`Shell`]), and ends with the test, however that ends.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A shell with the commands of `node.sh`.
#[derive(Debug)]
pub(crate) struct Shell {
    child: Child,
    /// Its end is the shell's.
    commands: Option<ChildStdin>,
    said: BufReader<ChildStdout>,
}

/// The program of such a shell.
const PROGRAM: &str = include_str!("node.sh");

impl Shell {
    /// Starts one in this folder, by a command that is given its arguments.
    pub(crate) fn start(mut command: Command, folder: &Path) -> Self {
        command.args(["bash", "-c", PROGRAM, "node"]).arg(folder);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (commands, said) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let mut shell = Self { child, commands, said };
        assert_eq!(shell.line().as_deref(), Some("ready"));
        shell
    }

    fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let read = self.said.read_line(&mut line).unwrap();
        (read > 0).then(|| line.trim_end().to_owned())
    }

    /// Its process, whose namespaces are the shell's.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Has it do a command of one line; what that said, or its code and what it said where that is not 0.
    pub(crate) fn try_tell(&mut self, command: &str) -> Result<String, String> {
        let commands = self.commands.as_mut().unwrap();
        writeln!(commands, "{command}").unwrap();
        let mut said = String::new();
        loop {
            let line = self.line().unwrap_or_else(|| panic!("the shell has ended: {command}"));
            match line.strip_prefix("done ") {
                Some("0") => return Ok(said),
                Some(code) => return Err(format!("{command}: {code}: {said}")),
                None => said = format!("{said}{line}\n"),
            }
        }
    }

    /// The same of a command that succeeds.
    pub(crate) fn tell(&mut self, command: &str) -> String {
        self.try_tell(command).unwrap_or_else(|failed| panic!("{failed}"))
    }

    /// Kills it (`kill -9`), with all that runs in its namespaces.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        self.commands = None;
        let _ = self.child.wait();
    }
}
