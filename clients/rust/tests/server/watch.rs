use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use crate::{TestServer, Workspace, has};

#[test]
fn a_match_is_followed_to_its_end() {
    let (workspace, server) = (Workspace::new(), TestServer::start());
    workspace.ok_on(&server, &["new", "--game", "skirmish", "--seed", "7", "--out", "m.json"]);
    let mut watch = Command::new(env!("CARGO_BIN_EXE_edgehill"))
        .args(["--server", server.url(), "watch", "m.json", "--as", "north"])
        .current_dir(workspace.path("."))
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut out = BufReader::new(watch.stdout.take().expect("it is piped"));
    let mut first = String::new();
    out.read_line(&mut first).expect("it says how far the match is");
    assert_eq!(first, "Running\n");
    workspace.ok_on(&server, &["resign", "m.json", "south"]);
    let mut rest = String::new();
    out.read_to_string(&mut rest).expect("it ends");
    assert!(watch.wait().expect("it ends").success());
    has(&rest, "Over: ");
}
