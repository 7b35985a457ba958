//! `edgehill run-bot`: programs at the seats that are kept for their accounts.

mod examples;
mod faults;
mod playing;
mod stopping;

use std::process::Command;

use serde_json::Value;

use crate::{Answer, TestServer, Workspace};

/// Lines of a shell that answer a prompt with the first legal action.
const ANSWER: &str = r#"
first() { rest=${line#*"$1"}; echo "${rest%%[],]*}"; }
prompt() { first '"prompt":'; }
answer() { echo "{\"type\":\"play\",\"prompt\":$(prompt),\"actions\":[$(first '"legal":[')]}"; }
"#;

/// A server with the accounts `ada` and `bob`, one of a host who makes their matches, and a folder to work in.
pub(super) struct Hall {
    pub workspace: Workspace,
    pub server: TestServer,
    host: String,
    pub ada: String,
    pub bob: String,
}

impl Hall {
    pub(super) fn open() -> Self {
        let (workspace, (server, chief)) = (Workspace::new(), TestServer::start_with_operator("chief"));
        let [ada, bob, host] = ["ada", "bob", "host"].map(|id| {
            let ok = |args: &[&str]| workspace.ok_on(&server, &[&["--key", &chief, "admin"], args].concat());
            ok(&["add", id, "--role", "player"]);
            ok(&["key", id]).lines().next().expect("a key").to_owned()
        });
        Self { workspace, server, host, ada, bob }
    }

    /// Makes a match, and returns its id.
    pub(super) fn new_match(&self, game: &str, seats: &[&str]) -> String {
        let seats: Vec<&str> = seats.iter().flat_map(|seat| ["--seat", *seat]).collect();
        let args = [&["new", "--game", game, "--force", "--out", "made.json"], &*seats].concat();
        let out = self.ok(&self.host, &args);
        out.lines().find_map(|line| line.strip_prefix("Match: ")).expect("an id").to_owned()
    }

    /// A match of ada's against the house bot.
    pub(super) fn against_the_house(&self) -> String {
        self.new_match("skirmish", &["north=account:ada", "south=bot:random"])
    }

    pub(super) fn ok(&self, key: &str, args: &[&str]) -> String {
        self.workspace.ok_on(&self.server, &[&["--key", key], args].concat())
    }

    /// The words of the command to the host.
    pub(super) fn host(&self, args: &[&str]) -> String {
        self.ok(&self.host, args)
    }

    /// Writes a [`shell_bot`].
    pub(super) fn bot(&self, name: &str, hello: &str, decide: &str, other: &str) {
        self.workspace.write(name, &shell_bot(hello, decide, other));
    }

    /// One that plays as it should.
    pub(super) fn plain_bot(&self, name: &str) {
        self.bot(name, READY, "answer", "");
    }

    /// Runs a bot for one match at the seats of `key`.
    pub(super) fn run(&self, key: &str, options: &[&str], bot: &str) -> Answer {
        let head = ["--key", key, "run-bot", "--json", "--games", "1"];
        self.workspace.on(&self.server, &[&head, options, &["--", "sh", bot]].concat())
    }

    /// Runs one for ada, and returns the outcome of its match. The command ends with `code`.
    pub(super) fn play(&self, options: &[&str], bot: &str, code: i32) -> Value {
        let answer = self.run(&self.ada, options, bot);
        assert_eq!(answer.code, code, "{}{}", answer.out, answer.err);
        outcome(&answer.out)
    }
}

/// A bot for the shell. `hello`, `decide` and `other` say what it does at these lines; `$line` is the line.
pub(crate) fn shell_bot(hello: &str, decide: &str, other: &str) -> String {
    format!(
        "{ANSWER}
while IFS= read -r line; do
  case $line in
    '{{\"type\":\"hello\"'*) restart=$(first '\"restart\":'); {hello} ;;
    '{{\"type\":\"decide\"'*) {decide} ;;
    {other}
    '{{\"type\":\"bye\"'*) exit 0 ;;
  esac
done
"
    )
}

/// The answer to `hello` of one that wants nothing more.
pub(crate) const READY: &str = r#"echo '{"type":"ready"}'"#;

/// True if there is a process of this number that has not ended.
pub(crate) fn is_running(number: &str) -> bool {
    let shown = Command::new("ps").args(["-o", "stat=", "-p", number]).output().expect("`ps` runs");
    let state = String::from_utf8(shown.stdout).expect("text");
    !state.trim().is_empty() && !state.trim().starts_with('Z')
}

/// The one outcome that was printed.
pub(super) fn outcome(out: &str) -> Value {
    assert_eq!(out.lines().count(), 1, "{out}");
    serde_json::from_str(out).expect("it is JSON")
}

/// Asserts that fields of an outcome have these values.
#[track_caller]
pub(super) fn says(outcome: &Value, fields: &[(&str, Value)]) {
    for (name, value) in fields {
        assert_eq!(outcome[name], *value, "`{name}` of {outcome}");
    }
}
