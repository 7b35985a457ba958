//! The configuration of Patroni on a node.

use std::path::Path;

/// A member of the cluster that Patroni looks after.
#[derive(Debug)]
pub(crate) struct Member<'a> {
    pub(crate) name: &'a str,
    pub(crate) host: &'a str,
    /// The ports of Patroni's own interface, and of the database.
    pub(crate) patroni: u16,
    pub(crate) postgres: u16,
    /// All members of etcd, as a list of YAML has them.
    pub(crate) etcd_hosts: &'a str,
    /// The folder of the database.
    pub(crate) folder: &'a Path,
    /// The folder of PostgreSQL's programs.
    pub(crate) programs: &'a Path,
}

/// The settings that all members share, from when the cluster is made: the page for operators has it, too.
const SHARED: &str = r#"bootstrap:
  dcs:
    ttl: 20
    loop_wait: 5
    retry_timeout: 5
    primary_start_timeout: 0
    synchronous_mode: quorum
    synchronous_mode_strict: true
    synchronous_node_count: 1
    postgresql:
      use_pg_rewind: true
      parameters:
        synchronous_commit: "on"
        wal_log_hints: "on"
"#;

/// The text of its file. Disks are small here, and nobody else reaches the database.
pub(crate) fn configuration(member: &Member<'_>) -> String {
    let Member { name, host, patroni, postgres, etcd_hosts, .. } = member;
    let (folder, programs) = (member.folder.display(), member.programs.display());
    format!(
        r#"scope: edgehill
name: {name}
restapi: {{listen: "{host}:{patroni}", connect_address: "{host}:{patroni}"}}
etcd3: {{hosts: [{etcd_hosts}]}}
{SHARED}        max_connections: 100
        shared_buffers: 64MB
        min_wal_size: 48MB
        max_wal_size: 192MB
        wal_keep_size: 128MB
  initdb: [{{encoding: UTF8}}, {{locale: C}}, data-checksums]
postgresql:
  listen: "{host}:{postgres}"
  connect_address: "{host}:{postgres}"
  data_dir: {folder}/data
  bin_dir: {programs}
  pgpass: {folder}/pgpass
  authentication:
    superuser: {{username: edgehill}}
    replication: {{username: edgehill}}
  parameters: {{unix_socket_directories: "{folder}"}}
  pg_hba: ["local all all trust", "host all all 0.0.0.0/0 trust", "host replication all 0.0.0.0/0 trust"]
watchdog: {{mode: "off"}}
"#
    )
}

/// Operators are shown what was tried.
#[test]
fn the_page_for_operators_has_the_configuration_of_these_nodes() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/operations-cluster.md");
    let page = std::fs::read_to_string(page).unwrap();
    let blocks: Vec<&str> =
        page.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(blocks, [SHARED]);
}
