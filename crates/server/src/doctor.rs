//! `pharos doctor`: which settings are in force, and which faults there are.

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    process::ExitCode,
    time::Duration,
};

use pharos_domain::timestamp::Timestamp;
use pharos_egress::{resolver::NameResolver, trust::TrustAnchors};
use pharos_embedded::{EmbeddedOptions, find_binaries, running_database_url};
use pharos_persistence::{
    pool::{Database, DatabaseOptions},
    set_aside::Summary,
};
use serde::Serialize;
use serde_json::Value;

use crate::{
    config::{self, Config},
    flags::{GlobalFlags, ServeFlags},
    groups::{SCHEMAS, database_options},
    metrics::endpoint::ELSEWHERE,
};

#[derive(Serialize)]
struct Report {
    version: &'static str,
    settings: Vec<Setting>,
    findings: Vec<Finding>,
}

#[derive(Serialize)]
struct Setting {
    name: String,
    value: Value,
    from: String,
}

#[derive(Serialize)]
struct Finding {
    what: &'static str,
    well: bool,
    detail: String,
}

impl Finding {
    fn well(what: &'static str, detail: impl Into<String>) -> Self {
        Self {
            what,
            well: true,
            detail: detail.into(),
        }
    }

    fn wrong(what: &'static str, detail: &dyn std::fmt::Display) -> Self {
        Self {
            what,
            well: false,
            detail: detail.to_string(),
        }
    }
}

