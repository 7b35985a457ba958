//! The checks that no type makes: ranges, and fields that have to fit each other.

use std::path::Path;

use figment::value::Value;
use http::HeaderName;

use super::{Config, FIELDS, Postgres, Proxy, Sqlite, Tls, log_filter, network};

/// Fields at fault, each with what is wrong.
pub(super) type Found = Vec<(&'static str, String)>;

/// Everything that is wrong with `config`.
pub(super) fn check(config: &Config) -> Found {
    let mut found = Found::new();
    ranges(config, &mut found);
    callers(config, &mut found);
    folders(config, &mut found);
    if let Err(error) = config.limits.check() {
        let name = error.name.as_str_name().trim_start_matches("LIMIT_NAME_").to_lowercase();
        let field = FIELDS.iter().find(|field| field.path.strip_prefix("limits.") == Some(&name));
        let path = field.map_or("limits", |field| field.path);
        // A number that is out of its own range was found above.
        if !found.iter().any(|(field, _)| *field == path) {
            found.push((path, format!("{} is out of range beside the other limits", error.given)));
        }
    }
    for origin in config.web.origins.iter().flatten() {
        if origin != "*" && !is_origin(origin) {
            found.push(("web.origins", format!("{origin:?} is not an origin")));
        }
    }
    database(config, &mut found);
    cluster(config, &mut found);
    tls(&config.tls, &mut found);
    proxies(&config.proxy, &mut found);
    if let Some(what) = log_filter::fault(&config.log.filter) {
        found.push(("log.filter", what));
    }
    telemetry(config, &mut found);
    found
}

/// Holds every number to the range that [`FIELDS`] gives.
fn ranges(config: &Config, found: &mut Found) {
    // Read back from its own form, so that no field can be forgotten here.
    let Ok(values) = Value::serialize(config) else { return };
    for field in FIELDS {
        let Some((min, max)) = field.range else { continue };
        let number = values.find_ref(field.path).and_then(Value::to_u128);
        if let Some(number) = number.filter(|number| !(u128::from(min)..=u128::from(max)).contains(number)) {
            found.push((field.path, format!("{number} is out of range")));
        }
    }
}

/// Checks who may call: a server that can be reached from elsewhere asks for accounts, or is set not to.
fn callers(config: &Config, found: &mut Found) {
    let loopback = config.listen.ip().is_loopback();
    if !loopback && config.accounts.is_none() && config.anonymous.is_none() {
        let what = format!(
            "{} can be reached from other machines, and there are no accounts: set `accounts`, or `anonymous = true` if \
             whoever reaches it may play",
            config.listen
        );
        found.push(("listen", what));
    }
    if config.accounts.is_none() && config.anonymous == Some(false) {
        found.push((
            "anonymous",
            "it is false and there is no accounts file, so that nobody could play".to_owned(),
        ));
    }
    if config.accounts.is_some() && config.key_path().is_none() {
        let what = "accounts are known by hashes under the server's key, which has to outlive a start: set `store` or \
                    `key_file`";
        found.push(("accounts", what.to_owned()));
    }
}

/// Checks that the matches are kept in one place, that the key outlives a start there, and that no password is printed.
fn database(config: &Config, found: &mut Found) {
    let Some(address) = &config.postgres.address else {
        for (field, path) in [
            ("postgres.password_file", &config.postgres.password_file),
            ("postgres.ca_file", &config.postgres.ca_file),
        ] {
            if path.is_some() {
                found.push((field, "it is of a database, and `postgres.address` is not set".to_owned()));
            }
        }
        return;
    };
    match address.parse::<postgres::Config>() {
        // Its words may repeat what is wrong, a password among it.
        Err(_) => found.push(("postgres.address", "it can't be read".to_owned())),
        Ok(parsed) if parsed.get_password().is_some() => {
            let what = "a password stands in a file of its own, which `postgres.password_file` names";
            found.push(("postgres.address", what.to_owned()));
        }
        Ok(_) => {}
    }
    if config.store.is_some() {
        let what = "matches are kept in a database or in a folder, and `store` names a folder";
        found.push(("postgres.address", what.to_owned()));
    }
    if config.key_file.is_none() {
        let what =
            "what is in a database is sealed with the server's key, which stands elsewhere: set `key_file`";
        found.push(("postgres.address", what.to_owned()));
    }
}

/// Checks that several servers share a database, and that each is called as it listens.
fn cluster(config: &Config, found: &mut Found) {
    let Some(address) = &config.cluster.address else {
        if config.cluster.ca_file.is_some() {
            let what = "it is of a cluster, and `cluster.address` is not set";
            found.push(("cluster.ca_file", what.to_owned()));
        }
        return;
    };
    if !is_server(address) {
        found.push(("cluster.address", format!("{address:?} is not such an address")));
    }
    if config.postgres.address.is_none() {
        let what = "servers share a database, and `postgres.address` is not set";
        found.push(("cluster.address", what.to_owned()));
    }
    let (is_secure, has_tls) = (address.starts_with("https://"), config.tls.certificate.is_some());
    match (is_secure, has_tls) {
        (true, false) => {
            let what = "it is of a server with a certificate, and `tls.certificate` is not set";
            found.push(("cluster.address", what.to_owned()));
        }
        (false, true) => {
            let what =
                "the server takes connections through TLS alone, and the address begins with `http://`";
            found.push(("cluster.address", what.to_owned()));
        }
        _ => {}
    }
    match (is_secure, &config.cluster.ca_file) {
        (true, None) => {
            let what =
                "servers are called through TLS, and nobody is named who vouches for their certificates";
            found.push(("cluster.ca_file", what.to_owned()));
        }
        (false, Some(_)) => {
            let what = "the other servers are called without TLS, and show no certificate";
            found.push(("cluster.ca_file", what.to_owned()));
        }
        _ => {}
    }
    if config.tls.client_ca.is_some() {
        let what =
            "every client has to show a certificate, and a server that hands a call on has none to show";
        found.push(("tls.client_ca", what.to_owned()));
    }
}

/// Checks that a certificate has its key, and that no client is asked for one where there is no TLS.
fn tls(tls: &Tls, found: &mut Found) {
    let missing = match (&tls.certificate, &tls.key) {
        (Some(_), None) => Some(("tls.certificate", "it is served with its key, and `tls.key` is not set")),
        (None, Some(_)) => {
            Some(("tls.key", "it is the key of a certificate, and `tls.certificate` is not set"))
        }
        (None, None) if tls.client_ca.is_some() => Some((
            "tls.client_ca",
            "clients show certificates in TLS alone: set `tls.certificate` and `tls.key`",
        )),
        _ => None,
    };
    found.extend(missing.map(|(field, what)| (field, what.to_owned())));
}

/// Checks that proxies say for whom they call, and that nobody is believed who is none.
fn proxies(proxy: &Proxy, found: &mut Found) {
    for address in proxy.addresses.iter().filter(|text| network(text).is_none()) {
        found.push(("proxy.addresses", format!("{address:?} is neither an address nor a network")));
    }
    match &proxy.header {
        Some(header) if header.parse::<HeaderName>().is_err() => {
            found.push(("proxy.header", format!("{header:?} is no header's name")));
        }
        Some(_) if proxy.addresses.is_empty() => {
            found.push((
                "proxy.header",
                "it is believed from `proxy.addresses` alone, and there are none".to_owned(),
            ));
        }
        None if !proxy.addresses.is_empty() => {
            found.push((
                "proxy.addresses",
                "clients are told apart by `proxy.header`, and there is none".to_owned(),
            ));
        }
        _ => {}
    }
}

fn folders(config: &Config, found: &mut Found) {
    let paths = [
        ("store", &config.store),
        ("key_file", &config.key_file),
        ("accounts", &config.accounts),
        ("content", &config.content),
        ("docs.folder", &config.docs.folder),
        ("tls.certificate", &config.tls.certificate),
        ("tls.key", &config.tls.key),
        ("tls.client_ca", &config.tls.client_ca),
        ("postgres.password_file", &config.postgres.password_file),
        ("postgres.ca_file", &config.postgres.ca_file),
        ("cluster.ca_file", &config.cluster.ca_file),
    ];
    for (field, path) in paths {
        let Some(path) = path else { continue };
        if path.as_os_str().is_empty() {
            found.push((field, "the path is empty".to_owned()));
        } else if let Some(what) = not_fit(field, path) {
            found.push((field, format!("{} {what}", path.display())));
        }
    }
    if config.key_file.is_some() && config.key_file == config.store_file() {
        found.push(("key_file", "the key never stands inside the store".to_owned()));
    }
}

/// Returns the reason that what stands at `path` can't be what the field asks for.
fn not_fit(field: &str, path: &Path) -> Option<&'static str> {
    match field {
        "store" if path.exists() && !path.is_dir() => Some("is not a folder"),
        "content" | "docs.folder" if !path.is_dir() => Some("is not a folder"),
        "docs.folder" if !path.join("index.html").is_file() => {
            Some("has no `index.html`: it is not the folder that `make docs` builds")
        }
        "key_file" if path.is_dir() => Some("is a folder"),
        "accounts"
        | "tls.certificate"
        | "tls.key"
        | "tls.client_ca"
        | "postgres.password_file"
        | "postgres.ca_file"
        | "cluster.ca_file"
            if !path.exists() =>
        {
            Some("is not there")
        }
        "accounts" | "tls.certificate" | "tls.key" | "tls.client_ca" if path.is_dir() => Some("is a folder"),
        _ => None,
    }
}

