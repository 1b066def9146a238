//! `pharos doctor`: which settings are in force, and which faults there are.

mod collection;
mod database;
mod listening;
mod machine;
mod outgoing;
mod reach;
mod settings;
mod tls;
mod together;

use std::{io::Write, process::ExitCode};

use serde::Serialize;
use serde_json::Value;

use self::{
    collection::countries,
    database::database,
    listening::listen,
    machine::disks,
    outgoing::{artefacts, collector, lab_tests, mail, names, printing, roots},
    reach::{base_url, networks, proxies},
    settings::{Setting, in_force, unknown_variables},
    tls::tls,
    together::redis,
};
use crate::{
    config::{Config, sources},
    flags::{GlobalFlags, ServeFlags},
    healthcheck::{API, METRICS},
};

#[derive(Serialize)]
struct Report {
    version: &'static str,
    settings: Vec<Setting>,
    findings: Vec<Finding>,
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
    match Config::from_sources(&sources(global, &ServeFlags::default())) {
        Ok(config) => {
            report.settings = in_force(global, &config);
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()?;
            report.findings = runtime.block_on(examine(&config));
        }
        Err(error) => {
            report.findings = unknown_variables();
            let detail = format!("{error:#}");
            report.findings.push(Finding::wrong("configuration", &detail));
        }
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

async fn examine(config: &Config) -> Vec<Finding> {
    let mut findings = unknown_variables();
    findings.push(listen(&API, config.listen));
    findings.extend(tls(config));
    findings.extend(config.admin_address.map(|address| listen(&METRICS, address)));
    findings.extend([base_url(config), proxies(config), networks(config)]);
    let (of_database, nodes) = database(config).await;
    findings.extend(of_database);
    findings.push(redis(config, nodes).await);
    findings.extend(disks(config));
    findings.extend(artefacts(config).await);
    findings.extend([
        names(),
        roots(config),
        mail(config).await,
        collector(config).await,
        countries(config),
        printing(config),
        lab_tests(config).await,
    ]);
    findings
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
