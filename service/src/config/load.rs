//! The sources of the configuration: [`load`].

use std::fmt;
use std::fs;
use std::path::PathBuf;

use figment::error::Kind;
use figment::providers::{Format, Serialized, Toml};
use figment::value::{Dict, Map, Value};
use figment::{Figment, Metadata, Profile, Provider};

use super::fields::Field;
use super::{Config, check};

/// The prefix of environment variables that set fields.
pub(super) const PREFIX: &str = "EDGEHILL_";

/// The variable that names the file, as `--config` does.
const FILE_VARIABLE: &str = "EDGEHILL_CONFIG";

/// Environment variables: names and values.
pub type Env = Vec<(String, String)>;

/// The settings of the command line.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Flags {
    /// `--config`.
    pub config: Option<PathBuf>,
    /// Fields, by path, with the flag that sets each and its value.
    pub fields: Vec<(&'static str, &'static str, String)>,
}

/// A configuration that was checked.
#[derive(Clone, PartialEq, Debug)]
pub struct Loaded {
    /// The configuration that holds.
    pub config: Config,
    /// Environment variables that look like ours and set nothing.
    pub ignored: Vec<String>,
}

/// A value that is not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigFault {
    /// The source that it comes from, such as `the flag --listen`.
    pub source: String,
    /// The field's path; empty if the source as a whole is at fault.
    pub field: String,
    /// The fault, in words.
    pub what: String,
}

/// The faults for which a configuration is not accepted: all that were found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invalid(pub Vec<ConfigFault>);

impl fmt::Display for ConfigFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source)?;
        if !self.field.is_empty() {
            write!(f, ": {}", self.field)?;
        }
        write!(f, ": {}", self.what)?;
        match Field::of(&self.field) {
            Some(field) => write!(f, "; accepted: {}", field.accepts),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<_> = self.0.iter().map(ConfigFault::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for Invalid {}

/// Puts the configuration together, and checks all of it: defaults, then the file, then the environment, then flags.
///
/// # Errors
/// [`Invalid`], with every fault that was found.
pub fn load(flags: &Flags, env: &Env) -> Result<Loaded, Invalid> {
    let mut figment = Figment::from(Serialized::defaults(Config::default()));
    if let Some((path, source)) = file(flags, env) {
        // Read here, because a file that is not there must not count as an empty one.
        let text = fs::read_to_string(&path).map_err(|error| {
            let what = format!("{} can't be read: {error}", path.display());
            Invalid(vec![ConfigFault { source, field: String::new(), what }])
        })?;
        figment =
            figment.merge(Named { name: format!("the file {}", path.display()), inner: Toml::string(&text) });
    }
    let mut ignored = Vec::new();
    for (name, value) in env {
        let Some(path) = name.strip_prefix(PREFIX).filter(|_| name != FILE_VARIABLE) else { continue };
        let path = path.to_lowercase().replace("__", ".");
        let top = path.split('.').next().unwrap_or_default();
        if !super::FIELDS.iter().any(|field| field.path.split('.').next() == Some(top)) {
            // The prefix is not the server's alone.
            ignored.push(name.clone());
            continue;
        }
        let value = parse(&path, value);
        figment = figment.merge(One { name: format!("the environment variable {name}"), path, value });
    }
    for (path, flag, value) in &flags.fields {
        let (name, value) = (format!("the flag {flag}"), parse(path, value));
        figment = figment.merge(One { name, path: (*path).to_owned(), value });
    }
    let config: Config = figment.extract().map_err(faults)?;
    let found = check::check(&config);
    if found.is_empty() {
        return Ok(Loaded { config, ignored });
    }
    let faults = found.into_iter().map(|(field, what)| {
        let source = figment.find_metadata(field).map_or("the defaults".to_owned(), source);
        ConfigFault { source, field: field.to_owned(), what }
    });
    Err(Invalid(faults.collect()))
}

/// The file, and what names it.
fn file(flags: &Flags, env: &Env) -> Option<(PathBuf, String)> {
    let flag = flags.config.clone().map(|path| (path, "the flag --config".to_owned()));
    let variable = env.iter().find(|(name, value)| name == FILE_VARIABLE && !value.is_empty());
    flag.or_else(|| {
        variable.map(|(name, path)| (PathBuf::from(path), format!("the environment variable {name}")))
    })
}

/// A flag's or variable's text as the field's value: a text as it is, anything else as TOML has it.
fn parse(path: &str, text: &str) -> Value {
    if Field::of(path).is_some_and(|field| field.is_text) {
        return Value::from(text);
    }
    // Parsing never fails: what is nothing else is a text.
    text.parse().unwrap_or_else(|never: std::convert::Infallible| match never {})
}

/// One field from one source.
struct One {
    name: String,
    path: String,
    value: Value,
}

impl Provider for One {
    fn metadata(&self) -> Metadata {
        Metadata::named(self.name.clone())
    }

    fn data(&self) -> Result<Map<Profile, Dict>, figment::Error> {
        let nested = figment::util::nest(&self.path, self.value.clone());
        Ok(Profile::Default.collect(nested.into_dict().unwrap_or_default()))
    }
}

/// A provider under another name.
struct Named<P> {
    name: String,
    inner: P,
}

impl<P: Provider> Provider for Named<P> {
    fn metadata(&self) -> Metadata {
        Metadata::named(self.name.clone())
    }

    fn data(&self) -> Result<Map<Profile, Dict>, figment::Error> {
        self.inner.data()
    }
}

fn source(metadata: &Metadata) -> String {
    match metadata.source {
        // A source with a place in the code is the defaults.
        Some(figment::Source::Code(_)) => "the defaults".to_owned(),
        _ => metadata.name.to_string(),
    }
}

/// Returns figment's faults, in our terms.
fn faults(error: figment::Error) -> Invalid {
    let faults = error.into_iter().map(|error| {
        let mut path = error.path.clone();
        let what = match &error.kind {
            Kind::UnknownField(name, known) => {
                if path.last() != Some(name) {
                    path.push(name.clone());
                }
                let known: Vec<_> = known.iter().map(|name| format!("`{name}`")).collect();
                format!("there is no such field; here are {}", known.join(", "))
            }
            kind => kind.to_string(),
        };
        let source = error.metadata.as_ref().map_or_else(|| "the configuration".to_owned(), source);
        ConfigFault { source, field: path.join("."), what }
    });
    Invalid(faults.collect())
}