/// Looks into everything that `serve` needs, changes nothing, and prints what it found.
///
/// # Errors
/// The report can't be printed.
pub fn run(global: &GlobalFlags, json: bool) -> anyhow::Result<ExitCode> {
    let mut report = Report {
        version: env!("CARGO_PKG_VERSION"),
        settings: Vec::new(),
        findings: Vec::new(),
    };
    match Config::load(global, &ServeFlags::default()) {
        Ok(config) => {
            report.settings = in_force(global, &config);
            report.findings = examine(&config);
        }
        Err(error) => report
            .findings
            .push(Finding::wrong("configuration", &format!("{error:#}"))),
    }
    let text = if json {
        serde_json::to_string_pretty(&report)?
    } else {
        for_people(&report)
    };
    writeln!(std::io::stdout(), "{text}")?;
    let well = report.findings.iter().all(|finding| finding.well);
    Ok(if well {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn in_force(global: &GlobalFlags, config: &Config) -> Vec<Setting> {
    let figment = config::sources(global, &ServeFlags::default());
    let values = serde_json::to_value(config).unwrap_or_default();
    config::settings()
        .into_iter()
        .map(|name| {
            let secret = match name.as_str() {
                "database_url" => &config.database_url,
                "redis_url" => &config.redis_url,
                "smtp_url" => &config.smtp_url,
                _ => &None,
            };
            let value = if secret.is_some() {
                Value::from("(set)")
            } else {
                values[name.as_str()].clone()
            };
            let from = figment
                .find_metadata(&name)
                .map_or("default", |metadata| metadata.name.as_ref());
            // A value that comes from a struct bears the name of its type.
            let from = match from {
                of_type if of_type.contains("Flags") => "flag".to_owned(),
                of_type if of_type.contains("Config") => "default".to_owned(),
                other => other.replace('`', ""),
            };
            Setting { value, from, name }
        })
        .collect()
}

fn examine(config: &Config) -> Vec<Finding> {
    let variables = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let mut findings = misspelled(variables);
    findings.push(listen(&API, config.listen));
    findings.extend(config.admin_address.map(|address| listen(&METRICS, address)));
    findings.extend(database(config));
    findings.extend([names(), roots(config)]);
    findings
}

/// Variables that set nothing, but nearly have the name of one that would.
fn misspelled(variables: impl Iterator<Item = String>) -> Vec<Finding> {
    const PREFIX: &str = "PHAROS_";
    // In a short name one error makes another word.
    let typing_errors = |name: &str| (name.len().saturating_sub(PREFIX.len()) / 3).min(3);
    let known: Vec<String> = config::settings()
        .into_iter()
        .chain(["config".to_owned()])
        .map(|name| format!("{PREFIX}{}", name.to_ascii_uppercase()))
        .collect();
    variables
        .map(|variable| variable.to_ascii_uppercase())
        .filter(|variable| variable.starts_with(PREFIX) && !known.contains(variable))
        .filter_map(|variable| {
            let distance = |name: &&String| strsim::damerau_levenshtein(name, &variable);
            let nearest = known.iter().min_by_key(distance)?;
            (distance(&nearest) <= typing_errors(nearest)).then(|| {
                let detail = format!("{variable} sets nothing; perhaps {nearest} is meant");
                Finding::wrong("configuration", &detail)
            })
        })
        .collect()
}

/// A part of Pharos that listens on an address, with the request and the answer that it is known by.
struct Listens {
    setting: &'static str,
    path: &'static str,
    answer: &'static str,
}

const API: Listens = Listens {
    setting: "listen",
    path: "/livez",
    answer: "alive\n",
};
const METRICS: Listens = Listens {
    setting: "admin_address",
    path: "/",
    answer: ELSEWHERE,
};

fn listen(listens: &Listens, address: SocketAddr) -> Finding {
    let setting = listens.setting;
    match TcpListener::bind(address) {
        Ok(_) => Finding::well(setting, format!("{address} is free")),
        Err(_) if is_pharos(listens, address) => Finding::well(setting, format!("Pharos runs on {address}")),
        Err(error) => {
            let variable = format!("PHAROS_{}", setting.to_ascii_uppercase());
            Finding::wrong(
                setting,
                &format!("{address}: {error}; choose another with {variable}"),
            )
        }
    }
}

fn is_pharos(listens: &Listens, address: SocketAddr) -> bool {
    let asked = || -> std::io::Result<bool> {
        let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(1))?;
        stream.set_read_timeout(Some(Duration::from_secs(1)))?;
        write!(stream, "GET {} HTTP/1.0\r\n\r\n", listens.path)?;
        let mut answer = Vec::new();
        stream.take(4_096).read_to_end(&mut answer)?;
        Ok(answer.ends_with(listens.answer.as_bytes()))
    };
    asked().unwrap_or(false)
}

fn database(config: &Config) -> Vec<Finding> {
    const WHAT: &str = "database";
    let url = match &config.database_url {
        Some(url) => url.reveal().to_owned(),
        None => {
            let options = EmbeddedOptions {
                bin_folder: config.postgres_bin.clone(),
                ..EmbeddedOptions::new(&config.data_folder)
            };
            match (
                running_database_url(&options),
                find_binaries(config.postgres_bin.as_deref()),
            ) {
                (Ok(Some(url)), _) => url,
                (Err(error), _) | (_, Err(error)) => return vec![Finding::wrong(WHAT, &error)],
                (Ok(None), Ok(found)) => {
                    let (version, folder) = (found.version(), config.data_folder.display());
                    let detail =
                        format!("PostgreSQL {version} is installed; Pharos will run its own in {folder}");
                    return vec![Finding::well(WHAT, detail)];
                }
            }
        }
    };
    let asked = || -> anyhow::Result<Vec<Finding>> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(async {
            let options = DatabaseOptions {
                pool_size: 1,
                ..database_options()
            };
            let database = Database::connect(&url, &options).await?;
            let version = database.server_version().await?;
            let pending = database.pending_migrations(SCHEMAS).await?;
            if version < 150_000 {
                return Ok(vec![Finding::wrong(
                    WHAT,
                    &format!("PostgreSQL {} is too old; 15 or newer", version / 10_000),
                )]);
            }
            let state = match pending.len() {
                0 => "with every migration".to_owned(),
                missing => format!("{missing} migrations and functions to come with the next start"),
            };
            let detail = format!("PostgreSQL {} answers, {state}", version / 10_000);
            let mut findings = vec![Finding::well(WHAT, detail)];
            if pending.is_empty() {
                findings.extend(set_aside(&database).await?);
            }
            Ok(findings)
        })
    };
    asked().unwrap_or_else(|error| {
        vec![Finding::wrong(
            WHAT,
            &format!("{error:#}; check PHAROS_DATABASE_URL"),
        )]
    })
}

/// The rows that Pharos could not store or read. A kind that has not happened for a day is told, and is no fault any
/// more.
async fn set_aside(database: &Database) -> anyhow::Result<Vec<Finding>> {
    const WHAT: &str = "set aside";
    let kinds = database.set_aside().await?;
    if kinds.is_empty() {
        return Ok(vec![Finding::well(WHAT, "nothing")]);
    }
    let finding = |kind: Summary| {
        let Summary {
            kind,
            things,
            times,
            last_at,
            subject,
            reason,
            is_recent,
        } = kind;
        let last_at = Timestamp::from(last_at);
        let detail =
            format!("{kind}: {times} times, of {things}; the last, {subject}, at {last_at}: {reason}");
        if is_recent {
            Finding::wrong(WHAT, &format!("{detail}; the table set_aside has them all"))
        } else {
            Finding::well(WHAT, detail)
        }
    };
    Ok(kinds.into_iter().map(finding).collect())
}

fn names() -> Finding {
    match NameResolver::system() {
        Ok(_) => Finding::well("name servers", "the system's"),
        Err(error) => Finding::wrong("name servers", &format!("{error}; checks can't look names up")),
    }
}

fn roots(config: &Config) -> Finding {
    const WHAT: &str = "trusted authorities";
    let Some(file) = &config.probe_roots else {
        return Finding::well(WHAT, "the web's");
    };
    match std::fs::read(file).map(|pem| TrustAnchors::web().with_extra(&pem)) {
        Ok(Ok(_)) => Finding::well(WHAT, format!("the web's, and those of {}", file.display())),
        Ok(Err(error)) => Finding::wrong(WHAT, &format!("{}: {error}", file.display())),
        Err(error) => Finding::wrong(WHAT, &format!("{}: {error}", file.display())),
    }
}

fn for_people(report: &Report) -> String {
    let mut text = format!("pharos {}\n\n", report.version);
    let width = report
        .settings
        .iter()
        .map(|setting| setting.name.len())
        .max()
        .unwrap_or(0);
    for Setting { name, value, from } in &report.settings {
        let value = match value {
            Value::Null => "–".to_owned(),
            Value::String(value) => value.clone(),
            other => other.to_string(),
        };
        text.push_str(&format!("{name:width$}  {value}  ({from})\n"));
    }
    text.push('\n');
    for Finding { what, well, detail } in &report.findings {
        text.push_str(&format!(
            "{} {what}: {detail}\n",
            if *well { "ok   " } else { "WRONG" }
        ));
    }
    text.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(variable: &str) -> Vec<String> {
        misspelled([variable.to_owned()].into_iter())
            .into_iter()
            .map(|finding| finding.detail)
            .collect()
    }

    #[test]
    fn a_misspelled_variable_is_named_with_the_one_that_is_meant() {
        let want = "PHAROS_DATABSE_URL sets nothing; perhaps PHAROS_DATABASE_URL is meant";
        assert_eq!(told("PHAROS_DATABSE_URL"), [want]);
        for other in [
            "PHAROS_DATABASE_URL",
            "PHAROS_CONFIG",
            "PHAROS_TEST_DATABASE_URL",
            "PHAROS_PORT",
            "PHAROS_KEY",
            "PHAROS_BIN",
            "PATH",
        ] {
            assert!(told(other).is_empty(), "{other}");
        }
    }
}
