//! The texts that `log.filter` accepts: levels, for all or by target. The filter itself takes any target for one that may log some day, so
//! that a typing error would silence the log.

/// The targets of the server's own lines: all of them, and those of each of its parts.
pub(super) const OWN: &str = "edgehill_service";

/// The parts of the server.
pub(super) const PARTS: [&str; 16] = [
    "admin",
    "api",
    "clock",
    "command",
    "competitions",
    "config",
    "entropy",
    "erasure",
    "host",
    "identity",
    "limits",
    "matches",
    "server",
    "store",
    "telemetry",
    "wire",
];

/// The libraries that log as well.
pub(super) const LIBRARIES: [&str; 9] = [
    "h2",
    "hyper",
    "hyper_util",
    "opentelemetry",
    "opentelemetry_otlp",
    "opentelemetry_sdk",
    "tonic",
    "tower",
    "tower_http",
];

const LEVELS: [&str; 6] = ["error", "warn", "info", "debug", "trace", "off"];

/// The first fault of a filter, in words.
pub(super) fn fault(filter: &str) -> Option<String> {
    filter.split(',').map(str::trim).find_map(|part| match part.split_once('=') {
        None if is_level(part) => None,
        None => Some(format!("{part:?} is neither a level nor a target with one, such as {OWN}=debug")),
        Some((target, level)) if is_level(level.trim()) => target_fault(target.trim()),
        Some((_, level)) => Some(format!("{level:?} is not a level")),
    })
}

fn is_level(word: &str) -> bool {
    LEVELS.iter().any(|level| level.eq_ignore_ascii_case(word))
}

fn target_fault(target: &str) -> Option<String> {
    let (first, rest) = target.split_once("::").map_or((target, None), |(first, rest)| (first, Some(rest)));
    if LIBRARIES.contains(&first) {
        return None;
    }
    if first != OWN {
        let libraries = LIBRARIES.join(", ");
        return Some(format!(
            "nothing here logs as {target:?}; the server does as {OWN}, its libraries as {libraries}"
        ));
    }
    if rest.is_none_or(|part| PARTS.contains(&part)) {
        return None;
    }
    let parts = PARTS.join(", ");
    Some(format!("nothing here logs as {target:?}; the parts of {OWN} are {parts}, such as {OWN}::store"))
}

#[cfg(test)]
mod tests {
    use tracing_subscriber::EnvFilter;

    use super::*;

    #[test]
    fn levels_and_targets_that_are_there_are_taken() {
        for filter in [
            "info",
            "off",
            "WARN",
            "info,edgehill_service=debug",
            "edgehill_service::store=trace, info",
            "warn,h2=off",
            "info,h2::proto=debug,tower_http=error",
        ] {
            assert_eq!(fault(filter), None, "{filter}");
            filter.replace(' ', "").parse::<EnvFilter>().unwrap();
        }
    }

    #[test]
    fn what_would_silence_the_log_is_named() {
        for (filter, expected) in [
            ("inof", "\"inof\" is neither a level nor a target"),
            ("", "\"\" is neither"),
            ("info,", "\"\" is neither"),
            ("info,edgehill=debug", "nothing here logs as \"edgehill\"; the server does as edgehill_service"),
            ("edgehill_service::stor=debug", "the parts of edgehill_service are admin, api, clock, "),
            ("edgehill_service::store::sqlite=debug", "the parts of edgehill_service are"),
            ("edgehill_service=loud", "\"loud\" is not a level"),
            ("a=b=c", "\"b=c\" is not a level"),
            ("[call]=debug", "nothing here logs as \"[call]\""),
            ("info,[call{caller=ada}]=debug", "\"ada}]=debug\" is not a level"),
        ] {
            let fault = fault(filter).unwrap_or_else(|| panic!("{filter:?} is taken"));
            assert!(fault.contains(expected), "{filter:?}: {fault}");
        }
    }

    /// The parts are the modules of the crate.
    #[test]
    fn every_part_of_the_server_is_a_target() {
        let source = include_str!("../lib.rs");
        let modules = source.lines().filter_map(|line| {
            let line = line.trim_start_matches("pub ").trim_start_matches("pub(crate) ");
            line.strip_prefix("mod ")?.strip_suffix(';')
        });
        let silent = ["rotation", "shares"];
        let modules: Vec<_> = modules.filter(|module| !silent.contains(module)).collect();
        assert_eq!(modules, PARTS);
    }
}