fn telemetry(config: &Config, found: &mut Found) {
    let telemetry = &config.telemetry;
    if let Some(endpoint) = &telemetry.otlp_endpoint
        && !is_endpoint(endpoint)
    {
        // Not repeated: what is in front of an @ would be a password.
        found.push(("telemetry.otlp_endpoint", "this is not such an address".to_owned()));
    }
    let name = &telemetry.service_name;
    if name.is_empty() || name.len() > 64 || !name.bytes().all(|byte| byte.is_ascii_graphic()) {
        found.push(("telemetry.service_name", format!("{name:?} is not such a name")));
    }
    if !(0.0..=1.0).contains(&telemetry.sampling_ratio) {
        found.push(("telemetry.sampling_ratio", format!("{} is not a share", telemetry.sampling_ratio)));
    }
}

/// Scheme, host and port of a server.
fn is_server(text: &str) -> bool {
    let uri = text.parse::<http::Uri>().ok().filter(|_| is_origin(text));
    uri.is_some_and(|uri| uri.host().is_some_and(|host| !host.is_empty()) && uri.port_u16().is_some())
}

/// Scheme, host and port, and nothing else.
fn is_origin(text: &str) -> bool {
    let rest = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    let good = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:[]".contains(&byte);
    rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(good))
}

fn is_endpoint(text: &str) -> bool {
    is_origin(text) && text.starts_with("http://")
}

impl Postgres {
    /// The same, as the store takes it.
    #[must_use]
    pub fn options(&self) -> crate::store::PostgresOptions {
        let count = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
        crate::store::PostgresOptions {
            line_operations: count(self.line_operations),
            line_bytes: self.line_bytes,
            batch_operations: count(self.batch_operations),
            readers: count(self.readers),
            ..crate::store::PostgresOptions::default()
        }
    }
}

impl Sqlite {
    /// The same, as the store takes it.
    #[must_use]
    pub fn options(&self) -> crate::store::Options {
        let count = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
        crate::store::Options {
            line_operations: count(self.line_operations),
            line_bytes: self.line_bytes,
            batch_operations: count(self.batch_operations),
            readers: count(self.readers),
            checkpoint_pages: self.checkpoint_pages,
            file_bytes_max: self.file_bytes_max,
            ..crate::store::Options::default()
        }
    }
}
