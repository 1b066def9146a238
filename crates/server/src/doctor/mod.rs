//! `pharos doctor`: which settings are in force, and which faults there are.

mod database;
mod listening;
mod machine;
mod outgoing;
mod reach;
mod tls;
mod together;

use serde::Serialize;

use self::{
    database::database,
    listening::listen,
    machine::disks,
    outgoing::{artefacts, collector, mail, names, roots},
    reach::{base_url, networks, proxies},
    tls::tls,
    together::redis,
};
use crate::{
    answer::Answer,
    config::{Config, sources},
    finding::Finding,
    flags::{GlobalFlags, ServeFlags},
    groups::GROUPS,
    healthcheck::{API, METRICS},
    in_force::{InForce, in_force, lines},
    sentence::sentence,
    settings::unknown,
};

#[derive(Serialize)]
struct Report {
    version: &'static str,
    settings: Vec<InForce>,
    findings: Vec<Finding>,
}

/// Looks into everything that `serve` needs, changes nothing, and says what it found.
///
/// # Errors
/// Nothing can be run here.
pub fn run(global: &GlobalFlags) -> anyhow::Result<Answer> {
    let mut report = Report {
        version: env!("CARGO_PKG_VERSION"),
        settings: Vec::new(),
        findings: Vec::new(),
    };
    match Config::from_sources(&sources(global, &ServeFlags::default())) {
        Ok(config) => {
            report.settings = in_force(global, &ServeFlags::default(), &config);
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()?;
            report.findings = runtime.block_on(examine(&config));
        }
        Err(error) => {
            report.findings = unknown_variables();
            report
                .findings
                .push(Finding::wrong("configuration", &sentence(&error)));
        }
    }
    let well = report.findings.iter().all(|finding| finding.well);
    let answer = Answer::new(&report)?.in_words(for_people(&report));
    Ok(answer.failed_unless(well))
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
    ]);
    for finding_of in GROUPS.iter().filter_map(|group| group.machine_finding) {
        findings.push(finding_of(config).await);
    }
    findings
}

fn for_people(report: &Report) -> String {
    let mut text = format!("pharos {}\n\n", report.version);
    // There are none where the configuration can't be read.
    if !report.settings.is_empty() {
        text.push_str(&format!("{}\n\n", lines(&report.settings)));
    }
    for Finding { what, well, detail } in &report.findings {
        text.push_str(&format!(
            "{} {what}: {detail}\n",
            if *well { "ok   " } else { "WRONG" }
        ));
    }
    text.trim_end().to_owned()
}

/// Variables that set nothing. No other command starts with one.
fn unknown_variables() -> Vec<Finding> {
    unknown::of_environment()
        .iter()
        .map(|(name, nearest)| Finding::wrong("configuration", &unknown::told(name, nearest)))
        .collect()
}
