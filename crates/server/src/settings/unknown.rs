//! Names that set nothing, with the nearest that would.

use super::{all, variable};

/// The prefix of all variables.
pub const PREFIX: &str = "PHAROS_";
/// Names the file of the configuration.
const CONFIG: &str = "config";
/// Variables of the other programs and of this repository's tasks, which may run in the same environment.
const OF_OTHERS: [&str; 7] = [
    "api_key",
    "api_url",
    "bin",
    "key",
    "mcp_ca_file",
    "mcp_listen",
    "url",
];
/// Beginnings of such variables.
const BEGINNINGS_OF_OTHERS: [&str; 2] = ["bench_", "test_"];

/// The variables among these that set nothing, each with the nearest that would.
pub fn variables(names: impl IntoIterator<Item = String>) -> Vec<(String, String)> {
    let known = || all().map(|setting| setting.name).chain([CONFIG]);
    names
        .into_iter()
        .filter_map(|written| {
            let name = written.to_ascii_lowercase();
            let name = name.strip_prefix(&PREFIX.to_ascii_lowercase())?;
            let sets_nothing = !known().any(|known| known == name) && !is_of_others(name);
            sets_nothing.then(|| {
                let nearest = variable(nearest(name, known()));
                (written, nearest)
            })
        })
        .collect()
}

/// The variables of this process that set nothing.
#[must_use]
pub fn of_environment() -> Vec<(String, String)> {
    variables(std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()))
}

/// The setting whose name is nearest to this one.
#[must_use]
pub fn nearest_setting(name: &str) -> &'static str {
    // In a file a setting may have been written as its variable.
    let name = name.to_ascii_lowercase();
    let name = name.strip_prefix("pharos_").unwrap_or(&name);
    nearest(name, all().map(|setting| setting.name))
}

/// One variable that sets nothing, as it is told.
#[must_use]
pub fn told(name: &str, nearest: &str) -> String {
    format!("{name} sets nothing; perhaps {nearest} is meant")
}

fn nearest(name: &str, known: impl Iterator<Item = &'static str>) -> &'static str {
    // Names that begin alike are nearer: `redis` is meant for `redis_url`, not for `roles`.
    let likeness = |known: &str| strsim::jaro_winkler(known, name);
    known
        .max_by(|one, other| likeness(one).total_cmp(&likeness(other)))
        .unwrap_or_default()
}

/// Whether a variable, without its prefix, is of another program, or one that Kubernetes sets for a service named `pharos` or
/// `pharos-…`.
fn is_of_others(name: &str) -> bool {
    let of_service = name == "port"
        || name.ends_with("_port")
        || ["_port_", "service_host", "service_port"]
            .iter()
            .any(|part| name.contains(part))
        || name.starts_with("port_");
    of_service
        || OF_OTHERS.contains(&name)
        || BEGINNINGS_OF_OTHERS
            .iter()
            .any(|beginning| name.starts_with(beginning))
}
