//! The programs that a node runs beside a server, and what this machine lets the test make of nodes.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The way in which nodes are kept apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Apart {
    /// Each has a network of its own, and disks of its own.
    Networks,
    /// Each has ports of its own on loopback: no link can be cut, and no disk be full.
    Ports,
}

/// The programs, and where they are.
#[derive(Clone, Debug)]
pub(crate) struct Programs {
    pub(crate) apart: Apart,
    /// The folder of PostgreSQL's programs.
    pub(crate) postgres: PathBuf,
    /// The Python that Patroni was installed for: where it begins, and its program from there.
    pub(crate) python: (PathBuf, String),
    /// The folder of Patroni and what it needs.
    pub(crate) packages: PathBuf,
}

/// The programs that are here; `None`, and a word about it, where something is missing, which in CI is a fault.
pub(crate) fn programs() -> Option<Programs> {
    let found = find();
    if let Err(missing) = &found {
        assert!(std::env::var_os("CI").is_none(), "{missing}");
        eprintln!("skipped: the cluster of database nodes ({missing})");
    }
    found.ok()
}

fn find() -> Result<Programs, String> {
    let postgres = crate::real_postgres::programs().ok_or("no initdb and postgres on the path")?;
    // Beside what a link on the path leads to are all the others.
    let postgres =
        postgres.join("postgres").canonicalize().ok().and_then(|path| Some(path.parent()?.to_owned()));
    let postgres = postgres.filter(|folder| folder.join("pg_rewind").is_file()).ok_or("no pg_rewind")?;
    if !succeeds("etcd", &["--version"]) {
        return Err("no etcd on the path".to_owned());
    }
    let venv = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/patroni/bin/python");
    // The program is named by its version: those without one may lead elsewhere.
    let ask = "import os, sys, sysconfig; print(sys.base_prefix); print(sysconfig.get_path('purelib')); \
               print('bin/python%d.%d' % sys.version_info[:2]); import patroni, psycopg";
    let said = Command::new(&venv).args(["-c", ask]).output().map_err(|_| NO_PATRONI.to_owned())?;
    let said_text = String::from_utf8_lossy(&said.stdout).into_owned();
    let lines: Vec<&str> = said_text.lines().collect();
    let (true, [base, packages, program]) = (said.status.success(), &lines[..]) else {
        return Err(NO_PATRONI.to_owned());
    };
    let is_root = crate::real_postgres::user().is_some();
    let apart = if is_root && succeeds("unshare", &["--net", "--mount", "--pid", "--fork", "true"]) {
        Apart::Networks
    } else if !is_root && succeeds("unshare", &unshared(false, &["true"])) {
        Apart::Ports
    } else {
        return Err("no namespaces can be made".to_owned());
    };
    let python = (PathBuf::from(base), (*program).to_owned());
    Ok(Programs { apart, postgres, python, packages: PathBuf::from(packages) })
}

const NO_PATRONI: &str = "no Patroni: make target/patroni/installed";

fn succeeds(program: &str, arguments: &[&str]) -> bool {
    let ran = Command::new(program).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
    ran.is_ok_and(|status| status.success())
}

/// The arguments of `unshare` for a node: what it runs sees nothing but itself, and ends with it.
pub(crate) fn unshared<'a>(has_network: bool, command: &[&'a str]) -> Vec<&'a str> {
    // Those who are not root make a namespace of users first, in which they stay who they are.
    let own: &[&str] = if has_network { &["--net"] } else { &["--user", "--map-current-user"] };
    let common = ["--mount", "--pid", "--fork", "--kill-child", "--mount-proc"];
    [own, &common, command].concat()
}
